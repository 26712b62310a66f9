//! Named streams of random numbers: the only source of chance in the workspace.
//!
//! A seed is a 256-bit key. `root(7).stream("environment").index(3)` names one stream; two different names never share
//! numbers, and adding a stream changes no other one. So arms of a study that share a seed share the environment's
//! randomness, whatever else they do.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A point in the tree of named streams.
///
/// ```
/// use counsel_decision::Seed;
///
/// let run = Seed::root(7);
/// let episode = |number| run.stream("environment").index(number);
/// assert_eq!(episode(3), episode(3));
/// assert_ne!(episode(3), episode(4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The root of one replication.
    pub fn root(seed: u64) -> Self {
        Self::derive(&[b"counsel root", &seed.to_le_bytes()])
    }

    /// The stream with this name below the present one.
    #[must_use]
    pub fn stream(&self, name: &str) -> Self {
        Self::derive(&[b"stream", &self.0, name.as_bytes()])
    }

    /// The stream with this number below the present one.
    #[must_use]
    pub fn index(&self, number: u64) -> Self {
        Self::derive(&[b"index", &self.0, &number.to_le_bytes()])
    }

    /// A generator that starts at the beginning of this stream.
    pub fn rng(&self) -> ChaCha8Rng {
        ChaCha8Rng::from_seed(self.0)
    }

    fn derive(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn streams_are_stable_and_distinct() {
        let root = Seed::root(7);
        assert_eq!(root.stream("advisor"), Seed::root(7).stream("advisor"));
        let streams = [root, root.stream("a"), root.stream("b"), root.index(0), root.index(1), Seed::root(8)];
        let distinct: std::collections::BTreeSet<[u8; 32]> = streams.iter().map(|seed| seed.0).collect();
        assert_eq!(distinct.len(), streams.len());
        // Golden value: a change here changes every published number; bump the log version if it is intended.
        assert_eq!(Seed::root(0).stream("environment").rng().next_u64(), 8_972_828_019_146_228_860);
    }
}
