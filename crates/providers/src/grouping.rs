//! Files that were opened together → sessions.

use std::collections::BTreeMap;

use crate::{FileKey, FileRole, Identity, Provider};

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
/// A companion whose main log is missing is a session of its own. The result is ordered by the
/// path of each session's first file.
pub fn group(found: &[Found]) -> Vec<SessionFiles> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&index| found.get(index).map(|file| (file.identity.key.role, file.path.as_str())));
    let mut sessions: Vec<SessionFiles> = Vec::new();
    let mut by_key: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for index in order {
        let Some(file) = found.get(index) else { continue };
        let provider = file.identity.provider;
        let home = match &file.identity.key {
            FileKey { session: Some(session), role: FileRole::Main } => {
                by_key.get(&(provider.id(), session.as_str())).copied()
            }
            FileKey { session: Some(session), role: FileRole::Companion } => by_key
                .get(&(provider.id(), session.as_str()))
                .copied()
                .filter(|&at| has_main(found, &sessions, at)),
            FileKey { session: None, role: FileRole::Companion } => beside(found, &sessions, file),
            FileKey { session: None, role: FileRole::Main } => None,
        };
        let at = home.unwrap_or_else(|| {
            sessions.push(SessionFiles { provider, files: Vec::new() });
            sessions.len() - 1
        });
        if let Some(session) = sessions.get_mut(at) {
            session.files.push(index);
        }
        if let Some(session) = &file.identity.key.session {
            by_key.entry((provider.id(), session)).or_insert(at);
        }
    }
    sessions
        .sort_by_key(|session| session.files.first().and_then(|&at| found.get(at)).map(|file| &file.path));
    sessions
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
