//! Heading levels that fit into the page.

/// The page's own title is the first level, so that a message begins at the second.
const FIRST: usize = 2;

/// Turns the levels that a message was written with into the page's. Logs skip levels as they
/// please; to a screen reader a level may only go down by one at a time.
#[derive(Debug, Default)]
pub struct Headings {
    /// Written levels of the headings that the next one stands under.
    above: Vec<u8>,
}

impl Headings {
    /// The level on the page of the next heading, which was written at `level`.
    pub fn next(&mut self, level: u8) -> usize {
        while self.above.last().is_some_and(|above| *above >= level) {
            self.above.pop();
        }
        self.above.push(level);
        (FIRST + self.above.len() - 1).min(6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_go_down_one_at_a_time() {
        let check = |written: &[u8], want: &[usize]| {
            let mut headings = Headings::default();
            let shown: Vec<usize> = written.iter().map(|level| headings.next(*level)).collect();
            assert_eq!(shown, want, "{written:?}");
        };
        check(&[1, 2, 3, 2, 1], &[2, 3, 4, 3, 2]);
        check(&[3, 6, 6, 4, 2], &[2, 3, 3, 3, 2]);
        check(&[1, 2, 3, 4, 5, 6], &[2, 3, 4, 5, 6, 6]);
    }
}
