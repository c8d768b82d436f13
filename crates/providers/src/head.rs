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
    /// It is a document that holds many logs, each a document of its own.
    Logs,
}

/// How a log holds its records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Container {
    /// One JSON object on each line.
    #[default]
    Lines,
    /// One JSON value, over any number of lines.
    Document,
    /// One JSON value that holds many logs: [`logs_in`](crate::identify::logs_in) says where each is.
    Logs,
}

/// Which session a log belongs to, and as what.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey {
    /// The session's id as the log gives it; `None` where it does not say, and then the log joins
    /// the only session beside it, or stands alone.
    pub session: Option<String>,
    /// What part of it the log is.
    pub role: FileRole,
    /// The session that started this one, where the log says so. Where that is there, this one is read as a part of it.
    pub parent: Option<Parent>,
}

/// What a log says of the session that started its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parent {
    /// Its id.
    Session(String),
    /// Nothing, but the folder that it lies in is called by that id.
    Folder,
}

impl FileKey {
    /// That of a log which is a session's own conversation.
    pub fn main(session: Option<String>) -> FileKey {
        FileKey { session, ..FileKey::default() }
    }
}

/// What part of a session a log is. Main logs are read first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// The conversation itself.
    #[default]
    Main,
    /// A subagent's conversation, a workflow's journal, or facts about one of them. Without the main log it stands alone.
    Companion,
    /// A part that says little alone: one message of many, an earlier state. Without the main log it joins its like.
    Piece,
}
