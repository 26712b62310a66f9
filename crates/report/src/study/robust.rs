//! The views of rliable on a study with many runs: the interquartile mean, the probability of improvement, and performance profiles.
//!
//! Runs are those of the arms that the compared blocks share; a block is a task. Intervals are percentiles of a stratified bootstrap:
//! runs are drawn again within each block.

use counsel_log::study::Measure;
use counsel_stats::{Bootstrap, Scores};

use super::results::Results;
use super::shared::Shared;
use crate::{Column, Entry, Error, Figure, FigureKind, Point, Rank, Series, Table};

/// With fewer runs of each arm these views say nothing that the table does not.
const ENOUGH: usize = 10;
/// With fewer seeds a block has no spread to draw from.
const SEEDS: usize = 3;
/// Drawn once and for all, so that equal runs give equal bytes.
const BOOTSTRAP: Bootstrap = Bootstrap { level: 0.95, resamples: 2000, seed: 0 };
/// Thresholds of a profile.
const THRESHOLDS: u32 = 60;

/// The views of a study.
#[derive(Debug, Clone)]
pub struct Robust {
    /// Interquartile mean and probability of improvement of each arm.
    pub table: Table,
    /// The share of runs above a score, arm by arm.
    pub profile: Figure,
}

impl Robust {
    /// The views of what this measure says of the arms that the blocks with these two share; none where there are too few runs.
    pub(super) fn of(
        title: &str,
        results: &Results,
        measure: Measure,
        baseline: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        let wanted: Vec<String> = baseline.iter().map(|name| (*name).to_owned()).collect();
        let Some(shared) = Shared::of(results, &wanted) else { return Ok(None) };
        let failed = |error: counsel_stats::Error| Error::StudyStatistics {
            study: results.study.clone(),
            reason: error.to_string(),
        };
        let mut scored: Vec<(&str, Scores)> = Vec::new();
        for name in &shared.arms {
            let blocks = shared.by_block(name, measure);
            let seeds = blocks.first().map_or(0, Vec::len);
            if seeds < SEEDS || seeds * blocks.len() < ENOUGH {
                continue;
            }
            let runs: Vec<Vec<f64>> = (0..seeds).map(|run| blocks.iter().map(|block| block[run]).collect()).collect();
            scored.push((name, Scores::from_runs(&runs).map_err(failed)?));
        }
        if scored.len() < 2 {
            return Ok(None);
        }
        let against = baseline.and_then(|name| scored.iter().find(|(arm, _)| *arm == name)).unwrap_or(&scored[0]);
        let place = shared.place(results);
        let over = if place.is_empty() { String::new() } else { format!(" over {place}") };
        let table = table(&results.study, &measure.to_string(), &over, &scored, against, failed)?;
        let profile = profile(results, title, measure, &over, &scored)?;
        Ok(Some(Self { table, profile }))
    }
}

fn table(
    study: &str,
    measure: &str,
    over: &str,
    scored: &[(&str, Scores)],
    (baseline, other): &(&str, Scores),
    failed: impl Fn(counsel_stats::Error) -> Error + Copy,
) -> Result<Table, Error> {
    let number = |name: &str| Column::right(name).ranked(Rank::Main);
    let ends = |name: &str| [number(&format!("{name} low")), number(&format!("{name} high"))];
    let improvement = format!("P(above {baseline})");
    let mut columns = vec![Column::left("arm"), number("runs"), number("interquartile mean")];
    columns.extend(ends("IQM"));
    columns.push(number(&improvement));
    columns.extend(ends("P"));
    let mut table = Table::new(format!("{study}-robust"), format!("Many runs as one number: {measure}{over}"), columns);
    let middle = |scores: &Scores| scores.interquartile_mean().unwrap_or(f64::NAN);
    let chance = |one: &Scores, other: &Scores| one.probability_of_improvement(other).unwrap_or(f64::NAN);
    for (name, scores) in scored {
        let iqm = BOOTSTRAP.stratified(scores, middle).map_err(failed)?;
        let mut row = vec![Entry::text(*name), Entry::count(scores.runs() as u64)];
        row.extend([iqm.estimate, iqm.low, iqm.high].map(|value| Entry::number(value, 3)));
        if name == baseline {
            row.extend(vec![Entry::not_applicable(); 3]);
        } else {
            let above = BOOTSTRAP.stratified_pair(scores, other, chance).map_err(failed)?;
            row.extend([above.estimate, above.low, above.high].map(|value| Entry::number(value, 3)));
        }
        table.push(row)?;
    }
    table.notes.push(format!(
        "interquartile mean: of the middle half of all runs; P(above {baseline}): the probability that a run of the arm returns more than a \
         run of {baseline} in the same block, ties counting half; low and high: 95 % percentiles of {} resamples, stratified by block",
        BOOTSTRAP.resamples
    ));
    Ok(table)
}

fn profile(
    results: &Results,
    title: &str,
    measure: Measure,
    over: &str,
    scored: &[(&str, Scores)],
) -> Result<Figure, Error> {
    let (low, high) = scored.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, scores)| {
        let (least, most) = scores.extremes();
        (low.min(least), high.max(most))
    });
    let id = format!("{}-profile", results.study);
    let share = "share of runs above it";
    let mut figure =
        Figure::new(id, format!("{title}: performance profile"), FigureKind::Line, measure.to_string(), share)?;
    for (name, scores) in scored {
        let place = |step: u32| low + (high - low) * f64::from(step) / f64::from(THRESHOLDS);
        let points = (0..=THRESHOLDS).map(place).map(|at| Point::new(at, scores.share_above(at)));
        figure.push(Series::new(*name, points).at_place(results.look(name)))?;
    }
    figure.caption = format!(
        "The share of runs{over} in which the mean {measure} of a run is above the number below. Higher is better."
    );
    Ok(figure)
}

#[cfg(test)]
mod tests {
    use super::super::specimen::Measured;
    use super::*;
    use crate::Content;

    const RETURN: Measure = Measure::Return;

    fn results(seeds: u32) -> Results {
        let of = |base: f64| (0..seeds).map(|seed| base + 0.01 * f64::from(seed % 7)).collect::<Vec<_>>();
        let mut measured = Measured::new();
        for (block, base) in [("a", 0.1), ("b", 0.5)] {
            let better = if block == "a" { of(base + 0.2) } else { of(base) };
            measured = measured.arm(block, "never", &[(RETURN, &of(base))]).arm(block, "asks", &[(RETURN, &better)]);
        }
        measured.results()
    }

    #[test]
    fn many_runs_are_summed_up_and_few_are_not() {
        assert!(Robust::of("Title", &results(2), RETURN, Some("never")).unwrap().is_none());
        let robust = Robust::of("Title", &results(6), RETURN, Some("never")).unwrap().unwrap();
        let plain = |row: usize, at: usize| robust.table.rows()[row].entries[at].content.clone();
        assert_eq!(plain(0, 5), Content::NotApplicable, "nothing improves on itself");
        // In one block every run is above, in the other they are equal runs.
        assert_eq!(plain(1, 5), Content::Number { value: 0.75, decimals: 3 });
        assert_eq!(plain(1, 1), Content::Count { count: 12 });
        let shares: Vec<f64> = robust.profile.series()[1].points.iter().map(|point| point.y).collect();
        assert!(shares.windows(2).all(|pair| pair[0] >= pair[1]), "a profile never rises");
        assert_eq!(*shares.last().unwrap(), 0.0);
    }
}
