//! Web searches: the server runs them, so a call has no output. Its event says what was found, but
//! old items have no id to find it by: then what was looked for tells which belong together.

use std::collections::VecDeque;

use palimpsest_record::Text;
use serde_json::value::RawValue;

use super::calls::Ending;
use super::here::Here;
use super::output::{Answer, Reading};
use super::shapes::event::Event;
use super::shapes::item::Item;
use super::shapes::open;
use super::thread::Thread;
use super::tools::{of_json, of_words};
use crate::Outcome;
use crate::json::{Lax, Str};

/// Searches of which one stream has told.
#[derive(Default)]
pub(super) struct Searches {
    lone: VecDeque<Search>,
}

struct Search {
    /// What joins it with the other stream.
    key: Text,
    subject: Text,
    is_event: bool,
}

/// What a search does, and with what.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Action<'a> {
    #[serde(borrow)]
    query: Lax<Str<'a>>,
    queries: Vec<Lax<Str<'a>>>,
    url: Lax<Str<'a>>,
    pattern: Lax<Str<'a>>,
}

impl Searches {
    /// Takes the search of the other stream with this subject.
    fn take(&mut self, subject: &str, is_event: bool) -> Option<Text> {
        let at = self.lone.iter().position(|lone| lone.is_event == is_event && lone.subject == *subject)?;
        self.lone.remove(at).map(|lone| lone.key)
    }

    fn add(&mut self, key: &str, subject: &str, is_event: bool) {
        const KEPT: usize = 16;
        if self.lone.len() == KEPT {
            self.lone.pop_front();
        }
        self.lone.push_back(Search { key: Text::from(key), subject: Text::from(subject), is_event });
    }
}

impl Thread {
    /// `web_search_call`.
    pub(super) fn web_search_item(&mut self, here: &mut Here<'_, '_>, item: &Item<'_>) -> Outcome {
        let subject = subject(None, item.action);
        let called = of_json("web_search", item.action, here.batch);
        let known = item.key().filter(|key| self.calls.id(Some(key)).is_some()).map(Text::from);
        let twin = known.or_else(|| self.searches.take(&subject, true));
        let key = match twin {
            Some(key) => key,
            None => {
                let key = item.key().map_or_else(|| Text::from(here.line_id(0)), Text::from);
                self.searches.add(&key, &subject, false);
                key
            }
        };
        self.call(here, Some(&key), item.id.text(), called)
    }

    /// `web_search_end`.
    pub(super) fn search_ended(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>) -> Outcome {
        let subject = subject(event.query.text(), event.action);
        let output = event.results.map(|raw| (raw.get(), Answer::of_search as Reading));
        let known = event.key().filter(|key| self.calls.id(Some(key)).is_some()).map(Text::from);
        let twin = known.or_else(|| self.searches.take(&subject, false));
        let key = match twin {
            Some(key) => key,
            None => {
                let key = event.key().map_or_else(|| Text::from(here.line_id(0)), Text::from);
                self.searches.add(&key, &subject, true);
                key
            }
        };
        self.call_ended(here, Some(&key), &Ending { output, failed: false }, |batch| match event.action {
            Some(action) => of_json("web_search", Some(action), batch),
            None => of_words("web_search", &[("query", event.query.text())]),
        })
    }
}

/// What is looked for: words, or a page.
fn subject(query: Option<&str>, action: Option<&RawValue>) -> String {
    let action: Action<'_> = open(action).unwrap_or_default();
    let first = action.queries.first().and_then(|query| query.text());
    let words = [query, action.query.text(), first, action.pattern.text(), action.url.text()];
    words.into_iter().flatten().find(|words| !words.is_empty()).unwrap_or_default().to_owned()
}
