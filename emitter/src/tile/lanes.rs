//! Values across the lanes of a wave: exchanges and reductions, by the cheapest way that the target has.
//!
//! Within 16 lanes DPP moves data for nothing beside the operation itself. Beyond that gfx950 swaps halves of registers
//! (`v_permlane16_swap_b32`, `v_permlane32_swap_b32`); the others go through the LDS hardware, which takes no LDS. All lanes
//! must be active.

use crate::builder::KernelBuilder;
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::V;
use wavesmith_asm::{Build, Target};

/// An operation on f32 values that may be applied in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// The sum.
    Sum,
    /// The largest.
    Max,
    /// The smallest.
    Min,
}

impl Reduce {
    const fn mnemonic(self) -> &'static str {
        match self {
            Reduce::Sum => "v_add_f32",
            Reduce::Max => "v_max_f32",
            Reduce::Min => "v_min_f32",
        }
    }

    /// Records `d = a ∘ b`.
    #[track_caller]
    pub fn combine(self, b: &mut KernelBuilder, d: V<1>, x: V<1>, y: V<1>) {
        b.emit_by_name(self.mnemonic(), &[d.into(), x.into(), y.into()]);
    }

    /// Records `x = x ∘ x as DPP moves it`.
    #[track_caller]
    fn combine_moved(self, b: &mut KernelBuilder, x: V<1>, control: u32) {
        let at = b.emit_by_name(self.mnemonic(), &[x.into(), x.into(), x.into()]);
        b.set_field(at, wavesmith_asm::Field::DppCtrl, control);
    }
}

/// `dpp_ctrl` of the moves that pair up lanes 1, 2, 4 and 8 apart once all lanes below agree: two `quad_perm`,
/// `row_half_mirror` and `row_mirror`.
const MOVES: [u32; 4] = [0b10_11_00_01, 0b01_00_11_10, 0x141, 0x140];

impl KernelBuilder {
    /// The lane's number in its wave.
    #[track_caller]
    pub fn lane_id(&mut self) -> V<1> {
        let lane: V<1> = self.v();
        self.v_mbcnt_lo_u32_b32(lane, -1, 0);
        self.v_mbcnt_hi_u32_b32(lane, -1, lane);
        lane
    }

    /// What the lane `distance` away holds, `distance` being a power of two below 64 that is added where the lane's number
    /// lacks it and taken away where it does not.
    #[track_caller]
    pub fn exchange(&mut self, x: V<1>, distance: u32) -> V<1> {
        let other: V<1> = self.v();
        match distance {
            1 | 2 => {
                let control = MOVES[distance.ilog2() as usize];
                self.v_mov_b32(other, x).set(wavesmith_asm::Field::DppCtrl, control);
            }
            4 | 8 | 16 => {
                // In its bit mode the swizzle XORs the lane's number, 32 lanes at a time.
                self.ds_swizzle_b32(other, x).offset((distance << 10 | 0x1f) as i32);
            }
            32 => {
                let address = self.lane_id();
                self.v_xor_b32(address, 32, address);
                self.v_lshlrev_b32(address, 2, address);
                self.ds_bpermute_b32(other, address, x);
            }
            _ => self.fail(format!("lanes {distance} apart cannot be exchanged: 1, 2, 4, 8, 16 and 32 can")),
        }
        other
    }

    /// Reduces `x` over the lanes whose numbers differ in the bits `from` to `below` alone (both powers of two, as in
    /// `1..64` for the whole wave, `1..16` for rows of 16, `16..64` for the lanes 16 apart): all of them get the result.
    #[track_caller]
    pub fn reduce_lanes(&mut self, x: V<1>, op: Reduce, from: u32, below: u32) {
        let swaps = self.target() == Target::Gfx950;
        let mut distance = from.max(1);
        while distance < below {
            match distance {
                1..16 if from <= 1 => op.combine_moved(self, x, MOVES[distance.ilog2() as usize]),
                16 | 32 if swaps => {
                    let other: V<1> = self.v();
                    self.v_mov_b32(other, x);
                    if distance == 16 {
                        self.v_permlane16_swap_b32(x, other);
                    } else {
                        self.v_permlane32_swap_b32(x, other);
                    }
                    op.combine(self, x, x, other);
                }
                _ => {
                    let other = self.exchange(x, distance);
                    op.combine(self, x, x, other);
                }
            }
            distance *= 2;
        }
    }
}
