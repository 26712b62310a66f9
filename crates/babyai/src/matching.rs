//! Holding a description against a draft: which objects it fits.

use crate::draft::{Draft, Rejected};
use crate::grid::{ObjectId, Point, WALL};
use crate::instruction::{Clause, Description, Instruction, Location};
use crate::view::FORWARD;
use crate::{Colour, Kind, Latch};

impl Draft {
    /// The description of this kind, colour and location, with the objects it fits.
    pub(crate) fn describe(
        &self,
        kind: Option<Kind>,
        colour: Option<Colour>,
        location: Option<Location>,
    ) -> Description {
        let mut description = Description::new(kind, colour, location);
        for (id, object) in self.grid.objects.iter().enumerate().skip(usize::from(WALL) + 1) {
            let lies = usize::from(object.cell) < self.grid.cells.len();
            let kind_fits = kind.is_none_or(|kind| object.look.kind() == Some(kind));
            let colour_fits = colour.is_none_or(|colour| object.look.colour() == colour);
            if lies && kind_fits && colour_fits {
                let here = |location| self.lies(self.grid.point(object.cell), location);
                if location.is_none_or(here) {
                    description.objects |= 1 << id;
                }
            }
        }
        // The original counts walls too, of which there are many, and which are grey.
        let walls = kind.is_none() && colour.is_none_or(|colour| colour == Colour::Grey);
        description.several = walls || description.objects.count_ones() > 1;
        description
    }

    /// The description of an object by kind and colour.
    pub(crate) fn describe_object(&self, object: ObjectId) -> Description {
        let look = self.grid.look(object);
        self.describe(look.kind(), Some(look.colour()), None)
    }

    /// The description of an object by kind alone.
    pub(crate) fn describe_kind(&self, object: ObjectId) -> Description {
        self.describe(self.grid.look(object).kind(), None, None)
    }

    /// Whether a point of the agent's room lies in this direction of the agent.
    fn lies(&self, at: Point, location: Location) -> bool {
        let room = &self.rooms[self.room_at(self.agent)];
        let (dx, dy) = FORWARD[usize::from(self.direction)];
        let (x, y) = (i32::from(at.0) - i32::from(self.agent.0), i32::from(at.1) - i32::from(self.agent.1));
        let ahead = x * i32::from(dx) + y * i32::from(dy);
        let aside = y * i32::from(dx) - x * i32::from(dy);
        room.contains(self.room_size, at)
            && match location {
                Location::Left => aside < 0,
                Location::Right => aside > 0,
                Location::Front => ahead > 0,
                Location::Behind => ahead < 0,
            }
    }

    /// Rejects instructions that are done already or that contradict themselves.
    pub(crate) fn require_valid(&self, instruction: &Instruction) -> Result<(), Rejected> {
        let is_void = |clause: &Clause| match clause {
            Clause::PutNext(moved, fixed) => {
                moved.objects & fixed.objects != 0 || self.side_by_side(moved.objects, fixed.objects)
            }
            _ => false,
        };
        if instruction.clauses().any(is_void) { Err(Rejected) } else { Ok(()) }
    }

    /// Rejects instructions that speak of a key that is needed: one that opens a locked door.
    pub(crate) fn require_useless_keys(&self, instruction: &Instruction) -> Result<(), Rejected> {
        let is_needed = |clause: &Clause| match clause {
            Clause::GoTo(object) | Clause::Open(object, _) | Clause::Pickup(object, _) => self.opens(object),
            Clause::PutNext(moved, fixed) => self.opens(moved) || self.opens(fixed),
        };
        if instruction.clauses().any(is_needed) { Err(Rejected) } else { Ok(()) }
    }

    fn side_by_side(&self, moved: u64, fixed: u64) -> bool {
        let points = |set: u64| {
            let objects = self.grid.objects.iter().enumerate().filter(move |(id, _)| set >> id & 1 == 1);
            objects.map(|(_, object)| self.grid.point(object.cell))
        };
        points(moved).any(|(x, y)| points(fixed).any(|(u, v)| x.abs_diff(u) + y.abs_diff(v) == 1))
    }

    /// Whether a description asks for a key of the colour of a locked door.
    fn opens(&self, description: &Description) -> bool {
        let locked = |colour: Colour| {
            self.grid
                .objects
                .iter()
                .any(|object| object.look.latch() == Some(Latch::Locked) && object.look.colour() == colour)
        };
        description.kind == Some(Kind::Key) && description.colour.is_some_and(locked)
    }
}
