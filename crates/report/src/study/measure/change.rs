//! How well it was foretold that an answer changes the greedy action, and how well the value samples are spread.
//!
//! The paper holds a gate's score against the event that advice changes the greedy action (tab:calibration-pilot). A score is
//! a probability only where it is a share, so what is judged here is what the scores rest on. The greedy action is the one
//! with the highest middle of its bounds. Answers count where they named an action, and only at queries; a gate that asks
//! where its score is high shows the upper end alone, one that asks at random shows all of it.

use counsel_decision::argmax;
use counsel_log::study::ChangeForecast;
use counsel_stats::event_calibration_error;

use super::log::CellLog;

/// The bins of a calibration error.
pub(in crate::study) const BINS: usize = 10;

/// The greedy action of a row.
fn greedy(lower: &[f64], upper: &[f64]) -> Option<usize> {
    let middles: Vec<f64> = lower.iter().zip(upper).map(|(lower, upper)| f64::midpoint(*lower, *upper)).collect();
    (!middles.is_empty()).then(|| argmax(&middles).index())
}

/// The stated probabilities that an answer changes the greedy action, and whether it did, query by query.
pub(in crate::study) fn change_forecasts(log: &CellLog<'_>, by: ChangeForecast) -> (Vec<f64>, Vec<bool>) {
    let (lower, upper) = (log.frame.real_lists("lower_bounds"), log.frame.real_lists("upper_bounds"));
    let (samples, laws) = (log.frame.real_lists("value_samples"), log.frame.real_lists("response_law"));
    let (visits, response) = (log.counts("visits"), log.frame.ints("response"));
    let forecast = |row: usize| {
        let answer = usize::try_from(response[row]?).ok()?;
        let greedy = greedy(lower.row(row), upper.row(row))?;
        let stated = match by {
            ChangeForecast::Disagreement => {
                let count = samples.row(row).len() / lower.row(row).len();
                let apart =
                    samples.row(row).chunks_exact(lower.row(row).len()).filter(|one| argmax(one).index() != greedy);
                apart.count() as f64 / count as f64
            }
            ChangeForecast::Novelty => 1.0 / (1.0 + visits[row] as f64).sqrt(),
            ChangeForecast::PredictedAnswer => {
                let usable: f64 = laws.row(row).iter().take(lower.row(row).len()).sum();
                if usable > 0.0 { (1.0 - laws.row(row)[greedy] / usable).clamp(0.0, 1.0) } else { 0.0 }
            }
        };
        Some((stated, answer != greedy))
    };
    log.answers().rows.into_iter().filter_map(forecast).unzip()
}

pub(super) fn change_error(log: &CellLog<'_>, by: ChangeForecast) -> Option<f64> {
    let (stated, changed) = change_forecasts(log, by);
    event_calibration_error(&stated, &changed, BINS).ok()
}

/// The share of usable answers that named another action than the greedy one.
pub(super) fn changed(log: &CellLog<'_>) -> Option<f64> {
    let (_, changed) = change_forecasts(log, ChangeForecast::Novelty);
    let count = changed.iter().filter(|changed| **changed).count();
    (!changed.is_empty()).then(|| count as f64 / changed.len() as f64)
}

/// The mean over k of |share of optimal values up to the k-th lowest of K samples - k / (K + 1)|, over all actions of the
/// decisions at which the optimal values are known. Of a well spread posterior every rank is as likely as any other.
pub(super) fn value_error(log: &CellLog<'_>) -> Option<f64> {
    let (samples, optimal) = (log.frame.real_lists("value_samples"), log.frame.real_lists("optimal_values"));
    let mut ranks: Vec<u64> = Vec::new();
    for row in (0..log.frame.rows()).filter(|row| !optimal.row(*row).is_empty()) {
        let actions = optimal.row(row).len();
        for (action, truth) in optimal.row(row).iter().enumerate() {
            let below = samples.row(row).chunks_exact(actions).filter(|sample| sample[action] < *truth).count();
            ranks.resize(ranks.len().max(samples.row(row).len() / actions + 1), 0);
            ranks[below] += 1;
        }
    }
    let (all, levels) = (ranks.iter().sum::<u64>() as f64, ranks.len());
    let mut up_to = 0.0;
    let gaps = (1..levels).map(|k| {
        up_to += ranks[k - 1] as f64;
        (up_to / all - k as f64 / levels as f64).abs()
    });
    (levels > 1).then(|| gaps.sum::<f64>() / (levels - 1) as f64)
}

#[cfg(test)]
mod tests {
    use counsel_decision::{AdviceModel, CandidateOnly, ResponseLaw, ValueBounds, ValueSamples};
    use counsel_log::Decision;

    use super::super::specimen::{Advice, asked, cell};
    use super::*;

    /// An answer that names action 1, by an agent with these samples of two values.
    fn answered(greedy: usize, samples: Vec<f64>, law: Vec<f64>, visits: u64) -> Decision {
        let mut decision = asked(Advice::default());
        let values = if greedy == 0 { vec![0.5, 0.0] } else { vec![0.0, 0.5] };
        let bounds = ValueBounds::new(values.clone(), values).unwrap();
        let samples = ValueSamples::new(2, samples).unwrap();
        let law = ResponseLaw::new(2, law).unwrap();
        let base = decision.record.evidence.advice().none().base();
        let advice = CandidateOnly::new(law, samples, bounds, base).unwrap();
        decision.record.evidence =
            decision.record.evidence.clone().with_advice(AdviceModel::CandidateOnly(advice)).unwrap();
        decision.record.evidence = decision.record.evidence.clone().with_visits(visits);
        decision
    }

    #[test]
    fn each_forecast_is_held_against_what_was_said() {
        // Three of four samples prefer action 1; the greedy action is 0, and the answer names 1.
        let split = vec![0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
        let cell = cell(&[
            answered(0, split.clone(), vec![0.3, 0.5, 0.2], 3),
            answered(1, split, vec![0.3, 0.5, 0.2], 0),
            asked(Advice { usable: false, ..Advice::default() }),
        ]);
        let log = cell.log();
        let told = |by| change_forecasts(&log, by);
        assert_eq!(told(ChangeForecast::Disagreement), (vec![0.75, 0.25], vec![true, false]));
        assert_eq!(told(ChangeForecast::Novelty), (vec![0.5, 1.0], vec![true, false]));
        assert_eq!(told(ChangeForecast::PredictedAnswer), (vec![0.625, 0.375], vec![true, false]));
        assert_eq!(change_error(&log, ChangeForecast::Disagreement), Some(0.25));
        assert_eq!(change_error(&log, ChangeForecast::Novelty), Some(0.75));
        assert_eq!(changed(&log), Some(0.5));
    }

    #[test]
    fn samples_are_well_spread_if_every_rank_is_as_likely() {
        let known = |optimal: [f64; 2]| {
            let mut decision = answered(0, vec![0.0, 0.0, 1.0, 1.0], vec![0.5, 0.5, 0.0], 0);
            decision.hindsight.optimal_values = optimal.to_vec();
            decision
        };
        let even = cell(&[known([-1.0, 0.5]), known([2.0, -1.0]), known([0.5, 2.0])]);
        assert_eq!(value_error(&even.log()), Some(0.0));
        let high = cell(&[known([2.0, 2.0])]);
        assert_eq!(value_error(&high.log()), Some(0.5), "1/3 and 2/3 should have been below");
        assert_eq!(value_error(&cell(&[asked(Advice::default())]).log()), None);
    }
}
