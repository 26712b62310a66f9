//! The loop: observe, decide, ask if told to, act, learn, and note what hindsight knows.

use std::collections::BTreeMap;

use counsel_advisor::predictor::Paid;
use counsel_advisor::{Context, Predictor};
use counsel_babyai::words::Situation;
use counsel_babyai::{Planner, State, Values, World, judge};
use counsel_calibration::CalibratedRadius;
use counsel_decision::{
    Acted, Action, AdviceModel, CandidateOnly, ContextKey, Engine, Environment, Evidence, Monitored, Preview, Radius,
    Response, Seed, Turn,
};
use counsel_deep::{Episode, Experience, Valued};
use counsel_log::{Decision, Hindsight};
use rand::RngExt;
use rand::seq::index;

use super::consultant::{Consultant, Heard};
use super::label::{Frozen, Opportunity, explored};
use super::operational::{LabelTable, Operational, ValuesFrom};
use super::settings::{ACTIONS, Agent, BabyAi, Support};
use super::surroundings;
use crate::Error;
use crate::scenario::Learning;
use crate::scenario::calibrate::{Labels, features, group};

/// Which decisions are labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labelled {
    None,
    Every,
}

/// One phase of a run.
pub(super) struct Session<'a, 'b> {
    spec: &'a BabyAi,
    consultant: &'a mut Consultant<'b>,
    pub(super) agent: &'a mut Agent,
    engine: &'a mut Engine,
    pub(super) world: World,
    planner: Planner,
    visits: BTreeMap<ContextKey, u64>,
    operational: Operational,
    /// The radius in force; without one no conservative gate asks.
    pub(super) radius: Option<&'a CalibratedRadius>,
    pub(super) learning: Learning,
    pub(super) labelled: Labelled,
    pub(super) decisions: Vec<Decision>,
    pub(super) paid: Vec<Paid>,
}

/// What is known before a decision.
pub(super) struct Known {
    pub(super) situation: Situation,
    pub(super) context: Context,
    pub(super) greedy: Action,
    pub(super) evidence: Evidence,
    pub(super) preview: Preview,
}

impl<'a, 'b> Session<'a, 'b> {
    pub(super) fn new(
        spec: &'a BabyAi,
        consultant: &'a mut Consultant<'b>,
        agent: &'a mut Agent,
        engine: &'a mut Engine,
    ) -> Result<Self, Error> {
        Ok(Self {
            spec,
            consultant,
            agent,
            engine,
            world: spec.world()?,
            planner: Planner::default(),
            visits: BTreeMap::new(),
            operational: Operational::default(),
            radius: None,
            learning: Learning::Frozen,
            labelled: Labelled::None,
            decisions: Vec::new(),
            paid: Vec::new(),
        })
    }

    /// Plays these episodes; every random number comes from `seed`.
    pub(super) fn play(&mut self, episodes: impl Iterator<Item = Episode>, seed: Seed) -> Result<(), Error> {
        for (number, episode) in episodes.enumerate() {
            let seed = seed.index(number as u64);
            self.begin(episode, seed)?;
            let exact = self.labelled == Labelled::Every && self.spec.labels() == Labels::Exact;
            let layout = if exact { Some(Frozen::layout(&self.world)?) } else { None };
            let mut frozen = exact.then(|| self.frozen());
            let values = match (&layout, &mut frozen) {
                (Some(layout), Some(frozen)) => Some(frozen.values(layout)?),
                _ => None,
            };
            let mut state = Vec::new();
            self.world.active_features(&mut state);
            let table = match self.spec.values {
                ValuesFrom::Learner => None,
                ValuesFrom::Labels(table) => Some(table),
            };
            let mut visited = Vec::new();
            for step in 0.. {
                if table.is_some() {
                    visited.push(self.world.clone());
                }
                if self.step(&mut state, values.as_ref(), seed.stream("step").index(step))? {
                    break;
                }
            }
            if let Some(table) = table {
                self.label_episode(table, &visited, seed.stream("operational"))?;
            }
        }
        Ok(())
    }

    /// Starts an episode.
    pub(super) fn begin(&mut self, episode: Episode, seed: Seed) -> Result<(), Error> {
        self.engine.begin_episode();
        self.agent.deep.begin_episode(episode)?;
        Environment::reset(&mut self.world, seed.stream("environment"));
        Ok(())
    }

    /// All that is known in the present state before any answer.
    pub(super) fn know(&mut self, state: &[usize], seed: Seed) -> Result<Known, Error> {
        let situation = Situation::of(&self.world)?;
        let context = Context::new(self.consultant.key(&situation), surroundings::describe(&situation));
        let learned = self.agent.deep.values(state)?;
        let base = self.agent.deep.base_action(&learned, seed.stream("exploration"));
        let valued = self.judging(learned, context.key)?;
        let greedy = valued.greedy();
        let mut evidence = self.evidence(&situation, &context, valued, base)?;
        let preview = self.engine.preview(&evidence);
        evidence.radius =
            self.radius.map_or(Radius::Infinite, |radius| radius.at(&features(&evidence), group(preview.estimate)));
        Ok(Known { situation, context, greedy, evidence, preview })
    }

    /// The values by which advice is judged where the learner thinks this.
    fn judging(&self, learned: Valued, context: ContextKey) -> Result<Valued, Error> {
        match self.spec.values {
            ValuesFrom::Learner => Ok(learned),
            ValuesFrom::Labels(table) => {
                let (samples, bounds) = self.operational.valued(table, context)?;
                let mean = samples.means(None);
                Ok(Valued { samples, bounds, mean })
            }
        }
    }

    fn evidence(
        &self,
        situation: &Situation,
        context: &Context,
        valued: Valued,
        base: Action,
    ) -> Result<Evidence, Error> {
        let law = self.agent.predictor.law(context);
        let advice = CandidateOnly::new(law, valued.samples, valued.bounds, base)?;
        let mut evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), self.spec.kappa)?;
        evidence.visits = self.visits.get(&context.key).copied().unwrap_or(0);
        if self.spec.support == Support::TargetInView && situation.place().is_none() {
            evidence.monitored = Monitored::OutsideSupport;
        }
        Ok(evidence)
    }

    /// What the agent would do in a state of `world` without asking, for each proposal of the fallback, with the
    /// probability of each proposal.
    fn no_query(&mut self, world: &World) -> Result<[(f64, Action); ACTIONS], Error> {
        let situation = Situation::of(world)?;
        let context = Context::new(self.consultant.key(&situation), surroundings::describe(&situation));
        let mut state = Vec::new();
        world.active_features(&mut state);
        let learned = self.agent.deep.values(&state)?;
        let chances = self.agent.deep.policy(&learned);
        let valued = self.judging(learned, context.key)?;
        let mut done = [(0.0, Action(0)); ACTIONS];
        for (proposal, chance) in chances.into_iter().enumerate() {
            let evidence = self.evidence(&situation, &context, valued.clone(), Action::new(proposal))?;
            done[proposal] = (chance, self.engine.preview(&evidence).no_query.action);
        }
        Ok(done)
    }

    /// Labels states of the episode that was just played, all seven actions of each.
    fn label_episode(&mut self, table: LabelTable, visited: &[World], seed: Seed) -> Result<(), Error> {
        match self.spec.labels() {
            Labels::Exact => {
                let Some(first) = visited.first() else { return Ok(()) };
                let layout = Frozen::layout(first)?;
                let mut scratch = first.clone();
                let mut failure = None;
                let policy = |state: &State| {
                    scratch.restore(state);
                    let mut law = [0.0; ACTIONS];
                    match self.no_query(&scratch) {
                        Ok(done) => {
                            done.iter().for_each(|(chance, action)| law[action.index()] += chance);
                            // Seven shares may add up to a little more than a whole.
                            law = law.map(|chance: f64| chance.min(1.0));
                        }
                        Err(error) => {
                            failure.get_or_insert(error);
                            law[0] = 1.0;
                        }
                    }
                    law
                };
                let values = layout.values(policy, 1.0)?;
                if let Some(error) = failure {
                    return Err(error);
                }
                for world in visited {
                    if let Some(worth) = values.q_of(world.state()) {
                        let key = self.consultant.key(&Situation::of(world)?);
                        self.operational.learn(table, key, &worth);
                    }
                }
            }
            Labels::Paired { replicates, window, .. } => {
                let count = table.states.min(visited.len());
                let chosen = index::sample(&mut seed.stream("states").rng(), visited.len(), count);
                for (number, place) in chosen.into_iter().enumerate() {
                    let world = &visited[place];
                    let mut worth = [0.0; ACTIONS];
                    for replicate in 0..replicates as u64 {
                        let luck = seed.stream("luck").index(number as u64).index(replicate);
                        for (action, worth) in worth.iter_mut().enumerate() {
                            *worth += self.roll_out(world, Action::new(action), window, luck)? / replicates as f64;
                        }
                    }
                    let key = self.consultant.key(&Situation::of(world)?);
                    self.operational.learn(table, key, &worth);
                }
            }
        }
        Ok(())
    }

    /// The return of one continuation that begins with `first` and goes on without asking.
    fn roll_out(&mut self, world: &World, first: Action, window: Option<usize>, luck: Seed) -> Result<f64, Error> {
        let mut world = world.clone();
        let mut draws = luck.rng();
        let mut total = 0.0;
        for step in 0..window.unwrap_or(usize::MAX) {
            let draw = draws.random::<f64>();
            let action = if step == 0 {
                first
            } else {
                let done = self.no_query(&world)?;
                let proposal = explored(done.map(|(chance, _)| chance), draw);
                done[proposal].1
            };
            let transition = Environment::step(&mut world, action);
            total += transition.reward;
            if transition.end.is_some() {
                break;
            }
        }
        Ok(total)
    }

    /// Makes one decision and says whether the episode is over.
    fn step(&mut self, state: &mut Vec<usize>, exact: Option<&Values<'_>>, seed: Seed) -> Result<bool, Error> {
        let Known { situation, context, greedy, mut evidence, preview } = self.know(state, seed)?;
        let mut hindsight = Hindsight::default();
        if self.labelled == Labelled::Every {
            let opportunity = Opportunity { world: &self.world, situation: &situation, greedy, preview: &preview };
            let freeze = || Frozen::new(&self.agent.deep, &self.world);
            let label = opportunity.label(self.spec, self.consultant, freeze, exact, seed.stream("label"))?;
            match self.spec.labels() {
                Labels::Exact => hindsight.exact_value = Some(label.value),
                Labels::Paired { .. } => {
                    hindsight.proxy_value = Some(label.value);
                    hindsight.proxy_radius = Some(label.radius);
                }
            }
            evidence.oracle_value = self.spec.gate.is_diagnostic().then_some(label.value);
        }
        *self.visits.entry(context.key).or_default() += 1;
        let Acted { action, paid, record } = match self.engine.decide(evidence) {
            Turn::Act(acted) => *acted,
            Turn::Ask(question) => {
                let Heard { reply, corrupted } = self.consultant.ask(&situation, greedy, seed)?;
                hindsight.corrupted = corrupted;
                self.engine.resume(*question, reply)
            }
        };
        if let Some(answer) = record.answer() {
            let advised = match answer.response {
                Response::Recommends(advised) => Some(advised),
                Response::Unusable => None,
            };
            if let Some(best) = judge(&mut self.planner, &self.world, advised)? {
                hindsight.right = Some(best.right);
                hindsight.advice_gap = best.advice_gap;
            }
        }
        let transition = Environment::step(&mut self.world, action);
        hindsight.reward = transition.reward;
        let mut next = Vec::with_capacity(state.len());
        self.world.active_features(&mut next);
        if self.learning == Learning::Continues {
            let (reward, end) = (transition.reward, transition.end);
            self.agent.deep.observe(Experience { state: &*state, action, reward, next: &next, end })?;
            self.agent.deep.learn()?;
        }
        if let Some(response) = paid {
            self.agent.predictor.observe(&context, response);
            self.paid.push(Paid { context, response });
        }
        *state = next;
        self.decisions.push(Decision { record, hindsight });
        Ok(transition.end.is_some())
    }

    /// The learner as it is now.
    pub(super) fn frozen(&self) -> Frozen {
        Frozen::new(&self.agent.deep, &self.world)
    }

    pub(super) fn consultant(&mut self) -> &mut Consultant<'b> {
        self.consultant
    }
}
