//! A register file handed out by hand: exact widths, alignments, nothing moved or spilled.
//!
//! First fit from the bottom keeps the highest register low, which is what occupancy pays for. Every run remembers the
//! line that took it, so running out is answered with who holds what.

use crate::error::{EmitError, File, Live};
use std::panic::Location;
use wavesmith_asm::reg::RegClass;

/// One file's free list.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    class: RegClass,
    limit: u16,
    /// Sorted by first register.
    live: Vec<Live>,
}

impl Pool {
    pub(crate) fn new(class: RegClass, limit: u16) -> Pool {
        Pool { class, limit, live: Vec::new() }
    }

    pub(crate) fn set_limit(&mut self, limit: u16) {
        self.limit = limit;
    }

    pub(crate) fn limit(&self) -> u16 {
        self.limit
    }

    /// Registers in use.
    pub(crate) fn in_use(&self) -> u16 {
        self.live.iter().map(|l| l.count).sum()
    }

    pub(crate) fn live(&self) -> &[Live] {
        &self.live
    }

    /// The lowest free run of `count` registers at a multiple of `align`.
    pub(crate) fn take(&mut self, count: u16, align: u16, at: &'static Location<'static>) -> Result<u16, EmitError> {
        let mut first = 0u16;
        let mut slot = 0;
        for (i, l) in self.live.iter().enumerate() {
            if first + count <= l.first {
                break;
            }
            first = (l.first + l.count).next_multiple_of(align);
            slot = i + 1;
        }
        if first + count > self.limit {
            return Err(EmitError::OutOfRegisters {
                file: File(self.class),
                count,
                align,
                limit: self.limit,
                live: self.live.clone(),
                at,
            });
        }
        self.live.insert(slot, Live { first, count, at });
        Ok(first)
    }

    /// Exactly those registers.
    pub(crate) fn pin(&mut self, first: u16, count: u16, at: &'static Location<'static>) -> Result<(), EmitError> {
        let slot = self.live.partition_point(|l| l.first + l.count <= first);
        if let Some(holder) = self.live.get(slot).filter(|l| l.first < first + count) {
            return Err(EmitError::Taken { file: File(self.class), first, count, holder: holder.clone(), at });
        }
        self.live.insert(slot, Live { first, count, at });
        Ok(())
    }

    /// Gives a run, or a part of one, back.
    pub(crate) fn free(&mut self, first: u16, count: u16, at: &'static Location<'static>) -> Result<(), EmitError> {
        let slot = self.live.partition_point(|l| l.first + l.count <= first);
        match self.live.get(slot).cloned() {
            Some(l) if l.first <= first && first + count <= l.first + l.count => {
                let tail = Live { first: first + count, count: l.first + l.count - first - count, at: l.at };
                let head = Live { first: l.first, count: first - l.first, at: l.at };
                self.live.splice(slot..=slot, [head, tail].into_iter().filter(|l| l.count > 0));
                Ok(())
            }
            _ => Err(EmitError::NotAllocated { file: File(self.class), first, count, at }),
        }
    }

    /// Keeps only what was live in `before`: the end of a scope.
    pub(crate) fn restore(&mut self, before: &Pool) {
        self.live.clone_from(&before.live);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn here() -> &'static Location<'static> {
        Location::caller()
    }

    #[test]
    fn exhaustion_says_who_holds_what() {
        let mut p = Pool::new(RegClass::V, 8);
        p.take(5, 1, here()).unwrap();
        let error = p.take(4, 2, here()).unwrap_err();
        let EmitError::OutOfRegisters { count: 4, limit: 8, live, .. } = &error else { panic!("{error}") };
        assert_eq!(live.len(), 1);
        assert!(error.to_string().contains("0..5 from "), "{error}");
        assert!(error.to_string().contains("pool.rs:"), "{error}");
    }

    #[test]
    fn a_part_of_a_run_can_be_freed_and_only_a_taken_part() {
        let mut p = Pool::new(RegClass::S, 102);
        let q = p.take(4, 4, here()).unwrap();
        p.free(q + 1, 2, here()).unwrap();
        assert_eq!(p.take(1, 1, here()).unwrap(), q + 1);
        assert!(matches!(p.free(q + 2, 2, here()), Err(EmitError::NotAllocated { .. })));
        assert!(matches!(p.pin(q, 1, here()), Err(EmitError::Taken { .. })));
        p.pin(q + 2, 1, here()).unwrap();
        assert_eq!(p.in_use(), 4);
    }

    proptest! {
        #[test]
        fn runs_never_overlap_and_are_aligned(ops in proptest::collection::vec((1u16..9, 0u32..3, any::<bool>()), 1..200)) {
            let mut p = Pool::new(RegClass::V, 256);
            let mut held: Vec<(u16, u16)> = Vec::new();
            for (count, log_align, free) in ops {
                if free && !held.is_empty() {
                    let (first, n) = held.swap_remove(usize::from(count) % held.len());
                    p.free(first, n, here()).unwrap();
                } else if let Ok(first) = p.take(count, 1 << log_align, here()) {
                    prop_assert_eq!(first % (1 << log_align), 0);
                    prop_assert!(first + count <= 256);
                    prop_assert!(held.iter().all(|(f, n)| first + count <= *f || f + n <= first));
                    held.push((first, count));
                }
                prop_assert_eq!(p.in_use(), held.iter().map(|h| h.1).sum::<u16>());
            }
        }
    }
}
