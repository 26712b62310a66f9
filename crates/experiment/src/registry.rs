//! What a study can play, by name, and the worlds that come with the program: one line each.
//!
//! A new world adds its variant to [`Scenario`] and, if it has them, a line to [`PLAYED`] and [`TOLD`].

use counsel_advisor::{AdvisorName, Edition, Narrator, PredictorSpec};
use counsel_decision::refusal::nearest;
use counsel_decision::{BudgetSpec, CacheSpec, ExecutionRule, GateSpec, Levels, PriceSpec, Seed};
use counsel_deep::DeepSpec;
use counsel_log::CellKey;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::replay::{Track, seed_of};
use crate::scene::{Alfworld, BabyAi, Controlled, Crafter, Household, Latent, Pixel, Placement, Repeat};
use counsel_session::{CalibrationSpec, Consulted, Error, Library, Matched, Played, Support, ValuesFrom, WarmStarts};
use serde::de::DeserializeOwned;

/// The worlds that can be watched and played.
pub const PLAYED: [&dyn Levels; 4] =
    [&counsel_babyai::BabyAi, &counsel_pixel::Pixel, &counsel_crafter::Crafter, &counsel_alfworld::Alfworld];

/// The worlds that can be told in words.
pub const TOLD: [&dyn Narrator; 5] = [
    &counsel_babyai::BabyAi,
    &counsel_pixel::Pixel,
    &counsel_crafter::Crafter,
    &counsel_alfworld::Alfworld,
    &counsel_alfworld::household::words::Whereabouts,
];

/// The world whose template has this name. An advisor is named by its template, so no two worlds share one.
pub fn narrator_of(template: &str) -> Result<&'static dyn Narrator, counsel_advisor::Error> {
    let has = |world: &&&dyn Narrator| world.templates().iter().any(|edition| edition.name == template);
    TOLD.iter().find(has).copied().ok_or_else(|| {
        let names: Vec<String> = editions().into_iter().map(|edition| edition.name).collect();
        let nearest = nearest(template, names.iter().map(String::as_str));
        counsel_advisor::Error::UnknownTemplate { name: template.to_owned(), nearest, known: names.join(", ") }
    })
}

/// The templates of all worlds.
pub fn editions() -> Vec<Edition> {
    TOLD.iter().flat_map(|world| world.templates()).collect()
}

/// A scenario with all its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "scenario", rename_all = "kebab-case")]
pub enum Scenario {
    /// Algorithm 1 on a clonable tabular world.
    Controlled(Box<Controlled>),
    /// The informative advisor with a known likelihood.
    Latent(Latent),
    /// The choice of contexts to ask in.
    Placement(Placement),
    /// Algorithm 1 with a deep learner and a language model.
    #[serde(rename = "babyai")]
    BabyAi(Box<BabyAi>),
    /// A deep learner in a grid of which it sees a window.
    Pixel(Box<Pixel>),
    /// A deep learner in a survival game.
    Crafter(Box<Crafter>),
    /// A learner of commands in text games.
    Alfworld(Box<Alfworld>),
    /// A deep learner in text games by abstract options.
    Household(Box<Household>),
    /// The same question asked again.
    Repeat(Repeat),
}

impl Scenario {
    /// Reads the settings of the kind with this name, fills in the defaults, refuses unknown keys and what cannot run.
    pub fn resolve(kind: &str, settings: &Table) -> Result<Self, String> {
        refuse_infinities("", &Value::Table(settings.clone()))?;
        let text = |error: toml::de::Error| {
            let message = line(&error);
            if message.contains(PLACE) { message } else { misread(kind, settings).unwrap_or(message) }
        };
        let given = settings.clone();
        let scenario = match kind {
            "controlled" => given.try_into().map(|spec| Self::Controlled(Box::new(spec))).map_err(text)?,
            "latent" => given.try_into().map(Self::Latent).map_err(text)?,
            "placement" => given.try_into().map(Self::Placement).map_err(text)?,
            "babyai" => given.try_into().map(|spec| Self::BabyAi(Box::new(spec))).map_err(text)?,
            "pixel" => given.try_into().map(|spec| Self::Pixel(Box::new(spec))).map_err(text)?,
            "crafter" => given.try_into().map(|spec| Self::Crafter(Box::new(spec))).map_err(text)?,
            "alfworld" => given.try_into().map(|spec| Self::Alfworld(Box::new(spec))).map_err(text)?,
            "household" => given.try_into().map(|spec| Self::Household(Box::new(spec))).map_err(text)?,
            "repeat" => given.try_into().map(Self::Repeat).map_err(text)?,
            other => {
                let known = "controlled, latent, placement, babyai, pixel, crafter, alfworld, household or repeat";
                return Err(format!("scenario `{other}` is unknown; choose {known}"));
            }
        };
        let understood = Value::try_from(&scenario).map_err(|error| error.to_string())?;
        refuse_unknown("", &Value::Table(settings.clone()), &understood)?;
        scenario.check().map_err(|error| error.to_string())?;
        Ok(scenario)
    }

    /// Builds every part once, so that a setting that cannot work is refused before anything runs.
    fn check(&self) -> Result<(), Error> {
        let seed = Seed::root(0);
        match self {
            Self::Controlled(scenario) => scenario.check(seed),
            Self::Latent(scenario) => scenario.check(seed),
            Self::Placement(scenario) => scenario.check(seed),
            Self::BabyAi(scenario) => scenario.check(seed),
            Self::Pixel(scenario) => scenario.check(seed),
            Self::Crafter(scenario) => scenario.check(seed),
            Self::Alfworld(scenario) => scenario.check(seed),
            Self::Household(scenario) => scenario.check(seed),
            Self::Repeat(scenario) => scenario.check(),
        }
    }

    /// Plays one cell. The same key gives the same decisions, always; arms with the same seed share their luck.
    pub(crate) fn play(&self, key: &CellKey, library: &Library, warm_starts: &WarmStarts) -> Result<Played, Error> {
        let seed = seed_of(key);
        match self {
            Self::Controlled(scenario) => scenario.play(seed),
            Self::Latent(scenario) => scenario.play(seed),
            Self::Placement(scenario) => scenario.play(seed),
            Self::BabyAi(scenario) => scenario.play(seed, library, warm_starts),
            Self::Pixel(scenario) => scenario.play(seed, library, warm_starts),
            Self::Crafter(scenario) => scenario.play(seed, library, warm_starts),
            Self::Alfworld(scenario) => scenario.play(seed, warm_starts),
            Self::Household(scenario) => scenario.play(seed, library, warm_starts),
            Self::Repeat(scenario) => scenario.play(seed, library),
        }
    }

    /// Its world, to be played again without the agent; nothing where contexts are the agent's own choice.
    pub(crate) fn track(&self, seed: Seed) -> Result<Option<Box<dyn Track>>, Error> {
        Ok(match self {
            Self::Controlled(scenario) => Some(Box::new(scenario.track(seed)?)),
            Self::Latent(scenario) => Some(Box::new(scenario.track(seed)?)),
            Self::BabyAi(scenario) => Some(scenario.track()?),
            Self::Pixel(scenario) => Some(scenario.track(seed)?),
            Self::Crafter(scenario) => Some(scenario.track()?),
            Self::Alfworld(scenario) => Some(Box::new(scenario.track(seed)?)),
            Self::Household(scenario) => Some(scenario.track(seed)?),
            Self::Placement(_) | Self::Repeat(_) => None,
        })
    }

    /// Its settings, as far as a run depends on them: of an advisor whom nobody asks only what is left of it.
    pub(crate) fn depends_on(&self, spec: &serde_json::Value) -> serde_json::Value {
        let unasked = match self {
            Self::BabyAi(scenario) => scenario.unasked(),
            Self::Pixel(scenario) => scenario.unasked(),
            Self::Crafter(scenario) => scenario.unasked(),
            Self::Household(scenario) => scenario.unasked(),
            Self::Controlled(_) | Self::Latent(_) | Self::Placement(_) | Self::Alfworld(_) | Self::Repeat(_) => None,
        };
        let mut spec = spec.clone();
        if let Some(unasked) = unasked {
            (spec["advisor"], spec["corruption"]) = (unasked.into(), 0.into());
        }
        spec
    }

    /// Who is asked, where a cell's advisor has a name of its own.
    pub(crate) fn advisor(&self) -> Option<String> {
        match self {
            Self::BabyAi(scenario) => Some(scenario.study.advisor.to_string()),
            Self::Pixel(scenario) => Some(scenario.study.advisor.to_string()),
            Self::Crafter(scenario) => Some(scenario.study.advisor.to_string()),
            Self::Household(scenario) => Some(scenario.study.advisor.to_string()),
            Self::Controlled(_) | Self::Latent(_) | Self::Placement(_) | Self::Alfworld(_) | Self::Repeat(_) => None,
        }
    }

    /// The language models whose answers it needs.
    pub fn models(&self) -> Vec<AdvisorName> {
        match self {
            Self::BabyAi(scenario) => scenario.model().into_iter().cloned().collect(),
            Self::Pixel(scenario) => scenario.model().into_iter().cloned().collect(),
            Self::Crafter(scenario) => scenario.model().into_iter().cloned().collect(),
            Self::Household(scenario) => scenario.models(),
            Self::Repeat(scenario) => scenario.models().to_vec(),
            Self::Controlled(_) | Self::Latent(_) | Self::Placement(_) | Self::Alfworld(_) => Vec::new(),
        }
    }
}

/// How a message says where a setting stands.
const PLACE: &str = " in `";

/// The message of an error, on one line.
fn line(error: &toml::de::Error) -> String {
    error.to_string().trim().replace('\n', " ")
}

/// What is wrong with a value that should be this.
fn wrong<T: DeserializeOwned>(value: &Value) -> Option<toml::de::Error> {
    value.clone().try_into::<T>().err()
}

/// What is wrong with a setting that several kinds share, and where. Serde forgets where these stand, so each is read again by
/// itself.
fn misread(kind: &str, settings: &Table) -> Option<String> {
    let deep = matches!(kind, "babyai" | "pixel" | "crafter" | "household");
    settings.iter().find_map(|(key, value)| {
        let error = match key.as_str() {
            "gate" => wrong::<GateSpec>(value),
            "execution" => wrong::<ExecutionRule>(value),
            "budget" if kind != "placement" => wrong::<BudgetSpec>(value),
            "price" => wrong::<PriceSpec>(value),
            "cache" => wrong::<CacheSpec>(value),
            "learner" if deep => wrong::<DeepSpec>(value),
            "advisor" if deep => wrong::<Consulted>(value),
            "predictor" if deep => wrong::<PredictorSpec>(value),
            "calibration" if deep || kind == "alfworld" => wrong::<CalibrationSpec>(value),
            "values" if deep => wrong::<ValuesFrom>(value),
            "support" if deep => wrong::<Support>(value),
            "matched" if deep || kind == "alfworld" => wrong::<Matched>(value),
            "corruption" | "kappa" if deep => wrong::<f64>(value),
            "episodes" | "exploration_episodes" | "patience" if deep => wrong::<u64>(value),
            "label_decisions" if deep => wrong::<bool>(value),
            _ => None,
        }?;
        let message = line(&error);
        Some(match message.rsplit_once(PLACE) {
            Some((what, place)) => format!("{what}{PLACE}{key}.{place}"),
            None => format!("{message}{PLACE}{key}`"),
        })
    })
}

/// Refuses a key that was written but not understood. (Serde ignores keys beside the name of a choice without settings.)
fn refuse_unknown(path: &str, given: &Value, understood: &Value) -> Result<(), String> {
    let Value::Table(given) = given else { return Ok(()) };
    for (key, value) in given {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match understood.get(key) {
            Some(inner) => refuse_unknown(&path, value, inner)?,
            None => return Err(format!("unknown key `{path}`; remove it or correct its spelling")),
        }
    }
    Ok(())
}

/// Refuses numbers that a manifest cannot hold.
fn refuse_infinities(path: &str, value: &Value) -> Result<(), String> {
    let inside = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Float(number) if !number.is_finite() => Err(format!("`{path}` is {number}; write a finite number")),
        Value::Table(table) => table.iter().try_for_each(|(key, value)| refuse_infinities(&inside(key), value)),
        Value::Array(list) => list.iter().try_for_each(|value| refuse_infinities(path, value)),
        _ => Ok(()),
    }
}
