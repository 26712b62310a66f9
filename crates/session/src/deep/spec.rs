//! The settings that every study with a deep learner has, whatever its world.

use counsel_advisor::{Phrasing, PredictorSpec};
use counsel_decision::refusal::fits;
use counsel_decision::{CacheSpec, Controller, Engine, Environment, GateSpec, Invalidation, Seed};
use counsel_deep::DeepSpec;
use counsel_experience::{ShiftSpec, TrackRecordSpec, Vetting};
use serde::{Deserialize, Serialize};

use super::agent::DeepAgent;
use super::consultant::{NO_COMPASS, NO_RULE};
use super::inputs::PredictorInputs;
use super::world::DeepWorld;
use super::{Consulted, Credit, Fallback, ValuesFrom, WarmStarts};
use crate::calibrate::{Calibrates, CalibrationSpec, Opportunities, Updates};
use crate::matched::Matched;
use crate::phases::{Phases, Played, play};
use crate::scene::{Episode, Learning};
use crate::session::Labelled;
use crate::{Error, Library, refuse};

/// Which contexts count as supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// All of them.
    #[default]
    Everywhere,
    /// Those in which what the task is about is in view.
    TargetInView,
}

/// The settings that every study with a deep learner has.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `learner` | as the paper prints it | see [`DeepSpec`] |
/// | `advisor` | none | model/template/decoding, `content-free`, `mute`, or `rule` or `compass` where the world has one |
/// | `corruption` | 0 | share of usable answers replaced by a wrong move, 0 to 1 |
/// | `predictor` | none | see [`PredictorSpec`] |
/// | `predictor_inputs` | `surroundings` | `surroundings`, `paper` |
/// | `gate`, `execution`, `budget`, `price`, `cache` | | see [`Controller`] |
/// | `kappa` | none | 0 or more |
/// | `support` | `everywhere` | `everywhere`, `target-in-view` |
/// | `episodes` | 60 | 1 or more |
/// | `exploration_episodes` | `episodes` | episodes over which the ε schedule is laid |
/// | `calibration` | infinite radius, no prefix | see [`CalibrationSpec`] |
/// | `values` | `learner` | see [`ValuesFrom`] |
/// | `fallback` | `learner` | see [`Fallback`] |
/// | `track_record` | none | see [`TrackRecordSpec`] |
/// | `vetting` | none | see [`Vetting`]; needs values of labels or experience |
/// | `shift_detector` | none | see [`ShiftSpec`]; needs answers that are kept until `shift` |
/// | `credit` | `experience` | by what a bankroll is credited, see [`Credit`] |
/// | `patience` | 4 | visits to a context in one episode after which what acts there gives way, 1 or more |
/// | `learning` | `continues` | what learns in deployment, see [`Learning`] |
/// | `label_decisions` | false | label every decision of deployment |
/// | `matched` | none | match the calls of this very controller, placed otherwise |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeepStudy {
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
    /// What that expectation is based on; the surroundings where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predictor_inputs: Option<PredictorInputs>,
    /// When it asks, and what it does with an answer. The context of a kept answer is what the advisor is shown.
    #[serde(flatten)]
    pub controller: Controller,
    /// The cost of a call.
    pub kappa: f64,
    /// Which contexts count as supported.
    #[serde(default)]
    pub support: Support,
    /// Episodes of deployment.
    #[serde(default = "episodes")]
    pub episodes: u64,
    /// Episodes over which the schedule of ε is laid; all of them where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration_episodes: Option<u64>,
    /// How the radius is calibrated.
    #[serde(default)]
    pub calibration: CalibrationSpec,
    /// Where the values come from by which advice is judged.
    #[serde(default)]
    pub values: ValuesFrom,
    /// What acts where no advice does.
    #[serde(default)]
    pub fallback: Fallback,
    /// How the advisor's word is trusted where little is known; not at all where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track_record: Option<TrackRecordSpec>,
    /// How an advisor is judged by what the agent knows itself; not at all where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vetting: Option<Vetting>,
    /// How answers are found out that stopped delivering; not at all where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift_detector: Option<ShiftSpec>,
    /// By what a bankroll is credited.
    #[serde(default)]
    pub credit: Credit,
    /// How often an episode may be in a context before what acts there is taken to lead nowhere: a kept answer gives way to the
    /// values, and they to the learner.
    #[serde(default = "patience")]
    pub patience: u64,
    /// What learns in deployment.
    #[serde(default)]
    pub learning: Learning,
    /// Whether every decision of deployment is labelled, for an audit of the radius.
    #[serde(default)]
    pub label_decisions: bool,
    /// Whether the calls of this controller are placed by another rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
}

fn episodes() -> u64 {
    60
}

fn patience() -> u64 {
    4
}

impl DeepStudy {
    /// Builds every part once, for a world with episodes of so many steps.
    pub fn check<W: DeepWorld>(
        &self,
        world: &W::World,
        teller: &W::Teller,
        horizon: u64,
        seed: Seed,
    ) -> Result<(), Error> {
        self.learner.check()?;
        self.predictor
            .build(world.actions(), self.predictor_inputs().width::<W>(world.actions(), self.learner.feature))?;
        teller.decoding(self.advisor.decoding())?;
        if self.advisor == Consulted::Rule || self.fallback == Fallback::Rule {
            W::rule(&W::situation(world)?).ok_or(NO_RULE)?;
        }
        if self.advisor == Consulted::Compass {
            W::compass(world).ok_or(NO_COMPASS)?;
        }
        Engine::diagnostic(&self.controller, teller.parser(), seed)?;
        self.calibration.check()?;
        self.calibration.check_deployment(self.learning, &self.controller)?;
        refuse(!(0.0..=1.0).contains(&self.corruption), "corruption is a share; choose a number from 0 to 1")?;
        refuse(self.episodes == 0, "episodes is 0; let there be at least one")?;
        refuse(self.patience == 0, "patience is 0; let there be at least one visit")?;
        refuse(self.exploration_episodes == Some(0), "exploration_episodes is 0; let there be at least one")?;
        refuse(!(self.kappa >= 0.0 && self.kappa.is_finite()), "kappa is the cost of a call; choose 0 or more")?;
        refuse(self.predictor.is_diagnostic(), "the oracle predictor is for tabular studies; choose another one")?;
        self.values.check()?;
        let remembers = matches!(self.values, ValuesFrom::Labels(_) | ValuesFrom::Experience(_));
        refuse(
            remembers && self.learning == Learning::Frozen,
            "a frozen agent remembers nothing of its deployment; choose values = { regression = {} }, or the learner's",
        )?;
        let acts = self.controller.gate != GateSpec::Never || self.fallback == Fallback::Values;
        let fitted = self.calibration.prefix_episodes > 0 && self.calibration.is_for(&self.controller);
        refuse(
            matches!(self.values, ValuesFrom::Regression(_)) && acts && !fitted,
            "a regression of values is fitted in the prefix; set calibration.prefix_episodes, and calibration.arms = \"every\" \
             where the gate reads nothing that is calibrated",
        )?;
        if let Some(record) = self.track_record {
            record.check()?;
        }
        if let Some(vetting) = self.vetting {
            vetting.check()?;
            let blind = !matches!(self.values, ValuesFrom::Labels(_) | ValuesFrom::Experience(_));
            refuse(blind, "vetting judges by labels or experience; set `values` to one of them, or remove `vetting`")?;
        }
        if let Some(detector) = self.shift_detector {
            detector.check()?;
            let drops =
                matches!(&self.controller.cache, CacheSpec::Keep(reasons) if reasons.contains(&Invalidation::Shift));
            refuse(
                !drops,
                "a shift detector flags kept answers; set cache = { keep = [\"shift\"] }, or remove `shift_detector`",
            )?;
            refuse(
                self.learning != Learning::Continues,
                "a shift detector learns what answers deliver; set learning = \"continues\", or remove `shift_detector`",
            )?;
        }
        let warm_up = self.learner.exploration.warm_up_episodes as u64;
        for episodes in [self.episodes, self.calibration.prefix_episodes, warm_up] {
            let sizes = [episodes, horizon].map(|size| usize::try_from(size).unwrap_or(usize::MAX));
            fits("a phase of the run", &sizes, "run fewer episodes")?;
        }
        Ok(())
    }

    /// Plays one cell. `warm_start` says in words what the warm-up depends on, besides the seed and the learner.
    pub fn play<W: DeepWorld>(
        &self,
        world: W::World,
        teller: W::Teller,
        horizon: u64,
        warm_start: &impl Serialize,
        shared: (&Library, &WarmStarts),
        seed: Seed,
    ) -> Result<Played, Error> {
        let key = serde_json::to_string(&(seed, warm_start, &self.learner))
            .map_err(|error| Error::Derivation { reason: error.to_string() })?;
        let agent = DeepAgent::<W>::new(self, world, teller, key, horizon, shared, seed)?;
        let phases = Phases {
            controller: &self.controller,
            calibration: &self.calibration,
            opportunities: Opportunities::OnePerEpisode,
            warm_up_episodes: self.learner.exploration.warm_up_episodes as u64,
            episodes: self.episodes,
            horizon,
            learning: self.learning,
            labelled: if self.label_decisions { Labelled::Every } else { Labelled::None },
            matched: self.matched,
        };
        play(&phases, agent, seed)
    }

    /// What is left of the advisor where nobody asks it: the words that make the contexts, for which this template stands where
    /// no model is named, and the actions that it can name where the fallback moves among them. Nothing where it is asked.
    pub fn unasked(&self, template: &str) -> Option<String> {
        let asks = self.controller.gate != GateSpec::Never
            || self.calibration.arms == Calibrates::Every
            || self.calibration.updates == Updates::Online
            || self.label_decisions;
        let decoding = if self.fallback == Fallback::RandomMoves { self.advisor.decoding() } else { "" };
        (!asks).then(|| format!("{}/{decoding}", self.advisor.template(template)))
    }

    /// What the response predictor looks at.
    pub(super) fn predictor_inputs(&self) -> PredictorInputs {
        self.predictor_inputs.unwrap_or_default()
    }

    /// The episode, as the schedule of ε counts it. Those before deployment are spread over the run.
    pub(super) fn exploration(&self, episode: Episode) -> counsel_deep::Episode {
        let index = match episode {
            Episode::WarmUp => return counsel_deep::Episode::WarmUp,
            Episode::Rehearsal { number, of } => number * self.episodes / of.max(1),
            Episode::Deployment { number } => number,
        };
        let of = self.exploration_episodes.unwrap_or(self.episodes);
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        counsel_deep::Episode::Run { index: place(index.min(of - 1)), of: place(of) }
    }
}
