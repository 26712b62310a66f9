//! The two ways a figure is written.

use counsel_world::named;

use super::{delimited, svg};
use crate::format::by_name;

named! {
    /// A way to write figures, one file each; the name is the ending of its files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FigureFormat {
        /// A drawing for light and dark pages.
        Svg => "svg",
        /// The points at full precision.
        Csv => "csv",
    }
}

by_name!(FigureFormat);

impl FigureFormat {
    /// How every file of this format begins. A file that begins otherwise was not written here.
    pub fn opening(self) -> &'static str {
        match self {
            Self::Svg => svg::OPENING,
            Self::Csv => delimited::HEADER,
        }
    }
}
