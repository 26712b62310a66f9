//! Where to ask when there are more contexts than calls: the agent works through the contexts that are still open, the one
//! with the highest estimated value of a query first, until the budget is spent.
//!
//! In each context the fallback's habit is wrong, and a right answer resolves the context for good. All predictors share the
//! order in which equally valued contexts are taken.
//!
//! DIFFERENCE: errors are measured over three responses; see "Predictors" in docs/DIFFERENCES.md.

use counsel_advisor::predictor::Paid;
use counsel_advisor::{AnyPredictor, Context, PredictorSpec, Reliability, Simulated, Simulation, Truth};
use counsel_calibration::{RadiusSpec, exact_value};
use counsel_decision::{
    Action, Budget, ContextKey, Execution, Gate, Parser, Preview, Record, Response, Seed, Settings, ValueBounds,
    ValueSamples, gate::predictive::Predictive,
};
use counsel_log::Hindsight;
use counsel_session::{
    Books, BooksSpec, CalibrationSpec, Controller, Error, Heard, Known, Learning, Outcome, Phases, Played, Scene,
    Shared, Situation, advised, refuse, run_phases,
};
use counsel_tabular::HeterogeneousContexts;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::scenario::Playable;

/// The settings of the placement study.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | see [`HeterogeneousContexts`] | |
/// | `predictor` | none | see [`PredictorSpec`] |
/// | `budget` | none | calls in the run |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The contexts.
    #[serde(default)]
    pub world: HeterogeneousContexts,
    /// What the agent expects to be told.
    pub predictor: PredictorSpec,
    /// How many calls it has.
    pub budget: u64,
}

const ACTIONS: usize = 2;
/// The value of each action in every context.
const VALUES: [f64; ACTIONS] = [0.0, 1.0];
const TRUTH: Truth = Truth { right: HeterogeneousContexts::RIGHT };

impl Playable for Placement {
    /// Plays a single round of the settings.
    fn check(&self, seed: Seed) -> Result<(), Error> {
        refuse(self.budget == 0, "budget is 0; let there be at least one call")?;
        Self { budget: 1, ..self.clone() }.played(seed).map(|_| ())
    }

    fn cell(&self, seed: Seed, _: Shared<'_>) -> Result<Played, Error> {
        self.played(seed)
    }
}

impl Placement {
    fn played(&self, seed: Seed) -> Result<Played, Error> {
        let settings =
            Settings::new(Gate::Predictive(Predictive::default()), Execution::Improving, Budget::calls(self.budget));
        // A query costs nothing here, and the values are known: there is no error to protect against.
        let calibration = CalibrationSpec::declared(RadiusSpec::Zero);
        run_phases(&Phases::deployment(&settings, &calibration, 1), Agenda::new(self, seed)?, seed)
    }
}

/// An agent among contexts, some of which are still open.
#[derive(Clone)]
struct Agenda {
    contexts: Vec<Context>,
    advisor: Simulated,
    predictor: PredictorSpec,
    /// The open contexts, by number.
    open: Vec<usize>,
    /// How often each was asked about.
    asked: Vec<u64>,
    /// The place in `open` of the context at hand.
    place: usize,
    round: u64,
    rounds: u64,
    seed: Seed,
}

impl Agenda {
    fn new(spec: &Placement, seed: Seed) -> Result<Self, Error> {
        let world = spec.world.build(seed.stream("world")).map_err(Error::world)?;
        let keys = (0..spec.world.contexts as u64).map(ContextKey);
        let known = keys.zip(world.reliability.iter().copied()).collect();
        let advisor = Simulated::new(ACTIONS, Reliability::PerContext { known, otherwise: 0.0 }, 0.0)?;
        let context =
            |(index, features): (usize, &[f64; 2])| Context::new(ContextKey(index as u64), features[1..].to_vec());
        let contexts: Vec<Context> = world.features.iter().enumerate().map(context).collect();
        let mut open: Vec<usize> = (0..contexts.len()).collect();
        open.shuffle(&mut seed.stream("order").rng());
        let asked = vec![0; contexts.len()];
        Ok(Self {
            contexts,
            advisor,
            predictor: spec.predictor,
            open,
            asked,
            place: 0,
            round: 0,
            rounds: spec.budget,
            seed,
        })
    }

    fn context(&self) -> &Context {
        &self.contexts[self.open[self.place]]
    }

    /// The place in `open` of the context whose query is estimated highest; among equals the one asked least, then the
    /// first.
    fn most_valuable(&self, books: &Books) -> Option<usize> {
        const SAME: f64 = 1e-12;
        let right = Response::Recommends(HeterogeneousContexts::RIGHT);
        let value = |place: usize| books.law(&self.contexts[self.open[place]], ACTIONS).probability(right);
        let asked = |place: usize| self.asked[self.open[place]];
        let better = |one: (usize, f64), other: (usize, f64)| {
            one.1 > other.1 + SAME || (one.1 >= other.1 - SAME && asked(one.0) < asked(other.0))
        };
        (0..self.open.len())
            .map(|place| (place, value(place)))
            .reduce(|best, candidate| if better(candidate, best) { candidate } else { best })
            .map(|(place, _)| place)
    }

    /// The mean absolute error of the predicted laws over all contexts.
    fn law_error(&self, books: &Books) -> f64 {
        let errors = self
            .contexts
            .iter()
            .map(|context| books.law(context, ACTIONS).mean_absolute_error(&self.advisor.law(context, TRUTH)));
        errors.sum::<f64>() / self.contexts.len() as f64
    }
}

impl Scene for Agenda {
    type Moment = ();

    fn parser(&self) -> Parser {
        Parser::numbered(ACTIONS)
    }

    fn books(&self) -> Result<Books, Error> {
        let mut books = Books::new(BooksSpec::default(), ACTIONS)?.predicting(self.predictor, 1)?;
        if let Some(AnyPredictor::Oracle(oracle)) = books.predictor_mut() {
            self.contexts.iter().for_each(|context| oracle.reveal(context.key, self.advisor.law(context, TRUTH)));
        }
        Ok(books)
    }

    fn know(&mut self, controller: &mut Controller, _: Seed) -> Result<Option<Known>, Error> {
        let books = controller.books();
        let next = (self.round < self.rounds).then(|| self.most_valuable(books)).flatten();
        let Some(place) = next else { return Ok(None) };
        self.place = place;
        let samples = ValueSamples::new(ACTIONS, VALUES.to_vec())?;
        let bounds = ValueBounds::new(VALUES.to_vec(), VALUES.to_vec())?;
        let situation = Situation::in_context(self.context().clone())
            .proposing(HeterogeneousContexts::HABIT)
            .valued(samples, Some(bounds));
        let hindsight =
            Hindsight { right: Some(TRUTH.right), law_error: Some(self.law_error(books)), ..Hindsight::default() };
        Ok(Some(Known { situation, hindsight }))
    }

    fn exact_value(&mut self, preview: &Preview) -> Result<Option<f64>, Error> {
        let law = self.advisor.law(self.context(), TRUTH);
        Ok(Some(exact_value(&law, &preview.decisions(), &VALUES, HeterogeneousContexts::HABIT)?))
    }

    fn moment(&self) {}

    fn ask(&mut self, _: Seed) -> Result<Heard, Error> {
        let (context, randomness) = (self.context().clone(), self.seed.stream("advisor").index(self.round));
        Ok(Heard { reply: self.advisor.reply(&context, TRUTH, randomness), corrupted: None })
    }

    fn hear(&mut self, _: &Paid) -> Result<(), Error> {
        self.asked[self.open[self.place]] += 1;
        Ok(())
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        let gap = |action: Action| VALUES[TRUTH.right.index()] - VALUES[action.index()];
        hindsight.advice_gap = advised(record).map(gap);
        hindsight.base_gap = Some(gap(HeterogeneousContexts::HABIT));
        hindsight.executed_gap = Some(gap(record.executed));
        Ok(())
    }

    fn act(&mut self, action: Action, _: Learning, _: Seed) -> Result<Outcome, Error> {
        self.round += 1;
        if action == TRUTH.right {
            self.open.remove(self.place);
            return Ok(Outcome::reward(1.0));
        }
        Ok(Outcome::reward(0.0))
    }
}
