//! The pixel world in words, as the command line and an appraisal know it. Its tasks are its levels.

use counsel_advisor::{Answering, Edition, Error, Moment, Narrator, Phrasing};
use counsel_decision::Seed;
use counsel_world::{End, obey};

use super::{Briefing, TEMPLATES, moments};
use crate::{Level, Pixel, World};

impl Narrator for Pixel {
    fn world(&self) -> &'static str {
        "Pixel"
    }

    fn tasks(&self) -> Vec<&'static str> {
        Level::ALL.map(Level::name).to_vec()
    }

    /// `9x9` and `Pixel-9x9-v0` mean the same task.
    fn task(&self, name: &str) -> Result<&'static str, Error> {
        Ok(Level::find(name)?.name())
    }

    fn templates(&self) -> Vec<Edition> {
        TEMPLATES.editions()
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

    fn obey(&self, task: &str, template: &str, seed: Seed, answer: &mut Answering<'_>) -> Result<bool, Error> {
        let words = &TEMPLATES.find(template)?.words;
        let mut world = World::drawn(&Level::find(task)?.spec(), seed);
        let last = obey(&mut world, |world| answer(words.prompt(&world.observation().situation().facts())))?;
        Ok(last.end == Some(End::Terminated))
    }
}
