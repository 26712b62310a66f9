//! A lower bound on the steps to success, for every pose of one arrangement.
//!
//! The larger of two walks through the maze, both shortest:
//!
//! - The *walk past things*: to walk into a cell with a closed door or an object costs one action more than a step,
//!   since each such cell takes a toggle or a pickup of its own to clear, and a shortest walk enters no cell twice. A
//!   locked door without any key of its colour cannot be passed.
//! - The *walk for keys*: a locked door is closed until a key of its colour (or a box with one) has been faced and one
//!   action spent on it. Keys part the walk into stretches, and each stretch may enter the same cell; so with n colours
//!   of locks, to walk into a cell with something else costs the (n + 1)th part of an action.
//!
//! Either ends with the deed: nothing more for going somewhere, one action for a pickup or for opening a closed door,
//! two for a door that must be closed first. Whoever is to pick something up and has a full hand needs one more.
//!
//! Invariant: it never exceeds the distance, and no action lowers it by more than one.

use crate::grid::{NOTHING, NOWHERE, ObjectId, WALL};
use crate::view::FORWARD;
use crate::{Clause, Colour, Kind, Latch, State};

/// The bound of a pose from which success cannot be reached.
pub(super) const NEVER: u16 = u16::MAX;

/// The bounds of all poses, for the things as they are arranged in a state.
pub(super) fn bounds(state: &State, clause: &Clause) -> Vec<u16> {
    let poses = state.grid.cells.len() * 4;
    let (objects, burden) = match clause {
        Clause::GoTo(object) | Clause::Open(object, _) | Clause::PutNext(object, _) => (object, 0),
        Clause::Pickup(object, _) => (object, u16::from(state.hand != NOTHING)),
    };
    if state.hand != NOTHING && objects.fits(state.hand) {
        // It can be dropped at once, which makes it gone to; to be picked up, it must be dropped first.
        let again = matches!(clause, Clause::Pickup(..)) && state.progress.first_hand() != NOTHING;
        return vec![if again { 2 } else { 0 }; poses];
    }
    let maze = Maze::new(state, clause);
    let mut walk = maze.walk(Burden::Things);
    if !maze.locks.is_empty() {
        for (bound, other) in walk.iter_mut().zip(maze.walk(Burden::Keys)) {
            *bound = (*bound).max(other);
        }
    }
    for bound in &mut walk {
        *bound = bound.saturating_add(burden);
    }
    walk
}

/// What a walk has to care for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Burden {
    Things,
    Keys,
}

struct Maze<'a> {
    state: &'a State,
    /// The colours of locked doors for which there are keys.
    locks: Vec<Colour>,
    /// The cells to face, each with the actions that the deed takes, and the lock of its door.
    goals: Vec<(u16, u16, usize)>,
    /// The steps ahead, as differences of cell numbers.
    ahead: [i32; 4],
}

impl<'a> Maze<'a> {
    fn new(state: &'a State, clause: &Clause) -> Self {
        let grid = &state.grid;
        let mut locks = Vec::new();
        for object in &grid.objects {
            let colour = object.look.colour();
            let locked = object.look.latch() == Some(Latch::Locked) && !locks.contains(&colour);
            let is_key = |look: crate::Look| look.kind() == Some(Kind::Key) && look.colour() == colour;
            if locked && grid.objects.iter().any(|other| is_key(other.look)) {
                locks.push(colour);
            }
        }
        let mut maze = Self { state, locks, goals: Vec::new(), ahead: FORWARD.map(|step| delta(step, grid.width)) };
        for (id, object) in grid.objects.iter().enumerate().skip(usize::from(WALL) + 1) {
            let id = ObjectId::try_from(id).unwrap_or(NOTHING);
            let (cell, cost, locks) = match clause {
                Clause::GoTo(goal) if goal.fits(id) => (object.seen, 0, 0),
                Clause::Pickup(goal, _) if goal.fits(id) => (object.cell, 1, 0),
                Clause::Open(goal, _) if goal.fits(id) => match object.look.latch() {
                    Some(Latch::Open) => (object.cell, 2, 0),
                    Some(Latch::Locked) => match maze.lock(object.look.colour()) {
                        Some(lock) => (object.cell, 1, 1 << lock),
                        None => continue,
                    },
                    _ => (object.cell, 1, 0),
                },
                _ => continue,
            };
            if cell != NOWHERE {
                maze.goals.push((cell, cost, locks));
            }
        }
        maze
    }

    fn lock(&self, colour: Colour) -> Option<usize> {
        self.locks.iter().position(|&lock| lock == colour)
    }

    /// The lock that an object opens: a key, or a box that holds one.
    fn opens(&self, mut object: ObjectId) -> Option<usize> {
        loop {
            let thing = self.state.grid.objects[usize::from(object)];
            match thing.look.kind() {
                Some(Kind::Key) => return self.lock(thing.look.colour()),
                Some(Kind::Box) if thing.holds != NOTHING => object = thing.holds,
                _ => return None,
            }
        }
    }

    /// What walking into a cell costs beyond the step, and the locks that must be open for it; none for a wall.
    fn enter(&self, cell: u16, burden: Burden) -> Option<(u16, usize)> {
        let id = self.state.grid.at(cell);
        let look = self.state.grid.look(id);
        if id == WALL {
            return None;
        }
        let locks = match look.latch() {
            Some(Latch::Locked) => 1 << self.lock(look.colour())?,
            _ => 0,
        };
        let blocked = u16::from(!look.is_free());
        Some(match burden {
            Burden::Things => (blocked, 0),
            Burden::Keys if self.opens(id).is_some() => (0, locks),
            Burden::Keys => (blocked, locks),
        })
    }

    /// For every pose the cost of the shortest walk to the deed, searched from its end. With keys to care for, a node
    /// is a pose and the set of locks that can be opened, and an action has as many units as the walk has stretches.
    fn walk(&self, burden: Burden) -> Vec<u16> {
        let grid = &self.state.grid;
        let poses = grid.cells.len() * 4;
        let locks = if burden == Burden::Keys { self.locks.len() } else { 0 };
        let (rings, unit) = (1 << locks, u16::try_from(locks).unwrap_or(0) + 1);
        let mut best = vec![NEVER; poses * rings];
        // No move costs more than two actions, so as many layers, used round and round, hold all that waits.
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); 2 * usize::from(unit) + 2];
        let count = layers.len();
        for &(cell, cost, locks) in &self.goals {
            for (direction, ahead) in self.ahead.iter().enumerate() {
                if let Some(from) = self.inside(i32::from(cell) - ahead) {
                    for ring in (0..rings).filter(|ring| rings == 1 || ring & locks == locks) {
                        layers[usize::from(cost * unit)].push(ring * poses + usize::from(from) * 4 + direction);
                    }
                }
            }
        }
        let mut cost = 0;
        while layers.iter().any(|layer| !layer.is_empty()) {
            let mut layer = std::mem::take(&mut layers[usize::from(cost) % count]);
            let mut push = |more: u16, node: usize| layers[usize::from(cost + more) % count].push(node);
            for node in layer.drain(..) {
                if best[node] != NEVER {
                    continue;
                }
                best[node] = cost;
                let (ring, at) = (node / poses, node % poses);
                push(unit, node - at % 4 + (at + 1) % 4);
                push(unit, node - at % 4 + (at + 3) % 4);
                let Ok(cell) = u16::try_from(at / 4) else { continue };
                let ahead = self.ahead[at % 4];
                if let Some((extra, locks)) = self.enter(cell, burden)
                    && ring & locks == locks
                    && let Some(from) = self.inside(i32::from(cell) - ahead)
                {
                    push(unit + extra, ring * poses + usize::from(from) * 4 + at % 4);
                }
                if rings > 1
                    && let Ok(front) = u16::try_from(i32::from(cell) + ahead)
                    && let Some(lock) = self.opens(grid.at(front))
                    && ring >> lock & 1 == 1
                {
                    // Searched from the end: the action on the key leads back to where its lock cannot be opened yet.
                    push(unit, node - (poses << lock));
                }
            }
            cost += 1;
        }
        let ring = if rings > 1 { self.opens(self.state.hand).map_or(0, |lock| 1 << lock) } else { 0 };
        let best = &best[ring * poses..(ring + 1) * poses];
        // Steps are whole, so a bound on them may be rounded up.
        best.iter().map(|&bound| if bound == NEVER { NEVER } else { bound.div_ceil(unit) }).collect()
    }

    /// The cell of this number, if the agent may stand there sometime.
    fn inside(&self, cell: i32) -> Option<u16> {
        let cell = u16::try_from(cell).ok().filter(|&cell| usize::from(cell) < self.state.grid.cells.len())?;
        (self.state.grid.at(cell) != WALL).then_some(cell)
    }
}

fn delta((dx, dy): (i8, i8), width: u8) -> i32 {
    i32::from(dx) + i32::from(dy) * i32::from(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::pose;
    use crate::random::Generator;
    use crate::verify::Status;
    use crate::{Act, Instruction, Part, World, levels};

    #[test]
    fn no_action_lowers_the_bound_by_more_than_one() {
        let mut random = Generator::new(8);
        let mut lowered = 0;
        for (level, seed) in levels().iter().flat_map(|level| (0..12).map(move |seed| (level, seed))) {
            let mut world = World::new(level.id).unwrap();
            world.reset(Some(seed));
            let mut state = world.state().clone();
            let Instruction::Simple(Part::One(clause)) = state.instruction else { continue };
            if matches!(clause, Clause::PutNext(..)) {
                continue;
            }
            let bound = |state: &State| i32::from(bounds(state, &clause)[usize::from(pose(state))]);
            let mut before = bound(&state);
            for _ in 0..60 {
                // Walks, and mostly does something with what is ahead; also after the end.
                let busy = [Act::Pickup, Act::Toggle, Act::Drop];
                let walks = state.grid.at(state.front()) == NOTHING && random.below(8) > 0;
                let walk = [Act::Forward, Act::Forward, Act::Forward, Act::Left, Act::Right];
                let act = if walks { random.element(&walk) } else { random.element(&[&busy[..], &walk[2..]].concat()) };
                let status = state.act(act);
                let after = bound(&state);
                let left = if status == Status::Succeeds { 0 } else { after };
                assert!(before <= left + 1, "{} seed {seed} {act:?}: {before} then {left}", level.id);
                lowered += u32::from(after < before);
                before = after;
            }
        }
        assert!(lowered > 5000, "{lowered}");
    }
}
