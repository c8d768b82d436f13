//! What holds for inputs that nobody thought of. Seeds are fixed: a failure is the same tomorrow.

use std::sync::LazyLock;

use palimpsest_providers::Container;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

use crate::fixtures::{Fixture, assemble, every_fixture, read, read_in_pieces};
use crate::invariants::damage::{Damage, texts};
use crate::invariants::reading::{assert_adds_up, lines_of};

static FIXTURES: LazyLock<Vec<Fixture>> = LazyLock::new(every_fixture);

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2),
        ..Default::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn pieces_of_any_size_give_the_same(at: Index, cuts: Vec<Index>) {
        let fixture = at.get(&FIXTURES);
        let whole = fixture.read();
        let pieces = read_in_pieces(fixture.provider, &fixture.logs, |bytes| {
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            places.extend([0, bytes.len()]);
            places.sort_unstable();
            places.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect()
        });
        prop_assert_eq!(&pieces.records, &whole.records);
        prop_assert_eq!(pieces.ledger.entries(), whole.ledger.entries());
    }

    #[test]
    fn lines_of_garbage_between_cost_only_themselves(at: Index, garbage: Vec<(Index, Garbage)>) {
        let fixture = at.get(&FIXTURES);
        for (index, log) in fixture.logs.iter().enumerate() {
            if log.container == Container::Document {
                continue;
            }
            let mut lines: Vec<Vec<u8>> = log.bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            // Only before a whole record: between the lines of one that lies on several it is part of it.
            let mut places: Vec<usize> = (0..lines.len()).filter(|&line| is_object(&lines[line])).collect();
            places.push(0);
            for (place, Garbage(bytes)) in &garbage {
                let place = *place.get(&places);
                lines.insert(place, bytes.clone());
                places.iter_mut().filter(|other| **other >= place).for_each(|other| *other += 1);
            }
            let sound = fixture.read();
            let changed = read(fixture.provider, &fixture.with_bytes(index, lines.join(&b'\n')));
            assert_adds_up(&changed);
            let there = texts(&changed, |_| true);
            for (text, times) in texts(&sound, |_| true) {
                prop_assert!(there.get(&text).is_some_and(|found| *found >= times), "lost {:?}", text);
            }
        }
    }

    #[test]
    fn the_order_of_records_does_not_matter(at: Index, swaps: Vec<(Index, Index)>) {
        let fixture = at.get(&FIXTURES);
        let records = fixture.read().records;
        let mut shuffled = records.clone();
        for (a, b) in swaps {
            shuffled.swap(a.index(records.len()), b.index(records.len()));
        }
        prop_assert_eq!(assemble(shuffled), assemble(records), "{}", fixture.name);
    }

    /// Products change the shapes of fields. A line of another shape costs at most itself.
    #[test]
    fn drifting_fields_cost_only_their_line(at: Index, line: Index, field: Index, value: Index) {
        let fixture = at.get(&FIXTURES);
        for (index, log) in fixture.logs.iter().enumerate() {
            let numbers = lines_of(&log.bytes);
            if log.container == Container::Document || numbers.is_empty() {
                continue;
            }
            let number = *line.get(&numbers);
            let mut lines: Vec<Vec<u8>> = log.bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            let Ok(mut object) = serde_json::from_slice::<Value>(&lines[number as usize - 1]) else { continue };
            drift(&mut object, field, value);
            lines[number as usize - 1] = object.to_string().into_bytes();
            let logs = fixture.with_bytes(index, lines.join(&b'\n'));
            let damage = Damage { file: index as u32, line: number, what: "a drifted record" };
            damage.check(&fixture.read(), &read(fixture.provider, &logs), fixture, &logs);
        }
    }
}

/// A line that is no record: bytes, or JSON torn or of another kind.
#[derive(Debug, Clone)]
struct Garbage(Vec<u8>);

impl Arbitrary for Garbage {
    type Parameters = ();
    type Strategy = BoxedStrategy<Garbage>;

    fn arbitrary_with((): ()) -> BoxedStrategy<Garbage> {
        let bytes = proptest::collection::vec(any::<u8>(), 0..80);
        let json = "[\\[\\]{}\",:\\\\a-c0-9 ]{0,60}".prop_map(String::into_bytes);
        let torn = "[a-c\\\\\" ]{0,40}"
            .prop_map(|text| format!("{{\"type\":\"user\",\"text\":\"{text}").into_bytes());
        let one_line = |mut bytes: Vec<u8>| {
            bytes.retain(|&byte| byte != b'\n');
            Garbage(bytes)
        };
        prop_oneof![bytes, json, torn].prop_map(one_line).boxed()
    }
}

/// Replaces one value somewhere in `object` by one of another shape.
fn drift(object: &mut Value, field: Index, value: Index) {
    let mut paths = Vec::new();
    collect_paths(object, String::new(), &mut paths);
    if paths.is_empty() {
        return;
    }
    let others = [
        Value::Null,
        json!(true),
        json!(-3.5),
        json!(1u64 << 63),
        json!("drift"),
        json!(""),
        json!([]),
        json!(["drift", {"type": "text"}]),
        json!({}),
        json!({"type": {"deep": [1]}}),
        Value::Object(Map::from_iter([("text".to_owned(), json!(7))])),
    ];
    let path: &String = field.get(&paths);
    if let Some(target) = object.pointer_mut(path) {
        *target = value.get(&others).clone();
    }
}

fn collect_paths(value: &Value, path: String, paths: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let key = key.replace('~', "~0").replace('/', "~1");
                paths.push(format!("{path}/{key}"));
                collect_paths(value, format!("{path}/{key}"), paths);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                paths.push(format!("{path}/{index}"));
                collect_paths(value, format!("{path}/{index}"), paths);
            }
        }
        _ => {}
    }
}

fn is_object(line: &[u8]) -> bool {
    serde_json::from_slice::<Map<String, Value>>(line).is_ok()
}
