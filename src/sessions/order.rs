//! Which sessions are listed, and in what order.

use std::cmp::Ordering;

use palimpsest_protocol::SessionChoice;
use palimpsest_record::order::sort_by;

/// What the person asked of the list. It stays while a session is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Order {
    /// Words that all have to be there.
    pub filter: String,
    /// What it is sorted by.
    pub by: By,
    /// It is the other way round.
    pub is_turned: bool,
}

/// What the list is sorted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum By {
    /// The last moment.
    #[default]
    Time,
    /// The title.
    Title,
    /// The folder that it worked in.
    Project,
    /// The product.
    Product,
    /// How many messages it has.
    Messages,
    /// How large it is.
    Size,
    /// Where it lies.
    Path,
}

impl By {
    /// All of them, in the order in which they are offered.
    pub const ALL: [By; 7] =
        [By::Time, By::Title, By::Project, By::Product, By::Messages, By::Size, By::Path];

    /// What its button says.
    pub fn label(self) -> &'static str {
        match self {
            By::Time => "Newest",
            By::Title => "Title",
            By::Project => "Project",
            By::Product => "Product",
            By::Messages => "Most messages",
            By::Size => "Largest",
            By::Path => "Path",
        }
    }

    /// What it says when the order is the other way round.
    pub fn turned(self) -> &'static str {
        match self {
            By::Time => "Oldest",
            By::Title => "Title, Z first",
            By::Project => "Project, Z first",
            By::Product => "Product, Z first",
            By::Messages => "Fewest messages",
            By::Size => "Smallest",
            By::Path => "Path, Z first",
        }
    }
}

impl Order {
    /// Sorts by this; where it does already, the other way round.
    pub fn choose(&mut self, by: By) {
        self.is_turned = self.by == by && !self.is_turned;
        self.by = by;
    }

    /// The indices of those that fit, in order. Of equals, and of those whose log says nothing of it yet, the order is that in
    /// which they were found; the latter come last.
    pub fn of(&self, choices: &[SessionChoice]) -> Vec<usize> {
        let words = self.filter.to_lowercase();
        let fits = |choice: &SessionChoice| words.split_whitespace().all(|word| text(choice).contains(word));
        let found = choices.iter().enumerate().filter(|(_, choice)| fits(choice));
        let mut found: Vec<(usize, &SessionChoice)> = found.collect();
        sort_by(&mut found, |(_, a), (_, b)| self.compare(a, b));
        found.into_iter().map(|(at, _)| at).collect()
    }

    fn compare(&self, a: &SessionChoice, b: &SessionChoice) -> Ordering {
        let turn =
            |order: Ordering, falls: bool| if falls != self.is_turned { order.reverse() } else { order };
        let last = |choice: &SessionChoice| choice.facts.as_ref().and_then(|it| it.ended.or(it.started));
        let messages = |choice: &SessionChoice| choice.facts.as_ref().and_then(|it| it.messages);
        let words =
            |text: Option<&String>| text.filter(|text| !text.is_empty()).map(|text| text.to_lowercase());
        let title = |choice: &SessionChoice| words(choice.facts.as_ref().map(|it| &it.title));
        let project = |choice: &SessionChoice| words(choice.facts.as_ref().map(|it| &it.project));
        match self.by {
            By::Time => known_first(last(a), last(b), |a, b| turn(a.cmp(b), true)),
            By::Messages => known_first(messages(a), messages(b), |a, b| turn(a.cmp(b), true)),
            By::Title => known_first(title(a), title(b), |a, b| turn(a.cmp(b), false)),
            By::Project => known_first(project(a), project(b), |a, b| turn(a.cmp(b), false)),
            By::Product => turn(a.provider.cmp(&b.provider), false),
            By::Size => turn(a.bytes.cmp(&b.bytes), true),
            By::Path => turn(a.path.cmp(&b.path), false),
        }
    }
}

fn known_first<T>(a: Option<T>, b: Option<T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(&a, &b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// All that a filter can find a session by.
fn text(choice: &SessionChoice) -> String {
    let facts = choice.facts.as_ref();
    let (title, project) = facts.map_or(("", ""), |facts| (&facts.title, &facts.project));
    format!("{} {} {title} {project}", choice.path, choice.provider).to_lowercase()
}

#[cfg(test)]
mod tests {
    use palimpsest_protocol::SessionFacts;

    use super::*;

    fn choices() -> Vec<SessionChoice> {
        let choice = |path: &str, provider: &str, bytes, facts: Option<(&str, i64, u64)>| SessionChoice {
            path: path.to_owned(),
            provider: provider.to_owned(),
            bytes,
            files: 1,
            facts: facts.map(|(title, ended, messages)| SessionFacts {
                title: title.to_owned(),
                project: "/w/Shop-API".to_owned(),
                started: Some(0),
                ended: Some(ended),
                messages: Some(messages),
            }),
        };
        vec![
            choice("a/one.jsonl", "Codex", 30, Some(("Mend the gate", 5, 9))),
            choice("b/two.jsonl", "Claude Code", 20, None),
            choice("c/three.jsonl", "Claude Code", 10, Some(("add a well", 7, 2))),
        ]
    }

    #[test]
    fn a_filter_is_words_in_any_order() {
        let check = |filter: &str, want: &[usize]| {
            let order = Order { filter: filter.to_owned(), by: By::Path, is_turned: false };
            assert_eq!(order.of(&choices()), want, "{filter}");
        };
        check("", &[0, 1, 2]);
        check("  ", &[0, 1, 2]);
        check("claude", &[1, 2]);
        check("GATE codex", &[0]);
        check("shop-api three", &[2]);
        check("nothing", &[]);
    }

    #[test]
    fn every_order_has_its_other_way_round() {
        let check = |by: By, there: [usize; 3], back: [usize; 3]| {
            let mut order = Order { by: By::Path, is_turned: false, filter: String::new() };
            if by != By::Path {
                order.choose(by);
            }
            assert_eq!(order.of(&choices()), there, "{by:?}");
            order.choose(by);
            assert_eq!(order.of(&choices()), back, "{by:?} turned");
        };
        // What is not known yet stands last either way.
        check(By::Time, [2, 0, 1], [0, 2, 1]);
        check(By::Title, [2, 0, 1], [0, 2, 1]);
        check(By::Project, [0, 2, 1], [0, 2, 1]);
        check(By::Messages, [0, 2, 1], [2, 0, 1]);
        check(By::Product, [1, 2, 0], [0, 1, 2]);
        check(By::Size, [0, 1, 2], [2, 1, 0]);
        check(By::Path, [0, 1, 2], [2, 1, 0]);
    }
}
