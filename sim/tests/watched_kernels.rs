//! Kernels of other compilers, every dispatch under the watching engine: the same results, and no error.

#[path = "kernels.rs"]
mod watched_kernels;
