//! A template of Crafter: what the rest of the workspace asks through.

use counsel_advisor::{Decoding, Edition, Error, FactTemplate, Phrasing, Prompt, Subject, Teller};
use counsel_decision::Parser;

use super::templates;
use crate::Observation;

/// A template, as the rest of the workspace takes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Briefing {
    /// What is said.
    pub template: &'static FactTemplate,
}

impl Briefing {
    /// The built-in template with this name.
    pub fn find(template: &str) -> Result<Self, Error> {
        Ok(Self { template: FactTemplate::find(templates(), template)? })
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
        self.template.decoding(name)
    }
}

impl Teller for Briefing {
    type Situation = Observation;

    fn prompt(&self, seen: &Observation) -> Prompt {
        self.template.prompt(&seen.facts())
    }

    /// The facts do not fit into a number.
    fn subject(&self, _seen: &Observation) -> Option<Subject> {
        None
    }
}
