//! ALFWorld in words, as the command line and an appraisal know it: one narrator for lines, and one for pairs. Lines are
//! answered without a mask here: a word that stands for nothing possible passes the turn.

use counsel_advisor::{Edition, Error, Moment, Narrator, Phrasing, Prompt};
use counsel_decision::refusal::nearest;
use counsel_decision::{Action, Environment, Response, Seed};
use rand::RngExt;

use super::moment::{HORIZON, deeds, household, lines, pairs};
use super::{LinePhrasing, PairPhrasing, Template};
use crate::household::deed::kind_name;
use crate::household::{Deed, Household};
use crate::{Alfworld, Task};

impl Task {
    /// Its name in studies and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::PickAndPlace => "pick-and-place",
            Self::LookAtObject => "look-at-object",
        }
    }
}

/// The task with this name.
fn find(name: &str) -> Result<Task, Error> {
    let names = || Task::ALL.map(Task::name);
    Task::ALL.into_iter().find(|task| task.name() == name).ok_or_else(|| Error::UnknownTask {
        name: name.to_owned(),
        nearest: nearest(name, names()),
        known: names().join(", "),
    })
}

/// ALFWorld's pairs of objects and kinds of places, where its types are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whereabouts;

fn editions(wanted: impl Fn(&Template) -> bool) -> Vec<Edition> {
    Template::all().iter().filter(|template| wanted(template)).map(Template::edition).collect()
}

/// Plays an episode; `choose` names the deeds among which one is drawn, and where there is none the turn is passed.
fn play(task: Task, seed: Seed, mut choose: impl FnMut(&Household) -> Result<Vec<Deed>, Error>) -> Result<bool, Error> {
    let mut world = household(task, seed)?;
    world.reset(seed);
    let mut dice = seed.stream("search").rng();
    loop {
        let choices = choose(&world)?;
        let transition = match choices.len() {
            0 => world.pass(),
            count => world.step(choices[dice.random_range(0..count)].action()),
        };
        if transition.end.is_some() {
            return Ok(transition.reward > 0.0);
        }
    }
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
        editions(|template| !template.is_whereabouts())
    }

    fn phrasing(&self, task: &str, template: &str) -> Result<Box<dyn Phrasing>, Error> {
        Ok(Box::new(LinePhrasing { template: Template::find(template)?, task: find(task)? }))
    }

    fn horizon(&self) -> u32 {
        HORIZON
    }

    fn moments(&self, task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error> {
        let moments = lines(find(task)?, count, seed)?;
        Ok(moments.into_iter().map(|moment| Box::new(moment) as Box<dyn Moment>).collect())
    }

    /// Searches go to any place.
    fn obey(
        &self,
        task: &str,
        template: &str,
        seed: Seed,
        answer: &mut dyn FnMut(Prompt) -> Result<Response, Error>,
    ) -> Result<bool, Error> {
        let (task, template) = (find(task)?, Template::find(template)?);
        play(task, seed, |world| {
            Ok(match answer(template.of_line(task, &world.outlook().line()))? {
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
        editions(Template::is_whereabouts)
    }

    fn phrasing(&self, task: &str, template: &str) -> Result<Box<dyn Phrasing>, Error> {
        Ok(Box::new(PairPhrasing { template: Template::find(template)?, task: find(task)? }))
    }

    fn horizon(&self) -> u32 {
        HORIZON
    }

    fn moments(&self, task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error> {
        let moments = pairs(find(task)?, count, seed);
        Ok(moments.into_iter().map(|moment| Box::new(moment) as Box<dyn Moment>).collect())
    }

    /// A player does what is sensible, and searches the kinds of places with a yes first.
    fn obey(
        &self,
        task: &str,
        template: &str,
        seed: Seed,
        answer: &mut dyn FnMut(Prompt) -> Result<Response, Error>,
    ) -> Result<bool, Error> {
        let (task, template) = (find(task)?, Template::find(template)?);
        play(task, seed, |world| {
            let (outlook, mut likely) = (world.outlook(), Vec::new());
            for kind in outlook.to_search().filter(|_| outlook.is_search()) {
                let said = answer(template.of_pair(&outlook.sought, kind_name(kind)))?;
                likely.extend((said == Response::Recommends(Action(0))).then_some(Deed::Search(kind)));
            }
            Ok(if likely.is_empty() { outlook.sensible() } else { likely })
        })
    }
}
