//! The moments at which an advisor is judged: one of each episode, so that they are independent.

use counsel_advisor::{Asking, Prompt};
use counsel_decision::{Action, Seed};
use counsel_world::Environment;
use rand::RngExt;

use super::TEMPLATES;
use crate::{Act, Observation, Sight, World, rule};

/// Moments are drawn from so many first steps of an episode.
pub(super) const HORIZON: u32 = 200;

/// What may be told at one moment of an episode, and what would be right.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// What the agent sees.
    pub seen: Observation,
    /// What the [`rule`] advises. The best action is not known: there are too many states to search.
    pub right: [Action; 1],
}

/// One moment of each of so many episodes, each in an area of its own: after a walk of a drawn number of steps. Episodes that the
/// walk ends are passed over.
pub fn moments(count: usize, seed: Seed) -> Vec<Moment> {
    (0..).filter_map(|episode| walk(seed.index(episode))).take(count).collect()
}

/// Three of four steps are the rule's. At random the player hardly ever gets a tool, and little would be judged.
fn walk(seed: Seed) -> Option<Moment> {
    let mut world = World::new(0);
    world.reset(seed);
    let mut dice = seed.stream("walk").rng();
    for _ in 0..dice.random_range(0..HORIZON) {
        let advised = rule(&world.state().observation());
        let drawn = Act::ALL[dice.random_range(0..Act::ALL.len())];
        let act = if dice.random_bool(0.75) { advised } else { drawn };
        if world.step(act.into()).end.is_some() {
            return None;
        }
    }
    let seen = world.state().observation();
    Some(Moment { right: [rule(&seen).into()], seen })
}

impl counsel_advisor::Moment for Moment {
    /// The templates have one wording and do not speak of answers, so asking again is asking the same.
    fn prompt(&self, template: &str, _asking: Asking) -> Result<Prompt, counsel_advisor::Error> {
        Ok(TEMPLATES.find(template)?.words.prompt(&self.seen.facts()))
    }

    fn is_goal_in_view(&self) -> bool {
        self.seen.sees_use()
    }

    fn right(&self) -> &[Action] {
        &self.right
    }
}

impl Observation {
    /// Whether anything in view can be collected, eaten or hit: not only open ground, and the player.
    pub fn sees_use(&self) -> bool {
        let player = Sight::from(crate::Being::Player);
        let is_use = |sight: &Sight| !sight.is_free() && *sight != Sight::OUTSIDE && *sight != player;
        self.sights().iter().any(is_use)
    }
}
