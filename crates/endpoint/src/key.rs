//! The key of an endpoint: a secret that leaves this process in one header and nowhere else.
//!
//! Servers repeat keys in error messages, whole or in part. [`quote`] is the only way in which text of the other side gets
//! into a reason: one short line, withheld altogether if it has as much as a piece of the key.

use std::fmt::{self, Debug, Display, Formatter};

use reqwest::header::HeaderValue;

use crate::Error;

/// A piece of the key this long betrays it. A key that is shorter is a placeholder for servers that want any.
const PIECE: usize = 6;
/// Quoted at most, in characters.
const QUOTED: usize = 160;

/// The key of an endpoint. Prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// A key; white space around it is dropped.
    pub fn new(text: impl AsRef<str>) -> Result<Self, Error> {
        let text = text.as_ref().trim();
        if text.is_empty() {
            return Err(Error::Key { reason: "is empty" });
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::Key { reason: "has a character that is no visible ASCII" });
        }
        Ok(Self(text.to_owned()))
    }

    pub(crate) fn header(&self) -> Result<HeaderValue, Error> {
        let refuse = |_| Error::Key { reason: "has a character that no header can carry" };
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).map_err(refuse)?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Whether a piece of the key, in capitals or not, is in `text`.
    fn betrayed_by(&self, text: &str) -> bool {
        let (key, text) = (self.0.to_ascii_lowercase(), text.to_ascii_lowercase());
        let length = PIECE.min(key.len());
        key.as_bytes().windows(length).any(|piece| text.as_bytes().windows(length).any(|found| found == piece))
    }

    /// `text` with `***` wherever the key stands in it.
    fn strike_out(&self, text: String) -> String {
        if self.0.len() >= PIECE && text.contains(&self.0) { text.replace(&self.0, "***") } else { text }
    }
}

impl Debug for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Display for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Text of the other side as it may stand in a reason: one line, not long, nothing of the key in it.
pub(crate) fn quote(key: Option<&Key>, text: &str) -> String {
    // Twice the length is enough to recognise a piece that the cut would divide.
    let text: String = text.chars().take(2 * QUOTED).collect();
    if key.is_some_and(|key| key.betrayed_by(&text)) {
        return "(withheld: it repeats the key)".to_owned();
    }
    let line = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// What a model said, without the key where a server managed to put it there.
pub(crate) fn strike_out(key: Option<&Key>, text: String) -> String {
    match key {
        Some(key) => key.strike_out(text),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_shows_in_no_format() {
        let key = Key::new("sk-0123456789abcdef\n").unwrap();
        assert_eq!(
            format!("{key} {key:?} {:?} {:?}", Some(&key), key.header().unwrap()),
            "*** *** Some(***) Sensitive"
        );
        for text in ["", " \n", "a b", "sk-é", "a\u{7f}"] {
            let message = Key::new(text).unwrap_err().to_string();
            assert!(message.starts_with("the key ") && !message.contains("a b"), "{message}");
        }
    }

    #[test]
    fn a_quotation_is_one_short_line_without_pieces_of_the_key() {
        let key = Key::new("sk-0123456789abcdef").unwrap();
        let quote = |text: &str| quote(Some(&key), text);
        assert_eq!(quote("no such\r\n\tmodel\u{0}x"), "no such model x");
        for text in
            ["sk-0123456789abcdef", "your key 456789***", "SK-0123456789ABCDEF", &format!("{}sk-012", "é".repeat(158))]
        {
            assert_eq!(quote(text), "(withheld: it repeats the key)");
        }
        assert_eq!(quote(&"é".repeat(1000)).chars().count(), QUOTED + 3);
        assert_eq!(strike_out(Some(&key), "a sk-0123456789abcdef b".into()), "a *** b");
        assert_eq!(strike_out(Key::new("x").ok().as_ref(), "next".into()), "next");
    }
}
