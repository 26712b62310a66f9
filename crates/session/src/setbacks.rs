//! Questions to live models that nobody answered, and when to stop asking.
//!
//! A cell in which a question is lost has no log that could be trusted, so it is given up and left for a later run. Asking
//! stops for good when every further question would end the same way, or after so many lost in a row.

use std::num::NonZeroU64;

use counsel_advisor::{Fault, Outage};

/// What has been lost so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setbacks {
    stop_after: NonZeroU64,
    in_a_row: u64,
    questions: u64,
    last: Option<Outage>,
}

/// Questions that got no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// How many.
    pub questions: u64,
    /// Why the last of them was lost.
    pub outage: Outage,
    /// How many in a row end a run.
    pub stop_after: NonZeroU64,
}

impl Setbacks {
    /// None yet; so many in a row end it.
    pub(crate) fn up_to(stop_after: NonZeroU64) -> Self {
        Self { stop_after, in_a_row: 0, questions: 0, last: None }
    }

    /// An answer came.
    pub(crate) fn answered(&mut self) {
        self.in_a_row = 0;
    }

    /// A question got no answer.
    pub(crate) fn lost(&mut self, outage: Outage) {
        self.in_a_row += 1;
        self.questions += 1;
        self.last = Some(outage);
    }

    /// Whether nothing more is asked.
    pub(crate) fn end_it(&self) -> bool {
        let for_good = |outage: &Outage| match outage.fault {
            Fault::Passing => self.in_a_row >= self.stop_after.get(),
            Fault::Systematic | Fault::Spent => true,
        };
        self.last.as_ref().is_some_and(for_good)
    }

    /// What was lost, if anything.
    pub(crate) fn told(&self) -> Option<Lost> {
        let Self { stop_after, questions, .. } = *self;
        self.last.clone().map(|outage| Lost { questions, outage, stop_after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Setbacks {
        Setbacks::up_to(NonZeroU64::new(3).unwrap())
    }

    #[test]
    fn only_setbacks_in_a_row_end_it() {
        let mut setbacks = three();
        for _ in 0..5 {
            setbacks.lost(Outage::new("no reply"));
            setbacks.lost(Outage::new("no reply"));
            assert!(!setbacks.end_it());
            setbacks.answered();
        }
        (0..3).for_each(|_| setbacks.lost(Outage::new("no reply")));
        assert!(setbacks.end_it());
        assert_eq!(setbacks.told().unwrap().questions, 13);
    }

    #[test]
    fn what_would_happen_again_ends_it_at_once() {
        for outage in [Outage::systematic("another model answers"), Outage::spent("the budget is spent")] {
            let mut setbacks = three();
            assert_eq!(setbacks.told(), None);
            setbacks.lost(outage.clone());
            assert!(setbacks.end_it());
            assert_eq!(setbacks.told().map(|lost| (lost.questions, lost.outage)), Some((1, outage)));
        }
    }
}
