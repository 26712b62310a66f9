//! The label of a query by paired continuations, in any world that can be copied.

use counsel_calibration::PairedRollouts;
use counsel_decision::{Action, Seed};
use counsel_world::Environment;

use crate::Error;
use crate::calibrate::{CalibrationSpec, Labels};
use crate::scene::Label;

impl CalibrationSpec {
    /// The label of a decision in the state of `world`, `to_go` steps before the end of its episode at the latest. `decide` draws
    /// an answer and says what is done after it; `go_on` is the agent without advice, by one uniform draw, which both branches
    /// share. Nothing where labels are exact.
    pub fn paired_label<E: Environment + Clone>(
        &self,
        world: &E,
        to_go: usize,
        no_query: Action,
        seed: Seed,
        mut decide: impl FnMut(Seed) -> Action,
        go_on: impl Fn(&E, f64) -> Action,
    ) -> Result<Label, Error> {
        let Labels::Paired { blocks, replicates, window } = self.labels else { return Ok(Label::default()) };
        let window = window.unwrap_or(to_go).min(to_go);
        let proxy = PairedRollouts { blocks, replicates, window, discount: self.discount() }.proxy(
            world,
            no_query,
            seed,
            |seed| ((), decide(seed)),
            |(), world, _, draw| go_on(world, draw),
            |world, _, draw| go_on(world, draw),
        )?;
        let radius = self.monte_carlo.term(&proxy.block_means, self.calibrate.max(1))?;
        Ok(Label { exact: None, simulated: Some((proxy.value, radius)), calls: blocks as u64, steps: proxy.steps })
    }
}
