//! Mutants of the monokernel: every barrier, wait, `sc1`, `buffer_inv` and `buffer_wbl2` is taken out in turn, for both ways
//! to join stages, and the static checker, then the watching engine for some seeds, must see it.
//!
//! `cargo run --release -p wavesmith-runner --example mutants -- [SEEDS]` prints the score and every survivor.

#[path = "../tests/device/protocol.rs"]
#[allow(dead_code)]
mod protocol;

use protocol::{Protocol, patched, whole};
use std::cell::RefCell;
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Field, Inst, decode, print};
use wavesmith_kernels::monokernel::Sync;

/// What an instruction becomes, if it orders anything.
fn weakened(inst: &Inst) -> Option<Inst> {
    let wait = |simm: u32| {
        // A wait for nothing.
        let mut other = *inst;
        other.set(Field::Simm16, simm);
        other
    };
    match inst.row().sem {
        Sem::Control(Control::Waitcnt) => Some(wait(0xcf7f)),
        // `s_nop 0`.
        Sem::Control(Control::Barrier) => decode(&[0xbf80_0000], inst.target()).ok(),
        // Without `sc1` they do nothing that matters here.
        Sem::CacheWriteback
        | Sem::CacheInvalidate { .. }
        | Sem::Load { .. }
        | Sem::Store { .. }
        | Sem::Atomic { .. }
            if inst.get(Field::Sc1) != 0 =>
        {
            let mut other = *inst;
            other.set(Field::Sc1, 0);
            Some(other)
        }
        _ => None,
    }
}

fn main() {
    let seeds = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(4);
    for (name, sync) in [("sentinel", Sync::Sentinel), ("counter", Sync::Counter)] {
        let plain = Protocol::joined(8, sync, whole).plain();
        let right = plain.logits.clone().unwrap_or_default();
        let (mut total, mut by_static, mut by_dynamic, mut survivors) = (0, 0, 0, Vec::new());
        for site in 0.. {
            let text = RefCell::new(None);
            let object = RefCell::new(Vec::new());
            let make = |kernel: &wavesmith_kernels::monokernel::Monokernel| {
                let seen = RefCell::new(0);
                let sites = |insts: &[Inst], i: usize| {
                    let new = weakened(&insts[i])?;
                    let mut n = seen.borrow_mut();
                    *n += 1;
                    if *n - 1 != site {
                        return None;
                    }
                    let near: Vec<String> =
                        insts[i.saturating_sub(2)..(i + 2).min(insts.len())].iter().map(print::text).collect();
                    *text.borrow_mut() = Some(format!("{} [{}]", print::text(&insts[i]), near.join("; ")));
                    Some(new)
                };
                let out = if count(kernel) > site { patched(kernel, sites) } else { kernel.object.clone() };
                object.borrow_mut().clone_from(&out);
                out
            };
            let device = Protocol::joined(8, sync, make).with_fuel(6 * plain.instructions.max(200_000));
            let Some(text) = text.take() else { break };
            total += 1;
            let found = wavesmith_check::check(&object.borrow(), &wavesmith_check::Options::default());
            if found.is_ok_and(|r| r.failed()) {
                by_static += 1;
                continue;
            }
            match (0..seeds).find_map(|seed| device.watched(seed).wrong(&right)) {
                Some(_) => by_dynamic += 1,
                None => survivors.push(text),
            }
        }
        println!(
            "{name}: {total} mutants, {by_static} by the static half, {by_dynamic} more by the dynamic half, {} survive",
            survivors.len()
        );
        for s in survivors {
            println!("  {s}");
        }
    }
}

/// How many sites there are.
fn count(kernel: &wavesmith_kernels::monokernel::Monokernel) -> usize {
    let words: Vec<u32> = kernel.kernel.code.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
    let (mut at, mut n) = (0, 0);
    while at < words.len() {
        match decode(&words[at..], kernel.kernel.target) {
            Ok(inst) => {
                n += usize::from(weakened(&inst).is_some());
                at += inst.dwords();
            }
            Err(_) => at += 1,
        }
    }
    n
}
