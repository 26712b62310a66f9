//! The points of a figure as comma-separated values at full precision; an end that does not exist is an empty field. Where
//! points were smoothed, or the study was changed, the columns `smoothing` and `changed` say so on every line. Where a figure has
//! several small plots, the column `panel` names that of a point.

use super::{Ends, Figure};
use crate::delimited::line;
use crate::number::exact;

pub(super) const HEADER: &str = "series,label,x,x_low,x_high,y,y_low,y_high";

pub(super) fn document(figure: &Figure) -> String {
    let changed = (!figure.changed.is_empty()).then(|| figure.changed.join("; "));
    let said: Vec<(&str, &String)> = [("smoothing", figure.smoothing.as_ref()), ("changed", changed.as_ref())]
        .into_iter()
        .filter_map(|(name, words)| Some((name, words?)))
        .collect();
    let has_panels = figure.panels().len() > 1;
    let columns = said.iter().map(|(name, _)| *name).chain(has_panels.then_some("panel"));
    let mut text = columns.fold(HEADER.to_owned(), |header, name| header + "," + name) + "\n";
    for series in figure.series() {
        for point in &series.points {
            let [x_low, x_high] = fields(point.x_ends);
            let [y_low, y_high] = fields(point.y_ends);
            let (x, y) = (exact(point.x), exact(point.y));
            let numbers = [x, x_low, x_high, y, y_low, y_high];
            let names = [series.name.clone(), point.label.clone()];
            let words = said.iter().map(|(_, words)| (*words).clone());
            let words = words.chain(has_panels.then(|| series.panel.clone()));
            text += &line(&names.into_iter().chain(numbers).chain(words).collect::<Vec<_>>());
        }
    }
    text
}

fn fields(ends: Option<Ends>) -> [String; 2] {
    ends.map_or_else(Default::default, |ends| [exact(ends.low), exact(ends.high)])
}
