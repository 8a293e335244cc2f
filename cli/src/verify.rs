//! `wavesmith verify`: random cases of generated kernels on the embedded device, against their CPU references.

use crate::device::Engine;
use crate::outcome::{Outcome, print_line};
use anyhow::{Context, bail};
use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;
use wavesmith_kernels::gemm::gemm;
use wavesmith_sim::{Config, checked::Finding};
use wavesmith_verify::matmul::MatmulReport;
use wavesmith_verify::matmul_cases::{Case, CaseError};

/// Arguments of `wavesmith verify`.
#[derive(clap::Args)]
pub struct Args {
    /// The kernels: gemm. The monokernel is verified by every `wavesmith run`.
    #[arg(value_name = "KERNEL", required_unless_present = "all")]
    kernels: Vec<String>,
    /// Every kernel, and without --sku every part.
    #[arg(long)]
    all: bool,
    /// A part; may be given several times. Without it, mi300x.
    #[arg(long = "sku", value_name = "SKU")]
    skus: Vec<String>,
    /// Cases for each part.
    #[arg(long, value_name = "N", default_value_t = 20)]
    cases: u64,
    /// Where the cases come from; a failing case names its own, to be run again with --cases 1.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the embedded device executes; `checked` counts errors of the watching engine as failures, with the case's seed.
    #[arg(long, value_enum, default_value = "jit")]
    engine: Engine,
}

/// One case as `--engine` says: the comparison, and what the watching engine found.
fn run_case(case: &Case, engine: Engine) -> Result<(MatmulReport, Vec<Finding>), CaseError> {
    let made = gemm(&case.params, case.sku)?;
    if engine == Engine::Checked {
        return case.watch(&made, case.seed);
    }
    Ok((case.dispatch(&made, &Config { engine: engine.kind(), ..Config::default() })?, Vec::new()))
}

/// Runs the cases.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(unknown) = args.kernels.iter().find(|k| *k != "gemm") {
        bail!("unknown kernel `{unknown}`: gemm is verified here, the monokernel by `wavesmith run`");
    }
    if args.cases == 0 {
        bail!("--cases 0 would compare nothing: 1 or more");
    }
    let skus: Vec<&'static Sku> = match (&args.skus[..], args.all) {
        ([], true) => SKUS.iter().collect(),
        ([], false) => vec![Sku::named("mi300x")?],
        (names, _) => names.iter().map(|n| Sku::named(n)).collect::<Result<_, _>>()?,
    };
    let mut outcome = Outcome::Ok;
    for sku in skus {
        let (mut compared, mut exact, mut worst, mut failed) = (0, 0, 0f64, 0);
        for seed in args.seed..args.seed.saturating_add(args.cases) {
            let case = Case::random(sku, seed);
            let (report, findings) =
                run_case(&case, args.engine).with_context(|| format!("gemm on {}, seed {seed}", sku.name))?;
            compared += report.compared;
            exact += report.exact;
            worst = worst.max(report.worst);
            failed += u64::from(!report.mismatches.is_empty() || !findings.is_empty());
            for f in &findings {
                let at = f.at.as_ref().map_or_else(String::new, |p| format!(" at {:#x} {}", p.pc, p.text));
                print_line(&format!("gemm {} seed {seed}: {}{at}: {}", sku.name, f.kind, f.message));
            }
            if let Some(first) = report.mismatches.first() {
                let [batch, row, column] = first.at;
                print_line(&format!(
                    "gemm {} seed {seed}: element [{batch}][{row}][{column}] is {}, expected {} within {}; {:?} {:?}",
                    sku.name, first.got, first.expected, first.bound, case.params, case.problem
                ));
            }
        }
        let verdict = if failed == 0 { "ok" } else { "FAILED" };
        print_line(&format!(
            "gemm {}: {} cases, {compared} elements, {exact} of them bit for bit, largest error {worst:.3} of its bound, {verdict}",
            sku.name, args.cases
        ));
        if failed > 0 {
            outcome = Outcome::Failed;
        }
    }
    Ok(outcome)
}
