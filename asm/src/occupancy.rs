//! How many waves and workgroups of a kernel a compute unit holds at once, and which budget ends first.
//!
//! Sources: LLVM's `AMDGPUBaseInfo` (register granules and pools, LDS granules, waves per SIMD) and the ROCm
//! accelerator specification table (LDS, register files). gfx908 has separate files of 256 VGPRs and 256 AGPRs a
//! lane and SIMD; later targets share one of 512. A workgroup's waves go round the four SIMDs of one CU.

use crate::{Sku, Target};

/// SIMDs of a compute unit.
pub const SIMDS: u32 = 4;
/// SGPRs of a SIMD (12.5 KB a CU).
const SGPRS_PER_SIMD: u32 = 800;
/// Granule of SGPR allocation.
const SGPR_GRANULE: u32 = 16;
/// Workgroups of several waves that a CU can hold: one barrier each.
const BARRIERS_PER_CU: u32 = 16;

/// What a kernel asks for, per wave and per workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// VGPRs of a wave. On targets with one file, architectural and accumulation registers together.
    pub vgprs: u32,
    /// AGPRs of a wave on gfx908, where they have their own file; ignored elsewhere.
    pub agprs: u32,
    /// SGPRs of a wave, VCC and the like included.
    pub sgprs: u32,
    /// LDS bytes of a workgroup, static and dynamic.
    pub lds_bytes: u32,
    /// Waves of a workgroup, 1 to 16.
    pub waves: u32,
}

/// The budget that allows the fewest workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Wave slots of the SIMDs.
    Waves,
    /// Vector registers, accumulation registers included.
    Vgprs,
    /// Scalar registers.
    Sgprs,
    /// LDS bytes.
    Lds,
    /// Barriers, one for each workgroup of several waves.
    Barriers,
}

impl Limit {
    /// The name that reports print.
    pub const fn name(self) -> &'static str {
        match self {
            Limit::Waves => "wave slots",
            Limit::Vgprs => "VGPRs",
            Limit::Sgprs => "SGPRs",
            Limit::Lds => "LDS",
            Limit::Barriers => "barriers",
        }
    }
}

/// What a compute unit holds of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Whole workgroups on a CU at once; 0 if not even one fits.
    pub workgroups_per_cu: u32,
    /// Waves on the fullest SIMD.
    pub waves_per_simd: u32,
    /// The budget that ends first.
    pub limit: Limit,
}

impl Occupancy {
    /// Of a kernel on a part.
    pub fn of(sku: &Sku, demand: Demand) -> Occupancy {
        let target = sku.target;
        // A workgroup of w waves needs ceil(w / 4) slots on the SIMD that gets most of them, and the SIMDs fill evenly
        // only in the long run: the CU holds as many waves as its four SIMDs together.
        let waves_fitting = |per_simd: u32| per_simd * SIMDS / demand.waves.max(1);
        let budgets = [
            (Limit::Waves, waves_fitting(sku.waves_per_simd)),
            (Limit::Vgprs, waves_fitting(waves_by_vgprs(target, demand.vgprs, demand.agprs))),
            (Limit::Sgprs, waves_fitting(SGPRS_PER_SIMD / round_up(demand.sgprs.max(1), SGPR_GRANULE))),
            (
                Limit::Lds,
                match round_up(demand.lds_bytes, target.lds_granule()) {
                    0 => u32::MAX,
                    bytes => target.max_lds() / bytes,
                },
            ),
            (Limit::Barriers, if demand.waves > 1 { BARRIERS_PER_CU } else { u32::MAX }),
        ];
        let (limit, workgroups_per_cu) = budgets.into_iter().min_by_key(|(_, fit)| *fit).unwrap_or((Limit::Waves, 0));
        Occupancy { workgroups_per_cu, waves_per_simd: (workgroups_per_cu * demand.waves).div_ceil(SIMDS), limit }
    }
}

/// Waves that a SIMD's vector register files hold.
fn waves_by_vgprs(target: Target, vgprs: u32, agprs: u32) -> u32 {
    let granule = target.vgpr_granule();
    if target.unified_vgprs() {
        512 / round_up(vgprs.max(1), granule)
    } else {
        256 / round_up(vgprs.max(agprs).max(1), granule)
    }
}

const fn round_up(value: u32, granule: u32) -> u32 {
    value.div_ceil(granule) * granule
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demand(vgprs: u32) -> Demand {
        Demand { vgprs, agprs: 0, sgprs: 32, lds_bytes: 0, waves: 4 }
    }

    #[test]
    fn waves_per_simd_follow_the_published_vgpr_table() {
        let sku = Sku::named("mi300x").unwrap();
        for (vgprs, waves) in [(64, 8), (72, 7), (80, 6), (96, 5), (128, 4), (168, 3), (256, 2), (512, 1)] {
            assert_eq!(Occupancy::of(sku, demand(vgprs)).waves_per_simd, waves, "{vgprs} VGPRs");
            if vgprs < 512 {
                let fewer = Occupancy::of(sku, demand(vgprs + 1)).waves_per_simd;
                assert!(fewer < waves, "{} VGPRs still allow {fewer} waves", vgprs + 1);
            }
        }
    }

    #[test]
    fn gfx908_counts_its_two_files_apart() {
        let sku = Sku::named("mi100").unwrap();
        let o = Occupancy::of(sku, Demand { vgprs: 32, agprs: 128, sgprs: 32, lds_bytes: 0, waves: 4 });
        assert_eq!((o.waves_per_simd, o.limit), (2, Limit::Vgprs));
    }

    #[test]
    fn lds_limits_by_whole_granules_of_the_target() {
        let demand = Demand { vgprs: 32, agprs: 0, sgprs: 32, lds_bytes: 32_769, waves: 4 };
        let o = Occupancy::of(Sku::named("mi300x").unwrap(), demand);
        assert_eq!((o.workgroups_per_cu, o.limit), (1, Limit::Lds));
        let o = Occupancy::of(Sku::named("mi355x").unwrap(), demand);
        assert_eq!((o.workgroups_per_cu, o.limit), (4, Limit::Lds));
    }

    #[test]
    fn a_demand_beyond_the_part_holds_nothing() {
        let o = Occupancy::of(
            Sku::named("mi300x").unwrap(),
            Demand { vgprs: 512, agprs: 0, sgprs: 32, lds_bytes: 0, waves: 8 },
        );
        assert_eq!((o.workgroups_per_cu, o.limit), (0, Limit::Vgprs));
    }
}
