//! An advisor that can be asked about a situation.

use counsel_advisor::{Decoding, LanguageModel, Outage, Request, Utterance};
use counsel_decision::{Reply, Response};
use counsel_prompt::{Situation, Task, Template};

use crate::Error;

/// A model, asked through a template.
pub struct Panel<'a> {
    template: &'a Template,
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
    /// This model, asked through this template in the words of this task. `decoding` is `generate` or `scored`.
    pub fn new(
        template: &'a Template,
        decoding: &str,
        task: Task,
        model: &'a mut dyn LanguageModel,
    ) -> Result<Self, Error> {
        Ok(Self { template, decoding: template.decoding(decoding, task)?, model })
    }

    /// How many wordings its questions have.
    pub fn wordings(&self) -> usize {
        self.template.wordings()
    }

    /// Its answer in a situation.
    pub fn ask(&mut self, situation: &Situation) -> Result<Heard, Error> {
        let request = Request { prompt: self.template.prompt(situation), decoding: self.decoding.clone() };
        let answers = self.model.answer(std::slice::from_ref(&request));
        let utterance = answers.into_iter().next().unwrap_or_else(|| Err(Outage::new("the model gave no answer")))?;
        let response = self.template.parser().parse(&Reply::simulated(utterance.text.as_str()));
        Ok(Heard { response, utterance })
    }
}
