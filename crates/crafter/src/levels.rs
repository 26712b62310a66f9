//! Crafter as the command line knows it: one level, pictures and keys.

use std::collections::BTreeMap;

use counsel_advisor::Digest;
use counsel_decision::refusal::nearest;
use counsel_decision::{Action, Control, Effect, Levels, Listed, Shown};
use serde_json::json;

use crate::{Act, Error, MAX_STEPS, Picture, SIDE, State, World};

/// The world of Crafter, where its types are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crafter;

/// The id of the one level.
const ID: &str = "crafter";

/// By number, as [`Act::ALL`].
const CONTROLS: [Control; 17] = [
    Control { key: 'x', name: Act::NAMES[0] },
    Control { key: 'a', name: Act::NAMES[1] },
    Control { key: 'd', name: Act::NAMES[2] },
    Control { key: 'w', name: Act::NAMES[3] },
    Control { key: 's', name: Act::NAMES[4] },
    Control { key: 'e', name: Act::NAMES[5] },
    Control { key: 'z', name: Act::NAMES[6] },
    Control { key: 'r', name: Act::NAMES[7] },
    Control { key: 't', name: Act::NAMES[8] },
    Control { key: 'f', name: Act::NAMES[9] },
    Control { key: 'p', name: Act::NAMES[10] },
    Control { key: '1', name: Act::NAMES[11] },
    Control { key: '2', name: Act::NAMES[12] },
    Control { key: '3', name: Act::NAMES[13] },
    Control { key: '4', name: Act::NAMES[14] },
    Control { key: '5', name: Act::NAMES[15] },
    Control { key: '6', name: Act::NAMES[16] },
];

impl Levels for Crafter {
    fn levels(&self) -> Vec<Listed> {
        vec![Listed { id: ID, about: format!("{SIDE} x {SIDE} cells") }]
    }

    fn open(&self, id: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>, String> {
        let episode = if id == ID {
            Episode::open(max_steps.unwrap_or(MAX_STEPS))
        } else {
            Err(Error::UnknownLevel { id: id.to_owned(), nearest: nearest(id, [ID]) })
        };
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
    fn controls(&self) -> &'static [Control] {
        &CONTROLS
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
