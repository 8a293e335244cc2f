//! What a dispatch needs, and what its waves find in their registers when they start.
//!
//! AMDGPUUsage, "Initial Kernel Execution State": user SGPRs in the order of the descriptor's flags, preloaded kernel
//! arguments, then the system SGPRs; work-item ids in one packed VGPR from gfx90a on and in up to three before.

use super::ir::{S, Touched};
use super::lanes::{Lanes, WAVE};
use super::lower::Layout;
use super::schedule::Shared;
use super::state::{Group, Status, Wave};
use crate::aperture::{PRIVATE_BASE, SHARED_BASE};
use crate::dispatch::Dispatch;
use crate::fault::{Fault, FaultKind};
use crate::memory::{Kind, View};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use wavesmith_asm::Target;
use wavesmith_asm::occupancy::{Demand, Occupancy};

/// What a dispatch takes of the part.
pub struct Plan {
    /// Registers, for the lowering.
    pub layout: Layout,
    /// Workgroups that a compute unit holds.
    pub per_cu: u32,
    /// Scratch bytes of a work-item.
    pub scratch_bytes: u32,
}

/// Scratch bytes of a work-item at most: a wave has up to 8191 KiB, as COMPUTE_TMPRING_SIZE.WAVESIZE counts it on GFX9.
const MAX_SCRATCH: u32 = 8191 * 1024 / WAVE as u32;

/// Works out what the descriptor and packet ask for.
///
/// # Errors
/// A fault of kind [`FaultKind::Resources`] where the part cannot give it.
pub fn plan(d: &Dispatch) -> Result<Plan, Fault> {
    let refuse = |text: String| Fault::new(FaultKind::Resources, d.kernel.clone(), text);
    let target = d.sku.target;
    let items: u64 = d.workgroup.iter().map(|n| u64::from(*n)).product();
    if items == 0 || d.grid.contains(&0) {
        return Err(refuse(format!(
            "a grid of {:?} work-items in workgroups of {:?} has a dimension of 0",
            d.grid, d.workgroup
        )));
    }
    if items > 1024 {
        return Err(refuse(format!("workgroups of {items} work-items: the limit is 1024")));
    }
    if d.group_bytes > target.max_lds() {
        return Err(refuse(format!(
            "a workgroup needs {} bytes of LDS; {} has {} a compute unit",
            d.group_bytes,
            target,
            target.max_lds()
        )));
    }
    if d.private_bytes > MAX_SCRATCH {
        return Err(refuse(format!(
            "a work-item needs {} bytes of scratch; the hardware gives at most {MAX_SCRATCH}",
            d.private_bytes
        )));
    }
    let granules = u32::from(d.descriptor.rsrc1.granulated_vgprs) + 1;
    let total = (granules * target.vgpr_granule()).min(512);
    let layout = if target.unified_vgprs() {
        let offset = 4 * (u32::from(d.descriptor.rsrc3.granulated_accum_offset) + 1);
        // VGPR numbers reach as far as the allocation: hand-written kernels use registers past the accumulation
        // offset by their VGPR names.
        Layout {
            target,
            vgprs: total.min(256) as u16,
            agpr_base: offset.min(total) as u16,
            agprs: total.saturating_sub(offset).min(256) as u16,
            registers: total as u16,
            shared_aperture: (SHARED_BASE >> 32) as u32,
            private_aperture: (PRIVATE_BASE >> 32) as u32,
        }
    } else {
        let vgprs = total.min(256) as u16;
        Layout {
            target,
            vgprs,
            agpr_base: vgprs,
            agprs: vgprs,
            registers: 2 * vgprs,
            shared_aperture: (SHARED_BASE >> 32) as u32,
            private_aperture: (PRIVATE_BASE >> 32) as u32,
        }
    };
    let demand = Demand {
        vgprs: if target.unified_vgprs() { total } else { u32::from(layout.vgprs) },
        agprs: u32::from(layout.agprs),
        sgprs: 112,
        lds_bytes: d.group_bytes,
        waves: items.div_ceil(WAVE as u64) as u32,
    };
    let mut per_cu = Occupancy::of(d.sku, demand).workgroups_per_cu;
    if per_cu == 0 {
        // A workgroup of many waves fits as long as the SIMDs hold its waves at one register budget.
        let per_simd = if target.unified_vgprs() { 512 / total.max(1) } else { 256 / total.max(1) };
        if per_simd * 4 >= demand.waves {
            per_cu = 1;
        } else {
            return Err(refuse(format!(
                "{} waves of {total} VGPRs do not fit a compute unit of {}, which holds {}",
                demand.waves,
                d.sku.product,
                per_simd * 4
            )));
        }
    }
    Ok(Plan { layout, per_cu, scratch_bytes: d.private_bytes.next_multiple_of(4) })
}

/// Bytes of scratch that a workgroup leaves to the next: clearing more costs as much as mapping it anew.
const REUSED_SCRATCH: usize = 256 << 10;

/// Gives the scratch of a workgroup that has ended back, unless the next one is better off with it.
pub(crate) fn release(shared: &Shared<'_>, group: &mut Group) {
    if let Some(scratch) = group.scratch.take_if(|s| s.size() > REUSED_SCRATCH) {
        let _ = shared.memory.free(scratch.base());
    }
}

/// Makes workgroup `number`, on compute unit `cu`, of one of the same dispatch that has ended, or anew.
pub(crate) fn group(
    shared: &Shared<'_>,
    view: &mut View<'_>,
    number: u64,
    cu: u32,
    spare: Option<Box<Group>>,
) -> Result<Box<Group>, Fault> {
    let mut group = spare.unwrap_or_else(|| Box::new(Group::empty()));
    let made = begin(shared, view, number, cu, &mut group);
    if made.is_err()
        && let Some(scratch) = group.scratch.take()
    {
        let _ = shared.memory.free(scratch.base());
    }
    made.map(|()| group)
}

fn begin(shared: &Shared<'_>, view: &mut View<'_>, number: u64, cu: u32, group: &mut Group) -> Result<(), Fault> {
    let d = shared.dispatch;
    let id = match shared.counts {
        // Divisions would take longer than a short kernel's arithmetic.
        [_, 1, 1] => [number as u32, 0, 0],
        [x, y, _] => {
            let (x, y) = (u64::from(x), u64::from(y));
            [(number % x) as u32, (number / x % y) as u32, (number / (x * y)) as u32]
        }
    };
    // The last workgroup of a dimension may be partial.
    let size: [u32; 3] = core::array::from_fn(|i| d.workgroup[i].min(d.grid[i] - id[i] * d.workgroup[i]));
    let items = size.iter().product::<u32>();
    let waves = items.div_ceil(WAVE as u32);
    if let Some(scratch) = &group.scratch {
        // SAFETY: the engine made the allocation for workgroups of this dispatch, and the one that had it has ended.
        unsafe { core::ptr::write_bytes(scratch.host() as *mut u8, 0, scratch.size()) };
    } else if shared.scratch_bytes > 0 {
        let bytes = shared.scratch_bytes as usize * WAVE * d.waves_per_workgroup() as usize;
        let made = shared.memory.allocate(bytes, Kind::Scratch, Some(d.agent)).map_err(|e| {
            Fault::new(FaultKind::Resources, d.kernel.clone(), format!("scratch for workgroup {id:?}: {e}"))
        })?;
        group.scratch = Some(made);
    }
    let registers = shared.layout.registers as usize;
    let fail = |t: super::run::Trouble| Fault::new(t.kind, d.kernel.clone(), t.message);
    let mode = mode(d);
    // Kernels with preloaded arguments begin with 256 bytes that load them, for firmware that does not.
    let entry = d.entry_va + if d.descriptor.preload_length > 0 { 256 } else { 0 };
    let segment = match shared.entry.get() {
        Some(s) => s,
        None => {
            let made = shared.segment(entry, super::lower::Mode::of(mode, 0), view).map_err(fail)?;
            shared.entry.get_or_init(|| made)
        }
    };
    group.id = id;
    group.lds.clear();
    group.lds.resize(d.group_bytes.div_ceil(4) as usize + 4, 0);
    group.lds_bytes = d.group_bytes.next_multiple_of(4);
    group.cu = cu;
    // Workgroups go round the dies, whatever is free on them: kernels count on it. A CU mask says itself which die
    // each of its units is on.
    group.xcc = match shared.config.cus {
        Some(_) => cu % d.sku.xcds,
        None => (number % u64::from(d.sku.xcds)) as u32,
    };
    group.turns = 0;
    group.parked = None;
    group.watch = super::stall::Watch::default();
    group.stuck_since = None;
    group.waves.truncate(waves as usize);
    for index in 0..waves {
        let base = group
            .scratch
            .as_ref()
            .map_or(0, |s| s.base() + u64::from(index) * u64::from(shared.scratch_bytes) * WAVE as u64);
        if let Some(w) = group.waves.get_mut(index as usize) {
            w.scc = false;
            w.mode = mode;
            w.trapsts = 0;
            if !std::sync::Arc::ptr_eq(&w.segment, segment) {
                w.segment = segment.clone();
            }
            w.block = 0;
            w.status = Status::Ready;
            w.scratch = base;
            w.waiting = None;
            w.vm_issued = 0;
            w.vm_at_barrier = 0;
            w.in_flight.clear();
            w.gave_way = false;
            w.own = Touched::default();
            w.own_registers();
        } else {
            group.waves.push(Wave {
                regs: vec![Lanes::ZERO; registers],
                own: Touched { vgprs: registers as u16, agprs: (0, 0) },
                s: [0; S::FILE],
                scc: false,
                mode,
                trapsts: 0,
                segment: segment.clone(),
                block: 0,
                status: Status::Ready,
                index,
                scratch: base,
                waiting: None,
                vm_issued: 0,
                vm_at_barrier: 0,
                in_flight: std::collections::VecDeque::new(),
                gave_way: false,
                initial_sgprs: 0,
            });
        }
        if index > 0 && base == 0 {
            // Nothing in the scalar registers tells waves of a workgroup apart but their scratch.
            let (first, rest) = group.waves.split_at_mut(index as usize);
            rest[0].s = first[0].s;
            rest[0].initial_sgprs = first[0].initial_sgprs;
        } else {
            group.waves[index as usize].s = [0; S::FILE];
            scalars(d, &mut group.waves[index as usize], id, view)?;
        }
        vectors(d, &mut group.waves[index as usize], size, items, index);
    }
    Ok(())
}

fn mode(d: &Dispatch) -> u32 {
    let r = &d.descriptor.rsrc1;
    u32::from(r.round_32 & 3)
        | u32::from(r.round_16_64 & 3) << 2
        | u32::from(r.denorm_32 & 3) << 4
        | u32::from(r.denorm_16_64 & 3) << 6
        | u32::from(r.dx10_clamp) << 8
        | u32::from(r.ieee) << 9
        | u32::from(r.fp16_overflow) << 23
}

fn scalars(d: &Dispatch, w: &mut Wave, id: [u32; 3], view: &mut View<'_>) -> Result<(), Fault> {
    let u = &d.descriptor.user_sgprs;
    let mut at = 0usize;
    let mut put = |w: &mut Wave, words: &[u32]| {
        for v in words {
            // The descriptor may ask for more than the sixteen user SGPRs there are; the rest of the file takes it.
            if at < 102 {
                w.s[at] = *v;
            }
            at += 1;
        }
    };
    let pair = |v: u64| [v as u32, (v >> 32) as u32];
    let architected = matches!(d.sku.target, Target::Gfx942 | Target::Gfx950);
    if u.private_segment_buffer {
        // Swizzled by lane in dwords: index stride 64, the lane added to the index, one element a dword.
        let base = w.scratch;
        put(w, &[base as u32, ((base >> 32) as u32 & 0xffff) | (4 << 16) | (1 << 31), u32::MAX, (3 << 21) | (1 << 23)]);
    }
    if u.dispatch_ptr {
        put(w, &pair(d.packet_va));
    }
    if u.queue_ptr {
        put(w, &pair(d.queue_va));
    }
    if u.kernarg_ptr {
        put(w, &pair(d.kernarg_va));
    }
    if u.dispatch_id {
        put(w, &pair(d.dispatch_id));
    }
    if u.flat_scratch_init {
        let base = w.scratch;
        put(w, &pair(base));
    }
    if u.private_segment_size {
        put(w, &[d.private_bytes]);
    }
    for i in 0..u64::from(d.descriptor.preload_length) {
        let address = d.kernarg_va + 4 * (u64::from(d.descriptor.preload_offset) + i);
        let p = view.resolve(address, 4).map_err(|e| {
            let mut f = Fault::new(FaultKind::Memory, d.kernel.clone(), format!("preloading kernel arguments: {e}"));
            f.address = Some(address);
            f
        })?;
        // SAFETY: the address is mapped; kernel arguments are aligned to four bytes.
        let v = if address.is_multiple_of(4) { unsafe { (*p.cast::<AtomicU32>()).load(Relaxed) } } else { 0 };
        put(w, &[v]);
    }
    let mut at = usize::from(d.descriptor.rsrc2.user_sgpr_count).max(at);
    let r = &d.descriptor.rsrc2;
    let mut put = |v: u32| {
        if at < 102 {
            w.s[at] = v;
        }
        at += 1;
    };
    for (on, v) in [(r.workgroup_id_x, id[0]), (r.workgroup_id_y, id[1]), (r.workgroup_id_z, id[2])] {
        if on {
            put(v);
        }
    }
    if r.workgroup_info {
        put(0);
    }
    if r.private_segment && !architected {
        // Offset of the wave's scratch from the base that the user SGPRs give, which is already the wave's own.
        put(0);
    }
    w.initial_sgprs = at.min(102) as u8;
    if architected {
        w.set_pair(102, w.scratch);
    }
    Ok(())
}

fn vectors(d: &Dispatch, w: &mut Wave, size: [u32; 3], items: u32, index: u32) {
    let ids = d.descriptor.rsrc2.workitem_ids;
    let packed = d.sku.target != Target::Gfx908;
    let first = index * WAVE as u32;
    let on = items.saturating_sub(first).min(WAVE as u32);
    let line = packed && size[1] == 1 && size[2] == 1;
    if line && let Some(reg) = w.regs.get_mut(0) {
        for (lane, v) in reg.0.iter_mut().enumerate().take(on as usize) {
            *v = first + lane as u32;
        }
    }
    // Counted up: a division a lane and dimension would cost more than a short kernel does.
    let (mut x, mut y, mut z) =
        if line { (0, 0, 0) } else { (first % size[0], first / size[0] % size[1], first / (size[0] * size[1])) };
    for lane in 0..if line { 0 } else { on as usize } {
        let mut set = |r: usize, v: u32| {
            if let Some(reg) = w.regs.get_mut(r) {
                reg.0[lane] = v;
            }
        };
        if packed {
            set(0, x | (if ids >= 1 { y } else { 0 }) << 10 | (if ids >= 2 { z } else { 0 }) << 20);
        } else {
            set(0, x);
            if ids >= 1 {
                set(1, y);
            }
            if ids >= 2 {
                set(2, z);
            }
        }
        x += 1;
        if x == size[0] {
            (x, y) = (0, y + 1);
            if y == size[1] {
                (y, z) = (0, z + 1);
            }
        }
    }
    let exec = if on == 0 { 0 } else { u64::MAX >> (WAVE as u32 - on) };
    w.set_pair(S::EXEC, exec);
}
