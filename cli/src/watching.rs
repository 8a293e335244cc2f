//! `--engine checked`: its options, and the report of what it saw.

use crate::device::Engine;
use crate::outcome::print_line;
use anyhow::bail;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wavesmith_check::Source;
use wavesmith_sim::checked::{Finding, Options, Place, Severity, Sink};

/// What `--engine checked` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// With `--engine checked`: what decides everything left to chance. The same seed gives the same run [default: 0]
    #[arg(long, value_name = "N")]
    check_seed: Option<u64>,
    /// With `--engine checked`: run that many seeds, one after the other, until one finds an error [default: 1]
    #[arg(long, value_name = "N")]
    check_seeds: Option<u64>,
}

/// A run that is watched, or not.
pub struct Watching {
    /// Whether it is.
    pub on: bool,
    first: u64,
    count: u64,
    sink: Sink,
    /// Memory that means nothing before the kernel writes it.
    pub unwritten: Vec<(u64, u64)>,
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
        Ok(Watching {
            on,
            first: args.check_seed.unwrap_or(0),
            count: args.check_seeds.unwrap_or(1).max(1),
            sink: Sink::default(),
            unwritten: Vec::new(),
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

    /// What the device is told for a seed.
    pub fn options(&self, seed: u64) -> Options {
        Options { seed, unwritten: self.unwritten.clone(), sink: self.sink.clone(), ..Options::default() }
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
        print_line(&format!("{errors} error{}, {advice} advice", if errors == 1 { "" } else { "s" }));
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
        object["replay"] = replay(seed).into();
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
            "at": f.at.as_ref().map(place),
            "other": f.other.as_ref().map(place),
            "path": [],
            "need": f.need,
        })
    }
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
