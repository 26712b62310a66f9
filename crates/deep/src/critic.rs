//! What the learner believes about values, fixed at one moment: samples for acquisition, bounds for execution.
//!
//! With the posterior `heads` the samples are the K heads' values; with `dropout` those of the K thinned networks, heads
//! averaged; in both cases the bounds are mean ± C sd over the samples. With `last-layer` the samples are drawn from the
//! regression's posterior, whose own mean and standard deviation make the bounds. Invariant: valuing changes nothing, and a
//! state has the same values alone and along with others.

use counsel_decision::{Action, ValueBounds, ValueSamples, argmax};

use crate::dropout::Passes;
use crate::last_layer::LastLayer;
use crate::network::{Activity, Network, Shape};
use crate::replay::{check_places, narrow};
use crate::update::{Prior, add_prior};
use crate::{DeepSpec, Error};

/// So many rows are valued at a time.
const BLOCK: usize = 64;

/// The values of one state.
#[derive(Debug, Clone, PartialEq)]
pub struct Valued {
    /// Samples of the continuation value.
    pub samples: ValueSamples,
    /// Bounds on the optimal value.
    pub bounds: ValueBounds,
    /// The mean value of every action.
    pub mean: Vec<f64>,
}

impl Valued {
    /// The first action with the largest mean value.
    pub fn greedy(&self) -> Action {
        argmax(&self.mean)
    }
}

/// A frozen view of a learner. A clone is independent of whatever the learner does next.
#[derive(Debug, Clone)]
pub struct Critic {
    pub(crate) network: Network,
    pub(crate) prior: Option<Prior>,
    pub(crate) doubt: Doubt,
    pub(crate) bound_scale: f64,
    pub(crate) learning_rate: f64,
    pub(crate) updates: u64,
}

/// Where the samples come from.
#[derive(Debug, Clone)]
pub(crate) enum Doubt {
    Heads,
    LastLayer(LastLayer),
    Dropout(Passes),
}

impl Critic {
    pub(crate) fn new(network: Network, prior: Option<Prior>, doubt: Doubt, spec: &DeepSpec) -> Self {
        let (bound_scale, learning_rate) = (spec.bound_scale, spec.learning_rate);
        Self { network, prior, doubt, bound_scale, learning_rate, updates: 0 }
    }

    /// How many inputs an observation has.
    pub fn inputs(&self) -> usize {
        self.network.shape.inputs
    }

    /// How many actions are valued.
    pub fn actions(&self) -> usize {
        self.network.shape.actions
    }

    /// Values one state, given the places of its ones, ascending.
    pub fn values(&self, active: &[usize]) -> Result<Valued, Error> {
        let mut valued = self.values_of(&[active])?;
        Ok(valued.swap_remove(0))
    }

    /// Values many states.
    pub fn values_of<S: AsRef<[usize]>>(&self, states: &[S]) -> Result<Vec<Valued>, Error> {
        let mut valued = Vec::with_capacity(states.len());
        self.each(states, |mean, deviation, samples| {
            let lower = mean.iter().zip(&deviation).map(|(mean, sd)| mean - self.bound_scale * sd).collect();
            let upper = mean.iter().zip(&deviation).map(|(mean, sd)| mean + self.bound_scale * sd).collect();
            let samples = ValueSamples::new(self.actions(), samples).map_err(|_| self.diverged())?;
            let bounds = ValueBounds::new(lower, upper).map_err(|_| self.diverged())?;
            valued.push(Valued { samples, bounds, mean });
            Ok(())
        })?;
        Ok(valued)
    }

    /// What the heads see of a state: the feature layer, [`DeepSpec::feature`] numbers.
    pub fn embedding(&self, active: &[usize]) -> Result<Vec<f64>, Error> {
        check_places("a state to embed", active, self.inputs())?;
        let places: Vec<u16> = active.iter().map(|&place| narrow(place)).collect();
        let mut activity = Activity::default();
        self.network.look(std::iter::once(&places[..]), &mut activity);
        self.network.describe(&mut activity);
        Ok(activity.feature.iter().map(|&number| f64::from(number)).collect())
    }

    /// The first action with the largest mean value.
    pub fn greedy(&self, active: &[usize]) -> Result<Action, Error> {
        Ok(self.greedy_of(&[active])?[0])
    }

    /// The same for many states.
    pub fn greedy_of<S: AsRef<[usize]>>(&self, states: &[S]) -> Result<Vec<Action>, Error> {
        let mut actions = Vec::with_capacity(states.len());
        self.each(states, |mean, _, _| {
            if mean.iter().any(|value| !value.is_finite()) {
                return Err(self.diverged());
            }
            actions.push(argmax(&mean));
            Ok(())
        })?;
        Ok(actions)
    }

    /// Hands over the mean, the standard deviation and the samples of every state.
    fn each<S: AsRef<[usize]>>(
        &self,
        states: &[S],
        mut take: impl FnMut(Vec<f64>, Vec<f64>, Vec<f64>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut activity = Activity::default();
        let rows = if let Doubt::Dropout(passes) = &self.doubt { passes.count() } else { 1 };
        for block in states.chunks((BLOCK / rows).max(1)) {
            let mut places = Vec::with_capacity(block.len() * 160);
            let mut ends = Vec::with_capacity(block.len());
            for state in block {
                check_places("a state to value", state.as_ref(), self.inputs())?;
                places.extend(state.as_ref().iter().map(|&place| narrow(place)));
                ends.push(places.len());
            }
            let lists = || (0..ends.len()).map(|i| &places[if i == 0 { 0 } else { ends[i - 1] }..ends[i]]);
            self.network.look(lists(), &mut activity);
            match &self.doubt {
                Doubt::Heads => {
                    self.network.describe(&mut activity);
                    self.network.appraise(&mut activity);
                    add_prior(self.prior.as_ref(), lists(), &mut Activity::default(), &mut activity);
                    self.spread(&activity.value, 1, &mut take)?;
                }
                Doubt::Dropout(passes) => {
                    self.spread(&passes.value(&self.network, &activity), passes.count(), &mut take)?;
                }
                Doubt::LastLayer(layer) => {
                    self.network.describe(&mut activity);
                    for features in activity.feature.chunks_exact(self.network.shape.widths()[1]) {
                        let (mean, deviation, samples) = layer.value(features);
                        take(mean, deviation, samples)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The spread over the heads of one network, or over the head-averaged values of several.
    fn spread(
        &self,
        values: &[f32],
        passes: usize,
        take: &mut impl FnMut(Vec<f64>, Vec<f64>, Vec<f64>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Shape { heads, actions, .. } = self.network.shape;
        let out = self.network.shape.widths()[2];
        for lines in values.chunks_exact(passes * out) {
            let samples: Vec<f64> = match self.doubt {
                Doubt::Dropout(_) => lines.chunks_exact(out).flat_map(|line| head_mean(line, heads, actions)).collect(),
                Doubt::Heads | Doubt::LastLayer(_) => lines[..heads * actions].iter().map(|&v| f64::from(v)).collect(),
            };
            let count = (samples.len() / actions) as f64;
            let mut mean = vec![0.0; actions];
            let mut deviation = vec![0.0; actions];
            for row in samples.chunks_exact(actions) {
                mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / count);
            }
            for row in samples.chunks_exact(actions) {
                for ((square, value), mean) in deviation.iter_mut().zip(row).zip(&mean) {
                    *square += (value - mean) * (value - mean) / count;
                }
            }
            deviation.iter_mut().for_each(|square| *square = square.sqrt());
            take(mean, deviation, samples)?;
        }
        Ok(())
    }

    fn diverged(&self) -> Error {
        Error::Diverged { updates: self.updates, rate: self.learning_rate }
    }
}

fn head_mean(line: &[f32], heads: usize, actions: usize) -> impl Iterator<Item = f64> {
    (0..actions)
        .map(move |action| (0..heads).map(|head| f64::from(line[head * actions + action])).sum::<f64>() / heads as f64)
}
