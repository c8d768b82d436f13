//! `state.json`, beside the logs of a session.

use std::borrow::Cow;

use crate::notes::{Notes, first, last};
use crate::{Batch, Object, Outcome};

/// Whether this is one, of either product.
pub(super) fn claims(object: &Object<'_>) -> bool {
    let is_code = object.object("agents").is_some() && object.has("createdAt") && object.has("title");
    let is_cli = object.object("approval").is_some() && object.has("custom_title") && object.has("plan_mode");
    is_code || is_cli
}

/// Notes what it says.
pub(super) fn read(object: &Object<'_>, notes: &mut Notes, batch: &mut Batch) -> Outcome {
    last(&mut notes.head.title, object.words("title").or_else(|| object.words("custom_title")));
    first(&mut notes.head.cwd, object.words("workDir"));
    let agents = object.object("agents");
    let main = agents.as_ref().and_then(|agents| agents.object("main"));
    let folder = main.and_then(|main| main.str("homedir"));
    notes.name(folder.as_deref().and_then(session_in_path));
    for (id, agent) in agents.iter().flat_map(|agents| agents.entries()) {
        let agent = Object::parse(agent.get());
        let is_sub = agent.as_ref().and_then(|agent| agent.str("type")).is_some_and(|kind| kind != "main");
        let description = agent.as_ref().and_then(|agent| agent.words("description"));
        // An agent of which nothing else is known has nothing to show.
        if is_sub && let Some(known) = notes.agents.get_mut(id) {
            first(&mut known.description, description.as_ref().map(Cow::as_ref));
        }
    }
    batch.ledger.not_shown(&["state"])
}

/// The session's id in the path of its agent, `…/session_<uuid>/agents/main`.
fn session_in_path(path: &str) -> Option<&str> {
    path.split(['/', '\\']).find(|name| name.starts_with("session_"))
}
