//! What mutants are made of: an instruction that orders something, in every weaker form. One definition for all tests and
//! programs that try mutants.

use wavesmith_asm::counters::{EXPCNT_MAX, LGKMCNT_MAX, VMCNT_MAX, WaitCnt};
use wavesmith_asm::sem::{Control, Sem, Space};
use wavesmith_asm::{Field, Inst};
use wavesmith_check::Edit;

/// An instruction in a weaker form.
pub struct Weakened {
    /// What was done.
    pub what: String,
    /// The dwords in its place; as many as before.
    pub words: Vec<u32>,
    /// What the static half is told, where the dwords alone do not say it.
    pub edit: Option<Edit>,
}

/// Every weaker form of an instruction; none of one that orders nothing.
pub fn weakened(inst: &Inst) -> Vec<Weakened> {
    /// `s_nop 0`.
    const NOP: u32 = 0xbf80_0000;
    let with = |what: String, field, value| {
        let mut other = *inst;
        other.set(field, value);
        Weakened { what, words: other.words().to_vec(), edit: None }
    };
    let gone = || vec![Weakened { what: "taken out".to_owned(), words: vec![NOP; inst.dwords()], edit: None }];
    let without = |field, what: &str| (inst.get(field) != 0).then(|| with(what.to_owned(), field, 0));
    match inst.row().sem {
        Sem::Control(Control::Waitcnt) => {
            let w = WaitCnt::decode(inst.get(Field::Simm16) as u16);
            let mut out = vec![with("taken out".to_owned(), Field::Simm16, WaitCnt::NONE.encode().into())];
            for (name, n, max, weaker) in [
                ("vmcnt", w.vm, VMCNT_MAX, WaitCnt { vm: w.vm.saturating_add(1), ..w }),
                ("lgkmcnt", w.lgkm, LGKMCNT_MAX, WaitCnt { lgkm: w.lgkm.saturating_add(1), ..w }),
                ("expcnt", w.exp, EXPCNT_MAX, WaitCnt { exp: w.exp.saturating_add(1), ..w }),
            ] {
                if n < max {
                    let what = format!("{name}({}) for {name}({n})", n + 1);
                    out.push(with(what, Field::Simm16, weaker.encode().into()));
                }
            }
            out
        }
        Sem::Control(Control::Barrier) | Sem::CacheWriteback | Sem::CacheInvalidate { .. } => gone(),
        // Nothing takes the place of a nop in the file, so the static half is told; the engine sees the shortest.
        Sem::Control(Control::Nop) => {
            let mut out = gone();
            out[0].edit = Some(Edit::Remove);
            let simm = inst.get(Field::Simm16);
            if simm & 15 > 0 {
                out.push(with("one state less".to_owned(), Field::Simm16, simm - 1));
            }
            out
        }
        Sem::Load { space, .. } | Sem::Store { space, .. } if space != Space::Lds => {
            [without(Field::Sc0, "without sc0 or glc"), without(Field::Sc1, "without sc1")]
                .into_iter()
                .flatten()
                .collect()
        }
        Sem::Atomic { space, .. } if space != Space::Lds => without(Field::Sc1, "without sc1").into_iter().collect(),
        _ => Vec::new(),
    }
}
