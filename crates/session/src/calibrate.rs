//! Between warm-up and deployment: the predictor is fitted, opportunities are labelled, and the radius that they support is
//! derived.
//!
//! Everything here happens on copies of the scene, so deployment starts from the agent as it was after its warm-up, with
//! the fitted predictor. Calls and simulated steps are counted apart from those of deployment.

use std::collections::BTreeSet;

use counsel_advisor::AnyPredictor;
use counsel_calibration::{
    Alpha, BoundFactor, CalibratedRadius, Cuts, Isotonic, MonteCarloSpec, Opportunity, RadiusSpec, Splits,
};
use counsel_controller::Learning;
use counsel_decision::gate::random::Random;
use counsel_decision::gate::uncertainty;
use counsel_decision::refusal::{decisions_fit, fits, in_range};
use counsel_decision::{Budget, CacheSpec, Execution, Gate, Input, Seed, Settings, estimate};
use counsel_log::{Calibration, Decision, opportunity};
use rand::RngExt;
use rand::seq::index;
use serde::{Deserialize, Serialize};

use crate::bounding::{BoundCalibration, Bounded, Piloted, ScaledBounds, bound};
use crate::phases::{Phases, Stage};
use crate::scene::{Episode, Scene};
use crate::screening::{Screened, screen};
use crate::session::Labelled;
use crate::whole_episodes::rehearse;
use crate::{Error, pilot, refuse};

/// How the value of a query is found afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Labels {
    /// By dynamic programming in the true model.
    #[default]
    Exact,
    /// By paired continuations on copies of the world, with common random numbers.
    Paired {
        /// J: independent responses.
        blocks: usize,
        /// R: pairs of continuations for each response.
        replicates: usize,
        /// ℓ: steps of a continuation at most; to the end of the episode where none is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<usize>,
    },
}

/// Which arms are calibrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Calibrates {
    /// Those whose gate reads what calibration prepares.
    #[default]
    Readers,
    /// All of them, so that a table can show the estimate and the radius of arms that do not read them.
    Every,
}

/// How sure the predictor is of itself after the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Temperature {
    /// As sure as it was right in the second half of the prefix.
    #[default]
    Fitted,
    /// As sure as its first half made it, for comparison. The second half is played and paid for all the same.
    One,
}

impl Temperature {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_fitted(&self) -> bool {
        *self == Self::Fitted
    }
}

/// Whether the calibration statistics change during deployment: the last line of Algorithm 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Updates {
    /// The radius stays as it was calibrated.
    #[default]
    None,
    /// Every decision of deployment is labelled and adds its score.
    Online,
}

/// How the radius is calibrated. Without a declared radius it is infinite, and a gate that reads it is silent.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `prefix_episodes` | 0 | 0 or more |
/// | `temperature` | `fitted` | `fitted`, `one`: the predictor's, after the prefix |
/// | `fit`, `calibrate` | 0 | opportunities in each part |
/// | `labels` | `exact` | `exact`, `paired` |
/// | `monte_carlo` | none | see [`MonteCarloSpec`] |
/// | `radius` | infinite | see [`RadiusSpec`] |
/// | `arms` | `readers` | `readers`, `every` |
/// | `discount` | 1 | what a reward is worth one step later in the label of a query, 0 to 1; deep learners only |
/// | `updates` | `none` | `none`, `online` |
/// | `execution` | the rule that the gate reckons with | see [`Execution`] |
/// | `near` | 0.05 | how far from its threshold a gate is close to asking, 0 or more |
/// | `pilots` | 0 | deployments on a copy after which the radius is calibrated again |
/// | `value_bounds` | as the learner makes them | see [`BoundCalibration`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CalibrationSpec {
    /// Episodes in which the predictor is fitted.
    pub prefix_episodes: u64,
    /// What becomes of the predictor's temperature after them.
    #[serde(skip_serializing_if = "Temperature::is_fitted")]
    pub temperature: Temperature,
    /// Opportunities on which the scale model is fitted.
    pub fit: usize,
    /// Opportunities that give the scores.
    pub calibrate: usize,
    /// How an opportunity is labelled.
    pub labels: Labels,
    /// What a reward is worth one step later in the label of a query; 1 where none is given, as in the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discount: Option<f64>,
    /// What is added for the noise of a label.
    pub monte_carlo: MonteCarloSpec,
    /// The radius.
    pub radius: RadiusSpec,
    /// Which arms are calibrated.
    pub arms: Calibrates,
    /// Whether deployment goes on calibrating.
    pub updates: Updates,
    /// What becomes of answers before deployment. Arms that deploy different rules and share this one have the same prefix,
    /// predictor and radius, so that only what deployment does with an answer differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// τ: how far from its threshold a gate is close to asking.
    pub near: f64,
    /// Deployments of the gate on a copy, each of which calibrates the radius again on the opportunities that the gate met.
    pub pilots: u64,
    /// What is done about the bounds that the certificate reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_bounds: Option<BoundCalibration>,
}

impl Default for CalibrationSpec {
    fn default() -> Self {
        Self {
            prefix_episodes: 0,
            temperature: Temperature::Fitted,
            fit: 0,
            calibrate: 0,
            labels: Labels::Exact,
            discount: None,
            monte_carlo: MonteCarloSpec::None,
            radius: RadiusSpec::Infinite,
            arms: Calibrates::Readers,
            updates: Updates::None,
            execution: None,
            near: 0.05,
            pilots: 0,
            value_bounds: None,
        }
    }
}

impl CalibrationSpec {
    /// A radius that needs no data.
    pub fn declared(radius: RadiusSpec) -> Self {
        Self { radius, ..Self::default() }
    }

    /// Refuses a calibration that cannot be done.
    pub fn check(&self) -> Result<(), Error> {
        if let Labels::Paired { blocks, replicates, window } = self.labels {
            refuse(window == Some(0), "a window of 0 steps sees nothing; let it be 1 or more")?;
            fits("a paired label", &[blocks, replicates], "use fewer blocks or replicates")?;
            refuse(blocks == 0 || replicates == 0, "paired labels need at least one block and one replicate")?;
            self.monte_carlo.term(&vec![0.0; blocks], self.calibrate.max(1))?;
        }
        decisions_fit(&[self.fit.saturating_add(self.calibrate)], "label fewer opportunities")?;
        let discount = self.discount();
        let remedy = "choose the learner's own, or leave it out";
        in_range((0.0..=1.0).contains(&discount), "calibration.discount", discount, "[0, 1]", remedy)?;
        self.execution.map_or(Ok(()), Execution::check)?;
        self.value_bounds.as_ref().map_or(Ok(()), BoundCalibration::check)?;
        self.radius.check()?;
        in_range(self.near >= 0.0, "calibration.near", self.near, "[0, infinity]", "pass a distance of values")?;
        let whole = self.radius.grid().is_some();
        let single = self.updates == Updates::Online || self.pilots > 0;
        refuse(
            whole && single,
            "a radius of whole episodes learns from no single decision; leave out updates and pilots",
        )?;
        let fits = matches!(self.radius, RadiusSpec::Scaled { .. });
        refuse(fits && self.fit < 2, "a scaled radius needs calibration.fit of 2 or more; or choose a constant radius")
    }

    /// What a reward is worth one step later in a label.
    pub(crate) fn discount(&self) -> f64 {
        self.discount.unwrap_or(1.0)
    }

    /// What becomes of answers before this rule is deployed: where nothing else is declared, what its gate reckons with, so
    /// that switching the certificate off changes deployment alone.
    fn execution(&self, deployed: Execution) -> Execution {
        self.execution.unwrap_or(deployed.anticipated())
    }

    /// Refuses a deployment for which the radius could not keep its promise.
    pub fn check_deployment(&self, learning: Learning, settings: &Settings) -> Result<(), Error> {
        let stays = learning == Learning::Frozen && settings.cache == CacheSpec::Off && settings.bankroll.is_none();
        refuse(
            self.radius.grid().is_some() && !stays,
            "a radius of whole episodes needs episodes that do not depend on each other; set learning = \"frozen\" and \
             leave out cache and bankroll",
        )
    }

    /// Whether an arm with this controller is calibrated.
    pub(crate) fn is_for(&self, settings: &Settings) -> bool {
        let screens = settings.execution.is_fitted() && settings.gate != Gate::Never;
        self.arms == Calibrates::Every || screens || settings.gate.is_calibrated()
    }
}

/// From which decisions opportunities are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opportunities {
    /// A random choice of the decisions of replays of the deployment, in which advice is bought at random.
    OfReplays,
    /// One decision of each of as many episodes as are wanted, played by the frozen agent without advice, so that they are
    /// exchangeable. The episodes are spread over the run, so they meet its schedule of exploration.
    OnePerEpisode,
}

/// What calibration found, and what it cost.
pub(crate) struct Calibrated {
    pub(crate) radius: CalibratedRadius,
    pub(crate) calibration: Option<Calibration>,
    /// The controller, fitted where it learns from labels: its gate, and its execution rule.
    pub(crate) settings: Settings,
    pub(crate) calls: u64,
    pub(crate) steps: u64,
}

impl Calibrated {
    /// What the manifest says of it; made where nothing was labelled.
    fn noted(&mut self) -> &mut Calibration {
        self.calibration.get_or_insert_with(|| Calibration {
            opportunities: 0,
            mean_residual: 0.0,
            derivation: serde_json::to_value(self.radius.derivation()).unwrap_or_default(),
            screen: None,
            bounds: None,
        })
    }

    /// The same with what scaling the bounds found and cost.
    fn bounded(mut self, factor: &BoundFactor, (calls, steps): (u64, u64)) -> Self {
        self.noted().bounds = serde_json::to_value(factor).ok();
        self.calls += calls;
        self.steps += steps;
        self
    }

    /// The same with what fitting the execution rule found and cost.
    fn screened(mut self, screened: &Screened) -> Self {
        self.noted().screen = serde_json::to_value(&screened.screen).ok();
        self.calls += screened.calls;
        self.steps += screened.steps;
        self
    }
}

/// Labelled opportunities, and what they cost.
#[derive(Default)]
struct Collected {
    opportunities: Vec<Opportunity>,
    /// The uncertainty of the no-query action at each, with what the query was worth.
    benefits: Vec<(f64, f64)>,
    calls: u64,
    steps: u64,
}

impl Collected {
    /// Adds a labelled decision, met at this place of the collection.
    fn add(&mut self, phases: &Phases<'_>, decision: &Decision, (trajectory, step): (u64, u64)) {
        let Decision { record, .. } = decision;
        let valuation = phases.settings.gate.valuation();
        // The estimate that the deployed gate would have made at a decision of another one.
        let (advice, foretold) = (record.evidence.advice(), record.evidence.foretold());
        let estimate = estimate(advice, &record.prospects, &record.preview().no_query, foretold, valuation);
        let found = opportunity(decision, estimate, &phases.calibration.radius);
        self.benefits.push((uncertainty::of(&record.evidence, record.no_query), found.label));
        self.opportunities.push(Opportunity { trajectory, step, ..found });
    }
}

/// Scales the bounds, fits the predictor and the execution rule, and derives the radius.
pub(crate) fn calibrate<S: Scene>(phases: &Phases<'_>, stage: &mut Stage<S>, seed: Seed) -> Result<Calibrated, Error> {
    match phases.calibration.value_bounds.and_then(BoundCalibration::scaled) {
        None => fit(phases, stage, seed),
        Some(scaled) => {
            let (factor, spent) = bounds(phases, stage, scaled, seed)?;
            stage.factor = Some(factor.clone());
            Ok(fit(phases, stage, seed)?.bounded(&factor, spent))
        }
    }
}

/// The factor of the bounds, with the calls and steps that it took. Each pilot calibrates a copy under the factor so far.
fn bounds<S: Scene>(
    phases: &Phases<'_>,
    stage: &Stage<S>,
    scaled: ScaledBounds,
    seed: Seed,
) -> Result<(BoundFactor, (u64, u64)), Error> {
    let seed = seed.stream("calibration").stream("bounds");
    let mut found = bound(phases, stage, scaled, None, seed.index(0))?;
    let mut spent = (found.calls, found.steps);
    for pilot in 1..=scaled.pilots {
        let mut copy = Stage { factor: Some(found.factor), ..stage.clone() };
        let seed = seed.index(pilot);
        let fitted = fit(phases, &mut copy, seed)?;
        let piloted = Piloted { settings: &fitted.settings, radius: &fitted.radius };
        found = bound(phases, &copy, scaled, Some(&piloted), seed)?;
        spent = (spent.0 + fitted.calls + found.calls, spent.1 + fitted.steps + found.steps);
    }
    let Bounded { factor, .. } = found;
    Ok((factor, spent))
}

/// Fits the predictor and the execution rule, and derives the radius.
fn fit<S: Scene>(phases: &Phases<'_>, stage: &mut Stage<S>, seed: Seed) -> Result<Calibrated, Error> {
    let spec = phases.calibration;
    if !spec.is_for(phases.settings) {
        return derive(&CalibrationSpec::default(), phases.settings, Collected::default());
    }
    let (calls, steps) = fit_predictor(phases, stage, prefix_seed(phases.opportunities, seed))?;
    let seed = seed.stream("calibration");
    let mut calibrated = match screen(phases, stage, seed)? {
        None => radius(phases, stage, seed)?,
        Some(screened) => {
            let settings = Settings { execution: screened.rule, ..phases.settings.clone() };
            let found = radius(&Phases { settings: &settings, ..phases.clone() }, stage, seed)?;
            found.screened(&screened)
        }
    };
    calibrated.calls += calls;
    calibrated.steps += steps;
    Ok(calibrated)
}

/// The radius of a controller whose execution rule is fitted. A gate that does not read it takes no labels.
fn radius<S: Scene>(phases: &Phases<'_>, stage: &Stage<S>, seed: Seed) -> Result<Calibrated, Error> {
    let (spec, settings) = (phases.calibration, phases.settings);
    if spec.arms == Calibrates::Readers && !settings.gate.is_calibrated() {
        return derive(&CalibrationSpec::default(), settings, Collected::default());
    }
    if spec.radius.grid().is_some() {
        return rehearse(phases, stage, seed);
    }
    let collected = match phases.opportunities {
        Opportunities::OfReplays => of_replays(phases, stage, seed)?,
        Opportunities::OnePerEpisode => one_per_episode(phases, stage, seed)?,
    };
    // A pilot flies with the ordinary radius: its own kind may need the data that only a pilot brings.
    let ordinary = RadiusSpec::Constant { alpha: spec.radius.alpha()?.unwrap_or(Alpha::new(0.1)?) };
    let radius = if spec.pilots > 0 { ordinary } else { spec.radius.clone() };
    pilot::fly(phases, stage, derive(&CalibrationSpec { radius, ..spec.clone() }, settings, collected)?, seed)
}

fn prefix_seed(opportunities: Opportunities, seed: Seed) -> Seed {
    match opportunities {
        Opportunities::OfReplays => seed.stream("prefix"),
        Opportunities::OnePerEpisode => seed.stream("calibration").stream("prefix"),
    }
}

/// Advice bought at half of the decisions, at random, on a copy. The predictor learns from the first half of the episodes;
/// its temperature is set on the second, unless it stays as it is. Says how many calls and simulated steps that took.
fn fit_predictor<S: Scene>(phases: &Phases<'_>, stage: &mut Stage<S>, seed: Seed) -> Result<(u64, u64), Error> {
    let episodes = phases.calibration.prefix_episodes;
    let mut copy = stage.clone();
    let learning = match phases.opportunities {
        Opportunities::OfReplays => Learning::Continues,
        Opportunities::OnePerEpisode => Learning::PredictorOnly,
    };
    let mut session = copy.session(&random_acquisition(phases, episodes), learning, seed.stream("engine"))?;
    let rehearsal = |number| Episode::Rehearsal { number, of: episodes };
    session.episodes((0..episodes.div_ceil(2)).map(rehearsal), seed.stream("fit"))?;
    let fitted = session.controller.books().predictor().cloned();
    session.paid.clear();
    session.episodes((episodes.div_ceil(2)..episodes).map(rehearsal), seed.stream("temperature"))?;
    let held_out = std::mem::take(&mut session.paid);
    let spent = (session.controller.engine().calls_made(), session.steps_simulated());
    if let (Some(place), Some(mut fitted)) = (stage.books.predictor_mut(), fitted) {
        if let (AnyPredictor::Feature(feature), Temperature::Fitted) = (&mut fitted, phases.calibration.temperature) {
            feature.calibrate_temperature(&held_out);
        }
        *place = fitted;
    }
    stage.scene.take_over(copy.scene)?;
    Ok(spent)
}

/// Settings that buy advice at half of the decisions of these episodes, whatever it is worth.
fn random_acquisition(phases: &Phases<'_>, episodes: u64) -> Settings {
    let decisions = episodes * phases.horizon;
    rehearsing(phases, Gate::Random(Random { calls: decisions / 2, decisions }), decisions)
}

/// The study's settings with another gate and this many calls, whose answers act by the rule of calibration.
fn rehearsing(phases: &Phases<'_>, gate: Gate, calls: u64) -> Settings {
    let execution = phases.calibration.execution(phases.settings.execution);
    Settings { gate, execution, budget: Budget::calls(calls), ..phases.settings.clone() }
}

/// Replays the deployment with random acquisition as often as needed, and labels a random choice of its decisions.
fn of_replays<S: Scene>(phases: &Phases<'_>, stage: &Stage<S>, seed: Seed) -> Result<Collected, Error> {
    let wanted = phases.calibration.fit + phases.calibration.calibrate;
    let per_replay = phases.episodes * phases.horizon;
    let replays = (wanted as u64).div_ceil(per_replay.max(1));
    let total = usize::try_from(replays * per_replay).unwrap_or(usize::MAX);
    let chosen: BTreeSet<u64> =
        index::sample(&mut seed.stream("choice").rng(), total, wanted).into_iter().map(|i| i as u64).collect();
    let mut collected = Collected::default();
    for replay in 0..replays {
        let seed = seed.index(replay);
        let mut copy = stage.clone();
        let first = replay * per_replay;
        let here: BTreeSet<u64> = chosen.range(first..first + per_replay).map(|step| step - first).collect();
        let settings = random_acquisition(phases, phases.episodes);
        let mut session = copy.session(&settings, phases.learning, seed.stream("engine"))?;
        session.labelled = Labelled::At(here.clone());
        session
            .episodes((0..phases.episodes).map(|number| Episode::Rehearsal { number, of: phases.episodes }), seed)?;
        for decision in session.decisions.iter().filter(|decision| here.contains(&decision.record.step)) {
            collected.add(phases, decision, (first + decision.record.episode, first + decision.record.step));
        }
        collected.steps += session.steps_simulated();
        collected.calls += session.controller.engine().calls_made();
    }
    Ok(collected)
}

/// Labels one decision of each episode that the frozen agent plays without advice.
fn one_per_episode<S: Scene>(phases: &Phases<'_>, stage: &Stage<S>, seed: Seed) -> Result<Collected, Error> {
    let wanted = (phases.calibration.fit + phases.calibration.calibrate) as u64;
    let mut copy = stage.clone();
    let mut session = copy.session(&rehearsing(phases, Gate::Never, 0), Learning::Frozen, seed.stream("engine"))?;
    session.moments = Some(Vec::new());
    let mut collected = Collected::default();
    for number in 0..wanted {
        let seed = seed.stream("opportunity").index(number);
        session.decisions.clear();
        session.episode(Episode::Rehearsal { number, of: wanted }, seed)?;
        let moments = session.moments.take().unwrap_or_default();
        let chosen = seed.stream("choice").rng().random_range(0..moments.len());
        let decision = &mut session.decisions[chosen];
        let label = session.scene.label(&moments[chosen], &decision.record.preview(), seed)?;
        label.note(&mut decision.hindsight);
        collected.add(phases, decision, (number, number));
        collected.calls += label.calls;
        collected.steps += label.steps + session.steps_simulated();
        session.moments = Some(moments);
    }
    Ok(collected)
}

/// How the radius came about, for the manifest; nothing where nothing was labelled.
pub(crate) fn described(radius: &CalibratedRadius, labelled: &[Opportunity]) -> Option<Calibration> {
    (!labelled.is_empty()).then(|| Calibration {
        opportunities: labelled.len() as u64,
        mean_residual: labelled.iter().map(|o| (o.estimate - o.label).abs()).sum::<f64>() / labelled.len() as f64,
        derivation: serde_json::to_value(radius.derivation()).unwrap_or_default(),
        screen: None,
        bounds: None,
    })
}

/// The radius that these opportunities support, in the order of their steps, and the gate that they fit.
fn derive(spec: &CalibrationSpec, settings: &Settings, collected: Collected) -> Result<Calibrated, Error> {
    let Collected { opportunities, benefits, calls, steps } = collected;
    let cuts = Cuts { fit: spec.fit, calibration: spec.calibrate };
    let splits = Splits::chronological(opportunities, |opportunity| opportunity.step, cuts)?;
    let radius = CalibratedRadius::calibrate(&spec.radius, &splits.fit, &splits.calibration)?;
    let calibration = described(&radius, splits.calibration.as_slice());
    let mut settings = settings.clone();
    if settings.gate.reads(Input::Benefit) {
        settings.gate = settings.gate.fitted(Isotonic::fit(benefits)?.steps());
    }
    Ok(Calibrated { radius, calibration, settings, calls, steps })
}
