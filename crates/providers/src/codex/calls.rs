//! Tool calls and their results: which of both belong together.
//!
//! A call and its output are two items with one call id; events about the call have that id, too. An
//! event whose id no item has is about a call that a script of the model made inside another call:
//! it is a call of its own. Ids are used again (a thread that goes on against another server starts
//! to count anew), so a call gets an id of its own for each occurrence.

use palimpsest_record::order::sort_by;
use std::collections::HashMap;

use palimpsest_record::{
    ContentType, Json, MessageType, Presentation, Span, Text, ToolCall, ToolResult, TranscriptRecord,
};

use super::here::Here;
use super::output::{Answer, Reading};
use super::thread::Thread;
use super::usage::Rank;
use crate::{Batch, EntryId, Outcome};

/// The calls of a thread by the id that joins them with their outputs: for each the last occurrence.
#[derive(Default)]
pub(super) struct Calls {
    by_key: HashMap<Text, Call>,
}

/// One call.
struct Call {
    /// Its id in the records.
    id: Text,
    /// Its record; none where only an output has come.
    call: Option<usize>,
    /// The record of its result.
    result: Option<usize>,
    /// The turn in which that came.
    answered_in: usize,
    /// Only an event told of it so far: its line, and the message made for it.
    event: Option<(EntryId, usize)>,
    /// An event says that it failed.
    failed: bool,
    /// What an event says it gave, should no output come.
    spare: Option<Spare>,
}

/// An event's copy of an output, unopened: nearly always the output itself comes behind it.
struct Spare {
    raw: Box<str>,
    reading: Reading,
    span: Span,
}

/// What is called with what.
pub(super) struct Called<'a> {
    pub(super) name: &'a str,
    pub(super) input: Json,
    /// Length of the whole input, where it was cut.
    pub(super) full_length: Option<u64>,
    pub(super) file_path: Option<Text>,
}

/// How a call ended, as an event says.
#[derive(Default)]
pub(super) struct Ending<'a> {
    /// What it gave, and how that is read.
    pub(super) output: Option<(&'a str, Reading)>,
    pub(super) failed: bool,
}

impl Calls {
    /// The id that a call has in the records.
    pub(super) fn id(&self, key: Option<&str>) -> Option<&Text> {
        self.by_key.get(key?).filter(|call| call.call.is_some()).map(|call| &call.id)
    }

    fn ended(&mut self, key: &str, here: &mut Here<'_, '_>, ending: &Ending<'_>) {
        let Some(call) = self.by_key.get_mut(key) else { return };
        call.failed |= ending.failed;
        let result = call.result.and_then(|record| here.batch.records.get_mut(record));
        if let Some(TranscriptRecord::ToolResult(result)) = result {
            result.is_error |= ending.failed;
        } else if let Some((raw, reading)) = ending.output {
            call.spare = Some(Spare { raw: raw.into(), reading, span: here.line.span });
        }
    }
}

impl Thread {
    /// An item tells of a call. `own_id` is the item's own.
    pub(super) fn call(
        &mut self,
        here: &mut Here<'_, '_>,
        key: Option<&str>,
        own_id: Option<&str>,
        called: Called<'_>,
    ) -> Outcome {
        let known = key.and_then(|key| self.calls.by_key.get_mut(key));
        let event = known.and_then(|known| known.event.take().zip(known.call));
        let owner = match event {
            None => self.push_call(here, key, own_id, called, false).0,
            Some(((entry, owner), record)) => {
                here.batch.ledger.settle(entry, Outcome::Merged);
                self.take_over(here, own_id, called, owner, record);
                owner
            }
        };
        self.meter.made(owner, Rank::Shown);
        Outcome::Read
    }

    /// The event of a call came before its item: what it made becomes the item's.
    fn take_over(
        &mut self,
        here: &mut Here<'_, '_>,
        own_id: Option<&str>,
        called: Called<'_>,
        owner: usize,
        record: usize,
    ) {
        let message_id = here.message_id(own_id, 0);
        let message = self.message(here, message_id.clone(), 0, MessageType::Assistant, ContentType::ToolUse);
        if let Some(owner) = here.batch.message_mut(owner) {
            *owner = message;
        }
        if let Some(TranscriptRecord::ToolCall(call)) = here.batch.records.get_mut(record) {
            call.message_id = message_id;
            call.name = self.names.get(called.name);
            call.input = called.input;
            call.full_length = called.full_length;
            call.file_path = called.file_path;
            call.span = Some(here.line.span);
        }
    }

    /// An event tells how a call ended.
    pub(super) fn call_ended<'a>(
        &mut self,
        here: &mut Here<'_, '_>,
        key: Option<&str>,
        ending: &Ending<'_>,
        called: impl FnOnce(&Batch) -> Called<'a>,
    ) -> Outcome {
        if let Some(key) = key.filter(|key| self.calls.id(Some(key)).is_some()) {
            self.calls.ended(key, here, ending);
            return Outcome::Merged;
        }
        let called = called(here.batch);
        let (_, id) = self.push_call(here, key, None, called, true);
        self.call_gave(here, key, id, ending);
        Outcome::Read
    }

    /// A call's own line says what it gave.
    pub(super) fn call_gave(
        &mut self,
        here: &mut Here<'_, '_>,
        key: Option<&str>,
        id: Text,
        ending: &Ending<'_>,
    ) {
        let Some((raw, reading)) = ending.output else { return };
        let mut answer = reading(raw, here.batch);
        answer.failed |= ending.failed;
        let result = self.tool_result(id, answer, here.line.span);
        let record = here.batch.push(result);
        let turn = self.turns.number();
        if let Some(call) = key.and_then(|key| self.calls.by_key.get_mut(key)) {
            call.result = Some(record);
            call.answered_in = turn;
        }
    }

    /// Pushes a call and the message that makes it. Gives the message's record and the call's id.
    fn push_call(
        &mut self,
        here: &mut Here<'_, '_>,
        key: Option<&str>,
        own_id: Option<&str>,
        called: Called<'_>,
        is_event: bool,
    ) -> (usize, Text) {
        self.act(here);
        self.turns.current.is_answered = true;
        // An output that is here already waits for its call.
        let output = key.and_then(|key| self.calls.by_key.remove(key)).filter(|call| call.call.is_none());
        let id = output.as_ref().map_or_else(|| here.call_id(key), |output| output.id.clone());
        let message_id = here.message_id(own_id, 0);
        let message = self.message(here, message_id.clone(), 0, MessageType::Assistant, ContentType::ToolUse);
        let owner = here.batch.push(message);
        let record = here.batch.push(ToolCall {
            id: id.clone(),
            message_id,
            session_id: self.blank.session_id.clone(),
            index: 0,
            name: self.names.get(called.name),
            presentation: Presentation::Default,
            input: called.input,
            full_length: called.full_length,
            file_path: called.file_path,
            span: Some(here.line.span),
        });
        if let Some(key) = key {
            let answered_in = output.as_ref().map_or(0, |output| output.answered_in);
            let result = output.and_then(|output| output.result);
            let event = is_event.then_some((here.line.entry, owner));
            let call = Call {
                id: id.clone(),
                call: Some(record),
                result,
                answered_in,
                event,
                failed: false,
                spare: None,
            };
            self.calls.by_key.insert(Text::from(key), call);
        }
        (owner, id)
    }

    /// An item tells what a call gave. Without a call, its text stands alone until one comes.
    pub(super) fn result(
        &mut self,
        here: &mut Here<'_, '_>,
        key: Option<&str>,
        mut answer: Answer,
    ) -> Outcome {
        self.act(here);
        self.meter.answered();
        let turn = self.turns.number();
        let known = key.and_then(|key| self.calls.by_key.get_mut(key));
        // A second output in another turn is that of a call whose own line is damaged.
        let Some(call) = known.filter(|call| call.result.is_none() || call.answered_in == turn) else {
            return self.lone_result(here, key, answer);
        };
        call.answered_in = turn;
        answer.failed |= call.failed;
        call.spare = None;
        let (id, before) = (call.id.clone(), call.result);
        let result = TranscriptRecord::from(self.tool_result(id, answer, here.line.span));
        match before.and_then(|record| here.batch.records.get_mut(record)) {
            // At most one per call: the later wins.
            Some(before) => *before = result,
            None => {
                let record = here.batch.push(result);
                if let Some(call) = key.and_then(|key| self.calls.by_key.get_mut(key)) {
                    call.result = Some(record);
                }
            }
        }
        Outcome::Merged
    }

    fn lone_result(&mut self, here: &mut Here<'_, '_>, key: Option<&str>, answer: Answer) -> Outcome {
        let id = here.call_id(key);
        let carrier = here.message_id(None, 0);
        let mut message =
            self.message(here, carrier.clone(), 0, MessageType::System, ContentType::ToolResult);
        message.text = Some(answer.text.text.clone());
        message.full_length = answer.text.full_length;
        message.is_error = answer.failed;
        here.batch.push(message);
        let mut result = self.tool_result(id.clone(), answer, here.line.span);
        result.message_id = Some(carrier);
        let record = here.batch.push(result);
        if let Some(key) = key {
            let answered_in = self.turns.number();
            let call = Call {
                id,
                call: None,
                result: Some(record),
                answered_in,
                event: None,
                failed: false,
                spare: None,
            };
            self.calls.by_key.insert(Text::from(key), call);
        }
        Outcome::Read
    }

    fn tool_result(&self, tool_call_id: Text, answer: Answer, span: Span) -> ToolResult {
        ToolResult {
            tool_call_id,
            message_id: None,
            session_id: self.blank.session_id.clone(),
            content: answer.text.text,
            full_length: answer.text.full_length,
            blocks: answer.blocks,
            is_error: answer.failed,
            file_path: None,
            span: Some(span),
        }
    }

    /// The thread is at its end: what no output said, an event did.
    pub(super) fn finish_calls(&mut self, batch: &mut Batch) {
        let calls = std::mem::take(&mut self.calls.by_key).into_values();
        let mut unanswered: Vec<Call> =
            calls.filter(|call| call.spare.is_some() && call.result.is_none()).collect();
        sort_by(&mut unanswered, |a, b| a.call.cmp(&b.call));
        for Call { id, failed, spare, .. } in unanswered {
            let Some(spare) = spare else { continue };
            let mut answer = (spare.reading)(&spare.raw, batch);
            answer.failed |= failed;
            let result = self.tool_result(id, answer, spare.span);
            batch.push(result);
        }
    }
}
