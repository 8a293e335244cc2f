//! Reordered code means what it meant: random straight-line programs are issued as written, list-scheduled and woven,
//! and each version is evaluated symbolically. A result is a hash of the operation and of the values it read, loads
//! read a memory that every store changes, and in the end all registers and memories must agree.

use proptest::prelude::*;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use wavesmith_asm::effects::Effects;
use wavesmith_asm::reg::{S, V, VCC};
use wavesmith_asm::sem::{Control, Sem, Space};
use wavesmith_asm::{Build, Inst, Target, decode, print};
use wavesmith_emitter::{EmitError, Kernel, KernelBuilder};

#[derive(Clone, Debug)]
struct Step {
    op: u8,
    picks: [u8; 3],
}

fn step() -> impl Strategy<Value = Step> {
    (0u8..12, any::<[u8; 3]>()).prop_map(|(op, picks)| Step { op, picks })
}

fn record(b: &mut KernelBuilder, s: &Step) {
    let v = |i: usize| V::<1>(u16::from(s.picks[i] % 6));
    let w = |i: usize| V::<2>(u16::from(s.picks[i] % 3) * 2);
    let q = |i: usize| V::<4>(u16::from(s.picks[i] % 2) * 2);
    let sc = |i: usize| S::<1>(8 + u16::from(s.picks[i] % 4));
    match s.op {
        0 => {
            b.v_add_f32(v(0), v(1), v(2));
        }
        1 => {
            b.v_exp_f32(v(0), v(1));
        }
        2 => {
            b.v_mfma_f32_16x16x16_f16(q(0), w(1), w(2), q(0));
        }
        3 => {
            b.global_load_dword(v(0), v(1), S::<2>(0));
        }
        4 => {
            b.global_store_dwordx2(v(0), w(1), S::<2>(0));
        }
        5 => {
            b.ds_read_b64(w(0), v(1));
        }
        6 => {
            b.ds_write_b32(v(0), v(1));
        }
        7 => {
            b.s_add_u32(sc(0), sc(1), sc(2));
        }
        8 => {
            b.s_addc_u32(sc(0), sc(1), sc(2));
        }
        9 => {
            b.v_cmp_lt_f32(VCC, v(0), v(1));
        }
        10 => {
            b.v_cndmask_b32(v(0), v(1), v(2), VCC);
        }
        _ => {
            b.v_readfirstlane_b32(sc(0), v(1));
        }
    }
}

fn finish(mut b: KernelBuilder) -> Kernel {
    b.end();
    b.finish().unwrap()
}

fn instructions(k: &Kernel) -> Vec<Inst> {
    let words: Vec<u32> = k.code.chunks(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let inst = decode(&words[at..], k.target).unwrap();
        at += inst.dwords();
        if !matches!(inst.row().sem, Sem::Control(Control::Nop | Control::Waitcnt)) {
            out.push(inst);
        }
    }
    out
}

/// Registers by flat number, then global memory and LDS as one value each.
fn evaluate(code: &[Inst]) -> (HashMap<u16, u64>, u64, u64) {
    let mut file: HashMap<u16, u64> = HashMap::new();
    let (mut global, mut lds) = (0u64, 0u64);
    for inst in code {
        let effects = Effects::of(inst);
        let mut h = DefaultHasher::new();
        inst.name().hash(&mut h);
        for t in effects.reads() {
            for r in t.span.iter() {
                file.get(&r).copied().unwrap_or(u64::from(r)).hash(&mut h);
            }
        }
        match inst.row().sem {
            Sem::Load { space, .. } => if space == Space::Lds { lds } else { global }.hash(&mut h),
            Sem::Store { space, .. } => {
                let m = if space == Space::Lds { &mut lds } else { &mut global };
                (*m, h.finish()).hash(&mut h);
                *m = h.finish();
            }
            _ => {}
        }
        for t in effects.writes() {
            for r in t.span.iter() {
                let mut each = h.clone();
                (r - t.span.first).hash(&mut each);
                file.insert(r, each.finish());
            }
        }
    }
    (file, global, lds)
}

fn texts(code: &[Inst]) -> String {
    code.iter().map(|i| print::text(i) + "\n").collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_list_schedule_computes_what_the_program_computes(steps in proptest::collection::vec(step(), 1..50)) {
        let mut plain = KernelBuilder::new("k", Target::Gfx942);
        steps.iter().for_each(|s| record(&mut plain, s));
        let mut scheduled = KernelBuilder::new("k", Target::Gfx942);
        let stream = scheduled.capture(|b| -> Result<(), EmitError> {
            steps.iter().for_each(|s| record(b, s));
            Ok(())
        }).unwrap();
        scheduled.list_schedule(stream);
        let (plain, scheduled) = (instructions(&finish(plain)), instructions(&finish(scheduled)));
        prop_assert_eq!(plain.len(), scheduled.len());
        prop_assert_eq!(evaluate(&plain), evaluate(&scheduled), "\n{}\n{}", texts(&plain), texts(&scheduled));
    }

    #[test]
    fn a_woven_order_is_refused_or_right(
        lead in proptest::collection::vec(step(), 1..20),
        other in proptest::collection::vec(step(), 1..8),
        every in 1usize..4,
    ) {
        let mut plain = KernelBuilder::new("k", Target::Gfx942);
        lead.iter().chain(&other).for_each(|s| record(&mut plain, s));
        let mut woven = KernelBuilder::new("k", Target::Gfx942);
        let mut capture = |steps: &[Step]| woven.capture(|b| -> Result<(), EmitError> {
            steps.iter().for_each(|s| record(b, s));
            Ok(())
        }).unwrap();
        let (a, b) = (capture(&lead), capture(&other));
        woven.weave(a, vec![(b, every)]);
        woven.end();
        match woven.finish() {
            Ok(k) => prop_assert_eq!(evaluate(&instructions(&finish(plain))), evaluate(&instructions(&k))),
            Err(e) => prop_assert!(e.to_string().contains("weaving"), "{}", e),
        }
    }
}

#[test]
fn independent_loads_go_ahead_of_the_arithmetic_that_waits_for_them() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let stream = b
        .capture(|b| -> Result<(), EmitError> {
            for i in 0..3 {
                b.global_load_dword(V::<1>(10 + i), V::<1>(0), S::<2>(0)).offset(4 * i32::from(i));
                b.v_add_f32(V::<1>(20 + i), V::<1>(10 + i), V::<1>(1));
            }
            Ok(())
        })
        .unwrap();
    b.list_schedule(stream);
    let names: Vec<&str> = instructions(&finish(b)).iter().map(Inst::name).collect();
    assert_eq!(
        names[..6],
        ["global_load_dword", "global_load_dword", "global_load_dword", "v_add_f32", "v_add_f32", "v_add_f32"]
    );
}

#[test]
fn a_pattern_puts_one_after_every_so_many() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let lead = b
        .capture(|b| -> Result<(), EmitError> {
            for i in 0..4 {
                b.v_add_f32(V::<1>(10 + i), V::<1>(1), V::<1>(2));
            }
            Ok(())
        })
        .unwrap();
    let loads = b
        .capture(|b| -> Result<(), EmitError> {
            for i in 0..3 {
                b.global_load_dword(V::<1>(20 + i), V::<1>(0), S::<2>(0));
            }
            Ok(())
        })
        .unwrap();
    b.weave(lead, vec![(loads, 2)]);
    let names: String = instructions(&finish(b)).iter().map(|i| &i.name()[..1]).collect();
    assert_eq!(names, "vvgvvggs");
}

#[test]
fn captured_code_must_be_straight() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let stream = b
        .capture(|b| -> Result<(), EmitError> {
            b.here("inside");
            Ok(())
        })
        .unwrap();
    assert!(stream.is_empty());
    b.end();
    assert!(matches!(b.finish(), Err(EmitError::Encode { .. })));
}

#[test]
fn wait_states_are_filled_with_independent_instructions() {
    let nops = |scheduled: bool| {
        let mut b = KernelBuilder::new("k", Target::Gfx942);
        let stream = b
            .capture(|b| -> Result<(), EmitError> {
                b.v_mfma_f32_16x16x16_f16(V::<4>(0), V::<2>(4), V::<2>(6), V::<4>(0));
                b.v_add_f32(V::<1>(10), V::<1>(0), V::<1>(1));
                (0..12).for_each(|i| _ = b.v_add_f32(V::<1>(20 + i), V::<1>(8), V::<1>(9)));
                Ok(())
            })
            .unwrap();
        if scheduled {
            b.list_schedule(stream);
        } else {
            b.play(stream);
        }
        b.end();
        let texts = b.finish().unwrap().listing.texts();
        texts.iter().filter(|t| t.starts_with("s_nop")).count()
    };
    assert_eq!((nops(false), nops(true)), (1, 0));
}
