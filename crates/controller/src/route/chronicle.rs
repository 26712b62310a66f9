//! What a controller without a world was told, one entry after the other, with what it decided: enough to decide all of it again.
//!
//! A chronicle is lines of JSON. The first one declares the controller, each later one is a [`Happening`]. A [`Retelling`] puts them into
//! a fresh controller, and compares each decision with the one that was written down, bit for bit. What was learned is compared with it:
//! expected rewards, doubts and bankroll follow from everything before.

use std::collections::BTreeMap;

use counsel_decision::Seed;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cascade::{Cascade, Heard};
use super::cascade_spec::CascadeSpec;
use super::features::Request;
use super::gain_book::Lesson;
use super::router::Router;
use super::router_spec::{Offer, RouterSpec};
use crate::Error;

/// The version of the format.
const FORMAT: u32 = 1;

/// One thing that a controller was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what", deny_unknown_fields)]
pub enum Happening {
    /// A request, and what was decided.
    Decided {
        /// What was known of it.
        request: Request,
        /// What the strong answer of a cascade costs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        price: Option<f64>,
        /// All that the decision was computed from, and what it is.
        decision: Value,
    },
    /// What an answer brought; absent if nobody will ever say.
    Heard {
        /// The number of the decision.
        step: u64,
        /// The reward.
        reward: Option<f64>,
        /// Whether both answers of a cascade were the same, where both were seen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agreed: Option<bool>,
    },
    /// What the answer of a router has cost.
    Settled {
        /// The number of the decision.
        step: u64,
        /// The cost.
        cost: f64,
    },
    /// Another reward for what was learned.
    Corrected {
        /// The number of the decision.
        step: u64,
        /// The reward.
        reward: f64,
    },
    /// What an answer brought and cost that was not routed.
    Taught {
        /// What was known of the request.
        request: Request,
        /// The place of the advisor.
        advisor: usize,
        /// The reward.
        reward: f64,
        /// The cost.
        cost: f64,
    },
    /// A period with a budget of its own.
    Period {
        /// What a request may cost on average.
        per_request: f64,
        /// The requests of the period.
        requests: u64,
    },
}

impl Happening {
    /// A request with what was decided about it.
    pub fn decided(request: Request, price: Option<f64>, decision: &impl Serialize) -> Self {
        Self::Decided { request, price, decision: serde_json::to_value(decision).unwrap_or_default() }
    }
}

/// A controller without a world that has a chronicle.
pub trait Chronicled: Sized {
    /// Its name in the first line.
    const KIND: &'static str;
    /// What is declared before the first request.
    type Declared: Serialize + DeserializeOwned;

    /// One that knows nothing.
    fn fresh(declared: Self::Declared) -> Result<Self, Error>;

    /// Takes what happened, and says what it decides where something was decided. Lessons are kept for corrections.
    fn take(&mut self, happening: &Happening, lessons: &mut BTreeMap<u64, Lesson>) -> Result<Value, Error>;

    /// The first line of a chronicle of such a controller.
    fn heading(declared: &Self::Declared) -> Result<String, Error> {
        let heading = Heading { format: FORMAT, kind: Self::KIND.into(), declared };
        serde_json::to_string(&heading).map_err(|error| damaged(1, &error))
    }
}

#[derive(Serialize, Deserialize)]
struct Heading<T> {
    format: u32,
    kind: String,
    declared: T,
}

impl Chronicled for Cascade {
    const KIND: &'static str = "cascade";
    type Declared = (CascadeSpec, Seed);

    fn fresh((spec, seed): Self::Declared) -> Result<Self, Error> {
        Self::new(spec, seed)
    }

    fn take(&mut self, happening: &Happening, lessons: &mut BTreeMap<u64, Lesson>) -> Result<Value, Error> {
        match happening {
            Happening::Decided { request, price, .. } => shown(&self.decide(request, price.unwrap_or(f64::NAN))?),
            Happening::Heard { step, reward, agreed } => {
                let heard = reward.map(|reward| Heard { reward, agreed: *agreed });
                lessons.extend(self.learn(*step, heard)?.map(|lesson| (*step, lesson)));
                Ok(Value::Null)
            }
            Happening::Corrected { step, reward } => {
                let lesson = lessons.get(step).cloned().ok_or(Error::NotOpen { serial: *step })?;
                lessons.insert(*step, self.correct(lesson, *reward)?);
                Ok(Value::Null)
            }
            Happening::Settled { .. } | Happening::Taught { .. } | Happening::Period { .. } => Err(foreign(Self::KIND)),
        }
    }
}

impl Chronicled for Router {
    const KIND: &'static str = "router";
    type Declared = (RouterSpec, Vec<Offer>, Seed);

    fn fresh((spec, offers, seed): Self::Declared) -> Result<Self, Error> {
        Self::new(spec, &offers, seed)
    }

    fn take(&mut self, happening: &Happening, lessons: &mut BTreeMap<u64, Lesson>) -> Result<Value, Error> {
        match happening {
            Happening::Decided { request, price: None, .. } => return shown(&self.decide(request)?),
            Happening::Heard { step, reward, agreed: None } => {
                lessons.extend(self.learn(*step, *reward)?.map(|lesson| (*step, lesson)));
            }
            Happening::Settled { step, cost } => self.settle(*step, *cost)?,
            Happening::Corrected { step, reward } => {
                let lesson = lessons.get(step).cloned().ok_or(Error::NotOpen { serial: *step })?;
                lessons.insert(*step, self.correct(lesson, *reward)?);
            }
            Happening::Taught { request, advisor, reward, cost } => self.teach(request, *advisor, *reward, *cost)?,
            Happening::Period { per_request, requests } => self.begin_period(*per_request, *requests)?,
            Happening::Decided { .. } | Happening::Heard { .. } => return Err(foreign(Self::KIND)),
        }
        Ok(Value::Null)
    }
}

/// A controller of either kind that a chronicle is put into.
enum Player {
    Cascade(Box<Cascade>),
    Router(Box<Router>),
}

/// A chronicle, decided again line by line.
pub struct Retelling {
    player: Player,
    lessons: BTreeMap<u64, Lesson>,
    line: usize,
    decisions: usize,
    disagreements: Vec<String>,
}

impl Retelling {
    /// Begins with the first line.
    pub fn begin(first: &str) -> Result<Self, Error> {
        let heading: Heading<Value> = serde_json::from_str(first).map_err(|error| damaged(1, &error))?;
        if heading.format != FORMAT {
            return Err(damaged(1, &format!("it has the format {}, and this program reads {FORMAT}", heading.format)));
        }
        let player = match heading.kind.as_str() {
            Cascade::KIND => Player::Cascade(Box::new(made(heading.declared)?)),
            Router::KIND => Player::Router(Box::new(made(heading.declared)?)),
            other => return Err(damaged(1, &format!("it is one of a {other}, not of a cascade or a router"))),
        };
        Ok(Self { player, lessons: BTreeMap::new(), line: 1, decisions: 0, disagreements: Vec::new() })
    }

    /// Goes on with the next line.
    pub fn hear(&mut self, line: &str) -> Result<(), Error> {
        self.line += 1;
        let happening: Happening = serde_json::from_str(line).map_err(|error| damaged(self.line, &error))?;
        let taken = match &mut self.player {
            Player::Cascade(cascade) => cascade.take(&happening, &mut self.lessons),
            Player::Router(router) => router.take(&happening, &mut self.lessons),
        };
        let again = taken.map_err(|error| match error {
            Error::Chronicle { reason, .. } => damaged(self.line, &reason),
            other => damaged(self.line, &other),
        })?;
        if let Happening::Decided { decision, .. } = happening {
            self.decisions += 1;
            self.disagreements
                .extend(difference(&decision, &again).map(|found| format!("line {}: {found}", self.line)));
        }
        Ok(())
    }

    /// How many decisions were computed again, and those that differ, in words.
    pub fn found(self) -> (usize, Vec<String>) {
        (self.decisions, self.disagreements)
    }
}

fn made<C: Chronicled>(declared: Value) -> Result<C, Error> {
    C::fresh(serde_json::from_value(declared).map_err(|error| damaged(1, &error))?)
}

fn shown(decision: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(decision).map_err(|error| damaged(1, &error))
}

/// The first part of a decision that differs.
fn difference(logged: &Value, again: &Value) -> Option<String> {
    let (Value::Object(logged), Value::Object(again)) = (logged, again) else {
        return Some("it holds no decision".into());
    };
    let names = again.keys().chain(logged.keys().filter(|name| !again.contains_key(*name)));
    names.into_iter().find_map(|name| {
        let (one, other) = (logged.get(name), again.get(name));
        let word = |value: Option<&Value>| value.map_or_else(|| "absent".to_owned(), Value::to_string);
        (one != other).then(|| format!("{name} is written as {}, computed again as {}", word(one), word(other)))
    })
}

fn foreign(kind: &str) -> Error {
    damaged(0, &format!("a {kind} is never told this"))
}

fn damaged(line: usize, error: &impl std::fmt::Display) -> Error {
    Error::Chronicle { line, reason: error.to_string() }
}
