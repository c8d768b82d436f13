//! Archives made here, of every kind and in every state, pushed through one `check`.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::io::{self, Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use palimpsest_intake::limits::{MOST_FILES, MOST_RATIO, RATIO_FROM};
use palimpsest_intake::{Sink, unpack};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use zip::write::SimpleFileOptions;
use zip::{AesMode, CompressionMethod, ZipWriter};

/// What came out of an archive.
#[derive(Default)]
struct Taken {
    files: Vec<(String, Vec<u8>, Option<String>)>,
    left_out: Vec<String>,
    /// Bytes are counted and thrown away.
    counts_only: bool,
    bytes: u64,
}

impl Sink for Taken {
    fn begin(&mut self, path: &str) {
        self.files.push((path.to_owned(), Vec::new(), None));
    }
    fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        self.bytes += piece.len() as u64;
        if !self.counts_only {
            self.files.last_mut().unwrap().1.extend_from_slice(piece);
        }
        Ok(())
    }
    fn end(&mut self, damage: Option<String>) {
        self.files.last_mut().unwrap().2 = damage;
    }
    fn left_out(&mut self, sentence: String) {
        self.left_out.push(sentence);
    }
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Words that do not repeat, so that what is packed is many blocks.
fn words(count: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let mut word = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        format!("{state:x}\n")
    };
    (0..count).flat_map(|_| word().into_bytes()).collect()
}

#[test]
fn every_kind_and_nest_gives_its_files() {
    let check = |archive: Vec<u8>, want: &[(&str, &str)]| {
        let mut taken = Taken::default();
        unpack(Cursor::new(archive), "a", &mut taken).unwrap();
        let files: Vec<(&str, &str)> =
            taken.files.iter().map(|file| (file.0.as_str(), str::from_utf8(&file.1).unwrap())).collect();
        assert_eq!(files, want);
        assert!(taken.files.iter().all(|file| file.2.is_none()) && taken.left_out.is_empty());
    };
    let one = ("one", b"first".as_slice());
    let two = ("x/two", b"second".as_slice());
    check(b"plain".to_vec(), &[("a", "plain")]);
    check(Vec::new(), &[("a", "")]);
    check(zip(&[one, two]), &[("a/one", "first"), ("a/x/two", "second")]);
    check(zip(&[]), &[]);
    check(tar(&[one, two]), &[("a/one", "first"), ("a/x/two", "second")]);
    check(gzip(b"text"), &[("a", "text")]);
    check([gzip(b"one,"), gzip(b"two")].concat(), &[("a", "one,two")]);
    check(
        [zstd(b"one,"), b"\x50\x2a\x4d\x18\x02\0\0\0xx".to_vec(), zstd(b"two")].concat(),
        &[("a", "one,two")],
    );
    check(gzip(&tar(&[one])), &[("a/one", "first")]);
    check(zstd(&tar(&[one])), &[("a/one", "first")]);
    check(gzip(&gzip(b"twice")), &[("a", "twice")]);
    check(
        zip(&[("i.zip", &zip(&[one])), ("t.gz", &gzip(b"text"))]),
        &[("a/i.zip/one", "first"), ("a/t.gz", "text")],
    );
    check(tar(&[("i.zip", &zip(&[one]))]), &[("a/i.zip/one", "first")]);
    check(zip(&[("t.tgz", &gzip(&tar(&[two])))]), &[("a/t.tgz/x/two", "second")]);
    // Names lead nowhere else.
    check(zip(&[("../../etc/passwd", b"x"), ("/var", b"y")]), &[("a/etc/passwd", "x"), ("a/var", "y")]);
}

#[test]
fn what_cannot_be_trusted_is_refused_in_one_sentence() {
    let check = |archive: Vec<u8>, want: &str| {
        let mut taken = Taken { counts_only: true, ..Taken::default() };
        let refused = unpack(Cursor::new(archive), "a", &mut taken).expect_err(want).to_string();
        assert!(refused.contains(want), "{refused}");
        assert!(taken.bytes < RATIO_FROM * 2, "{} bytes were unpacked", taken.bytes);
    };
    let zeros = vec![0; 256 << 20];
    let ratio = format!("more than {MOST_RATIO} times");
    check(gzip(&zeros), &ratio);
    check(gzip(&gzip(&zeros)), &ratio);
    check(zip(&[("zeros", &zeros)]), &ratio);
    check(zip(&[("i.zip", &zip(&[("zeros", &zeros)]))]), &ratio);
    check(zip(&[("a", &zeros[..60 << 20]), ("b", &zeros[..60 << 20])]), &ratio);
    check(encrypted(), "encrypted");
    let whole = zip(&[("one", &words(1000))]);
    check(whole[..whole.len() / 2].to_vec(), "the zip archive is damaged or cut off");
    check(sparse(10 << 30), "more than 2 GiB");
    check(claiming(10 << 30), "more than 2 GiB");
    check(many(), &format!("more than {MOST_FILES} files"));
}

#[test]
fn one_damaged_file_costs_only_itself() {
    let text = words(20_000);
    let mut broken = zip(&[("good", b"sound"), ("bad", &text), ("last", b"sound, too")]);
    let middle = broken.len() / 2;
    broken[middle] ^= 0xff;
    let mut taken = Taken::default();
    unpack(Cursor::new(broken), "a", &mut taken).unwrap();
    let names: Vec<&str> = taken.files.iter().map(|file| file.0.as_str()).collect();
    assert_eq!(names, ["a/good", "a/bad", "a/last"]);
    assert!(taken.files[1].2.as_ref().unwrap().starts_with("the zip archive is damaged"));
    assert!(taken.files[0].2.is_none() && taken.files[2].2.is_none());

    // Archives in archives in archives are left out, each with a sentence, and the rest is read.
    let deep = zip(&[("1.zip", &zip(&[("2.zip", &zip(&[("one", b"x")])), ("two", b"y")]))]);
    let mut taken = Taken::default();
    unpack(Cursor::new(deep), "a", &mut taken).unwrap();
    assert_eq!(taken.files.iter().map(|file| file.0.as_str()).collect::<Vec<_>>(), ["a/1.zip/two"]);
    assert_eq!(taken.left_out, ["a/1.zip/2.zip: archives are opened 2 levels deep, and this is one more"]);
}

#[test]
fn a_torn_file_gives_what_comes_before() {
    let text = words(200_000);
    let check = |packed: &[u8], length: usize, least: usize| {
        let mut taken = Taken::default();
        unpack(Cursor::new(&packed[..length]), "a", &mut taken).unwrap();
        let (_, bytes, damage) = &taken.files[0];
        assert_eq!(damage.is_none(), length == packed.len(), "{length} bytes: {damage:?}");
        assert!(text.starts_with(bytes), "{length} bytes");
        assert!(bytes.len() >= least, "{} of at least {least}", bytes.len());
    };
    for packed in [zstd(&text), gzip(&text)] {
        check(&packed, packed.len(), text.len());
        check(&packed, packed.len() - 1, text.len() - (1 << 17));
        check(&packed, packed.len() / 2, text.len() / 3);
        check(&packed, packed.len() / 100, 0);
        check(&packed, 5, 0);
    }
    let archive = tar(&[("one", b"sound"), ("two", &text)]);
    let mut taken = Taken::default();
    unpack(Cursor::new(&archive[..archive.len() / 2]), "a", &mut taken).unwrap();
    assert_eq!(taken.files[0].1, b"sound");
    assert!(text.starts_with(&taken.files[1].1) && taken.files[1].2.is_some(), "{:?}", taken.files[1].2);
}

fn encrypted() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().with_aes_encryption(AesMode::Aes256, "secret");
    writer.start_file("one", options).unwrap();
    writer.write_all(b"text").unwrap();
    writer.finish().unwrap().into_inner()
}

/// A tar archive of one file that claims to be so long, and ends.
fn sparse(size: u64) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("hole").unwrap();
    header.set_size(size);
    header.set_cksum();
    [header.as_bytes().as_slice(), &[0; 1024]].concat()
}

/// A zip archive whose list of files claims that one is so long.
fn claiming(size: u64) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("one", options).unwrap();
    writer.write_all(b"text").unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    // The size stands in the entry of the list, or beside it where it is large: put the large one there.
    let list = bytes.windows(4).position(|it| it == b"PK\x01\x02").unwrap();
    let u16_at = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]) as usize;
    let (name, extra) = (u16_at(&bytes, list + 28), u16_at(&bytes, list + 30));
    bytes[list + 24..list + 28].copy_from_slice(&u32::MAX.to_le_bytes());
    let field = [&1_u16.to_le_bytes()[..], &8_u16.to_le_bytes(), &size.to_le_bytes()].concat();
    bytes[list + 30..list + 32].copy_from_slice(&((extra + field.len()) as u16).to_le_bytes());
    let at = list + 46 + name;
    bytes.splice(at..at, field.iter().copied());
    // The end of the archive says how long the list is.
    let end = bytes.windows(4).rposition(|it| it == b"PK\x05\x06").unwrap();
    let length = u32::from_le_bytes(bytes[end + 12..end + 16].try_into().unwrap()) + field.len() as u32;
    bytes[end + 12..end + 16].copy_from_slice(&length.to_le_bytes());
    bytes
}

fn many() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for number in 0..=MOST_FILES {
        writer.start_file(number.to_string(), options).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
