//! Lines too long for a fixture.

use palimpsest_record::{Block, PREVIEW_LIMIT, Preview, TranscriptRecord};
use serde_json::{Value, json};

use crate::{Container, FileRole, ReadLog, ReadOptions, SessionReader};

fn read(lines: &[Value], options: ReadOptions) -> ReadLog {
    let mut reader = SessionReader::new(&super::Claude, options);
    reader.begin_file(Container::Lines, FileRole::Main);
    for line in lines {
        reader.push(line.to_string().as_bytes());
        reader.push(b"\n");
    }
    reader.end_file();
    reader.finish()
}

fn line(kind: &str, uuid: &str, parent: Option<&str>, content: Value) -> Value {
    json!({
        "parentUuid": parent, "isSidechain": false, "sessionId": "s", "type": kind, "uuid": uuid,
        "message": { "role": kind, "content": content },
    })
}

/// A long text is told by its beginning and its length, wherever in a line it stands.
#[test]
fn long_texts_keep_their_beginning_and_their_length() {
    let long = "Zeile → \"eins\"\n".repeat(40_000);
    let data = "iVBORw0KGgo=".repeat(40_000);
    let input = json!({ "file_path": "/w/long.txt", "content": long });
    let image =
        json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": data } });
    let lines = [
        line("user", "u1", None, json!([{ "type": "text", "text": long }, image])),
        line(
            "assistant",
            "a1",
            Some("u1"),
            json!([{ "type": "thinking", "thinking": long },
            { "type": "text", "text": long }, { "type": "tool_use", "id": "t1", "name": "Write", "input": input }]),
        ),
        line(
            "user",
            "r1",
            Some("a1"),
            json!([{ "type": "tool_result", "tool_use_id": "t1", "content": long }]),
        ),
        line("user", "u2", Some("r1"), json!(format!("<ide_selection>here</ide_selection>{long}"))),
    ];
    let log = read(&lines, ReadOptions::default());
    let cut = Preview::cut(&long, PREVIEW_LIMIT);
    let trimmed = Preview::cut(long.trim(), PREVIEW_LIMIT);
    let mut seen = 0;
    for record in &log.records {
        let (text, full_length) = match record {
            TranscriptRecord::Message(message) => (message.text.clone(), message.full_length),
            TranscriptRecord::ToolResult(result) => (Some(result.content.clone()), result.full_length),
            TranscriptRecord::ToolCall(call) => {
                assert_eq!(call.full_length, Some(input.to_string().len() as u64));
                assert_eq!(call.file_path.as_deref(), Some("/w/long.txt"));
                continue;
            }
            _ => continue,
        };
        let Some(full_length) = full_length else { continue };
        seen += 1;
        let whole = cut.full_length == Some(full_length);
        assert_eq!(text.as_ref(), Some(if whole { &cut.text } else { &trimmed.text }), "{record:?}");
        // Only what was taken off its ends is not counted.
        assert!(long.len() as u64 - full_length <= 1, "{full_length} of {}", long.len());
    }
    assert_eq!(seen, 5);
    let images = log.records.iter().filter_map(|record| match record {
        TranscriptRecord::Message(message) => message.blocks.iter().find_map(|block| match block {
            Block::Image { encoded_length, .. } => *encoded_length,
            _ => None,
        }),
        _ => None,
    });
    assert_eq!(images.collect::<Vec<_>>(), [data.len() as u64]);
}

/// A raw lookup gets every word.
#[test]
fn a_raw_lookup_gets_the_whole() {
    let long = "every word\n".repeat(40_000);
    let log = read(&[line("user", "u1", None, json!(long))], ReadOptions { preview_limit: usize::MAX });
    let texts = log.records.iter().filter_map(|record| match record {
        TranscriptRecord::Message(message) => message.text.as_deref().zip(Some(message.full_length)),
        _ => None,
    });
    assert_eq!(texts.collect::<Vec<_>>(), [(long.as_str(), None)]);
}
