//! The legend: rows of samples and names between the title and the plot, where they cover no data.

use super::canvas::{Anchor, Canvas};
use super::style::Style;
use super::typesetting::{shortened, width};
use super::{Breadth, Figure, FigureKind};

pub(super) const TEXT: f64 = 12.0;
const ROW: f64 = 20.0;
/// From a sample to its name.
const BESIDE: f64 = 8.0;
const GAP: f64 = 22.0;

#[derive(Debug, Clone, PartialEq)]
struct LegendEntry {
    style: Style,
    name: String,
    /// From the left end of the legend.
    left: f64,
    row: usize,
}

/// Names with their places.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Legend {
    entries: Vec<LegendEntry>,
    kind: FigureKind,
    /// The width of a sample: a piece of line, or a marker alone.
    sample: f64,
}

impl Legend {
    /// The legend of a figure in rows of at most this width; a lone series needs none.
    pub(super) fn new(figure: &Figure, most: f64) -> Self {
        let named = figure.named();
        // Beside a table whose rows have the samples, and for a lone series, none is needed.
        let named = if named.len() < 2 || figure.breadth == Breadth::Column { Vec::new() } else { named };
        let sample_width = if figure.kind() == FigureKind::Line { 26.0 } else { 12.0 };
        let mut entries: Vec<LegendEntry> = Vec::new();
        let (mut left, mut row) = (0.0, 0);
        for (name, place) in named {
            let name = shortened(name, TEXT, most - sample_width - BESIDE);
            let wide = sample_width + BESIDE + width(&name, TEXT);
            if left > 0.0 && left + wide > most {
                (left, row) = (0.0, row + 1);
            }
            entries.push(LegendEntry { style: Style::nth(place), name, left, row });
            left += wide + GAP;
        }
        Self { entries, kind: figure.kind(), sample: sample_width }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |last| (last.row + 1) as f64 * ROW)
    }

    /// Draws it with its upper left corner here.
    pub(super) fn draw(&self, canvas: &mut Canvas, (x, y): (f64, f64)) {
        for entry in &self.entries {
            let (left, middle) = (x + entry.left, y + (entry.row as f64 + 0.5) * ROW);
            let (start, end) = ((left, middle), (left + self.sample, middle));
            if self.kind == FigureKind::Line {
                canvas.line(entry.style, &[start, end]);
            }
            canvas.marker(entry.style, (0.5 * (start.0 + end.0), middle));
            canvas.text("small", (left + self.sample + BESIDE, middle + 4.0), Anchor::Start, &entry.name);
        }
    }
}
