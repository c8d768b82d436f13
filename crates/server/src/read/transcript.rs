//! A session for a person at a terminal: read top to bottom, with what is long cut short.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use palimpsest_assembly::{Item, ItemCall, ItemResult, SessionDetail, SubagentDetail, SummaryItem};
use palimpsest_providers::Receipt;
use palimpsest_record::{Block, ContentType, Json, MessageType, SupersededBy, Visibility};

use crate::read::terminal::{Look, Style, safe, safe_line};

/// Lines of a result or of injected material that are shown.
const EXCERPT_LINES: usize = 8;
/// Characters of one line that are shown where only an excerpt is.
const EXCERPT_WIDTH: usize = 160;
/// Subagents inside subagents are drawn inside one another so deep; deeper ones follow at the end.
const DEEPEST: usize = 6;

/// Prints the session, its summaries and subagents in place, and the receipt as the last line.
pub(super) fn print(
    detail: &SessionDetail,
    receipt: &Receipt,
    look: Look,
    out: &mut impl Write,
) -> io::Result<()> {
    let agents = detail.subagents.iter().map(|agent| (agent.agent_id.as_str(), agent)).collect();
    let mut printer = Printer { out, look, agents, indent: String::new() };
    printer.head(detail)?;
    printer.conversation(&detail.messages, &detail.summaries, 0)?;
    for agent in &detail.subagents {
        if printer.agents.remove(agent.agent_id.as_str()).is_some() {
            printer.agent(agent, 0)?;
        }
    }
    printer.foot(detail, receipt)
}

struct Printer<'a, W> {
    out: &'a mut W,
    look: Look,
    /// Subagents that were not printed yet.
    agents: HashMap<&'a str, &'a SubagentDetail>,
    /// What every line begins with.
    indent: String,
}

impl<'a, W: Write> Printer<'a, W> {
    fn head(&mut self, detail: &SessionDetail) -> io::Result<()> {
        let session = &detail.session;
        let title = session.title.as_deref().map_or_else(|| safe_line(&session.id), safe_line);
        self.line(Style::Strong, &title)?;
        let times = [session.started_at, session.ended_at].map(|time| time.map(|time| time.to_string()));
        let facts = [
            Some(session.source.to_string()),
            session.cwd.as_deref().map(safe_line),
            session.git_branch.as_deref().map(safe_line),
            session.model.as_deref().map(safe_line),
            Some(times.into_iter().flatten().collect::<Vec<_>>().join(" to ")),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().filter(|fact| !fact.is_empty()).collect();
        self.line(Style::Dim, &facts.join(" · "))
    }

    fn conversation(
        &mut self,
        items: &'a [Arc<Item>],
        summaries: &[Arc<SummaryItem>],
        depth: usize,
    ) -> io::Result<()> {
        let mut summaries = summaries.iter().peekable();
        for item in items {
            while let Some(summary) = summaries.next_if(|summary| summary.seq < item.seq) {
                self.summary(summary)?;
            }
            self.item(item, depth)?;
        }
        summaries.try_for_each(|summary| self.summary(summary))
    }

    fn item(&mut self, item: &'a Item, depth: usize) -> io::Result<()> {
        self.line(Style::Normal, "")?;
        let marks = marks(item);
        let who = self.look.paint(if item.is_error { Style::Failed } else { Style::Strong }, who(item));
        writeln!(self.out, "{}{who}{}", self.indent, self.look.paint(Style::Dim, &marks))?;
        let style = if item.visibility == Visibility::Inactive { Style::Dim } else { Style::Normal };
        if let Some(thinking) = &item.thinking {
            self.text(Style::Dim, thinking, item.thinking_full_length)?;
        }
        if let Some(text) = &item.text {
            if item.is_meta || item.content_type == ContentType::ToolResult {
                self.excerpt(Style::Dim, text, item.full_length)?;
            } else {
                self.text(style, text, item.full_length)?;
            }
        }
        for block in &item.blocks {
            if let Some(words) = block_words(block) {
                self.line(Style::Dim, &words)?;
            }
        }
        for call in &item.tool_calls {
            self.call(call, depth)?;
        }
        if let Some(instructions) = &item.skill_instructions {
            self.excerpt(Style::Dim, instructions, item.skill_instructions_full_length)?;
        }
        if let Some(point) = &item.branch_point {
            let words = format!(
                "{} branches begin here; the log does not say which is current",
                point.children.len()
            );
            self.line(Style::Accent, &words)?;
        }
        Ok(())
    }

    fn call(&mut self, call: &'a ItemCall, depth: usize) -> io::Result<()> {
        let (name, input) = (safe_line(&call.name), cut(&input_words(&call.input), EXCERPT_WIDTH));
        writeln!(self.out, "{}→ {} {input}", self.indent, self.look.paint(Style::Accent, name))?;
        self.indent.push_str("  ");
        match &call.result {
            Some(result) => self.result(result)?,
            None => self.line(Style::Dim, "(no result)")?,
        }
        if depth < DEEPEST
            && let Some(link) = &call.subagent
            && let Some(agent) = self.agents.remove(link.agent_id.as_str())
        {
            self.agent(agent, depth + 1)?;
        }
        self.indent.truncate(self.indent.len() - 2);
        Ok(())
    }

    fn result(&mut self, result: &ItemResult) -> io::Result<()> {
        let style = if result.is_error { Style::Failed } else { Style::Dim };
        if result.is_error {
            self.line(style, "failed:")?;
        }
        self.excerpt(style, &result.content, result.full_length)?;
        for words in result.blocks.iter().filter_map(block_words) {
            self.line(Style::Dim, &words)?;
        }
        Ok(())
    }

    fn agent(&mut self, agent: &'a SubagentDetail, depth: usize) -> io::Result<()> {
        let facts = [agent.agent_type.as_deref(), agent.description.as_deref()];
        let facts: Vec<String> = facts.into_iter().flatten().map(safe_line).collect();
        self.line(Style::Strong, &format!("Subagent {} {}", safe_line(&agent.agent_id), facts.join(": ")))?;
        self.indent.push_str("│ ");
        self.conversation(&agent.messages, &agent.summaries, depth)?;
        self.indent.truncate(self.indent.len() - "│ ".len());
        Ok(())
    }

    fn summary(&mut self, summary: &SummaryItem) -> io::Result<()> {
        self.line(Style::Normal, "")?;
        let mark = if summary.visibility == Visibility::Inactive { " (inactive)" } else { "" };
        self.line(Style::Accent, &format!("──── {}{mark} ────", safe_line(&summary.kind)))?;
        self.excerpt(Style::Dim, &summary.content, summary.full_length)
    }

    fn foot(&mut self, detail: &SessionDetail, receipt: &Receipt) -> io::Result<()> {
        self.line(Style::Normal, "")?;
        let shown = detail.messages.iter().any(|item| item.visibility == Visibility::Inactive);
        if detail.counts.inactive > 0 && !shown {
            let words = format!("{} inactive, shown with --include-inactive", detail.counts.inactive);
            self.line(Style::Dim, &words)?;
        }
        self.line(Style::Dim, &receipt_words(receipt))
    }

    /// Safe text, whole.
    fn text(&mut self, style: Style, text: &str, full_length: Option<u64>) -> io::Result<()> {
        for line in safe(text).trim_end().lines() {
            self.line(style, line)?;
        }
        match full_length {
            Some(length) => self.line(Style::Dim, &format!("… ({length} bytes in all)")),
            None => Ok(()),
        }
    }

    /// The first lines of safe text.
    fn excerpt(&mut self, style: Style, text: &str, full_length: Option<u64>) -> io::Result<()> {
        let safe = safe(text);
        let mut lines = safe.trim_end().lines();
        for line in lines.by_ref().take(EXCERPT_LINES) {
            self.line(style, &cut(line, EXCERPT_WIDTH))?;
        }
        match (lines.count(), full_length) {
            (_, Some(length)) => self.line(Style::Dim, &format!("… ({length} bytes in all)")),
            (0, None) => Ok(()),
            (more, None) => self.line(Style::Dim, &format!("… ({more} more lines)")),
        }
    }

    /// One line, which must be safe already.
    fn line(&mut self, style: Style, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return writeln!(self.out, "{}", self.indent.trim_end());
        }
        writeln!(self.out, "{}{}", self.indent, self.look.paint(style, text))
    }
}

fn who(item: &Item) -> &'static str {
    match item.item_type {
        _ if item.is_meta => "System",
        MessageType::User => "User",
        MessageType::Assistant => "Assistant",
        MessageType::System => "System",
    }
}

/// Model, time and what is special about an item, behind its heading.
fn marks(item: &Item) -> String {
    let kind = match item.content_type {
        ContentType::Command => Some("command"),
        ContentType::Bash => Some("shell"),
        ContentType::Error => Some("error"),
        ContentType::ToolResult => Some("result without a call"),
        ContentType::SkillInstructions => Some("skill instructions"),
        ContentType::Custom => Some("custom"),
        ContentType::Unknown => Some("unknown kind"),
        _ => None,
    };
    let inactive = (item.visibility == Visibility::Inactive).then(|| match &item.superseded {
        Some(superseded) => format!("inactive: {}", superseded_words(superseded.how)),
        None => "inactive".to_owned(),
    });
    let marks = [
        kind.map(str::to_owned),
        inactive,
        item.model.as_deref().map(safe_line),
        item.timestamp.map(|time| time.to_string()),
    ];
    marks.into_iter().flatten().map(|mark| format!(" · {mark}")).collect()
}

fn superseded_words(how: SupersededBy) -> &'static str {
    match how {
        SupersededBy::LeftBranch => "a branch that was left",
        SupersededBy::RolledBack => "rolled back",
        SupersededBy::Compacted => "compacted",
        SupersededBy::Inherited => "inherited from another session",
        SupersededBy::Retracted => "retracted",
        SupersededBy::Cleared => "cleared",
    }
}

/// A free text as it is, anything else as JSON, on one line.
fn input_words(input: &Json) -> String {
    match serde_json::from_str::<String>(input.get()) {
        Ok(text) => safe_line(&text),
        Err(_) => safe_line(input.get()),
    }
}

/// What a terminal can say of a part that is no text.
fn block_words(block: &Block) -> Option<String> {
    let words = |name: &str, of: [Option<&str>; 2]| {
        let facts: Vec<String> = of.into_iter().flatten().map(safe_line).collect();
        Some(format!("[{name}{}]", facts.iter().map(|fact| format!(" {fact}")).collect::<String>()))
    };
    match block {
        Block::Text { .. } => None,
        Block::Image { media_type, url, .. } => words("image", [media_type.as_deref(), url.as_deref()]),
        Block::File { name, media_type } => words("file", [name.as_deref(), media_type.as_deref()]),
        Block::Unknown { name } => words("unknown part", [Some(name), None]),
    }
}

fn cut(line: &str, width: usize) -> String {
    match line.char_indices().nth(width) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// `12 lines: 9 read, 2 merged, 1 not shown`, with what was not understood only where there is some.
fn receipt_words(receipt: &Receipt) -> String {
    let unknown: u64 = receipt.unknown.values().sum();
    let counts = [
        (receipt.read, "read", true),
        (receipt.merged, "merged", false),
        (receipt.not_shown.values().sum(), "not shown", false),
        (unknown, "unknown", false),
        (receipt.damaged.len() as u64, "damaged", false),
    ];
    let counts = counts.into_iter().filter(|&(count, _, always)| always || count > 0);
    let counts: Vec<String> = counts.map(|(count, name, _)| format!("{count} {name}")).collect();
    let unattached = match receipt.unattached_results {
        0 => String::new(),
        count => format!("; {count} results without a call"),
    };
    format!("{} lines: {}{unattached}", receipt.lines, counts.join(", "))
}
