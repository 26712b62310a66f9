//! The seven actions.

use counsel_decision::Response;
use counsel_world::named;

use crate::Error;

named! {
    /// What the agent can do.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Act {
        /// Turn left.
        Left = 0 => "left",
        /// Turn right.
        Right = 1 => "right",
        /// Walk into the cell ahead, if that is empty or an open door.
        Forward = 2 => "forward",
        /// Take what lies ahead, if the hand is empty.
        Pickup = 3 => "pickup",
        /// Put down what the hand holds, if the cell ahead is empty.
        Drop = 4 => "drop",
        /// Open, close or unlock the door ahead, or open the box ahead.
        Toggle = 5 => "toggle",
        /// Do nothing.
        Done = 6 => "done",
    }
}

impl Act {
    /// The action that an answer names.
    pub(crate) fn named_by(answer: Response) -> Option<Self> {
        match answer {
            Response::Recommends(action) => Self::try_from(action.index()).ok(),
            Response::Unusable => None,
        }
    }
}

impl TryFrom<usize> for Act {
    type Error = Error;

    fn try_from(number: usize) -> Result<Self, Error> {
        Self::ALL.get(number).copied().ok_or(Error::UnknownAct { number })
    }
}
