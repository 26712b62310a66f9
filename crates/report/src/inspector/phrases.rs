//! Texts that differ in little but their numbers, kept small: each line is a pattern, stored once, and the numbers in it.
//!
//! Invariant: pattern and numbers give the line back, letter by letter, so a page that puts them together says what was said.

use std::collections::BTreeMap;

/// What stands in a pattern for a number. Lines hold no such character: they went through `Printable`.
pub(super) const GAP: char = '\u{1}';

/// A text as patterns and numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrased {
    /// The pattern of every line, by number.
    pub(super) lines: Vec<usize>,
    /// The numbers of all lines, in order.
    pub(super) numbers: Vec<String>,
}

/// The patterns met so far.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    known: BTreeMap<String, usize>,
    order: Vec<String>,
}

impl Phrases {
    /// The patterns, by number.
    pub(super) fn patterns(&self) -> &[String] {
        &self.order
    }

    /// Takes a text apart.
    pub(super) fn take(&mut self, text: &str) -> Phrased {
        let mut numbers = Vec::new();
        let lines = text.lines().map(|line| self.number(pattern(line, &mut numbers))).collect();
        Phrased { lines, numbers }
    }

    fn number(&mut self, pattern: String) -> usize {
        *self.known.entry(pattern).or_insert_with_key(|pattern| {
            self.order.push(pattern.clone());
            self.order.len() - 1
        })
    }
}

/// A line with a gap for every number. Digits inside a word, as in `a3`, belong to the word.
fn pattern(line: &str, numbers: &mut Vec<String>) -> String {
    let mut pattern = String::new();
    let mut letters = line.char_indices().peekable();
    let mut inside_word = false;
    while let Some((start, letter)) = letters.next() {
        let negative = letter == '-' && letters.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if inside_word || !(letter.is_ascii_digit() || negative) {
            inside_word = letter.is_alphanumeric() || letter == '_';
            pattern.push(letter);
            continue;
        }
        let mut end = start + 1;
        let mut points = 0;
        while let Some(&(at, next)) = letters.peek() {
            let fraction = next == '.' && points == 0 && line[at + 1..].starts_with(|c: char| c.is_ascii_digit());
            if !(next.is_ascii_digit() || fraction) {
                break;
            }
            points += usize::from(fraction);
            end = at + 1;
            letters.next();
        }
        numbers.push(line[start..end].to_owned());
        pattern.push(GAP);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn back(phrases: &Phrases, phrased: &Phrased) -> String {
        let mut numbers = phrased.numbers.iter();
        let line = |&line: &usize| -> String {
            let fill = |letter: char| {
                if letter == GAP { numbers.next().unwrap().clone() } else { letter.to_string() }
            };
            phrases.patterns()[line].chars().map(fill).collect()
        };
        phrased.lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn lines_that_differ_in_numbers_share_a_pattern() {
        let mut phrases = Phrases::default();
        let one = phrases.take("a3 -> 0.25 of -1.5 (3 %)");
        let other = phrases.take("a3 -> 7 of 2.0 (12 %)");
        assert_eq!((&one.lines, &other.lines), (&vec![0], &vec![0]));
        assert_eq!(one.numbers, ["0.25", "-1.5", "3"]);
        assert_eq!(phrases.patterns(), ["a3 -> \u{1} of \u{1} (\u{1} %)"]);
    }

    proptest! {
        #[test]
        fn a_text_comes_back_letter_by_letter(texts in prop::collection::vec("[ -~éß0-9.\n-]{0,80}", 1..5)) {
            let mut phrases = Phrases::default();
            let phrased: Vec<Phrased> = texts.iter().map(|text| phrases.take(text)).collect();
            for (text, phrased) in texts.iter().zip(&phrased) {
                let lines: Vec<&str> = text.lines().collect();
                prop_assert_eq!(back(&phrases, phrased), lines.join("\n"));
            }
        }
    }
}
