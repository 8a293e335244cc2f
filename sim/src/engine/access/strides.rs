//! Asking memory in advance for what a stream of accesses will want next.

/// Where loads and stores have last been, to ask memory for what they will want next.
///
/// A loop's accesses are a fixed distance apart. The host sees such a stream only within a page, and a wave's next piece
/// usually lies in another.
pub struct Strides([(usize, u64); Strides::SLOTS]);

impl Default for Strides {
    fn default() -> Strides {
        Strides([(0, 0); Strides::SLOTS])
    }
}

impl Strides {
    const SLOTS: usize = 64;
    /// Strides beyond this are no stream.
    const FAR: u64 = 1 << 20;

    /// Notes an access of `size` bytes by an instruction of a wave, and asks for the next.
    #[inline(always)]
    pub(in crate::engine) fn access(&mut self, (op, wave): (usize, usize), at: u64, size: u32) {
        let key = op.wrapping_mul(64).wrapping_add(wave);
        let slot = &mut self.0[op.wrapping_add(wave * 17) % Strides::SLOTS];
        let stride = at.wrapping_sub(slot.1);
        let same = slot.0 == key;
        *slot = (key, at);
        if !same || stride == 0 || (stride as i64).unsigned_abs() > Strides::FAR {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        for line in (0..u64::from(size)).step_by(64) {
            let next = at.wrapping_add(stride).wrapping_add(line) as *const i8;
            // SAFETY: asking in advance for an address that is not there does nothing.
            unsafe { core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(next) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = size;
    }
}
