//! What the product says about the conversation: borders of turns, rollbacks, reviews, errors.

use palimpsest_record::{ContentType, MessageType, Text, Visibility};

use super::here::Here;
use super::output::error_message;
use super::shapes::event::{Event, Finding, Review, event_name};
use super::shapes::open;
use super::thread::Thread;
use crate::Outcome;
use crate::json::Nested;

/// What a notice is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tone {
    Note,
    Error,
}

impl Thread {
    /// Any other event; `None` where this version does not know it.
    pub(super) fn notice_event(
        &mut self,
        here: &mut Here<'_, '_>,
        event: &Event<'_>,
        kind: &str,
    ) -> Option<Outcome> {
        Some(match kind {
            "task_complete" | "turn_complete" => self.turn_complete(here, event, kind),
            "turn_aborted" => {
                let reason = event.reason.text().unwrap_or_default();
                self.notice(here, &aborted(reason), Tone::Note)
            }
            "thread_rolled_back" => self.rolled_back(here, event, kind),
            "undo_completed" => self.undone(here, event),
            "context_compacted" | "ContextCompaction" => self.context_compacted(here),
            "entered_review_mode" | "EnteredReviewMode" => {
                let hint = event.user_facing_hint.text().filter(|hint| !hint.is_empty());
                let text =
                    hint.map_or("Review started.".to_owned(), |hint| format!("Review started: {hint}"));
                self.notice(here, &text, Tone::Note)
            }
            "exited_review_mode" | "ExitedReviewMode" => self.reviewed(here, event),
            "error" => {
                let text = event.message.text().map(str::to_owned);
                let text = text.or_else(|| error_message(event.error?.get())).unwrap_or_default();
                self.error(here, &text, kind)
            }
            "warning" | "guardian_warning" | "stream_error" | "deprecation_notice" | "background_event" => {
                match event.message.text().filter(|text| !text.trim().is_empty()) {
                    Some(text) => self.notice(here, text, Tone::Note),
                    None => here.not_shown(event_name(kind)),
                }
            }
            "thread_name_updated" => {
                let name = event.thread_name.text().filter(|name| !name.trim().is_empty());
                if let Some(name) = name.filter(|_| !self.fork.is_inherited()) {
                    self.facts.title = Some(Text::from(name.trim()));
                }
                here.not_shown(event_name(kind))
            }
            kind if is_transport(kind) => here.not_shown(event_name(kind)),
            _ => return None,
        })
    }

    /// `task_complete`. The last answer in it repeats one that is there.
    fn turn_complete(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>, kind: &str) -> Outcome {
        let last_answer = self.turns.current.last_answer.and_then(|record| here.batch.message_mut(record));
        if let (Some(answer), Some(duration)) = (last_answer, *event.duration_ms) {
            answer.turn_duration_ms = Some(duration);
        }
        let error = event.error.and_then(|raw| error_message(raw.get()));
        let outcome = match error.filter(|error| self.turns.current.last_error.as_deref() != Some(error)) {
            Some(error) => self.error(here, &error, kind),
            None => here.not_shown(event_name(kind)),
        };
        self.turns.end();
        outcome
    }

    fn rolled_back(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>, kind: &str) -> Outcome {
        let Some(count) = event.num_turns.filter(|count| *count > 0) else {
            return here.not_shown(event_name(kind));
        };
        self.close_turn(here);
        self.prompts.forget();
        let text = match count {
            1 => "The last turn was rolled back.".to_owned(),
            count => format!("The last {count} turns were rolled back."),
        };
        let marker = Text::from(here.line_id(0));
        self.turns.roll_back(here.seq(0), count, here.timestamp(), &marker);
        self.notice(here, &text, Tone::Note)
    }

    /// `undo_completed`: the working tree is what it was; no turn is superseded.
    fn undone(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>) -> Outcome {
        let failed = *event.success == Some(false);
        let message = event.message.text().filter(|message| !message.trim().is_empty());
        let text = match (message, failed) {
            (Some(message), _) => message,
            (None, true) => "Undo failed.",
            (None, false) => "Undo: the working tree was restored.",
        };
        self.notice(here, text, if failed { Tone::Error } else { Tone::Note })
    }

    /// `exited_review_mode`: newer versions repeat what the review found as an answer.
    fn reviewed(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>) -> Outcome {
        let outcome = self.notice(here, "Review finished.", Tone::Note);
        let Some(review) = event.review_output.0.as_ref() else { return outcome };
        let text = findings(review);
        if text.is_empty() {
            return outcome;
        }
        let id = here.message_id(None, 1);
        let message = self.message(here, id, 1, MessageType::Assistant, ContentType::Text);
        let record = self.say(here, message, &text);
        let explanation = review.overall_explanation.text().map(str::trim).unwrap_or_default();
        self.review = Some((record, Text::from(explanation)));
        outcome
    }

    /// The agent answers: where that repeats the review before it, the review's own text is hidden.
    pub(super) fn answers_review(&mut self, here: &mut Here<'_, '_>, answer: &str) {
        let Some((record, explanation)) = self.review.take() else { return };
        if explanation.is_empty() || !answer.contains(explanation.as_str()) {
            return;
        }
        if let Some(message) = here.batch.message_mut(record) {
            message.visibility = Visibility::Hidden;
        }
    }

    fn error(&mut self, here: &mut Here<'_, '_>, text: &str, kind: &str) -> Outcome {
        if text.trim().is_empty() {
            return here.not_shown(event_name(kind));
        }
        self.turns.current.last_error = Some(Text::from(text));
        self.notice(here, text, Tone::Error)
    }

    fn notice(&mut self, here: &mut Here<'_, '_>, text: &str, tone: Tone) -> Outcome {
        self.act(here);
        let content_type = if tone == Tone::Error { ContentType::Error } else { ContentType::Text };
        let id = here.message_id(None, 0);
        let mut message = self.message(here, id, 0, MessageType::System, content_type);
        message.is_error = tone == Tone::Error;
        message.is_meta = tone == Tone::Note;
        self.say(here, message, text);
        Outcome::Read
    }
}

fn aborted(reason: &str) -> String {
    match reason {
        "" => "The turn was aborted.".to_owned(),
        "interrupted" => "The turn was interrupted.".to_owned(),
        "replaced" => "The turn was replaced by another.".to_owned(),
        "review_ended" => "The review was ended.".to_owned(),
        reason => format!("The turn was aborted: {reason}."),
    }
}

/// What a review says, as Markdown.
fn findings(review: &Review<'_>) -> String {
    let mut lines = Vec::new();
    lines.extend(review.overall_correctness.text().map(|verdict| format!("**{verdict}**")));
    lines.extend(review.overall_explanation.text().map(str::to_owned));
    let found: Vec<Nested<Finding<'_>>> = open(review.findings).unwrap_or_default();
    for finding in found.iter().filter_map(|finding| finding.0.as_ref()) {
        let place = finding.code_location.0.as_ref().and_then(|place| {
            let lines = place.line_range.0.as_ref();
            let number = |line: Option<u64>| line.map(|line| line.to_string());
            let range = lines.and_then(|lines| Some((number(*lines.start)?, number(*lines.end)?)));
            let path = place.absolute_file_path.text()?;
            Some(range.map_or(path.to_owned(), |(start, end)| format!("{path}:{start}-{end}")))
        });
        let title = finding.title.text().unwrap_or_default();
        let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
        let body = finding.body.text().map(|body| format!("\n{body}")).unwrap_or_default();
        lines.push(format!("- {title}{place}{body}"));
    }
    lines.retain(|line| !line.trim().is_empty());
    lines.join("\n\n")
}

/// Events that repeat what items say, tell of progress, or are between the product and its client.
fn is_transport(kind: &str) -> bool {
    const KINDS: &[&str] = &[
        "thread_goal_updated",
        "thread_settings_applied",
        "guardian_assessment",
        "agent_reasoning_section_break",
        "agent_message_delta",
        "agent_message_content_delta",
        "agent_reasoning_delta",
        "agent_reasoning_raw_content_delta",
        "reasoning_content_delta",
        "reasoning_raw_content_delta",
        "plan_delta",
        "plan_update",
        "turn_diff",
        "item_started",
        "raw_response_item",
        "session_configured",
        "shutdown_complete",
        "undo_started",
        "exec_command_begin",
        "exec_command_output_delta",
        "terminal_interaction",
        "exec_approval_request",
        "apply_patch_approval_request",
        "patch_apply_begin",
        "patch_apply_updated",
        "mcp_tool_call_begin",
        "mcp_startup_update",
        "mcp_startup_complete",
        "web_search_begin",
        "image_generation_begin",
        "request_permissions",
        "request_user_input",
        "elicitation_request",
        "hook_started",
        "hook_completed",
        "model_reroute",
        "model_verification",
        "safety_buffering",
        "turn_moderation_metadata",
        "collab_agent_spawn_begin",
        "collab_agent_interaction_begin",
        "collab_waiting_begin",
        "collab_close_begin",
        "collab_resume_begin",
        "HookPrompt",
        "Sleep",
    ];
    KINDS.contains(&kind) || kind.starts_with("realtime_conversation_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_written_out() {
        let review: Review<'_> = serde_json::from_str(
            r#"{"overall_correctness":"patch is incorrect","overall_explanation":"The lid leaks.","findings":[
                {"title":"[P1] Close the lid","body":"It leaks.","code_location":{"absolute_file_path":"/w/lid.rs","line_range":{"start":3,"end":5}}},
                {"title":"No place"},7]}"#,
        )
        .unwrap();
        assert_eq!(
            findings(&review),
            "**patch is incorrect**\n\nThe lid leaks.\n\n- [P1] Close the lid (/w/lid.rs:3-5)\nIt leaks.\n\n- No place"
        );
        assert_eq!(findings(&Review::default()), "");
    }
}
