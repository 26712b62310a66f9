//! One row of the log: the decision's record and what was learned about it afterwards.

use counsel_decision::Record;

use crate::{Hindsight, Routed};

/// One decision of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What was known, computed and done.
    pub record: Record,
    /// What became known afterwards.
    pub hindsight: Hindsight,
    /// Who answered and why, in decisions without a world.
    pub route: Option<Box<Routed>>,
}

impl Decision {
    /// A decision of an engine, in a world.
    pub fn new(record: Record, hindsight: Hindsight) -> Self {
        Self { record, hindsight, route: None }
    }
}
