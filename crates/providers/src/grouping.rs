//! Files that were opened together → sessions.

use palimpsest_record::order::sort_by;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{FileRole, Identity, Provider};

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
    let parents: Vec<Option<usize>> = sessions
        .iter()
        .map(|session| {
            let key =
                session.files.first().and_then(|&first| found.get(first)).map(|file| &file.identity.key)?;
            by_key.get(&(session.provider.id(), key.parent.as_deref()?)).copied()
        })
        .collect();
    for child in 0..sessions.len() {
        let mut root = child;
        // As many steps as there are sessions: more would be a circle.
        for _ in 0..sessions.len() {
            root = parents.get(root).copied().flatten().unwrap_or(root);
        }
        let is_circle = parents.get(root).copied().flatten().is_some_and(|parent| parent != root);
        if root != child && !is_circle {
            let files = sessions.get_mut(child).map(|session| std::mem::take(&mut session.files));
            if let Some(session) = sessions.get_mut(root) {
                session.files.extend(files.unwrap_or_default());
            }
        }
    }
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
    let folder = |path: &str| path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    sessions.iter().enumerate().position(|(at, session)| {
        let first = session.files.first().and_then(|&first| found.get(first));
        first.is_some_and(|first| {
            let key = &first.identity.key;
            session.provider.id() == file.identity.provider.id()
                && key.session.is_none()
                && !has_main(found, sessions, at)
                && first.path.get(..folder(&first.path)) == file.path.get(..folder(&file.path))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
