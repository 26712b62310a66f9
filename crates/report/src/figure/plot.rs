//! One plot: its frame with ticks, and the series that are drawn in it.

use super::canvas::{Anchor, Canvas};
use super::label::{Rectangle, free_place};
use super::legend::TEXT;
use super::scale::{Scale, Tick};
use super::style::Style;
use super::typesetting::{shortened, width};
use super::{Ends, Figure, FigureKind, Point, Series};
use crate::number::trimmed;

/// A line has at most about this many markers.
const MARKERS: usize = 10;
/// Between the labels of two ticks, one above the other.
const BASELINES: f64 = 14.0;

/// The two axes of a figure. All its plots share them, so that they can be compared.
pub(super) struct Axes {
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
}

impl Axes {
    pub(super) fn of(figure: &Figure) -> Self {
        let points = || figure.series().iter().flat_map(|series| &series.points);
        let across: Vec<f64> = points().flat_map(Point::across).map(|(_, value)| value).collect();
        let up: Vec<f64> = points().flat_map(Point::up).map(|(_, value)| value).collect();
        // Lines run from edge to edge; around points there is room for labels.
        let (beside, above) = if figure.kind() == FigureKind::Line { (0.0, 0.05) } else { (0.06, 0.1) };
        let x = Scale::new(&across, beside, figure.across);
        let y = Scale::new(&up, above, figure.up);
        let (x_ticks, y_ticks) = (x.ticks(), y.ticks());
        Self { x, y, x_ticks, y_ticks }
    }

    /// How wide the labels beside a plot are.
    pub(super) fn beside(&self) -> f64 {
        self.y_ticks.iter().map(|tick| width(&tick.label, TEXT)).fold(0.0, f64::max)
    }
}

/// Where the series of a plot lie.
pub(super) struct Plot<'a> {
    pub(super) figure: &'a Figure,
    pub(super) axes: &'a Axes,
    pub(super) area: Rectangle,
    /// The series with their looks.
    pub(super) series: Vec<(Style, &'a Series)>,
    /// Whether a point without a label beside it is explained by something else, too.
    pub(super) is_told: bool,
    /// The width of the canvas, beyond which no label may go.
    pub(super) wide: f64,
}

impl Plot<'_> {
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        self.draw_frame(canvas);
        match self.figure.kind() {
            FigureKind::Line => self.draw_lines(canvas),
            FigureKind::Scatter => self.draw_scatter(canvas),
        }
    }

    fn across(&self, x: f64) -> f64 {
        self.area.left + self.axes.x.place(x) * (self.area.right - self.area.left)
    }

    fn up(&self, y: f64) -> f64 {
        self.area.bottom - self.axes.y.place(y) * (self.area.bottom - self.area.top)
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.across(x), self.up(y))
    }

    /// The numbers behind a point.
    fn told(&self, series: &Series, point: &Point) -> String {
        let short = |value| trimmed(value, 4);
        let within = |ends: Option<Ends>| {
            ends.map_or_else(String::new, |ends| format!(" [{}, {}]", short(ends.low), short(ends.high)))
        };
        let (x, y) = (self.figure.x(), self.figure.y());
        let name = if point.label.trim().is_empty() { &series.name } else { &point.label };
        format!(
            "{name}: {x} {}{}, {y} {}{}",
            short(point.x),
            within(point.x_ends),
            short(point.y),
            within(point.y_ends)
        )
    }

    /// Grid, ticks and axes. A label that has no room beside the one before it is left out.
    fn draw_frame(&self, canvas: &mut Canvas) {
        let area = &self.area;
        let mut free_below = f64::INFINITY;
        for tick in &self.axes.y_ticks {
            let y = area.bottom - tick.place * (area.bottom - area.top);
            canvas.rule("grid", (area.left, y), (area.right, y));
            if y <= free_below {
                canvas.text("small", (area.left - 6.0, y + 4.0), Anchor::End, &tick.label);
                free_below = y - BASELINES;
            }
        }
        let mut free_from = 0.0;
        for tick in &self.axes.x_ticks {
            let x = area.left + tick.place * (area.right - area.left);
            canvas.rule("grid", (x, area.top), (x, area.bottom));
            let half = 0.5 * width(&tick.label, TEXT);
            let middle = x.clamp(half, (self.wide - half).max(half));
            if middle - half >= free_from {
                canvas.text("small", (middle, area.bottom + 17.0), Anchor::Middle, &tick.label);
                free_from = middle + half + 6.0;
            }
        }
        canvas.rule("axis", (area.left, area.bottom), (area.right, area.bottom));
        canvas.rule("axis", (area.left, area.top), (area.left, area.bottom));
        if self.series.iter().all(|(_, series)| series.points.is_empty()) {
            let middle = (0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom));
            canvas.text("heading", middle, Anchor::Middle, "no points");
        }
    }

    fn draw_lines(&self, canvas: &mut Canvas) {
        for (style, series) in &self.series {
            for run in series.points.split(|point| point.y_ends.is_none()) {
                let end = |point: &Point, choose: fn(Ends) -> f64| {
                    self.at(point.x, choose(point.y_ends.unwrap_or(Ends { low: point.y, high: point.y })))
                };
                match run {
                    [] => {}
                    [alone] => canvas.bar(*style, end(alone, |ends| ends.low), end(alone, |ends| ends.high)),
                    _ => {
                        let mut outline: Vec<_> = run.iter().map(|point| end(point, |ends| ends.high)).collect();
                        outline.extend(run.iter().rev().map(|point| end(point, |ends| ends.low)));
                        canvas.band(*style, &outline);
                    }
                }
            }
        }
        for (at, (style, series)) in self.series.iter().enumerate() {
            let places: Vec<_> = series.points.iter().map(|point| self.at(point.x, point.y)).collect();
            if places.len() > 1 {
                canvas.line(*style, &places);
            }
            // Series start their markers at different points, so that curves on top of each other stay visible.
            let every = places.len().div_ceil(MARKERS).max(1);
            for point in series.points.iter().skip(at % every).step_by(every) {
                canvas.point(*style, self.at(point.x, point.y), &self.told(series, point));
            }
        }
    }

    fn draw_scatter(&self, canvas: &mut Canvas) {
        let mut obstacles = Vec::new();
        let efficient = if self.figure.is_frontier { efficient(&self.series) } else { Vec::new() };
        let mut steps: Vec<(f64, f64)> = Vec::new();
        for point in &efficient {
            let (x, y) = self.at(point.x, point.y);
            steps.extend(steps.last().map(|(_, before)| (x, *before)));
            steps.push((x, y));
        }
        if let Some((_, last)) = steps.last().copied() {
            steps.push((self.area.right, last));
            canvas.steps("efficient", &steps);
            obstacles.extend(steps.windows(2).map(|ends| Rectangle::around(ends[0], ends[1], 1.5)));
        }
        for (style, series) in &self.series {
            for point in &series.points {
                let bars = [
                    point.x_ends.map(|ends| (self.at(ends.low, point.y), self.at(ends.high, point.y))),
                    point.y_ends.map(|ends| (self.at(point.x, ends.low), self.at(point.x, ends.high))),
                ];
                for (from, to) in bars.into_iter().flatten() {
                    canvas.bar(*style, from, to);
                    obstacles.push(Rectangle::around(from, to, 2.0));
                }
                obstacles.push(Rectangle::around(self.at(point.x, point.y), self.at(point.x, point.y), 6.0));
            }
        }
        for (style, series) in &self.series {
            for point in &series.points {
                canvas.point(*style, self.at(point.x, point.y), &self.told(series, point));
            }
        }
        self.draw_labels(canvas, &efficient, obstacles);
    }

    /// The labels that find a free place, those of the points that no other beats first. One that finds none is left out where
    /// something else tells which point it is, and else laid over points, never over another label.
    fn draw_labels(&self, canvas: &mut Canvas, efficient: &[&Point], mut obstacles: Vec<Rectangle>) {
        let points =
            || self.series.iter().flat_map(|(_, series)| series.points.iter().map(move |point| (*series, point)));
        let is_first = |point: &Point| efficient.iter().any(|first| std::ptr::eq(*first, point));
        let first = points().filter(|(_, point)| is_first(point));
        let others = points().filter(|(_, point)| !is_first(point));
        let mut labels: Vec<Rectangle> = Vec::new();
        for (series, point) in first.chain(others).filter(|(_, point)| !point.label.trim().is_empty()) {
            let words = shortened(&point.label, TEXT, 0.4 * (self.area.right - self.area.left));
            let (size, at) = ((width(&words, TEXT), TEXT + 2.0), self.at(point.x, point.y));
            let is_told = self.is_told && point.label == series.name;
            let over = || free_place(at, size, &self.area, &labels).filter(|_| !is_told);
            if let Some(place) = free_place(at, size, &self.area, &obstacles).or_else(over) {
                let (start, anchor) =
                    if place.right < at.0 { (place.right, Anchor::End) } else { (place.left, Anchor::Start) };
                canvas.text("small", (start, place.bottom - 3.0), anchor, &words);
                obstacles.push(place);
                labels.push(place);
            }
        }
    }
}

/// The points that no other one beats, from left to right: less across and no less up, or more up and no more across.
fn efficient<'a>(series: &[(Style, &'a Series)]) -> Vec<&'a Point> {
    let mut points: Vec<&Point> = series.iter().flat_map(|(_, series)| &series.points).collect();
    points.sort_by(|one, other| one.x.total_cmp(&other.x).then(other.y.total_cmp(&one.y)));
    let mut efficient: Vec<&Point> = Vec::new();
    for point in points {
        if efficient.last().is_none_or(|last| point.y > last.y) {
            efficient.push(point);
        }
    }
    efficient
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontier_has_the_points_that_no_other_beats() {
        let series = [(3.0, 0.5), (0.0, 0.2), (1.0, 0.5), (2.0, 0.4), (9.0, 0.9), (0.0, 0.1), (9.0, 0.8)]
            .map(|(x, y)| Series::new("arm", [Point::new(x, y)]));
        let styled: Vec<(Style, &Series)> = series.iter().map(|series| (Style::nth(0), series)).collect();
        let places: Vec<(f64, f64)> = efficient(&styled).iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(places, [(0.0, 0.2), (1.0, 0.5), (9.0, 0.9)]);
    }
}
