//! What the response predictor looks at before a query.
//!
//! The paper's predictor sees the task instruction, the current observation embedding, cache metadata, previous responses,
//! parser outcomes and past realized rewards ("Response prediction without leakage"). Ours sees what surrounds the agent,
//! nine numbers on BabyAI. Both are offered, so that they can be compared. Nothing here is known only after the query.

use counsel_advisor::Context;
use counsel_controller::Controller;
use counsel_decision::{Action, ContextKey, Engine, Response};
use serde::{Deserialize, Serialize};

use super::agent::DeepAgent;
use super::world::DeepWorld;
use crate::Error;

/// What the response predictor looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PredictorInputs {
    /// What surrounds the agent.
    #[default]
    Surroundings,
    /// That, and all that the paper lists.
    Paper,
}

impl PredictorInputs {
    /// How many numbers that is in a world with so many actions, for a learner whose embedding is so wide.
    pub(super) fn width<W: DeepWorld>(self, actions: usize, embedding: usize) -> usize {
        match self {
            Self::Surroundings => W::SURROUNDINGS,
            Self::Paper => W::SURROUNDINGS + W::INSTRUCTION + embedding + actions + 2 * (actions + 1) + 2,
        }
    }
}

/// What was said and gained so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Past {
    last: Option<Response>,
    /// How often each response was given.
    given: Vec<f64>,
    /// The return of the present episode, of the one before, and of all before the present one.
    present: f64,
    latest: f64,
    gained: f64,
    /// How many episodes have ended.
    ended: f64,
    begun: bool,
}

impl Past {
    /// Nothing yet, in a world with so many actions.
    pub(super) fn new(actions: usize) -> Self {
        Self {
            last: None,
            given: vec![0.0; actions + 1],
            present: 0.0,
            latest: 0.0,
            gained: 0.0,
            ended: 0.0,
            begun: false,
        }
    }

    pub(super) fn begin_episode(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            self.latest = std::mem::take(&mut self.present);
            self.gained += self.latest;
            self.ended += 1.0;
        }
    }

    pub(super) fn hear(&mut self, response: Response) {
        let actions = self.given.len() - 1;
        self.last = Some(response);
        self.given[response.index(actions).min(actions)] += 1.0;
    }

    pub(super) fn gain(&mut self, reward: f64) {
        self.present += reward;
    }

    /// The last response, the share of each, the return of the last episode, and the mean return.
    fn describe(&self, numbers: &mut Vec<f64>) {
        let (actions, heard) = (self.given.len() - 1, self.given.iter().sum::<f64>().max(1.0));
        let last = self.last.map(|response| response.index(actions).min(actions));
        numbers.extend((0..=actions).map(|place| f64::from(u8::from(last == Some(place)))));
        numbers.extend(self.given.iter().map(|count| count / heard));
        numbers.extend([self.latest, self.gained / self.ended.max(1.0)]);
    }
}

impl<W: DeepWorld> DeepAgent<'_, W> {
    /// What the predictor is shown of a situation that the learner sees so.
    pub(super) fn context(
        &self,
        controller: &Controller,
        situation: &W::Situation,
        active: &[usize],
    ) -> Result<Context, Error> {
        let key = self.consultant.key(situation);
        let mut numbers = W::surroundings(situation);
        if self.spec.predictor_inputs == PredictorInputs::Paper {
            numbers.extend(W::instruction(situation));
            numbers.extend(self.deep.critic().embedding(active)?);
            numbers.extend(held(controller.engine(), key, self.deep.critic().actions()));
            self.past.describe(&mut numbers);
        }
        Ok(Context::new(key, numbers))
    }
}

/// A one for the action that a kept answer names, if one is kept.
fn held(engine: &Engine, context: ContextKey, actions: usize) -> impl Iterator<Item = f64> {
    let held = engine.cache().entry(context).map(|entry| entry.action);
    (0..actions).map(move |action| f64::from(u8::from(held == Some(Action::new(action)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_is_told_by_shares_and_means() {
        let mut past = Past::new(2);
        past.begin_episode();
        past.hear(Response::Recommends(Action(1)));
        past.gain(0.0);
        past.gain(0.8);
        past.begin_episode();
        past.hear(Response::Unusable);
        past.gain(0.2);
        past.begin_episode();
        past.gain(0.7);
        let mut numbers = Vec::new();
        past.describe(&mut numbers);
        assert_eq!(numbers, [0.0, 0.0, 1.0, 0.0, 0.5, 0.5, 0.2, 0.5]);
    }
}
