//! The moments at which an advisor is judged: one of each episode, so that they are independent.

use counsel_babyai::{Act, Acts, Planner, World};
use counsel_decision::Seed;
use counsel_prompt::{Situation, Task};
use rand::RngExt;

use crate::Error;

/// The steps of an episode, as in the paper.
pub const HORIZON: u32 = 64;

/// What may be told at one moment of an episode, and what would be right.
#[derive(Debug, Clone)]
pub struct Moment {
    /// What may be told.
    pub situation: Situation,
    /// All optimal actions.
    pub best: Acts,
}

/// One moment of each of so many episodes: after a walk of a drawn number of steps, each a drawn turn or a step ahead.
/// Episodes that the walk ends, and moments from which no success is possible, are passed over.
pub fn moments(task: Task, count: usize, seed: Seed) -> Result<Vec<Moment>, Error> {
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
            let outcome = world.step(act);
            outcome.terminated || outcome.truncated
        });
        if over {
            continue;
        }
        if let Some(optimum) = Planner::default().optimum(world.state())? {
            moments.push(Moment { situation: Situation::of(&world)?, best: optimum.acts });
        }
    }
    Ok(moments)
}
