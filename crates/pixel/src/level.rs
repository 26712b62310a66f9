//! The levels of the pixel world: specifications that have a name.
//!
//! A level has an id among the levels of all worlds, and a shorter name as a task that a language model advises in.

use counsel_decision::refusal::nearest;

use crate::{Error, PixelSpec};

/// A specification that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The default: 9 x 9 cells.
    Small,
    /// The larger one: 14 x 14 cells.
    Large,
}

impl Level {
    /// All levels.
    pub const ALL: [Self; 2] = [Self::Small, Self::Large];

    /// The level with this id or task name: `Pixel-9x9-v0` or `9x9`.
    pub fn find(name: &str) -> Result<Self, Error> {
        let known = || Self::ALL.into_iter().flat_map(|level| [level.task(), level.id()]);
        Self::ALL
            .into_iter()
            .find(|level| level.id() == name || level.task() == name)
            .ok_or_else(|| Error::UnknownLevel { name: name.to_owned(), nearest: nearest(name, known()) })
    }

    /// Its id among the levels of all worlds.
    pub fn id(self) -> &'static str {
        match self {
            Self::Small => "Pixel-9x9-v0",
            Self::Large => "Pixel-14x14-v0",
        }
    }

    /// Its name as a task.
    pub fn task(self) -> &'static str {
        match self {
            Self::Small => "9x9",
            Self::Large => "14x14",
        }
    }

    /// Its parameters.
    pub fn spec(self) -> PixelSpec {
        match self {
            Self::Small => PixelSpec::default(),
            Self::Large => PixelSpec::large(),
        }
    }
}
