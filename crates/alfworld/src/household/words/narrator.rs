//! ALFWorld in words, as the command line and an appraisal know it: one narrator for lines, and one for pairs. Lines are
//! answered without a mask here: a word that stands for nothing possible passes the turn.

use counsel_advisor::{Answering, Edition, Error, Moment, Narrator, Phrasing};
use counsel_decision::refusal::find_named;
use counsel_decision::{Action, Response, Seed};
use counsel_world::{Environment, obey};
use rand::RngExt;

use super::moment::{HORIZON, deeds, household, lines, pairs};
use super::{LINE_TEMPLATES, LinePhrasing, PAIR_TEMPLATES, PairPhrasing};
use crate::household::deed::kind_name;
use crate::household::{Deed, Household};
use crate::{Alfworld, Task};

/// The task with this name.
fn find(name: &str) -> Result<Task, Error> {
    find_named(name, Task::ALL.map(|task| (task.name(), task))).map_err(Error::UnknownTask)
}

/// ALFWorld's pairs of objects and kinds of places, where its types are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whereabouts;

/// Plays an episode; `choose` names the deeds among which one is drawn, and where there is none the turn is passed.
fn play(task: Task, seed: Seed, mut choose: impl FnMut(&Household) -> Result<Vec<Deed>, Error>) -> Result<bool, Error> {
    let mut world = household(task, seed)?;
    world.reset(seed);
    let mut dice = seed.stream("search").rng();
    let last = obey(&mut world, |world| {
        let choices = choose(world)?;
        let mut any = || choices[dice.random_range(0..choices.len())];
        Ok::<_, Error>(if choices.is_empty() { Response::Unusable } else { Response::Recommends(any().action()) })
    })?;
    Ok(last.reward > 0.0)
}

impl Narrator for Alfworld {
    fn world(&self) -> &'static str {
        "ALFWorld"
    }

    fn tasks(&self) -> Vec<&'static str> {
        Task::ALL.map(Task::name).to_vec()
    }

    fn task(&self, name: &str) -> Result<&'static str, Error> {
        find(name).map(Task::name)
    }

    fn templates(&self) -> Vec<Edition> {
        LINE_TEMPLATES.editions()
    }

    fn phrasing(&self, task: &str, template: &str) -> Result<Box<dyn Phrasing>, Error> {
        Ok(Box::new(LinePhrasing { template: LINE_TEMPLATES.find(template)?, task: find(task)? }))
    }

    fn horizon(&self) -> u32 {
        HORIZON
    }

    fn moments(&self, task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error> {
        let moments = lines(find(task)?, count, seed)?;
        Ok(moments.into_iter().map(|moment| Box::new(moment) as Box<dyn Moment>).collect())
    }

    /// Searches go to any place.
    fn obey(&self, task: &str, template: &str, seed: Seed, answer: &mut Answering<'_>) -> Result<bool, Error> {
        let (task, words) = (find(task)?, &LINE_TEMPLATES.find(template)?.words);
        play(task, seed, |world| {
            Ok(match answer(words.prompt(task, &world.outlook().line()))? {
                Response::Recommends(action) => deeds(action, world.outlook()),
                Response::Unusable => Vec::new(),
            })
        })
    }
}

impl Narrator for Whereabouts {
    fn world(&self) -> &'static str {
        "ALFWorld's places"
    }

    fn tasks(&self) -> Vec<&'static str> {
        Task::ALL.map(Task::name).to_vec()
    }

    fn task(&self, name: &str) -> Result<&'static str, Error> {
        find(name).map(Task::name)
    }

    fn templates(&self) -> Vec<Edition> {
        PAIR_TEMPLATES.editions()
    }

    fn phrasing(&self, task: &str, template: &str) -> Result<Box<dyn Phrasing>, Error> {
        Ok(Box::new(PairPhrasing { template: PAIR_TEMPLATES.find(template)?, task: find(task)? }))
    }

    fn horizon(&self) -> u32 {
        HORIZON
    }

    fn moments(&self, task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error> {
        let moments = pairs(find(task)?, count, seed);
        Ok(moments.into_iter().map(|moment| Box::new(moment) as Box<dyn Moment>).collect())
    }

    /// A player does what is sensible, and searches the kinds of places with a yes first.
    fn obey(&self, task: &str, template: &str, seed: Seed, answer: &mut Answering<'_>) -> Result<bool, Error> {
        let (task, words) = (find(task)?, &PAIR_TEMPLATES.find(template)?.words);
        play(task, seed, |world| {
            let (outlook, mut likely) = (world.outlook(), Vec::new());
            for kind in outlook.to_search().filter(|_| outlook.is_search()) {
                let said = answer(words.prompt(&outlook.sought, kind_name(kind)))?;
                likely.extend((said == Response::Recommends(Action(0))).then_some(Deed::Search(kind)));
            }
            Ok(if likely.is_empty() { outlook.sensible() } else { likely })
        })
    }
}
