//! Accesses to memory: what they touch, whom they meet there, and what they get.

use super::races::{Hit, Order, known, over, worst};
use super::*;
use wavesmith_asm::sem::Sem;

impl Watch {
    fn bounds(&mut self, address: u64, size: u64, lane: u32, write: bool) {
        let Some(r) = self.shadow.region(address) else { return };
        let (base, end) = (r.base, r.base + r.size);
        if let Some(a) = self.arguments
            && base <= a.base
            && (a.base..end).contains(&address)
        {
            self.behind_arguments(a, address - a.base, size, lane, write);
        }
        if address + size > end {
            let what = if write { "stores" } else { "loads" };
            let number = self.ctx.number;
            // The lane whose bytes are beyond, where lanes lie one after another, and where those begin.
            let each = (size / WAVE as u64).max(1);
            let (lane, first) = match end.saturating_sub(address) / each {
                beyond if size > 16 => (beyond as u32, address + beyond * each),
                _ => (lane, address),
            };
            let at = At { number, lane: Some(lane), address: Some(first), ..At::default() };
            self.report(Severity::Error, Kind::Bounds, None, at, |_| {
                let text = format!(
                    "{what} {size} bytes at {address:#x}, past the end of the {} bytes allocated at {base:#x}",
                    end - base
                );
                (None, text)
            });
        }
        if !address.is_multiple_of(4) && size >= 4 {
            let number = self.ctx.number;
            let at = At { number, lane: Some(lane), address: Some(address), ..At::default() };
            self.report(Severity::Advice, Kind::Alignment, None, at, |_| {
                (None, format!("accesses dwords at {address:#x}, which is no multiple of 4: slow, and refused where unaligned access is off"))
            });
        }
    }

    /// An access to the memory that kernel arguments are in, at a byte of theirs: how far it may go.
    ///
    /// Compilers load four dwords where three are left, since arguments begin at a multiple of 16. A load that begins
    /// among the arguments and goes on is no fault either where it is a multiple of its size from the begin: what it brings
    /// along means nothing, which is found where it is used.
    fn behind_arguments(&mut self, a: Arguments, from: u64, size: u64, lane: u32, write: bool) {
        let lanes = !self.ctx.scalar;
        let (from, size) = match self.program.infos.get(self.ctx.number as usize).map(|i| i.inst.row().sem) {
            Some(Sem::ScalarLoad { dwords, .. }) => (from.saturating_sub(4 * u64::from(lane)), 4 * u64::from(dwords)),
            _ => (from, size),
        };
        let along = !write && !lanes && from < a.size && from.is_multiple_of(size.next_power_of_two());
        if from + size <= a.size.next_multiple_of(16) || along {
            return;
        }
        let at =
            At { number: self.ctx.number, lane: lanes.then_some(lane), address: Some(a.base + from), ..At::default() };
        self.report(Severity::Error, Kind::Bounds, None, at, |_| {
            let what = if write { "stores" } else { "loads" };
            (
                None,
                format!(
                    "{what} bytes {from} to {} of the arguments, of which the launch gives {}",
                    from + size,
                    a.size
                ),
            )
        });
    }

    /// Looks at the dwords of an access, and tells what they run into. `dwords` of a lane's data follow each other, lane after
    /// lane.
    fn track(&mut self, address: u64, size: u64, write: bool, first_lane: u32, first_dword: usize, dwords: usize) {
        if let Some(h) = self.runs_into(address, size, write, first_lane, first_dword, dwords) {
            self.race(h);
        }
    }

    /// Looks at the dwords of an access: what they run into.
    fn runs_into(
        &mut self,
        address: u64,
        size: u64,
        write: bool,
        first_lane: u32,
        first_dword: usize,
        dwords: usize,
    ) -> Option<Hit> {
        let group = self.group.as_deref()?;
        let ctx = self.ctx;
        let me = ctx.wave;
        let wave = group.waves.get((me - group.first) as usize)?;
        let mates = group.mates();
        let (seen, fresh) = match &self.then {
            Some((seen, fresh)) => (seen, fresh),
            None => (&wave.seen, if ctx.scalar { &group.fresh_scalar } else { &group.fresh }),
        };
        // What the scalar cache lacks comes from the die's L2.
        let behind = (ctx.scalar && self.caches.dies() > 1).then_some(&group.fresh);
        let modifies = ctx.scope.atomic && self.program.infos[ctx.number as usize].modifies;
        let mut hit: Option<Hit> = None;
        let mut inbox: Vec<Sent> = Vec::new();
        // Whether a plain load is one that others of the workgroup may store to meanwhile.
        let mut polls: Option<bool> = None;
        let mut last_message = wave.joined;
        // What was asked last is mostly asked again.
        let mut memo: Option<(Stamp, Order)> = None;
        let mut asked: Option<(Stamp, Order)> = None;
        // The last line whose readers were all in order.
        let mut quiet: Option<u64> = None;
        let sent = self.sent.filter(|_| write && (ctx.scope.atomic || !self.caches.unkind));
        let room = &mut self.room;
        let mut at = address;
        let end = address + size;
        let region = self.shadow.region(address);
        self.ctx.outlives |= write && region.as_ref().is_none_or(|r| r.kind != MemoryKind::Scratch);
        let region = region?;
        if region.kind == MemoryKind::Scratch {
            self.track_private(address, size, write, first_lane, first_dword);
            return None;
        }
        let (mut lane, mut k) = (first_lane, first_dword);
        while at < end {
            let page = region.page(at);
            let page_end = (at / 4096 + 1) * 4096;
            while at < end.min(page_end) {
                // Whole lines that nobody has written, which most of what a kernel loads is.
                if !write
                    && at.is_multiple_of(LINE)
                    && end - at >= LINE
                    && page.writes.is_none()
                    && page.undefined.is_none()
                {
                    let stamp = ctx.stamp(15);
                    let line = (at % 4096 / LINE) as usize;
                    page.read_line(line, stamp, room, |r| over(seen, &mates, r) == Order::Yes);
                    at += LINE;
                    let dwords_on = (LINE / 4) as usize + k;
                    lane += (dwords_on / dwords.max(1)) as u32;
                    k = dwords_on % dwords.max(1);
                    continue;
                }
                let dword = Page::dword(at);
                let from = at % 4;
                let n = (4 - from).min(end - at);
                let bytes = (((1u32 << n) - 1) << from) as u8;
                let stamp = ctx.stamp(bytes);
                let w = page.writes.as_ref().map_or(Stamp::default(), |w| w[dword]);
                if w.wave == me && ctx.scope.group && (!write || ctx.scope.atomic) {
                    // Its own store may have been issued later and seen earlier than another's.
                    let found = page.messages.as_ref().map_or(Sent::default(), |m| m[dword]);
                    let looks = ctx.scope.agent || mates.contains(&found.wave);
                    if looks && found.wave != 0 && found.wave != me && found != last_message {
                        inbox.push(found);
                        last_message = found;
                    }
                }
                if w.wave != 0 && w.wave != me && w.bytes & bytes != 0 {
                    let both = if mates.contains(&w.wave) {
                        w.group
                            && (ctx.scope.group
                                || !write
                                    && *polls.get_or_insert_with(|| !ctx.scope.group && self.program.polls(ctx.number)))
                    } else {
                        w.agent && ctx.scope.agent
                    };
                    if both {
                        if !write || ctx.scope.atomic {
                            let found = page.messages.as_ref().map_or(Sent::default(), |m| m[dword]);
                            if found.wave != 0 && found.wave != me && found != last_message {
                                inbox.push(found);
                                last_message = found;
                            }
                        }
                    } else {
                        let order = match memo {
                            Some((s, order)) if s.wave == w.wave && s.at == w.at => order,
                            _ => {
                                let order = known(seen, &mates, &w, ctx.scalar);
                                memo = Some((w, order));
                                order
                            }
                        };
                        let mut is = |kind, order| {
                            let new = Hit { kind, stamp: w, write, lane, address: at, read_of: false, order };
                            worst(&mut hit, new);
                        };
                        if order != Order::Yes {
                            is(Kind::GlobalRace, order);
                        }
                        if order != Order::No
                            && !write
                            && !ctx.scope.past_l1
                            && (ctx.scalar || !mates.contains(&w.wave))
                            && (known(fresh, &mates, &w, ctx.scalar) == Order::No
                                || !mates.contains(&w.wave)
                                    && behind.is_some_and(|f| known(f, &mates, &w, false) == Order::No))
                        {
                            is(Kind::StaleRead, Order::No);
                        }
                    }
                }
                if write {
                    let line = at / LINE;
                    if quiet != Some(line) {
                        let split = page.line(at).split;
                        let (one, others) = page.readers(dword);
                        let mut all_in_order = true;
                        for r in core::iter::once(&one).chain(others) {
                            if r.wave == 0 || r.wave == me || r.bytes & bytes == 0 {
                                continue;
                            }
                            let both = if mates.contains(&r.wave) {
                                r.group && ctx.scope.group
                            } else {
                                r.agent && ctx.scope.agent
                            };
                            if both {
                                continue;
                            }
                            let order = match asked {
                                Some((s, order)) if s.wave == r.wave && s.at == r.at => order,
                                _ => {
                                    let order = over(seen, &mates, r);
                                    asked = Some((*r, order));
                                    order
                                }
                            };
                            if order == Order::Yes {
                                continue;
                            }
                            // A plain load that is polled, where no bit tells it from others.
                            if mates.contains(&r.wave) && ctx.scope.group && self.program.polls(r.number) {
                                continue;
                            }
                            all_in_order = false;
                            let kind = Kind::GlobalRace;
                            worst(&mut hit, Hit { kind, stamp: *r, write, lane, address: at, read_of: true, order });
                        }
                        if all_in_order && !split {
                            quiet = Some(line);
                        }
                    }
                    if bytes == 15 && !ctx.scope.agent {
                        page.forget_readers(dword, room);
                    }
                    page.writes.get_or_insert_with(Page::stamps)[dword] = stamp;
                    if let Some(sent) = sent {
                        page.messages.get_or_insert_with(Page::sent)[dword] = sent;
                    }
                } else if !ctx.scope.atomic {
                    page.read_dword(dword, stamp, room, |r| over(seen, &mates, r) == Order::Yes);
                }
                if lane < WAVE as u32 {
                    if write {
                        let marked = ctx.taint.data[k] >> lane & 1 == 1;
                        if marked || page.undefined.is_some() {
                            let all = page.undefined.get_or_insert_with(Page::bytes);
                            // What is added to something undefined is no less so.
                            let kept = if modifies { all[dword] } else { all[dword] & !bytes };
                            all[dword] = if marked { kept | bytes } else { kept };
                        }
                    } else if let Some(all) = &page.undefined
                        && all[dword] & bytes != 0
                    {
                        self.ctx.loaded[k] |= 1 << lane;
                    }
                }
                let ctx_dwords = dwords.max(1);
                at += n;
                if at.is_multiple_of(4) {
                    k += 1;
                    if k >= ctx_dwords {
                        k = 0;
                        lane += 1;
                    }
                    k = k.min(3);
                }
            }
        }
        if !inbox.is_empty() {
            let (me_index, at) = ((me - group.first) as usize, self.ctx.at);
            if let Some(group) = self.group.as_deref_mut() {
                let wave = &mut group.waves[me_index];
                for found in inbox {
                    if wave.inbox.len() < 4096 {
                        wave.inbox.push((at, found));
                    }
                    wave.joined = found;
                }
            }
        }
        hit
    }

    fn track_private(&mut self, address: u64, size: u64, write: bool, lane: u32, k: usize) {
        let Some(region) = self.shadow.region(address) else { return };
        for a in address..address + size {
            let page = region.page(a);
            let dword = Page::dword(a);
            let bit = 1u8 << (a % 4);
            let k = (k + ((a - address) / 4) as usize).min(3);
            if let Some(all) = &mut page.undefined
                && lane < WAVE as u32
            {
                if write {
                    let marked = self.ctx.taint.data[k] >> lane & 1 == 1;
                    all[dword] = if marked { all[dword] | bit } else { all[dword] & !bit };
                } else if all[dword] & bit != 0 {
                    self.ctx.loaded[k] |= 1 << lane;
                }
            }
        }
    }

    /// Makes the message that stores of the wave at hand carry, if others may look at them meanwhile.
    fn prepare_message(&mut self) {
        self.sent = None;
        if !self.ctx.scope.group {
            return;
        }
        let who = self.who();
        let (wave, at) = (self.ctx.wave, self.ctx.at);
        let Some(group) = self.group.as_deref_mut() else { return };
        let w = &mut group.waves[(wave - group.first) as usize];
        if self.cleared != (wave, at) {
            self.cleared = (wave, at);
            // What it lets others know of is there before it. Where each die has an L2 that takes a write-back.
            if self.caches.dies() == 1 {
                self.caches.flush_known(&mut self.shadow, who, &w.seen);
            }
        }
        if w.message.is_none_or(|n| self.messages.dropped(n)) {
            let (complete, released) = (w.complete, w.released);
            let (scalar, loads) = (w.scalar_complete, w.loads_complete);
            let me = Known { wave, complete, released, issued: complete, passed: released, scalar, loads };
            Arc::make_mut(&mut w.seen).raise(me);
            // Of itself it can only vouch for what it has waited for.
            let mut all = w.seen.clone();
            if all.of(wave) != Some(&me) {
                Arc::make_mut(&mut all).set(me);
            }
            w.message = Some(self.messages.send(all));
        }
        self.sent = w.message.map(|message| Sent { message, wave, at });
    }

    /// A read-modify-write continues what the writers before it released: who reads its value learns from all of them.
    fn pass_on(&mut self, address: u64) {
        let Some(page) = self.shadow.region(address).map(|r| r.page(address)) else { return };
        let before = page.messages.as_ref().map_or(0, |m| m[Page::dword(address)].message);
        let Some(group) = self.group.as_deref() else { return };
        let Some(w) = group.waves.get((self.ctx.wave - group.first) as usize) else { return };
        let Some(found) = self.messages.get(before) else { return };
        let own = w.message.and_then(|n| self.messages.get(n)).unwrap_or(&w.seen);
        let mut all = Vc::clone(own);
        if all.join(found) {
            let message = self.messages.send(Arc::new(all));
            self.sent = self.sent.map(|s| Sent { message, ..s });
        }
    }

    /// An access of all lanes to consecutive dwords. Gives the place to load from, or to store to until
    /// [`stored`](Watch::stored).
    pub(crate) fn range(&mut self, address: u64, size: u64, write: bool) -> *mut u8 {
        self.bounds(address, size, 0, write);
        let dwords = (size / (4 * WAVE as u64)) as usize;
        if write {
            self.prepare_message();
        } else {
            self.see_stores(address, size);
        }
        self.track(address, size, write, 0, 0, dwords);
        let private = self.shadow.region(address).is_none_or(|r| r.kind == MemoryKind::Scratch);
        if !self.caches.unkind || private {
            return address as *mut u8;
        }
        if !write && !self.stage(address, size) {
            return address as *mut u8;
        }
        self.staging.as_mut_ptr().cast()
    }

    /// A load sees what its workgroup has stored.
    fn see_stores(&mut self, address: u64, size: u64) {
        if self.caches.unkind {
            let who = self.who();
            self.caches.flush_overlap(&mut self.shadow, who, address, address + size);
        }
    }

    /// Puts what a load gets into the staging buffer; false if it is what memory holds.
    fn stage(&mut self, address: u64, size: u64) -> bool {
        let (who, scope) = (self.who(), self.ctx.scope);
        let Some(region) = self.shadow.region(address) else { return false };
        let fine = region.fine();
        let mut any = false;
        let mut line = address / LINE * LINE;
        while line < address + size {
            let place = region.place(line);
            let l = region.page(line.max(address)).line(line.max(address));
            if l.hot != 0 {
                any = true;
            } else {
                self.caches.loads_cold(l, line, place, who, scope, fine);
            }
            line += LINE;
        }
        if !any {
            return false;
        }
        let mut line = address / LINE * LINE;
        while line < address + size {
            let (from, to) = (line.max(address), (line + LINE).min(address + size));
            let place = region.place(line);
            let l = *region.page(from).line(from);
            let out: *mut u8 = self.staging.as_mut_ptr().cast();
            let at = (from - address) as usize;
            let n = (to - from) as usize;
            if l.hot == 0 {
                // SAFETY: the range is mapped, as the engine has checked, and at most as long as the buffer.
                unsafe { copy(from, out.add(at), n) };
            } else {
                let bytes = self.caches.load_hot(&l, line, place, who, scope, fine, &mut self.rng);
                let offset = (from - line) as usize;
                // SAFETY: within the buffer, as accesses of a wave are at most 1024 bytes.
                unsafe { core::slice::from_raw_parts_mut(out.add(at), n) }.copy_from_slice(&bytes[offset..offset + n]);
            }
            line += LINE;
        }
        true
    }

    /// Whether what runs into another's store is of the same workgroup, and that store has left these bytes.
    fn mate_stored(&mut self, h: Hit, address: u64, data: &[u8]) -> bool {
        if !self.group.as_ref().is_some_and(|g| g.mates().contains(&h.stamp.wave)) {
            return false;
        }
        let who = self.who();
        // It would be performed now in any case: of waves that share an L1 the last wins.
        self.caches.flush_overlap(&mut self.shadow, who, address, address + data.len() as u64);
        let Some(region) = self.shadow.region(address) else { return false };
        let line = *region.page(address).line(address);
        self.caches.stored_by_die(&line, address, data.len(), who.die) == data
    }

    /// Whether the store at hand is of two dwords a lane, or more.
    fn stores_pairs(&self) -> bool {
        self.program.infos.get(self.ctx.number as usize).is_some_and(|i| i.pairs)
    }

    /// The data of a store to a range is in the staging buffer.
    pub(crate) fn stored(&mut self, address: u64, size: u64) {
        let private = self.shadow.region(address).is_none_or(|r| r.kind == MemoryKind::Scratch);
        if !self.caches.unkind || private {
            return;
        }
        // SAFETY: `range` gave the buffer for this many bytes, at most 1024.
        let data = unsafe { core::slice::from_raw_parts(self.staging.as_ptr().cast::<u8>(), size as usize) };
        let who = self.who();
        let (agent, sent) = (self.ctx.scope.agent, self.sent.unwrap_or_default());
        let pairs = self.stores_pairs();
        self.caches.issue(&mut self.shadow, address, data, who, agent, sent, self.ctx.at, pairs, &mut self.rng);
    }

    /// A lane's load of up to four bytes.
    pub(crate) fn read(&mut self, address: u64, size: u32, lane: u32) -> u32 {
        let k = self.next_dword(lane);
        self.bounds(address, size.into(), lane, false);
        self.see_stores(address, size.into());
        self.track(address, size.into(), false, lane, k, 4);
        let private = self.shadow.region(address).is_none_or(|r| r.kind == MemoryKind::Scratch);
        let mut out = [0u8; 4];
        if self.caches.unkind && !private && self.stage(address, size.into()) {
            // SAFETY: the staging buffer is longer.
            let staged = unsafe { core::slice::from_raw_parts(self.staging.as_ptr().cast::<u8>(), size as usize) };
            out[..size as usize].copy_from_slice(staged);
        } else {
            // SAFETY: the engine has checked the bytes.
            unsafe { copy(address, out.as_mut_ptr(), size as usize) };
        }
        u32::from_le_bytes(out)
    }

    /// Dword `k` of a scalar load. Each counts as a lane of its own: there are more of them than a lane's data have.
    pub(crate) fn read_scalar(&mut self, address: u64, k: u32) -> u32 {
        self.read(address, 4, k)
    }

    /// A lane's store of up to four bytes.
    pub(crate) fn write(&mut self, address: u64, size: u32, lane: u32, v: u32) {
        let k = self.next_dword(lane);
        self.bounds(address, size.into(), lane, true);
        self.prepare_message();
        let data = &v.to_le_bytes()[..size as usize];
        if let Some(h) = self.runs_into(address, size.into(), true, lane, k, 4) {
            if h.is_store_after_store() && self.mate_stored(h, address, data) {
                self.same_bytes(h);
            } else {
                self.race(h);
            }
        }
        let private = self.shadow.region(address).is_none_or(|r| r.kind == MemoryKind::Scratch);
        if self.caches.unkind && !private {
            let who = self.who();
            let (agent, sent) = (self.ctx.scope.agent, self.sent.unwrap_or_default());
            let pairs = self.stores_pairs();
            self.caches.issue(&mut self.shadow, address, data, who, agent, sent, self.ctx.at, pairs, &mut self.rng);
        } else {
            for (i, b) in data.iter().enumerate() {
                // SAFETY: the engine has checked the bytes.
                unsafe {
                    (*((address + i as u64) as *const core::sync::atomic::AtomicU8)).store(*b, Relaxed);
                }
            }
        }
    }

    /// A lane's read-modify-write.
    pub(crate) fn atomic(&mut self, address: u64, words: u32, lane: u32, f: impl Fn(u64) -> u64) -> u64 {
        let size = u64::from(4 * words);
        self.bounds(address, size, lane, true);
        self.prepare_message();
        self.pass_on(address);
        // Reads and writes: the message of the last writer comes in, its own goes out.
        self.track(address, size, false, lane, 0, 4);
        self.track(address, size, true, lane, 0, 4);
        if self.caches.unkind {
            let who = self.who();
            self.caches.flush_overlap(&mut self.shadow, who, address, address + size);
            self.caches.before_atomic(&mut self.shadow, address, who);
        }
        if words == 2 {
            // SAFETY: mapped and aligned, as the engine has checked.
            let cell = unsafe { &*(address as *const AtomicU64) };
            let mut old = cell.load(Relaxed);
            while let Err(seen) = cell.compare_exchange(old, f(old), core::sync::atomic::Ordering::SeqCst, Relaxed) {
                old = seen;
            }
            return old;
        }
        // SAFETY: mapped and aligned, as the engine has checked.
        let cell = unsafe { &*(address as *const AtomicU32) };
        let mut old = cell.load(Relaxed);
        while let Err(seen) =
            cell.compare_exchange(old, f(old.into()) as u32, core::sync::atomic::Ordering::SeqCst, Relaxed)
        {
            old = seen;
        }
        old.into()
    }

    /// A byte of a lane's scratch.
    pub(crate) fn private(&mut self, address: u64, lane: u32, byte: u32, write: bool) {
        let _ = byte;
        let k = if byte == 0 { self.next_dword(lane) } else { (self.ctx.cursor.1 as usize).min(3) };
        self.track_private(address, 1, write, lane, k);
    }
}

/// Copies device memory, dword by dword where it is aligned.
///
/// # Safety
/// Both are valid for `n` bytes.
unsafe fn copy(from: u64, to: *mut u8, n: usize) {
    let mut i = 0;
    while i < n {
        let p = from + i as u64;
        // SAFETY: as the caller vouches; others may write the memory meanwhile, which atomics allow.
        unsafe {
            if p.is_multiple_of(4) && n - i >= 4 {
                let v = (*(p as *const AtomicU32)).load(Relaxed);
                to.add(i).cast::<u32>().write_unaligned(v);
                i += 4;
            } else {
                *to.add(i) = (*(p as *const core::sync::atomic::AtomicU8)).load(Relaxed);
                i += 1;
            }
        }
    }
}
