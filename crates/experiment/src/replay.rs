//! The moments of a logged episode again, without the agent: the world is begun from the cell's seed and the logged actions are
//! done in it.
//!
//! A log holds no states. Invariant: a moment is shown only if every reward and every context of its episode comes out as it
//! was logged, to the bit; otherwise the reason is told.

use counsel_decision::{Action, ContextKey, Seed};
use counsel_log::{CellKey, Decision, Manifest};
use counsel_session::Error;
use counsel_world::{Environment, Sight};

use crate::Scenario;

/// A world that can be played again without the agent.
pub(crate) trait Track {
    /// Begins an episode of deployment.
    fn begin(&mut self, episode: u64, seed: Seed);

    /// The context and what is shown now.
    fn look(&self) -> Result<(ContextKey, Sight), Error>;

    /// Does this, and says the reward.
    fn act(&mut self, action: Action) -> f64;
}

/// Any world, with how it begins an episode of deployment and what the agent sees of it.
pub(crate) struct WorldTrack<E, L> {
    pub(crate) world: E,
    pub(crate) enter: fn(&mut E, u64),
    pub(crate) look: L,
}

impl<E: Environment, L: Fn(&E) -> Result<(ContextKey, Sight), Error>> Track for WorldTrack<E, L> {
    fn begin(&mut self, episode: u64, seed: Seed) {
        (self.enter)(&mut self.world, episode);
        self.world.reset(seed);
    }

    fn look(&self) -> Result<(ContextKey, Sight), Error> {
        (self.look)(&self.world)
    }

    fn act(&mut self, action: Action) -> f64 {
        self.world.step(action).reward
    }
}

/// A cell that can be played again.
pub struct Replay {
    track: Box<dyn Track>,
    seed: Seed,
}

impl Replay {
    /// The world of a cell; an error says why there is none to be shown.
    pub fn of(manifest: &Manifest) -> Result<Self, String> {
        let scenario = Scenario::from_spec(&manifest.spec)
            .map_err(|error| format!("the settings in the manifest cannot be read: {error}"))?;
        let seed = seed_of(&manifest.key);
        let track = scenario.playable.track(seed).map_err(|error| error.to_string())?;
        let reason = "its contexts are chosen by the agent, and there is no world to be shown";
        Ok(Self { track: track.ok_or(reason)?, seed: seed.stream("deployment") })
    }

    /// The moments of one episode, from all its decisions.
    pub fn episode(&mut self, decisions: &[Decision]) -> Result<Vec<Sight>, String> {
        let Some(first) = decisions.first() else { return Ok(Vec::new()) };
        let episode = first.record.episode;
        let seed = self.seed.index(episode).stream("environment");
        self.track.begin(episode, seed);
        let mut sights = Vec::with_capacity(decisions.len());
        for Decision { record, hindsight, .. } in decisions {
            let (context, sight) = self.track.look().map_err(|error| error.to_string())?;
            let (step, logged) = (record.step, record.evidence.context());
            if context != logged {
                return Err(format!("at step {step} the log has context {}, the replay {}", logged.0, context.0));
            }
            let reward = self.track.act(record.executed);
            if reward.to_bits() != hindsight.reward.to_bits() {
                return Err(format!("at step {step} the log has reward {}, the replay {reward}", hindsight.reward));
            }
            sights.push(sight);
        }
        Ok(sights)
    }
}

/// The seed of all randomness in a cell. It does not depend on the arm, so all arms share it.
pub(crate) fn seed_of(key: &CellKey) -> Seed {
    Seed::root(key.seed).stream(&key.study)
}
