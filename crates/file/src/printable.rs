//! Text from outside as a person may be shown it.
//!
//! A reply, a name or a file may hold characters that a terminal obeys: escapes that change its title or colours, or marks that
//! turn the order of the letters around. Invariant: what is printed holds none of them; each is written out, as `\u{1b}`.

use std::fmt::{self, Display, Formatter, Write};

/// The same text, with every character written out that a terminal would obey. Line ends and tabs stay.
#[derive(Debug, Clone, Copy)]
pub struct Printable<T>(pub T);

impl<T: Display> Display for Printable<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'b>(&'a mut Formatter<'b>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some((at, obeyed)) = rest.char_indices().find(|(_, letter)| is_obeyed(*letter)) {
            write!(self.0, "{}{}", &rest[..at], obeyed.escape_unicode())?;
            rest = &rest[at + obeyed.len_utf8()..];
        }
        self.0.write_str(rest)
    }
}

/// Whether a terminal does something else than to show this.
fn is_obeyed(letter: char) -> bool {
    let turns_around =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns_around || (letter.is_control() && !matches!(letter, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::Printable;

    #[test]
    fn what_a_terminal_obeys_is_written_out_and_all_else_stays() {
        let title = "left\u{1b}]0;mine\u{7}!";
        assert_eq!(Printable(title).to_string(), "left\\u{1b}]0;mine\\u{7}!");
        assert_eq!(Printable("a\r\u{9b}31mb\u{7f}").to_string(), "a\\u{d}\\u{9b}31mb\\u{7f}");
        assert_eq!(Printable("pay \u{202e}elbon\u{2066}").to_string(), "pay \\u{202e}elbon\\u{2066}");
        let harmless = "идти налево 🧭\n\té ± \\u{1b}";
        assert_eq!(Printable(harmless).to_string(), harmless);
    }
}
