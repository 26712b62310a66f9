//! What houses are like: rooms with their places and objects, and where objects are found.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The table of the file `houses.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Houses {
    pub(crate) openable: Vec<String>,
    pub(crate) room: Vec<Room>,
    pub(crate) object: BTreeMap<String, Habit>,
}

/// A room: how many of each place it has, at least and at most, and which objects.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Room {
    pub(crate) name: String,
    pub(crate) objects: Vec<String>,
    pub(crate) places: BTreeMap<String, (u32, u32)>,
}

/// What can be done with an object, and where it is found, in percent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Habit {
    pub(crate) traits: Vec<String>,
    pub(crate) found: BTreeMap<String, u32>,
}

/// The houses of the games that are drawn.
pub(crate) static HOUSES: LazyLock<Houses> =
    LazyLock::new(|| toml::from_str(include_str!("houses.toml")).expect("a test reads the built-in table"));

impl Houses {
    pub(crate) fn is_openable(&self, place: &str) -> bool {
        self.openable.iter().any(|openable| openable == place)
    }

    /// How often an object is found in a place, in percent; it can be put wherever that is not 0.
    pub(crate) fn found(&self, object: &str, place: &str) -> u32 {
        self.object.get(object).and_then(|habit| habit.found.get(place)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_speaks_of_known_places_and_objects_alone() {
        let places: Vec<&String> = HOUSES.room.iter().flat_map(|room| room.places.keys()).collect();
        assert!(HOUSES.openable.iter().all(|place| places.contains(&place)));
        for (object, habit) in &HOUSES.object {
            assert!(habit.found.keys().all(|place| places.contains(&place)), "{object}");
            assert!(habit.found.values().all(|&percent| (1..=100).contains(&percent)), "{object}");
            let known = ["heatable", "coolable", "cleanable", "sliceable", "toggleable"];
            assert!(habit.traits.iter().all(|name| known.contains(&name.as_str())), "{object}");
        }
        for room in &HOUSES.room {
            assert!(room.objects.iter().all(|object| HOUSES.object.contains_key(object)), "{}", room.name);
            assert!(room.places.values().all(|(least, most)| least <= most), "{}", room.name);
        }
    }
}
