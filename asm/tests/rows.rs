//! The rows themselves: well formed, complete, and current in what is generated from them.

use std::collections::{BTreeMap, BTreeSet};
use wavesmith_asm::properties::{Rng, encodings, printing_then_parsing_is_the_identity, random_instruction};
use wavesmith_asm::row::Class;
use wavesmith_asm::{Field, Form, RowId, Target, generate, names, rows};

#[test]
fn every_row_is_well_formed() {
    for (i, row) in rows::all().iter().enumerate() {
        let name = row.name;
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{name}");
        assert!(row.targets.iter().next().is_some(), "{name} is on no target");
        assert!(row.operands.len() <= 8, "{name}");
        let layout = row.format.layout(Form::Base);
        assert!(u32::from(row.opcode) <= layout.opcode.max() || !layout.opcode.exists(), "{name}: opcode does not fit");
        for o in row.operands {
            let implied = o.class == Class::M && row.format.is_short();
            assert!(layout.field(o.slot).exists() || implied, "{name}: {:?} is nowhere in {:?}", o.slot, row.format);
            assert!(o.ty.dwords() >= 1 && o.ty.dwords() <= 32, "{name}");
        }
        for t in row.targets.iter() {
            assert_eq!(names::lookup(name).and_then(|m| m.row(t)), Some(RowId(i as u16)), "{name} on {t}");
        }
    }
}

#[test]
fn generated_files_are_current() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, content) in generate::files() {
        let committed = std::fs::read_to_string(root.join(&path)).expect("a generated file is committed");
        assert!(committed == content, "{path} is stale: run `cargo run -p wavesmith-asm --bin generate`");
    }
}

#[test]
fn every_encoding_of_every_row_comes_back_from_its_text() {
    let mut rng = Rng(1);
    let mut made = 0;
    for target in Target::ALL {
        for (id, form) in encodings(target) {
            for _ in 0..4 {
                let Some(inst) = random_instruction(&mut rng, id, form, target) else {
                    panic!("no instruction found for {} {form:?} on {target}", id.row().name);
                };
                printing_then_parsing_is_the_identity(inst.words(), target);
                made += 1;
            }
        }
    }
    assert!(made > 20_000, "only {made} instructions were tried");
}

/// Fields whose bits the sweep must both set and clear somewhere, so that no field of any format goes untested.
#[test]
fn random_instructions_toggle_every_field_of_every_format() {
    let mut rng = Rng(2);
    let mut seen: BTreeMap<(String, Field), (u32, u32)> = BTreeMap::new();
    for target in Target::ALL {
        for (id, form) in encodings(target) {
            for _ in 0..6 {
                let Some(inst) = random_instruction(&mut rng, id, form, target) else { continue };
                let key = format!("{:?} {form:?}", id.row().format);
                for o in id.row().operands {
                    let bits = inst.layout().field(o.slot);
                    if bits.exists() && !matches!(o.class, Class::Msg) {
                        let v = inst.get(o.slot);
                        let e = seen.entry((key.clone(), o.slot)).or_default();
                        e.0 |= v;
                        e.1 |= !v & bits.max();
                    }
                }
            }
        }
    }
    let stuck: BTreeSet<String> = seen
        .iter()
        .filter(|(_, (ones, _))| *ones == 0)
        .map(|((format, field), _)| format!("{format} {field:?}"))
        .collect();
    assert!(stuck.is_empty(), "never set: {stuck:?}");
    assert!(seen.len() > 60);
}

/// Needs `../shared/facts`; without it the test says so and passes.
#[test]
fn every_mnemonic_that_llvm_knows_has_a_row() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/facts/data");
    for target in Target::ALL {
        let Ok(list) = std::fs::read_to_string(data.join(format!("mnemonics_{target}.tsv"))) else {
            eprintln!("SKIPPED: {} is not there", data.display());
            return;
        };
        let known = |name: &str| {
            let direct = names::lookup(name).is_some_and(|m| m.row(target).is_some());
            direct || names::alias(name, target).is_some()
        };
        let all: Vec<&str> = list.lines().filter_map(|l| l.split('\t').next()).filter(|n| !n.is_empty()).collect();
        let missing: Vec<&str> = all.iter().copied().filter(|n| !known(n)).collect();
        assert!(all.len() > 1100, "{target}: {} mnemonics", all.len());
        assert!(missing.is_empty(), "{target} lacks {missing:?}");
    }
}
