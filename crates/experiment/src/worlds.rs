//! The worlds that come with the program: those that can be watched and played, and those that can be told in words, so that
//! a language model can advise in them. One line each.

use counsel_advisor::{Edition, Error, Narrator};
use counsel_babyai::BabyAi;
use counsel_decision::Levels;
use counsel_decision::refusal::nearest;

/// The worlds that can be watched and played.
pub const PLAYED: [&dyn Levels; 1] = [&BabyAi];

/// The worlds that can be told in words.
pub const TOLD: [&dyn Narrator; 1] = [&BabyAi];

/// The world whose template has this name. An advisor is named by its template, so no two worlds share one.
pub fn narrator_of(template: &str) -> Result<&'static dyn Narrator, Error> {
    let has = |world: &&&dyn Narrator| world.templates().iter().any(|edition| edition.name == template);
    TOLD.iter().find(has).copied().ok_or_else(|| {
        let names: Vec<String> = editions().into_iter().map(|edition| edition.name).collect();
        let nearest = nearest(template, names.iter().map(String::as_str));
        Error::UnknownTemplate { name: template.to_owned(), nearest, known: names.join(", ") }
    })
}

/// The templates of all worlds.
pub fn editions() -> Vec<Edition> {
    TOLD.iter().flat_map(|world| world.templates()).collect()
}
