//! What a goal that moves in the course of a run did to it: before, after, and how fast that was noticed.

use super::episode::{LATE, WINDOW, returns};
use super::log::{CellLog, mean};

/// A run has recovered when its return is within this of what it was before.
const RECOVERED: f64 = 0.1;

/// The first episode in which the goal is elsewhere.
fn shift(log: &CellLog<'_>) -> Option<usize> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of episodes")]
    let after = log.setting("world.goal_moves_after")? as usize;
    (after < returns(log).len()).then_some(after)
}

fn mean_of(returns: &[f64]) -> Option<f64> {
    mean(returns.iter().copied().map(Some))
}

/// The mean return of the last episodes before the shift.
pub(super) fn return_before(log: &CellLog<'_>) -> Option<f64> {
    let shift = shift(log)?;
    mean_of(&returns(log)[shift.checked_sub(LATE)?..shift])
}

/// The mean return of all episodes after it.
pub(super) fn return_after(log: &CellLog<'_>) -> Option<f64> {
    mean_of(&returns(log)[shift(log)?..])
}

/// The rows before the shift, or all where there is none, of which `has` holds.
fn rows_before(log: &CellLog<'_>, has: impl Fn(usize) -> bool) -> f64 {
    let (episode, shift) = (log.counts("episode"), shift(log).map_or(u64::MAX, |shift| shift as u64));
    (0..log.frame.rows()).filter(|row| episode[*row] < shift && has(*row)).count() as f64
}

pub(super) fn calls_after(log: &CellLog<'_>) -> Option<f64> {
    shift(log)?;
    let asked = log.asked();
    let all = asked.iter().filter(|asked| **asked).count() as f64;
    Some(all - rows_before(log, |row| asked[row]))
}

/// Episodes after the shift until ten in a row return on average what the run returned before, up to 0.1; all of them where
/// it never does.
pub(super) fn recovery(log: &CellLog<'_>) -> Option<f64> {
    let (before, returns) = (return_before(log)?, returns(log));
    let after = &returns[shift(log)?..];
    let recovered = |window: &[f64]| mean_of(window).is_some_and(|now| now >= before - RECOVERED);
    let first = after.windows(WINDOW).position(recovered);
    Some(first.map_or(after.len(), |first| first + WINDOW) as f64)
}

/// Whether the decision found its kept answer flagged by the shift detector.
fn flagged<'a>(log: &'a CellLog<'_>) -> impl Fn(usize) -> bool + 'a {
    let status = log.frame.words("cache_status");
    move |row| status.row(row) == Some("shifted")
}

/// Episodes from the shift to the first answer that the detector drops; `None` if it drops none.
pub(super) fn detection_delay(log: &CellLog<'_>) -> Option<f64> {
    let (shift, flagged, episode) = (shift(log)? as u64, flagged(log), log.counts("episode"));
    let first = (0..log.frame.rows()).find(|row| episode[*row] >= shift && flagged(*row))?;
    Some((episode[first] - shift) as f64)
}

/// Answers that the detector dropped although nothing had shifted.
pub(super) fn false_alarms(log: &CellLog<'_>) -> f64 {
    rows_before(log, flagged(log))
}

/// The same as a share of the answers that were kept until then.
pub(super) fn false_alarm_rate(log: &CellLog<'_>) -> Option<f64> {
    let answers = log.answers();
    let asked = log.asked();
    let kept = rows_before(log, |row| asked[row] && answers.usable(row));
    (kept > 0.0).then(|| false_alarms(log) / kept)
}

#[cfg(test)]
mod tests {
    use counsel_decision::CacheStatus;
    use counsel_log::Decision;
    use serde_json::json;

    use super::super::specimen::{Advice, Specimen, asked, cell, episode};
    use super::*;

    /// Twenty episodes that return 0.8, then fifteen that return 0.1 and fifteen that return 0.75.
    fn run() -> Vec<Decision> {
        let returned = |number: u64| {
            if number < 20 {
                0.8
            } else if number < 35 {
                0.1
            } else {
                0.75
            }
        };
        (0..50).flat_map(|number| episode(number, 2, returned(number))).collect()
    }

    fn shifted_after(mut specimen: Specimen, episodes: u64) -> Specimen {
        specimen.manifest.spec = json!({ "world": { "goal_moves_after": episodes } });
        specimen
    }

    #[test]
    fn before_after_and_recovery() {
        let cell = shifted_after(cell(&run()), 20);
        let log = cell.log();
        assert!((return_before(&log).unwrap() - 0.8).abs() < 1e-12);
        assert!((return_after(&log).unwrap() - 0.425).abs() < 1e-12);
        // Nine of the ten episodes that end with episode 44 return 0.75: their mean is 0.7 with the tenth.
        assert_eq!(recovery(&log), Some(25.0));
        let never = shifted_after(super::super::specimen::cell(&run()[..70]), 20);
        assert_eq!(recovery(&never.log()), Some(15.0), "it never recovers in the fifteen episodes that it has");
    }

    #[test]
    fn alarms_are_false_until_the_shift_and_then_late() {
        let mut decisions = run();
        for row in [10, 51] {
            decisions[row].record.cache_status = CacheStatus::Shifted;
        }
        for (row, number) in [(0, 0), (3, 1), (60, 30)] {
            let mut bought = asked(Advice::default());
            bought.record.episode = number;
            decisions[row] = bought;
        }
        let cell = shifted_after(cell(&decisions), 20);
        let log = cell.log();
        assert_eq!((false_alarms(&log), false_alarm_rate(&log)), (1.0, Some(0.5)));
        assert_eq!((detection_delay(&log), calls_after(&log)), (Some(5.0), Some(1.0)));
        let steady = super::super::specimen::cell(&decisions);
        assert_eq!((false_alarms(&steady.log()), detection_delay(&steady.log())), (2.0, None));
        assert_eq!((return_before(&steady.log()), recovery(&steady.log())), (None, None));
    }
}
