//! Lines in the person's place: prompts, tool results, and all that the product says through them.

use palimpsest_record::{
    Block as Part, ContentType, Message, MessageType, Preview, Text, ToolResult, Visibility,
};

use super::ClaudeReader;
use super::agents::fingerprint;
use super::assistant::Heard;
use super::calls::{Made, Starts};
use super::media::{joined, part, result_content};
use super::said::Said;
use super::shapes::{Block, Content};
use super::spoken::{Envelope, Spoken, spoken};
use super::threads::ThreadId;
use super::tree::Kind;
use super::words::{Words, join};
use super::writer::Writer;

impl ClaudeReader {
    /// Reads a line in the person's place.
    pub(super) fn user(&mut self, said: &Said<'_, '_>, out: &mut Writer<'_>) -> Heard {
        let mut kind = Kind::Spoken;
        if said.is_compact_summary {
            self.compaction_told(&joined(said.content), out);
            return Heard { kind, response: None };
        }
        let mut typed = Typed::default();
        match said.content {
            Content::Text(text) => self.hear(0, text, &mut typed, out),
            Content::Blocks(blocks) => {
                for (at, block) in blocks.iter().enumerate() {
                    match block.kind.text().unwrap_or_default() {
                        "tool_result" => {
                            kind = Kind::Answer;
                            self.result(at, block, said.tool_use_result, out);
                        }
                        "text" => {
                            if let Some(text) = block.text.as_ref() {
                                self.hear(at, text, &mut typed, out);
                            }
                        }
                        _ => typed.add(at, None, part(block, out.batch)),
                    }
                }
            }
            Content::None => {}
        }
        let prompt = !said.is_meta && said.is_human;
        if prompt && !typed.is_empty() {
            self.prompted(&typed.text(), out.stamp.thread);
            // A prompt beside a tool's answer was typed in passing: nobody goes back to there.
            if kind == Kind::Spoken {
                kind = Kind::Prompt;
            }
        }
        self.type_out(typed, said, prompt, out);
        Heard { kind, response: None }
    }

    /// A person, or an agent's caller, asked something.
    fn prompted(&mut self, text: &str, thread: ThreadId) {
        let thread = self.threads.of(thread);
        thread.prompts = thread.prompts.saturating_add(1);
        if thread.prompts == 1 {
            thread.first_prompt = Some(fingerprint(text));
            thread.warms_up = text.trim() == "Warmup";
        }
    }

    /// One text of the line.
    fn hear<'t>(&mut self, at: usize, words: &'t Words<'_>, typed: &mut Typed<'t>, out: &mut Writer<'_>) {
        use MessageType::{System, User};
        self.queue.delivered(words);
        let (speaker, content_type, text) = match spoken(words) {
            Spoken::Prompt { text, context } => {
                if !text.trim().is_empty() {
                    let text = if context.is_empty() { words.clone() } else { words.part(text) };
                    let Preview { text: preview, full_length } =
                        text.preview(out.batch.options.preview_limit);
                    typed.add(at, Some(text), Part::Text { text: preview, full_length });
                }
                typed.context.extend(context);
                return;
            }
            Spoken::Command(command) => {
                self.session.commanded(&command, out.stamp.thread);
                (User, ContentType::Command, command)
            }
            Spoken::CommandOutput(output) => (System, ContentType::Command, output),
            Spoken::Shell(command) => (User, ContentType::Bash, command),
            Spoken::ShellOutput(output) => (System, ContentType::Bash, output),
            Spoken::Interruption(marker) => (System, ContentType::Text, marker.to_owned()),
            Spoken::Notice(notice) => (System, ContentType::Text, notice),
        };
        if !text.trim().is_empty() {
            let message = out.text(at, speaker, content_type, &text.as_str().into());
            out.say(at, Message { is_meta: true, ..message });
        }
    }

    /// Says what was typed as one message, and keeps the context around it as a hidden one. Context
    /// that is all there is shows, where it steers the conversation.
    fn type_out(&mut self, typed: Typed<'_>, said: &Said<'_, '_>, prompt: bool, out: &mut Writer<'_>) {
        let alone = typed.is_empty() && out.tail.is_none();
        let (told, hidden): (Vec<_>, Vec<_>) =
            typed.context.iter().partition(|envelope| alone && envelope.steers);
        if let Some(first) = typed.first {
            let mut message = typed.message(first, out);
            if !prompt {
                message.is_meta = true;
                message.message_type = MessageType::System;
                self.take_for_skill(&mut message, said);
            }
            out.say(first, message);
        }
        let text_of = |envelopes: Vec<&Envelope<'_>>| {
            envelopes.iter().map(|envelope| envelope.text).collect::<Vec<_>>().join("\n")
        };
        if !told.is_empty() {
            let message = out.notice(0, &text_of(told));
            out.say(0, message);
        }
        if !hidden.is_empty() {
            let message = out.notice(BEHIND_ALL_BLOCKS, &text_of(hidden));
            out.say(BEHIND_ALL_BLOCKS, Message { visibility: Visibility::Hidden, ..message });
        }
    }

    /// Injected text is a skill's body where it says so, or where the call that it came with loads one.
    fn take_for_skill(&self, message: &mut Message, said: &Said<'_, '_>) {
        const OPENING: &str = "Base directory for this skill:";
        let call = said.source_call.and_then(|id| self.calls.get(id));
        let text = message.text.as_deref().unwrap_or_default();
        let opens = text.starts_with(OPENING);
        if !opens && call.is_none_or(|call| call.starts != Starts::Skill) {
            return;
        }
        let folder = text.strip_prefix(OPENING).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let name = folder.trim().rsplit(['/', '\\']).next().filter(|name| !name.is_empty());
        message.skill = name.map(Text::from);
        message.skill_call_id = call.filter(|call| call.record.is_some()).map(|call| call.id.clone());
        message.content_type = ContentType::SkillInstructions;
    }

    /// A tool result. What the tool says of it in its own structure tells of agents and workflows.
    pub(super) fn result(
        &mut self,
        at: usize,
        block: &Block<'_>,
        structure: Option<&str>,
        out: &mut Writer<'_>,
    ) {
        let id = block.tool_use_id.text().filter(|id| !id.is_empty());
        let made = Made { response: None, thread: out.stamp.thread, relayed: out.stamp.relayed };
        if id.is_none() && !out.stamp.known.is_empty() {
            out.merged = true;
            return;
        }
        let unnamed = if id.is_none() { format!("{}#{at}", out.stamp.id) } else { String::new() };
        let number = self.calls.answered(id, &unnamed, made);
        let content = result_content(&block.content, out.batch);
        let result = ToolResult {
            session_id: out.stamp.session_id.clone(),
            content: content.content.text,
            full_length: content.content.full_length,
            blocks: content.parts,
            is_error: block.is_error.unwrap_or_default(),
            span: Some(out.line.span),
            ..ToolResult::default()
        };
        let fresh = self.calls.answer(number, result, out.batch);
        let called = self.calls.number(number).is_some_and(|call| call.record.is_some());
        if fresh && !called {
            out.stands_alone();
        } else {
            out.merged = true;
        }
        if let Some(structure) = structure.filter(|_| fresh) {
            self.started(number, structure, out);
        }
    }
}

/// Block number of what is said of a line and is none of its blocks.
pub(super) const BEHIND_ALL_BLOCKS: usize = 4095;

/// What a line's blocks say in the person's own words.
#[derive(Default)]
struct Typed<'t> {
    first: Option<usize>,
    texts: Vec<Words<'t>>,
    parts: Vec<Part>,
    /// What the product put around it.
    context: Vec<Envelope<'t>>,
}

impl<'t> Typed<'t> {
    fn add(&mut self, at: usize, text: Option<Words<'t>>, part: Part) {
        self.first.get_or_insert(at);
        self.texts.extend(text);
        self.parts.push(part);
    }

    fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    fn text(&self) -> Words<'t> {
        match self.texts.as_slice() {
            [text] => text.clone(),
            texts => join(texts),
        }
    }

    fn message(&self, at: usize, out: &Writer<'_>) -> Message {
        let media = self.parts.len() > self.texts.len();
        let content_type = match (self.texts.is_empty(), media) {
            (false, false) => ContentType::Text,
            (true, true) if self.parts.iter().all(|part| matches!(part, Part::Image { .. })) => {
                ContentType::Image
            }
            _ => ContentType::Mixed,
        };
        let mut message = out.message(at, MessageType::User, content_type);
        if !self.texts.is_empty() {
            let preview = self.text().preview(out.batch.options.preview_limit);
            message.text = Some(preview.text);
            message.full_length = preview.full_length;
        }
        if self.parts.len() > 1 || media {
            message.blocks = self.parts.clone();
        }
        message
    }
}
