//! Crafter in words, as the command line and an appraisal know it. Its one task is to survive and achieve.

use counsel_advisor::{Edition, Error, FactTemplate, Moment, Narrator, Phrasing, Prompt};
use counsel_decision::refusal::nearest;
use counsel_decision::{Environment, Response, Seed};

use super::moment::HORIZON;
use super::{Briefing, moments, templates};
use crate::{Act, Crafter, World};

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
        let unknown =
            || Error::UnknownTask { name: name.to_owned(), nearest: nearest(name, [TASK]), known: TASK.to_owned() };
        if name == TASK || name == "crafter" { Ok(TASK) } else { Err(unknown()) }
    }

    fn templates(&self) -> Vec<Edition> {
        templates().iter().map(FactTemplate::edition).collect()
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

    fn obey(
        &self,
        task: &str,
        template: &str,
        seed: Seed,
        answer: &mut dyn FnMut(Prompt) -> Result<Response, Error>,
    ) -> Result<bool, Error> {
        self.task(task)?;
        let template = FactTemplate::find(templates(), template)?;
        let mut world = World::new(0);
        world.reset(seed);
        for _ in 0..HORIZON {
            let act = match answer(template.prompt(&world.state().observation().facts()))? {
                Response::Recommends(action) => Act::try_from(action).unwrap_or(Act::Noop),
                Response::Unusable => Act::Noop,
            };
            if world.step(act.into()).end.is_some() {
                break;
            }
        }
        Ok(world.state().player().achievements.unlocked() >= SUCCESS)
    }
}
