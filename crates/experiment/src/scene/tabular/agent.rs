//! The agent of a controlled study at work: a tabular learner in a world whose every value is known.

use std::sync::Arc;

use counsel_advisor::predictor::Paid;
use counsel_advisor::{AnyPredictor, Context, Predictor, SimulatedAdvisor, Simulation, Truth};
use counsel_calibration::{PairedRollouts, exact_value};
use counsel_decision::{
    Action, AdviceModel, CandidateOnly, ContextKey, Engine, Environment, Evidence, Parser, Preview, Record,
    ResponseLaw, Seed,
};
use counsel_log::Hindsight;
use counsel_session::{Episode, Error, Heard, Known, Label, Labels, Learning, Scene, advised};
use counsel_tabular::{Dynamics, Fallback, Learner, Outline, StageValues, TabularWorld, of_policy};
use rand::RngExt;

use super::world::KnownWorld;
use super::{Continuation, Controlled};

/// A tabular learner in its world, with its advisor.
#[derive(Clone)]
pub(super) struct Tabular<'a> {
    pub(super) spec: &'a Controlled,
    world: Arc<KnownWorld>,
    pub(super) learner: Learner,
    predictor: AnyPredictor,
    advisor: SimulatedAdvisor,
    env: TabularWorld,
    /// The declared continuation: the frozen fallback in the true model.
    continuation: Arc<StageValues>,
    present: Option<Present>,
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
        let (states, actions) = (world.mdp.states(), world.mdp.actions());
        let learner =
            Outline::of(&world.valued).and_then(|outline| spec.learner.build(&outline, seed.stream("learner")));
        let learner = learner.map_err(Error::world)?;
        Ok(Self {
            spec,
            env: TabularWorld::new(world.mdp.clone(), seed),
            continuation: Arc::new(of_policy(&*world.valued, learner.policy())),
            predictor: spec.predictor.build(actions, states)?,
            advisor: spec.advisor.build(actions, seed.stream("advisor"))?,
            learner,
            present: None,
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
    pub(super) fn evidence(
        &self,
        stage: usize,
        state: usize,
        context: &Context,
        base: Action,
    ) -> Result<Evidence, Error> {
        let learner = &self.learner;
        let law = self.predictor.law(context);
        let advice = CandidateOnly::new(law, learner.samples(stage, state), learner.bounds(stage, state), base)?;
        Ok(Evidence::new(context.key, AdviceModel::CandidateOnly(advice), self.spec.kappa)?)
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

    fn advisor(&self) -> String {
        "simulated".into()
    }

    fn begin(&mut self, _: Episode, seed: Seed) -> Result<(), Error> {
        self.learner.begin_episode(seed.stream("learner"));
        self.plan_again();
        self.env = TabularWorld::new(self.world.mdp.clone(), seed.stream("environment"));
        Ok(())
    }

    fn know(&mut self, engine: &Engine, seed: Seed) -> Result<Option<Known>, Error> {
        if self.env.over().is_some() {
            return Ok(None);
        }
        let (stage, state) = self.here();
        let context = self.context(state);
        let truth = Truth { right: self.world.optimal.best_actions(stage, state, 1e-9)[0] };
        let law = self.advisor.law(&context, truth);
        if let AnyPredictor::Oracle(oracle) = &mut self.predictor {
            oracle.reveal(context.key, law.clone());
        }
        let base = self.learner.propose(stage, state, seed.stream("base").rng().random());
        let evidence = self.evidence(stage, state, &context, base)?;
        let hindsight = Hindsight {
            right: Some(truth.right),
            law_error: Some(evidence.advice.law().mean_absolute_error(&law)),
            potential: self.potential(engine)?,
            ..Hindsight::default()
        };
        self.present = Some(Present { context: context.clone(), truth, law });
        Ok(Some(Known { context, evidence, hindsight }))
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
        let calibration = &self.spec.calibration;
        let Labels::Paired { blocks, replicates, window } = calibration.labels else { return Ok(Label::default()) };
        let stage_of = |env: &TabularWorld| self.world.valued_stage(env.stage());
        let to_go = self.world.valued.horizon() - stage_of(env);
        let window = window.unwrap_or(to_go).min(to_go);
        let policy = self.learner.policy();
        let Present { context, truth, .. } = present.as_ref().ok_or(Error::NothingPresent)?;
        let respond = |seed: Seed| {
            let response = self.advisor.clone().respond(context, *truth, seed).response;
            ((), preview.prospects[response.index(env.actions())].action)
        };
        let proxy = PairedRollouts { blocks, replicates, window, discount: 1.0 }.proxy(
            env,
            preview.no_query.action,
            seed.stream("proxy"),
            respond,
            |(), env: &TabularWorld, _, draw| policy.draw(stage_of(env), env.state(), draw),
            |env, _, draw| policy.draw(stage_of(env), env.state(), draw),
        )?;
        let radius = calibration.monte_carlo.term(&proxy.block_means, calibration.calibrate.max(1))?;
        Ok(Label { exact: None, simulated: Some((proxy.value, radius)), calls: blocks as u64, steps: proxy.steps })
    }

    fn ask(&mut self, seed: Seed) -> Result<Heard, Error> {
        let Present { context, truth, .. } = self.present()?.clone();
        Ok(Heard { reply: self.advisor.reply(&context, truth, seed.stream("advisor")), corrupted: None })
    }

    fn hear(&mut self, paid: &Paid) -> Result<(), Error> {
        self.predictor.observe(&paid.context, paid.response);
        Ok(())
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        let (stage, state) = self.here();
        let gap = |action: Action| self.world.optimal.gap(stage, state, action);
        hindsight.base_gap = Some(gap(record.evidence.advice.none().base()));
        hindsight.executed_gap = Some(gap(record.executed));
        hindsight.advice_gap = advised(record).map(gap);
        hindsight.optimal_values = self.world.optimal.action_values(stage, state).to_vec();
        Ok(())
    }

    fn act(&mut self, action: Action, learning: Learning, seed: Seed) -> Result<f64, Error> {
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
        Ok(transition.reward)
    }

    fn reckon(&mut self, engine: &Engine, hindsight: &mut Hindsight) -> Result<(), Error> {
        hindsight.potential_after = self.potential(engine)?;
        Ok(())
    }

    fn predictor(&mut self) -> Option<&mut AnyPredictor> {
        Some(&mut self.predictor)
    }
}
