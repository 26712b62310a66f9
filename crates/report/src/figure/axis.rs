//! What is measured along a side of a figure.

use serde::Serialize;

/// How numbers are spaced along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Spacing {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Equal ratios are equally far apart; every number must be above zero.
    Logarithmic,
}

/// One axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// The quantity.
    pub label: String,
    /// What it is counted in, where the quantity does not say it.
    pub unit: Option<String>,
    /// How its numbers are spaced.
    pub spacing: Spacing,
}

impl Axis {
    /// A linear axis.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), unit: None, spacing: Spacing::Linear }
    }

    /// Counted in this unit.
    #[must_use]
    pub fn in_unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Spaced by ratios.
    #[must_use]
    pub fn logarithmic(mut self) -> Self {
        self.spacing = Spacing::Logarithmic;
        self
    }

    /// The quantity and its unit, as they stand beside the axis.
    pub(crate) fn heading(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.label),
            None => self.label.clone(),
        }
    }
}
