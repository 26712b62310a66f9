//! The same update with a tensor library: candle's tape for the gradients, tensor operations for Adam and the target.
//!
//! It is what the hand-written update is measured against, and one of the two things it is tested against.

use candle_core::{D, Device, Result, Tensor, Var};

/// The learner's network and its optimiser as tensors: weights and bias of three layers.
pub(crate) struct Autograd {
    pub(crate) online: Vec<Var>,
    pub(crate) target: Vec<Tensor>,
    mean: Vec<Tensor>,
    square: Vec<Tensor>,
    powers: [f64; 2],
}

/// A batch as tensors.
pub(crate) struct Batch {
    /// One row of zeros and ones per transition.
    pub(crate) states: Tensor,
    /// The same for what followed.
    pub(crate) next: Tensor,
    /// (rows, heads, 1): the action taken.
    pub(crate) actions: Tensor,
    /// (rows, 1).
    pub(crate) rewards: Tensor,
    /// (rows, 1): the discount, or 0 where the task ended.
    pub(crate) discounts: Tensor,
    /// (rows, heads).
    pub(crate) masks: Tensor,
}

impl Autograd {
    /// Starts from three tables, each with one row per input and one for the bias.
    pub(crate) fn new(tables: &[(Vec<f32>, usize); 3]) -> Result<Self> {
        let mut online = Vec::new();
        for (table, units) in tables {
            let rows = table.len() / units;
            let table = Tensor::from_slice(table, (rows, *units), &Device::Cpu)?;
            online.push(Var::from_tensor(&table.narrow(0, 0, rows - 1)?.contiguous()?)?);
            online.push(Var::from_tensor(&table.narrow(0, rows - 1, 1)?.contiguous()?)?);
        }
        let zeros = online.iter().map(|var| var.zeros_like()).collect::<Result<Vec<_>>>()?;
        let target = online.iter().map(|var| var.as_detached_tensor().copy()).collect::<Result<Vec<_>>>()?;
        Ok(Self { target, mean: zeros.clone(), square: zeros, powers: [1.0; 2], online })
    }

    /// Makes one update with the squared loss and returns the loss.
    pub(crate) fn update(&mut self, batch: &Batch, polyak: f64) -> Result<f32> {
        let (rows, heads) = batch.masks.dims2()?;
        let best = values(&self.target, &batch.next)?.reshape((rows, heads, ()))?.max(D::Minus1)?;
        let goal = best.broadcast_mul(&batch.discounts)?.broadcast_add(&batch.rewards)?.detach();
        let online: Vec<Tensor> = self.online.iter().map(|var| var.as_tensor().clone()).collect();
        let now = values(&online, &batch.states)?.reshape((rows, heads, ()))?;
        let taken = now.gather(&batch.actions, 2)?.squeeze(2)?;
        let loss = ((taken - goal)?.sqr()? * &batch.masks)?.mean_all()?;
        let slopes = loss.backward()?;
        self.powers = [self.powers[0] * 0.9, self.powers[1] * 0.999];
        let (step, correction) = (1e-3 / (1.0 - self.powers[0]), (1.0 - self.powers[1]).sqrt());
        for (i, var) in self.online.iter().enumerate() {
            let Some(slope) = slopes.get(var) else { continue };
            self.mean[i] = ((&self.mean[i] * 0.9)? + (slope * 0.1)?)?;
            self.square[i] = ((&self.square[i] * 0.999)? + (slope.sqr()? * 0.001)?)?;
            let spread = ((self.square[i].sqrt()? / correction)? + 1e-8)?;
            var.set(&(var.as_detached_tensor() - ((&self.mean[i] / spread)? * step)?)?)?;
            self.target[i] = ((&self.target[i] * (1.0 - polyak))? + (var.as_detached_tensor() * polyak)?)?;
        }
        loss.to_scalar()
    }
}

fn values(layers: &[Tensor], inputs: &Tensor) -> Result<Tensor> {
    let hidden = inputs.matmul(&layers[0])?.broadcast_add(&layers[1])?.relu()?;
    let feature = hidden.matmul(&layers[2])?.broadcast_add(&layers[3])?.relu()?;
    feature.matmul(&layers[4])?.broadcast_add(&layers[5])
}

/// The matrix products of an update and nothing else.
pub(crate) fn products(batch: &Batch, layers: &[Var]) -> Result<()> {
    let rows = batch.states.dim(0)?;
    let mut inputs = batch.states.clone();
    for pair in layers.chunks_exact(2) {
        let weights = pair[0].as_tensor();
        // Online, target, and the gradient of the weights; then the slope of the inputs, which the first layer needs not.
        let outputs = inputs.matmul(weights)?;
        inputs.matmul(weights)?;
        inputs.t()?.matmul(&outputs)?;
        if inputs.dims2()? != batch.states.dims2()? {
            outputs.matmul(&weights.t()?)?;
        }
        inputs = outputs;
    }
    assert_eq!(inputs.dim(0)?, rows);
    Ok(())
}
