//! A transcript as a language model: it replays, records, or asks afresh.
//!
//! Invariant: what a recording run was told is what a replay of it is told, to the bit. Hence a recording run gets every
//! answer as the store keeps it, and an answer that could not be stored counts as an outage.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use counsel_advisor::{Identity, LanguageModel, Outage, Request, Utterance};

use crate::comparison::ask;
use crate::recording::Recording;
use crate::{Answers, Comparison, Date, Error, IdentityCheck, Journal, Missing, RecordedAdvisor};

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

/// What a transcript does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Answers from the store alone; whatever is not there is an outage.
    Replay,
    /// Answers from the store, else asks the model and stores the answer.
    Record,
    /// Always asks the model; what is stored is at most compared.
    Live,
}

type BoxedModel = Box<dyn LanguageModel + Send>;

enum Backing {
    Replay { answers: Arc<Answers> },
    Record { base: Arc<Answers>, journal: Box<Journal>, model: BoxedModel, date: Date },
    Live { answers: Option<Arc<Answers>>, model: BoxedModel, comparison: Comparison },
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

    /// Always asks the model. With answers to compare, [`Transcript::comparison`] tells how far both agree.
    pub fn live(model: BoxedModel, compared_with: Option<Arc<Answers>>) -> Self {
        let identity = model.identity().clone();
        let recorded = compared_with.as_ref().map_or(&identity, |answers| &answers.advisor().identity);
        let comparison = Comparison::new(IdentityCheck::of(recorded, &identity));
        Self { identity, form: Backing::Live { answers: compared_with, model, comparison } }
    }

    /// What it does.
    pub fn mode(&self) -> Mode {
        match self.form {
            Backing::Replay { .. } => Mode::Replay,
            Backing::Record { .. } => Mode::Record,
            Backing::Live { .. } => Mode::Live,
        }
    }

    /// Whose answers are stored, where there is a store.
    pub fn advisor(&self) -> Option<&RecordedAdvisor> {
        match &self.form {
            Backing::Replay { answers } => Some(answers.advisor()),
            Backing::Record { journal, .. } => Some(journal.answers().advisor()),
            Backing::Live { answers, .. } => answers.as_ref().map(|answers| answers.advisor()),
        }
    }

    /// How far the model and the store agree so far; of a live transcript with answers to compare.
    pub fn comparison(&self) -> Option<&Comparison> {
        match &self.form {
            Backing::Live { answers: Some(_), comparison, .. } => Some(comparison),
            _ => None,
        }
    }

    /// The journal of a recording.
    pub fn journal(&self) -> Option<&Journal> {
        match &self.form {
            Backing::Record { journal, .. } => Some(journal.as_ref()),
            _ => None,
        }
    }

    /// The requests that would end in an outage for want of an answer; none where there is a model to ask.
    pub fn missing(&self, requests: &[Request]) -> Vec<Missing> {
        match &self.form {
            Backing::Replay { answers } => answers.missing(requests),
            Backing::Record { .. } | Backing::Live { .. } => Vec::new(),
        }
    }

    /// Refuses where some request would end in an outage for want of an answer. To be called before a study starts.
    pub fn require(&self, requests: &[Request]) -> Result<(), Error> {
        match &self.form {
            Backing::Replay { answers } => answers.require(requests),
            Backing::Record { .. } | Backing::Live { .. } => Ok(()),
        }
    }

    /// The answers to these requests, in their order, each with who gave it.
    pub fn told(&mut self, requests: &[Request]) -> Vec<Result<AttributedAnswer, Outage>> {
        match &mut self.form {
            Backing::Replay { answers } => requests
                .iter()
                .map(|request| match answers.get(request) {
                    Some(entry) => Ok(replayed(&entry.utterance)),
                    None => Err(Outage::new(Missing::of(answers.advisor(), request).to_string())),
                })
                .collect(),
            Backing::Record { base, journal, model, date } => {
                Recording { base, journal, model: model.as_mut(), date: *date }.told(requests)
            }
            Backing::Live { answers, model, comparison } => {
                let said = ask(model.as_mut(), requests);
                if let Some(answers) = answers {
                    requests.iter().zip(&said).for_each(|(request, said)| comparison.count(request, answers, said));
                }
                said.into_iter()
                    .map(|said| said.map(|utterance| AttributedAnswer { utterance, source: AnsweredBy::Live }))
                    .collect()
            }
        }
    }
}

fn replayed(utterance: &Utterance) -> AttributedAnswer {
    AttributedAnswer { utterance: utterance.clone(), source: AnsweredBy::Replayed }
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
        f.debug_struct("Transcript")
            .field("identity", &self.identity)
            .field("mode", &self.mode())
            .finish_non_exhaustive()
    }
}
