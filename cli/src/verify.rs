//! `wavesmith verify`: random cases of generated kernels on the embedded device, against their CPU references.

use crate::device::Engine;
use crate::outcome::{Outcome, print_line};
use anyhow::{Context, bail};
use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;
use wavesmith_kernels::gemm::gemm;
use wavesmith_sim::{Config, checked::Finding};
use wavesmith_verify::matmul::MatmulReport;
use wavesmith_verify::matmul_cases::{Case, CaseError, edges};
use wavesmith_verify::row_cases::RowCase;

/// Arguments of `wavesmith verify`.
#[derive(clap::Args)]
pub struct Args {
    /// The kernels: gemm, attention, softmax. The monokernel is verified by every `wavesmith run`.
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

/// A case of any kernel.
enum AnyCase {
    Gemm(Box<Case>),
    Rows(RowCase),
}

impl AnyCase {
    /// Runs it as `--engine` says: the comparison, and what the watching engine found.
    fn run(&self, engine: Engine) -> Result<(MatmulReport, Vec<Finding>), CaseError> {
        let config = Config { engine: engine.kind(), ..Config::default() };
        match (self, engine) {
            (AnyCase::Gemm(case), Engine::Checked) => case.watch(&gemm(&case.params, case.sku)?, case.seed),
            (AnyCase::Gemm(case), _) => Ok((case.dispatch(&gemm(&case.params, case.sku)?, &config)?, Vec::new())),
            (AnyCase::Rows(case), Engine::Checked) => case.watch(),
            (AnyCase::Rows(case), _) => Ok((case.run(&config)?, Vec::new())),
        }
    }

    /// What it was.
    fn describe(&self) -> String {
        match self {
            AnyCase::Gemm(case) => format!("{} {:?}", case.params, case.problem),
            AnyCase::Rows(case) => format!("{:?}", case.kernel),
        }
    }
}

/// The kernels that are verified here.
const KERNELS: [&str; 3] = ["gemm", "attention", "softmax"];

/// The random cases of a kernel, and those that it has by name; there is one of each seed. Each is made when it is its turn.
fn cases(
    kernel: &str,
    sku: &'static Sku,
    seed: u64,
    count: u64,
) -> anyhow::Result<Box<dyn Iterator<Item = (String, AnyCase)>>> {
    // The seed after the last one is the first.
    let seeds = (0..count).map(move |i| seed.wrapping_add(i));
    let random =
        move |make: fn(&'static Sku, u64) -> AnyCase| seeds.map(move |seed| (format!("seed {seed}"), make(sku, seed)));
    Ok(match kernel {
        "gemm" => {
            let named = edges(sku)?.into_iter().map(|(name, case)| (name, AnyCase::Gemm(Box::new(case))));
            Box::new(random(|sku, seed| AnyCase::Gemm(Box::new(Case::random(sku, seed)))).chain(named))
        }
        "attention" => Box::new(random(|sku, seed| AnyCase::Rows(RowCase::attention(sku, seed)))),
        _ => Box::new(random(|sku, seed| AnyCase::Rows(RowCase::softmax(sku, seed)))),
    })
}

/// Runs the cases.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(unknown) = args.kernels.iter().find(|k| !KERNELS.contains(&k.as_str())) {
        bail!(
            "unknown kernel `{unknown}`: {} are verified here, the monokernel by `wavesmith run`",
            KERNELS.join(", ")
        );
    }
    if args.cases == 0 {
        bail!("--cases 0 would compare nothing: 1 or more");
    }
    let kernels: Vec<&str> = match &args.kernels[..] {
        [] => KERNELS.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    };
    let skus: Vec<&'static Sku> = match (&args.skus[..], args.all) {
        ([], true) => SKUS.iter().collect(),
        ([], false) => vec![Sku::named("mi300x")?],
        (names, _) => names.iter().map(|n| Sku::named(n)).collect::<Result<_, _>>()?,
    };
    let mut outcome = Outcome::Ok;
    for (kernel, sku) in kernels.into_iter().flat_map(|kernel| skus.iter().map(move |sku| (kernel, *sku))) {
        if !verify(args, kernel, sku)? {
            outcome = Outcome::Failed;
        }
    }
    Ok(outcome)
}

/// Runs the cases of a kernel on a part; whether all are right.
fn verify(args: &Args, kernel: &str, sku: &'static Sku) -> anyhow::Result<bool> {
    let (mut ran, mut compared, mut exact, mut worst, mut failed) = (0, 0, 0, 0f64, 0);
    for (name, case) in cases(kernel, sku, args.seed, args.cases)? {
        ran += 1;
        let (report, findings) = case.run(args.engine).with_context(|| format!("{kernel} on {}, {name}", sku.name))?;
        compared += report.compared;
        exact += report.exact;
        worst = worst.max(report.worst);
        failed += u64::from(!report.mismatches.is_empty() || !findings.is_empty());
        for f in &findings {
            let at = f.at.as_ref().map_or_else(String::new, |p| format!(" at {:#x} {}", p.pc, p.text));
            print_line(&format!("{kernel} {} {name}: {}{at}: {}", sku.name, f.kind, f.message));
        }
        if let Some(first) = report.mismatches.first() {
            let [batch, row, column] = first.at;
            print_line(&format!(
                "{kernel} {} {name}: element [{batch}][{row}][{column}] is {}, expected {} within {}; {}",
                sku.name,
                first.got,
                first.expected,
                first.bound,
                case.describe()
            ));
        }
    }
    let named = match ran - args.cases {
        0 => String::new(),
        n => format!(" and {n} named ones"),
    };
    let bits = if exact > 0 { format!(", {exact} of them bit for bit") } else { String::new() };
    let verdict = if failed == 0 { "ok" } else { "FAILED" };
    print_line(&format!(
        "{kernel} {}: {} random cases{named}, {compared} elements{bits}, largest error {worst:.3} of its bound, {verdict}",
        sku.name, args.cases
    ));
    Ok(failed == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_random_cases_as_asked_for_from_any_seed() {
        let sku = Sku::named("mi300x").expect("a part");
        for seed in [0, u64::MAX - 1, u64::MAX] {
            let names: Vec<_> = cases("softmax", sku, seed, 3).expect("cases").map(|(name, _)| name).collect();
            assert_eq!(names.len(), 3, "{names:?}");
            assert!(names[0] == format!("seed {seed}") && names[0] != names[1] && names[1] != names[2], "{names:?}");
        }
    }
}
