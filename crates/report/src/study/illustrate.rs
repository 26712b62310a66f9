//! From a run's folder to figures: what was measured, with intervals over the seeds.
//!
//! A figure that cannot be drawn costs no other: a sentence stands in its place.

use counsel_log::study::{ChangeForecast, FigureSpec, Measure, matches};
use counsel_log::{Manifest, Run};
use counsel_stats::{Moments, mean_interval};

use super::changed::changes;
use super::collect::{Found, Watch, each_log, results, studies};
use super::curve::curve;
use super::measure::{change_forecasts, returns};
use super::reliability::reliability;
use super::results::{Arm, Block, Results};
use crate::{Axis, Ends, Error, Figure, FigureKind, Point, Series};

/// A figure, or the sentence that stands in its place.
pub type Drawn = Result<Figure, String>;

/// The figures of these studies, or of all that the run holds and that have some, in the order of the catalogue. Those of a study with
/// several blocks come block by block, and then all blocks beside each other.
pub fn study_figures(run: &Run, wanted: Option<&[String]>, watch: Watch<'_>) -> Result<Vec<Drawn>, Error> {
    let found = studies(run, wanted)?;
    let named = |found: &[&Found]| found.iter().map(|found| found.sheet.id.clone()).collect();
    let (drawn, bare): (Vec<&Found>, Vec<&Found>) =
        found.iter().partition(|found| !found.sheet.account.figures.is_empty());
    if drawn.is_empty() || (wanted.is_some() && !bare.is_empty()) {
        return Err(Error::NoFigures { studies: named(&bare) });
    }
    let mut figures = Vec::new();
    for found in drawn {
        let illustrations = illustrate(run, found, &results(run, found, watch)?);
        let blocks = illustrations.first().map_or(0, |first| first.blocks.len());
        for block in 0..blocks {
            figures.extend(illustrations.iter().filter_map(|of| of.blocks.get(block).cloned()));
        }
        figures.extend(illustrations.into_iter().filter_map(|of| of.together));
    }
    Ok(figures)
}

/// One figure of a study.
pub(super) struct Illustration {
    /// Block by block.
    pub(super) blocks: Vec<Drawn>,
    /// All blocks as small plots on the same axes, where there are several.
    pub(super) together: Option<Drawn>,
}

/// The figures of a study.
pub(super) fn illustrate(run: &Run, found: &Found, results: &Results) -> Vec<Illustration> {
    let account = &found.sheet.account;
    let is_curve = |figure: &FigureSpec| matches!(figure, FigureSpec::Curve { .. });
    let is_episodic = account.figures.iter().any(is_curve);
    let episodes = if is_episodic { each_log(run, found, &|_| {}, returns) } else { Ok(Vec::new()) };
    let episodes = episodes.map_err(|error| error.to_string());
    account.figures.iter().map(|spec| illustration(run, found, results, spec, &episodes)).collect()
}

/// The returns of the episodes of every cell, or why they cannot be read.
type Played = Result<Vec<(Manifest, Vec<f64>)>, String>;

fn illustration(run: &Run, found: &Found, results: &Results, spec: &FigureSpec, episodes: &Played) -> Illustration {
    let study = &found.sheet.id;
    let failed = |name: &str, error: &dyn std::fmt::Display| format!("A figure of {name} is not drawn: {error}.");
    let changed = |mut figure: Figure| {
        figure.changed = changes(&found.sheet);
        figure
    };
    let of_block = |block: &Block| -> Drawn {
        let name = if block.name.is_empty() { study.clone() } else { format!("{study}-{}", block.name) };
        let figure = draw(run, found, results, spec, &name, block, episodes);
        figure.map(changed).map_err(|error| failed(&name, &error))
    };
    let blocks: Vec<Drawn> = results.blocks.iter().map(of_block).collect();
    let drawn: Vec<(&Block, &Figure)> =
        results.blocks.iter().zip(&blocks).filter_map(|(block, figure)| Some((block, figure.as_ref().ok()?))).collect();
    let title = format!("{}: {}", found.sheet.title, subject(spec));
    let together =
        (drawn.len() > 1).then(|| together(study, &title, &drawn).map(changed).map_err(|error| failed(study, &error)));
    Illustration { blocks, together }
}

/// The figure of one block.
fn draw(
    run: &Run,
    found: &Found,
    results: &Results,
    spec: &FigureSpec,
    name: &str,
    block: &Block,
    episodes: &Played,
) -> Result<Figure, String> {
    let said = |error: Error| error.to_string();
    let place = if block.name.is_empty() { String::new() } else { format!(": {}", block.label) };
    let title = format!("{}{place}: {}", found.sheet.title, subject(spec));
    let drawn_arms = |arms: &[String]| block.arms.iter().filter(|arm| is_drawn(arms, &arm.name)).collect::<Vec<&Arm>>();
    match spec {
        FigureSpec::Curve { arms } => {
            let played = episodes.as_ref().map_err(String::clone)?;
            let of_arm = |arm: &&Arm| {
                let cells = played.iter().filter(|(manifest, _)| manifest.key.arm == arm.folder);
                let seeds = cells.map(|(manifest, returns)| (manifest.key.seed, returns.clone()));
                (arm.name.clone(), seeds.collect())
            };
            let arms = drawn_arms(arms).iter().map(of_arm).collect();
            curve(name, &title, "return", &arms, results).map_err(said)
        }
        FigureSpec::Reliability { of, arms } => {
            let forecasts = each_log(run, found, &|_| {}, |log| change_forecasts(log, *of)).map_err(said)?;
            reliability(name, &title, *of, &drawn_arms(arms), &forecasts, results).map_err(said)
        }
        FigureSpec::Frontier { paid, gained } => frontier(name, &title, block, results, *paid, *gained).map_err(said),
        FigureSpec::Sweep { setting, axis, measure, arms } => {
            sweep(name, &title, axis, &drawn_arms(arms), |arm| arm.number(setting), *measure).map_err(said)
        }
    }
}

/// What a figure shows, in words that no other figure of the study has.
fn subject(spec: &FigureSpec) -> String {
    match spec {
        FigureSpec::Curve { .. } => "return by episode".to_owned(),
        FigureSpec::Frontier { paid, gained } => format!("{gained} against {paid}"),
        FigureSpec::Sweep { axis, measure, .. } => format!("{measure} by {axis}"),
        FigureSpec::Reliability { of, .. } => {
            let forecast = match of {
                ChangeForecast::Disagreement => "disagreement of value samples",
                ChangeForecast::Novelty => "novelty",
                ChangeForecast::PredictedAnswer => "predicted answers",
            };
            format!("how often answers change the action, against {forecast}")
        }
    }
}

/// The figures of all blocks as small plots of one.
fn together(study: &str, title: &str, drawn: &[(&Block, &Figure)]) -> Result<Figure, Error> {
    let first = drawn[0].1;
    let kind = first.id().strip_prefix(&format!("{study}-{}-", drawn[0].0.name)).unwrap_or("figure");
    let id = format!("{study}-{kind}");
    let mut figure = Figure::new(id, title, first.kind(), first.x(), first.y())?;
    for (block, of) in drawn {
        for series in of.series() {
            figure.push(series.clone().in_panel(&block.label))?;
        }
    }
    (figure.across, figure.up, figure.is_frontier) = (first.across, first.up, first.is_frontier);
    figure.smoothing.clone_from(&first.smoothing);
    figure.caption.clone_from(&first.caption);
    if drawn.iter().any(|(_, of)| of.caption != first.caption) {
        figure.caption += " So in the first plot; the others may rest on other numbers of seeds.";
    }
    Ok(figure)
}

/// Whether an arm is among those that are drawn: all of them, or these.
fn is_drawn(arms: &[String], name: &str) -> bool {
    arms.is_empty() || arms.iter().any(|pattern| matches(pattern, name))
}

/// What the bands of a line are.
pub(super) const BANDS: &str = "Bands: 95 % Student intervals of the mean, each arm on its own.";
const BARS: &str = "Bars: 95 % Student intervals of the mean, each arm on its own.";

fn frontier(
    study: &str,
    title: &str,
    block: &Block,
    results: &Results,
    paid: Measure,
    gained: Measure,
) -> Result<Figure, Error> {
    let mut figure = plane(format!("{study}-frontier"), title, paid, gained)?;
    for arm in &block.arms {
        let of = |measure| estimate_of(study, measure, &arm.measured(measure));
        let point = of(paid)?.zip(of(gained)?).map(|((x, x_ends), (y, y_ends))| Point {
            x,
            y,
            x_ends,
            y_ends,
            label: arm.name.clone(),
        });
        figure.push(Series::new(arm.name.clone(), point).at_place(results.look(&arm.name)))?;
    }
    let seeds = arm_seeds(block.arms.iter());
    figure.caption = format!("One point per arm: mean over {seeds}. {BARS} Up and to the left is better. {EFFICIENT}");
    Ok(figure)
}

/// What the line of a frontier is.
pub(super) const EFFICIENT: &str = "The line joins the arms that no other one beats in both.";

/// A frontier without points.
pub(super) fn plane(id: String, title: &str, paid: Measure, gained: Measure) -> Result<Figure, Error> {
    let mut figure = Figure::new(id, title, FigureKind::Scatter, paid.to_string(), gained.to_string())?;
    (figure.across, figure.up, figure.is_frontier) = (axis_of(paid), axis_of(gained), true);
    Ok(figure)
}

fn axis_of(measure: Measure) -> Axis {
    if measure.is_count() { Axis::Counting } else { Axis::Plain }
}

/// The measured column against a setting by which the arms differ.
fn sweep(
    study: &str,
    title: &str,
    axis: &str,
    arms: &[&Arm],
    of_arm: impl Fn(&Arm) -> Option<f64>,
    measure: Measure,
) -> Result<Figure, Error> {
    let mut figure = Figure::new(format!("{study}-sweep"), title, FigureKind::Line, axis, measure.to_string())?;
    figure.up = axis_of(measure);
    let mut points = Vec::new();
    for arm in arms {
        let values = arm.measured(measure);
        points.extend(of_arm(arm).zip(estimate_of(study, measure, &values)?).map(|(x, (y, y_ends))| Point {
            x,
            y,
            x_ends: None,
            y_ends,
            label: arm.folder.clone(),
        }));
    }
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    figure.push(Series::new(measure.to_string(), points))?;
    figure.caption = format!("One point per arm: mean over {}. {BANDS}", arm_seeds(arms.iter().copied()));
    Ok(figure)
}

/// Over how many seeds the arms were run.
fn arm_seeds<'a>(arms: impl Iterator<Item = &'a Arm>) -> String {
    let counts: Vec<usize> = arms.map(|arm| arm.seeds.len()).collect();
    let (least, most) = (counts.iter().min().copied().unwrap_or(0), counts.iter().max().copied().unwrap_or(0));
    if least == most { seeds_in_words(most) } else { format!("{least} to {most} seeds") }
}

pub(super) fn seeds_in_words(count: usize) -> String {
    if count == 1 { "the 1 seed".to_owned() } else { format!("the {count} seeds") }
}

/// The mean of a measure with its interval, of which the part that is possible is kept: no count lies below zero.
pub(super) fn estimate_of(study: &str, measure: Measure, values: &[f64]) -> Result<Option<(f64, Option<Ends>)>, Error> {
    let possible = |ends: Ends| if measure.is_count() { Ends { low: ends.low.max(0.0), ..ends } } else { ends };
    Ok(estimate(study, values)?.map(|(mean, ends)| (mean, ends.map(possible))))
}

/// The mean of what the seeds gave and, from two seeds on, the ends of its 95 % interval; nothing without seeds.
pub(super) fn estimate(study: &str, values: &[f64]) -> Result<Option<(f64, Option<Ends>)>, Error> {
    if values.is_empty() {
        return Ok(None);
    }
    let failed =
        |error: counsel_stats::Error| Error::StudyStatistics { study: study.into(), reason: error.to_string() };
    let interval = mean_interval(values, 0.95).map_err(failed)?;
    Ok(Some((Moments::of(values).map_err(failed)?.mean, interval.map(Ends::from))))
}
