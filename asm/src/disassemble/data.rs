//! The listing of data: numbers, with labels and addresses where they are.

use super::push_name;
use crate::print::{Text, push_hex, push_u32};
use std::collections::BTreeMap;

/// Runs of zeros from this many bytes on are told by their length.
const LONG_RUN: usize = 32;
/// Dwords a line.
const COLUMNS: usize = 8;

/// Data up to its next label or address.
pub(super) struct Data<'a> {
    pub(super) bytes: &'a [u8],
    /// Expressions of eight bytes, by offset.
    pub(super) quads: &'a BTreeMap<u64, String>,
}

impl Data<'_> {
    /// Appends `range` of the data.
    pub(super) fn push(&self, out: &mut Text, range: std::ops::Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            if let Some(quad) = self.quads.get(&(at as u64)).filter(|_| at + 8 <= range.end) {
                out.push_str("\t.quad ");
                out.push_str(quad);
                out.push('\n');
                at += 8;
                continue;
            }
            let end = self.quads.range(at as u64 + 1..range.end as u64).next().map_or(range.end, |(q, _)| *q as usize);
            push_plain(out, &self.bytes[at..end]);
            at = end;
        }
    }
}

/// Appends bytes as numbers.
fn push_plain(out: &mut Text, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let zeros = bytes.iter().take_while(|b| **b == 0).count();
        if zeros >= LONG_RUN || zeros == bytes.len() {
            out.push_str("\t.zero ");
            push_u32(out, zeros as u32);
            out.push('\n');
            bytes = &bytes[zeros..];
            continue;
        }
        // Up to the next long run.
        let mut n = 0;
        while n < bytes.len().min(COLUMNS * 4) && !bytes[n..].iter().take(LONG_RUN).all(|b| *b == 0) {
            n += 1;
        }
        let (line, rest) = bytes.split_at(n.max(1));
        let dwords = line.chunks_exact(4);
        let tail = dwords.remainder();
        let words: Vec<u32> = dwords.map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        push_list(out, "\t.long ", words.into_iter());
        push_list(out, "\t.byte ", tail.iter().map(|b| u32::from(*b)));
        bytes = rest;
    }
}

fn push_list(out: &mut Text, directive: &str, values: impl Iterator<Item = u32>) {
    let mut any = false;
    for v in values {
        out.push_str(if any { ", " } else { directive });
        push_hex(out, v);
        any = true;
    }
    if any {
        out.push('\n');
    }
}

/// Appends `NAME + OFFSET`.
pub(super) fn push_sum(out: &mut Text, name: &str, offset: i64) {
    push_name(out, name);
    if offset != 0 {
        out.push(if offset < 0 { '-' } else { '+' });
        out.push_str(&offset.unsigned_abs().to_string());
    }
}
