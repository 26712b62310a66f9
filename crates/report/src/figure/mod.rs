//! Figures as data, and how they are drawn.
//!
//! A [`Figure`] holds checked numbers at full precision; its intervals come from `counsel-stats`, and drawing only turns
//! numbers into places on a canvas. Equal figures give equal bytes.

mod advance;
mod canvas;
mod data;
mod delimited;
mod format;
mod label;
mod legend;
mod plot;
mod scale;
mod series;
mod style;
mod svg;
mod typesetting;

pub use data::{Axis, Breadth, Figure, FigureKind};
pub use format::FigureFormat;
pub use series::{Ends, Point, Series};
pub(crate) use style::sample;
