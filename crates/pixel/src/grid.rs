//! A grid: walls, start and goal, with every shortest way to the goal.
//!
//! Cells are numbered row by row from the north-west corner. Invariant: start and goal are different free cells, and a
//! way joins them. Since moves can be taken back, the goal can then be reached from every cell the agent can ever stand on.

use std::collections::VecDeque;

use crate::{Error, Look, Move, PixelSpec};

/// The distance of a cell from which no way leads to the goal.
pub(crate) const NO_WAY: u16 = u16::MAX;

/// Walls, start and goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    spec: PixelSpec,
    looks: Box<[Look]>,
    start: u16,
    goal: u16,
    /// Where each move leads from each cell: a step is one look into this table.
    next: Box<[[u16; 4]]>,
    /// The fewest steps from each cell to the goal.
    distances: Box<[u16]>,
}

impl Grid {
    /// The grid with these walls, if a way leads from the start to the goal. The specification is a checked one.
    pub(crate) fn joined(spec: &PixelSpec, is_wall: &[bool], start: u16, goal: u16) -> Option<Self> {
        let mut looks: Box<[Look]> = is_wall.iter().map(|&wall| if wall { Look::Wall } else { Look::Free }).collect();
        looks[usize::from(goal)] = Look::Goal;
        let next: Box<[[u16; 4]]> = (0..spec.cells()).map(|cell| neighbours(spec.size, &looks, cell)).collect();
        let distances = distances(&next, &looks, goal);
        let joined = distances[usize::from(start)] != NO_WAY;
        joined.then_some(Self { spec: *spec, looks, start, goal, next, distances })
    }

    /// The same walls and start with the goal elsewhere.
    pub fn with_goal(&self, x: usize, y: usize) -> Result<Self, Error> {
        let goal = self.free_cell("the goal", x, y)?;
        if goal == self.start {
            return Err(Error::NoPlace { what: "the goal", x, y, why: "the agent starts there" });
        }
        let is_wall: Vec<bool> = self.looks.iter().map(|&look| look == Look::Wall).collect();
        let unreachable = Error::NoPlace { what: "the goal", x, y, why: "no way leads there" };
        Self::joined(&self.spec, &is_wall, self.start, goal).ok_or(unreachable)
    }

    /// The cells to which the goal of a grid with its ends in the corners may move: as far from the start and from the first
    /// goal as the grid is wide. The middle of every shortest way from corner to corner is one of them.
    pub(crate) fn second_places(&self) -> Vec<u16> {
        let least = number(self.spec.size - 1);
        let from_start = distances(&self.next, &self.looks, self.start);
        let steps = from_start.iter().zip(&self.distances).enumerate();
        let far = |steps: u16| steps != NO_WAY && steps >= least;
        steps.filter(|&(_, (&start, &goal))| far(start) && far(goal)).map(|(cell, _)| number(cell)).collect()
    }

    /// The parameters it was made with.
    pub fn spec(&self) -> &PixelSpec {
        &self.spec
    }

    /// Column and row of the start.
    pub fn start(&self) -> (usize, usize) {
        self.place(self.start)
    }

    /// Column and row of the goal.
    pub fn goal(&self) -> (usize, usize) {
        self.place(self.goal)
    }

    /// What a cell looks like; outside for a place that is not in the grid.
    pub fn look(&self, x: isize, y: isize) -> Look {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return Look::Outside };
        let size = self.spec.size;
        if x < size && y < size { self.looks[y * size + x] } else { Look::Outside }
    }

    /// The fewest steps from a cell to the goal; nothing for a wall, an island or a place outside.
    pub fn distance(&self, x: usize, y: usize) -> Option<u32> {
        let cell = self.free_cell("the agent", x, y).ok()?;
        let distance = self.distances[usize::from(cell)];
        (distance != NO_WAY).then_some(u32::from(distance))
    }

    pub(crate) fn free_cell(&self, what: &'static str, x: usize, y: usize) -> Result<u16, Error> {
        let size = self.spec.size;
        let refused = |why| Err(Error::NoPlace { what, x, y, why });
        if x >= size || y >= size {
            return refused("that is outside the grid");
        }
        let cell = y * size + x;
        if self.looks[cell] == Look::Wall { refused("a wall is there") } else { Ok(number(cell)) }
    }

    /// Column and row of a cell.
    pub(crate) fn place(&self, cell: u16) -> (usize, usize) {
        let cell = usize::from(cell);
        (cell % self.spec.size, cell / self.spec.size)
    }

    pub(crate) fn start_cell(&self) -> u16 {
        self.start
    }

    pub(crate) fn goal_cell(&self) -> u16 {
        self.goal
    }

    pub(crate) fn next(&self, cell: u16) -> [u16; 4] {
        self.next[usize::from(cell)]
    }

    pub(crate) fn steps_to_goal(&self, cell: u16) -> u16 {
        self.distances[usize::from(cell)]
    }
}

/// The number of a cell. A grid has at most 64 x 64.
pub(crate) fn number(cell: usize) -> u16 {
    u16::try_from(cell).unwrap_or(u16::MAX)
}

/// Where the four moves lead: into the neighbour, or nowhere if that is a wall or outside.
fn neighbours(size: usize, looks: &[Look], cell: usize) -> [u16; 4] {
    let (x, y) = (cell % size, cell / size);
    Move::ALL.map(|way| {
        let (east, south) = way.offset();
        let place = x.checked_add_signed(east).zip(y.checked_add_signed(south));
        let ahead = place.filter(|&(x, y)| x < size && y < size).map_or(cell, |(x, y)| y * size + x);
        number(if looks[ahead] == Look::Wall { cell } else { ahead })
    })
}

/// Breadth-first search from the goal. Ways can be walked in both directions, so one search serves all cells.
fn distances(next: &[[u16; 4]], looks: &[Look], goal: u16) -> Box<[u16]> {
    let mut distances = vec![NO_WAY; looks.len()].into_boxed_slice();
    distances[usize::from(goal)] = 0;
    let mut queue = VecDeque::from([goal]);
    while let Some(cell) = queue.pop_front() {
        let farther = distances[usize::from(cell)] + 1;
        for neighbour in next[usize::from(cell)] {
            if distances[usize::from(neighbour)] == NO_WAY {
                distances[usize::from(neighbour)] = farther;
                queue.push_back(neighbour);
            }
        }
    }
    distances
}
