//! The moments at which an advisor is judged: one of each episode, so that they are independent.

use counsel_advisor::{Asking, Error, Prompt};
use counsel_decision::{Action, Seed};
use rand::RngExt;

use super::{Situation, TEMPLATES, Task};
use crate::{Act, Planner, World};

/// The steps of an episode, as in the paper.
pub const HORIZON: u32 = 64;

/// What may be told at one moment of an episode, and what would be right.
#[derive(Debug, Clone)]
pub struct Moment {
    /// What may be told.
    pub situation: Situation,
    /// All optimal actions, by number.
    pub right: Vec<Action>,
}

/// One moment of each of so many episodes: after a walk of a drawn number of steps, each a drawn turn or a step ahead.
/// Episodes that the walk ends, and moments from which no success is possible, are passed over.
pub fn moments(task: Task, count: usize, seed: Seed) -> Result<Vec<Moment>, crate::Error> {
    let mut world = World::with_max_steps(task.level(), HORIZON)?;
    let mut moments = Vec::with_capacity(count);
    for episode in 0.. {
        if moments.len() == count {
            break;
        }
        let mut dice = seed.index(episode).rng();
        world.reset(Some(dice.random()));
        let steps = dice.random_range(0..HORIZON);
        let over = (0..steps).any(|_| {
            let act = [Act::Left, Act::Right, Act::Forward][dice.random_range(0..3)];
            let effect = world.step(act);
            effect.terminated || effect.truncated
        });
        if over {
            continue;
        }
        if let Some(optimum) = Planner::default().optimum(world.state())? {
            let right = optimum.acts.iter().map(|act| Action::new(act as usize)).collect();
            moments.push(Moment { situation: Situation::of(&world)?, right });
        }
    }
    Ok(moments)
}

impl counsel_advisor::Moment for Moment {
    fn prompt(&self, template: &str, asking: Asking) -> Result<Prompt, Error> {
        let situation = self.situation.clone();
        Ok(TEMPLATES.find(template)?.words.prompt(&match asking {
            Asking::First => situation,
            Asking::Worded(wording) => situation.worded(wording),
            Asking::After(answer) => situation.after(answer),
        }))
    }

    fn is_goal_in_view(&self) -> bool {
        self.situation.place().is_some()
    }

    fn right(&self) -> &[Action] {
        &self.right
    }
}
