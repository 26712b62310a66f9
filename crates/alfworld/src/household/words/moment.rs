//! The moments at which an advisor is judged: one of each episode, so that they are independent.

use counsel_advisor::{Asking, Error, Prompt};
use counsel_decision::{Action, Seed};
use counsel_world::Environment;
use rand::RngExt;

use super::phrasing::{PairPhrasing, option_words};
use super::{LINE_TEMPLATES, PAIR_TEMPLATES};
use crate::house::HOUSES;
use crate::household::{Deed, Household, Outlook, Script, Whereabouts};
use crate::{AlfworldSpec, Task};

/// The commands of an episode at most.
pub(super) const HORIZON: u32 = 50;

/// An object is often found at a kind of place from so many percent on.
const OFTEN: u32 = 10;

/// A line, or a pair, and what would be right.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    asked: Asked,
    right: Vec<Action>,
}

#[derive(Debug, Clone)]
enum Asked {
    Line { task: Task, line: String, knows: bool },
    Pair(&'static str, &'static str),
}

/// A world of one task.
pub(super) fn household(task: Task, seed: Seed) -> Result<Household, Error> {
    let spec = AlfworldSpec { tasks: vec![task], horizon: HORIZON, ..AlfworldSpec::default() };
    let world =
        Household::new(spec, Script::AnyDeed, seed).map_err(|error| Error::World { reason: error.to_string() })?;
    Ok(world)
}

/// One moment of each of so many episodes, after a walk of a drawn number of deeds, each any that was possible. Episodes that the
/// walk ends are passed over.
pub(super) fn lines(task: Task, count: usize, seed: Seed) -> Result<Vec<Moment>, Error> {
    let mut world = household(task, seed)?;
    let mut moments = Vec::with_capacity(count);
    for episode in 0.. {
        if moments.len() == count {
            break;
        }
        let mut dice = seed.index(episode).rng();
        world.reset(seed.index(episode));
        let walk = dice.random_range(0..20);
        if (0..walk).any(|_| world.step(world.situation().scripted).end.is_some()) {
            continue;
        }
        let outlook = world.outlook();
        let right = outlook.sensible().into_iter().map(option).collect();
        let knows = outlook.target != Whereabouts::Unknown;
        moments.push(Moment { asked: Asked::Line { task, line: outlook.line(), knows }, right });
    }
    Ok(moments)
}

/// Pairs of the task in turn, from a drawn one on. Right is yes where such objects are found there often.
pub(super) fn pairs(task: Task, count: usize, seed: Seed) -> Vec<Moment> {
    let pairs: Vec<_> = PairPhrasing::pairs(task).into_iter().collect();
    let first = seed.rng().random_range(0..pairs.len());
    let judged = |(object, place): (&'static str, &'static str)| {
        let right = usize::from(HOUSES.found(object, place) < OFTEN);
        Moment { asked: Asked::Pair(object, place), right: vec![Action::new(right)] }
    };
    (0..count).map(|number| judged(pairs[(first + number) % pairs.len()])).collect()
}

/// The place of a deed's word among those that may be answered to a line.
fn option(deed: Deed) -> Action {
    let place = option_words().iter().position(|word| *word == deed.option());
    Action::new(place.unwrap_or(0))
}

/// The deeds that an answer to a line may stand for.
pub(super) fn deeds(action: Action, outlook: &Outlook) -> Vec<Deed> {
    outlook.possible().filter(|deed| option(*deed) == action).collect()
}

impl counsel_advisor::Moment for Moment {
    /// The templates have one wording and do not speak of answers, so asking again is asking the same.
    fn prompt(&self, template: &str, _asking: Asking) -> Result<Prompt, Error> {
        Ok(match &self.asked {
            Asked::Line { task, line, .. } => LINE_TEMPLATES.find(template)?.words.prompt(*task, line),
            Asked::Pair(object, place) => PAIR_TEMPLATES.find(template)?.words.prompt(object, place),
        })
    }

    fn is_goal_in_view(&self) -> bool {
        matches!(self.asked, Asked::Line { knows: true, .. })
    }

    fn right(&self) -> &[Action] {
        &self.right
    }
}
