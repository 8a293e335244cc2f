//! What an operand may be, in words: for error messages and the reference.

use crate::class::{Hazard, Time};
use crate::format::Field;
use crate::row::{Class, Opd, Row};
use crate::sem::{Atomic, Branch, Cond, Control, Cvt, Ds, Elem, Logic, Mem, Op, Round, SOp, Sem, SmemSpace, Space};

/// What may stand for the operand, in the words of the reference.
pub fn operand(o: &Opd) -> String {
    let n = o.ty.dwords();
    let run = |file: &str| if n == 1 { file.to_owned() } else { format!("{file}[{n}]") };
    match o.class {
        Class::V if o.slot == Field::Src1 => run("v"),
        Class::V => run("v"),
        Class::A => run("a"),
        Class::AV => format!("{}|{}", run("v"), run("a")),
        Class::AVC => format!("{}|{}|const", run("v"), run("a")),
        Class::VS | Class::VI => format!("{}|{}|const", run("v"), run("s")),
        Class::S => run("s"),
        Class::SS => format!("{}|const", run("s")),
        Class::SN => format!("{}|inline const", run("s")),
        Class::M => "vcc|s[2]".to_owned(),
        Class::K => "literal".to_owned(),
        Class::Imm => "imm".to_owned(),
        Class::Label => "label".to_owned(),
        Class::VAddr => "vaddr|off".to_owned(),
        Class::SAddr => "saddr|off".to_owned(),
        Class::SOff => "s|imm".to_owned(),
        Class::HwReg => "hwreg(…)".to_owned(),
        Class::Msg => "sendmsg(…)".to_owned(),
        Class::WaitCnt => "vmcnt(…) expcnt(…) lgkmcnt(…)".to_owned(),
        Class::GprIdx => "gpr_idx(…)".to_owned(),
        Class::ExpTgt => "target".to_owned(),
        Class::ExpSrc => "v|off".to_owned(),
        Class::Attr => "attr".to_owned(),
        Class::Param => "p10|p20|p0".to_owned(),
    }
}

/// The class that the wait-state rules know an instruction by, in words.
pub fn hazard(class: Hazard) -> &'static str {
    match class {
        Hazard::None => "none of its own",
        Hazard::Salu => "scalar ALU",
        Hazard::SetReg => "writes a hardware register",
        Hazard::GetReg => "reads a hardware register",
        Hazard::MoveRel => "moves by an index in M0",
        Hazard::M0Use => "reads M0 implicitly",
        Hazard::Branch => "branch",
        Hazard::Wait => "wait",
        Hazard::Smem => "scalar memory",
        Hazard::Valu => "vector ALU",
        Hazard::Trans => "transcendental",
        Hazard::LaneSelect => "vector ALU with a lane select in an SGPR",
        Hazard::DivFmas => "vector ALU that reads VCC implicitly",
        Hazard::Interp => "interpolation",
        Hazard::Permlane => "permutes lanes",
        Hazard::Packed => "packed vector ALU",
        Hazard::Xdl => "matrix, XDL",
        Hazard::Sgemm => "matrix, f32 (SGEMM)",
        Hazard::Dgemm => "matrix, f64 (DGEMM)",
        Hazard::AccMove => "moves to or from AGPRs",
        Hazard::Vmem => "vector memory",
        Hazard::WideStore => "vector memory, store of more than 64 bits",
        Hazard::Lds => "LDS",
        Hazard::Cache => "cache maintenance",
        Hazard::Graphics => "graphics",
    }
}

/// What an instruction does, in a line. `a`, `b`, `c` are its sources in order, `d` its destination.
pub fn meaning(row: &Row) -> String {
    match row.sem {
        Sem::Salu(op, e) => format!("{} ({})", scalar(op), elem(e)),
        Sem::ScalarCmp(c, e) => format!("SCC = a {} b ({})", condition(c), elem(e)),
        Sem::BitCmp(v, e) => format!("SCC = bit b of a is {} ({})", u8::from(v), elem(e)),
        Sem::SaveExec(l) => format!("d = EXEC; EXEC = {}, b being EXEC; SCC = EXEC ≠ 0", logic(l)),
        Sem::WrExec(l) => format!("d = EXEC = {}, b being EXEC; SCC = EXEC ≠ 0", logic(l)),
        Sem::Branch(b) => branch(b).to_owned(),
        Sem::Control(c) => control(c).to_owned(),
        Sem::GetReg => "d = field of a hardware register".to_owned(),
        Sem::SetReg => "field of a hardware register = a".to_owned(),
        Sem::ScalarLoad { dwords, space } => format!("d = {dwords} dwords {}", scalar_space(space)),
        Sem::ScalarStore { dwords, space } => format!("store {dwords} dwords {}", scalar_space(space)),
        Sem::ScalarAtomic { op, ty, space } => format!("atomic {} of {} {}", atomic(op), elem(ty), scalar_space(space)),
        Sem::ScalarCache { writeback, volatile } => {
            let what = if writeback { "write back" } else { "invalidate" };
            format!("{what} the scalar cache{}", if volatile { ", volatile lines only" } else { "" })
        }
        Sem::MemTime { real } => {
            if real {
                "d = 64-bit 100 MHz counter".to_owned()
            } else {
                "d = 64-bit core clock counter".to_owned()
            }
        }
        Sem::AtcProbe { .. } => "probe address translation".to_owned(),
        Sem::DcacheDiscard { .. } => "discard scalar cache lines".to_owned(),
        Sem::Lane(op, e) => format!("{} ({})", lane(op), elem(e)),
        Sem::Packed(op, e) => format!("in each half: {} ({})", lane(op), elem(e)),
        Sem::Cvt(c) => conversion(c),
        Sem::Cmp { cond, ty, exec } => {
            format!("mask = a {} b ({}){}", condition(cond), elem(ty), if exec { "; EXEC = mask" } else { "" })
        }
        Sem::CmpClass { ty, exec } => {
            format!("mask = class of a is among b's bits ({}){}", elem(ty), if exec { "; EXEC = mask" } else { "" })
        }
        Sem::Dot { from, to, n, acc } => {
            format!("{} = dot of {n} {} pairs + {} ({})", "d", elem(from), if acc { "d" } else { "c" }, elem(to))
        }
        Sem::Mfma(m) => {
            let kind = if m.sparse { "sparse matrix d += a × b, indices c" } else { "matrix d = a × b + c" };
            let from = if m.typed_by_fields {
                "f8/f6/f4 as cbsz and blgp say".to_owned()
            } else {
                format!("{} × {}", elem(m.a), elem(m.b))
            };
            let blocks = if m.blocks > 1 { format!(", {} blocks", m.blocks) } else { String::new() };
            let scaled = if m.scaled { ", block scales" } else { "" };
            format!("{kind}: {}×{}×{}{blocks}, {from} to {}{scaled}", m.m, m.n, m.k, elem(m.d))
        }
        Sem::Load { space, mem, lds } => {
            format!("{} = {} {}", if lds { "LDS at M0" } else { "d" }, memory(mem), place(space))
        }
        Sem::Store { space, mem } => format!("store {} {}", memory(mem), place(space)),
        Sem::Atomic { space, op, ty, ret } => {
            format!(
                "atomic {} of {} {}{}",
                atomic(op),
                elem(ty),
                place(space),
                if ret { ", old value returned" } else { "" }
            )
        }
        Sem::DsLoad2 { dwords, st64 } => {
            format!("d = two values of {dwords} dwords from LDS, offsets in {}", stride(dwords, st64))
        }
        Sem::DsStore2 { dwords, st64 } => {
            format!("store two values of {dwords} dwords to LDS, offsets in {}", stride(dwords, st64))
        }
        Sem::DsXchg2 { dwords, st64 } => {
            format!("exchange two values of {dwords} dwords with LDS, offsets in {}", stride(dwords, st64))
        }
        Sem::Ds(d) => lds(d).to_owned(),
        Sem::CacheWriteback => "write back L2".to_owned(),
        Sem::CacheInvalidate { writeback_l1, volatile, l2 } => format!(
            "{}invalidate {}{}",
            if writeback_l1 { "write back and " } else { "" },
            if l2 { "L2" } else { "vector caches" },
            if volatile { ", volatile lines only" } else { "" }
        ),
        Sem::StoreLds => "store an LDS dword through the buffer".to_owned(),
        Sem::Export => "export".to_owned(),
        Sem::Image => "image access".to_owned(),
        Sem::LdScale => "load scales for the MFMA that follows".to_owned(),
    }
}

/// The pipe and its cycles, in words.
pub fn cost(t: Time) -> String {
    match t {
        Time::Valu(n) => format!("VALU {n}"),
        Time::Trans => "transcendental 16".to_owned(),
        Time::Packed => "VALU 4, not under MFMA".to_owned(),
        Time::F64 => "f64".to_owned(),
        Time::Xdl(p) => format!("MFMA {} ({p} passes)", 4 * p),
        Time::Sgemm(p) => format!("MFMA f32 {} ({p} passes)", 4 * p),
        Time::Dgemm(p) => format!("MFMA f64 {} ({p} passes)", 4 * p),
        Time::XdlF8f6f4(p) => format!("MFMA {} or {} with an 8-bit operand", 4 * p, 8 * p),
        Time::Salu => "SALU 4".to_owned(),
        Time::Branch => "branch".to_owned(),
        Time::Internal => "no pipe".to_owned(),
        Time::Smem => "SMEM".to_owned(),
        Time::Vmem(n) => format!("VMEM, {n} dwords"),
        Time::Lds(n) => format!("LDS, {n} dwords"),
        Time::Graphics => "graphics".to_owned(),
    }
}

fn elem(e: Elem) -> String {
    format!("{e:?}").to_lowercase()
}

fn stride(dwords: u8, st64: bool) -> String {
    let bytes = u32::from(dwords) * 4 * if st64 { 64 } else { 1 };
    format!("units of {bytes} bytes")
}

fn condition(c: Cond) -> &'static str {
    match c {
        Cond::F => "never",
        Cond::Lt => "<",
        Cond::Eq => "=",
        Cond::Le => "≤",
        Cond::Gt => ">",
        Cond::Lg => "< or >",
        Cond::Ge => "≥",
        Cond::O => "ordered with",
        Cond::U => "unordered with",
        Cond::Nge => "not ≥",
        Cond::Nlg => "not < or >",
        Cond::Ngt => "not >",
        Cond::Nle => "not ≤",
        Cond::Neq => "not =",
        Cond::Nlt => "not <",
        Cond::Ne => "≠",
        Cond::T => "always",
    }
}

fn logic(l: Logic) -> &'static str {
    match l {
        Logic::And => "a & b",
        Logic::Or => "a | b",
        Logic::Xor => "a ^ b",
        Logic::Andn2 => "a & !b",
        Logic::Orn2 => "a | !b",
        Logic::Nand => "!(a & b)",
        Logic::Nor => "!(a | b)",
        Logic::Xnor => "!(a ^ b)",
        Logic::Andn1 => "!a & b",
        Logic::Orn1 => "!a | b",
    }
}

fn scalar(op: SOp) -> String {
    let s = match op {
        SOp::Mov => "d = a",
        SOp::Cmov => "if SCC, d = a",
        SOp::Not => "d = !a",
        SOp::Wqm => "d = whole-quad mask of a",
        SOp::Brev => "d = bits of a reversed",
        SOp::Bcnt0 => "d = zeros in a",
        SOp::Bcnt1 => "d = ones in a",
        SOp::Ff0 => "d = first zero from the lowest bit, −1 if none",
        SOp::Ff1 => "d = first one from the lowest bit, −1 if none",
        SOp::Flbit => "d = zeros before the first one from the highest bit",
        SOp::FlbitSigned => "d = bits before the first unlike the sign",
        SOp::SextI8 => "d = sign-extended byte of a",
        SOp::SextI16 => "d = sign-extended half of a",
        SOp::Bitset0 => "bit a of d = 0",
        SOp::Bitset1 => "bit a of d = 1",
        SOp::Quadmask => "d = a bit per four bits of a",
        SOp::MovrelS => "d = SGPR[a + M0]",
        SOp::MovrelD => "SGPR[d + M0] = a",
        SOp::Abs => "d = |a|",
        SOp::Bitreplicate => "d = every bit of a twice",
        SOp::Add => "d = a + b, SCC = carry or overflow",
        SOp::Sub => "d = a − b, SCC = borrow or overflow",
        SOp::AddCarry => "d = a + b + SCC, SCC = carry",
        SOp::SubBorrow => "d = a − b − SCC, SCC = borrow",
        SOp::Min => "d = min(a, b), SCC = a chosen",
        SOp::Max => "d = max(a, b), SCC = a chosen",
        SOp::Cselect => "d = SCC ? a : b",
        SOp::Logic(l) => return format!("d = {}", logic(l)),
        SOp::Lshl => "d = a << b",
        SOp::Lshr | SOp::Ashr => "d = a >> b",
        SOp::Bfm => "d = ((1 << a) − 1) << b",
        SOp::Mul => "d = a × b",
        SOp::MulHi => "d = high half of a × b",
        SOp::Bfe => "d = b[22:16] bits of a from bit b[5:0]",
        SOp::AbsDiff => "d = |a − b|",
        SOp::LshlAdd(n) => return format!("d = (a << {n}) + b"),
        SOp::PackLL => "d = low half of a, low half of b",
        SOp::PackLH => "d = low half of a, high half of b",
        SOp::PackHH => "d = high half of a, high half of b",
        SOp::AddK => "d += imm, SCC = overflow",
        SOp::MulK => "d ×= imm",
        SOp::SetGprIdxIdx => "M0[7:0] = a",
    };
    s.to_owned()
}

fn branch(b: Branch) -> &'static str {
    match b {
        Branch::Always => "go to label",
        Branch::Scc0 => "if SCC = 0, go to label",
        Branch::Scc1 => "if SCC = 1, go to label",
        Branch::Vccz => "if VCC = 0, go to label",
        Branch::Vccnz => "if VCC ≠ 0, go to label",
        Branch::Execz => "if EXEC = 0, go to label",
        Branch::Execnz => "if EXEC ≠ 0, go to label",
        Branch::Cdbgsys => "if the system debugger is attached, go to label",
        Branch::Cdbguser => "if the user debugger is attached, go to label",
        Branch::CdbgsysOrUser => "if either debugger is attached, go to label",
        Branch::CdbgsysAndUser => "if both debuggers are attached, go to label",
        Branch::GetPc => "d = address of the next instruction",
        Branch::SetPc => "go to a",
        Branch::SwapPc => "d = address of the next instruction; go to a",
        Branch::Call => "d = address of the next instruction; go to label",
        Branch::Rfe => "return from the trap handler to a",
        Branch::RfeRestore => "return from the trap handler to a, restoring state",
        Branch::ForkG => "fork on mask a to b",
        Branch::ForkI => "fork on mask d to label",
        Branch::Join => "join a fork",
    }
}

fn control(c: Control) -> &'static str {
    match c {
        Control::Nop => "imm + 1 wait states",
        Control::EndPgm => "end the wave",
        Control::EndPgmSaved => "end the wave, state saved",
        Control::EndPgmOrderedPsDone => "end the wave, ordered pixel shader done",
        Control::Wakeup => "wake sleeping waves of the workgroup",
        Control::Barrier => "wait for all waves of the workgroup",
        Control::SetKill => "kill the wave",
        Control::Waitcnt => "wait until no counter exceeds its value",
        Control::SetHalt => "halt or resume the wave",
        Control::Sleep => "sleep about 64 × imm clocks",
        Control::SetPrio => "issue priority = imm",
        Control::SendMsg => "send a message",
        Control::SendMsgHalt => "send a message and halt",
        Control::Trap => "enter the trap handler",
        Control::IcacheInv => "invalidate the instruction cache",
        Control::IncPerfLevel => "increment a performance counter",
        Control::DecPerfLevel => "decrement a performance counter",
        Control::TtraceData => "send M0 to the thread trace",
        Control::SetGprIdxOn => "VGPR indexing on: index a, mode imm",
        Control::SetGprIdxOff => "VGPR indexing off",
        Control::SetGprIdxMode => "VGPR indexing mode = imm",
        Control::SetVskip => "skip vector instructions if bit b of a",
        Control::VNop | Control::DsNop => "nothing",
        Control::ClrExcp => "clear the exception flags",
    }
}

fn lane(op: Op) -> String {
    let s = match op {
        Op::Mov => "d = a",
        Op::Add => "d = a + b",
        Op::Sub => "d = a − b",
        Op::SubRev => "d = b − a",
        Op::Mul => "d = a × b",
        Op::MulLegacy => "d = a × b, 0 × anything being 0",
        Op::MulHi => "d = high half of a × b",
        Op::MulLo => "d = low half of a × b",
        Op::Min => "d = min(a, b)",
        Op::Max => "d = max(a, b)",
        Op::Min3 => "d = min(a, b, c)",
        Op::Max3 => "d = max(a, b, c)",
        Op::Minimum3 => "d = minimum(a, b, c), NaN winning",
        Op::Maximum3 => "d = maximum(a, b, c), NaN winning",
        Op::Med3 => "d = median of a, b, c",
        Op::Lshl => "d = a << b",
        Op::LshlRev => "d = b << a",
        Op::LshrRev | Op::AshrRev => "d = b >> a",
        Op::Logic(l) => return format!("d = {}", logic(l)),
        Op::Not => "d = !a",
        Op::Bfrev => "d = bits of a reversed",
        Op::FfbhU => "d = zeros before the first one from the highest bit",
        Op::FfbhI => "d = bits before the first unlike the sign",
        Op::Ffbl => "d = first one from the lowest bit, −1 if none",
        Op::Mac => "d += a × b, rounded twice",
        Op::Mad => "d = a × b + c, rounded twice",
        Op::MadLegacy => "d = a × b + c, 0 × anything being 0",
        Op::Fmac => "d = a × b + d in one rounding",
        Op::Fma => "d = a × b + c in one rounding",
        Op::FmaMk => "d = a × k + b in one rounding",
        Op::FmaAk => "d = a × b + k in one rounding",
        Op::MadMk => "d = a × k + b, rounded twice",
        Op::MadAk => "d = a × b + k, rounded twice",
        Op::AddCo => "d = a + b, carry to the mask",
        Op::SubCo => "d = a − b, borrow to the mask",
        Op::SubRevCo => "d = b − a, borrow to the mask",
        Op::AddcCo => "d = a + b + carry in, carry to the mask",
        Op::SubbCo => "d = a − b − borrow in, borrow to the mask",
        Op::SubbRevCo => "d = b − a − borrow in, borrow to the mask",
        Op::Cndmask => "d = lane's bit of the mask ? b : a",
        Op::Ldexp => "d = a × 2^b",
        Op::Trunc => "d = a rounded toward zero",
        Op::Ceil => "d = a rounded up",
        Op::Rndne => "d = a rounded to nearest even",
        Op::Floor => "d = a rounded down",
        Op::Fract => "d = a − floor(a)",
        Op::Exp | Op::ExpLegacy => "d = 2^a",
        Op::Log | Op::LogLegacy => "d = log2(a)",
        Op::Rcp => "d = 1 / a",
        Op::RcpIflag => "d = 1 / a, integer division flags",
        Op::Rsq => "d = 1 / √a",
        Op::Sqrt => "d = √a",
        Op::Sin => "d = sin(2π a)",
        Op::Cos => "d = cos(2π a)",
        Op::FrexpExp => "d = exponent of a",
        Op::FrexpMant => "d = mantissa of a",
        Op::BfeU | Op::BfeI => "d = c bits of a from bit b",
        Op::Bfi => "d = (a & b) | (!a & c)",
        Op::Bfm => "d = ((1 << a) − 1) << b",
        Op::LshlOr => "d = (a << b) | c",
        Op::LshlAdd => "d = (a << b) + c",
        Op::AddLshl => "d = (a + b) << c",
        Op::Add3 => "d = a + b + c",
        Op::Or3 => "d = a | b | c",
        Op::And3Or | Op::AndOr => "d = (a & b) | c",
        Op::Xad => "d = (a ^ b) + c",
        Op::AlignBit => "d = {a, b} >> c bits",
        Op::AlignByte => "d = {a, b} >> c bytes",
        Op::Perm => "d = bytes of {a, b} chosen by c",
        Op::BcntAdd => "d = ones in a, plus b",
        Op::MbcntLo => "d = ones of a below this lane, lanes 0 to 31, plus b",
        Op::MbcntHi => "d = ones of a below this lane, lanes 32 to 63, plus b",
        Op::CubeId => "d = cube face of (a, b, c)",
        Op::CubeSc => "d = cube S coordinate of (a, b, c)",
        Op::CubeTc => "d = cube T coordinate of (a, b, c)",
        Op::CubeMa => "d = cube major axis of (a, b, c), doubled",
        Op::Lerp => "d = bytewise average of a and b, rounded by c",
        Op::Sad => "d = sum of absolute differences of a and b, plus c",
        Op::SadHi => "d = sum of absolute differences << 16, plus c",
        Op::Msad => "d = masked sum of absolute differences, plus c",
        Op::QsadPk => "d = four packed sums of absolute differences, plus c",
        Op::MqsadPk => "d = four packed masked sums of absolute differences, plus c",
        Op::Mqsad => "d = four masked sums of absolute differences, plus c",
        Op::DivScale => "d = a scaled for division, mask = scaled",
        Op::DivFmas => "d = a × b + c, scaled back where VCC",
        Op::DivFixup | Op::DivFixupLegacy => "d = quotient a with the special cases of c / b",
        Op::TrigPreop => "d = 53 bits of 2/π from segment b for a",
        Op::MadWide => "d = a × b + c in 64 bits, carry to the mask",
        Op::Mad24 => "d = a × b + c",
        Op::Swap => "exchange d and a",
        Op::Permlane16Swap => "exchange odd rows of d with even rows of a",
        Op::Permlane32Swap => "exchange the upper half of d with the lower half of a",
        Op::ReadLane => "d = a of lane b",
        Op::ReadFirstLane => "d = a of the first active lane",
        Op::WriteLane => "d of lane b = a",
        Op::Prng => "d = next of the pseudo-random sequence after a",
        Op::SatPkU8I16 => "d = halves of a saturated to bytes, packed",
        Op::ScreenPartition4se => "d = screen partition of a",
        Op::FmaMix => "d = a × b + c, each f32 or a half",
        Op::FmaMixLo => "low half of d = a × b + c, each f32 or a half",
        Op::FmaMixHi => "high half of d = a × b + c, each f32 or a half",
        Op::AccRead | Op::AccWrite | Op::AccMov => "d = a",
        Op::PkMov => "d = a dword of a, a dword of b",
        Op::InterpP1 | Op::InterpP2 | Op::InterpMov | Op::InterpP1ll | Op::InterpP1lv => "interpolate an attribute",
        Op::Bitop3 => "d = bitwise function of a, b, c by table",
        Op::AshrPk => "d = a >> c and b >> c, saturated and packed",
        Op::CvtScaleF32 => "d = a converted with scale",
        Op::MovRelS => "d = VGPR[a + M0]",
        Op::MovRelD => "VGPR[d + M0] = a",
        Op::MovRelSD => "VGPR[d + M0] = VGPR[a + M0]",
        Op::PackB32F16 => "d = half of a, half of b",
    };
    s.to_owned()
}

fn rounding(r: Round) -> &'static str {
    match r {
        Round::Mode => "",
        Round::Rtz => ", toward zero",
        Round::Floor => ", rounded down",
        Round::Rpi => ", floor(a + 0.5)",
        Round::Stochastic => ", stochastic rounding by b",
    }
}

fn conversion(c: Cvt) -> String {
    match c {
        Cvt::Plain { from, to, round } => format!("d = a, {} to {}{}", elem(from), elem(to), rounding(round)),
        Cvt::UByte(n) => format!("d = byte {n} of a to f32"),
        Cvt::PkU8 => "d = c with byte b replaced by a as u8".to_owned(),
        Cvt::OffI4 => "d = low 4 bits of a as offset to f32".to_owned(),
        Cvt::Pack { from, to, round } => {
            format!("d = a and b packed, {} to {}{}", elem(from), elem(to), rounding(round))
        }
        Cvt::Norm { from, to } => format!("d = a, {} to normalised {}", elem(from), elem(to)),
        Cvt::PackNorm { from, to } => format!("d = a and b packed, {} to normalised {}", elem(from), elem(to)),
        Cvt::Unpack { from, to } => format!("d = two values of a, {} to {}", elem(from), elem(to)),
        Cvt::Scaled { from, to, n, round } => {
            format!("d = {n} values of {} to {}, scaled{}", elem(from), elem(to), rounding(round))
        }
    }
}

fn memory(m: Mem) -> String {
    let half = |hi: bool| if hi { "high" } else { "low" };
    match m {
        Mem::U8 => "byte".to_owned(),
        Mem::I8 => "signed byte".to_owned(),
        Mem::U16 => "16 bits".to_owned(),
        Mem::I16 => "signed 16 bits".to_owned(),
        Mem::Dwords(1) => "dword".to_owned(),
        Mem::Dwords(n) => format!("{n} dwords"),
        Mem::U8D16(hi) => format!("byte, {} half", half(hi)),
        Mem::I8D16(hi) => format!("signed byte, {} half", half(hi)),
        Mem::B16D16(hi) => format!("16 bits, {} half", half(hi)),
        Mem::Format(n) => format!("{n} formatted components"),
        Mem::FormatD16(n) => format!("{n} formatted 16-bit components"),
        Mem::FormatD16Hi => "a formatted component, high half".to_owned(),
    }
}

fn place(s: Space) -> &'static str {
    match s {
        Space::Flat => "at a flat address",
        Space::Global => "at a global address",
        Space::Scratch => "in scratch",
        Space::Buffer => "through a buffer",
        Space::Lds => "in LDS",
    }
}

fn scalar_space(s: SmemSpace) -> &'static str {
    match s {
        SmemSpace::Address => "at an address",
        SmemSpace::Buffer => "through a buffer",
        SmemSpace::Scratch => "in scratch",
    }
}

fn atomic(a: Atomic) -> String {
    let s = match a {
        Atomic::Swap => "exchange",
        Atomic::CmpSwap => "compare and exchange",
        Atomic::Add | Atomic::FAdd => "add",
        Atomic::Sub => "subtract",
        Atomic::RSub => "reverse subtract",
        Atomic::Min | Atomic::FMin => "minimum",
        Atomic::Max | Atomic::FMax => "maximum",
        Atomic::Logic(l) => return format!("{} (a memory, b data)", logic(l)),
        Atomic::Inc => "wrapping increment",
        Atomic::Dec => "wrapping decrement",
        Atomic::MskOr => "masked or",
        Atomic::Wrap => "wrapping subtract",
        Atomic::CmpStore => "compare and store",
        Atomic::CondXchg => "conditional exchange",
        Atomic::PkAdd => "packed add",
    };
    s.to_owned()
}

fn lds(d: Ds) -> &'static str {
    match d {
        Ds::Swizzle => "d = data of the lane that the pattern names",
        Ds::Permute => "data goes to lane addr / 4",
        Ds::Bpermute => "d = data of lane addr / 4",
        Ds::Append => "d = counter, which grows by the active lanes",
        Ds::Consume => "d = counter, which shrinks by the active lanes",
        Ds::OrderedCount => "d = counter in wave order",
        Ds::GwsInit => "set a global semaphore",
        Ds::GwsSemaV => "increment a global semaphore",
        Ds::GwsSemaBr => "increment a global semaphore by data",
        Ds::GwsSemaP => "wait for a global semaphore",
        Ds::GwsSemaReleaseAll => "release all waiters of a global semaphore",
        Ds::GwsBarrier => "global barrier",
        Ds::ReadAddtid => "d = LDS dword at M0 + offset + 4 × lane",
        Ds::WriteAddtid => "LDS dword at M0 + offset + 4 × lane = data",
        Ds::ReadTr { .. } => "d = transposed LDS elements",
    }
}
