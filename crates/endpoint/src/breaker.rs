//! A breaker: after a declared number of questions in a row without an answer nothing more is sent, so that an advisor that fails cannot spend a
//! budget in silence.

use std::num::NonZeroU32;

use counsel_advisor::{Fault, Outage};

/// How many questions in a row went without an answer, and whether those were too many.
#[derive(Debug)]
pub(crate) struct Breaker {
    stop_after: NonZeroU32,
    in_a_row: u32,
    closed: Option<Outage>,
}

impl Breaker {
    pub(crate) fn new(stop_after: NonZeroU32) -> Self {
        Self { stop_after, in_a_row: 0, closed: None }
    }

    /// Why nothing more is sent, if nothing is.
    pub(crate) fn closed(&self) -> Option<Outage> {
        self.closed.clone()
    }

    /// Takes note of an answer, or of the outage in its place. What was sent before it closed opens it no more.
    pub(crate) fn hear(&mut self, outage: Option<&Outage>) {
        let Some(Outage { reason, fault }) = outage else {
            self.in_a_row = 0;
            return;
        };
        // A spent budget says so by itself, and needs no breaker.
        if *fault == Fault::Spent || self.closed.is_some() {
            return;
        }
        self.in_a_row += 1;
        if self.in_a_row >= self.stop_after.get() {
            self.closed = Some(Outage::systematic(format!(
                "{} questions in a row got no answer (--stop-after), so nothing more is sent; the last because: {reason}; mend \
                 that and run again, or raise --stop-after",
                self.stop_after
            )));
        }
    }
}
