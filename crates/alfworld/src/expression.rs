//! PDDL as nested lists of words.
//!
//! Words are read as the original's planner reads them: in lower case, `;` starts a comment, `?` starts a word.

use crate::Error;

/// How deeply lists may be nested; the goals of real games stay below 20.
const DEEPEST: usize = 100;

/// A word, or a list of expressions in parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    Word(String),
    List(Vec<Expression>),
}

impl Expression {
    /// The one list that a text holds.
    pub(crate) fn read(text: &str) -> Result<Self, Error> {
        let wrong = |line: usize, what: &str| Error::Syntax { line: line + 1, what: what.to_owned() };
        let text = text.to_ascii_lowercase();
        // The lists that are still open, outermost first.
        let mut open: Vec<Vec<Self>> = Vec::new();
        let mut whole = None;
        let mut last = 0;
        for (line, text) in text.split('\n').enumerate() {
            let text = text.split(';').next().unwrap_or("");
            if let Some(odd) =
                text.chars().find(|&c| !c.is_ascii() || c.is_ascii_control() && !matches!(c, '\t' | '\r'))
            {
                return Err(wrong(line, &format!("the character {odd:?} outside a comment")));
            }
            for word in words(text) {
                last = line;
                if whole.is_some() {
                    return Err(wrong(line, &format!("`{word}` after the last closing parenthesis")));
                }
                match word {
                    "(" if open.len() == DEEPEST => {
                        return Err(wrong(line, &format!("lists in more than {DEEPEST} lists")));
                    }
                    "(" => open.push(Vec::new()),
                    ")" => {
                        let Some(list) = open.pop() else { return Err(wrong(line, "a `)` that closes nothing")) };
                        match open.last_mut() {
                            Some(outer) => outer.push(Self::List(list)),
                            None => whole = Some(Self::List(list)),
                        }
                    }
                    word => match open.last_mut() {
                        Some(list) => list.push(Self::Word(word.to_owned())),
                        None => return Err(wrong(line, &format!("`{word}` where a `(` is due"))),
                    },
                }
            }
        }
        whole.ok_or_else(|| wrong(last, "a missing `)`"))
    }

    /// The word, if it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::List(_) => None,
        }
    }

    /// The entries, if it is a list.
    pub(crate) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::Word(_) => None,
            Self::List(list) => Some(list),
        }
    }

    /// First word and other entries, if it is a list that starts with a word.
    pub(crate) fn headed(&self) -> Option<(&str, &[Self])> {
        let (head, rest) = self.list()?.split_first()?;
        Some((head.word()?, rest))
    }

    /// As it would be written, cut where it gets long: for messages.
    pub(crate) fn shown(&self) -> String {
        const LONGEST: usize = 60;
        let mut text = String::new();
        self.write(&mut text);
        if text.len() > LONGEST {
            text.truncate(LONGEST);
            text.push_str(" …");
        }
        text
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Word(word) => text.push_str(word),
            Self::List(list) => {
                text.push('(');
                for (number, entry) in list.iter().enumerate() {
                    if number > 0 {
                        text.push(' ');
                    }
                    entry.write(text);
                }
                text.push(')');
            }
        }
    }
}

/// The words of a line, which is ASCII; a parenthesis is a word of its own, and `?` starts one.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let ends = |byte: u8| byte.is_ascii_whitespace() || b"()?".contains(&byte);
        let first = *rest.as_bytes().first()?;
        let end = match first {
            b'(' | b')' => 1,
            _ => rest.bytes().skip(1).position(ends).map_or(rest.len(), |at| at + 1),
        };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}
