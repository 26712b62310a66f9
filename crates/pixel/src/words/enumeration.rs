//! Every situation that can come about in a world, found without drawing its grids.
//!
//! A situation tells the goal's place and where four straight looks end. So it is enough to put the agent on every cell
//! and to end each look in every way it can: at a wall in one of its cells, at the goal or the edge, or at the end of
//! sight. Left out is what no grid can show, since a way joins start and goal: a wall on one of them, an agent or a goal
//! that is shut in, and more walls than there are. Invariant: every situation of every grid is listed, the one on the goal
//! included.

use std::collections::BTreeSet;

use crate::{Ahead, Ends, Move, Offset, PixelSpec, Situation, Stop};

/// The widest window that is listed. There are some hundred situations with it, and thousands with the next one.
const WIDEST: usize = 5;

/// A cell: its column and row.
type Cell = (usize, usize);

/// The start of worlds whose ends lie in the corners.
const START: Cell = (0, 0);

/// Every situation of a world, each once; nothing where there are too many. With a goal anywhere, or one that moves, each of its
/// places in the window would multiply the looks around it.
pub(crate) fn situations(spec: &PixelSpec) -> Option<BTreeSet<Situation>> {
    if spec.ends != Ends::Corners || spec.goal_moves_after.is_some() || spec.window > WIDEST {
        return None;
    }
    let cells = (0..spec.size).flat_map(|y| (0..spec.size).map(move |x| (x, y)));
    Some(cells.flat_map(|agent| situations_at(spec, agent)).collect())
}

fn situations_at(spec: &PixelSpec, agent: Cell) -> Vec<Situation> {
    let [north, east, south, west] = Move::ALL.map(|way| looks(spec, agent, way));
    let goal = goal_in_sight(spec, agent);
    let mut situations = Vec::new();
    for &north in &north {
        for &east in &east {
            for &south in &south {
                for &west in &west {
                    situations.push(Situation { goal, ahead: [north, east, south, west] });
                }
            }
        }
    }
    situations.retain(|situation| is_possible(spec, situation));
    situations
}

fn is_possible(spec: &PixelSpec, Situation { goal, ahead }: &Situation) -> bool {
    let walls = ahead.iter().filter(|ahead| ahead.stop == Stop::Wall).count();
    let [_, east, south, _] = ahead;
    // Seen from here the two neighbours of a goal in the corner are those of the agent.
    let is_diagonal = *goal == Some(Offset { east: 1, south: 1 });
    let is_goal_shut_in = is_diagonal && is_blocked(east) && is_blocked(south);
    walls <= spec.wall_cells() && !ahead.iter().all(is_blocked) && !is_goal_shut_in
}

/// Every way in which a straight look can end.
fn looks(spec: &PixelSpec, (x, y): Cell, way: Move) -> Vec<Ahead> {
    let (east, south) = way.offset();
    let (mut looks, mut cell) = (Vec::new(), (x, y));
    for free_cells in 0..spec.window / 2 {
        let next = cell.0.checked_add_signed(east).zip(cell.1.checked_add_signed(south));
        let Some(next) = next.filter(|&(x, y)| x < spec.size && y < spec.size) else {
            looks.push(Ahead { free_cells, stop: Stop::Edge });
            return looks;
        };
        if next == goal_of(spec) {
            looks.push(Ahead { free_cells, stop: Stop::Goal });
            return looks;
        }
        if next != START {
            looks.push(Ahead { free_cells, stop: Stop::Wall });
        }
        cell = next;
    }
    looks.push(Ahead { free_cells: spec.window / 2, stop: Stop::Sight });
    looks
}

fn is_blocked(ahead: &Ahead) -> bool {
    ahead.free_cells == 0 && matches!(ahead.stop, Stop::Wall | Stop::Edge)
}

/// The goal of worlds whose ends lie in the corners.
fn goal_of(spec: &PixelSpec) -> Cell {
    (spec.size - 1, spec.size - 1)
}

fn goal_in_sight(spec: &PixelSpec, (x, y): Cell) -> Option<Offset> {
    let (column, row) = goal_of(spec);
    let is_seen = (column - x).max(row - y) <= spec.window / 2;
    is_seen.then(|| Offset { east: (column - x).cast_signed(), south: (row - y).cast_signed() })
}
