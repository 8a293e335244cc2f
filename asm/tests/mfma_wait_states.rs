//! The wait states of matrix instructions against what LLVM's hazard recogniser inserts for the same pairs: every row
//! of the measured table, on gfx90a, gfx942 and gfx950. The table lies beside the repository in the workplace where it
//! was measured; without it the test says so and passes.

use wavesmith_asm::build::encode_shortest;
use wavesmith_asm::hazard::{Facts, states_between};
use wavesmith_asm::{Field, Inst, Operand, Reg, Target, names};

/// Where the producer's result, its accumulator input, A and B lie; everything else keeps clear of them.
const D: u16 = 64;
const C: u16 = 128;
const AB: u16 = 32;
const CLEAR: u16 = 192;

/// An instruction with each operand slot at the given register; widths are the row's.
fn inst(target: Target, name: &str, place: impl Fn(Field) -> u16) -> Inst {
    let m = names::lookup(name).unwrap_or_else(|| panic!("no {name}"));
    let row = m.row(target).unwrap_or_else(|| panic!("no {name} on {target}")).row();
    let operand = |o: &wavesmith_asm::Opd| match o.slot {
        Field::Saddr => Operand::Off,
        slot => Operand::Reg(Reg::v(
            place(slot),
            o.ty.dwords().max(if slot == Field::Vaddr && name.starts_with("global") { 2 } else { 1 }),
        )),
    };
    let operands: Vec<Operand> = row.operands.iter().map(operand).collect();
    encode_shortest(m, &operands, target).unwrap_or_else(|e| panic!("{e}"))
}

/// The mnemonic behind a label of the table.
fn mnemonic(target: Target, label: &str) -> &'static str {
    let new = matches!(target, Target::Gfx942 | Target::Gfx950);
    match label {
        "2p_xdl(4x4x4f16)" if new => "v_mfma_f32_4x4x4_16b_f16",
        "2p_xdl(4x4x4f16)" => "v_mfma_f32_4x4x4f16",
        "4p_xdl(16x16x16f16)" => "v_mfma_f32_16x16x16_f16",
        "8p_xdl(16x16x16f16)" => "v_mfma_f32_16x16x16f16",
        "8p_xdl(32x32x8f16)" => "v_mfma_f32_32x32x8_f16",
        "16p_xdl(32x32x8f16)" => "v_mfma_f32_32x32x8f16",
        "16p_xdl(32x32x4_2b_f16)" => "v_mfma_f32_32x32x4_2b_f16",
        "4p_xdl(16x16x32f16)" => "v_mfma_f32_16x16x32_f16",
        "8p_xdl(32x32x16f16)" => "v_mfma_f32_32x32x16_f16",
        "4p_xf32(16x16x8)" => "v_mfma_f32_16x16x8_xf32",
        "8p_xf32(32x32x4)" => "v_mfma_f32_32x32x4_xf32",
        "2p_f32(4x4x1f32)" => "v_mfma_f32_4x4x1f32",
        "8p_f32(16x16x4f32)" => "v_mfma_f32_16x16x4f32",
        "16p_f32(32x32x2f32)" => "v_mfma_f32_32x32x2f32",
        "2p_sgemm(4x4x1f32)" => "v_mfma_f32_4x4x1_16b_f32",
        "8p_sgemm(16x16x4f32)" => "v_mfma_f32_16x16x4_f32",
        "16p_sgemm(32x32x2f32)" => "v_mfma_f32_32x32x2_f32",
        "dgemm4x4" if new => "v_mfma_f64_4x4x4_4b_f64",
        "dgemm4x4" => "v_mfma_f64_4x4x4f64",
        "dgemm16x16" if new => "v_mfma_f64_16x16x4_f64",
        "dgemm16x16" => "v_mfma_f64_16x16x4f64",
        other => panic!("unknown label {other}"),
    }
}

fn matrix(target: Target, name: &str, place: impl Fn(Field) -> u16) -> Inst {
    inst(target, name, place)
}

/// The consumer that a row of the table describes.
fn consumer(target: Target, producer: &str, what: &str) -> Option<Inst> {
    let clear = |slot: Field| if slot == Field::Dst { CLEAR } else { CLEAR + 32 };
    let with = |field: Field, at: u16| move |slot: Field| if slot == field { at } else { clear(slot) };
    Some(match what {
        "VALU read D (v_mov)" => inst(target, "v_mov_b32", with(Field::Src0, D)),
        "VALU write D (WAW)" => inst(target, "v_mov_b32", with(Field::Dst, D)),
        "VALU write SrcC (WAR)" => inst(target, "v_mov_b32", with(Field::Dst, C)),
        "VALU write SrcA (WAR)" => inst(target, "v_mov_b32", with(Field::Dst, AB)),
        "global_store reads D" => inst(target, "global_store_dword", with(Field::Data0, D)),
        "ds_write reads D" => inst(target, "ds_write_b32", with(Field::Data0, D)),
        "global_load writes D (WAW)" => inst(target, "global_load_dword", with(Field::Dst, D)),
        "same op SrcC=D exact" => {
            matrix(target, producer, |s| if matches!(s, Field::Src2 | Field::Dst) { D } else { clear(s) })
        }
        "same op SrcC=D exact, new dst" => matrix(target, producer, with(Field::Src2, D)),
        _ => {
            let (label, how) = what.split_once(": ").unwrap();
            let name = mnemonic(target, label);
            match how {
                "SrcC=D exact" => matrix(target, name, with(Field::Src2, D)),
                // Shifted, or shorter, so that the tuples differ.
                "SrcC overlaps D" if label == "dgemm4x4" => matrix(target, name, with(Field::Src2, D)),
                "SrcC overlaps D" => matrix(target, name, with(Field::Src2, D - 2)),
                "SrcA=D" => matrix(target, name, with(Field::Src0, D)),
                _ => return None,
            }
        }
    })
}

#[test]
fn matrix_wait_states_are_those_that_llvm_inserts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/facts/data/hazards.txt");
    let Ok(table) = std::fs::read_to_string(std::env::var("WAVESMITH_HAZARDS").as_deref().unwrap_or(path)) else {
        eprintln!("SKIPPED: needs the measured table of wait states");
        return;
    };
    let (mut target, mut producer) = (Target::Gfx90a, "");
    let (mut compared, mut wrong) = (0, Vec::new());
    for line in table.lines().filter(|l| !l.trim().is_empty()) {
        if let Some(name) = line.strip_prefix("===== ") {
            target = name.trim().parse().unwrap();
            continue;
        }
        if let Some(label) = line.strip_prefix("-- ") {
            producer = mnemonic(target, label.trim());
            continue;
        }
        let (what, states) = line.trim().rsplit_once(char::is_whitespace).unwrap();
        let what = what.trim();
        let p = matrix(target, producer, |slot| match slot {
            Field::Dst => D,
            Field::Src2 => C,
            _ => AB,
        });
        let c = consumer(target, producer, what).unwrap_or_else(|| panic!("unknown row {line}"));
        let (ours, _) = states_between(&Facts::of(&p), &Facts::of(&c), false);
        compared += 1;
        if ours != states.parse::<u8>().unwrap() {
            wrong.push(format!("{target} {producer} -> {what}: {ours}, LLVM {states}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 900, "only {compared} rows were compared");
}
