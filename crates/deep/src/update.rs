//! One update: Q-learning targets, gradients, Adam and the target network, without a tape.
//!
//! The target of head k is y_k = r + γ max_a Q'_k(s', a), Q' being the target network, and y_k = r where the step reached
//! a final state. The loss is the mean over batch rows and heads of m_k ℓ(Q_k(s, a) - y_k), m_k being the transition's
//! bootstrap mask. Invariant: the same memories in the same order give the same bits.

use crate::dropout::Thinning;
use crate::kernel::{Left, Pace, Slices, Table, column_sums, pass_back, product, step_all, step_sparse, transpose};
use crate::network::{Activity, Network, Shape};
use crate::replay::{Memory, narrow};
use crate::{DeepSpec, Loss};

/// Everything that learning needs beside the network itself.
#[derive(Debug, Clone)]
pub(crate) struct Trainer {
    pub(crate) target: Network,
    pub(crate) mean: Network,
    pub(crate) square: Network,
    /// β1^t and β2^t.
    pub(crate) powers: [f64; 2],
    /// Which inputs have been 1 in some batch; the last entry is the bias.
    awake: Vec<bool>,
    desk: Desk,
}

/// Tables that an update writes before it reads them.
#[derive(Debug, Clone, Default)]
struct Desk {
    now: Activity,
    next: Activity,
    prior: Activity,
    value_slopes: Table,
    feature_slopes: Table,
    hidden_slopes: Table,
    turned: Table,
    gradient: Table,
    /// For every input, the batch rows in which it is 1: how many, and which.
    counts: Vec<u16>,
    members: Vec<u16>,
}

/// A fixed random network that is added to the heads, and its scale.
pub(crate) type Prior = (Network, f32);

impl Trainer {
    /// The state before the first update: the target is the network.
    pub(crate) fn new(network: &Network) -> Self {
        let zeros = Network::zeros(network.shape);
        Self::resumed(network, network.clone(), zeros.clone(), zeros, [1.0; 2])
    }

    /// A state in the middle of learning. A row is awake unless a step would leave it as it is.
    pub(crate) fn resumed(
        network: &Network,
        target: Network,
        mean: Network,
        square: Network,
        powers: [f64; 2],
    ) -> Self {
        let width = network.shape.widths()[0];
        let mut awake: Vec<bool> = network.layers[0]
            .chunks_exact(width)
            .zip(target.layers[0].chunks_exact(width))
            .map(|(weights, target)| weights != target)
            .collect();
        for moments in [&mean, &square] {
            for (awake, row) in awake.iter_mut().zip(moments.layers[0].chunks_exact(width)) {
                *awake |= row.iter().any(|&moment| moment != 0.0);
            }
        }
        Self { target, mean, square, powers, awake, desk: Desk::default() }
    }

    /// Makes one update of `network` and returns its loss.
    pub(crate) fn update<R: rand::Rng>(
        &mut self,
        network: &mut Network,
        prior: Option<&Prior>,
        spec: &DeepSpec,
        batch: &[&Memory],
        thinning: Option<Thinning<R>>,
    ) -> f64 {
        let desk = &mut self.desk;
        self.target.value(batch.iter().map(|memory| &*memory.next), &mut desk.next);
        add_prior(prior, batch.iter().map(|memory| &*memory.next), &mut desk.prior, &mut desk.next);
        let scale = thinning.as_ref().map_or(1.0, Thinning::scale);
        look_now(network, batch, thinning, &mut desk.now);
        add_prior(prior, batch.iter().map(|memory| &*memory.state), &mut desk.prior, &mut desk.now);
        let loss = desk.errors(network.shape, spec, batch);

        let pace = Pace::next(spec.learning_rate, spec.polyak, &mut self.powers);
        let [hidden, feature, out] = network.shape.widths();
        let rows = batch.len();
        desk.turned.set_len(feature * out);
        transpose(&network.layers[2][..feature * out], out, &mut desk.turned);
        desk.feature_slopes.set_len(rows * feature);
        product(Left::Plain(&desk.value_slopes), &desk.turned, feature, None, &mut desk.feature_slopes);
        pass_back(&desk.now.feature, scale, &mut desk.feature_slopes);

        desk.turned.set_len(hidden * feature);
        transpose(&network.layers[1][..hidden * feature], feature, &mut desk.turned);
        desk.hidden_slopes.set_len(rows * hidden);
        product(Left::Plain(&desk.feature_slopes), &desk.turned, hidden, None, &mut desk.hidden_slopes);
        pass_back(&desk.now.hidden, scale, &mut desk.hidden_slopes);

        let Network { layers: [first, second, third], .. } = network;
        let [targets, means, squares] =
            [&mut self.target, &mut self.mean, &mut self.square].map(|n| n.layers.each_mut());
        let [target_1, target_2, target_3] = targets;
        let [mean_1, mean_2, mean_3] = means;
        let [square_1, square_2, square_3] = squares;
        gradient(&desk.now.feature, &desk.value_slopes, out, &mut desk.gradient);
        step_all(pace, Slices { weights: third, mean: mean_3, square: square_3, target: target_3 }, &desk.gradient);
        gradient(&desk.now.hidden, &desk.feature_slopes, feature, &mut desk.gradient);
        step_all(pace, Slices { weights: second, mean: mean_2, square: square_2, target: target_2 }, &desk.gradient);

        desk.sort_by_input(self.awake.as_mut_slice(), batch);
        let slices = Slices { weights: first, mean: mean_1, square: square_1, target: target_1 };
        let (counts, members) = (&desk.counts, &desk.members);
        step_sparse(pace, slices, hidden, &desk.hidden_slopes, &self.awake, |input| {
            &members[input * rows..input * rows + usize::from(counts[input])]
        });
        loss
    }

    /// r + γ max_a of the mean of the target network's heads.
    pub(crate) fn mean_targets(&self, discount: f64, batch: &[&Memory]) -> Vec<f64> {
        let Shape { heads, actions, .. } = self.target.shape;
        let out = self.target.shape.widths()[2];
        let mut next = Activity::default();
        self.target.value(batch.iter().map(|memory| &*memory.next), &mut next);
        let best = |line: &[f32]| {
            let mean =
                |action: usize| (0..heads).map(|k| f64::from(line[k * actions + action])).sum::<f64>() / heads as f64;
            (0..actions).map(mean).fold(f64::NEG_INFINITY, f64::max)
        };
        let after = |(memory, line): (&&Memory, &[f32])| {
            f64::from(memory.reward) + if memory.terminated { 0.0 } else { discount * best(line) }
        };
        batch.iter().zip(next.value.chunks_exact(out)).map(after).collect()
    }
}

impl Desk {
    /// The loss, and its derivative by every value in `value_slopes`.
    #[expect(clippy::cast_possible_truncation, reason = "the learner computes in single precision")]
    fn errors(&mut self, shape: Shape, spec: &DeepSpec, batch: &[&Memory]) -> f64 {
        let Shape { heads, actions, .. } = shape;
        let out = shape.widths()[2];
        let share = 1.0 / (batch.len() * heads) as f32;
        let discount = spec.discount as f32;
        self.value_slopes.set_len(batch.len() * out);
        self.value_slopes.fill(0.0);
        let mut loss = 0.0;
        let lines = self.now.value.chunks_exact(out).zip(self.next.value.chunks_exact(out));
        for ((memory, (now, next)), slopes) in batch.iter().zip(lines).zip(self.value_slopes.chunks_exact_mut(out)) {
            for head in (0..heads).filter(|head| memory.mask >> head & 1 == 1) {
                let best = next[head * actions..(head + 1) * actions].iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let target = if memory.terminated { memory.reward } else { discount.mul_add(best, memory.reward) };
                let taken = head * actions + usize::from(memory.action);
                let error = now[taken] - target;
                let (cost, slope) = match spec.loss {
                    Loss::Squared => (error * error, 2.0 * error),
                    Loss::Huber if error.abs() <= 1.0 => (0.5 * error * error, error),
                    Loss::Huber => (error.abs() - 0.5, error.signum()),
                };
                loss += f64::from(cost);
                slopes[taken] = slope * share;
            }
        }
        loss / (batch.len() * heads) as f64
    }

    /// Notes for every input the batch rows in which it is 1, and wakes those inputs.
    fn sort_by_input(&mut self, awake: &mut [bool], batch: &[&Memory]) {
        let rows = batch.len();
        self.counts.clear();
        self.counts.resize(awake.len(), 0);
        self.members.resize(awake.len() * rows, 0);
        let bias = awake.len() - 1;
        for (row, memory) in batch.iter().enumerate() {
            for input in memory.state.iter().map(|&place| usize::from(place)).chain([bias]) {
                let count = &mut self.counts[input];
                self.members[input * rows + usize::from(*count)] = narrow(row);
                *count += 1;
                awake[input] = true;
            }
        }
    }
}

/// Values the batch's states, thinned if need be.
fn look_now<R: rand::Rng>(
    network: &Network,
    batch: &[&Memory],
    thinning: Option<Thinning<R>>,
    activity: &mut Activity,
) {
    network.look(batch.iter().map(|memory| &*memory.state), activity);
    if let Some(mut thinning) = thinning {
        thinning.thin(&mut activity.hidden);
        network.describe(activity);
        thinning.thin(&mut activity.feature);
    } else {
        network.describe(activity);
    }
    network.appraise(activity);
}

/// Adds the prior's values of the same states.
pub(crate) fn add_prior<'a>(
    prior: Option<&Prior>,
    states: impl ExactSizeIterator<Item = &'a [u16]>,
    desk: &mut Activity,
    activity: &mut Activity,
) {
    if let Some((network, scale)) = prior {
        network.value(states, desk);
        activity
            .value
            .iter_mut()
            .zip(desk.value.iter())
            .for_each(|(value, &more)| *value = scale.mul_add(more, *value));
    }
}

/// The gradient of a layer: its inputs, transposed, times the slopes of its outputs; the bias in the last row.
fn gradient(inputs: &[f32], slopes: &[f32], width: usize, gradient: &mut Table) {
    let rows = inputs.len() / (slopes.len() / width);
    gradient.set_len((rows + 1) * width);
    let (weights, bias) = gradient.split_at_mut(rows * width);
    product(Left::Transposed(inputs), slopes, width, None, weights);
    column_sums(slopes, bias);
}
