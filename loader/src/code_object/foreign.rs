//! GPUs that compilers build for and this crate does not read: their names, so that an object for one is refused by the
//! name that its owner knows (AMDGPUUsage, "AMDGPU e_flags": `EF_AMDGPU_MACH_AMDGCN_*`).

/// `EF_AMDGPU_MACH` values and LLVM's names, without those that are targets here.
const FOREIGN: &[(u32, &str)] = &[
    (0x20, "gfx600"),
    (0x21, "gfx601"),
    (0x22, "gfx700"),
    (0x23, "gfx701"),
    (0x24, "gfx702"),
    (0x25, "gfx703"),
    (0x26, "gfx704"),
    (0x28, "gfx801"),
    (0x29, "gfx802"),
    (0x2a, "gfx803"),
    (0x2b, "gfx810"),
    (0x2c, "gfx900"),
    (0x2d, "gfx902"),
    (0x2e, "gfx904"),
    (0x2f, "gfx906"),
    (0x31, "gfx909"),
    (0x32, "gfx90c"),
    (0x33, "gfx1010"),
    (0x34, "gfx1011"),
    (0x35, "gfx1012"),
    (0x36, "gfx1030"),
    (0x37, "gfx1031"),
    (0x38, "gfx1032"),
    (0x39, "gfx1033"),
    (0x3a, "gfx602"),
    (0x3b, "gfx705"),
    (0x3c, "gfx805"),
    (0x3d, "gfx1035"),
    (0x3e, "gfx1034"),
    (0x41, "gfx1100"),
    (0x42, "gfx1013"),
    (0x43, "gfx1150"),
    (0x44, "gfx1103"),
    (0x45, "gfx1036"),
    (0x46, "gfx1101"),
    (0x47, "gfx1102"),
    (0x48, "gfx1200"),
    (0x49, "gfx1250"),
    (0x4a, "gfx1151"),
    (0x4e, "gfx1201"),
    (0x51, "gfx9-generic"),
    (0x52, "gfx10-1-generic"),
    (0x53, "gfx10-3-generic"),
    (0x54, "gfx11-generic"),
    (0x55, "gfx1152"),
    (0x58, "gfx1153"),
    (0x59, "gfx12-generic"),
    (0x5a, "gfx1251"),
    (0x5f, "gfx9-4-generic"),
];

/// The name of a GPU that is no target here.
pub(super) fn name(mach: u32) -> Option<&'static str> {
    FOREIGN.iter().find(|(m, _)| *m == mach).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavesmith_asm::Target;

    #[test]
    fn no_target_is_foreign_and_no_value_has_two_names() {
        for (i, (mach, name)) in FOREIGN.iter().enumerate() {
            assert_eq!(Target::from_elf_mach(*mach), None, "{name}");
            assert!(FOREIGN[..i].iter().all(|(m, n)| m != mach && n != name), "{name}");
        }
        assert_eq!(name(0x41), Some("gfx1100"));
        assert_eq!(name(0x5f), Some("gfx9-4-generic"));
        assert_eq!(name(0x27), None);
    }
}
