//! Dropout: units of the hidden and the feature layer are left out at random, the others scaled up to make good for it.
//!
//! In training every row of every update is thinned afresh; the target network is never thinned. In valuing, K thinned
//! networks are drawn when an episode begins and value every state until the next one, so that valuing is a function.

use counsel_decision::Seed;
use rand::Rng;

use crate::DropoutSpec;
use crate::kernel::Table;
use crate::network::{Activity, Network, Shape};

/// Units left out at random.
pub(crate) struct Thinning<R> {
    /// A unit is left out when 32 random bits are below this.
    limit: u32,
    scale: f32,
    rng: R,
}

impl<R: Rng> Thinning<R> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a probability times 2^32")]
    pub(crate) fn new(probability: f64, rng: R) -> Self {
        Self { limit: (probability * 4_294_967_296.0) as u32, scale: (1.0 / (1.0 - probability)) as f32, rng }
    }

    /// What the units that stay are multiplied by.
    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    pub(crate) fn thin(&mut self, numbers: &mut [f32]) {
        for number in numbers {
            *number = if self.rng.next_u32() < self.limit { 0.0 } else { *number * self.scale };
        }
    }
}

/// K thinned networks: what every hidden and feature unit is multiplied by in each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Passes {
    hidden: Vec<f32>,
    feature: Vec<f32>,
    count: usize,
}

impl Passes {
    /// Draws pass k from the seed's stream k.
    pub(crate) fn draw(spec: DropoutSpec, shape: Shape, seed: Seed) -> Self {
        let [hidden, feature, _] = shape.widths();
        let mut passes = Self {
            hidden: vec![1.0; hidden * spec.passes],
            feature: vec![1.0; feature * spec.passes],
            count: spec.passes,
        };
        let lines = passes.hidden.chunks_exact_mut(hidden).zip(passes.feature.chunks_exact_mut(feature));
        for (k, (hidden, feature)) in lines.enumerate() {
            let mut thinning = Thinning::new(spec.probability, seed.index(k as u64).rng());
            thinning.thin(hidden);
            thinning.thin(feature);
        }
        passes
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The values of the states that `look` looked at, K rows of head values per state.
    pub(crate) fn value(&self, network: &Network, look: &Activity) -> Table {
        let hidden = network.shape.widths()[0];
        let mut thinned = Activity::default();
        thinned.hidden.set_len(look.hidden.len() * self.count);
        let blocks = thinned.hidden.chunks_exact_mut(self.hidden.len()).zip(look.hidden.chunks_exact(hidden));
        for (block, line) in blocks {
            block.copy_from_slice(&self.hidden);
            for thin in block.chunks_exact_mut(hidden) {
                thin.iter_mut().zip(line).for_each(|(factor, unit)| *factor *= unit);
            }
        }
        network.describe(&mut thinned);
        for block in thinned.feature.chunks_exact_mut(self.feature.len()) {
            block.iter_mut().zip(&self.feature).for_each(|(unit, factor)| *unit *= factor);
        }
        network.appraise(&mut thinned);
        thinned.value
    }
}
