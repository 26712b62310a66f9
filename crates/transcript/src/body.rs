//! The rows of a packed file, before they are compressed.
//!
//! Whole numbers are written seven bits at a time, texts after their length, scores as the bits of their numbers. The words
//! of a score are left out where they are the words of the decoding, as they nearly always are. Reading never trusts a
//! length: a cursor that runs out gives nothing.

use std::num::TryFromIntError;

use counsel_advisor::{Decoding, Digest, Message, Prompt, Role, Utterance, WordScore};

use crate::RecordedPrompt;
use crate::answers::{is_kept, milliseconds, tenths};

const ROLES: [Role; 3] = [Role::System, Role::User, Role::Assistant];

/// What is written so far.
#[derive(Debug, Default)]
pub(crate) struct Pen(pub(crate) Vec<u8>);

impl Pen {
    pub(crate) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push((value & 0x7f) as u8);
    }

    fn option(&mut self, value: Option<u64>) {
        self.number(value.map_or(0, |value| value.saturating_add(1)));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn asked(&mut self, asked: &RecordedPrompt) {
        match asked {
            RecordedPrompt::Digest(digest) => {
                self.number(0);
                self.0.extend_from_slice(digest.as_bytes());
            }
            RecordedPrompt::Prompt(prompt) => {
                self.number(1);
                self.number(prompt.messages().len() as u64);
                for message in prompt.messages() {
                    self.number(ROLES.iter().position(|role| *role == message.role).unwrap_or_default() as u64);
                    self.text(&message.content);
                }
            }
        }
    }

    pub(crate) fn utterance(&mut self, utterance: &Utterance, decoding: &Decoding) {
        self.text(&utterance.text);
        match &utterance.scores {
            None => self.number(0),
            Some(scores) if are_of(scores, decoding) => {
                self.number(1);
                scores.iter().for_each(|score| self.bits(score.probability));
            }
            Some(scores) => {
                self.number(2);
                self.number(scores.len() as u64);
                for score in scores {
                    self.text(&score.word);
                    self.bits(score.probability);
                }
            }
        }
        self.option(utterance.request_tokens.map(u64::from));
        self.option(utterance.response_tokens.map(u64::from));
        self.option(utterance.latency_ms.and_then(tenths));
    }

    fn bits(&mut self, value: f64) {
        self.0.extend_from_slice(&value.to_bits().to_le_bytes());
    }
}

fn are_of(scores: &[WordScore], decoding: &Decoding) -> bool {
    match decoding {
        Decoding::Scored { words } => words.iter().eq(scores.iter().map(|score| &score.word)),
        Decoding::Generate { .. } => false,
    }
}

/// What is still to be read.
#[derive(Debug)]
pub(crate) struct Cursor<'a>(pub(crate) &'a [u8]);

impl Cursor<'_> {
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.length()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(std::str::from_utf8(bytes).ok()?.to_owned())
    }

    pub(crate) fn asked(&mut self) -> Option<RecordedPrompt> {
        match self.number()? {
            0 => Some(RecordedPrompt::Digest(Digest::from_bytes(self.bytes()?))),
            1 => {
                let count = self.length()?;
                let mut messages = Vec::new();
                for _ in 0..count {
                    let role = *ROLES.get(self.length()?)?;
                    messages.push(Message::new(role, self.text()?));
                }
                Some(RecordedPrompt::Prompt(Prompt::new(messages, 0)))
            }
            _ => None,
        }
    }

    pub(crate) fn utterance(&mut self, decoding: &Decoding) -> Option<Utterance> {
        let text = self.text()?;
        let scores = match (self.number()?, decoding) {
            (0, _) => None,
            (1, Decoding::Scored { words }) => {
                let score = |word: &String| Some(WordScore { word: word.clone(), probability: self.float()? });
                Some(words.iter().map(score).collect::<Option<_>>()?)
            }
            (2, _) => {
                let count = self.length()?;
                let mut scores = Vec::new();
                for _ in 0..count {
                    scores.push(WordScore { word: self.text()?, probability: self.float()? });
                }
                Some(scores)
            }
            _ => return None,
        };
        Some(Utterance {
            text,
            scores,
            request_tokens: tokens(self.number()?).ok()?,
            response_tokens: tokens(self.number()?).ok()?,
            latency_ms: latency_ms(self.number()?).ok()?,
        })
    }

    fn float(&mut self) -> Option<f64> {
        let value = f64::from_bits(u64::from_le_bytes(self.bytes()?));
        value.is_finite().then_some(value)
    }
}

/// A count of tokens; 0 stands for none.
fn tokens(number: u64) -> Result<Option<u32>, TryFromIntError> {
    number.checked_sub(1).map(u32::try_from).transpose()
}

/// A latency; 0 stands for none. One that is longer than any that is kept is an error.
fn latency_ms(number: u64) -> Result<Option<f64>, ()> {
    match number.checked_sub(1) {
        Some(tenths) if !is_kept(tenths) => Err(()),
        tenths => Ok(tenths.map(milliseconds)),
    }
}
