//! Control flow, registers, budgets, and what the reports look like.

mod support;

use support::{Kernel, errors, of, report};
use wavesmith_asm::Target;
use wavesmith_check::{Edit, Kind, Options, Severity, check, json, sarif, text};

const T: Target = Target::Gfx942;

#[test]
fn code_that_runs_off_its_end_is_found() {
    let found = report(T, "v_mov_b32_e32 v1, 0");
    assert!(errors(&found).iter().any(|f| f.kind == Kind::ControlFlow), "{}", text(&found, true));
}

#[test]
fn a_branch_out_of_the_code_is_found() {
    let found = report(T, "s_branch 30000\ns_endpgm");
    assert_eq!(errors(&found)[0].kind, Kind::ControlFlow);
    assert!(errors(&found)[0].message.contains("outside of the code"));
}

/// Who leads out of the code is what has a line, and what is missing is said.
#[test]
fn the_instruction_that_leaves_the_code_is_named_with_what_it_lacks() {
    let found = report(T, "v_mov_b32_e32 v1, 0");
    let f = errors(&found).into_iter().find(|f| f.kind == Kind::ControlFlow).unwrap();
    assert!(f.message.contains("runs off the end of k"), "{}", f.message);
    assert!(f.at.as_ref().unwrap().text.starts_with("v_mov_b32") && f.need.as_ref().unwrap().contains("s_endpgm"));
    let found = report(T, "s_branch 30000\ns_endpgm");
    let f = errors(&found)[0];
    assert!(f.at.as_ref().unwrap().text.starts_with("s_branch") && f.other.is_none() && f.need.is_none());
}

#[test]
fn arguments_beyond_the_segment_are_found() {
    let read = |load: &str| report(T, &format!("{load}\ns_waitcnt lgkmcnt(0)\ns_endpgm"));
    assert!(of(&read("s_load_dwordx2 s[4:5], s[0:1], 0x38"), Kind::Metadata).is_empty());
    let beyond = read("s_load_dwordx2 s[4:5], s[0:1], 0x40");
    assert!(errors(&beyond)[0].message.contains("bytes 64 to 72"), "{}", text(&beyond, true));
    // A load that is rounded up may end there.
    let over = read("s_load_dwordx4 s[4:7], s[0:1], 0x38");
    assert_eq!(of(&over, Kind::Metadata)[0].severity, Severity::Advice);
    // The pair has become another pointer.
    let other = "s_load_dwordx2 s[0:1], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_load_dword s4, s[0:1], 0x400";
    assert!(of(&read(other), Kind::Metadata).is_empty());
}

#[test]
fn quiet_reports_hold_errors_only() {
    let clean = report(T, "s_endpgm");
    assert_eq!(wavesmith_check::errors(&clean), "");
    let advice = report(T, "v_add_u32_e32 v1, v5, v0\ns_endpgm");
    assert!(!advice.findings.is_empty());
    assert_eq!(wavesmith_check::errors(&advice), "");
    let wrong = report(T, "global_load_dword v4, v[2:3], off\nv_add_u32_e32 v5, v6, v4\ns_endpgm");
    let told = wavesmith_check::errors(&wrong);
    assert!(told.contains("read-before-wait") && !told.contains("uninitialised") && !told.contains("1 kernel"));
}

#[test]
fn a_branch_into_the_middle_of_an_instruction_is_found() {
    // The literal is itself the encoding of s_endpgm, so both ways decode.
    let found = report(T, "s_cbranch_scc1 1\ns_mov_b32 s4, 0xbf810000\ns_endpgm");
    assert!(errors(&found).iter().any(|f| f.message.contains("middle")), "{}", text(&found, true));
}

#[test]
fn bits_that_are_no_instruction_are_found_only_where_control_reaches_them() {
    let found = report(T, ".long 0xffffffff\ns_endpgm");
    assert_eq!(errors(&found)[0].kind, Kind::Encoding);
    assert!(errors(&report(T, "s_branch over\n.long 0xffffffff\nover:\ns_endpgm")).is_empty());
}

#[test]
fn registers_beyond_the_allocation_are_found() {
    let kernel = |body| Kernel { vgprs: 24, accum_offset: 16, body, ..Kernel::default() };
    for (body, wrong) in [
        ("v_mov_b32_e32 v15, 0\nv_accvgpr_write_b32 a7, v0\ns_endpgm", false),
        ("v_mov_b32_e32 v24, 0\ns_endpgm", true),
        ("v_accvgpr_write_b32 a8, v0\ns_endpgm", true),
        ("v_mov_b32_e32 v17, 0\nv_accvgpr_write_b32 a1, v0\ns_endpgm", true),
    ] {
        let found = kernel(body).report();
        assert_eq!(errors(&found).iter().any(|f| f.kind == Kind::Registers), wrong, "{body}\n{}", text(&found, true));
    }
}

#[test]
fn tuples_that_start_at_an_odd_register_are_found_where_the_target_forbids_it() {
    // The assembler refuses them, so the encoding is changed: v[2:3] becomes v[3:4].
    let object = Kernel { body: "global_load_dword v4, v[2:3], off\ns_endpgm", ..Kernel::default() }.object();
    let clean = check(&object, &Options::default()).unwrap();
    assert!(errors(&clean).is_empty());
    let code = wavesmith_loader::code_object::CodeObject::parse(&object).unwrap();
    let entry = code.kernels[0].entry_vaddr;
    let at = code.file_range(entry, 8).unwrap();
    let word = |i: usize| u32::from_le_bytes(object[at.start + 4 * i..at.start + 4 * i + 4].try_into().unwrap());
    let odd = vec![word(0), word(1) + 1];
    let options = Options { edits: [(entry, Edit::Replace(odd))].into(), ..Options::default() };
    let found = check(&object, &options).unwrap();
    assert_eq!(errors(&found)[0].kind, Kind::Alignment);
    assert!(errors(&found)[0].message.contains("v[3:4]"));
}

/// What is accumulated on is read and written, and still one tuple.
#[test]
fn a_misaligned_tuple_is_one_finding() {
    let mfma = "s_nop 1\nv_mfma_f32_16x16x16_f16 v[4:7], v[8:9], v[10:11], v[4:7]\ns_endpgm";
    let object = Kernel { body: mfma, ..Kernel::default() }.object();
    let code = wavesmith_loader::code_object::CodeObject::parse(&object).unwrap();
    let pc = code.kernels[0].entry_vaddr + 4;
    let at = code.file_range(pc, 8).unwrap();
    let word = |i: usize| u32::from_le_bytes(object[at.start + 4 * i..at.start + 4 * i + 4].try_into().unwrap());
    // Result and accumulator become v[5:8]: bit 0 of the first word's lowest byte, bit 18 of the second.
    let odd = vec![word(0) | 1, word(1) | 1 << 18];
    let options = Options { edits: [(pc, Edit::Replace(odd))].into(), ..Options::default() };
    let found = check(&object, &options).unwrap();
    let [f] = of(&found, Kind::Alignment)[..] else { panic!("{}", text(&found, true)) };
    assert_eq!(f.message, "VGPR tuple v[5:8] must start at a multiple of 2");
}

#[test]
fn a_register_that_nothing_writes_is_named() {
    let found = report(T, "v_add_u32_e32 v1, v5, v0\ns_endpgm");
    let f = of(&found, Kind::Uninitialised);
    assert_eq!(f.len(), 1);
    assert!(f[0].message.contains("v5") && f[0].message.contains("on any path"), "{}", f[0].message);
    let found = report(T, "s_cbranch_scc1 join\nv_mov_b32_e32 v5, 0\njoin:\nv_add_u32_e32 v1, v5, v0\ns_endpgm");
    let f = of(&found, Kind::Uninitialised);
    assert!(f.iter().any(|f| f.message.contains("v5") && f.message.contains("on some path")));
    let found = report(T, "v_mov_b32_e32 v5, 0\nv_add_u32_e32 v1, v5, v0\nv_xor_b32_e32 v6, v6, v6\ns_endpgm");
    assert!(of(&found, Kind::Uninitialised).is_empty());
}

#[test]
fn scratch_and_lds_beyond_what_is_declared_are_found() {
    let found = report(T, "scratch_store_dword off, v0, off offset:60\ns_endpgm");
    assert!(errors(&found).iter().any(|f| f.kind == Kind::Scratch));
    let kernel = |body| Kernel { body, directives: ".amdhsa_group_segment_fixed_size 1024", ..Kernel::default() };
    assert!(of(&kernel("ds_write_b32 v0, v0 offset:1020\ns_endpgm").report(), Kind::Lds).is_empty());
    let beyond = "ds_write_b32 v0, v0 offset:1021\ns_endpgm";
    let found = kernel(beyond).report();
    assert_eq!(of(&found, Kind::Lds)[0].severity, Severity::Error);
    assert!(of(&found, Kind::Lds)[0].message.contains("LDS byte 1024 or beyond, 1024 bytes are declared"));
}

/// Compilers leave it to the launch, and LLVM says so where it lists hidden arguments at all.
#[test]
fn lds_beyond_what_is_declared_is_advice_only_where_the_launch_may_add_some() {
    let hidden = |kinds: &[&str]| {
        let args: Vec<String> = kinds
            .iter()
            .enumerate()
            .map(|(i, kind)| format!("  - .offset: {}\n    .size: 4\n    .value_kind: {kind}", 4 * i))
            .collect();
        format!(".args:\n{}", args.join("\n"))
    };
    let body = "ds_write_b32 v0, v0 offset:1024\ns_endpgm";
    let object = |metadata: &str, declared: u32| {
        let directives = format!(".amdhsa_group_segment_fixed_size {declared}");
        Kernel { body, directives: &directives, metadata, ..Kernel::default() }.object()
    };
    let severity = |metadata: &str, declared: u32, dynamic_lds: Option<u32>| {
        let report = check(&object(metadata, declared), &Options { dynamic_lds, ..Options::default() }).unwrap();
        of(&report, Kind::Lds).first().map(|f| f.severity)
    };
    let (error, advice) = (Some(Severity::Error), Some(Severity::Advice));
    assert_eq!(severity("", 1024, None), error);
    assert_eq!(severity("", 0, None), advice, "as Triton's kernels have it");
    assert_eq!(severity(".language: OpenCL C", 1024, None), advice);
    assert_eq!(severity(&hidden(&["hidden_block_count_x"]), 1024, None), error);
    assert_eq!(severity(&hidden(&["hidden_block_count_x", "hidden_dynamic_lds_size"]), 1024, None), advice);
    // What the launch adds may be known.
    for (declared, adds, want) in [(0, 1028, None), (1024, 4, None), (0, 1027, error), (1024, 0, error)] {
        assert_eq!(severity(".language: OpenCL C", declared, Some(adds)), want, "{declared} {adds}");
    }
}

#[test]
fn an_lds_address_that_is_a_constant_counts() {
    let body = |address: &str| format!("v_mov_b32_e32 v5, {address}\nds_write_b32 v5, v0 offset:8\ns_endpgm");
    let lds = |body: &str| {
        let kernel = Kernel { body, directives: ".amdhsa_group_segment_fixed_size 1024", ..Kernel::default() };
        of(&kernel.report(), Kind::Lds).iter().map(|f| (f.severity, f.message.clone())).collect::<Vec<_>>()
    };
    assert_eq!(lds(&body("0x3f4")), []);
    let [(Severity::Error, message)] = &lds(&body("0x3f5"))[..] else { panic!("one error") };
    assert!(message.contains("LDS byte 1024"), "{message}");
    let [(Severity::Error, message)] = &lds(&body("0x10000"))[..] else { panic!("one error") };
    assert!(message.contains("beyond the 65536 bytes of the part"), "{message}");
    // Another value on another way is no constant.
    let other = format!("s_cbranch_scc1 there\nv_mov_b32_e32 v5, 0\nthere:\n{}", body("0x800"));
    assert_eq!(lds(&other), []);
}

#[test]
fn lds_that_nothing_writes_is_not_to_be_read() {
    let lds = |body: &str| {
        let directives = ".amdhsa_group_segment_fixed_size 1024";
        let report = Kernel { body, directives, ..Kernel::default() }.report();
        let bare = of(&report, Kind::Uninitialised);
        bare.iter().map(|f| f.message.clone()).filter(|m| m.contains("LDS")).collect::<Vec<_>>()
    };
    let read = "ds_read_b32 v4, v0\ns_waitcnt lgkmcnt(0)\nds_read_b32 v5, v0\ns_waitcnt lgkmcnt(0)\n";
    let [message] = &lds(&format!("{read}s_endpgm"))[..] else { panic!("one finding") };
    assert!(message.contains("nothing in the kernel writes"), "{message}");
    // Another wave may be further on; what is filled by LDS-DMA is written; and a callee may do anything.
    for writer in [
        "ds_write_b32 v0, v0\n",
        "ds_add_u32 v0, v0\n",
        "flat_store_dword v[2:3], v0\n",
        "s_mov_b32 m0, 0\ns_nop 0\nbuffer_load_dword v1, s[8:11], 0 offen lds\n",
        "s_swappc_b64 s[30:31], s[4:5]\n",
    ] {
        assert_eq!(lds(&format!("{read}{writer}s_endpgm")), [""; 0], "{writer}");
    }
    // Values that only go from lane to lane are in no LDS.
    assert_eq!(lds("ds_bpermute_b32 v4, v0, v0\ns_waitcnt lgkmcnt(0)\ns_endpgm"), [""; 0]);
}

#[test]
fn an_edit_takes_an_instruction_out() {
    let object = Kernel {
        body: "global_load_dword v4, v[2:3], off\ns_waitcnt vmcnt(0)\nv_add_u32_e32 v5, 1, v4\ns_endpgm",
        ..Kernel::default()
    }
    .object();
    assert!(!check(&object, &Options::default()).unwrap().failed());
    let entry = wavesmith_loader::code_object::CodeObject::parse(&object).unwrap().kernels[0].entry_vaddr;
    let options = Options { edits: [(entry + 8, Edit::Remove)].into(), ..Options::default() };
    assert!(check(&object, &options).unwrap().failed());
}

#[test]
fn strict_takes_advice_as_errors() {
    let object = Kernel { body: "ds_write_b32 v0, v0\ns_barrier\ns_endpgm", ..Kernel::default() }.object();
    assert!(!check(&object, &Options::default()).unwrap().failed());
    assert!(check(&object, &Options { strict: true, ..Options::default() }).unwrap().failed());
}

#[test]
fn json_and_sarif_carry_place_need_and_path() {
    let report = report(T, "global_load_dword v4, v[2:3], off\nv_add_u32_e32 v5, 1, v4\ns_endpgm");
    let finding = &json(&report)["findings"][0];
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["kind"], "read-before-wait");
    assert_eq!(finding["need"], "s_waitcnt vmcnt(0)");
    assert_eq!(finding["pc"], finding["at"]["pc"]);
    assert!(finding["message"].as_str().unwrap().contains("v4"));
    let log = sarif(&[("k.co".to_owned(), report)]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let rule = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
    assert_eq!(result["level"], "error");
    let address = &result["locations"][0]["physicalLocation"]["address"]["absoluteAddress"];
    assert_eq!(*address, finding["pc"]);
    assert!(result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().len() >= 2);
}

/// What SARIF's schema asks of every log: required properties, levels, indices in range, references without blanks.
#[test]
fn sarif_has_what_its_schema_requires() {
    let bodies = [
        "global_load_dword v4, v[2:3], off\nv_add_u32_e32 v5, 1, v4\ns_endpgm",
        "v_add_u32_e32 v1, v5, v0\ns_branch 30000",
        "s_cbranch_scc1 there\nds_read_b32 v4, v0\nthere:\nv_mov_b32_e32 v5, v4\ns_endpgm",
    ];
    let mut reports: Vec<_> = bodies.iter().map(|b| ("my kernels/k 1.co".to_owned(), report(T, b))).collect();
    let big = Kernel {
        directives: ".amdhsa_group_segment_fixed_size 65536",
        metadata: ".vgpr_count: 999",
        ..Kernel::default()
    };
    reports.push(("big.co".to_owned(), big.report()));
    let log = sarif(&reports);
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-2.1.0.json"));
    let run = &log["runs"][0];
    assert!(run["tool"]["driver"]["name"].is_string());
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().all(|r| r["id"].is_string() && r["shortDescription"]["text"].is_string()));
    let reference = |uri: &serde_json::Value| {
        let uri = uri.as_str().unwrap();
        assert!(uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/%".contains(&b)), "{uri}");
    };
    run["artifacts"].as_array().unwrap().iter().for_each(|a| reference(&a["location"]["uri"]));
    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 4);
    for r in results {
        assert!(r["message"]["text"].is_string());
        assert!(["none", "note", "warning", "error"].contains(&r["level"].as_str().unwrap()));
        assert_eq!(rules[r["ruleIndex"].as_u64().unwrap() as usize]["id"], r["ruleId"]);
        let steps = r["codeFlows"].as_array().into_iter().flatten();
        let steps = steps.flat_map(|f| f["threadFlows"].as_array().unwrap());
        let steps = steps.flat_map(|t| t["locations"].as_array().unwrap()).map(|s| &s["location"]);
        for l in r["locations"].as_array().unwrap().iter().chain(steps) {
            let place = &l["physicalLocation"];
            reference(&place["artifactLocation"]["uri"]);
            assert!(place["region"].is_null() || place["region"]["startLine"].as_u64().unwrap() >= 1);
            assert!(
                place["address"].is_null()
                    || place["address"]["absoluteAddress"].is_i64()
                    || place["address"]["absoluteAddress"].is_u64()
            );
        }
    }
}

#[test]
fn an_emitted_kernel_names_the_rust_line_of_a_finding() {
    use wavesmith_asm::Build;
    use wavesmith_asm::reg::V;
    use wavesmith_emitter::KernelBuilder;
    use wavesmith_emitter::object::{PackOptions, pack};
    let mut b = KernelBuilder::new("k", T);
    let line = line!() + 1;
    b.v_add_u32(V::<1>(1), V::<1>(5), V::<1>(0));
    b.end();
    let object = pack(&[b.finish().unwrap()], &PackOptions::default()).unwrap();
    let found = check(&object, &Options::default()).unwrap();
    let f = of(&found, Kind::Uninitialised)[0];
    let source = f.at.as_ref().unwrap().source.as_ref().unwrap();
    assert!(source.file.ends_with("structure.rs"), "{}", source.file);
    assert_eq!(source.line, line);
}
