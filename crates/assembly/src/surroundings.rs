//! What stands around the conversations: the session's head, summaries, workflows.

use palimpsest_record::order::sort_by;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use palimpsest_record::{Summary, Text, Visibility, Workflow, WorkflowAgent};

use crate::detail::{Place, SessionHead, SummaryItem, WorkflowDetail};
use crate::relations::View;

/// The head from the session record; while that has not come, from the messages so far.
pub(crate) fn head(view: View<'_>) -> SessionHead {
    let messages = view.relations.order.iter().filter_map(|&slot| view.set.messages.at(slot));
    let Some(session) = view.set.session.clone() else {
        let first = messages.clone().next();
        let counted = messages.filter(|message| {
            message.visibility == Visibility::Visible && message.agent_id.is_none() && !message.is_meta
        });
        return SessionHead {
            id: first.map(|message| message.session_id.clone()).unwrap_or_default(),
            source: first.map(|message| message.source.clone()).unwrap_or_default(),
            message_count: counted.count() as u64,
            ..SessionHead::default()
        };
    };
    SessionHead {
        id: session.id,
        title: session.title,
        project: session.project,
        source: session.source,
        started_at: session.started_at,
        ended_at: session.ended_at,
        message_count: session.message_count,
        cwd: session.cwd,
        git_branch: session.git_branch,
        version: session.version,
        model: session.model,
        forked_from: session.forked_from,
    }
}

/// Whether a span has to say its file.
pub(crate) fn reads_several_files(view: View<'_>) -> bool {
    view.set.several_files || view.set.session.as_ref().is_some_and(|session| session.log.files > 1)
}

/// Summaries by the agent whose conversation they belong to.
pub(crate) type Summaries = HashMap<Option<Text>, Vec<Arc<SummaryItem>>>;

/// The summaries that are shown, each list by (seq, id).
pub(crate) fn summaries(view: View<'_>, several_files: bool) -> Summaries {
    let mut sorted: Vec<&Summary> =
        view.set.summaries.iter().filter(|summary| view.admits(summary.visibility)).collect();
    sort_by(&mut sorted, |a, b| (a.seq, &a.id).cmp(&(b.seq, &b.id)));
    let mut lists = Summaries::new();
    for summary in sorted {
        lists.entry(summary.agent_id.clone()).or_default().push(Arc::new(SummaryItem {
            id: summary.id.clone(),
            seq: summary.seq,
            kind: summary.summary_kind.clone(),
            content: summary.content.clone(),
            full_length: summary.full_length,
            timestamp: summary.timestamp,
            visibility: summary.visibility,
            tokens_before: summary.tokens_before,
            span: summary.span.map(|span| Place::of(span, several_files)),
        }));
    }
    lists
}

/// Workflows in the order of the calls that started them, each with its agents by id. A run that
/// only its agents name is there, too.
pub(crate) fn workflows(view: View<'_>) -> Vec<Arc<WorkflowDetail>> {
    let mut runs: BTreeMap<&Text, (Workflow, Vec<WorkflowAgent>)> = BTreeMap::new();
    for workflow in view.set.workflows.iter() {
        runs.entry(&workflow.run_id).or_default().0 = workflow.clone();
    }
    for agent in view.set.workflow_agents.iter() {
        runs.entry(&agent.run_id).or_default().1.push(agent.clone());
    }
    let began = |workflow: &Workflow| {
        let call = view.set.tool_calls.find(workflow.parent_tool_call_id.as_ref()?)?;
        Some(view.set.messages.at(view.relations.owner(call)?)?.seq)
    };
    let details = runs.into_iter().map(|(run_id, (workflow, mut agents))| {
        sort_by(&mut agents, |a, b| a.agent_id.cmp(&b.agent_id));
        let began = began(&workflow).unwrap_or(u64::MAX);
        let detail = WorkflowDetail {
            run_id: run_id.clone(),
            parent_tool_use_id: workflow.parent_tool_call_id,
            name: workflow.name,
            status: workflow.status,
            timestamp: workflow.timestamp,
            duration_ms: workflow.duration_ms,
            total_tokens: workflow.total_tokens,
            agent_count: workflow.agent_count,
            result: workflow.result,
            agents,
        };
        (began, Arc::new(detail))
    });
    let mut details: Vec<_> = details.collect();
    // Stable, and they come sorted by id.
    sort_by(&mut details, |a, b| a.0.cmp(&b.0));
    details.into_iter().map(|detail| detail.1).collect()
}
