//! `wavesmith time` and `wavesmith tune` as a script calls them.

#[allow(dead_code)]
#[path = "launch/arrays.rs"]
mod arrays;

use arrays::Folder;
use std::process::{Command, Output};

fn wavesmith(folder: &Folder, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavesmith"))
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("wavesmith starts")
}

fn ok(folder: &Folder, args: &[&str]) -> String {
    let output = wavesmith(folder, args);
    assert!(output.status.success(), "{args:?}:\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(folder: &Folder, args: &[&str]) -> serde_json::Value {
    let out = ok(folder, &[args, &["--json"]].concat());
    serde_json::from_str(out.lines().last().expect("a line")).expect("JSON on the last line")
}

/// Every work-item squares a float. With `slow`, it computes a few exponentials on the way that nobody uses.
fn square(folder: &Folder, name: &str, slow: bool) {
    let exponentials = if slow { "  v_exp_f32 v8, v9\n".repeat(20) } else { String::new() };
    let text = format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.text\n.globl square\n.p2align 8\n.type square,@function\nsquare:\n\
         \x20 s_load_dwordx4 s[4:7], s[0:1], 0x0\n  v_lshlrev_b32 v0, 2, v0\n  s_lshl_b32 s3, s2, 10\n  v_add_u32 v0, s3, v0\n\
         \x20 s_waitcnt lgkmcnt(0)\n  global_load_dword v1, v0, s[4:5]\n  s_waitcnt vmcnt(0)\n{exponentials}\
         \x20 v_mul_f32 v1, v1, v1\n  global_store_dword v0, v1, s[6:7]\n  s_endpgm\n\
         .section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel square\n.amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 16\n\
         .amdhsa_accum_offset 16\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_system_sgpr_workgroup_id_x 1\n\
         .amdhsa_kernarg_size 16\n.end_amdhsa_kernel\n"
    );
    std::fs::write(folder.path().join(format!("{name}.s")), text).expect("writes");
    ok(folder, &["asm", &format!("{name}.s"), "-o", &format!("{name}.co")]);
}

#[test]
fn timing_leaves_in_memory_what_the_functional_engine_leaves() {
    let folder = Folder::new();
    square(&folder, "a", false);
    folder.f32("in.npy", &[4096], &(0..4096).map(|i| i as f32 / 7.0).collect::<Vec<_>>());
    let launch = |out: &str| {
        vec![
            "--grid".to_owned(),
            "16".to_owned(),
            "--block".to_owned(),
            "256".to_owned(),
            "--arg".to_owned(),
            "in:in.npy".to_owned(),
            "--arg".to_owned(),
            format!("out:float32:4096={out}"),
        ]
    };
    let (plain, timed) = (launch("plain.npy"), launch("timed.npy"));
    let with = |head: &[&str], rest: &[String]| -> Vec<String> {
        head.iter().map(|s| (*s).to_owned()).chain(rest.iter().cloned()).collect()
    };
    let run = |args: Vec<String>| ok(&folder, &args.iter().map(String::as_str).collect::<Vec<_>>());
    run(with(&["launch", "a.co", "--device", "embedded"], &plain));
    run(with(&["time", "a.co", "--full"], &timed));
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("saved");
    assert_eq!(read("plain.npy"), read("timed.npy"));
}

#[test]
fn a_slower_schedule_takes_more_cycles_and_the_difference_says_where_they_went() {
    let folder = Folder::new();
    square(&folder, "fast", false);
    square(&folder, "slow", true);
    folder.f32("in.npy", &[4096], &[1.0; 4096]);
    let args =
        ["--grid", "16", "--block", "256", "--arg", "in:in.npy", "--arg", "inout:in.npy=out.npy", "--sku", "mi300x"];
    let fast = json(&folder, &[&["time", "fast.co"][..], &args].concat());
    let slow = json(&folder, &[&["time", "slow.co"][..], &args].concat());
    let cycles = |j: &serde_json::Value| j["cycles"].as_u64().expect("cycles");
    assert!(cycles(&slow) >= cycles(&fast) + 19 * 16, "{fast}\n{slow}");
    assert!(fast["us"].as_f64().is_some_and(|us| us > 0.0) && fast["clock_mhz"].as_u64().is_some_and(|c| c > 500));
    assert!(fast["bound_by"].is_string());
    assert!(fast["unknown_parameters"].as_array().is_some_and(|u| u.iter().any(|p| p == "barrier")));
    let text = ok(&folder, &[&["time", "fast.co", "--diff", "slow.co"][..], &args].concat());
    assert!(text.contains("cycles") && text.contains("VALU pipe") && text.contains("bound by"), "{text}");
    // The same in every run.
    assert_eq!(fast, json(&folder, &[&["time", "fast.co"][..], &args].concat()));
}

#[test]
fn the_timeline_is_a_trace_and_the_page_stands_alone() {
    let folder = Folder::new();
    let gemm = ["time", "gemm", "--param", "m=128", "--param", "n=128", "--param", "k=256", "--sku", "mi355x"];
    let text = ok(&folder, &[&gemm[..], &["--trace", "t.json", "--html", "t.html", "--annotate"]].concat());
    assert!(text.contains("hottest code") && text.contains("v_mfma"), "{text}");
    let trace = std::fs::read(folder.path().join("t.json")).expect("a trace");
    let events: serde_json::Value = serde_json::from_slice(&trace).expect("JSON");
    let events = events.as_array().expect("a list");
    let tracks: Vec<&str> = events.iter().filter_map(|e| e["args"]["name"].as_str()).collect();
    assert!(tracks.iter().any(|t| t.ends_with("MFMA")) && tracks.iter().any(|t| t.contains("wave 0")), "{tracks:?}");
    assert!(events.iter().filter(|e| e["ph"] == "X").all(|e| e["dur"].as_f64().is_some_and(|d| d > 0.0)));
    // Nothing in it depends on where code happens to lie.
    ok(&folder, &[&gemm[..], &["--trace", "again.json"]].concat());
    assert!(trace == std::fs::read(folder.path().join("again.json")).expect("a trace"), "another run, another trace");
    let page = std::fs::read_to_string(folder.path().join("t.html")).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("Roofline") && page.contains("Timeline"));
    assert!(!page.contains("http"), "a page that stands alone fetches nothing");
}

#[test]
fn two_kernels_are_drawn_on_one_page_and_one_timeline() {
    let folder = Folder::new();
    let gemm = ["time", "gemm", "--param", "m=128", "--param", "n=128", "--param", "k=256", "--sku", "mi355x"];
    ok(&folder, &[&gemm[..], &["--diff", "schedule=plain", "--trace", "t.json", "--html", "t.html"]].concat());
    let page = std::fs::read_to_string(folder.path().join("t.html")).expect("a page");
    assert_eq!(page.matches("Timeline of").count(), 2);
    assert!(page.contains("<title>gemm and schedule=plain</title>") && page.contains("of a wave's cycles"));
    let trace = std::fs::read(folder.path().join("t.json")).expect("a trace");
    let events: serde_json::Value = serde_json::from_slice(&trace).expect("JSON");
    let of = |whose: &str| {
        let named = |e: &&serde_json::Value| e["args"]["name"].as_str().is_some_and(|n| n.starts_with(whose));
        let process = events.as_array().expect("a list").iter().find(named).expect("a process")["pid"].clone();
        events.as_array().expect("a list").iter().filter(|e| e["pid"] == process && e["ph"] == "X").count()
    };
    assert!(of("gemm: ") > 100 && of("schedule=plain: ") > 100);
}

/// Waves that look for a semaphore issue all the time, and yet nobody goes on.
#[test]
fn a_semaphore_that_nobody_raises_is_told_at_once() {
    let folder = Folder::new();
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n\
         s_mov_b32 m0, 0\nds_gws_sema_p gds\ns_waitcnt lgkmcnt(0)\ns_endpgm\n\
         .amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n.amdhsa_accum_offset 8\n.end_amdhsa_kernel\n";
    std::fs::write(folder.path().join("k.s"), text).expect("writes");
    ok(&folder, &["asm", "k.s", "-o", "k.co"]);
    let began = std::time::Instant::now();
    let output = wavesmith(&folder, &["time", "k.co", "--grid", "8", "--block", "256"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("ds_gws_sema_p") && told.contains("nobody is left to signal"), "{told}");
    assert!(began.elapsed().as_secs() < 15, "{:?}", began.elapsed());
}

#[test]
fn a_reader_that_goes_away_ends_the_command_quietly() {
    use std::process::Stdio;
    let folder = Folder::new();
    // Nobody reads what goes to stderr either, as with `2>&1 | head`.
    let mut child = Command::new(env!("CARGO_BIN_EXE_wavesmith"))
        .args(["time", "nothing.co", "--grid", "1"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("wavesmith starts");
    drop((child.stdout.take(), child.stderr.take()));
    let status = child.wait().expect("it ends");
    assert!(matches!(status.code(), Some(2 | 141)), "{status}: a panic ends with 101");
}

#[test]
fn an_experiment_with_a_generated_kernel_is_one_value() {
    let folder = Folder::new();
    let gemm = ["time", "gemm", "--param", "m=256", "--param", "n=256", "--param", "k=256", "--sku", "mi355x"];
    let alone = |more: &[&str]| json(&folder, &[&gemm[..], more].concat());
    let both = alone(&["--diff", "schedule=plain"]);
    assert_eq!(both["a"], alone(&[]));
    assert_eq!(both["b"], alone(&["--param", "schedule=plain"]));
    assert_ne!(both["a"]["cycles"], both["b"]["cycles"], "{both}");
    // Several values are changed together, and take the place of those that were given.
    let two = alone(&["--param", "tile_m=64", "--diff", "schedule=plain", "--diff", "tile_m=128"]);
    assert_eq!(two["b"], alone(&["--param", "schedule=plain", "--param", "tile_m=128"]));
    let text = ok(&folder, &[&gemm[..], &["--diff", "schedule=plain"]].concat());
    assert!(text.contains("gemm") && text.contains("schedule=plain") && text.contains("cycles"), "{text}");
}

#[test]
fn kernels_that_work_on_rows_are_timed_on_the_launch_their_parameters_say() {
    let folder = Folder::new();
    let timed = |args: &[&str]| json(&folder, &[&["time"][..], args, &["--sku", "mi355x"]].concat());
    let softmax = |rows: &str| timed(&["softmax", "--param", rows, "--param", "columns=512"]);
    let (few, many) = (softmax("rows=16"), softmax("rows=4096"));
    assert_eq!(
        (&few["kernel"], few["workgroups"].as_u64(), many["workgroups"].as_u64()),
        (&"softmax".into(), Some(4), Some(1024))
    );
    assert!(many["us"].as_f64() > few["us"].as_f64() && few["us"].as_f64() > Some(0.0), "{few}\n{many}");
    let attention = |keys: &str| timed(&["attention", "--param", "heads=2", "--param", "queries=128", "--param", keys]);
    let (short, long) = (attention("keys=128"), attention("keys=512"));
    assert_eq!((&short["kernel"], short["workgroups"].as_u64()), (&"attention".into(), Some(4)));
    // Four times the keys are four times the products, of which each is paid.
    assert!(long["cycles"].as_u64() > short["cycles"].as_u64().map(|c| 2 * c), "{short}\n{long}");
    let both = timed(&[
        "attention",
        "--param",
        "heads=2",
        "--param",
        "queries=128",
        "--param",
        "keys=128",
        "--diff",
        "keys=512",
    ]);
    assert_eq!((&both["a"], &both["b"]), (&short, &long));
}

#[test]
fn tuning_finds_the_fastest_and_remembers() {
    let folder = Folder::new();
    let args = [
        "tune",
        "gemm",
        "--param",
        "m=256",
        "--param",
        "n=256",
        "--param",
        "k=256",
        "--param",
        "schedule=plain,[interleave:2,4]",
        "--sku",
        "mi300x",
        "--cache",
        "known.json",
    ];
    let first = json(&folder, &args);
    let results = first["results"].as_array().expect("results");
    assert_eq!((results.len(), first["remembered"].as_u64()), (2, Some(0)), "{first}");
    let us = |i: usize| results[i]["us"].as_f64().expect("µs");
    assert!(us(0) <= us(1) && first["us"].as_f64() == Some(us(0)));
    let again = json(&folder, &args);
    assert_eq!(again["remembered"].as_u64(), Some(2));
    assert_eq!(again["results"], first["results"]);
}

#[test]
fn a_kernel_whose_arrays_earlier_launches_left_in_the_infinity_cache_is_faster_than_one_that_begins_cold() {
    let folder = Folder::new();
    square(&folder, "a", false);
    folder.f32("in.npy", &[4096], &[1.0; 4096]);
    let args =
        ["time", "a.co", "--grid", "16", "--block", "256", "--arg", "in:in.npy", "--arg", "out:float32:4096=o.npy"];
    let timed = |copies: &[&str]| {
        let report = json(&folder, &[&args[..], copies].concat());
        (report["us"].as_f64().expect("µs"), report["left_in_infinity_cache"].as_f64().expect("a part"))
    };
    let (cold, again, many) = (timed(&[]), timed(&["--copies", "1"]), timed(&["--copies", "100000"]));
    // A load comes from the Infinity Cache, not from HBM, 157 ns further.
    assert!(cold.0 - again.0 > 0.1 && again.1 > 0.99, "{cold:?} {again:?}");
    assert_eq!(cold, many, "copies that do not fit leave nothing");
}

#[test]
fn a_fault_is_told_with_what_the_model_knows_and_not_with_options_that_time_lacks() {
    let folder = Folder::new();
    square(&folder, "a", false);
    let output =
        wavesmith(&folder, &["time", "a.co", "--grid", "1", "--block", "64", "--arg", "null", "--arg", "null"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("global_load_dword") && !told.contains("--device"), "{told}");
}

#[test]
fn what_cannot_be_timed_is_refused_with_what_could() {
    let folder = Folder::new();
    square(&folder, "a", false);
    let refused = |args: &[&str]| {
        let output = wavesmith(&folder, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused(&["time", "a.co", "--block", "64"]).contains("--grid X,Y,Z"));
    assert!(refused(&["time", "a.co", "--grid", "1", "--block", "64", "--param", "m=1"]).contains("gemm"));
    assert!(refused(&["time", "nothing.co", "--grid", "1"]).contains("nothing.co"));
    assert!(refused(&["tune", "gem"]).contains("gemm"));
    assert!(refused(&["tune", "gemm", "--param", "tile_m=7,9"]).contains("no combination"));
    assert!(refused(&["tune", "gemm", "--param", "schedule=[rotate:3,3"]).contains("never closed"));
    assert!(refused(&["time", "gemm", "--trace", "t.json", "--html", "./t.json"]).contains("one file"));
    for launch in [["--grid", "3"], ["--block", "64"], ["--arg", "u32:1"], ["--kernel", "x"], ["--dynamic-lds", "8"]] {
        assert!(refused(&[&["time", "gemm"][..], &launch].concat()).contains("--param"), "{launch:?}");
    }
    let twice = refused(&["time", "gemm", "--trace", "t.json", "--html", "t.json"]);
    assert!(twice.contains("two outputs go to one file"), "{twice}");
    assert!(refused(&["time", "gemm", "--html", "no/t.html"]).contains("no folder"));
    assert!(refused(&["time", "monokernel", "--copies", "2"]).contains("--copies"));
    assert!(refused(&["tune", "gemm", "--best", "0"]).contains("--best"));
    let other = refused(&["time", "gemm", "--trace", "t.json", "--diff", "nothing.co"]);
    assert!(other.contains("nothing.co") && other.contains("K=V"), "{other}");
    assert!(!folder.path().join("t.json").exists(), "refused before anything is timed");
    // What is no cache of results stays as it is.
    std::fs::write(folder.path().join("notes.txt"), "precious").expect("written");
    let small = ["--param", "m=64", "--param", "n=64", "--param", "k=64"];
    assert!(refused(&[&["tune", "gemm", "--cache", "notes.txt"][..], &small].concat()).contains("notes.txt"));
    assert_eq!(std::fs::read(folder.path().join("notes.txt")).expect("read"), b"precious");
}
