//! Bytes in pieces of any size → lines.

use std::borrow::Cow;

use memchr::memchr;

/// Splits a byte stream at line feeds. A line that lies whole in one piece is handed out in place;
/// only a line that crosses a border is copied.
#[derive(Debug, Default)]
pub struct LineSplitter {
    /// The beginning of a line whose end has not come yet.
    partial: Vec<u8>,
    /// Offset of the next unread byte in the file.
    offset: u64,
}

/// Above this the buffer of a long line is given back after it: the next such line may never come.
const KEEP_CAPACITY: usize = 1 << 20;

impl LineSplitter {
    /// Hands every line that `bytes` completes to `each`, with the offset of its first byte.
    pub fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(&[u8], u64)) {
        while let Some(at) = memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(at);
            let start = self.offset - self.partial.len() as u64;
            self.offset += line.len() as u64 + 1;
            if self.partial.is_empty() {
                each(line, start);
            } else {
                self.partial.extend_from_slice(line);
                each(&self.partial, start);
                self.reset();
            }
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.partial.extend_from_slice(bytes);
        self.offset += bytes.len() as u64;
    }

    /// The stream is at its end: hands out the last line, where it has no line feed.
    pub fn finish(&mut self, mut each: impl FnMut(&[u8], u64)) {
        if !self.partial.is_empty() {
            each(&self.partial, self.offset - self.partial.len() as u64);
            self.reset();
        }
    }

    fn reset(&mut self) {
        if self.partial.capacity() > KEEP_CAPACITY {
            self.partial = Vec::new();
        } else {
            self.partial.clear();
        }
    }
}

/// A line without what is no part of its text: a byte order mark, NUL runs (a crash leaves them),
/// the carriage return, white space around. Empty where nothing is left.
pub fn clean(line: &[u8]) -> Cow<'_, [u8]> {
    match unmarked(line) {
        Cow::Borrowed(line) => line.trim_ascii().into(),
        Cow::Owned(line) => line.trim_ascii().to_vec().into(),
    }
}

/// A line without byte order mark, NUL runs and carriage return, but with its white space: where a
/// raw line feed broke a record, that is part of a text.
pub(crate) fn unmarked(line: &[u8]) -> Cow<'_, [u8]> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let without_return = |line: &[u8]| line.strip_suffix(b"\r").map_or(line.len(), <[u8]>::len);
    if memchr(0, line).is_none() {
        return line.get(..without_return(line)).unwrap_or_default().into();
    }
    let mut kept: Vec<u8> = line.iter().copied().filter(|&byte| byte != 0).collect();
    kept.truncate(without_return(&kept));
    kept.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(bytes: &[u8], size: usize) -> Vec<(String, u64)> {
        let mut splitter = LineSplitter::default();
        let mut lines = Vec::new();
        let mut each = |line: &[u8], at| lines.push((String::from_utf8_lossy(line).into_owned(), at));
        for piece in bytes.chunks(size) {
            splitter.push(piece, &mut each);
        }
        splitter.finish(&mut each);
        lines
    }

    #[test]
    fn any_piece_size_gives_the_same_lines_and_offsets() {
        let bytes = b"one\n\ntwo\r\nlast without a feed";
        let whole = split(bytes, bytes.len());
        assert_eq!(whole.iter().map(|line| line.1).collect::<Vec<_>>(), [0, 4, 5, 10]);
        for size in 1..bytes.len() {
            assert_eq!(split(bytes, size), whole, "pieces of {size}");
        }
    }

    #[test]
    fn marks_and_padding_are_no_text() {
        let check = |line: &[u8], want: &[u8]| assert_eq!(clean(line).as_ref(), want);
        check(b"\xef\xbb\xbf{}\r", b"{}");
        check(b"\0\0\0", b"");
        check(b"\0\0{\"a\":1}\0", b"{\"a\":1}");
        check(b" \t\r", b"");
    }
}
