//! Odd lines: instructions changed in one or two places, as slips of the pen and hostile authors change them.

use wavesmith_asm::properties::{Rng, encodings, random_instruction};
use wavesmith_asm::{Form, RowId, Target, print};

/// What may stand in the place of an operand, a line each.
const OPERANDS: &str = include_str!("operands.txt");

/// What may stand after the operands.
const MODIFIERS: &str = include_str!("modifiers.txt");

/// Lines for what has a syntax or a rule of its own.
const SPECIAL: &str = include_str!("special.txt");

fn pick<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.below(of.len() as u64) as usize]
}

/// An instruction as its parts: mnemonic, operands, modifiers.
struct Parts {
    mnemonic: String,
    operands: Vec<String>,
    modifiers: String,
}

fn split(text: &str) -> Parts {
    let (mnemonic, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut operands = Vec::new();
    let (mut depth, mut at) = (0, 0);
    for (i, c) in rest.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                operands.push(rest[at..i].trim().to_owned());
                at = i + 1;
            }
            _ => {}
        }
    }
    let last = rest[at..].trim();
    let (last, modifiers) = last.split_once(' ').unwrap_or((last, ""));
    if !last.is_empty() {
        operands.push(last.to_owned());
    }
    Parts { mnemonic: mnemonic.to_owned(), operands, modifiers: modifiers.to_owned() }
}

impl Parts {
    fn join(&self) -> String {
        format!("{} {} {}", self.mnemonic, self.operands.join(", "), self.modifiers).trim_end().to_owned()
    }
}

/// The lists above as slices.
struct Pools {
    operands: Vec<&'static str>,
    modifiers: Vec<&'static str>,
}

fn change(rng: &mut Rng, p: &mut Parts, names: &[String], pools: &Pools) {
    let n = p.operands.len() as u64;
    match rng.below(20) {
        0..=7 if n > 0 => p.operands[rng.below(n) as usize] = pick(rng, &pools.operands).to_owned(),
        8 if n > 0 => {
            p.operands.remove(rng.below(n) as usize);
        }
        9 => {
            let at = rng.below(n + 1) as usize;
            p.operands.insert(at, pick(rng, &pools.operands).to_owned());
        }
        10 if n > 1 => {
            let (a, b) = (rng.below(n) as usize, rng.below(n) as usize);
            p.operands.swap(a, b);
        }
        11 => p.modifiers.clear(),
        12..=15 => p.modifiers = format!("{} {}", p.modifiers, pick(rng, &pools.modifiers)).trim().to_owned(),
        16 => p.modifiers = pick(rng, &pools.modifiers).to_owned(),
        17 => {
            let words: Vec<&str> = p.modifiers.split(' ').collect();
            let at = rng.below(words.len() as u64) as usize;
            let rest: Vec<&str> = words.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, w)| *w).collect();
            p.modifiers = rest.join(" ");
        }
        18 => {
            let base = ["_e32", "_e64", "_sdwa", "_dpp"].iter().find_map(|s| p.mnemonic.strip_suffix(s));
            let base = base.unwrap_or(&p.mnemonic).to_owned();
            p.mnemonic = base + pick(rng, &["", "_e32", "_e64", "_sdwa", "_dpp", "_e64_dpp", "_E32", "_gfx9", "_vi"]);
        }
        _ => p.mnemonic = names[rng.below(names.len() as u64) as usize].clone(),
    }
}

/// A character changed, put in or left out.
fn damage(rng: &mut Rng, text: &str) -> String {
    let mut b: Vec<char> = text.chars().collect();
    let at = rng.below(b.len() as u64) as usize;
    let any = b" ,:[]()|-+*v0s1a&xe.\"'_\t2"[rng.below(26) as usize % 25] as char;
    match rng.below(4) {
        0 => b[at] = any,
        1 => {
            b.remove(at);
        }
        2 => b.insert(at, any),
        _ => b[at] = if b[at].is_ascii_lowercase() { b[at].to_ascii_uppercase() } else { any },
    }
    b.into_iter().collect()
}

/// Lines by `seed`: `each` of every encoding, and all that have a syntax of their own.
pub fn lines(target: Target, each: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng(seed);
    let forms: Vec<(RowId, Form)> = encodings(target).collect();
    let mut names: Vec<String> = forms.iter().map(|(id, _)| id.row().name.to_owned()).collect();
    // Names of other targets too.
    for t in Target::ALL {
        names.extend(encodings(t).take(40).map(|(id, _)| id.row().name.to_owned()));
    }
    let pools = Pools { operands: OPERANDS.lines().collect(), modifiers: MODIFIERS.lines().collect() };
    let mut out: Vec<String> = SPECIAL.lines().map(str::to_owned).collect();
    for s in SPECIAL.lines() {
        for _ in 0..each / 2 {
            let mut p = split(s);
            change(&mut rng, &mut p, &names, &pools);
            out.push(p.join());
        }
    }
    for &(id, form) in &forms {
        for _ in 0..each {
            let Some(inst) = random_instruction(&mut rng, id, form, target) else { continue };
            let text = print::text(&inst);
            let mut p = split(&text);
            change(&mut rng, &mut p, &names, &pools);
            if rng.below(4) == 0 {
                change(&mut rng, &mut p, &names, &pools);
            }
            let line = p.join();
            out.push(if rng.below(6) == 0 { damage(&mut rng, &line) } else { line });
        }
    }
    // What would reach over the line's end in the oracle's input is no line.
    let paired = |l: &str, quote: char| l.matches(quote).count().is_multiple_of(2);
    out.retain(|l| paired(l, '"') && !l.contains(['\'', '\\']));
    // Nor is one that names a local label, which only a file has.
    let local =
        |w: &str| w.len() > 1 && w.ends_with(['b', 'f']) && w[..w.len() - 1].bytes().all(|b| b.is_ascii_digit());
    out.retain(|l| !l.split(|c: char| !c.is_ascii_alphanumeric()).any(local));
    out.retain(|l| !l.trim().is_empty() && !l.contains(['\n', ';', '#']) && !l.contains("//") && !l.contains("/*"));
    out
}
