//! The modelled tier: what calls are worth by the user's own values. It holds if those values are right, and the calibration
//! beside it says how far the log bears them out.

use counsel_decision::Radius;
use counsel_stats::{Interval, event_calibration_error, mean_interval};

use crate::{Error, Followed, ShadowLog, Shadowed, Would};

/// What the calls of a policy are worth by the values of the log, over all decisions as they were met.
///
/// The gate asks where it expects much, so what it expects of its own calls says nothing: they are scored by the answers that
/// came, at the calls that the log made as well.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Modelled {
    /// Decisions at which it would ask.
    pub calls: u64,
    /// Those among them at which the log asked too, so that the answer is known.
    pub answered: u64,
    /// What these were expected to be worth, in sum.
    pub expected: f64,
    /// What their answers were worth.
    pub worth: f64,
    /// Their price.
    pub price: f64,
}

impl Modelled {
    /// The calls of a policy from this row on; `asks` says at which rows. Without a price it is that of each row.
    pub(crate) fn of(
        log: &ShadowLog,
        price: Option<f64>,
        followed: &Followed,
        from: usize,
        asks: impl Fn(usize) -> bool,
    ) -> Self {
        let mut sum = Self::default();
        let finished = log.episodes.last().map_or(0, |episode| episode.rows.end);
        for row in (from..finished).filter(|row| asks(*row)) {
            sum.calls += 1;
            if let Would { estimate, worth: Some(worth), .. } = followed.rows[row] {
                sum.answered += 1;
                sum.expected += estimate;
                sum.worth += worth;
                sum.price += log.header.pacing * price.unwrap_or(log.price[row]);
            }
        }
        sum
    }
}

/// How far a log bears out the values and the expected answers that it holds.
#[derive(Debug, Clone)]
pub(crate) struct Borne {
    /// The probability of every response at every call, and whether it came.
    pub(crate) stated: Vec<f64>,
    pub(crate) came: Vec<bool>,
    /// The expected calibration error of these, over ten bins.
    pub(crate) answer_error: Option<f64>,
    /// What an episode returned minus what its first executed action was said to be worth.
    pub(crate) surprise: Option<Interval>,
}

impl Borne {
    pub(crate) fn of(log: &ShadowLog, shadowed: &Shadowed, from: usize) -> Result<Self, Error> {
        let (mut stated, mut came, mut surprises) = (Vec::new(), Vec::new(), Vec::new());
        for episode in &log.episodes[from..] {
            for row in episode.rows.clone() {
                let first = row == episode.rows.start;
                let reply = log.reply(row);
                if !first && reply.is_none() {
                    continue;
                }
                let Some(evidence) = log.evidence(row, shadowed.law.as_ref(), Radius::INFINITE)? else { continue };
                if first {
                    let mean = evidence.advice().none().means()[usize::from(log.executed[row])];
                    surprises.push(log.return_of(episode) - mean);
                }
                if let Some(reply) = reply {
                    let said = log.parser.parse(&reply).index(evidence.actions());
                    let law = evidence.advice().law().as_slice();
                    stated.extend_from_slice(law);
                    came.extend((0..law.len()).map(|response| response == said));
                }
            }
        }
        let answer_error = if came.is_empty() { None } else { Some(event_calibration_error(&stated, &came, 10)?) };
        let surprise = if surprises.is_empty() { None } else { mean_interval(&surprises, 0.95)? };
        Ok(Self { stated, came, answer_error, surprise })
    }
}
