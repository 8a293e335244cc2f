//! Tiles: the shapes that matrix kernels are made of.
//!
//! [`MatrixOp`] is a matrix instruction with where its operands' elements lie; [`RegTile`] is a tile in registers, laid out for
//! it, with products, reductions, maps and conversions; [`SharedTile`] is a tile in LDS whose swizzle the bank phases of
//! the target prove free of conflicts, [`PackedTile`] one of 6-bit elements; [`GlobalTile`] is a matrix in memory of which tiles are loaded and stored. A kernel
//! written in their terms takes the shapes of whatever target it is generated for.

mod banks;
mod global;
mod lanes;
mod matrix;
mod packed;
mod register;
mod shared;

pub use banks::{LdsAccess, conflicts};
pub use global::GlobalTile;
pub use lanes::Reduce;
pub use matrix::MatrixOp;
pub use packed::{PIECE, PackedTile};
pub use register::{Layout, RegTile};
pub use shared::SharedTile;
