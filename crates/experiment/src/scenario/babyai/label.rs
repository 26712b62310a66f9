//! The value of a query, found afterwards: by paired continuations on copies of the world, or exactly on the states of
//! its layout.
//!
//! Both value the frozen ε-greedy learner as the continuation. Paired continuations look as many steps ahead as the spec
//! says (six in the paper); exact values reach to the end of the episode, and need a layout with few states.

use counsel_babyai::words::Situation;
use counsel_babyai::{Layout, State, Values, World};
use counsel_calibration::{PairedRollouts, exact_value};
use counsel_decision::{Action, Environment, Preview, Response, Seed};
use counsel_deep::{Critic, Deep, epsilon_soft};

use super::consultant::Consultant;
use super::settings::{ACTIONS, BabyAi};
use crate::Error;
use crate::scenario::calibrate::Labels;

/// A layout with more states than this is not enumerated.
const MOST_STATES: usize = 20_000;

/// The learner as it was at one moment, as a policy.
#[derive(Clone)]
pub(super) struct Frozen {
    critic: Critic,
    epsilon: f64,
    scratch: World,
}

impl Frozen {
    pub(super) fn new(deep: &Deep, world: &World) -> Self {
        Self { critic: deep.critic().clone(), epsilon: deep.epsilon(), scratch: world.clone() }
    }

    /// The ε-greedy action of a world's agent, by one uniform draw.
    fn draw(&self, world: &World, draw: f64) -> Result<Action, Error> {
        if draw < self.epsilon {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small count")]
            let explored = (draw / self.epsilon * ACTIONS as f64) as usize;
            return Ok(Action::new(explored.min(ACTIONS - 1)));
        }
        let mut active = Vec::new();
        world.active_features(&mut active);
        Ok(self.critic.greedy(&active)?)
    }

    /// The states of the world's layout, for exact values.
    pub(super) fn layout(world: &World) -> Result<Layout, Error> {
        Ok(Layout::explore(world.state(), MOST_STATES)?)
    }

    /// What every action is worth in every state of a layout when the learner goes on as it is.
    pub(super) fn values<'a>(&mut self, layout: &'a Layout) -> Result<Values<'a>, Error> {
        let mut failure = None;
        let mut active = Vec::new();
        let policy = |state: &State| {
            self.scratch.restore(state);
            self.scratch.active_features(&mut active);
            let mean = match self.critic.values(&active) {
                Ok(valued) => valued.mean,
                Err(error) => {
                    failure.get_or_insert(error);
                    vec![0.0; ACTIONS]
                }
            };
            let mut law = [0.0; ACTIONS];
            law.copy_from_slice(&epsilon_soft(&mean, self.epsilon));
            law
        };
        let values = layout.values(policy, 1.0)?;
        failure.map_or(Ok(values), |error| Err(error.into()))
    }
}

/// The place that a uniform draw falls on, given the chance of each.
pub(super) fn explored(chances: [f64; ACTIONS], draw: f64) -> usize {
    let mut below = 0.0;
    let place = chances.iter().position(|chance| {
        below += chance;
        draw < below
    });
    place.unwrap_or(ACTIONS - 1)
}

/// An opportunity to be labelled.
pub(super) struct Opportunity<'a> {
    pub(super) world: &'a World,
    pub(super) situation: &'a Situation,
    pub(super) greedy: Action,
    pub(super) preview: &'a Preview,
}

/// A label, and the Monte-Carlo term that goes with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    pub(super) value: f64,
    pub(super) radius: f64,
    /// How many answers it took.
    pub(super) calls: u64,
}

impl Opportunity<'_> {
    /// The label as the spec declares it. `exact` are the values of the present layout, where they are at hand; only without
    /// them is the learner frozen.
    pub(super) fn label(
        &self,
        spec: &BabyAi,
        consultant: &mut Consultant<'_>,
        freeze: impl FnOnce() -> Frozen,
        exact: Option<&Values<'_>>,
        seed: Seed,
    ) -> Result<Label, Error> {
        match (spec.labels(), exact) {
            (Labels::Exact, Some(values)) => self.exact(consultant, values),
            (Labels::Exact, None) => {
                let layout = Frozen::layout(self.world)?;
                self.exact(consultant, &freeze().values(&layout)?)
            }
            (Labels::Paired { blocks, replicates, window }, _) => {
                let to_go = (self.world.max_steps() - self.world.state().steps()) as usize;
                let window = window.unwrap_or(to_go).min(to_go);
                self.paired(spec, consultant, &freeze(), PairedRollouts { blocks, replicates, window }, seed)
            }
        }
    }

    fn exact(&self, consultant: &mut Consultant<'_>, values: &Values<'_>) -> Result<Label, Error> {
        let law = consultant.law(self.situation, self.greedy)?;
        let decisions: Vec<Action> = self.preview.prospects.iter().map(|prospect| prospect.action).collect();
        let q = values
            .q_of(self.world.state())
            .ok_or(Error::Derivation { reason: "a state of the episode is missing from its layout".into() })?;
        let value = exact_value(&law, &decisions, &q, self.preview.no_query.action)?;
        Ok(Label { value, radius: 0.0, calls: 1 })
    }

    fn paired(
        &self,
        spec: &BabyAi,
        consultant: &mut Consultant<'_>,
        frozen: &Frozen,
        rollouts: PairedRollouts,
        seed: Seed,
    ) -> Result<Label, Error> {
        let mut failure = None;
        let mut fall_back = |error: Error| {
            failure.get_or_insert(error);
            Action(0)
        };
        let mut responses = Vec::with_capacity(rollouts.blocks);
        for block in 0..rollouts.blocks as u64 {
            let heard = consultant.ask(self.situation, self.greedy, seed.stream("block").index(block))?;
            let response = match consultant.parser().parse(&heard.reply) {
                Response::Recommends(action) if action.index() < ACTIONS => Response::Recommends(action),
                _ => Response::Unusable,
            };
            responses.push(self.preview.prospects[response.index(ACTIONS)].action);
        }
        let mut decisions = responses.into_iter();
        let no_query = self.preview.no_query.action;
        let mut draw = |world: &World, draw: f64| frozen.draw(world, draw).unwrap_or_else(&mut fall_back);
        let draw = std::cell::RefCell::new(&mut draw);
        let proxy = rollouts.proxy(
            self.world,
            no_query,
            seed.stream("proxy"),
            |_| ((), decisions.next().unwrap_or(no_query)),
            |(), world: &World, _, luck| (draw.borrow_mut())(world, luck),
            |world, _, luck| (draw.borrow_mut())(world, luck),
        )?;
        if let Some(error) = failure {
            return Err(error);
        }
        let labels = spec.calibration.calibrate.max(1);
        let radius = spec.calibration.monte_carlo.term(&proxy.block_means, labels)?;
        Ok(Label { value: proxy.value, radius, calls: rollouts.blocks as u64 })
    }
}
