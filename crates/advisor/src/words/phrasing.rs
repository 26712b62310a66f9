//! A template, bound to one task of its world.

use counsel_decision::{ContextKey, Parser, Response};

use super::{Edition, Enumeration, Heading, Variant};
use crate::{Decoding, Error, Prompt, Request, Utterance};

/// A template, bound to one task: what can be asked, how answers are taken, and how they are read.
pub trait Phrasing {
    /// What its template has in common with all templates.
    fn heading(&self) -> &Heading;

    /// Which template it is.
    fn edition(&self) -> Edition {
        self.heading().edition.clone()
    }

    /// What reads the answers, however they were taken: one word per action, by number.
    fn parser(&self) -> Parser {
        self.heading().parser.clone()
    }

    /// The words that can be of use for the task, where answers can be scored; by default those of all actions.
    fn scored(&self) -> Option<Vec<String>> {
        Some(self.heading().parser.words().to_vec())
    }

    /// How answers are taken: `generate`, or `scored` where there are words for it.
    fn decoding(&self, name: &str) -> Result<Decoding, Error> {
        match (name, self.scored()) {
            ("generate", _) => Ok(Decoding::greedy(self.heading().max_tokens)),
            ("scored", Some(words)) => Ok(Decoding::Scored { words }),
            (_, scored) => Err(Error::UnknownDecoding {
                template: self.edition().name,
                name: name.to_owned(),
                known: if scored.is_some() { "generate and scored" } else { "generate" },
            }),
        }
    }

    /// How it asks again.
    fn variant(&self) -> Variant {
        Variant::Identical
    }

    /// How many wordings it has.
    fn wordings(&self) -> usize {
        1
    }

    /// Every distinct prompt that an episode of the task can produce, and few others: in all wordings, and after every
    /// answer if the template speaks of answers. What is listed can be recorded completely.
    fn enumerate(&self) -> Enumeration {
        Enumeration::Open
    }

    /// Every distinct prompt that follows upon the answers of an advisor that answers a prompt always alike: what
    /// `answer` says to the prompt before any answer is what did not help. For a template that does not speak of
    /// answers this is [`Phrasing::enumerate`] in its first wording.
    fn enumerate_after(&self, _answer: &mut dyn FnMut(&Prompt) -> Response) -> Enumeration {
        self.enumerate()
    }
}

/// A phrasing that puts the situations of its world into words.
pub trait Teller: Phrasing {
    /// What may be told in this world.
    type Situation;
    /// What a prompt describes of a situation.
    type Described: Ord;

    /// What is said in this situation.
    fn prompt(&self, situation: &Self::Situation) -> Prompt;

    /// What the prompt describes of this situation: where it is equal, so are prompt and context. It is cheap, so that a loop need not
    /// make a prompt which it knows already.
    fn described(&self, situation: &Self::Situation) -> Self::Described;

    /// The key of this situation's context: by default that of its prompt, so that two states which the advisor cannot tell apart
    /// are one context.
    fn context(&self, situation: &Self::Situation) -> ContextKey {
        self.prompt(situation).digest().context_key()
    }

    /// Whether equal contexts get equal answers, so that an answer need not be found twice. It is not so where more than the
    /// context decides what an advisor says.
    fn answers_by_context(&self) -> bool {
        true
    }

    /// What an advisor says in this situation: the answer to its prompt, or what comes of several questions. `ask` puts a
    /// question in the words of the template with this name.
    fn consult<E>(
        &self,
        situation: &Self::Situation,
        decoding: &Decoding,
        ask: &mut dyn FnMut(&str, &Request) -> Result<Utterance, E>,
    ) -> Result<Utterance, E> {
        ask(&self.edition().name, &Request { prompt: self.prompt(situation), decoding: decoding.clone() })
    }
}
