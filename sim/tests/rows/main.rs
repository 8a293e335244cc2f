//! Every row beside a model of its own: what an instruction must give, read from the ISA guides by its mnemonic, in
//! exact arithmetic and without the engine's code. `WAVESMITH_ROUNDS` asks for more cases of each vector row,
//! `WAVESMITH_SEED` for others, `WAVESMITH_ONLY` for those whose names hold it.

mod alu;
#[path = "../bare/mod.rs"]
mod bare;
mod case;
mod control;
mod exact;
mod ledger;
mod memory;
mod moves;
mod scalar;
mod small;
mod typed;

use case::{Case, Random};
use std::collections::{BTreeMap, BTreeSet};
use wavesmith_asm::rows::{self, RowId};
use wavesmith_asm::{Form, Format, Target};
use wavesmith_sim::EngineKind;

const FORMS: [Form; 4] = [Form::Base, Form::E64, Form::Sdwa, Form::Dpp];

fn vector_rows(target: Target) -> Vec<(RowId, Form)> {
    let vector = |f: Format| {
        matches!(
            f,
            Format::VOP1
                | Format::VOP2
                | Format::VOP2B
                | Format::VOP2_LIT
                | Format::VOPC
                | Format::VOP3
                | Format::VOP3B
                | Format::VOP3P
        )
    };
    let each = rows::all().iter().enumerate().filter(|(_, r)| vector(r.format));
    each.flat_map(|(i, r)| FORMS.map(|f| (RowId(i as u16), f, r)))
        .filter(|(_, f, r)| r.has_form(*f, target))
        .map(|(id, f, _)| (id, f))
        .collect()
}

/// Instructions that are reports: the guides do not say what they give, or they belong to another.
const UNDEFINED: [&str; 2] = ["v_screen_partition_4se_b32", "v_mfma_ld_scale_b32"];

/// What the cases are drawn with besides what is fixed.
fn seed() -> u64 {
    let number = std::env::var("WAVESMITH_SEED").ok().and_then(|v| v.parse::<u64>().ok());
    number.unwrap_or(0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[test]
fn vector_instructions_give_what_the_guides_say() {
    let rounds: u32 = std::env::var("WAVESMITH_ROUNDS").ok().and_then(|v| v.parse().ok()).unwrap_or(12);
    let only = std::env::var("WAVESMITH_ONLY").unwrap_or_default();
    let mut wrong = BTreeMap::new();
    for (t, target) in Target::ALL.into_iter().enumerate() {
        let mut r = Random((0x5eed_0000_1234_5677 ^ seed()) + t as u64);
        let (mut known, mut unknown) = (BTreeSet::new(), BTreeSet::new());
        for (id, form) in vector_rows(target) {
            let name = id.row().name;
            if !name.contains(&only) || UNDEFINED.contains(&name) {
                continue;
            }
            for round in 0..rounds {
                let Some(case) = Case::random(&mut r, id, form, target) else { continue };
                let mode = match round % 3 {
                    0 => 0x3f0,
                    1 => r.next() & 0x3ff,
                    _ => r.next() & (0x3ff | 1 << 23),
                };
                let engine = if round % 2 == 0 { EngineKind::Interp } else { EngineKind::Jit };
                match case.differs(&mut r, mode, engine) {
                    None => _ = unknown.insert((name, form)),
                    Some(None) => _ = known.insert((name, form)),
                    Some(Some(what)) => {
                        known.insert((name, form));
                        wrong.entry((name, form)).or_insert((what, 0u32)).1 += 1;
                    }
                }
            }
        }
        eprintln!("{target}: {} encodings compared, {} not known: {unknown:?}", known.len(), unknown.len());
    }
    for ((name, form), (what, n)) in &wrong {
        eprintln!("{name} {form:?} x{n}: {what}");
    }
    assert!(wrong.is_empty(), "{} encodings differ", wrong.len());
}

#[test]
fn scalar_instructions_give_what_the_guides_say() {
    let mut wrong = BTreeMap::new();
    for (t, target) in Target::ALL.into_iter().enumerate() {
        let mut r = Random(0x0bad_cafe_1234_5677 + t as u64);
        let (mut known, mut unknown) = (BTreeSet::new(), BTreeSet::new());
        let scalar = |f: Format| matches!(f, Format::SOP1 | Format::SOP2 | Format::SOPC | Format::SOPK);
        for (i, row) in rows::all().iter().enumerate().filter(|(_, row)| scalar(row.format)) {
            if !row.has_form(Form::Base, target) {
                continue;
            }
            for round in 0..40 {
                let engine = if round % 2 == 0 { EngineKind::Interp } else { EngineKind::Jit };
                match scalar::differs(&mut r, RowId(i as u16), target, engine) {
                    None => _ = unknown.insert(row.name),
                    Some(None) => _ = known.insert(row.name),
                    Some(Some(what)) => {
                        known.insert(row.name);
                        wrong.entry(row.name).or_insert((what, 0u32)).1 += 1;
                    }
                }
            }
        }
        eprintln!("{target}: {} scalar rows compared, {} not known: {unknown:?}", known.len(), unknown.len());
    }
    for (name, (what, n)) in &wrong {
        eprintln!("{name} x{n}: {what}");
    }
    assert!(wrong.is_empty(), "{} rows differ", wrong.len());
}

#[test]
fn every_buffer_format_means_what_the_guides_tables_say() {
    for (t, target) in Target::ALL.into_iter().enumerate() {
        let mut wrong = Vec::new();
        let names = typed::every_format(&mut Random(0x7e57_0000_1234_5677 + t as u64), target, &mut wrong);
        assert_eq!(names.len(), 32, "{names:?}");
        assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn moves_between_lanes_bring_what_they_should() {
    for (t, target) in Target::ALL.into_iter().enumerate() {
        moves::between_lanes(&mut Random(0x1a4e_0000_1234_5677 + t as u64), target);
    }
}

#[test]
fn loads_stores_and_atomics_do_to_memory_what_their_names_say() {
    for (t, target) in Target::ALL.into_iter().enumerate() {
        let mut wrong = Vec::new();
        let (known, unknown) = memory::every_access(&mut Random(0x3e30_0000_1234_5677 + t as u64), target, &mut wrong);
        eprintln!("{target}: {} memory rows compared, {} not known: {unknown:?}", known.len(), unknown.len());
        assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn what_computes_nothing_does_what_its_pseudocode_says() {
    for target in Target::ALL {
        eprintln!("{target}: {} rows", control::every_program(target).len());
    }
}

#[test]
fn the_page_of_rows_says_what_each_was_compared_with() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rows.md");
    let now = ledger::document();
    if std::env::var_os("WAVESMITH_BLESS").is_some() {
        std::fs::write(path, &now).expect("docs can be written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let first = kept.lines().zip(now.lines()).position(|(a, b)| a != b);
    assert!(kept == now, "docs/rows.md is stale from line {first:?} on: WAVESMITH_BLESS=1 writes it");
}
