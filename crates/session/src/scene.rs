//! What differs between worlds, as the one loop of [`Session`](crate::session::Session) sees it.
//!
//! A scene holds a world with the agent in it: what acts without advice, what is expected of the advisor, and the advisor.
//! Two scenes that were built from one seed meet the same randomness, and a copy of a scene goes on as the original would have.

use crate::Error;
use counsel_advisor::predictor::Paid;
use counsel_controller::{Books, BooksSpec, Controller, Learning, Order, Outcome, Situation};
use counsel_decision::{Action, Evidence, Forecast, Parser, Preview, Record, Reply, Response, Seed};
use counsel_log::{Hindsight, PricedAdvisor};

/// Which episode of which phase begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Episode {
    /// The fallback alone, before everything else.
    WarmUp,
    /// One before deployment, on a copy of the agent.
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

/// What is known before an answer.
pub struct Known {
    /// What the decision may look at.
    pub situation: Situation,
    /// What no decision may look at, as far as it is known already.
    pub hindsight: Hindsight,
}

/// What was said to a question.
pub struct Heard {
    /// The reply.
    pub reply: Reply,
    /// Whether the answer was tampered with; none where tampering is not studied.
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
    fn advisor(&self) -> String {
        "simulated".into()
    }

    /// What a call costs, in units of return.
    fn price(&self) -> f64 {
        0.0
    }

    /// All that may be asked, each at its price: one, or several in the order of their places.
    fn advisors(&self) -> Vec<PricedAdvisor> {
        vec![PricedAdvisor { advisor: self.advisor(), price: self.price() }]
    }

    /// In which order several advisors are asked.
    fn order(&self) -> Order {
        Order::default()
    }

    /// The books that the controller begins with: a predictor of answers, and what else it keeps. None, where the scene says
    /// nothing.
    fn books(&self) -> Result<Books, Error> {
        Ok(Books::new(BooksSpec::default(), self.parser().words().len())?)
    }

    /// Begins an episode; all its randomness comes from `seed`.
    fn begin(&mut self, _episode: Episode, _seed: Seed) -> Result<(), Error> {
        Ok(())
    }

    /// What is known before an answer: the fallback's proposal, and what the scene knows better than the controller's books.
    /// None when the episode is over.
    fn know(&mut self, controller: &mut Controller, seed: Seed) -> Result<Option<Known>, Error>;

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

    /// Asks the advisor with this place among several; a scene with one asks that.
    fn ask_of(&mut self, _advisor: usize, seed: Seed) -> Result<Heard, Error> {
        self.ask(seed)
    }

    /// Takes a paid answer, beside the controller's books: a belief is conditioned on it.
    fn hear(&mut self, _paid: &Paid) -> Result<(), Error> {
        Ok(())
    }

    /// Notes what hindsight knows of the decision, before the action changes the world.
    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error>;

    /// Performs the action, lets the fallback learn from it if it may, and says what came of it.
    fn act(&mut self, action: Action, learning: Learning, seed: Seed) -> Result<Outcome, Error>;

    /// Notes what is known after learning.
    fn reckon(&mut self, _controller: &Controller, _hindsight: &mut Hindsight) -> Result<(), Error> {
        Ok(())
    }

    /// Teaches the books what copies of the world say of the episode, before the controller learns from it. Returns the
    /// number of simulated steps.
    fn end(&mut self, _controller: &mut Controller, _seed: Seed) -> Result<u64, Error> {
        Ok(0)
    }

    /// Values the questions of the episode in hindsight, after the controller has learned from it. Returns the number of
    /// simulated steps.
    fn review(&mut self, _controller: &mut Controller, _seed: Seed) -> Result<u64, Error> {
        Ok(0)
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

    /// This scene and the books after the warm-up. A scene whose warm-up is the same for many cells may find it done.
    fn warmed(
        self,
        books: Books,
        warm_up: impl Fn(Self, Books) -> Result<(Self, Books), Error>,
    ) -> Result<(Self, Books), Error> {
        warm_up(self, books)
    }
}

/// The advised action, where an answer named one.
pub fn advised(record: &Record) -> Option<Action> {
    match record.answer()?.response {
        Response::Recommends(action) => Some(action),
        Response::Unusable => None,
    }
}
