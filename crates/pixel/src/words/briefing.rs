//! A template, bound to a specification: what the rest of the workspace asks through.

use counsel_advisor::{Decoding, Edition, Enumeration, Error, FactTemplate, Phrasing, Prompt, Subject, Teller};
use counsel_decision::Parser;

use super::enumeration::situations;
use super::templates;
use crate::{Ahead, Observation, Offset, PixelSpec};

/// A template, bound to a specification. It tells what any window shows; the specification says which prompts there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Briefing {
    /// What is said.
    pub template: &'static FactTemplate,
    /// Which worlds it is said of.
    pub spec: PixelSpec,
}

impl Briefing {
    /// The built-in template with this name, bound to a specification.
    pub fn find(template: &str, spec: PixelSpec) -> Result<Self, Error> {
        spec.check()?;
        Ok(Self { template: FactTemplate::find(templates(), template)?, spec })
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

    /// Closed for windows of up to 5 cells with the ends in the corners. A goal that was moved elsewhere
    /// ([`Grid::with_goal`](crate::Grid::with_goal)) brings prompts that are not listed.
    fn enumerate(&self) -> Enumeration {
        situations(&self.spec).map_or(Enumeration::Open, |situations| {
            Enumeration::Closed(situations.iter().map(|situation| self.template.prompt(&situation.facts())).collect())
        })
    }
}

impl Teller for Briefing {
    type Situation = Observation;

    fn prompt(&self, seen: &Observation) -> Prompt {
        self.template.prompt(&seen.situation().facts())
    }

    fn subject(&self, seen: &Observation) -> Option<Subject> {
        let situation = seen.situation();
        // A window has at most 63 cells on a side, so a look has at most 31 free cells and each part has bits of its own:
        // 8 for each look and 16 for the goal.
        let looks = situation.ahead.into_iter().fold(0, |bits, ahead| bits << 8 | look_bits(ahead));
        Some(Subject(situation.goal.map_or(0, goal_bits) << 32 | looks))
    }
}

fn look_bits(ahead: Ahead) -> u64 {
    (ahead.free_cells as u64) << 2 | ahead.stop as u64
}

/// A goal's offset as a number that is not 0.
fn goal_bits(goal: Offset) -> u64 {
    let shifted = |offset: isize| offset.abs_diff(-64) as u64;
    shifted(goal.east) << 8 | shifted(goal.south)
}
