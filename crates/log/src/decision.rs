//! One row of the log: the decision's record and what was learned about it afterwards.

use counsel_decision::Record;

use crate::Hindsight;

/// One decision of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What was known, computed and done.
    pub record: Record,
    /// What became known afterwards.
    pub hindsight: Hindsight,
}
