//! Questions of which each comes once: whether the next one is worth asking is learned from how the earlier ones turned out.
//!
//! A controller learns what to do in a context that comes back. Questions of a coding agent do not come back, so a policy file with a
//! table `[cascade]` is decided by a [`Cascade`]: an answer is in hand (the executor's own choice), and a better one can be bought. It
//! looks at the kind of a question (its context) and at the executor's confidence, and bounds what asking can lose against never asking.
//! The service keeps the budget, the permits and the keys; its controller is given the price 0, so that it stands in nobody's way.
//!
//! The file is a journal: a line for each question and for each outcome. The state is a fold of these lines, and every decision is
//! computed again when the file is opened. A line that was torn by a crash is cut.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use counsel_controller::Seed;
use counsel_controller::route::{
    BookSpec, Cascade, CascadeSpec, Consultation, Expert, Heard, Layout, Lesson, Request, Shrinkage,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Error;
use crate::question::UNNAMED;

/// The most kinds that are distinguished; later ones share what all have in common.
const KINDS: usize = 64;
/// Questions that are remembered by their decision and key; of older ones only what was learned.
const REMEMBERED: usize = 100_000;
/// The confidence of an executor that says none.
const UNSURE: f64 = 0.5;

/// The table `[cascade]` of a policy file.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `silence` | 5 | questions before the first one is asked: what the executor does by itself is learned first |
/// | `start`, `most` | 2, 6 | what asking may lose against never asking, in units of return: at first, and at most at a time |
/// | `inflow` | 0.005 | the share of every return that is added to it |
/// | `optimism` | 2 | posterior standard deviations in favour of asking |
/// | `seed` | 0 | what the draws come from |
/// | `keep` | false | whether advice serves again where its context comes back: then the service decides, and this only turns a question down |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QuestionSpec {
    /// Questions before the first one is asked.
    pub silence: u64,
    /// What asking may lose at first.
    pub start: f64,
    /// And at most at a time.
    pub most: f64,
    /// The share of returns that is added to it.
    pub inflow: f64,
    /// Posterior standard deviations in favour of asking.
    pub optimism: f64,
    /// What the draws come from.
    pub seed: u64,
    /// Whether advice serves again where its context comes back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
}

impl Default for QuestionSpec {
    fn default() -> Self {
        let CascadeSpec { start, most, inflow, optimism, .. } = CascadeSpec::recommended();
        Self { silence: 5, start, most, inflow, optimism, seed: 0, keep: false }
    }
}

impl QuestionSpec {
    /// What a policy about advice has that says nothing of its questions: its contexts need not come back, so its controller alone would
    /// never find out an advisor that is of no worth. Nothing is held back where outcomes do not come.
    pub fn giving_up() -> Self {
        Self { silence: 0, start: 1e6, most: 1e6, keep: true, ..Self::default() }
    }

    fn cascade(self) -> Result<Cascade, Error> {
        let Self { silence, start, most, inflow, optimism, seed, keep } = self;
        let layout = Layout { groups: KINDS, numbers: 1, ..Layout::default() };
        let standard = CascadeSpec::recommended();
        // Questions are few, and kinds are named because they differ: their weights are held less, and the control group is larger.
        let shrinkage = Shrinkage { group: 2.0, ..Shrinkage::default() };
        let book = BookSpec { layout, shrinkage, expert: Expert::All, ..standard.book };
        // Where the service decides as well, advice has the benefit of the doubt: a question is turned down the oftener the worse it looks.
        let (coin, control, control_record) = if keep { (0.98, 0.04, 0.0) } else { (standard.coin, 0.05, 15.0) };
        let spec =
            CascadeSpec { silence, start, most, inflow, optimism, coin, control, control_record, book, ..standard };
        Cascade::new(spec, Seed::root(seed).stream("questions"))
            .map_err(|error| Error::Policy { reason: error.to_string() })
    }
}

/// One line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    /// Under which settings the following questions are decided.
    Settings { spec: QuestionSpec, price: f64 },
    /// A question.
    Asked { key: String, kind: String, confidence: f64, step: u64, probability: f64, asked: bool, decision: String },
    /// How one turned out.
    Outcome { decision: String, reward: f64 },
}

/// What became of a question.
#[derive(Debug, Clone)]
enum Known {
    /// Its outcome is not known.
    Open { step: u64 },
    /// It was learned from.
    Learned(Option<Lesson>),
}

#[derive(Debug)]
struct State {
    cascade: Cascade,
    price: f64,
    kinds: BTreeMap<String, usize>,
    /// Decisions by key, and whether the question was asked.
    keys: BTreeMap<String, (String, bool)>,
    known: BTreeMap<String, Known>,
    weighed: BTreeMap<String, Consultation>,
    /// Keys and decisions, the oldest first.
    order: VecDeque<(String, String)>,
}

/// What is decided on a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Weighed {
    /// The key was decided before, and the question was not asked.
    SilentBefore(String),
    /// The key was decided before, and the question was asked: the service has its permit.
    AskedBefore,
    /// Now.
    Now(Consultation),
}

/// The cascade of a policy, with its file.
#[derive(Debug)]
pub(crate) struct Questions {
    policy: String,
    spec: QuestionSpec,
    state: State,
    /// The state before a question that the service may still refuse.
    before: Option<Cascade>,
    file: Option<File>,
}

impl Questions {
    /// The questions of a policy. Without a path they are forgotten with the process.
    pub(crate) fn open(policy: &str, spec: QuestionSpec, price: f64, path: Option<PathBuf>) -> Result<Self, Error> {
        let settings = Line::Settings { spec, price };
        let mut state = State::new(spec, price)?;
        let Some(path) = path else {
            return Ok(Self { policy: policy.to_owned(), spec, state, before: None, file: None });
        };
        let refuse = |reason: String| Error::Questions { path: path.display().to_string(), reason };
        let io = |error: std::io::Error| refuse(format!("{error}; make the folder writable"));
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        // What stands after the last line end was never acknowledged.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let mut latest = None;
        for (number, line) in
            text[..whole].split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty())
        {
            let number = number + 1;
            let line: Line = serde_json::from_slice(line).map_err(|_| {
                refuse(format!("line {number} cannot be read; put back the file as it was, or move it away"))
            })?;
            if let Line::Settings { spec, price } = &line {
                // Other settings begin with what is known of outcomes, not with the old bankroll.
                state = if latest.is_none() { State::new(*spec, *price)? } else { state.under(*spec, *price)? };
                latest = Some(line.clone());
            }
            state.fold(&line).map_err(|reason| {
                refuse(format!("line {number} {reason}; put back the file as it was, or move it away"))
            })?;
        }
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut questions = Self { policy: policy.to_owned(), spec, state, before: None, file: Some(file) };
        if latest.as_ref() != Some(&settings) {
            questions.state = match latest {
                Some(_) => questions.state.under(spec, price)?,
                None => State::new(spec, price)?,
            };
            questions.write(&settings)?;
        }
        Ok(questions)
    }

    /// The settings.
    pub(crate) fn spec(&self) -> QuestionSpec {
        self.spec
    }

    /// Weighs a question. What is decided now must be noted or taken back.
    pub(crate) fn weigh(&mut self, key: &str, kind: &str, confidence: Option<f64>) -> Result<Weighed, Error> {
        match self.state.keys.get(key) {
            Some((decision, false)) => return Ok(Weighed::SilentBefore(decision.clone())),
            Some((_, true)) => return Ok(Weighed::AskedBefore),
            None => {}
        }
        self.before = Some(self.state.cascade.clone());
        let decided = self.state.decide(kind, confidence.unwrap_or(UNSURE));
        decided.map(Weighed::Now).map_err(|error| Error::Policy { reason: error.to_string() })
    }

    /// The name of a question that is not asked.
    pub(crate) fn name(&self, consultation: &Consultation) -> String {
        format!("q{}-{}", consultation.step, self.policy)
    }

    /// Takes the last question back: the service has no room for it.
    pub(crate) fn take_back(&mut self) {
        if let Some(before) = self.before.take() {
            self.state.cascade = before;
        }
    }

    /// Notes what was decided on a question, under the name of its decision.
    pub(crate) fn note(
        &mut self,
        key: &str,
        kind: &str,
        confidence: Option<f64>,
        weighed: &Consultation,
        decision: &str,
    ) -> Result<(), Error> {
        self.before = None;
        let Consultation { step, probability, asked, .. } = *weighed;
        let (key, kind, decision) = (key.to_owned(), kind.to_owned(), decision.to_owned());
        let line =
            Line::Asked { key, kind, confidence: confidence.unwrap_or(UNSURE), step, probability, asked, decision };
        self.state.note(&line, weighed.clone());
        self.write(&line)
    }

    /// Learns how a question turned out; whether it is one of ours. The last word counts.
    pub(crate) fn learn(&mut self, decision: &str, reward: f64) -> Result<bool, Error> {
        if !self.knows(decision) {
            return Ok(false);
        }
        let line = Line::Outcome { decision: decision.to_owned(), reward };
        self.state.fold(&line).map_err(|reason| Error::Question(format!("the outcome of {decision} {reason}")))?;
        self.write(&line)?;
        Ok(true)
    }

    /// Whether a decision is one of ours.
    pub(crate) fn knows(&self, decision: &str) -> bool {
        self.state.known.contains_key(decision)
    }

    /// Whether it is one of ours that was not asked.
    pub(crate) fn is_silent(&self, decision: &str) -> bool {
        decision.starts_with('q') && self.knows(decision)
    }

    /// Why a question was not asked, in words and numbers.
    pub(crate) fn explain(&self, decision: &str) -> Option<String> {
        let Consultation { rewards, doubt, price, bank, held, control, probability, uniform, .. } =
            self.state.weighed.get(decision)?;
        let outcome = match self.state.known.get(decision) {
            Some(Known::Learned(Some(lesson))) => format!("Its outcome was {}.", lesson.reward),
            _ => "Its outcome is not known.".to_owned(),
        };
        Some(format!(
            "{decision} of the policy {}: the question was not asked.\n\
             The executor's own choice is expected to return {:.3}, and advice {:.3}, give or take {doubt:.3}; a call costs {price}.\n\
             Of what asking may lose, {bank:.3} are left, and {held:.3} are at stake in questions whose outcome is not known.\n\
             It would have been asked with probability {probability:.3} (control group {control:.3}), and the draw was {uniform:.3}.\n\
             {outcome}\n",
            self.policy, rewards[0], rewards[1],
        ))
    }

    fn write(&mut self, line: &Line) -> Result<(), Error> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        let refuse = |error: std::io::Error| Error::Questions {
            path: self.policy.clone(),
            reason: format!("{error}; make room on the disk"),
        };
        file.write_all(text.as_bytes()).map_err(refuse)
    }
}

impl State {
    fn new(spec: QuestionSpec, price: f64) -> Result<Self, Error> {
        let cascade = spec.cascade()?;
        let (kinds, keys, known, weighed, order) = Default::default();
        Ok(Self { cascade, price, kinds, keys, known, weighed, order })
    }

    /// A cascade of other settings. Keys stay known; what was open is no longer waited for.
    fn under(self, spec: QuestionSpec, price: f64) -> Result<Self, Error> {
        let known = self.known.into_keys().map(|decision| (decision, Known::Learned(None))).collect();
        let Self { keys, weighed, order, .. } = self;
        Ok(Self { keys, known, weighed, order, ..Self::new(spec, price)? })
    }

    fn decide(&mut self, kind: &str, confidence: f64) -> Result<Consultation, counsel_controller::Error> {
        let request = Request::default().with_numbers(&[confidence]);
        let request = if kind.starts_with(UNNAMED) {
            request
        } else {
            let next = self.kinds.len();
            // One past the last kind speaks for all that have none.
            let group = self.kinds.get(kind).copied().unwrap_or(next);
            if group == next && next < KINDS {
                self.kinds.insert(kind.to_owned(), next);
            }
            request.in_group(group)
        };
        self.cascade.decide(&request, self.price)
    }

    fn note(&mut self, line: &Line, weighed: Consultation) {
        let Line::Asked { key, step, asked, decision, .. } = line else { return };
        self.keys.insert(key.clone(), (decision.clone(), *asked));
        self.known.insert(decision.clone(), Known::Open { step: *step });
        self.weighed.insert(decision.clone(), weighed);
        self.order.push_back((key.clone(), decision.clone()));
        if self.order.len() > REMEMBERED
            && let Some((key, decision)) = self.order.pop_front()
        {
            self.keys.remove(&key);
            self.weighed.remove(&decision);
            // Its outcome will never be known.
            if let Some(Known::Open { step }) = self.known.remove(&decision) {
                let _ = self.cascade.learn(step, None);
            }
        }
    }

    /// Follows a line of the file; an error says what is wrong with it.
    fn fold(&mut self, line: &Line) -> Result<(), String> {
        match line {
            Line::Settings { .. } => {}
            Line::Asked { kind, confidence, step, probability, asked, .. } => {
                let again =
                    self.decide(kind, *confidence).map_err(|error| format!("cannot be decided again ({error})"))?;
                if (again.step, again.probability.to_bits(), again.asked) != (*step, probability.to_bits(), *asked) {
                    return Err(
                        "is decided otherwise today: it was changed, or another version of counsel wrote it".to_owned()
                    );
                }
                self.note(line, again);
            }
            Line::Outcome { decision, reward } => {
                let known = self.known.get(decision).cloned().ok_or("tells of a question that is not there")?;
                let learned = match known {
                    Known::Open { step } => self.cascade.learn(step, Some(Heard::reward(*reward))),
                    Known::Learned(Some(lesson)) => self.cascade.correct(lesson, *reward).map(Some),
                    Known::Learned(None) => Ok(None),
                };
                let learned = learned.map_err(|error| format!("cannot be learned from ({error})"))?;
                self.known.insert(decision.clone(), Known::Learned(learned));
            }
        }
        Ok(())
    }
}

/// Why a question is not asked, as an answer has it.
pub(crate) fn told(decision: &str, policy: &str, weighed: Option<(&Consultation, QuestionSpec)>) -> Value {
    let mut told = json!({ "decision": decision, "policy": { "name": policy }, "verdict": "act", "action": crate::OWN, "reason": "below-price",
        "because": "an answer is not expected to gain more than its price, by the outcomes that are known" });
    let Some((consultation, spec)) = weighed else { return told };
    let Consultation { step, rewards, doubt, price, bank, held, probability, .. } = consultation;
    told["value"] =
        json!({ "estimate": rewards[1] - rewards[0], "doubt": doubt, "price": price, "propensity": probability });
    let (reason, because) = if *step < spec.silence {
        ("first-questions", "the first questions show what is done without advice, so none of them is asked")
    } else if bank - held < *price {
        ("bankroll", "what asking may lose is at stake already; report the outcomes of earlier questions")
    } else if *probability > 0.0 {
        ("control-group", "some questions are not asked, so that what is done without advice stays known")
    } else {
        return told;
    };
    told["reason"] = reason.into();
    told["because"] = because.into();
    told
}
