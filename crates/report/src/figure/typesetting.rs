//! How wide words are, guessed without a font: a little too wide rather than too narrow.

use super::advance::{Weight, advance};
use crate::entry::one_line;

/// The guessed width of a line in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    breadth(text, size, Weight::Regular)
}

fn breadth(text: &str, size: f64, weight: Weight) -> f64 {
    text.chars().map(|c| advance(c, weight)).sum::<f64>() * size
}

/// One line that is at most this wide, its end replaced by an ellipsis where it was wider.
pub(super) fn shortened(text: &str, size: f64, most: f64) -> String {
    cut(text, size, most, Weight::Regular)
}

/// The same in the letters of this weight.
pub(super) fn cut(text: &str, size: f64, most: f64, weight: Weight) -> String {
    let text = one_line(text);
    if breadth(&text, size, weight) <= most {
        return text;
    }
    let mut room = most - breadth("…", size, weight);
    let kept = text.chars().take_while(|c| {
        room -= advance(*c, weight) * size;
        room >= 0.0
    });
    kept.collect::<String>() + "…"
}

/// The text in lines that are at most this wide.
pub(super) fn wrapped(text: &str, size: f64, most: f64, weight: Weight) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = cut(word, size, most, weight);
        match lines.last_mut().filter(|line| breadth(&format!("{line} {word}"), size, weight) <= most) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn long_words_are_shortened_and_long_lines_broken() {
        assert_eq!(shortened("controller", 12.0, 200.0), "controller");
        assert_eq!(shortened("controller", 12.0, 40.0), "cont…");
        assert_eq!(wrapped("one two three", 12.0, 60.0, Weight::Regular), ["one two", "three"]);
        assert_eq!(
            wrapped("one two three", 12.0, 44.0, Weight::Bold),
            ["one", "two", "three"],
            "bold letters are wider"
        );
        assert!(wrapped(" \n", 12.0, 60.0, Weight::Bold).is_empty());
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_allowed(text in any::<String>(), most in 20.0..300.0) {
            for weight in [Weight::Regular, Weight::Bold] {
                prop_assert!(breadth(&cut(&text, 12.0, most, weight), 12.0, weight) <= most);
                for line in wrapped(&text, 12.0, most, weight) {
                    prop_assert!(breadth(&line, 12.0, weight) <= most);
                }
            }
        }
    }
}
