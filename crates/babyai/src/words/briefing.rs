//! A template, bound to a task: what the rest of the workspace asks through.

use counsel_advisor::{Enumeration, Error, Heading, Phrasing, Prompt, Teller, Variant};
use counsel_decision::Response;

use super::{Object, Situation, TEMPLATES, Task, Template, Told, View};
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
        Ok(Self { template: TEMPLATES.find(template)?, task })
    }
}

impl Phrasing for Briefing {
    fn heading(&self) -> &Heading {
        &self.template.heading
    }

    fn scored(&self) -> Option<Vec<String>> {
        self.template.words.scored(self.task.errand())
    }

    fn variant(&self) -> Variant {
        self.template.words.variant
    }

    fn wordings(&self) -> usize {
        self.template.words.wordings()
    }

    fn enumerate(&self) -> Enumeration {
        self.template.words.enumerate(self.task)
    }

    fn enumerate_after(&self, answer: &mut dyn FnMut(&Prompt) -> Response) -> Enumeration {
        self.template.words.enumerate_after(self.task, answer)
    }
}

impl Teller for Briefing {
    type Situation = Situation;
    type Described = Situation;

    fn prompt(&self, situation: &Situation) -> Prompt {
        self.template.words.prompt(situation)
    }

    /// The same situation without what the template leaves out.
    fn described(&self, situation: &Situation) -> Situation {
        let words = &self.template.words;
        let whole_view = matches!(words.told, Told::Scene | Told::Grid);
        let previous = situation.previous.filter(|_| words.variant == Variant::Repair);
        Situation {
            object: if words.told == Told::Target { Object::ANY } else { situation.object },
            view: if whole_view { situation.view } else { View::default() },
            wording: situation.wording % words.wordings(),
            // An action that is none of the seven reads as one that was not understood.
            previous: previous.map(|answer| if Act::named_by(answer).is_some() { answer } else { Response::Unusable }),
            ..*situation
        }
    }
}
