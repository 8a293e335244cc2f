//! SARIF 2.1.0, the exchange format of static analysers: what code review tools and editors read.
//!
//! Findings in code have an address in the artifact (`physicalLocation.address`), a region as well where the source line
//! is known, and the way from the other instruction as a code flow.

use crate::finding::{Finding, Kind, Place, Report, Severity};
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A path as a URI reference: what such a reference cannot hold is written as `%` and two hex digits.
fn reference(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    path.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

fn location(uri: &str, p: &Place, message: Option<&str>) -> Value {
    let mut physical = json!({ "address": { "absoluteAddress": p.pc, "kind": "instruction" } });
    match &p.source {
        Some(s) => {
            physical["artifactLocation"] = json!({ "uri": reference(&s.file) });
            physical["region"] = json!({ "startLine": s.line });
        }
        None => physical["artifactLocation"] = json!({ "uri": reference(uri) }),
    }
    let mut out = json!({ "physicalLocation": physical });
    if !p.symbol.is_empty() {
        out["logicalLocations"] = json!([{ "fullyQualifiedName": p.symbol, "kind": "function" }]);
    }
    if let Some(text) = message {
        out["message"] = json!({ "text": text });
    }
    out
}

fn result(uri: &str, f: &Finding) -> Value {
    let level = match f.severity {
        Severity::Error => "error",
        Severity::Advice => "note",
    };
    let text = match &f.need {
        Some(need) => format!("{}; needs {need}", f.message),
        None => f.message.clone(),
    };
    let rule = Kind::ALL.iter().position(|k| *k == f.kind);
    let locations = match &f.at {
        Some(p) => vec![location(uri, p, None)],
        None => vec![json!({
            "physicalLocation": { "artifactLocation": { "uri": reference(uri) } },
            "logicalLocations": [{ "fullyQualifiedName": f.kernel, "kind": "function" }],
        })],
    };
    let mut out = json!({
        "ruleId": f.kind.name(),
        "ruleIndex": rule,
        "level": level,
        "message": { "text": text },
        "locations": locations,
        "properties": { "kernel": f.kernel, "waitStateRule": f.rule },
    });
    if let (Some(at), Some(other)) = (&f.at, &f.other) {
        let more = f.also.iter().map(|a| location(uri, &a.at, Some("the same wait is missing here")));
        let related: Vec<Value> =
            [location(uri, other, Some("the other instruction"))].into_iter().chain(more).collect();
        out["relatedLocations"] = related.into();
        let between = f.path.iter().map(|pc| {
            let p = Place { pc: *pc, symbol: String::new(), text: String::new(), source: None };
            json!({ "location": location(uri, &p, Some("through the block here")) })
        });
        let first = json!({ "location": location(uri, other, Some(&other.text)) });
        let last = json!({ "location": location(uri, at, Some(&at.text)) });
        let steps: Vec<Value> = [first].into_iter().chain(between).chain([last]).collect();
        out["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    out
}

/// The reports of several files as one SARIF log. `uri` names each file as its reader should find it.
pub fn sarif(reports: &[(String, Report)]) -> Value {
    let rules: Vec<Value> =
        Kind::ALL.iter().map(|k| json!({ "id": k.name(), "shortDescription": { "text": k.help() } })).collect();
    let results: Vec<Value> =
        reports.iter().flat_map(|(uri, r)| r.findings.iter().map(move |f| result(uri, f))).collect();
    let artifacts: Vec<Value> =
        reports.iter().map(|(uri, _)| json!({ "location": { "uri": reference(uri) } })).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "wavesmith", "version": env!("CARGO_PKG_VERSION"), "rules": rules,
            } },
            "artifacts": artifacts,
            "results": results,
        }],
    })
}
