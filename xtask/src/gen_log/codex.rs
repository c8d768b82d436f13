//! A Codex log: nearly everything is said twice, as an event for its own screen and as an item for the model, with the running
//! totals of tokens after each call.

use super::lines::Lines;
use super::text::escaped;
use std::io;

/// A conversation that is being written.
struct Codex<'a, 'out> {
    log: &'a mut Lines<'out>,
    turn: String,
    /// Tokens in the context, and all that were ever sent and received.
    context: u64,
    sent: u64,
    received: u64,
}

/// Writes turns until the log is full.
pub(super) fn write(log: &mut Lines<'_>) -> io::Result<()> {
    let mut codex = Codex { log, turn: String::new(), context: 15_000, sent: 0, received: 0 };
    codex.head()?;
    while !codex.log.is_full() {
        codex.turn()?;
    }
    Ok(())
}

impl Codex<'_, '_> {
    fn head(&mut self) -> io::Result<()> {
        let (session, now, instructions) = (self.log.draw.uuid(), self.log.now(), self.log.prose(12_000));
        self.line(
            "session_meta",
            &format!(
                r#"{{"id":"{session}","timestamp":"{now}","cwd":"/home/dev/project","originator":"codex_cli_rs","cli_version":"0.118.0","source":"cli","model_provider":"openai","base_instructions":{{"text":"{instructions}"}},"git":{{"branch":"main","repository_url":"https://example.com/x.git"}}}}"#
            ),
        )?;
        let permissions = self.log.prose(2500);
        self.message("developer", &format!(r"<permissions instructions>\n{permissions}"), "")?;
        self.message(
            "user",
            r"<environment_context>\n  <cwd>/home/dev/project</cwd>\n</environment_context>",
            "",
        )
    }

    /// A prompt, thoughts and calls, an answer.
    fn turn(&mut self) -> io::Result<()> {
        self.turn = self.log.draw.uuid();
        let turn = self.turn.clone();
        self.event(&format!(r#""type":"task_started","turn_id":"{turn}","model_context_window":272000"#))?;
        let instructions = self.log.prose(3000);
        self.line(
            "turn_context",
            &format!(
                r#"{{"turn_id":"{turn}","cwd":"/home/dev/project","approval_policy":"on-request","sandbox_policy":{{"type":"workspace-write","network_access":false}},"model":"gpt-5.4-codex","effort":"high","summary":"auto","user_instructions":"{instructions}"}}"#
            ),
        )?;
        self.prompt()?;
        for _ in 0..self.log.draw.size(9, 0.8, 1, 80) {
            if self.log.is_full() {
                break;
            }
            self.round()?;
        }
        let bytes = self.log.draw.size(900, 0.7, 60, 6000);
        let answer = self.log.prose(bytes);
        self.says(&answer, "final_answer")?;
        self.event(&format!(r#""type":"task_complete","turn_id":"{turn}","last_agent_message":"{answer}""#))
    }

    fn prompt(&mut self) -> io::Result<()> {
        let bytes = self.log.draw.size(160, 1.2, 8, 6000);
        let prompt = self.log.prose(bytes);
        let picture = if self.log.draw.chance(50) {
            format!(r#",{{"type":"input_image","image_url":"data:image/png;base64,{}"}}"#, self.log.picture())
        } else {
            String::new()
        };
        self.message("user", &prompt, &picture)?;
        self.event(&format!(
            r#""type":"user_message","message":"{prompt}","images":[],"local_images":[],"text_elements":[]"#
        ))
    }

    fn round(&mut self) -> io::Result<()> {
        if self.log.draw.chance(500) {
            let (bytes, sealed) =
                (self.log.draw.size(250, 0.7, 30, 2500), self.log.draw.size(1800, 0.6, 400, 12_000));
            let (thought, sealed) = (self.log.prose(bytes), self.log.noise(sealed));
            self.event(&format!(r#""type":"agent_reasoning","text":"{thought}""#))?;
            self.item(&format!(
                r#""type":"reasoning","summary":[{{"type":"summary_text","text":"{thought}"}}],"content":null,"encrypted_content":"{sealed}""#
            ))?;
        }
        if self.log.draw.chance(300) {
            let bytes = self.log.draw.size(180, 0.7, 20, 2000);
            let words = self.log.prose(bytes);
            self.says(&words, "commentary")?;
        }
        if self.log.draw.chance(800) {
            self.command()?
        } else {
            self.patch()?
        }
        self.tokens()?;
        if self.context > 240_000 {
            self.compact()?;
        }
        Ok(())
    }

    fn command(&mut self) -> io::Result<()> {
        let (call, name, turn) = (self.log.draw.hex(24), self.log.name(), self.turn.clone());
        let bytes = self.log.draw.size(2500, 1.3, 0, 40_000);
        let output = if self.log.draw.chance(330) { self.log.terminal(bytes) } else { self.log.code(bytes) };
        let command = format!("rg -n {name} src");
        let code = u8::from(self.log.draw.chance(80));
        let arguments = format!(
            r#"{{"cmd":"{command}","workdir":"/home/dev/project","yield_time_ms":1000,"max_output_tokens":6000}}"#
        );
        self.item(&format!(
            r#""type":"function_call","name":"exec_command","arguments":"{}","call_id":"call_{call}""#,
            escaped(&arguments)
        ))?;
        if self.log.draw.chance(300) {
            self.event(&format!(
                r#""type":"exec_command_end","call_id":"call_{call}","process_id":"4711","turn_id":"{turn}","command":["/bin/bash","-lc","{command}"],"cwd":"/home/dev/project","parsed_cmd":[{{"type":"unknown","cmd":"{command}"}}],"stdout":"","stderr":"","aggregated_output":"{output}","exit_code":{code},"duration":{{"secs":0,"nanos":52100000}},"formatted_output":"","status":"completed""#
            ))?;
        }
        let tokens = output.len() / 4;
        self.context += tokens as u64;
        self.item(&format!(
            r#""type":"function_call_output","call_id":"call_{call}","output":"Chunk ID: 0f3a9c\nWall time: 0.0521 seconds\nProcess exited with code {code}\nOriginal token count: {tokens}\nOutput:\n{output}""#
        ))
    }

    fn patch(&mut self) -> io::Result<()> {
        let (call, file, turn) = (self.log.draw.hex(24), self.log.file(), self.turn.clone());
        let bytes = self.log.draw.size(700, 0.8, 60, 8000);
        let change = format!(r"@@\n+{}\n", self.log.code(bytes).replace(r"\n", r"\n+"));
        self.context += change.len() as u64 / 4;
        self.item(&format!(
            r#""type":"custom_tool_call","status":"completed","call_id":"call_{call}","name":"apply_patch","input":"*** Begin Patch\n*** Update File: {file}\n{change}*** End Patch\n""#
        ))?;
        let said = format!(r"Success. Updated the following files:\nM {file}\n");
        self.event(&format!(
            r#""type":"patch_apply_end","call_id":"call_{call}","turn_id":"{turn}","stdout":"{said}","stderr":"","success":true,"changes":{{"{file}":{{"type":"update","unified_diff":"{change}","move_path":null}}}},"status":"completed""#
        ))?;
        let output = format!(r#"{{"output":"{said}","metadata":{{"exit_code":0,"duration_seconds":0.0}}}}"#);
        self.item(&format!(
            r#""type":"custom_tool_call_output","call_id":"call_{call}","output":"{}""#,
            escaped(&output)
        ))
    }

    fn tokens(&mut self) -> io::Result<()> {
        let (input, output) = (self.context, self.log.draw.between(30, 1500));
        self.sent += input;
        self.received += output;
        let usage = |input: u64, output: u64| {
            format!(
                r#"{{"input_tokens":{input},"cached_input_tokens":{},"output_tokens":{output},"reasoning_output_tokens":{},"total_tokens":{}}}"#,
                input / 10 * 9,
                output / 3,
                input + output
            )
        };
        let (total, last) = (usage(self.sent, self.received), usage(input, output));
        self.event(&format!(
            r#""type":"token_count","info":{{"total_token_usage":{total},"last_token_usage":{last},"model_context_window":272000}},"rate_limits":{{"primary":{{"used_percent":12.0,"window_minutes":300,"resets_at":1767229200}},"secondary":{{"used_percent":3.0,"window_minutes":10080,"resets_at":1767829200}},"credits":null,"plan_type":"pro"}}"#
        ))
    }

    fn compact(&mut self) -> io::Result<()> {
        self.context = 20_000;
        let mut history = Vec::new();
        for _ in 0..self.log.draw.between(3, 12) {
            let bytes = self.log.draw.size(400, 0.8, 40, 3000);
            let words = self.log.prose(bytes);
            history.push(format!(
                r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{words}"}}]}}"#
            ));
        }
        let (history, sealed) = (history.join(","), self.log.noise(12_000));
        self.line(
            "compacted",
            &format!(
                r#"{{"message":"","replacement_history":[{history},{{"type":"compaction","encrypted_content":"{sealed}"}}]}}"#
            ),
        )?;
        self.event(r#""type":"context_compacted""#)
    }

    fn says(&mut self, words: &str, phase: &str) -> io::Result<()> {
        self.event(&format!(r#""type":"agent_message","message":"{words}","phase":"{phase}""#))?;
        self.item(&format!(
            r#""type":"message","role":"assistant","content":[{{"type":"output_text","text":"{words}"}}],"phase":"{phase}""#
        ))
    }

    fn message(&mut self, role: &str, words: &str, more: &str) -> io::Result<()> {
        self.item(&format!(
            r#""type":"message","role":"{role}","content":[{{"type":"input_text","text":"{words}"}}{more}]"#
        ))
    }

    fn item(&mut self, fields: &str) -> io::Result<()> {
        self.line("response_item", &format!("{{{fields}}}"))
    }

    fn event(&mut self, fields: &str) -> io::Result<()> {
        self.line("event_msg", &format!("{{{fields}}}"))
    }

    fn line(&mut self, kind: &str, payload: &str) -> io::Result<()> {
        let now = self.log.now();
        self.log.push(&format!(r#"{{"timestamp":"{now}","type":"{kind}","payload":{payload}}}"#))
    }
}
