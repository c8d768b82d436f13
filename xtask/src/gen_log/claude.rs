//! A Claude Code log: one line for each block of a message, results in user lines that say everything twice, subagents between
//! them, compactions when the context is full.

use super::Shape;
use super::lines::Lines;
use std::io;

mod tools;

const MODEL: &str = "claude-opus-4-6";
const PROGRESS_BYTES: usize = 3_000_000;
const GIANT_BYTES: usize = 12_800_000;

/// A conversation that is being written.
struct Claude<'a, 'out> {
    log: &'a mut Lines<'out>,
    session: String,
    /// The line before, as JSON: a quoted id or `null`.
    parent: String,
    /// The subagent that speaks, if one does.
    agent: Option<String>,
    /// Tokens in the context.
    context: u64,
}

/// Writes turns until the log is full.
pub(super) fn write(shape: Shape, log: &mut Lines<'_>) -> io::Result<()> {
    let session = log.draw.uuid();
    let mut claude = Claude { log, session, parent: "null".to_owned(), agent: None, context: 18_000 };
    claude.snapshot(0)?;
    let mut giant_is_due = shape == Shape::Giant;
    while !claude.log.is_full() {
        if shape == Shape::Bloat {
            claude.progress_of_an_agent()?;
        }
        if giant_is_due && claude.log.written * 2 > claude.log.wanted {
            claude.giant()?;
            giant_is_due = false;
        }
        claude.turn()?;
    }
    let (summary, leaf) = (claude.log.sentence(), claude.parent);
    claude.log.push(&format!(r#"{{"type":"summary","summary":"{summary}","leafUuid":{leaf}}}"#))
}

impl Claude<'_, '_> {
    /// A prompt, rounds of tools, an answer.
    fn turn(&mut self) -> io::Result<()> {
        if self.log.draw.chance(100) {
            self.queue()?;
        }
        self.prompt()?;
        if self.log.draw.chance(300) {
            let files = self.log.draw.between(1, 8);
            self.snapshot(files)?;
        }
        for _ in 0..self.log.draw.size(9, 0.8, 1, 80) {
            if self.log.is_full() {
                break;
            }
            if self.log.draw.chance(30) {
                self.subagent()?
            } else {
                self.tool_round()?
            }
            if self.context > 160_000 {
                self.compact()?;
            }
        }
        let thinking = self.thinking(400);
        let bytes = self.log.draw.size(700, 0.8, 40, 6000);
        let answer = self.text(bytes);
        self.assistant(&[thinking, answer])?;
        let millis = self.log.draw.between(4000, 900_000);
        self.line("system", &format!(r#""subtype":"turn_duration","durationMs":{millis},"isMeta":false"#))
    }

    fn prompt(&mut self) -> io::Result<()> {
        let bytes = self.log.draw.size(160, 1.2, 8, 6000);
        let prose = self.log.prose(bytes);
        let content = match self.log.draw.below(100) {
            0..6 => {
                let picture = self.log.picture();
                format!(
                    r#"[{{"type":"text","text":"{prose}"}},{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{picture}"}}}}]"#
                )
            }
            6..12 => {
                let word = self.log.word();
                format!(
                    r#""<command-name>/{word}</command-name>\n<command-message>{word}</command-message>\n<command-args></command-args>""#
                )
            }
            _ => format!(r#""{prose}""#),
        };
        self.line(
            "user",
            &format!(
                r#""message":{{"role":"user","content":{content}}},"permissionMode":"acceptEdits","thinkingMetadata":{{"maxThinkingTokens":31999}},"todos":[]"#
            ),
        )
    }

    /// A message with thinking, words and calls, then what the calls gave.
    fn tool_round(&mut self) -> io::Result<()> {
        let mut blocks = Vec::new();
        if self.log.draw.chance(350) {
            let bytes = self.log.draw.size(600, 0.9, 60, 9000);
            blocks.push(self.thinking(bytes));
        }
        if self.log.draw.chance(450) {
            let bytes = self.log.draw.size(180, 0.8, 20, 2500);
            blocks.push(self.text(bytes));
        }
        let count = if self.log.draw.chance(800) { 1 } else { self.log.draw.between(2, 4) };
        let calls: Vec<tools::Call> = (0..count).map(|_| tools::call(self.log)).collect();
        blocks.extend(calls.iter().map(tools::Call::block));
        self.assistant(&blocks)?;
        for call in calls {
            if call.name == "Bash" && self.log.draw.chance(120) {
                self.progress_of_a_command(&call.id)?;
            }
            self.result(&call)?;
        }
        Ok(())
    }

    /// One API message: each block is a line of its own, with the message's id and usage again.
    fn assistant(&mut self, blocks: &[String]) -> io::Result<()> {
        let output = blocks.iter().map(String::len).sum::<usize>() as u64 / 4;
        self.context += output;
        let (message, request) = (self.log.draw.hex(24), self.log.draw.hex(24));
        let (input, written) = (self.log.draw.between(1, 12), self.log.draw.between(100, 6000));
        let read = self.context;
        for (number, block) in (1..).zip(blocks) {
            let is_last = number == blocks.len();
            let stop = match is_last {
                true if block.contains(r#""type":"tool_use""#) => r#""tool_use""#,
                true => r#""end_turn""#,
                false => "null",
            };
            let output = if is_last { output } else { number as u64 };
            self.line(
                "assistant",
                &format!(
                    r#""message":{{"model":"{MODEL}","id":"msg_01{message}","type":"message","role":"assistant","content":[{block}],"stop_reason":{stop},"stop_sequence":null,"usage":{{"input_tokens":{input},"cache_creation_input_tokens":{written},"cache_read_input_tokens":{read},"cache_creation":{{"ephemeral_5m_input_tokens":{written},"ephemeral_1h_input_tokens":0}},"output_tokens":{output},"service_tier":"standard"}}}},"requestId":"req_01{request}""#
                ),
            )?;
        }
        Ok(())
    }

    fn result(&mut self, call: &tools::Call) -> io::Result<()> {
        self.context += call.content.len() as u64 / 4;
        let is_error = if call.failed { r#","is_error":true"# } else { "" };
        self.line(
            "user",
            &format!(
                r#""message":{{"role":"user","content":[{{"tool_use_id":"{}","type":"tool_result","content":{}{is_error}}}]}},"toolUseResult":{},"sourceToolAssistantUUID":{}"#,
                call.id, call.content, call.result, self.parent
            ),
        )
    }

    /// A task given to a subagent, whose lines are recorded between the others.
    fn subagent(&mut self) -> io::Result<()> {
        let (bytes, longer) =
            (self.log.draw.size(900, 0.6, 200, 4000), self.log.draw.size(1500, 0.6, 200, 8000));
        let (prompt, answer, agent) = (self.log.prose(bytes), self.log.prose(longer), self.log.draw.hex(16));
        let call = tools::task(self.log, &prompt, &agent, &answer);
        self.assistant(&[call.block()])?;

        let caller = std::mem::replace(&mut self.parent, "null".to_owned());
        self.agent = Some(agent);
        self.line("user", &format!(r#""message":{{"role":"user","content":"{prompt}"}}"#))?;
        for _ in 0..self.log.draw.between(2, 14) {
            self.tool_round()?;
        }
        self.assistant(&[format!(r#"{{"type":"text","text":"{answer}"}}"#)])?;
        self.agent = None;
        self.parent = caller;
        self.result(&call)
    }

    fn compact(&mut self) -> io::Result<()> {
        let (before, last) = (self.context, std::mem::replace(&mut self.parent, "null".to_owned()));
        self.line(
            "system",
            &format!(
                r#""subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","logicalParentUuid":{last},"compactMetadata":{{"trigger":"auto","preTokens":{before}}}"#
            ),
        )?;
        self.context = 22_000;
        let bytes = self.log.draw.size(9000, 0.3, 4000, 20_000);
        let summary = self.log.prose(bytes);
        self.line(
            "user",
            &format!(
                r#""message":{{"role":"user","content":"This session is being continued from a previous conversation that ran out of context.\n{summary}"}},"isVisibleInTranscriptOnly":true,"isCompactSummary":true"#
            ),
        )
    }

    fn progress_of_a_command(&mut self, call: &str) -> io::Result<()> {
        for second in 1..=self.log.draw.between(1, 4) {
            let output = self.log.terminal(300);
            self.line(
                "progress",
                &format!(
                    r#""data":{{"type":"bash_progress","output":"{output}","fullOutput":"{output}","elapsedTimeSeconds":{second},"totalLines":5}},"toolUseID":"bash-progress-{second}","parentToolUseID":"{call}""#
                ),
            )?;
        }
        Ok(())
    }

    fn progress_of_an_agent(&mut self) -> io::Result<()> {
        let output = self.log.terminal(PROGRESS_BYTES);
        let (agent, inner, outer) = (self.log.draw.hex(16), self.log.draw.hex(24), self.log.draw.hex(24));
        self.line(
            "progress",
            &format!(
                r#""data":{{"type":"agent_progress","agentId":"{agent}","message":{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_01{inner}","content":"{output}"}}]}}}},"normalizedMessages":[]}},"toolUseID":"agent_msg_{agent}","parentToolUseID":"toolu_01{outer}""#
            ),
        )
    }

    fn giant(&mut self) -> io::Result<()> {
        let call = tools::bash(self.log, GIANT_BYTES);
        self.assistant(&[call.block()])?;
        self.result(&call)?;
        // It would fill the context for good.
        self.context = 22_000;
        Ok(())
    }

    fn queue(&mut self) -> io::Result<()> {
        let (session, words) = (self.session.clone(), self.log.sentence());
        for (operation, content) in
            [("enqueue", format!(r#","content":"{words}""#)), ("dequeue", String::new())]
        {
            let now = self.log.now();
            self.log.push(&format!(
                r#"{{"type":"queue-operation","operation":"{operation}","timestamp":"{now}","sessionId":"{session}"{content}}}"#
            ))?;
        }
        Ok(())
    }

    fn snapshot(&mut self, files: u64) -> io::Result<()> {
        let (message, now) = (self.log.draw.uuid(), self.log.now());
        let mut backups = Vec::new();
        for number in 0..files {
            let (file, hash) = (self.log.file(), self.log.draw.hex(16));
            backups.push(format!(
                r#""{file}{number}":{{"backupFileName":"{hash}@v2","version":2,"backupTime":"{now}"}}"#
            ));
        }
        self.log.push(&format!(
            r#"{{"type":"file-history-snapshot","messageId":"{message}","snapshot":{{"messageId":"{message}","trackedFileBackups":{{{}}},"timestamp":"{now}"}},"isSnapshotUpdate":{}}}"#,
            backups.join(","),
            files > 0
        ))
    }

    fn thinking(&mut self, bytes: usize) -> String {
        let signed = self.log.draw.size(500, 0.5, 200, 3000);
        let (thinking, signature) = (self.log.prose(bytes), self.log.noise(signed));
        format!(r#"{{"type":"thinking","thinking":"{thinking}","signature":"{signature}"}}"#)
    }

    fn text(&mut self, bytes: usize) -> String {
        format!(r#"{{"type":"text","text":"{}"}}"#, self.log.prose(bytes))
    }

    /// A line of the conversation, `fields` being what is its own.
    fn line(&mut self, kind: &str, fields: &str) -> io::Result<()> {
        let (id, now, session) = (self.log.draw.uuid(), self.log.now(), &self.session);
        let agent = match &self.agent {
            Some(agent) => format!(r#"true,"agentId":"{agent}""#),
            None => "false".to_owned(),
        };
        self.log.push(&format!(
            r#"{{"parentUuid":{},"isSidechain":{agent},"userType":"external","cwd":"/home/dev/project","sessionId":"{session}","version":"2.1.37","gitBranch":"main","type":"{kind}",{fields},"uuid":"{id}","timestamp":"{now}"}}"#,
            self.parent
        ))?;
        self.parent = format!(r#""{id}""#);
        Ok(())
    }
}
