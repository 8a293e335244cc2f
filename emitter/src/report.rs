//! What a kernel takes of each part: registers, LDS, scratch, and how many of its waves fit.

use crate::kernel::Kernel;
use core::fmt;
use wavesmith_asm::occupancy::{Demand, Occupancy};
use wavesmith_asm::sku::{SKUS, Sku};

/// A kernel's budget on the parts of its target.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelReport {
    /// The kernel.
    pub name: String,
    /// Instructions.
    pub instructions: usize,
    /// Bytes of code.
    pub bytes: usize,
    /// Architectural VGPRs of a wave.
    pub vgprs: u32,
    /// AGPRs of a wave.
    pub agprs: u32,
    /// What the kernel asks for.
    pub demand: Demand,
    /// Bytes of scratch a lane.
    pub scratch: u32,
    /// By part.
    pub rows: Vec<Row>,
}

/// A part's line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The part.
    pub sku: &'static Sku,
    /// What it holds.
    pub occupancy: Occupancy,
}

impl Kernel {
    /// What the kernel takes of each part that can run it.
    pub fn report(&self) -> KernelReport {
        let registers = &self.descriptor.registers;
        let demand = Demand {
            vgprs: registers.total_vgprs(self.target),
            agprs: registers.agprs,
            sgprs: registers.total_sgprs(self.target, crate::Feature::Any),
            lds_bytes: self.descriptor.group_segment_fixed_size,
            waves: self.metadata.max_flat_workgroup_size.div_ceil(64),
        };
        let rows = SKUS.iter().filter(|s| s.target == self.target);
        let is_instruction = |l: &&crate::listing::Line| matches!(l, crate::listing::Line::Instruction { .. });
        KernelReport {
            name: self.name.clone(),
            instructions: self.listing.lines.iter().filter(is_instruction).count(),
            bytes: self.code.len(),
            vgprs: registers.vgprs,
            agprs: registers.agprs,
            demand,
            scratch: self.descriptor.private_segment_fixed_size,
            rows: rows.map(|sku| Row { sku, occupancy: Occupancy::of(sku, demand) }).collect(),
        }
    }
}

impl fmt::Display for KernelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.demand;
        writeln!(f, "{}: {} instructions, {} bytes", self.name, self.instructions, self.bytes)?;
        writeln!(
            f,
            "  a wave: {} VGPRs, {} AGPRs, {} SGPRs; a workgroup: {} waves, {} bytes of LDS; scratch {} bytes a lane",
            self.vgprs, self.agprs, d.sgprs, d.waves, d.lds_bytes, self.scratch
        )?;
        for row in &self.rows {
            let o = &row.occupancy;
            writeln!(
                f,
                "  {:<8} {} workgroups a CU, {} waves a SIMD, limited by {}",
                row.sku.name,
                o.workgroups_per_cu,
                o.waves_per_simd,
                o.limit.name()
            )?;
        }
        Ok(())
    }
}
