//! The timing model against AITER's tables of mixtures of experts: its fused kernels, and those of the first of two stages.
//!
//! `WAVESMITH_CORPUS` names AITER's `hsa` folder, whose tables beside the kernels tell their tiles and grids. Without an
//! option the rows of `experts/rows.csv` are timed, drawn by lot from AITER's `tuned_fmoe.csv` of all times; `--table FILE`
//! takes those of another table of that form, and `--every N` each N-th of its rows. Its times are those of a profiler: of
//! the kernel alone for a first stage, of the kernel and of the one that clears its output for fused ones. Tokens choose
//! their experts at random, as they do there, and launches go through up to 101 copies of their arrays, as many as take
//! 32 GiB.

#[allow(dead_code)]
#[path = "../tests/placed/mod.rs"]
mod placed;
mod rates;

use placed::Placed;
use rates::{Headings, Rate, Timed};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_emitter::link::link;

/// What AITER tells of a kernel beside it.
#[derive(Clone, Debug)]
struct Kernel {
    file: PathBuf,
    /// Rows of tokens and columns of the first product that a workgroup takes.
    tile: [usize; 2],
    /// Of kernels whose workgroups stay and take tile after tile, how many a compute unit.
    staying: Option<usize>,
    /// Whether it takes each token's experts as they are, not sorted.
    flat: bool,
}

/// A row of the table.
#[derive(Clone, Debug)]
struct Row {
    sku: &'static str,
    tokens: usize,
    dim: usize,
    inner: usize,
    experts: usize,
    chosen: usize,
    symbol: String,
    fused: bool,
    us: f64,
}

/// The lines of a table, each by its columns' names.
fn lines(text: &str) -> impl Iterator<Item = HashMap<&str, &str>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').map(str::trim).collect();
    lines.map(move |line| names.iter().copied().zip(line.split(',').map(str::trim)).collect())
}

/// The kernels of a target by name.
fn kernels(corpus: &Path, target: Target) -> HashMap<String, Kernel> {
    let mut all = HashMap::new();
    for folder in ["fmoe/silu", "fmoe/gelu", "fmoe_2stages"] {
        let folder = corpus.join(target.name()).join(folder);
        let mut tables: Vec<PathBuf> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "csv"))
            .collect();
        tables.sort();
        for text in tables.iter().filter_map(|path| std::fs::read_to_string(path).ok()) {
            for line in lines(&text) {
                let number = |names: [&str; 2]| names.iter().find_map(|n| line.get(n)?.parse::<usize>().ok());
                let (Some(name), Some(file)) = (line.get("knl_name"), line.get("co_name")) else { continue };
                let (Some(m), Some(n)) = (number(["subGU_m", "tile_m"]), number(["subGU_n", "tile_n"])) else {
                    continue;
                };
                let staying = (number(["ps", ""]) == Some(1)).then(|| number(["tg_num_perCU", ""]).unwrap_or(1));
                let flat = number(["flat", ""]) == Some(1);
                all.insert((*name).to_owned(), Kernel { file: folder.join(file), tile: [m, n], staying, flat });
            }
        }
    }
    all
}

/// Rows of a table in AITER's form that name one of its own kernels on a part that is known.
fn rows(text: &str) -> Vec<Row> {
    let row = |line: HashMap<&str, &str>| {
        let number = |name: &str| line.get(name)?.parse::<f64>().ok().map(|v| v as usize);
        Some(Row {
            sku: match number("cu_num")? {
                80 => "mi308x",
                256 => "mi355x",
                304 => "mi300x",
                _ => return None,
            },
            tokens: number("token")?,
            dim: number("model_dim")?,
            inner: number("inter_dim")?,
            experts: number("expert")?,
            chosen: number("topk")?,
            symbol: line.get("kernelName1").filter(|n| n.starts_with("_ZN5aiter"))?.to_string(),
            fused: matches!(line.get("run_1stage"), Some(&"1" | &"True")),
            us: line.get("us1")?.parse().ok().filter(|us| *us > 0.0)?,
        })
    };
    lines(text).filter_map(row).collect()
}

/// Who takes what: the experts of each token, at random.
fn choices(row: &Row) -> Vec<Vec<usize>> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((u128::from(state) * below as u128) >> 64) as usize
    };
    let mut order: Vec<usize> = (0..row.experts).collect();
    (0..row.tokens)
        .map(|_| {
            for i in 0..row.chosen {
                order.swap(i, i + random(row.experts - i));
            }
            order[..row.chosen].to_vec()
        })
        .collect()
}

/// Tokens sorted by expert in blocks, and each block's expert; what fills a block up names no token.
fn sorted(row: &Row, choices: &[Vec<usize>], block: usize) -> (Vec<u32>, Vec<u32>) {
    let mut of: Vec<Vec<u32>> = vec![Vec::new(); row.experts];
    for (token, experts) in choices.iter().enumerate() {
        for (k, expert) in experts.iter().enumerate() {
            of[*expert].push((k << 24 | token) as u32);
        }
    }
    let (mut ids, mut blocks) = (Vec::new(), Vec::new());
    for (expert, mine) in of.into_iter().enumerate() {
        ids.extend(mine);
        ids.resize(ids.len().next_multiple_of(block), (row.chosen << 24 | row.tokens) as u32);
        blocks.resize(ids.len() / block, expert as u32);
    }
    (ids, blocks)
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Stores zeros, 16 bytes a work-item, as what clears an output does.
fn clearing(target: Target) -> Result<Vec<u8>, String> {
    let unified = if target.unified_vgprs() { ".amdhsa_accum_offset 8\n" } else { "" };
    let text = format!(
        ".text\n.globl clear\n.p2align 8\n.type clear,@function\nclear:\ns_load_dwordx2 s[4:5], s[0:1], 0x0\n\
         v_lshlrev_b32 v0, 4, v0\ns_lshl_b32 s6, s2, 12\nv_add_u32 v0, s6, v0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\n\
         v_mov_b32 v6, 0\nv_mov_b32 v7, 0\ns_waitcnt lgkmcnt(0)\nglobal_store_dwordx4 v0, v[4:7], s[4:5]\ns_endpgm\n\
         .section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel clear\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n\
         {unified}.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_system_sgpr_workgroup_id_x 1\n.end_amdhsa_kernel\n"
    );
    let assembled = assemble(&text, target).map_err(|e| e.iter().map(|e| e.render("clear")).collect::<String>())?;
    link(&assembled).map_err(|e| e.to_string())
}

fn time(row: &Row, kernels: &HashMap<String, Kernel>) -> Result<Rate, String> {
    let Some(kernel) = kernels.get(&row.symbol) else { return Err(format!("{}: no such kernel", row.symbol)) };
    let &Row { tokens, dim, inner, experts, chosen, .. } = row;
    let [block, columns] = kernel.tile;
    let name = kernel.file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let by_block = name.contains("blockscale");
    let four = name.contains("MXfp4");
    // Those quantise tokens themselves.
    let wide = ["blockscaleBf16", "_a16_", "MXfp4_g1u1_flat"].iter().any(|part| name.contains(part));
    // Bytes of so many weights, of so many elements of the input, and of the scales of so many rows of weights of so many.
    let weights = |n: usize| if four { n / 2 } else { n };
    let input = |n: usize| if wide { 2 * n } else { weights(n) };
    let scales = |rows: usize, of: usize| match (four, by_block) {
        (true, _) => rows * of / 32,
        (_, true) => 4 * rows.div_ceil(128) * of.div_ceil(128),
        _ => 4 * rows,
    };
    let choices = choices(row);
    let (ids, blocks) = sorted(row, &choices, block.max(1));
    // Room for the worst case, by which the grid goes too.
    let places = tokens * chosen + experts * block - chosen;
    let most = places.div_ceil(block);
    let each = if row.fused || !by_block { 2 } else { 1 };
    let results =
        if row.fused { 2 * tokens * dim + 8 * tokens } else { each * (tokens + tokens.div_ceil(32)) * chosen * inner };
    let (up, down) = (weights(dim) * 2 * inner, weights(inner) * dim);
    let of_input = match (four, by_block) {
        (true, _) => places.next_multiple_of(256) * dim / 32,
        (_, true) => 4 * tokens * dim / 128,
        _ => 4 * tokens,
    };
    let sizes = [
        results,
        input(tokens * dim),
        experts * up,
        experts * down,
        of_input,
        experts * scales(2 * inner, dim),
        experts * scales(dim, inner),
        4 * places,
        4 * places,
        4 * most,
        16,
    ];
    let total: usize = sizes.iter().sum();
    let taken = blocks.iter().collect::<std::collections::HashSet<_>>().len();
    let touched = total - (experts - taken.min(experts)) * (up + if row.fused { down } else { 0 });
    let copies = (32usize << 30).div_ceil(total).clamp(1, 101);
    let part = Timed::new(row.sku, &sizes.map(|s| s.max(4096)), copies * touched)?;
    let [out, x, gate, below, sx, sg, sd, at, weight, of, valid] = &part.buffers[..] else {
        return Err("fewer arrays than were asked for".to_owned());
    };
    let write = |b: &wavesmith_loader::Buffer, words: &[u32]| b.write(0, &bytes(words)).map_err(|e| e.to_string());
    if kernel.flat {
        write(at, &choices.concat().iter().map(|e| *e as u32).collect::<Vec<_>>())?;
    } else {
        write(at, &ids)?;
        write(of, &blocks)?;
        write(valid, &[ids.len() as u32, tokens as u32])?;
    }
    let across = inner.div_ceil(columns);
    let mut us = 0.0;
    let report = if row.fused {
        let object = clearing(part.sku.target)?;
        let grid = [(2 * tokens * dim).div_ceil(4096) as u32, 1, 1];
        us += part.launch_object(&object, "clear", grid, 256, &Placed::new(16).ptr(0, out).0)?.us;
        let places = if kernel.flat { [at, weight, at, at] } else { [at, weight, of, valid] };
        let staying = kernel.staying.map_or(0, |n| n * part.sku.cus as usize);
        let args = Placed::new(0x1c0).ptr(0, out).ptr(0x10, x).ptr(0x20, gate).ptr(0x30, places[3]).ptr(0x40, below);
        let args = args.ptr(0x50, sx).ptr(0x60, sg).ptr(0x70, sd);
        let args = args.ptr(0x90, places[0]).ptr(0xa0, places[1]).ptr(0xb0, places[2]);
        let words = [
            dim,
            inner,
            tokens,
            experts,
            input(dim),
            weights(dim),
            weights(inner),
            2 * dim,
            up,
            down,
            scales(2 * inner, dim),
            scales(dim, inner),
            4 * inner,
            chosen,
            staying / across * across,
            across,
        ];
        let args = words.iter().enumerate().fold(args, |args, (i, v)| args.u32(0xc0 + 0x10 * i, *v));
        let grid = match kernel {
            Kernel { flat: true, .. } => [across, chosen, tokens],
            _ if staying >= across => [staying, 1, 1],
            _ => [across, most, 1],
        };
        part.launch(&kernel.file, &row.symbol, grid.map(|n| n as u32), 256, &args.0)?
    } else {
        let args = Placed::new(0x170).ptr(0, out).ptr(0x10, x).ptr(0x20, gate).ptr(0x30, valid).ptr(0x40, sx);
        let args = args.ptr(0x50, sg).ptr(0x70, at).ptr(0x80, of);
        let words = [
            dim,
            inner,
            tokens,
            experts,
            input(dim),
            weights(dim),
            each * chosen * inner,
            up,
            scales(2 * inner, dim),
            4 * inner,
            chosen,
        ];
        let args = words.iter().enumerate().fold(args, |args, (i, v)| args.u32(0x90 + 0x10 * i, *v));
        let args = if name.contains("doweight") { args.ptr(0x160, weight) } else { args };
        part.launch(&kernel.file, &row.symbol, [across as u32, most as u32, 1], 256, &args.0)?
    };
    us += report.us;
    Ok(Rate {
        what: format!(
            "{:<7} {tokens:>6} {:<12} {:<9} {:<54}",
            row.sku,
            format!("{dim} x {inner}"),
            format!("{chosen} of {experts}"),
            name.trim_start_matches("fmoe_")
        ),
        measured: row.us,
        model: us,
        why: format!("{}; {:.0} MHz", report.bound_by, report.clock_mhz),
    })
}

fn main() -> ExitCode {
    wavesmith_console::end_quietly_at_closed_pipes();
    let (mut text, mut every) = (include_str!("experts/rows.csv").to_owned(), 1);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.next()) {
            ("--table", Some(path)) => match std::fs::read_to_string(&path) {
                Ok(read) => text = read,
                Err(e) => {
                    eprintln!("experts: {path}: {e}");
                    return ExitCode::from(2);
                }
            },
            ("--every", Some(n)) if n.parse::<usize>().is_ok_and(|n| n > 0) => every = n.parse().unwrap_or(1),
            _ => {
                eprintln!("experts: known options are --table FILE and --every N");
                return ExitCode::from(2);
            }
        }
    }
    let Some(corpus) = rates::corpus() else { return ExitCode::SUCCESS };
    let of: HashMap<&str, HashMap<String, Kernel>> = ["gfx942", "gfx950"]
        .into_iter()
        .filter_map(|name| Some((name, kernels(&corpus, name.parse().ok()?))))
        .collect();
    let headings = Headings {
        what: "part    tokens dimensions   experts   kernel                                                ",
        unit: "us",
        why: "bound by",
    };
    let rows = rows(&text);
    rates::print(
        &headings,
        rows.iter().step_by(every).map(|row| {
            let target = if row.sku == "mi355x" { "gfx950" } else { "gfx942" };
            time(row, &of[target]).map_err(|e| format!("{} {} tokens: {e}", row.symbol, row.tokens))
        }),
    )
}
