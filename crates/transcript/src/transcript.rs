//! A transcript as a language model: it replays, or records what it asks.
//!
//! Invariant: what a recording run was told is what a replay of it is told, to the bit. Hence a recording run gets every
//! answer as the store keeps it, and an answer that could not be stored counts as an outage.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use counsel_advisor::{Identity, LanguageModel, Outage, Request, Utterance};

use crate::recording::Recording;
use crate::{Answers, Date, Error, Journal, Missing, RecordedAnswer};

/// Who answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsweredBy {
    /// The model, just now.
    Live,
    /// The transcript.
    Replayed,
}

/// An answer, and who gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributedAnswer {
    /// The answer.
    pub utterance: Utterance,
    /// Who gave it.
    pub source: AnsweredBy,
}

type BoxedModel = Box<dyn LanguageModel + Send>;

enum Backing {
    Replay { answers: Arc<Answers> },
    Record { base: Arc<Answers>, journal: Box<Journal>, model: BoxedModel, date: Date },
}

/// A transcript as a language model.
pub struct Transcript {
    identity: Identity,
    form: Backing,
}

impl Transcript {
    /// Answers from the store alone. The identity is the recorded one; no model is needed.
    pub fn replay(answers: impl Into<Arc<Answers>>) -> Self {
        let answers = answers.into();
        Self { identity: answers.advisor().identity.clone(), form: Backing::Replay { answers } }
    }

    /// Answers from the journal, else asks the model and appends the answer under this date. Refuses a model that is not the
    /// journal's.
    pub fn record(journal: Journal, model: BoxedModel, date: Date) -> Result<Self, Error> {
        let base = Answers::of(journal.answers().advisor().clone());
        Self::record_beside(base, journal, model, date)
    }

    /// As [`Transcript::record`], but what is packed already is not asked again.
    pub fn record_beside(
        base: impl Into<Arc<Answers>>,
        journal: Journal,
        model: BoxedModel,
        date: Date,
    ) -> Result<Self, Error> {
        let (base, advisor) = (base.into(), journal.answers().advisor());
        if base.advisor() != advisor {
            return Err(Error::Advisor {
                place: "the packed transcript".into(),
                found: Box::new(base.advisor().clone()),
                expected: Box::new(advisor.clone()),
            });
        }
        let identity = advisor.identity.clone();
        if *model.identity() != identity {
            let live = Box::new(model.identity().clone());
            return Err(Error::Identity { live, recorded: Box::new(identity) });
        }
        Ok(Self { identity, form: Backing::Record { base, journal: Box::new(journal), model, date } })
    }

    /// The journal of a recording.
    pub fn journal(&self) -> Option<&Journal> {
        match &self.form {
            Backing::Record { journal, .. } => Some(journal.as_ref()),
            Backing::Replay { .. } => None,
        }
    }

    /// The answers to these requests, in their order, each with who gave it.
    pub fn told(&mut self, requests: &[Request]) -> Vec<Result<AttributedAnswer, Outage>> {
        match &mut self.form {
            Backing::Replay { answers } => requests
                .iter()
                .map(|request| match answers.get(request) {
                    Some(RecordedAnswer { utterance, .. }) => {
                        Ok(AttributedAnswer { utterance: utterance.clone(), source: AnsweredBy::Replayed })
                    }
                    None => Err(Outage::new(Missing::of(answers.advisor(), request).to_string())),
                })
                .collect(),
            Backing::Record { base, journal, model, date } => {
                Recording { base, journal, model: model.as_mut(), date: *date }.told(requests)
            }
        }
    }
}

impl LanguageModel for Transcript {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        self.told(requests).into_iter().map(|told| told.map(|told| told.utterance)).collect()
    }
}

impl Debug for Transcript {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcript").field("identity", &self.identity).finish_non_exhaustive()
    }
}
