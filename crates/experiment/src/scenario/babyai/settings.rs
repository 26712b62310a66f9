//! The settings of a BabyAI study, and how a cell of it is played.

use counsel_advisor::AdvisorName;
use counsel_advisor::{AnyPredictor, PredictorSpec};
use counsel_babyai::{Act, FEATURES, World};
use counsel_decision::refusal::fits;
use counsel_decision::{
    BudgetSpec, CacheSpec, Controller, Engine, Environment, ExecutionRule, GateSpec, PriceSpec, Seed,
};
use counsel_deep::{Deep, DeepSpec, Episode, Experience};
use counsel_log::{Before, Totals};
use counsel_prompt::Task;
use serde::{Deserialize, Serialize};

use super::consultant::{Consultant, Consulted};
use super::session::{Labelled, Session};
use super::surroundings::WIDTH;
use super::{LabelTable, Matched, ValuesFrom, WarmStarts, calibrate::calibrate};
use crate::error::refuse;
use crate::scenario::calibrate::{Calibrated, CalibrationSpec, Labels};
use crate::scenario::{Learning, Played};
use crate::{Error, Library};

/// How many actions there are.
pub(super) const ACTIONS: usize = Act::ALL.len();

/// Which contexts count as supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// All of them.
    #[default]
    Everywhere,
    /// Those in which the mission's object is in view.
    TargetInView,
}

/// A BabyAI study's settings.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `task` | none | the five tasks of the studies |
/// | `learner` | as the paper prints it | see [`DeepSpec`] |
/// | `advisor` | none | model/template/decoding, or `content-free` |
/// | `corruption` | 0 | share of usable answers replaced by a wrong move, 0 to 1 |
/// | `predictor`, `gate`, `execution`, `budget`, `kappa` | none | see their types |
/// | `price`, `cache` | λ = 1, off | see their types |
/// | `support` | `everywhere` | `everywhere`, `target-in-view` |
/// | `horizon` | 64 | 1 to 1,000 steps |
/// | `episodes` | 60 | 1 or more |
/// | `exploration_episodes` | `episodes` | episodes over which the ε schedule is laid |
/// | `calibration` | zero radius, no prefix | see [`CalibrationSpec`] |
/// | `values` | `learner` | see [`ValuesFrom`] |
/// | `label_decisions` | false | label every decision of deployment |
/// | `matched` | none | match the calls of this very controller, placed otherwise |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BabyAi {
    /// What is to be done.
    pub task: Task,
    /// What acts without advice.
    #[serde(default)]
    pub learner: DeepSpec,
    /// Who may be asked.
    pub advisor: Consulted,
    /// The share of usable answers that are replaced by a wrong move.
    #[serde(default)]
    pub corruption: f64,
    /// What the agent expects to be told.
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
    /// Which answers are kept; the context is what the advisor is shown.
    #[serde(default)]
    pub cache: CacheSpec,
    /// The cost of a call.
    pub kappa: f64,
    /// Which contexts count as supported.
    #[serde(default)]
    pub support: Support,
    /// Steps of an episode at most.
    #[serde(default = "horizon")]
    pub horizon: u32,
    /// Episodes of deployment.
    #[serde(default = "episodes")]
    pub episodes: usize,
    /// Episodes over which the schedule of ε is laid; all of them where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration_episodes: Option<usize>,
    /// How the radius is calibrated.
    #[serde(default)]
    pub calibration: CalibrationSpec,
    /// Where the values come from by which advice is judged.
    #[serde(default)]
    pub values: ValuesFrom,
    /// Whether every decision of deployment is labelled, for an audit of the radius.
    #[serde(default)]
    pub label_decisions: bool,
    /// Whether the calls of this controller are placed by another rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
}

fn horizon() -> u32 {
    64
}

fn episodes() -> usize {
    60
}

/// The parts of the agent that learn.
#[derive(Debug, Clone)]
pub(super) struct Agent {
    pub(super) deep: Deep,
    pub(super) predictor: AnyPredictor,
}

impl BabyAi {
    /// The advisor whose answers are needed, if a model is asked at all.
    pub(crate) fn model(&self) -> Option<&AdvisorName> {
        match &self.advisor {
            Consulted::Model(name) => Some(name),
            Consulted::ContentFree => None,
        }
    }

    /// Builds every part once.
    pub(in crate::scenario) fn check(&self, seed: Seed) -> Result<(), Error> {
        self.learner.check()?;
        self.predictor.build(ACTIONS, WIDTH)?;
        self.advisor.template()?;
        if let Consulted::Model(name) = &self.advisor {
            self.advisor.template()?.decoding(&name.decoding, self.task)?;
        }
        Engine::diagnostic(&self.settings(self.gate.clone()), self.advisor.template()?.parser(), seed)?;
        self.calibration.check()?;
        refuse(!(0.0..=1.0).contains(&self.corruption), "corruption is a share; choose a number from 0 to 1")?;
        refuse(!(1..=1_000).contains(&self.horizon), "horizon is 1 to 1,000 steps; the paper's is 64")?;
        refuse(self.episodes == 0, "episodes is 0; let there be at least one")?;
        refuse(self.exploration_episodes == Some(0), "exploration_episodes is 0; let there be at least one")?;
        refuse(!(self.kappa >= 0.0 && self.kappa.is_finite()), "kappa is the cost of a call; choose 0 or more")?;
        refuse(self.predictor.is_diagnostic(), "the oracle predictor is for tabular studies; choose another one")?;
        if let ValuesFrom::Labels(LabelTable { states, memory, prior_deviation, bound_scale }) = self.values {
            refuse(!(1..=64).contains(&states), "values.labels.states is 1 to 64")?;
            refuse(!(memory >= 1.0 && memory.is_finite()), "values.labels.memory is 1 or more")?;
            let positive = prior_deviation > 0.0 && prior_deviation.is_finite();
            refuse(!positive, "values.labels.prior_deviation is above 0")?;
            refuse(!(bound_scale >= 0.0 && bound_scale.is_finite()), "values.labels.bound_scale is 0 or more")?;
        }
        let episodes = usize::try_from(self.calibration.prefix_episodes).unwrap_or(usize::MAX);
        for episodes in [self.episodes, episodes, self.learner.exploration.warm_up_episodes] {
            fits("a phase of the run", &[episodes, self.horizon as usize], "run fewer episodes")?;
        }
        Ok(())
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed, library: &Library, warm_starts: &WarmStarts) -> Result<Played, Error> {
        let mut consultant = Consultant::new(self, library)?;
        let mut agent = self.agent(seed)?;
        let key = serde_json::to_string(&(seed, self.task, self.horizon, &self.learner))
            .map_err(|error| Error::Derivation { reason: error.to_string() })?;
        agent.deep = warm_starts.learner(key, || self.warm_up(agent.deep, seed.stream("warm-up")))?;
        let calibrated = if self.needs_calibration() {
            calibrate(self, &mut consultant, &mut agent, seed.stream("calibration"))?
        } else {
            Calibrated::derive(&CalibrationSpec::default(), Vec::new(), 0)?
        };
        let gate = match self.matched {
            None => self.gate.clone(),
            Some(matched) => {
                let mut copy = agent.clone();
                let settings = self.settings(self.gate.clone());
                let played = self.deploy(&mut consultant, &mut copy, &settings, &calibrated, seed)?;
                matched.gate(&played, self.episodes, u64::from(self.horizon))
            }
        };
        let settings = self.settings(gate);
        let decisions = self.deploy(&mut consultant, &mut agent, &settings, &calibrated, seed)?;
        let totals = Totals::of(&decisions, Before { calls: calibrated.calls, ..Before::default() });
        let (words, form) = (consultant.parser().words().to_vec(), consultant.parser().form());
        let engine_seed = seed.stream("engine");
        Ok(Played {
            controller: settings,
            advisor: self.advisor.to_string(),
            words,
            form,
            engine_seed,
            calibration: calibrated.calibration,
            totals,
            decisions,
        })
    }

    fn deploy(
        &self,
        consultant: &mut Consultant<'_>,
        agent: &mut Agent,
        settings: &Controller,
        calibrated: &Calibrated,
        seed: Seed,
    ) -> Result<Vec<counsel_log::Decision>, Error> {
        let mut engine = Engine::diagnostic(settings, consultant.parser().clone(), seed.stream("engine"))?;
        let mut session = Session::new(self, consultant, agent, &mut engine)?;
        session.radius = Some(&calibrated.radius);
        session.learning = Learning::Continues;
        let labels = settings.gate.is_diagnostic() || self.label_decisions;
        session.labelled = if labels { Labelled::Every } else { Labelled::None };
        session.play((0..self.episodes).map(|index| self.episode(index)), seed.stream("deployment"))?;
        Ok(session.decisions)
    }

    /// The episode of this number, as the schedule of ε counts it.
    pub(super) fn episode(&self, index: usize) -> Episode {
        let of = self.exploration_episodes.unwrap_or(self.episodes);
        Episode::Run { index: index.min(of - 1), of }
    }

    /// Whether the gate in force looks at the estimate, the radius or the predictor.
    fn needs_calibration(&self) -> bool {
        matches!(self.gate, GateSpec::Predictive(_) | GateSpec::Oracle)
    }

    fn agent(&self, seed: Seed) -> Result<Agent, Error> {
        Ok(Agent {
            deep: Deep::new(self.learner.clone(), FEATURES, ACTIONS, seed.stream("learner"))?,
            predictor: self.predictor.build(ACTIONS, WIDTH)?,
        })
    }

    /// Uniformly random episodes: the same for every arm with this task and learner.
    fn warm_up(&self, mut deep: Deep, seed: Seed) -> Result<Deep, Error> {
        let mut world = self.world()?;
        let (mut state, mut next) = (Vec::new(), Vec::new());
        for episode in 0..self.learner.exploration.warm_up_episodes as u64 {
            let seed = seed.index(episode);
            deep.begin_episode(Episode::WarmUp)?;
            Environment::reset(&mut world, seed.stream("environment"));
            world.active_features(&mut state);
            for step in 0.. {
                let luck = seed.stream("exploration").index(step);
                let action = counsel_deep::epsilon_greedy(&[0.0; ACTIONS], 1.0, luck);
                let outcome = Environment::step(&mut world, action);
                world.active_features(&mut next);
                let experience =
                    Experience { state: &state, action, reward: outcome.reward, next: &next, end: outcome.end };
                deep.observe(experience)?;
                deep.learn()?;
                std::mem::swap(&mut state, &mut next);
                if outcome.end.is_some() {
                    break;
                }
            }
        }
        Ok(deep)
    }

    pub(super) fn world(&self) -> Result<World, Error> {
        Ok(World::with_max_steps(self.task.level(), self.horizon)?)
    }

    /// How an opportunity is labelled when nothing else is said: as in calibration.
    pub(super) fn labels(&self) -> Labels {
        self.calibration.labels
    }

    pub(super) fn settings(&self, gate: GateSpec) -> Controller {
        Controller {
            gate,
            execution: self.execution,
            budget: self.budget.clone(),
            price: self.price,
            cache: self.cache.clone(),
        }
    }
}
