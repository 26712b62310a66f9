//! A world of commands, to be played again without the agent.

use counsel_alfworld::{Family, Player};
use counsel_decision::{Action, ContextKey, Environment, Seed, Sight};
use counsel_session::Error;

use super::agent::key;
use crate::replay::Track;

/// A player of deployment.
pub(crate) struct CommandTrack(pub(super) Player);

impl Track for CommandTrack {
    fn begin(&mut self, _episode: u64, seed: Seed) -> Result<(), Error> {
        self.0.draw_from(Family::Evaluation);
        self.0.reset(seed);
        Ok(())
    }

    fn look(&self) -> Result<(ContextKey, Sight), Error> {
        Ok((key(&self.0), self.0.world().sight()))
    }

    fn act(&mut self, action: Action) -> f64 {
        self.0.step(action).reward
    }
}
