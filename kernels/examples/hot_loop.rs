//! Instructions of the hot loop, counted by kind, beside those of AITER's kernels for the same tile:
//! `WAVESMITH_CORPUS=DIR cargo run --release -p wavesmith-kernels --example hot_loop`, DIR holding `hsa/gfx950/…` of the
//! public repository ROCm/aiter, or `gfx950/…`. Without it only ours are counted.
//!
//! The hot loop is the loop with the most matrix instructions; counts are for 128 of them, which is one stage of a 256 × 256
//! tile on four waves: 64 along K in bf16, 256 in fp4.

use std::path::PathBuf;
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Field, Format, Inst, Sku, Time, decode};
use wavesmith_emitter::listing::Line;
use wavesmith_kernels::gemm::{Dtype, GemmParams, GemmProblem, Mx, Schedule, gemm};
use wavesmith_loader::code_object::CodeObject;

const KINDS: [&str; 9] = ["MFMA", "loads", "LDS", "VALU", "SALU", "branches", "waits", "barriers", "nops"];

fn kind(inst: &Inst) -> usize {
    let row = inst.row();
    match (row.sem, row.time, row.format) {
        (Sem::Mfma(_), ..) => 0,
        (.., Format::DS) => 2,
        (_, Time::Vmem(_), _) => 1,
        (Sem::Branch(_), ..) => 5,
        (Sem::Control(Control::Waitcnt), ..) => 6,
        (Sem::Control(Control::Barrier), ..) => 7,
        (Sem::Control(Control::Nop), ..) => 8,
        (_, Time::Salu | Time::Smem | Time::Internal, _) => 4,
        _ => 3,
    }
}

/// Counts of the loop with the most matrix instructions, per 128 of them.
fn hot_loop(code: &[(u64, Inst)]) -> [f64; 9] {
    let mut best = [0.0; 9];
    for (i, (at, inst)) in code.iter().enumerate() {
        let Sem::Branch(_) = inst.row().sem else { continue };
        let to = at.wrapping_add(4).wrapping_add_signed(4 * i64::from(inst.get_signed(Field::Simm16)));
        if inst.row().format != Format::SOPP || to > *at {
            continue;
        }
        let mut counts = [0.0; 9];
        code[..=i].iter().filter(|(a, _)| *a >= to).for_each(|(_, inst)| counts[kind(inst)] += 1.0);
        if counts[0] > best[0] {
            best = counts;
        }
    }
    best.map(|n| n * 128.0 / best[0])
}

fn ours(dtype: Dtype) -> [f64; 9] {
    let sku = Sku::named("mi355x").expect("known part");
    let problem = GemmProblem::dense([8192; 3], [false, true]);
    let params = GemmParams {
        tile_m: 256,
        tile_n: 256,
        waves_m: 2,
        waves_n: 2,
        stage_bytes: 128,
        schedule: Schedule::Rotate { mfma_per_read: 3, mfma_per_load: 3 },
        ..GemmParams::suited(dtype, false, true, &problem, sku)
    };
    let made = gemm(&params, sku).expect("is generated");
    let code: Vec<(u64, Inst)> = made
        .kernel
        .listing
        .lines
        .iter()
        .filter_map(|l| match l {
            Line::Instruction { offset, inst, .. } => Some((u64::from(*offset), *inst)),
            _ => None,
        })
        .collect();
    eprint!("{}", made.kernel.report());
    hot_loop(&code)
}

/// A kernel of the corpus; `None` where there is no corpus.
fn theirs(path: &str) -> Option<[f64; 9]> {
    let root = PathBuf::from(std::env::var_os("WAVESMITH_CORPUS")?);
    let bytes = [root.join("hsa").join(path), root.join(path)].into_iter().find_map(|p| std::fs::read(p).ok())?;
    let object = CodeObject::parse(&bytes).ok()?;
    let entry = object.kernels.first()?.entry_vaddr;
    let segment = object.segments.iter().find(|s| s.addresses().contains(&entry))?;
    let size = segment.addresses().end - entry;
    let code = &bytes[object.file_range(entry, size)?];
    let words: Vec<u32> = code.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(Ok(inst)) = words.get(at..).filter(|w| !w.is_empty()).map(|w| decode(w, object.target)) {
        out.push((entry + 4 * at as u64, inst));
        at += inst.words().len();
    }
    Some(hot_loop(&out))
}

fn main() {
    wavesmith_console::end_quietly_at_closed_pipes();
    println!("{:<44}{}", "per 128 MFMA", KINDS.map(|k| format!("{k:>9}")).concat());
    let show = |name: &str, counts: Option<[f64; 9]>| match counts {
        Some(c) => println!("{name:<44}{}", c.map(|n| format!("{n:>9}")).concat()),
        None => println!("{name:<44}  not counted: WAVESMITH_CORPUS names no folder with it"),
    };
    show("wavesmith gemm bf16 256x256", Some(ours(Dtype::Bf16)));
    show("AITER bf16gemm_bf16_tn_256x256", theirs("gfx950/bf16gemm/bf16gemm_bf16_tn_256x256.co"));
    show("wavesmith gemm mxfp4 256x256", Some(ours(Dtype::Mx(Mx::Fp4, Mx::Fp4))));
    show("AITER f4gemm 256x256", theirs("gfx950/f4gemm/f4gemm_bf16_per1x32Fp4_BpreShuffle_256x256.co"));
}
