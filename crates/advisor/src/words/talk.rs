//! A conversation as a template has it: fixed words, with places `{name}` for what changes.
//!
//! What goes to a place may have places of its own, one level deep. A line of the tail that comes out empty is left out.
//! Invariant: a prompt tells what its places are filled with, and nothing else that changes.

use crate::Prompt;

/// What is said around what changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Talk<'a> {
    /// Sets the scene.
    pub system: &'a str,
    /// Opens the conversation, and never changes.
    pub stem: &'a str,
    /// The rest of a question, with its places.
    pub tail: &'a str,
}

impl Talk<'_> {
    /// The question about something, after examples with their answers. `word` says what goes to a place of this name.
    pub fn prompt<A>(
        &self,
        examples: impl IntoIterator<Item = (A, String)>,
        asked: &A,
        word: impl Fn(&A, &str) -> Option<String>,
    ) -> Prompt {
        let tell = |asked: &A| {
            let word = |place: &str| word(asked, place);
            let lines = self.tail.lines().map(|line| fill(&fill(line, word), word));
            lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
        };
        // The stem opens the conversation, be it with an example or with the question.
        let mut stem = self.stem;
        let examples: Vec<(String, String)> = examples
            .into_iter()
            .map(|(asked, answer)| (format!("{}{}", std::mem::take(&mut stem), tell(&asked)), answer))
            .collect();
        Prompt::conversation(self.system, examples, stem, &tell(asked))
    }
}

/// The text with its places filled. A place for which there is no word stays as it is written.
pub fn fill(text: &str, word: impl Fn(&str) -> Option<String>) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let place = after.split_once('}').and_then(|(name, after)| word(name).map(|word| (word, after)));
        let (word, after) = place.unwrap_or_else(|| ("{".to_owned(), after));
        filled.push_str(&word);
        rest = after;
    }
    filled + rest
}

/// The names of the places in a text.
pub fn places(text: &str) -> impl Iterator<Item = &str> {
    let names = text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name);
    names.filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_what_is_no_place_stays() {
        let word = |name: &str| (name == "a").then(|| "x{b}".to_owned());
        assert_eq!(fill(r#"{a}, {b}, {"a": {a}}, {a"#, word), r#"x{b}, {b}, {"a": x{b}}, {a"#);
        assert_eq!(places(r#"{a} {"a"} {} {b"#).collect::<Vec<_>>(), ["a", ""]);
    }

    #[test]
    fn the_stem_opens_the_conversation_and_empty_lines_are_left_out() {
        let talk = Talk { system: "s", stem: "stem\n", tail: "{outer}\n{nothing}\n?" };
        let word = |asked: &u8, place: &str| match place {
            "outer" => Some("<{inner}>".to_owned()),
            "inner" => Some(asked.to_string()),
            _ => Some(String::new()),
        };
        let said = |prompt: Prompt| -> Vec<String> {
            prompt.messages().iter().map(|message| message.content.clone()).collect()
        };
        assert_eq!(said(talk.prompt([], &1, word)), ["s", "stem\n<1>\n?"]);
        assert_eq!(talk.prompt([], &1, word).stem(), 5);
        let told = talk.prompt([(2, "two".to_owned())], &1, word);
        assert_eq!((told.stem(), said(told)), (0, ["s", "stem\n<2>\n?", "two", "<1>\n?"].map(str::to_owned).to_vec()));
    }
}
