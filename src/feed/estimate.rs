//! How tall a row probably is, before it is measured.

/// The width that the worker's guesses are for, in CSS pixels.
const WIDTH_OF_GUESS: f64 = 800.0;
/// What does not grow as the column narrows: the line above the text and the space around it.
const FIXED: f64 = 56.0;

/// The probable height of a row in a column `width` pixels wide, from the worker's guess.
pub fn estimate(guess: u16, width: f64) -> f64 {
    let guess = f64::from(guess).max(1.0);
    if guess <= FIXED || width <= 0.0 {
        return guess;
    }
    // Prose does not get wider than the guess's width, so a wider column is no shorter.
    FIXED + (guess - FIXED) * (WIDTH_OF_GUESS / width).clamp(1.0, 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_column_is_longer() {
        for (guess, width, height) in [
            (256, 800.0, 256.0),
            (256, 1_200.0, 256.0),
            (256, 400.0, 456.0),
            (40, 400.0, 40.0),
            (256, 0.0, 256.0),
            (0, 800.0, 1.0),
        ] {
            assert_eq!(estimate(guess, width), height, "{guess} at {width}");
        }
    }
}
