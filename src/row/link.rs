//! Where a link of a log leads, said by the browser's own reading of its address.

/// A link that may be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The address, written out in full.
    pub href: String,
    /// Whom it reaches, where the link's words do not say it: a host in the form that cannot pose
    /// as another (punycode), or a mail address.
    pub reaches: Option<String>,
}

/// The target of `url`, or `None` where it is not a web or mail address: then only its words are shown.
pub fn target(url: &str, words: &str) -> Option<Target> {
    let parsed = web_sys::Url::new(url).ok()?;
    let reaches = match parsed.protocol().as_str() {
        "http:" | "https:" => parsed.host(),
        "mailto:" => parsed.pathname(),
        _ => return None,
    };
    let reaches = (!says(words, &reaches)).then_some(reaches);
    Some(Target { href: parsed.href(), reaches })
}

/// Whether `words` are that address themselves: they begin with `reaches` and go on with a path or
/// not at all.
fn says(words: &str, reaches: &str) -> bool {
    let words = words.trim();
    let words = ["https://", "http://", "mailto:"]
        .iter()
        .find_map(|scheme| words.strip_prefix(scheme))
        .unwrap_or(words);
    words.strip_prefix(reaches).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_shown_where_the_words_hide_it() {
        let check =
            |words: &str, reaches: &str, want: bool| assert_eq!(says(words, reaches), want, "{words}");
        check("https://example.org/a?b", "example.org", true);
        check(" example.org ", "example.org", true);
        check("example.org#part", "example.org", true);
        check("mailto:me@example.org", "me@example.org", true);
        check("the docs", "example.org", false);
        check("https://example.org@evil.invalid", "evil.invalid", false);
        check("https://example.org.evil.invalid/", "example.org", false);
        check("example.org", "evil.invalid", false);
        check("exаmple.org", "xn--exmple-4nf.org", false);
        check("", "example.org", false);
    }
}
