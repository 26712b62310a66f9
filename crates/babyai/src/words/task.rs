//! The five BabyAI tasks of the studies: what they ask for, and what can come into view in them.

use counsel_advisor::Error;
use counsel_decision::refusal::{UnknownName, find_named};
use counsel_world::named;
use serde::{Deserialize, Serialize};

use super::{Object, Place};
use crate::{Colour, Kind};

/// What is to be done with the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Errand {
    /// Stand in front of it.
    GoTo,
    /// Open it.
    Open,
    /// Pick it up.
    PickUp,
}

named! {
    /// A task of the studies.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum Task {
        /// Go to the only object of a room.
        GoToObj => "GoToObj",
        /// Go to one of eight objects of a room.
        GoToLocal => "GoToLocal",
        /// Go to one of eight objects and four doors, in a maze.
        GoToObjDoor => "GoToObjDoor",
        /// Open a door of a maze.
        Open => "Open",
        /// Pick up one of the objects of a maze.
        Pickup => "Pickup",
    }
}

impl Task {
    /// The task with this name or level id: `GoToObj` or `BabyAI-GoToObj-v0`.
    pub fn find(name: &str) -> Result<Self, Error> {
        let named = Self::ALL.into_iter().flat_map(|task| [(task.name(), task), (task.level(), task)]);
        // The ids are understood, but the names are what is offered.
        let known = || Self::ALL.map(|task| task.name().to_owned()).to_vec();
        find_named(name, named).map_err(|unknown| Error::UnknownTask(UnknownName { known: known(), ..unknown }))
    }

    /// The id of its level.
    pub fn level(self) -> &'static str {
        match self {
            Self::GoToObj => "BabyAI-GoToObj-v0",
            Self::GoToLocal => "BabyAI-GoToLocal-v0",
            Self::GoToObjDoor => "BabyAI-GoToObjDoor-v0",
            Self::Open => "BabyAI-Open-v0",
            Self::Pickup => "BabyAI-Pickup-v0",
        }
    }

    /// What its missions ask for.
    pub fn errand(self) -> Errand {
        match self {
            Self::GoToObj | Self::GoToLocal | Self::GoToObjDoor => Errand::GoTo,
            Self::Open => Errand::Open,
            Self::Pickup => Errand::PickUp,
        }
    }

    /// The objects its missions can name, kind by kind and colour by colour.
    pub fn objects(self) -> Vec<Object> {
        let kinds: &[Kind] = match self {
            Self::GoToObj | Self::GoToLocal | Self::Pickup => &[Kind::Key, Kind::Ball, Kind::Box],
            Self::GoToObjDoor => &[Kind::Key, Kind::Ball, Kind::Box, Kind::Door],
            Self::Open => &[Kind::Door],
        };
        let colours = Colour::BY_NAME;
        kinds.iter().flat_map(|&kind| colours.map(|colour| Object { kind: Some(kind), colour: Some(colour) })).collect()
    }

    /// Where the object can be: every place of the view, and out of it. In a single room of 6 by 6 cells nothing that
    /// lies in it is six steps ahead.
    pub fn places(self) -> Vec<Option<Place>> {
        let farthest = match self {
            Self::GoToObj | Self::GoToLocal => 5,
            Self::GoToObjDoor | Self::Open | Self::Pickup => 6,
        };
        let seen = Place::all().filter(|place| place.ahead() <= farthest);
        seen.map(Some).chain([None]).collect()
    }
}
