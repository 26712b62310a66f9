//! Games of our own: rooms and objects drawn from a seed, always solvable.
//!
//! A room has 8 to 16 places, 3 to 8 of which can be opened. Objects lie where such objects are found in houses, a little more
//! evenly than there; never is one of the goal's class at its target already. Each place has a location of its own.

use std::sync::Arc;

use counsel_decision::Seed;
use rand::RngExt;
use rand::seq::SliceRandom;

use crate::goal::{LAMP, is_living};
use crate::house::{HOUSES, Room};
use crate::{Error, Family, Game, Goal, Task};

/// What is shared out evenly among all places for an object, beside the 1 that is shared out by how often it is found there.
const EVENNESS: f64 = 0.3;

/// A game as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    pub(crate) goal: Goal,
    pub(crate) words: String,
    /// The class of each place; all of one class stand together.
    pub(crate) places: Vec<String>,
    /// Class and place of each object.
    pub(crate) objects: Vec<(String, usize)>,
}

impl Recipe {
    /// The game of this seed.
    pub fn draw(task: Task, family: Family, seed: Seed) -> Self {
        let goals = Goal::all(task, family);
        let mut rng = seed.rng();
        // The room first, so that each is met equally often, however many goals it has.
        let mut rooms: Vec<&Room> = HOUSES.room.iter().collect();
        rooms.retain(|room| goals.iter().any(|goal| goal.room == room.name));
        let room = rooms[rng.random_range(0..rooms.len())];
        let goals: Vec<&Goal> = goals.iter().filter(|goal| goal.room == room.name).collect();
        let goal = goals[rng.random_range(0..goals.len())].clone();
        let places = places(room, &goal, &mut rng);
        let objects = objects(room, &goal, &places, &mut rng);
        let [one, other] = goal.wordings();
        let words = if rng.random_bool(0.5) { one } else { other };
        Self { goal, words, places, objects }
    }

    /// What is to be done.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// What is to be done, in words.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The game.
    pub fn game(&self) -> Result<Arc<Game>, Error> {
        Game::from_pddl(&self.problem(), &self.words)
    }
}

/// The places of a room in which the goal can be reached and is not reached already.
fn places(room: &Room, goal: &Goal, rng: &mut impl RngExt) -> Vec<String> {
    loop {
        let mut places = Vec::new();
        for (place, &(least, most)) in &room.places {
            let count = rng.random_range(least..=most);
            places.extend((0..count).map(|_| place.clone()));
        }
        let openable = places.iter().filter(|place| HOUSES.is_openable(place)).count();
        let is_home = |object: &str, place: &String| HOUSES.found(object, place) > 0;
        let has_start = places.iter().any(|place| is_home(&goal.object, place) && *place != goal.target);
        let has_target = match goal.task {
            Task::PickAndPlace => places.contains(&goal.target),
            Task::LookAtObject => places.iter().any(|place| is_home(&goal.target, place)),
        };
        if (8..=16).contains(&places.len()) && (3..=8).contains(&openable) && has_start && has_target {
            return places;
        }
    }
}

fn objects(room: &Room, goal: &Goal, places: &[String], rng: &mut impl RngExt) -> Vec<(String, usize)> {
    let mut objects = Vec::new();
    let mut add = |class: &str, count: usize, barred: Option<&str>, rng: &mut _| {
        for _ in 0..count {
            objects.extend(place_for(class, places, barred, rng).map(|place| (class.to_owned(), place)));
        }
    };
    add(&goal.object, some(rng), Some(&goal.target), rng);
    let mut others: Vec<&String> = room.objects.iter().filter(|object| **object != goal.object).collect();
    others.shuffle(rng);
    others.truncate(rng.random_range(8..=11));
    for object in others {
        add(object, some(rng), None, rng);
    }
    if goal.target == LAMP || is_living(room) && rng.random_bool(0.6) {
        add(LAMP, 1, None, rng);
    }
    objects.shuffle(rng);
    objects
}

/// Mostly one, at times two.
fn some(rng: &mut impl RngExt) -> usize {
    if rng.random_range(0..3) == 0 { 2 } else { 1 }
}

/// A place for an object of this class, but not of the barred class; none where the room has no place for it.
fn place_for(class: &str, places: &[String], barred: Option<&str>, rng: &mut impl RngExt) -> Option<usize> {
    let is_home = |place: &String| HOUSES.found(class, place) > 0 && barred != Some(place);
    let homes: Vec<usize> = (0..places.len()).filter(|&at| is_home(&places[at])).collect();
    let weight = |at: usize| {
        let alike = places.iter().filter(|place| **place == places[at]).count();
        f64::from(HOUSES.found(class, &places[at])) / 100.0 / alike as f64 + EVENNESS / homes.len() as f64
    };
    let mut left = rng.random::<f64>() * homes.iter().map(|&at| weight(at)).sum::<f64>();
    let chosen = homes.iter().find(|&&at| {
        left -= weight(at);
        left < 0.0
    });
    chosen.or(homes.last()).copied()
}
