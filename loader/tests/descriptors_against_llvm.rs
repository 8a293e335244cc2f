//! Kernel descriptors field by field against `llvm-objdump-22`, which prints them as the assembler's directives. Needs
//! that tool and a corpus; without the tool it says so, and fails in CI.

mod corpus;

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use wavesmith_asm::Target;
use wavesmith_loader::code_object::{CodeObject, Kernel};

/// What our reader says, under the directives' names.
fn ours(kernel: &Kernel, target: Target) -> Vec<(&'static str, u64)> {
    let d = &kernel.descriptor;
    let (r1, r2, u) = (&d.rsrc1, &d.rsrc2, &d.user_sgprs);
    let exception = |i: u8| u64::from(r2.exceptions >> i & 1);
    let mut out = vec![
        ("group_segment_fixed_size", d.group_segment_size.into()),
        ("private_segment_fixed_size", d.private_segment_size.into()),
        ("kernarg_size", d.kernarg_size.into()),
        ("next_free_vgpr", d.vgprs(target).into()),
        ("float_round_mode_32", r1.round_32.into()),
        ("float_round_mode_16_64", r1.round_16_64.into()),
        ("float_denorm_mode_32", r1.denorm_32.into()),
        ("float_denorm_mode_16_64", r1.denorm_16_64.into()),
        ("dx10_clamp", r1.dx10_clamp.into()),
        ("ieee_mode", r1.ieee.into()),
        ("fp16_overflow", r1.fp16_overflow.into()),
        ("system_sgpr_workgroup_id_x", r2.workgroup_id_x.into()),
        ("system_sgpr_workgroup_id_y", r2.workgroup_id_y.into()),
        ("system_sgpr_workgroup_id_z", r2.workgroup_id_z.into()),
        ("system_sgpr_workgroup_info", r2.workgroup_info.into()),
        ("system_vgpr_workitem_id", r2.workitem_ids.into()),
        ("exception_fp_ieee_invalid_op", exception(0)),
        ("exception_fp_denorm_src", exception(1)),
        ("exception_fp_ieee_div_zero", exception(2)),
        ("exception_fp_ieee_overflow", exception(3)),
        ("exception_fp_ieee_underflow", exception(4)),
        ("exception_fp_ieee_inexact", exception(5)),
        ("exception_int_div_zero", exception(6)),
        ("user_sgpr_dispatch_ptr", u.dispatch_ptr.into()),
        ("user_sgpr_queue_ptr", u.queue_ptr.into()),
        ("user_sgpr_kernarg_segment_ptr", u.kernarg_ptr.into()),
        ("user_sgpr_dispatch_id", u.dispatch_id.into()),
        ("user_sgpr_private_segment_size", u.private_segment_size.into()),
        ("uses_dynamic_stack", d.dynamic_stack.into()),
        ("user_sgpr_kernarg_preload_length", d.preload_length.into()),
        ("user_sgpr_kernarg_preload_offset", d.preload_offset.into()),
    ];
    match d.accum_offset(target) {
        Some(offset) => {
            out.push(("accum_offset", offset.into()));
            out.push(("tg_split", d.rsrc3.tg_split.into()));
        }
        None => assert_eq!(d.rsrc3.raw, 0, "gfx908 has no RSRC3"),
    }
    match target {
        Target::Gfx942 | Target::Gfx950 => out.push(("enable_private_segment", r2.private_segment.into())),
        Target::Gfx908 | Target::Gfx90a => {
            out.push(("user_sgpr_private_segment_buffer", u.private_segment_buffer.into()));
            out.push(("user_sgpr_flat_scratch_init", u.flat_scratch_init.into()));
            out.push(("system_sgpr_private_segment_wavefront_offset", r2.private_segment.into()));
        }
    }
    out
}

/// What the tool says: directives by kernel.
fn theirs(path: &Path, kernels: &[Kernel]) -> Option<HashMap<String, HashMap<String, u64>>> {
    let symbols: Vec<_> = kernels.iter().map(|k| format!("{}.kd", k.name)).collect();
    let run = Command::new("llvm-objdump-22")
        .arg("-D")
        .arg(format!("--disassemble-symbols={}", symbols.join(",")))
        .arg(path)
        .output();
    let output = match run {
        Ok(output) => output,
        Err(e) => {
            assert!(std::env::var_os("CI").is_none(), "needs llvm-objdump-22: {e}");
            eprintln!("SKIPPED: needs llvm-objdump-22: {e}");
            return None;
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut all: HashMap<String, HashMap<String, u64>> = HashMap::new();
    let mut current = None;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix(".amdhsa_kernel ") {
            current = Some(name.to_owned());
        } else if let (Some(name), Some(rest)) = (&current, line.strip_prefix(".amdhsa_"))
            && let Some((field, value)) = rest.split_once(' ')
            && let Ok(value) = value.trim().parse()
        {
            all.entry(name.clone()).or_default().insert(field.to_owned(), value);
        }
    }
    Some(all)
}

#[test]
fn every_field_that_llvm_prints_is_the_one_we_read() {
    let (mut kernels, mut fields) = (0, 0);
    for path in corpus::objects() {
        let bytes = std::fs::read(&path).expect("reads");
        let object = CodeObject::parse(&bytes).expect("parses");
        let Some(theirs) = theirs(&path, &object.kernels) else { return };
        for kernel in &object.kernels {
            // Kernels that only the dynamic table names are not printed.
            let Some(theirs) = theirs.get(&kernel.name) else { continue };
            kernels += 1;
            for (field, value) in ours(kernel, object.target) {
                // A directive that says nothing new is left out.
                let want = theirs.get(field).copied().unwrap_or(0);
                assert_eq!(value, want, "{}: {}: {field}", path.display(), kernel.name);
                fields += usize::from(theirs.contains_key(field));
            }
        }
    }
    eprintln!("{fields} fields of {kernels} kernels compared");
    let corpus = corpus::shared("clang").is_some();
    assert!(!corpus || (kernels >= 40 && fields >= 30 * kernels), "{fields} fields of {kernels} kernels are too few");
}
