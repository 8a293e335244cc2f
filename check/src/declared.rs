//! Descriptor and metadata: each against the other and against the part.
//!
//! Source: AMDGPUUsage ("Kernel Descriptor", "Code Object V3 Metadata").

use crate::finding::{Kind, Severity};
use crate::sink::Sink;
use wavesmith_loader::code_object::{CodeObject, Kernel, ValueKind};

/// Work-items that a workgroup can have at most.
const MOST_ITEMS: u32 = 1024;
/// User SGPRs that the hardware fills at most.
const MOST_USER_SGPRS: u32 = 16;

pub(crate) fn kernel(sink: &mut Sink, k: &Kernel) {
    let target = sink.program.target;
    let d = &k.descriptor;
    let mut say = |severity, kind, message: String| sink.declared(severity, kind, message);
    let (error, advice) = (Severity::Error, Severity::Advice);

    if d.group_segment_size > target.max_lds() {
        let message = format!("declares {} bytes of LDS, the part has {}", d.group_segment_size, target.max_lds());
        say(error, Kind::Lds, message);
    }
    if !d.reserved_is_zero {
        say(error, Kind::Descriptor, "a reserved bit of the descriptor is not 0".into());
    }
    for (set, name) in [
        (d.rsrc1.privileged, "PRIV"),
        (d.rsrc1.debug, "DEBUG_MODE"),
        (d.rsrc1.bulky, "BULKY"),
        (d.rsrc1.cdbg_user, "CDBG_USER"),
    ] {
        if set {
            say(error, Kind::Descriptor, format!("{name} is set in COMPUTE_PGM_RSRC1 and must be 0"));
        }
    }
    // What the packet processor fills in itself, and reserved for it (AMDGPUUsage); no kernel that ships sets any.
    for (set, name) in [
        (d.rsrc1.priority != 0, "PRIORITY of COMPUTE_PGM_RSRC1"),
        (d.rsrc2.trap_handler, "ENABLE_TRAP_HANDLER of COMPUTE_PGM_RSRC2"),
        (d.rsrc2.exception_address_watch, "ENABLE_EXCEPTION_ADDRESS_WATCH of COMPUTE_PGM_RSRC2"),
        (d.rsrc2.exception_memory, "ENABLE_EXCEPTION_MEMORY of COMPUTE_PGM_RSRC2"),
        (d.rsrc2.granulated_lds != 0, "GRANULATED_LDS_SIZE of COMPUTE_PGM_RSRC2"),
    ] {
        if set {
            say(error, Kind::Descriptor, format!("{name} must be 0: the packet processor sets it"));
        }
    }
    if d.rsrc2.workitem_ids > 2 {
        say(error, Kind::Descriptor, "ENABLE_VGPR_WORKITEM_ID of COMPUTE_PGM_RSRC2 is 3, which means nothing".into());
    }
    if d.wave32 {
        say(error, Kind::Descriptor, "asks for waves of 32 lanes, which CDNA does not have".into());
    }
    if !k.entry_vaddr.is_multiple_of(256) {
        let message =
            format!("the entry {:#x} is not aligned to 256 bytes, as the hardware's register demands", k.entry_vaddr);
        say(error, Kind::Descriptor, message);
    }
    let allocated = d.vgprs(target);
    if let Some(offset) = d.accum_offset(target)
        && offset > allocated.max(4)
        && allocated <= 256
        && offset > allocated.next_multiple_of(8)
    {
        let message = format!("accum_offset {offset} is beyond the {allocated} registers allocated");
        say(error, Kind::Descriptor, message);
    }
    if allocated > if target.unified_vgprs() { 512 } else { 256 } {
        say(error, Kind::Descriptor, format!("allocates {allocated} vector registers, more than there are"));
    }
    let user = u32::from(d.rsrc2.user_sgpr_count);
    let named = d.user_sgprs.count() + u32::from(d.preload_length);
    if named > user {
        let message = format!("names {named} user SGPRs, but its count of user SGPRs is {user}");
        say(error, Kind::Descriptor, message);
    }
    if named < user && user <= MOST_USER_SGPRS {
        let message = format!("counts {user} user SGPRs and names {named}: nothing fills the others");
        say(advice, Kind::Descriptor, message);
    }
    if user > MOST_USER_SGPRS {
        say(error, Kind::Descriptor, format!("asks for {user} user SGPRs, the hardware fills {MOST_USER_SGPRS}"));
    }
    if d.preload_length > 0 && !d.user_sgprs.kernarg_ptr {
        say(error, Kind::Descriptor, "preloads kernel arguments without a kernarg segment pointer".into());
    }
    if d.preload_length > 0 {
        let end = 4 * (u32::from(d.preload_offset) + u32::from(d.preload_length));
        if end > k.kernarg_size().next_multiple_of(4) {
            let message = format!("preloads kernel argument bytes up to {end} of {}", k.kernarg_size());
            say(error, Kind::Descriptor, message);
        }
    }

    let Some(m) = &k.metadata else {
        say(advice, Kind::Metadata, "no metadata entry has this kernel's descriptor as its symbol".into());
        return;
    };
    let differ =
        |name: &str, meta: u32, descriptor: u32| format!("metadata says {name} {meta}, the descriptor {descriptor}");
    if let Some(size) = m.group_segment_fixed_size.filter(|s| *s != d.group_segment_size) {
        // hipBLASLt's metadata says less than it allocates, which only costs occupancy.
        let weight = if size > d.group_segment_size { error } else { advice };
        say(weight, Kind::Metadata, differ("group_segment_fixed_size", size, d.group_segment_size));
    }
    if let Some(size) = m.private_segment_fixed_size.filter(|s| *s != d.private_segment_size) {
        say(error, Kind::Metadata, differ("private_segment_fixed_size", size, d.private_segment_size));
    }
    if let Some(size) = m.kernarg_segment_size.filter(|s| d.kernarg_size != 0 && *s != d.kernarg_size) {
        say(error, Kind::Metadata, differ("kernarg_segment_size", size, d.kernarg_size));
    }
    if let Some(size) = m.wavefront_size.filter(|s| *s != 64) {
        say(error, Kind::Metadata, format!("metadata says wavefront_size {size}; CDNA waves have 64 lanes"));
    }
    if let Some(dynamic) = m.uses_dynamic_stack.filter(|u| *u != d.dynamic_stack) {
        let message = format!("metadata says uses_dynamic_stack {dynamic}, the descriptor {}", d.dynamic_stack);
        say(error, Kind::Metadata, message);
    }
    if let Some(items) = m.max_flat_workgroup_size.filter(|n| *n == 0 || *n > MOST_ITEMS) {
        let message =
            format!("max_flat_workgroup_size {items} is not from 1 to {MOST_ITEMS}, the work-items of a workgroup");
        say(error, Kind::Metadata, message);
    }
    if let (Some(size), Some(most)) = (m.reqd_workgroup_size, m.max_flat_workgroup_size) {
        let items: u64 = size.iter().map(|n| u64::from(*n)).product();
        if items > u64::from(most) {
            say(
                error,
                Kind::Metadata,
                format!("reqd_workgroup_size has {items} work-items, max_flat_workgroup_size {most}"),
            );
        }
    }
    registers(&mut say, k, m.vgpr_count, m.agpr_count, m.sgpr_count, target);
    arguments(&mut say, k);
}

/// `.vgpr_count` includes the AGPRs where one file holds both, and counts VGPRs alone on gfx908.
fn registers(
    say: &mut impl FnMut(Severity, Kind, String),
    k: &Kernel,
    vgprs: Option<u32>,
    agprs: Option<u32>,
    sgprs: Option<u32>,
    target: wavesmith_asm::Target,
) {
    let d = &k.descriptor;
    let allocated = d.vgprs(target);
    let granule = target.vgpr_granule();
    if let Some(n) = vgprs {
        let rounded = n.max(1).next_multiple_of(granule);
        if n > allocated {
            let twice = match (agprs, d.accum_offset(target)) {
                (Some(a), Some(_)) if a > 0 && n - allocated <= a => "; are the AGPRs counted twice?",
                _ => "",
            };
            let message = format!("metadata says vgpr_count {n}, the descriptor allocates {allocated}{twice}");
            say(Severity::Error, Kind::Metadata, message);
        } else if rounded != allocated && agprs.is_none_or(|a| a.next_multiple_of(granule) != allocated) {
            let message = format!("metadata says vgpr_count {n}, the descriptor allocates {allocated}");
            say(Severity::Advice, Kind::Metadata, message);
        }
    }
    if let (Some(n), Some(a), Some(offset)) = (vgprs, agprs, d.accum_offset(target)) {
        if a > 0 && a <= n && n - a != offset {
            let multiple = if (n - a).is_multiple_of(4) { "" } else { ", and no multiple of 4" };
            let message = format!(
                "metadata says {n} registers with {a} AGPRs, so AGPRs would begin at {}{multiple}; accum_offset is {offset}",
                n - a
            );
            say(Severity::Advice, Kind::Metadata, message);
        }
        if a > n {
            let message = format!("metadata says agpr_count {a} of vgpr_count {n}, which includes the AGPRs");
            say(Severity::Error, Kind::Metadata, message);
        }
    }
    if let Some(n) = sgprs.filter(|n| *n > d.sgprs()) {
        let message = format!("metadata says sgpr_count {n}, the descriptor allocates {}", d.sgprs());
        say(Severity::Advice, Kind::Metadata, message);
    }
}

fn arguments(say: &mut impl FnMut(Severity, Kind, String), k: &Kernel) {
    let Some(m) = &k.metadata else { return };
    let size = k.kernarg_size();
    let mut end = 0u64;
    let mut sorted: Vec<_> = m.args.iter().collect();
    sorted.sort_by_key(|a| a.offset);
    for a in sorted {
        let name = a.name.as_deref().unwrap_or_else(|| a.value_kind.name());
        let (from, to) = (u64::from(a.offset), u64::from(a.offset) + u64::from(a.size));
        if to > u64::from(size) {
            say(
                Severity::Advice,
                Kind::Metadata,
                format!("argument {name} ends at {to}, the kernarg segment at {size}"),
            );
        }
        if from < end && a.size > 0 {
            say(
                Severity::Error,
                Kind::Metadata,
                format!("argument {name} at {from} overlaps the one before, which ends at {end}"),
            );
        }
        let pointer = matches!(a.value_kind, ValueKind::GlobalBuffer);
        if pointer && a.size != 8 {
            say(
                Severity::Error,
                Kind::Metadata,
                format!("argument {name} is a global buffer of {} bytes; an address has 8", a.size),
            );
        }
        if pointer && !a.offset.is_multiple_of(8) {
            say(
                Severity::Advice,
                Kind::Metadata,
                format!("argument {name} is an address at offset {}, no multiple of 8", a.offset),
            );
        }
        end = end.max(to);
    }
}

pub(crate) fn object(object: &CodeObject, sink: &mut Sink) {
    let Some(metadata) = &object.metadata else {
        if !object.kernels.is_empty() {
            sink.declared(Severity::Advice, Kind::Metadata, "the object has no metadata note".into());
        }
        return;
    };
    for m in &metadata.kernels {
        let name = m.symbol.strip_suffix(".kd").unwrap_or(&m.symbol);
        if object.kernel(name).is_none() {
            sink.declared(
                Severity::Error,
                Kind::Metadata,
                format!("metadata names {}, which no symbol defines", m.symbol),
            );
        }
    }
    if let Some(target) = &metadata.target {
        // `amdgcn-amd-amdhsa--gfx942:sramecc+`; newer compilers write other triples before the processor.
        let processor = target.split(':').next().and_then(|t| t.rsplit('-').next()).unwrap_or(target);
        match processor.parse::<wavesmith_asm::Target>() {
            Ok(t) if t == object.target => {}
            _ => {
                let message = format!("metadata says target {target}, the ELF header {}", object.target);
                sink.declared(Severity::Error, Kind::Metadata, message);
            }
        }
    }
}
