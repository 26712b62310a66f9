//! The levels of the pixel world: specifications that have a name.
//!
//! A level has an id among the levels of all worlds, and a shorter name as a task that a language model advises in.

use counsel_decision::refusal::find_named;
use counsel_world::named;

use crate::{Error, PixelSpec};

named! {
    /// A specification that has a name: as a task, `9x9`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Level {
        /// The default: 9 x 9 cells.
        Small => "9x9",
        /// The larger one: 14 x 14 cells.
        Large => "14x14",
    }
}

impl Level {
    /// The level with this id or task name: `Pixel-9x9-v0` or `9x9`.
    pub fn find(name: &str) -> Result<Self, Error> {
        let named = Self::ALL.into_iter().flat_map(|level| [(level.name(), level), (level.id(), level)]);
        find_named(name, named).map_err(Error::UnknownLevel)
    }

    /// Its id among the levels of all worlds.
    pub fn id(self) -> &'static str {
        match self {
            Self::Small => "Pixel-9x9-v0",
            Self::Large => "Pixel-14x14-v0",
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
