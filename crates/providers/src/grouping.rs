//! Files that were opened together → sessions.

use palimpsest_record::order::sort_by;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{FileRole, Identity, Parent, Provider};

/// A log that a provider claims.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its path as given: for order, and to tell what lies beside what. Never opened by this crate.
    pub path: String,
    /// Whose it is.
    pub identity: Identity,
}

/// The logs of one session.
#[derive(Clone)]
pub struct SessionFiles {
    /// Whose they are.
    pub provider: &'static dyn Provider,
    /// Indices into what was found, in the order in which they are read: main logs first.
    pub files: Vec<usize>,
}

/// Groups logs into sessions: those of one provider that name the same session belong together,
/// and a companion that names none joins the session it lies beside.
///
/// A companion whose main log is missing is a session of its own, with its like in the same folder. The result is ordered by the
/// path of each session's first file.
pub fn group(found: &[Found]) -> Vec<SessionFiles> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    sort_by(&mut order, |&a, &b| match (found.get(a), found.get(b)) {
        (Some(a), Some(b)) => {
            (a.identity.key.role.cmp(&b.identity.key.role)).then_with(|| compare_paths(&a.path, &b.path))
        }
        _ => a.cmp(&b),
    });
    let mut sessions: Vec<SessionFiles> = Vec::new();
    let mut by_key: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for index in order {
        let Some(file) = found.get(index) else { continue };
        let provider = file.identity.provider;
        let key = &file.identity.key;
        let named = key.session.as_deref().and_then(|session| by_key.get(&(provider.id(), session)).copied());
        let home = match (&key.session, key.role) {
            (Some(_), FileRole::Main | FileRole::Piece) => named,
            (Some(_), FileRole::Companion) => named.filter(|&at| has_main(found, &sessions, at)),
            (None, FileRole::Companion) => beside(found, &sessions, file),
            (None, FileRole::Piece) => {
                beside(found, &sessions, file).or_else(|| orphans(found, &sessions, file))
            }
            (None, FileRole::Main) => None,
        };
        let at = home.unwrap_or_else(|| {
            sessions.push(SessionFiles { provider, files: Vec::new() });
            sessions.len() - 1
        });
        if let Some(session) = sessions.get_mut(at) {
            session.files.push(index);
        }
        if let Some(session) = &key.session {
            by_key.entry((provider.id(), session)).or_insert(at);
        }
    }
    join_parents(found, &mut sessions, &by_key);
    sessions.retain(|session| !session.files.is_empty());
    let path = |session: &SessionFiles| {
        session.files.first().and_then(|&at| found.get(at)).map_or("", |file| file.path.as_str())
    };
    sort_by(&mut sessions, |a, b| compare_paths(path(a), path(b)));
    sessions
}

/// Gives the logs of sessions that another one started to that one.
fn join_parents(found: &[Found], sessions: &mut [SessionFiles], by_key: &BTreeMap<(&str, &str), usize>) {
    let parent = |session: &SessionFiles| {
        let first = found.get(*session.files.first()?)?;
        let id = match first.identity.key.parent.as_ref()? {
            Parent::Session(id) => id.as_str(),
            Parent::Folder => folder(&first.path).trim_end_matches(SLASHES).rsplit(SLASHES).next()?,
        };
        by_key.get(&(session.provider.id(), id)).copied()
    };
    let parents: Vec<Option<usize>> = sessions.iter().map(parent).collect();
    for child in 0..sessions.len() {
        let mut root = child;
        // As many steps as there are sessions: more would be a circle.
        let mut left = sessions.len();
        while let Some(parent) = parents.get(root).copied().flatten().filter(|_| left > 0) {
            root = parent;
            left -= 1;
        }
        if root != child && left > 0 {
            let files = sessions.get_mut(child).map(|session| std::mem::take(&mut session.files));
            if let Some(session) = sessions.get_mut(root) {
                session.files.extend(files.unwrap_or_default());
            }
        }
    }
}

/// What stands between the names in a path.
const SLASHES: [char; 2] = ['/', '\\'];

/// The folders of a path, with the last slash.
fn folder(path: &str) -> &str {
    path.rfind(SLASHES).and_then(|at| path.get(..=at)).unwrap_or_default()
}

/// So many names of each path lie below the folder that they share: 1 is a file in it.
fn apart(a: &str, b: &str) -> (usize, usize) {
    let (left, right): (Vec<&str>, Vec<&str>) = (a.split(SLASHES).collect(), b.split(SLASHES).collect());
    let folders = left.len().min(right.len()).saturating_sub(1);
    let shared = left.iter().zip(&right).take(folders).take_while(|(a, b)| a == b).count();
    (left.len() - shared, right.len() - shared)
}

/// Order of paths as a person would have it: numbers in them count as numbers, so that `context_10` is behind `context_2`.
fn compare_paths(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    loop {
        let (Some(x), Some(y)) = (left.first(), right.first()) else {
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        };
        let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (m, n) = (digits(left), digits(right));
        let (order, taken) = if m > 0 && n > 0 {
            let (x, y) = (number(left, m), number(right, n));
            (x.len().cmp(&y.len()).then_with(|| x.cmp(y)), (m, n))
        } else {
            (x.cmp(y), (1, 1))
        };
        if order.is_ne() {
            return order;
        }
        left = left.get(taken.0..).unwrap_or_default();
        right = right.get(taken.1..).unwrap_or_default();
    }
}

/// The digits of a number without zeros before it.
fn number(bytes: &[u8], length: usize) -> &[u8] {
    let digits = bytes.get(..length).unwrap_or_default();
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

fn has_main(found: &[Found], sessions: &[SessionFiles], at: usize) -> bool {
    sessions
        .get(at)
        .and_then(|session| session.files.first())
        .and_then(|&first| found.get(first))
        .is_some_and(|first| first.identity.key.role == FileRole::Main)
}

/// The session that `file` lies beside: the only one of its provider, or the one whose first file
/// shares the longest path with it.
fn beside(found: &[Found], sessions: &[SessionFiles], file: &Found) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let mut tie = false;
    for (at, session) in sessions.iter().enumerate() {
        let Some(first) = session.files.first().and_then(|&first| found.get(first)) else { continue };
        if session.provider.id() != file.identity.provider.id() || !has_main(found, sessions, at) {
            continue;
        }
        // An agent may have a folder of its own beside its session's; anything else lies above the session's log or below it.
        let (above, below) = apart(&first.path, &file.path);
        let reach = if file.identity.key.role == FileRole::Companion { 2 } else { 1 };
        if above.min(below) > reach {
            continue;
        }
        let main = first.path.rsplit_once('.').map_or(first.path.as_str(), |(stem, _)| stem);
        let shared = main.bytes().zip(file.path.bytes()).take_while(|(a, b)| a == b).count();
        tie = best.is_some_and(|(_, longest)| longest == shared);
        if best.is_none_or(|(_, longest)| shared > longest) {
            best = Some((at, shared));
        }
    }
    best.filter(|_| !tie).map(|(at, _)| at)
}

/// The session of companions without a main log that lie in the same folder.
fn orphans(found: &[Found], sessions: &[SessionFiles], file: &Found) -> Option<usize> {
    sessions.iter().enumerate().position(|(at, session)| {
        let first = session.files.first().and_then(|&first| found.get(first));
        first.is_some_and(|first| {
            let key = &first.identity.key;
            session.provider.id() == file.identity.provider.id()
                && key.session.is_none()
                && !has_main(found, sessions, at)
                && folder(&first.path) == folder(&file.path)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_is_near() {
        let check =
            |main: &str, file: &str, want: (usize, usize)| assert_eq!(apart(main, file), want, "{file}");
        check("a/api.json", "a/ui.json", (1, 1));
        check("t/1/api.json", "t/2/ui.json", (2, 2));
        check("s/agents/main/wire.jsonl", "s/agents/agent-0/wire.jsonl", (2, 2));
        check("s/agents/main/wire.jsonl", "s/state.json", (3, 1));
        check("p/id.jsonl", "p/id/subagents/a.meta.json", (1, 3));
        check("one.jsonl", "two.jsonl", (1, 1));
    }

    #[test]
    fn numbers_in_paths_count_as_numbers() {
        let check = |a: &str, b: &str| {
            assert_eq!(compare_paths(a, b), Ordering::Less, "{a} before {b}");
            assert_eq!(compare_paths(b, a), Ordering::Greater, "{b} after {a}");
            assert_eq!(compare_paths(a, a), Ordering::Equal, "{a}");
        };
        check("context.jsonl", "context_1.jsonl");
        check("context_2.jsonl", "context_10.jsonl");
        check("s/01/a", "s/2/a");
        check("a007", "a07");
        check("a", "ab");
        check("x9", "xa");
    }
}
