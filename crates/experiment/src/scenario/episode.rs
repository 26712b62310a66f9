//! The loop of a controlled study: observe, decide, ask if told to, act, learn, and note what hindsight knows.

use std::collections::BTreeSet;

use counsel_advisor::predictor::Paid;
use counsel_advisor::{AnyPredictor, Context, Predictor, Simulation, Truth};
use counsel_calibration::{CalibratedRadius, PairedRollouts, exact_value};
use counsel_decision::{
    Acted, Action, AdviceModel, CandidateOnly, ContextKey, Engine, Environment, Evidence, Preview, Radius, Response,
    ResponseLaw, Seed, Turn,
};
use counsel_log::{Decision, Hindsight};
use counsel_tabular::Fallback;
use counsel_tabular::{Dynamics, StageValues, TabularWorld, of_policy};
use rand::RngExt;

use super::calibrate::{Labels, features, group};
use super::controlled::{Agent, Controlled, Learning};
use super::world::{Continuation, KnownWorld};
use crate::Error;

/// At which decisions a label by paired continuations is wanted. Exact values are always noted.
pub(super) enum LabelWhen {
    Never,
    Always,
    At(BTreeSet<u64>),
}

/// One phase of a run.
pub(super) struct Session<'a> {
    spec: &'a Controlled,
    world: &'a KnownWorld,
    pub(super) agent: &'a mut Agent,
    engine: &'a mut Engine,
    /// The radius in force; without one no conservative gate asks.
    pub(super) radius: Option<&'a CalibratedRadius>,
    pub(super) learning: Learning,
    pub(super) labels_wanted: LabelWhen,
    pub(super) decisions: Vec<Decision>,
    pub(super) paid: Vec<Paid>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        spec: &'a Controlled,
        world: &'a KnownWorld,
        agent: &'a mut Agent,
        engine: &'a mut Engine,
    ) -> Self {
        Self {
            spec,
            world,
            agent,
            engine,
            radius: None,
            learning: spec.learning,
            labels_wanted: LabelWhen::Never,
            decisions: Vec::new(),
            paid: Vec::new(),
        }
    }

    /// Builds the evidence of the first decision.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.evidence(0, 0, &self.context(0), Action(0)).map(|_| ())
    }

    /// Plays episodes whose every random number comes from `seed`.
    pub(super) fn play(&mut self, episodes: u64, seed: Seed) -> Result<(), Error> {
        for episode in 0..episodes {
            let seed = seed.index(episode);
            self.engine.begin_episode();
            self.agent.learner.begin_episode(seed.stream("learner"));
            // The declared continuation: the frozen fallback in the true model.
            let mut continuation = of_policy(&*self.world.valued, self.agent.learner.policy());
            let mut env = TabularWorld::new(self.world.mdp.clone(), seed.stream("environment"));
            while env.over().is_none() {
                let seed = seed.stream("step").index(env.stage() as u64);
                self.step(&mut env, &continuation, seed)?;
                if self.spec.continuation == Continuation::OneStep {
                    continuation = of_policy(&*self.world.valued, self.agent.learner.policy());
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, env: &mut TabularWorld, continuation: &StageValues, seed: Seed) -> Result<(), Error> {
        let (stage, state) = (self.world.valued_stage(env.stage()), env.state());
        let context = self.context(state);
        let truth = Truth { right: self.world.optimal.best_actions(stage, state, 1e-9)[0] };
        let true_law = self.agent.advisor.law(&context, truth);
        if let AnyPredictor::Oracle(oracle) = &mut self.agent.predictor {
            oracle.reveal(context.key, true_law.clone());
        }
        let base = self.agent.learner.propose(stage, state, seed.stream("base").rng().random());
        let mut evidence = self.evidence(stage, state, &context, base)?;
        let preview = self.engine.preview(&evidence);
        let decisions: Vec<Action> = preview.prospects.iter().map(|prospect| prospect.action).collect();
        let values = continuation.action_values(stage, state);
        let exact = exact_value(&true_law, &decisions, values, preview.no_query.action)?;
        evidence.radius =
            self.radius.map_or(Radius::Infinite, |radius| radius.at(&features(&evidence), group(preview.estimate)));
        evidence.oracle_value = self.spec.gate.is_diagnostic().then_some(exact);
        let law_error = mean_absolute_error(evidence.advice.law(), &true_law);
        let mut hindsight = Hindsight {
            right: Some(truth.right),
            exact_value: Some(exact),
            law_error: Some(law_error),
            potential: self.potential()?,
            ..Hindsight::default()
        };
        self.proxy(env, &context, truth, &preview, seed, &mut hindsight)?;
        let Acted { action, paid, record } = match self.engine.decide(evidence) {
            Turn::Act(acted) => *acted,
            Turn::Ask(question) => {
                let reply = self.agent.advisor.reply(&context, truth, seed.stream("advisor"));
                self.engine.resume(*question, reply)
            }
        };
        let transition = env.step(action);
        if let Some(response) = paid {
            self.paid.push(Paid { context: context.clone(), response });
        }
        if self.learning == Learning::Continues {
            self.agent.learner.observe(state, action, transition.reward, env.state(), transition.end)?;
            if let Some(response) = paid {
                self.agent.predictor.observe(&context, response);
            }
        }
        if self.spec.continuation == Continuation::OneStep {
            self.agent.learner.begin_episode(seed.stream("learner"));
        }
        let gap = |action: Action| self.world.optimal.gap(stage, state, action);
        hindsight.reward = transition.reward;
        hindsight.base_gap = Some(gap(base));
        hindsight.executed_gap = Some(gap(action));
        hindsight.advice_gap = match record.answer().map(|answer| answer.response) {
            Some(Response::Recommends(advised)) => Some(gap(advised)),
            _ => None,
        };
        hindsight.potential_after = self.potential()?;
        self.decisions.push(Decision { record, hindsight });
        Ok(())
    }

    /// What the advisor would be shown: the state, one feature each.
    fn context(&self, state: usize) -> Context {
        let mut features = vec![0.0; self.world.mdp.states()];
        features[state] = 1.0;
        Context::new(ContextKey(state as u64), features)
    }

    /// All that is known at a state before any answer, for this proposal of the fallback.
    pub(super) fn evidence(
        &self,
        stage: usize,
        state: usize,
        context: &Context,
        base: Action,
    ) -> Result<Evidence, Error> {
        let learner = &self.agent.learner;
        let law = self.agent.predictor.law(context);
        let advice = CandidateOnly::new(law, learner.samples(stage, state), learner.bounds(stage, state), base)?;
        let mut evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), self.spec.kappa)?;
        evidence.visits = learner.visits(state);
        Ok(evidence)
    }

    /// Labels the opportunity by paired continuations, where that is wanted.
    fn proxy(
        &self,
        env: &TabularWorld,
        context: &Context,
        truth: Truth,
        preview: &Preview,
        seed: Seed,
        hindsight: &mut Hindsight,
    ) -> Result<(), Error> {
        let step = self.decisions.len() as u64;
        let calibration = &self.spec.calibration;
        let (Labels::Paired { blocks, replicates, window }, true) = (calibration.labels, self.labels_wanted.at(step))
        else {
            return Ok(());
        };
        let stage_of = |env: &TabularWorld| self.world.valued_stage(env.stage());
        let to_go = self.world.valued.horizon() - stage_of(env);
        let window = window.unwrap_or(to_go).min(to_go);
        let policy = self.agent.learner.policy();
        let respond = |seed: Seed| {
            let response = self.agent.advisor.clone().respond(context, truth, seed).response;
            let index = response.index(env.actions());
            ((), preview.prospects[index].action)
        };
        let proxy = PairedRollouts { blocks, replicates, window }.proxy(
            env,
            preview.no_query.action,
            seed.stream("proxy"),
            respond,
            |(), env: &TabularWorld, _, draw| policy.draw(stage_of(env), env.state(), draw),
            |env, _, draw| policy.draw(stage_of(env), env.state(), draw),
        )?;
        hindsight.proxy_radius = Some(calibration.monte_carlo.term(&proxy.block_means, calibration.calibrate.max(1))?);
        hindsight.proxy_value = Some(proxy.value);
        Ok(())
    }

    /// The remaining realizable advice value, where it is measured.
    fn potential(&self) -> Result<Option<f64>, Error> {
        if !self.spec.measure_potential {
            return Ok(None);
        }
        let mut total = 0.0;
        for state in 0..self.world.mdp.states() {
            total += self.remaining_gap(state, &self.context(state))?;
        }
        Ok(Some(total))
    }

    pub(super) fn parts(&self) -> (&KnownWorld, &Agent, &Engine) {
        (self.world, self.agent, self.engine)
    }
}

impl LabelWhen {
    fn at(&self, step: u64) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::At(steps) => steps.contains(&step),
        }
    }
}

fn mean_absolute_error(predicted: &ResponseLaw, truth: &ResponseLaw) -> f64 {
    let pairs = predicted.as_slice().iter().zip(truth.as_slice());
    pairs.map(|(p, q)| (p - q).abs()).sum::<f64>() / truth.as_slice().len() as f64
}
