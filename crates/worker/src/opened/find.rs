//! An id that a link names → the row to show.

use std::collections::HashMap;

use palimpsest_protocol::{AgentLine, Response};
use palimpsest_record::Visibility;

use super::{Answer, Opened};
use crate::rows::STRAY_AGENTS;

/// Most conversations inside each other that are followed outwards.
const DEEPEST: usize = 32;

impl Opened {
    /// The row of a message, by its id or that of a message folded into it; or the row of a call.
    pub(super) fn place(&mut self, id: &str) -> Option<u32> {
        let rows = &self.rows;
        let places = self.places.get_or_insert_with(|| {
            let mut places = HashMap::with_capacity(rows.len());
            for (number, row) in rows.iter().enumerate() {
                places.entry(row.id.clone()).or_insert(number as u32);
                for member in row.item().into_iter().flat_map(|item| &item.member_ids) {
                    places.entry(member.clone()).or_insert(number as u32);
                }
                // How many calls a row takes is no promise: a link to one holds wherever rows end.
                for call in row.calls() {
                    places.entry(call).or_insert(number as u32);
                }
            }
            places
        });
        places.get(id).copied()
    }

    /// The row in which a subagent's message can be unfolded: that of the call that started it, or that call's own
    /// conversation did, and so on outwards.
    fn place_of_agent(&mut self, id: &str) -> Option<u32> {
        let mut agent = self.set.message(id)?.agent_id.clone()?;
        for _ in 0..DEEPEST {
            let started = |lines: &Vec<AgentLine>| lines.iter().any(|line| line.agent_id == agent);
            let Some(call) =
                self.started_by.iter().find(|(_, lines)| started(lines)).map(|found| found.0.clone())
            else {
                return self.place(STRAY_AGENTS);
            };
            if let Some(row) = self.place(&call) {
                return Some(row);
            }
            agent = self.set.message(&self.set.tool_call(&call)?.message_id)?.agent_id.clone()?;
        }
        None
    }

    /// Answers where a message is; where it is inactive, the view with it comes first.
    pub(super) fn find(&mut self, id: &str) -> Answer {
        let row = self.place(id).or_else(|| self.place_of_agent(id));
        if row.is_some() || self.shows_inactive || !self.is_inactive(id) {
            return Answer::Now(Response::Found { view: self.view, row });
        }
        self.shows_inactive = true;
        self.assemble();
        let row = self.place(id);
        let found = Response::Found { view: self.view, row };
        Answer::AfterOutline(Box::new(self.outline()), found)
    }

    /// It is of the main thread and would be among the rows with the inactive ones.
    fn is_inactive(&self, id: &str) -> bool {
        let message = |id: &str| {
            let message = self.set.message(id)?;
            Some(message.visibility == Visibility::Inactive && message.agent_id.is_none())
        };
        let summary = |id: &str| {
            let summary = self.set.summary(id)?;
            Some(summary.visibility == Visibility::Inactive && summary.agent_id.is_none())
        };
        let of_call = |id: &str| message(&self.set.tool_call(id)?.message_id);
        message(id).or_else(|| summary(id)).or_else(|| of_call(id)).unwrap_or(false)
    }
}
