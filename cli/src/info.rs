//! `wavesmith info`: what a code object declares, and what fits on each part.

use crate::objects::{self, Chosen};
use crate::outcome::{Outcome, print_line};
use serde_json::{Value, json};
use std::path::PathBuf;
use wavesmith_asm::occupancy::{Demand, Occupancy};
use wavesmith_asm::sku::SKUS;
use wavesmith_loader::code_object::{Arg, CodeObject, Kernel, SymbolKind};

/// Arguments of `wavesmith info`.
#[derive(clap::Args)]
pub struct Args {
    /// The code object (.co, .hsaco), an offload bundle, or a host program that holds one.
    file: PathBuf,
    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
}

/// Prints kernels, arguments, registers and occupancy.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let objects = objects::read(&args.file)?;
    if args.json {
        print_line(&file_json(&objects).to_string());
        return Ok(Outcome::Ok);
    }
    for (i, Chosen { id, object, .. }) in objects.iter().enumerate() {
        if !id.is_empty() {
            print_line(&format!("{}entry {id}", if i == 0 { "" } else { "\n" }));
        }
        print_object(object);
    }
    Ok(Outcome::Ok)
}

/// A code object's own members; of a bundle `objects`, and `kernels` of them all.
fn file_json(objects: &[Chosen]) -> Value {
    if let [Chosen { id, object, .. }] = objects
        && id.is_empty()
    {
        return object_json(object);
    }
    let entry = |o: &Chosen| {
        let mut json = object_json(&o.object);
        json["id"] = json!(o.id);
        json
    };
    let kernel = |object: &CodeObject, kernel: &Kernel| {
        let mut json = kernel_json(object, kernel);
        json["target"] = json!(object.target.name());
        json
    };
    let kernels: Vec<Value> =
        objects.iter().flat_map(|o| o.object.kernels.iter().map(|k| kernel(&o.object, k))).collect();
    json!({ "objects": objects.iter().map(entry).collect::<Vec<_>>(), "kernels": kernels })
}

fn object_json(object: &CodeObject) -> Value {
    let kernels: Vec<Value> = object.kernels.iter().map(|k| kernel_json(object, k)).collect();
    json!({
        "target": object.target.name(),
        "code_object_version": object.abi.number(),
        "xnack": format!("{:?}", object.features.xnack).to_lowercase(),
        "sramecc": format!("{:?}", object.features.sramecc).to_lowercase(),
        "kernels": kernels,
    })
}

fn print_object(object: &CodeObject) {
    print_line(&format!(
        "{}, code object {}, xnack {}, sramecc {}, {} kernel{}",
        object.target,
        object.abi,
        format!("{:?}", object.features.xnack).to_lowercase(),
        format!("{:?}", object.features.sramecc).to_lowercase(),
        object.kernels.len(),
        if object.kernels.len() == 1 { "" } else { "s" }
    ));
    for kernel in &object.kernels {
        print_kernel(object, kernel);
    }
}

fn args_of(kernel: &Kernel) -> &[Arg] {
    kernel.metadata.as_ref().map_or(&[], |m| &m.args)
}

/// Work-items of the workgroup that occupancy is told for: the required size, else the largest allowed, else 256.
fn workgroup_items(kernel: &Kernel) -> u32 {
    let metadata = kernel.metadata.as_ref();
    metadata
        .and_then(|m| m.reqd_workgroup_size)
        .map(|[x, y, z]| x.saturating_mul(y).saturating_mul(z))
        .or(metadata.and_then(|m| m.max_flat_workgroup_size))
        .filter(|items| (1..=1024).contains(items))
        .unwrap_or(256)
}

fn demand_of(object: &CodeObject, kernel: &Kernel) -> Demand {
    let agprs = kernel.metadata.as_ref().and_then(|m| m.agpr_count).unwrap_or(0);
    Demand {
        vgprs: kernel.descriptor.vgprs(object.target),
        agprs: if object.target.unified_vgprs() { 0 } else { agprs },
        sgprs: kernel.descriptor.sgprs(),
        lds_bytes: kernel.descriptor.group_segment_size,
        waves: workgroup_items(kernel).div_ceil(64),
    }
}

fn occupancies(object: &CodeObject, kernel: &Kernel) -> Vec<(&'static str, Occupancy)> {
    let demand = demand_of(object, kernel);
    SKUS.iter().filter(|s| s.target == object.target).map(|s| (s.name, Occupancy::of(s, demand))).collect()
}

fn kernel_json(object: &CodeObject, kernel: &Kernel) -> Value {
    let d = &kernel.descriptor;
    let args: Vec<Value> = args_of(kernel)
        .iter()
        .map(|a| {
            json!({
                "name": a.name, "type": a.type_name, "offset": a.offset, "size": a.size,
                "kind": a.value_kind.name(), "address_space": a.address_space.as_ref().map(|s| s.name()),
            })
        })
        .collect();
    let occupancy: Vec<Value> = occupancies(object, kernel)
        .iter()
        .map(|(sku, o)| {
            json!({
                "sku": sku, "workgroups_per_cu": o.workgroups_per_cu, "waves_per_simd": o.waves_per_simd,
                "limited_by": o.limit.name(),
            })
        })
        .collect();
    let metadata = kernel.metadata.as_ref();
    json!({
        "name": kernel.name,
        "entry": kernel.entry_vaddr,
        "code_bytes": code_bytes(object, kernel),
        "kernarg_bytes": kernel.kernarg_size(),
        "lds_bytes": d.group_segment_size,
        "scratch_bytes": d.private_segment_size,
        "vgprs_allocated": d.vgprs(object.target),
        "accum_offset": d.accum_offset(object.target),
        "sgprs_allocated": d.sgprs(),
        "user_sgprs": d.rsrc2.user_sgpr_count,
        "kernarg_preload_dwords": d.preload_length,
        "vgpr_count": metadata.and_then(|m| m.vgpr_count),
        "agpr_count": metadata.and_then(|m| m.agpr_count),
        "sgpr_count": metadata.and_then(|m| m.sgpr_count),
        "max_workgroup_size": metadata.and_then(|m| m.max_flat_workgroup_size),
        "workgroup_size_of_occupancy": workgroup_items(kernel),
        "args": args,
        "occupancy": occupancy,
    })
}

/// Bytes of code. Hand-written kernels have a symbol without a size: theirs goes on to the next function, or to the end
/// of the segment.
fn code_bytes(object: &CodeObject, kernel: &Kernel) -> u64 {
    if kernel.code_size != 0 {
        return kernel.code_size;
    }
    let entry = kernel.entry_vaddr;
    let segment = object.segments.iter().filter(|s| s.executable && s.addresses().contains(&entry));
    // Labels inside the code are symbols of no kind.
    let functions = object.symbols.iter().filter(|s| s.defined && s.kind == SymbolKind::Function);
    let symbols = functions.map(|s| s.value).filter(|v| *v > entry);
    let end = segment.map(|s| s.vaddr + s.file.len() as u64).chain(symbols).min();
    end.map_or(0, |end| end.saturating_sub(entry))
}

/// Where AGPRs begin among the VGPRs of a kernel that has some. Allocation rounds up: a few registers past
/// `accum_offset` are none if the metadata says so, more of them whatever it says.
fn first_agpr(object: &CodeObject, kernel: &Kernel) -> Option<u32> {
    let offset = kernel.descriptor.accum_offset(object.target)?;
    let past = kernel.descriptor.vgprs(object.target).saturating_sub(offset);
    let said = kernel.metadata.as_ref().and_then(|m| m.agpr_count);
    let rounding = said == Some(0) && past < object.target.vgpr_granule();
    (past > 0 && !rounding).then_some(offset)
}

fn print_kernel(object: &CodeObject, kernel: &Kernel) {
    let d = &kernel.descriptor;
    print_line("");
    print_line(&format!("kernel {}", kernel.name));
    print_line(&format!("  code       {} bytes at {:#x}", code_bytes(object, kernel), kernel.entry_vaddr));
    let split = match first_agpr(object, kernel) {
        Some(offset) => format!(" (AGPRs from {offset})"),
        None => String::new(),
    };
    print_line(&format!("  registers  {} VGPRs{split}, {} SGPRs allocated", d.vgprs(object.target), d.sgprs()));
    print_line(&format!(
        "  LDS        {} bytes; scratch {} bytes a lane",
        d.group_segment_size, d.private_segment_size
    ));
    print_line(&format!(
        "  user SGPRs {}: {}",
        d.rsrc2.user_sgpr_count,
        match user_sgpr_names(kernel) {
            names if names.is_empty() => "none named".to_owned(),
            names => names.join(", "),
        }
    ));
    print_line(&format!("  kernarg    {} bytes", kernel.kernarg_size()));
    for arg in args_of(kernel) {
        print_line(
            format!(
                "    {:#06x} {:>4} {:<24} {} {}",
                arg.offset,
                arg.size,
                arg.value_kind.name(),
                arg.name.as_deref().unwrap_or("-"),
                arg.type_name.as_deref().unwrap_or("")
            )
            .trim_end(),
        );
    }
    let items = workgroup_items(kernel);
    for (sku, o) in occupancies(object, kernel) {
        print_line(&format!(
            "  {sku:<8} {} workgroup{} of {items} a CU, {} waves a SIMD, limited by {}",
            o.workgroups_per_cu,
            if o.workgroups_per_cu == 1 { "" } else { "s" },
            o.waves_per_simd,
            o.limit.name()
        ));
    }
}

fn user_sgpr_names(kernel: &Kernel) -> Vec<String> {
    let u = kernel.descriptor.user_sgprs;
    let mut names: Vec<String> = [
        (u.private_segment_buffer, "private segment buffer"),
        (u.dispatch_ptr, "dispatch pointer"),
        (u.queue_ptr, "queue pointer"),
        (u.kernarg_ptr, "kernarg pointer"),
        (u.dispatch_id, "dispatch id"),
        (u.flat_scratch_init, "flat scratch init"),
        (u.private_segment_size, "private segment size"),
    ]
    .into_iter()
    .filter(|(on, _)| *on)
    .map(|(_, name)| name.to_owned())
    .collect();
    if kernel.descriptor.preload_length > 0 {
        names.push(format!("{} preloaded kernarg dwords", kernel.descriptor.preload_length));
    }
    names
}
