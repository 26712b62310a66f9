//! An advisor that can be asked: a model, and the phrasing of its questions.

use counsel_decision::{Parser, Reply, Response};

use crate::{Decoding, Error, LanguageModel, Phrasing, Prompt, Request, Utterance};

/// A model, asked through a template.
pub struct Panel<'a> {
    template: String,
    wordings: usize,
    parser: Parser,
    decoding: Decoding,
    model: &'a mut dyn LanguageModel,
}

/// What was said, and what was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// What was understood.
    pub response: Response,
    /// What was said.
    pub utterance: Utterance,
}

impl<'a> Panel<'a> {
    /// This model, asked in the words of this phrasing. `decoding` is `generate` or `scored`.
    pub fn new(phrasing: &dyn Phrasing, decoding: &str, model: &'a mut dyn LanguageModel) -> Result<Self, Error> {
        let (template, wordings, parser) = (phrasing.edition().name, phrasing.wordings(), phrasing.parser());
        Ok(Self { template, wordings, parser, decoding: phrasing.decoding(decoding)?, model })
    }

    /// The template of its questions.
    pub fn template(&self) -> &str {
        &self.template
    }

    /// How many wordings its questions have.
    pub fn wordings(&self) -> usize {
        self.wordings
    }

    /// How many actions its answers can name.
    pub fn actions(&self) -> usize {
        self.parser.words().len()
    }

    /// Its answer to a prompt.
    pub fn ask(&mut self, prompt: Prompt) -> Result<Heard, Error> {
        let request = Request { prompt, decoding: self.decoding.clone() };
        let utterance = self.model.answer_one(&request)?;
        let response = self.parser.parse(&Reply::simulated(utterance.text.as_str()));
        Ok(Heard { response, utterance })
    }
}
