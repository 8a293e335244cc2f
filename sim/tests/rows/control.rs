//! Rows that compute nothing, in programs of a few lines: branches and calls, hardware registers, moves relative to M0,
//! clocks, messages, caches, loads into LDS, global wave sync. Beside each stands what AMD's pseudocode of it gives for
//! that program, worked out by hand.

use crate::bare::Bare;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_asm::rows;
use wavesmith_sim::{EngineKind, FaultKind};

const ENGINES: [EngineKind; 2] = [EngineKind::Interp, EngineKind::Jit];

/// What no store has reached.
const UNTOUCHED: u32 = 0xaaaa_aaaa;

/// v2 to the first row of the output.
const STORE_V2: &str = "s_mov_b64 exec, -1\ns_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_store_dword v1, v2, s[6:7]\n";

/// Programs on one target, and the rows that they have asked.
struct Programs {
    target: Target,
    asked: Vec<&'static str>,
}

fn words(target: Target, text: &str) -> Vec<u32> {
    let a = assemble(text, target).unwrap_or_else(|d| panic!("{target}: {d:?}\n{text}"));
    let code = a.sections.iter().find(|s| s.name == ".text").expect("code");
    code.data.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
}

/// The name of a row that the target has.
fn named(name: &str, target: Target) -> Option<&'static str> {
    rows::find(name, target).map(|id| id.row().name)
}

impl Programs {
    /// Whether the target has all of these rows; they count as asked then.
    fn ask(&mut self, names: &[&str]) -> bool {
        let all: Option<Vec<_>> = names.iter().map(|n| named(n, self.target)).collect();
        let have = all.is_some();
        self.asked.extend(all.unwrap_or_default());
        have
    }

    /// One wave with the input's address in s[4:5], the output's in s[6:7], the lane in v0 and four times it in v1.
    fn run_on(&self, body: &str, input: &[u32], rows: usize, engine: EngineKind) -> Result<Vec<u32>, FaultKind> {
        let text = format!(
            "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v1, 2, v0\n{body}\ns_endpgm\n"
        );
        let mut b = Bare::new(self.target, &words(self.target, &text), 4096);
        b.config.engine = engine;
        b.set_scratch(256);
        let (data, out) = (b.buffer(input), b.buffer(&vec![UNTOUCHED; 64 * rows]));
        b.run(1, 64, &[data.base(), out.base()]).map(|_| Bare::words(&out)).map_err(|f| f.kind)
    }

    /// The output's rows, which both engines agree on.
    fn run(&self, body: &str, input: &[u32], rows: usize) -> Vec<u32> {
        let [a, b] = ENGINES.map(|e| self.run_on(body, input, rows, e));
        let a = a.unwrap_or_else(|k| panic!("{}: {k:?}\n{body}", self.target));
        assert_eq!(Ok(&a), b.as_ref(), "{}\n{body}", self.target);
        a
    }

    /// The value that a program leaves in a scalar register.
    fn scalar(&self, body: &str, register: &str) -> u32 {
        self.run(&format!("{body}\nv_mov_b32_e32 v2, {register}\n{STORE_V2}"), &[0], 1)[0]
    }
}

fn branches(p: &mut Programs) {
    let cases = [
        ("s_cbranch_scc0", "s_cmp_eq_u32 0, 1", "s_cmp_eq_u32 0, 0"),
        ("s_cbranch_scc1", "s_cmp_eq_u32 0, 0", "s_cmp_eq_u32 0, 1"),
        ("s_cbranch_vccz", "s_mov_b64 vcc, 0", "s_mov_b64 vcc, 1"),
        ("s_cbranch_vccz", "s_mov_b64 vcc, 0", "s_mov_b32 vcc_lo, 0\ns_mov_b32 vcc_hi, 4"),
        ("s_cbranch_vccnz", "s_mov_b32 vcc_lo, 0\ns_mov_b32 vcc_hi, 4", "s_mov_b64 vcc, 0"),
        ("s_cbranch_execz", "s_mov_b64 exec, 0", "s_mov_b32 exec_lo, 0\ns_mov_b32 exec_hi, 4"),
        ("s_cbranch_execnz", "s_mov_b32 exec_lo, 0\ns_mov_b32 exec_hi, 4", "s_mov_b64 exec, 0"),
        ("s_branch", "s_nop 0", ""),
        // No debugger sets the conditions that these ask.
        ("s_cbranch_cdbgsys", "", "s_nop 0"),
        ("s_cbranch_cdbguser", "", "s_nop 0"),
        ("s_cbranch_cdbgsys_or_user", "", "s_nop 0"),
        ("s_cbranch_cdbgsys_and_user", "", "s_nop 0"),
    ];
    for (name, taken, not) in cases {
        p.ask(&[name]);
        for (set, goes) in [(taken, true), (not, false)] {
            if set.is_empty() {
                continue;
            }
            // Once forward, once backward.
            let body = format!(
                "s_mov_b32 s20, 0\n{set}\n{name} over\ns_or_b32 s20, s20, 1\nover:\ns_or_b32 s20, s20, 2\n\
                 s_branch start\nback:\ns_or_b32 s20, s20, 4\ns_branch done\nstart:\n{set}\n{name} back\n\
                 s_or_b32 s20, s20, 8\ndone:\ns_mov_b64 exec, -1"
            );
            assert_eq!(p.scalar(&body, "s20"), if goes { 2 | 4 } else { 1 | 2 | 8 }, "{}: {name}, {set}", p.target);
        }
    }
    // Calls leave the address of what follows them.
    p.ask(&["s_getpc_b64", "s_call_b64", "s_setpc_b64", "s_swappc_b64"]);
    let call = "s_mov_b32 s20, 0\ns_getpc_b64 s[14:15]\ns_call_b64 s[12:13], sub\ns_or_b32 s20, s20, 2\n\
                s_sub_u32 s16, s12, s14\ns_subb_u32 s17, s13, s15\ns_lshl_b32 s16, s16, 8\ns_or_b32 s20, s20, s16\n\
                s_or_b32 s20, s20, s17\ns_branch done\nsub:\ns_or_b32 s20, s20, 1\ns_setpc_b64 s[12:13]\ndone:";
    assert_eq!(p.scalar(call, "s20"), 0x403, "{}: s_call_b64", p.target);
    let swap = "s_mov_b32 s20, 0\ns_getpc_b64 s[14:15]\ns_add_u32 s18, s14, 40\ns_addc_u32 s19, s15, 0\n\
                s_swappc_b64 s[12:13], s[18:19]\ns_or_b32 s20, s20, 2\n\
                s_sub_u32 s16, s12, s14\ns_subb_u32 s17, s13, s15\ns_lshl_b32 s16, s16, 8\ns_or_b32 s20, s20, s16\n\
                s_or_b32 s20, s20, s17\ns_branch done\ns_or_b32 s20, s20, 1\ns_setpc_b64 s[12:13]\ndone:";
    assert_eq!(p.scalar(swap, "s20"), 0xc03, "{}: s_swappc_b64", p.target);
    // Lanes below 20 take the branch, and are fewer: they go first, and both parts meet again.
    p.ask(&["s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join"]);
    for by_address in [true, false] {
        for (bound, fewer) in [(20, true), (44, false)] {
            let fork = if by_address {
                "s_getpc_b64 s[14:15]\ns_add_u32 s14, s14, 24\ns_addc_u32 s15, s15, 0\ns_cbranch_g_fork s[12:13], s[14:15]"
            } else {
                "s_cbranch_i_fork s[12:13], taken"
            };
            let body = format!(
                "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 29, 3), 0\nv_mov_b32_e32 v2, 0\ns_mov_b32 s20, 0\n\
                 v_cmp_gt_u32_e64 s[12:13], {bound}, v0\n{fork}\n\
                 s_add_u32 s20, s20, 1\nv_add_u32_e32 v2, s20, v2\ns_branch meet\n\
                 taken:\ns_add_u32 s20, s20, 1\nv_lshl_add_u32 v2, v0, 4, s20\n\
                 meet:\ns_mov_b32 s21, 0\ns_cbranch_join s21\n{STORE_V2}"
            );
            let (taken, other) = if fewer { (1, 2) } else { (2, 1) };
            let want: Vec<u32> = (0..64).map(|i| if i < bound { 16 * i + taken } else { other }).collect();
            assert_eq!(p.run(&body, &[0], 1), want, "{}: fork at {bound}, by address: {by_address}", p.target);
        }
    }
    p.ask(&["s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done"]);
    for end in ["s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done"] {
        let out = p.run(&format!("v_mov_b32_e32 v2, 5\n{STORE_V2}{end}\nv_mov_b32_e32 v2, 6\n{STORE_V2}"), &[0], 1);
        assert_eq!(out, [5; 64], "{}: {end}", p.target);
    }
}

fn hardware_registers(p: &mut Programs) {
    p.ask(&["s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32"]);
    // Fields of MODE without those that turn instructions into others (indexing, skipping), and all of TRAPSTS's.
    let mut state = 0x9e37_79b9u32;
    let mut next = || {
        state = state.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
        state >> 4
    };
    for round in 0..40 {
        let (register, low, top) = if round % 2 == 0 { ("HW_REG_MODE", 0, 10) } else { ("HW_REG_TRAPSTS", 0, 9) };
        let size = 1 + next() % (top - low);
        let offset = low + next() % (top - low - size + 1);
        let (before, value) = (next() & 0x1ff, next());
        let (get_offset, get_size) = (next() % 32, next());
        let get_size = 1 + get_size % (32 - get_offset);
        let set = if round % 4 < 2 {
            format!("s_mov_b32 s9, {value:#x}\ns_setreg_b32 hwreg({register}, {offset}, {size}), s9")
        } else {
            format!("s_setreg_imm32_b32 hwreg({register}, {offset}, {size}), {value:#x}")
        };
        let mask = ((1u64 << size) - 1) as u32;
        let now = before & !(mask << offset) | (value & mask) << offset;
        let want = now >> get_offset & ((1u64 << get_size) - 1) as u32;
        let body = format!(
            "s_setreg_imm32_b32 hwreg({register}, 0, 23), {before:#x}\n{set}\n\
             s_getreg_b32 s10, hwreg({register}, {get_offset}, {get_size})\n\
             s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 10), 0x3f0"
        );
        assert_eq!(p.scalar(&body, "s10"), want, "{}:\n{body}", p.target);
    }
    let get = |p: &Programs, set: &str, field: &str| {
        p.scalar(&format!("{set}\ns_getreg_b32 s10, hwreg({field})\ns_mov_b64 exec, -1"), "s10")
    };
    // STATUS: the condition code, EXEC and VCC being zero, and that the wave is valid.
    for (set, bit) in [("s_cmp_eq_u32 0, 0", 0), ("s_mov_b64 exec, 0", 9), ("s_mov_b64 vcc, 0", 10), ("s_nop 0", 16)] {
        assert_eq!(get(p, set, &format!("HW_REG_STATUS, {bit}, 1")), 1, "{}: STATUS[{bit}]", p.target);
    }
    for (set, bit) in [("s_cmp_eq_u32 0, 1", 0), ("s_mov_b64 exec, -1", 9), ("s_mov_b64 vcc, -1", 10)] {
        assert_eq!(get(p, set, &format!("HW_REG_STATUS, {bit}, 1")), 0, "{}: STATUS[{bit}]", p.target);
    }
    // A program cannot write STATUS.
    let status = "s_cmp_eq_u32 0, 0\ns_setreg_imm32_b32 hwreg(HW_REG_STATUS), 0";
    assert_eq!(get(p, status, "HW_REG_STATUS, 0, 1"), 1, "{}: STATUS written", p.target);
    // GPR_ALLOC and LDS_ALLOC in the units that the kernel driver's trap handler reads them with: of 512 registers, half
    // AGPRs; of 4096 bytes in 64 dwords, rounded up to what the part allocates at once.
    match p.target {
        Target::Gfx908 => assert_eq!(get(p, "", "HW_REG_GPR_ALLOC, 8, 6"), 256 / 4 - 1),
        _ => {
            assert_eq!(get(p, "", "HW_REG_GPR_ALLOC, 6, 6"), 512 / 8 - 1, "{}", p.target);
            assert_eq!(get(p, "", "HW_REG_GPR_ALLOC, 12, 6"), 256 / 4 - 1, "{}", p.target);
        }
    }
    let lds = if p.target == Target::Gfx950 { 5120 } else { 4096 };
    assert_eq!(get(p, "", "HW_REG_LDS_ALLOC, 12, 9"), lds / 256, "{}", p.target);
    // The apertures' upper halves, private below and shared above.
    let same = "s_mov_b64 s[12:13], src_shared_base\ns_mov_b64 s[14:15], src_private_base\n\
                s_getreg_b32 s16, hwreg(HW_REG_SH_MEM_BASES, 16, 16)\ns_lshl_b32 s16, s16, 16\ns_xor_b32 s16, s16, s13\n\
                s_getreg_b32 s17, hwreg(HW_REG_SH_MEM_BASES, 0, 16)\ns_lshl_b32 s17, s17, 16\ns_xor_b32 s17, s17, s15\n\
                s_or_b32 s16, s16, s17";
    assert_eq!(p.scalar(same, "s16"), 0, "{}: SH_MEM_BASES", p.target);
    // Four waves of a workgroup are on four SIMDs, on a die that there is.
    let xcc = if matches!(p.target, Target::Gfx942 | Target::Gfx950) { "HW_REG_XCC_ID, 0, 4" } else { "20, 0, 4" };
    let text = format!(
        "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v1, 2, v0\n\
         s_getreg_b32 s8, hwreg(HW_REG_HW_ID, 4, 2)\ns_getreg_b32 s9, hwreg({xcc})\ns_lshl_b32 s9, s9, 8\n\
         s_or_b32 s8, s8, s9\nv_mov_b32_e32 v2, s8\nglobal_store_dword v1, v2, s[6:7]\ns_endpgm\n"
    );
    for engine in ENGINES {
        let mut b = Bare::new(p.target, &words(p.target, &text), 0);
        b.config.engine = engine;
        let out = b.buffer(&[0; 256]);
        b.run(1, 256, &[0, out.base()]).unwrap_or_else(|f| panic!("{}: {f}", p.target));
        let mut simds: Vec<u32> = Bare::words(&out).chunks(64).map(|w| w[0] & 0xff).collect();
        simds.sort_unstable();
        assert_eq!(simds, [0, 1, 2, 3], "{}", p.target);
        let xcds = crate::bare::sku(p.target).xcds;
        assert!(Bare::words(&out).iter().all(|w| w >> 8 < xcds), "{}", p.target);
    }
}

fn relative_to_m0(p: &mut Programs) {
    p.ask(&["s_movrels_b32", "s_movrels_b64", "s_movreld_b32", "s_movreld_b64"]);
    for (text, want) in [
        ("s_mov_b32 m0, 5\ns_movrels_b32 s20, s10", 0x1115),
        ("s_mov_b32 m0, 4\ns_movrels_b64 s[20:21], s[10:11]\ns_xor_b32 s20, s20, s21", 0x1114 ^ 0x1115),
        ("s_mov_b32 m0, 7\ns_movreld_b32 s13, s12", 0x1112),
        ("s_mov_b32 m0, 6\ns_movreld_b64 s[14:15], s[12:13]\ns_xor_b32 s20, s20, s21", 0x1112 ^ 0x1113),
    ] {
        let fill: String = (10..22).map(|i| format!("s_mov_b32 s{i}, {:#x}\n", 0x1110 + i - 10)).collect();
        assert_eq!(p.scalar(&(fill + text), "s20"), want, "{}: {text}", p.target);
    }
    // M0's bits 7:0 are the index, 15:12 what is indexed; the others stay.
    p.ask(&["s_set_gpr_idx_on", "s_set_gpr_idx_mode", "s_set_gpr_idx_idx", "s_set_gpr_idx_off"]);
    let on = "s_mov_b32 m0, 0x12345678\ns_mov_b32 s8, 0xfe03\ns_set_gpr_idx_on s8, gpr_idx(SRC0,DST)\n";
    let m0 = "s_set_gpr_idx_off\ns_mov_b32 s9, m0";
    assert_eq!(p.scalar(&format!("{on}{m0}"), "s9"), 0x1234_9603, "{}: on", p.target);
    let mode = "s_set_gpr_idx_mode gpr_idx(SRC1)\n";
    assert_eq!(p.scalar(&format!("{on}{mode}{m0}"), "s9"), 0x1234_2603, "{}: mode", p.target);
    let index = "s_mov_b32 s8, 0x7702\ns_set_gpr_idx_idx s8\n";
    assert_eq!(p.scalar(&format!("{on}{index}{m0}"), "s9"), 0x1234_9602, "{}: index", p.target);
    let enabled = "s_getreg_b32 s9, hwreg(HW_REG_MODE, 27, 1)\n";
    assert_eq!(p.scalar(&format!("{on}{enabled}s_set_gpr_idx_off"), "s9"), 1, "{}: enabled", p.target);
    assert_eq!(p.scalar(&format!("{on}s_set_gpr_idx_off\n{enabled}"), "s9"), 0, "{}: disabled", p.target);
    // v10 + k holds 100·k; v_sub v20, v10, v11 with index 3.
    let fill: String = (10..30).map(|i| format!("v_mov_b32_e32 v{i}, {:#x}\n", 100 * (i - 10))).collect();
    let sub = "v_sub_u32_e32 v20, v10, v11\n";
    for (what, text, value) in [
        ("SRC0", "v_mov_b32_e32 v2, v20", 300 - 100),
        ("SRC1", "v_mov_b32_e32 v2, v20", 0u32.wrapping_sub(400)),
        ("SRC0,SRC1", "v_mov_b32_e32 v2, v20", 300u32.wrapping_sub(400)),
        ("DST", "v_sub_u32_e32 v2, v23, v20", 0u32.wrapping_sub(100).wrapping_sub(1000)),
    ] {
        let set = format!("s_mov_b32 s8, 3\ns_set_gpr_idx_on s8, gpr_idx({what})\n");
        // The same by changing what an earlier one indexed, and by how much.
        let changed = format!(
            "s_mov_b32 s8, 9\ns_set_gpr_idx_on s8, gpr_idx(SRC0)\ns_set_gpr_idx_mode gpr_idx({what})\n\
             s_mov_b32 s8, 3\ns_set_gpr_idx_idx s8\n"
        );
        for set in [set, changed] {
            let body = format!("{fill}{set}{sub}s_set_gpr_idx_off\n{text}\n{STORE_V2}");
            assert_eq!(p.run(&body, &[0], 1), [value; 64], "{}: {what}", p.target);
        }
    }
}

fn clocks(p: &mut Programs) {
    p.ask(&["s_memtime", "s_memrealtime"]);
    let time = |name: &str, a: u32, b: u32| format!("{name} s[{a}:{b}]\ns_waitcnt lgkmcnt(0)\n");
    let loop_ = "s_movk_i32 s20, 0x2000\nagain:\ns_sub_u32 s20, s20, 1\ns_cmp_lg_u32 s20, 0\ns_cbranch_scc1 again\n";
    let body = time("s_memtime", 8, 9)
        + &time("s_memrealtime", 10, 11)
        + loop_
        + &time("s_memtime", 12, 13)
        + &time("s_memrealtime", 14, 15)
        + "s_sub_u32 s8, s12, s8\ns_subb_u32 s9, s13, s9\ns_sub_u32 s10, s14, s10\ns_subb_u32 s11, s15, s11\n";
    let differences: Vec<u32> = ["s8", "s9", "s10", "s11"].map(|r| p.scalar(&body, r)).to_vec();
    // Three instructions a round, and as many ticks of 100 MHz as the part's clock makes of them.
    assert!((3 * 0x2000..3 * 0x2000 + 16).contains(&differences[0]), "{}: {differences:?}", p.target);
    let ticks = differences[0] / (crate::bare::sku(p.target).clock_mhz / 100);
    assert!(differences[2].abs_diff(ticks) <= 1, "{}: {differences:?}, {ticks} ticks", p.target);
    assert_eq!((differences[1], differences[3]), (0, 0), "{}", p.target);
}

/// Those that change nothing a program can see, but when it goes on.
fn without_effect(p: &mut Programs) {
    let texts = [
        "s_nop 3",
        "v_nop",
        "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)",
        "s_sleep 0",
        "s_sleep 127",
        "s_wakeup",
        "s_setprio 3",
        "s_setprio 0",
        "s_sethalt 0",
        "s_setkill 0",
        "s_sendmsg sendmsg(MSG_INTERRUPT)",
        "s_incperflevel 5",
        "s_decperflevel 15",
        "s_ttracedata",
        "s_icache_inv",
        "s_dcache_inv",
        "s_dcache_inv_vol",
        "s_dcache_wb",
        "s_dcache_wb_vol",
        "s_dcache_discard s[4:5], 0x0",
        "s_dcache_discard_x2 s[4:5], 0x0",
        "s_atc_probe 0, s[4:5], 0x0",
        "s_atc_probe_buffer 0, s[12:15], 0x0",
        "v_clrexcp",
        "s_barrier",
        "buffer_wbinvl1",
        "buffer_wbinvl1_vol",
        "buffer_wbl2",
        "buffer_invl2",
        "buffer_inv sc0 sc1",
        "buffer_wbl2 sc0 sc1",
        "s_trap 3",
    ];
    for text in texts {
        let name = text.split_whitespace().next().expect("a name");
        if !p.ask(&[name]) {
            continue;
        }
        // The two forms of the same row belong to different targets.
        let scoped = matches!(p.target, Target::Gfx942 | Target::Gfx950);
        if name == "buffer_wbl2" && text.contains("sc1") != scoped {
            continue;
        }
        let scalars: String = (20..32).map(|i| format!("s_mov_b32 s{i}, {:#x}\n", 0x1001 * i)).collect();
        let vectors: String = (8..12).map(|i| format!("v_add_u32_e32 v{i}, {:#x}, v0\n", 0x1000 * i)).collect();
        for (exec, scc) in [(0x00f0_f0ff_0ff1_8005u64, 1), (0, 0), (u64::MAX, 1)] {
            let body = format!(
                "{scalars}{vectors}s_mov_b32 s12, s4\ns_mov_b32 s13, s5\ns_movk_i32 s14, 0x100\ns_mov_b32 s15, 0x20000\n\
                 global_store_dword v1, v8, s[6:7]\nds_write_b32 v1, v9 offset:256\n\
                 s_mov_b32 m0, 0x8765\ns_mov_b32 vcc_lo, 0x1234\ns_mov_b32 vcc_hi, 0x5678\n\
                 s_mov_b32 exec_lo, {:#x}\ns_mov_b32 exec_hi, {:#x}\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 10), 0x2a5\n\
                 s_cmp_eq_u32 {scc}, 1\n{text}\n\
                 s_cselect_b32 s33, 1, 0\ns_mov_b64 s[34:35], exec\ns_getreg_b32 s36, hwreg(HW_REG_MODE, 0, 10)\n\
                 s_mov_b64 exec, -1\ns_mov_b32 s37, m0\ns_waitcnt vmcnt(0) lgkmcnt(0)\n\
                 global_load_dword v12, v1, s[6:7]\nds_read_b32 v13, v1 offset:256\ns_waitcnt vmcnt(0) lgkmcnt(0)\n",
                exec as u32,
                (exec >> 32) as u32
            );
            let mut rows: Vec<String> = (8..14).map(|i| format!("v{i}")).collect();
            rows.extend((20..32).chain(33..38).map(|i| format!("s{i}")));
            rows.extend(["vcc_lo".into(), "vcc_hi".into()]);
            let stores: String = rows
                .iter()
                .enumerate()
                .map(|(i, r)| {
                    format!(
                        "v_mov_b32_e32 v2, {r}\nv_add_u32_e32 v3, {}, v1\nglobal_store_dword v3, v2, s[6:7]\n",
                        256 * i
                    )
                })
                .collect();
            let out = p.run(&(body + &stores), &[7; 64], rows.len());
            let mut want: Vec<Vec<u32>> = (8..12).map(|i| (0..64).map(|l| 0x1000 * i + l).collect()).collect();
            want.extend([want[0].clone(), want[1].clone()]);
            let mut scalar = |v: u32| want.push(vec![v; 64]);
            (20..32).for_each(|i| scalar(0x1001 * i));
            for v in [scc, exec as u32, (exec >> 32) as u32, 0x2a5, 0x8765, 0x1234, 0x5678] {
                scalar(v);
            }
            assert_eq!(out, want.concat(), "{}: {text}, EXEC {exec:#x}", p.target);
        }
    }
}

/// Those that nobody comes back from.
fn halts(p: &mut Programs) {
    for text in ["s_sethalt 1", "s_setkill 1", "s_sendmsghalt sendmsg(MSG_INTERRUPT)", "s_trap 2"] {
        p.ask(&[text.split_whitespace().next().expect("a name")]);
        for engine in ENGINES {
            assert_eq!(p.run_on(text, &[0], 1, engine), Err(FaultKind::Trap), "{}: {text}", p.target);
        }
    }
}

/// A load into LDS puts lane l's data at M0 + offset + l times its size, in dwords of which a byte or half fills one.
fn loads_into_lds(p: &mut Programs) {
    let input: Vec<u32> = (0..400u32).map(|i| i.wrapping_mul(0x9e37_79b9) ^ 0x1357_9bdf).collect();
    let byte = |at: usize| input[at / 4] >> (8 * (at % 4)) & 0xff;
    let half = |at: usize| byte(at) | byte(at + 1) << 8;
    let sign = |v: u32, bits: u32| ((v << (32 - bits)) as i32 >> (32 - bits)) as u32;
    let exec = 0xffff_00ff_f0f0_3c3du64;
    let kinds: [(&str, usize); 7] =
        [("ubyte", 1), ("sbyte", 1), ("ushort", 1), ("sshort", 1), ("dword", 1), ("dwordx3", 3), ("dwordx4", 4)];
    for (kind, dwords) in kinds {
        let loaded = |at: usize, k: usize| match kind {
            "ubyte" => byte(at),
            "sbyte" => sign(byte(at), 8),
            "ushort" => half(at),
            "sshort" => sign(half(at), 16),
            _ => input[at / 4 + k],
        };
        for space in ["global", "scratch"] {
            let name = format!("{space}_load_lds_{kind}");
            if !p.ask(&[&name]) {
                continue;
            }
            // The instruction's offset counts in memory and in LDS.
            let (load, place): (String, Box<dyn Fn(usize) -> usize>) = if space == "global" {
                let text = format!("v_mul_u32_u24_e32 v3, 20, v0\n{name} v3, s[4:5] offset:24");
                (text, Box::new(|lane| 20 * lane + 24))
            } else {
                // Lane l's scratch dwords 6 and 7 hold input[l] and input[l + 64].
                let text = format!(
                    "s_mov_b64 exec, -1\nglobal_load_dword v8, v1, s[4:5]\nglobal_load_dword v9, v1, s[4:5] offset:256\n\
                     s_waitcnt vmcnt(0)\nscratch_store_dwordx2 off, v[8:9], off offset:24\ns_waitcnt vmcnt(0)\n\
                     s_mov_b32 exec_lo, {:#x}\ns_mov_b32 exec_hi, {:#x}\n{name} off, off offset:24",
                    exec as u32,
                    (exec >> 32) as u32
                );
                (text, Box::new(|lane| 4 * lane))
            };
            let fill: String = (0..8).map(|k| format!("ds_write_b32 v1, v2 offset:{}\n", 256 * k)).collect();
            let read: String = (0..8)
                .map(|k| {
                    format!(
                        "ds_read_b32 v2, v1 offset:{0}\nv_add_u32_e32 v3, {0}, v1\ns_waitcnt lgkmcnt(0)\n\
                         global_store_dword v3, v2, s[6:7]\ns_waitcnt vmcnt(0)\n",
                        256 * k
                    )
                })
                .collect();
            let body = format!(
                "v_mov_b32_e32 v2, -1\n{fill}s_waitcnt lgkmcnt(0)\ns_movk_i32 m0, 0x48\ns_mov_b32 exec_lo, {:#x}\n\
                 s_mov_b32 exec_hi, {:#x}\n{load}\ns_waitcnt vmcnt(0)\ns_mov_b64 exec, -1\n{read}",
                exec as u32,
                (exec >> 32) as u32
            );
            let mut want = vec![u32::MAX; 512];
            for lane in (0..64).filter(|l| exec >> l & 1 == 1) {
                for k in 0..dwords {
                    want[(0x48 + 24) / 4 + lane * dwords + k] = loaded(place(lane), k);
                }
            }
            assert_eq!(p.run(&body, &input, 8), want, "{}: {name}", p.target);
        }
    }
    // And back: lane l's dword of LDS at M0 + offset + 4·l to where the resource puts the lane.
    if p.ask(&["buffer_store_lds_dword"]) {
        let body = format!(
            "v_mul_u32_u24_e32 v2, 3, v0\nds_write_b32 v1, v2 offset:104\ns_waitcnt lgkmcnt(0)\n\
             s_mov_b32 s8, s6\ns_or_b32 s9, s7, {:#x}\ns_movk_i32 s10, 0x400\ns_mov_b32 s11, {:#x}\n\
             s_movk_i32 m0, 0x60\ns_mov_b32 exec_lo, {:#x}\ns_mov_b32 exec_hi, {:#x}\ns_mov_b32 s12, 16\n\
             buffer_store_lds_dword s[8:11], s12 offset:8 lds",
            8 << 16,
            1 << 23,
            exec as u32,
            (exec >> 32) as u32
        );
        let mut want = vec![UNTOUCHED; 256];
        (0..64).filter(|l| exec >> l & 1 == 1).for_each(|l| want[2 * l + 6] = 3 * l as u32);
        assert_eq!(p.run(&body, &[0], 4), want, "{}: buffer_store_lds_dword", p.target);
    }
}

/// A format's conversion of a register's upper half: 1.0 in binary16, and 0.5.
fn upper_halves(p: &mut Programs) {
    p.ask(&["buffer_store_format_d16_hi_x", "buffer_load_format_d16_hi_x"]);
    let resource = |format: u32, of: &str| {
        format!(
            "s_mov_b32 s8, {of}\ns_mov_b32 s10, 0x100\ns_mov_b32 s11, {:#x}\n",
            4 | 5 << 3 | 6 << 6 | 7 << 9 | format
        )
    };
    // Data and number format: 8 unorm, 16 unorm, 16 float, 32 float.
    for (data, number, stored) in [
        (1u32, 0u32, [0xff, 0x80]),
        (2, 0, [0xffff, 0x8000]),
        (2, 7, [0x3c00, 0x3800]),
        (4, 7, [0x3f80_0000, 0x3f00_0000]),
    ] {
        let bits = [8, 16, 32][usize::from(data == 2) + 2 * usize::from(data == 4)];
        for (half, want) in [0x3c00_7777u32, 0x3800_7777].into_iter().zip(stored) {
            let body = resource(data << 15 | number << 12, "s6")
                + &format!(
                    "s_mov_b32 s9, s7\ns_mov_b64 exec, 1\nv_mov_b32_e32 v2, {half:#x}\n\
                     buffer_store_format_d16_hi_x v2, off, s[8:11], 0 offset:4"
                );
            let keep = if bits == 32 { 0 } else { UNTOUCHED << bits };
            assert_eq!(p.run(&body, &[0], 1)[1], keep | want, "{}: format {data}, {number}", p.target);
        }
        let body = resource(data << 15 | number << 12, "s4")
            + "s_mov_b32 s9, s5\nv_mov_b32_e32 v2, 0\nbuffer_load_format_d16_hi_x v2, off, s[8:11], 0 offset:4\n"
            + STORE_V2;
        assert_eq!(p.run(&body, &[0, stored[0]], 1)[0], 0x3c00_0000, "{}: format {data}, {number}", p.target);
    }
}

/// Counters that waves of all workgroups meet at: a semaphore that one raises by one, by a number and for all that wait.
fn global_wave_sync(p: &mut Programs) {
    p.ask(&[
        "ds_gws_init",
        "ds_gws_sema_v",
        "ds_gws_sema_br",
        "ds_gws_sema_p",
        "ds_gws_sema_release_all",
        "ds_gws_barrier",
    ]);
    let coherent = if matches!(p.target, Target::Gfx942 | Target::Gfx950) { "sc0 sc1" } else { "glc" };
    let returning = if matches!(p.target, Target::Gfx942 | Target::Gfx950) { "sc0" } else { "glc" };
    // The resource is M0's base and the offset. The first workgroup stores 1 and lets three go that wait; each of those adds
    // to a count what it finds.
    let head = "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b32 m0, 0x90000\ns_mov_b64 exec, 1\n\
                v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v4, 1\n";
    let set = format!("{head}v_mov_b32_e32 v14, s4\nds_gws_init v14 gds offset:3\ns_waitcnt lgkmcnt(0)\ns_endpgm\n");
    let wait = format!(
        "wait:\nds_gws_sema_p gds offset:3\ns_waitcnt lgkmcnt(0)\nglobal_load_dword v2, v3, s[6:7] {coherent}\ns_waitcnt vmcnt(0)\n\
         v_mov_b32_e32 v3, 4\nglobal_atomic_add v3, v2, s[6:7]\ns_waitcnt vmcnt(0)\ns_endpgm\n"
    );
    let raise = "v_mov_b32_e32 v14, 2\nds_gws_sema_br v14 gds offset:3\ns_waitcnt lgkmcnt(0)\n\
                 ds_gws_sema_v gds offset:3\ns_waitcnt lgkmcnt(0)\ns_endpgm\n";
    // Who waits when this comes goes; who comes later waits for the next.
    let release = format!(
        "again:\nds_gws_sema_release_all gds offset:3\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v5, 4\nv_mov_b32_e32 v6, 0\n\
         global_atomic_add v7, v5, v6, s[6:7] {returning}\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s8, v7\n\
         s_cmp_lg_u32 s8, 3\ns_cbranch_scc1 again\ns_endpgm\n"
    );
    for engine in ENGINES {
        for go in [raise, &release] {
            let text = format!(
                "{head}s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 wait\nglobal_store_dword v3, v4, s[6:7]\ns_waitcnt vmcnt(0)\n{go}{wait}"
            );
            let set = words(p.target, &set);
            let mut all = words(p.target, &text);
            all.resize(all.len().max(set.len()), 0xbf81_0000);
            let mut b = Bare::new(p.target, &all, 0);
            b.config.engine = engine;
            b.write_code(&set);
            b.run(1, 64, &[0, 0]).unwrap_or_else(|f| panic!("{}: {f}", p.target));
            b.write_code(&all);
            let out = b.buffer(&[0; 32]);
            b.run(4, 64, &[0, out.base()]).unwrap_or_else(|f| panic!("{}: {f}\n{text}", p.target));
            assert_eq!(Bare::words(&out)[..2], [1, 3], "{} {engine:?}: {go}", p.target);
        }
    }
    // A barrier of four, twice: each sees what all have added before it.
    let round = format!(
        "v_mov_b32_e32 v3, 0\nglobal_atomic_add v3, v4, s[6:7]\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v14, 3\n\
         ds_gws_barrier v14 gds offset:3\ns_waitcnt lgkmcnt(0)\nglobal_load_dword v2, v3, s[6:7] {coherent}\ns_waitcnt vmcnt(0)\n"
    );
    let meet = "ds_gws_barrier v14 gds offset:3\ns_waitcnt lgkmcnt(0)\n";
    let text = format!(
        "{head}s_lshl_b32 s9, s2, 3\nv_mov_b32_e32 v6, s9\n{round}global_store_dword v6, v2, s[6:7] offset:8\n{meet}\
         {round}global_store_dword v6, v2, s[6:7] offset:12\ns_endpgm\n"
    );
    let (set, all) = (words(p.target, &set), words(p.target, &text));
    let mut b = Bare::new(p.target, &all, 0);
    b.write_code(&set);
    b.run(1, 64, &[3, 0]).unwrap_or_else(|f| panic!("{}: {f}", p.target));
    b.write_code(&all);
    let out = b.buffer(&[0; 32]);
    b.run(4, 64, &[0, out.base()]).unwrap_or_else(|f| panic!("{}: {f}", p.target));
    assert_eq!(Bare::words(&out)[..10], [8, 0, 4, 8, 4, 8, 4, 8, 4, 8], "{}", p.target);
}

/// Runs all programs, and names the rows that they ask.
pub fn every_program(target: Target) -> Vec<&'static str> {
    let mut p = Programs { target, asked: Vec::new() };
    branches(&mut p);
    hardware_registers(&mut p);
    relative_to_m0(&mut p);
    clocks(&mut p);
    without_effect(&mut p);
    halts(&mut p);
    loads_into_lds(&mut p);
    upper_halves(&mut p);
    global_wave_sync(&mut p);
    p.asked.sort_unstable();
    p.asked.dedup();
    p.asked
}
