//! Kernels as text: a body put into the directives that make it a code object.

#![allow(dead_code, reason = "each test file uses its part")]

use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_check::{Finding, Kind, Options, Report, Severity, check};
use wavesmith_emitter::link::link;

/// What a kernel declares besides its code.
pub struct Kernel<'a> {
    pub target: Target,
    pub body: &'a str,
    /// Further `.amdhsa_` directives, one a line.
    pub directives: &'a str,
    /// VGPRs, SGPRs and where AGPRs begin.
    pub vgprs: u32,
    pub sgprs: u32,
    pub accum_offset: u32,
    /// Lines of the metadata entry, without indentation.
    pub metadata: &'a str,
}

impl Default for Kernel<'_> {
    fn default() -> Self {
        Kernel {
            target: Target::Gfx942,
            body: "s_endpgm",
            directives: "",
            vgprs: 256,
            sgprs: 96,
            accum_offset: 256,
            metadata: "",
        }
    }
}

impl Kernel<'_> {
    /// The code object.
    pub fn object(&self) -> Vec<u8> {
        let accum = match self.target {
            Target::Gfx908 => String::new(),
            _ => format!(".amdhsa_accum_offset {}", self.accum_offset),
        };
        let metadata: String = self.metadata.lines().map(|l| format!("    {l}\n")).collect();
        let text = format!(
            "\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n{}\n.Lend:\n\t.size k, .Lend-k\n\
             \t.fill 64, 4, 0xbf800000\n\
             \t.section .rodata,\"a\",@progbits\n\t.p2align 6\n\t.amdhsa_kernel k\n\
             \t.amdhsa_next_free_vgpr {}\n\t.amdhsa_next_free_sgpr {}\n{accum}\n\
             \t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n{}\n\t.end_amdhsa_kernel\n\
             \t.amdgpu_metadata unchecked\n---\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n\
             \x20   .kernarg_segment_size: 64\n    .kernarg_segment_align: 8\n    .wavefront_size: 64\n\
             {metadata}amdhsa.version: [1, 2]\n...\n\t.end_amdgpu_metadata\n",
            self.body, self.vgprs, self.sgprs, self.directives
        );
        let assembled = assemble(&text, self.target)
            .unwrap_or_else(|e| panic!("{}", e.iter().map(|d| d.render("k.s")).collect::<String>()));
        link(&assembled).unwrap_or_else(|e| panic!("{e}"))
    }

    /// The report on it.
    pub fn report(&self) -> Report {
        check(&self.object(), &Options::default()).unwrap()
    }
}

/// The report on a body for a target.
pub fn report(target: Target, body: &str) -> Report {
    Kernel { target, body, ..Kernel::default() }.report()
}

/// The findings of a kind.
pub fn of(report: &Report, kind: Kind) -> Vec<&Finding> {
    report.findings.iter().filter(|f| f.kind == kind).collect()
}

/// The errors, whatever their kind.
pub fn errors(report: &Report) -> Vec<&Finding> {
    report.findings.iter().filter(|f| f.severity == Severity::Error).collect()
}

/// Asserts that a body has exactly one error, and that it is of this kind and asks for this.
pub fn assert_error(target: Target, body: &str, kind: Kind, need: &str) {
    let report = report(target, body);
    let errors = errors(&report);
    assert_eq!(errors.len(), 1, "{target}\n{body}\n{}", wavesmith_check::text(&report, true));
    assert_eq!(errors[0].kind, kind, "{}", wavesmith_check::text(&report, true));
    let asked = errors[0].need.as_deref().unwrap_or_default();
    assert!(asked.contains(need), "{body}\nasks for `{asked}`, not `{need}`");
}

/// Asserts that a body has no error.
pub fn assert_clean(target: Target, body: &str) {
    let report = report(target, body);
    assert!(errors(&report).is_empty(), "{target}\n{body}\n{}", wavesmith_check::text(&report, true));
}
