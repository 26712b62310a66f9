//! What may be told: the mission, what the agent sees, and what was asked before.
//!
//! Invariant: a situation is a function of the observation and the instruction. Two states that look the same to the agent
//! are the same situation.

use std::fmt::{self, Display, Formatter};

use counsel_decision::Response;

use super::view::Thing;
use super::{Errand, Place, View};
use crate::{Act, Clause, Colour, Description, Error, Instruction, Kind, Observation, Part, World};

/// What a mission says of its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// The kind, or any.
    pub kind: Option<Kind>,
    /// The colour, or any.
    pub colour: Option<Colour>,
}

impl Object {
    /// Any object.
    pub const ANY: Self = Self { kind: None, colour: None };

    /// Whether a thing is such an object.
    pub fn fits(self, thing: Thing) -> bool {
        self.kind.map_or(thing.kind != Kind::Wall, |kind| kind == thing.kind)
            && self.colour.is_none_or(|colour| colour == thing.colour)
    }
}

impl Display for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(colour) = self.colour {
            write!(f, "{} ", colour.name())?;
        }
        f.write_str(self.kind.map_or("object", Kind::name))
    }
}

/// What may be told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Situation {
    pub(super) errand: Errand,
    pub(super) object: Object,
    pub(super) place: Option<Place>,
    pub(super) view: View,
    pub(super) wording: usize,
    pub(super) previous: Option<Response>,
}

impl Situation {
    /// The situation of a world's agent.
    pub fn of(world: &World) -> Result<Self, Error> {
        Self::new(world.observation(), world.instruction())
    }

    /// The situation of an agent that sees this and is told that.
    pub fn new(observation: &Observation, instruction: &Instruction) -> Result<Self, Error> {
        let refuse = |reason| Error::Mission { mission: instruction.to_string(), reason };
        let Instruction::Simple(Part::One(clause)) = instruction else {
            return Err(refuse("it asks for more than one thing"));
        };
        let (errand, description) = match clause {
            Clause::GoTo(object) => (Errand::GoTo, object),
            Clause::Open(door, _) => (Errand::Open, door),
            Clause::Pickup(object, _) => (Errand::PickUp, object),
            Clause::PutNext(..) => return Err(refuse("it speaks of two objects")),
        };
        let &Description { kind, colour, location, .. } = description;
        if location.is_some() {
            return Err(refuse("where the object was at the start cannot be seen later"));
        }
        let object = Object { kind, colour };
        let view = View::of(&observation.image);
        Ok(Self { errand, object, place: view.nearest(object), view, wording: 0, previous: None })
    }

    /// A situation of which only the mission and the object's place are known.
    pub(super) fn imagined(errand: Errand, object: Object, place: Option<Place>) -> Self {
        Self { errand, object, place, view: View::default(), wording: 0, previous: None }
    }

    /// The same, told in this wording of a template that has several. Counted round.
    #[must_use]
    pub fn worded(self, wording: usize) -> Self {
        Self { wording, ..self }
    }

    /// The same, after this answer did not help.
    #[must_use]
    pub fn after(self, answer: Response) -> Self {
        Self { previous: Some(answer), ..self }
    }

    /// What is to be done.
    pub fn errand(&self) -> Errand {
        self.errand
    }

    /// What it is to be done with.
    pub fn object(&self) -> Object {
        self.object
    }

    /// Where the nearest such object lies, if one is in view.
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    /// What the rule of the `hinted` template says, as a policy: walk while the object is ahead, else turn to its side, and
    /// turn right where it is not in view. An object that is to be opened or picked up is acted on from the cell before it.
    pub fn rule(&self) -> Act {
        let Some(place) = self.place else { return Act::Right };
        match (place.ahead(), place.aside(), self.errand) {
            (1, 0, Errand::Open) => Act::Toggle,
            (1, 0, Errand::PickUp) => Act::Pickup,
            (1.., _, _) => Act::Forward,
            (0, ..0, _) => Act::Left,
            (0, _, _) => Act::Right,
        }
    }

    /// What the agent sees.
    pub fn view(&self) -> &View {
        &self.view
    }
}
