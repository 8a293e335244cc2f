//! From plan to instructions.
//!
//! The kernel is one loop over steps. A step is a prefill of up to 16 tokens or a decode of one; both run the same
//! stages, emitted once each, and share the tail that computes logits, draws and exchanges the token.

mod attention;
mod norm;
mod poll;
mod product;
mod regs;
mod rows;
mod step;
mod tail;

use super::params::{Error, Sync};
use super::plan::Plan;
use regs::Regs;
use wavesmith_asm::build::Build;
use wavesmith_asm::reg::{S, V};
use wavesmith_emitter::{Abi, FloatMode, Kernel, KernelBuilder, Label, When};

/// Which of the two bodies is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Up to 16 tokens, products with MFMA.
    Prefill,
    /// One token, products with dot products.
    Decode,
}

/// Where a wave can wait, as the status record tells the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Site {
    /// Attention waits for queries, keys and values.
    Qkv = 1,
    /// The output product waits for attention.
    Attention = 2,
    /// The residual waits for the attention output.
    Out = 3,
    /// The down product waits for the hidden activations.
    Hidden = 4,
    /// The residual waits for the feed-forward output.
    Down = 5,
    /// Workgroup 0 waits for candidates.
    Candidates = 6,
    /// Everyone waits for the token.
    Token = 7,
}

impl core::fmt::Display for Site {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Site::Qkv => "queries, keys and values",
            Site::Attention => "the attention result",
            Site::Out => "the attention output product",
            Site::Hidden => "the hidden activations",
            Site::Down => "the feed-forward output",
            Site::Candidates => "the workgroups' candidates",
            Site::Token => "the token",
        })
    }
}

impl Site {
    /// The site of a status record's code.
    pub const fn of(code: u32) -> Option<Site> {
        Some(match code {
            1 => Site::Qkv,
            2 => Site::Attention,
            3 => Site::Out,
            4 => Site::Hidden,
            5 => Site::Down,
            6 => Site::Candidates,
            7 => Site::Token,
            _ => return None,
        })
    }
}

/// The generator's state.
struct Gen<'a> {
    k: KernelBuilder,
    p: &'a Plan,
    r: Regs,
    /// Leaves the kernel: everything is done, or a wave gave up.
    exit: Label,
    /// A wave's watchdog expired.
    expired: Label,
}

/// Emits the kernel of a plan.
pub(super) fn emit(plan: &Plan, name: &str) -> Result<Kernel, Error> {
    let r = Regs::new(plan)?;
    // An activation beyond f16 becomes the largest f16: one wrong value instead of NaNs from there on.
    let mode = FloatMode { fp16_overflow: true, ..FloatMode::default() };
    let mut k = KernelBuilder::with_abi(name, plan.sku.target, Abi::default().float_mode(mode));
    let (exit, expired) = (k.label("exit"), k.label("expired"));
    let mut g = Gen { k, p: plan, r, exit, expired };
    g.kernel();
    g.finish()
}

impl Gen<'_> {
    /// Whether values themselves tell that they have arrived.
    fn sentinel(&self) -> bool {
        self.p.params.sync == Sync::Sentinel
    }

    /// `d = a + b`, 64 bits plus an unsigned 32-bit constant.
    fn add64(&mut self, d: S<2>, a: S<2>, b: u32) {
        if b == 0 {
            if d != a {
                self.k.s_mov_b64(d, a);
            }
            return;
        }
        self.k.s_add_u32(d.at(0), a.at(0), b as i32);
        self.k.s_addc_u32(d.at(1), a.at(1), 0);
    }

    /// `d = a + b` with `b` an unsigned 32-bit register.
    fn add64r(&mut self, d: S<2>, a: S<2>, b: S<1>) {
        self.k.s_add_u32(d.at(0), a.at(0), b);
        self.k.s_addc_u32(d.at(1), a.at(1), 0);
    }

    /// `d = a + b` with a signed constant of any size.
    fn add64i(&mut self, d: S<2>, a: S<2>, b: i64) {
        self.k.s_add_u32(d.at(0), a.at(0), b as i32);
        self.k.s_addc_u32(d.at(1), a.at(1), (b >> 32) as i32);
    }

    /// `d += x · c`, a 64-bit sum of a 32 by 32 bit product. Clobbers `t` and `t + 1`.
    fn mad64(&mut self, d: S<2>, x: S<1>, c: u32, t: S<2>) {
        self.k.s_mul_i32(t.at(0), x, c as i32);
        self.k.s_mul_hi_u32(t.at(1), x, c as i32);
        self.k.s_add_u32(d.at(0), d.at(0), t.at(0));
        self.k.s_addc_u32(d.at(1), d.at(1), t.at(1));
    }

    /// Loads a pointer argument; the caller waits.
    fn arg2(&mut self, d: S<2>, at: i32) {
        let args = self.r.args;
        self.k.s_load_dwordx2(d, args, at);
    }

    /// Loads a dword argument.
    fn arg(&mut self, d: S<1>, at: i32) {
        let args = self.r.args;
        self.k.s_load_dword(d, args, at);
    }

    /// All lanes on.
    fn all_lanes(&mut self) {
        self.k.s_mov_b64(wavesmith_asm::reg::EXEC, -1);
    }

    /// Only the first `n` lanes on.
    fn first_lanes(&mut self, n: usize) {
        if n >= 64 {
            self.all_lanes();
        } else {
            self.k.s_bfm_b64(wavesmith_asm::reg::EXEC, n as i32, 0);
        }
    }

    /// Waits until this wave's vector memory operations are done.
    fn drain(&mut self) {
        self.k.wait_vm(0);
    }

    /// A barrier of the workgroup, after which every wave leaves if one gave up.
    ///
    /// The flag is read behind every barrier because a wave that gave up no longer produces what the others are about
    /// to read: they would publish garbage as data.
    fn barrier(&mut self) {
        self.barrier_unchecked();
        self.leave_if_aborted();
    }

    /// A barrier behind which the flag is on its way, so that what the wave reads next need not wait for it.
    /// [`leave_if_aborted`](Self::leave_if_aborted) must come before anything is published; vector temporary 6 is taken
    /// until then. The emitter waits for LDS accesses in front of a barrier where there are any.
    fn barrier_unchecked(&mut self) {
        let (flag, zero) = (self.r.v(6), self.r.zero);
        self.k.s_barrier();
        self.k.ds_read_b32(flag, zero).offset(self.p.lds.abort as i32);
    }

    /// Leaves if a wave of the workgroup has given up, by the flag that the last barrier requested.
    fn leave_if_aborted(&mut self) {
        let (flag, s, exit) = (self.r.v(6), self.r.s(0), self.exit);
        // The flag is the same in all lanes, and lane 0 has it even where a wave has no lane on for its rows.
        self.k.v_readlane_b32(s, flag, 0);
        self.k.s_cmp_lg_u32(s, 0);
        self.k.branch_if(When::Scc1, exit);
    }

    /// Makes a value publishable: the one pattern that means "not here yet" becomes another NaN.
    fn canonical(&mut self, v: V<1>) {
        if self.sentinel() {
            self.k.v_min_u32(v, -2, v);
        }
    }
}
