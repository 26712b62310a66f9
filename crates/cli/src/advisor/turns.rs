//! Questions in turn, and when to stop asking.
//!
//! Invariant: what was answered is stored before the next turn begins, so a crash costs the answers of one turn at most.

use std::num::NonZeroUsize;

use clap::Args;
use counsel_advisor::{Outage, Patience, Request};

use super::model::Voice;

/// How many questions make a turn.
#[derive(Debug, Clone, Args)]
pub(crate) struct Turns {
    /// Questions asked at once; a crash can lose their answers
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
        let mut patience = Patience::new(voice.remote.patience());
        requests.chunks(self.at_once.get()).find_map(|some| {
            let heard = put(some);
            heard.iter().find_map(|outage| patience.hear(outage.as_ref()))
        })
    }
}
