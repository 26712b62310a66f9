//! What the agent sees: the looks of the cells in a square window around it.
//!
//! Walls do not hide what is behind them. Invariant: whatever a learner, a rule or an advisor is given follows from
//! these looks alone. So the goal's direction is known while the goal is in the window and at no other time.

use crate::{Grid, Look, Move, State};

/// How far something lies from the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset {
    /// Columns to the east; negative to the west.
    pub east: isize,
    /// Rows to the south; negative to the north.
    pub south: isize,
}

/// The window around the agent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Observation {
    window: usize,
    looks: Vec<Look>,
}

impl State {
    /// What the agent sees.
    pub fn observation(&self) -> Observation {
        let mut observation = Observation { window: 0, looks: Vec::new() };
        self.observe(&mut observation);
        observation
    }

    /// Writes what the agent sees over an earlier observation, so that no memory is taken for it.
    pub fn observe(&self, observation: &mut Observation) {
        observation.window = self.spec().window;
        observation.looks.clear();
        observation.looks.extend(self.looks());
    }

    /// The looks of the window, row by row.
    pub(crate) fn looks(&self) -> impl Iterator<Item = Look> {
        let (x, y) = self.place();
        // A grid has at most 64 columns, so these are small numbers.
        let (x, y) = (x.cast_signed(), y.cast_signed());
        let reach = (self.spec().window / 2).cast_signed();
        let grid: &Grid = self.grid();
        (y - reach..=y + reach).flat_map(move |row| (x - reach..=x + reach).map(move |column| grid.look(column, row)))
    }
}

impl Observation {
    /// How many cells the window has on a side.
    pub fn window(&self) -> usize {
        self.window
    }

    /// The looks, row by row from the north-west. The agent stands in the middle.
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// What lies at an offset from the agent; nothing if that is not in the window.
    pub fn look(&self, offset: Offset) -> Option<Look> {
        let reach = (self.window / 2).cast_signed();
        let inside = -reach..=reach;
        let is_inside = inside.contains(&offset.east) && inside.contains(&offset.south);
        let place = (offset.south + reach) * self.window.cast_signed() + offset.east + reach;
        self.looks.get(usize::try_from(place).ok().filter(|_| is_inside)?).copied()
    }

    /// Where the goal lies, if it is in the window.
    pub fn goal(&self) -> Option<Offset> {
        let place = self.looks.iter().position(|&look| look == Look::Goal)?;
        let reach = (self.window / 2).cast_signed();
        let (column, row) = (place % self.window, place / self.window);
        Some(Offset { east: column.cast_signed() - reach, south: row.cast_signed() - reach })
    }

    /// Whether a wall or the edge of the grid stands in the way of a move.
    pub fn is_blocked(&self, way: Move) -> bool {
        let (east, south) = way.offset();
        self.look(Offset { east, south }).is_none_or(Look::is_blocked)
    }
}
