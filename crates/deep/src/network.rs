//! The network: a trunk of two rectified layers and K linear heads on its features.
//!
//! A layer is a table with one row per input and one more for the bias; rows are filled up with zeros to whole vectors, and
//! these zeros stay zero. Invariant: the values of a state do not depend on the states valued along with it.

use counsel_decision::Seed;
use rand::RngExt;

use crate::kernel::{LANES, Left, Table, gather, product, rectify};

/// The sizes of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) inputs: usize,
    pub(crate) hidden: usize,
    pub(crate) feature: usize,
    pub(crate) heads: usize,
    pub(crate) actions: usize,
}

impl Shape {
    /// How wide the rows of the three layers are.
    pub(crate) fn widths(&self) -> [usize; 3] {
        [self.hidden, self.feature, self.heads * self.actions].map(|units| units.next_multiple_of(LANES))
    }

    /// How many numbers the three layers have.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        let [hidden, feature, out] = self.widths();
        [(self.inputs + 1) * hidden, (hidden + 1) * feature, (feature + 1) * out]
    }
}

/// The weights, or anything else that has one number per weight.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Network {
    pub(crate) shape: Shape,
    pub(crate) layers: [Table; 3],
}

/// What the layers say about some states, one row each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Activity {
    pub(crate) hidden: Table,
    pub(crate) feature: Table,
    pub(crate) value: Table,
}

impl Network {
    pub(crate) fn zeros(shape: Shape) -> Self {
        Self { shape, layers: shape.sizes().map(Table::zeros) }
    }

    /// Weights and biases uniform within ±1/√inputs of their layer, as PyTorch starts a linear layer; those of the heads
    /// times `output_scale`. Layer i comes from the seed's stream i.
    #[expect(clippy::cast_possible_truncation, reason = "weights are single precision")]
    pub(crate) fn random(shape: Shape, output_scale: f64, seed: Seed) -> Self {
        let inputs = [shape.inputs, shape.hidden, shape.feature];
        let units = [shape.hidden, shape.feature, shape.heads * shape.actions];
        let mut network = Self::zeros(shape);
        for (i, (layer, width)) in network.layers.iter_mut().zip(shape.widths()).enumerate() {
            let mut rng = seed.index(i as u64).rng();
            let scale = if i == 2 { output_scale } else { 1.0 };
            let bound = (scale / (inputs[i] as f64).sqrt()) as f32;
            let bias = layer.len() / width - 1;
            for row in (0..inputs[i]).chain([bias]) {
                for weight in &mut layer[row * width..row * width + units[i]] {
                    *weight = bound * (2.0 * rng.random::<f32>() - 1.0);
                }
            }
        }
        network
    }

    /// Fills `activity.hidden`.
    pub(crate) fn look<'a>(&self, states: impl ExactSizeIterator<Item = &'a [u16]>, activity: &mut Activity) {
        let width = self.shape.widths()[0];
        activity.hidden.set_len(states.len() * width);
        gather(&self.layers[0], width, self.shape.inputs, states, &mut activity.hidden);
        rectify(&mut activity.hidden);
    }

    /// Fills `activity.feature` from `activity.hidden`.
    pub(crate) fn describe(&self, activity: &mut Activity) {
        let [hidden, feature, _] = self.shape.widths();
        activity.feature.set_len(activity.hidden.len() / hidden * feature);
        let (weights, bias) = self.layers[1].split_at(hidden * feature);
        product(Left::Plain(&activity.hidden), weights, feature, Some(bias), &mut activity.feature);
        rectify(&mut activity.feature);
    }

    /// Fills `activity.value` from `activity.feature`: head k values action a at k · actions + a.
    pub(crate) fn appraise(&self, activity: &mut Activity) {
        let [_, feature, out] = self.shape.widths();
        activity.value.set_len(activity.feature.len() / feature * out);
        let (weights, bias) = self.layers[2].split_at(feature * out);
        product(Left::Plain(&activity.feature), weights, out, Some(bias), &mut activity.value);
    }

    /// All three in turn.
    pub(crate) fn value<'a>(&self, states: impl ExactSizeIterator<Item = &'a [u16]>, activity: &mut Activity) {
        self.look(states, activity);
        self.describe(activity);
        self.appraise(activity);
    }
}
