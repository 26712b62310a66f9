//! A reliability diagram: how often answers changed the greedy action against how probable that was said to be.
//!
//! The answers of all seeds are put into ten bins by what was said, one line per arm. On the diagonal what was said came
//! true as often as it was said.

use counsel_log::Manifest;
use counsel_log::study::ChangeForecast;

use super::measure::BINS;
use super::results::{Arm, Results};
use crate::{Ends, Error, Figure, FigureKind, Point, Series};

/// What a cell's answers were said to be, and what they were.
type Forecasts = (Vec<f64>, Vec<bool>);

pub(super) fn reliability(
    study: &str,
    title: &str,
    of: ChangeForecast,
    arms: &[&Arm],
    cells: &[(Manifest, Forecasts)],
    results: &Results,
) -> Result<Figure, Error> {
    let (name, words) = match of {
        ChangeForecast::Disagreement => ("disagreement", "share of value samples against the greedy action"),
        ChangeForecast::Novelty => ("novelty", "novelty of the context"),
        ChangeForecast::PredictedAnswer => ("predicted-answer", "predicted probability of another action"),
    };
    let (id, share) = (format!("{study}-reliability-{name}"), "share of answers against the greedy action");
    let mut figure = Figure::new(id, title, FigureKind::Line, words, share)?;
    let diagonal = [0.0, 1.0].map(|place| Point::new(place, place));
    // The arms keep the looks that they have everywhere, and this line takes the first one that none of them has.
    let looks: Vec<usize> = arms.iter().map(|arm| results.look(&arm.name)).collect();
    let free = (0..=looks.len()).find(|place| !looks.contains(place)).unwrap_or(0);
    figure.push(Series::new("as said", diagonal).at_place(free))?;
    for arm in arms {
        let of_arm = cells.iter().filter(|(manifest, _)| manifest.key.arm == arm.folder);
        let (mut stated, mut events) = (Vec::new(), Vec::new());
        for (_, (said, was)) in of_arm {
            stated.extend_from_slice(said);
            events.extend_from_slice(was);
        }
        if !events.is_empty() {
            let points = points(study, &stated, &events)?;
            figure.push(Series::new(arm.name.clone(), points).at_place(results.look(&arm.name)))?;
        }
    }
    figure.caption = String::from(
        "One point per bin of width 0.1: the answers of all seeds that were said to be as probable. Bands: 95 % \
         Clopper-Pearson intervals, as if answers were independent.",
    );
    Ok(figure)
}

/// One point per bin that has answers.
fn points(study: &str, stated: &[f64], events: &[bool]) -> Result<Vec<Point>, Error> {
    let failed =
        |error: counsel_stats::Error| Error::StudyStatistics { study: study.into(), reason: error.to_string() };
    let bins = counsel_stats::reliability(stated, events, BINS).map_err(failed)?;
    let point = |bin: &counsel_stats::CalibrationBin| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let happened = (bin.frequency * bin.count as f64).round() as usize;
        let interval = counsel_stats::clopper_pearson(happened, bin.count, 0.95).map_err(failed)?;
        Ok(Point::new(bin.mean_forecast, bin.frequency).y_within(Ends::from(interval)))
    };
    bins.iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_is_a_point_with_its_interval() {
        let stated = [0.05, 0.05, 0.95, 0.95, 0.95, 0.95];
        let events = [false, false, true, true, true, false];
        let points = points("study", &stated, &events).unwrap();
        assert_eq!(points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>(), [(0.05, 0.0), (0.95, 0.75)]);
        let ends = points[1].y_ends.unwrap();
        assert!(ends.low > 0.19 && ends.low < 0.2 && ends.high > 0.99, "{ends:?}");
    }
}
