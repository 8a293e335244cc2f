//! The instruction rows, a file per family, and their flat numbering.
//!
//! [`RowId`] numbers rows of all families in order; nothing outside this process may store one.

pub mod prelude;

mod ds;
mod flat;
mod graphics;
mod mai;
mod mimg;
mod mtbuf;
mod mubuf;
mod smem;
mod sop1;
mod sop2;
mod sopc;
mod sopk;
mod sopp;
mod vop1;
mod vop2;
mod vop3;
mod vop3p;
mod vopc;

use crate::format::{Form, Format};
use crate::row::Row;
use crate::target::Target;

/// Number of a row in [`all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub u16);

/// The families in order, each with its name.
pub static FAMILIES: [(&str, &[Row]); 18] = [
    ("sop1", sop1::ROWS),
    ("sop2", sop2::ROWS),
    ("sopk", sopk::ROWS),
    ("sopc", sopc::ROWS),
    ("sopp", sopp::ROWS),
    ("smem", smem::ROWS),
    ("vop1", vop1::ROWS),
    ("vop2", vop2::ROWS),
    ("vopc", vopc::ROWS),
    ("vop3", vop3::ROWS),
    ("vop3p", vop3p::ROWS),
    ("mai", mai::ROWS),
    ("ds", ds::ROWS),
    ("mubuf", mubuf::ROWS),
    ("mtbuf", mtbuf::ROWS),
    ("flat", flat::ROWS),
    ("graphics", graphics::ROWS),
    ("mimg", mimg::ROWS),
];

const fn total() -> usize {
    sop1::ROWS.len()
        + sop2::ROWS.len()
        + sopk::ROWS.len()
        + sopc::ROWS.len()
        + sopp::ROWS.len()
        + smem::ROWS.len()
        + vop1::ROWS.len()
        + vop2::ROWS.len()
        + vopc::ROWS.len()
        + vop3::ROWS.len()
        + vop3p::ROWS.len()
        + mai::ROWS.len()
        + ds::ROWS.len()
        + mubuf::ROWS.len()
        + mtbuf::ROWS.len()
        + flat::ROWS.len()
        + graphics::ROWS.len()
        + mimg::ROWS.len()
}

/// How many rows there are.
pub const COUNT: usize = total();

const fn flatten() -> [Row; COUNT] {
    let families: [&[Row]; 18] = [
        sop1::ROWS,
        sop2::ROWS,
        sopk::ROWS,
        sopc::ROWS,
        sopp::ROWS,
        smem::ROWS,
        vop1::ROWS,
        vop2::ROWS,
        vopc::ROWS,
        vop3::ROWS,
        vop3p::ROWS,
        mai::ROWS,
        ds::ROWS,
        mubuf::ROWS,
        mtbuf::ROWS,
        flat::ROWS,
        graphics::ROWS,
        mimg::ROWS,
    ];
    let mut out = [sop1::ROWS[0]; COUNT];
    let (mut f, mut n) = (0, 0);
    while f < families.len() {
        let mut i = 0;
        while i < families[f].len() {
            out[n] = families[f][i];
            n += 1;
            i += 1;
        }
        f += 1;
    }
    out
}

static ALL: [Row; COUNT] = flatten();

/// All rows of all targets; [`RowId`] is the index.
pub fn all() -> &'static [Row] {
    &ALL
}

impl RowId {
    /// The row.
    #[inline(always)]
    pub fn row(self) -> &'static Row {
        &ALL[self.0 as usize]
    }
}

/// Row numbers by format and opcode for one target: what decoding looks up. `NONE` where there is no instruction.
pub(crate) struct OpcodeTable {
    start: [u16; Format::COUNT + 1],
    rows: [u16; OpcodeTable::SIZE],
}

/// No row.
pub(crate) const NONE: u16 = u16::MAX;

const fn opcode_space(format: usize) -> usize {
    const SPACE: [usize; Format::COUNT] = {
        let mut s = [0; Format::COUNT];
        s[Format::SOP1 as usize] = 256;
        s[Format::SOP2 as usize] = 128;
        s[Format::SOPK as usize] = 32;
        s[Format::SOPK_LIT as usize] = 32;
        s[Format::SOPC as usize] = 128;
        s[Format::SOPP as usize] = 128;
        s[Format::SMEM as usize] = 256;
        s[Format::VOP1 as usize] = 256;
        s[Format::VOP2 as usize] = 64;
        s[Format::VOPC as usize] = 256;
        s[Format::VOP3 as usize] = 1024;
        s[Format::VOP3P as usize] = 128;
        s[Format::MAI_SCALE as usize] = 128;
        s[Format::VINTRP as usize] = 4;
        s[Format::DS as usize] = 256;
        s[Format::MUBUF as usize] = 128;
        s[Format::MTBUF as usize] = 16;
        s[Format::FLAT as usize] = 128;
        s[Format::GLOBAL as usize] = 128;
        s[Format::SCRATCH as usize] = 128;
        s[Format::EXP as usize] = 1;
        s[Format::MIMG as usize] = 128;
        s
    };
    SPACE[format]
}

/// The opcode space that a format's opcodes live in: formats that differ only in operands share one.
const fn space(format: Format) -> usize {
    (match format {
        Format::VOP2B | Format::VOP2_LIT => Format::VOP2,
        Format::SOPK_LIT => Format::SOPK,
        Format::VOP3B => Format::VOP3,
        Format::MAI => Format::VOP3P,
        f => f,
    }) as usize
}

impl OpcodeTable {
    const SIZE: usize = {
        let (mut n, mut f) = (0, 0);
        while f < Format::COUNT {
            n += opcode_space(f);
            f += 1;
        }
        n
    };

    const fn build(target: Target) -> OpcodeTable {
        let mut t = OpcodeTable { start: [0; Format::COUNT + 1], rows: [NONE; OpcodeTable::SIZE] };
        let mut f = 0;
        while f < Format::COUNT {
            t.start[f + 1] = t.start[f] + opcode_space(f) as u16;
            f += 1;
        }
        let mut i = 0;
        while i < COUNT {
            let r = &ALL[i];
            if r.targets.has(target) {
                if !r.mods.has(crate::row::Mods::NO_E32) || r.mods.has(crate::row::Mods::SDWA) {
                    let at = t.start[space(r.format)] as usize + r.opcode as usize;
                    assert!(t.rows[at] == NONE, "two rows claim one opcode");
                    t.rows[at] = i as u16;
                }
                if r.mods.has(crate::row::Mods::E64) {
                    let at = t.start[Format::VOP3 as usize] as usize + r.opcode64 as usize;
                    assert!(t.rows[at] == NONE, "two rows claim one 64-bit opcode");
                    t.rows[at] = i as u16;
                }
            }
            i += 1;
        }
        t
    }

    /// The row number of `opcode` in `format`, or [`NONE`].
    #[inline(always)]
    pub(crate) fn get(&self, format: Format, opcode: u32) -> u16 {
        self.rows[self.start[format as usize] as usize + opcode as usize]
    }
}

static TABLES: [OpcodeTable; 4] = [
    OpcodeTable::build(Target::Gfx908),
    OpcodeTable::build(Target::Gfx90a),
    OpcodeTable::build(Target::Gfx942),
    OpcodeTable::build(Target::Gfx950),
];

/// The decode table of a target.
#[inline(always)]
pub(crate) fn table(target: Target) -> &'static OpcodeTable {
    &TABLES[target as usize]
}

/// The row of that name on that target whose encoding has `form`.
pub fn find(name: &str, target: Target) -> Option<RowId> {
    crate::names::lookup(name).and_then(|m| m.row(target))
}

/// Whether a row has `form` on a target; a shorthand for lookups.
pub fn has_form(id: RowId, form: Form, target: Target) -> bool {
    id.row().has_form(form, target)
}
