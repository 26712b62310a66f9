//! What a player can do, and how it is said.

use crate::{Game, Object, Receptacle};

/// One thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// Look around.
    Look,
    /// Say what is carried.
    Inventory,
    /// List what can be said.
    Help,
    /// Walk to a receptacle.
    GoTo(Receptacle),
    /// Open one.
    Open(Receptacle),
    /// Close one.
    Close(Receptacle),
    /// Look into or onto one.
    Search(Receptacle),
    /// Look closely at what is held.
    Examine(Object),
    /// Pick up an object.
    Take(Object, Receptacle),
    /// Put down what is held.
    Move(Object, Receptacle),
    /// Switch on.
    Use(Object),
    /// Heat what is held.
    Heat(Object, Receptacle),
    /// Cool what is held.
    Cool(Object, Receptacle),
    /// Clean what is held.
    Clean(Object, Receptacle),
    /// Slice the first with the second, which is held.
    Slice(Object, Object),
}

impl Command {
    /// The words for it, in this game.
    pub(crate) fn text(self, game: &Game) -> String {
        let (o, r) = (|o: Object| game.object_name(o), |r: Receptacle| game.receptacle_name(r));
        match self {
            Self::Look => "look".to_owned(),
            Self::Inventory => "inventory".to_owned(),
            Self::Help => "help".to_owned(),
            Self::GoTo(to) => format!("go to {}", r(to)),
            Self::Open(it) => format!("open {}", r(it)),
            Self::Close(it) => format!("close {}", r(it)),
            Self::Search(it) => format!("examine {}", r(it)),
            Self::Examine(it) => format!("examine {}", o(it)),
            Self::Take(it, from) => format!("take {} from {}", o(it), r(from)),
            Self::Move(it, to) => format!("move {} to {}", o(it), r(to)),
            Self::Use(it) => format!("use {}", o(it)),
            Self::Heat(it, with) => format!("heat {} with {}", o(it), r(with)),
            Self::Cool(it, with) => format!("cool {} with {}", o(it), r(with)),
            Self::Clean(it, with) => format!("clean {} with {}", o(it), r(with)),
            Self::Slice(it, with) => format!("slice {} with {}", o(it), o(with)),
        }
    }
}
