//! Which ways exist: what scalar comparisons have said on the way, as long as nothing has overwritten what they compared.
//!
//! Code asks the same question more than once: whether this is the last step decides whether the next tile is loaded, and
//! again whether the loop goes on. A way on which two answers differ, though neither register has been written in between,
//! does not exist.

use crate::dataflow::Way;
use crate::graph::{Graph, Vertex};
use crate::program::{Exit, Program};
use std::cell::OnceCell;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use wavesmith_asm::effects::{self, Span};
use wavesmith_asm::sem::{Branch, Cond, Elem, Sem};
use wavesmith_asm::{Field, Inst, Operand};

/// Two operands and how they are compared: inverse comparisons are one question with the other answer.
type Question = (Cond, Elem, Value, Value);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    /// A scalar register, by number, and one more where the operand has 64 bits.
    Register(u8),
    Constant(i64),
}

/// What leaving a block by its branch says: the number of the question, and the answer where the branch jumps.
#[derive(Clone, Copy, Debug)]
struct Asked {
    question: u32,
    jumping: bool,
}

/// Answers that hold, in the order of their questions.
type Answers = Vec<(u32, bool)>;

/// The comparisons of a program.
pub(crate) struct Comparisons<'a> {
    program: &'a Program,
    found: OnceCell<Found>,
}

#[derive(Default)]
struct Found {
    /// What each block's end asks.
    asked: Vec<Option<Asked>>,
    /// Scalar registers that each block writes, a bit each.
    writes: Vec<u128>,
    /// Scalar registers that each question is about.
    about: Vec<u128>,
}

impl<'a> Comparisons<'a> {
    /// Nothing is looked for until the first question.
    pub fn new(program: &'a Program) -> Self {
        Comparisons { program, found: OnceCell::new() }
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| Found::of(self.program))
    }

    /// Whether a way, given by the first addresses of its blocks, exists where it begins at `first`.
    pub fn allow(&self, graph: &Graph, first: u32, path: &[u64]) -> bool {
        let mut answers = self.before(graph, first);
        let blocks: Vec<u32> = path.iter().filter_map(|pc| self.program.block_at(*pc)).collect();
        blocks.windows(2).zip(&path[1..]).all(|(step, to)| {
            let next = self.leave(answers.clone(), step[0], *to);
            next.map(|n| answers = n).is_some()
        })
    }

    /// The shortest way that exists, as [`crate::dataflow::way`] has it.
    pub fn way<T: Clone + PartialOrd>(
        &self,
        graph: &Graph,
        effort: &mut usize,
        from: usize,
        (at, to): (u32, usize),
        start: &T,
        alive: impl Fn(T, Range<usize>) -> Option<T>,
    ) -> Way {
        struct Step<T> {
            vertex: u32,
            before: usize,
            answers: Answers,
            value: Option<T>,
        }
        let program = self.program;
        let home = program.block_of[from];
        let mut steps: Vec<Step<T>> = Vec::new();
        let mut best: HashMap<(u32, Answers), T> = HashMap::new();
        let mut next: VecDeque<usize> = VecDeque::new();
        for (v, _) in graph.vertices.iter().enumerate().filter(|(_, x)| x.block == home) {
            if let Some(value) = alive(start.clone(), from + 1..program.range(home).end) {
                next.push_back(steps.len());
                let (vertex, answers) = (v as u32, self.before(graph, v as u32));
                steps.push(Step { vertex, before: usize::MAX, answers, value: Some(value) });
            }
        }
        while let Some(here) = next.pop_front() {
            if steps.len() >= MOST_STEPS || *effort == 0 {
                return Way::GaveUp;
            }
            *effort -= 1;
            let Vertex { block, succs, .. } = &graph.vertices[steps[here].vertex as usize];
            let Some(value) = steps[here].value.clone() else {
                let before = |i: &usize| Some(steps[*i].before).filter(|b| *b != usize::MAX);
                let blocks = std::iter::successors(Some(here), before);
                let first = |i: usize| program.range(graph.vertices[steps[i].vertex as usize].block).start;
                let mut path: Vec<u64> = blocks.map(|i| program.nodes[first(i)].pc).collect();
                path.reverse();
                return Way::By(path);
            };
            for e in succs.iter().filter(|e| !e.opaque) {
                let range = program.range(graph.vertices[e.to as usize].block);
                let Some(answers) = self.leave(steps[here].answers.clone(), *block, program.nodes[range.start].pc)
                else {
                    continue;
                };
                if e.to == at && alive(value.clone(), range.start..to).is_some() {
                    next.push_back(steps.len());
                    steps.push(Step { vertex: e.to, before: here, answers: answers.clone(), value: None });
                }
                if best.get(&(e.to, answers.clone())).is_some_and(|b| *b <= value) {
                    continue;
                }
                best.insert((e.to, answers.clone()), value.clone());
                if let Some(value) = alive(value.clone(), range) {
                    next.push_back(steps.len());
                    steps.push(Step { vertex: e.to, before: here, answers, value: Some(value) });
                }
            }
        }
        Way::None
    }

    /// What holds at the entry of a vertex, as far as there is one way to it.
    fn before(&self, graph: &Graph, vertex: u32) -> Answers {
        let mut chain = vec![vertex];
        while let Some(v) = graph.only_before(chain[chain.len() - 1])
            && chain.len() < MOST_BEFORE
        {
            chain.push(v);
        }
        let block = |v: u32| graph.vertices[v as usize].block;
        let steps = chain.windows(2).rev();
        steps.fold(Answers::new(), |answers, step| {
            let to = self.program.nodes[self.program.range(block(step[0])).start].pc;
            self.leave(answers, block(step[1]), to).unwrap_or_default()
        })
    }

    /// What holds behind a block that is left for the address `to`: nothing does where that is not possible.
    fn leave(&self, mut answers: Answers, block: u32, to: u64) -> Option<Answers> {
        let found = self.found();
        answers.retain(|(question, _)| found.about[*question as usize] & found.writes[block as usize] == 0);
        let Some(Asked { question, jumping }) = found.asked[block as usize] else { return Some(answers) };
        let last = &self.program.nodes[self.program.range(block).end - 1];
        let Exit::Either(target) = last.exit else { return Some(answers) };
        let jumps = to == target;
        if jumps && to == last.next_pc() {
            return Some(answers);
        }
        let answer = (question, jumping == jumps);
        match answers.binary_search_by_key(&question, |a| a.0) {
            Ok(i) if answers[i] != answer => return None,
            Ok(_) => {}
            Err(i) => answers.insert(i, answer),
        }
        Some(answers)
    }
}

/// Most steps that one search takes: each new answer may double what there is to look at.
const MOST_STEPS: usize = 1 << 12;

/// How far back along the only way to a place is looked.
const MOST_BEFORE: usize = 64;

impl Found {
    fn of(program: &Program) -> Found {
        let mut found = Found::default();
        let mut numbers: HashMap<Question, u32> = HashMap::new();
        for block in 0..program.blocks.len() as u32 {
            let mut writes = 0;
            // The last comparison, while neither SCC nor what it compared has been written since.
            let mut last: Option<(Question, bool)> = None;
            for i in program.range(block).filter(|i| !program.nodes[*i].absent) {
                let inst = &program.nodes[i].inst;
                let (mine, scc) = written(program, i);
                writes |= mine;
                if scc {
                    last = question(inst);
                }
                last = last.filter(|(q, _)| about(q) & mine == 0);
            }
            let end = &program.nodes[program.range(block).end - 1].inst;
            let asked = match end.row().sem {
                Sem::Branch(b @ (Branch::Scc0 | Branch::Scc1)) => last.map(|(q, holds)| {
                    let number = numbers.len() as u32;
                    let question = *numbers.entry(q).or_insert(number);
                    if question == number {
                        found.about.push(about(&q));
                    }
                    Asked { question, jumping: holds == (b == Branch::Scc1) }
                }),
                _ => None,
            };
            found.asked.push(asked);
            found.writes.push(writes);
        }
        // What is asked at one place only contradicts nothing.
        let mut asked = vec![0u32; found.about.len()];
        found.asked.iter().flatten().for_each(|a| asked[a.question as usize] += 1);
        for a in &mut found.asked {
            *a = a.filter(|a| asked[a.question as usize] > 1);
        }
        found
    }
}

/// The scalar registers that a node writes, a bit each, and whether it writes SCC.
fn written(program: &Program, node: usize) -> (u128, bool) {
    let mut scalars = 0;
    let mut scc = false;
    for t in program.facts[node].effects.writes() {
        scc |= t.span.overlaps(Span::SCC);
        for r in t.span.iter().filter(|r| (effects::S0..effects::SCC).contains(r)) {
            scalars |= 1 << (r - effects::S0);
        }
    }
    (scalars, scc)
}

/// What a comparison asks, and whether SCC is the answer rather than its inverse.
fn question(inst: &Inst) -> Option<(Question, bool)> {
    let Sem::ScalarCmp(cond, elem) = inst.row().sem else { return None };
    let signed = matches!(elem, Elem::I32 | Elem::I64);
    let (a, b) = match inst.slot(Field::Src0) {
        Some(a) => (a, inst.slot(Field::Src1)?),
        None => (inst.slot(Field::Dst)?, inst.slot(Field::Simm16)?),
    };
    // Whether they are equal does not hang on their sign.
    let elem = match (cond, elem) {
        (Cond::Eq | Cond::Lg | Cond::Ne, Elem::I32) => Elem::U32,
        _ => elem,
    };
    let (cond, holds) = match cond {
        Cond::Eq => (Cond::Eq, true),
        Cond::Lg | Cond::Ne => (Cond::Eq, false),
        Cond::Lt => (Cond::Lt, true),
        Cond::Ge => (Cond::Lt, false),
        Cond::Gt => (Cond::Gt, true),
        Cond::Le => (Cond::Gt, false),
        _ => return None,
    };
    let value = |operand| match value(operand, signed)? {
        Value::Constant(c) if elem == Elem::U32 => Some(Value::Constant((c as u32).into())),
        other => Some(other),
    };
    Some(((cond, elem, value(a)?, value(b)?), holds))
}

/// An operand of a comparison; its immediate is extended by its sign where the comparison is `signed`.
fn value(operand: Operand, signed: bool) -> Option<Value> {
    Some(match operand {
        // Others change without being written, like SCC and the clock.
        Operand::Reg(r) => {
            let span = Span::of(r);
            let first = span.first.checked_sub(effects::S0).filter(|_| span.count > 0)?;
            Value::Register(u8::try_from(first).ok().filter(|r| *r < 128)?)
        }
        Operand::Int(i) => Value::Constant(i.into()),
        Operand::Literal(l) if signed => Value::Constant((l as i32).into()),
        Operand::Literal(l) => Value::Constant(l.into()),
        Operand::Imm(i) if signed => Value::Constant((i as i16).into()),
        Operand::Imm(i) => Value::Constant((i as u16).into()),
        _ => return None,
    })
}

/// The scalar registers that a question is about, a bit each.
fn about((_, elem, a, b): &Question) -> u128 {
    let wide = matches!(elem, Elem::B64 | Elem::U64 | Elem::I64);
    let bits = |v: &Value| match v {
        Value::Register(r) => (1 | u128::from(wide) << 1) << r,
        Value::Constant(_) => 0,
    };
    bits(a) | bits(b)
}
