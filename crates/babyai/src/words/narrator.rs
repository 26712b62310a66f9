//! BabyAI in words, as the command line and an appraisal know it.

use counsel_advisor::{Answering, Edition, Error, Moment, Narrator, Phrasing};
use counsel_decision::Seed;
use counsel_world::{Environment, obey};

use super::{Briefing, HORIZON, Situation, TEMPLATES, Task, moments};
use crate::{BabyAi, World};

impl Narrator for BabyAi {
    fn world(&self) -> &'static str {
        "BabyAI"
    }

    fn tasks(&self) -> Vec<&'static str> {
        Task::ALL.map(Task::name).to_vec()
    }

    /// `GoToObj` and `BabyAI-GoToObj-v0` mean the same task.
    fn task(&self, name: &str) -> Result<&'static str, Error> {
        Task::find(name).map(Task::name)
    }

    fn templates(&self) -> Vec<Edition> {
        TEMPLATES.editions()
    }

    fn phrasing(&self, task: &str, template: &str) -> Result<Box<dyn Phrasing>, Error> {
        Ok(Box::new(Briefing::find(template, Task::find(task)?)?))
    }

    fn horizon(&self) -> u32 {
        HORIZON
    }

    fn moments(&self, task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error> {
        let moments = moments(Task::find(task)?, count, seed)?;
        Ok(moments.into_iter().map(|moment| Box::new(moment) as Box<dyn Moment>).collect())
    }

    fn obey(&self, task: &str, template: &str, seed: Seed, answer: &mut Answering<'_>) -> Result<bool, Error> {
        let words = &TEMPLATES.find(template)?.words;
        let mut world = World::with_max_steps(Task::find(task)?.level(), HORIZON)?;
        Environment::reset(&mut world, seed);
        let last = obey(&mut world, |world| answer(words.prompt(&Situation::of(world)?)))?;
        Ok(last.reward > 0.0)
    }
}
