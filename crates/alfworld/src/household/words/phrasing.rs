//! The two kinds of questions by themselves, as they are recorded and appraised: lines, and pairs of an object and a place.

use std::collections::BTreeSet;

use counsel_advisor::{Enumeration, Heading, Phrasing, Template};

use super::{Lines, Pairs};
use crate::goal::LAMP;
use crate::house::HOUSES;
use crate::household::{Deed, Outlook};
use crate::{Family, Goal, Task};

/// The words that may be answered to a line.
pub(crate) fn option_words() -> Vec<&'static str> {
    Deed::PLAIN.map(Deed::option).into_iter().chain([Deed::Search(0).option()]).collect()
}

/// The words that may be answered to a pair.
pub(crate) const YES_NO: [&str; 2] = ["yes", "no"];

/// A template of lines, bound to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinePhrasing {
    /// What is said.
    pub template: &'static Template<Lines>,
    /// What is to be done.
    pub task: Task,
}

impl Phrasing for LinePhrasing {
    fn heading(&self) -> &Heading {
        &self.template.heading
    }

    fn enumerate(&self) -> Enumeration {
        let lines = Outlook::lines().iter().filter(|(task, _)| *task == self.task);
        Enumeration::Closed(lines.map(|(task, line)| self.template.words.prompt(*task, line)).collect())
    }
}

/// The template of pairs, bound to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairPhrasing {
    /// What is said.
    pub template: &'static Template<Pairs>,
    /// What is to be done.
    pub task: Task,
}

impl PairPhrasing {
    /// What may be sought in a task, and the kinds of places of a room in which it may have to be sought.
    pub(crate) fn pairs(task: Task) -> BTreeSet<(&'static str, &'static str)> {
        let goals = [Family::Training, Family::Evaluation].into_iter().flat_map(|family| Goal::all(task, family));
        let mut pairs = BTreeSet::new();
        for goal in goals {
            let rooms = HOUSES.room.iter().filter(|room| room.name == goal.room);
            for place in rooms.flat_map(|room| room.places.keys()) {
                pairs.insert((goal.object.as_str(), place.as_str()));
                if goal.target == LAMP {
                    pairs.insert((LAMP, place.as_str()));
                }
            }
        }
        pairs
    }
}

impl Phrasing for PairPhrasing {
    fn heading(&self) -> &Heading {
        &self.template.heading
    }

    fn enumerate(&self) -> Enumeration {
        let pairs = Self::pairs(self.task).into_iter();
        Enumeration::Closed(pairs.map(|(object, place)| self.template.words.prompt(object, place)).collect())
    }
}
