//! The answers of one advisor, in the order of their keys.
//!
//! Invariant: every entry lies under its own key, and the first answer to a request is never replaced.

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use counsel_advisor::{Decoding, Digest, Request, Utterance};

use crate::advisor::{canonical, decoding_digest, key};
use crate::{Date, Error, Missing, Prompts, RecordedAdvisor, RecordedPrompt};

/// One answer, and what it answers.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedAnswer {
    /// What was asked.
    pub asked: RecordedPrompt,
    /// How the answer was taken.
    pub decoding: Arc<Decoding>,
    /// What the model said; the latency rounded to 0.1 ms.
    pub utterance: Utterance,
    /// The day on which it was recorded.
    pub date: Date,
}

impl RecordedAnswer {
    /// The answer to a request. Latency is rounded to 0.1 ms, one that cannot be is dropped; numbers that a transcript
    /// cannot hold exactly are refused.
    pub fn new(request: &Request, mut utterance: Utterance, date: Date, prompts: Prompts) -> Result<Self, Error> {
        if let Decoding::Generate { temperature, .. } = request.decoding
            && !temperature.is_finite()
        {
            return Err(Error::Number { what: "temperature", value: temperature.to_string() });
        }
        for score in utterance.scores.iter().flatten() {
            if !score.probability.is_finite() {
                return Err(Error::Number { what: "score", value: score.probability.to_string() });
            }
        }
        utterance.latency_ms = kept(utterance.latency_ms);
        let asked = RecordedPrompt::new(&request.prompt, prompts);
        Ok(Self { asked, decoding: Arc::new(canonical(request.decoding.clone())), utterance, date })
    }

    /// An answer as a journal has it, brought into the form in which answers are kept.
    pub(crate) fn read(asked: RecordedPrompt, decoding: Decoding, mut utterance: Utterance, date: Date) -> Self {
        let asked = match asked {
            RecordedPrompt::Prompt(prompt) => RecordedPrompt::new(&prompt, Prompts::Kept),
            digest @ RecordedPrompt::Digest(_) => digest,
        };
        utterance.latency_ms = kept(utterance.latency_ms);
        Self { asked, decoding: Arc::new(canonical(decoding)), utterance, date }
    }

    /// The request, where the prompt was kept.
    pub fn request(&self) -> Option<Request> {
        let prompt = self.asked.prompt()?.clone();
        Some(Request { prompt, decoding: self.decoding.as_ref().clone() })
    }
}

/// The longest latency that is kept, in tenths of a millisecond: eleven days.
const LONGEST: f64 = 1e10;

/// A latency in tenths of a millisecond.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked before")]
pub(crate) fn tenths(latency_ms: f64) -> Option<u64> {
    let tenths = (latency_ms * 10.0).round();
    (0.0..=LONGEST).contains(&tenths).then_some(tenths as u64)
}

/// Whether so many tenths of a millisecond are kept.
pub(crate) fn is_kept(tenths: u64) -> bool {
    tenths as f64 <= LONGEST
}

/// A latency as it is kept: rounded to 0.1 ms, and dropped where it cannot be.
fn kept(latency_ms: Option<f64>) -> Option<f64> {
    latency_ms.and_then(tenths).map(milliseconds)
}

/// A latency in milliseconds.
pub(crate) fn milliseconds(tenths: u64) -> f64 {
    tenths as f64 / 10.0
}

/// Whether two utterances say the same: text and scores, bit for bit.
pub(crate) fn same_words(one: &Utterance, other: &Utterance) -> bool {
    let scores = |utterance: &Utterance| -> Option<Vec<(String, u64)>> {
        let scores = utterance.scores.as_ref()?;
        Some(scores.iter().map(|score| (score.word.clone(), score.probability.to_bits())).collect())
    };
    one.text == other.text && scores(one) == scores(other)
}

/// Two answers to one request. The first one stays.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// The key of both.
    pub key: Digest,
    /// The digest of the prompt.
    pub prompt: Digest,
    /// The answer that stays.
    pub kept: Utterance,
    /// The answer that came later.
    pub dropped: Utterance,
}

/// The answers of one advisor.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    advisor: RecordedAdvisor,
    digest: Digest,
    entries: BTreeMap<Digest, RecordedAnswer>,
}

impl Answers {
    /// No answers yet.
    pub fn of(advisor: RecordedAdvisor) -> Self {
        let digest = advisor.digest();
        Self { advisor, digest, entries: BTreeMap::new() }
    }

    /// Answers that lie under their own keys already.
    pub(crate) fn sorted(
        advisor: RecordedAdvisor,
        entries: impl IntoIterator<Item = (Digest, RecordedAnswer)>,
    ) -> Self {
        let digest = advisor.digest();
        Self { advisor, digest, entries: entries.into_iter().collect() }
    }

    /// Whose answers these are.
    pub fn advisor(&self) -> &RecordedAdvisor {
        &self.advisor
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All answers in the order of their keys.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&Digest, &RecordedAnswer)> {
        self.entries.iter()
    }

    /// The key of a request.
    pub fn key(&self, request: &Request) -> Digest {
        key(&self.digest, &decoding_digest(&request.decoding), &request.prompt.digest())
    }

    /// The answer to a request.
    pub fn get(&self, request: &Request) -> Option<&RecordedAnswer> {
        self.entries.get(&self.key(request))
    }

    /// The answer under a key.
    pub fn under(&self, key: &Digest) -> Option<&RecordedAnswer> {
        self.entries.get(key)
    }

    /// The key that an entry belongs under.
    pub(crate) fn key_of(&self, entry: &RecordedAnswer) -> Digest {
        key(&self.digest, &decoding_digest(&entry.decoding), &entry.asked.digest())
    }

    /// Refuses a decoding of another kind than the advisor's.
    pub(crate) fn admits(&self, decoding: &Decoding) -> Result<(), Error> {
        let (asked, held) = (decoding.name(), &self.advisor.decoding);
        if asked == held { Ok(()) } else { Err(Error::Decoding { asked, held: held.clone() }) }
    }

    /// Adds an answer unless there is one already; a different one is reported.
    pub fn add(&mut self, entry: RecordedAnswer) -> Result<Digest, Box<Conflict>> {
        let key = self.key_of(&entry);
        match self.entries.entry(key) {
            Slot::Vacant(slot) => {
                slot.insert(entry);
                Ok(key)
            }
            Slot::Occupied(slot) if same_words(&slot.get().utterance, &entry.utterance) => Ok(key),
            Slot::Occupied(slot) => {
                let (kept, prompt) = (slot.get().utterance.clone(), entry.asked.digest());
                Err(Box::new(Conflict { key, prompt, kept, dropped: entry.utterance }))
            }
        }
    }

    /// Adds all answers of another transcript of the same advisor; its different ones are reported.
    pub fn merge(&mut self, other: &Self) -> Result<Vec<Conflict>, Error> {
        if self.advisor != other.advisor {
            return Err(Error::Advisor {
                place: "the second transcript".into(),
                found: Box::new(other.advisor.clone()),
                expected: Box::new(self.advisor.clone()),
            });
        }
        Ok(other.entries.values().filter_map(|entry| self.add(entry.clone()).err().map(|conflict| *conflict)).collect())
    }

    /// The same answers without the text of the prompts.
    #[must_use]
    pub fn digested(mut self) -> Self {
        for entry in self.entries.values_mut() {
            entry.asked = entry.asked.digested();
        }
        self
    }

    /// The requests that have no answer here, each once, in the order of the requests.
    pub fn missing(&self, requests: &[Request]) -> Vec<Missing> {
        let mut seen = BTreeSet::new();
        let mut missing = Vec::new();
        for request in requests {
            let key = self.key(request);
            if !self.entries.contains_key(&key) && seen.insert(key) {
                missing.push(Missing::of(&self.advisor, request));
            }
        }
        missing
    }

    /// Refuses unless every request has an answer here. Called before a study starts, so that it never stops halfway.
    pub fn require(&self, requests: &[Request]) -> Result<(), Error> {
        let missing = self.missing(requests);
        match missing.first() {
            None => Ok(()),
            Some(first) => Err(Error::Missing { count: missing.len(), first: Box::new(first.clone()) }),
        }
    }

    /// At most `count` requests whose prompts were kept, spread evenly over the keys. Keys are digests, so this is a
    /// fair sample, and always the same one.
    pub fn sample(&self, count: usize) -> Vec<Request> {
        let all: Vec<&RecordedAnswer> = self.entries.values().filter(|entry| entry.asked.prompt().is_some()).collect();
        let count = count.min(all.len());
        (0..count).filter_map(|at| all[at * all.len() / count].request()).collect()
    }
}
