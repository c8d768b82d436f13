//! What the page's code and its style sheets say of each other.

use std::collections::BTreeSet;

use super::{Source, sources};

/// Every class that the page uses is styled, and every one that is styled is used.
#[test]
fn classes_are_styled_and_styles_are_used() {
    let used: BTreeSet<String> = markup().iter().flat_map(classes_used).collect();
    let styled: BTreeSet<String> = sources("style", ".css").iter().flat_map(classes_styled).collect();
    let without_style: Vec<&String> = used.difference(&styled).collect();
    let without_use: Vec<&String> = styled.difference(&used).collect();
    assert!(!used.is_empty() && !styled.is_empty(), "there is a page, and it has a style");
    assert!(without_style.is_empty(), "used in src/, styled nowhere: {without_style:?}");
    assert!(without_use.is_empty(), "styled, used nowhere in src/: {without_use:?}");
}

/// A class is a literal, so that this test and a reader find it; states are data attributes.
#[test]
fn classes_are_literals() {
    for source in markup() {
        for (number, line) in (1..).zip(source.code().lines()) {
            let computed = line.match_indices("class=").any(|(at, found)| {
                let value = &line[at + found.len()..];
                let is_attribute = line[..at].ends_with([' ', '<', '\t']) || line[..at].trim().is_empty();
                is_attribute && !value.starts_with('"')
            });
            let toggled = line.trim_start().starts_with("class:") || line.contains(" class:");
            let in_markup = toggled && line.contains("=move");
            assert!(!computed && !in_markup, "{}:{number}: {}", source.path, line.trim());
        }
    }
}

/// One file has the literal colours; everywhere else they have names.
#[test]
fn literal_colours_are_tokens() {
    for source in sources("style", ".css").iter().filter(|source| source.path != "style/tokens.css") {
        for value in values(source) {
            assert!(!has_literal_colour(&value), "{}: {value}", source.path);
        }
    }
    for source in markup() {
        for (number, line) in (1..).zip(source.code().lines()) {
            let is_colour = line.contains("rgb(") || line.contains("hsl(") || line.contains("color:");
            assert!(!is_colour, "{}:{number}: {}", source.path, line.trim());
        }
    }
}

/// The tokens that are used exist, and those that exist are used.
#[test]
fn tokens_exist_and_are_used() {
    let sheets = sources("style", ".css");
    let mut named = BTreeSet::new();
    let mut used = BTreeSet::new();
    for sheet in &sheets {
        let text = without_comments(&sheet.text);
        for part in text.split("var(").skip(1) {
            used.insert(custom_property(part));
        }
        let declarations = text.split(['{', ';', '}']).filter(|part| part.trim_start().starts_with("--"));
        named.extend(declarations.map(|part| custom_property(part.trim_start())));
    }
    let page: String = markup().iter().map(|source| source.text.clone()).collect();
    let set_by_page: BTreeSet<String> =
        used.iter().filter(|token| page.contains(token.as_str())).cloned().collect();
    let unknown: Vec<&String> =
        used.difference(&named).filter(|token| !set_by_page.contains(*token)).collect();
    let idle: Vec<&String> = named.difference(&used).filter(|token| !page.contains(token.as_str())).collect();
    assert!(unknown.is_empty(), "used and nowhere set: {unknown:?}");
    assert!(idle.is_empty(), "set and nowhere used: {idle:?}");
}

/// What draws the page.
fn markup() -> Vec<Source> {
    let mut markup = sources("src", ".rs");
    markup.extend(sources("", ".html").into_iter().filter(|source| source.path == "index.html"));
    markup
}

/// Names in `class="a b"`.
fn classes_used(source: &Source) -> Vec<String> {
    let code = source.code();
    let lists = code.split("class=\"").skip(1).filter_map(|rest| rest.split('"').next());
    lists.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// Names in the selectors of a style sheet.
fn classes_styled(source: &Source) -> Vec<String> {
    let text = without_comments(&source.text);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    // A selector is what stands before a brace; a nested one stands behind a declaration.
    let heads = text.split('{').map(|part| part.rsplit(['}', ';']).next().unwrap_or_default());
    let selectors = heads.filter(|head| !head.trim_start().starts_with('@'));
    let classes = selectors.flat_map(|selector| {
        let after_dot = selector.split('.').skip(1);
        after_dot.map(|rest| rest.split(|c| !is_name(c)).next().unwrap_or_default().to_owned())
    });
    classes.filter(|class| class.starts_with(|c: char| c.is_ascii_alphabetic())).collect()
}

/// The values of a style sheet's declarations.
fn values(source: &Source) -> Vec<String> {
    let text = without_comments(&source.text);
    let declarations = text.split(['{', '}', ';']).filter_map(|part| part.split_once(':'));
    declarations.map(|(_, value)| value.trim().to_owned()).collect()
}

fn has_literal_colour(value: &str) -> bool {
    const FUNCTIONS: [&str; 8] = ["rgb(", "rgba(", "hsl(", "hsla(", "hwb(", "lab(", "lch(", "oklch("];
    const NAMES: [&str; 10] =
        ["white", "black", "red", "green", "blue", "gray", "grey", "yellow", "orange", "purple"];
    let is_hex = |word: &str| {
        word.strip_prefix('#').is_some_and(|hex| hex.len() >= 3 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let words = value.split(|c: char| !(c.is_ascii_alphanumeric() || "#-_".contains(c)));
    FUNCTIONS.iter().any(|function| value.contains(function))
        || words.into_iter().any(|word| is_hex(word) || NAMES.contains(&word))
}

fn custom_property(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_').collect()
}

fn without_comments(css: &str) -> String {
    let mut parts = css.split("/*");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once("*/").map_or("", |(_, rest)| rest));
    }
    text
}

#[test]
fn selectors_and_colours_are_found() {
    let source = Source {
        path: "style/x.css".to_owned(),
        text: "/* .no */ .a.b-c > p, .d:hover { width: 1.5rem; & .e { color: #fff } } @media (min-width: 2.5em) { .f {} }"
            .to_owned(),
    };
    assert_eq!(classes_styled(&source), ["a", "b-c", "d", "e", "f"]);
    assert!(has_literal_colour("1px solid #abc"));
    assert!(has_literal_colour("color-mix(in oklab, white 20%, var(--ink))"));
    assert!(has_literal_colour("rgb(0 0 0 / 10%)"));
    assert!(!has_literal_colour("var(--white-space) pre-wrap url(#id-x)"));
    assert!(!has_literal_colour("pre-wrap"));
}
