//! The cases of `tests/fixtures/<provider>/<case>/`.
//!
//! All files of a case that are no goldens are the logs of one session. A new case is a new folder:
//! no test names one. `FIXTURES=pi/leaf cargo test --test it` runs the cases whose name contains that.

use std::fs;
use std::io::{self, Cursor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use palimpsest_assembly::{AssemblyOptions, RecordSet, SessionDetail, assemble_session_detail};
use palimpsest_intake::{Sink, unpack};
use palimpsest_providers::identify::logs_in;
use palimpsest_providers::{
    Container, FileRole, Found, Identified, PROVIDERS, Provider, ReadLog, ReadOptions, SessionReader, group,
    identify,
};
use palimpsest_record::TranscriptRecord;

/// What the tests write beside a case's logs.
pub(crate) const GOLDENS: [&str; 3] = ["records.jsonl", "outline.txt", "receipt.txt"];

/// One case: the logs of one session.
pub(crate) struct Fixture {
    /// `<provider>/<case>`.
    pub(crate) name: String,
    /// Where its goldens are.
    pub(crate) folder: PathBuf,
    /// The provider that its folder names.
    pub(crate) provider: &'static dyn Provider,
    /// Its logs in the order of reading: main files first, then by name.
    pub(crate) logs: Vec<Log>,
}

/// One log of a case, unpacked.
#[derive(Clone)]
pub(crate) struct Log {
    /// Its file name.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// How it holds its records.
    pub(crate) container: Container,
    /// Main file or companion.
    pub(crate) role: FileRole,
}

impl Fixture {
    /// What its logs give.
    pub(crate) fn read(&self) -> ReadLog {
        read(self.provider, &self.logs)
    }

    /// Its logs with the bytes of one replaced.
    pub(crate) fn with_bytes(&self, log: usize, bytes: Vec<u8>) -> Vec<Log> {
        let mut logs = self.logs.clone();
        logs[log].bytes = bytes;
        logs
    }

    fn load(name: &str, folder: &Path) -> Fixture {
        let provider_id = name.split('/').next().unwrap();
        let provider = PROVIDERS.iter().find(|provider| provider.id() == provider_id);
        let provider = *provider.unwrap_or_else(|| panic!("tests/fixtures/{provider_id} names no provider"));
        let names = names_in(folder).into_iter().filter(|file| !GOLDENS.contains(&file.as_str()));
        let logs: Vec<Log> = names.flat_map(|file| Log::load(&folder.join(&file), file)).collect();
        let found: Vec<Found> = logs.iter().map(Log::found).collect();
        let sessions = group(&found);
        let [session] = sessions.as_slice() else { panic!("{name}: {} sessions", sessions.len()) };
        let logs = session.files.iter().map(|&file| logs[file].clone()).collect();
        Fixture { name: name.to_owned(), folder: folder.to_owned(), provider, logs }
    }
}

impl Log {
    /// It as it lies in a folder.
    pub(crate) fn found(&self) -> Found {
        match identify(&self.bytes, true) {
            Ok(Identified::Yes(identity)) => Found { path: self.name.clone(), identity },
            other => panic!("{}: {other:?}", self.name),
        }
    }

    fn load(path: &Path, name: String) -> Vec<Log> {
        unpacked(fs::read(path).unwrap(), &name)
            .into_iter()
            .flat_map(|(name, bytes)| Log::of(name, bytes))
            .collect()
    }

    /// The logs that a file holds: itself, or those in it.
    fn of(name: String, bytes: Vec<u8>) -> Vec<Log> {
        match identify(&bytes, true) {
            Ok(Identified::Yes(identity)) if identity.container == Container::Logs => {
                let inside = logs_in(&bytes)
                    .into_iter()
                    .map(|range| bytes[range.start as usize..range.end as usize].to_vec());
                (1..).zip(inside).flat_map(|(number, log)| Log::of(format!("{name} {number}"), log)).collect()
            }
            Ok(Identified::Yes(identity)) => {
                vec![Log { name, bytes, container: identity.container, role: identity.key.role }]
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// A file that is no archive, or the files in one that is.
pub(crate) fn unpacked(bytes: Vec<u8>, path: &str) -> Vec<(String, Vec<u8>)> {
    #[derive(Default)]
    struct Files(Vec<(String, Vec<u8>)>);
    impl Sink for Files {
        fn begin(&mut self, path: &str) {
            self.0.push((path.to_owned(), Vec::new()));
        }
        fn push(&mut self, piece: &[u8]) -> io::Result<()> {
            self.0.last_mut().unwrap().1.extend_from_slice(piece);
            Ok(())
        }
        fn end(&mut self, _: Option<String>) {}
        fn left_out(&mut self, sentence: String) {
            panic!("{sentence}");
        }
    }
    let mut files = Files::default();
    unpack(Cursor::new(bytes), path, &mut files).unwrap();
    files.0
}

/// Reads the logs of one session.
pub(crate) fn read(provider: &'static dyn Provider, logs: &[Log]) -> ReadLog {
    read_in_pieces(provider, logs, |bytes| vec![bytes])
}

/// Reads the logs of one session, each cut into pieces.
pub(crate) fn read_in_pieces<'a>(
    provider: &'static dyn Provider,
    logs: &'a [Log],
    cut: impl Fn(&'a [u8]) -> Vec<&'a [u8]>,
) -> ReadLog {
    let mut reader = SessionReader::new(provider, ReadOptions::default());
    for log in logs {
        reader.begin_file(log.container, log.role);
        for piece in cut(&log.bytes) {
            reader.push(piece);
        }
        reader.end_file();
    }
    reader.finish()
}

/// The session detail of a whole stream, with what is inactive in it.
pub(crate) fn assemble(records: Vec<TranscriptRecord>) -> SessionDetail {
    assemble_set(&RecordSet::from_records(records).unwrap())
}

/// The session detail of a set, with what is inactive in it.
pub(crate) fn assemble_set(set: &RecordSet) -> SessionDetail {
    let options = AssemblyOptions { include_inactive: true, ..AssemblyOptions::default() };
    assemble_session_detail(set, &options).unwrap()
}

/// Runs `check` on every case and fails with the names of those on which it panicked, so that one
/// broken adapter does not hide the others.
pub(crate) fn on_every_fixture(check: impl Fn(&Fixture)) {
    let cases = all();
    let failed: Vec<&String> = cases
        .iter()
        .filter(|name| {
            let run = || check(&Fixture::load(name, &root().join(name)));
            catch_unwind(AssertUnwindSafe(run)).is_err()
        })
        .collect();
    assert!(failed.is_empty(), "failed on {failed:?}");
}

/// Every case, read from the disk once.
pub(crate) fn every_fixture() -> Vec<Fixture> {
    all().into_iter().map(|name| Fixture::load(&name, &root().join(&name))).collect()
}

/// The folder of the project.
pub(crate) fn project() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("run by cargo"))
}

fn root() -> PathBuf {
    project().join("tests/fixtures")
}

/// `<provider>/<case>` of every case that is asked for, sorted.
fn all() -> Vec<String> {
    let wanted = std::env::var("FIXTURES").unwrap_or_default();
    let cases = |provider: String| {
        let folder = root().join(&provider);
        names_in(&folder).into_iter().map(move |case| format!("{provider}/{case}")).collect::<Vec<_>>()
    };
    let names = names_in(&root()).into_iter().flat_map(cases);
    let names: Vec<String> = names.filter(|name| name.contains(&wanted)).collect();
    assert!(!names.is_empty(), "no case is named like {wanted:?}");
    names
}

/// Names in a folder, sorted: the order of a folder's listing is the file system's own.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
