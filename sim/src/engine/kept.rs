//! Lowered and compiled code, kept from one dispatch to the next.
//!
//! A program launches few kernels many times. Nothing tells the engine when code changes: the host may write it at any
//! time, and an address may belong to another object tomorrow. So with the code are kept the words it was made of, and
//! a dispatch that finds its code here first looks whether memory still holds them: a comparison of a few kilobytes,
//! where making the code again would take a hundred times as long. What is dropped is what was used longest ago, so that
//! the whole stays small.

use super::ir::{Origin, Segment, Uop};
use super::lanes::{Lanes, Level};
use super::lower::{Layout, Mode};
use crate::config::EngineKind;
use crate::memory::View;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of code that are kept at most, with all that belongs to it.
const MOST: usize = 16 << 20;

/// What the code of an address depends on besides its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// First instruction.
    pub pc: u64,
    /// What MODE says.
    pub mode: Mode,
    /// Registers and target.
    pub layout: Layout,
    /// Who executes it.
    pub engine: EngineKind,
    /// What compiled code may use of the host.
    pub level: Level,
}

/// The words that code was made of.
#[derive(Debug, Default)]
pub struct Source {
    /// Words at an address.
    runs: Vec<(u64, Vec<u32>)>,
    /// Addresses where there were none.
    ends: Vec<u64>,
}

impl Source {
    /// Notes what was read at an address: the words there up to the first that is not mapped.
    pub fn note(&mut self, at: u64, words: &[u32], all: bool) {
        if !all {
            self.ends.push(at.wrapping_add(4 * words.len() as u64));
        }
        if let Some((start, run)) = self.runs.last_mut()
            && let Some(from) = at.checked_sub(*start)
            && from % 4 == 0
            && from / 4 <= run.len() as u64
        {
            // Each look reaches a few words further than the one before.
            let known = run.len() - (from / 4) as usize;
            run.extend_from_slice(words.get(known..).unwrap_or_default());
        } else if !words.is_empty() {
            self.runs.push((at, words.to_vec()));
        }
    }

    /// Whether memory still holds it.
    fn holds(&self, view: &mut View<'_>) -> bool {
        self.runs.iter().all(|(at, words)| {
            let Ok(p) = view.resolve(*at, 4 * words.len()) else { return false };
            let p = p.cast::<AtomicU32>();
            // SAFETY: all of the range is mapped, and code is aligned to words.
            words.iter().enumerate().all(|(i, w)| unsafe { (*p.add(i)).load(Relaxed) } == *w)
        }) && self.ends.iter().all(|at| !at.is_multiple_of(4) || view.resolve(*at, 4).is_err())
    }

    /// The first of the words that memory holds no longer, with what is there now. Memory that is gone is not looked at.
    pub fn changed(&self, view: &mut View<'_>) -> Option<(u64, u32)> {
        self.runs.iter().find_map(|(at, words)| {
            let p = view.resolve(*at, 4 * words.len()).ok()?.cast::<AtomicU32>();
            // SAFETY: all of the range is mapped, and code is aligned to words.
            let now = |i: usize| unsafe { (*p.add(i)).load(Relaxed) };
            words
                .iter()
                .enumerate()
                .map(|(i, w)| (i, *w, now(i)))
                .find(|(_, w, now)| w != now)
                .map(|(i, _, now)| (at + 4 * i as u64, now))
        })
    }

    fn size(&self) -> usize {
        self.runs.iter().map(|(_, w)| 4 * w.capacity() + 32).sum::<usize>() + 8 * self.ends.capacity()
    }
}

#[derive(Debug)]
struct Entry {
    segment: Arc<Segment>,
    source: Arc<Source>,
    size: usize,
    /// When it was last asked for.
    used: u64,
}

#[derive(Debug, Default)]
struct Entries {
    by_key: HashMap<Key, Entry>,
    size: usize,
    /// Questions so far.
    now: u64,
}

/// The code that a device keeps.
#[derive(Debug, Default)]
pub struct Kept(Mutex<Entries>);

impl Kept {
    /// The code of an address, if it was made before of what memory holds now.
    pub fn find(&self, key: &Key, view: &mut View<'_>) -> Option<(Arc<Segment>, Arc<Source>)> {
        let (segment, source) = {
            let mut entries = self.0.lock();
            entries.now += 1;
            let now = entries.now;
            let entry = entries.by_key.get_mut(key)?;
            entry.used = now;
            (entry.segment.clone(), entry.source.clone())
        };
        // Not under the lock: other dispatches need not wait for the comparison.
        source.holds(view).then_some((segment, source))
    }

    /// Keeps code, in place of what was made of other words at its address.
    pub fn keep(&self, key: Key, segment: &Arc<Segment>, source: Arc<Source>) {
        let size = size(segment) + source.size();
        if size > MOST / 4 {
            return;
        }
        let mut dropped = Vec::new();
        let mut entries = self.0.lock();
        entries.now += 1;
        let entry = Entry { segment: segment.clone(), source, size, used: entries.now };
        entries.size += size;
        if let Some(old) = entries.by_key.insert(key, entry) {
            entries.size -= old.size;
            dropped.push(old);
        }
        while entries.size > MOST {
            let Some(oldest) = entries.by_key.iter().min_by_key(|(_, e)| e.used).map(|(k, _)| *k) else { break };
            if let Some(old) = entries.by_key.remove(&oldest) {
                entries.size -= old.size;
                dropped.push(old);
            }
        }
        // Unmapping pages takes the host a while.
        drop(entries);
        drop(dropped);
    }

    /// Drops code whose entry is in a range that is unmapped.
    pub fn forget(&self, base: u64, size: u64) {
        let mut dropped = Vec::new();
        let mut entries = self.0.lock();
        let gone: Vec<Key> = entries.by_key.keys().filter(|k| k.pc.wrapping_sub(base) < size).copied().collect();
        for key in gone {
            if let Some(old) = entries.by_key.remove(&key) {
                entries.size -= old.size;
                dropped.push(old);
            }
        }
        drop(entries);
        drop(dropped);
    }

    /// Bytes that are kept, and for how many entries.
    #[cfg(test)]
    fn held(&self) -> (usize, usize) {
        let entries = self.0.lock();
        (entries.size, entries.by_key.len())
    }
}

/// Bytes that a segment takes, about.
fn size(s: &Segment) -> usize {
    let mut n = size_of::<Segment>() + s.uops.capacity() * size_of::<Uop>();
    n += s.origins.capacity() * size_of::<Origin>() + s.blocks.capacity() * size_of::<super::ir::Block>();
    n += s.vconst.capacity() * size_of::<Lanes>() + s.sconst.capacity() * 4;
    n += s.mems.capacity() * size_of::<super::ir::MemOp>() + s.smems.capacity() * size_of::<super::ir::SmemOp>();
    n += s.mfmas.capacity() * size_of::<super::mfma::Mfma>();
    #[cfg(all(target_arch = "x86_64", unix))]
    if let Some(native) = &s.native {
        n += native.size();
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentId;
    use crate::memory::{Kind, Memory};
    use wavesmith_asm::Target;

    fn key(pc: u64) -> Key {
        let layout = Layout {
            target: Target::Gfx942,
            vgprs: 8,
            agpr_base: 8,
            agprs: 0,
            registers: 8,
            shared_aperture: 0,
            private_aperture: 0,
        };
        Key { pc, mode: Mode::of(0, 0), layout, engine: EngineKind::Interp, level: Level::Plain }
    }

    fn put(at: u64, word: u32) {
        // SAFETY: the caller gives an address in its own allocation.
        unsafe { (at as *mut u32).write(word) };
    }

    #[test]
    fn code_is_found_as_long_as_memory_holds_its_words() {
        let memory = Memory::new();
        let code = memory.allocate(64, Kind::Code, Some(AgentId(0))).expect("allocates");
        let (at, kept, segment) = (code.base(), Kept::default(), Arc::new(Segment::default()));
        let mut view = memory.view(AgentId(0));
        put(at + 8, 7);
        let mut source = Source::default();
        source.note(at, &[0, 0, 7, 0], true);
        source.note(at + 4, &[0, 7, 0, 0], true);
        assert_eq!(source.runs, [(at, vec![0, 0, 7, 0, 0])]);
        kept.keep(key(at), &segment, Arc::new(source));
        assert!(kept.find(&key(at), &mut view).is_some());
        assert!(kept.find(&key(at + 4), &mut view).is_none());
        let (_, source) = kept.find(&key(at), &mut view).expect("kept");
        assert_eq!(source.changed(&mut view), None);
        put(at + 8, 8);
        assert_eq!(source.changed(&mut view), Some((at + 8, 8)));
        assert!(kept.find(&key(at), &mut view).is_none());
        put(at + 8, 7);
        assert!(kept.find(&key(at), &mut view).is_some());
        memory.free(at).expect("frees");
        assert!(kept.find(&key(at), &mut view).is_none());
        kept.forget(at, 64);
        assert_eq!(kept.held(), (0, 0));
    }

    #[test]
    fn what_was_used_longest_ago_goes_when_there_is_too_much() {
        let kept = Kept::default();
        let mut big = Segment::default();
        big.sconst.reserve_exact(MOST / 4 / 5);
        let big = Arc::new(big);
        let memory = Memory::new();
        let mut view = memory.view(AgentId(0));
        for i in 0..4 {
            kept.keep(key(i), &big, Arc::default());
        }
        assert!(kept.find(&key(0), &mut view).is_some());
        kept.keep(key(4), &big, Arc::default());
        assert!(kept.find(&key(0), &mut view).is_some());
        assert!(kept.find(&key(1), &mut view).is_none());
        assert!(kept.held().0 <= MOST);
    }
}
