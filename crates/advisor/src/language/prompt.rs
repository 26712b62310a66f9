//! What is said to the model: messages in turn.

use serde::{Deserialize, Serialize};

use crate::Digest;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Sets the scene.
    System,
    /// Asks.
    User,
    /// Answers.
    Assistant,
}

impl Role {
    /// The name that chat templates and endpoints use.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said. Endpoints call it `content`.
    pub content: String,
}

/// What the chat template of Qwen 2.5 says where a conversation has no system message.
const DEFAULT_OF_QWEN: &str = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.";

impl Message {
    /// A message.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into() }
    }

    /// Whether this is the system message that Qwen's own chat template puts where there is none. Our templates have it, since
    /// their answers were recorded with it; a server of Qwen adds it by itself, and any other model must not be told so.
    pub fn is_default_of_qwen(&self) -> bool {
        self.role == Role::System && self.content == DEFAULT_OF_QWEN
    }
}

/// A conversation that waits for the assistant.
///
/// All prompts of one template begin with the same words. `stem` says how many bytes of the last message belong to
/// them (all earlier messages do): a model may read the stem once and for all. It is a hint about the layout, known from
/// the template alone, and no part of the prompt's digest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Prompt {
    messages: Vec<Message>,
    #[serde(default, skip_serializing)]
    stem: usize,
}

impl Prompt {
    /// A prompt of these messages. The first `stem` bytes of the last one are shared by all prompts of the template; a
    /// stem that ends inside a character or past the end counts as none.
    pub fn new(messages: Vec<Message>, stem: usize) -> Self {
        let fits = messages.last().is_some_and(|last| last.content.is_char_boundary(stem));
        Self { messages, stem: if fits { stem } else { 0 } }
    }

    /// A single question of the user, without a system message.
    pub fn question(text: impl Into<String>) -> Self {
        Self::new(vec![Message::new(Role::User, text)], 0)
    }

    /// A question after a system message and examples, each a question and its answer. The question begins with `stem`, which all
    /// prompts of the template share.
    pub(crate) fn conversation(
        system: &str,
        examples: impl IntoIterator<Item = (String, String)>,
        stem: &str,
        rest: &str,
    ) -> Self {
        let mut messages = vec![Message::new(Role::System, system)];
        for (question, answer) in examples {
            messages.extend([Message::new(Role::User, question), Message::new(Role::Assistant, answer)]);
        }
        messages.push(Message::new(Role::User, format!("{stem}{rest}")));
        Self::new(messages, stem.len())
    }

    /// The messages.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// How many bytes of the last message all prompts of the template share.
    pub fn stem(&self) -> usize {
        self.stem
    }

    /// What the prompt is known by: all that is said, and by whom.
    pub fn digest(&self) -> Digest {
        let parts: Vec<&[u8]> = self
            .messages
            .iter()
            .flat_map(|message| [message.role.name().as_bytes(), message.content.as_bytes()])
            .collect();
        Digest::of_parts(&parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stem_is_a_hint_and_no_part_of_the_digest() {
        let messages = vec![Message::new(Role::System, "s"), Message::new(Role::User, "é?")];
        let prompt = |stem| Prompt::new(messages.clone(), stem);
        assert_eq!([0, 1, 2, 3, 4].map(|stem| prompt(stem).stem()), [0, 0, 2, 3, 0]);
        assert_eq!(prompt(2).digest(), prompt(0).digest());
        assert_ne!(prompt(0).digest(), Prompt::question("é?").digest());
    }
}
