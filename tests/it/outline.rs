//! The assembled session as a person sees it: one line a step, nested by indentation. Compact
//! enough to be read in review, complete enough that a wrong fold, order or relation shows.

use std::fmt::Write as _;

use palimpsest_assembly::{Item, ItemCall, SessionDetail, SubagentDetail, SummaryItem, UsageTotals};
use palimpsest_record::{Block, Presentation, Superseded, Text, Timestamp, Visibility};

/// The outline of a session detail.
pub(crate) fn outline(detail: &SessionDetail) -> String {
    let mut out = Outline { text: String::new(), detail };
    out.session();
    out.conversation(0, &detail.messages, &detail.summaries);
    out.unlinked_agents();
    out.workflows();
    out.totals();
    out.text
}

struct Outline<'a> {
    text: String,
    detail: &'a SessionDetail,
}

impl Outline<'_> {
    fn line(&mut self, depth: usize, words: &[String]) {
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        writeln!(self.text, "{:indent$}{}", "", words.join(" "), indent = depth * 2).unwrap();
    }

    fn session(&mut self) {
        let session = &self.detail.session;
        let title = session.title.as_deref().map(quote).unwrap_or_default();
        self.line(0, &["session".to_owned(), session.id.to_string(), title]);
        let times = [session.started_at, session.ended_at].map(|time| time.map(|time| time.to_string()));
        let facts = [
            ("source", Some(session.source.to_string())),
            ("project", session.project.as_deref().map(quote)),
            ("cwd", session.cwd.as_deref().map(quote)),
            ("branch", session.git_branch.as_deref().map(quote)),
            ("version", session.version.as_deref().map(quote)),
            ("model", session.model.as_deref().map(quote)),
            ("forked from", session.forked_from.as_deref().map(quote)),
            ("from", times[0].clone()),
            ("to", times[1].clone()),
            ("messages", Some(session.message_count.to_string())),
        ];
        let known = facts.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?)));
        self.line(1, &[known.collect::<Vec<_>>().join(", ")]);
    }

    /// Items, and between them the summaries, each at its place.
    fn conversation(
        &mut self,
        depth: usize,
        items: &[std::sync::Arc<Item>],
        summaries: &[std::sync::Arc<SummaryItem>],
    ) {
        let mut summaries = summaries.iter().peekable();
        for item in items {
            while let Some(summary) = summaries.next_if(|summary| summary.seq < item.seq) {
                self.summary(depth, summary);
            }
            self.item(depth, item);
        }
        for summary in summaries {
            self.summary(depth, summary);
        }
    }

    fn summary(&mut self, depth: usize, summary: &SummaryItem) {
        let words = [
            format!("-- {} summary", summary.kind),
            clock(summary.timestamp),
            visibility(summary.visibility),
            summary.tokens_before.map(|tokens| format!("({tokens} tokens before)")).unwrap_or_default(),
            quote(&summary.content),
            cut(summary.full_length),
        ];
        self.line(depth, &words);
    }

    fn item(&mut self, depth: usize, item: &Item) {
        let type_word = word(&item.item_type);
        let content = word(&item.content_type);
        let plain = matches!(content.as_str(), "text" | "tool_use" | "thinking");
        let words = [
            type_word,
            clock(item.timestamp),
            item.role.as_ref().map(|role| format!("as {role}")).unwrap_or_default(),
            item.model.as_deref().map(str::to_owned).unwrap_or_default(),
            if plain { String::new() } else { format!("<{content}>") },
            flag(item.is_meta, "meta"),
            flag(item.is_error, "error"),
            visibility(item.visibility),
            item.superseded.as_ref().map(why).unwrap_or_default(),
            item.text.as_deref().map(quote).unwrap_or_default(),
            cut(item.full_length),
            blocks(&item.blocks),
            item.turn_duration_ms.map(|ms| format!("[turn {ms} ms]")).unwrap_or_default(),
        ];
        self.line(depth, &words);
        if let Some(thinking) = &item.thinking {
            self.line(depth + 1, &["thinking".to_owned(), quote(thinking), cut(item.thinking_full_length)]);
        }
        for call in &item.tool_calls {
            self.call(depth + 1, call);
        }
        if let Some(skill) = &item.skill_instructions {
            let length = cut(item.skill_instructions_full_length);
            self.line(depth + 1, &["instructions".to_owned(), quote(skill), length]);
        }
        if let Some(fork) = &item.branch_point {
            let children: Vec<&str> = fork.children.iter().map(Text::as_str).collect();
            self.line(depth + 1, &["branch point:".to_owned(), children.join(", ")]);
        }
    }

    fn call(&mut self, depth: usize, call: &ItemCall) {
        let result = match &call.result {
            None => "no result".to_owned(),
            Some(result) => {
                let word = if result.is_error { "error" } else { "ok" };
                let words = [
                    word.to_owned(),
                    quote(&result.content),
                    cut(result.full_length),
                    blocks(&result.blocks),
                ];
                words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
            }
        };
        let words = [
            if call.presentation == Presentation::Skill { "skill" } else { "call" }.to_owned(),
            call.name.to_string(),
            shorten(call.input.get()),
            cut(call.full_length),
            format!("-> {result}"),
        ];
        self.line(depth, &words);
        if let Some(link) = &call.subagent
            && let Some(agent) = self.detail.subagents.iter().find(|agent| agent.agent_id == link.agent_id)
        {
            self.agent(depth + 1, agent);
        }
        if let Some(link) = &call.workflow {
            self.line(depth + 1, &["workflow".to_owned(), link.run_id.to_string()]);
        }
    }

    fn agent(&mut self, depth: usize, agent: &SubagentDetail) {
        let words = [
            format!("subagent {}", agent.agent_id),
            agent.agent_type.as_deref().map(quote).unwrap_or_default(),
            agent.description.as_deref().map(quote).unwrap_or_default(),
            agent.duration_ms.map(|ms| format!("[{ms} ms]")).unwrap_or_default(),
            agent.total_tokens.map(|tokens| format!("[{tokens} tokens]")).unwrap_or_default(),
        ];
        self.line(depth, &words);
        // An agent inside its own call would nest without end; a log can say so.
        if depth < 40 {
            self.conversation(depth + 1, &agent.messages, &agent.summaries);
        }
    }

    /// Agents that no call shown above started.
    fn unlinked_agents(&mut self) {
        let shown = |agent: &&SubagentDetail| !self.text.contains(&format!("subagent {}", agent.agent_id));
        let rest: Vec<&SubagentDetail> = self.detail.subagents.iter().filter(shown).collect();
        for agent in rest {
            self.agent(0, agent);
        }
    }

    fn workflows(&mut self) {
        for run in &self.detail.workflows {
            let words = [
                format!("workflow {}", run.run_id),
                run.name.as_deref().map(quote).unwrap_or_default(),
                run.status.as_deref().map(str::to_owned).unwrap_or_default(),
                run.parent_tool_use_id.as_deref().map(|id| format!("by {id}")).unwrap_or_default(),
                run.result.as_deref().map(quote).unwrap_or_default(),
            ];
            self.line(0, &words);
            for agent in &run.agents {
                let words = [
                    format!("agent {}", agent.agent_id),
                    agent.label.as_deref().map(quote).unwrap_or_default(),
                    agent.phase.as_deref().map(quote).unwrap_or_default(),
                    agent.state.as_deref().map(str::to_owned).unwrap_or_default(),
                ];
                self.line(1, &words);
            }
        }
    }

    fn totals(&mut self) {
        let usage = &self.detail.usage;
        let parts = [
            ("total", &usage.total),
            ("visible", &usage.visible),
            ("main", &usage.main),
            ("subagents", &usage.subagents),
        ];
        for (name, totals) in parts {
            self.line(0, &[format!("usage {name}:"), tokens(totals)]);
        }
        let attests = self.detail.capabilities.attests_inactive;
        self.line(0, &[format!("attests inactive: {}", if attests { "yes" } else { "no" })]);
    }
}

fn tokens(totals: &UsageTotals) -> String {
    format!(
        "{} calls, {} in ({} cached, {} written), {} out ({} reasoning), {}",
        totals.requests,
        totals.input_tokens,
        totals.cached_input_tokens,
        totals.cache_write_tokens,
        totals.output_tokens,
        totals.reasoning_tokens,
        totals.cost_usd.map_or("no cost".to_owned(), |cost| format!("{cost:.6} USD")),
    )
}

fn clock(time: Option<Timestamp>) -> String {
    time.and_then(|time| time.to_string().get(11..19).map(str::to_owned)).unwrap_or_default()
}

fn visibility(visibility: Visibility) -> String {
    flag(visibility != Visibility::Visible, visibility.as_str())
}

fn flag(on: bool, word: &str) -> String {
    if on { format!("[{word}]") } else { String::new() }
}

fn why(superseded: &Superseded) -> String {
    let how = word(&superseded.how);
    let by = superseded.by.as_deref().map(|by| format!(" by {by}")).unwrap_or_default();
    let at = superseded.at.map(|at| format!(" at {}", clock(Some(at)))).unwrap_or_default();
    format!("({how}{by}{at})")
}

/// A variant's word in JSON.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()
}

fn cut(full_length: Option<u64>) -> String {
    full_length.map(|length| format!("(of {length} bytes)")).unwrap_or_default()
}

fn blocks(blocks: &[Block]) -> String {
    let words = blocks.iter().map(|block| match block {
        Block::Text { text, full_length } => format!("[{} {}]", quote(text), cut(*full_length)),
        Block::Image { media_type, encoded_length, url } => {
            format!("[image {:?} {:?} {:?}]", media_type.as_deref(), encoded_length, url.as_deref())
        }
        Block::File { name, media_type } => {
            format!("[file {:?} {:?}]", name.as_deref(), media_type.as_deref())
        }
        Block::Unknown { name } => format!("[unknown {name:?}]"),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn quote(text: &str) -> String {
    format!("{:?}", shorten(text))
}

/// The beginning of a long text: goldens are read by people.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 160;
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
