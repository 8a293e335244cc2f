//! The register allocator, checked by running programs twice: once on virtual registers, as written, and once on the
//! registers that the finished code names. Every write makes a token of its own in both; every read must find the
//! token in the code that it finds in the program. There are two lanes, one of which EXEC turns off now and then, so
//! that a masked write must leave that lane's token alone. Nothing of the allocator is used to tell.

use proptest::prelude::*;
use std::collections::HashMap;
use wavesmith_asm::build::Emit;
use wavesmith_asm::reg::{A, EXEC, Reg, RegClass, S, V};
use wavesmith_asm::sem::{Control, Sem};
use wavesmith_asm::{Access, Build, Inst, Operand, Target, decode, names};
use wavesmith_emitter::{EmitError, Kernel, KernelBuilder, Label, When};

/// How many values of each kind a program has.
const VALUES: usize = 5;

#[derive(Clone, Debug)]
enum Step {
    /// An instruction by name with its operands, as (kind, number, offset) picks.
    Op(usize, [u8; 4]),
    Label(u8),
    Branch(u8, bool),
    /// Turns the second lane off, or on again.
    Mask,
}

/// Instructions with operand kinds: `v`, `w` (pair), `q` (quad), `o` (16), `s`, `t` (scalar pair), `a` (AGPR quad).
const OPS: [(&str, &str); 14] = [
    ("v_mov_b32", "vv"),
    ("v_add_f32", "vvv"),
    ("v_fma_f32", "vvvv"),
    ("v_add_u32", "vsv"),
    ("v_lshlrev_b64", "wvw"),
    ("v_fmac_f32", "vvv"),
    ("s_mov_b32", "ss"),
    ("s_add_u32", "sss"),
    ("s_and_b64", "ttt"),
    ("v_cmp_lt_f32", "tvv"),
    ("v_mfma_f32_16x16x16_f16", "qwwq"),
    ("v_mfma_f32_16x16x16_f16", "awwa"),
    ("v_readfirstlane_b32", "sv"),
    ("v_mfma_f32_32x32x8_f16", "owwo"),
];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..OPS.len(), any::<[u8; 4]>()).prop_map(|(op, picks)| Step::Op(op, picks)),
        1 => (0u8..4).prop_map(Step::Label),
        1 => (0u8..4, any::<bool>()).prop_map(|(l, always)| Step::Branch(l, always)),
        1 => Just(Step::Mask),
    ]
}

struct Values {
    v: Vec<V<1>>,
    w: Vec<V<2>>,
    q: Vec<V<4>>,
    o: Vec<V<16>>,
    s: Vec<S<1>>,
    t: Vec<S<2>>,
    a: Vec<A<4>>,
}

impl Values {
    fn new(b: &mut KernelBuilder) -> Values {
        Values {
            v: (0..VALUES).map(|_| b.v()).collect(),
            w: (0..VALUES).map(|_| b.v()).collect(),
            q: (0..VALUES).map(|_| b.v()).collect(),
            o: (0..2).map(|_| b.v()).collect(),
            s: (0..VALUES).map(|_| b.s()).collect(),
            t: (0..VALUES).map(|_| b.s()).collect(),
            a: (0..VALUES).map(|_| b.a()).collect(),
        }
    }

    /// A register of that kind. Single and paired ones may lie inside wider values.
    fn pick(&self, kind: u8, n: u8) -> Reg {
        let (i, sub) = (usize::from(n) % VALUES, u16::from(n) / 8);
        match (kind, n % 3) {
            (b'v', 0) => self.q[i].at(sub % 4).reg(),
            (b'v', 1) => self.w[i].at(sub % 2).reg(),
            (b'v', _) => self.v[i].reg(),
            (b'w', 0) => self.q[i].sub::<2>(2 * (sub % 2)).reg(),
            (b'w', _) => self.w[i].reg(),
            (b'q', _) => self.q[i].reg(),
            (b'o', _) => self.o[i % 2].reg(),
            (b's', 0) => self.t[i].at(sub % 2).reg(),
            (b's', _) => self.s[i].reg(),
            (b't', _) => self.t[i].reg(),
            (b'a', _) => self.a[i].reg(),
            other => panic!("no kind {other:?}"),
        }
    }
}

/// One recorded instruction: its operands, or where it branches to.
enum Recorded {
    Op(Vec<Operand>),
    Branch(usize, bool),
    Mask(Vec<Operand>, bool),
}

/// Builds the program; returns what was recorded, each label's place, and the kernel.
fn build(steps: &[Step], limit: Option<u16>) -> (Vec<Recorded>, [usize; 4], Result<Kernel, EmitError>) {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    if let Some(n) = limit {
        b.limit(RegClass::V, n);
    }
    let values = Values::new(&mut b);
    let labels: Vec<Label> = (0..4).map(|i| b.label(format!("l{i}"))).collect();
    let mut places = [usize::MAX; 4];
    let mut recorded = Vec::new();
    // Everything is written once, so that no read finds nothing.
    let every = |b: &mut KernelBuilder, recorded: &mut Vec<Recorded>, name: &str, r: Reg| {
        for i in 0..u16::from(r.count) {
            let operands = vec![Operand::Reg(Reg { index: r.index + i, count: 1, ..r }), Operand::Int(0)];
            b.record(names::lookup(name).unwrap(), &operands);
            recorded.push(Recorded::Op(operands));
        }
    };
    let vs = values.v.iter().map(|r| r.reg()).chain(values.w.iter().map(|r| r.reg()));
    let vs = vs.chain(values.q.iter().map(|r| r.reg())).chain(values.o.iter().map(|r| r.reg()));
    vs.for_each(|r| every(&mut b, &mut recorded, "v_mov_b32", r));
    let ss = values.s.iter().map(|r| r.reg()).chain(values.t.iter().map(|r| r.reg()));
    ss.for_each(|r| every(&mut b, &mut recorded, "s_mov_b32", r));
    values.a.iter().for_each(|r| every(&mut b, &mut recorded, "v_accvgpr_write_b32", r.reg()));
    let saved: S<2> = b.s();
    let mut narrow = false;
    for step in steps {
        match step {
            // Paths in and out of the masked part would be no structured program.
            Step::Label(_) | Step::Branch(..) if narrow => {}
            Step::Mask => {
                let operands: Vec<Operand> =
                    if narrow { vec![EXEC.into(), saved.into()] } else { vec![saved.into(), values.t[0].into()] };
                let name = if narrow { "s_mov_b64" } else { "s_and_saveexec_b64" };
                b.record(names::lookup(name).unwrap(), &operands);
                narrow = !narrow;
                recorded.push(Recorded::Mask(operands, narrow));
            }
            Step::Op(op, picks) => {
                let (name, kinds) = OPS[*op];
                let operands: Vec<Operand> =
                    kinds.bytes().zip(picks).map(|(k, n)| Operand::Reg(values.pick(k, *n))).collect();
                b.record(names::lookup(name).unwrap(), &operands);
                recorded.push(Recorded::Op(operands));
            }
            Step::Label(i) => {
                if places[*i as usize] == usize::MAX {
                    places[*i as usize] = recorded.len();
                    b.bind(labels[*i as usize]);
                }
            }
            Step::Branch(i, always) => {
                if *always {
                    b.branch(labels[*i as usize]);
                } else {
                    b.branch_if(When::Scc1, labels[*i as usize]);
                }
                recorded.push(Recorded::Branch(*i as usize, *always));
            }
        }
    }
    if narrow {
        b.s_mov_b64(EXEC, saved);
        recorded.push(Recorded::Mask(vec![EXEC.into(), saved.into()], false));
    }
    for (place, label) in places.iter_mut().zip(labels) {
        if *place == usize::MAX {
            *place = recorded.len();
            b.bind(label);
        }
    }
    // What is read at the end is live to the end.
    let last = vec![Operand::Reg(values.v[0].reg()), Operand::Reg(values.q[0].at(3).reg())];
    b.v_mov_b32(values.v[0], values.q[0].at(3));
    recorded.push(Recorded::Op(last));
    b.end();
    (recorded, places, b.finish())
}

/// The code without what the emitter put in.
fn own_instructions(k: &Kernel) -> Vec<Inst> {
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

/// Tokens by file, register and lane; scalar registers have lane 0 alone.
type File = HashMap<(RegClass, u16, u8), u64>;

fn lanes(r: Reg, active: u8) -> std::ops::Range<u8> {
    if r.class == RegClass::S { 0..1 } else { 0..active }
}

/// Runs both programs along one path.
fn lockstep(recorded: &[Recorded], places: &[usize; 4], code: &[Inst], choices: &[bool]) -> Result<(), String> {
    let (mut program, mut machine) = (File::new(), File::new());
    let mut token = 0;
    let mut pc = 0;
    let mut active = 2;
    for &taken in choices {
        let Some(entry) = recorded.get(pc) else { return Ok(()) };
        let inst = &code[pc];
        pc += 1;
        let (operands, after) = match entry {
            Recorded::Branch(label, always) => {
                if *always || taken {
                    pc = places[*label];
                }
                continue;
            }
            Recorded::Op(operands) => (operands, active),
            Recorded::Mask(operands, narrow) => (operands, if *narrow { 1 } else { 2 }),
        };
        let pairs = || {
            let row = inst.row();
            row.operands.iter().enumerate().filter_map(|(i, o)| {
                let (Operand::Reg(a), Some(Operand::Reg(b))) = (operands[i], inst.operand(i)) else { return None };
                Some((o, a, b))
            })
        };
        for (o, virt, phys) in pairs() {
            if (virt.class, virt.count) != (phys.class, phys.count) {
                return Err(format!("{inst:?} has {phys:?} for {virt:?}"));
            }
            if o.access == Access::W {
                continue;
            }
            for (i, lane) in (0..u16::from(virt.count)).flat_map(|i| lanes(virt, active).map(move |l| (i, l))) {
                let read = |file: &File, r: Reg| file.get(&(r.class, r.index + i, lane)).copied();
                if read(&program, virt) != read(&machine, phys) {
                    return Err(format!("step {}: {inst:?} finds another value in {phys:?}, lane {lane}", pc - 1));
                }
            }
        }
        for (o, virt, phys) in pairs() {
            if o.access == Access::R {
                continue;
            }
            for (i, lane) in (0..u16::from(virt.count)).flat_map(|i| lanes(virt, active).map(move |l| (i, l))) {
                token += 1;
                program.insert((virt.class, virt.index + i, lane), token);
                machine.insert((phys.class, phys.index + i, lane), token);
            }
        }
        active = after;
    }
    Ok(())
}

/// As many cases as `PROPTEST_CASES` asks for, or `usual`.
fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let config = ProptestConfig::default();
    ProptestConfig { cases: if asked { config.cases } else { usual }, ..config }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..cases(300) })]

    #[test]
    fn every_read_finds_what_the_program_wrote(
        steps in proptest::collection::vec(step(), 1..80),
        choices in proptest::collection::vec(any::<bool>(), 400),
    ) {
        let (recorded, places, kernel) = build(&steps, None);
        let kernel = kernel.unwrap();
        let code = own_instructions(&kernel);
        prop_assert_eq!(code.len(), recorded.len() + 1);
        prop_assert_eq!(lockstep(&recorded, &places, &code, &choices), Ok(()), "\n{}", kernel.listing);
    }

    #[test]
    fn too_few_registers_are_an_error_and_never_a_wrong_program(
        steps in proptest::collection::vec(step(), 1..60),
        choices in proptest::collection::vec(any::<bool>(), 200),
        limit in 20u16..80,
    ) {
        let (recorded, places, kernel) = build(&steps, Some(limit));
        match kernel {
            Ok(k) => {
                prop_assert!(k.descriptor.registers.vgprs <= u32::from(limit));
                prop_assert_eq!(lockstep(&recorded, &places, &own_instructions(&k), &choices), Ok(()));
            }
            Err(ref error @ EmitError::Pressure { limit: l, pressure, proved, ref live, .. }) => {
                prop_assert_eq!(l, limit);
                // That what is called proved is so is checked against trying everything, beside the search. What is not says so.
                prop_assert_eq!(proved, !error.to_string().contains("no proof was found"), "{}", error);
                // More than there is at one point is proof of its own, and is listed.
                prop_assert!(proved || pressure <= limit, "{}", error);
                prop_assert!(pressure <= limit || live.iter().map(|l| l.count).sum::<u16>() > limit, "{}", error);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

#[test]
fn registers_are_reused_once_their_value_is_dead() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    for i in 0..100 {
        let (x, y): (V<1>, V<1>) = (b.v(), b.v());
        b.v_mov_b32(x, i);
        b.v_add_f32(y, x, x);
    }
    b.end();
    let k = b.finish().unwrap();
    assert!(k.descriptor.registers.vgprs <= 2, "{}", k.listing);
}

#[test]
fn a_value_carried_around_a_loop_keeps_its_register() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let (sum, n): (V<1>, S<1>) = (b.v(), b.s());
    b.v_mov_b32(sum, 0);
    b.s_mov_b32(n, 8);
    b.count_down(n, |b| -> Result<(), EmitError> {
        let x: V<1> = b.v();
        b.v_mov_b32(x, 1.0);
        b.v_add_f32(sum, sum, x);
        Ok(())
    })
    .unwrap();
    let out: V<1> = b.v();
    b.v_mov_b32(out, sum);
    b.end();
    let text = b.finish().unwrap().listing.texts();
    assert_eq!(text[2..4], ["v_mov_b32_e32 v1, 1.0", "v_add_f32_e32 v0, v0, v1"]);
}

#[test]
fn a_register_named_by_the_author_is_left_alone_while_it_is_live() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let x: V<1> = b.v();
    b.v_mov_b32(V::<1>(1), 1);
    b.v_mov_b32(x, b.workitem_id());
    b.v_add_u32(x, x, V::<1>(1));
    b.v_add_u32(x, x, b.workitem_id());
    b.end();
    let text = b.finish().unwrap().listing.texts();
    assert_eq!(text[1], "v_mov_b32_e32 v2, v0");
}

#[test]
fn running_out_names_the_values_and_where_they_were_made() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    b.limit(RegClass::V, 16);
    let held: Vec<V<4>> = (0..5).map(|_| b.v()).collect();
    for x in &held {
        b.v_mov_b32(x.at(0), 0);
    }
    for x in &held {
        b.v_mov_b32(x.at(1), x.at(0));
        b.global_store_dwordx2(V::<1>(0), x.sub::<2>(0), S::<2>(0));
    }
    b.end();
    let error = b.finish().unwrap_err();
    let EmitError::Pressure { pressure, ref live, .. } = error else { panic!("{error}") };
    assert!(pressure > 16 && live.len() >= 3, "{error}");
    let text = error.to_string();
    // The five quads are made on one line and wanted together, by the lines that store them most.
    assert!(text.contains("20 in 5 values made at") && text.contains("VGPRs wanted along the program"), "{text}");
    let EmitError::Pressure { profile, .. } = error else { unreachable!() };
    assert!(profile.len() >= 3 && profile.iter().map(|p| p.wanted).max() == Some(pressure), "{profile:?}");
}
