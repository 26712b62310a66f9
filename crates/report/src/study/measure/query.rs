//! Whether the queries that a gate issued were worth their price, and whether the radius covers where the gate acts on it.

use std::collections::BTreeSet;

use super::log::{CellLog, share};

/// What each decision's query was worth, where that was found out.
fn labels(log: &CellLog<'_>) -> Vec<Option<f64>> {
    let (simulated, exact) = (log.frame.reals("proxy_value"), log.frame.reals("exact_value"));
    simulated.iter().zip(exact).map(|(simulated, exact)| simulated.or(*exact)).collect()
}

/// The share of episodes without a query that is worth less than its price; `None` if a query has no label.
pub(super) fn clean_episodes(log: &CellLog<'_>) -> Option<f64> {
    let (asked, labels, price, episode) = (log.asked(), labels(log), log.full("paced_price"), log.counts("episode"));
    let mut spoiled = BTreeSet::new();
    for row in (0..asked.len()).filter(|row| asked[*row]) {
        if labels[row]? < price[row] {
            spoiled.insert(episode[row]);
        }
    }
    let episodes = episode.last()? + 1;
    Some(1.0 - spoiled.len() as f64 / episodes as f64)
}

/// What counts as covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The estimate is within the radius of the label.
    Both,
    /// The estimate is at most the radius above the label: all that the gate relies on.
    Above,
}

/// The decisions at which the gate asked, or came within `calibration.near` of asking.
fn near(log: &CellLog<'_>) -> Vec<usize> {
    let Some(near) = log.setting("calibration.near") else { return Vec::new() };
    let (asked, estimate) = (log.asked(), log.full("estimate"));
    let (radius, price) = (log.full("radius"), log.full("paced_price"));
    let is_near = |row: &usize| asked[*row] || (estimate[*row] - radius[*row] - price[*row]).abs() <= near;
    (0..asked.len()).filter(is_near).collect()
}

pub(super) fn near_threshold_decisions(log: &CellLog<'_>) -> f64 {
    near(log).len() as f64
}

/// The share of them that is covered; `None` if there are none, or one has no label.
pub(super) fn near_threshold(log: &CellLog<'_>, side: Side) -> Option<f64> {
    let (estimate, radius, labels) = (log.full("estimate"), log.full("radius"), labels(log));
    let near = near(log);
    near.iter().all(|row| labels[*row].is_some()).then_some(())?;
    share(near.into_iter(), |row| {
        let error = estimate[row] - labels[row].unwrap_or(f64::NAN);
        let size = if side == Side::Both { error.abs() } else { error };
        size <= radius[row]
    })
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{Advice, Specimen, asked, cell, labelled};
    use super::*;

    /// A query in this episode with this estimate and label, at a price of 0.01.
    fn query(episode: u64, estimate: f64, label: f64) -> counsel_log::Decision {
        let mut decision = asked(Advice::default());
        decision.record.episode = episode;
        decision.record.estimate = estimate;
        decision.hindsight.exact_value = Some(label);
        decision
    }

    #[test]
    fn one_query_below_its_price_spoils_an_episode() {
        let clean = |decisions: &[counsel_log::Decision]| clean_episodes(&cell(decisions).log());
        assert_eq!(
            clean(&[query(0, 0.2, 0.01), query(1, 0.2, 0.3), query(1, 0.2, 0.0), labelled(3, 0, 0.0, -1.0)]),
            Some(0.75)
        );
        assert_eq!(clean(&[labelled(0, 0, 0.0, -1.0), labelled(1, 0, 0.0, -1.0)]), Some(1.0), "silence is clean");
        assert_eq!(clean(&[asked(Advice::default())]), None, "a query without a label");
    }

    fn within(mut specimen: Specimen, near: f64) -> Specimen {
        specimen.manifest.spec = serde_json::json!({ "calibration": { "near": near } });
        specimen
    }

    #[test]
    fn coverage_near_the_threshold_has_a_side_that_matters() {
        // Radius 0.1, price 0.01: asked; near from above, far too low an estimate; near from below, too high; far away.
        let decisions =
            [query(0, 0.5, 0.45), labelled(0, 1, 0.12, 0.9), labelled(0, 2, 0.1, -0.2), labelled(0, 3, 0.0, 9.0)];
        let cell = within(cell(&decisions), 0.05);
        assert_eq!(near_threshold_decisions(&cell.log()), 3.0);
        assert_eq!(near_threshold(&cell.log(), Side::Both), Some(1.0 / 3.0));
        assert_eq!(near_threshold(&cell.log(), Side::Above), Some(2.0 / 3.0));
    }

    #[test]
    fn without_a_distance_nothing_is_near() {
        assert_eq!(near_threshold(&cell(&[labelled(0, 0, 0.11, 0.1)]).log(), Side::Both), None);
    }
}
