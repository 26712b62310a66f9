//! Questions in turn, and when to stop asking.
//!
//! Invariant: what was answered is stored before the next turn begins, so a crash costs the answers of one turn at most.

use std::num::NonZeroUsize;

use clap::Args;
use counsel_advisor::{Fault, Outage, Request};

use super::model::Voice;

/// How many questions make a turn.
#[derive(Debug, Clone, Args)]
pub(crate) struct Turns {
    /// Questions asked at once; their answers are what a crash can cost
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true)]
    pub(crate) at_once: NonZeroUsize,
}

impl Turns {
    /// Puts the questions in turns, until all are put or it is of no use to go on; then says why. `put` asks some, keeps what
    /// was answered, and gives the outage of every one, if there was any.
    pub(crate) fn take(
        &self,
        voice: &Voice,
        requests: &[Request],
        mut put: impl FnMut(&[Request]) -> Vec<Option<Outage>>,
    ) -> Option<String> {
        // A model in this process loses nothing but time.
        let stop_after = voice.remote.base_url.as_ref().map(|_| voice.remote.stop_after.get());
        let mut patience = Patience { stop_after, in_a_row: 0 };
        requests.chunks(self.at_once.get()).find_map(|some| {
            let heard = put(some);
            heard.iter().find_map(|outage| patience.hear(outage.as_ref()))
        })
    }
}

/// How many questions in a row went without an answer.
struct Patience {
    /// So many are too many.
    stop_after: Option<u32>,
    in_a_row: u32,
}

impl Patience {
    /// Takes note of a question, and says why it is of no use to go on, if it is not.
    fn hear(&mut self, outage: Option<&Outage>) -> Option<String> {
        let Some(Outage { reason, fault }) = outage else {
            self.in_a_row = 0;
            return None;
        };
        self.in_a_row += 1;
        match (fault, self.stop_after) {
            (Fault::Systematic | Fault::Spent, _) => Some(reason.clone()),
            (Fault::Passing, Some(limit)) if self.in_a_row >= limit => {
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
        let mut patience = Patience { stop_after: Some(2), in_a_row: 0 };
        let passing = Outage::new("slow");
        assert_eq!(patience.hear(Some(&passing)), None);
        assert_eq!(patience.hear(None), None);
        assert_eq!(patience.hear(Some(&passing)), None);
        assert!(patience.hear(Some(&passing)).unwrap().starts_with("2 questions in a row got no answer"));
        assert_eq!(patience.hear(Some(&Outage::spent("spent"))).unwrap(), "spent");
        let mut endless = Patience { stop_after: None, in_a_row: 0 };
        assert!((0..99).all(|_| endless.hear(Some(&passing)).is_none()));
        assert_eq!(endless.hear(Some(&Outage::systematic("wrong"))).unwrap(), "wrong");
    }
}
