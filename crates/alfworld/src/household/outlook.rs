//! What a player knows, brought down to what matters for its errand, and what every deed would be as a command.
//!
//! The line and the sensible deeds are those that were measured with small language models; where an object is searched for, it
//! is the object that is to be taken, or the lamp once that is in the hand. Invariant: an outlook is a function of what the player
//! was told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::deed::{Deed, kind_of};
use crate::{Command, CommandNumber, Player, Receptacle, Task};

/// What the hand holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hand {
    /// Nothing.
    Empty,
    /// The object of the errand.
    Target,
    /// Something else.
    Other,
}

/// Where something is, as far as the player knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whereabouts {
    /// Where the player stands.
    Here,
    /// At another place that is known.
    Elsewhere,
    /// Nobody knows.
    Unknown,
}

/// What the place is like where the player stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// It is open, or there is nothing that could be.
    Open,
    /// It is closed, and was looked into before.
    Closed,
    /// It is closed and was never looked into.
    Unopened,
}

/// The outlook of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlook {
    /// The kind of task.
    pub task: Task,
    /// What the hand holds.
    pub hand: Hand,
    /// Where the object is; without meaning while it is held.
    pub target: Whereabouts,
    /// Where it has to go.
    pub goal: Whereabouts,
    /// What the place is like.
    pub spot: Spot,
    /// Whether the lamp has been switched on.
    pub is_lit: bool,
    /// The class of what is searched for, where something is.
    pub sought: String,
    /// The kinds of places of which none is left to be searched.
    pub searched: BTreeSet<usize>,
    /// How many places were not looked into.
    pub unseen: usize,
    means: BTreeMap<Deed, Vec<CommandNumber>>,
    /// The kinds of places of which one that is left stands open.
    open: BTreeSet<usize>,
    /// How many places of each kind there are.
    places: BTreeMap<usize, usize>,
}

const CLOSED: &str = " You stand before a closed place and have not looked inside.";

impl Outlook {
    /// How many lines there are.
    pub const LINES: usize = 19;

    /// The outlook of a player now.
    pub fn of(player: &Player) -> Self {
        let (state, notes, errand) = (player.standing().state(), player.notes(), player.errand());
        let (game, here) = (state.game(), state.here());
        let hand = match state.held() {
            None => Hand::Empty,
            Some(held) if game.object_class(held) == errand.object => Hand::Target,
            Some(_) => Hand::Other,
        };
        let find = |class: &str| {
            let is_here = |place: Receptacle| here.contains(&place) && state.is_accessible(place);
            let nearest = notes.places_of(state, class).map(|place| !is_here(place)).min();
            nearest.map_or(Whereabouts::Unknown, |away| if away { Whereabouts::Elsewhere } else { Whereabouts::Here })
        };
        let is_goal =
            |place: Receptacle| errand.task == Task::PickAndPlace && game.receptacle_class(place) == errand.target;
        let (goal, is_lit) = match errand.task {
            Task::PickAndPlace if notes.at().is_some_and(is_goal) => (Whereabouts::Here, false),
            Task::PickAndPlace => (Whereabouts::Elsewhere, false),
            Task::LookAtObject => {
                let mut lamps = game.objects().filter(|&o| game.object_class(o) == errand.target);
                (find(&errand.target), lamps.any(|o| state.is_toggled(o)))
            }
        };
        let spot = match notes.at() {
            Some(at) if !state.is_accessible(at) && notes.seen(at).is_none() => Spot::Unopened,
            Some(at) if !state.is_accessible(at) => Spot::Closed,
            _ => Spot::Open,
        };
        let sought = match (hand, errand.task) {
            (Hand::Target, Task::LookAtObject) => &errand.target,
            _ => &errand.object,
        };
        let mut outlook = Self {
            task: errand.task,
            hand,
            target: find(&errand.object),
            goal,
            spot,
            is_lit,
            sought: sought.clone(),
            searched: BTreeSet::new(),
            unseen: 0,
            means: BTreeMap::new(),
            open: BTreeSet::new(),
            places: BTreeMap::new(),
        };
        let is_left = |place: Receptacle| notes.seen(place).is_none() && !is_goal(place);
        let mut left = BTreeSet::new();
        for place in game.receptacles().filter(|&place| game.location(place).is_some()) {
            let Some(kind) = kind_of(game.receptacle_class(place)) else { continue };
            *outlook.places.entry(kind).or_default() += 1;
            if is_left(place) {
                outlook.unseen += 1;
                left.insert(kind);
                if state.is_accessible(place) {
                    outlook.open.insert(kind);
                }
            }
        }
        // Nobody searches where the object has to go, so that kind is neither left nor searched.
        let goal_kind = kind_of(&errand.target);
        let kinds = outlook.places.keys().copied().filter(|kind| Some(*kind) != goal_kind);
        outlook.searched = kinds.filter(|kind| !left.contains(kind)).collect();
        for &number in player.standing().admissible() {
            let Some(command) = game.command(number) else { continue };
            let mut can = |deed: Deed| outlook.means.entry(deed).or_default().push(number);
            match command {
                Command::Take(o, r) if game.object_class(o) == errand.object && notes.seen(r).is_some() => {
                    can(Deed::Take);
                }
                Command::Open(r) if notes.at() == Some(r) => can(Deed::Open),
                Command::Move(_, r) if hand == Hand::Target && is_goal(r) => can(Deed::Put),
                Command::Move(..) if hand == Hand::Other => can(Deed::Drop),
                Command::Use(o) if errand.task == Task::LookAtObject && !is_lit => {
                    let is_seen = |r: &&Receptacle| notes.seen(**r).is_some_and(|seen| seen.contains(&o));
                    if game.object_class(o) == errand.target && here.iter().any(|r| is_seen(&r)) {
                        can(Deed::Light);
                    }
                }
                Command::GoTo(r) => {
                    if hand != Hand::Target && notes.has(state, r, &errand.object) {
                        can(Deed::Fetch);
                    }
                    let is_lamp = errand.task == Task::LookAtObject && notes.has(state, r, &errand.target);
                    if is_goal(r) || is_lamp {
                        can(Deed::Deliver);
                    }
                    if let (true, Some(kind)) = (is_left(r), kind_of(game.receptacle_class(r))) {
                        can(Deed::Search(kind));
                    }
                }
                _ => {}
            }
        }
        outlook
    }

    /// The commands that a deed would be; none where it is not possible.
    pub fn means(&self, deed: Deed) -> &[CommandNumber] {
        self.means.get(&deed).map(Vec::as_slice).unwrap_or_default()
    }

    /// What is possible.
    pub fn possible(&self) -> impl Iterator<Item = Deed> {
        self.means.keys().copied()
    }

    /// The kinds of places that can be searched.
    pub fn to_search(&self) -> impl Iterator<Item = usize> {
        self.possible().filter_map(|deed| if let Deed::Search(kind) = deed { Some(kind) } else { None })
    }

    /// How many places of a kind there are.
    pub fn places(&self, kind: usize) -> usize {
        self.places.get(&kind).copied().unwrap_or(0)
    }

    /// What a search of a kind of place takes: a step, and another where all that are left are closed.
    pub fn effort(&self, kind: usize) -> f64 {
        if self.open.contains(&kind) { 1.0 } else { 2.0 }
    }

    /// What the player does who has no more knowledge than this: the deeds that lead on, without a choice among searches.
    pub fn sensible(&self) -> Vec<Deed> {
        let can = |deed: Deed| !self.means(deed).is_empty();
        let searching = || -> Vec<Deed> {
            let at_goal = self.task == Task::PickAndPlace && self.goal == Whereabouts::Here;
            if can(Deed::Open) && self.spot == Spot::Unopened && !at_goal {
                return vec![Deed::Open];
            }
            self.to_search().map(Deed::Search).collect()
        };
        let first = |deeds: &[Deed]| deeds.iter().copied().find(|&deed| can(deed)).map(|deed| vec![deed]);
        let found = match (self.hand, self.task) {
            (Hand::Target, Task::PickAndPlace) if self.goal == Whereabouts::Here => first(&[Deed::Put, Deed::Open]),
            (Hand::Target, Task::PickAndPlace) => first(&[Deed::Put, Deed::Deliver]),
            (Hand::Target, Task::LookAtObject) => first(&[Deed::Light, Deed::Deliver]),
            (Hand::Other, _) => first(&[Deed::Drop, Deed::Open]),
            (Hand::Empty, _) => first(&[Deed::Take, Deed::Fetch]),
        };
        let mut sensible = found.unwrap_or_else(searching);
        if self.hand == Hand::Empty && can(Deed::Light) {
            // The lamp is on for good, so switching it on in passing loses nothing.
            sensible.push(Deed::Light);
        }
        if sensible.is_empty() { self.possible().collect() } else { sensible }
    }

    /// Whether the one question is where to look.
    pub fn is_search(&self) -> bool {
        self.sensible().first().is_some_and(|deed| matches!(deed, Deed::Search(_)))
    }

    /// The outlook in words.
    pub fn line(&self) -> String {
        line(self.task, self.hand, self.target, self.goal, self.told_spot(), self.tells_lamp())
    }

    /// The spot as the line tells it: at the goal place of a task to put something there, a closed door is no place to search.
    fn told_spot(&self) -> Spot {
        let at_goal = self.task == Task::PickAndPlace && self.goal == Whereabouts::Here;
        if at_goal && self.hand != Hand::Target && self.spot == Spot::Unopened { Spot::Closed } else { self.spot }
    }

    fn tells_lamp(&self) -> bool {
        self.task == Task::LookAtObject && self.goal == Whereabouts::Here && !self.is_lit
    }

    /// The number of the line among [`Outlook::lines`].
    pub fn line_number(&self) -> usize {
        let line = (self.task, self.line());
        LINES.iter().position(|known| *known == line).unwrap_or(0)
    }

    /// Every line that an episode can come to, task by task. No deed takes a wrong object, so none speaks of one.
    pub fn lines() -> &'static [(Task, String)] {
        &LINES
    }
}

static LINES: LazyLock<Vec<(Task, String)>> = LazyLock::new(|| {
    let mut lines = BTreeSet::new();
    let all = [Whereabouts::Here, Whereabouts::Elsewhere, Whereabouts::Unknown];
    for task in Task::ALL {
        for (hand, target, goal) in [Hand::Empty, Hand::Target]
            .into_iter()
            .flat_map(|hand| all.map(move |target| (hand, target)))
            .flat_map(|(hand, target)| all.map(move |goal| (hand, target, goal)))
        {
            if task == Task::PickAndPlace && goal == Whereabouts::Unknown {
                continue;
            }
            for spot in [Spot::Open, Spot::Closed, Spot::Unopened] {
                let lamp = task == Task::LookAtObject && goal == Whereabouts::Here;
                for tells in [lamp, false] {
                    lines.insert((task, line(task, hand, target, goal, spot, tells)));
                }
            }
        }
    }
    lines.into_iter().collect()
});

fn line(task: Task, hand: Hand, target: Whereabouts, goal: Whereabouts, spot: Spot, tells_lamp: bool) -> String {
    if hand == Hand::Target {
        let rest = match (task, goal) {
            (Task::PickAndPlace, Whereabouts::Here) if spot == Spot::Open => {
                " You are at the goal place, and it is open.".to_owned()
            }
            (Task::PickAndPlace, Whereabouts::Here) => " You are at the goal place, and it is closed.".to_owned(),
            (Task::PickAndPlace, _) => " You are not at the goal place.".to_owned(),
            (Task::LookAtObject, Whereabouts::Here) => " The lamp is here.".to_owned(),
            (Task::LookAtObject, Whereabouts::Elsewhere) => {
                " You know where the lamp is, but you are not there.".to_owned()
            }
            (Task::LookAtObject, Whereabouts::Unknown) => {
                let closed = if spot == Spot::Unopened { CLOSED } else { "" };
                format!(" You do not know where the lamp is.{closed}")
            }
        };
        return format!("You hold the target.{rest}");
    }
    let hand = if hand == Hand::Empty { "You hold nothing." } else { "You hold a wrong thing." };
    let rest = match target {
        Whereabouts::Here => " The target is here.".to_owned(),
        Whereabouts::Elsewhere => " You know where the target is, but you are not there.".to_owned(),
        Whereabouts::Unknown => {
            let spot = if spot == Spot::Unopened { CLOSED } else { " There is nothing to open here." };
            format!(" You do not know where the target is.{spot}")
        }
    };
    format!("{hand}{rest}{}", if tells_lamp { " The lamp is here." } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_lines_as_declared() {
        assert_eq!(LINES.len(), Outlook::LINES, "{LINES:#?}");
    }
}
