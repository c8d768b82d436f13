//! The command as a person or a script runs it: arguments in, output and exit status out.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
use serde_json::Value;

/// A made-up session: a call that fails, a thought, an abandoned branch, and text that would clear
/// the screen if it reached a terminal.
const LOG: &str = r#"{"type":"session","version":3,"id":"bean-session","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/home/kim/garden"}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"water the beans"}]}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-01-05T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Flooding them."}],"model":"tiny-1","usage":{"input":10,"output":1}}}
{"type":"message","id":"a3","parentId":"a1","timestamp":"2026-01-05T09:00:03.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"gently"},{"type":"text","text":"I open \u001b[2Jthe \u202etap."},{"type":"toolCall","id":"call_1","name":"tap","arguments":{"turn":"half"}}],"model":"tiny-1","usage":{"input":12,"output":4}}}
{"type":"message","id":"a4","parentId":"a3","timestamp":"2026-01-05T09:00:04.000Z","message":{"role":"toolResult","toolCallId":"call_1","toolName":"tap","content":[{"type":"text","text":"\u001b[31mit is stuck\u001b[0m\r\n1\n2\n3\n4\n5\n6\n7\n8\n9"}],"isError":true}}
{"type":"message","id":"a5","parentId":"a4","timestamp":"2026-01-05T09:00:05.000Z","message":{"role":"assistant","content":[{"type":"text","text":"The tap is stuck."}],"model":"tiny-1","usage":{"input":15,"output":5}}}
"#;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn run(args: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_palimpsest"))
        .arg("read")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that does not read its input may have ended before it got any.
    child.stdin.take().unwrap().write_all(input).ok();
    let output = child.wait_with_output().unwrap();
    Ran {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A folder of its own for each test, with these files in it.
fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    for (path, bytes) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn other_log() -> String {
    LOG.replace("bean-session", "pea-session").replace("beans", "peas")
}

#[test]
fn a_transcript_is_readable_and_harmless() {
    let check = |args: &[&str], expect: &Expect| {
        let ran = run(args, LOG.as_bytes());
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        assert!(!ran.out.contains(['\u{1b}', '\r', '\u{202e}']));
        expect.assert_eq(&ran.out);
    };
    check(
        &["-"],
        &expect![[r#"
        water the beans
        pi · /home/kim/garden · tiny-1 · 2026-01-05T09:00:01Z to 2026-01-05T09:00:05Z

        User · 2026-01-05T09:00:01Z
        water the beans

        Assistant · tiny-1 · 2026-01-05T09:00:03Z
        gently
        I open the \u{202e}tap.
        → tap {"turn":"half"}
          failed:
          it is stuck
          1
          2
          3
          4
          5
          6
          7
          … (2 more lines)

        Assistant · tiny-1 · 2026-01-05T09:00:05Z
        The tap is stuck.

        1 inactive, shown with --include-inactive
        6 lines: 5 read, 1 merged
    "#]],
    );
    check(
        &["-", "--include-inactive"],
        &expect![[r#"
        water the beans
        pi · /home/kim/garden · tiny-1 · 2026-01-05T09:00:01Z to 2026-01-05T09:00:05Z

        User · 2026-01-05T09:00:01Z
        water the beans

        Assistant · inactive: a branch that was left · tiny-1 · 2026-01-05T09:00:02Z
        Flooding them.

        Assistant · tiny-1 · 2026-01-05T09:00:03Z
        gently
        I open the \u{202e}tap.
        → tap {"turn":"half"}
          failed:
          it is stuck
          1
          2
          3
          4
          5
          6
          7
          … (2 more lines)

        Assistant · tiny-1 · 2026-01-05T09:00:05Z
        The tap is stuck.

        6 lines: 5 read, 1 merged
    "#]],
    );
}

#[test]
fn the_same_bytes_give_the_same_json() {
    let folder = folder(
        "same_bytes",
        &[("log.jsonl", LOG.as_bytes()), ("renamed.txt", LOG.as_bytes()), ("packed", &zstd(LOG.as_bytes()))],
    );
    let first = run(&[&path(&folder, "log.jsonl"), "--json"], b"");
    assert_eq!((first.status, first.err.as_str()), (0, ""));
    for args in [["renamed.txt", "--json"], ["packed", "--json"]] {
        assert_eq!(run(&[&path(&folder, args[0]), args[1]], b"").out, first.out, "{args:?}");
    }
    assert_eq!(run(&["-", "--json"], LOG.as_bytes()).out, first.out);
    assert_eq!(run(&["-", "--json"], &zstd(LOG.as_bytes())).out, first.out);

    let json: Value = serde_json::from_str(&first.out).unwrap();
    assert_eq!(json["session"]["id"], "bean-session");
    assert_eq!(json["capabilities"]["attests_inactive"], true);
    assert_eq!(json["messages"].as_array().unwrap().len(), 3);
    assert_eq!(json["messages"][1]["tool_calls"][0]["result"]["is_error"], true);
    assert_eq!(json["usage"]["total"]["requests"], 3);
    assert_eq!(json["usage"]["visible"]["requests"], 2);
    assert_eq!((&json["receipt"]["lines"], &json["receipt"]["unattached_results"]), (&6.into(), &0.into()));
}

#[test]
fn records_are_a_line_each_and_the_session_is_last() {
    let ran = run(&["-", "--records"], LOG.as_bytes());
    assert_eq!(ran.status, 0);
    let kinds: Vec<String> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds.last().unwrap(), "session");
    assert!(kinds.iter().filter(|kind| *kind == "message").count() >= 5, "{kinds:?}");
}

#[test]
fn of_several_sessions_one_is_picked() {
    let other = other_log();
    let files: [(&str, &[u8]); 4] = [
        ("b/peas.jsonl", other.as_bytes()),
        ("a/beans.jsonl", LOG.as_bytes()),
        ("notes.txt", b"no log"),
        (".kept/peas.jsonl", other.as_bytes()),
    ];
    let folder = folder("several", &files);
    let here = folder.to_str().unwrap();

    let list = run(&[here], b"");
    assert_eq!((list.status, list.err.as_str()), (2, "palimpsest: 2 sessions; pick one with --session ID\n"));
    assert_eq!(
        list.out.replace(here, "…"),
        "pea-session\tpi\t…/.kept/peas.jsonl\nbean-session\tpi\t…/a/beans.jsonl\n"
    );

    let json: Value = serde_json::from_str(&run(&[here, "--json"], b"").out).unwrap();
    assert_eq!(json["sessions"][0]["id"], "pea-session");

    let picked = run(&[here, "--session", "pea-session", "--json"], b"");
    assert_eq!(picked.status, 0);
    assert!(picked.out.contains("water the peas"));

    let none = run(&[here, "--session", "corn"], b"");
    assert_eq!((none.status, none.err.as_str()), (2, "palimpsest: there is no session corn here\n"));
    assert_eq!(none.out, list.out);

    let both = run(&[&path(&folder, "a"), &path(&folder, "b/peas.jsonl")], b"");
    assert_eq!(both.status, 2);
    let twice = run(&[&path(&folder, "a"), &path(&folder, "a/beans.jsonl"), "--json"], b"");
    assert_eq!(twice.status, 0, "a file that is named twice is read once");
}

#[test]
fn what_cannot_be_read_is_one_sentence_and_status_1() {
    let folder = folder(
        "unreadable",
        &[
            ("empty", b""),
            ("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            ("other/x.json", b"{\"a\":1}"),
            ("log", LOG.as_bytes()),
        ],
    );
    fs::create_dir_all(folder.join("nothing")).unwrap();
    let here = folder.to_str().unwrap();
    let check = |name: &str, want: &str| {
        let ran = run(&[&path(&folder, name), "--json"], b"");
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{name}");
        assert_eq!(ran.err.replace(here, "…"), format!("palimpsest: {want}\n"));
    };
    check("empty", "…/empty: the file is empty");
    check("picture", "…/picture: this is not a session log: it looks like a PNG image");
    check("missing", "…/missing: No such file or directory (os error 2)");
    check("nothing", "…/nothing: the folder is empty");
    check("other", "…/other: the one file in it is no session log");

    let some = run(&[&path(&folder, "empty"), &path(&folder, "log"), "--json"], b"");
    assert_eq!(some.status, 0, "what can be read is read");
    assert_eq!(some.err.replace(here, "…"), "palimpsest: left out: …/empty: the file is empty\n");
    assert_eq!(run(&["-"], b"").err, "palimpsest: standard input: the file is empty\n");
    assert_eq!(run(&[], b"").status, 2);
}

/// A line of Claude Code, with whatever else is given.
fn claude(session: &str, uuid: &str, more: &str) -> String {
    format!(
        r#"{{"type":"user","sessionId":"{session}","uuid":"{uuid}","timestamp":"2026-01-05T09:00:00.000Z","message":{{"role":"user","content":"{uuid}"}}{more}}}"#
    ) + "\n"
}

#[test]
fn a_session_is_picked_by_the_id_that_it_prints() {
    // A resumed log begins with the lines of another session.
    let resumed = claude("s0", "a", "") + &claude("s1", "b", "") + &claude("s1", "c", "");
    let agent = |id: &str| claude("s9", id, &format!(r#","isSidechain":true,"agentId":"{id}""#));
    let folder = folder(
        "picked",
        &[
            ("agent-ag1.jsonl", agent("ag1").as_bytes()),
            ("agent-ag2.jsonl", agent("ag2").as_bytes()),
            ("resumed.jsonl", resumed.as_bytes()),
        ],
    );
    let here = folder.to_str().unwrap();
    let list = run(&[here], b"");
    assert_eq!(list.status, 2);
    for line in list.out.lines().chain(["s1\tclaude\tas its lines say"]) {
        let id = line.split('\t').next().unwrap();
        let ran = run(&[here, "--session", id, "--json"], b"");
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{line}");
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        let printed = json["session"]["id"].as_str().unwrap();
        assert!(printed == id || (printed, id) == ("s1", "s0"), "{line} is {printed}");
    }
    assert_eq!(list.out.lines().count(), 3, "{}", list.out);
}

#[test]
fn what_cannot_be_unpacked_in_a_folder_is_named() {
    let broken = [&zstd(b"")[..4], b"no frame at all"].concat();
    let files: [(&str, &[u8]); 2] = [("a.zst", &broken), ("log", LOG.as_bytes())];
    let folder = folder("broken", &files);
    let here = folder.to_str().unwrap();
    let ran = run(&[here, "--json"], b"");
    assert_eq!(ran.status, 0);
    assert!(
        ran.err.replace(here, "…").starts_with("palimpsest: left out: …/a.zst: the zstd file is damaged")
    );
}

#[test]
fn an_archive_is_a_folder_of_logs() {
    let other = LOG.replace("bean-session", "pea-session");
    let inner = zip(&[("pea.jsonl", other.as_bytes()), ("notes.txt", b"not a log")]);
    let archive = zip(&[("logs/bean.jsonl", LOG.as_bytes()), ("inner.zip", &inner)]);
    let folder = folder("archive", &[("logs.zip", &archive), ("torn.zip", &archive[..archive.len() / 2])]);
    let path_of = |name: &str| path(&folder, name);
    let list = run(&[&path_of("logs.zip")], b"");
    assert_eq!((list.status, list.out.lines().count()), (2, 2), "{}", list.err);
    let one = run(&[&path_of("logs.zip"), "--session", "pea-session", "--json"], b"");
    assert_eq!(one.status, 0, "{}", one.err);
    // A pipe of it is the same.
    let piped = run(&["-", "--session", "pea-session", "--json"], &archive);
    assert_eq!(piped.out, one.out);
    let torn = run(&[&path_of("torn.zip")], b"");
    assert_eq!(torn.status, 1);
    assert!(torn.err.contains("the zip archive is damaged or cut off"), "{}", torn.err);
}

/// A zip archive of these files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[cfg(unix)]
#[test]
fn a_pipe_that_is_named_is_read_whole() {
    let folder = folder("pipe_named", &[]);
    let pipe = path(&folder, "pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let to = pipe.clone();
    let writer = std::thread::spawn(move || fs::write(to, LOG).unwrap());
    let ran = run(&[&pipe, "--json"], b"");
    writer.join().unwrap();
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, run(&["-", "--json"], LOG.as_bytes()).out);
    assert_eq!(run(&["/dev/stdin", "--json"], LOG.as_bytes()).out, ran.out);
}

/// Reading a pipe that nobody writes to would never end.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_passed_over() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder("no_file", &[("logs/log", LOG.as_bytes()), ("shut/log", other_log().as_bytes())]);
    let here = folder.to_str().unwrap();
    let pipe = path(&folder, "logs/pipe");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    symlink(&folder, folder.join("logs/round")).unwrap();
    let shut = folder.join("shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o0)).unwrap();
    // Whoever may read everything, as in a container, may read this too.
    let may_read = fs::read_dir(&shut).is_ok();
    let ran = run(&[&path(&folder, "logs"), "--json"], b"");
    let all = run(&[here, "--json"], b"");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    if may_read {
        assert_eq!(all.status, 2);
    } else {
        assert_eq!(all.status, 0, "{}", all.err);
        assert!(all.err.replace(here, "…").starts_with("palimpsest: left out: …/shut: "), "{}", all.err);
    }
}

#[test]
fn a_damaged_archive_gives_what_comes_before_the_damage() {
    let mut packed = zstd(LOG.as_bytes());
    packed.extend_from_slice(b"no frame at all");
    let ran = run(&["-", "--json"], &packed);
    assert_eq!(ran.status, 0);
    assert!(ran.err.starts_with("palimpsest: -: the zstd file is damaged"), "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["receipt"]["lines"], 6);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let line = LOG.lines().nth(1).unwrap();
    let many: String = (0..4000).map(|n| line.replace("\"a1\"", &format!("\"m{n}\"")) + "\n").collect();
    let folder = folder("pipe", &[("log", format!("{}\n{many}", LOG.lines().next().unwrap()).as_bytes())]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_palimpsest"))
        .args(["read", &path(&folder, "log"), "--records"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

/// `bytes` as one zstd frame of raw blocks: the format without its compression (RFC 8878).
fn zstd(bytes: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 1 << 16;
    // A single segment with a content size of four bytes.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    frame.extend_from_slice(&u32::try_from(bytes.len()).unwrap().to_le_bytes());
    let blocks = bytes.chunks(BLOCK).count();
    for (at, block) in bytes.chunks(BLOCK).enumerate() {
        let head = u32::try_from(block.len() << 3).unwrap() | u32::from(at + 1 == blocks);
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.extend_from_slice(block);
    }
    frame
}
