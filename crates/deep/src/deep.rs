//! The learner: it remembers what it is shown, updates its network, and values states.
//!
//! Every random number has a name below the learner's seed: `weights`, `prior`, `bootstrap` and the number of the
//! transition, `batch` or `dropout` and the number of the update, `last-layer` and the number of the fit, `passes` and the
//! number of the episode. Invariant: the learner is a function of its spec, its seed and what it was shown; restored from a
//! [snapshot](Deep::snapshot) it goes on to the bit as if it had never stopped.

use counsel_decision::refusal::{at_least, below, fits};
use counsel_decision::{Action, Seed};
use counsel_world::End;
use rand::RngExt;

use crate::critic::Doubt;
use crate::dropout::{Passes, Thinning};
use crate::exploration::{epsilon_greedy, epsilon_soft};
use crate::last_layer::{LastLayer, Point};
use crate::network::{Activity, Network, Shape};
use crate::replay::{Memory, Replay, places, reward};
use crate::spec::within;
use crate::update::{Prior, Trainer};
use crate::{Critic, DeepSpec, Episode, Error, Experience, Spread, Valued};

/// What a call of [`Deep::learn`] did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Learned {
    /// How many updates were made.
    pub updates: usize,
    /// The mean of their losses.
    pub loss: f64,
}

/// The deep fallback learner.
#[derive(Debug, Clone)]
pub struct Deep {
    pub(crate) spec: DeepSpec,
    pub(crate) seed: Seed,
    pub(crate) critic: Critic,
    pub(crate) trainer: Trainer,
    pub(crate) replay: Replay,
    pub(crate) epsilon: f64,
    pub(crate) episodes: u64,
    pub(crate) fits: u64,
}

impl Deep {
    /// A learner that has seen nothing, for observations of `inputs` zeros and ones.
    pub fn new(spec: DeepSpec, inputs: usize, actions: usize, seed: Seed) -> Result<Self, Error> {
        let shape = shape(&spec, inputs, actions)?;
        let network = Network::random(shape, spec.output_scale, seed.stream("weights"));
        let trainer = Trainer::new(&network);
        let doubt = match &spec.posterior {
            Spread::Heads => Doubt::Heads,
            Spread::Dropout(dropout) => Doubt::Dropout(Passes::draw(*dropout, shape, seed.stream("passes").index(0))),
            Spread::LastLayer(layer) => {
                let seed = seed.stream("last-layer").index(0);
                let layer = LastLayer::fit(layer, shape.feature, actions, std::iter::empty(), seed);
                Doubt::LastLayer(layer.ok_or(Error::Diverged { updates: 0, rate: spec.learning_rate })?)
            }
        };
        let prior = prior(&spec, shape, seed);
        let critic = Critic::new(network, prior, doubt, &spec);
        let replay = Replay::new(spec.replay);
        Ok(Self { spec, seed, critic, trainer, replay, epsilon: 1.0, episodes: 0, fits: 0 })
    }

    /// The parameters.
    pub fn spec(&self) -> &DeepSpec {
        &self.spec
    }

    /// What the learner believes now; clone it to keep it as it is.
    pub fn critic(&self) -> &Critic {
        &self.critic
    }

    /// How many updates were made.
    pub fn updates(&self) -> u64 {
        self.critic.updates
    }

    /// How many transitions are remembered.
    pub fn remembered(&self) -> usize {
        self.replay.len()
    }

    /// ε of the present episode; 1 before the first.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// Sets ε for an episode, and draws new thinned networks with the posterior `dropout`.
    pub fn begin_episode(&mut self, episode: Episode) -> Result<(), Error> {
        self.epsilon = self.spec.exploration.epsilon(episode)?;
        self.episodes += 1;
        self.draw_passes();
        Ok(())
    }

    pub(crate) fn draw_passes(&mut self) {
        if let Spread::Dropout(dropout) = &self.spec.posterior {
            let seed = self.seed.stream("passes").index(self.episodes);
            self.critic.doubt = Doubt::Dropout(Passes::draw(*dropout, self.critic.network.shape, seed));
        }
    }

    /// Values one state, given the places of its ones, ascending.
    pub fn values(&self, active: &[usize]) -> Result<Valued, Error> {
        self.critic.values(active)
    }

    /// Values many states.
    pub fn values_of<S: AsRef<[usize]>>(&self, states: &[S]) -> Result<Vec<Valued>, Error> {
        self.critic.values_of(states)
    }

    /// The first action with the largest mean value.
    pub fn greedy(&self, active: &[usize]) -> Result<Action, Error> {
        self.critic.greedy(active)
    }

    /// The base action of a valued state: ε-greedy, its randomness drawn from `seed`.
    pub fn base_action(&self, valued: &Valued, seed: Seed) -> Action {
        epsilon_greedy(&valued.mean, self.epsilon, seed)
    }

    /// The probability of every base action of a valued state.
    pub fn policy(&self, valued: &Valued) -> Vec<f64> {
        epsilon_soft(&valued.mean, self.epsilon)
    }

    /// Remembers a step, whoever chose the action. Does not learn; see [`Deep::learn`].
    pub fn observe(&mut self, experience: Experience<'_>) -> Result<(), Error> {
        let shape = self.critic.network.shape;
        below("the action", experience.action.index(), shape.actions)?;
        let memory = Memory {
            state: places("the state", experience.state, shape.inputs)?,
            action: experience.action.0,
            reward: reward(experience.reward)?,
            next: places("the next state", experience.next, shape.inputs)?,
            terminated: experience.end == Some(End::Terminated),
            mask: self.mask(),
        };
        self.replay.remember(memory);
        Ok(())
    }

    /// Which heads are to learn from the transition that comes next.
    fn mask(&self) -> u64 {
        let mut rng = self.seed.stream("bootstrap").index(self.replay.seen()).rng();
        let learns = |rng: &mut _| RngExt::random::<f64>(rng) < self.spec.mask_probability;
        (0..self.spec.heads).fold(0, |mask, head| mask | u64::from(learns(&mut rng)) << head)
    }

    /// Makes the updates due after a step; none before a whole batch has been seen.
    pub fn learn(&mut self) -> Result<Option<Learned>, Error> {
        let updates = self.spec.updates_per_step;
        if updates == 0 || self.replay.len() < self.spec.batch {
            return Ok(None);
        }
        let loss = (0..updates).map(|_| self.update()).sum::<Result<f64, Error>>()? / updates as f64;
        Ok(Some(Learned { updates, loss }))
    }

    fn update(&mut self) -> Result<f64, Error> {
        let number = self.critic.updates;
        let mut rng = self.seed.stream("batch").index(number).rng();
        let memories = self.replay.memories();
        let batch: Vec<&Memory> =
            (0..self.spec.batch).map(|_| &memories[rng.random_range(0..memories.len())]).collect();
        let thinning = match &self.spec.posterior {
            Spread::Dropout(dropout) => {
                Some(Thinning::new(dropout.probability, self.seed.stream("dropout").index(number).rng()))
            }
            Spread::Heads | Spread::LastLayer(_) => None,
        };
        let Critic { network, prior, .. } = &mut self.critic;
        let loss = self.trainer.update(network, prior.as_ref(), &self.spec, &batch, thinning);
        self.critic.updates += 1;
        if !loss.is_finite() {
            return Err(Error::Diverged { updates: self.critic.updates, rate: self.spec.learning_rate });
        }
        if let Spread::LastLayer(layer) = self.spec.posterior
            && self.critic.updates.is_multiple_of(layer.refit_every)
        {
            self.refit()?;
        }
        Ok(loss)
    }

    /// Computes the posterior of the last layer again, from the latest transitions and the present features.
    pub fn refit(&mut self) -> Result<(), Error> {
        let Spread::LastLayer(spec) = self.spec.posterior else { return Ok(()) };
        let Critic { network, .. } = &self.critic;
        let window: Vec<&Memory> = self.replay.latest(spec.window).collect();
        let (mut targets, mut features) = (Vec::new(), Vec::new());
        let mut activity = Activity::default();
        for batch in window.chunks(64) {
            targets.extend(self.trainer.mean_targets(self.spec.discount, batch));
            network.look(batch.iter().map(|memory| &*memory.state), &mut activity);
            network.describe(&mut activity);
            features.extend_from_slice(&activity.feature);
        }
        let lines = features.chunks_exact(network.shape.widths()[1]);
        let points = lines.zip(&window).zip(&targets).map(|((features, memory), &target)| Point {
            features,
            action: usize::from(memory.action),
            target,
        });
        self.fits += 1;
        let seed = self.seed.stream("last-layer").index(self.fits);
        let layer = LastLayer::fit(&spec, network.shape.feature, network.shape.actions, points, seed);
        let diverged = Error::Diverged { updates: self.critic.updates, rate: self.spec.learning_rate };
        self.critic.doubt = Doubt::LastLayer(layer.ok_or(diverged)?);
        Ok(())
    }
}

/// The sizes of the network, checked.
pub(crate) fn shape(spec: &DeepSpec, inputs: usize, actions: usize) -> Result<Shape, Error> {
    spec.check()?;
    at_least("the number of inputs", inputs, 1, "declare the length of an observation")?;
    within("the number of inputs", inputs, 1, 65_536, "1 to 65,536")?;
    at_least("the number of actions", actions, 1, "declare an action")?;
    within("the number of actions", actions, 1, 1_024, "1 to 1,024")?;
    let shape = Shape { inputs, hidden: spec.hidden, feature: spec.feature, heads: spec.heads, actions };
    let [_, _, out] = shape.widths();
    fits("the hidden layer", &[inputs, spec.hidden], "choose fewer hidden units or inputs")?;
    fits("the layer of heads", &[spec.feature, out], "choose fewer features, heads or actions")?;
    fits("the table of a batch", &[inputs.max(spec.hidden).max(out), spec.batch], "choose a smaller batch")?;
    if let Spread::LastLayer(layer) = &spec.posterior {
        fits("the posterior", &[actions, spec.feature, spec.feature.max(layer.samples)], "choose fewer features")?;
        fits("the window of transitions", &[layer.window, spec.feature], "choose a shorter window")?;
    }
    Ok(shape)
}

/// The fixed random network of a learner with this seed.
pub(crate) fn prior(spec: &DeepSpec, shape: Shape, seed: Seed) -> Option<Prior> {
    #[expect(clippy::cast_possible_truncation, reason = "the learner computes in single precision")]
    let scale = spec.prior_scale as f32;
    (scale > 0.0).then(|| (Network::random(shape, 1.0, seed.stream("prior")), scale))
}
