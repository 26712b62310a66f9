//! The table of a study that has no file of its own.

use super::description::{Description, Show, column};
use super::measure::{acceptance, calls, cost_adjusted_return, mean_return};

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("return", Show::Interval(3), mean_return),
            column("calls", Show::Mean(1), calls),
            column("cost-adjusted", Show::Mean(3), cost_adjusted_return),
            column("acceptance", Show::Mean(3), acceptance),
        ],
        comparison: None,
        claims: |_| Vec::new(),
    }
}
