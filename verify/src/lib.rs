//! What results are compared with, and how: CPU references written independently of the kernels, and the reports that
//! say how far a kernel's results are from them.
//!
//! A reference shares the weights and the definition of a sampled token with the kernel it checks, and no code: where
//! both agree, two programs have come to the same numbers.
#![forbid(unsafe_code)]

mod gemm;
pub mod llama;
pub mod matmul;
pub mod matmul_cases;
pub mod report;
pub mod row_cases;

pub use llama::{Pass, Reference, ReferenceError, Wanted};
pub use report::{Observed, ObservedError, Report, verify_decode};
