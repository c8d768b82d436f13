//! Sorting, compiled once.
//!
//! The standard library's sort is written for speed and compiled anew for every type that it sorts: two dozen of them were a tenth of
//! the worker. What is sorted here is mostly in order already, and then the two take the same time.

use std::cmp::Ordering;

/// Sorts by what `compare` says; equals stay as they are.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    let Some(order) = order else { return };
    let mut taken: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|at| taken.get_mut(at).and_then(Option::take)));
}

/// Where each place's item comes from; `None` where all are in order.
fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Option<Vec<usize>> {
    if (1..count).all(|at| compare(at - 1, at).is_le()) {
        return None;
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_stay_as_they_are() {
        let check = |items: &[(u8, char)], want: &str| {
            let mut items = items.to_vec();
            sort_by(&mut items, |a, b| a.0.cmp(&b.0));
            assert_eq!(items.iter().map(|item| item.1).collect::<String>(), want);
        };
        check(&[], "");
        check(&[(1, 'a'), (1, 'b'), (2, 'c')], "abc");
        check(&[(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')], "bdac");
    }
}
