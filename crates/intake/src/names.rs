//! What the files in an archive are called. Names are shown and compared, and never used as paths.

/// The longest name, in bytes.
const LONGEST: usize = 1024;

/// A name from an archive, below the path of the archive itself: its parts by slashes, without those that lead elsewhere.
pub fn inside(archive: &str, name: &str) -> String {
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    let mut name = parts.collect::<Vec<_>>().join("/");
    name.truncate(name.floor_char_boundary(LONGEST));
    if name.is_empty() { archive.to_owned() } else { format!("{archive}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere_else() {
        let check = |name: &str, want: &str| assert_eq!(inside("a.zip", name), want, "{name}");
        check("logs/one.jsonl", "a.zip/logs/one.jsonl");
        check("../../etc/passwd", "a.zip/etc/passwd");
        check("/var/./one", "a.zip/var/one");
        check(r"C:\logs\one", "a.zip/C:/logs/one");
        check("", "a.zip");
        assert_eq!(inside("a", &"é".repeat(2000)).len(), 2 + LONGEST);
    }
}
