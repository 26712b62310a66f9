//! Where the answers of language models come from: recorded ones, confirmed by a live model where one is wanted.
//!
//! A replay needs no model. With live models every distinct question is put to the model once; where it says what the
//! transcript says, the transcript's entry is cited, so a live run that agrees leaves the same bytes as its replay. Where
//! it says something else, or nothing was recorded, the model's own words count and the log says `live`. A question that a
//! live model does not answer fails its cell; see [`Lost`].

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use counsel_advisor::{AdvisorName, Digest, LanguageModel, Request, Utterance};
use counsel_decision::{Reply, ReplySource};
use counsel_transcript::{Answers, Shelf};

use crate::Error;
use crate::setbacks::{Lost, Setbacks};

/// A model that can be asked now.
pub type LiveModel = Box<dyn LanguageModel + Send>;

/// Opens the live model of an advisor.
pub type OpenModel = Box<dyn Fn(&AdvisorName) -> Result<LiveModel, String> + Send + Sync>;

/// How often live models were asked, and how often they said what had been recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Confirmed {
    /// Distinct questions that were put to a model.
    pub asked: u64,
    /// Those answered as recorded.
    pub agreed: u64,
}

/// The advisors that studies may consult.
pub struct Library {
    shelf: Shelf,
    desk: Option<Desk>,
    opened: Mutex<BTreeMap<String, Arc<Volume>>>,
}

/// Where live models are asked.
struct Desk {
    open: OpenModel,
    setbacks: Mutex<Setbacks>,
}

impl Desk {
    fn setbacks(&self) -> MutexGuard<'_, Setbacks> {
        self.setbacks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was lost, if anything.
    fn lost(&self) -> Option<Lost> {
        self.setbacks().lost().cloned()
    }
}

/// The answers of one advisor.
struct Volume {
    recorded: Option<Answers>,
    live: Option<Mutex<Live>>,
}

struct Live {
    model: LiveModel,
    heard: BTreeMap<Digest, (Utterance, ReplySource)>,
    confirmed: Confirmed,
}

impl Library {
    /// Recorded answers alone.
    pub fn recorded(shelf: Shelf) -> Self {
        Self { shelf, desk: None, opened: Mutex::default() }
    }

    /// Every distinct question is put to a live model, too, until so many in a row are lost; without a number, to the end.
    pub fn live(shelf: Shelf, open: OpenModel, stop_after: Option<NonZeroU32>) -> Self {
        let setbacks = Mutex::new(Setbacks::up_to(stop_after));
        Self { shelf, desk: Some(Desk { open, setbacks }), opened: Mutex::default() }
    }

    /// Opens an advisor, so that one that is missing is found before anything runs.
    pub fn require(&self, advisor: &AdvisorName) -> Result<(), Error> {
        self.volume(advisor).map(|_| ())
    }

    /// Whether live models are asked, and paid for.
    pub(crate) fn is_live(&self) -> bool {
        self.desk.is_some()
    }

    /// The questions that live models left without an answer, if there are any.
    pub fn lost(&self) -> Option<Lost> {
        self.desk.as_ref().and_then(Desk::lost)
    }

    /// The reply to a question; an error where nobody answers it.
    pub fn ask(&self, advisor: &AdvisorName, request: &Request) -> Result<Reply, Error> {
        let (utterance, source) = self.hear(advisor, request)?;
        Ok(reply(&utterance, source))
    }

    /// What is said to a question, with the scores of words, and where it comes from; an error where nobody answers it.
    pub fn hear(&self, advisor: &AdvisorName, request: &Request) -> Result<(Utterance, ReplySource), Error> {
        let volume = self.volume(advisor)?;
        let recorded = volume.recorded.as_ref().and_then(|answers| answers.get(request));
        let (Some(live), Some(desk)) = (&volume.live, &self.desk) else {
            let missing = || Error::Unanswered { advisor: advisor.to_string() };
            return recorded.map(|entry| (entry.utterance.clone(), ReplySource::Replayed)).ok_or_else(missing);
        };
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = request.prompt.digest();
        if let Some(heard) = live.heard.get(&digest) {
            return Ok(heard.clone());
        }
        let lost = |reason: String| Error::Lost { advisor: advisor.to_string(), reason };
        if let Some(closed) = desk.lost().filter(|lost| lost.closed) {
            return Err(lost(closed.why));
        }
        live.confirmed.asked += 1;
        let said = live.model.answer_one(request).map_err(|outage| {
            desk.setbacks().lose(&outage);
            lost(outage.reason)
        })?;
        desk.setbacks().answered();
        let told = match recorded {
            Some(entry) if same(&said, &entry.utterance) => {
                live.confirmed.agreed += 1;
                (entry.utterance.clone(), ReplySource::Replayed)
            }
            _ => (said, ReplySource::Live),
        };
        live.heard.insert(digest, told.clone());
        Ok(told)
    }

    /// What the live models were asked, over all advisors.
    pub fn confirmed(&self) -> Confirmed {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sum = Confirmed::default();
        for live in opened.values().filter_map(|volume| volume.live.as_ref()) {
            let Confirmed { asked, agreed } = live.lock().unwrap_or_else(PoisonError::into_inner).confirmed;
            sum = Confirmed { asked: sum.asked + asked, agreed: sum.agreed + agreed };
        }
        sum
    }

    fn volume(&self, advisor: &AdvisorName) -> Result<Arc<Volume>, Error> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let name = advisor.to_string();
        if let Some(volume) = opened.get(&name) {
            return Ok(volume.clone());
        }
        let recorded = self.shelf.open(advisor);
        let volume = match &self.desk {
            None => Volume { recorded: Some(recorded?), live: None },
            Some(desk) => {
                let model = (desk.open)(advisor).map_err(|reason| Error::Model { advisor: name.clone(), reason })?;
                let live = Live { model, heard: BTreeMap::new(), confirmed: Confirmed::default() };
                Volume { recorded: recorded.ok(), live: Some(Mutex::new(live)) }
            }
        };
        Ok(opened.entry(name).or_insert(Arc::new(volume)).clone())
    }
}

/// Whether two answers are the same, whatever time they took.
fn same(one: &Utterance, other: &Utterance) -> bool {
    let without_time = |utterance: &Utterance| Utterance { latency_ms: None, ..utterance.clone() };
    without_time(one) == without_time(other)
}

/// What was said, as a reply.
pub(crate) fn reply(utterance: &Utterance, source: ReplySource) -> Reply {
    Reply {
        text: utterance.text.clone(),
        source,
        request_tokens: utterance.request_tokens,
        response_tokens: utterance.response_tokens,
        latency_ms: utterance.latency_ms,
    }
}
