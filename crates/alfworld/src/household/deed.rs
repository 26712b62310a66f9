//! What can be done, whatever the game.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use counsel_decision::Action;

use crate::house::HOUSES;

/// The kinds of places in all houses, by name.
static PLACES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let names: BTreeSet<&str> = HOUSES.room.iter().flat_map(|room| room.places.keys()).map(String::as_str).collect();
    names.into_iter().collect()
});

/// The kinds of objects in all houses, by name.
static OBJECTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| HOUSES.object.keys().map(String::as_str).collect());

/// An abstract option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// Pick up the object.
    Take,
    /// Open the closed place where one stands.
    Open,
    /// Walk to where the object was seen.
    Fetch,
    /// Walk to where it has to go: the goal place, or the lamp.
    Deliver,
    /// Put the object down there.
    Put,
    /// Switch on the lamp.
    Light,
    /// Put down another object.
    Drop,
    /// Walk to a place of this kind that was not looked into.
    Search(usize),
}

impl Deed {
    /// Those that are no search.
    pub const PLAIN: [Self; 7] =
        [Self::Take, Self::Open, Self::Fetch, Self::Deliver, Self::Put, Self::Light, Self::Drop];

    /// How many kinds of places can be searched.
    pub const KINDS: usize = 29;

    /// How many kinds of objects there are.
    pub const OBJECTS: usize = 50;

    /// How many deeds there are.
    pub const COUNT: usize = Self::PLAIN.len() + Self::KINDS;

    /// All deeds, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::PLAIN.into_iter().chain((0..Self::KINDS).map(Self::Search))
    }

    /// The deed of an action.
    pub fn of(action: Action) -> Option<Self> {
        Self::all().nth(action.index())
    }

    /// Its number as an action.
    pub fn action(self) -> Action {
        let plain = Self::PLAIN.iter().position(|deed| *deed == self);
        match (self, plain) {
            (Self::Search(kind), _) => Action::new(Self::PLAIN.len() + kind),
            (_, place) => Action::new(place.unwrap_or(0)),
        }
    }

    /// The word for it that a language model may answer; a search is one word, whatever is searched.
    pub fn option(self) -> &'static str {
        match self {
            Self::Take => "take",
            Self::Open => "open",
            Self::Fetch => "fetch",
            Self::Deliver => "deliver",
            Self::Put => "put",
            Self::Light => "light",
            Self::Drop => "drop",
            Self::Search(_) => "search",
        }
    }

    /// Its full word: `search:drawer` names what is searched.
    pub fn word(self) -> String {
        match self {
            Self::Search(kind) => format!("search:{}", kind_name(kind)),
            plain => plain.option().to_owned(),
        }
    }
}

/// The name of a kind of place.
pub(crate) fn kind_name(kind: usize) -> &'static str {
    PLACES.get(kind).copied().unwrap_or("")
}

/// The kind of place with this name.
pub(crate) fn kind_of(name: &str) -> Option<usize> {
    PLACES.binary_search(&name).ok()
}

/// The number of a kind of object.
pub(crate) fn object_of(name: &str) -> Option<usize> {
    OBJECTS.binary_search(&name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_are_those_of_the_houses_and_numbers_come_back() {
        assert_eq!((PLACES.len(), OBJECTS.len()), (Deed::KINDS, Deed::OBJECTS));
        assert_eq!(Deed::all().count(), Deed::COUNT);
        for (number, deed) in Deed::all().enumerate() {
            assert_eq!((deed.action().index(), Deed::of(deed.action())), (number, Some(deed)));
        }
        assert_eq!(Deed::of(Action::new(Deed::COUNT)), None);
        assert_eq!(Deed::Search(kind_of("drawer").unwrap()).word(), "search:drawer");
    }
}
