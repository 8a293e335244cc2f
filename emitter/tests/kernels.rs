//! Whole kernels: what is inserted, where branches go, what the descriptor says, and that LLVM reads the code as ours.

use std::process::{Command, Stdio};
use wavesmith_asm::reg::{M0, RegClass, S, V, VCC};
use wavesmith_asm::{Build, Target, decode, print};
use wavesmith_emitter::object::{PackOptions, pack};
use wavesmith_emitter::{Abi, Dim, EmitError, Kernel, KernelBuilder, When};

type Result<T> = std::result::Result<T, EmitError>;

/// `c[i] = a[i] + b[i]` for `i < n`, a workgroup of 256 at a time.
fn vadd(target: Target) -> Result<Kernel> {
    let mut b = KernelBuilder::new("vadd", target);
    b.workgroup_size([256, 1, 1]);
    let args = b.kernargs();
    let (pa, pb, pc, n) = (args.pointer("a"), args.pointer("b"), args.pointer("c"), args.u32("n"));
    let (sa, sb, sc, sn) = (b.sgpr::<2>()?, b.sgpr::<2>()?, b.sgpr::<2>()?, b.sgpr::<1>()?);
    b.load_arg(sa, pa);
    b.load_arg(sb, pb);
    b.load_arg(sc, pc);
    b.load_arg(sn, n);
    let (i, x, y) = (b.vgpr::<1>()?, b.vgpr::<1>()?, b.vgpr::<1>()?);
    let (group, item) = (b.workgroup_id(Dim::X), b.workitem_id());
    b.comment("i = group * 256 + item");
    b.s_lshl_b32(group, group, 8);
    b.v_add_u32(i, group, item);
    b.v_cmp_gt_u32(VCC, sn, i);
    b.if_lanes(VCC, |b| -> Result<()> {
        b.v_lshlrev_b32(i, 2, i);
        b.global_load_dword(x, i, sa);
        b.global_load_dword(y, i, sb);
        b.v_add_f32(x, x, y);
        b.global_store_dword(i, x, sc);
        Ok(())
    })?;
    b.end();
    b.finish()
}

fn texts(k: &Kernel) -> Vec<String> {
    k.listing.texts()
}

/// Builds a straight piece of code and returns the instruction texts.
fn built(target: Target, body: impl FnOnce(&mut KernelBuilder)) -> Vec<String> {
    let mut b = KernelBuilder::new("k", target);
    for class in [RegClass::S, RegClass::V] {
        b.limit(class, 128);
    }
    body(&mut b);
    b.end();
    texts(&b.finish().unwrap())
}

fn v(i: u16) -> V<1> {
    V(i)
}

use wavesmith_asm::reg::{a, s, v as vr};

/// What `llvm-mc` makes of our text, as bytes; `None` where it is not installed, which CI does not forgive.
fn llvm_assembles(target: Target, lines: &[String]) -> Option<Vec<u8>> {
    let child = Command::new("llvm-mc-22")
        .args(["--triple=amdgcn-amd-amdhsa", &format!("-mcpu={target}"), "--show-encoding"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        assert!(std::env::var_os("CI").is_none(), "llvm-mc-22 must be installed in CI");
        eprintln!("SKIPPED: needs llvm-mc-22");
        return None;
    };
    use std::io::Write;
    child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let mut bytes = Vec::new();
    for line in String::from_utf8(out.stdout).unwrap().lines() {
        if let Some((_, encoding)) = line.split_once("encoding: [") {
            let hex = encoding.trim_end_matches(']').split(',');
            bytes.extend(hex.map(|h| u8::from_str_radix(h.trim_start_matches("0x"), 16).unwrap()));
        }
    }
    Some(bytes)
}

/// Decodes the kernel's bytes, prints them, and has LLVM assemble the text to the same bytes.
fn llvm_agrees(k: &Kernel) {
    let words: Vec<u32> = k.code.chunks(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    let mut lines = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let inst = decode(&words[at..], k.target).unwrap();
        lines.push(print::text(&inst));
        at += inst.dwords();
    }
    if let Some(bytes) = llvm_assembles(k.target, &lines) {
        assert_eq!(bytes, k.code, "\n{}", k.listing);
    }
}

#[test]
fn vadd_is_what_an_engineer_would_write() {
    let k = vadd(Target::Gfx942).unwrap();
    let text = texts(&k);
    let at = |what: &str| text.iter().position(|t| t.starts_with(what)).unwrap_or_else(|| panic!("{what}: {text:#?}"));
    assert_eq!(text[at("v_cmp_gt_u32") - 1], "s_waitcnt lgkmcnt(0)", "{}", k.listing);
    assert_eq!(text[at("v_add_f32") - 1], "s_waitcnt vmcnt(0)");
    assert_eq!(text.iter().filter(|t| t.starts_with("s_waitcnt")).count(), 2);
    assert_eq!(text.iter().filter(|t| t.starts_with("s_nop")).count(), 0, "{}", k.listing);
    assert_eq!(k.descriptor.kernarg_size, 32);
    assert_eq!(k.metadata.args.len(), 4);
    let source = k.listing.source_at(0).unwrap();
    assert!(source.file().ends_with("kernels.rs"));
}

#[test]
fn llvm_reads_every_target_s_vadd_as_ours() {
    for target in Target::ALL {
        let k = vadd(target).unwrap();
        llvm_agrees(&k);
        let object = pack(&[k], &PackOptions::default()).unwrap();
        assert!(goblin::elf::Elf::parse(&object).is_ok());
    }
}

#[test]
fn a_disassembler_shows_the_rust_line_of_each_instruction() {
    let kernels = [vadd(Target::Gfx942).unwrap(), {
        let mut b = KernelBuilder::new("other", Target::Gfx942);
        b.s_nop(3);
        b.end();
        b.finish().unwrap()
    }];
    let line_of = |k: &Kernel, offset: u32| k.listing.source_at(offset).unwrap().line();
    let object = pack(&kernels, &PackOptions::default()).unwrap();
    let file = std::env::temp_dir().join(format!("wavesmith-lines-{}.co", std::process::id()));
    std::fs::write(&file, object).unwrap();
    let run = |tool: &str, args: &[&str]| {
        let out = Command::new(tool).args(args).arg(&file).output();
        let Ok(out) = out else {
            assert!(std::env::var_os("CI").is_none(), "{tool} must be installed in CI");
            eprintln!("SKIPPED: needs {tool}");
            return None;
        };
        assert!(out.stderr.is_empty(), "{tool}: {}", String::from_utf8_lossy(&out.stderr));
        Some(String::from_utf8(out.stdout).unwrap())
    };
    let listing = run("llvm-objdump-22", &["-d", "-l", "--no-show-raw-insn"]);
    let verified = run("llvm-dwarfdump-22", &["--verify"]);
    std::fs::remove_file(&file).unwrap();
    let (Some(listing), Some(verified)) = (listing, verified) else { return };
    assert!(verified.contains("No errors."), "{verified}");
    for (k, text) in [(&kernels[0], "s_load_dwordx2"), (&kernels[1], "s_nop 3")] {
        let at = listing.find(text).unwrap_or_else(|| panic!("no {text} in\n{listing}"));
        let shown = listing[..at].rfind("kernels.rs:").map(|i| &listing[i + "kernels.rs:".len()..at]).unwrap();
        assert_eq!(shown.trim(), line_of(k, 0).to_string(), "{listing}");
    }
}

#[test]
fn a_global_is_found_from_the_code_whatever_is_put_in_between() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let table = b.s::<2>();
    let x = b.s::<1>();
    // A pending load into the same pair: a wait goes between the parts of the address.
    b.load_scalar(s::<2>(10), s::<2>(0), 0);
    b.address_of(s::<2>(10), "table");
    b.address_of(table, "table");
    b.load_scalar(x, table, 4);
    b.s_mov_b32(s::<1>(20), x);
    b.end();
    let k = b.finish().unwrap();
    let kind = wavesmith_emitter::object::GlobalKind::Constant(vec![1; 64]);
    let table = wavesmith_emitter::object::Global { name: "table".into(), align: 16, kind, relocations: vec![] };
    let options = PackOptions { globals: vec![table], ..PackOptions::default() };
    let object = pack(std::slice::from_ref(&k), &options).unwrap();
    let elf = goblin::elf::Elf::parse(&object).unwrap();
    let symbol = |name: &str| elf.syms.iter().find(|s| elf.strtab.get_at(s.st_name) == Some(name)).unwrap().st_value;
    let text = elf.section_headers.iter().find(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(".text")).unwrap();
    let code = &object[text.file_range().unwrap()];
    let word = |at: usize| u64::from(u32::from_le_bytes(code[at..at + 4].try_into().unwrap()));
    let mut found = 0;
    let mut counter = 0;
    let mut low = 0;
    for line in &k.listing.lines {
        let wavesmith_emitter::listing::Line::Instruction { offset, inst, .. } = *line else { continue };
        let at = offset as usize;
        match inst.name() {
            "s_getpc_b64" => counter = symbol("k") + u64::from(offset) + 4,
            "s_add_u32" => low = word(at + 4),
            "s_addc_u32" => {
                assert_eq!(counter.wrapping_add(low | word(at + 4) << 32), symbol("table"), "{}", k.listing);
                found += 1;
            }
            _ => {}
        }
    }
    assert_eq!(found, 2);
}

#[test]
fn waits_count_only_what_came_after() {
    let text = built(Target::Gfx942, |b| {
        b.global_load_dword(v(10), v(0), s::<2>(4));
        b.global_load_dword(v(11), v(0), s::<2>(4));
        b.global_load_dwordx4(vr::<4>(12), v(0), s::<2>(4));
        b.v_add_f32(v(20), v(10), v(0));
        b.v_add_f32(v(20), v(11), v(0));
        b.v_add_f32(v(20), v(15), v(0));
    });
    assert_eq!(
        text[3..],
        [
            "s_waitcnt vmcnt(2)",
            "v_add_f32_e32 v20, v10, v0",
            "s_waitcnt vmcnt(1)",
            "v_add_f32_e32 v20, v11, v0",
            "s_waitcnt vmcnt(0)",
            "v_add_f32_e32 v20, v15, v0",
            "s_endpgm"
        ]
    );
}

#[test]
fn a_pending_destination_is_not_overwritten_but_by_the_next_load() {
    let text = built(Target::Gfx942, |b| {
        b.global_load_dword(v(10), v(0), s::<2>(4));
        b.global_load_dword(v(10), v(0), s::<2>(4));
        b.v_mov_b32(v(10), 0);
        b.ds_read_b32(v(11), v(0));
        b.v_mov_b32(v(11), 0);
    });
    assert_eq!(
        text[2..],
        [
            "s_waitcnt vmcnt(0)",
            "v_mov_b32_e32 v10, 0",
            "ds_read_b32 v11, v0",
            "s_waitcnt lgkmcnt(0)",
            "v_mov_b32_e32 v11, 0",
            "s_endpgm"
        ]
    );
}

#[test]
fn scalar_loads_return_in_any_order_so_only_zero_is_waited_for() {
    let text = built(Target::Gfx942, |b| {
        b.load_scalar(s::<2>(8), s::<2>(0), 0);
        b.load_scalar(s::<2>(10), s::<2>(0), 8);
        b.s_add_u32(s::<1>(12), s::<1>(8), 1);
        b.s_add_u32(s::<1>(12), s::<1>(10), 1);
    });
    assert_eq!(text[2..4], ["s_waitcnt lgkmcnt(0)", "s_add_u32 s12, s8, 1"]);
    assert_eq!(text[4], "s_add_u32 s12, s10, 1");
}

#[test]
fn a_barrier_waits_for_what_was_written_to_lds_and_not_for_loads() {
    let text = built(Target::Gfx942, |b| {
        b.ds_write_b32(v(0), v(1));
        b.global_load_dword(v(10), v(0), s::<2>(4));
        b.s_barrier();
        b.ds_read_b32(v(2), v(0));
        b.v_mov_b32(v(3), v(2));
    });
    assert_eq!(text[2..4], ["s_waitcnt lgkmcnt(0)", "s_barrier"]);
    assert_eq!(text[5], "s_waitcnt lgkmcnt(0)");
}

#[test]
fn data_on_its_way_from_memory_to_lds_is_waited_for_by_reads_of_lds() {
    let text = built(Target::Gfx942, |b| {
        b.s_mov_b32(M0, 0);
        b.global_load_lds_dword(v(0), s::<2>(4));
        b.ds_read_b32(v(2), v(0));
    });
    assert_eq!(text[1], "s_nop 0", "M0 must settle: {text:?}");
    assert_eq!(text[3..5], ["s_waitcnt vmcnt(0)", "ds_read_b32 v2, v0"]);
}

#[test]
fn a_load_at_the_end_of_a_loop_is_waited_for_at_its_top() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let counter = b.sgpr::<1>().unwrap();
    let (x, sum) = (b.vgpr::<1>().unwrap(), b.vgpr::<1>().unwrap());
    b.s_mov_b32(counter, 10);
    b.v_mov_b32(sum, 0);
    b.global_load_dword(x, v(0), s::<2>(0));
    b.count_down(counter, |b| -> Result<()> {
        b.v_add_f32(sum, sum, x);
        b.global_load_dword(x, v(0), s::<2>(0));
        Ok(())
    })
    .unwrap();
    b.end();
    let k = b.finish().unwrap();
    let text = texts(&k);
    assert_eq!(text[3..5], ["s_waitcnt vmcnt(0)", "v_add_f32_e32 v2, v2, v1"], "{}", k.listing);
    assert_eq!(text.iter().filter(|t| t.starts_with("s_waitcnt")).count(), 1);
    llvm_agrees(&k);
}

#[test]
fn loads_ahead_of_a_rotating_loop_are_waited_for_by_their_own_age() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let counter = b.sgpr::<1>().unwrap();
    let buf: Vec<V<4>> = (0..4).map(|_| b.vgpr::<4>().unwrap()).collect();
    let sum = b.vgpr::<1>().unwrap();
    b.s_mov_b32(counter, 10);
    for x in &buf {
        b.global_load_dwordx4(*x, v(0), s::<2>(0)).nt();
    }
    b.count_down(counter, |b| -> Result<()> {
        for x in &buf {
            b.v_add_f32(sum, sum, x.at(0));
            b.global_load_dwordx4(*x, v(0), s::<2>(0)).nt();
        }
        Ok(())
    })
    .unwrap();
    b.end();
    let text = texts(&b.finish().unwrap());
    let waits: Vec<&String> = text.iter().filter(|t| t.starts_with("s_waitcnt")).collect();
    assert_eq!(waits, ["s_waitcnt vmcnt(3)"; 4]);
}

#[test]
fn the_smaller_age_of_two_paths_is_waited_for() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    b.global_load_dword(v(10), v(0), s::<2>(0));
    b.global_load_dword(v(11), v(0), s::<2>(0));
    b.s_cmp_eq_u32(s::<1>(2), 0);
    b.if_(When::Scc1, |b| -> Result<()> {
        b.global_load_dword(v(12), v(0), s::<2>(0));
        Ok(())
    })
    .unwrap();
    b.v_mov_b32(v(1), v(10));
    b.v_mov_b32(v(1), v(11));
    b.end();
    let text = texts(&b.finish().unwrap());
    let waits: Vec<&String> = text.iter().filter(|t| t.starts_with("s_waitcnt")).collect();
    assert_eq!(waits, ["s_waitcnt vmcnt(1)", "s_waitcnt vmcnt(0)"]);
}

#[test]
fn manual_blocks_are_left_alone_and_their_waits_are_believed() {
    let text = built(Target::Gfx942, |b| {
        b.global_load_dword(v(10), v(0), s::<2>(4));
        b.manual(|b| {
            b.v_mov_b32(v(1), v(10));
            b.wait_vm(0);
        });
        b.v_mov_b32(v(2), v(10));
    });
    assert_eq!(text[1..4], ["v_mov_b32_e32 v1, v10", "s_waitcnt vmcnt(0)", "v_mov_b32_e32 v2, v10"]);
}

/// The nop before the last instruction of a body, by its states.
fn nops(target: Target, body: impl FnOnce(&mut KernelBuilder)) -> u32 {
    let text = built(target, body);
    let before: Vec<&String> = text.iter().rev().skip(2).take_while(|t| t.starts_with("s_nop")).collect();
    before.iter().map(|t| t["s_nop ".len()..].parse::<u32>().unwrap() + 1).sum()
}

#[test]
fn wait_states_are_those_of_the_target() {
    use Target::*;
    for (target, cndmask, readlane) in [(Gfx908, 0, 0), (Gfx90a, 0, 0), (Gfx942, 2, 1), (Gfx950, 2, 1)] {
        let n = nops(target, |b| {
            b.v_cmp_eq_u32(VCC, v(0), v(1));
            b.v_cndmask_b32(v(2), v(0), v(1), VCC);
        });
        assert_eq!(n, cndmask, "{target}");
        let n = nops(target, |b| {
            b.v_mov_b32(v(1), 0);
            b.v_readfirstlane_b32(s::<1>(4), v(1));
        });
        assert_eq!(n, readlane, "{target}");
    }
}

#[test]
fn an_instruction_in_between_counts_as_a_wait_state() {
    let dpp = |between: usize| {
        nops(Target::Gfx942, |b| {
            b.v_mov_b32(v(1), 0);
            for _ in 0..between {
                b.s_mov_b32(s::<1>(9), 0);
            }
            b.v_add_f32(v(2), v(1), v(0)).row_shr(1);
        })
    };
    assert_eq!([dpp(0), dpp(1), dpp(2)], [2, 1, 0]);
}

#[test]
fn scalar_results_of_the_vector_unit_wait_before_they_address_memory() {
    let n = nops(Target::Gfx942, |b| {
        b.v_readfirstlane_b32(s::<1>(4), v(0));
        b.global_load_dword(v(3), v(1), s::<2>(4));
    });
    assert_eq!(n, 5);
}

#[test]
fn matrix_results_wait_by_passes_and_use() {
    let mfma_then = |next: fn(&mut KernelBuilder)| {
        nops(Target::Gfx942, |b| {
            b.v_mfma_f32_16x16x16_f16(vr::<4>(8), vr::<2>(0), vr::<2>(2), vr::<4>(8));
            next(b);
        })
    };
    let again = mfma_then(|b| {
        b.v_mfma_f32_16x16x16_f16(vr::<4>(8), vr::<2>(0), vr::<2>(2), vr::<4>(8));
    });
    let overlapped = mfma_then(|b| {
        b.v_mfma_f32_16x16x16_f16(vr::<4>(20), vr::<2>(0), vr::<2>(2), vr::<4>(10));
    });
    let as_a = mfma_then(|b| {
        b.v_mfma_f32_16x16x16_f16(vr::<4>(20), vr::<2>(8), vr::<2>(2), vr::<4>(20));
    });
    let read = mfma_then(|b| {
        b.v_mov_b32(v(30), v(11));
    });
    let stored = mfma_then(|b| {
        b.global_store_dword(v(30), v(9), s::<2>(4));
    });
    let apart = mfma_then(|b| {
        b.v_mov_b32(v(30), v(12));
    });
    assert_eq!((again, overlapped, as_a, read, stored, apart), (0, 5, 7, 7, 7, 0));
}

#[test]
fn agprs_are_counted_behind_the_vgprs() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    b.v_mfma_f32_16x16x16_f16(a::<4>(60), vr::<2>(0), vr::<2>(2), a::<4>(60));
    b.v_mov_b32(v(12), 0);
    b.end();
    let k = b.finish().unwrap();
    assert_eq!((k.descriptor.registers.vgprs, k.descriptor.registers.agprs), (13, 64));
    assert_eq!(k.metadata.vgpr_count, 16 + 64);
    llvm_agrees(&k);
}

#[test]
fn branches_beyond_sixteen_bits_go_through_registers() {
    let with = |words: usize, when: Option<When>| {
        let mut b = KernelBuilder::new("k", Target::Gfx942);
        let end = b.label("end");
        match when {
            None => b.branch(end),
            Some(when) => b.branch_if(when, end),
        }
        for _ in 0..words {
            b.s_nop(0);
        }
        b.bind(end);
        b.end();
        b.finish().unwrap()
    };
    let dword = |k: &Kernel, at: usize| u32::from_le_bytes(k.code[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(with(32767, None).code.len(), 4 * 32769);
    let far = with(32768, None);
    let texts = far.listing.texts();
    assert_eq!(texts[..2], ["s_cselect_b32 s6, 1, 0", "s_getpc_b64 s[4:5]"]);
    // The distance counts from behind s_getpc_b64, and is the literal of the addition.
    assert_eq!(8 + dword(&far, 12), far.code.len() - 4);
    assert!(far.descriptor.registers.sgprs >= 7);
    llvm_agrees(&far);
    let if_ = with(32768, Some(When::Vccz));
    assert_eq!(if_.listing.texts()[0], "s_cbranch_vccnz 8");
    assert_eq!(12 + dword(&if_, 16), if_.code.len() - 4);
    llvm_agrees(&if_);
}

#[test]
fn long_branches_need_three_registers() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let end = b.label("end");
    b.s_mov_b32(s(99), 0);
    b.branch(end);
    for _ in 0..40_000 {
        b.s_nop(0);
    }
    b.bind(end);
    b.end();
    assert!(matches!(b.finish(), Err(EmitError::BranchOutOfReach { .. })));
}

#[test]
fn kernels_that_no_compute_unit_holds_are_refused() {
    let with = |vgpr: u16, waves: u32| {
        let mut b = KernelBuilder::new("k", Target::Gfx908);
        b.workgroup_size([64 * waves, 1, 1]);
        b.v_mov_b32(v(vgpr), 0);
        b.end();
        b.finish()
    };
    let report = with(127, 8).unwrap().report();
    assert_eq!((report.vgprs, report.rows[0].occupancy.workgroups_per_cu), (128, 1));
    assert!(report.to_string().contains("mi100"), "{report}");
    let error = with(128, 8).unwrap_err();
    assert!(matches!(error, EmitError::DoesNotFit { waves: 8, vgprs: 129, budget: "VGPRs", .. }), "{error}");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    let l = b.label("nowhere");
    b.branch(l);
    b.end();
    let error = b.finish().unwrap_err();
    assert!(matches!(&error, EmitError::UnboundLabel { name, .. } if name == "nowhere"));
    assert!(error.to_string().contains("kernels.rs:"));

    let mut b = KernelBuilder::new("k", Target::Gfx942);
    b.v_mov_b32(v(0), 0);
    assert!(matches!(b.finish(), Err(EmitError::FallsOff(_))));

    let mut b = KernelBuilder::new("k", Target::Gfx908);
    b.global_load_lds_dword(v(0), s::<2>(4));
    b.end();
    assert!(matches!(b.finish(), Err(EmitError::Encode { .. })));

    let mut b = KernelBuilder::new("k", Target::Gfx942);
    assert!(matches!(b.lds(65537, 4), Err(EmitError::OutOfLds { .. })));
    b.limit(RegClass::V, 8);
    b.vgpr::<4>().unwrap();
    assert!(matches!(b.vgpr::<4>(), Err(EmitError::OutOfRegisters { .. })));
}

#[test]
fn a_scope_gives_back_what_it_took() {
    let mut b = KernelBuilder::with_abi("k", Target::Gfx942, Abi::default().workgroup_ids(Dim::Z));
    assert_eq!(b.workgroup_id(Dim::Z), s(4));
    let before = b.in_use(RegClass::V);
    b.scope(|b| -> Result<()> {
        b.vgpr::<4>()?;
        b.lds(1024, 16)?;
        Ok(())
    })
    .unwrap();
    assert_eq!(b.in_use(RegClass::V), before);
    assert_eq!(b.lds(16, 16).unwrap().offset, 0);
    b.end();
    assert_eq!(b.finish().unwrap().descriptor.group_segment_fixed_size, 1024);
}

#[test]
fn a_flag_is_stored_after_the_write_back_and_caches_are_emptied_after_the_flag_is_seen() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    b.global_store_dword(V::<1>(0), V::<1>(1), S::<2>(4));
    b.buffer_wbl2().sc1();
    b.global_load_dword(V::<1>(5), V::<1>(0), S::<2>(8));
    b.global_store_dword(V::<1>(2), V::<1>(3), S::<2>(6)).sc1();
    b.global_load_dword(V::<1>(4), V::<1>(2), S::<2>(6)).sc1();
    b.global_load_dword(V::<1>(6), V::<1>(0), S::<2>(8));
    b.buffer_inv().sc1();
    b.global_load_dword(V::<1>(7), V::<1>(0), S::<2>(4));
    b.end();
    let texts = b.finish().unwrap().listing.texts();
    let waits: Vec<(usize, &str)> =
        texts.iter().enumerate().filter(|(_, t)| t.starts_with("s_waitcnt")).map(|(i, t)| (i, t.as_str())).collect();
    // One load came after the write-back, and one after the load of the flag.
    assert_eq!(waits, [(3, "s_waitcnt vmcnt(1)"), (7, "s_waitcnt vmcnt(1)")], "{texts:#?}");
}

#[test]
fn what_a_counter_can_no_longer_count_has_arrived() {
    let mut b = KernelBuilder::new("k", Target::Gfx942);
    for i in 0..70 {
        b.global_load_dword(V::<1>(10 + i), V::<1>(0), S::<2>(4));
    }
    // The first of 70 cannot be outstanding where 63 are the most; the eighth is the oldest of 63.
    b.v_mov_b32(V::<1>(1), V::<1>(10));
    b.v_mov_b32(V::<1>(1), V::<1>(17));
    for i in 0..20 {
        b.ds_read_b32(V::<1>(100 + i), V::<1>(0));
    }
    b.v_mov_b32(V::<1>(1), V::<1>(100));
    b.v_mov_b32(V::<1>(1), V::<1>(105));
    b.end();
    let texts = b.finish().unwrap().listing.texts();
    let waits: Vec<&str> = texts.iter().filter(|t| t.starts_with("s_waitcnt")).map(String::as_str).collect();
    assert_eq!(waits, ["s_waitcnt vmcnt(62)", "s_waitcnt lgkmcnt(14)"], "{texts:#?}");
}

#[test]
fn what_an_export_has_yet_to_read_is_not_overwritten() {
    let mut b = KernelBuilder::new("k", Target::Gfx908);
    let [x, y] = [v(0), v(1)].map(wavesmith_asm::Operand::from);
    b.emit_by_name("exp", &[wavesmith_asm::Operand::Imm(0), x, x, y, y]);
    b.v_add_f32(v(3), v(0), v(1));
    b.v_mov_b32(v(1), 0);
    b.v_mov_b32(v(0), 0);
    b.end();
    let want = [
        "exp mrt0, v0, v0, v1, v1",
        "v_add_f32_e32 v3, v0, v1",
        "s_waitcnt expcnt(0)",
        "v_mov_b32_e32 v1, 0",
        "v_mov_b32_e32 v0, 0",
    ];
    assert_eq!(texts(&b.finish().unwrap())[..5], want);
}

#[test]
fn comments_labels_and_lines_of_the_generator_stand_in_the_listing() {
    let k = vadd(Target::Gfx942).unwrap();
    let text = k.listing.to_string();
    assert!(text.contains("i = group * 256 + item"), "{text}");
    let lines = k.listing.lines.iter().filter_map(|line| match line {
        wavesmith_emitter::listing::Line::Instruction { source: Some(at), .. } => Some(at.file()),
        _ => None,
    });
    assert!(lines.clone().count() > 10 && lines.clone().all(|file| file.ends_with("kernels.rs")), "{text}");
}
