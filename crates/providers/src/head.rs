//! What a provider sees of a log when it is asked whether the log is its own.

/// How sure a provider is that an object is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// It is not.
    No,
    /// It could be: the shape is one that others write too.
    Weak,
    /// No one else writes this.
    Strong,
    /// It is a whole log in one JSON document.
    Document,
}

/// How a log holds its records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Container {
    /// One JSON object on each line.
    #[default]
    Lines,
    /// One JSON value, over any number of lines.
    Document,
}

/// Which session a log belongs to, and as what.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey {
    /// The session's id as the log gives it; `None` where it does not say, and then the log joins
    /// the only session beside it, or stands alone.
    pub session: Option<String>,
    /// Main log or companion.
    pub role: FileRole,
}

/// What part of a session a log is. Main logs are read first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// The conversation itself.
    #[default]
    Main,
    /// A subagent's conversation, a workflow's journal, or facts about one of them.
    Companion,
}
