//! The heights of all rows, so that the row at a place and the place of a row are found without
//! going through the rows before it.
//!
//! A Fenwick tree: every answer and every correction costs a number of steps that grows with the
//! logarithm of the rows. Heights are kept as whole 64ths of a CSS pixel, the unit of a browser's
//! own layout, because sums of fractions would drift apart from the sums of their parts.

/// 64ths in a pixel.
const UNITS: f64 = 64.0;

/// The heights of all rows in order. Everything is in CSS pixels outside of here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heights {
    /// Each row's own height.
    own: Vec<u32>,
    /// Node `i` sums the rows from `i + 1` without its lowest bit to `i`, in the usual way.
    tree: Vec<u64>,
}

impl Heights {
    /// The tree of these heights.
    pub fn new(heights: impl Iterator<Item = f64>) -> Heights {
        let own: Vec<u32> = heights.map(units).collect();
        let mut tree: Vec<u64> = own.iter().map(|&height| u64::from(height)).collect();
        for i in 0..tree.len() {
            let sum = tree.get(i).copied().unwrap_or_default();
            // Every node hands its sum to the one that covers it.
            if let Some(above) = tree.get_mut(i | (i + 1)) {
                *above += sum;
            }
        }
        Heights { own, tree }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.own.len()
    }

    /// The height of a row; 0 where there is no such row.
    pub fn get(&self, row: usize) -> f64 {
        pixels(self.own.get(row).copied().unwrap_or_default().into())
    }

    /// Corrects the height of a row.
    pub fn set(&mut self, row: usize, height: f64) {
        let Some(own) = self.own.get_mut(row) else { return };
        let old = std::mem::replace(own, units(height));
        let (old, new) = (u64::from(old), u64::from(*own));
        let mut node = row;
        while let Some(sum) = self.tree.get_mut(node) {
            *sum = *sum - old + new;
            node |= node + 1;
        }
    }

    /// Where a row begins: the sum of all before it. For the row behind the last, the whole length.
    pub fn top(&self, row: usize) -> f64 {
        let mut sum = 0;
        let mut end = row.min(self.tree.len());
        while let Some(node) = end.checked_sub(1) {
            sum += self.tree.get(node).copied().unwrap_or_default();
            end &= node;
        }
        pixels(sum)
    }

    /// Where a row ends.
    pub fn bottom(&self, row: usize) -> f64 {
        self.top(row + 1)
    }

    /// The length of the list.
    pub fn total(&self) -> f64 {
        self.top(self.len())
    }

    /// The row that covers a place: the last one for a place behind the end, 0 where there is none.
    pub fn row_at(&self, place: f64) -> usize {
        let mut rest = (place.max(0.0) * UNITS) as u64;
        let mut row = 0;
        let mut step = self.len().checked_next_power_of_two().unwrap_or_default();
        while step > 0 {
            if let Some(&sum) = self.tree.get(row + step - 1)
                && sum <= rest
            {
                rest -= sum;
                row += step;
            }
            step /= 2;
        }
        row.min(self.len().saturating_sub(1))
    }
}

fn units(height: f64) -> u32 {
    (height * UNITS).round() as u32
}

fn pixels(units: u64) -> f64 {
    units as f64 / UNITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a plain list would say.
    fn check(heights: &[f64], tree: &Heights) {
        let mut top = 0.0;
        for (row, &height) in heights.iter().enumerate() {
            assert_eq!(tree.top(row), top, "top of {row}");
            assert_eq!(tree.get(row), height, "height of {row}");
            if height > 0.0 {
                assert_eq!(tree.row_at(top), row, "row at its own top");
                assert_eq!(tree.row_at(top + height - 1.0 / UNITS), row, "row at its last line");
            }
            top += height;
        }
        assert_eq!(tree.total(), top);
        assert_eq!(tree.row_at(top + 1.0), heights.len().saturating_sub(1), "behind the end");
    }

    proptest! {
        #[test]
        fn it_says_what_a_plain_list_says(
            start in prop::collection::vec(0..4_000_u32, 0..200),
            changes in prop::collection::vec((0..200_usize, 0..4_000_u32), 0..50),
        ) {
            let mut heights: Vec<f64> = start.into_iter().map(|h| f64::from(h) / 8.0).collect();
            let mut tree = Heights::new(heights.iter().copied());
            check(&heights, &tree);
            for (row, height) in changes {
                let height = f64::from(height) / 8.0;
                tree.set(row, height);
                if let Some(own) = heights.get_mut(row) {
                    *own = height;
                }
            }
            check(&heights, &tree);
        }
    }

    #[test]
    fn a_hundred_thousand_rows() {
        let mut tree = Heights::new((0..100_000).map(|_| 100.0));
        for row in (0..100_000).step_by(7) {
            tree.set(row, 130.5);
        }
        let raised = 100_000_usize.div_ceil(7) as f64;
        assert_eq!(tree.total(), 10_000_000.0 + raised * 30.5);
        assert_eq!(tree.row_at(tree.top(77_777)), 77_777);
    }
}
