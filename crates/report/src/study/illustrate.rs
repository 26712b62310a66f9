//! From a run's folder to figures: read the cells, measure them, lay intervals over the seeds.

use std::collections::BTreeMap;

use counsel_log::{CellKey, Run};
use counsel_stats::{Moments, mean_interval};

use super::babyai;
use super::description::columns;
use super::drawing::{DRAWN, Drawing, EpisodeMeasure, drawings};
use super::read::{cells_by_study, each_cell, selected, unreadable};
use super::results::Results;
use super::tabulate::{collect, measure};
use crate::{Axis, Ends, Error, Figure, FigureKind, Point, Series};

/// A curve has at most so many points; longer ones are averaged over equal blocks of episodes first.
const MOST_POINTS: usize = 60;

/// The figures of these studies, or of all that the run holds and that have some, in the order of the catalogue.
pub fn study_figures(run: &Run, studies: Option<&[String]>) -> Result<Vec<Figure>, Error> {
    let by_study = cells_by_study(run)?;
    let no_figures = |studies: Vec<String>| Error::NoFigures { studies, drawn: DRAWN.map(str::to_owned).to_vec() };
    let mut figures = Vec::new();
    for (study, keys) in selected(&by_study, studies)? {
        let drawn = drawings(study);
        if drawn.is_empty() && studies.is_some() {
            return Err(no_figures(vec![study.to_owned()]));
        }
        if !drawn.is_empty() {
            for (block, keys) in blocks(study, keys) {
                figures.push(illustrate(run, study, block, &keys, &drawn)?);
            }
        }
    }
    if figures.is_empty() {
        return Err(no_figures(by_study.into_keys().collect()));
    }
    figures.sort_by_key(|(order, _)| *order);
    figures.dedup_by(|one, other| one == other);
    Ok(figures.into_iter().flat_map(|(_, figures)| figures).collect())
}

/// The cells of each block of a study; of a study without blocks all of them, under no name.
fn blocks<'a>(study: &str, keys: &'a [CellKey]) -> Vec<(&'a str, Vec<CellKey>)> {
    let has_blocks = babyai::layout(study).is_some();
    let mut blocks: Vec<(&str, Vec<CellKey>)> = Vec::new();
    for key in keys {
        let block = key.arm.split_once('.').filter(|_| has_blocks).map_or("", |(block, _)| block);
        match blocks.iter_mut().find(|(known, _)| *known == block) {
            Some((_, cells)) => cells.push(key.clone()),
            None => blocks.push((block, vec![key.clone()])),
        }
    }
    blocks
}

/// An arm's name within its block.
fn within<'a>(block: &str, arm: &'a str) -> &'a str {
    arm.strip_prefix(block).and_then(|rest| rest.strip_prefix('.')).unwrap_or(arm)
}

/// The figures of one block of a study, with the study's place among the studies.
fn illustrate(
    run: &Run,
    study: &str,
    block: &str,
    keys: &[CellKey],
    drawn: &[Drawing],
) -> Result<(usize, Vec<Figure>), Error> {
    let columns = columns(study);
    let cells = measure(run, keys, &columns)?;
    let results = collect(&cells, &columns);
    let (first, sheet) = (&cells[0].manifest, run.sheet(study).map_err(unreadable)?);
    let (name, title) = if block.is_empty() {
        (study.to_owned(), sheet.title.clone())
    } else {
        let said = |key: &str| first.spec.get(key).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        (format!("{study}-{block}"), format!("{}: {}, {}", sheet.title, said("task"), said("advisor")))
    };
    let mut figures = Vec::new();
    for drawing in drawn {
        figures.push(match drawing {
            Drawing::Curve { quantity, measure, arms } => {
                let mut found = episodes(run, keys, *measure)?;
                found.retain(|(arm, _)| arms.is_empty() || arms.contains(&within(block, arm)));
                found.iter_mut().for_each(|(arm, _)| *arm = within(block, arm).to_owned());
                curve(&name, &title, quantity, &found)?
            }
            Drawing::Frontier { paid, gained } => frontier(&name, &title, block, &results, [paid, gained])?,
            Drawing::Sweep { setting, path, measured } => {
                let of_arm = |arm: &str| {
                    let cell = cells.iter().find(|cell| cell.manifest.key.arm == arm)?;
                    // The arm without a price of its own is no point of the sweep.
                    if within(block, arm) == "never" { None } else { cell.setting(path) }
                };
                sweep(&name, &title, &results, setting, of_arm, measured)?
            }
        });
    }
    Ok((sheet.order, figures))
}

/// One number per episode of each seed, by arm in the order of the specification.
type Episodes = Vec<(String, BTreeMap<u64, Vec<f64>>)>;

fn episodes(run: &Run, keys: &[CellKey], measure: EpisodeMeasure) -> Result<Episodes, Error> {
    let cells = each_cell(run, keys, |log| (log.manifest.arm_order, log.manifest.key.clone(), measure(log)))?;
    let mut arms: BTreeMap<(usize, String), BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for (order, key, values) in cells {
        arms.entry((order, key.arm)).or_default().insert(key.seed, values);
    }
    Ok(arms.into_iter().map(|((_, arm), seeds)| (arm, seeds)).collect())
}

fn curve(study: &str, title: &str, quantity: &str, arms: &Episodes) -> Result<Figure, Error> {
    let is_shared = |seed: &u64| arms.iter().all(|(_, seeds)| seeds.contains_key(seed));
    let count = arms.first().map_or(0, |(_, seeds)| seeds.keys().filter(|seed| is_shared(seed)).count());
    let longest = arms.iter().flat_map(|(_, seeds)| seeds.values().map(Vec::len)).max().unwrap_or(0);
    let block = longest.div_ceil(MOST_POINTS).max(1);

    let (x, y) = (Axis::new("episode"), Axis::new(quantity));
    let mut figure = Figure::new(format!("{study}-curve"), title, FigureKind::Line, x, y)?;
    for (arm, seeds) in arms {
        let seeds: Vec<&[f64]> =
            seeds.iter().filter(|(seed, _)| is_shared(seed)).map(|(_, values)| values.as_slice()).collect();
        let mut points = Vec::new();
        for from in (0..longest).step_by(block) {
            // A block counts for a seed that has all of it, so that every mean is over the same episodes.
            let to = (from + block).min(longest);
            let means: Vec<f64> = seeds.iter().filter_map(|values| values.get(from..to)).map(mean).collect();
            let middle = 0.5 * (from + 1 + to) as f64;
            points.extend(estimate(study, &means)?.map(|(y, ends)| {
                let point = Point::new(middle, y);
                ends.map_or(point.clone(), |ends| point.y_within(ends))
            }));
        }
        figure.push(Series::new(arm.clone(), points))?;
    }
    let each = if block > 1 { format!("Each point is the mean of {block} episodes. ") } else { String::new() };
    figure.caption = format!("{each}Lines: mean over {} that all arms share. {BANDS}", seeds_in_words(count));
    Ok(figure)
}

const BANDS: &str = "Bands: 95 % Student intervals of the mean, each arm on its own.";
const BARS: &str = "Bars: 95 % Student intervals of the mean, each arm on its own.";

fn frontier(
    study: &str,
    title: &str,
    block: &str,
    results: &Results,
    [paid, gained]: [&str; 2],
) -> Result<Figure, Error> {
    let (x, y) = (Axis::new(paid), Axis::new(gained));
    let mut figure = Figure::new(format!("{study}-frontier"), title, FigureKind::Scatter, x, y)?;
    for arm in &results.arms {
        let of = |heading| estimate(study, &results.values(&arm.name, heading).unwrap_or_default());
        let point = of(paid)?.zip(of(gained)?).map(|((x, x_ends), (y, y_ends))| Point {
            x,
            y,
            x_ends,
            y_ends,
            label: within(block, &arm.name).to_owned(),
        });
        figure.push(Series::new(within(block, &arm.name), point))?;
    }
    let seeds = arm_seeds(results);
    figure.caption = format!("One point per arm: mean over {seeds}. {BARS} Up and to the left is better.");
    Ok(figure)
}

/// The measured column against a setting by which the arms differ.
fn sweep(
    study: &str,
    title: &str,
    results: &Results,
    setting: &str,
    of_arm: impl Fn(&str) -> Option<f64>,
    measured: &str,
) -> Result<Figure, Error> {
    let (x, y) = (Axis::new(setting), Axis::new(measured));
    let mut figure = Figure::new(format!("{study}-sweep"), title, FigureKind::Line, x, y)?;
    let mut points = Vec::new();
    for arm in &results.arms {
        let values = results.values(&arm.name, measured).unwrap_or_default();
        points.extend(of_arm(&arm.name).zip(estimate(study, &values)?).map(|(x, (y, y_ends))| Point {
            x,
            y,
            x_ends: None,
            y_ends,
            label: arm.name.clone(),
        }));
    }
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    figure.push(Series::new(measured, points))?;
    figure.caption = format!("One point per arm: mean over {}. {BANDS}", arm_seeds(results));
    Ok(figure)
}

/// Over how many seeds the arms were run.
fn arm_seeds(results: &Results) -> String {
    let counts = || results.arms.iter().map(|arm| arm.seeds.len());
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    if least == most { seeds_in_words(most) } else { format!("{least} to {most} seeds") }
}

fn seeds_in_words(count: usize) -> String {
    if count == 1 { "the 1 seed".to_owned() } else { format!("the {count} seeds") }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean of what the seeds gave and, from two seeds on, the ends of its 95 % interval; nothing without seeds.
fn estimate(study: &str, values: &[f64]) -> Result<Option<(f64, Option<Ends>)>, Error> {
    if values.is_empty() {
        return Ok(None);
    }
    let failed =
        |error: counsel_stats::Error| Error::StudyStatistics { study: study.into(), reason: error.to_string() };
    let interval = mean_interval(values, 0.95).map_err(failed)?;
    Ok(Some((Moments::of(values).map_err(failed)?.mean, interval.map(Ends::from))))
}
