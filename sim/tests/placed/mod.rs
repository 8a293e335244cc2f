//! Kernel arguments at their offsets, for kernels whose files do not tell them: AITER's.

use wavesmith_loader::Buffer;

/// The kernarg segment; what is not placed is zero.
pub struct Placed(pub Vec<u8>);

impl Placed {
    /// A segment of so many bytes.
    pub fn new(bytes: usize) -> Placed {
        Placed(vec![0; bytes])
    }

    /// A buffer's address.
    pub fn ptr(mut self, at: usize, b: &Buffer) -> Placed {
        self.0[at..at + 8].copy_from_slice(&b.address().to_le_bytes());
        self
    }

    /// A 32-bit integer.
    pub fn u32(mut self, at: usize, v: usize) -> Placed {
        self.0[at..at + 4].copy_from_slice(&(v as u32).to_le_bytes());
        self
    }

    /// A binary32 number.
    pub fn f32(mut self, at: usize, v: f32) -> Placed {
        self.0[at..at + 4].copy_from_slice(&v.to_le_bytes());
        self
    }
}
