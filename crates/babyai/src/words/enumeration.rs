//! Every prompt that an episode of a task can produce.

use counsel_advisor::{Enumeration, Prompt, Variant};
use counsel_decision::{Action, Response};

use super::{Situation, Task, Told, Words};
use crate::Act;

impl Words {
    /// Every distinct prompt that an episode of the task can produce, and few others: in all wordings, and after every
    /// answer if the template speaks of answers.
    pub fn enumerate(&self, task: Task) -> Enumeration {
        self.enumerated(task, |situation| match self.variant {
            Variant::Identical => vec![situation],
            Variant::Paraphrase => (0..self.wordings()).map(|wording| situation.clone().worded(wording)).collect(),
            Variant::Repair => {
                let actions = (0..Act::ALL.len()).map(|index| Response::Recommends(Action::new(index)));
                let after = actions.chain([Response::Unusable]).map(|answer| situation.clone().after(answer));
                [situation.clone()].into_iter().chain(after).collect()
            }
        })
    }

    /// Every distinct prompt that follows upon the answers of an advisor that answers a prompt always alike: what
    /// `answer` says to the prompt before any answer is what did not help. For a template that does not speak of
    /// answers this is [`Words::enumerate`] in its first wording.
    pub fn enumerate_after(&self, task: Task, mut answer: impl FnMut(&Prompt) -> Response) -> Enumeration {
        self.enumerated(task, |situation| {
            let response = answer(&self.prompt(&situation));
            vec![situation.after(response)]
        })
    }

    fn enumerated(&self, task: Task, turns: impl FnMut(Situation) -> Vec<Situation>) -> Enumeration {
        let mut objects = task.objects();
        match self.told {
            Told::Target => objects.truncate(1),
            Told::Object => {}
            Told::Scene | Told::Grid => return Enumeration::Open,
        }
        let places = task.places();
        let situations = objects
            .iter()
            .flat_map(|&object| places.iter().map(move |&place| Situation::imagined(task.errand(), object, place)));
        Enumeration::Closed(situations.flat_map(turns).map(|turn| self.prompt(&turn)).collect())
    }
}
