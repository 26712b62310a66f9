//! The loop: observe, decide, ask if told to, act, learn, and note what hindsight knows.

use std::collections::BTreeMap;

use counsel_advisor::predictor::Paid;
use counsel_advisor::{Context, Predictor};
use counsel_audit::{Decision, Hindsight};
use counsel_babyai::{Planner, Values, World};
use counsel_calibration::CalibratedRadius;
use counsel_decision::{
    Acted, Action, AdviceModel, CandidateOnly, ContextKey, Engine, Environment, Evidence, Preview, Radius, Response,
    Seed, Situation as Monitored, Turn,
};
use counsel_deep::{Episode, Experience};
use counsel_prompt::Situation;

use super::consultant::{Consultant, Heard};
use super::label::{Frozen, Opportunity};
use super::settings::{Agent, BabyAi, Support};
use super::{surroundings, truth};
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
            for step in 0.. {
                if self.step(&mut state, values.as_ref(), seed.stream("step").index(step))? {
                    break;
                }
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
        let valued = self.agent.deep.values(state)?;
        let (greedy, base) = (valued.greedy(), self.agent.deep.base_action(&valued, seed.stream("exploration")));
        let law = self.agent.predictor.law(&context);
        let advice = CandidateOnly::new(law, valued.samples, valued.bounds, base)?;
        let mut evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), self.spec.kappa)?;
        evidence.visits = self.visits.get(&context.key).copied().unwrap_or(0);
        if self.spec.support == Support::TargetInView && situation.place().is_none() {
            evidence.situation = Monitored::OutsideSupport;
        }
        let preview = self.engine.preview(&evidence);
        evidence.radius =
            self.radius.map_or(Radius::Infinite, |radius| radius.at(&features(&evidence), group(preview.estimate)));
        Ok(Known { situation, context, greedy, evidence, preview })
    }

    /// Makes one decision and says whether the episode is over.
    fn step(&mut self, state: &mut Vec<usize>, exact: Option<&Values<'_>>, seed: Seed) -> Result<bool, Error> {
        let Known { situation, context, greedy, mut evidence, preview } = self.know(state, seed)?;
        let mut hindsight = Hindsight::default();
        if self.labelled == Labelled::Every {
            let mut frozen = self.frozen();
            let opportunity = Opportunity { world: &self.world, situation: &situation, greedy, preview: &preview };
            let label = opportunity.label(self.spec, self.consultant, &mut frozen, exact, seed.stream("label"))?;
            match self.spec.labels() {
                Labels::Exact => hindsight.exact_value = Some(label.value),
                Labels::Paired { .. } => {
                    hindsight.proxy_value = Some(label.value);
                    hindsight.proxy_radius = Some(label.radius);
                }
            }
            evidence.exact_value = self.spec.gate.is_diagnostic().then_some(label.value);
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
            if let Some(best) = truth::judge(&mut self.planner, &self.world, advised)? {
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
        Frozen::new(self.agent.deep.critic(), self.agent.deep.epsilon(), &self.world)
    }

    pub(super) fn consultant(&mut self) -> &mut Consultant<'b> {
        self.consultant
    }
}
