//! What a study can play, by name, and the worlds that can be watched or told in words. A world is one line of [`REGISTRY`].

use counsel_advisor::{Edition, Narrator};
use counsel_decision::refusal::UnknownName;
use counsel_world::Levels;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Scenario;
use crate::scenario::{Playable, RawSettings};
use crate::scene::{
    Alfworld, BabyAi, Controlled, Crafter, Decisions, Household, Latent, Learned, Pixel, Placement, Repeat,
};

const REGISTRY: &[Registered] = &[
    Registered::of::<Controlled>("controlled"),
    Registered::of::<Latent>("latent"),
    Registered::of::<Placement>("placement"),
    Registered::of::<Learned<BabyAi>>("babyai").watched(&counsel_babyai::BabyAi).told(&counsel_babyai::BabyAi),
    Registered::of::<Learned<Pixel>>("pixel").watched(&counsel_pixel::Pixel).told(&counsel_pixel::Pixel),
    Registered::of::<Learned<Crafter>>("crafter").watched(&counsel_crafter::Crafter).told(&counsel_crafter::Crafter),
    Registered::of::<Alfworld>("alfworld").watched(&counsel_alfworld::Alfworld).told(&counsel_alfworld::Alfworld),
    Registered::of::<Learned<Household>>("household").told(&counsel_alfworld::household::words::Whereabouts),
    Registered::of::<Repeat>("repeat"),
    Registered::of::<Decisions>("decisions"),
];

/// One kind of scenario.
pub(crate) struct Registered {
    pub(crate) name: &'static str,
    pub(crate) read: fn(&str, RawSettings<'_>) -> Result<Scenario, String>,
    levels: Option<&'static dyn Levels>,
    narrator: Option<&'static dyn Narrator>,
}

impl Registered {
    const fn of<T: Playable + Serialize + DeserializeOwned + 'static>(name: &'static str) -> Self {
        Self { name, read: Scenario::read::<T>, levels: None, narrator: None }
    }

    /// Its world has levels that can be watched and played.
    const fn watched(self, world: &'static dyn Levels) -> Self {
        Self { levels: Some(world), ..self }
    }

    /// Its world can be told in words.
    const fn told(self, world: &'static dyn Narrator) -> Self {
        Self { narrator: Some(world), ..self }
    }
}

/// The kind of scenario with this name.
pub(crate) fn find(name: &str) -> Result<&'static Registered, String> {
    REGISTRY.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<&str> = REGISTRY.iter().map(|kind| kind.name).collect();
        let (last, others) = names.split_last().unwrap_or((&"", &[]));
        format!("scenario `{name}` is unknown; choose {} or {last}", others.join(", "))
    })
}

/// The worlds that can be watched and played.
pub fn worlds() -> impl Iterator<Item = &'static dyn Levels> {
    REGISTRY.iter().filter_map(|kind| kind.levels)
}

/// The worlds that can be told in words.
pub fn narrators() -> impl Iterator<Item = &'static dyn Narrator> {
    REGISTRY.iter().filter_map(|kind| kind.narrator)
}

/// The world whose template has this name. An advisor is named by its template, so no two worlds share one.
pub fn narrator_of(template: &str) -> Result<&'static dyn Narrator, counsel_advisor::Error> {
    let has = |world: &&dyn Narrator| world.templates().iter().any(|edition| edition.name == template);
    narrators().find(has).ok_or_else(|| {
        let names: Vec<String> = editions().into_iter().map(|edition| edition.name).collect();
        counsel_advisor::Error::UnknownTemplate(UnknownName::among(template, names.iter().map(String::as_str)))
    })
}

/// The templates of all worlds.
pub fn editions() -> Vec<Edition> {
    narrators().flat_map(Narrator::templates).collect()
}
