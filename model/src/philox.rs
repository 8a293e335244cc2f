//! Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
//! 1, 2, 3" (SC 2011).
//!
//! Counter-based because host and device must draw the same number for a step without sharing state. Written out here
//! rather than taken from a crate because the kernel author and the verifier need these ten lines to be the definition.

const M0: u32 = 0xD251_1F53;
const M1: u32 = 0xCD9E_8D57;
const W0: u32 = 0x9E37_79B9;
const W1: u32 = 0xBB67_AE85;

/// The four random words of a counter under a key.
pub fn philox4x32_10(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let [mut x0, mut x1, mut x2, mut x3] = counter;
    let [mut k0, mut k1] = key;
    for _ in 0..10 {
        let p0 = u64::from(M0) * u64::from(x0);
        let p1 = u64::from(M1) * u64::from(x2);
        (x0, x1, x2, x3) = ((p1 >> 32) as u32 ^ x1 ^ k0, p1 as u32, (p0 >> 32) as u32 ^ x3 ^ k1, p0 as u32);
        k0 = k0.wrapping_add(W0);
        k1 = k1.wrapping_add(W1);
    }
    [x0, x1, x2, x3]
}

/// The uniform number in [0, 1) of a seed's step: key = (low, high) word of the seed, counter = (step, 0, 0, 0), the
/// first word's upper 24 bits times 2⁻²⁴. Exact in f32.
pub fn uniform(seed: u64, step: u32) -> f32 {
    let word = philox4x32_10([step, 0, 0, 0], [seed as u32, (seed >> 32) as u32])[0];
    (word >> 8) as f32 * f32::from_bits(0x3380_0000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The known answers that ship with Random123 (`kat_vectors`).
    #[test]
    fn known_answers_of_random123_come_out() {
        assert_eq!(philox4x32_10([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox4x32_10([!0; 4], [!0; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            philox4x32_10([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn the_uniform_scale_is_two_to_the_minus_24() {
        assert_eq!(f32::from_bits(0x3380_0000), 2f32.powi(-24));
        assert_eq!(uniform(0, 0), f32::from((0x6627_e8d5_u32 >> 16) as u16) / 65536.0 + (0xe8 as f32) / 16_777_216.0);
    }

    proptest! {
        #[test]
        fn uniform_numbers_lie_in_zero_to_one(seed: u64, step: u32) {
            let u = uniform(seed, step);
            prop_assert!((0.0..1.0).contains(&u));
        }

        #[test]
        fn the_upper_half_of_a_seed_matters(seed: u64) {
            let other = seed ^ (1 << 63);
            prop_assert!((0..8).any(|step| uniform(seed, step) != uniform(other, step)));
        }
    }
}
