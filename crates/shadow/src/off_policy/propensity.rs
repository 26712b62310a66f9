//! Whether the calls of a log agree with the probability of asking that it claims: it is right if, whatever was known before the
//! choice, calls came as often as it says.
//!
//! Rows are put into order and into bands by each thing that was known. In a band the sum of (asked - p) is a martingale, and so is
//! the sum of (asked - p) h over all rows, with h the first or the second Legendre polynomial of a row's rank: a line and a parabola,
//! which find what changes little by little and stays small in every band. With |h| at most 1 and the variance V = Σ h² p (1 - p),
//! by Freedman's inequality such a sum exceeds √(2 V L) + L / 3 with probability 2 e^-L at most. L is chosen such that all bands
//! together, and all trends together, refuse [`FALSE_ALARMS`] of right logs at most. What was known and not logged cannot be tested.

use super::Refused;
use crate::log::EvidenceFrom;
use crate::{Followed, ShadowLog};

/// The share of right logs that are refused for a band, and for a trend, at most.
const FALSE_ALARMS: [f64; 2] = [0.001, 0.009];
/// Bands of one quantity.
const BANDS: usize = 10;

/// Refuses a log whose calls came more or less often than it claims, in a band of something that it logged.
pub(super) fn check(log: &ShadowLog, followed: &Followed) -> Result<(), Refused> {
    let finished = log.episodes.last().map_or(0, |episode| episode.rows.end);
    let mut step = Vec::with_capacity(finished);
    for episode in &log.episodes {
        step.extend((0..episode.rows.len()).map(|step| step as f64));
    }
    let own_value = |row: usize| match &log.known {
        EvidenceFrom::Told { values, .. } if !values.is_empty() => {
            values[row * log.actions() + usize::from(log.base[row])]
        }
        _ => 0.0,
    };
    let known: [(&'static str, &dyn Fn(usize) -> f64); 7] = [
        ("p_ask", &|row| log.p_ask[row]),
        ("place in the log", &|row| row as f64),
        ("step", &|row| step[row]),
        ("base", &|row| f64::from(log.base[row])),
        ("price", &|row| log.price[row]),
        ("value of base", &own_value),
        ("expected worth of a call", &|row| followed.rows[row].estimate),
    ];
    rates(&log.p_ask[..finished], &log.asked[..finished], &known)
}

/// Refuses probabilities with which something is claimed to have happened, row by row, if it happened more or less often, in a band
/// of something that was known or along it.
pub(crate) fn rates(
    claimed: &[f64],
    happened: &[bool],
    known: &[(&'static str, &dyn Fn(usize) -> f64)],
) -> Result<(), Refused> {
    let limit = |tests: usize, share: f64| (2.0 * tests as f64 / share).ln();
    let band_limit = limit(known.len() * BANDS, FALSE_ALARMS[0]);
    let trend_limit = limit(known.len() * 2, FALSE_ALARMS[1]);
    for &(by, of) in known {
        let mut rows: Vec<(f64, usize)> = (0..claimed.len()).map(|row| (of(row), row)).collect();
        rows.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        for band in bands(&rows) {
            let sums = Sums::of(claimed, happened, band.iter().map(|(_, row)| (*row, 1.0)));
            if sums.exceed(band_limit) {
                let between = [band[0].0, band[band.len() - 1].0];
                let asked = band.iter().filter(|(_, row)| happened[*row]).count() as u64;
                let claimed = asked as f64 - sums.beyond;
                return Err(Refused::OtherRate { by, between, asked, claimed, rows: band.len() });
            }
        }
        let ranks = ranks(&rows);
        for trend in [|rank: f64| rank, |rank: f64| 1.5 * rank * rank - 0.5] {
            let sums = Sums::of(claimed, happened, ranks.iter().map(|(row, rank)| (*row, trend(*rank))));
            if sums.exceed(trend_limit) {
                return Err(Refused::OtherTrend { by, deviations: sums.beyond.abs() / sums.variance.sqrt() });
            }
        }
    }
    Ok(())
}

/// Calls beyond those that a log claims, each row with its factor, and the variance of their sum.
#[derive(Default)]
struct Sums {
    beyond: f64,
    variance: f64,
}

impl Sums {
    fn of(claimed: &[f64], happened: &[bool], rows: impl Iterator<Item = (usize, f64)>) -> Self {
        let mut sums = Self::default();
        for (row, factor) in rows {
            let p = claimed[row];
            sums.beyond += factor * (f64::from(u8::from(happened[row])) - p);
            sums.variance += factor * factor * p * (1.0 - p);
        }
        sums
    }

    /// Whether they are beyond what chance does but in e^-L of all logs.
    fn exceed(&self, limit: f64) -> bool {
        self.beyond.abs() > (2.0 * self.variance * limit).sqrt() + limit / 3.0
    }
}

/// The rank of every sorted row, from -1 to 1; equal values have one rank.
fn ranks(rows: &[(f64, usize)]) -> Vec<(usize, f64)> {
    let mut found = Vec::with_capacity(rows.len());
    for equal in rows.chunk_by(|one, next| one.0 == next.0) {
        let middle = (2 * found.len() + equal.len()) as f64 / rows.len() as f64 - 1.0;
        found.extend(equal.iter().map(|(_, row)| (*row, middle)));
    }
    found
}

/// Equal shares of sorted rows; equal values stay together.
fn bands(mut rows: &[(f64, usize)]) -> Vec<&[(f64, usize)]> {
    let share = rows.len().div_ceil(BANDS);
    let mut found = Vec::new();
    while !rows.is_empty() {
        let last = rows[share.min(rows.len()) - 1].0;
        let (band, rest) = rows.split_at(rows.partition_point(|(value, _)| *value <= last));
        found.push(band);
        rows = rest;
    }
    found
}
