//! The types that a GEMM multiplies, sums and stores.

use super::GemmError;
use wavesmith_asm::sem::Elem;

/// Types of inputs, accumulator and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dtype {
    /// f16 inputs, f32 sums, f16 result.
    F16,
    /// f16 inputs, f32 result.
    F16F32,
    /// bf16 inputs, f32 sums, bf16 result.
    Bf16,
    /// f32 throughout.
    F32,
    /// f32 inputs rounded to xf32, f32 result (gfx942).
    Xf32,
    /// f64 throughout (gfx90a and later).
    F64,
    /// 8-bit integers, 32-bit sums and result.
    I8,
    /// E4M3 inputs (the FNUZ kind on gfx942, OCP on gfx950), f32 result.
    Fp8,
    /// E5M2 inputs, f32 result.
    Bf8,
    /// Elements of A and B in the OCP microscaling formats: an E8M0 scale for each 32 along K; f32 result (gfx950).
    Mx(Mx, Mx),
}

/// Element types of the microscaling formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mx {
    /// E4M3.
    Fp8,
    /// E5M2.
    Bf8,
    /// E2M3.
    Fp6,
    /// E3M2.
    Bf6,
    /// E2M1.
    Fp4,
}

impl Mx {
    /// Every one.
    pub const ALL: [Mx; 5] = [Mx::Fp8, Mx::Bf8, Mx::Fp6, Mx::Bf6, Mx::Fp4];

    /// The element.
    pub const fn elem(self) -> Elem {
        match self {
            Mx::Fp8 => Elem::Fp8,
            Mx::Bf8 => Elem::Bf8,
            Mx::Fp6 => Elem::Fp6,
            Mx::Bf6 => Elem::Bf6,
            Mx::Fp4 => Elem::Fp4,
        }
    }
}

/// Elements that share a scale.
pub const MX_BLOCK: u32 = 32;

/// Names of the microscaling pairs, by A's type and then B's.
const MX_NAMES: [[&str; 5]; 5] = [
    ["mxfp8", "mxfp8bf8", "mxfp8fp6", "mxfp8bf6", "mxfp8fp4"],
    ["mxbf8fp8", "mxbf8", "mxbf8fp6", "mxbf8bf6", "mxbf8fp4"],
    ["mxfp6fp8", "mxfp6bf8", "mxfp6", "mxfp6bf6", "mxfp6fp4"],
    ["mxbf6fp8", "mxbf6bf8", "mxbf6fp6", "mxbf6", "mxbf6fp4"],
    ["mxfp4fp8", "mxfp4bf8", "mxfp4fp6", "mxfp4bf6", "mxfp4"],
];

impl Dtype {
    /// Every one, of the microscaling pairs those of one type and two mixed ones; all 25 pairs are accepted.
    pub const ALL: [Dtype; 16] = [
        Dtype::F16,
        Dtype::F16F32,
        Dtype::Bf16,
        Dtype::F32,
        Dtype::Xf32,
        Dtype::F64,
        Dtype::I8,
        Dtype::Fp8,
        Dtype::Bf8,
        Dtype::Mx(Mx::Fp8, Mx::Fp8),
        Dtype::Mx(Mx::Bf8, Mx::Bf8),
        Dtype::Mx(Mx::Fp6, Mx::Fp6),
        Dtype::Mx(Mx::Bf6, Mx::Bf6),
        Dtype::Mx(Mx::Fp4, Mx::Fp4),
        Dtype::Mx(Mx::Fp8, Mx::Fp4),
        Dtype::Mx(Mx::Fp6, Mx::Bf8),
    ];

    /// The name that parameters use.
    pub const fn name(self) -> &'static str {
        match self {
            Dtype::F16 => "f16",
            Dtype::F16F32 => "f16f32",
            Dtype::Bf16 => "bf16",
            Dtype::F32 => "f32",
            Dtype::Xf32 => "xf32",
            Dtype::F64 => "f64",
            Dtype::I8 => "i8",
            Dtype::Fp8 => "fp8",
            Dtype::Bf8 => "bf8",
            Dtype::Mx(a, b) => MX_NAMES[a as usize][b as usize],
        }
    }

    /// Types of an element of A and of B.
    pub const fn inputs(self) -> [Elem; 2] {
        let one = match self {
            Dtype::F16 | Dtype::F16F32 => Elem::F16,
            Dtype::Bf16 => Elem::Bf16,
            Dtype::F32 => Elem::F32,
            Dtype::Xf32 => Elem::Xf32,
            Dtype::F64 => Elem::F64,
            Dtype::I8 => Elem::I8,
            Dtype::Fp8 => Elem::Fp8,
            Dtype::Bf8 => Elem::Bf8,
            Dtype::Mx(a, b) => return [a.elem(), b.elem()],
        };
        [one, one]
    }

    /// Type of a sum.
    pub const fn sum(self) -> Elem {
        match self {
            Dtype::F64 => Elem::F64,
            Dtype::I8 => Elem::I32,
            _ => Elem::F32,
        }
    }

    /// Type of an element of C, unless another is asked for.
    pub const fn output(self) -> Elem {
        match self {
            Dtype::F16 => Elem::F16,
            Dtype::Bf16 => Elem::Bf16,
            other => other.sum(),
        }
    }

    /// Whether blocks of inputs have scales.
    pub const fn is_scaled(self) -> bool {
        matches!(self, Dtype::Mx(..))
    }

    /// Bits of an element of A (0) or B (1) in memory.
    pub const fn input_bits(self, side: usize) -> u32 {
        self.inputs()[side].bits()
    }
}

impl std::str::FromStr for Dtype {
    type Err = GemmError;

    fn from_str(s: &str) -> Result<Self, GemmError> {
        let mixed = Mx::ALL.into_iter().flat_map(|a| Mx::ALL.map(|b| Dtype::Mx(a, b)));
        Dtype::ALL.into_iter().chain(mixed).find(|d| d.name() == s).ok_or_else(|| GemmError::UnknownDtype(s.to_owned()))
    }
}
