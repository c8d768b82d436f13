//! A line's outermost members, found without parsing what is in them.
//!
//! Half of a log's bytes say a tool's result a second time, and much of the rest is progress that
//! nothing is made of. Strings are passed over from quote to quote, several times as fast as any
//! parser reads them; what is wanted is parsed afterwards, from its own slice of the line.

use memchr::{memchr, memmem};

/// What is no object, or not closed, or followed by something.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken;

/// The members of the object that `json` is: keys without their quotes, values as JSON.
pub(super) fn members(json: &str) -> Members<'_> {
    Members { json, at: 0, state: State::Before }
}

/// Iterates over members; the last item is an error where the object is broken.
#[derive(Debug)]
pub(super) struct Members<'a> {
    json: &'a str,
    at: usize,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the brace.
    Before,
    /// Behind the brace: a member or the end.
    Open,
    /// Behind a member: a comma or the end.
    Member,
    /// Behind the closing brace, or behind an error.
    Done,
}

impl<'a> Iterator for Members<'a> {
    type Item = Result<(&'a str, &'a str), Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Done {
            return None;
        }
        let member = self.member();
        if !matches!(member, Ok(Some(_))) {
            self.state = State::Done;
        }
        member.transpose()
    }
}

impl<'a> Members<'a> {
    /// The next member; none at the end of an object that is sound.
    fn member(&mut self) -> Result<Option<(&'a str, &'a str)>, Broken> {
        if self.state == State::Before {
            self.take(b'{')?;
            self.state = State::Open;
        }
        if self.peek() == Some(b'}') {
            self.at += 1;
            return if self.peek().is_none() { Ok(None) } else { Err(Broken) };
        }
        if self.state == State::Member {
            self.take(b',')?;
        }
        let key = self.value()?;
        let key = key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).ok_or(Broken)?;
        self.take(b':')?;
        let value = self.value()?;
        self.state = State::Member;
        Ok(Some((key, value)))
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.json.as_bytes().get(self.at..)?;
        let gap = rest.iter().take_while(|byte| is_space(**byte)).count();
        self.at += gap;
        rest.get(gap).copied()
    }

    fn take(&mut self, wanted: u8) -> Result<(), Broken> {
        if self.peek() != Some(wanted) {
            return Err(Broken);
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<&'a str, Broken> {
        self.peek();
        let end = value_end(self.json.as_bytes(), self.at).ok_or(Broken)?;
        let value = self.json.get(self.at..end).ok_or(Broken)?;
        self.at = end;
        Ok(value)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Where the value that begins at `at` ends. Brackets are counted, not matched, and words and
/// numbers are only looked at for letters that none has: that is enough to know damage by.
fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut place = at;
    loop {
        match bytes.get(place)? {
            b'"' => place = string_end(bytes, place + 1)?,
            b'{' | b'[' => {
                depth += 1;
                place += 1;
                continue;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                place += 1;
            }
            byte if is_bare(*byte) => {
                let rest = bytes.get(place..)?;
                place += rest.iter().take_while(|byte| is_bare(**byte)).count();
            }
            b':' | b',' if depth > 0 => {
                place += 1;
                continue;
            }
            byte if depth > 0 && is_space(*byte) => {
                place += 1;
                continue;
            }
            _ => return None,
        }
        if depth == 0 {
            return Some(place);
        }
    }
}

/// A letter of a number, of true, false or null.
fn is_bare(byte: u8) -> bool {
    byte.is_ascii_digit()
        || matches!(byte, b'-' | b'+' | b'.' | b'E')
        || matches!(byte, b't' | b'r' | b'u' | b'e' | b'f' | b'a' | b'l' | b's' | b'n')
}

/// The place behind the closing quote of the string whose opening quote is before `at`.
pub(super) fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut from = at;
    loop {
        let quote = from + memchr(b'"', bytes.get(from..)?)?;
        let before = bytes.get(at..quote)?;
        let escapes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        if escapes % 2 == 0 {
            return Some(quote + 1);
        }
        from = quote + 1;
    }
}

/// The value of one member of the object `json`, where it is an object and has it.
pub(super) fn member<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    // Most objects that are asked do not hold the key anywhere.
    memmem::find(json.as_bytes(), key.as_bytes())?;
    members(json).find_map(|found| found.ok().filter(|(name, _)| *name == key)).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found() {
        let check = |json: &str, want: &[(&str, &str)]| {
            let found: Result<Vec<_>, _> = members(json).collect();
            assert_eq!(found.unwrap(), want, "{json}");
        };
        check("{}", &[]);
        check(" { } ", &[]);
        check(r#"{"a":1,"b":"x","c":null}"#, &[("a", "1"), ("b", "\"x\""), ("c", "null")]);
        check(
            r#"{ "a" : [1, {"b": "]}"}] , "c":{"d":{}} }"#,
            &[("a", r#"[1, {"b": "]}"}]"#), ("c", r#"{"d":{}}"#)],
        );
        check(
            r#"{"a":"\"","b":"\\","c":"\\\"}"}"#,
            &[("a", r#""\"""#), ("b", r#""\\""#), ("c", r#""\\\"}""#)],
        );
        check(r#"{"a":-1.5e+3,"b":true,"c":false}"#, &[("a", "-1.5e+3"), ("b", "true"), ("c", "false")]);
        check("{\"ä\":\"ö\"}", &[("ä", "\"ö\"")]);
    }

    #[test]
    fn what_is_broken_is_an_error() {
        let check = |json: &str| {
            assert!(members(json).any(|member| member.is_err()), "{json}");
        };
        for json in [
            "",
            "[]",
            "7",
            "\"a\"",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":\"",
            "{\"a\":[1",
        ] {
            check(json);
        }
        check(r#"{"a":1}{"b":2}"#);
        check(r#"{"a":1 "b":2}"#);
        check(r#"{a:1}"#);
        check(r#"{"a":{"stdout":"cut{"parentUuid":null,"uuid":"x"}"#);
        check(r#"{"a":}"#);
        check(r#"{"a":,"b":1}"#);
    }

    #[test]
    fn one_member_is_looked_up() {
        let check = |json: &str, key: &str, want: Option<&str>| assert_eq!(member(json, key), want, "{json}");
        check(r#"{"a":{"type":"inner"},"type":"outer"}"#, "type", Some("\"outer\""));
        check(r#"{"a":{"type":"inner"}}"#, "type", None);
        check(r#"["type"]"#, "type", None);
        check("\"type\"", "type", None);
    }
}
