//! What changes in a game, as bits.
//!
//! The agent's place and what it holds stand in [`State`](crate::State) itself; all else that an action can change is one
//! bit per fact, so that a state is small, cheap to copy and cheap to compare.

use crate::{Location, Object, Receptacle};

/// Something that an action can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fact {
    /// The agent stands here.
    AgentAt(Location),
    /// The agent holds this.
    Holds(Object),
    /// The agent's hand is full.
    HoldsAny,
    /// An object is in or on a receptacle.
    Inside(Object, Receptacle),
    /// An object was taken from a receptacle, and has not been put back there since.
    ///
    /// DIFFERENCE: in PDDL this is the negation of `Inside`. The original notes a negation only where an effect brought
    /// it about, and its texts depend on that.
    TakenFrom(Object, Receptacle),
    /// An object lies at a location.
    ObjectAt(Object, Location),
    Opened(Receptacle),
    Clean(Object),
    Hot(Object),
    Cool(Object),
    On(Object),
    Toggled(Object),
    Sliced(Object),
}

/// Where the bit of each fact is, for so many things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) objects: usize,
    pub(crate) receptacles: usize,
    pub(crate) locations: usize,
}

impl Layout {
    /// How many bits there are.
    pub(crate) fn bits(self) -> usize {
        self.objects * (2 * self.receptacles + self.locations + 6) + self.receptacles
    }

    /// The place of a fact's bit; none for what is not kept as a bit.
    fn bit(self, fact: Fact) -> Option<usize> {
        let Self { objects, receptacles, locations } = self;
        let pairs = objects * receptacles;
        let singles = 2 * pairs + objects * locations;
        let of_object = |number: usize, object: Object| singles + number * objects + object.index();
        Some(match fact {
            Fact::AgentAt(_) | Fact::Holds(_) | Fact::HoldsAny => return None,
            Fact::Inside(o, r) => r.index() * objects + o.index(),
            Fact::TakenFrom(o, r) => pairs + r.index() * objects + o.index(),
            Fact::ObjectAt(o, l) => 2 * pairs + l.index() * objects + o.index(),
            Fact::Clean(o) => of_object(0, o),
            Fact::Hot(o) => of_object(1, o),
            Fact::Cool(o) => of_object(2, o),
            Fact::On(o) => of_object(3, o),
            Fact::Toggled(o) => of_object(4, o),
            Fact::Sliced(o) => of_object(5, o),
            Fact::Opened(r) => singles + 6 * objects + r.index(),
        })
    }
}

/// Which facts hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    layout: Layout,
    words: Box<[u64]>,
}

impl Facts {
    pub(crate) fn none(layout: Layout) -> Self {
        Self { layout, words: vec![0; layout.bits().div_ceil(64)].into() }
    }

    pub(crate) fn has(&self, fact: Fact) -> bool {
        self.layout.bit(fact).is_some_and(|bit| self.words[bit / 64] >> (bit % 64) & 1 == 1)
    }

    pub(crate) fn set(&mut self, fact: Fact, holds: bool) {
        if let Some(bit) = self.layout.bit(fact) {
            let (word, mask) = (&mut self.words[bit / 64], 1 << (bit % 64));
            if holds { *word |= mask } else { *word &= !mask }
        }
    }

    /// What is in or on a receptacle, in the order of ids.
    pub(crate) fn inside(&self, receptacle: Receptacle) -> impl Iterator<Item = Object> {
        let first = receptacle.index() * self.layout.objects;
        let ones = Ones { words: &self.words, next: first, end: first + self.layout.objects };
        ones.map(move |bit| object(bit - first))
    }

    /// What lies at a location, in the order of ids.
    pub(crate) fn at(&self, location: Location) -> impl Iterator<Item = Object> {
        let Layout { objects, receptacles, .. } = self.layout;
        let first = 2 * objects * receptacles + location.index() * objects;
        Ones { words: &self.words, next: first, end: first + objects }.map(move |bit| object(bit - first))
    }
}

fn object(index: usize) -> Object {
    Object(u16::try_from(index).unwrap_or(u16::MAX))
}

/// The bits that are set in a range, word by word: most of a row is empty.
struct Ones<'a> {
    words: &'a [u64],
    next: usize,
    end: usize,
}

impl Iterator for Ones<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.next < self.end {
            let left = self.words[self.next / 64] >> (self.next % 64);
            if left == 0 {
                self.next = (self.next / 64 + 1) * 64;
                continue;
            }
            let bit = self.next + left.trailing_zeros() as usize;
            self.next = bit + 1;
            return (bit < self.end).then_some(bit);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_has_a_bit_of_its_own() {
        let layout = Layout { objects: 3, receptacles: 2, locations: 4 };
        let (objects, receptacles) = ([0, 1, 2].map(Object), [0, 1].map(Receptacle));
        let mut all = Vec::new();
        for o in objects {
            all.extend(receptacles.map(|r| Fact::Inside(o, r)));
            all.extend(receptacles.map(|r| Fact::TakenFrom(o, r)));
            all.extend([0, 1, 2, 3].map(|l| Fact::ObjectAt(o, Location(l))));
            all.extend([Fact::Clean(o), Fact::Hot(o), Fact::Cool(o), Fact::On(o), Fact::Toggled(o), Fact::Sliced(o)]);
        }
        all.extend(receptacles.map(Fact::Opened));
        assert_eq!(all.len(), layout.bits());
        for &fact in &all {
            let mut facts = Facts::none(layout);
            facts.set(fact, true);
            assert_eq!(all.iter().filter(|&&other| facts.has(other)).collect::<Vec<_>>(), [&fact]);
            facts.set(fact, false);
            assert_eq!(facts, Facts::none(layout));
        }
    }

    #[test]
    fn rows_are_listed_across_words() {
        let mut facts = Facts::none(Layout { objects: 70, receptacles: 3, locations: 1 });
        let there = [0, 1, 57, 58, 69].map(Object);
        there.iter().for_each(|&o| facts.set(Fact::Inside(o, Receptacle(1)), true));
        facts.set(Fact::Inside(Object(0), Receptacle(2)), true);
        assert_eq!(facts.inside(Receptacle(1)).collect::<Vec<_>>(), there);
        assert_eq!(facts.inside(Receptacle(0)).count(), 0);
    }
}
