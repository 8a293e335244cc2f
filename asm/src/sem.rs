//! What an instruction does, as an exhaustive set of classes parameterised by small enums.
//!
//! The engine lowers a class at once, so a new row in a known class needs no code, and a new class does not compile
//! until every consumer knows it. Operand widths and register classes are in the row's operands; a class says only
//! what happens to their values.

/// The type of one element of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Elem {
    B8,
    U8,
    I8,
    B16,
    U16,
    I16,
    F16,
    Bf16,
    B32,
    U32,
    I32,
    F32,
    /// 24-bit unsigned in 32 bits.
    U24,
    /// 24-bit signed in 32 bits.
    I24,
    B64,
    U64,
    I64,
    F64,
    B96,
    B128,
    I4,
    U4,
    /// OCP E4M3 on gfx950, E4M3FNUZ on gfx942.
    Fp8,
    /// OCP E5M2 on gfx950, E5M2FNUZ on gfx942.
    Bf8,
    Fp6,
    Bf6,
    Fp4,
    Xf32,
}

impl Elem {
    /// Bits of one element.
    pub const fn bits(self) -> u32 {
        use Elem::*;
        match self {
            I4 | U4 | Fp4 => 4,
            Fp6 | Bf6 => 6,
            B8 | U8 | I8 | Fp8 | Bf8 => 8,
            B16 | U16 | I16 | F16 | Bf16 => 16,
            B32 | U32 | I32 | F32 | U24 | I24 | Xf32 => 32,
            B64 | U64 | I64 | F64 => 64,
            B96 => 96,
            B128 => 128,
        }
    }

    /// Whether the element is a floating-point number.
    pub const fn is_float(self) -> bool {
        use Elem::*;
        matches!(self, F16 | Bf16 | F32 | F64 | Fp8 | Bf8 | Fp6 | Bf6 | Fp4 | Xf32)
    }
}

/// Conditions of comparisons. The `N` forms are true for unordered operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Cond {
    F,
    Lt,
    Eq,
    Le,
    Gt,
    /// Less or greater: false when unordered.
    Lg,
    Ge,
    /// Ordered.
    O,
    /// Unordered.
    U,
    Nge,
    Nlg,
    Ngt,
    Nle,
    Neq,
    Nlt,
    /// Integer inequality.
    Ne,
    T,
}

/// Bitwise operations of two operands; `a` is the first source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Logic {
    And,
    Or,
    Xor,
    /// a & !b
    Andn2,
    /// a | !b
    Orn2,
    Nand,
    Nor,
    Xnor,
    /// !a & b
    Andn1,
    /// !a | b
    Orn1,
}

/// Scalar operations on SGPRs. SCC as the ISA guides say: carry or overflow for arithmetic, result ≠ 0 for logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SOp {
    /// d = a; `s_movk_i32` too (sign-extended immediate).
    Mov,
    /// d = SCC ? a : d.
    Cmov,
    Not,
    /// Whole-quad mode mask.
    Wqm,
    Brev,
    Bcnt0,
    Bcnt1,
    /// Find first 0 from the LSB.
    Ff0,
    /// Find first 1 from the LSB.
    Ff1,
    /// Count leading zeros (`s_flbit_i32_b32/b64`).
    Flbit,
    /// Count leading sign bits (`s_flbit_i32`, `s_flbit_i32_i64`).
    FlbitSigned,
    SextI8,
    SextI16,
    Bitset0,
    Bitset1,
    Quadmask,
    /// d = SGPR[a + M0]
    MovrelS,
    /// SGPR[d + M0] = a
    MovrelD,
    Abs,
    Bitreplicate,
    Add,
    Sub,
    AddCarry,
    SubBorrow,
    Min,
    Max,
    /// SCC ? a : b.
    Cselect,
    Logic(Logic),
    Lshl,
    Lshr,
    Ashr,
    /// Bit-field mask: ((1 << a) − 1) << b.
    Bfm,
    Mul,
    MulHi,
    /// Bit-field extract: offset `b[5:0]`, width `b[22:16]`.
    Bfe,
    AbsDiff,
    /// d = (a << n) + b, SCC = overflow.
    LshlAdd(u8),
    PackLL,
    PackLH,
    PackHH,
    /// `s_addk_i32`: d += sign-extended immediate.
    AddK,
    /// `s_mulk_i32`.
    MulK,
    SetGprIdxIdx,
}

/// Program flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Branch {
    /// Always: pc + 4 + 4 × simm16.
    Always,
    Scc0,
    Scc1,
    Vccz,
    Vccnz,
    Execz,
    Execnz,
    Cdbgsys,
    Cdbguser,
    CdbgsysOrUser,
    CdbgsysAndUser,
    /// d = pc of the next instruction.
    GetPc,
    /// pc = a.
    SetPc,
    /// d = next pc; pc = a.
    SwapPc,
    /// d = next pc; pc += 4 × simm16.
    Call,
    /// Return from a trap handler.
    Rfe,
    RfeRestore,
    /// Conditional fork on a register target.
    ForkG,
    /// Conditional fork on an immediate target.
    ForkI,
    Join,
}

/// Instructions that change how the wave runs rather than a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Control {
    Nop,
    EndPgm,
    EndPgmSaved,
    EndPgmOrderedPsDone,
    Wakeup,
    Barrier,
    SetKill,
    /// Wait until the counters of the immediate are reached.
    Waitcnt,
    SetHalt,
    Sleep,
    SetPrio,
    SendMsg,
    SendMsgHalt,
    Trap,
    IcacheInv,
    IncPerfLevel,
    DecPerfLevel,
    TtraceData,
    SetGprIdxOn,
    SetGprIdxOff,
    SetGprIdxMode,
    SetVskip,
    /// `v_nop`
    VNop,
    /// `ds_nop`
    DsNop,
    /// `v_clrexcp`
    ClrExcp,
}

/// Lane operations; the type of the operation is given beside it. `a`, `b`, `c` are the sources in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Op {
    Mov,
    Add,
    Sub,
    /// b − a.
    SubRev,
    Mul,
    /// Multiplication in which 0 × anything is 0.
    MulLegacy,
    /// High 32 bits of the product.
    MulHi,
    /// Low bits of the product.
    MulLo,
    Min,
    Max,
    Min3,
    Max3,
    /// IEEE 754-2019 minimum of three, NaN wins.
    Minimum3,
    Maximum3,
    Med3,
    Lshl,
    /// b << a.
    LshlRev,
    LshrRev,
    AshrRev,
    Logic(Logic),
    Not,
    Bfrev,
    /// Position of the first 1 from the MSB, −1 if none.
    FfbhU,
    /// Position of the first bit unlike the sign from the MSB.
    FfbhI,
    Ffbl,
    /// d += a × b, unfused (denormals flushed).
    Mac,
    /// a × b + c, unfused.
    Mad,
    /// Unfused multiply-add with the legacy zero rule.
    MadLegacy,
    /// d = a × b + d in one rounding.
    Fmac,
    /// a × b + c in one rounding.
    Fma,
    /// a × K + b, K the literal (`v_fmamk`).
    FmaMk,
    /// a × b + K (`v_fmaak`).
    FmaAk,
    /// Unfused `v_madmk`.
    MadMk,
    /// Unfused `v_madak`.
    MadAk,
    /// a + b, carry out to the scalar destination.
    AddCo,
    SubCo,
    SubRevCo,
    /// a + b + carry in, carry out.
    AddcCo,
    SubbCo,
    SubbRevCo,
    /// c ? b : a, by the lane's bit of the mask operand.
    Cndmask,
    Ldexp,
    Trunc,
    Ceil,
    Rndne,
    Floor,
    Fract,
    Exp,
    Log,
    ExpLegacy,
    LogLegacy,
    Rcp,
    RcpIflag,
    Rsq,
    Sqrt,
    Sin,
    Cos,
    FrexpExp,
    FrexpMant,
    BfeU,
    BfeI,
    Bfi,
    /// (1 << a) − 1 << b.
    Bfm,
    /// (a << b) | c.
    LshlOr,
    /// (a << b) + c.
    LshlAdd,
    /// (a + b) << c.
    AddLshl,
    Add3,
    Or3,
    And3Or,
    /// (a & b) | c.
    AndOr,
    /// (a ^ b) + c.
    Xad,
    AlignBit,
    AlignByte,
    Perm,
    /// Count of ones of a, plus b.
    BcntAdd,
    /// Bits of the mask below this lane, low half, plus b.
    MbcntLo,
    MbcntHi,
    CubeId,
    CubeSc,
    CubeTc,
    CubeMa,
    Lerp,
    Sad,
    SadHi,
    Msad,
    QsadPk,
    MqsadPk,
    Mqsad,
    DivScale,
    DivFmas,
    DivFixup,
    DivFixupLegacy,
    TrigPreop,
    /// 64-bit a × b + c with carry to the scalar destination.
    MadWide,
    /// `a × b + c` with 24-bit factors.
    Mad24,
    Swap,
    /// Two lanes of 16 (or 32) exchanged between two registers.
    Permlane16Swap,
    Permlane32Swap,
    ReadLane,
    ReadFirstLane,
    WriteLane,
    Prng,
    SatPkU8I16,
    ScreenPartition4se,
    /// `v_mad_mix`/`v_fma_mix`: each source f32 or a half of f16 as op_sel says; result f32.
    FmaMix,
    FmaMixLo,
    FmaMixHi,
    AccRead,
    AccWrite,
    AccMov,
    /// Packed selection of two dwords (`v_pk_mov_b32`).
    PkMov,
    /// Interpolation (graphics, gfx908).
    InterpP1,
    InterpP2,
    InterpMov,
    InterpP1ll,
    InterpP1lv,
    /// Bitwise ternary by table (`v_bitop3`).
    Bitop3,
    /// `v_ashr_pk_i8/u8_i32`: shift, saturate, pack.
    AshrPk,
    CvtScaleF32,
    MovRelS,
    MovRelD,
    MovRelSD,
    PackB32F16,
}

/// Rounding of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Round {
    /// By the MODE register.
    Mode,
    /// Toward zero.
    Rtz,
    /// Toward −∞.
    Floor,
    /// floor(x + 0.5).
    Rpi,
    /// Stochastic, with random bits from an operand.
    Stochastic,
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Cvt {
    /// One value to one value.
    Plain { from: Elem, to: Elem, round: Round },
    /// Byte `n` of a dword to f32.
    UByte(u8),
    /// f32 to unsigned byte inserted in c at byte b.
    PkU8,
    /// 4-bit signed offset to f32 in [−0.5, 0.4375].
    OffI4,
    /// Two values to one packed dword.
    Pack { from: Elem, to: Elem, round: Round },
    /// Normalised: f32 or f16 to snorm/unorm 16.
    Norm { from: Elem, to: Elem },
    /// Two normalised values packed.
    PackNorm { from: Elem, to: Elem },
    /// Packed pair to two values (`v_cvt_pk_f32_fp8`).
    Unpack { from: Elem, to: Elem },
    /// gfx950 scaled conversions: `n` elements from one type to the other with a scale operand.
    Scaled { from: Elem, to: Elem, n: u8, round: Round },
}

/// Memory spaces of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Space {
    Flat,
    Global,
    Scratch,
    /// Through a buffer resource.
    Buffer,
    Lds,
}

/// The element that a memory instruction moves per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Mem {
    U8,
    I8,
    U16,
    I16,
    /// 1 to 4 dwords.
    Dwords(u8),
    /// Byte into the low (false) or high (true) half; the other half becomes 0, as with SRAM-ECC on.
    U8D16(bool),
    I8D16(bool),
    B16D16(bool),
    /// Through the buffer resource's format, 1 to 4 components.
    Format(u8),
    /// Components as 16-bit halves, packed.
    FormatD16(u8),
    /// One component into the high half.
    FormatD16Hi,
}

/// Read-modify-write operations of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Atomic {
    Swap,
    CmpSwap,
    Add,
    Sub,
    /// data − memory.
    RSub,
    Min,
    Max,
    Logic(Logic),
    Inc,
    Dec,
    /// Masked or: (mem & !data0) | data1.
    MskOr,
    /// (mem ≥ data0) ? mem − data0 : mem + data1.
    Wrap,
    /// Compare data0 with memory, store data1 on equality (DS order of operands).
    CmpStore,
    /// Conditional exchange of 32 bits on the top bit.
    CondXchg,
    /// f32/f64 add, packed adds by element type.
    FAdd,
    PkAdd,
    FMin,
    FMax,
}

/// LDS instructions that are neither plain loads, stores nor atomics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Ds {
    Swizzle,
    /// Push: lane's data goes to lane addr/4.
    Permute,
    /// Pull: data from lane addr/4.
    Bpermute,
    Append,
    Consume,
    OrderedCount,
    GwsInit,
    GwsSemaV,
    GwsSemaBr,
    GwsSemaP,
    GwsSemaReleaseAll,
    GwsBarrier,
    /// Address is M0 + offset + 4 × lane.
    ReadAddtid,
    WriteAddtid,
    /// Transposing reads of `bits`-wide elements.
    ReadTr {
        bits: u8,
    },
}

/// A dense matrix multiply-accumulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Mfma {
    pub m: u8,
    pub n: u8,
    pub k: u8,
    pub blocks: u8,
    /// Type of A and B; for f8f6f4 both come from `cbsz` and `blgp`.
    pub a: Elem,
    pub b: Elem,
    /// Type of C and D.
    pub d: Elem,
    /// f8f6f4: element types in `cbsz` (A) and `blgp` (B).
    pub typed_by_fields: bool,
    /// Carries scale operands.
    pub scaled: bool,
    /// 4:2 structured sparsity (SMFMAC): A is half as long and `c` holds the indices; D is also the accumulator.
    pub sparse: bool,
    /// The old bf16 instructions without `_1k`, with 2 values of k per register.
    pub legacy_bf16: bool,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Sem {
    /// Scalar ALU.
    Salu(SOp, Elem),
    /// Scalar comparison into SCC; `s_cmpk_*` compare with the immediate.
    ScalarCmp(Cond, Elem),
    /// SCC = bit `b` of `a` is `.0`.
    BitCmp(bool, Elem),
    /// d = EXEC; EXEC = a ∘ EXEC; SCC = EXEC ≠ 0.
    SaveExec(Logic),
    /// EXEC = a ∘ EXEC; d = EXEC; SCC = EXEC ≠ 0.
    WrExec(Logic),
    Branch(Branch),
    Control(Control),
    /// d = hardware register field.
    GetReg,
    /// Hardware register field = a or literal.
    SetReg,
    /// Scalar load of `dwords`, from an address or through a buffer resource.
    ScalarLoad {
        dwords: u8,
        space: SmemSpace,
    },
    ScalarStore {
        dwords: u8,
        space: SmemSpace,
    },
    ScalarAtomic {
        op: Atomic,
        ty: Elem,
        space: SmemSpace,
    },
    /// Scalar cache maintenance.
    ScalarCache {
        writeback: bool,
        volatile: bool,
    },
    /// d = 64-bit counter: core clock or, if `real`, 100 MHz.
    MemTime {
        real: bool,
    },
    /// Address translation probe (no result).
    AtcProbe {
        buffer: bool,
    },
    /// `s_dcache_discard`
    DcacheDiscard {
        x2: bool,
    },
    /// One operation per lane.
    Lane(Op, Elem),
    /// Two operations per lane on packed halves (or dwords for 32-bit types).
    Packed(Op, Elem),
    Cvt(Cvt),
    /// Lane comparison to a mask; `exec`: EXEC gets it too.
    Cmp {
        cond: Cond,
        ty: Elem,
        exec: bool,
    },
    /// Class test of `a` by the mask `b`.
    CmpClass {
        ty: Elem,
        exec: bool,
    },
    /// Dot product of `n` pairs of `from` added to c in `to`; `acc`: the destination is c.
    Dot {
        from: Elem,
        to: Elem,
        n: u8,
        acc: bool,
    },
    Mfma(Mfma),
    /// Vector load; `lds`: into LDS at M0.
    Load {
        space: Space,
        mem: Mem,
        lds: bool,
    },
    Store {
        space: Space,
        mem: Mem,
    },
    /// `ret` says that the old value is returned whatever the bits say (DS `_rtn`); elsewhere `sc0`/`glc` asks for it.
    Atomic {
        space: Space,
        op: Atomic,
        ty: Elem,
        ret: bool,
    },
    /// DS two-address forms: `stride` in elements is 1 or 64.
    DsLoad2 {
        dwords: u8,
        st64: bool,
    },
    DsStore2 {
        dwords: u8,
        st64: bool,
    },
    DsXchg2 {
        dwords: u8,
        st64: bool,
    },
    Ds(Ds),
    /// Write back L2 (`buffer_wbl2`).
    CacheWriteback,
    /// Invalidate caches (`buffer_inv`, `buffer_wbinvl1*`, `buffer_invl2`).
    CacheInvalidate {
        writeback_l1: bool,
        volatile: bool,
        l2: bool,
    },
    /// `buffer_store_lds_dword`
    StoreLds,
    /// Export (graphics, gfx908).
    Export,
    /// Image instruction (graphics, gfx908).
    Image,
    /// `v_mfma_ld_scale_b32`: loads the scales for the MFMA that follows.
    LdScale,
}

/// Where a scalar memory instruction takes its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SmemSpace {
    Address,
    Buffer,
    Scratch,
}

impl Sem {
    /// Whether MODE can have M0 move the vector operands of such instructions (`s_set_gpr_idx_on`): those of the vector
    /// ALU, but for what moves values between lanes or registers by itself, of which the guides say little.
    pub const fn is_indexed_by_mode(self) -> bool {
        match self {
            Sem::Lane(op, _) => {
                !matches!(op, Op::ReadLane | Op::ReadFirstLane | Op::Swap | Op::Permlane16Swap | Op::Permlane32Swap)
            }
            Sem::Packed(..) | Sem::Cvt(_) | Sem::Dot { .. } | Sem::Cmp { .. } | Sem::CmpClass { .. } => true,
            _ => false,
        }
    }
}
