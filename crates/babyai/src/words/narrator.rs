//! BabyAI in words, as the command line and an appraisal know it.

use counsel_advisor::{Edition, Error, Moment, Narrator, Phrasing, Prompt};
use counsel_decision::{Response, Seed};
use rand::RngExt;

use super::{Briefing, HORIZON, Situation, Task, Template, moments};
use crate::{Act, BabyAi, World};

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
        Template::all().iter().map(Template::edition).collect()
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

    fn obey(
        &self,
        task: &str,
        template: &str,
        seed: Seed,
        answer: &mut dyn FnMut(Prompt) -> Result<Response, Error>,
    ) -> Result<bool, Error> {
        let template = Template::find(template)?;
        let mut world = World::with_max_steps(Task::find(task)?.level(), HORIZON)?;
        world.reset(Some(seed.rng().random()));
        loop {
            let act = match answer(template.prompt(&Situation::of(&world)?))? {
                Response::Recommends(action) => Act::try_from(action.index()).unwrap_or(Act::Done),
                Response::Unusable => Act::Done,
            };
            let effect = world.step(act);
            if effect.terminated || effect.truncated {
                return Ok(effect.reward > 0.0);
            }
        }
    }
}
