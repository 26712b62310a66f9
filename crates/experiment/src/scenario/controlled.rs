//! Algorithm 1 on a clonable tabular world with a simulated advisor.
//!
//! A run has four phases, each with random numbers of its own: warm-up (the fallback alone), prefix (advice bought at
//! random on a copy of the learner, to fit the predictor), calibration (the same again, to calibrate the radius), and
//! deployment, which starts from the learner as it was after the warm-up. Arms of a study that differ only in gate, price,
//! budget or radius share everything up to deployment. Only deployment is logged; calls before it are counted apart.
//!
//! DIFFERENCE: the declared continuation runs to the horizon; see "Labels" in docs/DIFFERENCES.md.

use counsel_advisor::{AdvisorSpec, AnyPredictor, PredictorSpec, SimulatedAdvisor};
use counsel_decision::refusal::fits;
use counsel_decision::{
    BudgetSpec, CacheSpec, Controller, Engine, ExecutionRule, GateSpec, Parser, PriceSpec, Seed, gate::random::Random,
};
use counsel_log::{Before, Totals};
use counsel_tabular::{Dynamics, Learner, LearnerSpec, Outline};
use serde::{Deserialize, Serialize};

use super::calibrate::{Calibrated, CalibrationSpec};
use super::episode::{LabelWhen, Session};
use super::world::{Continuation, KnownWorld};
use super::{Played, WorldSpec};
use crate::Error;
use crate::error::refuse;

/// Whether learner and predictor go on learning after the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Learning {
    /// They learn from every transition and every paid answer.
    #[default]
    Continues,
    /// They stay as they are, so that calibration and evaluation opportunities are exchangeable.
    Frozen,
}

/// A controlled study's settings.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world`, `learner`, `advisor`, `predictor`, `gate`, `execution`, `budget` | none | see their types |
/// | `price`, `cache` | λ = 1, off | see their types |
/// | `kappa` | none | 0 or more |
/// | `warm_up_episodes` | 0 | 0 or more |
/// | `episodes` | none | 1 or more |
/// | `continuation` | `to-horizon` | `to-horizon`, `one-step` |
/// | `learning` | `continues` | `continues`, `frozen` |
/// | `calibration` | zero radius, no prefix | see [`CalibrationSpec`] |
/// | `measure_potential` | false | only for contexts that come round again |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Controlled {
    /// Where the agent acts.
    pub world: WorldSpec,
    /// What it does without advice.
    pub learner: LearnerSpec,
    /// Whom it may ask.
    pub advisor: AdvisorSpec,
    /// What it expects to be told.
    pub predictor: PredictorSpec,
    /// When it asks.
    pub gate: GateSpec,
    /// When an answer acts.
    pub execution: ExecutionRule,
    /// What it may spend.
    pub budget: BudgetSpec,
    /// The multiplier of the price.
    #[serde(default)]
    pub price: PriceSpec,
    /// Which answers are kept.
    #[serde(default)]
    pub cache: CacheSpec,
    /// The cost of a call.
    pub kappa: f64,
    /// Episodes of the fallback alone, before everything else.
    #[serde(default)]
    pub warm_up_episodes: u64,
    /// Episodes of deployment.
    pub episodes: u64,
    /// How far the declared continuation looks.
    #[serde(default)]
    pub continuation: Continuation,
    /// Whether learning goes on after the prefix.
    #[serde(default)]
    pub learning: Learning,
    /// How the radius is calibrated.
    #[serde(default)]
    pub calibration: CalibrationSpec,
    /// Whether the remaining realizable advice value is measured at every decision.
    #[serde(default)]
    pub measure_potential: bool,
}

/// The parts of the agent that learn, and the advisor that remembers.
#[derive(Debug, Clone)]
pub(super) struct Agent {
    pub(super) learner: Learner,
    pub(super) predictor: AnyPredictor,
    pub(super) advisor: SimulatedAdvisor,
}

impl Controlled {
    /// Builds every part once.
    pub(super) fn check(&self, seed: Seed) -> Result<(), Error> {
        let world = self.world.build(self.continuation, seed)?;
        let mut agent = self.agent(&world, seed)?;
        let settings = self.settings(self.gate.clone(), self.budget.clone());
        let mut engine = Engine::diagnostic(&settings, Parser::numbered(world.mdp.actions()), seed)?;
        Session::new(self, &world, &mut agent, &mut engine).check()?;
        self.calibration.check()?;
        let sizes = [self.episodes, self.warm_up_episodes, self.calibration.prefix_episodes];
        for episodes in sizes.map(|episodes| usize::try_from(episodes).unwrap_or(usize::MAX)) {
            fits("a phase of the run", &[episodes, world.mdp.horizon()], "run fewer episodes")?;
        }
        let repeats = matches!(self.world, WorldSpec::Repeated(_));
        refuse(self.episodes == 0, "episodes is 0; let there be at least one")?;
        refuse(self.measure_potential && !repeats, "measure_potential needs the world `repeated`; set it to false")
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed) -> Result<Played, Error> {
        let world = self.world.build(self.continuation, seed.stream("world"))?;
        let mut agent = self.agent(&world, seed)?;
        self.warm_up(&world, &mut agent, seed.stream("warm-up"))?;
        let prefix_calls = self.fit_predictor(&world, &mut agent, seed.stream("prefix"))?;
        let Calibrated { radius, calibration, calls } = self.calibrate(&world, &agent, seed.stream("calibration"))?;
        let engine_seed = seed.stream("engine");
        let settings = self.settings(self.gate.clone(), self.budget.clone());
        let parser = Parser::numbered(world.mdp.actions());
        let (words, form) = (parser.words().to_vec(), parser.form());
        let mut engine = Engine::diagnostic(&settings, parser, engine_seed)?;
        let mut session = Session::new(self, &world, &mut agent, &mut engine);
        session.radius = Some(&radius);
        session.labels_wanted = LabelWhen::Always;
        session.play(self.episodes, seed.stream("deployment"))?;
        let decisions = session.decisions;
        let totals = Totals::of(&decisions, Before { calls: prefix_calls + calls, ..Before::default() });
        Ok(Played {
            controller: settings,
            advisor: "simulated".into(),
            words,
            form,
            engine_seed,
            calibration,
            totals,
            decisions,
        })
    }

    fn agent(&self, world: &KnownWorld, seed: Seed) -> Result<Agent, Error> {
        let (states, actions) = (world.mdp.states(), world.mdp.actions());
        Ok(Agent {
            learner: self.learner.build(&Outline::of(&world.valued)?, seed.stream("learner"))?,
            predictor: self.predictor.build(actions, states)?,
            advisor: self.advisor.build(actions, seed.stream("advisor"))?,
        })
    }

    /// The fallback alone: the same for every arm.
    fn warm_up(&self, world: &KnownWorld, agent: &mut Agent, seed: Seed) -> Result<(), Error> {
        let settings = self.settings(GateSpec::Never, BudgetSpec::per_run(0));
        let mut engine = Engine::new(&settings, Parser::numbered(world.mdp.actions()), seed)?;
        let mut session = Session::new(self, world, agent, &mut engine);
        session.learning = Learning::Continues;
        session.play(self.warm_up_episodes, seed)
    }

    /// Advice bought at half of the decisions, at random, on a copy of the learner. The predictor learns from the first
    /// half of the episodes; its temperature is set on the second.
    fn fit_predictor(&self, world: &KnownWorld, agent: &mut Agent, seed: Seed) -> Result<u64, Error> {
        let episodes = self.calibration.prefix_episodes;
        let mut engine = self.random_acquisition(world, episodes, seed)?;
        let mut copy = agent.clone();
        let mut session = Session::new(self, world, &mut copy, &mut engine);
        session.learning = Learning::Continues;
        session.play(episodes.div_ceil(2), seed.stream("fit"))?;
        let fitted = session.agent.predictor.clone();
        session.paid.clear();
        session.play(episodes / 2, seed.stream("temperature"))?;
        let held_out = std::mem::take(&mut session.paid);
        agent.predictor = fitted;
        if let AnyPredictor::Feature(feature) = &mut agent.predictor {
            feature.calibrate_temperature(&held_out);
        }
        Ok(engine.calls_made())
    }

    /// A controller that buys advice at half of so many episodes' decisions, whatever it is worth.
    pub(super) fn random_acquisition(&self, world: &KnownWorld, episodes: u64, seed: Seed) -> Result<Engine, Error> {
        let decisions = episodes * world.mdp.horizon() as u64;
        let gate = GateSpec::Random(Random { calls: decisions / 2, decisions });
        let settings = self.settings(gate, BudgetSpec::per_run(decisions));
        Ok(Engine::new(&settings, Parser::numbered(world.mdp.actions()), seed.stream("engine"))?)
    }

    fn settings(&self, gate: GateSpec, budget: BudgetSpec) -> Controller {
        Controller { gate, execution: self.execution, budget, price: self.price, cache: self.cache.clone() }
    }
}
