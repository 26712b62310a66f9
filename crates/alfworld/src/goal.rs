//! The tasks that games are drawn for, and the two families of their goals.
//!
//! A goal is an object and where it has to go, in some room. About one goal in four belongs to the evaluation family, the others
//! to training, by a rule over the tables: no task in words is in both.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use counsel_world::named;
use serde::{Deserialize, Serialize};

use crate::house::{HOUSES, Room};

/// The lamp of tasks that need one.
pub(crate) const LAMP: &str = "desklamp";

named! {
    /// A kind of task.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Task {
        /// Put an object of a class into a place of a class: ALFWorld's `pick_and_place_simple`.
        PickAndPlace => "pick-and-place",
        /// Hold an object of a class beside a lamp that has been switched on: ALFWorld's `look_at_obj_in_light`.
        LookAtObject => "look-at-object",
    }
}

/// Which goals a game is drawn from. No goal is in both families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// About three goals in four, to learn from.
    #[default]
    Training,
    /// About one goal in four, to be judged on.
    Evaluation,
}

/// What is to be done, in which room.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Goal {
    /// The kind of task.
    pub task: Task,
    /// The room.
    pub room: String,
    /// The class of the object.
    pub object: String,
    /// The class of the place where it has to go, or of the lamp.
    pub target: String,
}

/// The goals of every task and family, found once.
static GOALS: LazyLock<BTreeMap<(Task, Family), Vec<Goal>>> = LazyLock::new(|| {
    let mut goals: BTreeMap<_, Vec<Goal>> = BTreeMap::new();
    for task in Task::ALL {
        for goal in HOUSES.room.iter().flat_map(|room| Goal::in_room(room, task)) {
            goals.entry((task, goal.family())).or_default().push(goal);
        }
    }
    goals
});

impl Goal {
    /// All goals of a task and a family, room by room.
    pub fn all(task: Task, family: Family) -> &'static [Self] {
        GOALS.get(&(task, family)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The goals of a task in a room, of both families.
    fn in_room(room: &Room, task: Task) -> Vec<Self> {
        let targets: Vec<&str> = match task {
            Task::PickAndPlace => room.places.keys().map(String::as_str).collect(),
            Task::LookAtObject if is_living(room) => vec![LAMP],
            Task::LookAtObject => Vec::new(),
        };
        let mut goals = Vec::new();
        for object in &room.objects {
            let homes = room.places.keys().filter(|place| HOUSES.found(object, place) > 0).count();
            for &target in &targets {
                let goal = Self { task, room: room.name.clone(), object: object.clone(), target: target.to_owned() };
                // What is put somewhere must be found elsewhere too, or there would be nothing to do.
                let is_meant = match task {
                    Task::PickAndPlace => homes > 1 && HOUSES.found(object, target) > 0,
                    Task::LookAtObject => homes > 0,
                };
                if is_meant {
                    goals.push(goal);
                }
            }
        }
        goals
    }

    /// The family it belongs to. The room has no say, because the words of a task do not name it.
    pub fn family(&self) -> Family {
        let rank = |names: BTreeSet<&String>, name: &String| names.into_iter().position(|known| known == name);
        let number = match self.task {
            Task::PickAndPlace => {
                let places = HOUSES.room.iter().flat_map(|room| room.places.keys()).collect();
                rank(HOUSES.object.keys().collect(), &self.object).zip(rank(places, &self.target)).map(|(o, t)| o + t)
            }
            Task::LookAtObject => {
                let rooms = HOUSES.room.iter().filter(|room| is_living(room));
                rank(rooms.flat_map(|room| &room.objects).collect(), &self.object)
            }
        };
        if number.is_some_and(|number| number % 4 == 3) { Family::Evaluation } else { Family::Training }
    }

    /// The two ways in which ALFWorld says it.
    pub(crate) fn wordings(&self) -> [String; 2] {
        let Self { object, target, .. } = self;
        match self.task {
            Task::PickAndPlace => [format!("put a {object} in {target}"), format!("put some {object} on {target}")],
            Task::LookAtObject => {
                [format!("look at {object} under the {target}"), format!("examine the {object} with the {target}")]
            }
        }
    }

    /// It in PDDL.
    pub(crate) fn pddl(&self) -> String {
        let Self { object, target, .. } = self;
        match self.task {
            Task::PickAndPlace => format!(
                "(exists (?r - receptacle ?o - object) (and (objectType ?o {object}Type) (receptacleType ?r {target}Type) \
                 (inReceptacle ?o ?r)))"
            ),
            Task::LookAtObject => format!(
                "(and (exists (?lamp - object ?r - receptacle ?a - agent ?l - location) (and (objectType ?lamp {target}Type) \
                 (toggleable ?lamp) (isToggled ?lamp) (receptacleAtLocation ?r ?l) (atLocation ?a ?l) \
                 (inReceptacle ?lamp ?r))) (exists (?o - object ?a - agent) (and (objectType ?o {object}Type) \
                 (holds ?a ?o))))"
            ),
        }
    }
}

/// Whether a room is one to live in: there are lamps on its tables.
pub(crate) fn is_living(room: &Room) -> bool {
    room.name == "livingroom" || room.name == "bedroom"
}
