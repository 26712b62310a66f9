//! The one JSON object that an answer may be: `{"action": "word"}`.
//!
//! An answer holds two strings and nothing else, so this reads strings (RFC 8259, section 7) and refuses the rest.
//! Invariant: a text is read here if and only if a complete JSON reader finds the object in it, its key once.

/// The word of the object that the text is, a fence and white space around it aside.
pub(super) fn advised(text: &str) -> Option<String> {
    let text = text.trim();
    let fenced = text.strip_prefix("```json").and_then(|text| text.strip_suffix("```"));
    let mut rest = Rest(fenced.unwrap_or(text).trim());
    rest.take('{')?;
    let key = rest.string()?;
    rest.take(':')?;
    let word = rest.string()?;
    rest.take('}')?;
    (rest.0.is_empty() && key == "action").then_some(word)
}

/// What is still to be read.
struct Rest<'a>(&'a str);

impl Rest<'_> {
    /// Reads a mark and the white space around it.
    fn take(&mut self, mark: char) -> Option<()> {
        let space = [' ', '\t', '\n', '\r'];
        self.0 = self.0.trim_start_matches(space).strip_prefix(mark)?.trim_start_matches(space);
        Some(())
    }

    /// Reads a string, from its first mark to its last.
    fn string(&mut self) -> Option<String> {
        self.0 = self.0.strip_prefix('"')?;
        let mut said = String::new();
        loop {
            match self.next()? {
                '"' => return Some(said),
                '\\' => said.push(self.escaped()?),
                control if control < ' ' => return None,
                plain => said.push(plain),
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        Some(match self.next()? {
            mark @ ('"' | '\\' | '/') => mark,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = self.unit()?;
                if (0xd800..0xdc00).contains(&first) {
                    // The first half of a pair: the second half has to follow.
                    self.0 = self.0.strip_prefix("\\u")?;
                    let units = [first, self.unit()?];
                    return char::decode_utf16(units).next()?.ok();
                }
                char::from_u32(first.into())?
            }
            _ => return None,
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Option<u16> {
        let (digits, rest) = self.0.split_at_checked(4)?;
        self.0 = rest;
        let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if hexadecimal { u16::from_str_radix(digits, 16).ok() } else { None }
    }

    fn next(&mut self) -> Option<char> {
        let mut characters = self.0.chars();
        let next = characters.next()?;
        self.0 = characters.as_str();
        Some(next)
    }
}
