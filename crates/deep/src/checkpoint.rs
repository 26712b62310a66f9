//! A learner as bytes.
//!
//! Layout: a mark, the version, JSON, and the SHA-256 digest of all that. Random numbers are named by the counts, so nothing
//! else has to be kept; the numbers of tables are written as their bits. Invariant: `restore(snapshot())` continues to the
//! bit, and bytes that were changed anywhere are refused.

use std::sync::Arc;

use counsel_decision::Seed;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::critic::Doubt;
use crate::deep::{prior, shape};
use crate::last_layer::LastLayer;
use crate::network::{Network, Shape};
use crate::replay::{Memory, Replay, check_places};
use crate::spec::share;
use crate::update::Trainer;
use crate::{Critic, Deep, DeepSpec, Error, Spread};

const MARK: &[u8] = b"counsel deep learner\n";
const VERSION: u32 = 2;

/// State, action, reward, next state, whether that is final, and the heads that learn from it.
type Remembered = (Vec<u16>, u16, u32, Vec<u16>, bool, u64);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    spec: DeepSpec,
    inputs: usize,
    actions: usize,
    seed: Seed,
    epsilon: f64,
    episodes: u64,
    updates: u64,
    fits: u64,
    powers: [f64; 2],
    seen: u64,
    /// The weights, the targets and both moments, layer by layer.
    networks: [[Vec<u32>; 3]; 4],
    /// Mean, factor and drawn weights, where the last layer is Bayesian.
    last_layer: Option<[Vec<u64>; 3]>,
    memories: Vec<Remembered>,
}

impl Deep {
    /// The whole learner as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let Shape { inputs, actions, .. } = self.critic.network.shape;
        let Trainer { target, mean, square, powers, .. } = &self.trainer;
        let bits = |network: &Network| {
            network.layers.each_ref().map(|layer| layer.iter().map(|number| number.to_bits()).collect())
        };
        let last_layer = match &self.critic.doubt {
            Doubt::LastLayer(LastLayer { mean, factor, drawn, .. }) => Some([mean, factor, drawn]),
            Doubt::Heads | Doubt::Dropout(_) => None,
        };
        let row = |memory: &Memory| {
            let Memory { state, action, reward, next, terminated, mask } = memory;
            (state.to_vec(), *action, reward.to_bits(), next.to_vec(), *terminated, *mask)
        };
        let checkpoint = Checkpoint {
            spec: self.spec.clone(),
            inputs,
            actions,
            seed: self.seed,
            epsilon: self.epsilon,
            episodes: self.episodes,
            updates: self.critic.updates,
            fits: self.fits,
            powers: *powers,
            seen: self.replay.seen(),
            networks: [&self.critic.network, target, mean, square].map(bits),
            last_layer: last_layer.map(|tables| tables.map(|table| table.iter().map(|x| x.to_bits()).collect())),
            memories: self.replay.memories().iter().map(row).collect(),
        };
        let mut bytes = [MARK, &VERSION.to_le_bytes()].concat();
        serde_json::to_writer(&mut bytes, &checkpoint).expect("a checked spec, counts and bits are plain JSON");
        bytes.extend(Sha256::digest(&bytes));
        bytes
    }

    /// The learner that [`Deep::snapshot`] wrote down.
    pub fn restore(bytes: &[u8]) -> Result<Self, Error> {
        let saved: Checkpoint = serde_json::from_slice(contents(bytes)?)
            .map_err(|error| Error::damaged(format!("its contents are not understood ({error})")))?;
        let shape = shape(&saved.spec, saved.inputs, saved.actions)?;
        let replay = Replay::filled(saved.spec.replay, saved.memories(shape)?, saved.seen);
        let other_size = || Error::damaged("a table has another size than its spec declares");
        if saved.networks.iter().any(|layers| layers.each_ref().map(Vec::len) != shape.sizes()) {
            return Err(other_size());
        }
        let [network, target, mean, square] = saved.networks.map(|layers| Network {
            shape,
            layers: layers.map(|layer| layer.into_iter().map(f32::from_bits).collect()),
        });
        let doubt = match (&saved.spec.posterior, saved.last_layer) {
            (Spread::LastLayer(layer), Some(tables)) => {
                let Shape { feature: size, actions, .. } = shape;
                let sizes = [actions * size, actions * size * size, layer.samples * actions * size];
                if tables.each_ref().map(Vec::len) != sizes {
                    return Err(other_size());
                }
                let [mean, factor, drawn] = tables.map(|table| table.into_iter().map(f64::from_bits).collect());
                Doubt::LastLayer(LastLayer { size, mean, factor, drawn })
            }
            (Spread::LastLayer(_), None) => return Err(other_size()),
            // The thinned networks are drawn again below, from the number of the episode.
            (Spread::Heads | Spread::Dropout(_), _) => Doubt::Heads,
        };
        let trainer = Trainer::resumed(&network, target, mean, square, saved.powers);
        let prior = prior(&saved.spec, shape, saved.seed);
        let mut critic = Critic::new(network, prior, doubt, &saved.spec);
        critic.updates = saved.updates;
        let Checkpoint { spec, seed, epsilon, episodes, fits, .. } = saved;
        let mut deep = Self { spec, seed, critic, trainer, replay, epsilon, episodes, fits };
        deep.draw_passes();
        Ok(deep)
    }
}

impl Checkpoint {
    /// What is remembered, if that and the counts can be.
    fn memories(&self, shape: Shape) -> Result<Vec<Memory>, Error> {
        const MOST: u64 = 1 << 53;
        share("epsilon", self.epsilon)?;
        for count in [self.episodes, self.updates, self.fits, self.seen] {
            if count > MOST {
                return Err(Error::damaged(format!("it counts to {count}")));
            }
        }
        let (remembered, seen, room) = (self.memories.len(), self.seen, self.spec.replay);
        if remembered as u64 != seen.min(room as u64) {
            let why = format!("it remembers {remembered} of {seen} transitions with room for {room}");
            return Err(Error::damaged(why));
        }
        let heads = if shape.heads == 64 { u64::MAX } else { (1 << shape.heads) - 1 };
        let mut memories: Vec<Memory> = Vec::with_capacity(remembered);
        for (state, action, reward, next, terminated, mask) in &self.memories {
            let (action, reward, mask) = (*action, f32::from_bits(*reward), *mask);
            if usize::from(action) >= shape.actions || !reward.is_finite() || mask & !heads != 0 {
                let why = format!("a transition has action {action}, reward {reward} and mask {mask:#x}");
                return Err(Error::damaged(why));
            }
            for places in [state, next] {
                let places: Vec<usize> = places.iter().map(|&place| usize::from(place)).collect();
                check_places("a remembered state", &places, shape.inputs)?;
            }
            // A memory mostly starts where the one before it ended.
            let before = memories.last().map(|last| &last.next).filter(|before| ***before == **state);
            let state = before.map_or_else(|| state.as_slice().into(), Arc::clone);
            memories.push(Memory {
                state,
                action,
                reward,
                next: next.as_slice().into(),
                terminated: *terminated,
                mask,
            });
        }
        Ok(memories)
    }
}

/// What stands between the mark and the digest, after both and the version were checked.
fn contents(bytes: &[u8]) -> Result<&[u8], Error> {
    let early = || Error::damaged("it ends too early");
    let rest = bytes.strip_prefix(MARK).ok_or_else(|| Error::damaged("it does not begin like a checkpoint"))?;
    let (version, rest) = rest.split_first_chunk().ok_or_else(early)?;
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(Error::Version { found, read: VERSION });
    }
    let (contents, digest) = rest.split_last_chunk::<32>().ok_or_else(early)?;
    if Sha256::digest(&bytes[..bytes.len() - digest.len()]).as_slice() != digest {
        return Err(Error::damaged("its digest does not match its contents"));
    }
    Ok(contents)
}
