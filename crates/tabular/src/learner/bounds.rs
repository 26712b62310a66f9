//! Bounds L_h(s, a) <= Q*_h(s, a) <= U_h(s, a) on the optimal value, by backward induction over what was seen.
//!
//! U_h = min(V_max(h), r̂ + P̂ max U_{h+1} + w_h) and L_h = max(0, r̂ + P̂ max L_{h+1} - w_h), with the visit-count width
//! w_h = C V_max(h) √(ι / n(s, a)) and ι = ln(2 S A H T / δ); an action never seen has [0, V_max(h)]. Invariant: L <= U,
//! and with C >= 1/√2 all bounds hold together over T steps with probability 1 - δ (Hoeffding and a union over cells,
//! stages and counts), whoever chose the actions.
//!
//! DIFFERENCE: the width U - L of such bounds contains the widths of later stages, so the closed form of the width-sum
//! lemma does not apply to it; see "Width sums" in docs/DIFFERENCES.md.

use crate::Dynamics;
use counsel_decision::refusal::in_range;
use counsel_decision::{Action, ValueBounds, argmax};
use serde::{Deserialize, Serialize};

use crate::{Counts, Error, Model, Outline};

/// What the width of a bound rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundsKind {
    /// Widths that shrink with the number of visits. Valid in any world.
    #[default]
    VisitCount,
    /// Width 0 after one visit. Valid only where transitions and rewards are not random.
    Deterministic,
}

/// How the bounds are made.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `kind` | `visit-count` | `visit-count`, `deterministic` |
/// | `scale` | 1.0 | 0 or more; valid bounds need 0.71 or more |
/// | `failure` | 0.1 | (0, 1) |
/// | `steps` | 10,000 | 1 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BoundsSpec {
    /// What the widths rest on.
    pub kind: BoundsKind,
    /// C.
    pub scale: f64,
    /// δ, the probability with which some bound may fail.
    pub failure: f64,
    /// T, the number of steps for which the bounds are to hold.
    pub steps: u64,
}

impl Default for BoundsSpec {
    fn default() -> Self {
        Self { kind: BoundsKind::VisitCount, scale: 1.0, failure: 0.1, steps: 10_000 }
    }
}

impl BoundsSpec {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let ok = self.scale.is_finite() && self.scale >= 0.0;
        in_range(ok, "the scale of the bounds", self.scale, "the numbers from 0 on", "use 1 for valid bounds")?;
        let ok = self.failure > 0.0 && self.failure < 1.0;
        in_range(ok, "the failure probability", self.failure, "(0, 1)", "use 0.1, say")?;
        if self.steps == 0 { Err(Error::Zero { what: "the number of steps to hold for" }) } else { Ok(()) }
    }

    /// ι = ln(2 S A H T / δ).
    pub fn log_term(&self, task: &Outline) -> f64 {
        let cells = (task.states() * task.actions() * task.horizon()) as f64;
        (2.0 * cells * self.steps as f64 / self.failure).ln()
    }

    /// w_h after `visits` visits, of which there must be one.
    pub fn width(&self, task: &Outline, stage: usize, visits: u64) -> f64 {
        match self.kind {
            BoundsKind::VisitCount => {
                self.scale * task.value_max(stage) * (self.log_term(task) / visits.max(1) as f64).sqrt()
            }
            BoundsKind::Deterministic => 0.0,
        }
    }

    /// The bounds that follow from what was seen.
    pub fn table(&self, task: &Outline, counts: &Counts) -> BoundTable {
        let (states, actions) = (task.states(), task.actions());
        let seen = Model::empirical(task, counts);
        let mut table = BoundTable::open(task);
        // w_h = w_0 V_max(h) / V_max(0): one square root per cell serves every stage.
        let cells = (0..states).flat_map(|state| (0..actions).map(move |action| (state, Action::new(action))));
        let visits: Vec<u64> = cells.map(|(state, action)| counts.visits(state, action)).collect();
        let widths: Vec<f64> = visits.iter().map(|&n| self.width(task, 0, n) / task.value_max(0)).collect();
        let (mut low_next, mut high_next) = (vec![0.0; states], vec![0.0; states]);
        for stage in (0..task.horizon()).rev() {
            let ceiling = task.value_max(stage);
            for cell in (0..states * actions).filter(|&cell| visits[cell] > 0) {
                let (state, action) = (cell / actions, Action::new(cell % actions));
                let (reward, width) = (seen.reward(state, action), widths[cell] * ceiling);
                let high = ceiling.min(reward + seen.expect(state, action, &high_next) + width);
                let low = reward + seen.expect(state, action, &low_next) - width;
                let at = stage * states * actions + cell;
                table.upper[at] = high;
                // Rounding alone can lift a lower bound above the upper one.
                table.lower[at] = low.clamp(0.0, high);
            }
            for state in (0..states).filter(|&state| !task.is_final(state)) {
                let from = table.row(stage, state);
                low_next[state] = largest(&table.lower[from..from + actions]);
                high_next[state] = largest(&table.upper[from..from + actions]);
            }
        }
        table
    }
}

/// Bounds for every stage, state and action.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundTable {
    states: usize,
    actions: usize,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl BoundTable {
    /// [0, V_max(h)] everywhere, and [0, 0] in final states.
    fn open(task: &Outline) -> Self {
        let (states, actions) = (task.states(), task.actions());
        let row = states * actions;
        let limit = |at: usize| if task.is_final(at % row / actions) { 0.0 } else { task.value_max(at / row) };
        let upper: Vec<f64> = (0..task.horizon() * row).map(limit).collect();
        Self { states, actions, lower: vec![0.0; upper.len()], upper }
    }

    /// The bounds of one stage and state.
    pub fn at(&self, stage: usize, state: usize) -> ValueBounds {
        let from = self.row(stage, state);
        let (lower, upper) = (&self.lower[from..from + self.actions], &self.upper[from..from + self.actions]);
        ValueBounds::new(lower.to_vec(), upper.to_vec()).expect("the table keeps finite lower <= upper")
    }

    /// The lower and the upper bounds of every stage and state, at `stage * states + state`.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&[f64], &[f64])> {
        self.lower.chunks_exact(self.actions).zip(self.upper.chunks_exact(self.actions))
    }

    fn row(&self, stage: usize, state: usize) -> usize {
        assert!(state < self.states, "state {state} of only {} states", self.states);
        (stage * self.states + state) * self.actions
    }
}

fn largest(values: &[f64]) -> f64 {
    values[argmax(values).index()]
}
