//! What an episode brought, and what it cost.

use super::log::{CellLog, mean, share};

/// Episodes in the window of `return at N`.
pub(super) const WINDOW: usize = 10;
/// Episodes at the end of a run that count as late.
pub(super) const LATE: usize = 15;

/// One episode.
#[derive(Debug, Clone, Copy)]
struct Played {
    steps: usize,
    gained: f64,
    /// The reward of its last step.
    last: f64,
}

/// Every episode, in order.
fn episodes(log: &CellLog<'_>) -> Vec<Played> {
    let (episode, reward) = (log.counts("episode"), log.full("reward"));
    let mut from = 0;
    let mut episodes = Vec::new();
    for steps in episode.chunk_by(|one, next| one == next).map(<[u64]>::len) {
        let paid = &reward[from..from + steps];
        episodes.push(Played { steps, gained: paid.iter().sum(), last: paid[steps - 1] });
        from += steps;
    }
    episodes
}

impl Played {
    /// Whether its last step paid: where every step costs, an episode can reach its goal and still return less than zero.
    fn succeeded(self) -> bool {
        self.last > 0.0
    }
}

/// The undiscounted return of every episode.
pub(in crate::study) fn returns(log: &CellLog<'_>) -> Vec<f64> {
    episodes(log).into_iter().map(|played| played.gained).collect()
}

/// How many episodes there are.
fn count(log: &CellLog<'_>) -> Option<f64> {
    log.counts("episode").last().map(|last| (last + 1) as f64)
}

pub(super) fn mean_return(log: &CellLog<'_>) -> Option<f64> {
    count(log).map(|episodes| total_reward(log) / episodes)
}

pub(super) fn total_reward(log: &CellLog<'_>) -> f64 {
    log.full("reward").iter().sum()
}

pub(super) fn late_return(log: &CellLog<'_>) -> Option<f64> {
    let returns = returns(log);
    mean_up_to(&returns, returns.len(), LATE)
}

/// The mean return of the ten episodes up to this one, counted from 1.
pub(super) fn return_at(log: &CellLog<'_>, episode: u64) -> Option<f64> {
    mean_up_to(&returns(log), usize::try_from(episode).ok()?, WINDOW)
}

fn mean_up_to(returns: &[f64], end: usize, count: usize) -> Option<f64> {
    let window = returns.get(end.checked_sub(count)?..end)?;
    Some(window.iter().sum::<f64>() / count as f64)
}

pub(super) fn success(log: &CellLog<'_>) -> Option<f64> {
    let episodes = episodes(log);
    share(0..episodes.len(), |at| episodes[at].succeeded())
}

/// A step that pays more than this has brought something new. In Crafter health alone brings a tenth at most.
const NEW: f64 = 0.25;

pub(super) fn achievements(log: &CellLog<'_>) -> Option<f64> {
    let paid = log.full("reward").iter().filter(|&&reward| reward > NEW).count();
    count(log).map(|episodes| paid as f64 / episodes)
}

pub(super) fn steps_of_success(log: &CellLog<'_>) -> Option<f64> {
    let steps: Vec<usize> =
        episodes(log).into_iter().filter(|played| played.succeeded()).map(|played| played.steps).collect();
    (!steps.is_empty()).then(|| steps.iter().sum::<usize>() as f64 / steps.len() as f64)
}

/// The paper's "environment steps to a prespecified target return": those until ten episodes in a row return it in the mean.
pub(super) fn steps_to(log: &CellLog<'_>, millionths: u64) -> Option<f64> {
    let (episodes, target) = (episodes(log), millionths as f64 * 1e-6);
    let reaches = |window: &[Played]| window.iter().map(|played| played.gained).sum::<f64>() / WINDOW as f64 >= target;
    let reached = episodes.windows(WINDOW).position(reaches).map_or(episodes.len(), |first| first + WINDOW);
    (!episodes.is_empty()).then(|| episodes[..reached].iter().map(|played| played.steps).sum::<usize>() as f64)
}

pub(super) fn calls(log: &CellLog<'_>) -> f64 {
    log.asked().into_iter().filter(|asked| *asked).count() as f64
}

pub(super) fn calls_per_episode(log: &CellLog<'_>) -> Option<f64> {
    count(log).map(|episodes| calls(log) / episodes)
}

/// The share of decisions at which a call was made.
pub(super) fn asked(log: &CellLog<'_>) -> Option<f64> {
    let asked = log.asked();
    share(0..asked.len(), |row| asked[row])
}

pub(super) fn asked_where_paid(log: &CellLog<'_>) -> Option<f64> {
    let (asked, left) = (log.asked(), log.counts("calls_left"));
    let (estimate, radius, price) = (log.full("estimate"), log.full("radius"), log.full("paced_price"));
    let paid = (0..asked.len()).filter(|row| estimate[*row] - radius[*row] >= price[*row] && left[*row] > 0);
    share(paid, |row| asked[row])
}

pub(super) fn cost_adjusted(log: &CellLog<'_>) -> Option<f64> {
    let price = log.full("price");
    let cost: f64 = log.answers().rows.into_iter().map(|row| price[row]).sum();
    Some(mean_return(log)? - cost / count(log)?)
}

/// The same return if a call had cost this many millionths, with the run as it was.
pub(super) fn repriced(log: &CellLog<'_>, millionths: u64) -> Option<f64> {
    Some(mean_return(log)? - millionths as f64 * 1e-6 * calls_per_episode(log)?)
}

/// Steps of copies of the world: those before deployment and those that its decisions took.
pub(super) fn simulated_steps(log: &CellLog<'_>) -> f64 {
    let during: i64 = log.frame.ints("simulated_steps").iter().flatten().sum();
    log.manifest.totals.calibration_steps as f64 + during as f64
}

/// The cost-adjusted return after calibration is paid for, too, at the price of the first decision.
pub(super) fn net_return(log: &CellLog<'_>) -> Option<f64> {
    let calls = log.manifest.totals.calibration_calls as f64;
    let price = if calls > 0.0 { *log.full("price").first()? } else { 0.0 };
    Some(cost_adjusted(log)? - calls * price / count(log)?)
}

/// Tokens per call, sent and received, over the calls for which both were recorded.
pub(super) fn tokens_per_call(log: &CellLog<'_>) -> Option<f64> {
    let (sent, received) = (log.frame.ints("request_tokens"), log.frame.ints("response_tokens"));
    mean(log.answers().rows.into_iter().map(|row| sent[row].zip(received[row]).map(|(s, r)| s as f64 + r as f64)))
}

pub(super) fn latency_per_call(log: &CellLog<'_>) -> Option<f64> {
    let latency = log.frame.reals("latency_ms");
    mean(log.answers().rows.into_iter().map(|row| latency[row]))
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{Advice, asked, cell, episode};
    use super::*;

    #[test]
    fn success_and_steps_count_rewarded_episodes() {
        let cell = cell(&[episode(0, 4, 0.0), episode(1, 3, 0.9), episode(2, 5, 0.5), episode(3, 2, 0.0)].concat());
        assert_eq!(success(&cell.log()), Some(0.5));
        assert_eq!(steps_of_success(&cell.log()), Some(4.0));
        assert_eq!(late_return(&cell.log()), None);
        assert_eq!(mean_return(&cell.log()), Some(0.35));
    }

    #[test]
    fn steps_that_bring_something_new_are_counted_per_episode() {
        let cell = cell(&[episode(0, 4, 0.1), episode(1, 3, 1.0), episode(2, 5, 0.9), episode(3, 2, -0.2)].concat());
        assert_eq!(achievements(&cell.log()), Some(0.5));
    }

    #[test]
    fn without_success_there_are_no_steps_to_it() {
        let cell = cell(&episode(0, 4, 0.0));
        assert_eq!((success(&cell.log()), steps_of_success(&cell.log())), (Some(0.0), None));
    }

    /// The goal is reached after 150 steps that cost 0.01 each: a return below zero, and a success.
    #[test]
    fn a_goal_that_was_dear_was_still_reached() {
        let costly = |number, paid: f64| {
            let mut episode = episode(number, 150, paid);
            episode.iter_mut().for_each(|decision| decision.hindsight.reward -= 0.01);
            episode
        };
        let cell = cell(&[costly(0, 1.0), costly(1, 0.0)].concat());
        assert!(mean_return(&cell.log()).unwrap() < -0.4);
        assert_eq!((success(&cell.log()), steps_of_success(&cell.log())), (Some(0.5), Some(150.0)));
    }

    #[test]
    fn steps_are_counted_until_ten_episodes_reach_the_target() {
        let learned = |number: u64| if number < 4 { 0.0 } else { 0.8 };
        let episodes: Vec<_> = (0..20u64).flat_map(|number| episode(number, number + 1, learned(number))).collect();
        let cell = cell(&episodes);
        // The episodes 3 to 12 return 9 * 0.8 / 10 in the mean, those before less: 1 + ... + 13 steps.
        assert_eq!(steps_to(&cell.log(), 720_000), Some(91.0));
        assert_eq!(steps_to(&cell.log(), 0), Some(55.0), "the first ten are there at once");
        assert_eq!(steps_to(&cell.log(), 900_000), Some(210.0), "all of them, where it is never reached");
    }

    #[test]
    fn windows_end_where_they_should() {
        let episodes: Vec<_> = (0..20u64).flat_map(|number| episode(number, 1, number as f64)).collect();
        let cell = cell(&episodes);
        assert_eq!(return_at(&cell.log(), 10), Some(4.5));
        assert_eq!(return_at(&cell.log(), 20), Some(14.5));
        assert_eq!(return_at(&cell.log(), 9), None);
        assert_eq!(return_at(&cell.log(), 21), None);
        assert_eq!(late_return(&cell.log()), Some(12.0));
    }

    #[test]
    fn another_price_changes_what_is_paid_and_nothing_else() {
        let bought = asked(Advice::default());
        let cell = cell(&[vec![bought.clone(), bought], episode(1, 3, 0.9)].concat());
        assert!((repriced(&cell.log(), 20_000).unwrap() - 0.43).abs() < 1e-12);
        assert_eq!(repriced(&cell.log(), 10_000), cost_adjusted(&cell.log()));
    }

    #[test]
    fn tokens_are_averaged_over_the_calls_that_have_them() {
        let spent = |tokens| asked(Advice { tokens: Some(tokens), ..Advice::default() });
        let cell = cell(&[spent((100, 2)), spent((110, 4)), asked(Advice::default())]);
        assert_eq!(tokens_per_call(&cell.log()), Some(108.0));
        assert_eq!(latency_per_call(&cell.log()), None);
        assert_eq!(calls(&cell.log()), 3.0);
    }
}
