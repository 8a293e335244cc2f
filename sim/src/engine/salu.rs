//! Scalar ALU operations: 32 or 64 bits in, a result and SCC out.

use wavesmith_asm::sem::{Cond, Elem, Logic, SOp};

/// A result, and how many words of the destination it takes (0: nothing is written).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Out {
    /// Value.
    pub value: u64,
    /// Words written.
    pub words: u8,
}

/// Two operands combined bit by bit.
#[inline(always)]
pub fn logic(l: Logic, a: u64, b: u64) -> u64 {
    match l {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
        Logic::Andn2 => a & !b,
        Logic::Orn2 => a | !b,
        Logic::Nand => !(a & b),
        Logic::Nor => !(a | b),
        Logic::Xnor => !(a ^ b),
        Logic::Andn1 => !a & b,
        Logic::Orn1 => !a | b,
    }
}

/// Whether operation `op` of type `ty` reads 64-bit sources (first and second).
pub const fn wide_sources(op: SOp, ty: Elem) -> (bool, bool) {
    let wide = ty.bits() == 64;
    match op {
        SOp::Bitset0 | SOp::Bitset1 | SOp::Bitreplicate | SOp::Bfm => (false, false),
        SOp::Lshl | SOp::Lshr | SOp::Ashr | SOp::Bfe => (wide, false),
        _ => (wide, wide),
    }
}

/// Executes `op`. `d` is the destination's old value.
pub fn salu(op: SOp, ty: Elem, a: u64, b: u64, d: u64, scc: &mut bool) -> Out {
    let wide = ty.bits() == 64;
    let words = if wide { 2 } else { 1 };
    let mask = if wide { u64::MAX } else { 0xffff_ffff };
    let (a32, b32) = (a as u32, b as u32);
    let bits = if wide { 64 } else { 32 };
    let signed = matches!(ty, Elem::I32 | Elem::I64);
    let word = |v: u32| Out { value: u64::from(v), words: 1 };
    let full = |v: u64| Out { value: v & mask, words };
    let none = Out { value: 0, words: 0 };
    match op {
        SOp::Mov => full(a),
        SOp::Cmov => {
            if *scc {
                full(a)
            } else {
                none
            }
        }
        SOp::Not => {
            let r = full(!a);
            *scc = r.value != 0;
            r
        }
        SOp::Wqm => {
            let mut r = 0u64;
            for quad in 0..bits / 4 {
                if a >> (4 * quad) & 15 != 0 {
                    r |= 15 << (4 * quad);
                }
            }
            *scc = r != 0;
            full(r)
        }
        SOp::Quadmask => {
            let mut r = 0u64;
            for quad in 0..bits / 4 {
                r |= u64::from(a >> (4 * quad) & 15 != 0) << quad;
            }
            *scc = r != 0;
            full(r)
        }
        SOp::Brev => full(if wide { a.reverse_bits() } else { u64::from(a32.reverse_bits()) }),
        SOp::Bcnt0 | SOp::Bcnt1 => {
            let ones = (a & mask).count_ones();
            let r = if op == SOp::Bcnt1 { ones } else { bits - ones };
            *scc = r != 0;
            word(r)
        }
        SOp::Ff0 | SOp::Ff1 => {
            let v = if op == SOp::Ff1 { a & mask } else { !a & mask };
            word(if v == 0 { u32::MAX } else { v.trailing_zeros() })
        }
        SOp::Flbit => {
            let v = a & mask;
            word(if v == 0 { u32::MAX } else { v.leading_zeros() - (64 - bits) })
        }
        SOp::FlbitSigned => {
            let v = if wide { a as i64 } else { i64::from(a32 as i32) };
            let x = (v ^ (v >> 63)) as u64 & mask;
            word(if x == 0 { u32::MAX } else { x.leading_zeros() - (64 - bits) })
        }
        SOp::SextI8 => word(i32::from(a as i8) as u32),
        SOp::SextI16 => word(i32::from(a as i16) as u32),
        SOp::Bitset0 => full(d & !(1 << (a & u64::from(bits - 1)))),
        SOp::Bitset1 => full(d | 1 << (a & u64::from(bits - 1))),
        SOp::Abs => {
            let r = (a32 as i32).wrapping_abs() as u32;
            *scc = r != 0;
            word(r)
        }
        SOp::Bitreplicate => {
            let mut r = 0u64;
            for i in 0..32 {
                r |= (u64::from((a32 >> i) & 1) * 3) << (2 * i);
            }
            Out { value: r, words: 2 }
        }
        SOp::Add if signed => {
            let (r, o) = (a32 as i32).overflowing_add(b32 as i32);
            *scc = o;
            word(r as u32)
        }
        SOp::Add => {
            let (r, o) = a32.overflowing_add(b32);
            *scc = o;
            word(r)
        }
        SOp::Sub if signed => {
            let (r, o) = (a32 as i32).overflowing_sub(b32 as i32);
            *scc = o;
            word(r as u32)
        }
        SOp::Sub => {
            let (r, o) = a32.overflowing_sub(b32);
            *scc = o;
            word(r)
        }
        SOp::AddCarry => {
            let r = u64::from(a32) + u64::from(b32) + u64::from(*scc);
            *scc = r >> 32 != 0;
            word(r as u32)
        }
        SOp::SubBorrow => {
            let r = u64::from(a32).wrapping_sub(u64::from(b32)).wrapping_sub(u64::from(*scc));
            *scc = r >> 32 != 0;
            word(r as u32)
        }
        SOp::Min | SOp::Max => {
            let first = match (op == SOp::Min, signed) {
                (true, true) => (a32 as i32) < b32 as i32,
                (true, false) => a32 < b32,
                (false, true) => a32 as i32 >= b32 as i32,
                (false, false) => a32 >= b32,
            };
            *scc = first;
            word(if first { a32 } else { b32 })
        }
        SOp::Cselect => full(if *scc { a } else { b }),
        SOp::Logic(l) => {
            let r = full(logic(l, a, b));
            *scc = r.value != 0;
            r
        }
        SOp::Lshl => {
            let r = full(a << (b32 & (bits - 1)));
            *scc = r.value != 0;
            r
        }
        SOp::Lshr => {
            let r = full((a & mask) >> (b32 & (bits - 1)));
            *scc = r.value != 0;
            r
        }
        SOp::Ashr => {
            let r = full(if wide { (a as i64 >> (b32 & 63)) as u64 } else { (a32 as i32 >> (b32 & 31)) as u32 as u64 });
            *scc = r.value != 0;
            r
        }
        SOp::Bfm => full((1u64 << (a & u64::from(bits - 1))).wrapping_sub(1) << (b & u64::from(bits - 1))),
        SOp::Mul => word(a32.wrapping_mul(b32)),
        SOp::MulHi if signed => word(((i64::from(a32 as i32) * i64::from(b32 as i32)) >> 32) as u32),
        SOp::MulHi => word(((u64::from(a32) * u64::from(b32)) >> 32) as u32),
        SOp::Bfe => {
            let (offset, width) = (b32 & (bits - 1), (b32 >> 16 & 0x7f).min(bits));
            let v = (a & mask) >> offset;
            let r = if width == 0 {
                0
            } else if width >= bits - offset {
                // The field runs off the top: a signed one takes its sign from the top bit.
                if signed && wide {
                    (a as i64 >> offset) as u64
                } else if signed {
                    (a32 as i32 >> offset) as u32 as u64
                } else {
                    v
                }
            } else {
                let field = v & ((1u64 << width) - 1);
                if signed { ((field << (64 - width)) as i64 >> (64 - width)) as u64 } else { field }
            };
            let r = full(r);
            *scc = r.value != 0;
            r
        }
        SOp::AbsDiff => {
            let r = (a32 as i32).wrapping_sub(b32 as i32).wrapping_abs() as u32;
            *scc = r != 0;
            word(r)
        }
        SOp::LshlAdd(n) => {
            let r = (u64::from(a32) << n) + u64::from(b32);
            *scc = r >> 32 != 0;
            word(r as u32)
        }
        SOp::PackLL => word(a32 & 0xffff | b32 << 16),
        SOp::PackLH => word(a32 & 0xffff | b32 & 0xffff_0000),
        SOp::PackHH => word(a32 >> 16 | b32 & 0xffff_0000),
        SOp::AddK => {
            let (r, o) = (d as u32 as i32).overflowing_add(a32 as i32);
            *scc = o;
            word(r as u32)
        }
        SOp::MulK => word((d as u32).wrapping_mul(a32)),
        SOp::SetGprIdxIdx => word(d as u32 & !0xff | a32 & 0xff),
        // The interpreter resolves these: they name registers by M0.
        SOp::MovrelS | SOp::MovrelD => none,
    }
}

/// A scalar comparison.
pub fn compare(cond: Cond, ty: Elem, a: u64, b: u64) -> bool {
    let order = match ty {
        Elem::I32 => (a as u32 as i32).cmp(&(b as u32 as i32)),
        Elem::I64 => (a as i64).cmp(&(b as i64)),
        t if t.bits() == 64 => a.cmp(&b),
        _ => (a as u32).cmp(&(b as u32)),
    };
    match cond {
        Cond::Eq => order.is_eq(),
        Cond::Ne | Cond::Lg | Cond::Neq => order.is_ne(),
        Cond::Lt => order.is_lt(),
        Cond::Le => order.is_le(),
        Cond::Gt => order.is_gt(),
        Cond::Ge => order.is_ge(),
        Cond::T => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(op: SOp, ty: Elem, a: u64, b: u64) -> (u64, bool) {
        let mut scc = false;
        (salu(op, ty, a, b, 0, &mut scc).value, scc)
    }

    #[test]
    fn carries_and_overflows_reach_scc() {
        assert_eq!(run(SOp::Add, Elem::U32, 0xffff_ffff, 1), (0, true));
        assert_eq!(run(SOp::Add, Elem::I32, 0x7fff_ffff, 1), (0x8000_0000, true));
        assert_eq!(run(SOp::Add, Elem::I32, 0xffff_ffff, 1), (0, false));
        assert_eq!(run(SOp::Sub, Elem::U32, 1, 2), (0xffff_ffff, true));
        let mut scc = true;
        assert_eq!(salu(SOp::SubBorrow, Elem::U32, 0, 0, 0, &mut scc).value, 0xffff_ffff);
        assert!(scc);
    }

    #[test]
    fn bit_fields_take_their_width_from_the_upper_half() {
        assert_eq!(run(SOp::Bfe, Elem::U32, 0xabcd_1234, 8 | 8 << 16).0, 0x12);
        assert_eq!(run(SOp::Bfe, Elem::I32, 0x0000_8000, 8 | 8 << 16).0, 0xffff_ff80);
        assert_eq!(run(SOp::Bfe, Elem::U64, 0x1234_5678_9abc_def0, 32 | 16 << 16).0, 0x5678);
        assert_eq!(run(SOp::Bfe, Elem::U32, 5, 0), (0, false));
        assert_eq!(run(SOp::Bfe, Elem::I32, 0x8000_0000, 16 | 32 << 16).0, 0xffff_8000);
    }

    #[test]
    fn counting_from_either_end_says_minus_one_for_nothing() {
        assert_eq!(run(SOp::Ff1, Elem::B32, 0, 0).0, 0xffff_ffff);
        assert_eq!(run(SOp::Ff1, Elem::B64, 1 << 40, 0).0, 40);
        assert_eq!(run(SOp::Flbit, Elem::B32, 1, 0).0, 31);
        assert_eq!(run(SOp::Flbit, Elem::B64, 1, 0).0, 63);
        assert_eq!(run(SOp::FlbitSigned, Elem::I32, 0xffff_ffff, 0).0, 0xffff_ffff);
        assert_eq!(run(SOp::FlbitSigned, Elem::I32, 0xffff_fffe, 0).0, 31);
    }
}
