//! Scalar memory.

use super::atomic::{Flush, atomic_words};
use super::words::{load_dword, store_dword};
use super::{Place, Resource, Result};
use crate::engine::ir::SmemOp;
use crate::engine::run::Worker;
use crate::engine::state::{Group, Wave};
use wavesmith_asm::sem::Atomic;

impl Worker<'_> {
    /// Dword `k` of what is loaded.
    fn load_scalar(&mut self, p: *const u8, k: usize) -> u32 {
        match &mut self.watch {
            Some(w) => w.read_scalar(p as u64, k as u32),
            None => load_dword(p),
        }
    }

    fn store_scalar(&mut self, p: *mut u8, v: u32) {
        match &mut self.watch {
            Some(w) => w.write(p as u64, 4, 0, v),
            None => store_dword(p, v),
        }
    }

    /// Executes a scalar memory operation.
    pub(in crate::engine) fn scalar_memory(&mut self, w: &mut Wave, op: &SmemOp) -> Result<()> {
        let base = w.s64(op.base);
        let offset =
            (op.offset as i64 as u64).wrapping_add(op.soffset.map_or(0, |s| u64::from(w.s32(s)) * u64::from(op.scale)));
        let (base, limit) = if op.buffer {
            let r = Resource::read(w, op.base);
            let limit = if r.stride == 0 { u64::from(r.records) } else { u64::from(r.records) * u64::from(r.stride) };
            (r.base, Some(limit))
        } else {
            (base & 0x0000_ffff_ffff_ffff, None)
        };
        let address = base.wrapping_add(offset) & !3;
        let inside = |k: u64| limit.is_none_or(|l| (offset & !3) + 4 * k + 4 <= l);
        if let Some((a, ty, ret)) = op.atomic {
            let words = atomic_words(a, ty);
            if !inside(u64::from(words) - 1) {
                return Ok(());
            }
            let p = self.resolve(address, 4 * words, 0)?;
            let get = |at: u8| if words == 2 { w.pair(at) } else { u64::from(w.s[at as usize]) };
            let (data, data1) = (get(op.data), if a == Atomic::CmpSwap { get(op.data + words as u8) } else { 0 });
            let mut nothing = Group::empty();
            let old = self.atomic(&mut nothing, Place::Linear(p), (a, ty, Flush::default()), words, 0, data, data1)?;
            if ret {
                w.s[op.data as usize] = old as u32;
                if words == 2 {
                    w.s[op.data as usize + 1] = (old >> 32) as u32;
                }
            }
            return Ok(());
        }
        let n = u64::from(op.dwords);
        if inside(n - 1) {
            let p = self.resolve(address, 4 * op.dwords as u32, 0)?;
            for k in 0..n as usize {
                let p = p.wrapping_add(4 * k);
                if op.store {
                    self.store_scalar(p, w.s[op.data as usize + k]);
                } else {
                    w.s[op.data as usize + k] = self.load_scalar(p, k);
                }
            }
            return Ok(());
        }
        for k in 0..n {
            let v = if inside(k) {
                let p = self.resolve(address + 4 * k, 4, 0)?;
                if op.store {
                    self.store_scalar(p, w.s[op.data as usize + k as usize]);
                    continue;
                }
                self.load_scalar(p, k as usize)
            } else {
                0
            };
            if !op.store {
                w.s[op.data as usize + k as usize] = v;
            }
        }
        Ok(())
    }
}
