//! Control that leaves the code, bits that are no instruction, and padding behind the code.

use crate::finding::{Finding, Kind, Severity};
use crate::graph::Graph;
use crate::program::Why;
use crate::whole::{Sink, reached};
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
    for b in &program.broken {
        let from_entry = b.from == b.pc;
        if !from_entry && !mine(b.from) || from_entry && b.pc != k.entry_vaddr && b.pc != k.entry_vaddr + 256 {
            continue;
        }
        let leads = match program.node_at(b.from) {
            Some(n) if !from_entry => format!("`{}`", print::text(&program.nodes[n as usize].inst)),
            _ => "the kernel's entry".to_owned(),
        };
        let (kind, message) = match b.why {
            Why::Outside => (Kind::ControlFlow, format!("{leads} leads to {:#x}, outside of the code", b.pc)),
            Why::Unaligned => (Kind::ControlFlow, format!("{leads} leads to {:#x}, which is no multiple of 4", b.pc)),
            Why::Undecodable(e) => (Kind::Encoding, format!("{leads} leads to {:#x}: {e}", b.pc)),
        };
        let at = sink.place_of(b.pc, String::new());
        let other = program.node_at(b.from).filter(|_| !from_entry).map(|n| sink.place(n as usize));
        sink.push(Finding {
            severity: Severity::Error,
            kind,
            rule: None,
            kernel: String::new(),
            at: Some(at),
            other,
            path: Vec::new(),
            need: None,
            message,
        });
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
    for v in &graph.vertices {
        let last = program.range(v.block).end - 1;
        let n = &program.nodes[last];
        let falls = v.succs.iter().any(|e| {
            let to = program.nodes[program.range(graph.vertices[e.to as usize].block).start].pc;
            to == n.next_pc() && to == end
        });
        if n.pc >= k.entry_vaddr && falls && sink.first(Kind::ControlFlow, last, last, 1) {
            let message = format!("control runs off the end of {} at {end:#x}", k.name);
            sink.at(Severity::Error, Kind::ControlFlow, last, message);
        }
    }
}
