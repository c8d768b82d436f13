//! Markdown that is already parsed. The page makes elements of these and text nodes of their text:
//! no string of a log is ever read as HTML.

use palimpsest_record::Text;
use serde::{Deserialize, Serialize};

/// A block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading, level 1 to 6.
    Heading(u8, Vec<Inline>),
    /// A code block, and its language word.
    Code {
        /// The first word behind the fence; empty where there is none.
        language: Text,
        /// The code, bidirectional controls made visible.
        text: Text,
    },
    /// A list.
    List {
        /// The first number of an ordered list.
        start: Option<u64>,
        /// The items.
        items: Vec<Item>,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A table.
    Table {
        /// How each column is aligned.
        align: Vec<Align>,
        /// The head's cells.
        head: Vec<Vec<Inline>>,
        /// The rows' cells.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A footnote's text.
    Footnote {
        /// Its name.
        label: Text,
        /// Its blocks.
        blocks: Vec<Block>,
    },
    /// A line across.
    Rule,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Ticked or not, in a task list.
    pub checked: Option<bool>,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

/// How a table's column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Align {
    /// As the text runs.
    Start,
    /// In the middle.
    Center,
    /// At the end.
    End,
}

/// Text within a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inline {
    /// Text. Raw HTML in the source is text too.
    Text(Text),
    /// Code.
    Code(Text),
    /// Emphasis.
    Emphasis(Vec<Inline>),
    /// Strong emphasis.
    Strong(Vec<Inline>),
    /// Struck through.
    Strike(Vec<Inline>),
    /// A link to http, https or mailto; a link to anything else is its text.
    Link {
        /// Where to.
        url: Text,
        /// What it says.
        text: Vec<Inline>,
    },
    /// An image on the web. Never fetched: shown as its words and address.
    Image {
        /// Its words.
        alt: Text,
        /// Its address.
        url: Text,
    },
    /// The mark of a footnote.
    FootnoteMark(Text),
    /// A line break that is meant.
    Break,
}
