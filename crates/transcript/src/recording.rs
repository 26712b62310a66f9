//! A recording: what is known is replayed, the rest is asked and stored, each question by one process at a time.

use std::collections::BTreeMap;
use std::time::Duration;

use counsel_advisor::{Digest, LanguageModel, Outage, Request, Utterance};

use crate::answers::same_words;
use crate::comparison::ask;
use crate::{AnsweredBy, Answers, AttributedAnswer, Date, Journal, Prompts, RecordedAnswer};

/// How long to wait before looking again whether another process has its answer.
const PAUSE: Duration = Duration::from_millis(20);
/// How often to look: for ten minutes.
const LOOKS: u32 = 30_000;

/// A model whose answers are stored.
pub(crate) struct Recording<'a> {
    /// What is packed already.
    pub(crate) base: &'a Answers,
    pub(crate) journal: &'a mut Journal,
    pub(crate) model: &'a mut dyn LanguageModel,
    pub(crate) date: Date,
}

/// What came of the questions of one batch.
#[derive(Default)]
struct Heard {
    /// What this process was told, by the place of the question.
    mine: BTreeMap<usize, Utterance>,
    outages: BTreeMap<Digest, Outage>,
}

impl Recording<'_> {
    /// The answers to these requests, in their order, each with who gave it.
    pub(crate) fn told(&mut self, requests: &[Request]) -> Vec<Result<AttributedAnswer, Outage>> {
        let keys: Vec<Digest> = requests.iter().map(|request| self.base.key(request)).collect();
        let mut heard = Heard::default();
        let mut places: BTreeMap<Digest, usize> = BTreeMap::new();
        for (at, key) in keys.iter().enumerate() {
            match self.base.admits(&requests[at].decoding) {
                Ok(()) => drop(places.entry(*key).or_insert(at)),
                Err(error) => drop(heard.outages.insert(*key, Outage::new(error.to_string()))),
            }
        }
        // In the order of the requests, so that the journal reads as the run went.
        let mut wanted: Vec<Digest> = places.keys().copied().collect();
        wanted.sort_unstable_by_key(|key| places[key]);
        let mut looks = 0;
        loop {
            wanted.retain(|key| self.known(key).is_none() && !heard.outages.contains_key(key));
            if wanted.is_empty() {
                break;
            }
            let outage = match self.journal.claim(&wanted) {
                Ok(claim) if !claim.keys.is_empty() => {
                    let firsts: Vec<usize> = claim.keys.iter().map(|key| places[key]).collect();
                    self.put(requests, &keys, &firsts, &mut heard);
                    continue;
                }
                // What was answered elsewhere has been read meanwhile.
                Ok(_) if wanted.iter().any(|key| self.known(key).is_some()) => continue,
                Ok(_) if looks < LOOKS => {
                    looks += 1;
                    std::thread::sleep(PAUSE);
                    continue;
                }
                Ok(_) => Outage::new("another process has been asking this question for ten minutes; see what it does"),
                Err(error) => Outage::new(format!("the question could not be claimed: {error}")),
            };
            heard.outages.extend(wanted.iter().map(|key| (*key, outage.clone())));
        }
        let answer = |(at, key): (usize, &Digest)| match (self.known(key), heard.outages.get(key)) {
            (Some(entry), _) => {
                // Where another process answered otherwise and first, its answer is the one that is returned.
                let fresh = heard.mine.get(&at).is_some_and(|said| same_words(said, &entry.utterance));
                let source = if fresh { AnsweredBy::Live } else { AnsweredBy::Replayed };
                Ok(AttributedAnswer { utterance: entry.utterance.clone(), source })
            }
            (None, Some(outage)) => Err(outage.clone()),
            (None, None) => Err(Outage::new("the model gave no answer")),
        };
        keys.iter().enumerate().map(answer).collect()
    }

    fn known(&self, key: &Digest) -> Option<&RecordedAnswer> {
        self.base.under(key).or_else(|| self.journal.answers().under(key))
    }

    /// Asks the questions at these places in one batch, and stores what is answered. Every one of them is known or lost afterwards.
    fn put(&mut self, requests: &[Request], keys: &[Digest], firsts: &[usize], heard: &mut Heard) {
        let asked: Vec<Request> = firsts.iter().map(|&at| requests[at].clone()).collect();
        let said = ask(self.model, &asked);
        let same_model = *self.model.identity() == self.journal.answers().advisor().identity;
        let mut answered = Vec::new();
        for ((request, said), &at) in asked.into_iter().zip(said).zip(firsts) {
            let said = said.and_then(|utterance| {
                if !same_model {
                    let reason = "the model changed while it was recorded, so its answer is not kept; start again";
                    return Err(Outage::new(reason));
                }
                RecordedAnswer::new(&request, utterance.clone(), self.date, Prompts::Digested)
                    .map(|_| utterance)
                    .map_err(|error| Outage::new(error.to_string()))
            });
            match said {
                Ok(utterance) => {
                    heard.mine.insert(at, utterance.clone());
                    answered.push((request, utterance));
                }
                Err(outage) => drop(heard.outages.insert(keys[at], outage)),
            }
        }
        let stored = if answered.is_empty() { Ok(Vec::new()) } else { self.journal.append(answered, self.date) };
        if let Err(error) = stored {
            let outage = Outage::new(format!("the answer could not be recorded: {error}"));
            for &at in firsts {
                heard.outages.entry(keys[at]).or_insert_with(|| outage.clone());
            }
        }
        for &at in firsts {
            if self.known(&keys[at]).is_none() {
                heard.outages.entry(keys[at]).or_insert_with(|| Outage::new("the model gave no answer"));
            }
        }
    }
}
