//! How a seed becomes the starting state of a generator: O'Neill's seed sequence, as numpy has it.
//!
//! The words of the seed are stirred into a pool of four, and the state is read from the pool with a second hash.

const POOL: usize = 4;

/// A seed, stirred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedSequence {
    pool: [u32; POOL],
}

impl SeedSequence {
    /// Stirs a seed of 64 bits. Its words, lowest first, never fill the pool.
    pub fn new(seed: u64) -> Self {
        let bytes = seed.to_le_bytes();
        let words = [
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
        ];
        let mut hash = 0x43b0_d7e5_u32;
        let mut stir = |value: u32| hashed(value, &mut hash, 0x931e_8875);
        let mut pool = [0_u32; POOL];
        for (i, slot) in pool.iter_mut().enumerate() {
            *slot = stir(words.get(i).copied().unwrap_or(0));
        }
        for source in 0..POOL {
            for target in (0..POOL).filter(|&target| target != source) {
                pool[target] = mixed(pool[target], stir(pool[source]));
            }
        }
        Self { pool }
    }

    /// The first four words of 64 bits that the pool yields.
    pub fn words(&self) -> [u64; 4] {
        let mut hash = 0x8b51_f9dd_u32;
        let mut halves = [0_u32; 8];
        for (i, half) in halves.iter_mut().enumerate() {
            *half = hashed(self.pool[i % POOL], &mut hash, 0x58f3_8ded);
        }
        std::array::from_fn(|i| u64::from(halves[2 * i]) | u64::from(halves[2 * i + 1]) << 32)
    }
}

fn hashed(value: u32, hash: &mut u32, factor: u32) -> u32 {
    let value = value ^ *hash;
    *hash = hash.wrapping_mul(factor);
    let value = value.wrapping_mul(*hash);
    value ^ value >> 16
}

fn mixed(x: u32, y: u32) -> u32 {
    let mix = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
    mix ^ mix >> 16
}
