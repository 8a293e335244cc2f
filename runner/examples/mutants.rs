//! Mutants of our own kernels: every wait, nop, barrier, `sc0`, `sc1`, `buffer_inv` and `buffer_wbl2` is taken out in turn,
//! and the static checker, then the watching engine for some seeds, must see it.
//!
//! `cargo run --release -p wavesmith-runner --example mutants -- [SEEDS [EACH [NAME [AT]]]]` prints the score and every survivor:
//! SEEDS seeds a mutant (4), every EACHth mutant (1: all), kernels whose name holds NAME, or the mutants of the instruction at AT
//! alone, which is the offset in hexadecimal that a survivor is told with: a survivor of few seeds is tried with many.

#[path = "../tests/device/mutants.rs"]
mod mutants;
#[path = "../tests/device/protocol.rs"]
#[allow(dead_code, reason = "each program uses its part")]
mod protocol;

use mutants::Score;

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| args.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (seeds, each) = (number(0, 4), number(1, 1).max(1) as usize);
    let name = args.get(2).map_or("", String::as_str);
    let only = args.get(3).map(|at| match u64::from_str_radix(at.trim_start_matches("0x"), 16) {
        Ok(at) => at,
        Err(e) => panic!("AT is an offset in hexadecimal, such as 0x1a9c, not {at:?}: {e}"),
    });
    let mut all = Score::default();
    let mut counted = 0;
    let mut subjects = mutants::multiplications();
    if "monokernel, sentinels counter batches".contains(name) {
        subjects.extend(mutants::monokernels());
        subjects.push(mutants::batched());
    }
    for subject in subjects.iter().filter(|s| s.name.contains(name)) {
        let s = subject.score(seeds, each, only, &mut counted);
        println!("{}: {}", subject.name, line(&s));
        for text in &s.survivors {
            println!("  {text}");
        }
        all.total += s.total;
        all.by_static += s.by_static;
        all.by_dynamic += s.by_dynamic;
        for (why, (list, by_static)) in s.advised {
            let of = all.advised.entry(why).or_default();
            of.0.extend(list);
            of.1 += by_static;
        }
        all.proved.extend(s.proved);
        all.survivors.extend(s.survivors);
    }
    println!("all: {}", line(&all));
    println!("advice, by target and why; how many of them `--strict` makes errors of the static half:");
    for ((target, why), (list, by_static)) in &all.advised {
        println!("{target} {why}: {} ({by_static})", list.len());
        for text in list {
            println!("  {text}");
        }
    }
}

fn line(s: &Score) -> String {
    let advised: usize = s.advised.values().map(|(list, _)| list.len()).sum();
    let strict: usize = s.advised.values().map(|(_, by_static)| by_static).sum();
    format!(
        "{} mutants, {} errors of the static half, {} more of the dynamic half, {advised} advice ({strict} errors with \
         `--strict`), {} proved harmless, {} survive",
        s.total,
        s.by_static,
        s.by_dynamic,
        s.proved.len(),
        s.survivors.len()
    )
}
