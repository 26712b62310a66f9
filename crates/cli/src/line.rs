//! Lines that others send, one at a time: as text of bounded length, or as what is wrong with them. What is too long is read past, and
//! not kept.

use std::io::{self, BufRead};

/// No line that counsel writes is longer.
const MOST_BYTES: usize = 256 << 10;
/// As much of a line is quoted, in characters.
const QUOTED: usize = 80;

/// A line that came, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// As it was written.
    Text(String),
    /// The beginning of one that cannot be read, and why not.
    Unreadable { start: String, reason: &'static str },
}

impl Line {
    /// The next line, if one comes.
    pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        let (mut kept, mut length) = (Vec::new(), 0_usize);
        loop {
            let piece = input.fill_buf()?;
            if piece.is_empty() && length == 0 {
                return Ok(None);
            }
            let end = piece.iter().position(|byte| *byte == b'\n');
            let (used, last) = end.map_or((piece.len(), piece.is_empty()), |at| (at + 1, true));
            let room = MOST_BYTES.saturating_sub(kept.len());
            kept.extend_from_slice(&piece[..end.unwrap_or(used).min(room)]);
            length += used;
            input.consume(used);
            if last {
                break;
            }
        }
        let reason = if length > MOST_BYTES { "it is longer than 256 KiB" } else { "it is no UTF-8" };
        Ok(Some(match String::from_utf8(kept) {
            Ok(text) if length <= MOST_BYTES => Self::Text(text.strip_suffix('\r').map_or(text.clone(), str::to_owned)),
            Ok(text) => Self::Unreadable { start: start(&text), reason },
            Err(error) => Self::Unreadable { start: start(&String::from_utf8_lossy(error.as_bytes())), reason },
        }))
    }
}

/// The beginning of a text.
pub(crate) fn start(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        // A small buffer, so that lines come in pieces.
        let mut input = io::BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| Line::read(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_are_read_whole_or_named_with_what_is_wrong() {
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(lines(b"one\n\ntwo words\r\nlast"), [text("one"), text(""), text("two words"), text("last")]);
        let unreadable = |start: &str, reason| Line::Unreadable { start: start.to_owned(), reason };
        assert_eq!(lines(b"1 \xff\n2"), [unreadable("1 \u{fffd}", "it is no UTF-8"), text("2")]);
        let long = ["3 ", &"x".repeat(2 * MOST_BYTES), "\nafter"].concat();
        let start = format!("3 {}...", "x".repeat(QUOTED - 2));
        assert_eq!(lines(long.as_bytes()), [unreadable(&start, "it is longer than 256 KiB"), text("after")]);
        assert_eq!(lines(b""), []);
    }
}
