//! What a study found, as points on two axes.
//!
//! Invariant: every number is finite, every interval's ends are in order, lines
//! go from left to right, series have distinct names, and the id is fit for a file name.

use serde::Serialize;

use super::{FigureFormat, Series, delimited, svg};
use crate::Error;
use crate::table::change_in_words;

/// How the points of a figure are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// Lines with bands for the intervals of y.
    Line,
    /// Points with bars for the intervals of both axes, and labels.
    Scatter,
}

/// A figure with its heading and its finding, in plain prose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    id: String,
    kind: FigureKind,
    x: String,
    y: String,
    series: Vec<Series>,
    /// One line above the figure.
    pub title: String,
    /// What the points are, and on how many seeds they rest.
    pub caption: String,
    /// What was changed in the study before it was run; empty where it was run as it stands. Every format says it.
    pub changed: Vec<String>,
    /// How the points were smoothed, where they were.
    pub smoothing: Option<String>,
}

impl Figure {
    /// A figure without points. `x` and `y` are what is measured across and up; the id names it in file names: lower-case letters, digits and inner hyphens.
    pub fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        kind: FigureKind,
        x: impl Into<String>,
        y: impl Into<String>,
    ) -> Result<Self, Error> {
        let id = id.into();
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if id.is_empty() || id.len() > 100 || !id.chars().all(is_plain) || id.starts_with('-') || id.ends_with('-') {
            return Err(Error::FigureId { found: id });
        }
        Ok(Self {
            id,
            kind,
            x: x.into(),
            y: y.into(),
            series: Vec::new(),
            title: title.into(),
            caption: String::new(),
            changed: Vec::new(),
            smoothing: None,
        })
    }

    /// Adds a series after the others.
    pub fn push(&mut self, series: Series) -> Result<(), Error> {
        if self.series.iter().any(|known| known.name == series.name) {
            return Err(Error::RepeatedSeries { figure: self.id.clone(), series: series.name });
        }
        for (at, point) in series.points.iter().enumerate() {
            let refused = |column, found, need| Error::FigurePoint {
                figure: self.id.clone(),
                series: series.name.clone(),
                point: at + 1,
                column,
                found,
                need,
            };
            if let Some((column, value)) = point.across().chain(point.up()).find(|(_, value)| !value.is_finite()) {
                return Err(refused(column, value, "a finite number"));
            }
            for (column, ends) in [("x_low", point.x_ends), ("y_low", point.y_ends)] {
                if let Some(ends) = ends.filter(|ends| ends.low > ends.high) {
                    return Err(refused(column, ends.low, "at most the upper end of its interval"));
                }
            }
            let before = at.checked_sub(1).map(|before| series.points[before].x);
            if self.kind == FigureKind::Line && before.is_some_and(|before| before > point.x) {
                return Err(refused("x", point.x, "at least that of the point before it on the line"));
            }
        }
        self.series.push(series);
        Ok(())
    }

    /// Names the figure in file names and cross references: `lock-frontier`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How its points are shown.
    pub fn kind(&self) -> FigureKind {
        self.kind
    }

    /// What is measured across.
    pub fn x(&self) -> &str {
        &self.x
    }

    /// What is measured up.
    pub fn y(&self) -> &str {
        &self.y
    }

    /// The series, in the order of the legend.
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// What was changed, and the caption.
    pub(super) fn words_below(&self) -> String {
        change_in_words(&self.changed).into_iter().chain([self.caption.clone()]).collect::<Vec<_>>().join(" ")
    }

    /// The text of the figure's file.
    pub fn render(&self, format: FigureFormat) -> String {
        match format {
            FigureFormat::Svg => svg::document(self),
            FigureFormat::Csv => delimited::document(self),
        }
    }
}
