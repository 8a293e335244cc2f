//! All questions put to all kernels of an object, and the findings made of the answers.

use crate::dataflow::{self, Analysis, Prefer, Way, solve};
use crate::defined::{self, Defined};
use crate::exec::{self, Doubt, Execs};
use crate::finding::{Finding, Kind, Note, Report, Severity};
use crate::graph::{Graph, Start};
use crate::ids::{Ids, Misuse};
use crate::kernargs::{Beyond, Kernargs};
use crate::merge::{self, Touched};
use crate::program::Program;
use crate::registers::Registers;
use crate::shipping::states_finding;
use crate::sink::Sink;
use crate::states::States;
use crate::vccz::{Stale, Vccz};
use crate::waits::{Operations, Waits, What};
use crate::{Options, budget, decisions, declared, relative, source, structure};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use wavesmith_asm::counters::Raises;
use wavesmith_asm::effects::Span;
use wavesmith_asm::sem::Sem;
use wavesmith_asm::{Field, Inst, Target};
use wavesmith_loader::code_object::{CodeObject, Kernel};

/// Steps that all searches for ways of an object take together, and for each of its instructions: seconds, and far more
/// than any kernel that ships.
const MOST_EFFORT: usize = 1 << 23;
const EFFORT_EACH: usize = 1 << 6;

/// Bytes from a kernel's entry to where hardware that preloads arguments starts it.
const PRELOAD_SKIP: u64 = 256;

/// Checks a code object that has been read from `bytes`.
pub fn check_object(object: &CodeObject, bytes: &[u8], options: &Options) -> Report {
    let mut roots: Vec<u64> = object.kernels.iter().flat_map(|k| entries(k).map(|e| e.0)).collect();
    let mut program = Program::new(object, bytes, &roots, &options.edits);
    let starts: Vec<Vec<(u64, Start)>> = object.kernels.iter().map(|k| entries(k).collect()).collect();
    // Graphs name blocks by number, and blocks are numbered anew when more is decoded, so what one kernel finds missing
    // sends all of them back. Each round decodes at least one address more, and there are only so many.
    let graphs = loop {
        let mut graphs = Vec::with_capacity(starts.len());
        let decoded = roots.len();
        for (k, entries) in object.kernels.iter().zip(&starts) {
            match Graph::build(&program, object, &k.name, entries) {
                Ok(graph) => graphs.push(graph),
                Err(missing) => roots.extend(missing),
            }
        }
        if roots.len() == decoded {
            break graphs;
        }
        program = Program::new(object, bytes, &roots, &options.edits);
    };
    relative::resolve(&mut program, &graphs);
    let table = if options.lines.is_empty() { source::lines(bytes) } else { BTreeMap::new() };
    let operations = Operations::of(&program);
    let effort = MOST_EFFORT + EFFORT_EACH * program.nodes.len();
    let lines = if options.lines.is_empty() { &table } else { &options.lines };
    let mut sink = Sink::new(object, &program, &operations, lines, effort, options.dynamic_lds);
    for (k, graph) in object.kernels.iter().zip(&graphs) {
        sink.kernel = &k.name;
        sink.report.notes.extend(graph.notes.iter().cloned());
        check_kernel(&mut sink, k, graph);
        sink.report.work += graph.worked();
        for (why, pc) in graph.given_up() {
            let message = format!("gave up at {pc:#x}: {why}");
            sink.report.notes.push(Note { kernel: k.name.clone(), pc, message });
        }
    }
    sink.report.work += effort - sink.effort;
    sink.kernel = "";
    declared::object(object, &mut sink);
    let mut report = sink.report;
    if options.strict {
        report.findings.iter_mut().for_each(|f| f.severity = Severity::Error);
    }
    report.findings.sort_by_cached_key(|f| (std::cmp::Reverse(f.severity), f.at.as_ref().map(|p| p.pc), f.kind));
    report
}

/// Loads of a kernel that begin beyond its arguments where a launch gives it `size` bytes of them: the address of each,
/// and the bytes of the segment that it reads.
pub fn arguments_beyond(object: &CodeObject, bytes: &[u8], kernel: &Kernel, size: u32) -> Vec<(u64, Range<u64>)> {
    let starts: Vec<(u64, Start)> = entries(kernel).collect();
    let mut roots: Vec<u64> = starts.iter().map(|s| s.0).collect();
    loop {
        let program = Program::new(object, bytes, &roots, &BTreeMap::new());
        let graph = match Graph::build(&program, object, &kernel.name, &starts) {
            Ok(graph) => graph,
            Err(missing) if missing.is_empty() => return Vec::new(),
            Err(missing) => {
                roots.extend(missing);
                continue;
            }
        };
        let Some(kernargs) = Kernargs::new(&program, &kernel.descriptor, size) else { return Vec::new() };
        let found = answers(&program, &graph, &kernargs).into_iter();
        let beyond = found.filter(|(_, _, b)| b.from >= size.into());
        let mut all: Vec<_> = beyond.map(|(_, i, b)| (program.nodes[i].pc, b.from..b.to)).collect();
        all.sort_by_key(|(pc, _)| *pc);
        all.dedup_by_key(|(pc, _)| *pc);
        return all;
    }
}

/// Where a kernel may start. Firmware that does not preload arguments starts 256 bytes earlier than firmware that does.
fn entries(k: &Kernel) -> impl Iterator<Item = (u64, Start)> {
    let preloaded = (k.descriptor.preload_length > 0).then_some((k.entry_vaddr + PRELOAD_SKIP, Start::Preloaded));
    [(k.entry_vaddr, Start::Entry)].into_iter().chain(preloaded)
}

fn check_kernel(sink: &mut Sink, k: &Kernel, graph: &Graph) {
    let program = sink.program;
    let examples = examples(program, graph, sink.object.kernels.len() == 1);
    structure::check(sink, k, graph);
    budget::check(sink, k, graph, &examples);
    declared::kernel(sink, k);

    let waits = Waits::new(program, sink.operations, &examples);
    let states = States { program };
    let (initial, preloaded) = defined::initial(&k.descriptor, program.target);
    let defined = Defined::new(program, &examples, initial, preloaded);
    // Three questions of the same graph that do not wait for each other.
    let (faults, close, bare) = std::thread::scope(|scope| {
        let large = graph.vertices.iter().map(|v| program.range(v.block).len()).sum::<usize>() > LARGE;
        let faults = large.then(|| scope.spawn(|| answers(program, graph, &waits)));
        let close = large.then(|| scope.spawn(|| answers(program, graph, &states)));
        let bare = answers(program, graph, &defined);
        (joined(faults, || answers(program, graph, &waits)), joined(close, || answers(program, graph, &states)), bare)
    });
    let touched = faults.into_iter().filter_map(|(v, i, f)| wait_finding(sink, graph, &waits, v, i, f)).collect();
    for finding in merge::by_missing_wait(program, touched) {
        sink.push(finding);
    }
    for (v, i, f) in close {
        states_finding(sink, graph, &states, v, i, f);
    }
    exec_findings(sink, graph, &examples, initial);
    vccz_findings(sink, graph, &examples);
    if let Some(kernargs) = Kernargs::new(program, &k.descriptor, k.kernarg_size()) {
        let size = k.kernarg_size();
        for (_, i, Beyond { from, to }) in answers(program, graph, &kernargs) {
            // Loads are rounded up to a power of two; one that begins beyond the end is none of those.
            let severity = if from >= size.into() { Severity::Error } else { Severity::Advice };
            if sink.first(Kind::Metadata, i, i, 0) {
                let message = format!("reads bytes {from} to {to} of the kernel's arguments, which have {size}");
                sink.at(severity, Kind::Metadata, i, message);
            }
        }
    }
    let mut unwritten: BTreeMap<(usize, bool), Vec<u16>> = BTreeMap::new();
    for (_, i, f) in bare {
        let list = unwritten.entry((i, f.never)).or_default();
        if !list.contains(&f.register) {
            list.push(f.register);
        }
    }
    if program.target.unified_vgprs() {
        let ids = Ids { program, filled: k.descriptor.rsrc2.workitem_ids };
        for (_, i, misuse) in answers(program, graph, &ids) {
            let (severity, message) = match misuse {
                Misuse::Missing(d) => {
                    let name = if d == 1 { "Y" } else { "Z" };
                    (
                        Severity::Error,
                        format!("takes work-item id {name} from v0, but the descriptor does not ask for it: it is 0"),
                    )
                }
                Misuse::Whole => (Severity::Advice, "uses all of v0, which holds more than work-item id X".to_owned()),
            };
            if sink.first(Kind::Descriptor, i, i, 0) {
                sink.at(severity, Kind::Descriptor, i, message);
            }
        }
    }
    for ((i, never), mut registers) in unwritten {
        registers.sort_unstable();
        let indexed: String = registers.iter().map(|r| sink.indexed(i, Span { first: *r, count: 1 })).collect();
        // Where firmware does not preload, the code in front of the second entry must load.
        let fallback = |r: &u16| defined.filled_by_preloading(*r);
        if never && registers.iter().any(fallback) {
            let message = format!(
                "reads {}, which only preloading fills: the instructions at the kernel's entry must load what firmware \
                 without it does not",
                names(&registers)
            );
            sink.at(Severity::Error, Kind::Uninitialised, i, message);
            continue;
        }
        let names = names(&registers);
        let how = if never { "on any path" } else { "on some path" };
        let message = format!("reads {names}, which nothing writes {how} from the kernel's entry{indexed}");
        sink.at(Severity::Advice, Kind::Uninitialised, i, message);
    }
}

/// What depends on lanes that may be off.
fn exec_findings(sink: &mut Sink, graph: &Graph, examples: &[u32], initial: Registers) {
    let program = sink.program;
    let Some(execs) = Execs::new(program, examples, initial) else { return };
    // One finding for what turned the lanes off, however much follows.
    let mut idle = HashSet::new();
    for (_, i, doubt) in answers(program, graph, &execs) {
        let mut severity = Severity::Advice;
        let (by, message) = match doubt {
            Doubt::Matrix { narrowed } => (
                narrowed,
                "lanes may be off, which a matrix instruction does not heed: it reads and writes those too".to_owned(),
            ),
            Doubt::FirstOfNone { narrowed } => {
                (narrowed, "all lanes may be off, and then this reads lane 0, whatever it holds".to_owned())
            }
            Doubt::Scalar { narrowed } => {
                (narrowed, "all lanes may be off, which a scalar memory operation does not heed".to_owned())
            }
            Doubt::Idle { narrowed } => {
                if !idle.insert(narrowed) {
                    continue;
                }
                severity = Severity::Error;
                (narrowed, "accesses memory with no lane on, so it does nothing".to_owned())
            }
            Doubt::Lanes { register, narrowed } => {
                let name = Span { first: register, count: 1 }.to_string();
                (narrowed, format!("reads lanes of {name} that nothing has written: they were off at every write"))
            }
        };
        let other = by as usize;
        if sink.first(Kind::Exec, i, other, 0) {
            sink.pair(severity, Kind::Exec, i, other, message);
        }
    }
    for (barrier, branch) in exec::jumped_barriers(program, reached(program, graph)) {
        if sink.first(Kind::Exec, barrier, branch, 1) {
            let message = "waves without lanes jump over this barrier, while the others wait for them at it";
            sink.pair(Severity::Advice, Kind::Exec, barrier, branch, message.to_owned());
        }
    }
}

/// Branches on a VCCZ that does not know of the last write.
fn vccz_findings(sink: &mut Sink, graph: &Graph, examples: &[u32]) {
    let program = sink.program;
    let Some(vccz) = Vccz::new(program, examples) else { return };
    for (_, i, Stale { by }) in answers(program, graph, &vccz) {
        if sink.first(Kind::StaleVccz, i, by as usize, 0) {
            let message = "reads VCCZ, which a write of half of VCC leaves as it was".to_owned();
            let finding = sink.finding(Severity::Error, Kind::StaleVccz, i, message);
            let other = Some(sink.place(by as usize));
            let need = Some("s_mov_b64 vcc, vcc before it".to_owned());
            sink.push(Finding { other, need, ..finding });
        }
    }
}

/// Kernels of more instructions than this are worth threads of their own.
const LARGE: usize = 1 << 14;

/// Every fault that an analysis finds, with its vertex and node.
fn answers<A: Analysis>(program: &Program, graph: &Graph, analysis: &A) -> Vec<(u32, usize, A::Fault)> {
    let mut out = Vec::new();
    solve(program, graph, analysis, |v, i, f| out.push((v, i, f)));
    out
}

/// What a thread gives, or what is worked out here if there is none.
fn joined<T>(thread: Option<std::thread::ScopedJoinHandle<'_, T>>, here: impl FnOnce() -> T) -> T {
    match thread {
        Some(t) => t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        None => here(),
    }
}

/// Registers by flat number as text, runs joined.
fn names(registers: &[u16]) -> String {
    let mut out = Vec::new();
    let mut i = 0;
    while i < registers.len() {
        let mut j = i;
        while j + 1 < registers.len() && registers[j + 1] == registers[j] + 1 {
            j += 1;
        }
        let count = registers[j] - registers[i] + 1;
        out.push(Span { first: registers[i], count }.to_string());
        i = j + 1;
    }
    out.join(", ")
}

fn wait_finding(
    sink: &mut Sink,
    graph: &Graph,
    waits: &Waits,
    v: u32,
    i: usize,
    f: crate::waits::Fault,
) -> Option<Touched> {
    let program = sink.program;
    let producer = f.producer as usize;
    let kind = match f.what {
        What::Read | What::Unfilled => Kind::ReadBeforeWait,
        What::Write => Kind::WriteBeforeWait,
        What::StoreData => Kind::StoreDataBeforeWait,
        What::Barrier | What::BarrierRead => Kind::BarrierBeforeWait,
        What::Published | What::PublishedAlone | What::Invalidated => Kind::FenceBeforeWait,
    };
    if !sink.first(kind, i, producer, 0) {
        return None;
    }
    let need = f.wait.to_string();
    let by = sink.text(producer);
    let registers = f.span.to_string();
    let may = if f.choice { "may " } else { "" };
    let verb = |says: &'static str| if f.choice { &says[..says.len() - 1] } else { says };
    let message = match f.what {
        What::Read => format!("{may}{} {registers} before `{by}` has delivered it", verb("reads")),
        What::Write => format!("{may}{} {registers}, which `{by}` is still to write", verb("writes")),
        What::StoreData => format!("{may}{} {registers}, which `{by}` may still have to read", verb("writes")),
        What::Barrier => format!("lets other waves go on before the LDS write of `{by}` has happened"),
        What::BarrierRead => format!("lets other waves write LDS before `{by}` has read it"),
        What::Published => format!("others may see it before `{by}` has written back what came before"),
        What::PublishedAlone => format!(
            "others may see it before `{by}` has written back what came before; nothing else was on its way, where LLVM \
             leaves this wait out"
        ),
        What::Unfilled => format!(
            "reads LDS before anything is there: `{by}` is the first to put something there, and nothing has waited for it"
        ),
        What::Invalidated => format!(
            "drops cached lines before `{by}` has returned: if that load is what says that others have written, what \
             is read from here on may be older"
        ),
    };
    let raises = program.nodes[producer].raises;
    let late = matches!(f.what, What::Read | What::Write) && f.slots >= raises.patience();
    let mut search =
        |prefer: Prefer| existing_way(sink, graph, prefer, producer, (v, i), &(0, 0), waits.alive(f.producer));
    let (way, unsure) = search(Prefer::Short)?;
    let joined = way == Way::None || unsure;
    let mut path = blocks_of(graph, program.nodes[i].pc, way);
    let mut decided = decisions::count(program, &path);
    if decided >= decisions::CORRELATED
        && !late
        && let Some((Way::By(other), false)) = search(Prefer::Undecided)
    {
        let fewer = decisions::count(program, &other);
        if fewer < decided {
            (path, decided) = (other, fewer);
        }
    }
    // The same load again brings the same value, whichever comes last.
    let same = f.what == What::Write && program.nodes[producer].inst.words() == program.nodes[i].inst.words();
    // Memory behind the caches' request queues answers later than LDS, which has its result on the way already.
    let slower = f.what == What::Write && raises == Raises::Lds && program.nodes[i].raises == Raises::Vm;
    let data_excludes = late || joined || f.full || decided >= decisions::CORRELATED;
    let severity = match f.what {
        What::Write if same || slower => Severity::Advice,
        // A barrier may guard something else.
        What::Barrier | What::BarrierRead => Severity::Advice,
        // Shipping code overwrites the data of scalar stores and atomics at once; GDS and exports are in the guides' tables.
        What::StoreData if raises == Raises::Scalar => Severity::Advice,
        _ if f.choice => Severity::Advice,
        What::PublishedAlone => Severity::Advice,
        What::Published if !is_told_by_scope(&program.nodes[i].inst) => Severity::Advice,
        _ if data_excludes => Severity::Advice,
        _ => Severity::Error,
    };
    let mut message = message;
    if late {
        message += &format!("; no wait covers it, only the {} issue slots in between", f.slots);
    }
    if slower {
        message += "; what overwrites it comes from memory, which takes longer than LDS";
    }
    message += &sink.indexed(i, f.span);
    if decided >= decisions::CORRELATED {
        message += &format!("; the way there takes {decided} decisions, which the data may never combine so");
    }
    if joined {
        message += "; no single way brings it here, only several together";
    }
    if f.full {
        message += "; vmcnt has been full since, and what comes from memory comes in order";
    }
    if raises == Raises::Flat {
        message += " (FLAT is in order with nothing, so both counters must reach 0)";
    }
    let (other, need) = (Some(sink.place(producer)), Some(need));
    let finding = Finding { other, path, need, ..sink.finding(severity, kind, i, message) };
    let reasons = [late, joined, decided >= decisions::CORRELATED, f.choice, f.full];
    Some(Touched { node: i, producer, wait: f.wait, reasons, finding })
}

/// Whether a store or atomic is one by which others are told, as the memory model has it for a write-back in front: any
/// atomic, and from gfx942 on a store beyond the first cache. Before that all stores look alike.
fn is_told_by_scope(inst: &Inst) -> bool {
    let scoped = inst.get(Field::Sc0) | inst.get(Field::Sc1) != 0;
    let bits = matches!(inst.target(), Target::Gfx942 | Target::Gfx950);
    matches!(inst.row().sem, Sem::Atomic { .. }) || bits && scoped
}

/// Finds a way as [`dataflow::way`] does, but one that exists as far as the comparisons on it tell; `None` if none does. With
/// it comes whether that is unsure: comparisons exclude the way that was found, and there are too many to go through all.
pub(crate) fn existing_way<T: Clone + PartialOrd>(
    sink: &mut Sink,
    graph: &Graph,
    prefer: Prefer,
    from: usize,
    to: (u32, usize),
    start: &T,
    alive: impl Fn(T, Range<usize>) -> Option<T>,
) -> Option<(Way, bool)> {
    let Sink { program, comparisons, effort, .. } = sink;
    let way = dataflow::way(program, graph, effort, prefer, from, to, start, &alive);
    let Way::By(path) = &way else { return Some((way, false)) };
    let home = program.block_of[from];
    let mut begins = (0..).zip(&graph.vertices).filter(|(_, x)| x.block == home);
    if path.is_empty() || begins.any(|(first, _)| comparisons.allow(graph, first, path)) {
        return Some((way, false));
    }
    match comparisons.way(graph, effort, from, to, start, alive) {
        Way::None => None,
        Way::GaveUp => Some((way, true)),
        found => Some((found, false)),
    }
}

/// The blocks of a way. That a search gave up is recorded.
pub(crate) fn blocks_of(graph: &Graph, to: u64, way: Way) -> Vec<u64> {
    match way {
        Way::By(path) => path,
        Way::None => Vec::new(),
        Way::GaveUp => {
            graph.give_up(to, "the way that leads to a finding was not found in time, so it is told without it");
            Vec::new()
        }
    }
}

/// A node for each of the distinct ones that a kernel reaches, the first of each. An object's only kernel reaches all.
fn examples(program: &Program, graph: &Graph, only: bool) -> Vec<u32> {
    if only {
        return program.facts.examples().map(|i| i as u32).collect();
    }
    let mut seen = vec![false; program.facts.distinct()];
    let new = |i: &usize| !std::mem::replace(&mut seen[program.facts.alike(*i)], true);
    reached(program, graph).filter(new).map(|i| i as u32).collect()
}

/// The nodes that a kernel's graph reaches, each once, in order of address.
pub(crate) fn reached(program: &Program, graph: &Graph) -> impl Iterator<Item = usize> {
    let mut blocks: Vec<u32> = graph.vertices.iter().map(|v| v.block).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let ranges: Vec<_> = blocks.into_iter().map(|b| program.range(b)).collect();
    ranges.into_iter().flatten()
}

/// Findings by kind and rule, for summaries.
pub fn tally(report: &Report) -> HashMap<(Severity, Kind, Option<&'static str>), usize> {
    let mut out = HashMap::new();
    for f in &report.findings {
        *out.entry((f.severity, f.kind, f.rule)).or_insert(0) += 1;
    }
    out
}
