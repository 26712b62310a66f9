//! The kinds of scenario, by name.

use counsel_audit::CellKey;
use counsel_decision::Seed;
use serde::Serialize;
use toml::Table;

use super::{Controlled, Latent, Placement, Played};
use crate::Error;

/// A scenario with all its settings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "scenario", rename_all = "kebab-case")]
pub enum Scenario {
    /// Algorithm 1 on a clonable tabular world.
    Controlled(Box<Controlled>),
    /// The informative advisor with a known likelihood.
    Latent(Latent),
    /// The choice of contexts to ask in.
    Placement(Placement),
}

impl Scenario {
    /// Reads the settings of the kind with this name, fills in the defaults and refuses unknown keys.
    pub fn resolve(kind: &str, settings: Table) -> Result<Self, String> {
        let text = |error: toml::de::Error| error.to_string().trim().replace('\n', " ");
        match kind {
            "controlled" => settings.try_into().map(|spec| Self::Controlled(Box::new(spec))).map_err(text),
            "latent" => settings.try_into().map(Self::Latent).map_err(text),
            "placement" => settings.try_into().map(Self::Placement).map_err(text),
            other => Err(format!("scenario `{other}` is unknown; choose controlled, latent or placement")),
        }
    }

    /// Plays one cell. The same key gives the same decisions, always; arms with the same seed share their luck.
    pub(crate) fn play(&self, key: &CellKey) -> Result<Played, Error> {
        let seed = Seed::root(key.seed).stream(&key.study);
        match self {
            Self::Controlled(scenario) => scenario.play(seed),
            Self::Latent(scenario) => scenario.play(seed),
            Self::Placement(scenario) => scenario.play(seed),
        }
    }
}
