//! Loads, stores and atomics of every memory space beside bytes in an array, by the mnemonic.

use crate::bare::Bare;
use crate::case::Random;
use crate::exact::{BF16, F16, F32, F64, Ieee, Round};
use std::cmp::Ordering;
use wavesmith_asm::assemble::assemble;
use wavesmith_asm::rows;
use wavesmith_asm::{Form, Format, Target};
use wavesmith_sim::EngineKind;

/// Bytes of memory: a lane has sixty-four, and as many again half-way up, for strides of sixty-four elements.
const BYTES: usize = 8192;

/// One lane's access.
struct Lane<'a> {
    memory: &'a mut Vec<u8>,
    at: usize,
    data: [u32; 8],
    result: [u32; 4],
    old_f32_sums_flush: bool,
}

impl Lane<'_> {
    fn load(&self, at: usize, bytes: usize) -> u64 {
        (0..bytes).fold(0, |v, i| v | u64::from(self.memory[at + i]) << (8 * i))
    }
    fn store(&mut self, at: usize, bytes: usize, v: u64) {
        (0..bytes).for_each(|i| self.memory[at + i] = (v >> (8 * i)) as u8);
    }
    fn data(&self, first: usize, bytes: usize) -> u64 {
        let low = u64::from(self.data[first]);
        if bytes == 8 { low | u64::from(self.data[first + 1]) << 32 } else { low }
    }
    fn back(&mut self, bytes: usize, v: u64) {
        self.result[0] = v as u32;
        if bytes == 8 {
            self.result[1] = (v >> 32) as u32;
        }
    }

    fn plain(&mut self, what: &str) -> Option<()> {
        let (verb, ty) = what.split_once('_')?;
        // The other half is cleared, as parts with SRAM-ECC do.
        let half = |v: u64, high: bool| if high { (v as u32) << 16 } else { v as u32 & 0xffff };
        let dwords = |ty: &str| match ty {
            "dword" | "b32" => Some(1),
            "dwordx2" | "b64" => Some(2),
            "dwordx3" | "b96" => Some(3),
            "dwordx4" | "b128" => Some(4),
            _ => None,
        };
        match (verb, ty) {
            ("load" | "read", _) if dwords(ty).is_some() => {
                for i in 0..dwords(ty)? {
                    self.result[i] = self.load(self.at + 4 * i, 4) as u32;
                }
            }
            ("load" | "read", "ubyte" | "u8") => self.result[0] = self.load(self.at, 1) as u32,
            ("load" | "read", "sbyte" | "i8") => self.result[0] = self.load(self.at, 1) as u8 as i8 as u32,
            ("load" | "read", "ushort" | "u16") => self.result[0] = self.load(self.at, 2) as u32,
            ("load" | "read", "sshort" | "i16") => self.result[0] = self.load(self.at, 2) as u16 as i16 as u32,
            ("load" | "read", "ubyte_d16" | "u8_d16") => self.result[0] = half(self.load(self.at, 1), false),
            ("load" | "read", "ubyte_d16_hi" | "u8_d16_hi") => self.result[0] = half(self.load(self.at, 1), true),
            ("load" | "read", "sbyte_d16" | "i8_d16") => {
                self.result[0] = half(self.load(self.at, 1) as u8 as i8 as u64, false);
            }
            ("load" | "read", "sbyte_d16_hi" | "i8_d16_hi") => {
                self.result[0] = half(self.load(self.at, 1) as u8 as i8 as u64, true);
            }
            ("load" | "read", "short_d16" | "u16_d16") => self.result[0] = half(self.load(self.at, 2), false),
            ("load" | "read", "short_d16_hi" | "u16_d16_hi") => self.result[0] = half(self.load(self.at, 2), true),
            ("store" | "write", _) if dwords(ty).is_some() => {
                for i in 0..dwords(ty)? {
                    self.store(self.at + 4 * i, 4, self.data[i].into());
                }
            }
            ("store" | "write", "byte" | "b8") => self.store(self.at, 1, self.data[0].into()),
            ("store" | "write", "byte_d16_hi" | "b8_d16_hi") => self.store(self.at, 1, u64::from(self.data[0] >> 16)),
            ("store" | "write", "short" | "b16") => self.store(self.at, 2, self.data[0].into()),
            ("store" | "write", "short_d16_hi" | "b16_d16_hi") => self.store(self.at, 2, u64::from(self.data[0] >> 16)),
            _ => return None,
        }
        Some(())
    }

    /// The new value of memory.
    fn combined(&self, op: &str, ty: &str, old: u64, a: u64, b: u64) -> Option<u64> {
        let bytes = width(ty);
        let bits = 8 * bytes as u32;
        let signed = |v: u64| ((v << (64 - bits)) as i64) >> (64 - bits);
        let f = |f: Ieee| {
            let clean = move |v: u64| if f == F32 && self.old_f32_sums_flush { f.flushed(v) } else { v };
            move |x: u64, y: u64| {
                clean(f.round(&f.number(clean(x)).add(&f.number(clean(y)), Round::Nearest), Round::Nearest))
            }
        };
        let float = match ty {
            "f32" => Some(F32),
            "f64" => Some(F64),
            _ => None,
        };
        if let (Some(t), "min" | "max" | "cmpst") = (float, op) {
            let order = t.number(old).compare(&t.number(a));
            let less = order == Some(Ordering::Less) || order == Some(Ordering::Equal) && old & t.sign() != 0;
            return Some(match op {
                "cmpst" => {
                    if order == Some(Ordering::Equal) {
                        b
                    } else {
                        old
                    }
                }
                "min" => {
                    if less {
                        old
                    } else {
                        a
                    }
                }
                _ => {
                    if less {
                        a
                    } else {
                        old
                    }
                }
            });
        }
        Some(match (op, ty) {
            ("add", "f32") => f(F32)(old, a),
            ("add", "f64") => f(F64)(old, a),
            ("pk_add", _) => {
                let t = if ty == "bf16" { BF16 } else { F16 };
                f(t)(old & 0xffff, a & 0xffff) | f(t)(old >> 16 & 0xffff, a >> 16 & 0xffff) << 16
            }
            ("swap" | "wrxchg", _) => a,
            ("add", _) => old.wrapping_add(a),
            ("sub", _) => old.wrapping_sub(a),
            ("rsub", _) => a.wrapping_sub(old),
            ("min", "i32" | "i64") | ("smin", _) => {
                if signed(old) < signed(a) {
                    old
                } else {
                    a
                }
            }
            ("max", "i32" | "i64") | ("smax", _) => {
                if signed(old) > signed(a) {
                    old
                } else {
                    a
                }
            }
            ("min" | "umin", _) => old.min(a),
            ("max" | "umax", _) => old.max(a),
            ("and", _) => old & a,
            ("or", _) => old | a,
            ("xor", _) => old ^ a,
            ("inc", _) => {
                if old >= a {
                    0
                } else {
                    old + 1
                }
            }
            ("dec", _) => {
                if old == 0 || old > a {
                    a
                } else {
                    old - 1
                }
            }
            // Memory instructions have the new value first, those of LDS the compared one.
            ("cmpswap", _) => {
                if old == b {
                    a
                } else {
                    old
                }
            }
            ("cmpst", _) => {
                if old == a {
                    b
                } else {
                    old
                }
            }
            ("mskor", _) => old & !a | b,
            ("wrap", _) => {
                if old >= a {
                    old - a
                } else {
                    old.wrapping_add(b)
                }
            }
            ("condxchg32", _) => {
                let each = |old: u64, a: u64| if a >> 31 & 1 == 1 { a & 0x7fff_ffff } else { old };
                each(old & 0xffff_ffff, a & 0xffff_ffff) | each(old >> 32, a >> 32) << 32
            }
            _ => return None,
        })
    }
}

fn width(ty: &str) -> usize {
    if ty.ends_with("64") { 8 } else { 4 }
}

/// An atomic's operation, type, and whether the old value comes back in any case.
fn atomic(name: &str) -> Option<(String, String, bool)> {
    if let Some((_, what)) = name.split_once("_atomic_") {
        let wide = what.ends_with("_x2");
        let what = what.trim_end_matches("_x2");
        let (op, ty) = match what.rsplit_once('_') {
            Some((op, ty @ ("f32" | "f64" | "f16" | "bf16"))) => (op, ty),
            _ => (what, if wide { "u64" } else { "u32" }),
        };
        return Some((op.to_owned(), ty.to_owned(), false));
    }
    let what = name.strip_prefix("ds_")?;
    let (stem, ty) = what.rsplit_once('_')?;
    let (op, returns) = match stem.strip_suffix("_rtn") {
        Some(op) => (op, true),
        None => (stem, false),
    };
    let known = [
        "add",
        "sub",
        "rsub",
        "inc",
        "dec",
        "min",
        "max",
        "and",
        "or",
        "xor",
        "mskor",
        "wrxchg",
        "cmpst",
        "wrap",
        "condxchg32",
        "pk_add",
    ];
    known.contains(&op).then(|| (op.to_owned(), ty.to_owned(), returns))
}

/// The text of an instruction, and what it does to a lane; nothing where this model does not know it.
type Plan = (String, bool, Box<dyn Fn(&mut Lane<'_>) -> Option<()>>);

fn plan(name: &str, target: Target, offset: usize) -> Option<Plan> {
    let (space, rest) = name.split_once('_')?;
    // Where scratch lies is for the program to say before CDNA3.
    if space == "scratch" && matches!(target, Target::Gfx908 | Target::Gfx90a) {
        return None;
    }
    let returns = if matches!(target, Target::Gfx942 | Target::Gfx950) { "sc0" } else { "glc" };
    let regs =
        |first: usize, n: usize| if n == 1 { format!("v{first}") } else { format!("v[{first}:{}]", first + n - 1) };
    // Address operands: what stands before, behind.
    let text = |name: &str, dst: Option<String>, data: &[String], modifier: &str| {
        let dst = dst.map_or(String::new(), |d| d + ", ");
        let data = data.join(", ");
        let (lead, data_) = (if data.is_empty() { String::new() } else { format!(", {data}") }, &data);
        match space {
            "flat" => format!("{name} {dst}v[4:5]{lead} offset:{offset}{modifier}"),
            "global" => format!("{name} {dst}v6{lead}, s[8:9] offset:{offset}{modifier}"),
            "scratch" => format!("{name} {dst}v6{lead}, off offset:{offset}"),
            "buffer" if dst.is_empty() => format!("{name} {data_}, v6, s[12:15], 0 offen offset:{offset}{modifier}"),
            "buffer" => format!("{name} {dst}v6, s[12:15], 0 offen offset:{offset}{modifier}"),
            _ => format!("{name} {dst}v6{lead} offset:{offset}"),
        }
    };
    if let Some((op, ty, rtn)) = atomic(name) {
        let bytes = width(&ty);
        let n = bytes / 4;
        let two = matches!(op.as_str(), "mskor" | "cmpst" | "wrap");
        let ds = space == "ds";
        let data: Vec<String> = match (ds, two) {
            (true, true) => vec![regs(12, n), regs(16, n)],
            (false, _) if op == "cmpswap" => vec![regs(12, 2 * n)],
            _ => vec![regs(12, n)],
        };
        let no_return = rows::find(name, target).is_some_and(|id| id.row().mods.has(wavesmith_asm::row::Mods::NO_RTN));
        let back = rtn || !ds && !no_return;
        // MUBUF's old value comes back in the data register.
        let dst = (back && space != "buffer").then(|| regs(20, n));
        let modifier = if !ds && back { format!(" {returns}") } else { String::new() };
        let text = text(name, dst, &data, &modifier);
        let in_data = space == "buffer" && back;
        return Some((
            text,
            in_data,
            Box::new(move |l| {
                let old = l.load(l.at, bytes);
                let second = if ds { 4 } else { n };
                let (a, b) = (l.data(0, bytes), l.data(second, bytes));
                let new = l.combined(&op, &ty, old, a, b)?;
                l.store(l.at, bytes, new);
                if back {
                    l.back(bytes, old);
                }
                Some(())
            }),
        ));
    }
    if space == "ds" {
        let (stem, ty) = rest.rsplit_once('_')?;
        let n = width(ty) / 4;
        let stride = if stem.contains("st64") { 64 * 4 * n } else { 4 * n };
        let (first, second) = if stem.contains("st64") { (0, 4096 / stride) } else { (1, 2) };
        let offsets = format!(" offset0:{first} offset1:{second}");
        let places = move |l: &Lane<'_>| [l.at - l.at % 64 + first * stride, l.at - l.at % 64 + second * stride];
        match stem.trim_end_matches("st64").trim_end_matches("_rtn").trim_end_matches("st64") {
            "read2" => {
                let text = format!("{name} {}, v6{offsets}", regs(20, 2 * n));
                return Some((
                    text,
                    false,
                    Box::new(move |l| {
                        for (k, at) in places(l).into_iter().enumerate() {
                            for i in 0..n {
                                l.result[k * n + i] = l.load(at + 4 * i, 4) as u32;
                            }
                        }
                        Some(())
                    }),
                ));
            }
            "write2" => {
                let text = format!("{name} v6, {}, {}{offsets}", regs(12, n), regs(16, n));
                return Some((
                    text,
                    false,
                    Box::new(move |l| {
                        for (k, at) in places(l).into_iter().enumerate() {
                            let v = l.data(4 * k, 4 * n);
                            l.store(at, 4 * n, v);
                        }
                        Some(())
                    }),
                ));
            }
            "wrxchg2" => {
                let text = format!("{name} {}, v6, {}, {}{offsets}", regs(20, 2 * n), regs(12, n), regs(16, n));
                return Some((
                    text,
                    false,
                    Box::new(move |l| {
                        for (k, at) in places(l).into_iter().enumerate() {
                            for i in 0..n {
                                l.result[k * n + i] = l.load(at + 4 * i, 4) as u32;
                            }
                            let v = l.data(4 * k, 4 * n);
                            l.store(at, 4 * n, v);
                        }
                        Some(())
                    }),
                ));
            }
            _ => {}
        }
        if let Some(op) = stem.strip_suffix("_src2").map(str::to_owned) {
            // Both operands are in LDS, the second so many dwords on.
            let (bytes, ty) = (4 * n, ty.to_owned());
            return Some((
                format!("{name} v6 offset:4"),
                false,
                Box::new(move |l| {
                    let at = l.at - l.at % 64;
                    let (old, a) = (l.load(at, bytes), l.load(at + 16, bytes));
                    let new = if op == "write" { a } else { l.combined(&op, &ty, old, a, 0)? };
                    l.store(at, bytes, new);
                    Some(())
                }),
            ));
        }
    }
    if rest.contains("lds") || rest.contains("format") {
        return None;
    }
    let row = rows::find(name, target)?.row();
    let loads = rest.starts_with("load") || rest.starts_with("read");
    if !loads && !rest.starts_with("store") && !rest.starts_with("write")
        || rest.contains("addtid")
        || rest.contains("_tr_")
        || rest.contains('2') && space == "ds" && rest.contains("read2")
    {
        return None;
    }
    let n = row
        .operands
        .iter()
        .filter(|o| matches!(o.slot, wavesmith_asm::Field::Dst | wavesmith_asm::Field::Data0))
        .map(|o| o.ty.dwords())
        .max()?;
    let n = usize::from(n);
    let what = rest.to_owned();
    let text = if loads { text(name, Some(regs(20, n)), &[], "") } else { text(name, None, &[regs(12, n)], "") };
    Some((text, false, Box::new(move |l| l.plain(&what))))
}

/// Every load, store and atomic of a target; the names compared, and those that the model does not know.
pub fn every_access(r: &mut Random, target: Target, wrong: &mut Vec<String>) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    let memory = |f: Format| matches!(f, Format::FLAT | Format::GLOBAL | Format::SCRATCH | Format::MUBUF | Format::DS);
    for row in rows::all().iter().filter(|row| memory(row.format) && row.has_form(Form::Base, target)) {
        let mut ran = false;
        for round in 0..4 {
            let offset = [0, 8, 16, 24][round];
            let Some(p) = plan(row.name, target, offset) else { continue };
            let engine = if round % 2 == 0 { EngineKind::Interp } else { EngineKind::Jit };
            match run(r, target, engine, row.name, &p, offset) {
                None => {}
                Some(None) => ran = true,
                Some(Some(what)) => {
                    ran = true;
                    wrong.push(what);
                    break;
                }
            }
        }
        if ran { known.push(row.name) } else { unknown.push(row.name) }
    }
    (known, unknown)
}

fn run(
    r: &mut Random,
    target: Target,
    engine: EngineKind,
    name: &str,
    (text, in_data, effect): &Plan,
    offset: usize,
) -> Option<Option<String>> {
    let float = ["f16", "f32", "f64"].iter().any(|f| name.ends_with(f));
    let word = |r: &mut Random| match r.below(5) {
        // Numbers that meet: some minima and maxima of floats with NaN are not said.
        _ if float => (r.next() & 0x8fff_8fff) | 0x3000_3000,
        0 => r.pick(&[0, 1, u32::MAX, 1 << 31, 0x7fff_ffff]),
        1 => r.below(8),
        _ => r.next(),
    };
    let mut bytes: Vec<u8> = (0..BYTES / 4).flat_map(|_| word(r).to_le_bytes()).collect();
    let mut data: Vec<u32> = (0..8 * 64).map(|_| word(r)).collect();
    let results: Vec<u32> = (0..4 * 64).map(|_| r.next()).collect();
    // Some comparisons succeed.
    for lane in 0..64 {
        if r.one_in(2) {
            let at = 64 * lane + offset;
            let there = |k: usize| u32::from_le_bytes(bytes[at + 4 * k..at + 4 * k + 4].try_into().expect("four"));
            let (a, b) = (there(0), there(1));
            let first = if name.starts_with("ds") {
                0
            } else if name.ends_with("x2") {
                2
            } else {
                1
            };
            data[64 * first + lane] = a;
            data[64 * (first + 1) + lane] =
                if name.ends_with("x2") || name.ends_with("64") { b } else { data[64 * (first + 1) + lane] };
        }
    }
    let (ds, scratch) = (name.starts_with("ds"), name.starts_with("scratch"));
    let exec = r.wide() | r.wide();
    // s[4:5] memory, s[6:7] data, s[8:9] memory again, s[12:15] a buffer of it.
    let mut all = "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s8, s4\ns_mov_b32 s9, s5\ns_mov_b32 s12, s4\n\
         s_mov_b32 s13, s5\ns_mov_b32 s14, 0x2000\ns_mov_b32 s15, 0x20000\ns_mov_b32 m0, -1\nv_lshlrev_b32_e32 v1, 2, v0\n\
         v_lshlrev_b32_e32 v6, 6, v0\nv_mov_b32_e32 v4, s4\nv_mov_b32_e32 v5, s5\nv_add_co_u32_e32 v4, vcc, v4, v6\n\
         v_addc_co_u32_e32 v5, vcc, 0, v5, vcc\n"
        .to_owned();
    for k in 0..12 {
        all += &format!("v_add_u32_e32 v3, {:#x}, v1\nglobal_load_dword v{}, v3, s[6:7]\n", 256 * k, 12 + k);
    }
    all += "s_waitcnt vmcnt(0)\n";
    if ds {
        for k in 0..32 {
            all += &format!(
                "v_add_u32_e32 v3, {:#x}, v1\nglobal_load_dword v2, v3, s[4:5]\ns_waitcnt vmcnt(0)\nds_write_b32 v3, v2\n",
                256 * k
            );
        }
        all += "s_waitcnt lgkmcnt(0)\n";
    }
    if scratch {
        all += "v_mov_b32_e32 v30, v6\nv_mov_b32_e32 v6, 0\n";
        for k in 0..16 {
            all += &format!(
                "global_load_dword v2, v30, s[4:5] offset:{}\ns_waitcnt vmcnt(0)\nscratch_store_dword v6, v2, off offset:{}\n",
                4 * k,
                4 * k
            );
        }
    }
    all += &format!(
        "s_mov_b32 exec_lo, {:#x}\ns_mov_b32 exec_hi, {:#x}\n{text}\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_mov_b64 exec, -1\n",
        exec as u32,
        (exec >> 32) as u32
    );
    if scratch {
        for k in 0..16 {
            all += &format!(
                "scratch_load_dword v2, v6, off offset:{}\ns_waitcnt vmcnt(0)\nglobal_store_dword v30, v2, s[4:5] offset:{}\n",
                4 * k,
                4 * k
            );
        }
    }
    if ds {
        for k in 0..32 {
            all += &format!(
                "v_add_u32_e32 v3, {:#x}, v1\nds_read_b32 v2, v3\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v3, v2, s[4:5]\n",
                256 * k
            );
        }
    }
    for k in 0..12 {
        all += &format!("v_add_u32_e32 v3, {:#x}, v1\nglobal_store_dword v3, v{}, s[6:7]\n", 256 * k, 12 + k);
    }
    all += "s_endpgm\n";
    let a = assemble(&all, target).unwrap_or_else(|d| panic!("{target} {text}: {d:?}"));
    let code = &a.sections.iter().find(|s| s.name == ".text").expect("code").data;
    let words: Vec<u32> = code.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four"))).collect();
    let mut b = Bare::new(target, &words, if ds { BYTES as u32 } else { 0 });
    if scratch {
        b.set_scratch(64);
    }
    b.config.engine = engine;
    b.config.threads = 1;
    let image: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four"))).collect();
    let input: Vec<u32> = data.iter().chain(&results).copied().collect();
    let (memory, registers) = (b.buffer(&image), b.buffer(&input));
    if let Err(f) = b.run(1, 64, &[memory.base(), registers.base()]) {
        return Some(Some(format!("{target} {text}: {f}")));
    }
    let mut want = input.clone();
    for lane in (0..64).filter(|l| exec >> l & 1 == 1) {
        let mut l = Lane {
            memory: &mut bytes,
            at: 64 * lane + offset,
            data: core::array::from_fn(|k| data[64 * k + lane]),
            result: core::array::from_fn(|k| results[64 * k + lane]),
            old_f32_sums_flush: !ds && matches!(target, Target::Gfx908 | Target::Gfx90a),
        };
        effect(&mut l)?;
        for k in 0..4 {
            let to = if *in_data && l.result[k] != results[64 * k + lane] { k } else { 8 + k };
            want[64 * to + lane] = l.result[k];
        }
    }
    let (have, back) = (Bare::words(&memory), Bare::words(&registers));
    let right: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four"))).collect();
    if let Some(i) = (0..right.len()).find(|i| have[*i] != right[*i]) {
        let lane = i * 4 / 64 % 64;
        return Some(Some(format!(
            "{target} {text}: lane {lane}, dword {i} of memory was {:#x} and is {:#x} where {:#x} is right, data {:08x?}",
            image[i],
            have[i],
            right[i],
            (0..8).map(|k| data[64 * k + lane]).collect::<Vec<_>>()
        )));
    }
    if let Some(i) = (0..want.len()).find(|i| back[*i] != want[*i]) {
        return Some(Some(format!(
            "{target} {text}: v{} of lane {} is {:#x} where {:#x} is right",
            12 + i / 64,
            i % 64,
            back[i],
            want[i]
        )));
    }
    Some(None)
}
