//! Whether a live model says what its transcript says.

use counsel_advisor::{Digest, LanguageModel, Outage, Request, Utterance};

use crate::Answers;
use crate::answers::same_words;

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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// How many requests got equal answers.
    pub equal: usize,
    /// Those that did not.
    pub differences: Vec<Difference>,
    /// The prompts that the transcript does not know; they were not compared.
    pub unrecorded: Vec<Digest>,
}

/// Asks a live model these requests again and compares it with what is recorded. [`Answers::sample`] gives a fair sample.
pub fn compare(live: &mut dyn LanguageModel, answers: &Answers, requests: &[Request]) -> Comparison {
    let (recorded, unrecorded): (Vec<&Request>, Vec<&Request>) =
        requests.iter().partition(|request| answers.get(request).is_some());
    let asked: Vec<Request> = recorded.into_iter().cloned().collect();
    let unrecorded = unrecorded.into_iter().map(|request| request.prompt.digest()).collect();
    let mut comparison = Comparison { unrecorded, ..Comparison::default() };
    let entries = asked.iter().filter_map(|request| answers.get(request));
    for (entry, live) in entries.zip(ask(live, &asked)) {
        let (prompt, recorded) = (entry.asked.digest(), entry.utterance.clone());
        match live {
            Ok(said) if same_words(&recorded, &said) => comparison.equal += 1,
            live => comparison.differences.push(Difference { prompt, recorded, live }),
        }
    }
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
