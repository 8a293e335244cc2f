//! Matrix instructions: layouts of operands over lanes, the arithmetic of each generation, and the tiles that do it.

#[cfg(target_arch = "x86_64")]
mod chain;
#[cfg(target_arch = "x86_64")]
mod integer;
mod layout;
mod numerics;
mod rows;
#[cfg(target_arch = "x86_64")]
mod sparse;
mod tile;

pub(crate) use layout::output;
pub use numerics::{Family, Fp8, value as element};
pub use tile::{Operands, Scratch, run};

use super::ir::V;
use wavesmith_asm::sem::Mfma as Shape;

/// A matrix instruction ready to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mfma {
    /// Shape and types, those of A and B resolved.
    pub shape: Shape,
    /// How products are summed.
    pub family: Family,
    /// Which 8-bit floats.
    pub fp8: Fp8,
    /// A.
    pub a: V,
    /// B.
    pub b: V,
    /// C.
    pub c: V,
    /// Whether C is one constant for all elements.
    pub c_constant: bool,
    /// D.
    pub d: V,
    /// Blocks that share A, as a power of two.
    pub cbsz: u8,
    /// Which block of the group is shared.
    pub abid: u8,
    /// Lane pattern of B; for f64, operands to negate.
    pub blgp: u8,
    /// SMFMAC: indices of the values kept.
    pub index: Option<V>,
    /// Scales of A and B, a byte a lane, with the byte that is read.
    pub scale: Option<(V, u8, V, u8)>,
    /// Registers of A and B.
    pub a_regs: u8,
    /// Registers of B.
    pub b_regs: u8,
    /// Registers of D.
    pub d_regs: u8,
}
