//! The moments at which an advisor is judged: one of each episode, so that they are independent.

use counsel_advisor::{Asking, Prompt};
use counsel_decision::{Action, Seed};
use rand::RngExt;

use super::TEMPLATES;
use crate::{Error, Move, Observation, PixelSpec, World};

/// What may be told at one moment of an episode, and what would be right.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// What the agent sees.
    pub seen: Observation,
    /// All optimal actions, by number.
    pub right: Vec<Action>,
}

/// One moment of each of so many episodes, each on a grid of its own: after a walk of a drawn number of steps. Episodes
/// that the walk ends are passed over.
pub fn moments(spec: &PixelSpec, count: usize, seed: Seed) -> Result<Vec<Moment>, Error> {
    spec.check()?;
    let walked = (0..).filter_map(|episode| walk(spec, seed.index(episode)));
    Ok(walked.take(count).collect())
}

/// Half of the steps are drawn from all moves and half from the best ones. Without the best ones a walk would hardly ever
/// come near the goal, and advice with the goal in view would hardly ever be judged.
fn walk(spec: &PixelSpec, seed: Seed) -> Option<Moment> {
    let mut state = World::drawn(spec, seed).state().clone();
    let mut dice = seed.stream("walk").rng();
    for _ in 0..dice.random_range(0..spec.horizon) {
        let best = state.optimum()?.moves;
        let ways: Vec<Move> = if dice.random() { best.iter().collect() } else { Move::ALL.to_vec() };
        state.step(Some(ways[dice.random_range(0..ways.len())]));
    }
    let right = state.optimum()?.moves.iter().map(Action::from).collect();
    Some(Moment { seen: state.observation(), right })
}

impl counsel_advisor::Moment for Moment {
    /// The templates have one wording and do not speak of answers, so asking again is asking the same.
    fn prompt(&self, template: &str, _asking: Asking) -> Result<Prompt, counsel_advisor::Error> {
        Ok(TEMPLATES.find(template)?.words.prompt(&self.seen.situation().facts()))
    }

    fn is_goal_in_view(&self) -> bool {
        self.seen.goal().is_some()
    }

    fn right(&self) -> &[Action] {
        &self.right
    }
}
