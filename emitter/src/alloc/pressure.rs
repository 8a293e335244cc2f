//! What to say when values find no place: which one, what is live where it is tightest, and the pressure all along.

use super::Segment;
use super::place::{Unfit, Wish};
use crate::builder::{FIRST_VIRTUAL, KernelBuilder, Node};
use crate::error::{EmitError, File, Live, Peak};
use wavesmith_asm::reg::RegClass;

/// The error of a value that found no place, with what is wanted all along the program by the registers that the code
/// names, whose segments `file` holds, and by the values.
pub(super) fn pressure(
    b: &KernelBuilder,
    nodes: &[Node],
    class: RegClass,
    values: &[usize],
    wishes: &[Wish],
    file: &[Vec<Segment>],
    unfit: Unfit,
) -> EmitError {
    let value = b.values[values[unfit.wish]];
    let mut change = vec![0i32; 2 * nodes.len() + 3];
    let mut count = |segments: &[Segment], n: i32| {
        for (from, to) in segments {
            change[*from as usize] += n;
            change[*to as usize] -= n;
        }
    };
    file.iter().for_each(|s| count(s, 1));
    wishes.iter().for_each(|w| count(&w.segments, w.count.into()));
    let wanted: Vec<u16> = change
        .iter()
        .scan(0, |sum, c| {
            *sum += c;
            Some(*sum as u16)
        })
        .take(2 * nodes.len())
        .collect();
    let limit = file.len() as u16;
    let tightest = |points: &mut dyn Iterator<Item = usize>| points.max_by_key(|p| (wanted[*p], std::cmp::Reverse(*p)));
    let point = tightest(&mut (0..wanted.len()))
        .filter(|p| wanted[*p] > limit)
        // There are enough, but no run of them: the tightest point of the value's own life tells more.
        .or_else(|| {
            tightest(
                &mut wishes[unfit.wish].segments.iter().flat_map(|s| s.0 as usize..(s.1 as usize).min(wanted.len())),
            )
        })
        .unwrap_or_default();
    let lives = |w: &Wish| w.segments.iter().any(|s| (s.0..s.1).contains(&(point as u32)));
    let live = values
        .iter()
        .zip(wishes)
        .filter(|(_, w)| lives(w))
        .map(|(v, w)| Live { first: b.values[*v].first - FIRST_VIRTUAL, count: w.count, at: b.values[*v].at })
        .collect();
    let mut profile: Vec<Peak> = Vec::new();
    for (node, wanted) in nodes.iter().zip(wanted.chunks(2)) {
        let wanted = wanted.iter().copied().max().unwrap_or_default();
        match profile.iter_mut().find(|peak| peak.at == node.at) {
            Some(peak) => peak.wanted = peak.wanted.max(wanted),
            None => profile.push(Peak { at: node.at, wanted }),
        }
    }
    EmitError::Pressure {
        file: File(class),
        count: value.count.into(),
        value: value.at,
        limit,
        pressure: wanted.get(point).copied().unwrap_or_default(),
        live,
        at: nodes[point / 2].at,
        profile,
        proved: unfit.proved,
    }
}
