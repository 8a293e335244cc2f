//! Header flags and kernel metadata as we read them against what `llvm-readobj-22` prints, member by member.
//! With `WAVESMITH_CORPUS` naming a folder, on every object in it, too.

mod corpus;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use wavesmith_loader::code_object::{Arg, CodeObject, KernelMetadata};

/// Members of a kernel or argument by name.
type Members = BTreeMap<String, String>;

/// What the tool says of a kernel: its members, and those of each argument.
#[derive(Default)]
struct Theirs {
    members: Members,
    args: Vec<Members>,
}

/// The tool's text for an object; `None`, told loudly, without the tool.
fn printed(path: &Path) -> Option<String> {
    match Command::new("llvm-readobj-22").args(["--file-headers", "--notes"]).arg(path).output() {
        Ok(output) => {
            assert!(output.status.success() && output.stderr.is_empty(), "{}: {output:?}", path.display());
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Err(e) => {
            assert!(std::env::var_os("CI").is_none(), "needs llvm-readobj-22: {e}");
            eprintln!("SKIPPED: needs llvm-readobj-22: {e}");
            None
        }
    }
}

/// The kernels in the tool's YAML, which has one member a line: kernels indented by two, their arguments by six.
fn kernels(text: &str) -> Vec<Theirs> {
    let mut all: Vec<Theirs> = Vec::new();
    let mut list = String::new();
    let notes = text.lines().skip_while(|l| !l.starts_with("amdhsa.kernels:")).skip(1);
    for line in notes.take_while(|l| l.starts_with(' ')) {
        let (indent, rest) = (line.len() - line.trim_start().len(), line.trim());
        let (begins, rest) = rest.strip_prefix("- ").map_or((false, rest), |r| (true, r.trim()));
        if indent == 2 && begins {
            all.push(Theirs::default());
        }
        let kernel = all.last_mut().expect("members follow a kernel");
        match rest.split_once(':').filter(|_| rest.starts_with('.')) {
            Some((name, value)) => {
                let value = value.trim().trim_matches(['\'', '"']).to_owned();
                match indent {
                    2 | 4 if value.is_empty() => list = name.to_owned(),
                    2 | 4 => _ = kernel.members.insert(name.to_owned(), value),
                    _ => {
                        if begins {
                            kernel.args.push(Members::new());
                        }
                        kernel.args.last_mut().expect("an argument").insert(name.to_owned(), value);
                    }
                }
            }
            // An element of a list such as the required workgroup size.
            None => {
                let so_far = kernel.members.entry(list.clone()).or_default();
                *so_far += &format!("{}{rest}", if so_far.is_empty() { "" } else { "," });
            }
        }
    }
    all
}

fn put<T: ToString>(members: &mut Members, name: &str, value: Option<T>) {
    if let Some(value) = value {
        members.insert(name.to_owned(), value.to_string());
    }
}

fn ours(k: &KernelMetadata) -> Members {
    let mut m = Members::new();
    put(&mut m, ".name", Some(&k.name));
    put(&mut m, ".symbol", Some(&k.symbol));
    put(&mut m, ".kernarg_segment_size", k.kernarg_segment_size);
    put(&mut m, ".kernarg_segment_align", k.kernarg_segment_align);
    put(&mut m, ".group_segment_fixed_size", k.group_segment_fixed_size);
    put(&mut m, ".private_segment_fixed_size", k.private_segment_fixed_size);
    put(&mut m, ".wavefront_size", k.wavefront_size);
    put(&mut m, ".sgpr_count", k.sgpr_count);
    put(&mut m, ".vgpr_count", k.vgpr_count);
    put(&mut m, ".agpr_count", k.agpr_count);
    put(&mut m, ".sgpr_spill_count", k.sgpr_spill_count);
    put(&mut m, ".vgpr_spill_count", k.vgpr_spill_count);
    put(&mut m, ".max_flat_workgroup_size", k.max_flat_workgroup_size);
    put(&mut m, ".reqd_workgroup_size", k.reqd_workgroup_size.map(|s| s.map(|n| n.to_string()).join(",")));
    put(&mut m, ".uses_dynamic_stack", k.uses_dynamic_stack);
    put(&mut m, ".uniform_work_group_size", k.uniform_work_group_size);
    put(&mut m, ".language", k.language.as_ref());
    put(&mut m, ".kind", k.kind.as_ref());
    m
}

fn ours_of_argument(a: &Arg) -> Members {
    let mut m = Members::new();
    put(&mut m, ".name", a.name.as_ref());
    put(&mut m, ".type_name", a.type_name.as_ref());
    put(&mut m, ".offset", Some(a.offset));
    put(&mut m, ".size", Some(a.size));
    put(&mut m, ".value_kind", Some(a.value_kind.name()));
    put(&mut m, ".address_space", a.address_space.as_ref().map(|s| s.name()));
    put(&mut m, ".access", a.access.as_ref().map(|s| s.name()));
    put(&mut m, ".actual_access", a.actual_access.as_ref().map(|s| s.name()));
    put(&mut m, ".pointee_align", a.pointee_align);
    m
}

/// Members that say nothing to a launch and are not kept: types of old metadata, and the version of the language.
const LEFT_OUT: &[&str] =
    &[".value_type", ".language_version", ".is_const", ".is_restrict", ".is_volatile", ".is_pipe"];

fn compare(place: &str, ours: &Members, theirs: &Members) -> usize {
    let theirs: Members =
        theirs.iter().filter(|(n, _)| !LEFT_OUT.contains(&n.as_str())).map(|(n, v)| (n.clone(), v.clone())).collect();
    assert_eq!(*ours, theirs, "{place}");
    theirs.len()
}

#[test]
fn every_member_of_the_metadata_that_llvm_prints_is_the_one_we_read() {
    let (mut objects, mut members) = (0, 0);
    for path in corpus::objects() {
        let Some(text) = printed(&path) else { return };
        let object = CodeObject::parse(&std::fs::read(&path).expect("reads")).expect("parses");
        let place = path.display();
        let field = |name: &str| {
            let line = text.lines().map(str::trim).find_map(|l| l.strip_prefix(name));
            line.unwrap_or_else(|| panic!("{place}: no {name}")).trim().to_owned()
        };
        // 2 is version 4 of code objects, and so on.
        assert_eq!(field("ABIVersion:"), (object.abi.number() - 2).to_string(), "{place}");
        let mach = format!("EF_AMDGPU_MACH_AMDGCN_{}", object.target.name().to_uppercase());
        assert!(text.contains(&mach), "{place}: {mach}");
        for (feature, name) in [(object.features.xnack, "XNACK"), (object.features.sramecc, "SRAMECC")] {
            let flag = format!("EF_AMDGPU_FEATURE_{name}_{}_V4", format!("{feature:?}").to_uppercase());
            assert!(text.contains(&flag) || !text.contains(&format!("FEATURE_{name}_")), "{place}: {flag}");
        }
        for theirs in kernels(&text) {
            let kernel =
                object.kernels.iter().find_map(|k| k.metadata.as_ref().filter(|m| m.name == theirs.members[".name"]));
            let kernel = kernel.unwrap_or_else(|| panic!("{place}: {}", theirs.members[".name"]));
            let place = format!("{place}: {}", kernel.name);
            members += compare(&place, &ours(kernel), &theirs.members);
            assert_eq!(kernel.args.len(), theirs.args.len(), "{place}");
            for (i, (a, theirs)) in kernel.args.iter().zip(&theirs.args).enumerate() {
                members += compare(&format!("{place}: argument {i}"), &ours_of_argument(a), theirs);
            }
        }
        objects += 1;
    }
    eprintln!("{members} members of the metadata of {objects} objects compared");
    assert!(objects == 0 || members > 20 * objects, "{members} members in {objects} objects are too few");
}
