//! A world whose actions are deeds: a fixed set, of which some are possible now.
//!
//! A deed that is not possible is carried out as any that is, so nobody loses a step by what cannot be done, and a learner
//! needs no mask; an action past the last deed passes the turn. Among several commands that a deed could be, one is drawn.
//! Chance is a function of the episode's seed and the number of the step.

use counsel_decision::{Action, Seed};
use counsel_world::{Environment, Transition};
use rand::RngExt;

use super::census::Census;
use super::deed::object_of;
use super::{Deed, Outlook, Script};
use crate::{AlfworldSpec, Command, CommandNumber, Error, Family, Player};

/// How many zeros and ones a learner sees: the line, what is possible, what is sought, and how many places are left.
pub const FEATURES: usize = Outlook::LINES + Deed::COUNT + Deed::OBJECTS + MOST_LEFT + 1;

/// More places than this are not told apart.
const MOST_LEFT: usize = 16;

/// What may be told: what the player knows, and what a rule would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    /// What the player knows.
    pub outlook: Outlook,
    /// What the script of the world does here.
    pub scripted: Action,
}

/// A world of deeds, with an episode under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Household {
    player: Player,
    outlook: Outlook,
    script: Script,
    /// What was seen in all episodes so far.
    census: Census,
    randomness: Seed,
}

impl Household {
    /// A world at the start of the game of this seed.
    pub fn new(spec: AlfworldSpec, script: Script, seed: Seed) -> Result<Self, Error> {
        let player = Player::new(spec, seed)?;
        Ok(Self { outlook: Outlook::of(&player), player, script, census: Census::default(), randomness: seed })
    }

    /// The player.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// What the player knows.
    pub fn outlook(&self) -> &Outlook {
        &self.outlook
    }

    /// From now on games are drawn from this family.
    pub fn draw_from(&mut self, family: Family) {
        self.player.draw_from(family);
    }

    /// What may be told now.
    pub fn situation(&self) -> Situation {
        let deed = self.script.deed(&self.outlook, &self.census, self.chance("script"));
        Situation { outlook: self.outlook.clone(), scripted: deed.unwrap_or(Deed::Take).action() }
    }

    /// The places of the ones that a learner sees, ascending.
    pub fn active_features(&self, active: &mut Vec<usize>) {
        active.clear();
        active.push(self.outlook.line_number());
        active.extend(self.outlook.possible().map(|deed| Outlook::LINES + deed.action().index()));
        let start = Outlook::LINES + Deed::COUNT;
        active.extend(object_of(&self.outlook.sought).map(|object| start + object));
        active.push(start + Deed::OBJECTS + self.outlook.unseen.min(MOST_LEFT));
    }

    /// Says a command, and takes note of what is seen.
    fn say(&mut self, number: Option<CommandNumber>) -> Transition {
        let admissible = self.player.standing().admissible();
        let place = number.and_then(|number| admissible.binary_search(&number).ok()).unwrap_or(admissible.len());
        let before = self.player.clone();
        let transition = self.player.step(Action::new(place));
        self.census.count(&before, &self.player);
        self.outlook = Outlook::of(&self.player);
        transition
    }

    fn chance(&self, what: &str) -> Seed {
        self.randomness.stream(what).index(u64::from(self.player.standing().steps()))
    }

    /// The command that a deed is now; an action that is no deed passes the turn: the player looks around.
    fn command(&self, deed: Option<Deed>) -> Option<CommandNumber> {
        let Some(deed) = deed else {
            return self.player.standing().state().game().vocabulary().number(Command::Look);
        };
        let mut randomness = self.chance("command").rng();
        let mut any = |count: usize| randomness.random_range(0..count);
        let mut commands = self.outlook.means(deed);
        if commands.is_empty() {
            let possible: Vec<Deed> = self.outlook.possible().collect();
            if possible.is_empty() {
                return None;
            }
            commands = self.outlook.means(possible[any(possible.len())]);
        }
        Some(commands[any(commands.len())])
    }
}

impl Environment for Household {
    type Snapshot = Self;

    fn actions(&self) -> usize {
        Deed::COUNT
    }

    fn reset(&mut self, seed: Seed) {
        self.player.reset(seed);
        self.outlook = Outlook::of(&self.player);
        self.randomness = seed.stream("luck");
    }

    fn reseed(&mut self, seed: Seed) {
        self.randomness = seed;
    }

    fn step(&mut self, action: Action) -> Transition {
        self.say(self.command(Deed::of(action)))
    }

    fn snapshot(&self) -> Self {
        self.clone()
    }

    fn restore(&mut self, snapshot: &Self) {
        self.clone_from(snapshot);
    }
}
