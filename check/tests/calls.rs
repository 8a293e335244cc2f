//! Objects of several kernels with functions, some of which call themselves.

mod support;

use std::fmt::Write;
use support::{errors, of};
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_check::{Kind, Options, Report, check, text};
use wavesmith_emitter::link::link;

const T: Target = Target::Gfx942;

/// A label of the object, with the registers that it may use if it is a kernel.
struct Part<'a> {
    name: &'a str,
    budget: Option<(u32, u32)>,
    body: String,
}

fn function(name: &str, body: impl Into<String>) -> Part<'_> {
    Part { name, budget: None, body: body.into() }
}

fn kernel(name: &str, vgprs: u32, sgprs: u32, body: impl Into<String>) -> Part<'_> {
    Part { name, budget: Some((vgprs, sgprs)), body: body.into() }
}

/// The report on an object of these parts, in this order.
fn checked(parts: &[Part]) -> Report {
    let (mut code, mut descriptors, mut kernels) = (String::new(), String::new(), String::new());
    for Part { name, budget, body } in parts {
        let align = if budget.is_some() { 8 } else { 2 };
        write!(
            code,
            "\t.globl {name}\n\t.p2align {align}\n\t.type {name},@function\n{name}:\n{body}\n\
             .Lend_{name}:\n\t.size {name}, .Lend_{name}-{name}\n"
        )
        .unwrap();
        let Some((vgprs, sgprs)) = budget else { continue };
        write!(
            descriptors,
            "\t.p2align 6\n\t.amdhsa_kernel {name}\n\t.amdhsa_next_free_vgpr {vgprs}\n\
             \t.amdhsa_next_free_sgpr {sgprs}\n\t.amdhsa_accum_offset {}\n\t.amdhsa_reserve_vcc 1\n\
             \t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.end_amdhsa_kernel\n",
            vgprs.next_multiple_of(4)
        )
        .unwrap();
        write!(
            kernels,
            "  - .name: {name}\n    .symbol: {name}.kd\n    .kernarg_segment_size: 64\n\
             \x20   .kernarg_segment_align: 8\n    .wavefront_size: 64\n"
        )
        .unwrap();
    }
    let whole = format!(
        "\t.text\n{code}\t.fill 320, 4, 0xbf800000\n\t.section .rodata,\"a\",@progbits\n{descriptors}\
         \t.amdgpu_metadata unchecked\n---\namdhsa.kernels:\n{kernels}amdhsa.version: [1, 2]\n...\n\t.end_amdgpu_metadata\n"
    );
    let assembled =
        assemble(&whole, T).unwrap_or_else(|e| panic!("{}", e.iter().map(|d| d.render("k.s")).collect::<String>()));
    let object = link(&assembled).unwrap_or_else(|e| panic!("{e}"));
    check(&object, &Options::default()).unwrap()
}

/// Calls a function in front, whose address is built from the program counter: the distance is negative, so its upper
/// half is -1. No two places of an object have the same `place`.
fn call(place: u32, callee: &str) -> String {
    format!(
        "s_getpc_b64 s[4:5]\n.Lhere{place}:\ns_add_u32 s4, s4, {callee}-.Lhere{place}\ns_addc_u32 s5, s5, -1\n\
         s_swappc_b64 s[30:31], s[4:5]\n"
    )
}

/// A loop within 8 registers of each file.
const LOOP: &str = "s_load_dword s4, s[0:1], 0x0\nv_mov_b32_e32 v1, 0\ns_waitcnt lgkmcnt(0)\n.Lagain:\n\
                    v_add_u32_e32 v1, s4, v1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 .Lagain\ns_endpgm";

/// A function that calls itself, and uses registers beyond those of [`LOOP`], all of which it writes.
fn recursive() -> String {
    format!(
        "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\nv_mov_b32_e32 v41, 1\ns_mov_b64 s[50:51], s[30:31]\n\
         s_cmp_eq_u32 s50, 0\ns_cbranch_scc1 .Lleaf\n{}.Lleaf:\nv_mov_b32_e32 v40, 0\nv_add_u32_e32 v40, 1, v40\n\
         s_setpc_b64 s[50:51]",
        call(1, "deep")
    )
}

/// The function is found when the last kernel is followed, and lies in front of all of them.
fn object(first: &str) -> Report {
    let caller = format!("{}{}s_endpgm", call(2, "deep"), call(3, "deep"));
    checked(&[function("deep", recursive()), kernel("again", 8, 8, first), kernel("caller", 48, 64, caller)])
}

#[test]
fn a_kernel_is_judged_by_its_own_code_although_another_one_leads_to_functions() {
    let found = object(LOOP);
    assert!(found.findings.is_empty(), "{}", text(&found, true));
    assert!(found.notes.iter().any(|n| n.message.contains("recursive")), "{:?}", found.notes);
    assert!(found.notes.iter().all(|n| n.kernel == "caller"), "{:?}", found.notes);
    // What is wrong in the kernel is still seen there, and nowhere else.
    let found = object(&LOOP.replace("s_waitcnt lgkmcnt(0)\n", ""));
    let wrong = errors(&found);
    assert_eq!(wrong.len(), 1, "{}", text(&found, true));
    assert!(wrong[0].kind == Kind::ReadBeforeWait && wrong[0].kernel == "again");
    let found = object(&LOOP.replace("v1", "v9"));
    assert!(errors(&found).iter().all(|f| f.kind == Kind::Registers && f.kernel == "again"));
    assert_eq!(errors(&found).len(), 1, "{}", text(&found, true));
}

/// A callee waits for everything when it begins and leaves nothing outstanding, by the calling convention.
#[test]
fn behind_a_call_that_is_not_followed_nothing_is_outstanding() {
    let body = |before: &str, behind: &str| {
        format!(
            "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\ns_mov_b64 s[8:9], s[30:31]\n{before}{}{behind}\
             v_add_u32_e32 v1, s6, v1\ns_setpc_b64 s[8:9]",
            call(1, "deep")
        )
    };
    let load = "s_load_dword s6, s[0:1], 0x0\n";
    let caller = || kernel("caller", 48, 64, format!("v_mov_b32_e32 v1, 0\n{}s_endpgm", call(2, "deep")));
    let found = checked(&[function("deep", body(load, "")), caller()]);
    assert!(errors(&found).is_empty(), "{}", text(&found, true));
    let found = checked(&[function("deep", body("", load)), caller()]);
    assert_eq!(of(&found, Kind::ReadBeforeWait).len(), 1, "{}", text(&found, true));
}

/// Callees save registers that nobody on the way has written.
#[test]
fn a_function_may_save_registers_that_nothing_has_written() {
    let save = "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\ns_mov_b32 s6, s33\nv_writelane_b32 v40, s34, 0\n\
                v_writelane_b32 v40, s6, 1\nscratch_store_dword off, v41, off\ns_waitcnt vmcnt(0)\n\
                s_setpc_b64 s[30:31]";
    let caller = kernel("caller", 48, 64, format!("{}s_endpgm", call(2, "leaf")));
    let found = checked(&[function("leaf", save), caller]);
    assert!(found.instructions > 10 && found.notes.is_empty(), "{}", text(&found, true));
    assert!(of(&found, Kind::Uninitialised).is_empty(), "{}", text(&found, true));
}

#[test]
fn a_call_of_what_is_no_code_is_noted_and_what_follows_it_is_judged() {
    let behind = "s_load_dword s6, s[0:1], 0x0\ns_add_u32 s7, s6, 1\ns_endpgm";
    let outside = call(1, "deep").replace("s5, s5, -1", "s5, s5, 7");
    let found = checked(&[function("deep", "s_setpc_b64 s[30:31]"), kernel("caller", 8, 64, outside + behind)]);
    assert!(found.notes.iter().any(|n| n.message.contains("no code")), "{:?}", found.notes);
    assert_eq!(of(&found, Kind::ReadBeforeWait).len(), 1, "{}", text(&found, true));
}

/// Any function may be what an unknown call means, also one that is no code.
#[test]
fn an_unknown_call_and_a_function_that_is_no_code_come_to_an_end() {
    let unknown = "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_swappc_b64 s[30:31], s[4:5]\ns_endpgm";
    let found = checked(&[function("data", ".long 0xffffffff"), kernel("caller", 8, 32, unknown)]);
    assert!(found.notes.iter().any(|n| n.message.contains("not known")), "{:?}", found.notes);
}
