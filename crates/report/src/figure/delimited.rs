//! The points of a figure as comma-separated values at full precision; an end that does not exist is an empty field.

use super::{Ends, Figure};
use crate::delimited::line;
use crate::number::exact;

pub(super) const HEADER: &str = "series,label,x,x_low,x_high,y,y_low,y_high\n";

pub(super) fn document(figure: &Figure) -> String {
    let mut text = HEADER.to_owned();
    for series in figure.series() {
        for point in &series.points {
            let [x_low, x_high] = fields(point.x_ends);
            let [y_low, y_high] = fields(point.y_ends);
            let (x, y) = (exact(point.x), exact(point.y));
            text += &line(&[series.name.clone(), point.label.clone(), x, x_low, x_high, y, y_low, y_high]);
        }
    }
    text
}

fn fields(ends: Option<Ends>) -> [String; 2] {
    ends.map_or_else(Default::default, |ends| [exact(ends.low), exact(ends.high)])
}
