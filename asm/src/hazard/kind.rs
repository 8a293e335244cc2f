//! What instructions of one encoding are to the rules, worked out when the encoding is first met.
//!
//! Few bits beside the row and the form change what an instruction is: halves of registers, stores whose width or offset
//! they say, registers with a meaning of their own. Where any of them may be set, the instruction is asked itself.

use super::{INDEX, RULES, Traits, traits_of};
use crate::canonical::has_lds;
use crate::effects::Effects;
use crate::encode::blank;
use crate::format::{Field, Form, Format};
use crate::inst::Inst;
use crate::rows::COUNT;
use crate::sem::Sem;
use crate::target::Target;
use std::sync::{LazyLock, OnceLock};

/// An encoding's traits, and the rules that they take part in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub traits: Traits,
    /// Rules whose first, and whose second instruction it may be.
    pub produces: u64,
    pub consumes: u64,
    /// Whether other bits than those of operands may change the traits.
    asks: bool,
    /// Whether there is an `op_sel` that may.
    selects: bool,
}

impl Kind {
    /// What `inst` is; `special` says whether a register with a meaning of its own is among its operands.
    #[inline]
    pub fn of(inst: &Inst, effects: &Effects, special: bool) -> Kind {
        static KINDS: LazyLock<Vec<OnceLock<Kind>>> =
            LazyLock::new(|| (0..COUNT * 16).map(|_| OnceLock::new()).collect());
        let (row, form, target) = (inst.row_id(), inst.form(), inst.target());
        let at = (usize::from(row.0) * 4 + form as usize) * 4 + target as usize;
        let usual = KINDS[at].get_or_init(|| {
            let usual = blank(row, form, target);
            let mut kind = Kind::with(traits_of(&usual, &Effects::of(&usual)), target);
            let row = usual.row();
            let memory = row.format != Format::DS && matches!(row.sem, Sem::Store { .. } | Sem::Atomic { .. });
            let may_load_lds = matches!(row.sem, Sem::Load { .. }) && has_lds(row, target);
            kind.asks = form == Form::Sdwa || memory || may_load_lds || matches!(row.sem, Sem::SetReg);
            kind.selects = usual.has(Field::OpSel);
            kind
        });
        if special || usual.asks || usual.selects && inst.get(Field::OpSel) != 0 {
            return Kind::with(traits_of(inst, effects), target);
        }
        *usual
    }

    fn with(traits: Traits, target: Target) -> Kind {
        let (mut produces, mut consumes) = (0u64, 0u64);
        let mut left = traits.0;
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            produces |= INDEX.produces[target as usize][bit];
            consumes |= INDEX.consumes[target as usize][bit];
        }
        let mut compound = consumes & INDEX.compound;
        while compound != 0 {
            let i = compound.trailing_zeros();
            compound &= compound - 1;
            if !traits.has(RULES[i as usize].consumer) {
                consumes &= !(1 << i);
            }
        }
        Kind { traits, produces, consumes, asks: false, selects: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazard::is_special;
    use crate::inst::decode;

    /// Every row in every form, its other bits at random: what is shared by an encoding must be what the instruction says.
    #[test]
    fn what_an_encoding_shares_is_what_each_instruction_is() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed as u32
        };
        let mut tried = 0;
        for target in Target::ALL {
            for _ in 0..200_000 {
                let Ok(inst) = decode(&[random(), random(), random(), random()], target) else { continue };
                let effects = Effects::of(&inst);
                let special = effects.touches().iter().any(is_special);
                let (kind, own) = (Kind::of(&inst, &effects, special), traits_of(&inst, &effects));
                assert_eq!(kind.traits, own, "{inst:?}");
                tried += 1;
            }
        }
        assert!(tried > 100_000, "{tried}");
    }
}
