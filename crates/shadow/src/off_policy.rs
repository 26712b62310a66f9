//! The off-policy tier: what a policy would have returned, from a log that asked by chance, with the chance logged.
//!
//! Per decision, the weight of an episode is the product of π(what was chosen) / p(what was chosen) so far. Three estimates are
//! given: importance sampling (unbiased), its self-normalised form, and doubly robust, which subtracts what a regression of the
//! log expects. The unit is the episode. Below the limits of [`Limits`] there is no number, nor where the log does not declare that
//! chance decided, or contradicts the probability that it claims, nor where an episode changes later ones: episodes must be those of
//! one agent and one policy.

mod estimate;
mod propensity;
mod tail;
mod weights;

pub(crate) use estimate::interval;
pub use estimate::{Estimates, Visit, doubly_robust, importance, self_normalised};
pub(crate) use propensity::rates;
pub use tail::pareto_k;
pub use weights::{Limits, Refused, Weights};

use counsel_calibration::Ridge;

use crate::{Error, Followed, LogLevel, ShadowLog, Shadowed};

/// How many parts the episodes are cut into: each is judged by a regression of the others.
const FOLDS: usize = 5;

/// What a policy would have returned per episode, or why there is no number.
pub fn off_policy(
    log: &ShadowLog,
    shadowed: &Shadowed,
    followed: &Followed,
    from: usize,
) -> Result<Result<Estimates, Refused>, Error> {
    if !log.header.p_ask_drawn {
        return Ok(Err(Refused::NotDrawn));
    }
    let learns = [
        (log.header.agent_learns, "the agent learns from episode to episode (agent_learns)"),
        (
            shadowed.expects_what_was_learned(log),
            "the expected answers may have learned from calls that the gate leaves out (predictor_frozen is not declared)",
        ),
        (shadowed.remembers(), "the policy remembers earlier episodes"),
    ];
    if let Some((_, what)) = learns.into_iter().find(|(learns, _)| *learns) {
        return Ok(Err(Refused::Learns { what }));
    }
    let mut episodes: Vec<Vec<Visit>> = Vec::new();
    // What each episode would weigh if the log had chosen as the policy all along.
    let mut heaviest = Vec::new();
    for episode in &log.episodes[from..] {
        let mut visits = Vec::with_capacity(episode.rows.len());
        let own = |row: usize| if followed.rows[row].asks { log.p_ask[row] } else { 1.0 - log.p_ask[row] };
        heaviest.push(episode.rows.clone().map(|row| own(row).recip()).product());
        for row in episode.rows.clone() {
            let (asked, would) = (log.asked[row], followed.rows[row]);
            let behaviour = if asked { log.p_ask[row] } else { 1.0 - log.p_ask[row] };
            let agrees = asked == would.asks;
            if behaviour <= 0.0 || log.p_ask[row] <= 0.0 || log.p_ask[row] >= 1.0 {
                return Ok(Err(Refused::NoOverlap { row, probability: log.p_ask[row] }));
            }
            if agrees && would.action != Some(log.executed[row]) {
                return Ok(Err(Refused::OtherAction { row }));
            }
            let target = f64::from(u8::from(agrees));
            visits.push(Visit { reward: log.reward[row], ratio: target / behaviour, expected: 0.0, value: 0.0 });
        }
        episodes.push(visits);
    }
    let weights = Weights::of(&episodes);
    let checked = propensity::check(log, followed).and_then(|()| weights.check());
    if let Err(refused) = checked.and_then(|()| Limits::check_uneven(&heaviest)) {
        return Ok(Err(refused));
    }
    let counts = |(visits, _): &(&Vec<Visit>, _)| visits.iter().all(|visit| visit.ratio > 0.0);
    let returns = episodes.iter().zip(&log.episodes[from..]).filter(counts).map(|(_, episode)| log.return_of(episode));
    if !weights::differ(returns) {
        return Ok(Err(Refused::OneOutcome { effective: weights.effective }));
    }
    regress(log, followed, from, &mut episodes)?;
    let estimates = Estimates::of(&episodes, log.header.discount, weights)?;
    Ok(estimates.check().map(|()| estimates))
}

/// Fills in what a regression expects, of the choice that was made and of the policy's own, from the other episodes alone.
fn regress(log: &ShadowLog, followed: &Followed, from: usize, episodes: &mut [Vec<Visit>]) -> Result<(), Error> {
    let valued = log.level() > LogLevel::Done;
    let features = |row: usize, asks: bool| -> Vec<f64> {
        let asks = f64::from(u8::from(asks));
        if !valued {
            return vec![1.0, asks];
        }
        let estimate = followed.rows[row].estimate;
        vec![1.0, asks, estimate, asks * estimate]
    };
    // The return from each row on, as it was logged.
    let mut to_go = vec![0.0; log.rows()];
    for episode in &log.episodes[from..] {
        let mut sum = 0.0;
        for row in episode.rows.clone().rev() {
            sum = log.reward[row] + log.header.discount * sum;
            to_go[row] = sum;
        }
    }
    let count = log.episodes.len() - from;
    for fold in 0..FOLDS {
        let mut data: Vec<(Vec<f64>, f64)> = Vec::new();
        for (place, episode) in log.episodes[from..].iter().enumerate() {
            if place % FOLDS != fold {
                data.extend(episode.rows.clone().map(|row| (features(row, log.asked[row]), to_go[row])));
            }
        }
        let width = if valued { 4 } else { 2 };
        let fit = Ridge::fit(width, data.iter().map(|(x, y)| (x.as_slice(), *y)), 1.0)?;
        for place in (fold..count).step_by(FOLDS) {
            let rows = log.episodes[from + place].rows.clone();
            for (visit, row) in episodes[place].iter_mut().zip(rows) {
                visit.expected = fit.predict(&features(row, log.asked[row]))?;
                visit.value = fit.predict(&features(row, followed.rows[row].asks))?;
            }
        }
    }
    Ok(())
}
