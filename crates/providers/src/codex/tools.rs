//! The items that are tool calls and outputs.

use memchr::memmem;
use palimpsest_record::escape::unescape;
use palimpsest_record::{Json, Text};
use serde_json::value::RawValue;

use super::calls::{Called, Ending};
use super::here::Here;
use super::output::{Answer, Reading};
use super::shapes::item::Item;
use super::shapes::open_text;
use super::thread::Thread;
use crate::{Batch, Outcome};

impl Thread {
    /// An item that calls a tool.
    pub(super) fn call_item(
        &mut self,
        here: &mut Here<'_, '_>,
        item: &Item<'_>,
        kind: &str,
        outer: &str,
    ) -> Outcome {
        let batch = &here.batch;
        let named = item.name.text().filter(|name| !name.is_empty());
        let name = named.map(|name| full_name(item.namespace.text(), name));
        let called = match (kind, &name) {
            ("function_call", Some(name)) => of_arguments(name, item.arguments, batch),
            ("custom_tool_call", Some(name)) => of_text(name, item.input, batch),
            ("local_shell_call", _) => of_json("local_shell", item.action, batch),
            ("tool_search_call", _) => of_json("tool_search", item.arguments, batch),
            ("web_search_call", _) => return self.web_search_item(here, item),
            ("image_generation_call", _) => return self.picture_item(here, item),
            _ => return here.unknown([outer, kind]),
        };
        self.call(here, item.key(), item.id.text(), called)
    }

    /// An item that is a tool's output.
    pub(super) fn output_item(
        &mut self,
        here: &mut Here<'_, '_>,
        item: &Item<'_>,
        kind: &str,
        outer: &str,
    ) -> Outcome {
        let Some(key) = item.call_id.text().filter(|key| !key.is_empty()) else {
            return here.unknown([outer, kind]);
        };
        let answer = match kind {
            "tool_search_output" => Answer::of_tool_search(item.tools, here.batch),
            _ => Answer::of_item(&item.output, here.batch),
        };
        self.result(here, Some(key), answer)
    }

    /// `image_generation_call`: call and result in one.
    fn picture_item(&mut self, here: &mut Here<'_, '_>, item: &Item<'_>) -> Outcome {
        let called = of_words("image_generation", &[("prompt", item.revised_prompt.text())]);
        let outcome = self.call(here, item.key(), item.id.text(), called);
        let output = item.result.map(|raw| (raw.get(), Answer::of_picture as Reading));
        if let Some(id) = self.calls.id(item.key()).cloned() {
            self.call_gave(here, item.key(), id, &Ending { output, failed: false });
        }
        outcome
    }
}

/// A tool's name as the model sees it: one in a namespace has that before its own.
fn full_name(namespace: Option<&str>, name: &str) -> String {
    match namespace.map(|namespace| namespace.trim_end_matches('_')).filter(|space| !space.is_empty()) {
        Some(namespace) => format!("{namespace}__{}", name.trim_start_matches('_')),
        None => name.to_owned(),
    }
}

/// Arguments that are JSON in a string. What is no JSON (a call that was cut) stays a text.
fn of_arguments<'a>(name: &'a str, arguments: Option<&RawValue>, batch: &Batch) -> Called<'a> {
    let text = arguments.and_then(|raw| open_text(raw.get()));
    let inside = text.as_deref().and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
    of_json(name, inside.or(arguments), batch)
}

/// An input that is JSON.
pub(super) fn of_json<'a>(name: &'a str, input: Option<&RawValue>, batch: &Batch) -> Called<'a> {
    let (input, full_length) = input.map(|raw| batch.cut_input(raw)).unwrap_or_default();
    Called { name, input, full_length, file_path: None }
}

/// An input that is free text.
fn of_text<'a>(name: &'a str, input: Option<&RawValue>, batch: &Batch) -> Called<'a> {
    let file_path = input.and_then(|raw| patched_file(raw.get()));
    Called { file_path, ..of_json(name, input, batch) }
}

/// A call of which only some words are known.
pub(super) fn of_words<'a>(name: &'a str, words: &[(&str, Option<&str>)]) -> Called<'a> {
    let words = words.iter().filter_map(|(key, value)| Some(((*key).to_owned(), (*value)?.into())));
    let input = Json::from_value(&serde_json::Value::Object(words.collect()));
    Called { name, input, full_length: None, file_path: None }
}

/// The file that a patch changes, where it is one. Looked for in the JSON as it is.
fn patched_file(patch: &str) -> Option<Text> {
    const HEADS: [&str; 3] = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    let find = |head: &&str| {
        let ends = memmem::find_iter(patch.as_bytes(), head.as_bytes()).map(|at| at + head.len());
        ends.take(2).collect::<Vec<usize>>()
    };
    let starts: Vec<usize> = HEADS.iter().flat_map(find).collect();
    let [start] = starts.as_slice() else { return None };
    let path = patch.get(*start..)?.split("\\n").next()?.trim_end_matches('"');
    Some(Text::from(&*unescape(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_in_a_namespace_has_it_in_its_name() {
        let check = |space: Option<&str>, want: &str| assert_eq!(full_name(space, "search"), want);
        check(None, "search");
        check(Some(""), "search");
        check(Some("mcp__docs__"), "mcp__docs__search");
        check(Some("docs"), "docs__search");
    }

    #[test]
    fn a_patch_of_one_file_names_it() {
        let check =
            |patch: &str, want: Option<&str>| assert_eq!(patched_file(patch).as_deref(), want, "{patch}");
        check(r#""*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n*** End Patch\n""#, Some("src/a.rs"));
        check(r#""*** Begin Patch\n*** Delete File: a\\b \u00e4.txt\n*** End Patch""#, Some("a\\b ä.txt"));
        check(r#""*** Update File: a\n*** Add File: b\n""#, None);
        check(r#""no patch""#, None);
    }

    #[test]
    fn arguments_are_json_in_a_string() {
        let check = |raw: &str, want: &str| {
            let raw: &RawValue = serde_json::from_str(raw).unwrap();
            assert_eq!(of_arguments("shell", Some(raw), &Batch::default()).input.get(), want, "{raw}");
        };
        check(r#""{\"cmd\": \"ls\"}""#, r#"{"cmd": "ls"}"#);
        check(r#""{\"cmd\": \"l""#, r#""{\"cmd\": \"l""#);
        check(r#""""#, r#""""#);
        check(r#"{"cmd":"ls"}"#, r#"{"cmd":"ls"}"#);
    }
}
