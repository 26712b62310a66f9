//! What learns the values of commands: bootstrap heads, each linear on the hashed conjunctions of a command's row.
//!
//! The number of commands changes from step to step, so a value is one of a situation and a command together. A head's target
//! is r + γ max over the next commands of the same head as it was at the last copy; a head learns from a transition if its bit
//! in the transition's mask is set. The discount is short: with 0.97 commands that lead in a circle are worth almost as much as the
//! best one, and practice makes the learner worse. Invariant: the learner is a function of its spec, its seed and what it was shown.

use std::sync::Arc;

use counsel_alfworld::{PLACES, Row};
use counsel_decision::refusal::{Refusal, in_range};
use counsel_decision::{Seed, ValueBounds, ValueSamples};
use counsel_deep::{Exploration, Valued};
use counsel_session::Error;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// The parameters of the learner.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `heads` | 8 | 1 to 64 |
/// | `rate` | 0.1 | share of an error that one look corrects, above 0, at most 1 |
/// | `discount` | 0.9 | 0 to 1 |
/// | `replay` | 20,000 | 1 to 1,000,000 |
/// | `batch` | 32 | 1 to 4,096 |
/// | `updates_per_step` | 1 | 0 to 64 |
/// | `copy_every` | 100 | updates between two copies of the weights, 1 or more |
/// | `mask_probability` | 0.5 | above 0, at most 1 |
/// | `bound_scale` | 1 | C of the bounds mean ± C sd, 0 or more |
/// | `exploration` | see [`Exploration`] | ε falls over the warm-up; afterwards it is `end` |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeadsSpec {
    /// How many heads there are.
    pub heads: usize,
    /// The share of an error that one look corrects.
    pub rate: f64,
    /// γ.
    pub discount: f64,
    /// How many transitions are kept.
    pub replay: usize,
    /// How many transitions an update looks at.
    pub batch: usize,
    /// How many updates follow a step.
    pub updates_per_step: usize,
    /// After how many updates the weights of the targets are copied anew.
    pub copy_every: u64,
    /// With which probability a head learns from a transition.
    pub mask_probability: f64,
    /// C of the bounds mean ± C sd.
    pub bound_scale: f64,
    /// How the learner explores.
    pub exploration: Exploration,
}

impl Default for HeadsSpec {
    fn default() -> Self {
        Self {
            heads: 8,
            rate: 0.1,
            discount: 0.9,
            replay: 20_000,
            batch: 32,
            updates_per_step: 1,
            copy_every: 100,
            mask_probability: 0.5,
            bound_scale: 1.0,
            exploration: Exploration::default(),
        }
    }
}

impl HeadsSpec {
    /// Refuses what is outside its range.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let remedy = "choose a number within";
        let within = |what, value: usize, least: usize, most: usize, range| {
            in_range((least..=most).contains(&value), what, value as f64, range, remedy)
        };
        within("learner.heads", self.heads, 1, 64, "1 to 64")?;
        within("learner.replay", self.replay, 1, 1_000_000, "1 to 1,000,000")?;
        within("learner.batch", self.batch, 1, 4_096, "1 to 4,096")?;
        within("learner.updates_per_step", self.updates_per_step, 0, 64, "0 to 64")?;
        in_range(self.copy_every > 0, "learner.copy_every", 0.0, "1 or more", remedy)?;
        let share = |what, value: f64| in_range(value > 0.0 && value <= 1.0, what, value, "(0, 1]", remedy);
        share("learner.rate", self.rate)?;
        share("learner.mask_probability", self.mask_probability)?;
        share("learner.exploration.share", self.exploration.share)?;
        let scale = self.bound_scale;
        in_range(scale >= 0.0 && scale.is_finite(), "learner.bound_scale", scale, "[0, infinity)", remedy)?;
        let Exploration { start, end, warm_up_episodes, .. } = self.exploration;
        for (what, value) in [
            ("learner.discount", self.discount),
            ("learner.exploration.start", start),
            ("learner.exploration.end", end),
        ] {
            in_range((0.0..=1.0).contains(&value), what, value, "[0, 1]", remedy)?;
        }
        within("learner.exploration.warm_up_episodes", warm_up_episodes, 0, 100_000, "0 to 100,000")
    }
}

/// A step that is remembered.
#[derive(Debug, Clone)]
struct StoredStep {
    row: Row,
    reward: f64,
    /// The rows of what could be said next; none where no value follows.
    next: Arc<[Row]>,
    /// Bit k: head k learns from it.
    mask: u64,
}

/// The learner.
#[derive(Debug, Clone)]
pub(super) struct Heads {
    spec: HeadsSpec,
    seed: Seed,
    /// The weight of every place, head by head.
    weights: Vec<f64>,
    /// The same at the last copy.
    copied: Vec<f64>,
    memories: Vec<StoredStep>,
    seen: u64,
    updates: u64,
}

impl Heads {
    /// A learner that has seen nothing: every command is worth 0.
    pub(super) fn new(spec: HeadsSpec, seed: Seed) -> Self {
        let weights = vec![0.0; PLACES * spec.heads];
        Self { copied: weights.clone(), weights, spec, seed, memories: Vec::new(), seen: 0, updates: 0 }
    }

    /// The values of these commands: a sample per head, and bounds around their mean.
    pub(super) fn values(&self, rows: &[Row]) -> Result<Valued, Error> {
        let heads = self.spec.heads;
        let mut samples = vec![0.0; heads * rows.len()];
        let mut of_row = vec![0.0; heads];
        for (command, row) in rows.iter().enumerate() {
            self.sum(&self.weights, row, &mut of_row);
            of_row.iter().enumerate().for_each(|(head, value)| samples[head * rows.len() + command] = *value);
        }
        let samples = ValueSamples::new(rows.len(), samples)?;
        let mean = samples.means(None);
        let deviations = samples.variances(None, &mean).into_iter().map(f64::sqrt);
        let (lower, upper) = mean
            .iter()
            .zip(deviations)
            .map(|(mean, deviation)| {
                (mean - self.spec.bound_scale * deviation, mean + self.spec.bound_scale * deviation)
            })
            .unzip();
        Ok(Valued { bounds: ValueBounds::new(lower, upper)?, samples, mean })
    }

    /// The mean value of each of these commands.
    pub(super) fn means(&self, rows: &[Row]) -> Vec<f64> {
        let mut of_row = vec![0.0; self.spec.heads];
        rows.iter()
            .map(|row| {
                self.sum(&self.weights, row, &mut of_row);
                of_row.iter().sum::<f64>() / self.spec.heads as f64
            })
            .collect()
    }

    fn sum(&self, weights: &[f64], row: &Row, values: &mut [f64]) {
        values.fill(0.0);
        for &place in row {
            let line = &weights[usize::from(place) * self.spec.heads..][..self.spec.heads];
            values.iter_mut().zip(line).for_each(|(value, weight)| *value += weight);
        }
    }

    /// Remembers a step; `next` is empty where no value follows.
    pub(super) fn observe(&mut self, row: Row, reward: f64, next: &[Row]) {
        let mut randomness = self.seed.stream("bootstrap").index(self.seen).rng();
        let learns = |randomness: &mut _| RngExt::random::<f64>(randomness) < self.spec.mask_probability;
        let mask = (0..self.spec.heads).fold(0, |mask, head| mask | u64::from(learns(&mut randomness)) << head);
        let memory = StoredStep { row, reward, next: next.into(), mask };
        let slot = usize::try_from(self.seen % self.spec.replay as u64).unwrap_or(0);
        if slot < self.memories.len() {
            self.memories[slot] = memory;
        } else {
            self.memories.push(memory);
        }
        self.seen += 1;
    }

    /// Makes the updates due after a step.
    pub(super) fn learn(&mut self) {
        for _ in 0..self.spec.updates_per_step {
            self.update();
        }
    }

    fn update(&mut self) {
        let mut randomness = self.seed.stream("batch").index(self.updates).rng();
        let heads = self.spec.heads;
        let (mut best, mut value) = (vec![0.0; heads], vec![0.0; heads]);
        for _ in 0..self.spec.batch {
            let chosen = randomness.random_range(0..self.memories.len());
            let StoredStep { row, reward, next, mask } = self.memories[chosen].clone();
            best.fill(if next.is_empty() { 0.0 } else { f64::NEG_INFINITY });
            for row in &*next {
                self.sum(&self.copied, row, &mut value);
                best.iter_mut().zip(&value).for_each(|(best, value)| *best = best.max(*value));
            }
            self.sum(&self.weights, &row, &mut value);
            let share = self.spec.rate / row.len() as f64;
            for head in (0..heads).filter(|head| mask >> head & 1 == 1) {
                let error = reward + self.spec.discount * best[head] - value[head];
                row.iter().for_each(|&place| self.weights[usize::from(place) * heads + head] += share * error);
            }
        }
        self.updates += 1;
        if self.updates.is_multiple_of(self.spec.copy_every) {
            self.copied.clone_from(&self.weights);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_two_commands_is_valued_as_discounting_says() {
        let mut heads = Heads::new(HeadsSpec { discount: 0.5, copy_every: 10, ..HeadsSpec::default() }, Seed::root(1));
        let row = |number: u16| -> Row { std::array::from_fn(|place| number * 20 + u16::try_from(place).unwrap()) };
        for _ in 0..400 {
            heads.observe(row(0), 0.0, &[row(1), row(2)]);
            heads.observe(row(1), 1.0, &[]);
            heads.observe(row(2), 0.0, &[]);
            heads.learn();
        }
        let means = heads.means(&[row(0), row(1), row(2)]);
        for (mean, expected) in means.iter().zip([0.5, 1.0, 0.0]) {
            assert!((mean - expected).abs() < 0.02, "{means:?}");
        }
        let valued = heads.values(&[row(1)]).unwrap();
        assert!(valued.bounds.lower()[0] <= valued.mean[0] && valued.mean[0] <= valued.bounds.upper()[0]);
    }
}
