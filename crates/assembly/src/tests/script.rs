//! Records in a line each: `KIND ID [WORD…] [KEY=VALUE…] ["TEXT"]`.
//!
//! - `user`, `assistant`, `system`, `think`, `skill`, `carrier`: a message (`skill`: instructions)
//! - `call ID NAME`: a call with a message of its own, `m:ID`, unless `in=` names the owner
//! - `result CALL`: a result with a carrier of its own, `r:CALL`, unless `by=` names one or `bare`
//! - `summary`, `agent`, `workflow`, `worker` (a workflow's agent), `turn MESSAGE ms=`, `delete`,
//!   `session`; a script without one ends with a session that says nothing
//!
//! Words: `inactive hidden meta error loads image parts delta attests`. Keys are the fields' short
//! names. `seq` is the line's number, unless it is given.

use std::collections::HashMap;

use palimpsest_record::{
    Block, ContentType, CountMode, DeleteSession, Json, Message, MessageType, ModelUsage, Presentation,
    Session, Span, Subagent, Summary, Superseded, SupersededBy, Text, Timestamp, ToolCall, ToolResult,
    TranscriptRecord, TurnDuration, Usage, Visibility, Workflow, WorkflowAgent,
};

pub(super) fn records(script: &str) -> Vec<TranscriptRecord> {
    let mut records: Vec<TranscriptRecord> = Vec::new();
    for (number, line) in script.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line = Line::parse(line.trim(), number as u64);
        line.records(&mut records);
    }
    if !records.iter().any(|record| matches!(record, TranscriptRecord::Session(_))) {
        records.push(TranscriptRecord::from(Session { id: "s".into(), ..Session::default() }));
    }
    records
}

struct Line<'a> {
    kind: &'a str,
    id: &'a str,
    words: Vec<&'a str>,
    keys: HashMap<&'a str, &'a str>,
    text: Option<Text>,
    number: u64,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str, number: u64) -> Line<'a> {
        let (head, text) = line.split_once('"').map_or((line, None), |(head, text)| (head, Some(text)));
        let mut parts = head.split_whitespace();
        let (kind, id) = (parts.next().unwrap(), parts.next().unwrap_or("s"));
        let (keys, words): (Vec<&str>, Vec<&str>) = parts.partition(|part| part.contains('='));
        let keys = keys.into_iter().map(|key| key.split_once('=').unwrap()).collect();
        let text = text.map(|text| Text::from(text.strip_suffix('"').unwrap().replace("\\n", "\n")));
        Line { kind, id, words, keys, text, number }
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    fn text(&self, key: &str) -> Option<Text> {
        self.keys.get(key).map(|&value| value.into())
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.keys.get(key).map(|value| value.parse().unwrap())
    }

    fn session_id(&self) -> Text {
        self.text("session").unwrap_or_else(|| "s".into())
    }

    fn visibility(&self) -> Visibility {
        match (self.has("inactive"), self.has("hidden")) {
            (true, _) => Visibility::Inactive,
            (_, true) => Visibility::Hidden,
            _ => Visibility::Visible,
        }
    }

    fn usage(&self) -> Option<Usage> {
        let any = ["input", "out", "cost", "request"].iter().any(|key| self.keys.contains_key(key));
        any.then(|| Usage {
            input_tokens: self.number("input").unwrap_or_default(),
            output_tokens: self.number("out").unwrap_or_default(),
            cost_usd: self.keys.get("cost").map(|cost| cost.parse().unwrap()),
            request: self.text("request"),
            ..Usage::default()
        })
    }

    fn blocks(&self) -> Vec<Block> {
        let image = || Block::Image { media_type: Some("image/png".into()), encoded_length: None, url: None };
        let part = |text: &str| Block::Text { text: text.into(), full_length: None };
        match &self.text {
            _ if self.has("image") => vec![image()],
            Some(text) if self.has("parts") => text.split('|').map(part).collect(),
            _ => Vec::new(),
        }
    }

    fn span(&self) -> Option<Span> {
        let line = u32::try_from(self.number("line")?).unwrap();
        let file = u32::try_from(self.number("file").unwrap_or_default()).unwrap();
        Some(Span {
            file,
            line_first: line,
            line_last: line,
            byte_start: u64::from(line) * 100,
            byte_end: u64::from(line) * 100 + 99,
        })
    }

    fn message(&self, id: &str, message_type: MessageType, content_type: ContentType) -> Message {
        Message {
            id: id.into(),
            session_id: self.session_id(),
            message_type,
            seq: self.number("seq").unwrap_or(self.number),
            timestamp: self.number("time").map(|s| Timestamp::from_millis(s as i64 * 1000)),
            text: self.text.clone().filter(|_| !self.has("parts")),
            full_length: self.number("len"),
            blocks: self.blocks(),
            content_type,
            is_meta: self.has("meta"),
            visibility: self.visibility(),
            superseded: self.has("inactive").then_some(Superseded {
                how: SupersededBy::LeftBranch,
                at: None,
                by: None,
            }),
            model: self.text("model"),
            agent_id: self.text("agent"),
            usage: self.usage(),
            skill_call_id: self.text("loaded"),
            is_error: self.has("error"),
            turn_duration_ms: self.number("ms"),
            branches: self
                .keys
                .get("branches")
                .map_or_else(Vec::new, |ids| ids.split(',').map(Text::from).collect()),
            span: self.span(),
            source: "script".into(),
            ..Message::default()
        }
    }

    fn records(&self, records: &mut Vec<TranscriptRecord>) {
        use ContentType as Content;
        use MessageType::{Assistant, System, User};
        let kind = self
            .keys
            .get("type")
            .map_or(Content::Text, |word| serde_json::from_value(serde_json::Value::from(*word)).unwrap());
        let record = match self.kind {
            "user" => TranscriptRecord::from(self.message(self.id, User, kind)),
            "assistant" => TranscriptRecord::from(self.message(self.id, Assistant, kind)),
            "system" => TranscriptRecord::from(self.message(self.id, System, kind)),
            "think" => TranscriptRecord::from(self.message(self.id, Assistant, Content::Thinking)),
            "carrier" => TranscriptRecord::from(self.message(self.id, User, Content::ToolResult)),
            "skill" => TranscriptRecord::from(Message {
                is_meta: true,
                ..self.message(self.id, User, Content::SkillInstructions)
            }),
            "call" => return self.call(records),
            "result" => return self.result(records),
            _ => self.other(),
        };
        records.push(record);
    }

    fn call(&self, records: &mut Vec<TranscriptRecord>) {
        let own = format!("m:{}", self.id);
        let message_id = self.text("in").unwrap_or_else(|| own.as_str().into());
        if !self.keys.contains_key("in") {
            let message = self.message(&own, MessageType::Assistant, ContentType::ToolUse);
            records.push(TranscriptRecord::from(message));
        }
        records.push(TranscriptRecord::from(ToolCall {
            id: self.id.into(),
            message_id,
            session_id: self.session_id(),
            index: self.text("nth").map_or(0, |place| place.parse().unwrap()),
            name: self.words.first().copied().unwrap_or("Tool").into(),
            presentation: if self.has("loads") { Presentation::Skill } else { Presentation::Default },
            input: Json::parse(r#"{"a":[1.50]}"#).unwrap(),
            full_length: None,
            file_path: self.text("path"),
            span: self.span(),
        }));
    }

    fn result(&self, records: &mut Vec<TranscriptRecord>) {
        let own = format!("r:{}", self.id);
        let mut message_id = self.text("by");
        if message_id.is_none() && !self.has("bare") {
            message_id = Some(own.as_str().into());
            let message = self.message(&own, MessageType::User, ContentType::ToolResult);
            records.push(TranscriptRecord::from(Message { is_error: false, blocks: Vec::new(), ..message }));
        }
        records.push(TranscriptRecord::from(ToolResult {
            tool_call_id: self.id.into(),
            message_id,
            session_id: self.session_id(),
            content: self.text.clone().filter(|_| !self.has("parts")).unwrap_or_default(),
            full_length: self.number("len"),
            blocks: self.blocks(),
            is_error: self.has("error"),
            file_path: None,
            span: self.span(),
        }));
    }

    fn other(&self) -> TranscriptRecord {
        let id: Text = self.id.into();
        let (session_id, timestamp) = (self.session_id(), None);
        let (parent_tool_call_id, duration_ms) = (self.text("parent"), self.number("ms"));
        match self.kind {
            "summary" => TranscriptRecord::from(Summary {
                id,
                session_id,
                agent_id: self.text("agent"),
                seq: self.number("seq").unwrap_or(self.number),
                summary_kind: self.text("kind").unwrap_or_else(|| "compaction".into()),
                content: self.text.clone().unwrap_or_default(),
                visibility: self.visibility(),
                usage: self.usage(),
                ..Summary::default()
            }),
            "agent" => TranscriptRecord::from(Subagent {
                agent_id: id,
                session_id,
                parent_tool_call_id,
                agent_type: self.text("kind"),
                description: self.text.clone(),
                duration_ms,
                total_tokens: self.number("tokens"),
            }),
            "workflow" => TranscriptRecord::from(Workflow {
                run_id: id,
                session_id,
                parent_tool_call_id,
                name: self.text.clone(),
                status: self.text("status"),
                timestamp,
                duration_ms,
                ..Workflow::default()
            }),
            "worker" => TranscriptRecord::from(WorkflowAgent {
                agent_id: id,
                run_id: self.text("run").unwrap(),
                session_id,
                label: self.text.clone(),
                state: self.text("state"),
                duration_ms,
                ..WorkflowAgent::default()
            }),
            "turn" => TranscriptRecord::TurnDuration(TurnDuration {
                message_id: id,
                duration_ms: duration_ms.unwrap(),
            }),
            "delete" => TranscriptRecord::DeleteSession(DeleteSession { session_id: id }),
            "session" => TranscriptRecord::from(self.session()),
            other => panic!("no such kind of line: {other}"),
        }
    }

    fn session(&self) -> Session {
        let model_usage = self.usage().map(|usage| ModelUsage {
            model: "m".into(),
            usage,
            requests: self.number("requests").unwrap_or(1),
        });
        Session {
            id: self.id.into(),
            title: self.text.clone(),
            model_usage: model_usage.into_iter().collect(),
            count_mode: if self.has("delta") { CountMode::Delta } else { CountMode::Total },
            attests_inactive: self.has("attests"),
            source: "script".into(),
            ..Session::default()
        }
    }
}
