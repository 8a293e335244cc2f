//! What the emitter inserts, checked by code that shares nothing with the inserter: random programs are built, their
//! bytes decoded, and random paths through them walked on a machine that keeps explicit queues and fails as soon as an
//! instruction meets a register that is still owed.
//!
//! Programs reuse few registers, so that nearly every instruction depends on another.

use proptest::prelude::*;
use std::collections::VecDeque;
use wavesmith_asm::counters::{Raises, WaitCnt, raises};
use wavesmith_asm::effects::{Effects, Span};
use wavesmith_asm::hazard::{Facts, RULES, Traits, states_between};
use wavesmith_asm::reg::{A, EXEC, S, V, VCC};
use wavesmith_asm::sem::{Branch, Control, Sem};
use wavesmith_asm::{Build, Field, Inst, Target, decode};
use wavesmith_emitter::{Kernel, KernelBuilder, Label, When};

/// One step of a random program; the numbers pick registers.
#[derive(Clone, Debug)]
enum Step {
    Load {
        width: u8,
        dst: u8,
        addr: u8,
    },
    /// A load that looks past the first cache.
    LoadCoherent {
        dst: u8,
        addr: u8,
    },
    /// A write-back of the second cache, where the target has one, and an invalidation.
    Release,
    Acquire,
    Store {
        width: u8,
        data: u8,
        addr: u8,
    },
    LdsRead {
        dst: u8,
        addr: u8,
    },
    LdsWrite {
        data: u8,
        addr: u8,
    },
    ScalarLoad {
        dst: u8,
    },
    Valu {
        dst: u8,
        a: u8,
        b: u8,
    },
    ValuScalar {
        dst: u8,
        a: u8,
        s: u8,
    },
    Trans {
        dst: u8,
        a: u8,
    },
    Dot {
        dst: u8,
        a: u8,
        c: u8,
    },
    Dpp {
        dst: u8,
        a: u8,
    },
    Compare {
        a: u8,
        b: u8,
        vcc: bool,
    },
    Select {
        dst: u8,
        a: u8,
        vcc: bool,
    },
    ReadFirst {
        dst: u8,
        a: u8,
    },
    SaluUse {
        dst: u8,
        a: u8,
    },
    SaveExec,
    Mfma {
        long: bool,
        dst: u8,
        a: u8,
        c: u8,
    },
    ToAcc {
        a: u8,
    },
    FromAcc {
        dst: u8,
    },
    Barrier,
    /// Where the target has exports, which read their data late.
    Export {
        data: u8,
    },
    Label(u8),
    Branch {
        label: u8,
        when: u8,
    },
}

/// Any step of a program without branches.
fn straight_step() -> impl Strategy<Value = Step> {
    use Step::*;
    let r = 0u8..6;
    prop_oneof![
        (0u8..4, r.clone(), r.clone()).prop_map(|(width, dst, addr)| Load { width, dst, addr }),
        (0u8..4, r.clone(), r.clone()).prop_map(|(width, data, addr)| Store { width, data, addr }),
        (r.clone(), r.clone()).prop_map(|(dst, addr)| LdsRead { dst, addr }),
        (r.clone(), r.clone()).prop_map(|(data, addr)| LdsWrite { data, addr }),
        r.clone().prop_map(|dst| ScalarLoad { dst }),
        (r.clone(), r.clone(), r.clone()).prop_map(|(dst, a, b)| Valu { dst, a, b }),
        (r.clone(), r.clone(), r.clone()).prop_map(|(dst, a, s)| ValuScalar { dst, a, s }),
        (r.clone(), r.clone()).prop_map(|(dst, a)| Trans { dst, a }),
        (r.clone(), r.clone(), r.clone()).prop_map(|(dst, a, c)| Dot { dst, a, c }),
        (r.clone(), r.clone()).prop_map(|(dst, a)| Dpp { dst, a }),
        (r.clone(), r.clone(), any::<bool>()).prop_map(|(a, b, vcc)| Compare { a, b, vcc }),
        (r.clone(), r.clone(), any::<bool>()).prop_map(|(dst, a, vcc)| Select { dst, a, vcc }),
        (r.clone(), r.clone()).prop_map(|(dst, a)| ReadFirst { dst, a }),
        (r.clone(), r.clone()).prop_map(|(dst, a)| SaluUse { dst, a }),
        Just(SaveExec),
        (any::<bool>(), r.clone(), r.clone(), r.clone()).prop_map(|(long, dst, a, c)| Mfma { long, dst, a, c }),
        r.clone().prop_map(|a| ToAcc { a }),
        r.clone().prop_map(|dst| FromAcc { dst }),
        Just(Barrier),
        (r.clone(), r).prop_map(|(dst, addr)| LoadCoherent { dst, addr }),
        Just(Release),
        Just(Acquire),
        (0u8..6).prop_map(|data| Export { data }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        19 => straight_step(),
        1 => (0u8..4).prop_map(Step::Label),
        1 => (0u8..4, 0u8..4).prop_map(|(label, when)| Step::Branch { label, when }),
    ]
}

/// Builds the program; labels that no step binds end up before the end.
fn build(target: Target, steps: &[Step]) -> Kernel {
    let mut b = KernelBuilder::new("k", target);
    let labels: Vec<Label> = (0..4).map(|i| b.label(format!("l{i}"))).collect();
    let mut bound = [false; 4];
    let v = |i: u8| V::<1>(u16::from(i));
    // Pairs and quads overlap the single registers.
    let pair = |i: u8| V::<2>(u16::from(i) & !1);
    let quad = |i: u8| V::<4>(u16::from(i) & !1);
    let acc = |i: u8| A::<4>(u16::from(i % 3) * 2);
    let acc32 = |i: u8| A::<16>(u16::from(i % 3) * 2);
    let s = |i: u8| S::<1>(8 + u16::from(i));
    let spair = |i: u8| S::<2>(8 + (u16::from(i) & !1));
    let mask = S::<2>(20);
    for step in steps {
        match *step {
            Step::Load { width, dst, addr } => match width {
                0 => {
                    b.global_load_dword(v(dst), v(addr), spair(addr));
                }
                1 => {
                    b.global_load_dwordx2(pair(dst), v(addr), spair(dst));
                }
                2 => {
                    b.global_load_dwordx4(quad(dst), v(addr), spair(addr));
                }
                _ => {
                    b.global_load_short_d16(v(dst), v(addr), spair(addr));
                }
            },
            Step::LoadCoherent { dst, addr } => {
                let load = b.global_load_dword(v(dst), v(addr), spair(addr));
                if matches!(target, Target::Gfx942 | Target::Gfx950) {
                    load.sc1()
                } else {
                    load.sc0()
                };
            }
            Step::Release => match target {
                Target::Gfx908 => {}
                Target::Gfx90a => _ = b.buffer_wbl2(),
                _ => _ = b.buffer_wbl2().sc1(),
            },
            Step::Acquire => match target {
                Target::Gfx908 | Target::Gfx90a => _ = b.buffer_wbinvl1_vol(),
                _ => _ = b.buffer_inv().sc1(),
            },
            Step::Store { width, data, addr } => match width {
                0 => {
                    b.global_store_dword(v(addr), v(data), spair(addr));
                }
                1 => {
                    b.global_store_dwordx2(v(addr), pair(data), spair(addr));
                }
                _ => {
                    b.global_store_dwordx4(v(addr), quad(data), spair(addr));
                }
            },
            Step::LdsRead { dst, addr } => {
                b.ds_read_b64(pair(dst), v(addr));
            }
            Step::LdsWrite { data, addr } => {
                b.ds_write_b32(v(addr), v(data));
            }
            Step::ScalarLoad { dst } => b.load_scalar(spair(dst), S(0), 0),
            Step::Valu { dst, a, b: c } => {
                b.v_add_f32(v(dst), v(a), v(c));
            }
            Step::ValuScalar { dst, a, s: i } => {
                b.v_add_f32(v(dst), s(i), v(a));
            }
            Step::Trans { dst, a } => {
                b.v_exp_f32(v(dst), v(a));
            }
            Step::Dot { dst, a, c } => {
                b.v_dot2_f32_f16(v(dst), v(a), v(a), v(c));
            }
            Step::Dpp { dst, a } => {
                b.v_add_f32(v(dst), v(a), v(a)).row_shr(1);
            }
            Step::Compare { a, b: c, vcc } => {
                b.v_cmp_lt_f32(if vcc { VCC } else { mask }, v(a), v(c));
            }
            Step::Select { dst, a, vcc } => {
                b.v_cndmask_b32(v(dst), v(a), v(dst), if vcc { VCC } else { mask });
            }
            Step::ReadFirst { dst, a } => {
                b.v_readfirstlane_b32(s(dst), v(a));
            }
            Step::SaluUse { dst, a } => {
                b.s_add_u32(s(dst), s(a), 1);
            }
            Step::SaveExec => {
                b.s_and_saveexec_b64(EXEC, mask);
            }
            // The names changed with gfx942.
            Step::Mfma { long, dst, a, c } => match (long, target) {
                (true, Target::Gfx908 | Target::Gfx90a) => {
                    b.v_mfma_f32_32x32x8f16(acc32(dst), pair(a), pair(c), acc32(c));
                }
                (true, _) => {
                    b.v_mfma_f32_32x32x8_f16(acc32(dst), pair(a), pair(c), acc32(c));
                }
                (false, Target::Gfx908) => {
                    b.v_mfma_f32_4x4x4f16(acc(dst), pair(a), pair(a), acc(c));
                }
                (false, Target::Gfx90a) => {
                    b.v_mfma_f32_16x16x16f16(quad(dst), pair(a), pair(a), quad(c));
                }
                (false, _) => {
                    b.v_mfma_f32_16x16x16_f16(quad(dst), pair(a), pair(a), quad(c));
                }
            },
            Step::ToAcc { a } => {
                b.v_accvgpr_write_b32(A(u16::from(a % 6)), v(a));
            }
            Step::FromAcc { dst } => {
                b.v_accvgpr_read_b32(v(dst), A(u16::from(dst % 6)));
            }
            Step::Barrier => {
                b.s_barrier();
            }
            Step::Export { data } => {
                if target == Target::Gfx908 {
                    let data = wavesmith_asm::Operand::from(v(data));
                    b.emit_by_name("exp", &[wavesmith_asm::Operand::Imm(0), data, data, data, data]);
                }
            }
            Step::Label(i) => {
                if !std::mem::replace(&mut bound[i as usize], true) {
                    b.bind(labels[i as usize]);
                }
            }
            Step::Branch { label, when } => match when {
                0 => b.branch(labels[label as usize]),
                1 => b.branch_if(When::Scc1, labels[label as usize]),
                2 => b.branch_if(When::Vccz, labels[label as usize]),
                _ => b.branch_if(When::Execz, labels[label as usize]),
            },
        }
    }
    for (label, bound) in labels.into_iter().zip(bound) {
        if !bound {
            b.bind(label);
        }
    }
    b.end();
    b.finish().unwrap()
}

/// An instruction and its offset in dwords.
type Place = (usize, Inst);

fn instructions(k: &Kernel) -> Vec<Place> {
    let words: Vec<u32> = k.code.chunks(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let inst = decode(&words[at..], k.target).unwrap();
        out.push((at, inst));
        at += inst.dwords();
    }
    out
}

/// An operation under way, the registers it will write, and whether it accesses LDS.
struct Owed {
    registers: Vec<Span>,
    unordered: bool,
    lds: bool,
    /// A write-back, and a load that tells what others have written.
    writes_back: bool,
    acquires: bool,
}

/// The machine: explicit queues, oldest first, and the instructions before with the states since.
#[derive(Default)]
struct Machine {
    vm: VecDeque<Owed>,
    lgkm: VecDeque<Owed>,
    /// Registers that exports have yet to read.
    exports: Vec<Span>,
    trail: VecDeque<(Facts, u32)>,
}

fn drain(queue: &mut VecDeque<Owed>, count: u8) {
    if count > 0 && queue.iter().any(|o| o.unordered) {
        // Any of them may be the ones that are done.
        return;
    }
    while queue.len() > usize::from(count) {
        queue.pop_front();
    }
}

impl Machine {
    /// Executes one instruction, or says why it must not execute yet.
    fn execute(&mut self, inst: &Inst) -> Result<(), String> {
        let effects = Effects::of(inst);
        let sem = inst.row().sem;
        let kind = raises(inst);
        let owed = |queue: &VecDeque<Owed>, t: Span| queue.iter().any(|o| o.registers.iter().any(|r| r.overlaps(t)));
        for t in effects.touches() {
            let by_load = t.write && t.slot == Field::Dst && kind == Raises::Vm;
            if owed(&self.vm, t.span) && !by_load {
                return Err(format!("{inst:?} meets {:?}, owed by vector memory", t.span));
            }
            if owed(&self.lgkm, t.span) {
                return Err(format!("{inst:?} meets {:?}, owed by LDS or scalar memory", t.span));
            }
        }
        if effects.writes().any(|t| self.exports.iter().any(|e| e.overlaps(t.span))) {
            return Err(format!("{inst:?} overwrites what is yet to be exported"));
        }
        if matches!(sem, Sem::Control(Control::Barrier)) && self.lgkm.iter().any(|o| o.lds) {
            return Err("a barrier before LDS is written or read".into());
        }
        if matches!(sem, Sem::Store { .. }) && kind == Raises::Vm && self.vm.iter().any(|o| o.writes_back) {
            return Err("a store before the write-back is done".into());
        }
        if matches!(sem, Sem::CacheInvalidate { .. }) && self.vm.iter().any(|o| o.acquires) {
            return Err("an invalidation before what it is for has returned".into());
        }
        self.wait_states(inst)?;
        let written = effects.writes().filter(|t| t.slot != Field::Reserved).map(|t| t.span).collect();
        let lds = kind == Raises::Lds;
        let acquires = matches!(sem, Sem::Load { .. }) && inst.get(Field::Sc0) | inst.get(Field::Sc1) != 0;
        let writes_back = matches!(sem, Sem::CacheWriteback);
        let owe = Owed { registers: written, unordered: kind == Raises::Scalar, lds, writes_back, acquires };
        match kind {
            Raises::Vm => self.vm.push_back(owe),
            Raises::Lds | Raises::Scalar => self.lgkm.push_back(owe),
            Raises::Export => self.exports.extend(effects.reads().filter(|t| t.span.is_vector()).map(|t| t.span)),
            Raises::Nothing => {}
            other => panic!("the programs have no {other:?}"),
        }
        if let Sem::Control(Control::Waitcnt) = sem {
            let wait = WaitCnt::decode(inst.get(Field::Simm16) as u16);
            if wait.vm < 63 {
                drain(&mut self.vm, wait.vm);
            }
            if wait.lgkm < 15 {
                drain(&mut self.lgkm, wait.lgkm);
            }
            if wait.exp == 0 {
                self.exports.clear();
            }
        }
        Ok(())
    }

    /// Looks at every pair of this instruction and one before it.
    fn wait_states(&mut self, inst: &Inst) -> Result<(), String> {
        let facts = Facts::of(inst);
        let mut dgemm_between = false;
        for (before, since) in self.trail.iter().rev() {
            let (states, why) = states_between(before, &facts, dgemm_between);
            dgemm_between |= before.traits.has(Traits::DGEMM);
            if u32::from(states) > *since {
                return Err(format!("{inst:?} needs {states} states, has {since}: {why}"));
            }
        }
        let states = u32::from(facts.states());
        for (_, since) in &mut self.trail {
            *since += states;
        }
        self.trail.retain(|(_, since)| *since < 24);
        self.trail.push_back((facts, 0));
        Ok(())
    }
}

/// Walks from the start, taking conditional branches as `choices` says, for as many steps as there are choices.
fn walk(code: &[Place], choices: &[bool]) -> Result<(), String> {
    let mut machine = Machine::default();
    let mut pc = 0;
    for &taken in choices {
        let (at, inst) = &code[pc];
        machine.execute(inst).map_err(|e| format!("at {at}: {e}"))?;
        let jump = match inst.row().sem {
            Sem::Control(Control::EndPgm) => return Ok(()),
            Sem::Branch(Branch::Always) => true,
            Sem::Branch(_) => taken,
            _ => false,
        };
        pc = if jump {
            let to = (*at as i64 + 1 + i64::from(inst.get_signed(Field::Simm16))) as usize;
            code.iter().position(|(a, _)| *a == to).expect("a branch goes to an instruction")
        } else {
            pc + 1
        };
    }
    Ok(())
}

/// Straight code without one inserted instruction's effect: a wait weakened by one on each counter that it waits for, a
/// nop shortened by one state.
fn weakened(code: &[Place]) -> Vec<Vec<Place>> {
    let mut out = Vec::new();
    for i in 0..code.len() {
        let mut with = |f: &dyn Fn(&mut Vec<Place>)| {
            let mut copy = code.to_vec();
            f(&mut copy);
            out.push(copy);
        };
        match code[i].1.row().sem {
            Sem::Control(Control::Waitcnt) => {
                let w = WaitCnt::decode(code[i].1.get(Field::Simm16) as u16);
                if w.vm < 63 {
                    with(&|code| code[i].1.set(Field::Simm16, WaitCnt { vm: w.vm + 1, ..w }.encode().into()));
                }
                if w.lgkm < 15 {
                    with(&|code| code[i].1.set(Field::Simm16, WaitCnt { lgkm: w.lgkm + 1, ..w }.encode().into()));
                }
                if w.exp < 7 {
                    with(&|code| code[i].1.set(Field::Simm16, WaitCnt { exp: w.exp + 1, ..w }.encode().into()));
                }
            }
            Sem::Control(Control::Nop) => {
                // One state less than `s_nop 0` is none.
                match code[i].1.get(Field::Simm16) {
                    0 => with(&|code| _ = code.remove(i)),
                    states => with(&|code| code[i].1.set(Field::Simm16, states - 1)),
                }
            }
            _ => {}
        }
    }
    out
}

/// As many cases as `PROPTEST_CASES` asks for, or `usual`.
fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let config = ProptestConfig::default();
    ProptestConfig { cases: if asked { config.cases } else { usual }, ..config }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..cases(400) })]

    #[test]
    fn no_path_meets_a_register_that_is_owed(
        target in 0usize..4,
        steps in proptest::collection::vec(step(), 1..60),
        choices in proptest::collection::vec(any::<bool>(), 300),
    ) {
        let target = Target::ALL[target];
        let k = build(target, &steps);
        let code = instructions(&k);
        prop_assert_eq!(walk(&code, &choices), Ok(()), "\n{}", k.listing);
    }

    #[test]
    fn in_straight_code_no_wait_or_nop_could_be_weaker(
        target in 0usize..4,
        steps in proptest::collection::vec(straight_step(), 1..50),
    ) {
        let k = build(Target::ALL[target], &steps);
        let code = instructions(&k);
        let choices = vec![false; code.len() + 1];
        prop_assert_eq!(walk(&code, &choices), Ok(()));
        for weaker in weakened(&code) {
            prop_assert!(walk(&weaker, &choices).is_err(), "less would do:\n{}", k.listing);
        }
    }
}

#[test]
fn the_rules_and_the_bits_that_index_them_agree_in_number() {
    assert!(RULES.len() <= 64);
}
