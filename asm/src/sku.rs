//! The products: how many compute units, dies and bytes of each, one row a part.
//!
//! Figures are those of AMD's accelerator specification table and white papers; `None` where nobody has published
//! one. Clocks are peak engine clocks. MI250X is one GCD of the two, which is what HSA shows as an agent.

use crate::target::Target;
use core::str::FromStr;

/// One product as an HSA agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sku {
    /// Lower-case name, as `--sku` takes it.
    pub name: &'static str,
    /// Marketing name, as `HSA_AMD_AGENT_INFO_PRODUCT_NAME` gives it.
    pub product: &'static str,
    /// Instruction set.
    pub target: Target,
    /// Active compute units of the agent.
    pub cus: u32,
    /// Accelerator dies (XCDs) of the agent, each with its own L2.
    pub xcds: u32,
    /// Peak engine clock in MHz.
    pub clock_mhz: u32,
    /// Device memory in GiB.
    pub hbm_gib: u32,
    /// Peak HBM bandwidth in GB/s.
    pub hbm_gbps: Option<u32>,
    /// L2 bytes per XCD.
    pub l2_bytes: u32,
    /// Infinity Cache (MALL) bytes.
    pub mall_bytes: u32,
    /// Most resident waves per SIMD; four SIMDs a CU.
    pub waves_per_simd: u32,
}

const MIB: u32 = 1 << 20;

/// Every part wavesmith knows. Source: ROCm accelerator specification table, CDNA3/CDNA4 white papers; MI308X from
/// AITER and rocprofiler-compute's part list (clock as seen in public measurements, memory size likely, bandwidth
/// unpublished); MI350X clock reproduces the published peak rates.
#[rustfmt::skip]
pub const SKUS: &[Sku] = &[
    Sku { name: "mi100",  product: "AMD Instinct MI100",  target: Target::Gfx908, cus: 120, xcds: 1, clock_mhz: 1502, hbm_gib: 32,  hbm_gbps: Some(1229), l2_bytes: 8 * MIB, mall_bytes: 0,         waves_per_simd: 10 },
    Sku { name: "mi210",  product: "AMD Instinct MI210",  target: Target::Gfx90a, cus: 104, xcds: 1, clock_mhz: 1700, hbm_gib: 64,  hbm_gbps: Some(1638), l2_bytes: 8 * MIB, mall_bytes: 0,         waves_per_simd: 8 },
    Sku { name: "mi250x", product: "AMD Instinct MI250X", target: Target::Gfx90a, cus: 110, xcds: 1, clock_mhz: 1700, hbm_gib: 64,  hbm_gbps: Some(1638), l2_bytes: 8 * MIB, mall_bytes: 0,         waves_per_simd: 8 },
    Sku { name: "mi300a", product: "AMD Instinct MI300A", target: Target::Gfx942, cus: 228, xcds: 6, clock_mhz: 2100, hbm_gib: 128, hbm_gbps: Some(5300), l2_bytes: 4 * MIB, mall_bytes: 256 * MIB, waves_per_simd: 8 },
    Sku { name: "mi300x", product: "AMD Instinct MI300X", target: Target::Gfx942, cus: 304, xcds: 8, clock_mhz: 2100, hbm_gib: 192, hbm_gbps: Some(5300), l2_bytes: 4 * MIB, mall_bytes: 256 * MIB, waves_per_simd: 8 },
    Sku { name: "mi308x", product: "AMD Instinct MI308X", target: Target::Gfx942, cus: 80,  xcds: 4, clock_mhz: 1420, hbm_gib: 192, hbm_gbps: None,       l2_bytes: 4 * MIB, mall_bytes: 256 * MIB, waves_per_simd: 8 },
    Sku { name: "mi325x", product: "AMD Instinct MI325X", target: Target::Gfx942, cus: 304, xcds: 8, clock_mhz: 2100, hbm_gib: 256, hbm_gbps: Some(6000), l2_bytes: 4 * MIB, mall_bytes: 256 * MIB, waves_per_simd: 8 },
    Sku { name: "mi350x", product: "AMD Instinct MI350X", target: Target::Gfx950, cus: 256, xcds: 8, clock_mhz: 2200, hbm_gib: 288, hbm_gbps: Some(8000), l2_bytes: 4 * MIB, mall_bytes: 256 * MIB, waves_per_simd: 8 },
    Sku { name: "mi355x", product: "AMD Instinct MI355X", target: Target::Gfx950, cus: 256, xcds: 8, clock_mhz: 2400, hbm_gib: 288, hbm_gbps: Some(8000), l2_bytes: 4 * MIB, mall_bytes: 256 * MIB, waves_per_simd: 8 },
];

/// A part name that is not in [`SKUS`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown SKU `{0}`: known are {known}", known = SKUS.iter().map(|s| s.name).collect::<Vec<_>>().join(", "))]
pub struct UnknownSku(pub String);

impl FromStr for &'static Sku {
    type Err = UnknownSku;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        SKUS.iter().find(|k| k.name.eq_ignore_ascii_case(s)).ok_or_else(|| UnknownSku(s.to_owned()))
    }
}

impl Sku {
    /// The part of that name, case ignored.
    ///
    /// # Errors
    /// [`UnknownSku`] lists the known names.
    pub fn named(name: &str) -> Result<&'static Sku, UnknownSku> {
        name.parse()
    }

    /// Active compute units of each XCD.
    pub const fn cus_per_xcd(&self) -> u32 {
        self.cus / self.xcds
    }
}
