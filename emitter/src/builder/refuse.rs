//! Arguments that a kernel was not generated for: it says so and ends, instead of computing something else.
//!
//! `s_trap 2` is how a program ends itself (AMDGPUUsage, "Trap Handler ABI"): the queue stops with an error. What was wrong
//! stands in the code object's metadata, by the trap's place in the code, where a device that knows the place can look it up.
//! A part without the trap handler goes on, to the end of the program.

use super::{KernelBuilder, Label, When};
use wavesmith_asm::Build;
use wavesmith_asm::reg::S;

/// The trap by which a program ends itself.
const ABORT: i32 = 2;

/// Why a kernel ends itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Byte offset of the trap from the kernel's entry.
    pub offset: u32,
    /// What the arguments would have to be.
    pub message: String,
}

impl KernelBuilder {
    /// Ends the program unless all of these are zero. Each that is not has a message, which says what would be accepted. As
    /// long as all are, it takes an instruction apiece and a branch.
    #[track_caller]
    pub fn refuse_unless_zero(&mut self, cases: Vec<(S<1>, String)>) {
        let Some(((first, _), more)) = cases.split_first() else { return };
        let accepted = self.label("accepted");
        let any: S<1> = self.s();
        self.s_or_b32(any, *first, 0);
        for (wrong, _) in more {
            self.s_or_b32(any, any, *wrong);
        }
        self.branch_if(When::Scc0, accepted);
        let last = cases.len() - 1;
        for (i, (wrong, message)) in cases.into_iter().enumerate() {
            let next = self.label("not_this");
            if i < last {
                self.s_cmp_eq_u32(wrong, 0);
                self.branch_if(When::Scc1, next);
            }
            let at = self.here("refused");
            self.refusals.push((at, message));
            self.s_trap(ABORT);
            self.end();
            self.bind(next);
        }
        self.bind(accepted);
    }

    /// What the refusals say, with their places.
    pub(crate) fn refusals_at(&self, place: impl Fn(Label) -> u32) -> Vec<Refusal> {
        self.refusals.iter().map(|(at, message)| Refusal { offset: place(*at), message: message.clone() }).collect()
    }
}
