//! What the queries of a run turned out to be worth, and what that says of the next one.
//!
//! A case is a state in which the advisor was asked, with its answer. The answer stays as it is; its worth depends on the agent,
//! which goes on learning. So at the end of every episode cases are labelled anew under the agent as it is now, on copies of
//! the world: D = Q(d(y)) - Q(a⁰), with the agent's own unasked behaviour as continuation. One labelled state says D for
//! every proposal that the fallback could have made there, and a ridge regression of D on what is known before an answer
//! gives the forecast. No call is made for any of this; the simulated steps are counted.

use counsel_calibration::Ridge;
use counsel_controller::Controller;
use counsel_decision::{Action, Evidence, Forecast, Input, Preview, Record, Response, Seed};
use counsel_world::Environment;

use super::agent::DeepAgent;
use super::features;
use super::world::DeepWorld;
use crate::Error;
use crate::calibrate::Labels;

/// The weight that is held against the data, in cases.
const PENALTY: f64 = 0.3;

/// Earlier episodes whose cases are labelled anew at the end of each episode, in turn.
const RELABELLED: usize = 6;

/// A state in which the advisor was asked, and what came of it.
#[derive(Clone)]
pub(super) struct Case<W: DeepWorld> {
    world: W::World,
    situation: W::Situation,
    response: Response,
    executed: Action,
    no_query: Action,
    /// What every action is worth there, by the latest label.
    worth: Vec<f64>,
}

impl<W: DeepWorld> Case<W> {
    /// What the question gained: Q(d(y)) - Q(a⁰).
    fn gain(&self) -> f64 {
        self.worth[self.executed.index()] - self.worth[self.no_query.index()]
    }

    /// The actions whose worth counts: all of them for a forecast, those that were at stake for a gain.
    fn wanted(&self, controller: &Controller) -> Vec<Action> {
        if controller.engine().gate().reads(Input::Forecast) {
            (0..self.world.actions()).map(Action::new).collect()
        } else if self.executed == self.no_query {
            Vec::new()
        } else {
            vec![self.executed, self.no_query]
        }
    }
}

/// The cases of a run, and what was learned from them.
#[derive(Clone)]
pub(super) struct Cases<W: DeepWorld> {
    /// Of the present episode.
    present: Vec<Case<W>>,
    /// Of earlier episodes, each with its own: states of one episode can be labelled together.
    earlier: Vec<Vec<Case<W>>>,
    /// Whose turn it is to be labelled anew.
    next: usize,
    learned: Option<Ridge>,
}

impl<W: DeepWorld> Default for Cases<W> {
    fn default() -> Self {
        Self { present: Vec::new(), earlier: Vec::new(), next: 0, learned: None }
    }
}

impl<W: DeepWorld> Cases<W> {
    /// Begins an episode.
    pub(super) fn begin_episode(&mut self) {
        self.present.clear();
    }

    /// Takes note of an answered question in this state.
    pub(super) fn add(&mut self, world: &W::World, situation: &W::Situation, record: &Record) {
        let Some(answer) = record.answer() else { return };
        self.present.push(Case {
            world: world.clone(),
            situation: situation.clone(),
            response: answer.response,
            executed: record.executed,
            no_query: record.no_query,
            worth: Vec::new(),
        });
    }
}

impl<W: DeepWorld> DeepAgent<'_, W> {
    /// What a query is expected to be worth at this evidence; nothing where nothing was learned yet.
    pub(super) fn forecast_at(&self, preview: &Preview, evidence: &Evidence) -> Result<Option<Forecast>, Error> {
        let (Some(learned), Some((situation, _))) = (&self.cases.learned, &self.present) else { return Ok(None) };
        let x = features::describe::<W>(situation, evidence, preview, self.share_to_go(&self.world));
        Ok(Some(Forecast::new(learned.predict(&x)?, learned.standard_error(&x)?)?))
    }

    /// Labels the questions of the episode that was just played and, if the gate reads forecasts, learns from all cases. Says
    /// what the questions of the episode gained, and how many steps were simulated.
    pub(super) fn value_cases(&mut self, controller: &Controller, seed: Seed) -> Result<(f64, u64), Error> {
        let mut present = std::mem::take(&mut self.cases.present);
        let mut steps = self.label_cases(controller, &mut present, seed.stream("present"))?;
        let gained = present.iter().map(Case::gain).sum();
        if controller.engine().gate().reads(Input::Forecast) {
            let mut earlier = std::mem::take(&mut self.cases.earlier);
            for turn in 0..RELABELLED.min(earlier.len()) {
                let place = (self.cases.next + turn) % earlier.len();
                steps +=
                    self.label_cases(controller, &mut earlier[place], seed.stream("earlier").index(turn as u64))?;
            }
            self.cases.next = (self.cases.next + RELABELLED) % earlier.len().max(1);
            if !present.is_empty() {
                earlier.push(present);
            }
            self.cases.learned = self.learned_from(controller, &earlier)?;
            self.cases.earlier = earlier;
        }
        Ok((gained, steps))
    }

    /// Labels cases of one episode, and says how many steps were simulated.
    fn label_cases(&self, controller: &Controller, cases: &mut [Case<W>], seed: Seed) -> Result<u64, Error> {
        match self.spec.deployment.calibration.labels {
            Labels::Exact => {
                let states: Vec<W::World> = cases.iter().map(|case| case.world.clone()).collect();
                let (worths, steps) = self.exactly(controller, &states)?;
                for (case, worth) in cases.iter_mut().zip(worths) {
                    case.worth = worth;
                }
                Ok(steps)
            }
            Labels::Paired { replicates, window, .. } => {
                let mut steps = 0;
                for (number, case) in cases.iter_mut().enumerate() {
                    let randomness = seed.index(number as u64);
                    let wanted = case.wanted(controller);
                    let (worth, took) =
                        self.by_rollouts(controller, &case.world, &wanted, (replicates, window), randomness)?;
                    case.worth = worth;
                    steps += took;
                }
                Ok(steps)
            }
        }
    }

    /// The regression on all cases, each for every proposal; nothing without cases.
    fn learned_from(&self, controller: &Controller, episodes: &[Vec<Case<W>>]) -> Result<Option<Ridge>, Error> {
        let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
        for case in episodes.iter().flatten() {
            let unasked = self.unasked(controller, &case.world)?;
            let (actions, to_go) = (case.worth.len(), self.share_to_go(&case.world));
            // The rows of one state share its randomness: together they count as one case.
            let weight = (1.0 / actions as f64).sqrt();
            for proposal in 0..actions {
                let (evidence, preview) = unasked.weighs(controller, Action::new(proposal))?;
                let mut x = features::describe::<W>(&case.situation, &evidence, &preview, to_go);
                x.iter_mut().for_each(|feature| *feature *= weight);
                let decided = preview.prospects[case.response.index(actions)].action;
                let gain = case.worth[decided.index()] - case.worth[preview.no_query.action.index()];
                rows.push((x, weight * gain));
            }
        }
        let Some((first, _)) = rows.first() else { return Ok(None) };
        let data = rows.iter().map(|(x, gain)| (x.as_slice(), *gain));
        Ok(Some(Ridge::fit(first.len(), data, PENALTY)?))
    }
}
