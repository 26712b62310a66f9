//! The learning curve of a block: the running mean of the return, one line per arm, with its interval over the seeds.
//!
//! One episode of one seed says little, so the returns of a seed are first averaged over a window of episodes around each
//! point, and the interval over the seeds is taken of these averages. Bands end where the returns of the episodes end: no
//! mean can lie beyond. Invariant: every mean is over the same episodes, so a window counts for a seed that has all of it.

use std::collections::BTreeMap;

use super::illustrate::{BANDS, estimate, seeds_in_words};
use super::results::Results;
use crate::{Ends, Error, Figure, FigureKind, Point, Series};

/// About how many points a curve has at most.
const MOST_POINTS: usize = 60;
/// A window has about this part of the episodes.
const WINDOWS: usize = 6;

/// One number per episode of each seed, by arm in the order of the specification.
pub(super) type Episodes = Vec<(String, BTreeMap<u64, Vec<f64>>)>;

pub(super) fn curve(
    study: &str,
    title: &str,
    quantity: &str,
    arms: &Episodes,
    results: &Results,
) -> Result<Figure, Error> {
    let is_shared = |seed: &u64| arms.iter().all(|(_, seeds)| seeds.contains_key(seed));
    let count = arms.first().map_or(0, |(_, seeds)| seeds.keys().filter(|seed| is_shared(seed)).count());
    let returns = || arms.iter().flat_map(|(_, seeds)| seeds.values());
    let longest = returns().map(Vec::len).max().unwrap_or(0);
    let possible = Ends {
        low: returns().flatten().copied().fold(f64::INFINITY, f64::min),
        high: returns().flatten().copied().fold(f64::NEG_INFINITY, f64::max),
    };
    let window = window(longest);
    let last = (longest + 1).saturating_sub(window);

    let mut figure = Figure::new(format!("{study}-curve"), title, FigureKind::Line, "episode", quantity)?;
    for (arm, seeds) in arms {
        let seeds: Vec<&[f64]> =
            seeds.iter().filter(|(seed, _)| is_shared(seed)).map(|(_, values)| values.as_slice()).collect();
        let mut points = Vec::new();
        for from in (0..last).step_by(last.div_ceil(MOST_POINTS).max(1)) {
            let means: Vec<f64> = seeds.iter().filter_map(|values| values.get(from..from + window)).map(mean).collect();
            // Episodes are counted from 1.
            let middle = (from + 1 + window / 2) as f64;
            points.extend(estimate(study, &means)?.map(|(y, ends)| {
                let point = Point::new(middle, y);
                ends.map_or(point.clone(), |ends| point.y_within(within(ends, possible, y)))
            }));
        }
        figure.push(Series::new(arm.clone(), points).at_place(results.look(arm)))?;
    }
    let smoothing = (window > 1).then(|| format!("running mean of {window} episodes"));
    let each = smoothing.as_ref().map_or_else(String::new, |words| format!("Each point: {words}. "));
    let seeds = seeds_in_words(count);
    figure.caption = format!(
        "{each}Lines: mean over {seeds} that all arms share. {BANDS} They end at the lowest and the highest {quantity} of an episode."
    );
    figure.smoothing = smoothing;
    Ok(figure)
}

/// The number of episodes that a point averages, in a curve of this many: odd, so that it has a middle.
fn window(episodes: usize) -> usize {
    2 * (episodes / WINDOWS / 2) + 1
}

/// The part of an interval that is possible. The mean stays in it: of equal returns it may be a rounding step beside them.
fn within(ends: Ends, possible: Ends, mean: f64) -> Ends {
    Ends { low: ends.low.max(possible.low).min(mean), high: ends.high.min(possible.high).max(mean) }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::super::specimen::Measured;
    use super::*;

    #[test]
    fn windows_are_odd_and_about_a_sixth() {
        assert_eq!([1, 5, 11, 12, 20, 30, 60, 500].map(window), [1, 1, 1, 3, 3, 5, 11, 83]);
    }

    /// The mean of equal returns may be a rounding step beside them: thirty times -0.81 is not -24.3.
    #[test]
    fn a_flat_curve_is_drawn() {
        for flat in [-0.81, 0.1, 0.7, 1e-300] {
            let seeds: BTreeMap<u64, Vec<f64>> = (0..3).map(|seed| (seed, vec![flat; 60])).collect();
            let arms = vec![("never".to_owned(), seeds)];
            let figure = curve("study", "A title", "return", &arms, &Measured::new().results()).unwrap();
            for point in &figure.series()[0].points {
                let ends = point.y_ends.unwrap();
                assert!(ends.low <= point.y && point.y <= ends.high, "{point:?}");
            }
        }
    }

    #[test]
    fn a_curve_is_a_running_mean_with_its_band_within_the_returns() {
        // Twelve episodes, so windows of three: the second seed fails until episode 6 and always succeeds then.
        let seeds = |late: f64| {
            let second = (0..12).map(|episode| if episode < 6 { 0.0 } else { late }).collect();
            BTreeMap::from([(0, vec![0.0; 12]), (1, second)])
        };
        let arms = vec![("one".to_owned(), seeds(1.0)), ("other".to_owned(), seeds(0.5))];
        let figure = curve("study", "A title", "return", &arms, &Measured::new().results()).unwrap();
        let points = &figure.series()[0].points;
        assert_eq!(points.iter().map(|point| point.x).collect::<Vec<_>>(), (2..=11).map(f64::from).collect::<Vec<_>>());
        assert_eq!((points[3].y, points[4].y, points[9].y), (0.0, 0.5 / 3.0, 0.5));
        assert!(points.iter().filter_map(|point| point.y_ends).all(|ends| ends.low >= 0.0 && ends.high <= 1.0));
        assert_eq!(figure.smoothing.as_deref(), Some("running mean of 3 episodes"));
        assert!(figure.caption.starts_with("Each point: running mean of 3 episodes."), "{}", figure.caption);
    }
}
