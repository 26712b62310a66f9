//! The moments of a logged episode again, without the agent: the world is begun from the cell's seed and the logged actions are
//! done in it.
//!
//! A log holds no states. Invariant: a moment is shown only if every reward and every context of its episode comes out as it
//! was logged, to the bit; otherwise the reason is told.

use counsel_advisor::{Prompt, Teller};
use counsel_decision::{Action, ContextKey, Environment, Seed, Sight};
use counsel_log::{CellKey, Decision, Manifest};
use counsel_session::{DeepWorld, Error};

use crate::Scenario;

/// A world that can be played again without the agent.
pub(crate) trait Track {
    /// Begins an episode of deployment.
    fn begin(&mut self, episode: u64, seed: Seed) -> Result<(), Error>;

    /// The context and what is shown now.
    fn look(&self) -> Result<(ContextKey, Sight), Error>;

    /// Does this, and says the reward.
    fn act(&mut self, action: Action) -> f64;
}

/// A world that a deep learner plays.
pub(crate) struct DeepTrack<W: DeepWorld> {
    pub(crate) world: W::World,
    pub(crate) teller: W::Teller,
}

impl<W: DeepWorld> Track for DeepTrack<W> {
    fn begin(&mut self, episode: u64, seed: Seed) -> Result<(), Error> {
        W::enter(&mut self.world, episode);
        self.world.reset(seed);
        Ok(())
    }

    fn look(&self) -> Result<(ContextKey, Sight), Error> {
        let situation = W::situation(&self.world)?;
        let (context, prompt) = (self.teller.context(&situation), self.teller.prompt(&situation));
        let sight = W::sight(&self.world).unwrap_or_default();
        Ok((context, Sight { prompt: Some(told(&prompt)), ..sight }))
    }

    fn act(&mut self, action: Action) -> f64 {
        self.world.step(action).reward
    }
}

/// A prompt as it is read: who speaks, and what is said.
fn told(prompt: &Prompt) -> String {
    let turns: Vec<String> =
        prompt.messages().iter().map(|turn| format!("[{}]\n{}", turn.role.name(), turn.content)).collect();
    turns.join("\n\n")
}

/// A cell that can be played again.
pub struct Replay {
    track: Box<dyn Track>,
    seed: Seed,
}

impl Replay {
    /// The world of a cell; an error says why there is none to be shown.
    pub fn of(manifest: &Manifest) -> Result<Self, String> {
        let scenario: Scenario = serde_json::from_value(manifest.spec.clone())
            .map_err(|error| format!("the settings in the manifest cannot be read: {error}"))?;
        let seed = seed_of(&manifest.key);
        let track = scenario.track(seed).map_err(|error| error.to_string())?;
        let reason = "its contexts are chosen by the agent, and there is no world to be shown";
        Ok(Self { track: track.ok_or(reason)?, seed: seed.stream("deployment") })
    }

    /// The moments of one episode, from all its decisions.
    pub fn episode(&mut self, decisions: &[Decision]) -> Result<Vec<Sight>, String> {
        let Some(first) = decisions.first() else { return Ok(Vec::new()) };
        let episode = first.record.episode;
        let seed = self.seed.index(episode).stream("environment");
        self.track.begin(episode, seed).map_err(|error| error.to_string())?;
        let mut sights = Vec::with_capacity(decisions.len());
        for Decision { record, hindsight } in decisions {
            let (context, sight) = self.track.look().map_err(|error| error.to_string())?;
            let (step, logged) = (record.step, record.evidence.context);
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

/// The seed of all luck in a cell. Arms do not enter it, so they share their luck.
pub(crate) fn seed_of(key: &CellKey) -> Seed {
    Seed::root(key.seed).stream(&key.study)
}
