//! Whether the calls of a log agree with the probability of asking that it claims: it is right if, whatever was known before the
//! choice, calls came as often as it says.
//!
//! Rows are put into bands by each thing that was known. In a band the sum of (asked - p) is a martingale whose variance is
//! V = Σ p (1 - p), so by Freedman's inequality it exceeds √(2 V L) + L / 3 with probability 2 e^-L at most. L is chosen such that
//! all bands together refuse [`FALSE_ALARMS`] of right logs at most. What was known and not logged cannot be tested.

use super::Refused;
use crate::log::EvidenceFrom;
use crate::{Followed, ShadowLog};

/// The share of right logs that are refused, at most.
const FALSE_ALARMS: f64 = 0.001;
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
    let tests = (known.len() * BANDS) as f64;
    let limit = (2.0 * tests / FALSE_ALARMS).ln();
    for (by, of) in known {
        let mut rows: Vec<(f64, usize)> = (0..finished).map(|row| (of(row), row)).collect();
        rows.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        for band in bands(&rows) {
            let (mut asked, mut claimed, mut variance) = (0_u64, 0.0, 0.0);
            for (_, row) in band {
                let p = log.p_ask[*row];
                asked += u64::from(log.asked[*row]);
                claimed += p;
                variance += p * (1.0 - p);
            }
            if (asked as f64 - claimed).abs() > (2.0 * variance * limit).sqrt() + limit / 3.0 {
                let between = [band[0].0, band[band.len() - 1].0];
                return Err(Refused::OtherRate { by, between, asked, claimed, rows: band.len() });
            }
        }
    }
    Ok(())
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
