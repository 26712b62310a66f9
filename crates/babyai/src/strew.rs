//! Strewing objects about, and asking whether they can be reached.

use crate::draft::{Draft, Place, Rejected};
use crate::grid::{NOTHING, ObjectId, WALL};
use crate::{Kind, Look};

/// Whether two distractors of a level may look the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twins {
    /// No two objects have the same kind and colour.
    Forbidden,
    /// Chance decides.
    Allowed,
}

impl Draft {
    /// Adds so many objects of drawn kinds and colours: to the given room, or each to a drawn one.
    pub(crate) fn strew(
        &mut self,
        place: Option<Place>,
        count: usize,
        twins: Twins,
    ) -> Result<Vec<ObjectId>, Rejected> {
        let mut looks: Vec<Look> = self.placed.iter().map(|&object| self.grid.look(object)).collect();
        let mut strewn = Vec::with_capacity(count);
        while strewn.len() < count {
            let colour = self.any_colour();
            let kind = self.random.element(&Kind::LOOSE);
            let look = Look::thing(kind, colour);
            if twins == Twins::Forbidden && looks.contains(&look) {
                continue;
            }
            let place = match place {
                Some(place) => place,
                None => self.any_place(),
            };
            strewn.push(self.add(place, kind, colour)?);
            looks.push(look);
        }
        Ok(strewn)
    }

    /// Rejects the draft if the agent would have to move one object to get to another.
    pub(crate) fn require_reachable(&self) -> Result<(), Rejected> {
        if self.all_reachable() { Ok(()) } else { Err(Rejected) }
    }

    /// Whether the agent can get to every object and door without moving anything. Doors, even locked ones, let pass.
    pub(crate) fn all_reachable(&self) -> bool {
        let width = usize::from(self.grid.width);
        let mut left = self.grid.cells.iter().filter(|&&object| object > WALL).count();
        let mut reached = vec![false; self.grid.cells.len()];
        let mut stack = Vec::with_capacity(self.grid.cells.len());
        stack.push(usize::from(self.grid.cell(self.agent)));
        while let Some(cell) = stack.pop() {
            if std::mem::replace(&mut reached[cell], true) {
                continue;
            }
            let object = self.grid.cells[cell];
            left -= usize::from(object > WALL);
            if object == NOTHING || self.grid.look(object).kind() == Some(Kind::Door) {
                stack.extend([cell + 1, cell - 1, cell + width, cell - width]);
            }
        }
        left == 0
    }
}
