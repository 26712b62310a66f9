//! What a study found, as points on two axes.
//!
//! Invariant: every number is finite, every interval's ends are in order, lines
//! go from left to right, the series of a plot have distinct names, and the id is fit for a file name.

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

/// What an axis measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Any quantity, in even steps.
    #[default]
    Plain,
    /// A count: never below zero, and where counts span decades in steps of a decade.
    Counting,
}

/// How much room a figure takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Breadth {
    /// The breadth of a page, with a legend.
    #[default]
    Page,
    /// Half of it, beside a table whose rows have the samples of the legend.
    Column,
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
    /// What is measured across.
    pub across: Axis,
    /// What is measured up.
    pub up: Axis,
    /// How much room it takes.
    pub breadth: Breadth,
    /// Whether a line joins the points that no other one beats: less across, or more up.
    pub is_frontier: bool,
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
            across: Axis::Plain,
            up: Axis::Plain,
            breadth: Breadth::Page,
            is_frontier: false,
        })
    }

    /// Adds a series after the others.
    pub fn push(&mut self, series: Series) -> Result<(), Error> {
        if self.series.iter().any(|known| (&known.name, &known.panel) == (&series.name, &series.panel)) {
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

    /// Its small plots, in the order in which series name them; one without a name where no series names any.
    pub fn panels(&self) -> Vec<&str> {
        let mut panels: Vec<&str> = Vec::new();
        for series in &self.series {
            if !panels.contains(&series.panel.as_str()) {
                panels.push(&series.panel);
            }
        }
        if panels.is_empty() { vec![""] } else { panels }
    }

    /// The names of its series with the places of their looks, each name once.
    pub(super) fn named(&self) -> Vec<(&str, usize)> {
        let mut named: Vec<(&str, usize)> = Vec::new();
        for series in &self.series {
            if named.iter().all(|(name, _)| *name != series.name) {
                named.push((&series.name, series.place.unwrap_or(named.len())));
            }
        }
        named
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
