//! A text that a record has only the beginning of is found again in the lines that it was read from (ADR 0004).

use palimpsest_protocol::{BodyPlace, Part, Request, Response, Row};
use palimpsest_providers::{ReadOptions, SessionReader};
use palimpsest_worker::Opened;
use palimpsest_worker::opened::{Answer, Source};

use crate::fixtures::{Fixture, on_every_fixture};

/// So short that nearly every text is cut.
const PREVIEW: usize = 8;
const LONG: u32 = 1 << 20;

#[test]
fn every_text_is_found_again() {
    on_every_fixture(|fixture| {
        let mut opened = open(fixture);
        let mut lost = Vec::new();
        for (agent, row) in rows(&mut opened) {
            for (part, output) in (0..row.parts.len() as u32).flat_map(|part| [(part, false), (part, true)]) {
                let place = BodyPlace { agent_id: agent.clone(), id: row.id.as_str().to_owned(), part };
                let request = Request::Text { place: place.clone(), output, start: 0, limit: LONG };
                let mut answer = opened.answer(request);
                let is_cut = matches!(answer, Answer::Read(_));
                while let Answer::Read(wanted) = answer {
                    let bytes = &fixture.logs[wanted.file as usize].bytes;
                    let bytes = &bytes[wanted.bytes.start as usize..wanted.bytes.end as usize];
                    answer = opened.with_bytes(wanted, bytes);
                }
                if is_cut && !matches!(answer, Answer::Now(Response::Text(_))) {
                    lost.push((place, output));
                }
            }
        }
        assert!(lost.is_empty(), "lost {lost:?}");
    });
}

fn open(fixture: &Fixture) -> Opened {
    let mut reader = SessionReader::new(fixture.provider, ReadOptions { preview_limit: PREVIEW });
    for log in &fixture.logs {
        reader.begin_file(log.container, log.role);
        reader.push(&log.bytes);
        reader.end_file();
    }
    let files = fixture.logs.iter().map(|log| (log.name.clone(), log.container)).collect();
    let mut opened = Opened::new(Source { provider: fixture.provider, files });
    let log = reader.finish();
    opened.take_complete(log.records, log.ledger, None);
    opened
}

/// All rows with the agent whose conversation they are of, inactive ones too.
fn rows(opened: &mut Opened) -> Vec<(Option<String>, Row)> {
    let Answer::Now(Response::Outline(outline)) = opened.answer(Request::ShowInactive(true)) else {
        panic!("no outline")
    };
    let mut all = Vec::new();
    let mut agents = vec![None];
    let mut next = 0;
    while let Some(agent) = agents.get(next).cloned() {
        next += 1;
        let request = |start| match &agent {
            None => Request::Rows { view: outline.view, start, end: u32::MAX },
            Some(agent_id) => Request::AgentRows { agent_id: String::clone(agent_id), start, end: u32::MAX },
        };
        let mut start = 0;
        while let Answer::Now(Response::Rows { rows, total, .. }) = opened.answer(request(start)) {
            start += rows.len() as u32;
            for part in rows.iter().flat_map(|row| &row.parts) {
                if let Part::Call { agents: started, .. } | Part::Agents(started) = part {
                    agents.extend(started.iter().map(|line| Some(line.agent_id.as_str().to_owned())));
                }
            }
            let is_last = rows.is_empty() || start >= total;
            all.extend(rows.into_iter().map(|row| (agent.clone(), row)));
            if is_last {
                break;
            }
        }
        if next > 1000 {
            break;
        }
    }
    all
}
