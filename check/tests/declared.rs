//! Descriptor, metadata and code against each other: each field of a sound kernel is changed in turn.

mod support;

use support::Kernel;
use wavesmith_asm::Target;
use wavesmith_check::{Options, Severity, check, text};
use wavesmith_loader::code_object::CodeObject;

/// A kernel that uses all that it declares.
fn sound(target: Target) -> Vec<u8> {
    let accumulates = target != Target::Gfx908;
    let metadata = ".group_segment_fixed_size: 1024\n.private_segment_fixed_size: 64\n.max_flat_workgroup_size: 256\n\
                    .uses_dynamic_stack: false\n.sgpr_count: 32\n.vgpr_count: 64\n.agpr_count: 32\n\
                    .args:\n  - .offset: 0\n    .size: 8\n    .value_kind: global_buffer\n    .address_space: global\n\
                    \x20 - .offset: 8\n    .size: 4\n    .value_kind: by_value";
    let body = "s_load_dwordx2 s[8:9], s[0:1], 0x0\nv_bfe_u32 v1, v0, 10, 10\nv_mov_b32_e32 v31, s2\n\
                v_accvgpr_write_b32 a31, v31\nv_accvgpr_write_b32 a3, v31\ns_mov_b32 s25, 0\nv_and_b32_e32 v2, 0xff, v1\nds_write_b32 v2, v31 offset:512\n\
                s_waitcnt lgkmcnt(0)\ns_endpgm";
    let body =
        if accumulates { body.to_owned() } else { body.replace("v_bfe_u32 v1, v0, 10, 10", "v_mov_b32_e32 v1, v1") };
    Kernel {
        target,
        body: &body,
        vgprs: if accumulates { 64 } else { 32 },
        sgprs: 26,
        accum_offset: 32,
        directives: ".amdhsa_group_segment_fixed_size 1024\n.amdhsa_private_segment_fixed_size 64\n\
                     .amdhsa_system_vgpr_workitem_id 1\n.amdhsa_kernarg_size 64",
        metadata: &if accumulates { metadata.to_owned() } else { metadata.replace("vgpr_count: 64", "vgpr_count: 32") },
    }
    .object()
}

/// The weight of the gravest finding that a change of the descriptor brings, beside what there was.
fn changed(object: &[u8], at: usize, change: impl Fn(u32) -> u32) -> Option<Severity> {
    let descriptor = CodeObject::parse(object).unwrap().kernels[0].descriptor_offset;
    let mut other = object.to_vec();
    let at = descriptor + at;
    let word = u32::from_le_bytes(other[at..at + 4].try_into().unwrap());
    other[at..at + 4].copy_from_slice(&change(word).to_le_bytes());
    // What no longer parses is refused, which is more than a finding.
    let Ok(report) = check(&other, &Options::default()) else { return Some(Severity::Error) };
    let known = check(object, &Options::default()).unwrap().findings;
    report.findings.iter().filter(|f| !known.iter().any(|k| k.message == f.message)).map(|f| f.severity).max()
}

#[test]
fn every_field_of_a_descriptor_that_disagrees_is_an_error() {
    for target in Target::ALL {
        let object = sound(target);
        let report = check(&object, &Options::default()).unwrap();
        assert!(!report.failed(), "{target}\n{}", text(&report, false));
        let field = |low: u32, count: u32, to: u32| move |w: u32| w & !(((1 << count) - 1) << low) | to << low;
        let unified = target != Target::Gfx908;
        let cases: Vec<(&str, Option<Severity>)> = vec![
            ("LDS less", changed(&object, 0, |w| w - 4)),
            ("scratch less", changed(&object, 4, |w| w - 4)),
            ("arguments less", changed(&object, 8, |w| w - 8)),
            ("arguments more", changed(&object, 8, |w| w + 8)),
            ("reserved", changed(&object, 12, |_| 1)),
            ("entry off by 4", changed(&object, 16, |w| w + 4)),
            ("entry elsewhere", changed(&object, 16, |w| w.wrapping_add(1 << 20))),
            ("reserved later", changed(&object, 40, |_| 1)),
            ("VGPRs fewer", changed(&object, 48, |w| w - 1)),
            ("SGPRs fewer", changed(&object, 48, |w| w - (2 << 6))),
            ("priority", changed(&object, 48, field(10, 2, 1))),
            ("privileged", changed(&object, 48, field(20, 1, 1))),
            ("debug", changed(&object, 48, field(22, 1, 1))),
            ("bulky", changed(&object, 48, field(24, 1, 1))),
            ("user SGPRs fewer", changed(&object, 52, field(1, 5, 1))),
            ("user SGPRs beyond", changed(&object, 52, field(1, 5, 17))),
            ("trap handler", changed(&object, 52, field(6, 1, 1))),
            ("work-item ids", changed(&object, 52, field(11, 2, 0))),
            ("work-item ids 3", changed(&object, 52, field(11, 2, 3))),
            ("address watch", changed(&object, 52, field(13, 1, 1))),
            ("memory violation", changed(&object, 52, field(14, 1, 1))),
            ("LDS of the packet", changed(&object, 52, field(15, 9, 1))),
            ("reserved bit", changed(&object, 52, field(31, 1, 1))),
            ("wave32", changed(&object, 56, field(10, 1, 1))),
            ("dynamic stack", changed(&object, 56, field(11, 1, 1))),
            ("queue pointer too", changed(&object, 56, field(2, 1, 1))),
            ("preloads more than there are", changed(&object, 56, field(16, 7, 15))),
        ];
        for (what, severity) in cases {
            // gfx908 gives each work-item id a register of its own, which code reads or not.
            if what == "work-item ids" && !unified {
                continue;
            }
            assert_eq!(severity, Some(Severity::Error), "{target} {what}");
        }
        if unified {
            assert_eq!(changed(&object, 44, |w| w - 1), Some(Severity::Error), "{target} accum_offset less");
        }
        // Sound, if wasteful or odd; what it means for the code is told.
        for (what, severity) in [
            ("LDS more", changed(&object, 0, |w| w + 4)),
            ("VGPRs more", changed(&object, 48, |w| w + 1)),
            ("user SGPRs more", changed(&object, 52, field(1, 5, 3))),
            ("no workgroup id", changed(&object, 52, field(7, 1, 0))),
        ] {
            assert_eq!(severity, Some(Severity::Advice), "{target} {what}");
        }
    }
}
