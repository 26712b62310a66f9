//! A template of Crafter: what the rest of the workspace asks through.

use counsel_advisor::{Error, Facts, Heading, Phrasing, Prompt, Teller, Template};

use super::TEMPLATES;
use crate::Observation;

/// A template, as the rest of the workspace takes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Briefing {
    /// What is said.
    pub template: &'static Template<Facts>,
}

impl Briefing {
    /// The built-in template with this name.
    pub fn find(template: &str) -> Result<Self, Error> {
        Ok(Self { template: TEMPLATES.find(template)? })
    }
}

impl Phrasing for Briefing {
    fn heading(&self) -> &Heading {
        &self.template.heading
    }
}

impl Teller for Briefing {
    type Situation = Observation;
    type Described = Vec<String>;

    fn prompt(&self, seen: &Observation) -> Prompt {
        self.template.words.prompt(&seen.facts())
    }

    fn described(&self, seen: &Observation) -> Vec<String> {
        seen.facts()
    }
}
