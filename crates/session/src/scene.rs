//! What differs between worlds, as the one loop of [`Session`](crate::session::Session) sees it.
//!
//! A scene holds a world with the agent in it: what acts without advice, what is expected of the advisor, and the advisor.
//! Two scenes that were built from one seed meet the same luck, and a copy of a scene goes on as the original would have.

use counsel_advisor::predictor::Paid;
use counsel_advisor::{AnyPredictor, Context};
use counsel_decision::{Action, Engine, Evidence, Forecast, Parser, Preview, Record, Reply, Response, Seed};
use counsel_log::Hindsight;
use serde::{Deserialize, Serialize};

use crate::Error;

/// Which episode of which phase begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Episode {
    /// The fallback alone, before everything else.
    WarmUp,
    /// One of so many before deployment, on a copy of the agent.
    Rehearsal {
        /// Its number, from 0.
        number: u64,
        /// How many there are.
        of: u64,
    },
    /// One of the run that is logged.
    Deployment {
        /// Its number, from 0.
        number: u64,
    },
}

/// What goes on learning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Learning {
    /// The fallback learns from every transition, and the predictor from every paid answer.
    #[default]
    Continues,
    /// The predictor learns; the fallback stays as it is.
    PredictorOnly,
    /// Both stay as they are, so that calibration and evaluation opportunities are exchangeable.
    Frozen,
}

/// What is known before an answer.
pub struct Known {
    /// What the advisor would be shown.
    pub context: Context,
    /// What the decision may look at.
    pub evidence: Evidence,
    /// What no decision may look at, as far as it is known already.
    pub hindsight: Hindsight,
}

/// What was said to a question.
pub struct Heard {
    /// The reply.
    pub reply: Reply,
    /// Whether the answer was tampered with; nothing where tampering is not studied.
    pub corrupted: Option<bool>,
}

/// What a query was worth, found afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Label {
    /// Its exact value, where it can be had.
    pub exact: Option<f64>,
    /// Its value by simulation, and the Monte-Carlo term that goes with it.
    pub simulated: Option<(f64, f64)>,
    /// How many answers the label took.
    pub calls: u64,
    /// How many steps of the world were simulated for it.
    pub steps: u64,
}

impl Label {
    /// Writes the label down.
    pub(crate) fn note(self, hindsight: &mut Hindsight) {
        hindsight.exact_value = self.exact.or(hindsight.exact_value);
        hindsight.proxy_value = self.simulated.map(|(value, _)| value);
        hindsight.proxy_radius = self.simulated.map(|(_, radius)| radius);
    }
}

/// A world with the agent in it.
pub trait Scene: Clone {
    /// A decision that was met, kept so that it can be labelled later.
    type Moment;

    /// What reads the advisor's answers.
    fn parser(&self) -> Parser;

    /// Who is asked: the version of the advisor.
    fn advisor(&self) -> String;

    /// Begins an episode; all its luck comes from `seed`.
    fn begin(&mut self, episode: Episode, seed: Seed) -> Result<(), Error>;

    /// What is known before an answer: the fallback's proposal, its values and bounds, and the predicted answers. Nothing
    /// when the episode is over.
    fn know(&mut self, engine: &Engine, seed: Seed) -> Result<Option<Known>, Error>;

    /// The exact value of a query at the present decision, where it costs nothing to know.
    fn exact_value(&mut self, _preview: &Preview) -> Result<Option<f64>, Error> {
        Ok(None)
    }

    /// What a query at the present decision is expected to be worth by what earlier ones turned out to be worth, where that
    /// is learned.
    fn forecast(&self, _preview: &Preview, _evidence: &Evidence) -> Result<Option<Forecast>, Error> {
        Ok(None)
    }

    /// The present decision, to be labelled now or later.
    fn moment(&self) -> Self::Moment;

    /// What a query at that decision was worth, as the study declares its labels.
    fn label(&mut self, _moment: &Self::Moment, _preview: &Preview, _seed: Seed) -> Result<Label, Error> {
        Ok(Label::default())
    }

    /// Asks the advisor about the present decision.
    fn ask(&mut self, seed: Seed) -> Result<Heard, Error>;

    /// Takes a paid answer: the predictor learns from it, and the belief is conditioned on it.
    fn hear(&mut self, _paid: &Paid) -> Result<(), Error> {
        Ok(())
    }

    /// Notes what hindsight knows of the decision, before the action changes the world.
    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error>;

    /// Performs the action, lets the fallback learn from it if it may, and says the reward.
    fn act(&mut self, action: Action, learning: Learning, seed: Seed) -> Result<f64, Error>;

    /// Notes what is known after learning.
    fn reckon(&mut self, _engine: &Engine, _hindsight: &mut Hindsight) -> Result<(), Error> {
        Ok(())
    }

    /// Ends an episode, and says how many steps were simulated to learn from it.
    fn end(&mut self, _engine: &Engine, _seed: Seed) -> Result<u64, Error> {
        Ok(0)
    }

    /// What the agent expects to be told, where it learns that.
    fn predictor(&mut self) -> Option<&mut AnyPredictor> {
        None
    }

    /// Takes over what a copy has learned in rehearsal, beside its predictor: values that stay as they are in deployment.
    fn take_over(&mut self, _rehearsed: Self) -> Result<(), Error> {
        Ok(())
    }

    /// The calls of each episode of the controller that this cell plays or matches. A scene whose controller is matched by many
    /// cells may find it played.
    fn calls_to_match(&self, play: impl Fn() -> Result<Vec<u64>, Error>) -> Result<Vec<u64>, Error> {
        play()
    }

    /// This scene after its warm-up. A scene whose warm-up is the same for many cells may find it done.
    fn warmed(self, warm_up: impl Fn(Self) -> Result<Self, Error>) -> Result<Self, Error> {
        warm_up(self)
    }
}

/// The advised action, where an answer named one.
pub fn advised(record: &Record) -> Option<Action> {
    match record.answer()?.response {
        Response::Recommends(action) => Some(action),
        Response::Unusable => None,
    }
}
