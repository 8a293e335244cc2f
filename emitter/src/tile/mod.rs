//! Tiles: the shapes that matrix kernels are made of.
//!
//! [`MatrixOp`] is a matrix instruction with where its operands' elements lie; [`SharedTile`] is a tile in LDS whose
//! swizzle the bank phases of the target prove free of conflicts. A kernel written in their terms takes the shapes of
//! whatever target it is generated for.

mod banks;
mod matrix;
mod shared;

pub use banks::{LdsAccess, conflicts};
pub use matrix::MatrixOp;
pub use shared::SharedTile;
