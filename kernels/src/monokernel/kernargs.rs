//! The kernel's arguments, as one block of memory.

/// One argument: name, offset, bytes, and whether it is a pointer to device-visible memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// As the metadata names it.
    pub name: &'static str,
    /// Byte offset.
    pub offset: u32,
    /// Bytes.
    pub bytes: u32,
    /// Whether it is an address.
    pub pointer: bool,
}

macro_rules! kernargs {
    ($($(#[$m:meta])* $name:ident: $ty:ident @ $offset:literal),* $(,)?) => {
        /// The argument block. Pointers are device addresses; `logits` and `residuals` may be 0, which turns that dump off.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Kernargs {
            $($(#[$m])* pub $name: $ty,)*
        }

        impl Kernargs {
            /// All arguments by offset.
            pub const FIELDS: &'static [Field] = &[
                $(Field {
                    name: stringify!($name),
                    offset: $offset,
                    bytes: size_of::<$ty>() as u32,
                    pointer: kernargs!(@pointer $ty),
                },)*
            ];

            /// The block as the kernel reads it.
            pub fn to_bytes(&self) -> [u8; Self::BYTES] {
                let mut out = [0; Self::BYTES];
                $(out[$offset..$offset + size_of::<$ty>()].copy_from_slice(&self.$name.to_le_bytes());)*
                out
            }
        }

        /// Offsets of the arguments in the block.
        pub(crate) mod at {
            $(#[allow(non_upper_case_globals, dead_code)] pub const $name: i32 = $offset;)*
        }
    };
    (@pointer u64) => { true };
    (@pointer $other:ident) => { false };
}

kernargs! {
    /// Re-laid weights, [`Plan::relay`](super::Plan::relay).
    weights: u64 @ 0,
    /// Token embeddings in f16, [`Plan::embedding`](super::Plan::embedding).
    embedding: u64 @ 8,
    /// Norm weights in f32, [`Plan::norms`](super::Plan::norms).
    norms: u64 @ 16,
    /// Rotary cosines and sines in f32, `[position][pair][cos, sin]`.
    rope: u64 @ 24,
    /// Exchange buffers, [`Exchange::image`](super::exchange::Exchange::image).
    exchange: u64 @ 32,
    /// KV cache, zeroed.
    kv: u64 @ 40,
    /// Scratch, `scratch_per_workgroup` bytes a workgroup.
    scratch: u64 @ 48,
    /// The workgroups' shares, [`Plan::table`](super::Plan::table).
    table: u64 @ 56,
    /// Prompt token ids, `u32` each.
    prompt: u64 @ 64,
    /// Generated tokens, `u32` each, host-visible, all ones until published.
    tokens: u64 @ 72,
    /// Status records, host-visible, zeroed: [`StatusRecord`](super::StatusRecord) a workgroup.
    status: u64 @ 80,
    /// Logits of each generated token, f32, `[token][vocab]`; or 0.
    logits: u64 @ 88,
    /// The residual after each layer, f32, `[position][layer][padded row]`; or 0.
    residuals: u64 @ 96,
    /// Arrival counter of [`Sync::Counter`](super::Sync), one zeroed `u32` on a line of its own.
    counter: u64 @ 104,
    /// Prompt tokens, at least 1.
    prompt_len: u32 @ 112,
    /// Tokens to generate at most, at least 1.
    max_tokens: u32 @ 116,
    /// The token that ends the sequence.
    eos: u32 @ 120,
    /// How long a poll may fail, in ticks of the 100 MHz clock over 256.
    watchdog: u32 @ 124,
    /// One over the temperature; 1 when greedy.
    inv_temperature: f32 @ 128,
    /// Share of the candidates' mass that is kept.
    top_p: f32 @ 132,
    /// Low half of the seed.
    seed_low: u32 @ 136,
    /// High half of the seed.
    seed_high: u32 @ 140,
}

impl Kernargs {
    /// Bytes of the block.
    pub const BYTES: usize = 144;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_aligned_and_fill_the_block_without_overlap() {
        let mut end = 0;
        for f in Kernargs::FIELDS {
            assert_eq!(f.offset, end, "{}", f.name);
            assert_eq!(f.offset % f.bytes, 0, "{}", f.name);
            end += f.bytes;
        }
        assert_eq!(end as usize, Kernargs::BYTES);
    }

    #[test]
    fn bytes_lie_where_the_fields_say() {
        let args = Kernargs { table: 0x1122_3344_5566_7788, eos: 2, top_p: 0.5, ..Kernargs::default() };
        let bytes = args.to_bytes();
        assert_eq!(bytes[56..64], 0x1122_3344_5566_7788u64.to_le_bytes());
        assert_eq!(bytes[120..124], 2u32.to_le_bytes());
        assert_eq!(bytes[132..136], 0.5f32.to_le_bytes());
    }
}
