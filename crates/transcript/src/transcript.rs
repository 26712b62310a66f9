//! A transcript as a language model: it replays, records, or asks afresh.
//!
//! Invariant: what a recording run was told is what a replay of it is told, to the bit. Hence a recording run gets every
//! answer as the store keeps it, and an answer that could not be stored counts as an outage.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use counsel_advisor::{Digest, Identity, LanguageModel, Outage, Request, Utterance};

use crate::answers::same_words;
use crate::comparison::ask;
use crate::{Advisor, Answers, Comparison, Date, Entry, Error, IdentityCheck, Journal, Missing, Prompts};

/// Who answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The model, just now.
    Live,
    /// The transcript.
    Replayed,
}

/// An answer, and who gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The answer.
    pub utterance: Utterance,
    /// Who gave it.
    pub source: Source,
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

type Model = Box<dyn LanguageModel + Send>;

enum Form {
    Replay { answers: Arc<Answers> },
    Record { base: Arc<Answers>, journal: Box<Journal>, model: Model, date: Date },
    Live { answers: Option<Arc<Answers>>, model: Model, comparison: Comparison },
}

/// A transcript as a language model.
pub struct Transcript {
    identity: Identity,
    form: Form,
}

impl Transcript {
    /// Answers from the store alone. The identity is the recorded one; no model is needed.
    pub fn replay(answers: impl Into<Arc<Answers>>) -> Self {
        let answers = answers.into();
        Self { identity: answers.advisor().identity.clone(), form: Form::Replay { answers } }
    }

    /// Answers from the journal, else asks the model and appends the answer under this date. Refuses a model that is not the
    /// journal's.
    pub fn record(journal: Journal, model: Model, date: Date) -> Result<Self, Error> {
        let base = Answers::of(journal.answers().advisor().clone());
        Self::record_beside(base, journal, model, date)
    }

    /// As [`Transcript::record`], but what is packed already is not asked again.
    pub fn record_beside(
        base: impl Into<Arc<Answers>>,
        journal: Journal,
        model: Model,
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
        Ok(Self { identity, form: Form::Record { base, journal: Box::new(journal), model, date } })
    }

    /// Always asks the model. With answers to compare, [`Transcript::comparison`] tells how far both agree.
    pub fn live(model: Model, compared_with: Option<Arc<Answers>>) -> Self {
        let identity = model.identity().clone();
        let recorded = compared_with.as_ref().map_or(&identity, |answers| &answers.advisor().identity);
        let comparison = Comparison::new(IdentityCheck::of(recorded, &identity));
        Self { identity, form: Form::Live { answers: compared_with, model, comparison } }
    }

    /// What it does.
    pub fn mode(&self) -> Mode {
        match self.form {
            Form::Replay { .. } => Mode::Replay,
            Form::Record { .. } => Mode::Record,
            Form::Live { .. } => Mode::Live,
        }
    }

    /// Whose answers are stored, where there is a store.
    pub fn advisor(&self) -> Option<&Advisor> {
        match &self.form {
            Form::Replay { answers } => Some(answers.advisor()),
            Form::Record { journal, .. } => Some(journal.answers().advisor()),
            Form::Live { answers, .. } => answers.as_ref().map(|answers| answers.advisor()),
        }
    }

    /// How far the model and the store agree so far; of a live transcript with answers to compare.
    pub fn comparison(&self) -> Option<&Comparison> {
        match &self.form {
            Form::Live { answers: Some(_), comparison, .. } => Some(comparison),
            _ => None,
        }
    }

    /// The journal of a recording.
    pub fn journal(&self) -> Option<&Journal> {
        match &self.form {
            Form::Record { journal, .. } => Some(journal.as_ref()),
            _ => None,
        }
    }

    /// The requests that would end in an outage for want of an answer; none where there is a model to ask.
    pub fn missing(&self, requests: &[Request]) -> Vec<Missing> {
        match &self.form {
            Form::Replay { answers } => answers.missing(requests),
            Form::Record { .. } | Form::Live { .. } => Vec::new(),
        }
    }

    /// Refuses where some request would end in an outage for want of an answer. To be called before a study starts.
    pub fn require(&self, requests: &[Request]) -> Result<(), Error> {
        match &self.form {
            Form::Replay { answers } => answers.require(requests),
            Form::Record { .. } | Form::Live { .. } => Ok(()),
        }
    }

    /// The answers to these requests, in their order, each with who gave it.
    pub fn told(&mut self, requests: &[Request]) -> Vec<Result<Told, Outage>> {
        match &mut self.form {
            Form::Replay { answers } => requests
                .iter()
                .map(|request| match answers.get(request) {
                    Some(entry) => Ok(replayed(&entry.utterance)),
                    None => Err(Outage::new(Missing::of(answers.advisor(), request).to_string())),
                })
                .collect(),
            Form::Record { base, journal, model, date } => record(base, journal, model.as_mut(), *date, requests),
            Form::Live { answers, model, comparison } => {
                let said = ask(model.as_mut(), requests);
                if let Some(answers) = answers {
                    requests.iter().zip(&said).for_each(|(request, said)| comparison.count(request, answers, said));
                }
                said.into_iter().map(|said| said.map(|utterance| Told { utterance, source: Source::Live })).collect()
            }
        }
    }
}

fn replayed(utterance: &Utterance) -> Told {
    Told { utterance: utterance.clone(), source: Source::Replayed }
}

/// Answers what is known, asks the rest once each and in one batch, and stores it.
fn record(
    base: &Answers,
    journal: &mut Journal,
    model: &mut dyn LanguageModel,
    date: Date,
    requests: &[Request],
) -> Vec<Result<Told, Outage>> {
    let keys: Vec<Digest> = requests.iter().map(|request| base.key(request)).collect();
    let mut fresh: BTreeMap<Digest, usize> = BTreeMap::new();
    let mut outages: BTreeMap<Digest, Outage> = BTreeMap::new();
    for (at, key) in keys.iter().enumerate() {
        if base.under(key).or_else(|| journal.answers().under(key)).is_some() {
            continue;
        }
        match base.admits(&requests[at].decoding) {
            Ok(()) => {
                fresh.entry(*key).or_insert(at);
            }
            Err(error) => drop(outages.insert(*key, Outage::new(error.to_string()))),
        }
    }
    // In the order of the requests, so that the journal reads as the run went.
    let mut firsts: Vec<usize> = fresh.into_values().collect();
    firsts.sort_unstable();
    let asked: Vec<Request> = firsts.iter().map(|&at| requests[at].clone()).collect();
    let said = ask(model, &asked);
    let same_model = asked.is_empty() || *model.identity() == journal.answers().advisor().identity;
    let mut answered = Vec::new();
    let mut mine: BTreeMap<usize, Utterance> = BTreeMap::new();
    for ((request, said), &at) in asked.into_iter().zip(said).zip(&firsts) {
        match said {
            Ok(_) if !same_model => {
                let reason = "the model changed while it was recorded, so its answer is not kept; start again";
                outages.insert(keys[at], Outage::new(reason));
            }
            Ok(utterance) => match Entry::new(&request, utterance.clone(), date, Prompts::Digested) {
                Ok(_) => {
                    mine.insert(at, utterance.clone());
                    answered.push((request, utterance));
                }
                Err(error) => drop(outages.insert(keys[at], Outage::new(error.to_string()))),
            },
            Err(outage) => drop(outages.insert(keys[at], outage)),
        }
    }
    let stored = if answered.is_empty() { Ok(Vec::new()) } else { journal.append(answered, date) };
    let failure = stored.err().map(|error| Outage::new(format!("the answer could not be recorded: {error}")));
    let answer = |(at, key): (usize, &Digest)| {
        let known = base.under(key).or_else(|| journal.answers().under(key));
        match (known, outages.get(key), &failure) {
            (Some(entry), _, _) => {
                // Where another process answered otherwise and first, its answer is the one that is told.
                let fresh = mine.get(&at).is_some_and(|said| same_words(said, &entry.utterance));
                Ok(Told {
                    utterance: entry.utterance.clone(),
                    source: if fresh { Source::Live } else { Source::Replayed },
                })
            }
            (None, Some(outage), _) | (None, None, Some(outage)) => Err(outage.clone()),
            (None, None, None) => Err(Outage::new("the model gave no answer")),
        }
    };
    keys.iter().enumerate().map(answer).collect()
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
