//! Which result belongs to which call, and ids that are unique where a source uses one twice.

use std::collections::{HashMap, HashSet};

use palimpsest_record::Text;

/// The calls of a session so far.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// How often each id of the log was used, and the call that has it now.
    known: HashMap<Text, (u32, Text)>,
    /// Calls without a result yet: the tool's name and the call's id.
    open: Vec<(Text, Text)>,
}

impl Calls {
    /// A new call of the tool `name`: `log_id`, or from its second use on `log_id~2` and so on.
    pub(crate) fn ask(&mut self, log_id: &str, name: &str) -> Text {
        let (times, id) = self.known.entry(Text::from(log_id)).or_default();
        *times = times.saturating_add(1);
        *id = if *times == 1 { Text::from(log_id) } else { Text::from(format!("{log_id}~{times}")) };
        self.open.push((Text::from(name), id.clone()));
        id.clone()
    }

    /// The call that the log calls so now.
    pub(crate) fn id(&self, log_id: &str) -> Option<Text> {
        self.known.get(log_id).map(|known| known.1.clone())
    }

    /// The call that a result answers: that of its id, or where it has none the first of its tool; of those that have no result
    /// yet.
    pub(crate) fn answer(&mut self, log_id: Option<&str>, name: Option<&str>) -> Option<Text> {
        let id = match log_id.filter(|id| !id.is_empty()) {
            Some(log_id) => self.id(log_id).or_else(|| self.first_open(name?))?,
            None => self.first_open(name?)?,
        };
        let at = self.open.iter().rposition(|open| open.1 == id)?;
        self.open.remove(at);
        Some(id)
    }

    /// An id for the call of a result that no call is there for.
    pub(crate) fn lost(&mut self, log_id: &str) -> Text {
        let id = self.ask(log_id, "");
        self.open.pop();
        id
    }

    /// The calls without a result, whatever their tools.
    pub(crate) fn unanswered(&self) -> impl Iterator<Item = &Text> {
        self.open.iter().map(|open| &open.1)
    }

    fn first_open(&self, name: &str) -> Option<Text> {
        self.open.iter().find(|open| *open.0 == *name).map(|open| open.1.clone())
    }
}

/// Ids that were given away.
#[derive(Debug, Default)]
pub(crate) struct Ids(HashSet<Text>);

impl Ids {
    /// `log_id`, or from its second use on `log_id~2` and so on.
    pub(crate) fn unique(&mut self, log_id: &str) -> Text {
        let mut id = Text::from(log_id);
        let mut times = 1;
        while !self.0.insert(id.clone()) {
            times += 1;
            id = Text::from(format!("{log_id}~{times}"));
        }
        id
    }
}
