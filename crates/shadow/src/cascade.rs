//! Values that were written before an answer was known, as the labels of a cheap model in a cascade are: by them every answer other
//! than the cheap one is worse, whatever it is worth. No number of the gate can be had from such values, and those that come out
//! have the wrong sign.

use counsel_stats::mean_interval;

use crate::log::EvidenceFrom;
use crate::{Error, ShadowLog};

/// In this share of the rows at least the agent's own action is the best by the values: no answer can improve on it.
const BEST: f64 = 0.99;
/// The level at which returns refute the values.
const LEVEL: f64 = 0.999;

/// Refuses a log in which no answer can improve on the agent's own action by the values, although the answers that replaced it
/// returned more than the values say.
pub(crate) fn check(log: &ShadowLog) -> Result<(), Error> {
    let EvidenceFrom::Told { values, .. } = &log.known else { return Ok(()) };
    if values.is_empty() {
        return Ok(());
    }
    let value = |row: usize, action: u16| values[row * log.actions() + usize::from(action)];
    let (mut rows, mut best, mut surprises) = (0_usize, 0_usize, Vec::new());
    for episode in &log.episodes {
        let own_is_best = |row: &usize| {
            let own = value(*row, log.base[*row]);
            values[row * log.actions()..(row + 1) * log.actions()].iter().all(|other| *other <= own)
        };
        rows += episode.rows.len();
        best += episode.rows.clone().filter(own_is_best).count();
        let against = |row: &usize| log.asked[*row] && value(*row, log.executed[*row]) < value(*row, log.base[*row]);
        // One row of an episode, since the returns from two of them share their end.
        if let Some(row) = episode.rows.clone().find(against) {
            surprises.push(log.discounted(row..episode.rows.end) - value(row, log.executed[row]));
        }
    }
    if (best as f64) < BEST * rows as f64 {
        return Ok(());
    }
    match mean_interval(&surprises, LEVEL)? {
        Some(surprise) if surprise.low > 0.0 => Err(Error::Asked {
            reason: format!(
                "base is the best action by `values` in {best} of {rows} rows, so no answer can improve on it; and yet the answers that replaced \
                 it returned {:.4} more than `values` say. These are values before an answer, and every number about the gate would be wrong. \
                 A cascade is judged by `counsel route`, from its outcomes and the probabilities of its calls (docs/CASCADE.md). For the gate, write it as two \
                 actions: words = [\"cheap\",\"strong\"], values = [p_cheap, p_strong] (the chance that each is right), law = [0,1,0], base = cheap; \
                 or leave `values` out, to see what never asking does",
                surprise.estimate
            ),
        }),
        _ => Ok(()),
    }
}
