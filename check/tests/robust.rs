//! Files that nobody would write: damaged ones, huge graphs, loops with two entries, calls without end. The checker must
//! not panic and must come back soon, whatever it then says. Soon is counted in instructions gone through, which is the same
//! on every machine.

mod support;

use std::fmt::Write;
use std::path::Path;
use support::{Kernel, of, report};
use wavesmith_asm::Target;
use wavesmith_check::{Kind, Options, Report, check};

const T: Target = Target::Gfx942;

/// How often instructions may be gone through on average, over all questions, and what a small file may take beside that.
const EACH: usize = 40;
const WHATEVER: usize = 1_000_000;

/// Asserts that the checker came back soon.
fn assert_soon(report: &Report) {
    assert!(report.work > report.instructions, "{} of {}", report.work, report.instructions);
    assert!(report.work < WHATEVER + EACH * report.instructions, "{} of {}", report.work, report.instructions);
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

fn objects() -> Vec<Vec<u8>> {
    let body = "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nglobal_load_dword v1, v0, s[4:5]\n\
                s_waitcnt vmcnt(0)\nv_add_u32_e32 v1, 1, v1\nglobal_store_dword v0, v1, s[4:5]\ns_endpgm";
    let mut out = vec![Kernel { body, ..Kernel::default() }.object()];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");
    for sub in ["clang", "triton"] {
        for entry in std::fs::read_dir(Path::new(folder).join(sub)).into_iter().flatten().flatten() {
            if entry.path().extension().is_some_and(|e| e == "co" || e == "hsaco") {
                out.push(std::fs::read(entry.path()).unwrap());
            }
        }
    }
    out
}

#[test]
fn damaged_objects_are_refused_or_checked() {
    let mut numbers = Numbers(0x0123_4567_89ab_cdef);
    let (mut refused, mut checked, mut most) = (0, 0, 0);
    for object in objects() {
        for round in 0..60 {
            let mut damaged = object.clone();
            for _ in 0..1 << (round % 7) {
                let at = numbers.below(damaged.len());
                damaged[at] = match numbers.below(3) {
                    0 => damaged[at] ^ 1 << numbers.below(8),
                    1 => numbers.below(256) as u8,
                    _ => 0xff,
                };
            }
            if round % 5 == 4 {
                damaged.truncate(numbers.below(damaged.len()));
            }
            match check(&damaged, &Options::default()) {
                Ok(found) => {
                    checked += 1;
                    most = most.max(found.work);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 0 && checked > 0, "{refused} refused, {checked} checked");
    assert!(most < WHATEVER, "{most}");
}

#[test]
fn any_words_are_code_that_is_checked() {
    let mut numbers = Numbers(0xfeed_f00d_dead_beef);
    for target in Target::ALL {
        for _ in 0..40 {
            let words: String = (0..400)
                .map(|_| {
                    // Half of the words begin a format, so that more of them decode.
                    let top =
                        [0x0000_0000, 0x7e00_0000, 0x8000_0000, 0xbe80_0000, 0xbf80_0000, 0xd000_0000, 0xdc00_0000];
                    let word = numbers.below(1 << 32) as u32;
                    let word = if word & 1 == 0 { word } else { word & 0x01ff_ffff | top[numbers.below(top.len())] };
                    format!(".long {word:#x}\n")
                })
                .collect();
            let found = report(target, &words);
            assert!(found.work < WHATEVER, "{}", found.work);
        }
    }
}

#[test]
fn a_hundred_thousand_branches_are_checked_soon() {
    let mut body = String::from("s_cmp_eq_u32 s0, 0\n");
    for i in 0..100_000u32 {
        let register = 1 + i % 60;
        match i % 4 {
            0 => {
                writeln!(body, "l{i}:\nglobal_load_dword v{register}, v[2:3], off\ns_cbranch_scc1 l{}", i + 3).unwrap()
            }
            1 => writeln!(body, "l{i}:\nv_mov_b32_e32 v{}, 0\ns_cbranch_scc0 l{}", 64 + register, i + 2).unwrap(),
            2 if i % 40 == 2 => {
                writeln!(body, "l{i}:\nds_write_b32 v100, v101\ns_cbranch_vccz l{}", i.saturating_sub(9)).unwrap()
            }
            2 => writeln!(body, "l{i}:\nv_mov_b32_e32 v99, 0\ns_cbranch_vccz l{}", i.saturating_sub(9)).unwrap(),
            _ => writeln!(body, "l{i}:\ns_waitcnt vmcnt(8)\ns_cbranch_execz l{}", i + 1).unwrap(),
        }
    }
    for i in 100_000..100_004 {
        writeln!(body, "l{i}:").unwrap();
    }
    body += "s_endpgm";
    let object = Kernel { body: &body, ..Kernel::default() }.object();
    let found = check(&object, &Options::default()).unwrap();
    assert!(found.instructions > 200_000);
    assert!(found.notes.iter().any(|n| n.message.contains("too many ways")), "{:?}", found.notes);
    assert_soon(&found);
}

#[test]
fn loops_with_many_entries_are_checked_soon() {
    let mut numbers = Numbers(0x1357_9bdf_0246_8ace);
    let blocks = 2_000;
    let mut body = String::from("s_cmp_eq_u32 s0, 0\n");
    for i in 0..blocks {
        writeln!(body, "l{i}:\nglobal_load_dword v{}, v[2:3], off\nds_read_b32 v{}, v0", 4 + i % 90, 100 + i % 90)
            .unwrap();
        writeln!(body, "v_mfma_f32_4x4x4_16b_f16 a[0:3], v[200:201], v[202:203], a[0:3]").unwrap();
        writeln!(body, "s_cbranch_scc1 l{}\ns_cbranch_vccnz l{}", numbers.below(blocks), numbers.below(blocks))
            .unwrap();
    }
    body += "s_endpgm";
    let object = Kernel { body: &body, vgprs: 512, ..Kernel::default() }.object();
    let found = check(&object, &Options::default()).unwrap();
    assert!(found.instructions > 10_000);
    assert_soon(&found);
}

#[test]
fn calls_that_double_at_every_depth_and_calls_without_end_are_cut_off() {
    // Each function calls the next one twice: a million chains, if they were followed.
    let mut body = String::new();
    let call = |body: &mut String, link: u32, callee: u32| {
        writeln!(body, "s_call_b64 s[{}:{}], f{callee}", 2 * link, 2 * link + 1).unwrap();
    };
    call(&mut body, 2, 1);
    body += "s_endpgm\n";
    for f in 1..20 {
        writeln!(body, "f{f}:").unwrap();
        call(&mut body, f + 2, f + 1);
        call(&mut body, f + 2, f + 1);
        writeln!(body, "s_setpc_b64 s[{}:{}]", 2 * (f + 1), 2 * (f + 1) + 1).unwrap();
    }
    body += "f20:\ns_setpc_b64 s[42:43]";
    let found = report(T, &body);
    assert!(found.notes.iter().any(|n| n.message.contains("nested too deeply")), "{:?}", found.notes);
    assert_soon(&found);
    // A function that calls itself.
    let endless = "s_call_b64 s[4:5], f\ns_endpgm\nf:\ns_call_b64 s[6:7], f\ns_setpc_b64 s[4:5]";
    let found = report(T, endless);
    assert!(found.notes.iter().any(|n| n.message.contains("recursive")), "{:?}", found.notes);
}

#[test]
fn one_place_that_many_ways_lead_to_is_told_once() {
    let found = report(
        T,
        "s_cmp_eq_u32 s0, 0\ns_cbranch_scc1 bad\ns_cbranch_scc0 bad\ns_cbranch_vccz bad\ns_endpgm\nbad:\n.long 0xffffffff",
    );
    assert_eq!(of(&found, Kind::Encoding).len(), 1);
    let found = report(T, ".long 0xffffffff\ns_endpgm");
    assert_eq!(of(&found, Kind::Encoding).len(), 1);
}
