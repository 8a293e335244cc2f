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
         .amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n    .kernarg_segment_size: 24\n...\n.end_amdgpu_metadata\n",
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
