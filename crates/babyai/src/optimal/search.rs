//! One search: the states it has met, and the order in which they are looked at.
//!
//! States are taken in the order of steps made plus bound, and among equals of steps made. Each carries the first
//! actions of all shortest ways to it. Since no action lowers the bound by more than one, a state on a shortest way to
//! another is taken before that one, so its first actions are complete when it is taken; and the search ends only when
//! every state that may lie on a shortest way to success has been taken.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{Acts, Optimum};
use crate::arrangement::Place;

/// A state that has been met.
pub(super) struct Node {
    place: Place,
    /// The fewest steps to it so far.
    steps: u32,
    /// The first actions of the ways to it of so many steps.
    firsts: Acts,
    taken: bool,
}

/// The states met so far.
pub(super) struct Search {
    pub(super) nodes: Vec<Node>,
    numbers: BTreeMap<Place, usize>,
    /// Steps made plus bound, steps made, and the number of the state.
    queue: BinaryHeap<Reverse<(u32, u32, usize)>>,
    pub(super) best: Option<Optimum>,
}

impl Search {
    pub(super) fn new(start: Place, bound: u32) -> Self {
        let mut search = Self { nodes: Vec::new(), numbers: BTreeMap::new(), queue: BinaryHeap::new(), best: None };
        search.meet(start, 0, Acts::default(), bound);
        search
    }

    /// The next state to look at, with the steps to it and their first actions; none once the answer is complete.
    pub(super) fn take(&mut self) -> Option<(Place, u32, Acts)> {
        while let Some(Reverse((total, steps, number))) = self.queue.pop() {
            if self.best.is_some_and(|best| total > best.distance) {
                return None;
            }
            let node = &mut self.nodes[number];
            if !node.taken && node.steps == steps {
                node.taken = true;
                return Some((node.place, steps, node.firsts));
            }
        }
        None
    }

    /// A state has been met after so many steps.
    pub(super) fn meet(&mut self, place: Place, steps: u32, firsts: Acts, bound: u32) {
        let number = *self.numbers.entry(place).or_insert(self.nodes.len());
        match self.nodes.get_mut(number) {
            None => self.nodes.push(Node { place, steps, firsts, taken: false }),
            Some(node) if node.steps < steps => return,
            Some(node) if node.steps == steps => {
                node.firsts = node.firsts.with(firsts);
                return;
            }
            Some(node) => (node.steps, node.firsts) = (steps, firsts),
        }
        self.queue.push(Reverse((steps + bound, steps, number)));
    }

    /// Success has been met after so many steps.
    pub(super) fn succeed(&mut self, distance: u32, firsts: Acts) {
        self.best = match self.best {
            Some(best) if best.distance < distance => Some(best),
            Some(best) if best.distance == distance => Some(Optimum { distance, acts: best.acts.with(firsts) }),
            _ => Some(Optimum { distance, acts: firsts }),
        };
    }
}
