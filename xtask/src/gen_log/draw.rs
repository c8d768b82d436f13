//! Chances, sizes and ids from a seed.
//!
//! Whole numbers and plain arithmetic only: a library's logarithm may differ in its last bit from machine to machine, and the
//! same seed must give the same log on each.

/// A xorshift generator: good enough to look at, and nothing to install.
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        // Zero is the one state it never leaves; a few rounds spread small seeds over all bits.
        let mut draw = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            draw.next();
        }
        draw
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// From `low` up to and with `high`.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + (self.next() >> 11) % (high - low + 1)
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        self.between(0, count.max(1) as u64 - 1) as usize
    }

    /// True that often in a thousand.
    pub(super) fn chance(&mut self, per_mille: u64) -> bool {
        self.between(1, 1000) <= per_mille
    }

    pub(super) fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items.get(self.below(items.len())).copied().unwrap_or_default()
    }

    /// A size as sizes are in real logs: half of them below `median`, some of them many times as large.
    pub(super) fn size(&mut self, median: u64, spread: f64, low: u64, high: u64) -> usize {
        // Twelve even draws added up make a normal one.
        let sum: u64 = (0..12).map(|_| self.between(0, 1_000_000)).sum();
        let normal = sum as f64 / 1_000_000.0 - 6.0;
        let mut factor = 1.0 + normal * spread / 1024.0;
        for _ in 0..10 {
            factor *= factor;
        }
        ((median as f64 * factor) as u64).clamp(low, high) as usize
    }

    pub(super) fn hex(&mut self, digits: usize) -> String {
        let mut hex = String::with_capacity(digits + 16);
        while hex.len() < digits {
            hex += &format!("{:016x}", self.next());
        }
        hex.truncate(digits);
        hex
    }

    pub(super) fn uuid(&mut self) -> String {
        let (a, b, c) = (self.next(), self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
            a >> 32,
            a & 0xffff,
            b >> 52,
            b & 0xfff,
            c & 0xffff_ffff_ffff
        )
    }
}
