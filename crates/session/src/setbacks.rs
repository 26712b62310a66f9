//! Questions to live models that nobody answered.
//!
//! A cell in which a question is lost has no log that could be trusted, so it is given up and left for a later run. When it is of
//! no use to go on, nothing more is asked.

use std::num::NonZeroU32;

use counsel_advisor::{Outage, Patience};

/// What has been lost so far.
#[derive(Debug)]
pub(crate) struct Setbacks {
    patience: Patience,
    lost: Option<Lost>,
}

/// Questions that got no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// How many.
    pub questions: u64,
    /// Why the last of them was lost, or why nothing more is asked.
    pub why: String,
    /// Whether nothing more is asked.
    pub closed: bool,
}

impl Setbacks {
    /// None yet; so many in a row are too many.
    pub(crate) fn up_to(stop_after: Option<NonZeroU32>) -> Self {
        Self { patience: Patience::new(stop_after), lost: None }
    }

    /// An answer came.
    pub(crate) fn answered(&mut self) {
        self.patience.hear(None);
    }

    /// A question got no answer.
    pub(crate) fn lose(&mut self, outage: &Outage) {
        let questions = self.lost.as_ref().map_or(0, |lost| lost.questions) + 1;
        let ended = self.patience.hear(Some(outage));
        let closed = ended.is_some();
        self.lost = Some(Lost { questions, why: ended.unwrap_or_else(|| outage.reason.clone()), closed });
    }

    /// What was lost, if anything.
    pub(crate) fn lost(&self) -> Option<&Lost> {
        self.lost.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_is_counted_and_closes_the_desk_when_asking_is_of_no_use() {
        let mut setbacks = Setbacks::up_to(NonZeroU32::new(2));
        assert_eq!(setbacks.lost(), None);
        setbacks.lose(&Outage::new("slow"));
        assert_eq!(setbacks.lost(), Some(&Lost { questions: 1, why: "slow".into(), closed: false }));
        setbacks.answered();
        setbacks.lose(&Outage::new("slow"));
        setbacks.lose(&Outage::new("slow"));
        assert!(setbacks.lost().is_some_and(|lost| lost.closed && lost.questions == 3));
    }
}
