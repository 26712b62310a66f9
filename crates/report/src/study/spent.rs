//! What an arm brought and what it cost, in plain numbers: for a sentence, where a table says too much.

use counsel_log::study::Measure;
use counsel_log::{CellKey, Run};

use super::measure::{CellLog, measure};
use crate::Error;

/// Means over the cells of an arm.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    /// Mean return of an episode.
    pub return_per_episode: f64,
    /// Episodes of a run.
    pub episodes: f64,
    /// Calls of a run.
    pub calls: f64,
    /// Calls before it, to fit the predictor and to calibrate.
    pub calibration_calls: f64,
    /// World steps that were simulated to know what decisions and states are worth, before the run and during it.
    pub steps_simulated: f64,
    /// The price of a call, in units of return.
    pub price_per_call: f64,
}

impl Spent {
    /// The means over these cells; nothing if there are none. A cell that is not there is an error.
    pub fn by(run: &Run, cells: &[CellKey]) -> Result<Self, Error> {
        let (mut mean, share) = (Self::default(), 1.0 / cells.len() as f64);
        for key in cells {
            let gone = || Error::NoCell { cell: key.to_string() };
            let cell = run.cell(key)?.ok_or_else(gone)?;
            let frame = cell.frame()?;
            let log = CellLog { manifest: &cell.manifest, frame: &frame };
            let simulated = measure(Measure::SimulatedSteps, &log).unwrap_or_default();
            frame.fault().map_or(Ok(()), Err)?;
            let totals = &cell.manifest.totals;
            mean.return_per_episode += share * totals.reward / totals.episodes as f64;
            mean.episodes += share * totals.episodes as f64;
            mean.calls += share * totals.calls as f64;
            mean.calibration_calls += share * totals.calibration_calls as f64;
            mean.steps_simulated += share * simulated;
            // All cells of an arm have one price.
            mean.price_per_call = cell.manifest.spec["price"].as_f64().unwrap_or_default();
        }
        Ok(mean)
    }

    /// What the calls of an episode cost, in units of return.
    pub fn cost_per_episode(&self) -> f64 {
        self.price_per_call * self.calls / self.episodes
    }
}
