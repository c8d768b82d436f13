//! Numbers as people read them.

/// A count with its thousands apart, e.g. `12,408`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Tokens in short, e.g. `950`, `8.4k`, `182k`, `1.2M`.
pub fn tokens(n: u64) -> String {
    scaled(n, 1_000, &["", "k", "M", "G"])
}

/// Bytes in short, e.g. `950 B`, `8.4 KB`, `120 MB`.
pub fn bytes(n: u64) -> String {
    scaled(n, 1_000, &[" B", " KB", " MB", " GB"])
}

/// A duration, e.g. `420 ms`, `6.2 s`, `1 m 4 s`, `2 h 5 m`.
pub fn duration(ms: u64) -> String {
    let seconds = ms.saturating_add(500) / 1_000;
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..9_950 => format!("{:.1} s", ms as f64 / 1_000.0),
        _ if seconds < 60 => format!("{seconds} s"),
        _ if seconds < 3_600 => format!("{} m {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} m", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// Dollars, e.g. `$0.0042`, `$1.20`.
pub fn dollars(usd: f64) -> String {
    if usd != 0.0 && usd.abs() < 0.1 { format!("${usd:.4}") } else { format!("${usd:.2}") }
}

/// `1 line`, `2 lines`: a count and its noun.
pub fn of(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// `n` in the largest unit in which it is at least 1, with one decimal below 10.
fn scaled(n: u64, base: u64, units: &[&str]) -> String {
    let mut value = n as f64;
    let mut unit = 0;
    // 999.5 would be printed as 1000.
    while value >= base as f64 - 0.5 && unit + 1 < units.len() {
        value /= base as f64;
        unit += 1;
    }
    let suffix = units.get(unit).copied().unwrap_or_default();
    if unit > 0 && value < 9.95 { format!("{value:.1}{suffix}") } else { format!("{value:.0}{suffix}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        for (n, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (12_408, "12,408"), (1_234_567, "1,234,567")]
        {
            assert_eq!(count(n), text);
        }
        assert_eq!(
            (of(1, "line", "lines"), of(2_000, "line", "lines")),
            ("1 line".into(), "2,000 lines".into())
        );
    }

    #[test]
    fn sizes() {
        for (n, text) in [
            (950, "950"),
            (999, "999"),
            (1_000, "1.0k"),
            (8_412, "8.4k"),
            (182_000, "182k"),
            (999_600, "1.0M"),
        ] {
            assert_eq!(tokens(n), text, "{n}");
        }
        for (n, text) in [(0, "0 B"), (999, "999 B"), (1_000, "1.0 KB"), (123_456_789, "123 MB")] {
            assert_eq!(bytes(n), text, "{n}");
        }
    }

    #[test]
    fn durations() {
        for (ms, text) in [
            (420, "420 ms"),
            (6_200, "6.2 s"),
            (41_000, "41 s"),
            (59_700, "1 m 0 s"),
            (64_000, "1 m 4 s"),
            (7_500_000, "2 h 5 m"),
        ] {
            assert_eq!(duration(ms), text, "{ms}");
        }
    }

    #[test]
    fn money() {
        assert_eq!(
            (dollars(0.0042), dollars(1.2), dollars(0.0)),
            ("$0.0042".into(), "$1.20".into(), "$0.00".into())
        );
    }
}
