//! What instructions of one encoding have in common: which of their operands can be registers, and what they imply.
//!
//! A kernel has tens of thousands of instructions of a few hundred encodings, and only the register numbers differ. So
//! what the row says is worked out when an encoding is first met.

use super::{Effects, Touch};
use crate::canonical::has_lds;
use crate::encode::blank;
use crate::encoding::{Place, place};
use crate::format::{Field, Form, Format};
use crate::inst::Inst;
use crate::row::{Access, Class};
use crate::rows::COUNT;
use crate::sem::{Op, Sem};
use crate::target::Target;
use std::sync::{LazyLock, OnceLock};

/// Whether the old value of a destination may survive in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    Never,
    Always,
    /// Bits that are no operand decide.
    Asks,
}

/// An operand that may be a register.
#[derive(Debug)]
pub(super) struct Register {
    pub place: Place,
    pub read: bool,
    pub write: bool,
    /// Written only where `sc0` asks for what was there.
    pub returned_if_asked: bool,
    /// A destination, of which lanes or halves may be kept.
    pub data: bool,
}

/// An encoding's registers.
#[derive(Debug)]
pub(super) struct Plan {
    pub registers: Box<[Register]>,
    pub implied: Box<[Touch]>,
    pub keeps: Keeps,
    /// Whether a bit sends what is loaded to LDS, which implies more.
    pub may_load_lds: bool,
}

impl Plan {
    /// The plan of an instruction's encoding.
    #[inline]
    pub fn of(inst: &Inst) -> &'static Plan {
        static PLANS: LazyLock<Vec<OnceLock<Box<Plan>>>> =
            LazyLock::new(|| (0..COUNT * 16).map(|_| OnceLock::new()).collect());
        let (row, form, target) = (inst.row_id(), inst.form(), inst.target());
        PLANS[(usize::from(row.0) * 4 + form as usize) * 4 + target as usize]
            .get_or_init(|| Box::new(Plan::new(&blank(row, form, target), form, target)))
    }

    fn new(inst: &Inst, form: Form, target: Target) -> Plan {
        let row = inst.row();
        let registers = row.operands.iter().filter(|o| can_be_register(o.class)).map(|o| {
            let write = o.access != Access::R;
            Register {
                place: place(inst, row, o),
                read: o.access != Access::W,
                write,
                returned_if_asked: o.slot == Field::Data0 && matches!(row.sem, Sem::Atomic { ret: false, .. }),
                data: write && matches!(o.slot, Field::Dst | Field::Data0),
            }
        });
        let mut implied = Effects { list: [Effects::NOTHING; Effects::MAX], len: 0 };
        implied.imply(inst, row.sem, row.format);
        let always = super::keeps_whatever_the_bits(row.sem);
        let asks = match form {
            Form::Dpp | Form::Sdwa => true,
            Form::Base | Form::E64 => row.format == Format::VOP3,
        };
        let writes_lane = matches!(row.sem, Sem::Lane(Op::WriteLane, _)) && matches!(form, Form::Base | Form::E64);
        Plan {
            registers: registers.collect(),
            implied: implied.touches().into(),
            keeps: match (always || writes_lane, asks) {
                (true, _) => Keeps::Always,
                (false, true) => Keeps::Asks,
                (false, false) => Keeps::Never,
            },
            may_load_lds: matches!(row.sem, Sem::Load { lds: false, .. }) && has_lds(row, target),
        }
    }
}

/// Whether an operand of the class is ever a register.
fn can_be_register(class: Class) -> bool {
    !class.is_number() && !matches!(class, Class::K | Class::Attr)
}
