//! The agent of a controlled study at work: a tabular learner in a world whose every value is known.

use std::sync::Arc;

use counsel_advisor::{AnyPredictor, Context, SimulatedAdvisor, Simulation, Truth};
use counsel_calibration::exact_value;
use counsel_decision::{Action, ContextKey, Parser, Preview, Record, ResponseLaw, Seed};
use counsel_log::Hindsight;
use counsel_session::{
    Agent, Books, Controller, Episode, Error, Heard, Known, Label, Learning, Outcome, Scene, Situation, advised,
};
use counsel_tabular::{Dynamics, Learner, Outline, StageValues, TabularWorld, of_policy};
use counsel_world::{End, Environment, Transition};
use rand::RngExt;

use super::world::KnownWorld;
use super::{Continuation, Controlled};

/// A tabular learner in its world, with its advisor.
#[derive(Clone)]
pub(super) struct Tabular<'a> {
    pub(super) spec: &'a Controlled,
    world: Arc<KnownWorld>,
    pub(super) learner: Learner,
    advisor: SimulatedAdvisor,
    env: TabularWorld,
    /// The declared continuation: the frozen fallback in the true model.
    continuation: Arc<StageValues>,
    present: Option<Present>,
    warms_up: bool,
}

/// The present decision: what the advisor would be shown, what is right, and the law of what would be said.
#[derive(Clone)]
pub(super) struct Present {
    context: Context,
    truth: Truth,
    law: ResponseLaw,
}

impl<'a> Tabular<'a> {
    pub(super) fn new(spec: &'a Controlled, seed: Seed) -> Result<Self, Error> {
        let world = spec.world.build(spec.continuation, seed.stream("world"))?;
        let actions = world.mdp.actions();
        let learner =
            Outline::of(&world.valued).and_then(|outline| spec.learner.build(&outline, seed.stream("learner")));
        let learner = learner.map_err(Error::world)?;
        Ok(Self {
            spec,
            env: TabularWorld::new(world.mdp.clone(), seed),
            continuation: Arc::new(of_policy(&*world.valued, learner.policy())),
            advisor: spec.advisor.build(actions, seed.stream("advisor"))?,
            learner,
            present: None,
            warms_up: false,
            world: Arc::new(world),
        })
    }

    pub(super) fn world(&self) -> &KnownWorld {
        &self.world
    }

    /// The stage and the state of the present decision.
    fn here(&self) -> (usize, usize) {
        (self.world.valued_stage(self.env.stage()), self.env.state())
    }

    fn present(&self) -> Result<&Present, Error> {
        self.present.as_ref().ok_or(Error::NothingPresent)
    }

    /// What the advisor would be shown: the state, one feature each.
    pub(super) fn context(&self, state: usize) -> Context {
        let mut features = vec![0.0; self.world.mdp.states()];
        features[state] = 1.0;
        Context::new(ContextKey(state as u64), features)
    }

    /// All that is known at a state before any answer, for this proposal of the fallback.
    pub(super) fn situation(&self, stage: usize, state: usize, base: Action) -> Situation {
        let learner = &self.learner;
        let known = Situation::in_context(self.context(state)).proposing(base);
        match self.spec.books.agent {
            Agent::Experienced(_) => known.with_fallback_law(learner.policy().probabilities(stage, state).to_vec()),
            _ => known.valued(learner.samples(stage, state), Some(learner.bounds(stage, state))),
        }
    }

    fn plan_again(&mut self) {
        self.continuation = Arc::new(of_policy(&*self.world.valued, self.learner.policy()));
    }
}

impl Scene for Tabular<'_> {
    type Moment = (TabularWorld, Option<Present>);

    fn parser(&self) -> Parser {
        Parser::numbered(self.world.mdp.actions())
    }

    fn price(&self) -> f64 {
        self.spec.deployment.price
    }

    fn books(&self) -> Result<Books, Error> {
        let books = Books::new(self.spec.books.spec(), self.world.mdp.actions())?;
        Ok(books.predicting(self.spec.predictor, self.world.mdp.states())?)
    }

    fn begin(&mut self, episode: Episode, seed: Seed) -> Result<(), Error> {
        self.warms_up = episode == Episode::WarmUp;
        self.learner.begin_episode(seed.stream("learner"));
        self.plan_again();
        self.env = TabularWorld::new(self.world.mdp.clone(), seed.stream("environment"));
        Ok(())
    }

    fn know(&mut self, controller: &mut Controller, seed: Seed) -> Result<Option<Known>, Error> {
        if self.env.over().is_some() {
            return Ok(None);
        }
        let (stage, state) = self.here();
        let context = self.context(state);
        let truth = Truth { right: self.world.optimal.best_actions(stage, state, 1e-9)[0] };
        let law = self.advisor.law(&context, truth);
        if let Some(AnyPredictor::Oracle(oracle)) = controller.books_mut().predictor_mut() {
            oracle.reveal(context.key, law.clone());
        }
        let base = self.learner.propose(stage, state, seed.stream("base").rng().random());
        let expected = controller.books().law(&context, law.actions());
        let hindsight = Hindsight {
            right: Some(truth.right),
            law_error: Some(expected.mean_absolute_error(&law)),
            potential: self.potential(controller)?,
            ..Hindsight::default()
        };
        self.present = Some(Present { context, truth, law });
        let known = self.situation(stage, state, base);
        // The warm-up is the fallback's alone.
        let situation = if self.warms_up { known.insisting_on(base) } else { known };
        Ok(Some(Known { situation, hindsight }))
    }

    fn exact_value(&mut self, preview: &Preview) -> Result<Option<f64>, Error> {
        let (stage, state) = self.here();
        let values = self.continuation.action_values(stage, state);
        Ok(Some(exact_value(&self.present()?.law, &preview.decisions(), values, preview.no_query.action)?))
    }

    fn moment(&self) -> Self::Moment {
        (self.env.clone(), self.present.clone())
    }

    /// By paired continuations, where they are declared; exact values are always noted.
    fn label(&mut self, (env, present): &Self::Moment, preview: &Preview, seed: Seed) -> Result<Label, Error> {
        let stage_of = |env: &TabularWorld| self.world.valued_stage(env.stage());
        let (to_go, no_query) = (self.world.valued.horizon() - stage_of(env), preview.no_query.action);
        let Present { context, truth, .. } = present.as_ref().ok_or(Error::NothingPresent)?;
        let decide = |seed: Seed| {
            let response = self.advisor.clone().respond(context, *truth, seed).response;
            preview.prospects[response.index(env.actions())].action
        };
        let policy = self.learner.policy();
        let go_on = |env: &TabularWorld, draw: f64| policy.draw(stage_of(env), env.state(), draw);
        self.spec.deployment.calibration.paired_label(env, to_go, no_query, seed.stream("proxy"), decide, go_on)
    }

    fn ask(&mut self, seed: Seed) -> Result<Heard, Error> {
        let Present { context, truth, .. } = self.present()?.clone();
        Ok(Heard { reply: self.advisor.reply(&context, truth, seed.stream("advisor")), corrupted: None })
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        let (stage, state) = self.here();
        let gap = |action: Action| self.world.optimal.gap(stage, state, action);
        hindsight.base_gap = Some(gap(record.evidence.advice().none().base()));
        hindsight.executed_gap = Some(gap(record.executed));
        hindsight.advice_gap = advised(record).map(gap);
        hindsight.optimal_values = self.world.optimal.action_values(stage, state).to_vec();
        Ok(())
    }

    fn act(&mut self, action: Action, learning: Learning, seed: Seed) -> Result<Outcome, Error> {
        let state = self.env.state();
        let transition = self.env.step(action);
        if learning == Learning::Continues {
            self.learner
                .observe(state, action, transition.reward, self.env.state(), transition.end)
                .map_err(Error::world)?;
        }
        if self.spec.continuation == Continuation::OneStep {
            self.learner.begin_episode(seed.stream("learner"));
            self.plan_again();
        }
        let Transition { reward, end } = transition;
        Ok(Outcome::reward(reward).terminated(end == Some(End::Terminated)).truncated(end.is_some()))
    }

    fn reckon(&mut self, controller: &Controller, hindsight: &mut Hindsight) -> Result<(), Error> {
        hindsight.potential_after = self.potential(controller)?;
        Ok(())
    }
}
