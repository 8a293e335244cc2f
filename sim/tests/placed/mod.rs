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

/// The arguments of AITER's 8-bit GEMMs: results in bf16, A, B, their scales and the bias; `split` parts of K.
pub fn eight_bit_gemm(buffers: [&Buffer; 6], [m, n, k]: [usize; 3], split: usize, block_scaled: bool) -> Placed {
    let start = Placed::new(if block_scaled { 256 } else { 208 });
    let args = buffers.iter().enumerate().fold(start, |args, (i, buffer)| args.ptr(0x10 * i, buffer));
    let args = args.u32(0x60, m).u32(0x70, n).u32(0x80, k).u32(0x90, k).u32(0xa0, k).u32(0xb0, 2 * n).u32(0xc0, split);
    if block_scaled { args.u32(0xd0, m).u32(0xe0, n / 128).u32(0xf0, k / 128) } else { args }
}

/// The arguments of AITER's bf16 GEMMs: results of `bytes` each (2: bf16, 4: f32), A, B and the bias; `split` parts of K.
pub fn bf16_gemm(buffers: [&Buffer; 4], [m, n, k]: [usize; 3], split: usize, bytes: usize) -> Placed {
    let [out, a, b, bias] = buffers;
    Placed::new(352)
        .ptr(0, out)
        .ptr(0x20, a)
        .ptr(0x30, b)
        .f32(0x40, 1.0)
        .u32(0x60, bytes * n)
        .u32(0x80, bytes * n)
        .u32(0xa0, 2 * k)
        .u32(0xc0, 2 * k)
        .u32(0xe0, m)
        .u32(0xf0, n)
        .u32(0x100, k)
        .u32(0x110, split)
        .u32(0x120, usize::from(bytes == 2))
        .ptr(0x130, bias)
}

/// The arguments of AITER's MXFP4 GEMMs: results in bf16, A, B and their scales, `row` scales a row; parts of K by their
/// logarithm.
pub fn mxfp4_gemm(buffers: [&Buffer; 5], [m, n, k]: [usize; 3], row: usize, log2_split: usize) -> Placed {
    let [out, a, b, scales_a, scales_b] = buffers;
    Placed::new(0x180)
        .ptr(0, out)
        .ptr(0x20, a)
        .ptr(0x30, b)
        .f32(0x40, 1.0)
        .u32(0x80, n)
        .u32(0xa0, k)
        .u32(0xc0, k)
        .u32(0xe0, m)
        .u32(0xf0, n)
        .u32(0x100, k)
        .ptr(0x110, scales_a)
        .ptr(0x120, scales_b)
        .u32(0x130, row)
        .u32(0x150, row)
        .u32(0x170, log2_split)
}
