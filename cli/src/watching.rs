//! `--engine checked`: its options, and the report of what it saw.

use crate::device::Engine;
use crate::outcome::print_line;
use anyhow::bail;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use wavesmith_check::Source;
use wavesmith_sim::checked::{Finding, Kind, Options, Place, Severity, Sink};

/// What `--engine checked` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// With `--engine checked`: what decides everything left to chance. The same seed gives the same run [default: 0]
    #[arg(long, value_name = "N")]
    check_seed: Option<u64>,
    /// With `--engine checked`: run that many seeds, one after the other, until one finds an error [default: 16, or fewer
    /// once 4 million wave-instructions have been watched; 1 with `--check-seed`]
    #[arg(long, value_name = "N")]
    check_seeds: Option<u64>,
}

/// Seeds that are run where nobody says how many: one alone misses what only some orders show.
const SEEDS: u64 = 16;

/// Wave-instructions after which those are enough: some seconds.
const ENOUGH: u64 = 4_000_000;

/// A run that is watched, or not.
pub struct Watching {
    /// Whether it is.
    pub on: bool,
    first: u64,
    count: u64,
    /// Wave-instructions after which no other seed is begun.
    enough: u64,
    sink: Sink,
    /// Memory that means nothing before the kernel writes it.
    pub unwritten: Vec<(u64, u64)>,
    /// Bytes of arguments that the kernel is given.
    pub given: Option<u64>,
    /// Arrays given as arguments: number of the `--arg`, address, bytes.
    pub arrays: Vec<(usize, u64, u64)>,
    lines: BTreeMap<u64, Source>,
}

impl Watching {
    /// From the command line and the code object that will run.
    ///
    /// # Errors
    /// Seeds without `--engine checked`.
    pub fn new(engine: Engine, args: &Args, object: &[u8]) -> anyhow::Result<Watching> {
        let on = engine == Engine::Checked;
        if !on && (args.check_seed.is_some() || args.check_seeds.is_some()) {
            bail!("--check-seed and --check-seeds are for `--engine checked`");
        }
        let (count, enough) = match (args.check_seeds, args.check_seed) {
            (Some(n), _) => (n.max(1), u64::MAX),
            (None, Some(_)) => (1, u64::MAX),
            (None, None) => (SEEDS, ENOUGH),
        };
        Ok(Watching {
            on,
            first: args.check_seed.unwrap_or(0),
            count,
            enough,
            sink: Sink::default(),
            unwritten: Vec::new(),
            given: None,
            arrays: Vec::new(),
            lines: if on { wavesmith_check::source_lines(object) } else { BTreeMap::new() },
        })
    }

    /// The first seed.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The seeds to run.
    pub fn seeds(&self) -> impl Iterator<Item = u64> {
        let first = self.first;
        (0..self.count).map(move |i| first.wrapping_add(i))
    }

    /// Whether another seed is to follow, after that many wave-instructions of all before it.
    pub fn goes_on(&self, instructions: u64) -> bool {
        instructions < self.enough && !self.failed()
    }

    /// Tells that a seed's run is over, if it took long enough for somebody to wonder.
    pub fn passed(&self, seed: u64, instructions: u64, elapsed: Duration) {
        if self.on && elapsed >= Duration::from_secs(2) {
            let (millions, seconds) = (instructions as f64 / 1e6, elapsed.as_secs_f64());
            eprintln!("seed {seed}: {millions:.1} million wave-instructions watched in {seconds:.0} s");
        }
    }

    /// What the device is told for a seed.
    pub fn options(&self, seed: u64) -> Options {
        let (unwritten, sink) = (self.unwritten.clone(), self.sink.clone());
        Options { seed, unwritten, arguments: self.given, sink, ..Options::default() }
    }

    /// Whether an error was found.
    pub fn failed(&self) -> bool {
        self.sink.failed()
    }

    /// Tells what was found: to people on stdout, or nothing here if it goes into the JSON object.
    pub fn tell(&self, json: bool, seed: u64) {
        if !self.on || json {
            return;
        }
        let findings = self.sink.findings();
        for f in &findings {
            print_line(self.text(f).trim_end());
        }
        let count = |s: Severity| findings.iter().filter(|f| f.severity == s).count();
        let (errors, advice) = (count(Severity::Error), count(Severity::Advice));
        let plural = |n: u64| if n == 1 { "" } else { "s" };
        let seeds = seed.wrapping_sub(self.first) + 1;
        print_line(&format!(
            "{errors} error{}, {advice} advice in {seeds} seed{}",
            plural(errors as u64),
            plural(seeds)
        ));
        if errors > 0 {
            print_line(&format!("replay: {}", replay(seed)));
        }
    }

    /// Adds what was found to a JSON object.
    pub fn add_to(&self, object: &mut Value, seed: u64) {
        if !self.on {
            return;
        }
        let findings = self.sink.findings();
        let count = |s: Severity| findings.iter().filter(|f| f.severity == s).count();
        object["findings"] = findings.iter().map(|f| self.json(f)).collect();
        object["errors"] = count(Severity::Error).into();
        object["advice"] = count(Severity::Advice).into();
        object["seed"] = seed.into();
        object["seeds"] = (seed.wrapping_sub(self.first) + 1).into();
        object["replay"] = replay(seed).into();
    }

    /// Which array an address lies in or right behind, and where in it.
    fn array(&self, address: u64) -> Option<(usize, u64)> {
        let near = self.arrays.iter().filter(|(_, from, _)| *from <= address).max_by_key(|(_, from, _)| *from);
        near.filter(|(_, from, size)| address - from < size + 4096).map(|(number, from, _)| (*number, address - from))
    }

    fn source(&self, p: &Place) -> Option<&Source> {
        self.lines.range(..=p.pc).next_back().map(|(_, s)| s)
    }

    fn place(&self, p: &Place) -> String {
        let mut out = format!("{:#x}", p.pc);
        if !p.symbol.is_empty() {
            out += &format!(" <{}>", p.symbol);
        }
        if let Some(s) = self.source(p) {
            out += &format!(" {}:{}", s.file, s.line);
        }
        out + "  " + &p.text
    }

    fn text(&self, f: &Finding) -> String {
        let mut out = format!("{}[{}]: {}\n", f.severity.name(), f.kind, f.message);
        if let Some(p) = &f.at {
            out += &format!("  at    {}\n", self.place(p));
        }
        if let Some(p) = &f.other {
            out += &format!("  from  {}\n", self.place(p));
        }
        let [x, y, z] = f.workgroup;
        out += &format!("  in    kernel {}, workgroup ({x}, {y}, {z}), wave {}", f.kernel, f.wave);
        if let Some(lane) = f.lane {
            out += &format!(", lane {lane}");
        }
        if let Some(address) = f.address {
            out += &match self.array(address) {
                Some((number, offset)) => format!(", address {address:#x}, byte {offset} of --arg number {number}"),
                None if in_lds(f) => format!(", LDS address {address:#x}"),
                None => format!(", address {address:#x}"),
            };
        }
        out.push('\n');
        if let Some(need) = &f.need {
            out += &format!("  need  {need}\n");
        }
        out
    }

    fn json(&self, f: &Finding) -> Value {
        let place = |p: &Place| {
            json!({
                "pc": p.pc, "symbol": p.symbol, "text": p.text,
                "source": self.source(p).map(|s| json!({ "file": s.file, "line": s.line })),
            })
        };
        json!({
            "pc": f.at.as_ref().map(|p| p.pc),
            "severity": f.severity.name(),
            "kind": f.kind.name(),
            "message": f.message,
            "rule": f.rule,
            "kernel": f.kernel,
            "workgroup": f.workgroup,
            "wave": f.wave,
            "lane": f.lane,
            "address": f.address,
            "argument": f.address.and_then(|a| self.array(a)).map(|(number, offset)| json!({ "number": number, "byte": offset })),
            "at": f.at.as_ref().map(place),
            "other": f.other.as_ref().map(place),
            "path": [],
            "need": f.need,
        })
    }
}

/// Whether a finding's address is one in LDS.
fn in_lds(f: &Finding) -> bool {
    let text = f.at.as_ref().map_or("", |p| &p.text);
    f.kind == Kind::LdsRace || text.starts_with("ds_") || text.ends_with(" lds")
}

/// The command that runs a seed again.
fn replay(seed: u64) -> String {
    let mut words = vec!["wavesmith".to_owned()];
    let mut skip = false;
    for a in std::env::args().skip(1) {
        let (name, joined) = a.split_once('=').map_or((a.as_str(), false), |(n, _)| (n, true));
        if skip || name == "--check-seed" || name == "--check-seeds" {
            skip = !skip && !joined;
            continue;
        }
        let plain = !a.is_empty() && a.chars().all(|c| c.is_ascii_alphanumeric() || "-_=./,:@+%".contains(c));
        words.push(if plain { a } else { format!("'{}'", a.replace('\'', r"'\''")) });
    }
    words.push(format!("--check-seed {seed}"));
    words.join(" ")
}
