//! Events about tool calls: how they ended, in both generations of the event stream.

use palimpsest_record::{Json, Text};
use serde_json::value::RawValue;

use super::calls::{Called, Ending};
use super::here::Here;
use super::output::{Answer, Reading};
use super::shapes::event::{Event, event_name};
use super::thread::Thread;
use super::tools::{of_json, of_words};
use crate::Outcome;

impl Thread {
    /// An event about a tool call; `None` where it is about something else.
    pub(super) fn tool_event(
        &mut self,
        here: &mut Here<'_, '_>,
        event: &Event<'_>,
        kind: &str,
    ) -> Option<Outcome> {
        let key = event.key();
        Some(match kind {
            // A person's own command stands in their message.
            "exec_command_end" | "CommandExecution" if is_own_command(event) => {
                here.not_shown(event_name(kind))
            }
            "exec_command_end" | "CommandExecution" => {
                let output = event.aggregated_output.or(event.stdout);
                self.call_ended(here, key, &ending(event, output, Answer::of_string), |_| command(event))
            }
            "patch_apply_end" | "FileChange" => {
                let output = event.stdout.filter(|raw| raw.get() != "\"\"").or(event.stderr);
                self.call_ended(here, key, &ending(event, output, Answer::of_string), |batch| Called {
                    file_path: only_key(event.changes),
                    ..of_json("apply_patch", event.changes, batch)
                })
            }
            "mcp_tool_call_end" | "McpToolCall" => {
                let invocation = event.invocation.0.as_ref();
                let tool = invocation.map_or(&event.tool, |invocation| &invocation.tool);
                let arguments = invocation.map_or(event.arguments, |invocation| invocation.arguments);
                let ending = or_error(event, event.result, Answer::of_mcp);
                self.call_ended(here, key, &ending, |batch| {
                    of_json(tool.text().unwrap_or("mcp"), arguments, batch)
                })
            }
            "dynamic_tool_call_request" | "dynamic_tool_call_response" | "DynamicToolCall" => {
                let ending = or_error(event, event.content_items, Answer::of_list);
                self.call_ended(here, key, &ending, |batch| {
                    of_json(event.tool.text().unwrap_or("dynamic"), event.arguments, batch)
                })
            }
            "view_image_tool_call" | "ImageView" => {
                self.call_ended(here, key, &Ending::default(), |_| Called {
                    file_path: event.path.text().map(Text::from),
                    ..of_words("view_image", &[("path", event.path.text())])
                })
            }
            "image_generation_end" | "ImageGeneration" => {
                self.call_ended(here, key, &ending(event, event.result, Answer::of_picture), |_| {
                    of_words("image_generation", &[("prompt", event.revised_prompt.text())])
                })
            }
            "web_search_end" | "WebSearch" | "Extension" => self.search_ended(here, event),
            _ => return self.agent_event(here, event, kind),
        })
    }
}

/// The end of a call that gave `output`.
fn ending<'a>(event: &Event<'a>, output: Option<&'a RawValue>, reading: Reading) -> Ending<'a> {
    let failed = event.exit_code.is_some_and(|code| code != 0.0)
        || *event.success == Some(false)
        || matches!(event.status.text(), Some("failed" | "declined"));
    Ending { output: output.map(|raw| (raw.get(), reading)), failed }
}

/// The same, where an error may stand in the output's place.
fn or_error<'a>(event: &Event<'a>, output: Option<&'a RawValue>, reading: Reading) -> Ending<'a> {
    match event.error {
        Some(error) => Ending { failed: true, ..ending(event, Some(error), Answer::of_error) },
        None => ending(event, output, reading),
    }
}

fn is_own_command(event: &Event<'_>) -> bool {
    matches!(event.source.text(), Some("user_shell" | "userShell"))
}

/// A command that no item tells of, with its folder.
fn command(event: &Event<'_>) -> Called<'static> {
    let command = event.command.map_or("null", RawValue::get);
    let input = match event.cwd.text() {
        Some(cwd) => format!("{{\"command\":{command},\"cwd\":{}}}", Json::string(cwd).get()),
        None => format!("{{\"command\":{command}}}"),
    };
    let input = Json::parse(&input).unwrap_or_default();
    Called { name: "exec_command", input, full_length: None, file_path: None }
}

/// The only key of an object.
fn only_key(object: Option<&RawValue>) -> Option<Text> {
    let object = crate::Object::parse(object?.get())?;
    let mut keys = object.keys();
    keys.next().filter(|_| keys.next().is_none()).map(Text::from)
}
