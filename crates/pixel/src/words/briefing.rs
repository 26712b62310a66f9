//! A template, bound to a specification: what the rest of the workspace asks through.

use counsel_advisor::{Enumeration, Error, Facts, Heading, Phrasing, Prompt, Teller, Template};

use super::TEMPLATES;
use super::enumeration::situations;
use crate::{Observation, PixelSpec, Situation};

/// A template, bound to a specification. It tells what any window shows; the specification says which prompts there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Briefing {
    /// What is said.
    pub template: &'static Template<Facts>,
    /// Which worlds it is said of.
    pub spec: PixelSpec,
}

impl Briefing {
    /// The built-in template with this name, bound to a specification.
    pub fn find(template: &str, spec: PixelSpec) -> Result<Self, Error> {
        spec.check()?;
        Ok(Self { template: TEMPLATES.find(template)?, spec })
    }
}

impl Phrasing for Briefing {
    fn heading(&self) -> &Heading {
        &self.template.heading
    }

    /// Closed for windows of up to 5 cells with the ends in the corners. A goal that was moved elsewhere
    /// ([`Grid::with_goal`](crate::Grid::with_goal)) brings prompts that are not listed.
    fn enumerate(&self) -> Enumeration {
        situations(&self.spec).map_or(Enumeration::Open, |situations| {
            Enumeration::Closed(
                situations.iter().map(|situation| self.template.words.prompt(&situation.facts())).collect(),
            )
        })
    }
}

impl Teller for Briefing {
    type Situation = Observation;
    type Described = Situation;

    fn prompt(&self, seen: &Observation) -> Prompt {
        self.template.words.prompt(&seen.situation().facts())
    }

    fn described(&self, seen: &Observation) -> Situation {
        seen.situation()
    }
}
