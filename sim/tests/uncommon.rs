//! Instructions that compilers seldom or never emit, in small kernels of text: typed buffer accesses and the rules of
//! the buffer resource, scalar scratch, fork and join, VSKIP, swizzles, global wave sync, and what ends in a report.

mod bare;

use bare::Bare;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_sim::{EngineKind, FaultKind};

/// The words of a kernel.
fn words(target: Target, text: &str) -> Vec<u32> {
    let a = assemble(text, target).unwrap_or_else(|d| panic!("{target}: {d:?}"));
    let code = a.sections.iter().find(|s| s.name == ".text").expect("code");
    code.data.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
}

/// Runs `body` with the two buffers' addresses in s[4:5] (input) and s[6:7] (output), `4 × lane` in v1.
fn run_on(target: Target, body: &str, input: &[u32], out: usize, engine: EngineKind) -> Result<Vec<u32>, FaultKind> {
    let text = format!(
        "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v1, 2, v0\n{body}\ns_endpgm\n"
    );
    let mut b = Bare::new(target, &words(target, &text), 1024);
    b.config.engine = engine;
    let (data, result) = (b.buffer(input), b.buffer(&vec![0xaaaa_aaaa; out]));
    b.run(1, 64, &[data.base(), result.base()]).map(|_| Bare::words(&result)).map_err(|f| f.kind)
}

fn run(target: Target, body: &str, input: &[u32], out: usize) -> Vec<u32> {
    let interp = run_on(target, body, input, out, EngineKind::Interp).unwrap_or_else(|k| panic!("{target}: {k:?}"));
    assert_eq!(Ok(&interp), run_on(target, body, input, out, EngineKind::Jit).as_ref(), "{target}");
    interp
}

const STORE_V2: &str = "s_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_store_dword v1, v2, s[6:7]";

/// The resource s[8:11] over the input: stride, records and the fourth word.
fn resource(stride: u32, swizzle: bool, records: u32, word3: u32) -> String {
    let high = stride << 16 | u32::from(swizzle) << 31;
    format!("s_mov_b32 s8, s4\ns_or_b32 s9, s5, {high:#x}\ns_mov_b32 s10, {records:#x}\ns_mov_b32 s11, {word3:#x}\n")
}

/// The fourth word of a resource: channels in order, and the two formats.
fn typed(data: u32, number: u32) -> u32 {
    4 | 5 << 3 | 6 << 6 | 7 << 9 | number << 12 | data << 15
}

/// What compilers count on when they fold `<i16 0, i16 0x4000>` into `2.0`.
#[test]
fn float_constants_of_16_bit_integers_are_the_bits_of_an_f32() {
    let cases = [
        ("v_pk_add_u16 v2, v3, 2.0", 0x4003_0005),
        ("v_pk_add_u16 v2, v3, 2.0 op_sel:[0,1]", 0x4003_4005),
        ("v_pk_add_u16 v2, v3, 2.0 op_sel:[0,1] op_sel_hi:[1,0]", 0x0003_4005),
        ("v_pk_add_u16 v2, v3, -4.0", 0xc083_0005),
        ("v_pk_sub_i16 v2, v3, 0.15915494", 0xc1e1_0682),
        ("v_pk_lshlrev_b16 v2, 1.0, v3", 0x0003_0005),
        ("v_pk_add_u16 v2, v3, -2", 0x0002_0003),
        ("v_pk_add_f16 v2, v4, 2.0 op_sel_hi:[1,0]", 0x4400_4200),
        ("v_pk_add_f16 v2, v4, 2.0", 0x4000_4200),
        ("v_add_u16_e32 v2, 2.0, v3", 5),
        ("v_mad_u16 v2, v3, 0.15915494, 1", (5 * 0xf983 + 1) & 0xffff),
        ("v_cvt_f16_u16_e32 v2, 0.15915494", 0x7bcc),
    ];
    for target in Target::ALL {
        for (text, right) in cases {
            let set = format!("v_mov_b32_e32 v3, 0x30005\nv_mov_b32_e32 v4, 0x40003c00\n{text}\n{STORE_V2}");
            assert_eq!(run(target, &set, &[0], 64)[0], right, "{target}: {text}");
        }
    }
}

/// Every result is of the operands as they were, wherever D lies.
#[test]
fn matrix_results_may_lie_over_their_operands() {
    let products = [
        ("v_mfma_f32_4x4x4f16", "v[8:9], v[10:11]", "v[8:11]"),
        ("v_mfma_f32_4x4x1f32", "v8, v9", "v[8:11]"),
        ("v_mfma_f32_4x4x1f32", "v8, v9", "v[6:9]"),
        ("v_mfma_i32_4x4x4i8", "v8, v9", "v[8:11]"),
        ("v_mfma_f32_16x16x16f16", "v[8:9], v[10:11]", "v[8:11]"),
        ("v_mfma_f64_4x4x4f64", "v[8:9], v[10:11]", "v[8:9]"),
    ];
    let input: Vec<u32> = (0..64).map(|i| 0x3c00_3800 + i * 0x0011_0203).collect();
    for target in [Target::Gfx90a, Target::Gfx942, Target::Gfx950] {
        for (name, operands, over) in products {
            let wide = if name.contains("f64") { 2 } else { 4 };
            let name = match (target, name) {
                // Renamed with CDNA3.
                (Target::Gfx942 | Target::Gfx950, "v_mfma_f32_4x4x4f16") => "v_mfma_f32_4x4x4_16b_f16",
                _ => name,
            };
            let into = |d: &str, first: u32| {
                let stores: String = (0..wide)
                    .map(|i| format!("global_store_dword v1, v{}, s[6:7] offset:{}\n", first + i, 256 * i))
                    .collect();
                let body = format!(
                    "global_load_dword v8, v1, s[4:5]\ns_waitcnt vmcnt(0)\nv_add_u32_e32 v9, 0x10203, v8\n\
                     v_xor_b32_e32 v10, 0x300, v8\nv_add_u32_e32 v11, 0x70001, v8\ns_nop 7\n\
                     {name} {d}, {operands}, 0\ns_nop 15\ns_nop 15\n{stores}"
                );
                run(target, &body, &input, 64 * wide as usize)
            };
            let first =
                over.trim_start_matches("v[").split(':').next().and_then(|n| n.parse().ok()).expect("a register");
            let apart = into(&format!("v[20:{}]", 19 + wide), 20);
            assert_eq!(into(over, first), apart, "{target}: {name} into {over}");
        }
    }
}

/// SRAM-ECC is on in every part: a register is written whole.
#[test]
fn loads_of_a_half_clear_the_other_half() {
    let loads = [
        ("global_load_short_d16 v2, v0, s[4:5]", 0x8182),
        ("global_load_short_d16_hi v2, v0, s[4:5]", 0x8182_0000),
        ("global_load_ubyte_d16 v2, v0, s[4:5]", 0x82),
        ("global_load_ubyte_d16_hi v2, v0, s[4:5]", 0x82_0000),
        ("global_load_sbyte_d16 v2, v0, s[4:5]", 0xff82),
        ("global_load_sbyte_d16_hi v2, v0, s[4:5]", 0xff82_0000),
        ("buffer_load_short_d16_hi v2, off, s[8:11], 0", 0x8182_0000),
        ("buffer_load_format_d16_x v2, off, s[8:11], 0", 0x3814),
        ("buffer_load_format_d16_hi_x v2, off, s[8:11], 0", 0x3814_0000),
        ("v_mov_b32_e32 v3, 0\nds_write_b32 v3, v4\ns_waitcnt lgkmcnt(0)\nds_read_u16_d16 v2, v3", 0x8182),
        ("v_mov_b32_e32 v3, 0\nds_write_b32 v3, v4\ns_waitcnt lgkmcnt(0)\nds_read_u16_d16_hi v2, v3", 0x8182_0000),
        ("v_mov_b32_e32 v3, 0\nds_write_b32 v3, v4\ns_waitcnt lgkmcnt(0)\nds_read_i8_d16_hi v2, v3", 0xff82_0000),
    ];
    for target in Target::ALL {
        for (text, right) in loads {
            let body = resource(0, false, 16, typed(10, 0))
                + &format!("v_mov_b32_e32 v4, 0x8182\nv_mov_b32_e32 v0, 0\nv_mov_b32_e32 v2, -1\n{text}\n{STORE_V2}");
            assert_eq!(run(target, &body, &[0x8182], 64)[0], right, "{target}: {text}");
        }
    }
}

#[test]
fn loads_through_a_format_convert_select_and_fill_in_missing_channels() {
    let input = [0xff80_4000u32, 0x0102_0304, 0x7fff_8000, 0xffff_ffff];
    for target in Target::ALL {
        let load = |word3: u32, instruction: &str| {
            let body = resource(0, false, 16, word3)
                + &format!("v_mov_b32_e32 v8, 0\nv_mov_b32_e32 v9, 0\n{instruction}\ns_waitcnt vmcnt(0)\n")
                + "v_lshlrev_b32_e32 v3, 4, v0\nglobal_store_dwordx4 v3, v[8:11], s[6:7]";
            run(target, &body, &input, 256)[..4].to_vec()
        };
        let f = |v: f32| v.to_bits();
        let unorm = load(typed(10, 0), "buffer_load_format_xyzw v[8:11], off, s[8:11], 0");
        assert_eq!(unorm, [f(0.0), f(64.0 / 255.0), f(128.0 / 255.0), f(1.0)], "{target}");
        let uint = load(typed(10, 4), "buffer_load_format_xyzw v[8:11], off, s[8:11], 0 offset:4");
        assert_eq!(uint, [4, 3, 2, 1]);
        // Channels reversed by the resource; a constant one.
        let reversed = 7 | 6 << 3 | 1 << 6 | 4 << 9 | 4 << 12 | 10 << 15;
        let uint = load(reversed, "buffer_load_format_xyzw v[8:11], off, s[8:11], 0 offset:4");
        assert_eq!(uint, [1, 2, 1, 4]);
        // Two channels: z is 0 and w is 1.
        let snorm = load(typed(5, 1), "buffer_load_format_xyzw v[8:11], off, s[8:11], 0 offset:8");
        assert_eq!(snorm, [f(-1.0), f(1.0), 0, f(1.0)]);
        // MTBUF brings its format and does not care for the resource's.
        let t = load(
            0,
            "tbuffer_load_format_xy v[8:9], off, s[8:11], 0 format:[BUF_DATA_FORMAT_8_8,BUF_NUM_FORMAT_SINT] offset:2",
        );
        assert_eq!(t[..2], [0xffff_ff80, 0xffff_ffff]);
        // Halves, two to a register; the last one's other half is kept.
        let d16 = load(typed(10, 0), "buffer_load_format_d16_xyz v[8:9], off, s[8:11], 0");
        assert_eq!(d16[..2], [0x3404 << 16, 0x3804], "{d16:x?}");
        // Out of bounds: 0, but for a constant one.
        let beyond = load(reversed, "buffer_load_format_xyzw v[8:11], off, s[8:11], 0 offset:16");
        assert_eq!(beyond, [0, 0, 1, 0]);
    }
}

#[test]
fn stores_through_a_format_clamp_and_write_the_channels_they_have() {
    for target in Target::ALL {
        let body = "s_mov_b32 s8, s6\ns_mov_b32 s9, s7\ns_mov_b32 s10, 0x100\n".to_owned()
            + &format!("s_mov_b32 s11, {:#x}\n", typed(10, 0))
            + "v_mov_b32_e32 v8, 2.0\nv_mov_b32_e32 v9, 0.5\nv_mov_b32_e32 v10, -1.0\nv_mov_b32_e32 v11, 1.0\n"
            + "buffer_store_format_xyzw v[8:11], v1, s[8:11], 0 offen\n"
            + "s_waitcnt vmcnt(0)\nv_cmp_gt_u32_e32 vcc, 4, v0\ns_and_saveexec_b64 s[12:13], vcc\n"
            + "v_mov_b32_e32 v8, 7\nv_mov_b32_e32 v9, -2\n"
            + "tbuffer_store_format_xy v[8:9], v1, s[8:11], 0 format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_SINT] offen";
        let out = run(target, &body, &[0], 64);
        // Halves of 255 go to even: 127.5 is 128.
        assert_eq!(out[5], 0xff00_80ff);
        assert_eq!(out[2], 0xff00_fe07, "two of four channels");
    }
}

#[test]
fn bounds_are_in_strides_with_an_index_and_in_bytes_without() {
    let input: Vec<u32> = (0..64).map(|i| i + 100).collect();
    for target in Target::ALL {
        // Five records of twelve bytes.
        let body = resource(12, false, 5, 0) + "buffer_load_dword v2, v0, s[8:11], 0 idxen offset:4\n" + STORE_V2;
        let out = run(target, &body, &input, 64);
        let want: Vec<u32> = (0..64).map(|i| if i < 5 { 100 + 3 * i + 1 } else { 0 }).collect();
        assert_eq!(out, want, "{target}");
        // The scalar offset takes from the bytes that a raw buffer has.
        let body =
            resource(0, false, 64, 0) + "s_mov_b32 s12, 32\nbuffer_load_dword v2, v1, s[8:11], s12 offen\n" + STORE_V2;
        let out = run(target, &body, &input, 64);
        let want: Vec<u32> = (0..64).map(|i| if i < 8 { 108 + i } else { 0 }).collect();
        assert_eq!(out, want, "{target}");
        // A scalar offset beyond the records leaves nothing.
        let body = resource(0, false, 64, 0)
            + "s_mov_b32 s12, 0x80\nbuffer_load_dword v2, v1, s[8:11], s12 offen\n"
            + STORE_V2;
        assert_eq!(run(target, &body, &input, 64), [0; 64]);
        // Dwords of a wide load are checked one by one.
        let body = resource(0, false, 12, 0)
            + "buffer_load_dwordx4 v[8:11], off, s[8:11], 0\ns_waitcnt vmcnt(0)\n"
            + "v_lshlrev_b32_e32 v3, 4, v0\nglobal_store_dwordx4 v3, v[8:11], s[6:7]";
        assert_eq!(run(target, &body, &input, 256)[..4], [100, 101, 102, 0]);
    }
}

/// What kernels count on that give the lanes at a matrix's edge the offset -1: neither the immediate nor the dwords
/// after the first bring it round to the buffer's beginning.
#[test]
fn offsets_do_not_wrap_round_to_the_beginning_of_a_buffer() {
    for target in Target::ALL {
        for (records, offset) in [(0x8000_0000_u32, -1), (0xffff_ffff, -4), (0xffff_fffe, -1)] {
            for (wide, last) in [("dword", 2), ("dwordx2", 3), ("dwordx4", 5)] {
                for immediate in [0, 8, 4080] {
                    let register = if wide == "dword" { "v2".into() } else { format!("v[2:{last}]") };
                    let at = format!("v6, s[8:11], 0 offen offset:{immediate}");
                    let set: String = (2..6).map(|r| format!("v_mov_b32 v{r}, 7\n")).collect();
                    // The records begin at the output, where a store that wrapped would be seen.
                    let begin = resource(0, false, records, 0).replace("s4", "s6").replace("s5", "s7");
                    let body = format!(
                        "{begin}{set}v_mov_b32 v6, {offset}\nbuffer_store_{wide} {register}, {at}\n\
                         buffer_load_{wide} {register}, {at}\ns_waitcnt vmcnt(0)\n\
                         v_add_u32 v2, v2, v{last}\nglobal_store_dword v1, v2, s[6:7] offset:4092\n"
                    );
                    let out = run(target, &body, &[0; 64], 1023 + 64);
                    assert!(out[..1023].iter().all(|w| *w == 0xaaaa_aaaa), "{target} {wide} {offset} +{immediate}");
                    assert!(out[1023..].iter().all(|w| *w == 0), "{target} {wide} {offset} +{immediate}");
                }
            }
        }
    }
}

#[test]
fn swizzled_buffers_interleave_records_and_add_tid_counts_lanes() {
    let input: Vec<u32> = (0..256).collect();
    for target in Target::ALL {
        // Records of sixteen bytes, sixteen of them interleaved: dword j of record i is 64·(i/16) + 16·j + i%16.
        let word3 = 1 << 21;
        let body = resource(16, true, 64, word3) + "buffer_load_dword v2, v0, s[8:11], 0 idxen offset:8\n" + STORE_V2;
        let want: Vec<u32> = (0..64).map(|i| 64 * (i / 16) + 32 + i % 16).collect();
        assert_eq!(run(target, &body, &input, 64), want, "{target}");
        // The lane as the index, without one in the instruction.
        let body = resource(8, false, 1024, 1 << 23) + "buffer_load_dword v2, off, s[8:11], 0 offset:4\n" + STORE_V2;
        let want: Vec<u32> = (0..64).map(|i| 2 * i + 1).collect();
        assert_eq!(run(target, &body, &input, 64), want, "{target}");
    }
}

#[test]
fn scalar_scratch_offsets_count_sixty_four_bytes() {
    let input: Vec<u32> = (0..64).map(|i| 7 * i).collect();
    for target in Target::ALL {
        let body = "s_mov_b32 s12, 2\ns_scratch_load_dwordx2 s[8:9], s[4:5], s12\ns_waitcnt lgkmcnt(0)\n".to_owned()
            + "s_scratch_load_dword s10, s[4:5], 0x8\ns_waitcnt lgkmcnt(0)\n"
            + "s_add_u32 s8, s8, s9\ns_add_u32 s8, s8, s10\nv_mov_b32_e32 v2, s8\n"
            + STORE_V2;
        assert_eq!(run(target, &body, &input, 64)[0], 7 * (32 + 33 + 2), "{target}");
    }
}

#[test]
fn fork_takes_the_smaller_part_first_and_join_the_other() {
    for target in Target::ALL {
        // Lanes below 20 take the branch: they are fewer, so they go first; both parts meet again.
        let body = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 29, 3), 0\nv_mov_b32_e32 v2, 0\ns_mov_b32 s20, 0\n\
                    v_cmp_gt_u32_e64 s[12:13], 20, v0\n\
                    s_cbranch_i_fork s[12:13], taken\n\
                    s_add_u32 s20, s20, 1\nv_add_u32_e32 v2, s20, v2\ns_branch meet\n\
                    taken:\ns_add_u32 s20, s20, 1\nv_mul_u32_u24_e32 v2, 16, v0\nv_add_u32_e32 v2, s20, v2\n\
                    meet:\ns_cbranch_join s21\n"
            .replace("s_cbranch_join s21", "s_mov_b32 s21, 0\ns_cbranch_join s21\ns_mov_b64 exec, -1\n")
            + STORE_V2;
        let out = run(target, &body, &[0], 64);
        let want: Vec<u32> = (0..64).map(|i| if i < 20 { 16 * i + 1 } else { 2 }).collect();
        assert_eq!(out, want, "{target}");
        // All one way: no fork.
        let body = "s_mov_b64 s[12:13], -1\nv_mov_b32_e32 v2, 5\ns_getpc_b64 s[14:15]\ns_add_u32 s14, s14, 20\n\
                    s_addc_u32 s15, s15, 0\ns_cbranch_g_fork s[12:13], s[14:15]\nv_mov_b32_e32 v2, 6\ns_nop 0\n"
            .to_owned()
            + STORE_V2;
        assert_eq!(run(target, &body, &[0], 64), [5; 64], "{target}");
    }
}

#[test]
fn vskip_passes_over_vector_instructions_only() {
    for target in Target::ALL {
        let body = "v_mov_b32_e32 v2, 1\ns_mov_b32 s8, 4\ns_setvskip s8, 2\n\
                    v_mov_b32_e32 v2, 2\nglobal_store_dword v1, v2, s[6:7]\nds_write_b32 v1, v2\ns_mov_b32 s9, 3\n\
                    s_setvskip s8, 0\nv_add_u32_e32 v2, s9, v2\n"
            .to_owned()
            + STORE_V2;
        assert_eq!(run(target, &body, &[0], 64), [4; 64], "{target}");
    }
}

#[test]
fn swizzles_rotate_and_reverse() {
    for target in Target::ALL {
        for (pattern, from) in [
            // Rotations, by three and by minus one within eight lanes.
            ("0xc060", Box::new(|i: u32| i & 32 | (i + 3) & 31) as Box<dyn Fn(u32) -> u32>),
            ("0xc438", Box::new(|i: u32| i & 56 | (i.wrapping_sub(1)) & 7)),
            ("0xe000", Box::new(|i: u32| i & 32 | (i & 31).reverse_bits() >> 27)),
            ("0xe010", Box::new(|i: u32| i & 48 | (i & 15).reverse_bits() >> 28)),
            ("0xe01f", Box::new(|i: u32| i)),
            ("0x801b", Box::new(|i: u32| i & !3 | (3 - (i & 3)))),
            ("0x041f", Box::new(|i: u32| i ^ 1)),
        ] {
            let body = format!("ds_swizzle_b32 v2, v0 offset:{pattern}\n{STORE_V2}");
            let want: Vec<u32> = (0..64).map(from).collect();
            assert_eq!(run(target, &body, &[0], 64), want, "{target} {pattern}");
        }
    }
}

#[test]
fn global_wave_sync_holds_every_workgroup_until_all_have_come() {
    for target in Target::ALL {
        // Each of four workgroups adds to a counter, waits for the others, and reads the counter. Twice.
        let round = "v_mov_b32_e32 v4, 1\nv_mov_b32_e32 v3, 0\nglobal_atomic_add v3, v4, s[6:7]\ns_waitcnt vmcnt(0)\n\
                     s_mov_b32 m0, 0\nv_mov_b32_e32 v14, 3\nds_gws_barrier v14 gds offset:7\ns_waitcnt lgkmcnt(0)\n\
                     global_load_dword v2, v3, s[6:7] sc0\ns_waitcnt vmcnt(0)\n";
        let coherent = if matches!(target, Target::Gfx942 | Target::Gfx950) { "sc0" } else { "glc" };
        let round = round.replace("sc0", coherent);
        let main = format!(
            "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc1 main\n\
             s_mov_b32 m0, 0\nv_mov_b32_e32 v14, 3\nds_gws_init v14 gds offset:7\ns_waitcnt lgkmcnt(0)\ns_endpgm\nmain:\n\
             s_lshl_b32 s9, s2, 3\ns_mov_b64 exec, 1\n{round}\
             v_add_u32_e32 v6, 64, v3\nv_add_u32_e32 v6, s9, v6\nglobal_store_dword v6, v2, s[6:7]\n\
             v_mov_b32_e32 v14, 3\nds_gws_barrier v14 gds offset:7\ns_waitcnt lgkmcnt(0)\n\
             {round}global_store_dword v6, v2, s[6:7] offset:4\ns_endpgm\n"
        );
        let mut b = Bare::new(target, &words(target, &main), 0);
        // The counter outlives the dispatch that sets it.
        b.run(1, 64, &[1, 0]).unwrap_or_else(|f| panic!("{target}: {f}"));
        let out = b.buffer(&[0; 32]);
        b.run(4, 64, &[0, out.base()]).unwrap_or_else(|f| panic!("{target}: {f}"));
        assert_eq!(Bare::words(&out)[16..24], [4, 8, 4, 8, 4, 8, 4, 8], "{target}");
    }
}

#[test]
fn what_hardware_leaves_undefined_is_reported_by_name() {
    for target in Target::ALL {
        let fault = |body: String| run_on(target, &body, &[0; 64], 64, EngineKind::Jit).expect_err("a report");
        let load = "buffer_load_format_x v2, v1, s[8:11], 0 offen";
        for (data, number) in [(0, 4), (15, 4), (4, 0), (10, 7), (4, 6)] {
            assert_eq!(fault(resource(0, false, 256, typed(data, number)) + load), FaultKind::Undefined);
        }
        assert_eq!(fault(resource(0, false, 256, 4 << 12 | 4 << 15 | 2) + load), FaultKind::Undefined);
        let odd = "buffer_load_format_x v2, off, s[8:11], 0 offset:2";
        assert_eq!(fault(resource(0, false, 256, typed(4, 4)) + odd), FaultKind::Alignment);
        assert_eq!(fault("s_rfe_b64 s[4:5]".into()), FaultKind::Undefined);
        assert_eq!(fault("v_screen_partition_4se_b32_e32 v2, v0".into()), FaultKind::Undefined);
    }
}

#[test]
fn relative_indexing_reaches_accumulation_registers_too() {
    for target in Target::ALL {
        // a[4+k] = 10·k, then a4 read relative to M0 = 3; v20 written relative to M0 = 2 is v22.
        let mut body = String::new();
        for k in 0..6 {
            body += &format!("v_mov_b32_e32 v8, {}\nv_accvgpr_write_b32 a{}, v8\n", 10 * k, 4 + k);
        }
        body += "s_nop 7\ns_nop 7\ns_mov_b32 s8, 3\ns_set_gpr_idx_on s8, gpr_idx(SRC0)\nv_accvgpr_read_b32 v9, a4\n\
                 s_set_gpr_idx_off\nv_mov_b32_e32 v22, 0\ns_mov_b32 s8, 2\ns_set_gpr_idx_on s8, gpr_idx(DST)\n\
                 v_mov_b32_e32 v20, v0\ns_set_gpr_idx_off\nv_add_u32_e32 v2, v9, v22\n";
        let want: Vec<u32> = (0..64).map(|i| 30 + i).collect();
        assert_eq!(run(target, &(body + STORE_V2), &[0], 64), want, "{target}");
    }
}

#[test]
fn loads_into_lds_land_at_waits_in_code_that_a_mode_change_or_a_jump_leads_to() {
    let input: Vec<u32> = (0..64).map(|i| 3 * i + 1).collect();
    for target in Target::ALL {
        for between in [
            "s_mov_b32 s12, m0\ns_set_gpr_idx_on s13, gpr_idx(SRC0)\nv_mov_b32_e32 v9, v8\ns_set_gpr_idx_off\n\
             s_mov_b32 m0, s12",
            "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3",
            "s_getpc_b64 s[14:15]\ns_add_u32 s14, s14, 16\ns_addc_u32 s15, s15, 0\ns_setpc_b64 s[14:15]\ns_nop 0",
        ] {
            let body = resource(0, false, 256, 0)
                + "s_mov_b32 s13, 0\ns_mov_b32 m0, 0\nv_mov_b32_e32 v8, 0\n\
                   buffer_load_dword v1, s[8:11], 0 offen lds\n"
                + between
                + "\ns_waitcnt vmcnt(0)\nds_read_b32 v2, v1\n"
                + STORE_V2;
            assert_eq!(run(target, &body, &input, 64), input, "{target}: {between}");
        }
    }
}

/// Runs a workgroup of four waves, in which item i is to end with i ^ 64.
fn gives_every_item_that_of_the_next_wave(target: Target, text: &str) {
    for engine in [EngineKind::Interp, EngineKind::Jit] {
        let mut b = Bare::new(target, &words(target, text), 1024);
        b.config.engine = engine;
        let out = b.buffer(&[0; 256]);
        b.run(1, 256, &[0, out.base()]).unwrap_or_else(|f| panic!("{target}: {f}"));
        let want: Vec<u32> = (0..256).map(|i| i ^ 64).collect();
        assert_eq!(Bare::words(&out), want, "{target} {engine:?}");
    }
}

#[test]
fn waves_see_at_a_wait_for_lds_what_others_wrote_before_theirs() {
    for target in Target::ALL {
        let text = "s_load_dwordx2 s[6:7], s[0:1], 0x8\nv_lshlrev_b32_e32 v1, 2, v0\nv_xor_b32_e32 v3, 0x100, v1\n\
                    ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\nds_read_b32 v2, v3\n\
                    s_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v2, s[6:7]\ns_endpgm\n";
        gives_every_item_that_of_the_next_wave(target, text);
    }
}

#[test]
fn waves_have_read_what_others_write_over_behind_a_wait() {
    for target in Target::ALL {
        let text = "s_load_dwordx2 s[6:7], s[0:1], 0x8\nv_lshlrev_b32_e32 v1, 2, v0\nv_xor_b32_e32 v3, 0x100, v1\n\
                    ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v2, v3\n\
                    v_mov_b32_e32 v4, -1\ns_waitcnt lgkmcnt(0)\nds_write_b32 v1, v4\n\
                    global_store_dword v1, v2, s[6:7]\ns_endpgm\n";
        gives_every_item_that_of_the_next_wave(target, text);
    }
}
