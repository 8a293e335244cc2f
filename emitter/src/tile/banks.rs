//! LDS banks: which lanes are served together, and when they get in each other's way.
//!
//! Phases as measured by HipKittens and pyhip on silicon (gfx942 and gfx950; 128-bit reads have an irregular grouping),
//! elsewhere lanes in order. Within a phase, lanes that want different dwords of one bank wait for each other; lanes
//! that want the same dword share it.

use wavesmith_asm::Target;

/// A kind of LDS access, by bytes a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LdsAccess {
    /// `ds_read_b32` and narrower.
    Read4,
    /// `ds_read_b64`.
    Read8,
    /// `ds_read_b128`.
    Read16,
    /// `ds_write_b32` and narrower.
    Write4,
    /// `ds_write_b64`.
    Write8,
    /// `ds_write_b128`.
    Write16,
}

impl LdsAccess {
    /// The read of that many bytes.
    pub const fn read(bytes: u32) -> LdsAccess {
        match bytes {
            16 => LdsAccess::Read16,
            8 => LdsAccess::Read8,
            _ => LdsAccess::Read4,
        }
    }

    /// The write of that many bytes.
    pub const fn write(bytes: u32) -> LdsAccess {
        match bytes {
            16 => LdsAccess::Write16,
            8 => LdsAccess::Write8,
            _ => LdsAccess::Write4,
        }
    }

    const fn dwords(self) -> u32 {
        match self {
            LdsAccess::Read4 | LdsAccess::Write4 => 1,
            LdsAccess::Read8 | LdsAccess::Write8 => 2,
            LdsAccess::Read16 | LdsAccess::Write16 => 4,
        }
    }
}

/// First lanes of the runs of four that make up the first phase of a 128-bit read; the others follow by addition.
const READ16_GFX942: [[u8; 2]; 8] = [[0, 20], [32, 52], [4, 16], [36, 48], [8, 28], [40, 60], [12, 24], [44, 56]];
const READ16_GFX950: [[u8; 4]; 4] = [[0, 12, 20, 24], [32, 44, 52, 56], [4, 8, 16, 28], [36, 40, 48, 60]];

/// The phase of each lane.
fn phases(target: Target, access: LdsAccess) -> [u8; 64] {
    let mut phase = [0u8; 64];
    let mut runs = |table: &[&[u8]]| {
        for (p, starts) in table.iter().enumerate() {
            for start in *starts {
                (0..4).for_each(|i| phase[usize::from(start + i)] = p as u8);
            }
        }
    };
    match (target, access) {
        (Target::Gfx950, LdsAccess::Read16) => runs(&READ16_GFX950.each_ref().map(|r| r.as_slice())),
        (_, LdsAccess::Read16) => runs(&READ16_GFX942.each_ref().map(|r| r.as_slice())),
        (Target::Gfx950, LdsAccess::Read4) => {}
        (Target::Gfx950, LdsAccess::Read8) => (0..64).for_each(|l| phase[l] = l as u8 / 32),
        (_, LdsAccess::Read4 | LdsAccess::Write4) => (0..64).for_each(|l| phase[l] = l as u8 / 32),
        (_, LdsAccess::Read8 | LdsAccess::Write8) => (0..64).for_each(|l| phase[l] = l as u8 / 16),
        (_, LdsAccess::Write16) => (0..64).for_each(|l| phase[l] = l as u8 / 8),
    }
    phase
}

/// Banks of four bytes that an access sees.
fn banks(target: Target, access: LdsAccess) -> u32 {
    match (target, access) {
        // Writes are taken to see as many as before: nobody has measured otherwise.
        (Target::Gfx950, LdsAccess::Read4 | LdsAccess::Read8 | LdsAccess::Read16) => 64,
        _ => 32,
    }
}

/// Extra rounds that an access costs because lanes of one phase want different dwords of one bank, over all phases.
/// `address` gives each lane's byte address, `None` for an inactive lane.
pub fn conflicts(target: Target, access: LdsAccess, address: impl Fn(u32) -> Option<u32>) -> u32 {
    let phase = phases(target, access);
    let banks = banks(target, access);
    let mut extra = 0;
    for p in 0..=*phase.iter().max().unwrap_or(&0) {
        let mut wanted: Vec<Vec<u32>> = vec![Vec::new(); banks as usize];
        for lane in (0..64).filter(|l| phase[*l as usize] == p) {
            let Some(byte) = address(lane) else { continue };
            for dword in byte / 4..byte / 4 + access.dwords() {
                let bank = &mut wanted[(dword % banks) as usize];
                if !bank.contains(&dword) {
                    bank.push(dword);
                }
            }
        }
        // A phase carries as many dwords a bank as it must when nothing collides.
        let lanes = phase.iter().filter(|x| **x == p).count() as u32;
        let least = (lanes * access.dwords()).div_ceil(banks);
        let rounds = wanted.iter().map(|w| w.len() as u32).max().unwrap_or(0);
        extra += rounds.saturating_sub(least);
    }
    extra
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_has_one_phase_of_the_right_size() {
        for target in Target::ALL {
            for (access, size) in
                [(LdsAccess::Read16, if target == Target::Gfx950 { 16 } else { 8 }), (LdsAccess::Write16, 8)]
            {
                let phase = phases(target, access);
                for p in 0..64 / size {
                    assert_eq!(phase.iter().filter(|x| usize::from(**x) == p).count(), size, "{target} {access:?}");
                }
            }
        }
    }

    #[test]
    fn consecutive_lanes_never_collide_and_a_bank_wide_stride_always_does() {
        for target in Target::ALL {
            for access in [LdsAccess::Read4, LdsAccess::Read8, LdsAccess::Read16, LdsAccess::Write16] {
                assert_eq!(conflicts(target, access, |l| Some(l * 4 * access.dwords())), 0, "{target} {access:?}");
                assert!(conflicts(target, access, |l| Some(l * 256)) > 0, "{target} {access:?}");
                assert_eq!(conflicts(target, access, |_| Some(64)), 0, "one address is shared");
            }
        }
    }
}
