//! The list of all rows with what each was compared with, as `docs/rows.md` has it.

use crate::case::{Case, Random};
use crate::{FORMS, UNDEFINED, control, memory, moves, scalar, typed};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use wavesmith_asm::rows::{self, RowId};
use wavesmith_asm::{Form, Format, Row, Sem, Target};
use wavesmith_sim::EngineKind;
use wavesmith_sim::engine::coverage;

/// The instructions that the models of these tests know, by target: each is run once.
fn modelled(target: Target) -> HashSet<&'static str> {
    let mut r = Random(0x11ed_9e00_1234_5677);
    let mut known: HashSet<&'static str> = HashSet::new();
    for (i, row) in rows::all().iter().enumerate() {
        let id = RowId(i as u16);
        if UNDEFINED.contains(&row.name) {
            continue;
        }
        let vector = FORMS.into_iter().any(|form| {
            row.has_form(form, target)
                && (0..4).any(|_| {
                    let case = Case::random(&mut r, id, form, target);
                    case.is_some_and(|c| c.differs(&mut r, 0x3f0, EngineKind::Interp).is_some())
                })
        });
        let is_scalar = matches!(row.format, Format::SOP1 | Format::SOP2 | Format::SOPC | Format::SOPK);
        let scalar = is_scalar
            && row.has_form(Form::Base, target)
            && (0..4).any(|_| scalar::differs(&mut r, id, target, EngineKind::Interp).is_some());
        if vector || scalar {
            known.insert(row.name);
        }
    }
    known.extend(memory::every_access(&mut r, target, &mut Vec::new()).0);
    known.extend(moves::names(target));
    let formats = typed::every_format(&mut r, target, &mut Vec::new());
    let named = |name: &String| rows::find(name, target).map(|id| id.row().name);
    known.extend(formats.iter().filter_map(named));
    known
}

/// Rows that a test of its own asks for what they give, and which.
const OWN: [(&str, &str); 1] = [("s_setvskip", "uncommon")];

fn target_names(of: &[Target]) -> String {
    if of.len() == Target::ALL.len() {
        return "all".to_owned();
    }
    of.iter().map(|t| t.to_string().trim_start_matches("gfx").to_owned()).collect::<Vec<_>>().join(" ")
}

/// The document.
pub fn document() -> String {
    let pseudocode: HashMap<&str, u32> = include_str!("pseudocode.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
        .filter_map(|l| l.split_once(' ').map(|(n, bits)| (n, bits.parse().expect("bits"))))
        .collect();
    let models: Vec<HashSet<&str>> = Target::ALL.into_iter().map(modelled).collect();
    let by_hand: Vec<HashSet<&str>> =
        Target::ALL.into_iter().map(|t| control::every_program(t).into_iter().collect()).collect();
    let mut by_name: BTreeMap<&str, Vec<(&Row, Target)>> = BTreeMap::new();
    for row in rows::all() {
        for target in Target::ALL {
            if FORMS.iter().any(|f| row.has_form(*f, target)) {
                by_name.entry(row.name).or_default().push((row, target));
            }
        }
    }
    let reported: HashMap<&str, String> =
        Target::ALL.into_iter().flat_map(|t| coverage(t).reported).map(|gap| (gap.name, gap.reason)).collect();
    let (mut table, mut nothing, mut reports) = (String::new(), Vec::new(), BTreeMap::<String, Vec<&str>>::new());
    let mut counts = BTreeMap::<&str, [usize; 4]>::new();
    for (name, rows) in &by_name {
        let targets: Vec<Target> = Target::ALL.into_iter().filter(|t| rows.iter().any(|(_, of)| of == t)).collect();
        if let Some(why) = reported.get(name) {
            // The reason without the row's name, where that ends it.
            let shared = why.split(name).next().map(str::trim).filter(|w| !w.is_empty());
            reports.entry(shared.unwrap_or(why).to_owned()).or_default().push(name);
            continue;
        }
        let mut beside = Vec::new();
        let mut say = |what: &'static str, on: Vec<Target>| {
            for t in &on {
                let at = Target::ALL.iter().position(|a| a == t).expect("a target");
                counts.entry(what).or_default()[at] += 1;
            }
            match on.len() {
                0 => {}
                n if n == targets.len() => beside.push(what.to_owned()),
                _ => beside.push(format!("{what} ({})", target_names(&on))),
            }
        };
        let on = |f: &dyn Fn(usize, Target) -> bool| -> Vec<Target> {
            let each = targets.iter().map(|t| (Target::ALL.iter().position(|a| a == t).expect("a target"), *t));
            each.filter(|(i, t)| f(*i, *t)).map(|(_, t)| t).collect()
        };
        say("model", on(&|i, _| models[i].contains(name)));
        say("by hand", on(&|i, _| by_hand[i].contains(name)));
        say("pseudocode", on(&|i, _| pseudocode.get(name).is_some_and(|bits| bits >> i & 1 == 1)));
        let matrix = rows.iter().any(|(r, _)| matches!(r.sem, Sem::Mfma(_)));
        let older = rows.iter().any(|(_, t)| *t != Target::Gfx950);
        say("calculator", on(&|_, _| matrix && older));
        say("tables", on(&|_, _| matrix && !older));
        let division = ["v_div_scale", "v_div_fmas", "v_div_fixup_f32", "v_div_fixup_f64"];
        say("division", on(&|_, _| division.iter().any(|d| name.starts_with(d))));
        if beside.is_empty()
            && let Some((_, own)) = OWN.iter().find(|(row, _)| row == name)
        {
            beside.push(format!("own: {own}"));
        }
        if beside.is_empty() {
            nothing.push(format!("`{name}`"));
            continue;
        }
        writeln!(table, "| {name} | {} | {} |", target_names(&targets), beside.join(", ")).expect("a string");
    }
    let mut out = String::from(
        "# What each row was compared with\n\n\
         Written by the test `rows` of the engine (`WAVESMITH_BLESS=1 cargo test -p wavesmith-sim --test rows`), which fails where\n\
         this page is not what it finds. Beside the engine stood:\n\n\
         - **model**: what the ISA guides say of the mnemonic, in exact arithmetic, written in the test and run there on random\n  \
           operands, EXEC, MODE and modifiers, in every form of the row, interpreted and compiled;\n\
         - **by hand**: what AMD's pseudocode of it gives for a program of a few lines, worked out by hand and written in the\n  \
           test; run on both engines;\n\
         - **pseudocode**: AMD's own, evaluated by hand, not in the test (see [the engine](engine.md));\n\
         - **calculator**: AMD's matrix instruction calculator, whose places the tests state as formulas; **tables**: those of\n  \
           composable_kernel's tests;\n\
         - **division**: the host's quotients, through compilers' expansions;\n\
         - **own**: a test of its own says what must come out, in the files named.\n\n\
         Rows of each target that were seen so:\n\n| | gfx908 | gfx90a | gfx942 | gfx950 |\n|---|---|---|---|---|\n",
    );
    for (what, n) in &counts {
        writeln!(out, "| {what} | {} | {} | {} | {} |", n[0], n[1], n[2], n[3]).expect("a string");
    }
    out += "\n## By nothing alone\n\n";
    writeln!(out, "{}.", if nothing.is_empty() { "None".to_owned() } else { nothing.join(", ") }).expect("a string");
    out += "\n## Reports\n\nThese end a kernel with a report, so there is nothing to compare:\n\n";
    for (why, names) in &reports {
        let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        writeln!(out, "- {why}: {}", names.join(", ")).expect("a string");
    }
    out += "\n## By row\n\n| row | targets | beside |\n|---|---|---|\n";
    out + &table
}
