//! The pixel world in words, as the command line and an appraisal know it. Its tasks are its levels.

use counsel_advisor::{Edition, Error, FactTemplate, Moment, Narrator, Phrasing, Prompt};
use counsel_decision::{End, Response, Seed};

use super::{Briefing, moments, templates};
use crate::{Level, Move, Pixel, World};

impl Narrator for Pixel {
    fn world(&self) -> &'static str {
        "Pixel"
    }

    fn tasks(&self) -> Vec<&'static str> {
        Level::ALL.map(Level::task).to_vec()
    }

    /// `9x9` and `Pixel-9x9-v0` mean the same task.
    fn task(&self, name: &str) -> Result<&'static str, Error> {
        Ok(Level::find(name)?.task())
    }

    fn templates(&self) -> Vec<Edition> {
        templates().iter().map(FactTemplate::edition).collect()
    }

    fn phrasing(&self, task: &str, template: &str) -> Result<Box<dyn Phrasing>, Error> {
        Ok(Box::new(Briefing::find(template, Level::find(task)?.spec())?))
    }

    /// Each task has a horizon of its own; this is the longest.
    fn horizon(&self) -> u32 {
        Level::ALL.into_iter().map(|level| level.spec().horizon).max().unwrap_or(0)
    }

    fn moments(&self, task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error> {
        let moments = moments(&Level::find(task)?.spec(), count, seed)?;
        Ok(moments.into_iter().map(|moment| Box::new(moment) as Box<dyn Moment>).collect())
    }

    fn obey(
        &self,
        task: &str,
        template: &str,
        seed: Seed,
        answer: &mut dyn FnMut(Prompt) -> Result<Response, Error>,
    ) -> Result<bool, Error> {
        let template = FactTemplate::find(templates(), template)?;
        let mut state = World::drawn(&Level::find(task)?.spec(), seed).state().clone();
        loop {
            let way = match answer(template.prompt(&state.observation().situation().facts()))? {
                Response::Recommends(action) => Move::try_from(action).ok(),
                Response::Unusable => None,
            };
            if let Some(end) = state.step(way).end {
                return Ok(end == End::Terminated);
            }
        }
    }
}
