//! What was seen where, over all games: how often a kind of object was found in a kind of place.

use std::collections::BTreeMap;

use super::deed::kind_of;
use crate::Player;

/// Looks into a kind of place that the mean over all objects counts for.
const PRIOR_LOOKS: f64 = 4.0;

/// How many kinds of objects the mean is shared out among.
const SHARED: f64 = 20.0;

/// The counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Census {
    looks: BTreeMap<usize, u32>,
    /// Kinds of objects that were found in a kind of place, over all looks.
    finds: BTreeMap<usize, u32>,
    found: BTreeMap<(String, usize), u32>,
}

impl Census {
    /// Counts what the player sees in the place where it stands, if it looks into it for the first time.
    pub(crate) fn count(&mut self, before: &Player, after: &Player) {
        let Some(at) = after.notes().at() else { return };
        let (Some(seen), None) = (after.notes().seen(at), before.notes().seen(at)) else { return };
        let game = after.standing().state().game();
        let Some(kind) = kind_of(game.receptacle_class(at)) else { return };
        *self.looks.entry(kind).or_default() += 1;
        let mut classes: Vec<&str> = seen.iter().map(|&o| game.object_class(o)).collect();
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            *self.finds.entry(kind).or_default() += 1;
            *self.found.entry((class.to_owned(), kind)).or_default() += 1;
        }
    }

    /// How often an object is found when a place of this kind is looked into.
    pub(crate) fn rate(&self, object: &str, kind: usize) -> f64 {
        let count = |counts: &BTreeMap<usize, u32>| f64::from(counts.get(&kind).copied().unwrap_or(0));
        let found = f64::from(self.found.get(&(object.to_owned(), kind)).copied().unwrap_or(0));
        let any = (count(&self.finds) + 1.0) / (count(&self.looks) + 1.0) / SHARED;
        (found + PRIOR_LOOKS * any) / (count(&self.looks) + PRIOR_LOOKS)
    }
}
