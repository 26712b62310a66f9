//! When it is of no use to go on asking.

use std::num::NonZeroU32;

use crate::{Fault, Outage};

/// How many questions in a row went without an answer, and how many are too many.
#[derive(Debug, Clone)]
pub struct Patience {
    stop_after: Option<NonZeroU32>,
    in_a_row: u32,
}

impl Patience {
    /// Patience for fewer than so many questions in a row; without a number, for any.
    pub fn new(stop_after: Option<NonZeroU32>) -> Self {
        Self { stop_after, in_a_row: 0 }
    }

    /// Takes note of an answer, or of the outage in its place, and says why it is of no use to go on, if it is not.
    pub fn hear(&mut self, outage: Option<&Outage>) -> Option<String> {
        let Some(Outage { reason, fault }) = outage else {
            self.in_a_row = 0;
            return None;
        };
        self.in_a_row += 1;
        match (fault, self.stop_after) {
            (Fault::Systematic | Fault::Spent, _) => Some(reason.clone()),
            (Fault::Passing, Some(limit)) if self.in_a_row >= limit.get() => {
                Some(format!("{limit} questions in a row got no answer (--stop-after), the last because: {reason}"))
            }
            (Fault::Passing, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_renew_patience_and_faults_that_all_would_meet_end_it_at_once() {
        let mut patience = Patience::new(NonZeroU32::new(2));
        let passing = Outage::new("slow");
        assert_eq!(patience.hear(Some(&passing)), None);
        assert_eq!(patience.hear(None), None);
        assert_eq!(patience.hear(Some(&passing)), None);
        assert!(patience.hear(Some(&passing)).unwrap().starts_with("2 questions in a row got no answer"));
        assert_eq!(patience.hear(Some(&Outage::spent("spent"))).unwrap(), "spent");
        let mut endless = Patience::new(None);
        assert!((0..99).all(|_| endless.hear(Some(&passing)).is_none()));
        assert_eq!(endless.hear(Some(&Outage::systematic("wrong"))).unwrap(), "wrong");
    }
}
