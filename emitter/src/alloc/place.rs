//! Where the values of one register file go, given when each is live.
//!
//! First fit, widest first, is what nearly every kernel needs, and it keeps the highest register low. Under pressure it
//! may leave holes that no run fits in, though another arrangement would do. Then the value that found no place goes
//! first and all are placed anew, a number of times; and if that does not help, a search with backtracking over what is
//! left decides, for as long as its patience lasts: that is counted in work, so that the answer never depends on the
//! machine. It leaves out values that would find a place whatever the others do, so that kernels of ordinary size are
//! decided too. The answer is an arrangement, or whether there is none.

use super::mask::{Mask, NAMED};
use super::{Segment, add, overlap};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// One value that wants registers.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub count: u16,
    pub align: u16,
    /// When it is live, in order.
    pub segments: Vec<Segment>,
}

/// No arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unfit {
    /// The wish that found no place when the widest went first.
    pub wish: usize,
    /// Whether no arrangement exists, or none was found.
    pub proved: bool,
}

/// How often a value that found no place is put first.
const ROUNDS: usize = 64;
/// Work of the search, in moments and cliques looked at: a second or so.
const PATIENCE: u64 = 50_000_000;
/// Cliques that the search knows of, and steps to find them in.
const CLIQUES: usize = 64;
const CLIQUE_STEPS: u32 = 20_000;
/// Values that the search takes on: it goes as deep as there are.
const SEARCHED: usize = 512;

/// The first register of each wish in a file whose registers are `taken` when they are; `taken` has one entry each.
pub(super) fn fit(wishes: &[Wish], taken: &[Vec<Segment>]) -> Result<Vec<u16>, Unfit> {
    fit_within(wishes, taken, ROUNDS, PATIENCE)
}

/// The same in so many rounds and, after them, with so much patience.
fn fit_within(wishes: &[Wish], taken: &[Vec<Segment>], rounds: usize, patience: u64) -> Result<Vec<u16>, Unfit> {
    let mut order: Vec<usize> = (0..wishes.len()).filter(|w| !wishes[*w].segments.is_empty()).collect();
    order.sort_by_key(|&w| (Reverse(wishes[w].count), wishes[w].segments[0].0, w));
    let mut places = vec![0; wishes.len()];
    let Err(wish) = first_fit(wishes, taken, &order, &mut places) else { return Ok(places) };
    let unfit = |proved| Unfit { wish, proved };
    if !Search::new(wishes, moments(wishes, taken, &order), &order).has_room(0) {
        return Err(unfit(true));
    }
    let mut failed = wish;
    for _ in 0..rounds {
        let at = order.iter().position(|w| *w == failed).unwrap_or_default();
        order[..=at].rotate_right(1);
        match first_fit(wishes, taken, &order, &mut places) {
            Ok(()) => return Ok(places),
            Err(wish) => failed = wish,
        }
    }
    let last = set_aside(wishes, taken, &mut order);
    if order.len() > SEARCHED {
        return Err(unfit(false));
    }
    let mut search = Search::new(wishes, uncovered(moments(wishes, taken, &order)), &order);
    search.patience = patience;
    search.bound_by(cliques(wishes, taken, &order));
    match search.search(0) {
        Some(true) => {}
        found => return Err(unfit(found.is_some())),
    }
    let mut taken = taken.to_vec();
    for &w in &order {
        places[w] = search.places[w];
        let first = usize::from(places[w]);
        taken[first..first + usize::from(wishes[w].count)].iter_mut().for_each(|t| add(t, &wishes[w].segments));
    }
    first_fit(wishes, &taken, &last, &mut places).map_err(|_| unfit(false))?;
    Ok(places)
}

/// Each at the lowest place that is free all its life; or which finds none.
fn first_fit(wishes: &[Wish], taken: &[Vec<Segment>], order: &[usize], places: &mut [u16]) -> Result<(), usize> {
    let mut taken = taken.to_vec();
    for &w in order {
        let Wish { count, align, ref segments } = wishes[w];
        let end = (taken.len() as u16 + 1).saturating_sub(count);
        let free = |first: &u16| (*first..*first + count).all(|r| !overlap(segments, &taken[usize::from(r)]));
        let first = (0..end).step_by(align.into()).find(free).ok_or(w)?;
        places[w] = first;
        for r in first..first + count {
            add(&mut taken[usize::from(r)], segments);
        }
    }
    Ok(())
}

/// Takes out of `order` what finds a place wherever the others are; returned so that each does if those behind it have
/// not been placed.
fn set_aside(wishes: &[Wish], taken: &[Vec<Segment>], order: &mut Vec<usize>) -> Vec<usize> {
    let open = |w: usize| {
        let mut free = Mask::range(0, 0);
        for (r, t) in (0..NAMED).zip(taken) {
            if !overlap(&wishes[w].segments, t) {
                free.add(&Mask::range(r, r + 1));
            }
        }
        free.starts(wishes[w].count).aligned(wishes[w].align).count()
    };
    let open: Vec<u32> = (0..wishes.len()).map(open).collect();
    let mut out = Vec::new();
    loop {
        let before = out.len();
        for w in order.clone() {
            let Wish { count, align, ref segments } = wishes[w];
            let beside = order.iter().filter(|n| **n != w && overlap(segments, &wishes[**n].segments));
            // Wherever it is, a neighbour rules out no more first registers than this.
            let blocked = |n: &usize| u32::from((count + wishes[*n].count - 1).div_ceil(align));
            if beside.map(blocked).sum::<u32>() < open[w] {
                order.retain(|o| *o != w);
                out.push(w);
            }
        }
        if out.len() == before {
            out.reverse();
            return out;
        }
    }
}

/// The alignments there are.
const ALIGNMENTS: [u16; 3] = [1, 2, 4];

/// Values no two of which may share a register: those that are live at a time at which more is live than just before or
/// after, or a clique of those that meet two by two, at different times.
struct Moment {
    /// The values.
    live: Vec<usize>,
    /// Registers that none of those that have a place has, and that are free for one of the others at least.
    free: Mask,
    /// Of each alignment, how many registers at its multiples are needed at least by those that have no place: one for each
    /// such step of a value's length, if the value is aligned so or more.
    needed: [u32; 3],
    /// The same of whole steps: how many runs of as many free registers as the alignment has, at its multiples.
    whole: [u32; 3],
}

impl Moment {
    fn new(wishes: &[Wish], live: Vec<usize>, free: Mask) -> Moment {
        let mut moment = Moment { live: Vec::new(), free, needed: [0; 3], whole: [0; 3] };
        live.iter().for_each(|w| moment.needs(&wishes[*w], |n, more| n + more));
        Moment { live, ..moment }
    }

    /// Adds what a value needs, or takes it off.
    fn needs(&mut self, wish: &Wish, change: impl Fn(u32, u32) -> u32) {
        for (i, align) in ALIGNMENTS.into_iter().enumerate().filter(|(_, align)| wish.align >= *align) {
            self.needed[i] = change(self.needed[i], wish.count.div_ceil(align).into());
            self.whole[i] = change(self.whole[i], (wish.count / align).into());
        }
    }

    /// Whether the registers that are free and in `above` could do for those that have no place, as far as counting tells.
    /// `above` has the multiples of each alignment.
    fn has_room(&self, above: &[Mask; 3]) -> bool {
        let steps = self.needed.iter().zip(&self.whole).zip(ALIGNMENTS.iter().zip(above));
        steps.fold(true, |yes, ((needed, whole), (align, above))| {
            yes && (*needed == 0
                || *needed <= self.free.and(above).count() && *whole <= self.free.starts(*align).and(above).count())
        })
    }

    /// Whether whoever fits here fits at `other`.
    fn covers(&self, other: &Moment) -> bool {
        // Both have what is live in the same order.
        let mut mine = self.live.iter();
        self.free.is_within(&other.free) && other.live.iter().all(|w| mine.any(|m| m == w))
    }
}

/// The moments that matter: starts of values or of what is taken, but those that one beside covers.
fn moments(wishes: &[Wish], taken: &[Vec<Segment>], order: &[usize]) -> Vec<Moment> {
    let wanted = order.iter().flat_map(|w| &wishes[*w].segments);
    let mut starts: Vec<u32> = wanted.chain(taken.iter().flatten()).map(|s| s.0).collect();
    starts.sort_unstable();
    starts.dedup();
    let lives = |segments: &[Segment], at: u32| {
        let i = segments.partition_point(|s| s.1 <= at);
        segments.get(i).is_some_and(|s| s.0 <= at)
    };
    let mut out: Vec<Moment> = Vec::new();
    for at in starts {
        let live = order.iter().copied().filter(|w| lives(&wishes[*w].segments, at)).collect();
        let mut free = Mask::range(0, taken.len() as u16);
        for (r, t) in (0..NAMED).zip(taken) {
            if lives(t, at) {
                free.remove(&Mask::range(r, r + 1));
            }
        }
        let moment = Moment::new(wishes, live, free);
        while out.last().is_some_and(|last| moment.covers(last)) {
            out.pop();
        }
        if !out.last().is_some_and(|last| last.covers(&moment)) {
            out.push(moment);
        }
    }
    out
}

/// Those that no other covers.
fn uncovered(moments: Vec<Moment>) -> Vec<Moment> {
    let mut out: Vec<Moment> = Vec::new();
    for moment in moments {
        if !out.iter().any(|o| o.covers(&moment)) {
            out.retain(|o| !moment.covers(o));
            out.push(moment);
        }
    }
    out
}

/// Cliques of the values that meet, each of which holds all that meet all of it: where lives have holes, values that are
/// never live at one time may still need registers of their own each. Those with the most registers first, as far as they
/// are found in so many steps.
fn cliques(wishes: &[Wish], taken: &[Vec<Segment>], order: &[usize]) -> Vec<Moment> {
    let n = order.len();
    let mut meet = vec![vec![false; n]; n];
    for i in 0..n {
        for j in 0..i {
            let both = overlap(&wishes[order[i]].segments, &wishes[order[j]].segments);
            (meet[i][j], meet[j][i]) = (both, both);
        }
    }
    let (mut found, mut steps) = (Vec::new(), CLIQUE_STEPS);
    grow(&meet, &mut Vec::new(), (0..n).collect(), Vec::new(), &mut found, &mut steps);
    let registers = |clique: &Vec<usize>| clique.iter().map(|i| u32::from(wishes[order[*i]].count)).sum::<u32>();
    found.sort_by_cached_key(|clique| Reverse(registers(clique)));
    found.truncate(CLIQUES);
    let moment = |mut clique: Vec<usize>| {
        clique.sort_unstable();
        let live: Vec<usize> = clique.into_iter().map(|i| order[i]).collect();
        let mut free = Mask::range(0, 0);
        for (r, t) in (0..NAMED).zip(taken) {
            if live.iter().any(|w| !overlap(&wishes[*w].segments, t)) {
                free.add(&Mask::range(r, r + 1));
            }
        }
        Moment::new(wishes, live, free)
    };
    found.into_iter().map(moment).collect()
}

/// Bron's and Kerbosch's: every clique that holds `clique`, some of `more` and none of `seen`, while steps last.
fn grow(
    meet: &[Vec<bool>],
    clique: &mut Vec<usize>,
    mut more: Vec<usize>,
    mut seen: Vec<usize>,
    found: &mut Vec<Vec<usize>>,
    steps: &mut u32,
) {
    let Some(left) = steps.checked_sub(1) else { return };
    *steps = left;
    // What meets the pivot comes up in its cliques.
    let pivot = more.iter().chain(&seen).copied().max_by_key(|p| more.iter().filter(|m| meet[*p][**m]).count());
    let Some(pivot) = pivot else { return found.push(clique.clone()) };
    for v in more.clone() {
        if meet[pivot][v] {
            continue;
        }
        let beside = |all: &[usize]| all.iter().copied().filter(|o| meet[v][*o]).collect();
        clique.push(v);
        grow(meet, clique, beside(&more), beside(&seen), found, steps);
        clique.pop();
        more.retain(|m| *m != v);
        seen.push(v);
    }
}

/// The search. In every arrangement values can be moved down, one by one, until none can go lower; so it is enough to
/// place them from the bottom up, each at the lowest place that is free all its life, and to try every order in which
/// these places do not fall. What then lies below the value placed last is lost to those that follow, which rules out
/// most orders early.
struct Search<'a> {
    wishes: &'a [Wish],
    /// Moments, and after them what else bounds.
    moments: Vec<Moment>,
    /// How many are moments, which between them decide what goes where.
    exact: usize,
    /// Those of each value.
    moments_of: Vec<Vec<usize>>,
    /// The first value that is as wide and live at the same moments: they are interchangeable.
    like: Vec<usize>,
    places: Vec<u16>,
    /// Those to place.
    left: Vec<usize>,
    /// What was left and free where nothing came of it, as hashes.
    hopeless: HashSet<u128>,
    patience: u64,
}

impl<'a> Search<'a> {
    fn new(wishes: &'a [Wish], moments: Vec<Moment>, order: &[usize]) -> Search<'a> {
        let mut moments_of = vec![Vec::new(); wishes.len()];
        for (m, moment) in moments.iter().enumerate() {
            moment.live.iter().for_each(|w| moments_of[*w].push(m));
        }
        let mut kinds = HashMap::new();
        let mut like = vec![0; wishes.len()];
        for &w in order {
            like[w] = *kinds.entry((wishes[w].count, wishes[w].align, &moments_of[w])).or_insert(w);
        }
        let (places, left, exact) = (vec![0; wishes.len()], order.to_vec(), moments.len());
        Search { wishes, moments, exact, like, places, left, hopeless: HashSet::new(), patience: PATIENCE, moments_of }
    }

    /// Takes in what else values may not share registers in, unless a moment says as much.
    fn bound_by(&mut self, cliques: Vec<Moment>) {
        for clique in cliques {
            if !self.moments.iter().any(|m| m.covers(&clique)) {
                clique.live.iter().for_each(|w| self.moments_of[*w].push(self.moments.len()));
                self.moments.push(clique);
            }
        }
    }

    /// Whether no moment on its own rules out an arrangement of what is left at `floor` or above.
    fn has_room(&self, floor: u16) -> bool {
        let above = ALIGNMENTS.map(|align| Mask::range(floor, NAMED).aligned(align));
        self.moments.iter().all(|m| m.has_room(&above))
    }

    /// The lowest place of `w`.
    fn lowest(&self, w: usize) -> Option<u16> {
        let mut free = Mask::range(0, NAMED);
        self.moments_of[w].iter().for_each(|m| free = free.and(&self.moments[*m].free));
        free.starts(self.wishes[w].count).aligned(self.wishes[w].align).iter().next()
    }

    /// Places what is left at `floor` or above; whether that can be done, or `None` if patience ran out.
    fn search(&mut self, floor: u16) -> Option<bool> {
        if self.left.is_empty() {
            return Some(true);
        }
        let state = self.state(floor);
        if self.hopeless.contains(&state) {
            return Some(false);
        }
        // What a step and its children look at.
        let looks = self.left.iter().map(|w| self.moments_of[*w].len() + self.moments.len()).sum::<usize>();
        self.patience = self.patience.checked_sub(looks as u64)?;
        for (first, _, w) in self.next(floor) {
            let at = self.left.iter().position(|l| *l == w)?;
            self.left.swap_remove(at);
            self.put(w, first);
            if self.has_room(first) && self.search(first)? {
                return Some(true);
            }
            self.take_back(w);
            self.left.push(w);
            let end = self.left.len() - 1;
            self.left.swap(at, end);
        }
        self.hopeless.insert(state);
        Some(false)
    }

    /// Who may come next, and where: the lowest first, and of those the widest. Nobody, if somebody is left without a place.
    fn next(&self, floor: u16) -> Vec<(u16, Reverse<u16>, usize)> {
        let mut next: Vec<(u16, Reverse<u16>, usize)> = Vec::new();
        for &w in &self.left {
            let count = self.wishes[w].count;
            // What follows starts at the floor or above, so nothing could keep this one from a place wholly below.
            let Some(first) = self.lowest(w).filter(|first| first + count > floor) else { return Vec::new() };
            if first >= floor && !next.iter().any(|(_, _, n)| self.like[*n] == self.like[w]) {
                next.push((first, Reverse(count), w));
            }
        }
        next.sort_unstable();
        next
    }

    fn put(&mut self, w: usize, first: u16) {
        self.places[w] = first;
        let registers = Mask::range(first, first + self.wishes[w].count);
        for &m in &self.moments_of[w] {
            self.moments[m].free.remove(&registers);
            self.moments[m].needs(&self.wishes[w], |n, less| n - less);
        }
    }

    fn take_back(&mut self, w: usize) {
        let registers = Mask::range(self.places[w], self.places[w] + self.wishes[w].count);
        for &m in &self.moments_of[w] {
            self.moments[m].free.add(&registers);
            self.moments[m].needs(&self.wishes[w], |n, more| n + more);
        }
    }

    /// What is left and what is free from the floor up, on which all that follows depends. 128 bits, so that among as many
    /// states as there is patience for no two will have the same.
    fn state(&self, floor: u16) -> u128 {
        let above = Mask::range(floor, NAMED);
        let mut left: Vec<usize> = self.left.iter().map(|w| self.like[*w]).collect();
        left.sort_unstable();
        let half = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, &left).hash(&mut hasher);
            self.moments[..self.exact].iter().for_each(|m| m.free.and(&above).hash(&mut hasher));
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether any arrangement works, by trying all.
    fn any_works(wishes: &[Wish], taken: &[Vec<Segment>], places: &mut Vec<u16>) -> bool {
        let Some(w) = wishes.get(places.len()) else { return true };
        for first in (0..(taken.len() as u16 + 1).saturating_sub(w.count)).step_by(w.align.into()) {
            let free = (first..first + w.count).all(|r| !overlap(&w.segments, &taken[usize::from(r)]));
            let clear = places
                .iter()
                .zip(wishes)
                .all(|(p, o)| first + w.count <= *p || p + o.count <= first || !overlap(&w.segments, &o.segments));
            if free && clear {
                places.push(first);
                if any_works(wishes, taken, places) {
                    return true;
                }
                places.pop();
            }
        }
        false
    }

    fn segments() -> impl Strategy<Value = Vec<Segment>> {
        proptest::collection::btree_set(0u32..12, 2..5).prop_map(|points| {
            let points: Vec<u32> = points.into_iter().collect();
            points.chunks_exact(2).map(|p| (p[0], p[1])).collect()
        })
    }

    /// A problem: values by kind and life, and when each register of the file is taken.
    fn problem() -> impl Strategy<Value = (Vec<Wish>, Vec<Vec<Segment>>)> {
        let kinds = [(1, 1), (2, 2), (3, 2), (4, 4), (4, 2)];
        let wish = move |(kind, segments): (usize, Vec<Segment>)| Wish {
            count: kinds[kind].0,
            align: kinds[kind].1,
            segments,
        };
        let wishes = proptest::collection::vec((0usize..5, segments()), 1..9);
        let taken = proptest::collection::vec(prop_oneof![3 => Just(Vec::new()), 1 => segments()], 4..12);
        (wishes, taken).prop_map(move |(wishes, taken)| (wishes.into_iter().map(wish).collect(), taken))
    }

    /// Whether an answer is true: an arrangement fits, and of what is said not to fit nothing does.
    fn is_true(wishes: &[Wish], taken: &[Vec<Segment>], answer: &Result<Vec<u16>, Unfit>) -> Result<(), TestCaseError> {
        match answer {
            Ok(places) => {
                for (i, (w, p)) in wishes.iter().zip(places).enumerate() {
                    prop_assert!(p % w.align == 0 && usize::from(p + w.count) <= taken.len());
                    prop_assert!((*p..p + w.count).all(|r| !overlap(&w.segments, &taken[usize::from(r)])));
                    for (o, q) in wishes.iter().zip(places).take(i) {
                        prop_assert!(p + w.count <= *q || q + o.count <= *p || !overlap(&w.segments, &o.segments));
                    }
                }
            }
            Err(unfit) => prop_assert!(!unfit.proved || !any_works(wishes, taken, &mut Vec::new())),
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_fits_is_placed_and_what_is_refused_does_not_fit((wishes, taken) in problem()) {
            let answer = fit(&wishes, &taken);
            is_true(&wishes, &taken, &answer)?;
            prop_assert!(answer.is_ok() || answer.is_err_and(|unfit| unfit.proved), "undecided");
        }

        #[test]
        fn nothing_false_is_said_however_soon_patience_ends((wishes, taken) in problem(), rounds in 0usize..3, patience in 0u64..200) {
            is_true(&wishes, &taken, &fit_within(&wishes, &taken, rounds, patience))?;
        }
    }

    /// Holes in their lives let values meet two by two and never all at once: of eight registers no more than five are ever in
    /// use, but three pairs meet each other, and each of them three values that are live all along.
    #[test]
    fn values_that_meet_at_different_times_are_counted_together_and_without_patience_nothing_is_claimed() {
        let wish = |count, segments: &[Segment]| Wish { count, align: count, segments: segments.to_vec() };
        let mut wishes = vec![
            wish(2, &[(0, 4), (10, 11)]),
            wish(2, &[(4, 8), (10, 11), (12, 13)]),
            wish(2, &[(8, 9), (11, 13), (14, 15), (16, 17)]),
        ];
        // The third meets the first only here.
        wishes[0].segments.push((14, 15));
        wishes.extend((0..3).map(|_| wish(1, &[(0, 9)])));
        let taken = vec![Vec::new(); 8];
        let Err(unfit) = fit(&wishes, &taken) else { panic!("nine registers were found in eight") };
        assert!(unfit.proved);
        assert_eq!(fit_within(&wishes, &taken, 0, 0).map_err(|unfit| unfit.proved), Err(false));
        let search = Search::new(&wishes, moments(&wishes, &taken, &(0..6).collect::<Vec<_>>()), &[0, 1, 2, 3, 4, 5]);
        assert!(search.has_room(0), "no moment alone shows it");
        assert_eq!(fit(&wishes, &vec![Vec::new(); 9]).map(|places| places.len()), Ok(6));
    }
}
