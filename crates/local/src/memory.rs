//! What a model remembers of the tokens it has read: the keys and values of every layer.

/// Keys and values of consecutive tokens, per layer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Memory {
    width: usize,
    layers: Vec<Layer>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Layer {
    keys: Vec<f32>,
    values: Vec<f32>,
}

impl Memory {
    /// Nothing is remembered yet.
    pub(crate) fn empty(layers: usize, width: usize) -> Self {
        Self { width, layers: vec![Layer::default(); layers] }
    }

    /// How many tokens are remembered.
    pub(crate) fn tokens(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.keys.len() / self.width)
    }

    /// Remembers further tokens in one layer.
    pub(crate) fn extend(&mut self, layer: usize, keys: &[f32], values: &[f32]) {
        let layer = &mut self.layers[layer];
        layer.keys.extend_from_slice(keys);
        layer.values.extend_from_slice(values);
    }

    /// The keys of one layer, token by token.
    pub(crate) fn keys(&self, layer: usize) -> impl Iterator<Item = &[f32]> {
        self.layers[layer].keys.chunks_exact(self.width)
    }

    /// The values of one layer, token by token.
    pub(crate) fn values(&self, layer: usize) -> impl Iterator<Item = &[f32]> {
        self.layers[layer].values.chunks_exact(self.width)
    }

    /// Remembers what another memory holds of these tokens.
    pub(crate) fn append(&mut self, other: &Self, tokens: std::ops::Range<usize>) {
        let numbers = tokens.start * self.width..tokens.end * self.width;
        for (layer, other) in self.layers.iter_mut().zip(&other.layers) {
            layer.keys.extend_from_slice(&other.keys[numbers.clone()]);
            layer.values.extend_from_slice(&other.values[numbers.clone()]);
        }
    }
}
