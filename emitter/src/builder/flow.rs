//! Labels, branches and structured control flow.

use super::{Entry, KernelBuilder, LabelInfo};
use crate::error::EmitError;
use std::panic::Location;
use wavesmith_asm::build::encode_shortest;
use wavesmith_asm::reg::{EXEC, S};
use wavesmith_asm::{Operand, names};

/// A place in the code, bound or yet to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub(crate) u32);

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// SCC is 0.
    Scc0,
    /// SCC is 1.
    Scc1,
    /// VCC is zero.
    Vccz,
    /// VCC is not zero.
    Vccnz,
    /// No lane is active.
    Execz,
    /// Some lane is active.
    Execnz,
}

impl When {
    /// The opposite.
    pub const fn not(self) -> When {
        match self {
            When::Scc0 => When::Scc1,
            When::Scc1 => When::Scc0,
            When::Vccz => When::Vccnz,
            When::Vccnz => When::Vccz,
            When::Execz => When::Execnz,
            When::Execnz => When::Execz,
        }
    }

    const fn mnemonic(self) -> &'static str {
        match self {
            When::Scc0 => "s_cbranch_scc0",
            When::Scc1 => "s_cbranch_scc1",
            When::Vccz => "s_cbranch_vccz",
            When::Vccnz => "s_cbranch_vccnz",
            When::Execz => "s_cbranch_execz",
            When::Execnz => "s_cbranch_execnz",
        }
    }
}

impl KernelBuilder {
    /// A new label, not yet bound.
    pub fn label(&mut self, name: impl Into<String>) -> Label {
        self.labels.push(LabelInfo { name: name.into(), bound: false });
        Label(self.labels.len() as u32 - 1)
    }

    /// Puts the label here.
    #[track_caller]
    pub fn bind(&mut self, label: Label) {
        let info = &mut self.labels[label.0 as usize];
        if info.bound {
            self.errors.push(EmitError::LabelBoundTwice { name: info.name.clone(), at: Location::caller() });
            return;
        }
        info.bound = true;
        self.entries.push(Entry::Bind(label));
    }

    /// A new label, bound here.
    #[track_caller]
    pub fn here(&mut self, name: impl Into<String>) -> Label {
        let label = self.label(name);
        self.bind(label);
        label
    }

    /// Branches to `label`.
    #[track_caller]
    pub fn branch(&mut self, label: Label) {
        self.branch_as("s_branch", label);
    }

    /// Branches to `label` if `when` holds.
    #[track_caller]
    pub fn branch_if(&mut self, when: When, label: Label) {
        self.branch_as(when.mnemonic(), label);
    }

    #[track_caller]
    fn branch_as(&mut self, name: &str, label: Label) {
        let inst = names::lookup(name).map(|m| encode_shortest(m, &[Operand::Imm(0)], self.target));
        match inst {
            Some(Ok(inst)) => {
                self.push_node(inst, Some(label));
            }
            _ => self.fail(format!("{name} cannot be encoded")),
        }
    }

    /// Code that runs if `when` holds, for all lanes alike.
    ///
    /// # Errors
    /// What `then` returns.
    #[track_caller]
    pub fn if_<E>(&mut self, when: When, then: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let end = self.label("endif");
        self.branch_if(when.not(), end);
        self.scope(then)?;
        self.bind(end);
        Ok(())
    }

    /// Either of two pieces of code, for all lanes alike.
    ///
    /// # Errors
    /// What `then` or `otherwise` returns.
    #[track_caller]
    pub fn if_else<E>(
        &mut self,
        when: When,
        then: impl FnOnce(&mut Self) -> Result<(), E>,
        otherwise: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let (other, end) = (self.label("else"), self.label("endif"));
        self.branch_if(when.not(), other);
        self.scope(then)?;
        self.branch(end);
        self.bind(other);
        self.scope(otherwise)?;
        self.bind(end);
        Ok(())
    }

    /// Repeats `body` for ever; it leaves by branching to the label it is given.
    ///
    /// # Errors
    /// What `body` returns.
    #[track_caller]
    pub fn loop_<E>(&mut self, body: impl FnOnce(&mut Self, Label) -> Result<(), E>) -> Result<(), E> {
        let top = self.here("loop");
        let end = self.label("endloop");
        self.scope(|b| body(b, end))?;
        self.branch(top);
        self.bind(end);
        Ok(())
    }

    /// Repeats `body` until `counter`, decremented after each round, is zero. It must not be zero at the start.
    ///
    /// # Errors
    /// What `body` returns.
    #[track_caller]
    pub fn count_down<E>(&mut self, counter: S<1>, body: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let top = self.here("loop");
        self.scope(body)?;
        self.emit_by_name("s_sub_u32", &[counter.into(), counter.into(), Operand::Int(1)]);
        self.emit_by_name("s_cmp_lg_u32", &[counter.into(), Operand::Int(0)]);
        self.branch_if(When::Scc1, top);
        Ok(())
    }

    /// Runs `body` a number of times that is known now, `unroll` of them in a row for each round of a loop, or all in a row
    /// where that is as many; what does not fill a round follows the loop. `body` gets its number in the row.
    ///
    /// # Errors
    /// What `body` returns.
    #[track_caller]
    pub fn repeat<E>(
        &mut self,
        times: u32,
        unroll: u32,
        mut body: impl FnMut(&mut Self, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let unroll = unroll.clamp(1, times.max(1));
        let mut row = |b: &mut Self, n: u32| (0..n).try_for_each(|i| b.scope(|b| body(b, i)));
        match times / unroll {
            0 => {}
            1 => row(self, unroll)?,
            rounds => {
                let counter: S<1> = self.s();
                self.emit_by_name("s_mov_b32", &[counter.into(), Operand::from(rounds)]);
                self.count_down(counter, |b| row(b, unroll))?;
            }
        }
        row(self, times % unroll)
    }

    /// Repeats `body` while `when` holds after it: a loop that runs at least once. `body` ends by setting the
    /// condition.
    ///
    /// # Errors
    /// What `body` returns.
    #[track_caller]
    pub fn do_while<E>(&mut self, when: When, body: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let top = self.here("loop");
        self.scope(body)?;
        self.branch_if(when, top);
        Ok(())
    }

    /// Code that runs for the active lanes whose bit in `mask` is set, and not at all where there are none. EXEC is
    /// what it was afterwards.
    ///
    /// # Errors
    /// What `then` returns, or [`EmitError::OutOfRegisters`] for the saved mask.
    #[track_caller]
    pub fn if_lanes<E: From<EmitError>>(
        &mut self,
        mask: S<2>,
        then: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let saved = self.sgpr::<2>()?;
        let end = self.label("endif");
        self.emit_by_name("s_and_saveexec_b64", &[saved.into(), mask.into()]);
        self.branch_if(When::Execz, end);
        self.scope(then)?;
        self.bind(end);
        self.emit_by_name("s_mov_b64", &[EXEC.into(), saved.into()]);
        self.free(saved);
        Ok(())
    }

    /// Like [`KernelBuilder::if_lanes`], with code for the active lanes whose bit is clear.
    ///
    /// # Errors
    /// What `then` or `otherwise` returns, or [`EmitError::OutOfRegisters`] for the saved mask.
    #[track_caller]
    pub fn if_lanes_else<E: From<EmitError>>(
        &mut self,
        mask: S<2>,
        then: impl FnOnce(&mut Self) -> Result<(), E>,
        otherwise: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let saved = self.sgpr::<2>()?;
        let (other, end) = (self.label("else"), self.label("endif"));
        self.emit_by_name("s_and_saveexec_b64", &[saved.into(), mask.into()]);
        // From here on `saved` holds the lanes of the other side: those active before that are not now.
        let whole = self.sgpr::<2>()?;
        self.emit_by_name("s_mov_b64", &[whole.into(), saved.into()]);
        self.emit_by_name("s_xor_b64", &[saved.into(), saved.into(), EXEC.into()]);
        self.branch_if(When::Execz, other);
        self.scope(then)?;
        self.bind(other);
        self.emit_by_name("s_mov_b64", &[EXEC.into(), saved.into()]);
        self.branch_if(When::Execz, end);
        self.scope(otherwise)?;
        self.bind(end);
        self.emit_by_name("s_mov_b64", &[EXEC.into(), whole.into()]);
        self.free(whole);
        self.free(saved);
        Ok(())
    }

    /// Repeats `body` for the active lanes until none is left: each round it says which of the lanes go on. EXEC is what
    /// it was afterwards.
    ///
    /// # Errors
    /// What `body` returns, or [`EmitError::OutOfRegisters`] for the saved mask.
    #[track_caller]
    pub fn while_lanes<E: From<EmitError>>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<S<2>, E>,
    ) -> Result<(), E> {
        let saved = self.sgpr::<2>()?;
        self.emit_by_name("s_mov_b64", &[saved.into(), EXEC.into()]);
        let top = self.here("loop");
        self.scope(|b| -> Result<(), E> {
            let again = body(b)?;
            b.emit_by_name("s_and_b64", &[EXEC.into(), EXEC.into(), again.into()]);
            Ok(())
        })?;
        self.branch_if(When::Execnz, top);
        self.emit_by_name("s_mov_b64", &[EXEC.into(), saved.into()]);
        self.free(saved);
        Ok(())
    }
}
