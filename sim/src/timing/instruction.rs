//! What the model needs to know of an instruction, worked out once for each place in the code.

use super::parts::Machine;
use crate::engine::ir::{Segment, Uop};
use crate::engine::stepper::first_origins;
use std::sync::Arc;
use wavesmith_asm::Field;
use wavesmith_asm::class::Time;
use wavesmith_asm::counters::{Raises, WaitCnt, raises};
use wavesmith_asm::effects::{Effects, Span};
use wavesmith_asm::inst::Inst;
use wavesmith_asm::sem::{Branch, Control, Elem, Op, Sem};

/// The pipe that an instruction is issued to: at most one of each a slot and SIMD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pipe {
    /// Vector ALU, matrix instructions included.
    Vector,
    /// Scalar ALU and scalar memory.
    Scalar,
    /// Vector memory.
    Memory,
    /// LDS.
    Lds,
    /// Branches and messages.
    Branch,
    /// None: consumed in the instruction buffer.
    Buffer,
}

/// What a vector instruction does to its SIMD's pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// Occupies the VALU for some cycles.
    Plain(u16),
    /// Packed f32: waits for the matrix pipe.
    Packed,
    /// Matrix: four cycles of the VALU, then passes of the matrix pipe.
    Matrix {
        /// Passes of four cycles.
        passes: u16,
        /// Whether VALU instructions run beside it.
        shares: bool,
        /// Cycles until its result may be read by anything but the next accumulation.
        latency: u16,
    },
}

/// Which throttled clock a matrix instruction pulls towards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// f16 and everything wider.
    Half,
    /// bf16.
    Brain,
    /// fp8, bf8, i8.
    Eight,
    /// 6 and 4 bits.
    Four,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// Address.
    pub pc: u64,
    /// Bytes.
    pub bytes: u8,
    /// Pipe.
    pub pipe: Pipe,
    /// For vector instructions.
    pub vector: Vector,
    /// Matrix operands.
    pub operands: Operands,
    /// A matrix instruction of 32 by 32.
    pub wide: bool,
    /// Floating-point operations of the wave, were all lanes on; matrix operations for integer types.
    pub flops: u32,
    /// Control instructions.
    pub control: Option<Control>,
    /// Their immediate.
    pub imm: u16,
    /// A branch, and whether it is conditional.
    pub branch: Option<bool>,
    /// How it raises the wait counters.
    pub raises: Raises,
    /// Index of the segment's memory operation.
    pub memory: Option<u32>,
    /// Index of the segment's scalar memory operation.
    pub scalar_memory: Option<u32>,
    /// A scalar access past the scalar cache: `glc`.
    pub fresh: bool,
    /// Cache maintenance: write back, invalidate.
    pub cache: Option<Cache>,
    /// Registers read and written.
    pub touched: [Span; 8],
    /// How many of them.
    pub touches: u8,
    /// A matrix instruction's destination.
    pub destination: Span,
    /// Its accumulator input.
    pub accumulator: Span,
    /// Scalar registers that a vector instruction writes.
    pub scalar_result: Span,
    /// Whether the scalar unit executes it, which waits for scalar results of vector instructions.
    pub scalar_consumer: bool,
}

/// Cache maintenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// `buffer_wbl2` and its like.
    WriteBack,
    /// `buffer_inv` and its like.
    Invalidate,
}

/// A segment with what is known of each of its instructions.
#[derive(Debug)]
pub struct Code {
    /// The segment.
    pub segment: Arc<Segment>,
    /// By origin.
    pub instructions: Vec<Instruction>,
    /// First origin of each block.
    pub first: Vec<u32>,
    /// Number of its first instruction among all that were seen: places in profiles.
    pub base: usize,
}

impl Code {
    /// Looks at every instruction of a segment.
    pub fn of(segment: Arc<Segment>, machine: &Machine, base: usize) -> Code {
        let first = first_origins(&segment);
        let instructions = (0..segment.origins.len()).map(|i| look(&segment, i, machine)).collect();
        Code { segment, instructions, first, base }
    }
}

fn look(segment: &Segment, at: usize, machine: &Machine) -> Instruction {
    let origin = &segment.origins[at];
    let mut out = Instruction {
        pc: origin.pc,
        bytes: 4,
        pipe: Pipe::Buffer,
        vector: Vector::Plain(machine.slot as u16),
        operands: Operands::Half,
        wide: false,
        flops: 0,
        control: None,
        imm: 0,
        branch: None,
        raises: Raises::Nothing,
        memory: None,
        scalar_memory: None,
        fresh: false,
        cache: None,
        touched: [Span::NONE; 8],
        touches: 0,
        destination: Span::NONE,
        accumulator: Span::NONE,
        scalar_result: Span::NONE,
        scalar_consumer: false,
    };
    let Some(inst) = &origin.inst else { return out };
    out.bytes = inst.bytes() as u8;
    let end = segment.origins.get(at + 1).map_or(segment.uops.len(), |o| o.uop as usize);
    for uop in &segment.uops[origin.uop as usize..end] {
        match uop {
            Uop::Mem(i) => out.memory = Some(*i),
            Uop::Smem(i) => out.scalar_memory = Some(*i),
            _ => {}
        }
    }
    let effects = Effects::of(inst);
    for touch in effects.touches() {
        // EXEC is forwarded, and no matrix result is scalar.
        let counts = touch.span.is_vector() || touch.span.is_scalar() && touch.span.first != Span::EXEC.first;
        if counts && (out.touches as usize) < out.touched.len() {
            out.touched[out.touches as usize] = touch.span;
            out.touches += 1;
        }
    }
    out.raises = raises(inst);
    classify(&mut out, inst, &effects, machine);
    out
}

fn classify(out: &mut Instruction, inst: &Inst, effects: &Effects, machine: &Machine) {
    let row = inst.row();
    match row.sem {
        Sem::Control(c) => {
            out.control = Some(c);
            out.imm = inst.get(Field::Simm16) as u16;
        }
        Sem::Branch(b) => {
            out.branch = match b {
                Branch::Always | Branch::SetPc | Branch::SwapPc | Branch::Call => Some(false),
                Branch::GetPc => None,
                _ => Some(true),
            };
        }
        Sem::ScalarLoad { .. } => out.fresh = inst.get(Field::Sc0) != 0,
        Sem::CacheWriteback => out.cache = Some(Cache::WriteBack),
        Sem::CacheInvalidate { .. } => out.cache = Some(Cache::Invalidate),
        _ => {}
    }
    let matrix = |passes: u16, shares: bool, sgemm: bool| {
        let states = machine.mfma_valu_states as u16 - u16::from(sgemm);
        // A result may be read one slot after the wait states.
        let latency = 4 * (passes + states + 1);
        Vector::Matrix { passes, shares, latency }
    };
    out.pipe = match row.time {
        Time::Valu(cycles) => {
            out.vector = Vector::Plain(u16::from(cycles));
            Pipe::Vector
        }
        Time::Trans => {
            out.vector = Vector::Plain(machine.trans as u16);
            Pipe::Vector
        }
        Time::Packed => {
            out.vector = Vector::Packed;
            Pipe::Vector
        }
        Time::F64 => {
            out.vector = Vector::Plain(machine.f64_valu as u16);
            Pipe::Vector
        }
        Time::Xdl(passes) => {
            out.vector = matrix(u16::from(passes), true, false);
            Pipe::Vector
        }
        Time::XdlF8f6f4(passes) => {
            let eight = inst.get(Field::Cbsz) <= 1 || inst.get(Field::Blgp) <= 1;
            out.vector = matrix(u16::from(passes) * if eight { 2 } else { 1 }, true, false);
            Pipe::Vector
        }
        Time::Sgemm(passes) => {
            // The calculator lists f32 matrix instructions of gfx942 as not running beside the VALU.
            let shares = matches!(inst.target(), wavesmith_asm::Target::Gfx908 | wavesmith_asm::Target::Gfx90a);
            out.vector = matrix(u16::from(passes), shares, true);
            Pipe::Vector
        }
        Time::Dgemm(passes) => {
            out.vector = matrix(u16::from(passes), false, false);
            Pipe::Vector
        }
        Time::Salu | Time::Smem => Pipe::Scalar,
        Time::Branch => Pipe::Branch,
        Time::Vmem(_) => Pipe::Memory,
        Time::Lds(_) => Pipe::Lds,
        Time::Internal | Time::Graphics => Pipe::Buffer,
    };
    if out.pipe == Pipe::Vector {
        for touch in effects.writes() {
            if touch.span.is_scalar() {
                out.scalar_result = touch.span;
            }
        }
    }
    out.scalar_consumer = matches!(out.pipe, Pipe::Scalar | Pipe::Branch);
    if let Sem::Mfma(m) = row.sem {
        out.destination = effects.writes().map(|t| t.span).find(|s| s.is_vector()).unwrap_or(Span::NONE);
        out.accumulator = if m.sparse {
            out.destination
        } else {
            effects.reads().find(|t| t.slot == Field::Src2).map_or(Span::NONE, |t| t.span)
        };
        out.flops = 2 * u32::from(m.m) * u32::from(m.n) * u32::from(m.k) * u32::from(m.blocks);
        out.wide = m.m == 32 && m.n == 32;
        let bits = if m.typed_by_fields {
            // Codes 0 and 1 are 8-bit, 2 and 3 6-bit, 4 is 4-bit.
            if inst.get(Field::Cbsz) <= 1 || inst.get(Field::Blgp) <= 1 { 8 } else { 4 }
        } else {
            m.a.bits()
        };
        out.operands = match (bits, m.a) {
            (4 | 6, _) => Operands::Four,
            (8, _) => Operands::Eight,
            (_, Elem::Bf16) => Operands::Brain,
            _ => Operands::Half,
        };
    } else {
        out.flops = vector_flops(row.sem);
    }
}

/// Floating-point operations of a vector instruction over 64 lanes; a multiply-add is two.
fn vector_flops(sem: Sem) -> u32 {
    let each = |op: Op| match op {
        Op::Add | Op::Sub | Op::SubRev | Op::Mul => 1,
        Op::Fma | Op::Fmac | Op::Mac | Op::Mad => 2,
        _ => 0,
    };
    match sem {
        Sem::Lane(op, ty) if ty.is_float() => 64 * each(op),
        Sem::Packed(op, ty) if ty.is_float() => 128 * each(op),
        Sem::Dot { n, .. } => 128 * u32::from(n),
        _ => 0,
    }
}

/// The counters that `s_waitcnt` waits for.
pub fn wait(i: &Instruction) -> WaitCnt {
    WaitCnt::decode(i.imm)
}
