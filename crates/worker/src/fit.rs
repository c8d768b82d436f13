//! As much of a text as there is room for, by what it takes in the document: a text of links or of
//! single coloured letters takes ten times its length.

use palimpsest_protocol::markdown::Block;
use palimpsest_protocol::styled::Styled;
use palimpsest_protocol::weight;

use crate::prose::{LineFeeds, prose};

/// The beginning of `text` that takes at most `room`, parsed, and its length in bytes.
pub(crate) fn fitted_prose(text: &str, room: usize, line_feeds: LineFeeds) -> (Vec<Block>, usize) {
    fitted(text, room, |text| prose(text, line_feeds), |blocks| weight::of_blocks(blocks))
}

/// The same of text that is drawn as it stands, by `draw`.
pub(crate) fn fitted_runs(text: &str, room: usize, draw: fn(&str) -> Vec<Styled>) -> (Vec<Styled>, usize) {
    fitted(text, room, draw, |runs| weight::of_runs(runs))
}

fn fitted<T>(text: &str, room: usize, draw: impl Fn(&str) -> T, weigh: impl Fn(&T) -> usize) -> (T, usize) {
    let mut end = text.floor_char_boundary(room);
    loop {
        let drawn = draw(text.get(..end).unwrap_or_default());
        let weight = weigh(&drawn);
        // Most texts fit at once; the others as soon as they are cut by what they are too heavy.
        if weight <= room + room / 8 || end == 0 {
            return (drawn, end);
        }
        end = text.floor_char_boundary((end * room / weight).min(end - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::terminal;

    #[test]
    fn what_is_heavy_is_cut_and_what_is_not_is_whole() {
        let check = |text: &str, room: usize, whole: bool| {
            let (blocks, length) = fitted_prose(text, room, LineFeeds::Fold);
            assert!(weight::of_blocks(&blocks) <= room + room / 8, "{}", weight::of_blocks(&blocks));
            assert_eq!(length == text.len(), whole, "{length} of {}", text.len());
            assert!(length > 0);
        };
        check("short", 1000, true);
        check(&"plain words ".repeat(1000), 16 * 1024, true);
        check(&"plain words ".repeat(10_000), 16 * 1024, false);
        check(&"[a](http://x) ".repeat(1500), 24 * 1024, false);
        check(&format!("|{}\n|{}\n|x|\n", "a|".repeat(2000), "-|".repeat(2000)), 24 * 1024, false);
        let (runs, length) = fitted_runs(&"\u{1b}[31ma\u{1b}[32mb".repeat(3000), 16 * 1024, terminal);
        assert!(length > 0 && weight::of_runs(&runs) <= 18 * 1024);
    }
}
