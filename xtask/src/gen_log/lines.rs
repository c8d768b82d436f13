//! The log itself, line by line, with its clock.

use super::draw::Draw;
use super::text::Text;
use std::io::{self, Write};
use time::OffsetDateTime;

/// 2026-01-01T00:00:00Z, in milliseconds since 1970: every log starts on that day.
const FIRST_MILLIS: u64 = 1_767_225_600_000;

/// A log that is being written.
pub(super) struct Lines<'a> {
    pub(super) draw: Draw,
    text: Text,
    /// Bytes written.
    pub(super) written: u64,
    /// Bytes wanted.
    pub(super) wanted: u64,
    millis: u64,
    out: &'a mut dyn Write,
}

impl<'a> Lines<'a> {
    pub(super) fn new(seed: u64, wanted: u64, out: &'a mut dyn Write) -> Self {
        let mut draw = Draw::new(seed);
        let text = Text::new(&mut draw);
        Self { draw, text, written: 0, wanted, millis: FIRST_MILLIS, out }
    }

    pub(super) fn is_full(&self) -> bool {
        self.written >= self.wanted
    }

    /// Writes one line, which must be a JSON object.
    pub(super) fn push(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")?;
        self.written += line.len() as u64 + 1;
        Ok(())
    }

    /// The time of the next thing that happens: `2026-01-01T00:00:04.217Z`.
    pub(super) fn now(&mut self) -> String {
        self.millis += self.draw.between(20, 9000);
        let time =
            i64::try_from(self.millis / 1000).ok().and_then(|s| OffsetDateTime::from_unix_timestamp(s).ok());
        let time = time.unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let (year, month, day) = time.to_calendar_date();
        let (hour, minute, second) = time.to_hms();
        let millis = self.millis % 1000;
        format!("{year}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z", u8::from(month))
    }

    pub(super) fn word(&mut self) -> &'static str {
        self.text.word(&mut self.draw)
    }

    pub(super) fn name(&mut self) -> &'static str {
        self.text.name(&mut self.draw)
    }

    pub(super) fn file(&mut self) -> String {
        self.text.file(&mut self.draw).to_owned()
    }

    pub(super) fn sentence(&mut self) -> String {
        self.text.sentence(&mut self.draw).to_owned()
    }

    pub(super) fn prose(&mut self, bytes: usize) -> String {
        self.text.prose(&mut self.draw, bytes)
    }

    pub(super) fn code(&mut self, bytes: usize) -> String {
        self.text.code(&mut self.draw, bytes)
    }

    pub(super) fn code_lines(&mut self, bytes: usize) -> Vec<&str> {
        self.text.code_lines(&mut self.draw, bytes)
    }

    pub(super) fn terminal(&mut self, bytes: usize) -> String {
        self.text.terminal(&mut self.draw, bytes)
    }

    pub(super) fn noise(&mut self, bytes: usize) -> String {
        self.text.noise(&mut self.draw, bytes)
    }

    pub(super) fn picture(&mut self) -> String {
        self.text.picture(&mut self.draw)
    }

    /// Ends the log and tells its size in bytes.
    pub(super) fn finish(self) -> io::Result<u64> {
        self.out.flush()?;
        Ok(self.written)
    }
}
