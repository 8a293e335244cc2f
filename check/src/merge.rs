//! One finding for one missing wait, whatever was to be covered by it.
//!
//! A wait that is not there is met by everything that it would have covered: sixteen loads used one after the other are
//! sixteen touches of registers that are still owed, and one `s_waitcnt` in front of the first would mend them all. So
//! touches are one finding where nothing but that first place decides: in one block, with no wait in between, and with every
//! operation issued before the first touch.

use crate::finding::{Also, Finding};
use crate::program::{Program, Waiting};
use std::collections::HashMap;
use wavesmith_asm::counters::{LGKMCNT_MAX, Order, VMCNT_MAX, WaitCnt};

/// A touch of what an operation owes.
pub(crate) struct Touched {
    /// The node that touches, and the one that owes.
    pub node: usize,
    pub producer: usize,
    /// The least wait in front of the node that covers it.
    pub wait: WaitCnt,
    /// Touches of different weight, or with different reasons for it, are kept apart.
    pub reasons: [bool; 5],
    pub finding: Finding,
}

/// What a wait in front of `first` must be to cover what one for `wait` in front of `node` would, nothing in between but
/// younger operations.
fn moved_up(program: &Program, first: usize, node: usize, wait: WaitCnt) -> WaitCnt {
    let issued = |order: Order| {
        let of = |n: &&crate::program::Node| !n.absent && n.raises.order() == order;
        program.nodes[first..node].iter().filter(of).count().min(usize::from(u8::MAX)) as u8
    };
    let less = |n: u8, max: u8, order: Order| if n < max { n.saturating_sub(issued(order)) } else { n };
    WaitCnt {
        vm: less(wait.vm, VMCNT_MAX, Order::Vector),
        lgkm: less(wait.lgkm, LGKMCNT_MAX, Order::Lds),
        exp: wait.exp,
    }
}

/// The touches as findings, one for each missing wait, in order of the first place.
pub(crate) fn by_missing_wait(program: &Program, mut touched: Vec<Touched>) -> Vec<Finding> {
    touched.sort_by_key(|t| (t.node, t.producer));
    /// A finding that may take in more, and the wait that it asks for so far.
    struct Open {
        at: usize,
        first: usize,
        wait: WaitCnt,
    }
    let mut out: Vec<Finding> = Vec::with_capacity(touched.len());
    let mut open: HashMap<_, Open> = HashMap::new();
    for t in touched {
        let block = program.block_of[t.node];
        let key = (block, t.finding.kind, t.finding.severity, t.reasons);
        if let Some(o) = open.get_mut(&key) {
            let issued_since = (o.first..t.node).contains(&t.producer);
            let waits = |n: &crate::program::Node| !n.absent && matches!(n.waits, Waiting::Count(_) | Waiting::Barrier);
            if !issued_since && !program.nodes[o.first..t.node].iter().any(waits) {
                o.wait = o.wait.and(moved_up(program, o.first, t.node, t.wait));
                let finding = &mut out[o.at];
                finding.need = Some(o.wait.to_string());
                if let (Some(at), Some(other)) = (t.finding.at, t.finding.other) {
                    finding.also.push(Also { at, other, path: t.finding.path });
                }
                continue;
            }
        }
        open.insert(key, Open { at: out.len(), first: t.node, wait: t.wait });
        out.push(t.finding);
    }
    for f in out.iter_mut().filter(|f| !f.also.is_empty()) {
        let more = f.also.len();
        f.message += &format!("; the same wait is missing for {more} more access{}", if more == 1 { "" } else { "es" });
    }
    out
}
