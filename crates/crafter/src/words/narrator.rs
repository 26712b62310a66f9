//! Crafter in words, as the command line and an appraisal know it. Its one task is to survive and achieve.

use counsel_advisor::{Answering, Edition, Error, Moment, Narrator, Phrasing};
use counsel_decision::Seed;
use counsel_decision::refusal::UnknownName;
use counsel_world::{Environment, obey};

use super::moment::HORIZON;
use super::{Briefing, TEMPLATES, moments};
use crate::{Crafter, World};

/// The name of the task.
const TASK: &str = "survive";
/// An episode of an appraisal succeeds with at least so many of the 22 achievements.
const SUCCESS: usize = 8;

impl Narrator for Crafter {
    fn world(&self) -> &'static str {
        "Crafter"
    }

    fn tasks(&self) -> Vec<&'static str> {
        vec![TASK]
    }

    fn task(&self, name: &str) -> Result<&'static str, Error> {
        if name == TASK || name == "crafter" {
            Ok(TASK)
        } else {
            Err(Error::UnknownTask(UnknownName::among(name, [TASK])))
        }
    }

    fn templates(&self) -> Vec<Edition> {
        TEMPLATES.editions()
    }

    fn phrasing(&self, task: &str, template: &str) -> Result<Box<dyn Phrasing>, Error> {
        self.task(task)?;
        Ok(Box::new(Briefing::find(template)?))
    }

    fn horizon(&self) -> u32 {
        HORIZON
    }

    fn moments(&self, task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error> {
        self.task(task)?;
        Ok(moments(count, seed).into_iter().map(|moment| Box::new(moment) as Box<dyn Moment>).collect())
    }

    fn obey(&self, task: &str, template: &str, seed: Seed, answer: &mut Answering<'_>) -> Result<bool, Error> {
        self.task(task)?;
        let words = &TEMPLATES.find(template)?.words;
        let mut world =
            World::with_max_steps(0, HORIZON).map_err(|error| Error::World { reason: error.to_string() })?;
        world.reset(seed);
        obey(&mut world, |world| answer(words.prompt(&world.state().observation().facts())))?;
        Ok(world.state().player().achievements.unlocked() >= SUCCESS)
    }
}
