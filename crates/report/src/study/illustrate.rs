//! From a run's folder to figures: what was measured, with intervals over the seeds.
//!
//! A figure that cannot be drawn costs no other: a sentence stands in its place.

use counsel_log::Run;
use counsel_log::study::{FigureSpec, Measure, matches};
use counsel_stats::{Moments, mean_interval};

use super::changed::changes;
use super::collect::{Found, Watch, each_log, results, studies};
use super::curve::curve;
use super::measure::{change_forecasts, returns};
use super::reliability::reliability;
use super::results::{Arm, Block, Results};
use crate::{Ends, Error, Figure, FigureKind, Point, Series};

/// A figure, or the sentence that stands in its place.
pub type Drawn = Result<Figure, String>;

/// The figures of these studies, or of all that the run holds and that have some, in the order of the catalogue.
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
        figures.extend(illustrate(run, found, &results(run, found, watch)?)?);
    }
    Ok(figures)
}

/// The figures of every block of a study.
pub(super) fn illustrate(run: &Run, found: &Found, results: &Results) -> Result<Vec<Drawn>, Error> {
    let account = &found.sheet.account;
    let mut figures = Vec::new();
    let is_curve = |figure: &FigureSpec| matches!(figure, FigureSpec::Curve { .. });
    let by_cell =
        if account.figures.iter().any(is_curve) { each_log(run, found, &|_| {}, returns)? } else { Vec::new() };
    for block in &results.blocks {
        let (study, title) = (&found.sheet.id, &found.sheet.title);
        let (name, title) = if block.name.is_empty() {
            (study.clone(), title.clone())
        } else {
            (format!("{study}-{}", block.name), format!("{title}: {}", block.label))
        };
        for drawn in &account.figures {
            let figure = match drawn {
                FigureSpec::Curve { arms } => {
                    let played = |arm: &&Arm| is_drawn(arms, &arm.name);
                    let of_arm = |arm: &Arm| {
                        let cells = by_cell.iter().filter(|(manifest, _)| manifest.key.arm == arm.folder);
                        let seeds = cells.map(|(manifest, returns)| (manifest.key.seed, returns.clone()));
                        (arm.name.clone(), seeds.collect())
                    };
                    curve(&name, &title, "return", &block.arms.iter().filter(played).map(of_arm).collect())
                }
                FigureSpec::Reliability { of, arms } => {
                    let drawn: Vec<&Arm> = block.arms.iter().filter(|arm| is_drawn(arms, &arm.name)).collect();
                    reliability(
                        &name,
                        &title,
                        *of,
                        &drawn,
                        &each_log(run, found, &|_| {}, |log| change_forecasts(log, *of))?,
                    )
                }
                FigureSpec::Frontier { paid, gained } => frontier(&name, &title, block, *paid, *gained),
                FigureSpec::Sweep { setting, axis, measure, arms } => {
                    let swept: Vec<&Arm> = block.arms.iter().filter(|arm| is_drawn(arms, &arm.name)).collect();
                    sweep(&name, &title, axis, &swept, |arm| arm.number(setting), *measure)
                }
            };
            let changed = |mut figure: Figure| {
                figure.changed = changes(&found.sheet);
                figure
            };
            figures.push(figure.map(changed).map_err(|error| format!("A figure of {name} is not drawn: {error}.")));
        }
    }
    Ok(figures)
}

/// Whether an arm is among those that are drawn: all of them, or these.
fn is_drawn(arms: &[String], name: &str) -> bool {
    arms.is_empty() || arms.iter().any(|pattern| matches(pattern, name))
}

/// What the bands of a line are.
pub(super) const BANDS: &str = "Bands: 95 % Student intervals of the mean, each arm on its own.";
const BARS: &str = "Bars: 95 % Student intervals of the mean, each arm on its own.";

fn frontier(study: &str, title: &str, block: &Block, paid: Measure, gained: Measure) -> Result<Figure, Error> {
    let (x, y) = (paid.to_string(), gained.to_string());
    let mut figure = Figure::new(format!("{study}-frontier"), title, FigureKind::Scatter, x, y)?;
    for arm in &block.arms {
        let of = |measure| estimate(study, &arm.measured(measure));
        let point = of(paid)?.zip(of(gained)?).map(|((x, x_ends), (y, y_ends))| Point {
            x,
            y,
            x_ends,
            y_ends,
            label: arm.name.clone(),
        });
        figure.push(Series::new(arm.name.clone(), point))?;
    }
    let seeds = arm_seeds(block.arms.iter());
    figure.caption = format!("One point per arm: mean over {seeds}. {BARS} Up and to the left is better.");
    Ok(figure)
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
    let mut points = Vec::new();
    for arm in arms {
        let values = arm.measured(measure);
        points.extend(of_arm(arm).zip(estimate(study, &values)?).map(|(x, (y, y_ends))| Point {
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
