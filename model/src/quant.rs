//! Tensor encodings: how blocks of quantised weights become f32.
//!
//! Formats as ggml defines them (`ggml-common.h`, `ggml-quants.c`): a block stores its elements in a few bits each, with
//! f16 scales in front or behind. Each decoder is one small function over one block, so a row of [`TensorType`] plus a
//! function is all a new format takes.

use half::{bf16, f16};
use std::fmt;

/// How a tensor's elements are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorType {
    /// IEEE single.
    F32,
    /// IEEE half.
    F16,
    /// bfloat16.
    Bf16,
    /// 32 elements: scale, 4 bits each, offset 8.
    Q4_0,
    /// 32 elements: scale and minimum, 4 bits each.
    Q4_1,
    /// 32 elements: scale, 5 bits each, offset 16.
    Q5_0,
    /// 32 elements: scale and minimum, 5 bits each.
    Q5_1,
    /// 32 elements: scale, signed bytes.
    Q8_0,
    /// 256 elements in eight groups, each with its own 6-bit scale and minimum; 4 bits each.
    Q4K,
    /// As [`TensorType::Q4K`] with 5 bits each.
    Q5K,
    /// 256 elements in sixteen groups, each with its own 8-bit scale; 6 bits each, offset 32.
    Q6K,
}

impl TensorType {
    /// What [`TensorType::from_code`] takes, for error messages.
    pub const KNOWN: &'static str =
        "0 F32, 1 F16, 2 Q4_0, 3 Q4_1, 6 Q5_0, 7 Q5_1, 8 Q8_0, 12 Q4_K, 13 Q5_K, 14 Q6_K, 30 BF16";

    /// The type of a GGUF type code, if it is supported.
    pub fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            0 => Self::F32,
            1 => Self::F16,
            2 => Self::Q4_0,
            3 => Self::Q4_1,
            6 => Self::Q5_0,
            7 => Self::Q5_1,
            8 => Self::Q8_0,
            12 => Self::Q4K,
            13 => Self::Q5K,
            14 => Self::Q6K,
            30 => Self::Bf16,
            _ => return None,
        })
    }

    /// Elements of a block.
    pub const fn block(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::Bf16 => 1,
            Self::Q4_0 | Self::Q4_1 | Self::Q5_0 | Self::Q5_1 | Self::Q8_0 => 32,
            Self::Q4K | Self::Q5K | Self::Q6K => 256,
        }
    }

    /// Bytes of a block.
    pub const fn block_bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::Q4_0 => 18,
            Self::Q4_1 => 20,
            Self::Q5_0 => 22,
            Self::Q5_1 => 24,
            Self::Q8_0 => 34,
            Self::Q4K => 144,
            Self::Q5K => 176,
            Self::Q6K => 210,
        }
    }

    /// Decodes whole blocks. Bytes after the last whole block and room after the last decoded element are left alone.
    pub fn decode(self, bytes: &[u8], out: &mut [f32]) {
        let decode: fn(&[u8], &mut [f32]) = match self {
            Self::F32 => |b, y| y[0] = f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            Self::F16 => |b, y| y[0] = half_at(b, 0),
            Self::Bf16 => |b, y| y[0] = bf16::from_le_bytes([b[0], b[1]]).to_f32(),
            Self::Q4_0 => |b, y| nibbles(&b[2..], y, |q, _| half_at(b, 0) * (f32::from(q) - 8.0)),
            Self::Q4_1 => |b, y| nibbles(&b[4..], y, |q, _| half_at(b, 0) * f32::from(q) + half_at(b, 2)),
            Self::Q5_0 => |b, y| {
                nibbles(&b[6..], y, |q, i| half_at(b, 0) * (f32::from(q | fifth_bit(&b[2..], i)) - 16.0));
            },
            Self::Q5_1 => |b, y| {
                nibbles(&b[8..], y, |q, i| half_at(b, 0) * f32::from(q | fifth_bit(&b[4..], i)) + half_at(b, 2));
            },
            Self::Q8_0 => |b, y| {
                let d = half_at(b, 0);
                for (y, &q) in y.iter_mut().zip(&b[2..]) {
                    *y = d * f32::from(q as i8);
                }
            },
            Self::Q4K => |b, y| k_groups(b, &b[16..], y, |_, _| 0),
            Self::Q5K => |b, y| k_groups(b, &b[48..], y, |group, i| ((b[16 + i] >> group) & 1) << 4),
            Self::Q6K => q6_k,
        };
        for (b, y) in bytes.chunks_exact(self.block_bytes()).zip(out.chunks_exact_mut(self.block())) {
            decode(b, y);
        }
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::F32 => "F32",
            Self::F16 => "F16",
            Self::Bf16 => "BF16",
            Self::Q4_0 => "Q4_0",
            Self::Q4_1 => "Q4_1",
            Self::Q5_0 => "Q5_0",
            Self::Q5_1 => "Q5_1",
            Self::Q8_0 => "Q8_0",
            Self::Q4K => "Q4_K",
            Self::Q5K => "Q5_K",
            Self::Q6K => "Q6_K",
        })
    }
}

fn half_at(b: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([b[at], b[at + 1]]).to_f32()
}

/// 32 elements from 16 bytes: element `i` is the low nibble of byte `i`, element `i + 16` its high nibble.
fn nibbles(qs: &[u8], y: &mut [f32], value: impl Fn(u8, usize) -> f32) {
    for i in 0..16 {
        y[i] = value(qs[i] & 15, i);
        y[i + 16] = value(qs[i] >> 4, i + 16);
    }
}

/// Bit 4 of element `i`, from a little-endian word of 32.
fn fifth_bit(word: &[u8], i: usize) -> u8 {
    ((word[i / 8] >> (i % 8)) & 1) << 4
}

/// 6-bit scale and minimum of one of eight groups, packed into 12 bytes.
fn k_scale(packed: &[u8], group: usize) -> (f32, f32) {
    let (scale, min) = if group < 4 {
        (packed[group] & 63, packed[group + 4] & 63)
    } else {
        (
            (packed[group + 4] & 15) | ((packed[group - 4] >> 6) << 4),
            (packed[group + 4] >> 4) | ((packed[group] >> 6) << 4),
        )
    };
    (f32::from(scale), f32::from(min))
}

/// Q4_K and Q5_K: eight groups of 32, two to each 32 bytes of `qs`; `high(group, i)` adds the fifth bit.
fn k_groups(b: &[u8], qs: &[u8], y: &mut [f32], high: impl Fn(usize, usize) -> u8) {
    let (d, d_min) = (half_at(b, 0), half_at(b, 2));
    for group in 0..8 {
        let (scale, min) = k_scale(&b[4..16], group);
        let (scale, min) = (d * scale, d_min * min);
        for i in 0..32 {
            let q = (qs[group / 2 * 32 + i] >> (group % 2 * 4)) & 15;
            y[group * 32 + i] = scale * f32::from(q | high(group, i)) - min;
        }
    }
}

/// Q6_K: two halves of 128, in each of which four quarters of 32 share bytes of the low and high parts.
fn q6_k(b: &[u8], y: &mut [f32]) {
    let (low, high, scales, d) = (&b[..128], &b[128..192], &b[192..208], half_at(b, 208));
    for (i, y) in y.iter_mut().enumerate() {
        let (half, quarter, l) = (i / 128, i / 32 % 4, i % 32);
        let nibble = (low[half * 64 + quarter % 2 * 32 + l] >> (quarter / 2 * 4)) & 15;
        let top = (high[half * 32 + l] >> (quarter * 2)) & 3;
        let scale = f32::from(scales[i / 16] as i8);
        *y = d * scale * (f32::from(nibble | (top << 4)) - 32.0);
    }
}
