//! A user's message of the item stream, taken apart: who wrote which part of it.

use palimpsest_record::Block;

use super::prompt::{self, Piece};
use super::shapes::item::Item;

/// A user's message, in order.
pub(super) struct Spoken<'t> {
    pub(super) parts: Vec<Spoke<'t>>,
    /// Its texts as they are, without what an editor or the product puts around them.
    texts: Vec<&'t str>,
    /// The log itself says who wrote what.
    pub(super) is_sure: bool,
}

/// A part of it.
pub(super) enum Spoke<'t> {
    Text(Piece<'t>),
    Block(Block),
}

/// A message's texts, for comparing with what the event stream shows.
pub(super) struct Forms {
    whole: u64,
    typed: Option<u64>,
    /// Of each typed text by itself.
    texts: Vec<u64>,
}

/// Which part of a message its twin shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    /// What passed for typed.
    Typed,
    /// Everything: a person typed what looks injected.
    Whole,
    /// One of the typed texts: the others look typed, but are not.
    Text(usize),
}

impl<'t> Spoken<'t> {
    pub(super) fn of(item: &'t Item<'_>) -> Spoken<'t> {
        let passthrough = item.passthrough.0.as_ref();
        let kinds = passthrough.map_or(&[][..], |passthrough| &passthrough.content_item_kinds.0);
        let mut spoken = Spoken { parts: Vec::new(), texts: Vec::new(), is_sure: false };
        for (number, part) in item.content.0.iter().enumerate() {
            spoken.parts.extend(part.block().map(Spoke::Block));
            let text = part.text.text().filter(|text| !text.trim().is_empty());
            if let Some(text) = text.filter(|text| !prompt::is_image_wrapper(text)) {
                spoken.add(text, kinds.get(number).and_then(|kind| kind.text()));
            }
        }
        spoken
    }

    /// A text that an event shows: typed, but for what an editor puts before it.
    pub(super) fn shown(texts: impl Iterator<Item = &'t str>, blocks: impl Iterator<Item = Block>) -> Self {
        let mut spoken =
            Spoken { parts: blocks.map(Spoke::Block).collect(), texts: Vec::new(), is_sure: true };
        for text in texts.filter(|text| !text.trim().is_empty()) {
            spoken.add(text, Some("user.text"));
        }
        spoken
    }

    fn add(&mut self, text: &'t str, kind: Option<&str>) {
        let (context, typed) = prompt::without_ide_prefix(text);
        self.texts.push(typed);
        let pieces = match kind {
            Some(kind) if kind.starts_with("user.") => {
                self.is_sure = true;
                let typed = Some(typed).filter(|typed| !typed.trim().is_empty()).map(Piece::Typed);
                context.map(Piece::Envelope).into_iter().chain(typed).collect()
            }
            Some(kind) if kind != "unknown" => {
                self.is_sure = true;
                vec![prompt::injected(text)]
            }
            _ => prompt::pieces(text),
        };
        self.parts.extend(pieces.into_iter().map(Spoke::Text));
    }

    fn typed(&self) -> impl Iterator<Item = &'t str> {
        self.parts.iter().filter_map(|part| match part {
            Spoke::Text(Piece::Typed(text)) => Some(*text),
            _ => None,
        })
    }

    /// Whether a person seems to have said anything in it.
    pub(super) fn is_prompt(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Spoke::Text(Piece::Typed(_)) | Spoke::Block(_)))
    }

    /// Everything a person said in it.
    pub(super) fn text(&self) -> String {
        self.typed().collect::<Vec<&str>>().join("\n")
    }

    /// What was typed in it, for comparing with the other stream.
    pub(super) fn form(&self) -> u64 {
        prompt::form(self.typed())
    }

    pub(super) fn forms(&self) -> Forms {
        Forms {
            whole: prompt::form(self.texts.iter().copied()),
            typed: self.is_prompt().then(|| self.form()),
            texts: self.typed().map(|text| prompt::form([text])).collect(),
        }
    }

    /// Takes the message apart as its twin shows it.
    pub(super) fn settle(&mut self, shown: Match) {
        match shown {
            Match::Typed => {}
            Match::Whole => {
                self.parts.retain(|part| matches!(part, Spoke::Block(_)));
                self.parts.extend(self.texts.iter().map(|text| Spoke::Text(Piece::Typed(text))));
            }
            Match::Text(only) => {
                let mut number = 0;
                for part in &mut self.parts {
                    if let Spoke::Text(Piece::Typed(text)) = part {
                        if number != only {
                            *part = Spoke::Text(Piece::Envelope(text));
                        }
                        number += 1;
                    }
                }
            }
        }
    }
}

impl Forms {
    /// What of the message a twin with this form shows.
    pub(super) fn shows(&self, form: u64) -> Option<Match> {
        if self.typed == Some(form) {
            return Some(Match::Typed);
        }
        if self.whole == form {
            return Some(Match::Whole);
        }
        self.texts.iter().position(|text| *text == form).map(Match::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twin_shows_the_whole_the_typed_part_or_one_text() {
        let check = |content: &str, shown: &str, want: Option<Match>| {
            let json = format!(r#"{{"type":"message","role":"user","content":{content}}}"#);
            let item: Item<'_> = serde_json::from_str(&json).unwrap();
            assert_eq!(Spoken::of(&item).forms().shows(prompt::form([shown])), want, "{content} {shown}");
        };
        check(r#"[{"text":"go"}]"#, "go", Some(Match::Typed));
        check(r#"[{"text":"go"}]"#, "stop", None);
        check(r#"[{"text":"<skill>x</skill>"},{"text":"go"}]"#, "go", Some(Match::Typed));
        check(r#"[{"text":"<skill>x</skill> go"}]"#, "<skill>x</skill> go", Some(Match::Whole));
        check(r#"[{"text":"added by a hook"},{"text":"go"}]"#, "go", Some(Match::Text(1)));
        check(r#"[{"image_url":"data:image/png;base64,AA"},{"text":"</image>"}]"#, "", Some(Match::Typed));
        check(r#"[{"text":"<skill>x</skill>"}]"#, "", None);
    }
}
