//! Whole files: what directives make, and what their errors say.

use wavesmith_asm::Target;
use wavesmith_asm::assemble::{Assembled, Diagnostic, Meta, RelocationKind, assemble};

fn good(text: &str) -> Assembled {
    match assemble(text, Target::Gfx942) {
        Ok(a) => a,
        Err(e) => panic!("{}", e.iter().map(|d| d.render("test.s")).collect::<String>()),
    }
}

fn bad(text: &str) -> Vec<Diagnostic> {
    assemble(text, Target::Gfx942).expect_err("the file is wrong")
}

fn words(a: &Assembled, section: &str) -> Vec<u32> {
    let s = a.sections.iter().find(|s| s.name == section).expect("the section exists");
    s.data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

#[test]
fn branches_reach_labels_before_and_after() {
    let a = good("top:\n s_nop 0\n s_branch top\n s_cbranch_scc1 1f\n s_nop 1\n1: s_branch 1b\n");
    assert_eq!(words(&a, ".text"), [0xbf80_0000, 0xbf82_fffe, 0xbf85_0001, 0xbf80_0001, 0xbf82_ffff]);
}

#[test]
fn a_branch_to_here_is_one_to_itself() {
    assert_eq!(words(&good("s_nop 0\ns_branch .\n"), ".text"), [0xbf80_0000, 0xbf82_ffff]);
}

#[test]
fn macros_repeat_substitute_and_nest() {
    let a = good(
        ".macro load r, n=1, rest:vararg\n .if \\n > 1\n s_nop \\n\n .else\n s_nop 0\n .endif\n v_mov_b32 v\\r, \\rest\n.endm\n\
         load 3, , 7\nload 4, 2, s1\n.rept 2\ns_nop 5\n.endr\n.irp x, 1, 2\n.set y, \\x + 1\ns_nop y\n.endr\n",
    );
    assert_eq!(
        words(&a, ".text"),
        [0xbf80_0000, 0x7e06_0287, 0xbf80_0002, 0x7e08_0201, 0xbf80_0005, 0xbf80_0005, 0xbf80_0002, 0xbf80_0003]
    );
}

#[test]
fn the_count_of_macros_is_not_one_of_repetitions() {
    let a =
        good(".macro n\n s_nop \\@\n.endm\n.irp r, 1, 2\n s_nop \\@\n.endr\nn\n.irp r, 1, 2\n s_nop \\@\n.endr\nn\n");
    assert_eq!(words(&a, ".text").iter().map(|w| w & 0xff).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1]);
}

#[test]
fn a_sign_may_stand_apart_from_its_number() {
    let a = good("s_mov_b32 s0, - 0.5\nv_mul_f32 v0, -  1.0, v2\nv_mul_f32 v0, - v1, v2\nv_add_f32 v0, - 2, v1\n");
    let b = good("s_mov_b32 s0, -0.5\nv_mul_f32 v0, -1.0, v2\nv_mul_f32 v0, -v1, v2\nv_add_f32 v0, -2, v1\n");
    assert_eq!(words(&a, ".text"), words(&b, ".text"));
}

#[test]
fn data_directives_lay_out_bytes() {
    let a = good(
        ".data\nstart: .byte 1, -1\n.p2align 2\n.long 0x12345678, end - start\n.ascii \"a\\n\"\n.asciz \"b\"\n.fill 2, 2, 0x1234\n.quad later\nend:\n.set later, 5\n",
    );
    let d = &a.sections.iter().find(|s| s.name == ".data").expect("data").data;
    assert_eq!(d[..8], [1, 0xff, 0, 0, 0x78, 0x56, 0x34, 0x12]);
    assert_eq!(d[8..12], 28u32.to_le_bytes());
    assert_eq!(d[12..], [b'a', b'\n', b'b', 0, 0x34, 0x12, 0x34, 0x12, 5, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn leb128_numbers_take_the_bytes_they_need() {
    let a = good(
        "a: s_nop 0\ns_nop 0\nb:\n.section .debug_x,\"\",@progbits\n.uleb128 b-a, 0, 127, 128, 624485\n.sleb128 -1, 63, 64, -64, -65, -123456\n.uleb128 -1\n",
    );
    let d = &a.sections.iter().find(|s| s.name == ".debug_x").expect("the section").data;
    let unsigned = [8, 0, 0x7f, 0x80, 1, 0xe5, 0x8e, 0x26];
    let signed = [0x7f, 0x3f, 0xc0, 0, 0x40, 0xbf, 0x7f, 0xc0, 0xbb, 0x78];
    let all_ones = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    assert_eq!(d[..], [&unsigned[..], &signed[..], &all_ones[..]].concat());
    assert!(bad(".uleb128 later - 4\nlater:\n")[0].message.contains("known here"));
}

#[test]
fn addresses_left_to_the_linker_become_relocations() {
    let a =
        good("s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, far@rel32@lo+4\ns_addc_u32 s1, s1, far@rel32@hi+12\n.long far\n");
    let r = &a.sections[0].relocations;
    assert_eq!(r.len(), 3);
    assert_eq!((r[0].offset, r[0].kind, r[0].addend), (8, RelocationKind::Rel32Lo, 4));
    assert_eq!((r[1].offset, r[1].kind, r[1].addend), (16, RelocationKind::Rel32Hi, 12));
    assert_eq!((r[2].offset, r[2].kind), (20, RelocationKind::Abs32));
    assert!(a.symbols.iter().any(|s| s.name == "far" && !s.defined));
}

#[test]
fn a_kernel_has_its_descriptor_and_metadata() {
    let a = good(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.amdhsa_code_object_version 5\n.globl k\n.type k,@function\nk:\n s_endpgm\n\
         .set n, 9\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr n\n.amdhsa_next_free_sgpr 10\n.amdhsa_accum_offset 8\n.amdhsa_kernarg_size 24\n\
         .amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n\
         .amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n    .kernarg_segment_size: 24\n    .symbol: k.kd\n    \
         .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n    .wavefront_size: 64\n    \
         .sgpr_count: 10\n    .vgpr_count: 9\n    .max_flat_workgroup_size: 64\namdhsa.version: [1, 2]\n...\n.end_amdgpu_metadata\n",
    );
    assert_eq!(a.kernels, ["k"]);
    assert_eq!(a.code_object_version, 5);
    let d = words(&a, ".rodata");
    assert_eq!(d[2], 24, "kernarg size");
    assert_eq!(d[12] & 0x3f, 1, "two granules of 8 VGPRs");
    assert_eq!(d[11], 1, "accum_offset 8");
    assert_eq!(d[13] >> 1 & 31, 2, "user SGPRs");
    assert_eq!(d[14] & 0xffff, 8, "kernarg pointer enabled");
    let Some(Meta::List(kernels)) = a.metadata.as_ref().and_then(|m| m.get("amdhsa.kernels")) else {
        panic!("metadata")
    };
    assert_eq!(kernels[0].get(".kernarg_segment_size"), Some(&Meta::Uint(24)));
}

#[test]
fn all_errors_of_a_file_are_reported_at_once_with_place_and_hint() {
    let e = bad(
        "v_ad_f32 v0, v1, v2\n v_add_f32 v0, v1, v2 mul:3\ns_mov_b64 s[1:2], 0\nv_mov_b32 v0, v[300:301]\n.lnog 5\n",
    );
    assert_eq!(e.iter().map(|d| d.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(e[0].help.as_deref(), Some("did you mean `v_add_f32`?"));
    assert_eq!(e[1].column, 27);
    assert_eq!(&e[2].text[e[2].span.0..e[2].span.1], "s[1:2]");
    assert_eq!(e[4].help.as_deref(), Some("did you mean `.long`?"));
    let shown = e[2].render("k.s");
    assert!(shown.contains("k.s:3:11") && shown.contains("s_mov_b64 s[1:2], 0") && shown.contains("^^^^^^"), "{shown}");
}

#[test]
fn errors_inside_macros_say_how_they_came_about() {
    let e = bad(".macro m x\nv_mov_b32 v0, \\x\n.endm\nm s[0:1]\n");
    assert_eq!(e.len(), 1);
    assert_eq!(e[0].through, [("m".to_owned(), 4)]);
}

#[test]
fn instructions_of_other_targets_are_named_as_such() {
    let e = bad("v_mfma_f32_16x16x32_f16 v[0:3], v[4:7], v[8:11], v[0:3]\n");
    assert!(e[0].message.contains("not supported on gfx942"), "{:?}", e[0]);
    assert!(e[0].help.as_deref().is_some_and(|h| h.contains("gfx950")));
}

#[test]
fn hostile_files_end_in_errors() {
    for text in [
        ".fill 0xffffffffffff, 8, 1",
        ".space 0x7fffffffffffffff",
        ".macro m\nm\nm\n.endm\nm\n",
        ".rept 1000000000\n.rept 1000000000\ns_nop 0\n.endr\n.endr\n",
        ".set a, b\n.set b, a\n.long a\n",
        ".if 1\n",
        ".macro unfinished\n",
        ".amdhsa_kernel k\n",
        ".org -1",
        "s_branch nowhere",
        "\"",
        "/* never closed\ns_nop 0\n",
        ".rept 0x7fffffffffffffff\n.endr\n",
        ".rept 1.0\n.endr\n",
        ".long ((((((((((((((((((((1",
    ] {
        let r = assemble(text, Target::Gfx942);
        let linked = matches!(&r, Ok(a) if a.sections.iter().any(|s| !s.relocations.is_empty()));
        assert!(r.is_err() || linked, "{text:?} assembled");
    }
}

#[test]
fn zeros_in_the_text_are_bytes_like_others() {
    for before in
        [".irp x, ", ".irpc x, ", ".macro m x\n.endm\nm ", ".section ", ".ascii ", ".long ", ".if ", "s_nop ", ""]
    {
        for zero in ["\0", "a\0", "\0a", "'\0", "\"\0", "(\0", "\0,\0"] {
            // Whatever the verdict, there is one.
            let _ = assemble(&format!("{before}{zero}\n.endr\n"), Target::Gfx942);
        }
    }
}

#[test]
fn errors_are_shown_in_bounded_space() {
    let long = format!("v_mov_b32 v0, v1{} v2 v3\n{}\n", " ".repeat(100_000), "x".repeat(100_000));
    for d in bad(&long) {
        let shown = d.render("long.s");
        assert!(shown.len() < 2000, "{} bytes", shown.len());
        let pointed = shown.lines().find(|l| l.contains('^')).expect("a pointer").find('^').expect("a pointer");
        let line = shown.lines().find(|l| l.starts_with(&d.line.to_string())).expect("the line");
        assert!(line.chars().nth(pointed).is_some_and(|c| c != ' '), "{shown}");
    }
    let many: String = (0..40_000).map(|i| format!("l{i}: s_branch l{}\n", 39_999 - i)).collect();
    assert!(bad(&many).len() <= 200);
}

#[test]
fn read_only_values_as_results_are_llvm_s_bytes_and_a_warning() {
    let a = good("s_mov_b32 vccz, s0\nv_cmp_eq_f32 src_scc, v0, v1\ns_load_dword s0, s[2:3], src_execz\n");
    assert_eq!(words(&a, ".text"), [0xbefb_0000, 0xd042_00fd, 0x0002_0300, 0xc000_0001, 0x0000_007c]);
    assert_eq!(a.warnings.iter().map(|w| w.line).collect::<Vec<_>>(), [1, 2, 3]);
    let shown = a.warnings[0].render("w.s");
    assert!(shown.starts_with("warning: ") && shown.contains("which is ttmp15"), "{shown}");
}

#[test]
fn modifiers_may_come_in_any_order() {
    let a = good("v_fma_f32 v0, v1, v2, v3 mul:2 clamp\nbuffer_load_dword v0, v1, s[0:3], 0 offset:4 offen sc0\n");
    let b = good("v_fma_f32 v0, v1, v2, v3 clamp mul:2\nbuffer_load_dword v0, v1, s[0:3], 0 offen offset:4 sc0\n");
    assert_eq!(a.sections[0].data, b.sections[0].data);
}

/// Line, column and a part of what is said there.
type Told = (usize, usize, &'static str);

/// What people write by mistake: the file, and line, column and a part of the message or hint of everything that is
/// reported.
const MISTAKES: &[(&str, &[Told])] = &[
    // Registers.
    (
        "v_add_f32 v256, v1, v2\ns_mov_b32 s110, 0\n",
        &[(1, 11, "register index is out of range"), (2, 11, "out of range")],
    ),
    ("v_add_f64 v[1:2], v[2:3], v[4:5]\n", &[(1, 11, "tuples must be aligned")]),
    ("s_load_dwordx2 s[3:4], s[0:1], 0x0\n", &[(1, 16, "invalid register alignment")]),
    ("v_mov_b32 a0, v1\n", &[(1, 11, "expected v")]),
    ("v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], v[0:3]\n", &[(1, 49, "all VGPR or AGPR")]),
    ("ds_read_b64 v[0:2], v3\n", &[(1, 13, "expected v[2]")]),
    ("v_add_f32 v0, s0, s1\n", &[(1, 19, "constant bus")]),
    // Too few, too many.
    ("v_add_f32 v0, v1\n", &[(1, 17, "`v_add_f32 v, v|s|const, v`")]),
    ("v_fma_f32 v0, v1, v2,\n", &[(1, 22, "too few operands")]),
    ("s_endpgm 1, 2\n", &[(1, 13, "too many operands")]),
    // Names.
    ("global_laod_dword v0, v[2:3], off\n", &[(1, 1, "did you mean `global_load_dword`?")]),
    ("v_add_f32 v0, v1, v2 clmap\n", &[(1, 22, "did you mean `clamp`?")]),
    ("global_load_dword v0, v[2:3], off glc\n", &[(1, 35, "gfx942")]),
    // Counters, ranges, lists.
    ("s_waitcnt vmcnt(64)\ns_waitcnt vmcnt(0) & lgkmnct(0)\n", &[(1, 17, "0 to 63"), (2, 22, "lgkmcnt")]),
    ("s_waitcnt vmcnt(0\n", &[(1, 18, "expected `)`")]),
    ("ds_read_b32 v0, v1 offset:70000\n", &[(1, 20, "0 to 65535")]),
    ("v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,4]\n", &[(1, 39, "0 to 3")]),
    // Directives.
    (".algin 8\n.byte 256\n.section\n", &[(1, 1, "did you mean"), (2, 7, "out of range"), (3, 9, "section name")]),
    (".ascii \"abc\n.ascii \"a\\q\"\n", &[(1, 12, "unterminated string"), (2, 10, "invalid escape")]),
    (".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n", &[(1, 1, "does not match")]),
    // Macros, repetitions, conditions.
    (".macro m a\n s_nop \\a\nm 1\n", &[(1, 1, "no matching `.endm`")]),
    (".macro m n\n m \\n\n.endm\nm 1\nv_bad v0\n", &[(4, 2, "nested too deeply"), (5, 1, "unknown instruction")]),
    (
        ".rept 1000000000\n.rept 1000000000\n s_nop 0\n.endr\n.endr\nv_bad v0\n",
        &[(1, 1, "too many lines"), (6, 1, "v_bad")],
    ),
    (".fill 99999999999, 8, 0\n", &[(1, 1, "grows beyond")]),
    (".if 1\n.else\n.else\n.endif\n.endif\n", &[(3, 1, ".else after .else"), (5, 1, ".endif")]),
    // Symbols.
    ("loop:\n s_nop 0\nloop:\n s_branch loop\n", &[(3, 1, "`loop` is already defined")]),
    (".set a, b+1\n.set b, a+1\ns_mov_b32 s0, a\n", &[(2, 1, "`b` is defined by itself")]),
    (
        "start:\n s_branch strat\n s_cbranch_scc0 .Lno\n",
        &[(2, 11, "did you mean `start`?"), (3, 17, "undefined label `.Lno`")],
    ),
    // What editors and pasted text bring along.
    (
        "v_add_f32 v0\u{ff0c}v1, v2\nv_m\u{43e}v_b32 v0, v1\ns_nop\u{a0}0\n",
        &[(1, 13, "U+FF0C"), (2, 4, "U+043E"), (3, 6, "blank")],
    ),
    ("\u{feff}s_nop 0\nv_bad v0\n", &[(1, 1, "byte order mark"), (2, 1, "v_bad")]),
    ("s_nop 0\r\nv_ad_f32 v0, v1, v2\r\ns_endpgm\r\n", &[(2, 1, "`v_add_f32`")]),
    ("\tv_mov_b32\tv0,\tv1,\tv2", &[(1, 20, "too many operands")]),
    // Kernels and their metadata.
    (".amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n", &[(1, 1, "no matching `.end_amdhsa_kernel`")]),
    (
        "k:\n.amdhsa_kernel k\n .amdhsa_next_free_vgprs 4\n .amdhsa_next_free_vgpr 8\n .amdhsa_next_free_sgpr 8\n \
         .amdhsa_accum_offset 7\n .amdhsa_float_round_mode_32 4\n.end_amdhsa_kernel\n",
        &[(3, 2, "did you mean `.amdhsa_next_free_vgpr`?"), (6, 23, "increments of 4"), (7, 30, "0 to 3")],
    ),
    (
        ".amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n    .args: [ 1\n    .symbol: k.kd\n...\n.end_amdgpu_metadata\n",
        &[(5, 5, "expected `,` or `]`")],
    ),
    (
        ".amdgpu_metadata\namdhsa.kernels: []\namdhsa.version: [1\n.end_amdgpu_metadata\n",
        &[(3, 1, "`[` is not closed")],
    ),
    (
        ".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels:\n - .name: k\n   .symbl: k.kd\n   .kernarg_segment_size: eight\n   \
         .group_segment_fixed_size: 0\n   .private_segment_fixed_size: 0\n   .kernarg_segment_align: 8\n   .wavefront_size: 64\n   \
         .sgpr_count: 1\n   .vgpr_count: 1\n   .max_flat_workgroup_size: 1\n.end_amdgpu_metadata\n",
        &[(4, 2, "is `.symbl` meant"), (6, 4, "`.kernarg_segment_size`: expected a number")],
    ),
];

#[test]
fn each_mistake_is_told_once_where_it_is_with_what_would_be_right() {
    for (text, expected) in MISTAKES {
        let found: Vec<(usize, usize, String)> = bad(text)
            .into_iter()
            .map(|d| (d.line, d.column, format!("{} {}", d.message, d.help.unwrap_or_default())))
            .collect();
        let places: Vec<(usize, usize)> = found.iter().map(|f| (f.0, f.1)).collect();
        assert_eq!(places, expected.iter().map(|e| (e.0, e.1)).collect::<Vec<_>>(), "{text}\n{found:#?}");
        for (f, e) in found.iter().zip(*expected) {
            assert!(f.2.contains(e.2), "{text}\n{f:?} lacks {:?}", e.2);
        }
    }
}

#[test]
fn a_label_may_take_the_name_of_a_number() {
    assert_eq!(words(&good(".set x, 1\nx:\n s_branch x\n"), ".text"), [0xbf82_ffff]);
}
