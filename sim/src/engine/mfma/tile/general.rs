//! The scalar definition for every shape and operand: what the vector forms must agree with, and where they send what they
//! do not cover (infinities, NaN, extreme scales, rows shorter than a vector).

use super::*;

/// The scalar definition, for every shape and operand.
///
/// # Safety
/// As [`run`].
pub(super) unsafe fn general(s: &mut Scratch, m: &Mfma, numerics: Numerics, o: Operands, c: &[u32], step: usize) {
    let sh = &m.shape;
    let (rm, rn, k, blocks) = (sh.m as usize, sh.n as usize, sh.k as usize, sh.blocks as usize);
    // SAFETY: A and B have the registers that `m` says.
    let (ra, rb) = unsafe {
        (
            core::slice::from_raw_parts(o.a, m.a_regs as usize * WAVE),
            core::slice::from_raw_parts(o.b, m.b_regs as usize * WAVE),
        )
    };
    if sh.d == Elem::F64 {
        // SAFETY: passed on.
        return unsafe { general_f64(m, ra, rb, c, step, o.d) };
    }
    let rb = if m.blgp != 0 && !sh.typed_by_fields {
        for reg in 0..m.b_regs as usize {
            for lane in 0..WAVE {
                s.lanes[reg * WAVE + lane] = rb[reg * WAVE + blgp_lane(m.blgp, lane)];
            }
        }
        &s.lanes[..m.b_regs as usize * WAVE]
    } else {
        rb
    };
    let take = |regs: &[u32], p: Place, bits: usize| {
        let (reg, shift) = (p.item * bits / 32, p.item * bits % 32);
        let low = regs.get(reg * WAVE + p.lane).copied().unwrap_or(0) >> shift;
        let high = if shift + bits > 32 {
            regs.get((reg + 1) * WAVE + p.lane).copied().unwrap_or(0) << (32 - shift)
        } else {
            0
        };
        let mask = if bits >= 32 { u32::MAX } else { (1 << bits) - 1 };
        (low | high) & mask
    };
    let (ba, bb) = (sh.a.bits() as usize, sh.b.bits() as usize);
    // SAFETY: where there are indices or scales, they are one register each.
    let index = m.index.map(|_| unsafe { core::slice::from_raw_parts(o.index, WAVE) });
    let mut dense = *sh;
    if sh.sparse {
        dense.k /= 2;
    }
    // D may lie over A and B: nothing is written before all of them is read.
    let mut results = Vec::with_capacity(blocks * rm * rn);
    for block in 0..blocks {
        let a_block = if sh.sparse { block } else { broadcast_block(m.cbsz, m.abid, block) };
        for i in 0..rm {
            // A's row: for sparse operands, half of it with the places of the kept values.
            let mut row = vec![0u32; k];
            let mut present = vec![true; k];
            if let Some(index) = index {
                present.fill(false);
                for kk in 0..k / 2 {
                    let p = input(&dense, rm, sh.a, i, kk, block);
                    let at = kk / 2 * 4 + sparse_place(m, index[p.lane], p.item);
                    row[at] = take(ra, p, ba);
                    present[at] = true;
                }
            } else {
                for (kk, v) in row.iter_mut().enumerate() {
                    *v = take(ra, input(sh, rm, sh.a, i, kk, a_block), ba);
                }
            }
            for j in 0..rn {
                let column: Vec<u32> = (0..k).map(|kk| take(rb, input(sh, rn, sh.b, j, kk, block), bb)).collect();
                let place = output(sh, i, j, block);
                let c = c[place.item * step + place.lane];
                // SAFETY: scales are one register each.
                let scales = m.scale.map(|(_, sa, _, sb)| unsafe {
                    let exp = |regs: *const u32, byte: u8, lane: usize| {
                        (*regs.add(lane) >> (8 * u32::from(byte)) & 0xff) as i32
                    };
                    move |kk: usize| (exp(o.scale_a, sa, scale(rm, i, kk)), exp(o.scale_b, sb, scale(rn, j, kk)))
                });
                let used: Vec<usize> = (0..k).filter(|kk| present[*kk]).collect();
                let pick = |v: &[u32]| -> Vec<u32> { used.iter().map(|kk| v[*kk]).collect() };
                let (a, b) = (pick(&row), pick(&column));
                let r = match (m.family, numerics) {
                    (Family::Integer, _) => a.iter().zip(&b).fold(c, |d, (x, y)| {
                        d.wrapping_add((i32::from(*x as u8 as i8) * i32::from(*y as u8 as i8)) as u32)
                    }),
                    (Family::FlushTree { group }, Numerics::Exact) => {
                        let v = |x: &u32, ty: Elem| {
                            let f = value(*x, ty, m.fp8);
                            let ones = if ty == Elem::F16 { 0x7c00 } else { 0x7f80 };
                            if x & ones == 0 { 0.0 } else { f }
                        };
                        let a: Vec<f32> = a.iter().map(|x| v(x, sh.a)).collect();
                        let b: Vec<f32> = b.iter().map(|x| v(x, sh.b)).collect();
                        flush_tree(group, &a, &b, f32::from_bits(c))
                    }
                    (Family::FmaChain, _) | (_, Numerics::Fast) => {
                        let scaled = |v: f32, e: i32| {
                            if e == 255 {
                                f32::NAN
                            } else {
                                (f64::from(v) * crate::engine::lanes::float::pow2(e - 127)) as f32
                            }
                        };
                        let a: Vec<f32> = a
                            .iter()
                            .enumerate()
                            .map(|(n, x)| {
                                let v = xf(value(*x, sh.a, m.fp8), sh.a);
                                scales.as_ref().map_or(v, |s| scaled(v, s(used[n]).0))
                            })
                            .collect();
                        let b: Vec<f32> = b
                            .iter()
                            .enumerate()
                            .map(|(n, x)| {
                                let v = xf(value(*x, sh.b, m.fp8), sh.b);
                                scales.as_ref().map_or(v, |s| scaled(v, s(used[n]).1))
                            })
                            .collect();
                        fma_chain(&a, &b, f32::from_bits(c))
                    }
                    (family, _) => {
                        let num = |x: &u32, ty: Elem, e: Option<i32>| {
                            let mut n = decode(*x, ty, m.fp8);
                            match e {
                                Some(255) => n.class = 2,
                                Some(e) if n.sig != 0 => n.exp += e - 127,
                                _ => {}
                            }
                            n
                        };
                        let a: Vec<Num> = a
                            .iter()
                            .enumerate()
                            .map(|(n, x)| num(x, sh.a, scales.as_ref().map(|s| s(used[n]).0)))
                            .collect();
                        let b: Vec<Num> = b
                            .iter()
                            .enumerate()
                            .map(|(n, x)| num(x, sh.b, scales.as_ref().map(|s| s(used[n]).1)))
                            .collect();
                        dot(family, &a, &b, f32::from_bits(c), fraction_bits(sh.a) + fraction_bits(sh.b))
                    }
                };
                results.push((place, r));
            }
        }
    }
    for (place, r) in results {
        // SAFETY: the place is within D's registers, by the layout.
        unsafe { *o.d.add(place.item * WAVE + place.lane) = r };
    }
}

fn xf(v: f32, ty: Elem) -> f32 {
    if ty == Elem::Xf32 { f32::from_bits(v.to_bits() & !0x1fff) } else { v }
}

/// Place in its group of four of the `item`-th kept value of a lane: two bits each, from the set that `abid` names.
fn sparse_place(m: &Mfma, index: u32, item: usize) -> usize {
    let values = (m.shape.m as usize * m.shape.k as usize / 2 / 64).max(1);
    let width = 2 * values;
    let sets = (32 / width).max(1);
    let set = if m.cbsz == 0 { m.abid as usize % sets } else { 0 };
    (index >> (set * width % 32 + 2 * item) & 3) as usize
}

/// f64: IEEE chains, with `blgp` as negations of A, B and C.
///
/// # Safety
/// `d` addresses as many registers as the shape says.
unsafe fn general_f64(m: &Mfma, ra: &[u32], rb: &[u32], c: &[u32], step: usize, d: *mut u32) {
    let sh = &m.shape;
    let (rm, rn, k) = (sh.m as usize, sh.n as usize, sh.k as usize);
    let pair = |regs: &[u32], lane: usize, item: usize, step: usize| {
        let at = |r: usize| regs.get(r * step + lane).copied().unwrap_or(0);
        f64::from_bits(u64::from(at(2 * item)) | u64::from(at(2 * item + 1)) << 32)
    };
    let sign = |bit: u8| if m.blgp >> bit & 1 == 1 { -1.0 } else { 1.0 };
    let mut results = Vec::new();
    for block in 0..sh.blocks as usize {
        for i in 0..rm {
            for j in 0..rn {
                let place = output(sh, i, j, block);
                let c = if m.c_constant {
                    f64::from_bits(
                        u64::from(c[place.lane]) | u64::from(c.get(WAVE + place.lane).copied().unwrap_or(0)) << 32,
                    )
                } else {
                    pair(c, place.lane, place.item, step)
                };
                let mut acc = c * sign(2);
                for kk in 0..k {
                    let (pa, pb) = (
                        input(sh, rm, sh.a, i, kk, broadcast_block(m.cbsz, m.abid, block)),
                        input(sh, rn, sh.b, j, kk, block),
                    );
                    let (x, y) = (pair(ra, pa.lane, pa.item, WAVE), pair(rb, pb.lane, pb.item, WAVE));
                    acc = (x * sign(0)).mul_add(y * sign(1), acc);
                }
                let bits = if acc.is_nan() { 0x7fff_ffff_ffff_ffff } else { acc.to_bits() };
                results.push((place, bits));
            }
        }
    }
    for (place, bits) in results {
        // SAFETY: the place is within D's registers, by the layout.
        unsafe {
            *d.add(2 * place.item * WAVE + place.lane) = bits as u32;
            *d.add((2 * place.item + 1) * WAVE + place.lane) = (bits >> 32) as u32;
        }
    }
}
