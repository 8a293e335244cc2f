//! Compiles runs of micro-operations to AVX-512 code.
//!
//! Between two things that only the interpreter does (memory, branches, rare operations) lie runs of vector and scalar
//! arithmetic. A run becomes one function without calls or loops. Registers stay in the wave's memory, where an L1 hit
//! costs less than a dispatch; EXEC is in mask registers. Whatever the host's instruction does not give bit for bit (NaN
//! payloads) is looked for after each operation, before anything is stored: the function then returns how far it got,
//! and the interpreter, whose definitions those are, executes that operation and goes on from there.
//!
//! The encoder knows the few instruction forms that are needed. Hosts without AVX-512 use the interpreter.

mod encode;

use super::ir::{S, Segment, Uop, V};
use super::lanes::LaneOp;
use encode::{Asm, Base, Map, Pp};
use wavesmith_asm::sem::{Cond, Elem, Logic, SOp};

/// A compiled run: registers, temporaries, constants, scalar file, SCC. Returns micro-operations done.
pub type Entry = unsafe extern "sysv64" fn(*mut u32, *mut u32, *const u32, *mut u32, *mut u8) -> u32;

/// A run of micro-operations with code of its own.
#[derive(Debug)]
pub struct Run {
    /// The micro-operation in whose place [`Uop::Native`] stands.
    pub first: Uop,
    /// Micro-operations in the run.
    pub len: u32,
    /// Its code.
    pub entry: Entry,
}

/// Code of a segment's runs.
#[derive(Debug)]
pub struct Native {
    /// Runs, by the number in [`Uop::Native`].
    pub runs: Vec<Run>,
    // Held for the pages that `runs` point into.
    _code: memmap2::Mmap,
}

/// Shorter runs are not worth a call.
const SHORTEST: usize = 2;

/// Compiles what can be compiled of a segment that has not run yet. Without effect where the host refuses executable
/// memory.
pub fn compile(segment: &mut Segment) {
    let mut asm = Asm::default();
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for block in &segment.blocks {
        let mut at = block.start as usize;
        let end = block.end as usize;
        while at < end {
            let start = at;
            while at < end && compilable(&segment.uops[at]) {
                at += 1;
            }
            if at - start >= SHORTEST {
                let entry = asm.len();
                run(&mut asm, segment, &segment.uops[start..at]);
                runs.push((start, at - start, entry));
            }
            at = at.max(start + 1);
        }
    }
    if runs.is_empty() {
        return;
    }
    let Ok(mut pages) = memmap2::MmapMut::map_anon(asm.len()) else { return };
    pages.copy_from_slice(asm.bytes());
    let Ok(code) = pages.make_exec() else { return };
    let runs = runs
        .into_iter()
        .enumerate()
        .map(|(i, (start, len, entry))| {
            let first = segment.uops[start];
            segment.uops[start] = Uop::Native(i as u32);
            // SAFETY: at `entry` begins a function of that signature, which the encoder has just written; the pages
            // live as long as the runs do.
            let entry: Entry = unsafe { core::mem::transmute::<*const u8, Entry>(code.as_ptr().add(entry)) };
            Run { first, len: len as u32, entry }
        })
        .collect();
    segment.native = Some(Native { runs, _code: code });
}

/// How a lane operation is done by one host instruction of two sources.
struct Binary {
    map: Map,
    pp: Pp,
    opcode: u8,
    /// The second source of the instruction is the operation's first.
    swapped: bool,
    /// Shift counts are taken modulo 32.
    shift: bool,
    /// NaN results need the interpreter.
    float: bool,
}

fn binary(op: LaneOp) -> Option<Binary> {
    let b = |map, opcode| Binary { map, pp: Pp::P66, opcode, swapped: false, shift: false, float: false };
    let f = |opcode| Binary { map: Map::M0f, pp: Pp::None, opcode, swapped: false, shift: false, float: true };
    Some(match op {
        LaneOp::AddU32 => b(Map::M0f, 0xfe),
        LaneOp::SubU32 => b(Map::M0f, 0xfa),
        LaneOp::SubRevU32 => Binary { swapped: true, ..b(Map::M0f, 0xfa) },
        LaneOp::And => b(Map::M0f, 0xdb),
        LaneOp::Or => b(Map::M0f, 0xeb),
        LaneOp::Xor => b(Map::M0f, 0xef),
        LaneOp::MulLo => b(Map::M0f38, 0x40),
        LaneOp::MinI32 => b(Map::M0f38, 0x39),
        LaneOp::MaxI32 => b(Map::M0f38, 0x3d),
        LaneOp::MinU32 => b(Map::M0f38, 0x3b),
        LaneOp::MaxU32 => b(Map::M0f38, 0x3f),
        LaneOp::LshlRev => Binary { swapped: true, shift: true, ..b(Map::M0f38, 0x47) },
        LaneOp::LshrRev => Binary { swapped: true, shift: true, ..b(Map::M0f38, 0x45) },
        LaneOp::AshrRev => Binary { swapped: true, shift: true, ..b(Map::M0f38, 0x46) },
        LaneOp::AddF32 => f(0x58),
        LaneOp::SubF32 => f(0x5c),
        LaneOp::SubRevF32 => Binary { swapped: true, ..f(0x5c) },
        LaneOp::MulF32 => f(0x59),
        _ => return None,
    })
}

/// A pair of operations on three sources: the second applied to the first's result and the third source.
fn pair(op: LaneOp) -> Option<(LaneOp, LaneOp)> {
    Some(match op {
        LaneOp::Add3 => (LaneOp::AddU32, LaneOp::AddU32),
        LaneOp::Or3 => (LaneOp::Or, LaneOp::Or),
        LaneOp::AndOr => (LaneOp::And, LaneOp::Or),
        LaneOp::Xad => (LaneOp::Xor, LaneOp::AddU32),
        LaneOp::LshlAdd => (LaneOp::Lshl, LaneOp::AddU32),
        LaneOp::LshlOr => (LaneOp::Lshl, LaneOp::Or),
        _ => return None,
    })
}

fn lane_op(op: LaneOp) -> bool {
    binary(op).is_some()
        || pair(op).is_some()
        || matches!(
            op,
            LaneOp::Mov
                | LaneOp::FmaF32
                | LaneOp::Not
                | LaneOp::NegF32
                | LaneOp::AbsF32
                | LaneOp::NegAbsF32
                | LaneOp::CvtF32I32
                | LaneOp::CvtF32U32
                | LaneOp::Lo16
                | LaneOp::Hi16
                | LaneOp::Lshl
        )
}

fn salu(op: SOp, ty: Elem) -> bool {
    let wide = ty.bits() == 64;
    match op {
        SOp::Mov => true,
        SOp::Logic(Logic::And | Logic::Or | Logic::Xor | Logic::Andn2) => true,
        SOp::Add | SOp::Sub | SOp::Mul => !wide,
        SOp::Lshl | SOp::Lshr | SOp::Ashr => true,
        SOp::AddCarry => !wide,
        _ => false,
    }
}

fn compilable(u: &Uop) -> bool {
    match *u {
        Uop::Lane { op, .. } => lane_op(op),
        Uop::Splat { .. } | Uop::Select { .. } => true,
        Uop::Cmp { cond, ty, .. } => predicate(cond, ty).is_some(),
        Uop::Salu { op, ty, .. } => salu(op, ty),
        Uop::ScalarCmp { cond, .. } => {
            matches!(cond, Cond::Eq | Cond::Ne | Cond::Lg | Cond::Lt | Cond::Le | Cond::Gt | Cond::Ge)
        }
        Uop::ExecLogic { logic: Logic::And | Logic::Or | Logic::Xor | Logic::Andn2, .. } => true,
        _ => false,
    }
}

/// Opcode and immediate of a vector comparison.
fn predicate(cond: Cond, ty: Elem) -> Option<(Map, Pp, u8, u8)> {
    let int = match cond {
        Cond::Eq => 0,
        Cond::Lt => 1,
        Cond::Le => 2,
        Cond::Ne | Cond::Lg | Cond::Neq => 4,
        Cond::Ge => 5,
        Cond::Gt => 6,
        _ => 0xff,
    };
    Some(match ty {
        Elem::U32 | Elem::B32 if int != 0xff => (Map::M0f3a, Pp::P66, 0x1e, int),
        Elem::I32 if int != 0xff => (Map::M0f3a, Pp::P66, 0x1f, int),
        // Quiet, ordered unless negated.
        Elem::F32 => (
            Map::M0f,
            Pp::None,
            0xc2,
            match cond {
                Cond::Lt => 0x11,
                Cond::Eq => 0x00,
                Cond::Le => 0x12,
                Cond::Gt => 0x1e,
                Cond::Lg => 0x0c,
                Cond::Ge => 0x1d,
                Cond::O => 0x07,
                Cond::U => 0x03,
                Cond::Nge => 0x19,
                Cond::Nlg => 0x08,
                Cond::Ngt => 0x1a,
                Cond::Nle => 0x16,
                Cond::Neq | Cond::Ne => 0x04,
                Cond::Nlt => 0x15,
                Cond::F | Cond::T => return None,
            },
        ),
        _ => return None,
    })
}

/// Vector registers with constants.
const THIRTY_ONE: u8 = 31;
const SIGN: u8 = 30;
const ONES: u8 = 29;
const LOW_HALF: u8 = 28;

/// Where chunk `k` of an operand is.
fn at(v: V, k: usize) -> (Base, i32) {
    let base = [Base::Rdi, Base::Rsi, Base::Rdx][v.base()];
    (base, (v.index() * 256 + k * 64) as i32)
}

fn run(a: &mut Asm, seg: &Segment, uops: &[Uop]) {
    a.mov_eax(31);
    a.broadcast(THIRTY_ONE);
    a.mov_eax(0x8000_0000);
    a.broadcast(SIGN);
    a.mov_eax(u32::MAX);
    a.broadcast(ONES);
    a.mov_eax(0xffff);
    a.broadcast(LOW_HALF);
    load_exec(a);
    let mut bails = Vec::new();
    for (i, u) in uops.iter().enumerate() {
        one(a, seg, u, i as u32, &mut bails);
    }
    leave(a, uops.len() as u32);
    for (patch, i) in bails {
        a.patch(patch);
        leave(a, i);
    }
}

fn leave(a: &mut Asm, done: u32) {
    a.mov_eax(done);
    a.vzeroupper();
    a.ret();
}

/// EXEC into mask registers 1 to 4, sixteen lanes each.
fn load_exec(a: &mut Asm) {
    a.load_rax(Base::Rcx, i32::from(S::EXEC) * 4);
    masks_from_rax(a, 1);
}

/// The four quarters of rax into mask registers from `first` on.
fn masks_from_rax(a: &mut Asm, first: u8) {
    for k in 0..4 {
        a.kmov_from_eax(first + k);
        if k < 3 {
            a.shr_rax(16);
        }
    }
}

fn scalar(a: &mut Asm, seg: &Segment, s: S, wide: bool, into_r10: bool) {
    let i = s.0 as usize;
    if i < 256 {
        a.load_scalar(i as i32 * 4, wide, into_r10);
    } else {
        let v = u64::from(seg.sconst[i - 256]) | if wide { u64::from(seg.sconst[i - 255]) << 32 } else { 0 };
        a.mov_imm(v, into_r10);
    }
}

/// One operation of two sources on sixteen lanes: `d` = `x` op memory or register `y`.
fn apply(a: &mut Asm, b: &Binary, d: u8, x: u8, y: u8) {
    let (first, mut second) = if b.swapped { (y, x) } else { (x, y) };
    if b.shift {
        a.evex_rr(Map::M0f, Pp::P66, 0xdb, 16, second, THIRTY_ONE, 0);
        second = 16;
    }
    a.evex_rr(b.map, b.pp, b.opcode, d, first, second, 0);
}

fn one(a: &mut Asm, seg: &Segment, u: &Uop, index: u32, bails: &mut Vec<(usize, u32)>) {
    match *u {
        Uop::Lane { op, d, a: x, b: y, c: z } => {
            let mut float = false;
            for k in 0..4u8 {
                let (r, p, q) = (k, 4 + k, 8 + k);
                let load = |a: &mut Asm, reg: u8, v: V| {
                    let (base, disp) = at(v, k as usize);
                    a.load(reg, base, disp);
                };
                load(a, r, x);
                if let Some(b) = binary(op) {
                    float = b.float;
                    load(a, p, y);
                    apply(a, &b, r, r, p);
                } else if let Some((one, two)) = pair(op) {
                    load(a, p, y);
                    load(a, q, z);
                    let first = if one == LaneOp::Lshl {
                        // The shift's count is its second source here.
                        Binary { map: Map::M0f38, pp: Pp::P66, opcode: 0x47, swapped: false, shift: true, float: false }
                    } else {
                        binary(one).unwrap_or_else(|| unreachable!("pairs are made of binary operations"))
                    };
                    apply(a, &first, r, r, p);
                    let second = binary(two).unwrap_or_else(|| unreachable!("pairs are made of binary operations"));
                    apply(a, &second, r, r, q);
                } else {
                    match op {
                        LaneOp::FmaF32 => {
                            float = true;
                            load(a, p, y);
                            load(a, q, z);
                            // 213: r = p · r + q.
                            a.evex_rr(Map::M0f38, Pp::P66, 0xa8, r, p, q, 0);
                        }
                        LaneOp::Not => a.evex_rr(Map::M0f, Pp::P66, 0xef, r, r, ONES, 0),
                        LaneOp::NegF32 => a.evex_rr(Map::M0f, Pp::P66, 0xef, r, r, SIGN, 0),
                        LaneOp::AbsF32 => a.evex_rr(Map::M0f, Pp::P66, 0xdf, r, SIGN, r, 0),
                        LaneOp::NegAbsF32 => a.evex_rr(Map::M0f, Pp::P66, 0xeb, r, r, SIGN, 0),
                        LaneOp::Lo16 => a.evex_rr(Map::M0f, Pp::P66, 0xdb, r, r, LOW_HALF, 0),
                        LaneOp::Hi16 => a.shift_right_imm(r, r, 16),
                        LaneOp::Lshl => {
                            load(a, p, y);
                            let b = Binary {
                                map: Map::M0f38,
                                pp: Pp::P66,
                                opcode: 0x47,
                                swapped: false,
                                shift: true,
                                float: false,
                            };
                            apply(a, &b, r, r, p);
                        }
                        LaneOp::CvtF32I32 => a.evex_rr(Map::M0f, Pp::None, 0x5b, r, 0, r, 0),
                        LaneOp::CvtF32U32 => a.evex_rr(Map::M0f, Pp::F2, 0x7a, r, 0, r, 0),
                        _ => {}
                    }
                }
            }
            if float {
                for k in 0..4u8 {
                    // A NaN in a lane that is on, unordered with itself.
                    a.compare(Map::M0f, Pp::None, 0xc2, if k == 0 { 5 } else { 6 }, k, k, 1 + k, 3);
                    if k == 1 || k == 2 {
                        a.kor(5, 5, 6);
                    }
                }
                a.kortest(5, 6);
                bails.push((a.jnz(), index));
            }
            for k in 0..4u8 {
                let (base, disp) = at(d, k as usize);
                a.store(k, base, disp, if d.is_reg() { 1 + k } else { 0 });
            }
        }
        Uop::Splat { d, s } => {
            scalar(a, seg, s, false, false);
            a.broadcast(0);
            for k in 0..4 {
                let (base, disp) = at(d, k);
                a.store(0, base, disp, 0);
            }
        }
        Uop::Select { d, a: x, b: y, mask } => {
            scalar(a, seg, mask, true, false);
            for k in 0..4u8 {
                a.kmov_from_eax(5);
                if k < 3 {
                    a.shr_rax(16);
                }
                let (base, disp) = at(x, k as usize);
                a.load(k, base, disp);
                let (base, disp) = at(y, k as usize);
                a.load(4 + k, base, disp);
                // vpblendmd: the second where the mask is set.
                a.evex_rr(Map::M0f38, Pp::P66, 0x64, k, k, 4 + k, 5);
            }
            for k in 0..4u8 {
                let (base, disp) = at(d, k as usize);
                a.store(k, base, disp, if d.is_reg() { 1 + k } else { 0 });
            }
        }
        Uop::Cmp { cond, ty, d, a: x, b: y, exec } => {
            let (map, pp, opcode, imm) = predicate(cond, ty).unwrap_or((Map::M0f, Pp::None, 0xc2, 0));
            a.zero_r10();
            for k in (0..4u8).rev() {
                let (base, disp) = at(x, k as usize);
                a.load(0, base, disp);
                let (base, disp) = at(y, k as usize);
                a.load(1, base, disp);
                a.compare(map, pp, opcode, 5, 0, 1, 1 + k, imm);
                a.kmov_to_eax(5);
                if k < 3 {
                    a.shl_r10(16);
                }
                a.or_r10_rax();
            }
            a.store_r10(i32::from(d) * 4, true);
            if exec {
                a.store_r10(i32::from(S::EXEC) * 4, true);
            }
            if exec || is_exec(d, true) {
                load_exec(a);
            }
        }
        Uop::Salu { op, ty, d, a: x, b: y } => {
            let wide = ty.bits() == 64;
            let (wa, wb) = super::salu::wide_sources(op, ty);
            match op {
                SOp::Mov => scalar(a, seg, x, wide, true),
                SOp::Logic(l) => {
                    logic(a, seg, l, (x, wa), (y, wb));
                    a.scc_not_zero(wide);
                }
                SOp::Add | SOp::Sub | SOp::Mul | SOp::AddCarry => {
                    scalar(a, seg, y, false, false);
                    scalar(a, seg, x, false, true);
                    match op {
                        SOp::Add => a.add_r10d_eax(),
                        SOp::Sub => a.sub_r10d_eax(),
                        SOp::Mul => a.imul_r10d_eax(),
                        _ => a.adc_r10d_eax_from_scc(),
                    }
                    match op {
                        SOp::Mul => {}
                        SOp::AddCarry => a.scc_carry(),
                        // Signed forms set SCC on overflow, unsigned ones on carry.
                        _ if ty == Elem::I32 => a.scc_overflow(),
                        _ => a.scc_carry(),
                    }
                }
                _ => {
                    scalar(a, seg, y, false, false);
                    a.mov_r11_rax();
                    scalar(a, seg, x, wide, true);
                    a.shift_r10_by_r11(op == SOp::Lshl, op == SOp::Ashr, wide);
                    a.scc_not_zero(wide);
                }
            }
            a.store_r10(i32::from(d) * 4, wide);
            if is_exec(d, wide) {
                load_exec(a);
            }
        }
        Uop::ScalarCmp { cond, ty, a: x, b: y } => {
            let wide = ty.bits() == 64;
            scalar(a, seg, y, wide, false);
            scalar(a, seg, x, wide, true);
            let signed = matches!(ty, Elem::I32 | Elem::I64);
            a.cmp_r10_rax(wide);
            a.set_scc(match (cond, signed) {
                (Cond::Eq, _) => 0x4,
                (Cond::Lt, true) => 0xc,
                (Cond::Lt, false) => 0x2,
                (Cond::Le, true) => 0xe,
                (Cond::Le, false) => 0x6,
                (Cond::Gt, true) => 0xf,
                (Cond::Gt, false) => 0x7,
                (Cond::Ge, true) => 0xd,
                (Cond::Ge, false) => 0x3,
                _ => 0x5,
            });
        }
        Uop::ExecLogic { logic: l, d, a: x, save } => {
            a.load_scalar(i32::from(S::EXEC) * 4, true, true);
            a.mov_r11_r10();
            logic(a, seg, l, (x, true), (S::reg(S::EXEC), true));
            a.scc_not_zero(true);
            if save {
                a.store_r11(i32::from(d) * 4);
            } else {
                a.store_r10(i32::from(d) * 4, true);
            }
            a.store_r10(i32::from(S::EXEC) * 4, true);
            load_exec(a);
        }
        _ => {}
    }
}

/// Whether a scalar destination touches EXEC.
fn is_exec(d: u8, wide: bool) -> bool {
    d == S::EXEC || d == S::EXEC + 1 || (wide && d + 1 == S::EXEC)
}

/// r10 = x ∘ y.
fn logic(a: &mut Asm, seg: &Segment, l: Logic, x: (S, bool), y: (S, bool)) {
    scalar(a, seg, y.0, y.1, false);
    scalar(a, seg, x.0, x.1, true);
    match l {
        Logic::And => a.and_r10_rax(),
        Logic::Or => a.or_r10_rax(),
        Logic::Xor => a.xor_r10_rax(),
        _ => {
            a.not_rax();
            a.and_r10_rax();
        }
    }
}
