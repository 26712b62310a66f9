//! Where to ask when there are more contexts than calls: the agent works through the contexts that are still open, the one
//! with the highest estimated value of a query first, until the budget is spent.
//!
//! In each context the fallback's habit is wrong, and a right answer resolves the context for good. All predictors share the
//! order in which equally valued contexts are taken.
//!
//! DIFFERENCE: errors are measured over three responses; see "Predictors" in docs/DIFFERENCES.md.

use counsel_advisor::predictor::Paid;
use counsel_advisor::{AnyPredictor, Context, Predictor, PredictorSpec, Reliability, Simulated, Simulation, Truth};
use counsel_calibration::{RadiusSpec, exact_value};
use counsel_decision::{
    Action, AdviceModel, BudgetSpec, CacheSpec, CandidateOnly, ContextKey, Controller, Engine, Evidence, ExecutionRule,
    GateSpec, Parser, Preview, PriceSpec, Record, Response, Seed, ValueBounds, ValueSamples,
    gate::predictive::Predictive,
};
use counsel_log::Hindsight;
use counsel_session::{
    CalibrationSpec, Episode, Error, Heard, Known, Learning, Phases, Played, Scene, advised, play, refuse,
};
use counsel_tabular::HeterogeneousContexts;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

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

impl Placement {
    /// Plays a single round of the settings.
    pub(crate) fn check(&self, seed: Seed) -> Result<(), Error> {
        refuse(self.budget == 0, "budget is 0; let there be at least one call")?;
        Self { budget: 1, ..self.clone() }.play(seed).map(|_| ())
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed) -> Result<Played, Error> {
        let controller = Controller {
            gate: GateSpec::Predictive(Predictive::default()),
            execution: ExecutionRule::Improving,
            budget: BudgetSpec::per_run(self.budget),
            price: PriceSpec::default(),
            cache: CacheSpec::Off,
            bankroll: None,
        };
        // A query costs nothing here, and the values are known: there is no error to protect against.
        let calibration = CalibrationSpec::declared(RadiusSpec::Zero);
        play(&Phases::deployment(&controller, &calibration, 1), Agenda::new(self, seed)?, seed)
    }
}

/// An agent among contexts, some of which are still open.
#[derive(Clone)]
struct Agenda {
    contexts: Vec<Context>,
    advisor: Simulated,
    predictor: AnyPredictor,
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
        let mut predictor = spec.predictor.build(ACTIONS, 1)?;
        if let AnyPredictor::Oracle(oracle) = &mut predictor {
            contexts.iter().for_each(|context| oracle.reveal(context.key, advisor.law(context, TRUTH)));
        }
        let mut open: Vec<usize> = (0..contexts.len()).collect();
        open.shuffle(&mut seed.stream("order").rng());
        let asked = vec![0; contexts.len()];
        Ok(Self { contexts, advisor, predictor, open, asked, place: 0, round: 0, rounds: spec.budget, seed })
    }

    fn context(&self) -> &Context {
        &self.contexts[self.open[self.place]]
    }

    /// The place in `open` of the context whose query is estimated highest; among equals the one asked least, then the
    /// first.
    fn most_valuable(&self) -> Option<usize> {
        const SAME: f64 = 1e-12;
        let right = Response::Recommends(HeterogeneousContexts::RIGHT);
        let value = |place: usize| self.predictor.law(&self.contexts[self.open[place]]).probability(right);
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
    fn law_error(&self) -> f64 {
        let errors = self
            .contexts
            .iter()
            .map(|context| self.predictor.law(context).mean_absolute_error(&self.advisor.law(context, TRUTH)));
        errors.sum::<f64>() / self.contexts.len() as f64
    }
}

impl Scene for Agenda {
    type Moment = ();

    fn parser(&self) -> Parser {
        Parser::numbered(ACTIONS)
    }

    fn advisor(&self) -> String {
        "simulated".into()
    }

    fn begin(&mut self, _: Episode, _: Seed) -> Result<(), Error> {
        Ok(())
    }

    fn know(&mut self, _: &Engine, _: Seed) -> Result<Option<Known>, Error> {
        let Some(place) = (self.round < self.rounds).then(|| self.most_valuable()).flatten() else { return Ok(None) };
        self.place = place;
        let samples = ValueSamples::new(ACTIONS, VALUES.to_vec())?;
        let bounds = ValueBounds::new(VALUES.to_vec(), VALUES.to_vec())?;
        let context = self.context().clone();
        let law = self.predictor.law(&context);
        let advice = CandidateOnly::new(law, samples, bounds, HeterogeneousContexts::HABIT)?;
        let evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), 0.0)?;
        let hindsight =
            Hindsight { right: Some(TRUTH.right), law_error: Some(self.law_error()), ..Hindsight::default() };
        Ok(Some(Known { context, evidence, hindsight }))
    }

    fn exact_value(&mut self, preview: &Preview) -> Result<Option<f64>, Error> {
        let law = self.advisor.law(self.context(), TRUTH);
        Ok(Some(exact_value(&law, &preview.decisions(), &VALUES, HeterogeneousContexts::HABIT)?))
    }

    fn moment(&self) {}

    fn ask(&mut self, _: Seed) -> Result<Heard, Error> {
        let (context, luck) = (self.context().clone(), self.seed.stream("advisor").index(self.round));
        Ok(Heard { reply: self.advisor.reply(&context, TRUTH, luck), corrupted: None })
    }

    fn hear(&mut self, paid: &Paid) -> Result<(), Error> {
        self.asked[self.open[self.place]] += 1;
        self.predictor.observe(&paid.context, paid.response);
        Ok(())
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        let gap = |action: Action| VALUES[TRUTH.right.index()] - VALUES[action.index()];
        hindsight.advice_gap = advised(record).map(gap);
        hindsight.base_gap = Some(gap(HeterogeneousContexts::HABIT));
        hindsight.executed_gap = Some(gap(record.executed));
        Ok(())
    }

    fn act(&mut self, action: Action, _: Learning, _: Seed) -> Result<f64, Error> {
        self.round += 1;
        if action == TRUTH.right {
            self.open.remove(self.place);
            return Ok(1.0);
        }
        Ok(0.0)
    }

    fn predictor(&mut self) -> Option<&mut AnyPredictor> {
        Some(&mut self.predictor)
    }
}
