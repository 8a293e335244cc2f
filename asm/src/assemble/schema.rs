//! What metadata must say: the loader reads it, and LLVM refuses what it could not read.

use super::metadata::{Meta, Placed};

/// What a value must be.
#[derive(Clone, Copy)]
enum Is {
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    Number,
    Truth,
    /// Numbers, so many.
    Numbers(usize),
    Texts,
    /// Each a map with these keys.
    Maps(&'static [Key]),
}

/// A key, whether it must be there, and what its value must be.
type Key = (&'static str, bool, Is);

const ROOT: &[Key] = &[
    ("amdhsa.version", true, Is::Numbers(2)),
    ("amdhsa.printf", false, Is::Texts),
    ("amdhsa.kernels", true, Is::Maps(KERNEL)),
];

const KERNEL: &[Key] = &[
    (".name", true, Is::Text),
    (".symbol", true, Is::Text),
    (".language", false, Is::Word(&["OpenCL C", "OpenCL C++", "HCC", "HIP", "OpenMP", "Assembler"])),
    (".language_version", false, Is::Numbers(2)),
    (".args", false, Is::Maps(ARGUMENT)),
    (".reqd_workgroup_size", false, Is::Numbers(3)),
    (".workgroup_size_hint", false, Is::Numbers(3)),
    (".vec_type_hint", false, Is::Text),
    (".device_enqueue_symbol", false, Is::Text),
    (".kernarg_segment_size", true, Is::Number),
    (".group_segment_fixed_size", true, Is::Number),
    (".private_segment_fixed_size", true, Is::Number),
    (".uses_dynamic_stack", false, Is::Truth),
    (".workgroup_processor_mode", false, Is::Number),
    (".uniform_work_group_size", false, Is::Number),
    (".cluster_dims", false, Is::Numbers(3)),
    (".kernarg_segment_align", true, Is::Number),
    (".wavefront_size", true, Is::Number),
    (".sgpr_count", true, Is::Number),
    (".vgpr_count", true, Is::Number),
    (".max_flat_workgroup_size", true, Is::Number),
    (".sgpr_spill_count", false, Is::Number),
    (".vgpr_spill_count", false, Is::Number),
];

const KINDS: &[&str] = &[
    "by_value",
    "global_buffer",
    "dynamic_shared_pointer",
    "sampler",
    "image",
    "pipe",
    "queue",
    "hidden_block_count_x",
    "hidden_block_count_y",
    "hidden_block_count_z",
    "hidden_group_size_x",
    "hidden_group_size_y",
    "hidden_group_size_z",
    "hidden_remainder_x",
    "hidden_remainder_y",
    "hidden_remainder_z",
    "hidden_global_offset_x",
    "hidden_global_offset_y",
    "hidden_global_offset_z",
    "hidden_grid_dims",
    "hidden_none",
    "hidden_printf_buffer",
    "hidden_hostcall_buffer",
    "hidden_heap_v1",
    "hidden_default_queue",
    "hidden_completion_action",
    "hidden_multigrid_sync_arg",
    "hidden_dynamic_lds_size",
    "hidden_private_base",
    "hidden_shared_base",
    "hidden_queue_ptr",
];

const ACCESS: &[&str] = &["read_only", "write_only", "read_write"];

const ARGUMENT: &[Key] = &[
    (".name", false, Is::Text),
    (".type_name", false, Is::Text),
    (".size", true, Is::Number),
    (".offset", true, Is::Number),
    (".value_kind", true, Is::Word(KINDS)),
    (".pointee_align", false, Is::Number),
    (".address_space", false, Is::Word(&["private", "global", "constant", "local", "generic", "region"])),
    (".access", false, Is::Word(ACCESS)),
    (".actual_access", false, Is::Word(ACCESS)),
    (".is_const", false, Is::Truth),
    (".is_restrict", false, Is::Truth),
    (".is_volatile", false, Is::Truth),
    (".is_pipe", false, Is::Truth),
];

/// All that is wrong: the line of the block, from 0, and what.
pub(super) fn wrongs(placed: &Placed) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    map(&placed.meta, 0, ROOT, "the metadata", &placed.places, &mut out);
    out
}

/// Whether a block of metadata is what LLVM takes.
pub(crate) fn is_valid(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    super::metadata::placed(&lines).is_ok_and(|p| wrongs(&p).is_empty())
}

/// Checks the map that is value number `at`; `what` names it.
fn map(meta: &Meta, at: usize, keys: &[Key], what: &str, places: &[usize], out: &mut Vec<(usize, String)>) {
    let line = |at: usize| places.get(at).copied().unwrap_or(0);
    let Meta::Map(entries) = meta else {
        out.push((line(at), format!("{what}: expected keys with values")));
        return;
    };
    let mut child = at + 1;
    for (i, (key, v)) in entries.iter().enumerate() {
        if entries[..i].iter().any(|(k, _)| k == key) {
            out.push((line(child), format!("{what} has `{key}` twice")));
        }
        child += v.count();
    }
    for &(key, required, is) in keys {
        let mut child = at + 1;
        let found = entries.iter().find(|(k, v)| {
            let here = k == key;
            child += if here { 0 } else { v.count() };
            here
        });
        match found {
            Some((_, v)) => value(v, child, is, key, places, out),
            None if required => {
                let near = crate::parse::nearest(key, entries.iter().map(|(k, _)| k.as_str()));
                let near = near.filter(|n| keys.iter().all(|k| k.0 != *n));
                let instead = near.map_or(String::new(), |n| format!("; is `{n}` meant to be it?"));
                out.push((line(at), format!("{what} lacks `{key}`{instead}")));
            }
            None => {}
        }
    }
}

fn value(v: &Meta, at: usize, is: Is, key: &str, places: &[usize], out: &mut Vec<(usize, String)>) {
    let mut wrong =
        |expected: String| out.push((places.get(at).copied().unwrap_or(0), format!("`{key}`: expected {expected}")));
    match (is, v) {
        (Is::Text, v) if !is_text(v) => wrong("text".to_owned()),
        (Is::Number, v) if !is_number(v) => wrong("a number".to_owned()),
        (Is::Truth, v) if !is_truth(v) => wrong("true or false".to_owned()),
        (Is::Word(words), Meta::Str(s)) if words.contains(&s.as_str()) => {}
        (Is::Word(words), Meta::Str(s)) => match crate::parse::nearest(s, words.iter().copied()) {
            Some(near) => wrong(format!("a known word; did you mean `{near}`?")),
            None => wrong(format!("one of {}", words.join(", "))),
        },
        (Is::Word(words), _) => wrong(format!("one of {}", words.join(", "))),
        (Is::Numbers(n), Meta::List(l)) if l.len() == n && l.iter().all(is_number) => {}
        (Is::Numbers(n), _) => wrong(format!("a list of {n} numbers")),
        (Is::Texts, Meta::List(l)) if l.iter().all(is_text) => {}
        (Is::Texts, _) => wrong("a list of texts".to_owned()),
        (Is::Maps(keys), Meta::List(l)) => {
            let mut child = at + 1;
            for (i, item) in l.iter().enumerate() {
                let what = match item.get(".name") {
                    Some(Meta::Str(name)) => format!("`{key}`, `{name}`"),
                    _ => format!("`{key}`, number {}", i + 1),
                };
                map(item, child, keys, &what, places, out);
                child += item.count();
            }
        }
        (Is::Maps(_), _) => wrong("a list".to_owned()),
        _ => {}
    }
}

/// Text: a number in a name's place needs the tag `!str`.
fn is_text(v: &Meta) -> bool {
    matches!(v, Meta::Str(_))
}

/// A number, or text that is one.
fn is_number(v: &Meta) -> bool {
    match v {
        Meta::Uint(_) | Meta::Int(_) => true,
        Meta::Str(s) => s.parse::<u64>().is_ok(),
        _ => false,
    }
}

/// The same of truth values.
fn is_truth(v: &Meta) -> bool {
    matches!(v, Meta::Bool(_)) || matches!(v, Meta::Str(s) if s == "true" || s == "false")
}
