//! `wavesmith launch` as a script calls it: kernels of other compilers, NumPy files in and out, the right numbers.
//!
//! Needs `clang-22` and `ld.lld-22`; without them it says so, and fails in CI. Where the shared corpus of compiled
//! kernels is checked out next to the repository, every kernel in it runs too.

#[path = "launch/arrays.rs"]
mod arrays;
#[path = "launch/compile.rs"]
mod compile;

use arrays::{Folder, f16_bits, f16_value};
use compile::{Language, compiled, corpus};
use std::process::{Command, Output};

/// The smallest part of each target: fewer compute units, less to simulate.
const TARGETS: [(&str, &str); 4] =
    [("gfx908", "mi100"), ("gfx90a", "mi210"), ("gfx942", "mi300x"), ("gfx950", "mi355x")];

/// A generator of test data: the top bits of a linear congruential sequence.
fn random(seed: u64) -> impl FnMut() -> u32 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    }
}

/// Numbers in −2 to 2 with few bits, whose sums and products are exact.
fn small_floats(count: usize, seed: u64) -> Vec<f32> {
    let mut next = random(seed);
    (0..count).map(|_| (next() % 65) as f32 / 16.0 - 2.0).collect()
}

fn launch(folder: &Folder, file: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavesmith"))
        .arg("launch")
        .arg(file)
        .args(["--device", "embedded"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("wavesmith starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Launches and returns the JSON at the end of stdout.
fn ok(folder: &Folder, file: &str, args: &[&str]) -> serde_json::Value {
    let output = launch(folder, file, &[args, &["--json"]].concat());
    assert!(output.status.success(), "launch {file} {args:?}:\n{}", stderr(&output));
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    let line = stdout.lines().last().expect("a line");
    let json: serde_json::Value = serde_json::from_str(line).expect("JSON on the last line");
    assert!(json["seconds"].as_f64().is_some_and(|s| s > 0.0), "{json}");
    assert!(json["wave_instructions"].as_u64().is_some_and(|n| n > 0), "{json}");
    json
}

/// Compares all elements and shows the first that differs: the whole arrays would bury it.
fn same<T: PartialEq + std::fmt::Debug>(found: &[T], want: &[T], what: &str) {
    assert_eq!(found.len(), want.len(), "{what}");
    let differing = found.iter().zip(want).filter(|(f, w)| f != w).count();
    if let Some(at) = found.iter().zip(want).position(|(f, w)| f != w) {
        panic!("{what}: {differing} of {} differ, first [{at}]: {:?} for {:?}", want.len(), found[at], want[at]);
    }
}

/// Runs a check on what Clang makes of the HIP kernels, for each target and object version.
fn each_hip(check: impl Fn(&Folder, &str, u32)) {
    each(Language::Hip, check);
}

fn each(language: Language, check: impl Fn(&Folder, &str, u32)) {
    for (target, _) in TARGETS {
        for version in [4, 5, 6] {
            let folder = Folder::new();
            let Some(file) = compiled(language, target, version) else { return };
            check(&folder, file.to_str().expect("UTF-8"), version);
        }
    }
}

#[test]
fn a_reduction_sums_across_workgroups() {
    each_hip(|folder, file, _| {
        let n = 5000;
        let data = small_floats(n, 1);
        folder.f32("in.npy", &[n], &data);
        folder.f32("zero.npy", &[1], &[0.0]);
        let args = ["--kernel", "reduction", "--grid", "8", "--block", "256", "--arg", "in:in.npy"];
        ok(folder, file, &[&args[..], &["--arg", "inout:zero.npy=out.npy", "--arg", "u32:5000"]].concat());
        assert_eq!(folder.read_f32("out.npy"), [data.iter().sum::<f32>()], "{file}");
    });
}

#[test]
fn a_histogram_counts_with_atomics() {
    each_hip(|folder, file, _| {
        let mut next = random(2);
        let data: Vec<u8> = (0..4001).map(|_| (next() % 251) as u8).collect();
        let mut want = vec![0_u32; 256];
        data.iter().for_each(|b| want[usize::from(*b)] += 1);
        folder.array("in.npy", &[4001], &data);
        folder.array("zero.npy", &[256], &[0_u32; 256]);
        let args = ["--kernel", "histogram", "--grid", "4", "--block", "256", "--arg", "in:in.npy"];
        ok(folder, file, &[&args[..], &["--arg", "inout:zero.npy=out.npy", "--arg", "u32:4001"]].concat());
        same(&folder.read::<u32>("out.npy"), &want, file);
    });
}

#[test]
fn a_scan_adds_up_through_lds() {
    each_hip(|folder, file, _| {
        let mut next = random(3);
        let data: Vec<i32> = (0..700).map(|_| (next() % 2001) as i32 - 1000).collect();
        let want: Vec<i32> = data
            .chunks(256)
            .flat_map(|run| {
                run.iter().scan(0, |sum, v| {
                    *sum += v;
                    Some(*sum)
                })
            })
            .collect();
        folder.array("in.npy", &[700], &data);
        let args = ["--kernel", "scan", "--grid", "3", "--block", "256", "--arg", "in:in.npy"];
        ok(folder, file, &[&args[..], &["--arg", "out:int32:700=out.npy", "--arg", "u32:700"]].concat());
        same(&folder.read::<i32>("out.npy"), &want, file);
    });
}

#[test]
fn a_transpose_moves_every_element_of_ragged_tiles() {
    each_hip(|folder, file, _| {
        let (rows, columns) = (70, 45);
        let data: Vec<f32> = (0..rows * columns).map(|i| i as f32).collect();
        let want: Vec<f32> = (0..columns).flat_map(|c| (0..rows).map(move |r| (r * columns + c) as f32)).collect();
        folder.f32("in.npy", &[rows, columns], &data);
        let args = ["--kernel", "transpose", "--grid", "2,3", "--block", "32,8", "--arg", "in:in.npy"];
        let rest = ["--arg", "out:float32:45x70=out.npy", "--arg", "u32:70", "--arg", "u32:45"];
        ok(folder, file, &[&args[..], &rest[..]].concat());
        same(&folder.read_f32("out.npy"), &want, file);
        assert_eq!(folder.shape("out.npy"), [45, 70]);
    });
}

#[test]
fn a_softmax_is_that_of_f64_to_a_few_ulps() {
    each_hip(|folder, file, _| {
        let (rows, columns) = (3, 300);
        let data = small_floats(rows * columns, 4);
        folder.f32("in.npy", &[rows, columns], &data);
        let args = ["--kernel", "softmax", "--grid", "3", "--block", "256", "--arg", "in:in.npy"];
        ok(folder, file, &[&args[..], &["--arg", "out:float32:3x300=out.npy", "--arg", "u32:300"]].concat());
        let found = folder.read_f32("out.npy");
        for (row, out) in data.chunks(columns).zip(found.chunks(columns)) {
            let sum: f64 = row.iter().map(|v| f64::from(*v).exp()).sum();
            for (v, o) in row.iter().zip(out) {
                let want = f64::from(*v).exp() / sum;
                assert!((f64::from(*o) - want).abs() <= want * 2e-6, "{file}: {o} for {want}");
            }
        }
    });
}

#[test]
fn a_layernorm_in_half_precision_is_within_one_rounding() {
    each_hip(|folder, file, _| {
        let (rows, columns) = (2, 400);
        let data = small_floats(rows * columns, 5);
        let bits: Vec<u16> = data.iter().map(|v| f16_bits(*v)).collect();
        folder.array("in.npy", &[rows as u64, columns as u64], &bits);
        let args = ["--kernel", "layernorm", "--grid", "2", "--block", "256", "--arg", "in:in.npy"];
        let rest = ["--arg", "out:float16:2x400=out.npy", "--arg", "u32:400", "--arg", "f32:0.001"];
        ok(folder, file, &[&args[..], &rest[..]].concat());
        let found = folder.read_f16_bits("out.npy");
        for (row, out) in data.chunks(columns).zip(found.chunks(columns)) {
            let mean = row.iter().map(|v| f64::from(*v)).sum::<f64>() / columns as f64;
            let variance = row.iter().map(|v| (f64::from(*v) - mean).powi(2)).sum::<f64>() / columns as f64;
            for (v, o) in row.iter().zip(out) {
                let want = (f64::from(*v) - mean) / (variance + 0.001).sqrt();
                let bound = 1e-5 + want.abs() * 6e-4;
                assert!((f16_value(*o) - want).abs() <= bound, "{file}: {} for {want}", f16_value(*o));
            }
        }
    });
}

#[test]
fn tables_in_scratch_are_each_lanes_own() {
    each_hip(|folder, file, _| {
        let data: Vec<i32> = (0..64 * 64).map(|i| i * 3 - 5000).collect();
        let by = 13;
        let want: Vec<i32> =
            (0..64).flat_map(|t| (0..64).map(move |i| ((t * 64 + (i + by) % 64) * 3 - 5000) * 2 + 1)).collect();
        folder.array("in.npy", &[64, 64], &data);
        let args = ["--kernel", "scratch", "--grid", "1", "--block", "64", "--arg", "in:in.npy"];
        ok(folder, file, &[&args[..], &["--arg", "out:int32:64x64=out.npy", "--arg", "i32:13"]].concat());
        same(&folder.read::<i32>("out.npy"), &want, file);
    });
}

#[test]
fn recursion_through_function_pointers_takes_each_lane_its_own_way() {
    each_hip(|folder, file, _| {
        let data: Vec<u32> = (0..64).map(|i| i % 20 + 1).collect();
        let steps = |mut n: u32| {
            let mut count = 0;
            while n > 1 {
                n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
                count += 1;
            }
            count
        };
        let want: Vec<u32> = data.iter().map(|n| steps(*n)).collect();
        folder.array("in.npy", &[64], &data);
        let args = ["--kernel", "recursion", "--grid", "1", "--block", "64", "--arg", "in:in.npy"];
        ok(folder, file, &[&args[..], &["--arg", "out:uint32:64=out.npy"]].concat());
        same(&folder.read::<u32>("out.npy"), &want, file);
    });
}

#[test]
fn dynamic_lds_is_as_large_as_the_launch_says() {
    each_hip(|folder, file, _| {
        let data: Vec<f32> = (0..512).map(|i| i as f32).collect();
        let want: Vec<f32> = data.chunks(256).flat_map(|run| run.iter().rev().copied()).collect();
        folder.f32("in.npy", &[512], &data);
        let args = ["--kernel", "dynamic_lds", "--grid", "2", "--block", "256", "--arg", "in:in.npy"];
        let out = ["--arg", "out:float32:512=out.npy", "--dynamic-lds"];
        ok(folder, file, &[&args[..], &out[..], &["1024"]].concat());
        same(&folder.read_f32("out.npy"), &want, file);

        // More than any workgroup has.
        let output = launch(folder, file, &[&args[..], &out[..], &["1000000"]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("a workgroup has at most"), "{}", stderr(&output));
    });
}

#[test]
fn hidden_arguments_tell_the_geometry() {
    each_hip(|folder, file, version| {
        if version < 5 {
            return;
        }
        let args = ["--kernel", "hidden", "--grid", "3,2", "--block", "32,2,1", "--arg", "out:uint32:7=out.npy"];
        ok(folder, file, &args);
        assert_eq!(folder.read::<u32>("out.npy"), [3, 2, 1, 32, 2, 1, 2], "{file}");
    });
}

#[test]
fn a_matrix_instruction_multiplies() {
    each_hip(|folder, file, _| {
        let (a, b) = (small_floats(256, 6), small_floats(256, 7));
        folder.array("a.npy", &[256], &a.iter().map(|v| f16_bits(*v)).collect::<Vec<_>>());
        folder.array("b.npy", &[256], &b.iter().map(|v| f16_bits(*v)).collect::<Vec<_>>());
        let args = ["--kernel", "mfma", "--grid", "1", "--block", "64", "--arg", "in:a.npy", "--arg", "in:b.npy"];
        ok(folder, file, &[&args[..], &["--arg", "out:float32:64x4=c.npy"]].concat());
        let found = folder.read_f32("c.npy");
        for lane in 0..64 {
            for i in 0..4 {
                let (row, column) = (lane / 16 * 4 + i, lane % 16);
                let want: f32 =
                    (0..16).map(|k| a[(k / 4 * 16 + row) * 4 + k % 4] * b[(k / 4 * 16 + column) * 4 + k % 4]).sum();
                assert_eq!(found[lane * 4 + i], want, "{file} at {row}, {column}");
            }
        }
    });
}

#[test]
fn a_kernel_that_calls_the_host_is_told_by_the_services_name() {
    each_hip(|folder, file, _| {
        let args = ["--kernel", "host_call", "--grid", "1", "--block", "64", "--arg", "out:uint32:64=out.npy"];
        let output = launch(folder, file, &args);
        assert_eq!(output.status.code(), Some(1), "{file}");
        let text = stderr(&output);
        assert!(text.contains("hidden_hostcall_buffer") && text.contains("does not support"), "{text}");
        assert!(text.contains("host_call+0x"), "{text}");
    });
    each_hip(|folder, file, version| {
        if version < 5 {
            return;
        }
        let args = ["--kernel", "heap", "--grid", "1", "--block", "64", "--arg", "out:uint32:64=out.npy"];
        let output = launch(folder, file, &args);
        assert_eq!(output.status.code(), Some(1), "{file}");
        let text = stderr(&output);
        assert!(text.contains("s_load_dword") && text.contains("hidden_heap_v1"), "{text}");
    });
    each(Language::OpenCl, |folder, file, _| {
        let output = launch(folder, file, &["--kernel", "prints", "--grid", "1", "--block", "64", "--arg", "u32:7"]);
        assert_eq!(output.status.code(), Some(1), "{file}");
        let text = stderr(&output);
        assert!(text.contains("hidden_printf_buffer") && text.contains("printf"), "{text}");
    });
}

#[test]
fn opencl_kernels_find_their_ids_and_sizes() {
    each(Language::OpenCl, |folder, file, _| {
        let (x, y) = (small_floats(300, 8), small_floats(300, 9));
        folder.f32("x.npy", &[300], &x);
        folder.f32("y.npy", &[300], &y);
        let args = ["--kernel", "saxpy", "--grid", "5", "--block", "64", "--arg", "in:x.npy"];
        ok(
            folder,
            file,
            &[&args[..], &["--arg", "inout:y.npy=out.npy", "--arg", "f32:2", "--arg", "u32:300"]].concat(),
        );
        let want: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.0 * x + y).collect();
        same(&folder.read_f32("out.npy"), &want, file);

        let args = ["--kernel", "geometry", "--grid", "3,4", "--block", "16,2", "--arg", "out:uint32:4=out.npy"];
        ok(folder, file, &args);
        assert_eq!(folder.read::<u32>("out.npy"), [48, 8, 16, 2], "{file}");
    });
}

#[test]
fn pointers_to_lds_get_memory_of_their_own() {
    each(Language::OpenCl, |folder, file, _| {
        let data: Vec<i32> = (0..128).collect();
        folder.array("in.npy", &[128], &data);
        let args = ["--kernel", "local_pointers", "--grid", "2", "--block", "64", "--arg", "in:in.npy"];
        let rest = ["--arg", "out:int32:128=out.npy", "--arg", "lds:256", "--arg", "lds:256"];
        ok(folder, file, &[&args[..], &rest[..]].concat());
        let want: Vec<i32> = (0..128).map(|i| (i / 64 * 64 + 63 - i % 64) * 1000 - i).collect();
        same(&folder.read::<i32>("out.npy"), &want, file);
    });
}

#[test]
fn engines_agree_and_arguments_may_be_placed() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    let file = file.to_str().expect("UTF-8");
    let data: Vec<i32> = (0..256).collect();
    folder.array("in.npy", &[256], &data);
    let want: Vec<i32> = (0..256).map(|i| i * (i + 1) / 2).collect();
    for engine in ["jit", "interp"] {
        let args = ["--kernel", "scan", "--grid", "1", "--block", "256", "--engine", engine, "--arg", "@16=u32:256"];
        ok(&folder, file, &[&args[..], &["--arg", "@0=in:in.npy", "--arg", "@0x8=out:int32:256=out.npy"]].concat());
        same(&folder.read::<i32>("out.npy"), &want, engine);
    }
}

#[test]
fn each_repetition_starts_from_the_same_memory() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    folder.f32("in.npy", &[4], &[1.0, 2.0, 3.0, 4.0]);
    folder.f32("ten.npy", &[1], &[10.0]);
    let args = ["--kernel", "reduction", "--grid", "1", "--block", "256", "--repeat", "5", "--arg", "in:in.npy"];
    let rest = ["--arg", "inout:ten.npy=out.npy", "--arg", "u32:4"];
    let json = ok(&folder, file.to_str().expect("UTF-8"), &[&args[..], &rest[..]].concat());
    assert_eq!(json["repeat"], 5);
    assert!(json["seconds_min"].as_f64() <= json["seconds_max"].as_f64());
    assert_eq!(folder.read_f32("out.npy"), [20.0]);
}

#[test]
fn what_a_kernel_leaves_unwritten_is_nan_or_all_ones() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    let file = file.to_str().expect("UTF-8");
    folder.f32("in.npy", &[256], &[1.0; 256]);
    let args = ["--kernel", "dynamic_lds", "--grid", "1", "--block", "256", "--dynamic-lds", "1024"];
    ok(&folder, file, &[&args[..], &["--arg", "in:in.npy", "--arg", "out:float32:258=out.npy"]].concat());
    let found = folder.read_f32("out.npy");
    assert!(found[..256].iter().all(|v| *v == 1.0) && found[256..].iter().all(|v| v.is_nan()), "{found:?}");
    ok(&folder, file, &[&args[..], &["--arg", "in:in.npy", "--arg", "out:uint16:513=out.npy"]].concat());
    assert_eq!(folder.read::<u16>("out.npy")[512], 0xffff);
}

#[test]
fn a_fault_is_told_with_its_place_and_ends_with_1() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    let file = file.to_str().expect("UTF-8");
    folder.f32("in.npy", &[256], &[1.0; 256]);
    let args = ["--kernel", "dynamic_lds", "--grid", "1", "--block", "256", "--dynamic-lds", "1024", "--json"];
    let output = launch(&folder, file, &[&args[..], &["--arg", "in:in.npy", "--arg", "null"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    for part in ["kernel `dynamic_lds`", "workgroup (0, 0, 0)", "lane", "pc 0x", "global_store_dword", "address 0x"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    let json: serde_json::Value = serde_json::from_str(stdout.trim()).expect("JSON");
    assert!(json["fault"].as_str().is_some_and(|f| f.contains("global_store_dword")), "{json}");

    let fuel = ["--arg", "in:in.npy", "--arg", "out:float32:256=out.npy", "--max-instructions", "10"];
    let output = launch(&folder, file, &[&args[..], &fuel[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn contradictory_arguments_are_refused_before_the_launch() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    let file = file.to_str().expect("UTF-8");
    let base = ["--kernel", "scan", "--grid", "1", "--block", "256"];
    let cases: [(&[&str], &str); 7] = [
        (&["--kernarg-size", "8", "--arg", "null", "--arg", "null"], "number 2 takes 8 bytes at offset 8"),
        (&["--kernarg-size", "16", "--arg", "@16=u32:1"], "number 1 takes 4 bytes at offset 16"),
        (&["--arg", "@2000=u32:1"], "number 1 takes 4 bytes at offset 2000, the kernarg segment of kernel `scan` has"),
        (&["--arg", "@0xffffffffffffffff=u32:1"], "number 1 takes 4 bytes"),
        (&["--arg", "@0=null", "--arg", "@4=u32:1"], "number 2 takes 4 bytes at offset 4, where --arg number 1 has 8"),
        (&["--arg", "@0=null", "--arg", "null"], "number 2 takes 8 bytes at offset 0, where --arg number 1 has 8"),
        (&["--max-instructions", "0"], "--max-instructions"),
    ];
    for (args, reason) in cases {
        let output = launch(&folder, file, &[&base[..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn placed_arguments_leave_the_notes_that_are_due() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    let file = file.to_str().expect("UTF-8");
    folder.array("in.npy", &[256], &[1_i32; 256]);
    let args = ["--kernel", "scan", "--grid", "1", "--block", "256", "--arg", "@0=in:in.npy"];
    let output = launch(&folder, file, &[&args[..], &["--arg", "@8=out:int32:256=out.npy"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("arguments not given are zero: the one at offset 16 of kernel `scan`"),
        "{}",
        stderr(&output)
    );
    let rest = ["--arg", "@8=out:int32:256=out.npy", "--arg", "@16=u32:256"];
    let output = launch(&folder, file, &[&args[..], &rest[..]].concat());
    assert!(output.status.success() && stderr(&output).is_empty(), "{}", stderr(&output));

    let args = ["--kernel", "hidden", "--grid", "3", "--block", "64", "--arg", "out:uint32:7=out.npy"];
    let output = launch(&folder, file, &[&args[..], &["--arg", "@8=u32:77"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("hidden_block_count_x"), "{}", stderr(&output));
    assert_eq!(folder.read::<u32>("out.npy")[0], 3);
}

#[test]
fn a_structure_by_value_is_given_by_its_members() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    let file = file.to_str().expect("UTF-8");
    let args = ["--kernel", "by_value", "--grid", "1", "--block", "64"];
    let output = launch(&folder, file, &[&args[..], &["--arg", "u64:1"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("@OFFSET=SPEC with an offset from 0 to 191"), "{}", stderr(&output));
    let members = ["--arg", "@0=u32:5", "--arg", "@188=u32:9", "--arg", "@192=out:uint32:64=out.npy"];
    ok(&folder, file, &[&args[..], &members[..]].concat());
    assert_eq!(folder.read::<u32>("out.npy")[..3], [5, 9, 7]);
}

#[test]
fn outputs_that_cannot_be_saved_are_refused_before_the_launch() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    let file = file.to_str().expect("UTF-8");
    std::fs::create_dir(folder.path().join("sub")).expect("creates");
    // A launch of this would fault.
    let base = ["--kernel", "scan", "--grid", "1", "--block", "256", "--arg", "null", "--arg"];
    let cases: [(&[&str], &str); 4] = [
        (&["out:int32:4=none/out.npy"], "there is no folder none"),
        (&["out:int32:4=sub"], "it is a folder"),
        (&["out:int32:4=new.npy", "--arg", "@16=out:int32:4=sub/../new.npy"], "two outputs go to one file"),
        (&["out:int32:4=new.npy/x.npy"], "cannot save to new.npy/x.npy"),
    ];
    for (args, reason) in cases {
        let output = launch(&folder, file, &[&base[..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
        assert!(!folder.path().join("new.npy").exists(), "nothing is left of the trial");
    }
}

#[test]
fn bad_input_is_told_with_what_would_be_accepted_and_ends_with_2() {
    let folder = Folder::new();
    let Some(file) = compiled(Language::Hip, "gfx942", 5) else { return };
    let file = file.to_str().expect("UTF-8");
    let base = ["--kernel", "scan", "--grid", "1", "--block", "256"];
    let cases: [(&[&str], &str); 10] = [
        (&["--kernel", "scam", "--grid", "1", "--block", "256"], "it has scan, "),
        (&["--grid", "1", "--block", "256"], "choose one with --kernel"),
        (&["--kernel", "scan", "--grid", "1"], "--block, at most 256"),
        (&["--kernel", "scan", "--grid", "1", "--block", "512"], "at most 256"),
        (&["--kernel", "scan", "--grid", "0", "--block", "256"], "1 to 4294967295"),
        (&[&base[..], &["--arg", "u32:1"]].concat(), "takes 8 bytes, the value has 4"),
        (&[&base[..], &["--arg", "in:none.npy"]].concat(), "none.npy"),
        (&[&base[..], &["--arg", "q:1"]].concat(), "inout:A.npy=B.npy"),
        (&[&base[..], &["--arg", "null", "--arg", "null", "--arg", "u32:1", "--arg", "u32:1"]].concat(), "3 arguments"),
        (&[&base[..], &["--sku", "mi355x"]].concat(), "choose --sku mi300a or mi300x"),
    ];
    for (args, reason) in cases {
        let output = launch(&folder, file, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
    }
    let output = launch(&folder, "none.co", &base);
    assert_eq!(output.status.code(), Some(2));
    std::fs::write(folder.path().join("text.co"), "hello").expect("writes");
    let output = launch(&folder, "text.co", &base);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("not a code object: it begins with"), "{}", stderr(&output));
}

/// What `hipcc` without `--no-gpu-bundle-output` writes: a bundle of all its targets.
#[test]
fn a_bundle_is_opened_for_the_part_asked_for() {
    let folder = Folder::new();
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launch/kernels.hip");
    for (name, compress) in [("plain.hipfb", "--no-offload-compress"), ("packed.hipfb", "--offload-compress")] {
        let output = Command::new("clang-22")
            .args(["-x", "hip", "--offload-device-only", "-nogpuinc", "-nostdinc", "-nogpulib", "-O1", "-DABI=6"])
            .args(["--offload-arch=gfx90a", "--offload-arch=gfx942", "--gpu-bundle-output", compress])
            .arg(&source)
            .arg("-o")
            .arg(folder.path().join(name))
            .output();
        let Ok(output) = output else { return compile::skip("clang-22") };
        assert!(output.status.success(), "{}", stderr(&output));
        let data: Vec<i32> = (0..256).collect();
        folder.array("in.npy", &[256], &data);
        for (sku, used) in [(None, "mi300x"), (Some("mi210"), "mi210")] {
            let args = ["--kernel", "scan", "--grid", "1", "--block", "256", "--arg", "in:in.npy"];
            let rest = ["--arg", "out:int32:256=out.npy", "--arg", "u32:256"];
            let sku: Vec<&str> = sku.into_iter().flat_map(|s| ["--sku", s]).collect();
            let json = ok(&folder, name, &[&args[..], &rest[..], &sku[..]].concat());
            assert_eq!(json["sku"], used);
            same(&folder.read::<i32>("out.npy"), &(0..256).map(|i| i * (i + 1) / 2).collect::<Vec<_>>(), name);
        }
        let output = launch(&folder, name, &["--kernel", "scan", "--grid", "1", "--sku", "mi100"]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("holds code for gfx90a, gfx942"), "{}", stderr(&output));

        let path = folder.path().join(name);
        let info = Command::new(env!("CARGO_BIN_EXE_wavesmith")).arg("info").arg(path).arg("--json").output();
        let output = info.expect("wavesmith starts");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["objects"].as_array().map(Vec::len), Some(2), "{json}");
        assert_eq!(json["kernels"].as_array().map(Vec::len), Some(28), "{json}");

        // `dis` and `check` want one of the two.
        for (command, shown) in [("dis", "scan:"), ("check", "14 kernels")] {
            let run = |target: &[&str]| {
                let mut wavesmith = Command::new(env!("CARGO_BIN_EXE_wavesmith"));
                wavesmith.arg(command).arg(folder.path().join(name)).args(target).output().expect("wavesmith starts")
            };
            let output = run(&["--target", "gfx90a"]);
            assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
            assert!(String::from_utf8_lossy(&output.stdout).contains(shown), "{command}");
            let output = run(&[]);
            assert_eq!(output.status.code(), Some(2), "{command}");
            assert!(stderr(&output).contains("gfx90a, gfx942: say which with --target"), "{}", stderr(&output));
        }
    }
}

/// Two builds of one target in one bundle, for XNACK on and off, and two bundles one behind the other.
#[test]
fn of_several_code_objects_for_one_target_the_named_one_is_taken() {
    let folder = Folder::new();
    let compile = |name: &str, kernel: &str, targets: &[&str]| {
        let file = folder.path().join(format!("{kernel}.hip"));
        let source = format!("extern \"C\" __attribute__((global)) void {kernel}(int *out) {{ *out = 1; }}\n");
        std::fs::write(&file, source).expect("writes");
        Command::new("clang-22")
            .args(["-x", "hip", "--offload-device-only", "-nogpuinc", "-nostdinc", "-nogpulib", "-O1"])
            .args(targets.iter().map(|t| format!("--offload-arch={t}")))
            .args(["--gpu-bundle-output", "-o"])
            .arg(folder.path().join(name))
            .arg(file)
            .output()
    };
    let Ok(output) = compile("modes.hipfb", "k", &["gfx942:xnack-", "gfx942:xnack+"]) else {
        return compile::skip("clang-22");
    };
    assert!(output.status.success(), "{}", stderr(&output));
    let wavesmith = |command: &str, name: &str, target: &[&str]| {
        let mut wavesmith = Command::new(env!("CARGO_BIN_EXE_wavesmith"));
        wavesmith.arg(command).arg(folder.path().join(name)).args(target).output().expect("wavesmith starts")
    };
    for command in ["dis", "check"] {
        for target in ["gfx942:xnack+", "gfx942:xnack-", "1", "2"] {
            let output = wavesmith(command, "modes.hipfb", &["--target", target]);
            assert_eq!(output.status.code(), Some(0), "{command} {target}: {}", stderr(&output));
            let on = String::from_utf8_lossy(&output.stdout).contains("gfx942:xnack+");
            // Clang sorts a bundle's entries by their ids.
            assert!(command == "check" || on == ["gfx942:xnack+", "1"].contains(&target), "{command} {target}");
        }
        for target in [&[][..], &["--target", "gfx942"]] {
            let output = wavesmith(command, "modes.hipfb", target);
            assert_eq!(output.status.code(), Some(2), "{command}");
            let said = stderr(&output);
            assert!(said.contains("say which with --target"), "{said}");
            assert!(said.contains("gfx942:xnack+ with k") && said.contains("gfx942:xnack- with k"), "{said}");
        }
        let output = wavesmith(command, "modes.hipfb", &["--target", "3"]);
        assert!(stderr(&output).contains("has no code object 3"), "{}", stderr(&output));
        let output = wavesmith(command, "modes.hipfb", &["--target", "gfx942:cumode"]);
        assert!(stderr(&output).contains("`cumode` is no mode"), "{}", stderr(&output));
    }
    // A part is in the usual modes, and the embedded device in no other.
    let args = ["--grid", "1", "--block", "64", "--arg", "out:int32:1=out.npy"];
    ok(&folder, "modes.hipfb", &args);
    let output = launch(&folder, "modes.hipfb", &[&args[..], &["--target", "gfx942:xnack+"]].concat());
    assert!(stderr(&output).contains("needs XNACK on"), "{}", stderr(&output));

    // What several translation units leave: the kernel says which is meant.
    let other = compile("other.hipfb", "other", &["gfx942"]).expect("clang-22 starts");
    assert!(other.status.success(), "{}", stderr(&other));
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("reads");
    std::fs::write(folder.path().join("both.hipfb"), [read("modes.hipfb"), read("other.hipfb")].concat())
        .expect("writes");
    ok(&folder, "both.hipfb", &[&args[..], &["--kernel", "other"]].concat());
    ok(&folder, "both.hipfb", &[&args[..], &["--kernel", "k"]].concat());
    ok(&folder, "both.hipfb", &[&args[..], &["--target", "3"]].concat());
    let output = launch(&folder, "both.hipfb", &args);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("3: gfx942 with other"), "{}", stderr(&output));
}

/// As in hipBLASLt's libraries: a linker leaves a metadata note of each object.
#[test]
fn kernels_linked_from_several_objects_have_their_own_arguments() {
    let folder = Folder::new();
    for (name, factor) in [("twice", 2), ("thrice", 3)] {
        let text = format!(
            "kernel void {name}(global const int *in, global int *out, int more) {{\n\
             size_t i = __builtin_amdgcn_workitem_id_x();\n out[i] = {factor} * in[i] + more;\n}}\n"
        );
        std::fs::write(folder.path().join(format!("{name}.cl")), text).expect("writes");
        let output = Command::new("clang-22")
            .args(["-x", "cl", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-O1", "-c"])
            .args([format!("{name}.cl"), "-o".to_owned(), format!("{name}.o")])
            .current_dir(folder.path())
            .output();
        let Ok(output) = output else { return compile::skip("clang-22") };
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let linked = Command::new("ld.lld-22")
        .args(["-shared", "twice.o", "thrice.o", "-o", "both.co"])
        .current_dir(folder.path())
        .status();
    let Ok(status) = linked else { return compile::skip("ld.lld-22") };
    assert!(status.success());
    let data: Vec<i32> = (0..64).collect();
    folder.array("in.npy", &[64], &data);
    for (name, factor) in [("twice", 2), ("thrice", 3)] {
        let args = ["--kernel", name, "--grid", "1", "--block", "64", "--arg", "in:in.npy"];
        ok(&folder, "both.co", &[&args[..], &["--arg", "out:int32:64=out.npy", "--arg", "i32:7"]].concat());
        same(&folder.read::<i32>("out.npy"), &(0..64).map(|i| factor * i + 7).collect::<Vec<_>>(), name);
        // An argument of another size than the metadata has is refused, for either.
        let wrong = launch(&folder, "both.co", &[&args[..], &["--arg", "null", "--arg", "f64:1"]].concat());
        assert_eq!(wrong.status.code(), Some(2), "{name}: {}", stderr(&wrong));
    }
    for command in ["dis", "check"] {
        let mut wavesmith = Command::new(env!("CARGO_BIN_EXE_wavesmith"));
        let output = wavesmith.args([command, "both.co", "--target", "gfx942"]).current_dir(folder.path()).output();
        let output = output.expect("wavesmith starts");
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(stderr(&output).contains("is code for gfx90a, not gfx942"), "{}", stderr(&output));
    }
    // The text has one note for both, and what it makes has the arguments too.
    let wavesmith = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_wavesmith")).args(args).current_dir(folder.path()).output();
        let output = output.expect("wavesmith starts");
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        output.stdout
    };
    std::fs::write(folder.path().join("both.s"), wavesmith(&["dis", "both.co"])).expect("writes");
    wavesmith(&["asm", "both.s", "-o", "again.co"]);
    let arguments = |file: &str| {
        let json: serde_json::Value = serde_json::from_slice(&wavesmith(&["info", file, "--json"])).expect("JSON");
        json["kernels"].as_array().expect("kernels").iter().map(|k| k["args"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(arguments("again.co"), arguments("both.co"));
    assert_eq!(arguments("both.co").len(), 2);
}

#[test]
fn code_for_other_gpus_in_a_bundle_is_passed_over() {
    let folder = Folder::new();
    let source = folder.path().join("nothing.hip");
    std::fs::write(&source, "extern \"C\" __attribute__((global)) void nothing() {}\n").expect("writes");
    let compiled = |name: &str, targets: &[&str]| {
        Command::new("clang-22")
            .args(["-x", "hip", "--offload-device-only", "-nogpuinc", "-nostdinc", "-nogpulib", "--gpu-bundle-output"])
            .args(targets.iter().map(|t| format!("--offload-arch={t}")))
            .arg(&source)
            .arg("-o")
            .arg(folder.path().join(name))
            .output()
    };
    let Ok(both) = compiled("both.hipfb", &["gfx1100", "gfx942"]) else { return compile::skip("clang-22") };
    assert!(both.status.success(), "{}", stderr(&both));
    assert_eq!(ok(&folder, "both.hipfb", &["--grid", "1", "--block", "64"])["sku"], "mi300x");

    let alone = compiled("alone.hipfb", &["gfx1100"]).expect("clang-22 starts");
    assert!(alone.status.success(), "{}", stderr(&alone));
    let output = launch(&folder, "alone.hipfb", &["--grid", "1", "--block", "64"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("built for gfx1100"), "{}", stderr(&output));
}

#[test]
fn every_corpus_kernel_of_clang_gives_the_right_numbers() {
    let Some(corpus) = corpus() else { return };
    for (target, _) in TARGETS {
        for version in ["v4", "v5", "v6"] {
            let file = corpus.join(format!("clang/hip.{target}.{version}.co"));
            let file = file.to_str().expect("UTF-8");
            let folder = Folder::new();
            vadd(&folder, file, 256);
            // This one adds to its output and takes a stride of 65536.
            let data = small_floats(3000, 10);
            folder.f32("in.npy", &[3000], &data);
            folder.f32("zero.npy", &[1], &[0.0]);
            let args = ["--kernel", "reduce", "--grid", "256", "--block", "256", "--arg", "in:in.npy"];
            ok(&folder, file, &[&args[..], &["--arg", "inout:zero.npy=out.npy", "--arg", "u32:3000"]].concat());
            assert_eq!(folder.read_f32("out.npy"), [data.iter().sum::<f32>()], "{file}");
            mfma16(&folder, file);
        }
        let path = |name: &str| corpus.join(format!("clang/{name}.{target}.co")).to_str().expect("UTF-8").to_owned();
        let folder = Folder::new();
        vadd(&folder, &path("vadd"), 64);

        let data = small_floats(3000, 11);
        folder.f32("in.npy", &[3000], &data);
        let args = ["--grid", "4", "--arg", "in:in.npy", "--arg", "out:float32:4=out.npy", "--arg", "u32:3000"];
        ok(&folder, &path("reduce"), &args);
        assert_eq!(folder.read_f32("out.npy").iter().sum::<f32>(), data.iter().sum::<f32>(), "{target}");

        let (m, n, k) = (40, 33, 50);
        let (a, b) = (small_floats(m * k, 12), small_floats(k * n, 13));
        folder.f32("a.npy", &[m, k], &a);
        folder.f32("b.npy", &[k, n], &b);
        let args = ["--grid", "3,3", "--arg", "in:a.npy", "--arg", "in:b.npy", "--arg", "out:float32:40x33=c.npy"];
        let sizes = ["--arg", "i32:40", "--arg", "i32:33", "--arg", "i32:50"];
        ok(&folder, &path("matmul"), &[&args[..], &sizes[..]].concat());
        same(&folder.read_f32("c.npy"), &product(&a, &b, m, n, k), target);
    }
}

#[test]
fn every_corpus_kernel_of_triton_gives_the_right_numbers() {
    let Some(corpus) = corpus() else { return };
    for (target, _) in TARGETS {
        let path =
            |name: &str| corpus.join(format!("triton/{name}_{target}.hsaco")).to_str().expect("UTF-8").to_owned();
        let folder = Folder::new();
        let (a, b) = (small_floats(3000, 14), small_floats(3000, 15));
        folder.f32("a.npy", &[3000], &a);
        folder.f32("b.npy", &[3000], &b);
        let args = ["--grid", "3", "--block", "256", "--arg", "in:a.npy", "--arg", "in:b.npy"];
        let rest = ["--arg", "out:float32:3000=c.npy", "--arg", "i32:3000"];
        ok(&folder, &path("vadd"), &[&args[..], &rest[..]].concat());
        let want: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        same(&folder.read_f32("c.npy"), &want, target);

        // bf16 travels as uint16: these numbers have few enough bits to be exact in it.
        let (m, n, k) = (128, 64, 96);
        let (a, b) = (small_floats(m * k, 16), small_floats(k * n, 17));
        let bf16 = |v: &Vec<f32>| v.iter().map(|x| (x.to_bits() >> 16) as u16).collect::<Vec<_>>();
        folder.array("a.npy", &[m as u64, k as u64], &bf16(&a));
        folder.array("b.npy", &[k as u64, n as u64], &bf16(&b));
        let args = ["--grid", "2", "--block", "256", "--arg", "in:a.npy", "--arg", "in:b.npy"];
        // Triton leaves the LDS size to who launches, and says it in a file of its own.
        let json = std::fs::read(corpus.join(format!("triton/matmul_bf16_{target}.json"))).expect("reads");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        let lds = ["--dynamic-lds", json["shared"].as_str().expect("text")];
        ok(&folder, &path("matmul_bf16"), &[&args[..], MATMUL, &lds[..]].concat());
        let want: Vec<u16> = product(&a, &b, m, n, k).into_iter().map(bf16_nearest).collect();
        same(&folder.read::<u16>("c.npy"), &want, target);
    }
}

/// M, N, K and the strides of a 128x64x96 product in C order.
const MATMUL: &[&str] = &[
    "--arg",
    "out:uint16:128x64=c.npy",
    "--arg",
    "i32:128",
    "--arg",
    "i32:64",
    "--arg",
    "i32:96",
    "--arg",
    "i32:96",
    "--arg",
    "i32:64",
    "--arg",
    "i32:64",
];

/// Rounds a finite number to bf16, ties to even.
fn bf16_nearest(value: f32) -> u16 {
    let bits = value.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

fn product(a: &[f32], b: &[f32], m: usize, n: usize, k: usize) -> Vec<f32> {
    (0..m * n).map(|i| (0..k).map(|j| a[i / n * k + j] * b[j * n + i % n]).sum()).collect()
}

fn vadd(folder: &Folder, file: &str, block: usize) {
    let (a, b) = (small_floats(1000, 18), small_floats(1000, 19));
    folder.f32("a.npy", &[1000], &a);
    folder.f32("b.npy", &[1000], &b);
    let (grid, block) = (1000_usize.div_ceil(block).to_string(), block.to_string());
    let args = ["--kernel", "vadd", "--grid", &grid, "--block", &block, "--arg", "in:a.npy", "--arg", "in:b.npy"];
    ok(folder, file, &[&args[..], &["--arg", "out:float32:1000=c.npy", "--arg", "u32:1000"]].concat());
    let want: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    same(&folder.read_f32("c.npy"), &want, file);
}

fn mfma16(folder: &Folder, file: &str) {
    let (a, b) = (small_floats(256, 20), small_floats(256, 21));
    folder.array("a.npy", &[256], &a.iter().map(|v| f16_bits(*v)).collect::<Vec<_>>());
    folder.array("b.npy", &[256], &b.iter().map(|v| f16_bits(*v)).collect::<Vec<_>>());
    let args = ["--kernel", "mfma16", "--grid", "1", "--block", "64", "--arg", "in:a.npy", "--arg", "in:b.npy"];
    ok(folder, file, &[&args[..], &["--arg", "out:float32:64x4=c.npy"]].concat());
    let found = folder.read_f32("c.npy");
    for (i, value) in found.iter().enumerate() {
        let (row, column) = (i / 64 * 4 + i % 4, i / 4 % 16);
        let want: f32 = (0..16).map(|k| a[(k / 4 * 16 + row) * 4 + k % 4] * b[(k / 4 * 16 + column) * 4 + k % 4]).sum();
        assert_eq!(*value, want, "{file} at {row}, {column}");
    }
}
