//! The learner: for every track and exit it counts how many trains were on time, and draws from what that leaves open.

use counsel_decision::{Error, Seed, ValueBounds, ValueSamples, argmax};
use rand_distr::{Beta, Distribution};

use crate::world::{EXITS, TRACKS};

/// Samples of the values that a decision may look at.
const SAMPLES: u64 = 32;
/// The chance with which a bound may be wrong.
const DELTA: f64 = 0.05;

/// How many trains were on time and how many late, by track and exit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Punctuality {
    seen: [[[f64; 2]; EXITS]; TRACKS],
}

impl Punctuality {
    /// One draw of how likely a train leaves on time by each exit: a Beta distribution over what was seen.
    fn draw(&self, track: usize, seed: Seed) -> Vec<f64> {
        let mut rng = seed.rng();
        let beta = |[on_time, late]: &[f64; 2]| Beta::new(1.0 + on_time, 1.0 + late).expect("both are above zero");
        self.seen[track].iter().map(|seen| beta(seen).sample(&mut rng)).collect()
    }

    /// What it would do without advice: the best exit of one draw, so that it goes on exploring.
    pub(crate) fn propose(&self, track: usize, seed: Seed) -> counsel_decision::Action {
        argmax(&self.draw(track, seed))
    }

    /// Samples of what each exit is worth.
    pub(crate) fn samples(&self, track: usize, seed: Seed) -> Result<ValueSamples, Error> {
        ValueSamples::new(EXITS, (0..SAMPLES).flat_map(|number| self.draw(track, seed.index(number))).collect())
    }

    /// Bounds on what each exit is worth (Hoeffding); from 0 to 1 where nothing was seen.
    pub(crate) fn bounds(&self, track: usize) -> Result<ValueBounds, Error> {
        let interval = |[on_time, late]: &[f64; 2]| {
            let count = (on_time + late).max(1e-9);
            let radius = ((2.0 / DELTA).ln() / (2.0 * count)).sqrt();
            ((on_time / count - radius).max(0.0), (on_time / count + radius).min(1.0))
        };
        let (lower, upper) = self.seen[track].iter().map(interval).unzip();
        ValueBounds::new(lower, upper)
    }

    /// Learns how a train fared.
    pub(crate) fn observe(&mut self, track: usize, exit: usize, reward: f64) {
        self.seen[track][exit][usize::from(reward < 0.5)] += 1.0;
    }
}
