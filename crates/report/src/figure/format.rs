//! The two ways a figure is written.

use std::fmt;
use std::str::FromStr;

use super::{delimited, svg};
use crate::Error;

/// A way to write figures, one file each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureFormat {
    /// A drawing for light and dark pages.
    Svg,
    /// The points at full precision.
    Csv,
}

impl FigureFormat {
    /// Every format, in the order in which they are listed to users.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Csv];

    /// The word for it on a command line, and the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Csv => "csv",
        }
    }

    /// How every file of this format begins. A file that begins otherwise was not written here.
    pub fn opening(self) -> &'static str {
        match self {
            Self::Svg => svg::OPENING,
            Self::Csv => delimited::HEADER,
        }
    }
}

impl fmt::Display for FigureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for FigureFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| Error::UnknownFigureFormat { found: name.to_owned() })
    }
}
