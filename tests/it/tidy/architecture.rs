//! Who may depend on whom, and who may know whom.

use std::process::Command;

use palimpsest_providers::PROVIDERS;
use serde_json::Value;

use super::sources;
use crate::fixtures::project;

/// The crates of the workspace, and which of the others each may depend on.
const ARROWS: &[(&str, &[&str])] = &[
    ("palimpsest-record", &[]),
    ("palimpsest-providers", &["palimpsest-record"]),
    ("palimpsest-assembly", &["palimpsest-record"]),
    ("palimpsest-intake", &[]),
    (
        "palimpsest-fuzz-targets",
        &["palimpsest-assembly", "palimpsest-intake", "palimpsest-providers", "palimpsest-worker"],
    ),
    ("palimpsest-protocol", &["palimpsest-record"]),
    (
        "palimpsest-worker",
        &[
            "palimpsest-assembly",
            "palimpsest-intake",
            "palimpsest-protocol",
            "palimpsest-providers",
            "palimpsest-record",
        ],
    ),
    (
        "palimpsest-server",
        &[
            "palimpsest-assembly",
            "palimpsest-intake",
            "palimpsest-protocol",
            "palimpsest-providers",
            "palimpsest-record",
        ],
    ),
    ("palimpsest-web", &["palimpsest-assembly", "palimpsest-protocol", "palimpsest-record"]),
    ("xtask", &[]),
];

/// All that the crates without a clock, a network or a browser may use from outside.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("palimpsest-record", &["memchr", "serde", "serde_json", "time"]),
    ("palimpsest-providers", &["memchr", "serde", "serde_json", "simdutf8", "thiserror"]),
    ("palimpsest-assembly", &["serde", "serde_json", "thiserror"]),
    ("palimpsest-protocol", &["postcard", "serde", "thiserror"]),
];

/// `cargo metadata` says what every crate depends on; tests may use more than the code.
#[test]
fn arrows_point_one_way() {
    let crates = dependencies();
    let members: Vec<&str> = crates.iter().map(|(name, _)| name.as_str()).collect();
    for (name, uses) in &crates {
        let allowed = ARROWS.iter().find(|arrow| arrow.0 == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{name} is a new crate: what may it use?"));
        let ours = uses.iter().filter(|used| members.contains(&used.as_str()));
        let wrong: Vec<&String> = ours.filter(|used| !allowed.contains(&used.as_str())).collect();
        assert!(wrong.is_empty(), "{name} must not depend on {wrong:?}");
    }
    for (name, _) in ARROWS {
        assert!(members.contains(name), "{name} is gone: so is its arrow");
    }
}

/// `record`, `providers`, `assembly` and `protocol` run the same natively and in a browser.
#[test]
fn values_in_values_out() {
    let crates = dependencies();
    for (name, allowed) in OUTSIDE {
        let (_, uses) = crates.iter().find(|(member, _)| member == name).unwrap();
        let outside = uses.iter().filter(|used| !used.starts_with("palimpsest-"));
        let wrong: Vec<&String> = outside.filter(|used| !allowed.contains(&used.as_str())).collect();
        assert!(wrong.is_empty(), "{name} uses {wrong:?}: would sixty lines do?");
    }
    let forbidden = ["std::fs", "std::net", "std::thread", "SystemTime", "Instant::now", "std::env"];
    for (name, _) in OUTSIDE {
        let folder = name.replace("palimpsest-", "crates/") + "/src";
        for source in sources(&folder, ".rs").iter().filter(|source| !source.is_test()) {
            let code = source.code();
            let wrong: Vec<_> = forbidden.iter().filter(|word| code.contains(*word)).collect();
            assert!(wrong.is_empty(), "{}: {wrong:?}", source.path);
        }
    }
}

/// Nothing after the adapters branches on a provider: a difference is a field of the record. The page
/// may say once, on its first screen, whose logs it reads.
#[test]
fn no_provider_is_named_behind_the_adapters() {
    for folder in ["crates/record/src", "crates/assembly/src", "src"] {
        for source in sources(folder, ".rs").iter().filter(|source| !source.is_test()) {
            let code = source.code();
            let code = match code.split_once("pub const PRODUCTS:").filter(|_| source.path == "src/home.rs") {
                Some((before, list)) => {
                    format!("{before}{}", list.split_once(';').expect("the list's end").1)
                }
                None => code.to_string(),
            };
            for (number, line) in (1..).zip(code.lines()) {
                for provider in PROVIDERS {
                    for name in [provider.id(), provider.label()] {
                        let named = has_word(&line.to_lowercase(), &name.to_lowercase());
                        assert!(!named, "{}:{number} names {name}", source.path);
                    }
                }
            }
        }
    }
}

/// The first screen names the products that the adapters read, no more and no fewer.
#[test]
fn the_first_screen_names_what_is_read() {
    let home = std::fs::read_to_string(project().join("src/home.rs")).unwrap();
    let list = home.split("pub const PRODUCTS: &[&str] =").nth(1).and_then(|rest| rest.split(';').next());
    let named: Vec<&str> = list.expect("a list of products").split('"').skip(1).step_by(2).collect();
    let read: Vec<&str> = PROVIDERS.iter().map(|provider| provider.label()).collect();
    assert_eq!(named, read);
}

fn has_word(line: &str, word: &str) -> bool {
    let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    line.match_indices(word).any(|(at, _)| {
        is_border(line[..at].chars().next_back()) && is_border(line[at + word.len()..].chars().next())
    })
}

/// Each crate of the workspace and what it uses, test dependencies left out.
fn dependencies() -> Vec<(String, Vec<String>)> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned());
    let run = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(project())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let metadata: Value = serde_json::from_slice(&run.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter().map(|package| {
        let all = package["dependencies"].as_array().unwrap().iter();
        let uses = all.filter(|used| used["kind"].as_str() != Some("dev"));
        (text(&package["name"]), uses.map(|used| text(&used["name"])).collect())
    });
    packages.collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
