//! Crafter as the command line knows it: one level, pictures and keys.

use std::collections::BTreeMap;

use counsel_advisor::Digest;
use counsel_decision::Action;
use counsel_decision::refusal::find_named;
use counsel_world::{Control, Effect, Levels, Listed, Shown, Sight};
use serde_json::json;

use crate::{Act, Error, MAX_STEPS, Picture, SIDE, State, World, rule};

/// The world of Crafter, where its types are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crafter;

/// The id of the one level.
const ID: &str = "crafter";

impl Levels for Crafter {
    fn levels(&self) -> Vec<Listed> {
        vec![Listed { id: ID, about: format!("{SIDE} x {SIDE} cells") }]
    }

    fn open(&self, id: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>, String> {
        let found = find_named(id, [(ID, ())]).map_err(Error::UnknownLevel);
        let episode = found.and_then(|()| Episode::open(max_steps.unwrap_or(MAX_STEPS)));
        episode.map(|episode| Box::new(episode) as Box<dyn Shown>).map_err(|error| error.to_string())
    }
}

/// An episode with its picture, to watch and to play.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    world: World,
    picture: Picture,
}

impl Episode {
    /// The first episode of seed 0, with so many steps at most.
    pub fn open(max_steps: u32) -> Result<Self, Error> {
        let world = World::with_max_steps(0, max_steps)?;
        Ok(Self { picture: Picture::of(world.state()), world })
    }

    /// Where it stands.
    pub fn state(&self) -> &State {
        self.world.state()
    }

    /// What the agent is shown.
    pub fn shown(&self) -> &Picture {
        &self.picture
    }
}

impl Shown for Episode {
    fn controls(&self) -> Vec<Control> {
        Control::each("xadwsezrtfp123456", Act::NAMES)
    }

    /// The seed is the original's: the episode is the first that `crafter.Env(seed=seed)` shows, and without a seed its next.
    fn begin(&mut self, seed: Option<u64>) {
        self.world.begin(seed);
        self.picture.draw(self.world.state());
    }

    fn act(&mut self, action: Action) -> Effect {
        let effect = self.world.state_mut().step(Act::try_from(action).unwrap_or(Act::Noop));
        self.picture.draw(self.world.state());
        effect
    }

    fn picture(&self) -> String {
        self.state().text()
    }

    fn tiles(&self) -> Option<Sight> {
        Some(self.state().sight())
    }

    /// What the rule does that knows the game.
    fn advice(&self) -> Option<String> {
        Some(rule(&self.state().observation()).name().to_owned())
    }

    /// The digests of picture and semantic map, which are those of the original's arrays, and what the player is and has.
    fn observation_json(&self) -> String {
        let state = self.state();
        let player = state.player();
        let inventory: BTreeMap<&str, u8> = player.inventory.iter().map(|(item, count)| (item.name(), count)).collect();
        let achievements: BTreeMap<&str, u32> =
            player.achievements.iter().map(|(achievement, count)| (achievement.name(), count)).collect();
        let shown = json!({
            "picture_sha256": Digest::of(self.picture.bytes()).to_string(),
            "semantic_sha256": Digest::of(&state.semantic()).to_string(),
            "inventory": inventory,
            "achievements": achievements,
            "position": [state.place().x, state.place().y],
            "max_steps": state.max_steps(),
        });
        shown.to_string()
    }
}
