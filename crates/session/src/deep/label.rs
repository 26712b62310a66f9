//! What a query, or an action, was worth: by continuations on copies of the world, or exactly on the states of its layout.
//!
//! A query is valued with the ε-greedy learner as the continuation. Paired continuations look as many steps ahead as the
//! study says (six in the paper); exact values reach to the end of the episode, and need a layout with few states. Labels of
//! whole episodes value the agent's own behaviour without a question, kept answers included.

use std::cell::Cell;

use counsel_calibration::exact_value;
use counsel_controller::{Controller, Situation};
use counsel_decision::{Action, Evidence, Preview, Seed};
use counsel_deep::{epsilon_soft, explored};
use counsel_world::{Environment, Transition};
use rand::RngExt;
use rand::seq::index;

use super::agent::{DeepAgent, Met};
use super::agents::Agent;
use super::proposal::Proposal;
use super::world::DeepWorld;
use crate::Error;
use crate::calibrate::Labels;
use crate::scene::Label;

/// States, and what every action is worth in each.
type Worths<W> = Vec<(<W as DeepWorld>::World, Vec<f64>)>;

impl<W: DeepWorld> DeepAgent<'_, W> {
    /// The label of a decision, as the study declares it.
    pub(super) fn label_of(&mut self, met: &Met<W>, preview: &Preview, seed: Seed) -> Result<Label, Error> {
        match self.spec.deployment.calibration.labels {
            Labels::Exact => self.exact(met, preview),
            Labels::Paired { blocks, .. } => self.paired(met, preview, blocks, seed),
        }
    }

    fn exact(&mut self, met: &Met<W>, preview: &Preview) -> Result<Label, Error> {
        let mut steps = 0;
        if self.exact.is_none() {
            let discount = self.spec.deployment.calibration.discount();
            let (exact, looked_at) = solve::<W>(&met.world, discount, |world| {
                let mut active = Vec::new();
                W::active_features(world, &mut active);
                Ok(epsilon_soft(&self.deep.values(&active)?.mean, self.deep.epsilon()))
            })?;
            (steps, self.exact) = (looked_at, Some(exact));
        }
        let law = self.consultant.law(&met.asked())?;
        let q = self.exact.as_ref().and_then(|exact| W::action_values(exact, &met.world)).ok_or_else(missing)?;
        let value = exact_value(&law, &preview.decisions(), &q, preview.no_query.action)?;
        Ok(Label { exact: Some(value), simulated: None, calls: 1, steps })
    }

    fn paired(&self, met: &Met<W>, preview: &Preview, blocks: usize, seed: Seed) -> Result<Label, Error> {
        let actions = met.world.actions();
        let mut decisions = Vec::with_capacity(blocks);
        for block in 0..blocks as u64 {
            let heard = self.consultant.ask(&met.asked(), seed.stream("block").index(block))?;
            let response = self.consultant.parser().parse_among(&heard.reply, actions);
            decisions.push(preview.prospects[response.index(actions)].action);
        }
        let mut decisions = decisions.into_iter();
        let no_query = preview.no_query.action;
        let failure = Cell::new(None);
        let go_on = |world: &W::World, draw: f64| {
            self.draw(world, draw).unwrap_or_else(|error| {
                failure.set(Some(error));
                Action(0)
            })
        };
        let label = self.spec.deployment.calibration.paired_label(
            &met.world,
            W::steps_to_go(&met.world),
            no_query,
            seed.stream("proxy"),
            |_| decisions.next().unwrap_or(no_query),
            go_on,
        )?;
        failure.take().map_or(Ok(label), Err)
    }

    /// The ε-greedy action of a world's agent, by one uniform draw.
    fn draw(&self, world: &W::World, draw: f64) -> Result<Action, Error> {
        if let Some(action) = explored(world.actions(), self.deep.epsilon(), draw) {
            return Ok(action);
        }
        let mut active = Vec::new();
        W::active_features(world, &mut active);
        Ok(self.deep.greedy(&active)?)
    }

    /// Labels states of the episode that was just played, all actions of each, and says how many steps that took.
    pub(super) fn label_episode(&mut self, controller: &mut Controller, seed: Seed) -> Result<u64, Error> {
        let visited = std::mem::take(&mut self.visited);
        let Some(states) = self.spec.books.agent.labelled_states() else { return Ok(0) };
        let (labels, steps) = match self.spec.deployment.calibration.labels {
            Labels::Exact => self.episode_exactly(controller, &visited)?,
            Labels::Paired { replicates, window, .. } => {
                self.episode_by_rollouts(controller, states, &visited, (replicates, window), seed)?
            }
        };
        if let Agent::Regressed(spec) = self.spec.books.agent {
            let mut seen = Vec::with_capacity(labels.len());
            for (world, worth) in labels {
                let mut active = Vec::new();
                W::active_features(&world, &mut active);
                let outlook = self.outlook(&world, &W::situation(&world)?, &self.deep.values(&active)?);
                seen.push((outlook, worth));
            }
            self.regression.learn(spec, seen)?;
        } else {
            for (world, worth) in labels {
                let Unasked { proposal, known } = self.unasked(controller, &world)?;
                let state = controller.state(&known);
                controller.books_mut().learn_label(state, &worth, &proposal.law(world.actions()));
            }
        }
        Ok(steps)
    }

    fn episode_exactly(&self, controller: &Controller, visited: &[W::World]) -> Result<(Worths<W>, u64), Error> {
        let Some(first) = visited.first() else { return Ok((Vec::new(), 0)) };
        let (exact, steps) = self.solve_unasked(controller, first)?;
        let labels = visited.iter().filter_map(|world| Some((world.clone(), W::action_values(&exact, world)?)));
        Ok((labels.collect(), steps))
    }

    /// What every action is worth in each of these states of one episode, the earliest first, and the steps that took.
    pub(super) fn exactly(&self, controller: &Controller, states: &[W::World]) -> Result<(Vec<Vec<f64>>, u64), Error> {
        let Some(first) = states.first() else { return Ok((Vec::new(), 0)) };
        let (exact, steps) = self.solve_unasked(controller, first)?;
        let worths = states.iter().map(|world| W::action_values(&exact, world).ok_or_else(missing));
        Ok((worths.collect::<Result<_, _>>()?, steps))
    }

    /// Exact values of the agent's own behaviour without a question, from this state on.
    fn solve_unasked(&self, controller: &Controller, world: &W::World) -> Result<(W::Exact, u64), Error> {
        solve::<W>(world, 1.0, |world| {
            let unasked = self.unasked(controller, world)?;
            let proposals = unasked.proposal.law(world.actions());
            if !controller.engine().cache().keeps() {
                return Ok(proposals);
            }
            let mut law = vec![0.0; world.actions()];
            for (proposal, chance) in proposals.iter().enumerate() {
                law[unasked.after(controller, Action::new(proposal))?.index()] += chance;
            }
            // The shares of several proposals may add up to a little more than a whole.
            law.iter_mut().for_each(|chance| *chance = chance.min(1.0));
            Ok(law)
        })
    }

    fn episode_by_rollouts(
        &self,
        controller: &Controller,
        states: usize,
        visited: &[W::World],
        (replicates, window): (usize, Option<usize>),
        seed: Seed,
    ) -> Result<(Worths<W>, u64), Error> {
        let count = states.min(visited.len());
        let chosen = index::sample(&mut seed.stream("states").rng(), visited.len(), count);
        let (mut labels, mut steps) = (Vec::with_capacity(count), 0);
        for (number, place) in chosen.into_iter().enumerate() {
            let world = &visited[place];
            let randomness = seed.stream("luck").index(number as u64);
            let every: Vec<Action> = (0..world.actions()).map(Action::new).collect();
            let (worth, took) = self.by_rollouts(controller, world, &every, (replicates, window), randomness)?;
            labels.push((world.clone(), worth));
            steps += took;
        }
        Ok((labels, steps))
    }

    /// What these actions are worth in a state, by continuations that share their randomness, and the steps that took. The others
    /// have no label, and a worth of 0.
    pub(super) fn by_rollouts(
        &self,
        controller: &Controller,
        world: &W::World,
        wanted: &[Action],
        (replicates, window): (usize, Option<usize>),
        randomness: Seed,
    ) -> Result<(Vec<f64>, u64), Error> {
        let (mut worth, mut steps) = (vec![0.0; world.actions()], 0);
        for replicate in 0..replicates as u64 {
            let randomness = randomness.index(replicate);
            for &action in wanted {
                let (gained, took) = self.roll_out(controller, world, action, window, randomness)?;
                worth[action.index()] += gained / replicates as f64;
                steps += took;
            }
        }
        Ok((worth, steps))
    }

    /// The return of one continuation that begins with `first` and goes on without asking, and its steps.
    fn roll_out(
        &self,
        controller: &Controller,
        world: &W::World,
        first: Action,
        window: Option<usize>,
        randomness: Seed,
    ) -> Result<(f64, u64), Error> {
        let mut world = world.clone();
        let mut draws = randomness.rng();
        let (mut total, mut steps) = (0.0, 0);
        for step in 0..window.unwrap_or(usize::MAX) {
            let draw = draws.random::<f64>();
            let action = if step == 0 {
                first
            } else {
                let unasked = self.unasked(controller, &world)?;
                unasked.after(controller, unasked.proposal.at(draw))?
            };
            let Transition { reward, end } = world.step(action);
            total += reward;
            steps += 1;
            if end.is_some() {
                break;
            }
        }
        Ok((total, steps))
    }

    /// The agent in a state in which it does not ask.
    pub(super) fn unasked(&self, controller: &Controller, world: &W::World) -> Result<Unasked, Error> {
        let situation = W::situation(world)?;
        let mut active = Vec::new();
        W::active_features(world, &mut active);
        let known = self.described(self.context(controller, &situation, &active)?, &situation);
        let learned = self.deep.values(&active)?;
        let proposal = self.proposal(controller, &known, (world, &situation), &learned)?;
        // An episode that is only thought of has not stalled.
        let known = self.situation(known, (world, &situation), learned)?.with_stalled(false);
        Ok(Unasked { proposal, known })
    }
}

/// An agent in a state in which it does not ask.
pub(super) struct Unasked {
    proposal: Proposal,
    /// All that is known there but the proposal.
    known: Situation,
}

impl Unasked {
    /// What it does after this proposal of the fallback: the proposal, or a kept answer that holds.
    fn after(&self, controller: &Controller, proposal: Action) -> Result<Action, Error> {
        Ok(self.weighs(controller, proposal)?.1.no_query.action)
    }

    /// What it would know and weigh after this proposal.
    pub(super) fn weighs(&self, controller: &Controller, proposal: Action) -> Result<(Evidence, Preview), Error> {
        Ok(controller.preview(&self.known.clone().insisting_on(proposal))?)
    }
}

/// What every action is worth under a law that may fail; then the first failure is what comes out.
fn solve<W: DeepWorld>(
    world: &W::World,
    discount: f64,
    mut law: impl FnMut(&W::World) -> Result<Vec<f64>, Error>,
) -> Result<(W::Exact, u64), Error> {
    let mut failure = None;
    let mut certain = vec![0.0; world.actions()];
    certain[0] = 1.0;
    let by_law = &mut |world: &W::World| {
        law(world).unwrap_or_else(|error| {
            failure.get_or_insert(error);
            certain.clone()
        })
    };
    let solved = W::exact_values(world, by_law, discount)?;
    failure.map_or(Ok(solved), Err)
}

fn missing() -> Error {
    Error::Derivation { reason: "a state of the episode is missing from its layout".into() }
}
