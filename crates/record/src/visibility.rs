//! Visible, inactive, hidden.

use serde::{Deserialize, Serialize};

use crate::{Text, Timestamp};

/// Whether a record is shown. Orthogonal to `is_meta`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Current evidence.
    #[default]
    Visible,
    /// Physical evidence that the provider itself attests was superseded.
    Inactive,
    /// Suppressed from display, or transport only; nothing returns it.
    Hidden,
}

impl Visibility {
    /// Reads a stored value: absent is visible, and any word this version does not know is hidden
    /// (fail closed).
    pub fn from_stored(value: Option<&str>) -> Visibility {
        match value {
            None | Some("visible") => Visibility::Visible,
            Some("inactive") => Visibility::Inactive,
            Some(_) => Visibility::Hidden,
        }
    }

    /// The word in JSON and in stored rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Visible => "visible",
            Visibility::Inactive => "inactive",
            Visibility::Hidden => "hidden",
        }
    }
}

/// Why an inactive record is inactive, as the source attests it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Superseded {
    /// What superseded it.
    pub how: SupersededBy,
    /// When, where the source says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// Id of the message or summary that stands in its place, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Text>,
}

/// The ways a provider can supersede a part of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SupersededBy {
    /// The session went on from an earlier point and left this branch.
    LeftBranch,
    /// The last turns were taken back.
    RolledBack,
    /// A compaction's summary replaced it.
    Compacted,
    /// Copied from the session this one was forked from.
    Inherited,
    /// The provider withdrew its own answer.
    Retracted,
    /// The conversation was cleared.
    Cleared,
}
