//! A line of JSON, indented for people.

use serde::de::IgnoredAny;

/// Deepest nesting that is indented. Logs stay under twenty; a hostile line of brackets alone would
/// be indented to gigabytes.
const DEEPEST: usize = 40;

/// The same JSON with a line for each value, or `None` where the line is no JSON. Nothing but white
/// space between values is changed: order, numbers and escapes stay as logged.
pub fn indented(line: &str) -> Option<String> {
    let line = line.trim();
    // A word or a number alone has nothing to indent.
    if !line.starts_with(['{', '[']) {
        return None;
    }
    // From here on every bracket and quote is known to have its partner.
    serde_json::from_str::<IgnoredAny>(line).ok()?;
    let mut out = String::with_capacity(line.len() * 2);
    let mut depth = 0_usize;
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let taken = if letter == '"' { string_length(rest) } else { letter.len_utf8() };
        let (token, after) = rest.split_at_checked(taken)?;
        let closes_empty = after.trim_start().starts_with([']', '}']);
        match letter {
            '{' | '[' if closes_empty => out.push_str(token),
            '{' | '[' => {
                depth += 1;
                if depth > DEEPEST {
                    return None;
                }
                out.push_str(token);
                new_line(&mut out, depth);
            }
            '}' | ']' if out.ends_with(['{', '[']) => out.push_str(token),
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push_str(token);
            }
            ',' => {
                out.push(',');
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            letter if letter.is_ascii_whitespace() => {}
            _ => out.push_str(token),
        }
        rest = after;
    }
    Some(out)
}

/// Bytes of the string literal that `json` begins with, both quotes among them.
fn string_length(json: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in json.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(line: &str, want: Expect) {
        want.assert_eq(indented(line).as_deref().unwrap_or("as it stands"));
    }

    #[test]
    fn values_get_lines_and_are_not_touched() {
        check(
            r#"{"b":1.10,"a":{ },"list":[ ],"s":"a, {b}: \"c\\","deep":[[1,"é"],{"x":null}]}"#,
            expect![[r#"
                {
                  "b": 1.10,
                  "a": {},
                  "list": [],
                  "s": "a, {b}: \"c\\",
                  "deep": [
                    [
                      1,
                      "é"
                    ],
                    {
                      "x": null
                    }
                  ]
                }"#]],
        );
    }

    #[test]
    fn what_is_no_json_stays_as_it_stands() {
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        for line in ["", "12", "words", "{\"torn\": ", "{} {}", &deep] {
            check(line, expect!["as it stands"]);
        }
    }
}
