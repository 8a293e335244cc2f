//! Buffer accesses through a data format: what a format makes of bytes in memory, and the accesses themselves.
//!
//! A data format says how many channels an element has and how many bits each takes, the first in the lowest bits; a
//! number format says what the bits mean. MUBUF's `format` instructions take both and the choice of components from the
//! buffer resource, MTBUF's take them from the instruction. Combinations that the guides do not list, and stores of part
//! of an element whose channels are not whole bytes, are reported and not guessed at. Conversions to fewer bits round to
//! nearest even; what the silicon does there is not published, so a kernel with such an access says so in its result.

use super::access::{Place, Resource};
use super::ir::{Access, Address, MemOp};
use super::lanes::float::{f16_to_f32, f64_to_f16, pow2};
use super::lanes::{WAVE, bits::s16};
use super::run::{Trouble, Worker};
use super::state::{Bases, Group, Landing};
use crate::fault::FaultKind;
use wavesmith_asm::sem::Mem;

/// What the bits of a channel mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Unorm,
    Snorm,
    Uscaled,
    Sscaled,
    Uint,
    Sint,
    Float,
}

/// An element's layout and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    widths: &'static [u8],
    number: Number,
}

impl Format {
    /// The format of those codes, or `None` where the guides define none.
    pub(super) fn of(data: u8, number: u8) -> Option<Format> {
        let widths: &'static [u8] = match data {
            1 => &[8],
            2 => &[16],
            3 => &[8, 8],
            4 => &[32],
            5 => &[16, 16],
            6 => &[11, 11, 10],
            7 => &[10, 11, 11],
            8 => &[2, 10, 10, 10],
            9 => &[10, 10, 10, 2],
            10 => &[8, 8, 8, 8],
            11 => &[32, 32],
            12 => &[16, 16, 16, 16],
            13 => &[32, 32, 32],
            14 => &[32, 32, 32, 32],
            _ => return None,
        };
        let number = match number {
            0 => Number::Unorm,
            1 => Number::Snorm,
            2 => Number::Uscaled,
            3 => Number::Sscaled,
            4 => Number::Uint,
            5 => Number::Sint,
            7 => Number::Float,
            _ => return None,
        };
        let wide = widths[0] == 32;
        let defined = match number {
            Number::Uint | Number::Sint => true,
            Number::Float => wide || widths[0] == 16 || matches!(data, 6 | 7),
            _ => !wide,
        };
        defined.then_some(Format { widths, number })
    }

    /// Bytes of an element.
    pub(super) fn bytes(self) -> u32 {
        self.widths.iter().map(|w| u32::from(*w)).sum::<u32>() / 8
    }

    /// Channels of an element.
    fn channels(self) -> usize {
        self.widths.len()
    }

    /// Whether every channel is whole bytes.
    fn bytewise(self) -> bool {
        self.widths.iter().all(|w| w % 8 == 0)
    }

    fn at(self, channel: usize) -> u32 {
        self.widths[..channel].iter().map(|w| u32::from(*w)).sum()
    }

    /// Whether components are integers.
    fn integer(self) -> bool {
        matches!(self.number, Number::Uint | Number::Sint)
    }

    /// Whether 16-bit components hold what the channels do: integers of 32 bits would have to be cut.
    fn fits_half(self) -> bool {
        !self.integer() || self.widths[0] != 32
    }

    /// A channel of an element as the register word (or half) that a load makes of it.
    fn load(self, element: u128, channel: usize, half: bool) -> u32 {
        let width = u32::from(self.widths[channel]);
        let bits = (element >> self.at(channel)) as u32 & (u64::from(u32::MAX) >> (32 - width)) as u32;
        let signed = ((bits << (32 - width)) as i32) >> (32 - width);
        let top = f64::from((u64::from(u32::MAX) >> (32 - width)) as u32);
        let value = match self.number {
            Number::Uint => return if half { bits & 0xffff } else { bits },
            Number::Sint => return if half { signed as u32 & 0xffff } else { signed as u32 },
            Number::Float if width == 32 && !half => return bits,
            Number::Float if width == 16 && half => return bits,
            Number::Float => match width {
                32 => return f64_to_f16(f64::from(f32::from_bits(bits))),
                16 => return f16_to_f32(bits).to_bits(),
                // Ten and eleven bits are binary16 without a sign and with the lowest bits left off.
                11 => f64::from(f16_to_f32(bits << 4)),
                _ => f64::from(f16_to_f32(bits << 5)),
            },
            Number::Unorm => f64::from(bits) / top,
            Number::Snorm => (f64::from(signed) / f64::from((1u32 << (width - 1)) - 1)).max(-1.0),
            Number::Uscaled => f64::from(bits),
            Number::Sscaled => f64::from(signed),
        };
        if half { f64_to_f16(value) } else { (value as f32).to_bits() }
    }

    /// A register word (or half) as the bits that a store puts in a channel.
    fn store(self, word: u32, channel: usize, half: bool) -> u32 {
        let width = u32::from(self.widths[channel]);
        let ones = (u64::from(u32::MAX) >> (32 - width)) as u32;
        let most = (ones >> 1) as i32;
        let value = if half { f64::from(f16_to_f32(word)) } else { f64::from(f32::from_bits(word)) };
        let nearest = |v: f64, low: f64, high: f64| (v.clamp(low, high)).round_ties_even() as i64 as u32 & ones;
        match self.number {
            Number::Uint => (if half { word & 0xffff } else { word }).min(ones),
            Number::Sint => (if half { s16(word) } else { word as i32 }).clamp(-most - 1, most) as u32 & ones,
            Number::Float => match width {
                32 if half => f16_to_f32(word).to_bits(),
                32 => word,
                16 if half => word & 0xffff,
                16 => f64_to_f16(value),
                _ => unsigned_float(value, width - 5),
            },
            _ if value.is_nan() => 0,
            Number::Unorm => nearest(value.clamp(0.0, 1.0) * f64::from(ones), 0.0, f64::from(ones)),
            Number::Snorm => nearest(value.clamp(-1.0, 1.0) * f64::from(most), f64::from(-most), f64::from(most)),
            Number::Uscaled => nearest(value, 0.0, f64::from(ones)),
            Number::Sscaled => nearest(value, f64::from(-most) - 1.0, f64::from(most)),
        }
    }
}

/// `v` as a float without a sign, five bits of exponent and `mantissa` of fraction: negative numbers are 0.
fn unsigned_float(v: f64, mantissa: u32) -> u32 {
    let infinity = 31 << mantissa;
    if v.is_nan() {
        return infinity | 1 << (mantissa - 1);
    }
    if v <= 0.0 {
        return 0;
    }
    if v.is_infinite() {
        return infinity;
    }
    let e = ((v.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-14);
    let m = (v / pow2((e - mantissa as i32).clamp(-1000, 1000))).round_ties_even();
    // A significand without its leading one has exponent field 0; rounding up carries into the field by itself.
    let field = if m < f64::from(1u32 << mantissa) { 0 } else { (e + 14) as u32 };
    (((u64::from(field)) << mantissa) + m as u64).min(u64::from(infinity)) as u32
}

fn undefined(message: String) -> Trouble {
    Trouble::new(FaultKind::Undefined, message)
}

/// Components of a formatted access, and whether they are halves.
fn components(m: Mem) -> (usize, bool) {
    match m {
        Mem::FormatD16(n) => (n as usize, true),
        Mem::FormatD16Hi => (1, true),
        Mem::Format(n) => (n as usize, false),
        _ => (1, false),
    }
}

/// Whether an access goes through a format.
pub(super) fn is_typed(access: Access) -> bool {
    matches!(
        access,
        Access::Load(m) | Access::Store(m) | Access::LoadLds(m)
            if matches!(m, Mem::Format(_) | Mem::FormatD16(_) | Mem::FormatD16Hi)
    )
}

impl Worker<'_> {
    /// Loads, stores or loads into LDS through a format, lane by lane.
    ///
    /// # Safety
    /// `bases` are those of `wave`, for which `op` was lowered.
    pub(super) unsafe fn typed(
        &mut self,
        group: &mut Group,
        wave: usize,
        op: &MemOp,
        bases: Bases,
        exec: u64,
    ) -> Result<(), Trouble> {
        let Address::Buffer { resource, .. } = op.address else {
            return Err(undefined("an access through a format without a buffer resource".into()));
        };
        let r = Resource::read(&group.waves[wave], resource);
        let (data, number) = op.format.unwrap_or((r.data_format, r.number_format));
        if op.format.is_none() && r.add_tid {
            return Err(undefined(
                "the buffer resource adds the lane to the index, and then its data format is part of the stride".into(),
            ));
        }
        let format = Format::of(data, number).ok_or_else(|| {
            undefined(format!("data format {data} with number format {number} is none that the guides define"))
        })?;
        let (Access::Load(m) | Access::Store(m) | Access::LoadLds(m)) = op.access else { return Ok(()) };
        let (n, half) = components(m);
        if half && !format.fits_half() {
            return Err(undefined("32-bit integers through 16-bit components".into()));
        }
        let select = if op.format.is_some() { [4, 5, 6, 7] } else { r.select };
        let loads = !matches!(op.access, Access::Store(_));
        if loads && select[..n].iter().any(|s| matches!(s, 2 | 3)) {
            return Err(undefined(format!(
                "component selection {select:?} of the buffer resource: 2 and 3 are reserved"
            )));
        }
        if !loads && n < format.channels() && !format.bytewise() {
            return Err(undefined(
                "a store of fewer components than the format has, whose channels are not whole bytes".into(),
            ));
        }
        let one = match (format.integer(), half) {
            (true, _) => 1,
            (_, true) => 0x3c00,
            _ => 0x3f80_0000,
        };
        let bytes = format.bytes();
        let mut landing = Vec::new();
        for lane in (0..WAVE).filter(|l| exec >> l & 1 == 1) {
            // SAFETY: operands were lowered for this wave.
            let place = unsafe { self.place(&group.waves[wave], op, bases, lane as u32, bytes, Some(&r))? };
            if let Place::Linear(p) = place
                && !(p as usize).is_multiple_of(bytes.next_power_of_two().min(4) as usize)
            {
                return Err(Trouble {
                    kind: FaultKind::Alignment,
                    message: format!("an element of {bytes} bytes is accessed through its format at an odd address"),
                    lane: Some(lane as u32),
                    address: Some(p as u64),
                });
            }
            let inside = !matches!(place, Place::Nowhere);
            if !loads {
                let mut element = 0u128;
                for channel in 0..n.min(format.channels()) {
                    let (register, shift) = if half { (channel / 2, channel % 2 * 16) } else { (channel, 0) };
                    let shift = if m == Mem::FormatD16Hi { 16 } else { shift };
                    // SAFETY: the instruction has that many data registers.
                    let word = unsafe { *bases.at(op.data.next(register as u16)).add(lane) } >> shift;
                    element |= u128::from(format.store(word, channel, half)) << format.at(channel);
                }
                let stored = if n < format.channels() { format.at(n) / 8 } else { bytes };
                let mut k = 0;
                while k < stored {
                    let size = (stored - k).min(4);
                    let size = if size == 3 { 2 } else { size };
                    self.write(group, place, k, size, lane as u32, (element >> (8 * k)) as u32)?;
                    k += size;
                }
                continue;
            }
            let mut element = 0u128;
            for k in (0..bytes).step_by(4) {
                let word = self.read(group, place, k, (bytes - k).min(4), lane as u32)?;
                element |= u128::from(word) << (8 * k);
            }
            let mut out = [0u32; 4];
            for (o, s) in out.iter_mut().zip(select).take(n) {
                *o = match s {
                    1 => one,
                    // Out of bounds everything but a constant one is 0; a channel that the format lacks is 0, and w 1.
                    4..=7 if !inside => 0,
                    4..=7 if usize::from(s - 4) < format.channels() => format.load(element, usize::from(s - 4), half),
                    7 => one,
                    _ => 0,
                };
            }
            if matches!(op.access, Access::LoadLds(_)) {
                let to = self.lds_m0(&group.waves[wave]).wrapping_add(op.offset as u32).wrapping_add(4 * lane as u32);
                landing.push((to, out[0]));
                continue;
            }
            // SAFETY: the instruction has as many destination registers as components, two to a register for halves.
            unsafe {
                let to = |i: usize| bases.at(op.dst.next(i as u16)).add(lane);
                match m {
                    // The other half is 0: see `half`.
                    Mem::FormatD16Hi => *to(0) = out[0] << 16,
                    Mem::FormatD16(_) => {
                        for i in (0..n).step_by(2) {
                            let high = if i + 1 < n { out[i + 1] << 16 } else { 0 };
                            *to(i / 2) = out[i] & 0xffff | high;
                        }
                    }
                    _ => (0..n).for_each(|i| *to(i) = out[i]),
                }
            }
        }
        self.landing(group, wave, Landing::Words(landing));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalised_channels_reach_their_bounds_and_back() {
        let unorm = Format::of(10, 0).expect("8_8_8_8 unorm");
        assert_eq!(unorm.load(0xff80_0001, 0, false), (1.0f32 / 255.0).to_bits());
        assert_eq!(unorm.load(0xff80_0001, 3, false), 1f32.to_bits());
        let snorm = Format::of(5, 1).expect("16_16 snorm");
        assert_eq!(snorm.load(0x8000_7fff, 0, false), 1f32.to_bits());
        assert_eq!(snorm.load(0x8000_7fff, 1, false), (-1f32).to_bits());
        for (data, number) in [(1, 0), (1, 1), (2, 0), (2, 1), (1, 2), (1, 3), (2, 3)] {
            let f = Format::of(data, number).expect("defined");
            for bits in 0..1u32 << f.widths[0] {
                let back = f.store(f.load(u128::from(bits), 0, false), 0, false);
                // The two lowest codes of a signed normalised channel mean the same.
                let least = 1 << (f.widths[0] - 1);
                assert!(
                    back == bits || (number == 1 && bits == least && back == bits + 1),
                    "{f:?} {bits:#x} {back:#x}"
                );
            }
        }
    }

    #[test]
    fn packed_channels_lie_from_the_lowest_bits_up() {
        let f = Format::of(9, 4).expect("2_10_10_10 uint");
        let element = 3u128 << 30 | 0x2aa << 20 | 0x155 << 10 | 0x3ff;
        assert_eq!([0, 1, 2, 3].map(|c| f.load(element, c, false)), [0x3ff, 0x155, 0x2aa, 3]);
        let f = Format::of(8, 5).expect("10_10_10_2 sint");
        assert_eq!([0, 1, 2, 3].map(|c| f.load(element, c, false) as i32), [-1, 0x1ff, -0x1ab, -0x56]);
        for data in [6, 7] {
            let f = Format::of(data, 7).expect("small floats");
            for c in 0..3 {
                let w = u32::from(f.widths[c]);
                for bits in 0..1u32 << w {
                    let back = f.store(f.load(u128::from(bits) << f.at(c), c, false), c, false);
                    let nan = bits > 31 << (w - 5);
                    assert!(back == bits || (nan && back > 31 << (w - 5)), "{data} {c} {bits:#x} {back:#x}");
                }
            }
        }
    }

    #[test]
    fn stores_clamp_to_what_the_channel_holds() {
        let f = |d, n| Format::of(d, n).expect("defined");
        assert_eq!(f(1, 4).store(300, 0, false), 255);
        assert_eq!(f(1, 5).store(-300i32 as u32, 0, false), 0x80);
        assert_eq!(f(1, 0).store(2f32.to_bits(), 0, false), 255);
        assert_eq!(f(1, 0).store(f32::NAN.to_bits(), 0, false), 0);
        assert_eq!(f(2, 1).store((-2f32).to_bits(), 0, false), 0x8001);
        assert_eq!(f(6, 7).store(65300f32.to_bits(), 0, false), 31 << 6);
        assert_eq!(f(6, 7).store(64512f32.to_bits(), 0, false), 0x7be);
        assert_eq!(f(2, 7).store(1f32.to_bits(), 0, false), 0x3c00);
        assert!(Format::of(4, 0).is_none() && Format::of(1, 7).is_none() && Format::of(4, 6).is_none());
    }
}
