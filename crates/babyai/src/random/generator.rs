//! PCG64 (XSL-RR) with numpy's buffered halves and numpy's bounded integers (Lemire's method).
//!
//! Invariant: a draw of 32 bits keeps the upper half for the next one; draws of 64 bits never touch that half.

use super::SeedSequence;

const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;

/// A stream of random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Generator {
    state: u128,
    increment: u128,
    half: Option<u32>,
}

impl Generator {
    /// The stream of `numpy.random.default_rng(seed)`.
    pub fn new(seed: u64) -> Self {
        let [high, low, stream_high, stream_low] = SeedSequence::new(seed).words();
        let increment = (u128::from(stream_high) << 64 | u128::from(stream_low)) << 1 | 1;
        let start = u128::from(high) << 64 | u128::from(low);
        let state = increment.wrapping_add(start).wrapping_mul(MULTIPLIER).wrapping_add(increment);
        Self { state, increment, half: None }
    }

    /// The next 64 bits.
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of the state are what is wanted")]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// The next 32 bits: the lower half of a fresh draw, then its upper half.
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of the draw are what is wanted")]
    pub fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let draw = self.next_u64();
        self.half = Some((draw >> 32) as u32);
        draw as u32
    }

    /// A whole number in `[0, bound)`. A bound of 0 or 1 gives 0 and draws nothing.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let scaled = |draw: u32| u64::from(draw) * u64::from(bound);
        let low = |product: u64| product & u64::from(u32::MAX);
        let mut product = scaled(self.next_u32());
        if low(product) < u64::from(bound) {
            let threshold = u64::from(bound.wrapping_neg() % bound);
            while low(product) < threshold {
                product = scaled(self.next_u32());
            }
        }
        u32::try_from(product >> 32).unwrap_or(u32::MAX)
    }

    /// A whole number in `[low, high)`, for the small numbers that a grid is made of.
    pub fn between(&mut self, low: u8, high: u8) -> u8 {
        let draw = self.below(u32::from(high.saturating_sub(low)));
        low + u8::try_from(draw).unwrap_or(0)
    }

    /// An index into a list of this length.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(u32::try_from(length).unwrap_or(u32::MAX)) as usize
    }

    /// One of these.
    pub fn element<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.index(list.len())]
    }

    /// So many different elements, in the order in which they are drawn.
    pub fn subset<T: Copy>(&mut self, list: &[T], count: usize) -> Vec<T> {
        let mut left = list.to_vec();
        (0..count.min(list.len()))
            .map(|_| {
                let index = self.index(left.len());
                left.remove(index)
            })
            .collect()
    }

    /// Heads or tails; 0 is `true`.
    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// A number in `[0, 1)` with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vectors_come_out() {
        let words = SeedSequence::new(0).words();
        assert_eq!(words, [0xdb2c_d7e7_b0f4_78be, 0xabf4_641a_2c71_ba49, 0x20c6_ed6d_9d7b_8d41, 0x2c40_99de_223c_39d4]);
        assert_eq!(Generator::new(0).next_u64(), 0xa30f_ebcf_d9c2_825f);
        assert_eq!(Generator::new(42).next_u64(), 0xc621_fbcd_16d9_2688);
        let mut random = Generator::new(0);
        random.below(3);
        let draws: Vec<u32> = (0..10).map(|_| random.below(8)).collect();
        assert_eq!(draws, [5, 4, 2, 2, 0, 0, 0, 1, 6, 5]);
    }

    #[test]
    fn one_choice_draws_nothing() {
        let mut random = Generator::new(5);
        let before = random;
        assert_eq!((random.below(1), random.index(1), random.between(3, 4)), (0, 0, 3));
        assert_eq!(random, before);
    }

    #[test]
    fn a_draw_of_64_bits_leaves_the_half_alone() {
        let mut random = Generator::new(1);
        random.next_u32();
        let mut plain = random;
        random.unit();
        assert_eq!(random.next_u32(), plain.next_u32());
    }
}
