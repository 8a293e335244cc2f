//! Kernel generators: pure functions of a model or shape, a part and parameters, each with its arguments, its launch, its
//! code and the CPU reference that checks it.
#![forbid(unsafe_code)]

pub mod attention;
pub mod catalog;
pub mod gemm;
pub mod monokernel;
pub mod rows;
pub mod softmax;
