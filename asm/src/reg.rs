//! Registers: the decoded [`Reg`] and the typed handles that the builder takes.

use core::fmt;

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RegClass {
    /// Vector registers.
    V,
    /// Accumulation registers.
    A,
    /// The scalar file by its operand encoding 0..128: SGPRs 0..102, then FLAT_SCRATCH, XNACK_MASK, VCC, TTMP, M0, EXEC.
    S,
    /// Read-only scalar sources by operand encoding: apertures (235..239), VCCZ, EXECZ, SCC, LDS_DIRECT (251..255).
    Src,
}

/// A run of registers of one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reg {
    /// The file.
    pub class: RegClass,
    /// First register of the run.
    pub index: u16,
    /// How many registers.
    pub count: u8,
}

/// Operand encodings of the scalar file's named registers.
pub mod code {
    #![allow(missing_docs)]
    pub const FLAT_SCRATCH: u16 = 102;
    pub const XNACK_MASK: u16 = 104;
    pub const VCC: u16 = 106;
    pub const TTMP0: u16 = 108;
    pub const M0: u16 = 124;
    pub const EXEC: u16 = 126;
    pub const SHARED_BASE: u16 = 235;
    pub const SHARED_LIMIT: u16 = 236;
    pub const PRIVATE_BASE: u16 = 237;
    pub const PRIVATE_LIMIT: u16 = 238;
    pub const POPS_EXITING_WAVE_ID: u16 = 239;
    pub const SDWA: u16 = 249;
    pub const DPP: u16 = 250;
    pub const VCCZ: u16 = 251;
    pub const EXECZ: u16 = 252;
    pub const SCC: u16 = 253;
    pub const LDS_DIRECT: u16 = 254;
    pub const LITERAL: u16 = 255;
}

impl Reg {
    /// `count` VGPRs from `index`.
    pub const fn v(index: u16, count: u8) -> Reg {
        Reg { class: RegClass::V, index, count }
    }
    /// `count` AGPRs from `index`.
    pub const fn a(index: u16, count: u8) -> Reg {
        Reg { class: RegClass::A, index, count }
    }
    /// `count` scalar registers from operand encoding `index`.
    pub const fn s(index: u16, count: u8) -> Reg {
        Reg { class: RegClass::S, index, count }
    }
    /// A read-only scalar source.
    pub const fn src(index: u16, count: u8) -> Reg {
        Reg { class: RegClass::Src, index, count }
    }
    /// The vector condition code, 64 bits.
    pub const VCC: Reg = Reg::s(code::VCC, 2);
    /// The execution mask, 64 bits.
    pub const EXEC: Reg = Reg::s(code::EXEC, 2);
    /// The memory descriptor register.
    pub const M0: Reg = Reg::s(code::M0, 1);
}

impl fmt::Debug for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut s = crate::print::Text::default();
        crate::print::push_reg(&mut s, *self);
        f.write_str(&s.into_string())
    }
}

macro_rules! handle {
    ($(#[$m:meta])* $name:ident, $ctor:ident, $class:ident, $max:literal) => {
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name<const N: usize>(pub u16);

        impl<const N: usize> $name<N> {
            /// The `i`-th register of the run.
            #[track_caller]
            pub const fn at(self, i: u16) -> $name<1> {
                assert!((i as usize) < N, "register index out of the tuple");
                $name(self.0 + i)
            }
            /// `M` registers from the `i`-th on.
            #[track_caller]
            pub const fn sub<const M: usize>(self, i: u16) -> $name<M> {
                assert!(i as usize + M <= N, "register range out of the tuple");
                $name(self.0 + i)
            }
            /// As an untyped register run.
            pub const fn reg(self) -> Reg {
                Reg { class: RegClass::$class, index: self.0, count: N as u8 }
            }
        }

        impl<const N: usize> From<$name<N>> for Reg {
            fn from(r: $name<N>) -> Reg {
                r.reg()
            }
        }

        impl<const N: usize> TryFrom<Reg> for $name<N> {
            type Error = Reg;
            fn try_from(r: Reg) -> Result<Self, Reg> {
                if r.class == RegClass::$class && r.count as usize == N { Ok($name(r.index)) } else { Err(r) }
            }
        }

        #[doc = concat!("Register ", stringify!($ctor), "`index` as a handle of any width.")]
        pub const fn $ctor<const N: usize>(index: u16) -> $name<N> {
            $name(index)
        }
    };
}

handle!(
    /// `N` consecutive VGPRs. Indices above 255 are virtual: a recorder may replace them.
    V, v, V, 256
);
handle!(
    /// `N` consecutive AGPRs. Indices above 255 are virtual: a recorder may replace them.
    A, a, A, 256
);
handle!(
    /// `N` consecutive scalar registers by operand encoding. Indices above 127 are virtual.
    S, s, S, 102
);

/// VCC as a typed handle.
pub const VCC: S<2> = S(code::VCC);
/// Low half of VCC.
pub const VCC_LO: S<1> = S(code::VCC);
/// High half of VCC.
pub const VCC_HI: S<1> = S(code::VCC + 1);
/// EXEC as a typed handle.
pub const EXEC: S<2> = S(code::EXEC);
/// Low half of EXEC.
pub const EXEC_LO: S<1> = S(code::EXEC);
/// High half of EXEC.
pub const EXEC_HI: S<1> = S(code::EXEC + 1);
/// M0.
pub const M0: S<1> = S(code::M0);
/// FLAT_SCRATCH.
pub const FLAT_SCRATCH: S<2> = S(code::FLAT_SCRATCH);
/// XNACK_MASK.
pub const XNACK_MASK: S<2> = S(code::XNACK_MASK);
