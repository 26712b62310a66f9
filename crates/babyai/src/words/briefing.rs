//! A template, bound to a task: what the rest of the workspace asks through.

use counsel_advisor::{Decoding, Edition, Enumeration, Error, Phrasing, Prompt, Subject, Teller, Variant};
use counsel_decision::{Parser, Response};

use super::{Place, Situation, Task, Template, Told};
use crate::Act;

/// A template, bound to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Briefing {
    /// What is said.
    pub template: &'static Template,
    /// What is to be done.
    pub task: Task,
}

impl Briefing {
    /// The built-in template with this name, bound to a task.
    pub fn find(template: &str, task: Task) -> Result<Self, Error> {
        Ok(Self { template: Template::find(template)?, task })
    }
}

impl Phrasing for Briefing {
    fn edition(&self) -> Edition {
        self.template.edition()
    }

    fn parser(&self) -> Parser {
        self.template.parser()
    }

    fn decoding(&self, name: &str) -> Result<Decoding, Error> {
        self.template.decoding(name, self.task)
    }

    fn variant(&self) -> Variant {
        self.template.variant()
    }

    fn wordings(&self) -> usize {
        self.template.wordings()
    }

    fn enumerate(&self) -> Enumeration {
        self.template.enumerate(self.task)
    }

    fn enumerate_after(&self, answer: &mut dyn FnMut(&Prompt) -> Response) -> Enumeration {
        self.template.enumerate_after(self.task, answer)
    }
}

impl Teller for Briefing {
    type Situation = Situation;

    fn prompt(&self, situation: &Situation) -> Prompt {
        self.template.prompt(situation)
    }

    fn subject(&self, situation: &Situation) -> Option<Subject> {
        let object = match self.template.told() {
            Told::Target => 0,
            Told::Object => {
                let kind = situation.object.kind.map_or(0, |kind| 1 + kind as u64);
                let colour = situation.object.colour.map_or(0, |colour| 1 + colour as u64);
                kind << 8 | colour
            }
            // They tell of everything in view, so only the prompt itself tells two situations apart.
            Told::Scene | Told::Grid => return None,
        };
        let wording = (situation.wording % self.template.wordings()) as u64;
        let previous = match situation.previous {
            _ if self.template.variant() != Variant::Repair => 0,
            None => 0,
            Some(Response::Recommends(action)) if action.index() < Act::ALL.len() => 2 + u64::from(action.0),
            // An action that is none of the seven is told as one that was not understood.
            Some(_) => 1,
        };
        // Each part has bits of its own: errand, object, place, wording and answer.
        let place = situation.place.map_or(0, number);
        Some(Subject(situation.errand as u64 | object << 8 | place << 24 | wording << 32 | previous << 48))
    }
}

/// A place as a number from 1 to 49.
fn number(place: Place) -> u64 {
    let columns = u64::from(Place::FARTHEST_ASIDE.unsigned_abs()) * 2 + 1;
    let column = u64::from(place.aside().abs_diff(-Place::FARTHEST_ASIDE));
    1 + u64::from(place.ahead()) * columns + column
}
