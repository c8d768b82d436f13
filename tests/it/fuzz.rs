//! The fuzzer's targets over their corpus, and over changes of it and of the fixtures that are the same every time: the short form of
//! `cargo xtask fuzz`.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use palimpsest_fuzz_targets::{LONGEST, run, targets};

use crate::fixtures::{every_fixture, names_in, project};

/// Changes of each input.
const CHANGES: u64 = 6;
/// Most inputs of a target that are changed.
const MOST: usize = 60;

#[test]
fn nothing_that_was_found_is_back() {
    for (name, _) in targets() {
        for (file, bytes) in corpus(&name) {
            check(&name, &file, &bytes);
        }
    }
}

#[test]
fn changed_inputs_cost_no_panic() {
    let fixtures = every_fixture();
    for (name, _) in targets() {
        let mut inputs = corpus(&name);
        let of = name.strip_prefix("adapter-");
        let logs = fixtures.iter().filter(|fixture| of.is_none_or(|id| fixture.provider.id() == id));
        inputs.extend(logs.flat_map(|it| &it.logs).map(|log| (log.name.clone(), log.bytes.clone())));
        for (number, (file, bytes)) in inputs.iter().take(MOST).enumerate() {
            for change in 0..CHANGES {
                let mut random = Random(number as u64 * CHANGES + change + 1);
                check(&name, &format!("{file}, change {change}"), &changed(bytes, &mut random));
            }
        }
    }
}

/// Every target is one of the fuzzer's programs, and has a corpus.
#[test]
fn the_fuzzer_has_every_target() {
    let programs = names_in(&project().join("fuzz/fuzz_targets"));
    let mut names: Vec<String> = targets().into_iter().map(|(name, _)| format!("{name}.rs")).collect();
    names.sort();
    assert_eq!(programs, names);
}

fn check(target: &str, input: &str, bytes: &[u8]) {
    let outcome = catch_unwind(AssertUnwindSafe(|| run(target, bytes)));
    assert!(outcome.is_ok(), "{target} on {input}");
}

/// The inputs that are kept for a target.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = project().join("fuzz/corpus").join(target);
    let names = if Path::new(&folder).is_dir() { names_in(&folder) } else { Vec::new() };
    names.into_iter().map(|name| (name.clone(), fs::read(folder.join(&name)).unwrap())).collect()
}

/// An input with some of its bytes gone, repeated, exchanged or replaced.
fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    const WORDS: [&[u8]; 8] = [b"{", b"]", b"\"", b"\n", b"null", b"\\ud83d", b"\xff", b"-1e999"];
    let mut bytes = bytes[..bytes.len().min(LONGEST)].to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len() as u64 + 1) as usize;
        let end = (at + random.below(40) as usize).min(bytes.len());
        match random.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            2 => {
                bytes.splice(at..end, WORDS[random.below(8) as usize].iter().copied());
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => bytes.truncate(end),
        }
    }
    bytes
}

/// Numbers that look random and are the same every time (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % most.max(1)
    }
}
