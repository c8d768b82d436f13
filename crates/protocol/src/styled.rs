//! Text with the colours a terminal gave it.

use palimpsest_record::Text;
use serde::{Deserialize, Serialize};

/// A run of text in one style.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Styled {
    /// The text, without control codes.
    pub text: Text,
    /// Its style.
    pub style: Style,
}

/// A style. Colours are the terminal's sixteen; what they look like is the theme's business.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Style {
    /// 0 to 15.
    pub colour: Option<u8>,
    /// Bold.
    pub bold: bool,
    /// Faint.
    pub faint: bool,
    /// Italic.
    pub italic: bool,
    /// Underlined.
    pub underline: bool,
    /// It names a control character that cannot be seen, e.g. `U+202E`.
    pub control: bool,
}

impl Styled {
    /// Text in no style.
    pub fn plain(text: impl Into<Text>) -> Styled {
        Styled { text: text.into(), style: Style::default() }
    }
}
