//! What an instruction costs (`Time`) and what it endangers (`Hazard`).

/// The pipe that executes an instruction and how long it holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Time {
    /// Vector ALU, cycles per wave-instruction (4 is full rate).
    Valu(u8),
    /// Transcendental: quarter rate.
    Trans,
    /// Packed f32: full rate, yet never under an MFMA.
    Packed,
    /// 64-bit floating point at the target's f64 rate.
    F64,
    /// Matrix pipe, passes of 4 cycles.
    Xdl(u8),
    /// Matrix pipe, f32 inputs (SGEMM).
    Sgemm(u8),
    /// Matrix pipe, f64 inputs (DGEMM): shares the f64 pipe.
    Dgemm(u8),
    /// f8f6f4: passes with a 6- or 4-bit pair, doubled when an operand is 8-bit.
    XdlF8f6f4(u8),
    Salu,
    /// Branches and messages.
    Branch,
    /// Consumed in the instruction buffer: no pipe.
    Internal,
    Smem,
    /// Vector memory; dwords per lane.
    Vmem(u8),
    /// LDS; dwords per lane.
    Lds(u8),
    /// Export, image: not modelled.
    Graphics,
}

impl Time {
    /// Issue slots, of four cycles, in which it keeps the vector ALU busy; 0 where it is another's.
    pub const fn vector_slots(self) -> u8 {
        match self {
            Time::Valu(cycles) => cycles / 4,
            _ => 0,
        }
    }
}

/// The class that the wait-state rules know an instruction by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Hazard {
    None,
    Salu,
    SetReg,
    GetReg,
    MoveRel,
    /// Reads or writes trap-handler state, M0-dependent: `s_sendmsg`, `s_ttracedata`, GWS.
    M0Use,
    Branch,
    Wait,
    Smem,
    Valu,
    Trans,
    /// Reads a lane index from an SGPR (`v_readlane`, `v_writelane`).
    LaneSelect,
    /// Reads VCC implicitly (`v_div_fmas`).
    DivFmas,
    /// Interpolation and `lds_direct`.
    Interp,
    Permlane,
    /// Packed math in the matrix shadow.
    Packed,
    Xdl,
    Sgemm,
    Dgemm,
    /// `v_accvgpr_read/write` on gfx908.
    AccMove,
    Vmem,
    /// Store of more than 64 bits: its data must not be overwritten at once.
    WideStore,
    Lds,
    /// Cache maintenance.
    Cache,
    Graphics,
}
