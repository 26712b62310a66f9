//! Points with the ends of their intervals, and named rows of them.

use counsel_stats::Interval;
use serde::Serialize;

/// The two ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ends {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl From<Interval> for Ends {
    fn from(interval: Interval) -> Self {
        Self { low: interval.low, high: interval.high }
    }
}

/// One measured place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The interval of `x`, where there is one.
    pub x_ends: Option<Ends>,
    /// The interval of `y`, where there is one.
    pub y_ends: Option<Ends>,
    /// What stands beside the point in a scatter plot; may be empty.
    pub label: String,
}

impl Point {
    /// A point without intervals or label.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, x_ends: None, y_ends: None, label: String::new() }
    }

    /// With an interval of `y`.
    #[must_use]
    pub fn y_within(mut self, ends: impl Into<Ends>) -> Self {
        self.y_ends = Some(ends.into());
        self
    }

    /// With words beside it.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Every number across, by the name of its column.
    pub(crate) fn across(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let ends = self.x_ends.map(|ends| [("x_low", ends.low), ("x_high", ends.high)]);
        [("x", self.x)].into_iter().chain(ends.into_iter().flatten())
    }

    /// Every number up, by the name of its column.
    pub(crate) fn up(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let ends = self.y_ends.map(|ends| [("y_low", ends.low), ("y_high", ends.high)]);
        [("y", self.y)].into_iter().chain(ends.into_iter().flatten())
    }
}

/// The points that are drawn alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// In the order in which a line joins them; may be empty.
    pub points: Vec<Point>,
    /// Which look it has. All figures of a study give an arm the look of its place in the study; without one it is the place in the figure.
    pub place: Option<usize>,
    /// The small plot in which it is drawn; empty where the figure has but one plot.
    pub panel: String,
}

impl Series {
    /// Points under a name.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), place: None, panel: String::new() }
    }

    /// With the look of this place.
    #[must_use]
    pub fn at_place(mut self, place: usize) -> Self {
        self.place = Some(place);
        self
    }

    /// Drawn in this small plot.
    #[must_use]
    pub fn in_panel(mut self, panel: impl Into<String>) -> Self {
        self.panel = panel.into();
        self
    }
}
