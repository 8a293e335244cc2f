//! A kernel's control-flow graph: blocks, each once per chain of calls that leads to it.
//!
//! Functions are not merged over their call sites, so a path that enters a function from one place and returns to
//! another does not exist here. Targets in registers are followed where [`crate::constants`] knows them; where it does
//! not, a note says so, what follows a call starts with nothing known, and every function of the object that nothing
//! else reaches is taken for a possible target.

use crate::constants::Constants;
use crate::finding::Note;
use crate::program::{Exit, Program};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use wavesmith_loader::code_object::CodeObject;

/// Calls nested deeper than this are not followed.
const DEPTH: usize = 16;
/// A kernel with more vertices than this has its further calls taken as unknown.
const MOST: usize = 200_000;

/// Where a state begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// A kernel's entry.
    Entry,
    /// Behind the instructions that load kernel arguments where the hardware has preloaded them.
    Preloaded,
    /// A function of which no caller is known: nothing is owed and everything is written.
    Unknown,
}

/// A way from one vertex to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub to: u32,
    /// Unknown code runs on the way.
    pub opaque: bool,
}

/// A block in the context of its callers.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub block: u32,
    context: u32,
    pub succs: Vec<Edge>,
}

/// What leads to a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Only(u32),
    /// Several vertices, or code of which nothing is known.
    Several,
}

/// Vertices in reverse post-order.
pub(crate) struct Graph {
    pub vertices: Vec<Vertex>,
    pub entries: Vec<(u32, Start)>,
    pub notes: Vec<Note>,
    /// The vertex in front of each, where there is exactly one.
    only_before: Vec<Before>,
    /// Where an analysis gave up, and why, by the why: the first place of each.
    gave_up: Mutex<BTreeMap<&'static str, u64>>,
    /// Instructions that analyses have gone through.
    work: AtomicUsize,
}

impl Graph {
    /// The one vertex from which alone control comes to `vertex`.
    pub fn only_before(&self, vertex: u32) -> Option<u32> {
        match self.only_before[vertex as usize] {
            Before::Only(v) => Some(v),
            Before::Nothing | Before::Several => None,
        }
    }

    /// Records that an analysis left something out, at or behind an address.
    pub fn give_up(&self, pc: u64, why: &'static str) {
        let mut all = self.gave_up.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.entry(why).and_modify(|first| *first = pc.min(*first)).or_insert(pc);
    }

    /// Records that an analysis has gone through so many instructions.
    pub fn work(&self, nodes: usize) {
        self.work.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Instructions that analyses have gone through, each counted as often as it was.
    pub fn worked(&self) -> usize {
        self.work.load(Ordering::Relaxed)
    }

    /// What analyses left out.
    pub fn given_up(&self) -> Vec<(&'static str, u64)> {
        let all = self.gave_up.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.iter().map(|(why, pc)| (*why, *pc)).collect()
    }
}

struct Context {
    parent: u32,
    callee: u64,
    returns_to: u64,
    depth: usize,
}

struct Builder<'a> {
    program: &'a Program,
    object: &'a CodeObject,
    kernel: &'a str,
    contexts: Vec<Context>,
    vertices: Vec<Vertex>,
    constants: Vec<Option<Constants>>,
    known: HashMap<(u32, u32), u32>,
    dirty: Vec<u32>,
    noted: BTreeSet<u64>,
    notes: Vec<Note>,
    /// Addresses to decode before the graph can be complete.
    missing: Vec<u64>,
    unknown_call: bool,
    /// Instructions of the blocks gone through.
    work: usize,
}

impl Graph {
    /// Builds the graph from the kernel's entries.
    ///
    /// # Errors
    /// Addresses that must be decoded first.
    pub fn build(
        program: &Program,
        object: &CodeObject,
        kernel: &str,
        entries: &[(u64, Start)],
    ) -> Result<Graph, Vec<u64>> {
        let mut b = Builder {
            program,
            object,
            kernel,
            contexts: vec![Context { parent: 0, callee: 0, returns_to: 0, depth: 0 }],
            vertices: Vec::new(),
            constants: Vec::new(),
            known: HashMap::new(),
            dirty: Vec::new(),
            noted: BTreeSet::new(),
            notes: Vec::new(),
            missing: Vec::new(),
            unknown_call: false,
            work: 0,
        };
        let mut roots = Vec::new();
        for (pc, start) in entries {
            if let Some(v) = b.vertex(*pc, 0) {
                b.reach(v, &Constants::default());
                roots.push((v, *start));
            }
        }
        b.run();
        if b.unknown_call {
            let kernels: BTreeSet<u64> = object.kernels.iter().map(|k| k.entry_vaddr).collect();
            for f in crate::functions(object).filter(|f| !kernels.contains(&f.value)) {
                if let Some(v) = b.vertex(f.value, 0).filter(|v| b.constants[*v as usize].is_none()) {
                    b.reach(v, &Constants::default());
                    roots.push((v, Start::Unknown));
                }
            }
            b.run();
        }
        if !b.missing.is_empty() {
            return Err(b.missing);
        }
        let graph = Graph::ordered(b.vertices, roots, b.notes);
        graph.work(b.work);
        Ok(graph)
    }

    /// Renumbers into reverse post-order, which lets a forward analysis settle in few rounds.
    fn ordered(vertices: Vec<Vertex>, roots: Vec<(u32, Start)>, notes: Vec<Note>) -> Graph {
        let mut post = Vec::with_capacity(vertices.len());
        let mut seen = vec![false; vertices.len()];
        for &(root, _) in roots.iter().rev() {
            let mut stack = vec![(root, 0usize)];
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            while let Some((v, i)) = stack.pop() {
                match vertices[v as usize].succs.get(i) {
                    Some(e) => {
                        stack.push((v, i + 1));
                        if !std::mem::replace(&mut seen[e.to as usize], true) {
                            stack.push((e.to, 0));
                        }
                    }
                    None => post.push(v),
                }
            }
        }
        let mut rank = vec![0u32; vertices.len()];
        for (i, v) in post.iter().rev().enumerate() {
            rank[*v as usize] = i as u32;
        }
        let ordered: Vec<Vertex> = post
            .iter()
            .rev()
            .map(|v| {
                let mut x = vertices[*v as usize].clone();
                x.succs.iter_mut().for_each(|e| e.to = rank[e.to as usize]);
                x
            })
            .collect();
        let entries: Vec<_> = roots.into_iter().map(|(v, s)| (rank[v as usize], s)).collect();
        let mut only_before = vec![Before::Nothing; ordered.len()];
        for (v, e) in (0..).zip(&ordered).flat_map(|(v, x)| x.succs.iter().map(move |e| (v, e))) {
            let before = &mut only_before[e.to as usize];
            *before = if *before == Before::Nothing && !e.opaque { Before::Only(v) } else { Before::Several };
        }
        for (v, _) in &entries {
            only_before[*v as usize] = Before::Several;
        }
        Graph { vertices: ordered, entries, notes, only_before, gave_up: Mutex::default(), work: AtomicUsize::new(0) }
    }
}

impl Builder<'_> {
    /// The vertex of the block at `pc`, if there is code.
    fn vertex(&mut self, pc: u64, context: u32) -> Option<u32> {
        let Some(block) = self.program.block_at(pc) else {
            if !self.program.broken.iter().any(|b| b.pc == pc) {
                self.missing.push(pc);
            }
            return None;
        };
        Some(*self.known.entry((context, block)).or_insert_with(|| {
            self.vertices.push(Vertex { block, context, succs: Vec::new() });
            self.constants.push(None);
            self.vertices.len() as u32 - 1
        }))
    }

    /// Takes in what is known on a way to `v`.
    fn reach(&mut self, v: u32, with: &Constants) {
        let here = &mut self.constants[v as usize];
        let changed = match here {
            None => {
                *here = Some(with.clone());
                true
            }
            Some(old) => old.meet(with),
        };
        if changed {
            self.dirty.push(v);
        }
    }

    fn edge(&mut self, from: u32, to: Option<u32>, opaque: bool, with: &Constants) {
        let Some(to) = to else { return };
        let edge = Edge { to, opaque };
        if !self.vertices[from as usize].succs.contains(&edge) {
            self.vertices[from as usize].succs.push(edge);
        }
        if opaque { self.reach(to, &Constants::default()) } else { self.reach(to, with) }
    }

    fn note(&mut self, pc: u64, message: String) {
        if self.noted.insert(pc) {
            self.notes.push(Note { kernel: self.kernel.to_owned(), pc, message });
        }
    }

    fn run(&mut self) {
        while let Some(v) = self.dirty.pop() {
            let Some(mut state) = self.constants[v as usize].clone() else { continue };
            let Vertex { block, context, .. } = self.vertices[v as usize];
            let range = self.program.range(block);
            self.work += range.len();
            if self.program.indirect {
                for n in &self.program.nodes[range.clone()] {
                    state.step(n, self.object);
                }
            }
            let last = &self.program.nodes[range.end - 1];
            let (pc, next) = (last.pc, last.next_pc());
            match last.exit {
                Exit::Next => {
                    let to = self.follow(next, context);
                    self.edge(v, to, false, &state);
                }
                Exit::Jump(t) => {
                    let to = self.follow(t, context);
                    self.edge(v, to, false, &state);
                }
                Exit::Either(t) => {
                    for t in [next, t] {
                        let to = self.follow(t, context);
                        self.edge(v, to, false, &state);
                    }
                }
                Exit::Fork(t) => {
                    if t.is_none() {
                        self.note(pc, "the other way of this fork is in a register and is not followed".into());
                    }
                    for t in [Some(next), t].into_iter().flatten() {
                        let to = self.follow(t, context);
                        self.edge(v, to, false, &state);
                    }
                }
                Exit::End => {}
                Exit::Call { target, link } => self.call(v, Some(target), link, next, state),
                Exit::Register { target, link: Some(link) } => {
                    let known = state.pair(target);
                    self.call(v, known, link, next, state);
                }
                Exit::Register { target, link: None } => match state.pair(target) {
                    Some(t) => {
                        let context = self.returning(t, context);
                        let to = self.follow(t, context);
                        self.edge(v, to, false, &state);
                    }
                    None if self.vertices[v as usize].succs.is_empty() => {
                        if self.started_unknown(context) {
                            // The return of a function whose callers are not known.
                            continue;
                        }
                        self.unknown_call = true;
                        self.note(
                            pc,
                            format!("the target in s[{target}:{}] is not known and not followed", target + 1),
                        );
                    }
                    None => {}
                },
            }
        }
    }

    /// Whether the context has no caller, although code in it may be a function's.
    fn started_unknown(&self, context: u32) -> bool {
        context == 0 && self.unknown_call
    }

    fn follow(&mut self, pc: u64, context: u32) -> Option<u32> {
        self.vertex(pc, context)
    }

    fn call(&mut self, v: u32, target: Option<u64>, link: u16, next: u64, mut state: Constants) {
        let context = self.vertices[v as usize].context;
        let pc = next
            - u64::from(
                self.program.nodes[self.program.range(self.vertices[v as usize].block).end - 1].inst.bytes() as u32
            );
        let recursive = |t: u64| {
            let mut c = context;
            while c != 0 {
                if self.contexts[c as usize].callee == t {
                    return true;
                }
                c = self.contexts[c as usize].parent;
            }
            false
        };
        let why = match target {
            None => {
                self.unknown_call = true;
                Some("the called address is not known and not followed")
            }
            Some(t) if self.program.broken.iter().any(|b| b.pc == t) => {
                Some("the called address holds no code and is not followed")
            }
            Some(t) if recursive(t) => Some("the recursive call is not followed"),
            Some(_) if self.contexts[context as usize].depth >= DEPTH || self.vertices.len() > MOST => {
                Some("the call is nested too deeply and not followed")
            }
            Some(_) => None,
        };
        if let Some(why) = why {
            self.note(pc, why.into());
            let to = self.follow(next, context);
            self.edge(v, to, true, &state);
            return;
        }
        let Some(callee) = target else { return };
        state.set_pair(link, next);
        let depth = self.contexts[context as usize].depth + 1;
        let inner = self
            .contexts
            .iter()
            .position(|c| c.depth == depth && c.parent == context && c.callee == callee && c.returns_to == next);
        let inner = inner.unwrap_or_else(|| {
            self.contexts.push(Context { parent: context, callee, returns_to: next, depth });
            self.contexts.len() - 1
        }) as u32;
        let to = self.follow(callee, inner);
        self.edge(v, to, false, &state);
    }

    /// The context after a jump to `t`: that of the caller whose return address it is.
    fn returning(&self, t: u64, context: u32) -> u32 {
        let mut c = context;
        while c != 0 {
            let x = &self.contexts[c as usize];
            if x.returns_to == t {
                return x.parent;
            }
            c = x.parent;
        }
        context
    }
}
