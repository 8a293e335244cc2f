//! Buffer resource descriptors: what one says and where it puts a lane.

use crate::engine::ir::S;
use crate::engine::state::Wave;

/// A buffer resource descriptor, decoded.
pub(crate) struct Resource {
    pub(crate) base: u64,
    pub(crate) stride: u32,
    pub(crate) records: u32,
    pub(in crate::engine) swizzle: bool,
    index_stride: u32,
    /// The lane is added to the index.
    pub(in crate::engine) add_tid: bool,
    /// Data format.
    pub(in crate::engine) data_format: u8,
    /// Number format.
    pub(in crate::engine) number_format: u8,
    /// Which channel a component is loaded from: 0 and 1 are constants, 4 to 7 channels.
    pub(in crate::engine) select: [u8; 4],
}

impl Resource {
    #[inline]
    pub(crate) fn read(w: &Wave, at: S) -> Resource {
        Resource::of(core::array::from_fn(|i| w.s32(S(at.0 + i as u32))))
    }

    /// The words taken apart.
    #[inline(always)]
    pub(in crate::engine) fn of([w0, w1, w2, w3]: [u32; 4]) -> Resource {
        let add_tid = w3 >> 23 & 1 == 1;
        let mut stride = w1 >> 16 & 0x3fff;
        if add_tid {
            // With the lane added to the index, the data format's bits extend the stride.
            stride |= (w3 >> 15 & 15) << 14;
        }
        Resource {
            base: u64::from(w0) | u64::from(w1 & 0xffff) << 32,
            stride,
            records: w2,
            swizzle: w1 >> 31 == 1,
            index_stride: 8 << (w3 >> 21 & 3),
            add_tid,
            data_format: (w3 >> 15 & 15) as u8,
            number_format: (w3 >> 12 & 7) as u8,
            select: core::array::from_fn(|i| (w3 >> (3 * i) & 7) as u8),
        }
    }

    /// The first address of all lanes that follow one another `step` bytes apart, `first` being the first one's offset
    /// and `immediate` the instruction's. `None` where they do not, or not all are in bounds.
    #[inline(always)]
    pub(in crate::engine) fn run(&self, first: u32, immediate: u32, soffset: u32, step: u32) -> Option<u64> {
        if self.swizzle || self.add_tid {
            return None;
        }
        let first = u64::from(first) + u64::from(immediate);
        let last = first + u64::from(step * 63);
        self.address(None, last, soffset, 63, step)?;
        self.address(None, first, soffset, 0, step)
    }

    /// The address of a lane, or `None` out of bounds. `offset` is the sum of the lane's and the immediate one, which
    /// does not wrap at 32 bits: kernels give lanes that shall not access the offset -1, with an immediate and with
    /// several dwords as well.
    ///
    /// With an index in the instruction and a stride in the resource, records are counted in strides; otherwise in
    /// bytes, against what is added to the base.
    #[inline]
    pub(crate) fn address(&self, index: Option<u32>, offset: u64, soffset: u32, lane: u32, bytes: u32) -> Option<u64> {
        let structured = index.is_some() && self.stride != 0;
        let index = index.unwrap_or(0).wrapping_add(if self.add_tid { lane } else { 0 });
        let at = if self.stride != 0 && self.swizzle {
            const ELEMENT: u64 = 4;
            let (msb, lsb) = (index / self.index_stride, index % self.index_stride);
            let (omsb, olsb) = (offset / ELEMENT, offset % ELEMENT);
            (u64::from(msb) * u64::from(self.stride) + omsb * ELEMENT) * u64::from(self.index_stride)
                + u64::from(lsb) * ELEMENT
                + olsb
        } else {
            u64::from(index) * u64::from(self.stride) + offset
        };
        let inside = if structured {
            index < self.records
        } else {
            at + u64::from(bytes) <= u64::from(self.records).saturating_sub(u64::from(soffset))
        };
        inside.then(|| self.base.wrapping_add(u64::from(soffset)).wrapping_add(at))
    }
}
