//! Proper scores of probabilistic forecasts; lower is better.
//!
//! Brier `(1/n) sum_i sum_k (p_ik - 1{y_i = k})^2` in `[0, 2]`; logarithmic `-(1/n) sum_i ln p_i,y_i` in nats, infinite
//! when an outcome was given probability zero. Invariant: a forecast is a distribution to within 1e-6, and no forecast scores better
//! in expectation than the true law.

use crate::Error;

/// How far the sum of a forecast may be from 1.
const SUM_TOLERANCE: f64 = 1e-6;

/// Mean squared distance between each forecast and the indicator of its outcome.
pub fn brier_score<F: AsRef<[f64]>>(forecasts: &[F], outcomes: &[usize]) -> Result<f64, Error> {
    average_loss(forecasts, outcomes, |forecast, outcome| {
        let terms = forecast.iter().enumerate().map(|(class, p)| (p - f64::from(u8::from(class == outcome))).powi(2));
        terms.sum()
    })
}

/// Mean negative logarithm of the probability given to what happened, in nats.
pub fn log_score<F: AsRef<[f64]>>(forecasts: &[F], outcomes: &[usize]) -> Result<f64, Error> {
    average_loss(forecasts, outcomes, |forecast, outcome| -forecast[outcome].ln())
}

fn average_loss<F: AsRef<[f64]>>(
    forecasts: &[F],
    outcomes: &[usize],
    loss: impl Fn(&[f64], usize) -> f64,
) -> Result<f64, Error> {
    check_forecasts("a forecast score", forecasts, outcomes)?;
    let losses = forecasts.iter().zip(outcomes).map(|(forecast, &outcome)| loss(forecast.as_ref(), outcome));
    Ok(losses.sum::<f64>() / outcomes.len() as f64)
}

/// Refuses forecasts that are no distributions over classes that include their outcome.
pub(crate) fn check_forecasts<F: AsRef<[f64]>>(
    what: &'static str,
    forecasts: &[F],
    outcomes: &[usize],
) -> Result<(), Error> {
    check_parallel(what, forecasts.len(), outcomes.len())?;
    for (index, (forecast, &outcome)) in forecasts.iter().zip(outcomes).enumerate() {
        let forecast = forecast.as_ref();
        if let Some(&value) = forecast.iter().find(|p| !(0.0..=1.0).contains(*p)) {
            return Err(Error::NotAProbability { what: "a forecast entry", index, value });
        }
        let sum: f64 = forecast.iter().sum();
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(Error::ForecastSum { index, sum });
        }
        if outcome >= forecast.len() {
            return Err(Error::UnknownOutcome { index, outcome, classes: forecast.len() });
        }
    }
    Ok(())
}

/// Refuses event probabilities outside the unit interval or without an event each.
pub(crate) fn check_events(what: &'static str, probabilities: &[f64], events: &[bool]) -> Result<(), Error> {
    check_parallel(what, probabilities.len(), events.len())?;
    match probabilities.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(index) => Err(Error::NotAProbability { what: "an event probability", index, value: probabilities[index] }),
        None => Ok(()),
    }
}

fn check_parallel(what: &'static str, forecasts: usize, outcomes: usize) -> Result<(), Error> {
    if forecasts != outcomes {
        let remedy = "give one outcome per forecast";
        return Err(Error::UnequalLengths { what, left: forecasts, right: outcomes, remedy });
    }
    if forecasts == 0 { Err(Error::Empty { what }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn certain_forecasts() {
        assert_eq!(brier_score(&[[1.0, 0.0]], &[0]), Ok(0.0));
        assert_eq!(brier_score(&[[1.0, 0.0]], &[1]), Ok(2.0));
        assert_eq!(log_score(&[[1.0, 0.0]], &[0]), Ok(0.0));
        assert_eq!(log_score(&[[1.0, 0.0]], &[1]), Ok(f64::INFINITY));
    }

    #[test]
    fn bad_forecasts_are_named() {
        let message = brier_score(&[[0.5, 0.6]], &[0]).unwrap_err().to_string();
        assert_eq!(message, "forecast 0 sums to 1.1 instead of 1; normalise it first");
        assert!(matches!(brier_score(&[[0.5, 0.5]], &[2]), Err(Error::UnknownOutcome { classes: 2, .. })));
        assert!(matches!(log_score(&[[1.5, -0.5]], &[0]), Err(Error::NotAProbability { .. })));
        assert!(matches!(brier_score::<[f64; 2]>(&[], &[]), Err(Error::Empty { .. })));
    }

    proptest! {
        #[test]
        fn the_true_law_scores_best_in_expectation(truth in 0.01..0.99f64, forecast in 0.01..0.99f64) {
            let expected = |losses: [f64; 2]| (1.0 - truth) * losses[0] + truth * losses[1];
            let brier = |p: f64| [0, 1].map(|outcome| brier_score(&[[1.0 - p, p]], &[outcome]).unwrap());
            let log = |p: f64| [0, 1].map(|outcome| log_score(&[[1.0 - p, p]], &[outcome]).unwrap());
            prop_assert!(expected(brier(truth)) <= expected(brier(forecast)) + 1e-12);
            prop_assert!(expected(log(truth)) <= expected(log(forecast)) + 1e-12);
        }
    }
}
