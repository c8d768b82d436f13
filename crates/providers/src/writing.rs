//! Where the records of one entry of a log stand, and what they have in common; for logs whose entries have ids.

use palimpsest_record::{
    ContentType, Json, Message, MessageType, Preview, Span, Summary, Text, Timestamp, ToolCall, ToolResult,
    Visibility,
};
use serde_json::value::RawValue;

use crate::{Batch, Line, Object};

/// The place of an entry's records.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The entry's id; its first message has it.
    pub(crate) id: Text,
    pub(crate) session_id: Text,
    pub(crate) source: Text,
    /// The message before it in the tree.
    pub(crate) parent_id: Option<Text>,
    /// The subagent whose conversation it is in.
    pub(crate) agent_id: Option<Text>,
    pub(crate) seq: u64,
    pub(crate) at: Option<Timestamp>,
    pub(crate) span: Span,
}

impl Place {
    /// A message at this place.
    pub(crate) fn message(&self, message_type: MessageType, content_type: ContentType) -> Message {
        Message {
            id: self.id.clone(),
            session_id: self.session_id.clone(),
            message_type,
            content_type,
            parent_id: self.parent_id.clone(),
            agent_id: self.agent_id.clone(),
            seq: self.seq,
            timestamp: self.at,
            span: Some(self.span),
            source: self.source.clone(),
            ..Message::default()
        }
    }

    /// What stands for a part of the session.
    pub(crate) fn summary(
        &self,
        kind: &str,
        text: &str,
        tokens_before: Option<u64>,
        batch: &Batch,
    ) -> Summary {
        let Preview { text, full_length } = batch.cut(text);
        Summary {
            id: self.id.clone(),
            session_id: self.session_id.clone(),
            agent_id: self.agent_id.clone(),
            seq: self.seq,
            timestamp: self.at,
            summary_kind: Text::from(kind),
            content: text,
            full_length,
            tokens_before,
            span: Some(self.span),
            ..Summary::default()
        }
    }

    /// A call of the message at this place. `file` are the names that the product's tools have for the file they work
    /// on; `arguments` are an object, or a string that holds one.
    pub(crate) fn call(
        &self,
        id: Text,
        name: &str,
        arguments: Option<&RawValue>,
        file: &[&str],
        batch: &Batch,
    ) -> ToolCall {
        let (input, full_length) = match arguments.filter(|arguments| arguments.get() != "null") {
            Some(arguments) => input(arguments, batch),
            None => (Json::parse("{}").unwrap_or_default(), None),
        };
        let file_path = Object::parse(input.get())
            .and_then(|input| file.iter().find_map(|name| input.str(name)).map(|path| Text::from(&*path)));
        ToolCall {
            id,
            message_id: self.id.clone(),
            session_id: self.session_id.clone(),
            name: Text::from(name),
            input,
            full_length,
            file_path,
            span: Some(self.span),
            ..ToolCall::default()
        }
    }

    /// A message that shows a result which is no call's. The result names it as its carrier.
    pub(crate) fn alone(&self, result: &mut ToolResult) -> Message {
        result.message_id = Some(self.id.clone());
        Message {
            text: Some(result.content.clone()),
            full_length: result.full_length,
            is_error: result.is_error,
            ..self.message(MessageType::System, ContentType::ToolResult)
        }
    }
}

fn input(arguments: &RawValue, batch: &Batch) -> (Json, Option<u64>) {
    let inner = serde_json::from_str::<String>(arguments.get()).ok();
    match inner.filter(|inner| inner.trim_start().starts_with('{')).map(RawValue::from_string) {
        Some(Ok(inner)) => batch.cut_input(&inner),
        _ => batch.cut_input(arguments),
    }
}

/// Writes the records of one entry, its messages each behind the other.
pub(crate) struct Writer<'a> {
    pub(crate) batch: &'a mut Batch,
    pub(crate) line: Line<'a>,
    /// The entry's number among those that the adapter keeps.
    pub(crate) node: usize,
    /// The entry's own place: that of its first message.
    pub(crate) place: Place,
    /// The last message written.
    last: Option<Text>,
    written: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(batch: &'a mut Batch, line: Line<'a>, node: usize, place: Place) -> Writer<'a> {
        Writer { batch, line, node, place, last: None, written: 0 }
    }

    /// How many messages the entry has so far.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// Adds a message and gives its id. `fill` gets it with all that its place
    /// says; the first has the entry's id, the others a number behind it.
    pub(crate) fn message(
        &mut self,
        message_type: MessageType,
        content_type: ContentType,
        fill: impl FnOnce(&mut Message, &Batch),
    ) -> Text {
        let mut message = self.place.message(message_type, content_type);
        if let Some(last) = self.last.take() {
            message.id = Text::from(format!("{}#{}", self.place.id, self.written));
            message.parent_id = Some(last);
            message.seq = self.place.seq.saturating_add(self.written as u64);
        }
        let id = message.id.clone();
        self.last = Some(id.clone());
        self.written += 1;
        fill(&mut message, self.batch);
        self.batch.push(message);
        id
    }

    /// What the product says beside the conversation. Whether there was something to say.
    pub(crate) fn notice(&mut self, text: &str) -> bool {
        let says = !text.trim().is_empty();
        if says {
            self.message(MessageType::System, ContentType::Text, |message, batch| {
                say(text, message, batch);
                message.is_meta = true;
            });
        }
        says
    }

    /// A failure of the product or of the model's service.
    pub(crate) fn failure(&mut self, text: &str) {
        self.message(MessageType::System, ContentType::Error, |message, batch| {
            say(text, message, batch);
            message.is_error = true;
        });
    }

    /// What nobody says in the conversation: kept, never shown.
    pub(crate) fn hidden(&mut self, message_type: MessageType, text: &str) {
        self.message(message_type, ContentType::Text, |message, batch| {
            say(text, message, batch);
            message.visibility = Visibility::Hidden;
        });
    }

    /// A command of the product that a person gave.
    pub(crate) fn command(&mut self, text: &str) {
        self.message(MessageType::User, ContentType::Command, |message, batch| say(text, message, batch));
    }

    /// The instructions of a skill that was loaded.
    pub(crate) fn instructions(&mut self, skill: Option<&str>, text: &str) {
        self.message(MessageType::User, ContentType::SkillInstructions, |message, batch| {
            say(text, message, batch);
            message.is_meta = true;
            message.skill = skill.map(Text::from);
        });
    }
}

/// A slash and a word: a command of the product, not a path.
pub(crate) fn is_command(text: &str) -> bool {
    let word = text.trim_start().strip_prefix('/').and_then(|rest| rest.split_whitespace().next());
    word.is_some_and(|word| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|it| it.is_ascii_alphanumeric() || "-_:".contains(it))
    })
}

/// Gives a message its text.
pub(crate) fn say(text: &str, message: &mut Message, batch: &Batch) {
    let Preview { text, full_length } = batch.cut(text);
    message.text = Some(text);
    message.full_length = full_length;
}
