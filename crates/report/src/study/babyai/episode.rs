//! What an episode brought: success, steps, return early and late.

use crate::study::measure::{CellLog, returns};

/// The steps and the return of every episode.
fn episodes(log: &CellLog<'_>) -> impl Iterator<Item = (usize, f64)> {
    let by_episode = log.decisions.chunk_by(|one, next| one.record.episode == next.record.episode);
    by_episode.map(|episode| (episode.len(), episode.iter().map(|decision| decision.hindsight.reward).sum()))
}

/// The share of episodes with a reward above zero.
pub(super) fn success(log: &CellLog<'_>) -> Option<f64> {
    let (mut successes, mut all) = (0u64, 0u64);
    for (_, gained) in episodes(log) {
        successes += u64::from(gained > 0.0);
        all += 1;
    }
    (all > 0).then(|| successes as f64 / all as f64)
}

/// The mean steps of the episodes that succeeded.
pub(super) fn steps_to_target(log: &CellLog<'_>) -> Option<f64> {
    let steps: Vec<usize> = episodes(log).filter(|(_, gained)| *gained > 0.0).map(|(steps, _)| steps).collect();
    (!steps.is_empty()).then(|| steps.iter().sum::<usize>() as f64 / steps.len() as f64)
}

/// The mean return of the last 15 episodes.
pub(super) fn late_return(log: &CellLog<'_>) -> Option<f64> {
    let returns = returns(log);
    mean_up_to(&returns, returns.len(), 15)
}

/// The mean return of the ten episodes up to this one.
pub(super) fn windowed_return(log: &CellLog<'_>, episode: usize) -> Option<f64> {
    mean_up_to(&returns(log), episode, 10)
}

fn mean_up_to(returns: &[f64], end: usize, count: usize) -> Option<f64> {
    let window = returns.get(end.checked_sub(count)?..end)?;
    Some(window.iter().sum::<f64>() / count as f64)
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{cell, episode};
    use super::*;

    #[test]
    fn success_and_steps_count_rewarded_episodes() {
        let cell = cell([episode(0, 4, 0.0), episode(1, 3, 0.9), episode(2, 5, 0.5), episode(3, 2, 0.0)].concat());
        assert_eq!(success(&cell.log()), Some(0.5));
        assert_eq!(steps_to_target(&cell.log()), Some(4.0));
        assert_eq!(late_return(&cell.log()), None);
    }

    #[test]
    fn without_success_there_are_no_steps_to_it() {
        let cell = cell(episode(0, 4, 0.0));
        assert_eq!((success(&cell.log()), steps_to_target(&cell.log())), (Some(0.0), None));
    }

    #[test]
    fn windows_end_where_they_should() {
        let episodes: Vec<_> = (0..20u64).flat_map(|number| episode(number, 1, number as f64)).collect();
        let cell = cell(episodes);
        assert_eq!(windowed_return(&cell.log(), 10), Some(4.5));
        assert_eq!(windowed_return(&cell.log(), 20), Some(14.5));
        assert_eq!(windowed_return(&cell.log(), 9), None);
        assert_eq!(windowed_return(&cell.log(), 21), None);
        assert_eq!(late_return(&cell.log()), Some(12.0));
    }
}
