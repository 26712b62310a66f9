//! Every world that the command line knows: one line for what can be watched and played, one for what can be told in words.

use anyhow::{Result, anyhow};
use counsel_advisor::{Edition, Error, Narrator};
use counsel_babyai::BabyAi;
use counsel_decision::refusal::nearest;
use counsel_decision::{Levels, Listed, Shown};

/// The worlds that can be watched and played.
const PLAYED: [&dyn Levels; 1] = [&BabyAi];

/// The worlds that can be told in words, so that a language model can advise in them.
const TOLD: [&dyn Narrator; 1] = [&BabyAi];

/// All levels, world by world.
pub(crate) fn levels() -> Vec<Listed> {
    PLAYED.iter().flat_map(|world| world.levels()).collect()
}

/// A level with its own step limit, or this one.
pub(crate) fn open(id: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>> {
    let world = PLAYED.iter().find(|world| world.levels().iter().any(|level| level.id == id));
    let Some(world) = world else {
        let hint = nearest(id, levels().iter().map(|level| level.id));
        return Err(anyhow!("there is no level `{id}`{hint}; `counsel world list` shows all"));
    };
    world.open(id, max_steps).map_err(|refusal| anyhow!(refusal))
}

/// The worlds that can be told in words.
pub(crate) fn narrators() -> &'static [&'static dyn Narrator] {
    &TOLD
}

/// The world whose template has this name. An advisor is named by its template, so no two worlds share one.
pub(crate) fn narrator_of(template: &str) -> Result<&'static dyn Narrator, Error> {
    let has = |world: &&&dyn Narrator| world.templates().iter().any(|edition| edition.name == template);
    TOLD.iter().find(has).copied().ok_or_else(|| {
        let names: Vec<String> = editions().into_iter().map(|edition| edition.name).collect();
        let nearest = nearest(template, names.iter().map(String::as_str));
        Error::UnknownTemplate { name: template.to_owned(), nearest, known: names.join(", ") }
    })
}

/// The templates of all worlds.
pub(crate) fn editions() -> Vec<Edition> {
    TOLD.iter().flat_map(|world| world.templates()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn levels_and_templates_have_names_of_their_own() {
        let ids: Vec<&str> = levels().iter().map(|level| level.id).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        let names: Vec<String> = editions().into_iter().map(|edition| edition.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn keys_are_distinct_and_leave_n_and_q_free() {
        for world in PLAYED {
            let level = world.levels()[0].id;
            let shown = world.open(level, None).unwrap();
            let keys: BTreeSet<char> = shown.controls().iter().map(|control| control.key).collect();
            assert_eq!(keys.len(), shown.controls().len(), "{level}");
            assert!(!keys.contains(&'n') && !keys.contains(&'q'), "{level}");
        }
    }
}
