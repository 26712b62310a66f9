//! A template, bound to one task of its world.

use counsel_decision::{ContextKey, Parser, Response};

use super::{Edition, Enumeration, Variant};
use crate::{Decoding, Error, Prompt, Request, Utterance};

/// A template, bound to one task: what can be asked, how answers are taken, and how they are read.
pub trait Phrasing {
    /// Which template it is.
    fn edition(&self) -> Edition;

    /// What reads the answers, however they were taken: one word per action, by number.
    fn parser(&self) -> Parser;

    /// How answers are taken: `generate`, or `scored` over the words that can be of use for the task.
    fn decoding(&self, name: &str) -> Result<Decoding, Error>;

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

/// Tells two prompts of one phrasing apart, without making them: equal subjects, equal prompts. The number itself means
/// nothing outside of its phrasing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject(pub u64);

/// A phrasing that puts the situations of its world into words.
pub trait Teller: Phrasing {
    /// What may be told in this world.
    type Situation;

    /// What is said in this situation.
    fn prompt(&self, situation: &Self::Situation) -> Prompt;

    /// What the prompt of this situation is about. It is cheap, so that a loop need not make a prompt which it knows
    /// already; nothing where only the prompt itself can tell.
    fn subject(&self, situation: &Self::Situation) -> Option<Subject>;

    /// What the context of this situation is known by: where nothing else is said, its prompt, so that two states which the
    /// advisor cannot tell apart are one context.
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
