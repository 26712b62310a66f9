//! The settings that every study with a deep learner has, whatever its world.

use counsel_advisor::{Phrasing, PredictorSpec};
use counsel_controller::{Books, Order};
use counsel_decision::{Gate, Seed};
use counsel_deep::DeepSpec;
use counsel_world::Environment;
use serde::{Deserialize, Serialize};

use super::agent::DeepAgent;
use super::consultant::{NO_COMPASS, NO_RULE};
use super::inputs::PredictorInputs;
use super::panel::OtherAdvisor;
use super::world::DeepWorld;
use super::{Agent, Consulted, Fallback, Shared};
use crate::bookkeeping::Bookkeeping;
use crate::calibrate::{Calibrates, Opportunities, Updates};
use crate::deployment::Deployment;
use crate::matched::Matched;
use crate::phases::{Phases, Played, run_phases};
use crate::scene::Episode;
use crate::session::Labelled;
use crate::{Error, refuse};

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
/// | `fallback` | `learner` | see [`Fallback`] |
/// | `advisor` | none | model/template/decoding, `content-free`, `mute`, or `rule` or `compass` where the world has one |
/// | `corruption` | 0 | share of usable answers replaced by a wrong move, 0 to 1 |
/// | `others` | none | advisors beside the first, see [`OtherAdvisor`]; contexts are those of the first |
/// | `among` | all | the places of those that may be asked: 1 is `advisor`, 2 the first of `others` |
/// | `order` | `by-worth` | `by-worth`, `as-listed` |
/// | `predictor` | none | see [`PredictorSpec`]; `replay` knows the recorded answer at every decision, as a diagnostic |
/// | `predictor_inputs` | `surroundings` | `surroundings`, `paper` |
/// | `support` | `everywhere` | `everywhere`, `target-in-view` |
/// | `exploration_episodes` | `episodes` | episodes over which the ε schedule is laid |
/// | `label_decisions` | false | label every decision of deployment |
/// | `matched` | none | match the calls of this very controller, placed otherwise |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeepStudy {
    /// The deep learner.
    #[serde(default)]
    pub learner: DeepSpec,
    /// By whose values advice is judged, and what is kept of them.
    #[serde(flatten)]
    pub books: Bookkeeping,
    /// Who acts where neither advice nor the agent's values do.
    #[serde(default)]
    pub fallback: Fallback,
    /// Who may be asked.
    pub advisor: Consulted,
    /// The share of usable answers that are replaced by a wrong move.
    #[serde(default)]
    pub corruption: f64,
    /// Who may be asked besides, each at its own price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<Vec<OtherAdvisor>>,
    /// The places of those that may be asked; all where none are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub among: Option<Vec<usize>>,
    /// In which order several advisors are asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// What the agent expects to be told.
    pub predictor: PredictorSpec,
    /// What that expectation is based on.
    #[serde(default)]
    pub predictor_inputs: PredictorInputs,
    /// The controller and its phases. The context of a kept answer is what the advisor is shown.
    #[serde(flatten)]
    pub deployment: Deployment,
    /// Which contexts count as supported.
    #[serde(default)]
    pub support: Support,
    /// Episodes over which the schedule of ε is laid; all of them where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration_episodes: Option<u64>,
    /// Whether every decision of deployment is labelled, for an audit of the radius.
    #[serde(default)]
    pub label_decisions: bool,
    /// Whether the calls of this controller are placed by another rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
}

impl DeepStudy {
    /// Builds every part once, for a world with episodes of this many steps. The first teller makes the contexts; there is one more
    /// for each advisor that may be asked, where others than the first are named.
    pub fn check<W: DeepWorld>(
        &self,
        world: &W::World,
        (teller, asked): (&W::Teller, &[W::Teller]),
        horizon: u64,
        seed: Seed,
    ) -> Result<(), Error> {
        self.learner.check()?;
        self.check_panel()?;
        let books = self.books::<W>(world.actions())?;
        teller.decoding(self.advisor.decoding())?;
        let panel = self.panel();
        for (one, teller) in panel.iter().zip(asked) {
            teller.decoding(one.advisor.decoding())?;
        }
        let names = |consulted: Consulted| panel.iter().any(|one| one.advisor == consulted);
        if names(Consulted::Rule) || self.fallback == Fallback::Rule {
            W::rule(&W::situation(world)?).ok_or(NO_RULE)?;
        }
        if names(Consulted::Compass) {
            W::compass(world).ok_or(NO_COMPASS)?;
        }
        let Deployment { settings, calibration, .. } = &self.deployment;
        self.deployment.check(teller.parser(), books, self.warm_up_episodes(), horizon, seed)?;
        refuse(!(0.0..=1.0).contains(&self.corruption), "corruption is a share; choose a number from 0 to 1")?;
        refuse(self.exploration_episodes == Some(0), "exploration_episodes is 0; choose 1 or more")?;
        refuse(
            self.predictor.is_diagnostic() && self.others.is_some(),
            "the replay oracle knows the answers of one advisor; leave `others` out, or choose another predictor",
        )?;
        self.books.check(&self.deployment)?;
        if let Agent::Regressed(regression) = self.books.agent {
            regression.check()?;
            let needed = settings.gate != Gate::Never || regression.acts;
            let fitted = calibration.prefix_episodes > 0 && calibration.is_for(settings);
            refuse(
                needed && !fitted,
                "a regression of values is fitted in the prefix; set calibration.prefix_episodes, and calibration.arms = \"every\" \
                 where the gate reads nothing that is calibrated",
            )?;
        }
        Ok(())
    }

    /// Runs one cell. `warm_start` says in words what the warm-up depends on, besides the seed and the learner.
    pub fn cell<W: DeepWorld>(
        &self,
        world: W::World,
        tellers: (W::Teller, Vec<W::Teller>),
        horizon: u64,
        warm_start: &impl Serialize,
        shared: Shared<'_>,
        seed: Seed,
    ) -> Result<Played, Error> {
        let key = serde_json::to_string(&(seed, warm_start, &self.learner))
            .map_err(|error| Error::Derivation { reason: error.to_string() })?;
        let agent = DeepAgent::<W>::new(self, world, tellers, key, horizon, shared, seed)?;
        let phases = Phases {
            labelled: if self.label_decisions { Labelled::Every } else { Labelled::None },
            matched: self.matched,
            fork: shared.fork,
            ..self.deployment.phases(Opportunities::OnePerEpisode, self.warm_up_episodes(), horizon)
        };
        run_phases(&phases, agent, seed)
    }

    /// What is left of the advisor where nobody asks it: the words that make the contexts, for which this template stands where
    /// no model is named, and the actions that it can name where the fallback moves among them. Nothing where it is asked.
    pub fn unasked(&self, template: &str) -> Option<String> {
        let Deployment { settings, calibration, .. } = &self.deployment;
        let asks = settings.gate != Gate::Never
            || calibration.arms == Calibrates::Every
            || calibration.updates == Updates::Online
            || self.label_decisions;
        let decoding = if self.fallback == Fallback::RandomMoves { self.advisor.decoding() } else { "" };
        (!asks).then(|| format!("{}/{decoding}", self.advisor.template(template)))
    }

    /// The books of the controller, in a world with this many actions.
    pub(super) fn books<W: DeepWorld>(&self, actions: usize) -> Result<Books, Error> {
        let books = Books::new(self.books.spec(), actions)?.of_advisors(self.panel().len());
        let features = self.predictor_inputs.width::<W>(actions, self.learner.feature);
        Ok(books.predicting(self.predictor, features)?)
    }

    fn warm_up_episodes(&self) -> u64 {
        self.learner.exploration.warm_up_episodes as u64
    }

    /// The episode, as the schedule of ε counts it. Those before deployment are spread over the run.
    pub(super) fn exploration(&self, episode: Episode) -> counsel_deep::Episode {
        let index = match episode {
            Episode::WarmUp => return counsel_deep::Episode::WarmUp,
            Episode::Rehearsal { number, of } => number * self.deployment.episodes / of.max(1),
            Episode::Deployment { number } => number,
        };
        let of = self.exploration_episodes.unwrap_or(self.deployment.episodes);
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        counsel_deep::Episode::Run { index: place(index.min(of - 1)), of: place(of) }
    }
}
