//! Whether a live model says what its transcript says.

use counsel_advisor::{Digest, Identity, LanguageModel, Outage, Request, Utterance};

use crate::Answers;
use crate::answers::same_words;

/// Whether the live model is the recorded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdentityCheck {
    /// Same model, weights and engine.
    Same,
    /// Not the same.
    Different {
        /// Who was recorded.
        recorded: Box<Identity>,
        /// Who answers now.
        live: Box<Identity>,
    },
}

impl IdentityCheck {
    /// Compares two identities.
    pub fn of(recorded: &Identity, live: &Identity) -> Self {
        if recorded == live {
            Self::Same
        } else {
            Self::Different { recorded: Box::new(recorded.clone()), live: Box::new(live.clone()) }
        }
    }
}

/// A request to which the live model gave another answer than the recorded one.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The digest of the prompt.
    pub prompt: Digest,
    /// What is recorded.
    pub recorded: Utterance,
    /// What the live model says.
    pub live: Result<Utterance, Outage>,
}

/// How far a live model and its transcript agree. Text and scores must be equal to the bit; latency and date do not count.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Whether both are the same model.
    pub identity: IdentityCheck,
    /// How many requests were compared.
    pub compared: usize,
    /// How many of them got equal answers.
    pub equal: usize,
    /// The others.
    pub differences: Vec<Difference>,
    /// The prompts that the transcript does not know; they were not compared.
    pub unrecorded: Vec<Digest>,
}

impl Comparison {
    pub(crate) fn new(identity: IdentityCheck) -> Self {
        Self { identity, compared: 0, equal: 0, differences: Vec::new(), unrecorded: Vec::new() }
    }

    pub(crate) fn count(&mut self, request: &Request, answers: &Answers, live: &Result<Utterance, Outage>) {
        let prompt = request.prompt.digest();
        let Some(entry) = answers.get(request) else {
            self.unrecorded.push(prompt);
            return;
        };
        self.compared += 1;
        match live {
            Ok(said) if same_words(&entry.utterance, said) => self.equal += 1,
            live => self.differences.push(Difference { prompt, recorded: entry.utterance.clone(), live: live.clone() }),
        }
    }
}

/// Asks a live model these requests again and compares it with what is recorded. [`Answers::sample`] gives a fair sample.
pub fn compare(live: &mut dyn LanguageModel, answers: &Answers, requests: &[Request]) -> Comparison {
    let recorded: Vec<Request> = requests.iter().filter(|request| answers.get(request).is_some()).cloned().collect();
    let said = ask(live, &recorded);
    let mut comparison = Comparison::new(IdentityCheck::of(&answers.advisor().identity, live.identity()));
    for (request, said) in recorded.iter().zip(&said) {
        comparison.count(request, answers, said);
    }
    let unrecorded = requests.iter().filter(|request| answers.get(request).is_none());
    comparison.unrecorded = unrecorded.map(|request| request.prompt.digest()).collect();
    comparison
}

/// Asks a model, and makes sure that every request has its answer.
pub(crate) fn ask(live: &mut dyn LanguageModel, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
    if requests.is_empty() {
        return Vec::new();
    }
    let mut answers = live.answer(requests);
    let given = answers.len();
    if given != requests.len() {
        let reason = format!("the model gave {given} answers to {} requests; check the model", requests.len());
        answers = vec![Err(Outage::new(reason)); requests.len()];
    }
    answers
}
