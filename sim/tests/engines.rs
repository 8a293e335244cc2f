//! Interpreter and JIT must agree bit for bit: random instruction sequences of every row of the vector and scalar ALU,
//! with random operands (edge values among them), EXEC, VCC, MODE and modifiers. `WAVESMITH_ROUNDS` asks for more
//! sequences, `WAVESMITH_SEED` for others.

mod bare;

use bare::Bare;
use wavesmith_asm::build::{Build, Code};
use wavesmith_asm::reg::{EXEC, VCC, s, v};
use wavesmith_asm::rows::{self, RowId};
use wavesmith_asm::sem::{Ds, Space};
use wavesmith_asm::{Class, Field, Form, Format, Sem, Target, decode};
use wavesmith_sim::EngineKind;
use wavesmith_sim::engine::lanes::Level;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as u32
    }
    fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }
    /// Bit patterns that matter to some operation, addresses in LDS, mixed with any.
    fn value(&mut self) -> u32 {
        if self.below(6) == 0 {
            return self.below(1024) & !3;
        }
        const EDGES: [u32; 20] = [
            0,
            1,
            0x8000_0000,
            0x7fff_ffff,
            0xffff_ffff,
            0x3f80_0000,
            0xbf80_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x7f80_0001,
            0xffc1_2345,
            0x0000_ffff,
            0x3c00_3c00,
            0x7c00_fc00,
            0x7e01_7c01,
            0x0080_0000,
            0x007f_ffff,
            0x4b00_0000,
            0xcf00_0000,
        ];
        match self.below(4) {
            0 => EDGES[self.below(20) as usize],
            // Floats of ordinary size, so that not everything ends in NaN.
            1 | 2 => (self.next() & 0x807f_ffff) | (120 + self.below(16)) << 23,
            _ => self.next(),
        }
    }
}

/// Registers that the sequences work on: v8 to v39, s8 to s39.
const FIRST: u32 = 8;
const COUNT: u32 = 32;

/// A random encoding of a row, or `None` where it makes no sense here.
fn random_instruction(r: &mut Random, id: RowId, form: Form, target: Target) -> Option<Vec<u32>> {
    let row = id.row();
    if !row.has_form(form, target) {
        return None;
    }
    let layout = row.format.layout(form);
    let mut words = layout.base;
    layout.opcode.set(&mut words, u32::from(if form == Form::E64 { row.opcode64 } else { row.opcode }));
    for o in row.operands {
        let bits = layout.field(o.slot);
        let n = u32::from(o.ty.dwords().max(1));
        if n > COUNT {
            return None;
        }
        // Pairs and more begin at even registers, which CDNA2 and later ask for.
        let even = if n > 1 { !1 } else { !0 };
        let vgpr = |r: &mut Random| FIRST + (r.below(COUNT - n + 1) & even);
        let sgpr = |r: &mut Random| FIRST + r.below((COUNT - n.min(COUNT - 2)) / 2) * 2;
        let value = match o.class {
            Class::V | Class::AV | Class::A | Class::VS | Class::VI | Class::AVC if bits.width == 9 => match r.below(8)
            {
                0 if o.class == Class::VS => sgpr(r),
                1 if o.class == Class::VS => 128 + r.below(80),
                2 if o.class == Class::VS => 240 + r.below(9),
                _ => 256 + vgpr(r),
            },
            Class::V | Class::AV | Class::A | Class::VS | Class::VI => vgpr(r),
            Class::SS | Class::SN if bits.width >= 8 => match r.below(4) {
                0 => 128 + r.below(80),
                _ => sgpr(r),
            },
            Class::S | Class::M | Class::SS | Class::SN => sgpr(r),
            Class::Imm => r.next() & 0xffff,
            Class::K => r.value(),
            _ => return None,
        };
        bits.set(&mut words, value);
    }
    if r.below(3) == 0 {
        let any = [
            Field::Neg,
            Field::Abs,
            Field::Clamp,
            Field::Omod,
            Field::Neg0,
            Field::Abs0,
            Field::Neg1,
            Field::Abs1,
            Field::OpSel,
        ];
        for f in any {
            let bits = layout.field(f);
            if bits.exists() {
                bits.set(&mut words, r.next() & bits.max());
            }
        }
    }
    if row.format == Format::VOP3P {
        layout.field(Field::OpSelHi).set(&mut words, r.next() & 7);
    }
    if form == Form::Dpp {
        let ctrl = [0x1b, 0x101, 0x112, 0x121, 0x140, 0x141, 0x142, 0x143][r.below(8) as usize];
        layout.field(Field::DppCtrl).set(&mut words, ctrl);
        layout.field(Field::RowMask).set(&mut words, if r.below(2) == 0 { 15 } else { r.below(16) });
        layout.field(Field::BankMask).set(&mut words, 15);
        layout.field(Field::BoundCtrl).set(&mut words, r.below(2));
    }
    if form == Form::Sdwa {
        for f in [Field::Src0Sel, Field::Src1Sel, Field::DstSel] {
            layout.field(f).set(&mut words, r.below(7));
        }
        layout.field(Field::DstUnused).set(&mut words, r.below(3));
    }
    let inst = decode(&words, target).ok()?;
    (inst.row_id() == id).then(|| inst.words().to_vec())
}

fn rows_of(target: Target) -> Vec<(RowId, Form)> {
    let mut out = Vec::new();
    for (i, row) in rows::all().iter().enumerate() {
        let usable = matches!(
            row.sem,
            Sem::Salu(..)
                | Sem::ScalarCmp(..)
                | Sem::BitCmp(..)
                | Sem::Lane(..)
                | Sem::Packed(..)
                | Sem::Cvt(_)
                | Sem::Cmp { .. }
                | Sem::CmpClass { .. }
                | Sem::Dot { .. }
                | Sem::SaveExec(_)
                | Sem::WrExec(_)
                | Sem::Mfma(_)
                | Sem::DsLoad2 { .. }
                | Sem::DsStore2 { .. }
                | Sem::DsXchg2 { .. }
                | Sem::Ds(Ds::Swizzle | Ds::Permute | Ds::Bpermute | Ds::Append | Ds::Consume | Ds::ReadTr { .. })
                | Sem::Load { space: Space::Lds, .. }
                | Sem::Store { space: Space::Lds, .. }
                | Sem::Atomic { space: Space::Lds, .. }
        );
        // Relative moves and VGPR indexing name registers by M0, which is random here.
        let relative = row.name.contains("movrel") || row.name.contains("gpr_idx");
        for form in [Form::Base, Form::E64, Form::Sdwa, Form::Dpp] {
            if usable && !relative && row.has_form(form, target) {
                out.push((RowId(i as u16), form));
            }
        }
    }
    out
}

/// A kernel that loads its registers, runs `body` and stores them.
fn kernel(target: Target, body: &[u32], exec: u64, mode: u32) -> Vec<u32> {
    let mut c = Code::new(target);
    c.s_load_dwordx2(s(4), s(0), 0);
    c.s_load_dwordx2(s(6), s(0), 8);
    c.s_waitcnt(0);
    for i in 0..COUNT / 8 {
        c.s_load_dwordx8(s::<8>((FIRST + 8 * i) as u16), s::<2>(4), (COUNT * 256 + 32 * i) as i32);
    }
    c.v_lshlrev_b32(v(1), 2, v(0));
    for i in 0..COUNT {
        c.v_add_u32(v(2), i * 256, v::<1>(1));
        c.global_load_dword(v::<1>((FIRST + i) as u16), v::<1>(2), s::<2>(4));
    }
    c.s_waitcnt(0);
    c.s_mov_b64(VCC, s::<2>(FIRST as u16));
    c.s_mov_b32(wavesmith_asm::reg::EXEC_LO, wavesmith_asm::operand::Lit(exec as u32));
    c.s_mov_b32(wavesmith_asm::reg::EXEC_HI, wavesmith_asm::operand::Lit((exec >> 32) as u32));
    // The ten bits of MODE from the rounding on, hwreg(HW_REG_MODE, 0, 10), and FP16_OVFL.
    c.s_setreg_imm32_b32(1 | 9 << 11, wavesmith_asm::operand::Lit(mode));
    c.s_setreg_imm32_b32(1 | 23 << 6, wavesmith_asm::operand::Lit(mode >> 23 & 1));
    let mut words = c.finish().expect("encodes");
    words.extend_from_slice(body);
    let mut c = Code::new(target);
    c.s_mov_b64(s(4), EXEC);
    c.s_mov_b64(EXEC, -1);
    for i in 0..COUNT {
        c.v_add_u32(v(2), i * 256, v::<1>(1));
        c.global_store_dword(v::<1>(2), v::<1>((FIRST + i) as u16), s::<2>(6));
    }
    for i in 0..COUNT + 3 {
        c.v_add_u32(v(2), (COUNT + i) * 256, v::<1>(1));
        match i {
            0..COUNT => c.v_mov_b32(v(3), s::<1>((FIRST + i) as u16)),
            COUNT => c.v_mov_b32(v(3), wavesmith_asm::reg::VCC_LO),
            33 => c.v_mov_b32(v(3), wavesmith_asm::reg::VCC_HI),
            _ => c.v_mov_b32(v(3), s::<1>(4)),
        };
        c.global_store_dword(v::<1>(2), v::<1>(3), s::<2>(6));
    }
    c.s_endpgm(0);
    words.extend(c.finish().expect("encodes"));
    words
}

/// The reference, then every engine and level that this host can be made to use.
fn engines() -> Vec<(EngineKind, Level)> {
    let levels = [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|l| *l <= Level::detect());
    let both = levels.flat_map(|l| [(EngineKind::Interp, l), (EngineKind::Jit, l)]);
    // On plain hosts there is no code to compile.
    both.filter(|e| *e != (EngineKind::Jit, Level::Plain)).collect()
}

fn compare(target: Target, rounds: u32, seed: u64) {
    let rows = rows_of(target);
    let mut r = Random(seed);
    let (mut ran, mut refused, mut at) = (0, 0, 0);
    let mut covered = std::collections::HashSet::new();
    for _ in 0..rounds {
        let mut body = Vec::new();
        let mut names = Vec::new();
        while names.len() < 12 {
            // Every row in turn, with frequent ones between, so that runs of compiled operations form.
            let (id, form) = if r.below(2) == 0 {
                rows[r.below(rows.len() as u32) as usize]
            } else {
                at += 1;
                rows[at % rows.len()]
            };
            if let Some(w) = random_instruction(&mut r, id, form, target) {
                body.extend(w);
                names.push((id.row().name, form));
            }
        }
        let exec = match r.below(4) {
            0 => u64::MAX,
            1 => 0,
            _ => u64::from(r.next()) | u64::from(r.next()) << 32,
        };
        // As compilers set it, or anything: rounding, denormals, DX10_CLAMP, IEEE.
        let mode = if r.below(2) == 0 { 0x3f0 } else { r.next() & (0x3ff | 1 << 23) };
        let words = kernel(target, &body, exec, mode);
        let input: Vec<u32> = (0..COUNT * 64 + COUNT + 64).map(|_| r.value()).collect();
        let mut results = Vec::new();
        for (engine, level) in engines() {
            let mut b = Bare::new(target, &words, 1024);
            b.config.engine = engine;
            b.config.level = Some(level);
            b.config.threads = 1;
            let (data, out) = (b.buffer(&input), b.buffer(&vec![0; (2 * COUNT as usize + 4) * 64]));
            results.push(b.run(1, 64, &[data.base(), out.base()]).map(|_| Bare::words(&out)).map_err(|f| f.message));
        }
        for (result, how) in results[1..].iter().zip(&engines()[1..]) {
            match (&results[0], result) {
                (Ok(a), Ok(b)) => {
                    let wrong = (0..a.len()).find(|i| a[*i] != b[*i]);
                    assert_eq!(
                        wrong,
                        None,
                        "{target} {how:?}: register {:?} after {names:?}, EXEC {exec:#x}",
                        wrong.map(|i| (i / 64, i % 64, a[i], b[i]))
                    );
                }
                (a, b) => assert_eq!(a.as_ref().err(), b.as_ref().err(), "{target} {how:?}: {names:?}"),
            }
        }
        if results[0].is_ok() {
            ran += 1;
            covered.extend(names);
        } else {
            refused += 1;
        }
    }
    eprintln!(
        "{target}: {ran} sequences agree, {refused} end in the same fault; {} of {} encodings covered",
        covered.len(),
        rows.len()
    );
    assert!(ran > refused, "{target}: {refused} sequences were refused and only {ran} ran");
}

#[test]
fn both_engines_agree_on_random_sequences_of_every_row() {
    for (i, target) in Target::ALL.into_iter().enumerate() {
        let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
        let seed = number("WAVESMITH_SEED").unwrap_or(0).wrapping_mul(0x6c07_8965_5bd1_e995);
        let rounds = number("WAVESMITH_ROUNDS").unwrap_or(900);
        compare(target, rounds as u32, (0x9e37_79b9_7f4a_7c15 ^ seed) + i as u64);
    }
}

/// Loads and stores of every width at scattered, partly equal and partly misaligned places, under partial EXEC, in memory
/// and LDS; loops with divergent exits; matrix products between; lanes moved.
fn whole_kernel(r: &mut Random) -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    c.s_load_dwordx4(s(4), s(0), 0);
    c.v_and_b32(v(0), 0x3ff, v(0));
    // s[4:5] input, s[6:7] output of this workgroup.
    c.s_lshl_b32(s(3), s(2), 16);
    c.s_waitcnt(0xc07f);
    c.s_add_u32(s(6), s(6), s(3));
    c.s_addc_u32(s(7), s(7), 0);
    c.v_lshlrev_b32(v(1), 4, v(0));
    for i in 0..8 {
        c.global_load_dwordx4(v::<4>(8 + 4 * i), v::<1>(1), s::<2>(4)).offset(16 * i32::from(i));
    }
    c.s_waitcnt(0);
    // Places: dwords anywhere in 4 KiB, some on top of each other.
    c.v_and_b32(v(2), wavesmith_asm::operand::Lit(0xffc), v(8));
    c.v_and_b32(v(3), wavesmith_asm::operand::Lit(0xff0), v(9));
    c.v_mov_b32(v(60), 0);
    c.s_mov_b32(s(8), 6);
    let start = c.words().len() as i32;
    for _ in 0..10 {
        // Even, as runs of registers have to be.
        let (a, b, d) = (8 + r.below(32) as u16, 8 + r.below(32) as u16, 8 + 2 * r.below(14) as u16);
        match r.below(14) {
            0 => _ = c.global_load_dwordx4(v::<4>(d), v::<1>(3), s::<2>(4)),
            1 => _ = c.global_load_dwordx2(v::<2>(d), v::<1>(2), s::<2>(4)),
            2 => _ = c.global_load_ubyte(v::<1>(d), v::<1>(2), s::<2>(4)).offset(1),
            3 => _ = c.global_load_short_d16_hi(v::<1>(d), v::<1>(2), s::<2>(4)).offset(2),
            4 => _ = c.ds_write_b128(v::<1>(3), v::<4>(d)),
            5 => _ = c.ds_read_b128(v::<4>(d), v::<1>(3)),
            6 => _ = c.ds_read_b96(v::<3>(d), v::<1>(2)),
            7 => _ = c.ds_write_b64(v::<1>(2), v::<2>(d)),
            8 => _ = c.global_store_dwordx3(v::<1>(2), v::<3>(d), s::<2>(6)),
            9 => _ = c.global_store_byte(v::<1>(2), v::<1>(d), s::<2>(6)).offset(3),
            10 => {
                // Where they are, whatever the values.
                c.v_mfma_f32_16x16x16_f16(v::<4>(64), v::<2>(a & !1), v::<2>(b & !1), v::<4>(64));
            }
            11 => {
                c.v_cmp_lt_f32(VCC, v(a), v(b));
                c.v_cndmask_b32(v(d), v(a), v(b), VCC);
            }
            12 => {
                c.v_readfirstlane_b32(s(9), v::<1>(a));
                c.v_add_co_u32(v(d), VCC, s(9), v(b));
                c.v_addc_co_u32(v(d + 1), VCC, v(a), v(b), VCC);
            }
            _ => {
                c.v_dot2_f32_f16(v(d), v(a), v(b), v(d));
                c.v_max_f32(v(d + 1), v(a), v(b));
            }
        }
        // The address operands must survive what was loaded over them: they are below v8.
        c.v_add_u32(v(60), v(d), v(60));
    }
    // Lanes leave the loop one after another.
    c.v_cmp_gt_u32(VCC, v(60), v(8));
    c.s_and_b64(EXEC, EXEC, VCC);
    c.s_sub_u32(s(8), s(8), 1);
    c.s_cmp_lg_u32(s(8), 0);
    let here = c.words().len() as i32;
    c.s_cbranch_scc1(start - here - 1);
    c.s_mov_b64(EXEC, -1);
    c.s_barrier();
    c.ds_read_b128(v::<4>(4), v::<1>(1));
    c.s_waitcnt(0);
    for i in 0..16u16 {
        let d = if i == 15 { 4 } else { 8 + 4 * i };
        c.global_store_dwordx4(v::<1>(1), v::<4>(d), s::<2>(6)).offset(if i < 8 { 0 } else { 2048 });
        c.v_add_u32(v(1), 0x1000, v(1));
    }
    c.s_endpgm(0);
    c.finish().expect("encodes")
}

#[test]
fn whole_kernels_leave_the_same_memory_and_count_on_every_engine_and_level() {
    let mut r = Random(0x0dd0_5eed_1234_5677);
    for round in 0..60 {
        let words = whole_kernel(&mut r);
        let input: Vec<u32> = (0..8192).map(|_| r.value()).collect();
        let mut first: Option<(Vec<u32>, u64)> = None;
        for (engine, level) in engines() {
            let mut b = Bare::new(Target::Gfx942, &words, 4096 + 16);
            b.config.engine = engine;
            b.config.level = Some(level);
            b.config.threads = 1;
            let (data, out) = (b.buffer(&input), b.buffer(&vec![0; 3 << 14]));
            let stats = b.run(2, 128, &[data.base(), out.base()]).unwrap_or_else(|f| panic!("{f}"));
            let result = (Bare::words(&out), stats.wave_instructions);
            match &first {
                None => first = Some(result),
                Some(first) => {
                    let wrong = (0..first.0.len()).find(|i| first.0[*i] != result.0[*i]);
                    assert_eq!(wrong, None, "round {round}, {engine:?} {level:?}: {words:08x?}");
                    assert_eq!(first.1, result.1, "round {round}, {engine:?} {level:?}");
                }
            }
        }
    }
}
