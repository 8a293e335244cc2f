//! Control that leaves the code, bits that are no instruction, and padding behind the code.

use crate::finding::{Finding, Kind, Severity};
use crate::graph::Graph;
use crate::program::{Exit, Why};
use crate::sink::Sink;
use crate::whole::reached;
use std::collections::BTreeSet;
use wavesmith_asm::{Target, print};
use wavesmith_loader::code_object::Kernel;

/// Bytes that the instruction prefetcher may read past the end of the code: LLVM pads by 16 lines of 64 bytes on
/// gfx90a and later.
const PREFETCH: u64 = 1024;

pub(crate) fn check(sink: &mut Sink, k: &Kernel, graph: &Graph) {
    let program = sink.program;
    let mut last = 0;
    for i in reached(program, graph) {
        let n = &program.nodes[i];
        last = last.max(n.next_pc());
        if let Some(next) = program.nodes.get(i + 1).filter(|next| next.pc < n.next_pc()) {
            let message = format!("overlaps the instruction at {:#x}: control enters the middle of one", next.pc);
            if sink.first(Kind::ControlFlow, i, i + 1, 0) {
                sink.at(Severity::Error, Kind::ControlFlow, i, message);
            }
        }
    }
    let mine = |pc: u64| {
        let block = program.node_at(pc).map(|n| program.block_of[n as usize]);
        block.is_some_and(|b| graph.vertices.iter().any(|v| v.block == b))
    };
    let mut told = BTreeSet::new();
    for b in &program.broken {
        let from_entry = b.from == b.pc;
        if !from_entry && !mine(b.from) || from_entry && b.pc != k.entry_vaddr && b.pc != k.entry_vaddr + 256 {
            continue;
        }
        // Several ways may lead to the same place.
        if !told.insert(b.pc) {
            continue;
        }
        let from = program.node_at(b.from).filter(|_| !from_entry).map(|n| &program.nodes[n as usize]);
        let (leads, place) = match from {
            Some(n) => (format!("`{}`", print::text(&n.inst)), Some(sink.place_of(n.pc, print::text(&n.inst)))),
            None => ("the kernel's entry".to_owned(), None),
        };
        let ends = from.is_some_and(|n| n.next_pc() == b.pc && !matches!(n.exit, Exit::Jump(_)));
        let (kind, message) = match b.why {
            Why::Outside if ends => {
                (Kind::ControlFlow, format!("control runs off the end of the code at {:#x} behind {leads}", b.pc))
            }
            Why::Outside => (Kind::ControlFlow, format!("{leads} leads to {:#x}, outside of the code", b.pc)),
            Why::Unaligned => (Kind::ControlFlow, format!("{leads} leads to {:#x}, which is no multiple of 4", b.pc)),
            Why::Undecodable(e) => (Kind::Encoding, format!("{leads} leads to {:#x}: {e}", b.pc)),
        };
        // What lies outside has no line; the instruction that leads there has.
        let (at, other) = match (place, b.why) {
            (Some(place), Why::Outside | Why::Unaligned) => (place, None),
            (place, _) => (sink.place_of(b.pc, String::new()), place),
        };
        let need = ends.then(|| "s_endpgm or a branch behind it".to_owned());
        sink.push(Finding { at: Some(at), other, need, ..Sink::nowhere(Severity::Error, kind, message) });
    }
    beyond_symbol(sink, k, graph);
    if program.target != Target::Gfx908 && last > 0 {
        // What counts is that the bytes are mapped: memory of any segment will do.
        let mapped = |pc: u64| sink.object.segments.iter().any(|s| s.addresses().contains(&pc));
        let page_end = last.next_multiple_of(4096);
        let end = last + PREFETCH;
        if end > page_end && !mapped(page_end) && !mapped(end - 1) {
            let message = format!(
                "code ends at {last:#x}, {} bytes before the end of the last mapped page: the instruction prefetcher may \
                 read {PREFETCH} bytes further",
                page_end - last
            );
            sink.declared(Severity::Advice, Kind::Padding, message);
        }
    }
}

/// Control that falls through the end of a function into what follows.
fn beyond_symbol(sink: &mut Sink, k: &Kernel, graph: &Graph) {
    let program = sink.program;
    if k.code_size == 0 {
        return;
    }
    let end = k.entry_vaddr + k.code_size;
    let Some(next) = program.node_at(end) else { return };
    for i in reached(program, graph) {
        let n = &program.nodes[i];
        let falls = matches!(n.exit, Exit::Next | Exit::Either(_)) && n.next_pc() == end && n.pc >= k.entry_vaddr;
        // What another kernel of the object reaches there is not this one's fault.
        if falls && i + 1 == next as usize && sink.first(Kind::ControlFlow, i, i, 1) {
            let message = format!("control runs off the end of {} at {end:#x} into what follows", k.name);
            sink.push(Finding {
                need: Some("s_endpgm or a branch behind it".to_owned()),
                ..sink.finding(Severity::Error, Kind::ControlFlow, i, message)
            });
        }
    }
}
