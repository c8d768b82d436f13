//! Prose, code and terminal output. All of it is escaped already, ready to stand between the quotes of a JSON string: what
//! costs time in a generator is escaping, and this way it is done once for each line of the pools.

use super::draw::Draw;

const WORDS: &str = "the a to of and in is that it for on with as this be are we not from or at if can will when file test \
    error value line code check should has but so new call state module build run now need let first then path index \
    data fix handle case update client server request session message token buffer stream worker render layout scroll \
    cache key map list node tree branch merge commit diff review lint format link async thread lock queue retry \
    timeout budget limit offset length count because otherwise however already only also before after between without";
const NAMES: &str = "parse_line read_chunk session_id build_index user_message tool_result render_row next_token flush \
    visible_range append_event decode from_slice into_iter as_str push_str buf len ctx self cfg opts err res item entry \
    parent children depth width scroll_top onChange useMemo dispatch reducer props Vec HashMap Option String u32 usize";
const FOLDERS: &str =
    "src src/parser src/ui/components tests crates/core/src web/lib docs internal/db scripts";
const ENDINGS: &str = "rs ts tsx py go md toml json css sql";
/// What is more than one byte, more than one code point, or written from right to left.
const FOREIGN: [&str; 14] = [
    "naïve café",
    "日本語のテキスト",
    "测试文件",
    "Привет, мир",
    "🚀 done",
    "✅ passed",
    "❌ failed",
    "→ next",
    "├── src",
    "“quoted”",
    "한국어 문자열",
    "👩‍💻 pairing",
    "مرحبا",
    "½ ≤ ¾",
];

/// The pools that everything is taken from.
pub(super) struct Text {
    words: Vec<&'static str>,
    names: Vec<&'static str>,
    files: Vec<String>,
    sentences: Vec<String>,
    code: Vec<String>,
    terminal: Vec<String>,
    noise: String,
}

impl Text {
    pub(super) fn new(draw: &mut Draw) -> Self {
        let mut text = Self {
            words: WORDS.split_whitespace().collect(),
            names: NAMES.split_whitespace().collect(),
            files: Vec::new(),
            sentences: Vec::new(),
            code: Vec::new(),
            terminal: Vec::new(),
            noise: String::new(),
        };
        let folders: Vec<&str> = FOLDERS.split_whitespace().collect();
        let endings: Vec<&str> = ENDINGS.split_whitespace().collect();
        for _ in 0..300 {
            let (folder, ending) = (draw.pick(&folders), draw.pick(&endings));
            let (name, word) = (text.name(draw), text.word(draw));
            text.files.push(format!("/home/dev/project/{folder}/{name}_{word}.{ending}"));
        }
        text.sentences = (0..4000).map(|_| text.make_sentence(draw)).collect();
        text.code = (0..12000).map(|_| text.make_code(draw)).collect();
        text.terminal = (0..8000).map(|_| text.make_terminal(draw)).collect();
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        text.noise = (0..96 * 1024)
            .filter_map(|_| alphabet.get(draw.below(alphabet.len())))
            .map(|byte| char::from(*byte))
            .collect();
        text
    }

    pub(super) fn word(&self, draw: &mut Draw) -> &'static str {
        draw.pick(&self.words)
    }

    pub(super) fn name(&self, draw: &mut Draw) -> &'static str {
        draw.pick(&self.names)
    }

    pub(super) fn file(&self, draw: &mut Draw) -> &str {
        any(&self.files, draw)
    }

    pub(super) fn sentence(&self, draw: &mut Draw) -> &str {
        any(&self.sentences, draw)
    }

    /// Lines of code, about `bytes` of them.
    pub(super) fn code(&self, draw: &mut Draw, bytes: usize) -> String {
        joined(run(&self.code, draw, bytes), bytes)
    }

    /// The same lines one by one.
    pub(super) fn code_lines(&self, draw: &mut Draw, bytes: usize) -> Vec<&str> {
        run(&self.code, draw, bytes).collect()
    }

    /// What a command printed, about `bytes` of it, colours included.
    pub(super) fn terminal(&self, draw: &mut Draw, bytes: usize) -> String {
        joined(run(&self.terminal, draw, bytes), bytes)
    }

    /// Markdown: paragraphs, lists, now and then a block of code or a table.
    pub(super) fn prose(&self, draw: &mut Draw, bytes: usize) -> String {
        let mut prose = String::with_capacity(bytes + 512);
        for (number, sentence) in (0..).zip(run(&self.sentences, draw, bytes)) {
            prose += sentence;
            prose += match number % 7 {
                3 => r"\n\n",
                5 => r"\n- ",
                _ => " ",
            };
        }
        if bytes > 700 && draw.chance(500) {
            prose += &format!(r"\n\n```rust\n{}\n```\n", self.code(draw, bytes / 4));
        }
        if bytes > 1200 && draw.chance(200) {
            prose += r"\n| name | value |\n|---|---|\n";
            for _ in 0..6 {
                prose += &format!(r"| `{}` | {} |\n", self.name(draw), draw.below(1000));
            }
        }
        prose
    }

    /// Base64 of nothing.
    pub(super) fn noise(&self, draw: &mut Draw, bytes: usize) -> String {
        let from = draw.below(self.noise.len());
        self.noise.chars().cycle().skip(from).take(bytes).collect()
    }

    /// A picture of one pixel with a long tail.
    pub(super) fn picture(&self, draw: &mut Draw) -> String {
        let pixel =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg";
        let tail = draw.size(12_000, 0.8, 800, 90_000) / 4 * 4;
        format!("{pixel}{}", self.noise(draw, tail))
    }

    fn make_sentence(&self, draw: &mut Draw) -> String {
        let mut words: Vec<String> = (0..draw.between(4, 24)).map(|_| self.word(draw).to_owned()).collect();
        let place = draw.below(words.len());
        if let Some(word) = words.get_mut(place) {
            match draw.below(100) {
                0..18 => *word = format!("`{}`", self.name(draw)),
                18..24 => *word = format!("**{word}**"),
                24..29 => *word = draw.pick(&FOREIGN).to_owned(),
                29..33 => *word = format!(r#"\"{word}\""#),
                _ => {}
            }
        }
        format!("{}{}", words.join(" "), draw.pick(&[".", ".", ".", ":", "?", "!"]))
    }

    fn make_code(&self, draw: &mut Draw) -> String {
        let indent =
            if draw.chance(120) { r"\t".repeat(draw.below(4)) } else { "    ".repeat(draw.below(5)) };
        let (a, b, c) = (self.name(draw), self.name(draw), self.name(draw));
        let (word, number) = (self.word(draw), draw.below(4096));
        let code = match draw.below(14) {
            0 | 1 => return String::new(),
            2 => "}".to_owned(),
            3 => "});".to_owned(),
            4 => format!("let mut {a} = {b}.{c}(&{a})?;"),
            5 => format!(r#"println!(\"{{}} {word}: {{:?}}\", {a}, {b});"#),
            6 => format!("if {a}.{b}() > {number} {{"),
            7 => format!("// {}", self.sentence(draw)),
            8 => format!(r#"const {a} = await {b}(\"{word}/{c}\", {{ \"{a}\": {number} }});"#),
            9 => format!("fn {a}({b}: &str, {c}: usize) -> Result<{a}> {{"),
            10 => format!(r#"<div className=\"{a}-{b}\" onClick={{() => {c}({a})}}>"#),
            11 => format!(r#"match {a} {{ Some({b}) => {b}, None => return Err(\"{word}\".into()) }}"#),
            // No `\\n`: whoever splits code into lines looks for `\n`.
            12 => format!(r"re = /^\\s*({a}|{b})\\d$/u;"),
            _ => format!("self.{a} = {b}.get('{c}', {number})  # {word}"),
        };
        indent + &code
    }

    fn make_terminal(&self, draw: &mut Draw) -> String {
        let (name, word, other) = (self.name(draw), self.word(draw), self.word(draw));
        let (large, small) = (draw.below(1_000_000), draw.below(60));
        match draw.below(11) {
            0 | 1 => format!("test {word}::{name}_{other} ... ok"),
            2 => format!(r"test {word}::{name}_{other} ... \u001b[31mFAILED\u001b[0m"),
            3 => format!("   Compiling {name}-{word} v0.{small}.1 (/home/dev/project/crates/{word})"),
            4 => format!("-rw-r--r-- 1 dev dev {large:7} Jan 12 09:{small:02} {name}_{word}.rs"),
            5 => format!("src/{word}/{name}.rs:{small}:9: warning: unused variable: `{name}`"),
            6 => format!("{}:{small}:        {}", self.file(draw), any(&self.code, draw)),
            7 => format!(
                "2026-01-12T09:{small:02}:07.{:03}Z INFO  {name}: {}",
                large % 1000,
                self.sentence(draw)
            ),
            8 => format!(r"\u001b[1m\u001b[32m    Finished\u001b[0m `dev` profile in 1.{small:02}s"),
            9 => format!("{}{}", draw.pick(&["+", "-", " "]), any(&self.code, draw)),
            _ => format!(r#"{}  {{\"{name}\":\"{word}\",\"n\":{large}}}"#, draw.pick(&FOREIGN)),
        }
    }
}

/// Text that stands in a JSON string inside a JSON string.
pub(super) fn escaped(json: &str) -> String {
    json.replace('\\', r"\\").replace('"', r#"\""#)
}

fn any<'a>(pool: &'a [String], draw: &mut Draw) -> &'a str {
    pool.get(draw.below(pool.len())).map(String::as_str).unwrap_or_default()
}

/// Neighbours in a pool, about `bytes` together.
fn run<'a>(pool: &'a [String], draw: &mut Draw, bytes: usize) -> impl Iterator<Item = &'a str> {
    let mut left = bytes;
    pool.iter().cycle().skip(draw.below(pool.len())).map(String::as_str).take_while(move |line| {
        let wanted = left > 0;
        left = left.saturating_sub(line.len() + 1);
        wanted
    })
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>, bytes: usize) -> String {
    let mut joined = String::with_capacity(bytes + 256);
    for line in lines {
        if !joined.is_empty() {
            joined += r"\n";
        }
        joined += line;
    }
    joined
}
