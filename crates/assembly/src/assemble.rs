//! From a record set to a session detail: the only seam between reading and showing.

use palimpsest_record::Text;
use thiserror::Error;

use crate::conversations::{Conversations, subagents};
use crate::detail::{Capabilities, SessionDetail};
use crate::items::items;
use crate::relations::{Relations, View};
use crate::set::RecordSet;
use crate::surroundings::{head, reads_several_files, summaries, workflows};
use crate::usage::report;

/// How a session is assembled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssemblyOptions {
    /// Inactive messages stand in their places. Hidden ones never do.
    pub include_inactive: bool,
    /// Assemble this subagent's own conversation instead of the main thread.
    pub agent_id: Option<Text>,
    /// The log is still being read: a session record need not be there yet.
    pub unfinished: bool,
}

/// Why records cannot be assembled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AssemblyError {
    /// The stream holds only what is new.
    #[error("the records of session {session_id} are only what is new: a full parse of its source is needed")]
    Delta {
        /// The session.
        session_id: Text,
    },
    /// No session record came, and the stream was said to be complete.
    #[error("no session record: the stream is not complete")]
    NoSession,
    /// No record knows the agent that was asked for.
    #[error("no subagent {agent_id} in this session")]
    NoSuchAgent {
        /// The agent.
        agent_id: Text,
    },
    /// A stored row holds a word that this version does not know.
    #[error("{table}.{column}: unknown word {word:?}")]
    UnknownWord {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// The word.
        word: String,
    },
    /// A stored row lacks a column that no record can do without.
    #[error("{table}.{column} is missing")]
    MissingColumn {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
    },
    /// A stored row's JSON column cannot be read.
    #[error("{table}.{column} is not the JSON it should be: {reason}")]
    BadJson {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// What the parser said.
        reason: String,
    },
}

/// Assembles the main thread, or one agent's conversation.
pub fn assemble_session_detail(
    set: &RecordSet,
    options: &AssemblyOptions,
) -> Result<SessionDetail, AssemblyError> {
    reassemble(set, options, &SessionDetail::default())
}

/// The same, where `previous` was assembled from the same set before it took more records, or with
/// other options: items that did not change are taken over from it as they are.
pub fn reassemble(
    set: &RecordSet,
    options: &AssemblyOptions,
    previous: &SessionDetail,
) -> Result<SessionDetail, AssemblyError> {
    set.whole()?;
    if set.session.is_none() && !options.unfinished {
        return Err(AssemblyError::NoSession);
    }
    let nothing = SessionDetail::default();
    let previous = if previous.lineage.is(&set.lineage) { previous } else { &nothing };
    let relations = Relations::of(set);
    let view = View { set, relations: &relations, include_inactive: options.include_inactive };
    let several_files = reads_several_files(view);

    let mut conversations = Conversations::of(view);
    let own = match &options.agent_id {
        None => conversations.main,
        Some(agent_id) => match conversations.agents.remove(agent_id) {
            Some(agent) => agent.conversation,
            None => return Err(AssemblyError::NoSuchAgent { agent_id: agent_id.clone() }),
        },
    };
    let mut summaries = summaries(view, several_files);
    let own_summaries = summaries.remove(&options.agent_id).unwrap_or_default();
    let (messages, counts) = items(view, &own, several_files, &previous.messages);
    Ok(SessionDetail {
        session: head(view),
        capabilities: Capabilities {
            attests_inactive: set.session.as_ref().is_some_and(|session| session.attests_inactive),
        },
        messages,
        summaries: own_summaries,
        subagents: subagents(view, conversations.agents, summaries, several_files, previous),
        workflows: workflows(view),
        usage: report(set, &relations),
        counts,
        unattached_results: view.unattached_results(),
        lineage: set.lineage.clone(),
    })
}
