//! What an instruction's operand can be, once decoded or before encoding.

use crate::reg::{A, Reg, RegClass, S, V, code};

/// One operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register or a run of them.
    Reg(Reg),
    /// An integer. Encoded inline from −16 to 64, else as a literal; decoded only from inline encodings.
    Int(i32),
    /// A floating-point constant by its f32 bits. Encoded inline where the hardware has it, else as a literal of the
    /// operand's type; decoded only from inline encodings.
    Float(u32),
    /// A 32-bit literal dword, always encoded as one.
    Literal(u32),
    /// A plain immediate field (`simm16`, an offset, a lane selection).
    Imm(i32),
    /// `off`: the address or base is absent.
    Off,
    /// An encoding that means nothing, kept so that no bits are lost.
    Invalid(u16),
}

impl Operand {
    /// The register, if it is one.
    pub const fn reg(self) -> Option<Reg> {
        match self {
            Operand::Reg(r) => Some(r),
            _ => None,
        }
    }

    /// Whether this is a VGPR or AGPR.
    pub const fn is_vector(self) -> bool {
        matches!(self, Operand::Reg(Reg { class: RegClass::V | RegClass::A, .. }))
    }
}

impl From<Reg> for Operand {
    fn from(r: Reg) -> Operand {
        Operand::Reg(r)
    }
}
impl<const N: usize> From<V<N>> for Operand {
    #[inline(always)]
    fn from(r: V<N>) -> Operand {
        Operand::Reg(r.reg())
    }
}
impl<const N: usize> From<A<N>> for Operand {
    #[inline(always)]
    fn from(r: A<N>) -> Operand {
        Operand::Reg(r.reg())
    }
}
impl<const N: usize> From<S<N>> for Operand {
    #[inline(always)]
    fn from(r: S<N>) -> Operand {
        Operand::Reg(r.reg())
    }
}

/// The inline constants 240 to 248 by their f32 bits: 0.5, −0.5, 1, −1, 2, −2, 4, −4, 1/2π.
pub const INLINE_FLOATS: [u32; 9] = [
    0x3f00_0000,
    0xbf00_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0xc000_0000,
    0x4080_0000,
    0xc080_0000,
    0x3e22_f983,
];

/// The 9-bit source encoding of an inline float, if there is one.
#[inline]
pub const fn inline_float(bits: u32) -> Option<u16> {
    let mut i = 0;
    while i < INLINE_FLOATS.len() {
        if INLINE_FLOATS[i] == bits {
            return Some(240 + i as u16);
        }
        i += 1;
    }
    None
}

/// The 9-bit source encoding of an inline integer, if there is one.
#[inline]
pub const fn inline_int(x: i32) -> Option<u16> {
    if x >= 0 && x <= 64 {
        Some(128 + x as u16)
    } else if x >= -16 && x < 0 {
        Some((192 - x) as u16)
    } else {
        None
    }
}

/// What a 9-bit source encoding means for an operand of `dwords` registers. `literal` follows the instruction.
#[inline]
pub(crate) fn from_src9(enc: u32, dwords: u8, literal: u32) -> Operand {
    let e = enc as u16;
    match enc {
        256.. => Operand::Reg(Reg::v(e - 256, dwords)),
        0..=127 => Operand::Reg(Reg::s(e, dwords)),
        128..=192 => Operand::Int(enc as i32 - 128),
        193..=208 => Operand::Int(192 - enc as i32),
        235..=239 | 251..=254 => Operand::Reg(Reg::src(e, dwords)),
        240..=248 => Operand::Float(INLINE_FLOATS[(e - 240) as usize]),
        255 => Operand::Literal(literal),
        _ => Operand::Invalid(e),
    }
}

/// A scalar or vector source of `N` dwords: what VALU sources take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src<const N: usize>(pub Operand);

/// A scalar source of `N` dwords: what SALU sources take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SSrc<const N: usize>(pub Operand);

/// A VGPR or AGPR run of `N`: what memory data and MFMA operands take on gfx90a and later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VA<const N: usize>(pub Operand);

/// A VGPR or AGPR run, or an inline constant: the accumulator input of an MFMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VAC<const N: usize>(pub Operand);

/// A 32-bit literal even where an inline constant would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lit(pub u32);

/// `off`, where an address or a base may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Off;

/// A vector address: `off`, one VGPR or a pair, as the instruction's other bits ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VAddr(pub Operand);

/// A scalar base: `off`, or an SGPR run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SAddr(pub Operand);

macro_rules! from {
    ($($to:ident [$n:ident] <- $from:ty),* $(,)?) => {$(
        impl<const $n: usize> From<$from> for $to<$n> {
            #[inline(always)]
            fn from(x: $from) -> Self {
                $to(x.into())
            }
        }
    )*};
}
from!(Src[N] <- V<N>, Src[N] <- S<N>, Src[N] <- Lit, Src[N] <- i32, Src[N] <- u32, Src[N] <- f32, Src[N] <- Operand, Src[N] <- Reg);
from!(SSrc[N] <- S<N>, SSrc[N] <- Lit, SSrc[N] <- i32, SSrc[N] <- u32, SSrc[N] <- f32, SSrc[N] <- Operand, SSrc[N] <- Reg);
from!(VA[N] <- V<N>, VA[N] <- A<N>, VA[N] <- Operand, VA[N] <- Reg);
from!(VAC[N] <- V<N>, VAC[N] <- A<N>, VAC[N] <- i32, VAC[N] <- f32, VAC[N] <- Operand, VAC[N] <- Reg);

macro_rules! from_addr {
    ($($to:ident <- $from:ty),* $(,)?) => {$(
        impl From<$from> for $to {
            #[inline(always)]
            fn from(x: $from) -> Self {
                $to(x.into())
            }
        }
    )*};
}
from_addr!(VAddr <- V<1>, VAddr <- V<2>, VAddr <- Off, VAddr <- Operand, VAddr <- Reg);
from_addr!(SAddr <- S<1>, SAddr <- S<2>, SAddr <- Off, SAddr <- Operand, SAddr <- Reg, SAddr <- i32);

macro_rules! into_operand {
    ($($t:ident),*) => {$(
        impl<const N: usize> From<$t<N>> for Operand {
            #[inline(always)]
            fn from(x: $t<N>) -> Operand {
                x.0
            }
        }
    )*};
}
into_operand!(Src, SSrc, VA, VAC);

impl From<VAddr> for Operand {
    #[inline(always)]
    fn from(x: VAddr) -> Operand {
        x.0
    }
}
impl From<SAddr> for Operand {
    #[inline(always)]
    fn from(x: SAddr) -> Operand {
        x.0
    }
}
impl From<Lit> for Operand {
    #[inline(always)]
    fn from(x: Lit) -> Operand {
        Operand::Literal(x.0)
    }
}
impl From<Off> for Operand {
    #[inline(always)]
    fn from(_: Off) -> Operand {
        Operand::Off
    }
}
impl From<i32> for Operand {
    #[inline(always)]
    fn from(x: i32) -> Operand {
        Operand::Int(x)
    }
}
impl From<u32> for Operand {
    #[inline(always)]
    fn from(x: u32) -> Operand {
        Operand::Int(x as i32)
    }
}
impl From<f32> for Operand {
    #[inline(always)]
    fn from(x: f32) -> Operand {
        Operand::Float(x.to_bits())
    }
}

/// A lane mask in a pair of SGPRs, or VCC.
pub const fn mask(index: u16) -> S<2> {
    S(index)
}

const _: () = assert!(code::LITERAL == 255);

/// A scalar memory offset: an SGPR or a signed 21-bit byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SOffset(pub Operand);

impl From<S<1>> for SOffset {
    fn from(x: S<1>) -> SOffset {
        SOffset(x.into())
    }
}
impl From<i32> for SOffset {
    fn from(x: i32) -> SOffset {
        SOffset(Operand::Imm(x))
    }
}
impl From<Operand> for SOffset {
    fn from(x: Operand) -> SOffset {
        SOffset(x)
    }
}
