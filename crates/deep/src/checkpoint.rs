//! A learner as bytes.
//!
//! Layout: a mark, the version, a header of JSON with its length, the weights, targets and moments, the last layer if there
//! is one, the memories, and the SHA-256 digest of all that; numbers are little-endian. Random numbers are named by the
//! counts in the header, so nothing else has to be kept. Invariant: `restore(snapshot())` continues to the bit, and bytes
//! that were changed anywhere are refused.

use std::sync::Arc;

use counsel_decision::Seed;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::critic::Doubt;
use crate::deep::{prior, shape};
use crate::last_layer::LastLayer;
use crate::network::{Network, Shape};
use crate::replay::{Memory, Replay, check_places, narrow};
use crate::spec::share;
use crate::update::Trainer;
use crate::{Critic, Deep, DeepSpec, Error, Spread};

const MARK: &[u8] = b"counsel deep learner\n";
const VERSION: u32 = 1;
const DIGEST: usize = 32;

/// What is not a table.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
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
    remembered: usize,
}

impl Header {
    fn check(&self) -> Result<(), Error> {
        const MOST: u64 = 1 << 53;
        share("epsilon", self.epsilon)?;
        for count in [self.episodes, self.updates, self.fits, self.seen] {
            if count > MOST {
                return Err(Error::damaged(format!("it counts to {count}")));
            }
        }
        Ok(())
    }
}

impl Deep {
    /// The whole learner as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let shape = self.critic.network.shape;
        let header = Header {
            spec: self.spec.clone(),
            inputs: shape.inputs,
            actions: shape.actions,
            seed: self.seed,
            epsilon: self.epsilon,
            episodes: self.episodes,
            updates: self.critic.updates,
            fits: self.fits,
            powers: self.trainer.powers,
            seen: self.replay.seen(),
            remembered: self.replay.len(),
        };
        let header = serde_json::to_vec(&header).expect("a checked spec and counts are plain JSON");
        let mut bytes = MARK.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        let Trainer { target, mean, square, .. } = &self.trainer;
        for network in [&self.critic.network, target, mean, square] {
            network.layers.iter().flat_map(|layer| layer.iter()).for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        if let Doubt::LastLayer(layer) = &self.critic.doubt {
            let tables = [&layer.mean, &layer.factor, &layer.drawn];
            tables.into_iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        let mut last: Option<&Memory> = None;
        for memory in self.replay.memories() {
            write_memory(memory, last, &mut bytes);
            last = Some(memory);
        }
        bytes.extend(Sha256::digest(&bytes));
        bytes
    }

    /// The learner that [`Deep::snapshot`] wrote down.
    pub fn restore(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::open(bytes)?;
        let length = usize::try_from(u64::from_le_bytes(reader.array()?)).unwrap_or(usize::MAX);
        let header: Header = serde_json::from_slice(reader.take(length)?)
            .map_err(|error| Error::damaged(format!("its header is not understood ({error})")))?;
        let shape = shape(&header.spec, header.inputs, header.actions)?;
        header.check()?;
        let [network, target, mean, square] =
            [reader.network(shape)?, reader.network(shape)?, reader.network(shape)?, reader.network(shape)?];
        let doubt = match &header.spec.posterior {
            Spread::LastLayer(layer) => Doubt::LastLayer(reader.last_layer(shape, layer.samples)?),
            // The thinned networks are drawn again below, from the number of the episode.
            Spread::Heads | Spread::Dropout(_) => Doubt::Heads,
        };
        let memories = reader.memories(&header, shape)?;
        if !reader.rest.is_empty() {
            return Err(Error::damaged(format!("{} bytes are left over", reader.rest.len())));
        }
        let trainer = Trainer::resumed(&network, target, mean, square, header.powers);
        let prior = prior(&header.spec, shape, header.seed);
        let mut critic = Critic::new(network, prior, doubt, &header.spec);
        critic.updates = header.updates;
        let mut deep = Self {
            replay: Replay::filled(header.spec.replay, memories, header.seen),
            spec: header.spec,
            seed: header.seed,
            critic,
            trainer,
            epsilon: header.epsilon,
            episodes: header.episodes,
            fits: header.fits,
        };
        deep.draw_passes();
        Ok(deep)
    }
}

const TERMINATED: u8 = 1;
/// The memory starts where the one before it ended.
const CONTINUES: u8 = 2;

fn write_memory(memory: &Memory, last: Option<&Memory>, bytes: &mut Vec<u8>) {
    let continues = last.is_some_and(|last| last.next == memory.state);
    bytes.push(if memory.terminated { TERMINATED } else { 0 } | if continues { CONTINUES } else { 0 });
    bytes.extend(memory.action.to_le_bytes());
    bytes.extend(memory.reward.to_le_bytes());
    bytes.extend(memory.mask.to_le_bytes());
    for places in [(!continues).then_some(&memory.state), Some(&memory.next)].into_iter().flatten() {
        bytes.extend((places.len() as u64).to_le_bytes());
        places.iter().for_each(|place| bytes.extend(place.to_le_bytes()));
    }
}

/// Bytes that have not been read yet.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Checks the mark, the version and the digest.
    fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let rest = bytes.strip_prefix(MARK).ok_or_else(|| Error::damaged("it does not begin like a checkpoint"))?;
        let mut reader = Self { rest };
        let found = u32::from_le_bytes(reader.array()?);
        if found != VERSION {
            return Err(Error::Version { found, read: VERSION });
        }
        let Some(end) = reader.rest.len().checked_sub(DIGEST) else {
            return Err(Error::damaged("it ends too early"));
        };
        let (body, digest) = (&bytes[..bytes.len() - DIGEST], &reader.rest[end..]);
        if Sha256::digest(body).as_slice() != digest {
            return Err(Error::damaged("its digest does not match its contents"));
        }
        Ok(Self { rest: &reader.rest[..end] })
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| Error::damaged("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| Error::damaged("it ends too early"))
    }

    fn network(&mut self, shape: Shape) -> Result<Network, Error> {
        let mut network = Network { shape, layers: Default::default() };
        for (layer, size) in network.layers.iter_mut().zip(shape.sizes()) {
            let (numbers, _) = self.take(size.saturating_mul(4))?.as_chunks();
            *layer = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
        }
        Ok(network)
    }

    fn doubles(&mut self, count: usize) -> Result<Vec<f64>, Error> {
        let (numbers, _) = self.take(count.saturating_mul(8))?.as_chunks();
        Ok(numbers.iter().map(|&number| f64::from_le_bytes(number)).collect())
    }

    fn last_layer(&mut self, shape: Shape, samples: usize) -> Result<LastLayer, Error> {
        let Shape { feature: size, actions, .. } = shape;
        let mean = self.doubles(actions * size)?;
        let factor = self.doubles(actions * size * size)?;
        let drawn = self.doubles(samples * actions * size)?;
        Ok(LastLayer { size, mean, factor, drawn })
    }

    fn memories(&mut self, header: &Header, shape: Shape) -> Result<Vec<Memory>, Error> {
        let room = header.spec.replay;
        if header.remembered as u64 != header.seen.min(room as u64) {
            let why = format!("it remembers {} of {} transitions with room for {room}", header.remembered, header.seen);
            return Err(Error::damaged(why));
        }
        let mut memories: Vec<Memory> = Vec::new();
        for _ in 0..header.remembered {
            let memory = self.memory(memories.last(), shape)?;
            memories.push(memory);
        }
        Ok(memories)
    }

    fn memory(&mut self, last: Option<&Memory>, shape: Shape) -> Result<Memory, Error> {
        let [flags] = self.array()?;
        let action = u16::from_le_bytes(self.array()?);
        let reward = f32::from_le_bytes(self.array()?);
        let mask = u64::from_le_bytes(self.array()?);
        let state = match last {
            Some(last) if flags & CONTINUES != 0 => Arc::clone(&last.next),
            _ => self.places(shape.inputs)?,
        };
        let next = self.places(shape.inputs)?;
        let heads = if shape.heads == 64 { u64::MAX } else { (1 << shape.heads) - 1 };
        if usize::from(action) >= shape.actions || !reward.is_finite() || mask & !heads != 0 {
            let why = format!("a transition has action {action}, reward {reward} and mask {mask:#x}");
            return Err(Error::damaged(why));
        }
        Ok(Memory { state, action, reward, next, terminated: flags & TERMINATED != 0, mask })
    }

    fn places(&mut self, inputs: usize) -> Result<Arc<[u16]>, Error> {
        let count = usize::try_from(u64::from_le_bytes(self.array()?)).unwrap_or(usize::MAX);
        let (places, _) = self.take(count.saturating_mul(2))?.as_chunks();
        let places: Vec<usize> = places.iter().map(|&place| usize::from(u16::from_le_bytes(place))).collect();
        check_places("a remembered state", &places, inputs)?;
        Ok(places.into_iter().map(narrow).collect())
    }
}
