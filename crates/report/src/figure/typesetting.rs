//! How wide words are, guessed without a font: a little too wide rather than too narrow.

use crate::entry::one_line;

/// The guessed width of a line in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// The width of a character in ems.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '!' | '|' | '\'' | ' ' | 'f' | 't' | 'r' | '(' | ')' | '-' => {
            0.38
        }
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        'A'..='Z' => 0.72,
        c if c.is_ascii() => 0.6,
        '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => 0.42,
        c if c < '\u{2e80}' => 0.7,
        _ => 1.0,
    }
}

/// One line that is at most this wide, its end replaced by an ellipsis where it was wider.
pub(super) fn shortened(text: &str, size: f64, most: f64) -> String {
    let text = one_line(text);
    if width(&text, size) <= most {
        return text;
    }
    let mut room = most - width("…", size);
    let kept = text.chars().take_while(|c| {
        room -= advance(*c) * size;
        room >= 0.0
    });
    kept.collect::<String>() + "…"
}

/// The text in lines that are at most this wide.
pub(super) fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shortened(word, size, most);
        match lines.last_mut().filter(|line| width(&format!("{line} {word}"), size) <= most) {
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
        assert_eq!(shortened("controller", 12.0, 40.0), "contr…");
        assert_eq!(wrapped("one two three", 12.0, 60.0), ["one two", "three"]);
        assert!(wrapped(" \n", 12.0, 60.0).is_empty());
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_allowed(text in any::<String>(), most in 20.0..300.0) {
            prop_assert!(width(&shortened(&text, 12.0, most), 12.0) <= most);
            for line in wrapped(&text, 12.0, most) {
                prop_assert!(width(&line, 12.0) <= most);
            }
        }
    }
}
