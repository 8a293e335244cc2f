//! LDS: phases, banks and the queues before them.
//!
//! A wave's access is served in phases, sets of lanes that the hardware takes together. Within a phase every bank gives
//! one dword a cycle; lanes that want different dwords of a bank take turns, lanes that want the same one share it. So
//! an access takes the sum over phases of the fullest bank's distinct dwords. Which lanes make a phase was found by
//! HipKittens, amd-shark-ai and Triton, and differs between CDNA3 and CDNA4. The other pair of SIMDs may use the banks that
//! an access leaves idle meanwhile (rocRoller: where pairs touch disjoint banks in some rotation, cycles halve): of the
//! array, an access takes what its fullest bank gives over all phases.

use super::parts::Machine;
use wavesmith_asm::Target;

/// What an access is to the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Dwords of a lane at each address.
    pub dwords: u32,
    /// Whether it writes.
    pub write: bool,
    /// Whether it also reads what it writes (atomics).
    pub both: bool,
}

/// The eight lanes of each phase of a 128-bit read on CDNA3, and of a 96-bit read on CDNA4: runs of four.
const READ_128_CDNA3: [[u8; 2]; 8] = [[0, 20], [32, 52], [4, 16], [36, 48], [8, 28], [40, 60], [12, 24], [44, 56]];
/// The sixteen lanes of each phase of a 128-bit read on CDNA4: runs of four.
const READ_128_CDNA4: [[u8; 4]; 4] = [[0, 12, 20, 24], [32, 44, 52, 56], [4, 8, 16, 28], [36, 40, 48, 60]];

/// What an access takes of the banks, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// From its first phase to its last, its lanes' conflicts included.
    pub total: u32,
    /// Of them, conflicts.
    pub conflicts: u32,
    /// The fullest bank's own, which no other access may have.
    pub banks: u32,
}

impl Cost {
    /// The cost of doing it so many times.
    pub fn times(self, n: u32) -> Cost {
        Cost { total: n * self.total, conflicts: n * self.conflicts, banks: n * self.banks }
    }
}

/// What an access takes of the banks.
pub fn cycles(target: Target, shape: Shape, addresses: &[u32; 64], exec: u64) -> Cost {
    let cdna4 = target == Target::Gfx950;
    let mut lanes = [0u8; 64];
    let (banks, per_phase) = if cdna4 && !shape.write {
        match shape.dwords {
            1 => (64, 64),
            2 => (64, 32),
            3 => (32, 8),
            _ => (64, 16),
        }
    } else {
        match shape.dwords {
            1 => (32, 32),
            2 => (32, 16),
            _ => (32, 8),
        }
    };
    for (i, l) in lanes.iter_mut().enumerate() {
        *l = i as u8;
    }
    if !shape.write && shape.dwords >= 3 {
        if per_phase == 16 {
            for (p, runs) in READ_128_CDNA4.iter().enumerate() {
                for (r, first) in runs.iter().enumerate() {
                    (0..4).for_each(|k| lanes[p * 16 + r * 4 + k] = first + k as u8);
                }
            }
        } else {
            for (p, runs) in READ_128_CDNA3.iter().enumerate() {
                for (r, first) in runs.iter().enumerate() {
                    (0..4).for_each(|k| lanes[p * 8 + r * 4 + k] = first + k as u8);
                }
            }
        }
    }
    let mut cost = Cost::default();
    let mut given = [0u32; 64];
    for phase in lanes.chunks(per_phase) {
        let ways = fullest(phase, addresses, exec, shape.dwords, banks, &mut given);
        cost.total += ways;
        cost.conflicts += ways.saturating_sub(1);
    }
    cost.banks = given.into_iter().max().unwrap_or(0);
    if shape.both { cost.times(2) } else { cost }
}

/// Distinct dwords that the fullest bank has to give in a phase; what each gives is added to `given`.
fn fullest(phase: &[u8], addresses: &[u32; 64], exec: u64, dwords: u32, banks: u32, given: &mut [u32; 64]) -> u32 {
    // Dwords of each bank so far: a phase has at most 64 accesses, usually all in different banks.
    let mut seen = [[u32::MAX; 4]; 64];
    let mut count = [0u8; 64];
    let mut more: Vec<(u32, u32)> = Vec::new();
    let mut worst = 0;
    for lane in phase {
        if exec >> lane & 1 == 0 {
            continue;
        }
        for k in 0..dwords {
            let dword = addresses[*lane as usize] / 4 + k;
            let bank = (dword % banks) as usize;
            let n = count[bank] as usize;
            let known = seen[bank][..n.min(4)].contains(&dword) || (n > 4 && more.contains(&(bank as u32, dword)));
            if known {
                continue;
            }
            if n < 4 {
                seen[bank][n] = dword;
            } else {
                more.push((bank as u32, dword));
            }
            count[bank] += 1;
            given[bank] += 1;
            worst = worst.max(u32::from(count[bank]));
        }
    }
    worst
}

/// The queues of a compute unit's LDS.
#[derive(Debug, Clone, Default)]
pub struct Lds {
    pair_free: [f64; 2],
    simd_free: [f64; 4],
    array_free: f64,
    /// When the last accesses of each SIMD were begun: as many as its half of the pair's queue holds.
    waiting: [Vec<f64>; 4],
    /// Cycles that the banks were busy.
    pub busy: f64,
    /// Of them, in conflicts.
    pub conflicts: f64,
}

impl Lds {
    /// When a SIMD may issue its next access, the queue of its pair being full until then.
    pub fn may_issue(&self, simd: usize, machine: &Machine) -> u64 {
        let q = &self.waiting[simd];
        let depth = machine.lds_queue as usize / 2;
        if q.len() < depth { 0 } else { q[q.len() - depth] as u64 }
    }

    /// An access of `dwords` a lane in all that keeps the banks busy for some cycles: when `lgkmcnt` drops.
    pub fn access(&mut self, t: u64, simd: usize, shape: Shape, dwords: u32, cost: Cost, m: &Machine) -> u64 {
        let pair = simd / 2;
        let bytes = f64::from(dwords * 256);
        let (occupancy, lone) = if shape.write {
            let cycles = m.lds_write_issue + 4.0 * f64::from(dwords);
            (cycles, cycles)
        } else {
            (bytes / m.lds_pair_bytes, bytes / m.lds_simd_bytes)
        };
        let start = (t as f64).max(self.pair_free[pair]).max(self.simd_free[simd]);
        let array_start = start.max(self.array_free);
        let array_end = array_start + f64::from(cost.total);
        self.array_free = array_start + f64::from(cost.banks);
        self.busy += f64::from(cost.total);
        self.conflicts += f64::from(cost.conflicts);
        let done = (start + occupancy).max(array_end);
        self.pair_free[pair] = done;
        self.simd_free[simd] = (start + lone).max(array_end);
        let q = &mut self.waiting[simd];
        if q.len() >= m.lds_queue as usize / 2 {
            q.remove(0);
        }
        q.push(start);
        (done + m.lds_latency).ceil() as u64
    }

    /// Data that vector memory puts into LDS: it takes the banks' time, and nobody waits for it here.
    pub fn fill(&mut self, t: u64, bytes: u32) {
        let cycles = f64::from(bytes) / 128.0;
        self.array_free = self.array_free.max(t as f64) + cycles;
        self.busy += cycles;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(stride: u32) -> [u32; 64] {
        core::array::from_fn(|i| i as u32 * stride)
    }

    fn read(target: Target, dwords: u32, addresses: &[u32; 64]) -> (u32, u32) {
        let cost = cycles(target, Shape { dwords, write: false, both: false }, addresses, u64::MAX);
        assert!(cost.banks <= cost.total);
        (cost.total, cost.conflicts)
    }

    #[test]
    fn conflict_free_reads_take_a_cycle_a_phase() {
        for (target, phases) in [(Target::Gfx942, [2, 4, 8]), (Target::Gfx950, [1, 2, 4])] {
            for (dwords, want) in [1, 2, 4].into_iter().zip(phases) {
                assert_eq!(read(target, dwords, &strided(4 * dwords)), (want, 0), "{target} {dwords}");
            }
        }
    }

    /// SQ_LDS_BANK_CONFLICT of an instruction whose lanes all meet in one bank, on MI300X (amd-shark-ai).
    #[test]
    fn full_conflicts_are_those_the_counter_shows() {
        assert_eq!(read(Target::Gfx942, 1, &strided(128)).1, 62);
        assert_eq!(read(Target::Gfx942, 2, &strided(128)).1, 60);
        assert_eq!(read(Target::Gfx942, 4, &strided(128)).1, 56);
        let write = Shape { dwords: 2, write: true, both: false };
        assert_eq!(cycles(Target::Gfx950, write, &strided(128), u64::MAX).conflicts, 60);
    }

    #[test]
    fn lanes_of_one_phase_that_meet_only_across_phases_do_not_conflict() {
        // Lanes 0 to 3 and 20 to 23 are a phase of CDNA3, lanes 4 to 7 and 16 to 19 another: lane 4 may share lane 0's
        // bank when it changes places with lane 16, whose bank that is too.
        let mut a = strided(16);
        a.swap(4, 16);
        assert_eq!(read(Target::Gfx942, 4, &a).1, 0);
        let mut a = strided(16);
        a[20] = a[0] + 128 * 4;
        assert!(read(Target::Gfx942, 4, &a).1 > 0);
    }

    #[test]
    fn rows_of_half_the_banks_leave_the_other_pair_room() {
        // Sixteen rows of 128 bytes, four lanes with 16 bytes of each: four ways in each phase, two banks' worth in all.
        let rows = core::array::from_fn(|i| (i as u32 % 16) * 128 + (i as u32 / 16) * 16);
        let cost = cycles(Target::Gfx950, Shape { dwords: 4, write: false, both: false }, &rows, u64::MAX);
        assert_eq!((cost.total, cost.banks), (16, 8));
        let free = cycles(Target::Gfx950, Shape { dwords: 4, write: false, both: false }, &strided(16), u64::MAX);
        assert_eq!((free.total, free.banks), (4, 4));
    }

    #[test]
    fn a_broadcast_is_no_conflict() {
        assert_eq!(read(Target::Gfx942, 1, &[64; 64]), (2, 0));
    }
}
