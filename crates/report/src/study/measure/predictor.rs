//! How well responses were predicted.

use counsel_stats::{brier_score, expected_calibration_error};

use super::log::{CellLog, mean};

/// The predicted laws of the paid responses, and which response each was; the last entry of a law is for an answer that
/// names no action.
fn forecasts(log: &CellLog<'_>) -> (Vec<Vec<f64>>, Vec<usize>) {
    let (laws, response) = (log.frame.real_lists("response_law"), log.frame.ints("response"));
    let forecast = |row: usize| {
        let law = laws.row(row).to_vec();
        let unusable = law.len().saturating_sub(1);
        Some((law, usize::try_from(response[row]?).unwrap_or(unusable)))
    };
    log.answers().rows.into_iter().filter_map(forecast).unzip()
}

pub(super) fn brier(log: &CellLog<'_>) -> Option<f64> {
    let (laws, responses) = forecasts(log);
    brier_score(&laws, &responses).ok()
}

/// The mean of -ln p̂(y) over the paid responses y; nothing without any.
pub(super) fn log_loss(log: &CellLog<'_>) -> Option<f64> {
    let (laws, responses) = forecasts(log);
    let losses =
        laws.iter().zip(responses).map(|(law, response)| law.get(response).map(|p| -p.max(f64::MIN_POSITIVE).ln()));
    mean(losses)
}

pub(super) fn calibration_error(log: &CellLog<'_>) -> Option<f64> {
    let (laws, responses) = forecasts(log);
    expected_calibration_error(&laws, &responses, 10).ok()
}

/// The mean absolute error of the predicted laws over all contexts, at the last query.
pub(super) fn law_error(log: &CellLog<'_>) -> Option<f64> {
    log.frame.reals("law_error").last().copied().flatten()
}
