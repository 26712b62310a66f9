//! The levels of every world that can be watched and played, as the verbs of `counsel world` find them.

use std::path::Path;

use anyhow::{Result, anyhow};
use counsel_decision::refusal::find_named;
use counsel_experiment::worlds;
use counsel_file::Expected;
use counsel_world::{Levels, Listed, Shown};

/// A level file of some world. Real games stay below a tenth of that.
const LEVEL_FILE: Expected = Expected { what: "a level file", most_bytes: 10_000_000 };

/// All levels, world by world.
pub(crate) fn levels() -> Vec<Listed> {
    worlds().flat_map(Levels::levels).collect()
}

/// A level with its own step limit, or this one; by its id, or by the path of a file that has one.
pub(crate) fn open(id: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>> {
    if let Some(world) = worlds().find(|world| world.file_ending().is_some_and(|ending| id.ends_with(ending))) {
        let text = counsel_file::read_text(Path::new(id), LEVEL_FILE)?;
        return world.read(&text, max_steps).map_err(|refusal| anyhow!("in {id}: {refusal}"));
    }
    let named = worlds().flat_map(|world| world.levels().into_iter().map(move |level| (level.id, world)));
    let world = find_named(id, named)
        .map_err(|unknown| anyhow!("there is no level {unknown}; `counsel world list` shows all"))?;
    world.open(id, max_steps).map_err(|refusal| anyhow!(refusal))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn levels_and_templates_have_names_of_their_own() {
        let ids: Vec<&str> = levels().iter().map(|level| level.id).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        let names: Vec<String> = counsel_experiment::editions().into_iter().map(|edition| edition.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn keys_are_distinct_and_leave_n_and_q_free() {
        for world in worlds() {
            let level = world.levels()[0].id;
            let shown = world.open(level, None).unwrap();
            let keys: BTreeSet<char> = shown.controls().iter().map(|control| control.key).collect();
            assert_eq!(keys.len(), shown.controls().len(), "{level}");
            assert!(!['n', 'q', '?'].iter().any(|key| keys.contains(key)), "{level}");
        }
    }
}
