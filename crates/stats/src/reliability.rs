//! Calibration error: how far stated probabilities are from observed frequencies.
//!
//! `ECE = sum_b (n_b / n) |frequency_b - mean forecast_b|` over `B` bins of equal width. Bin rule: probability `p`
//! falls into bin `min(floor(p B), B - 1)`, so bin `b` is `[b/B, (b+1)/B)` and the last one includes 1; the product is
//! rounded as a float. A multi-class forecast is judged by its top label: its confidence is its largest entry, the
//! event is that the first class with that entry happened. Invariant: `0 <= ECE <= 1`, and empty bins carry no weight.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::proper_score::{check_events, check_forecasts};

/// The forecasts of one bin against what happened.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Lower edge, included.
    pub low: f64,
    /// Upper edge, included only in the last bin.
    pub high: f64,
    /// Number of forecasts in the bin, at least one.
    pub count: usize,
    /// Mean of the stated probabilities.
    pub mean_forecast: f64,
    /// Share of the events that happened.
    pub frequency: f64,
}

/// The non-empty bins of event probabilities, from low to high.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn reliability(probabilities: &[f64], events: &[bool], bins: usize) -> Result<Vec<CalibrationBin>, Error> {
    check_events("a calibration error", probabilities, events)?;
    if bins == 0 {
        return Err(Error::NoBins);
    }
    let width = bins as f64;
    let mut sums = vec![(0_usize, 0.0, 0_usize); bins];
    for (&p, &event) in probabilities.iter().zip(events) {
        let (count, forecast, happened) = &mut sums[((p * width) as usize).min(bins - 1)];
        *count += 1;
        *forecast += p;
        *happened += usize::from(event);
    }
    let filled = sums.into_iter().enumerate().filter(|(_, (count, ..))| *count > 0);
    Ok(filled
        .map(|(bin, (count, forecast, happened))| CalibrationBin {
            low: bin as f64 / width,
            high: (bin + 1) as f64 / width,
            count,
            mean_forecast: forecast / count as f64,
            frequency: happened as f64 / count as f64,
        })
        .collect())
}

/// Expected calibration error of the probabilities of a binary event.
pub fn event_calibration_error(probabilities: &[f64], events: &[bool], bins: usize) -> Result<f64, Error> {
    let filled = reliability(probabilities, events, bins)?;
    let gaps = filled.iter().map(|bin| bin.count as f64 * (bin.frequency - bin.mean_forecast).abs());
    Ok(gaps.sum::<f64>() / events.len() as f64)
}

/// Expected calibration error of the top label of multi-class forecasts.
pub fn expected_calibration_error<F: AsRef<[f64]>>(
    forecasts: &[F],
    outcomes: &[usize],
    bins: usize,
) -> Result<f64, Error> {
    check_forecasts("a calibration error", forecasts, outcomes)?;
    let (confidences, hits): (Vec<f64>, Vec<bool>) = forecasts
        .iter()
        .zip(outcomes)
        .map(|(forecast, &outcome)| {
            let (label, confidence) = top_label(forecast.as_ref());
            (confidence, label == outcome)
        })
        .unzip();
    event_calibration_error(&confidences, &hits, bins)
}

fn top_label(forecast: &[f64]) -> (usize, f64) {
    let entries = forecast.iter().copied().enumerate();
    entries.fold((0, f64::NEG_INFINITY), |best, entry| if entry.1 > best.1 { entry } else { best })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn edges_belong_to_the_bin_above_and_one_to_the_last() {
        let bins = reliability(&[0.0, 0.25, 0.5, 0.75, 1.0], &[true; 5], 4).unwrap();
        assert_eq!(bins.iter().map(|bin| bin.count).collect::<Vec<_>>(), [1, 1, 1, 2]);
        assert_eq!((bins[3].low, bins[3].high, bins[3].mean_forecast), (0.75, 1.0, 0.875));
    }

    #[test]
    fn by_hand() {
        let error = event_calibration_error(&[0.1, 0.3, 0.9], &[false, true, true], 2).unwrap();
        assert!((error - (2.0 * (0.5 - 0.2) + 0.1) / 3.0).abs() < 1e-15);
    }

    #[test]
    fn top_label_takes_the_first_of_equals() {
        assert_eq!(expected_calibration_error(&[[0.5, 0.5]], &[0], 10), Ok(0.5));
        assert_eq!(top_label(&[0.4, 0.4, 0.2]), (0, 0.4));
    }

    #[test]
    fn bins_are_needed() {
        assert_eq!(event_calibration_error(&[0.5], &[true], 0), Err(Error::NoBins));
        assert_eq!(expected_calibration_error(&[[1.0]], &[0], 0), Err(Error::NoBins));
    }

    proptest! {
        #[test]
        fn between_zero_and_one(
            pairs in prop::collection::vec((0.0..=1.0f64, any::<bool>()), 1..50), bins in 1..20_usize,
        ) {
            let (probabilities, events): (Vec<f64>, Vec<bool>) = pairs.into_iter().unzip();
            let error = event_calibration_error(&probabilities, &events, bins).unwrap();
            prop_assert!((0.0..=1.0).contains(&error));
        }

        #[test]
        fn finer_bins_never_hide_the_overall_gap(
            pairs in prop::collection::vec((0.0..=1.0f64, any::<bool>()), 1..50), bins in 1..20_usize,
        ) {
            let (probabilities, events): (Vec<f64>, Vec<bool>) = pairs.into_iter().unzip();
            let overall = event_calibration_error(&probabilities, &events, 1).unwrap();
            prop_assert!(event_calibration_error(&probabilities, &events, bins).unwrap() >= overall - 1e-12);
        }
    }
}
