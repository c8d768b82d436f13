//! The ten kinds in one enum.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::value::RawValue;

use crate::{
    DeleteSession, Message, Session, Subagent, Summary, ToolCall, ToolResult, TurnDuration, Workflow,
    WorkflowAgent,
};

/// One provider-normalised fact: the unit that is stored and sent. Its JSON has the tag `kind`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TranscriptRecord {
    /// The session, after its records.
    Session(Box<Session>),
    /// A message, or one block of it.
    Message(Box<Message>),
    /// A tool call.
    ToolCall(Box<ToolCall>),
    /// A tool result.
    ToolResult(Box<ToolResult>),
    /// A summary.
    Summary(Box<Summary>),
    /// A subagent.
    Subagent(Box<Subagent>),
    /// A workflow.
    Workflow(Box<Workflow>),
    /// An agent of a workflow.
    WorkflowAgent(Box<WorkflowAgent>),
    /// Transition: a turn's duration.
    TurnDuration(TurnDuration),
    /// Transition: a session is removed.
    DeleteSession(DeleteSession),
}

/// A record of each kind is one of all kinds.
macro_rules! from_kind {
    ($($kind:ident),*) => {$(
        impl From<$kind> for TranscriptRecord {
            fn from(record: $kind) -> Self {
                Self::$kind(record.into())
            }
        }
    )*};
}

from_kind!(
    Session,
    Message,
    ToolCall,
    ToolResult,
    Summary,
    Subagent,
    Workflow,
    WorkflowAgent,
    TurnDuration,
    DeleteSession
);

impl<'de> Deserialize<'de> for TranscriptRecord {
    /// By hand, because serde's own tagged enums buffer the value and lose raw JSON in it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Tag {
            kind: String,
        }
        fn read<'a, T: Deserialize<'a>, E: de::Error>(raw: &'a RawValue) -> Result<T, E> {
            serde_json::from_str(raw.get()).map_err(E::custom)
        }
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let tag: Tag = read(&raw)?;
        Ok(match tag.kind.as_str() {
            "session" => Self::Session(read(&raw)?),
            "message" => Self::Message(read(&raw)?),
            "tool_call" => Self::ToolCall(read(&raw)?),
            "tool_result" => Self::ToolResult(read(&raw)?),
            "summary" => Self::Summary(read(&raw)?),
            "subagent" => Self::Subagent(read(&raw)?),
            "workflow" => Self::Workflow(read(&raw)?),
            "workflow_agent" => Self::WorkflowAgent(read(&raw)?),
            "turn_duration" => Self::TurnDuration(read(&raw)?),
            "delete_session" => Self::DeleteSession(read(&raw)?),
            other => return Err(de::Error::custom(format_args!("unknown record kind {other:?}"))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Json, Text};

    #[test]
    fn records_survive_json() {
        let check = |record: TranscriptRecord| {
            let json = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<TranscriptRecord>(&json).unwrap(), record, "{json}");
        };
        check(TranscriptRecord::from(Message { id: Text::from("m1"), ..Message::default() }));
        check(TranscriptRecord::from(ToolCall {
            input: Json::parse(r#"{"z":1,"a":[1.50]}"#).unwrap(),
            ..ToolCall::default()
        }));
        check(TranscriptRecord::from(Summary::default()));
        check(TranscriptRecord::from(Session::default()));
        check(TranscriptRecord::from(DeleteSession::default()));
    }

    #[test]
    fn an_unknown_kind_is_an_error() {
        let error = serde_json::from_str::<TranscriptRecord>(r#"{"kind":"dream"}"#).unwrap_err();
        assert!(error.to_string().contains("unknown record kind \"dream\""), "{error}");
    }
}
