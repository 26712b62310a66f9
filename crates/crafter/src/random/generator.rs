//! MT19937 as numpy's `RandomState` uses it.
//!
//! A draw takes the next of 624 words; when all are taken, a twist makes 624 new ones. Numbers can be passed over without being
//! made: [`skip`](Generator::skip) twists and tempers nothing, which is what makes a step without its picture cheap.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the processor's vector instructions")]

use pulp::NullaryFnOnce;

use crate::vector::vectorised;

const WORDS: usize = 624;
/// How far ahead the word lies that is mixed into a word.
const AHEAD: usize = 397;

/// A stream of random numbers.
#[derive(Clone, PartialEq, Eq)]
pub struct Generator {
    words: [u32; WORDS],
    taken: usize,
}

impl Generator {
    /// The stream of `numpy.random.RandomState(seed)`.
    pub fn new(seed: u32) -> Self {
        let mut words = [seed; WORDS];
        let mut last = seed;
        for (place, word) in (0..).zip(&mut words).skip(1) {
            last = (last ^ last >> 30).wrapping_mul(1_812_433_253).wrapping_add(place);
            *word = last;
        }
        Self { words, taken: WORDS }
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.taken >= WORDS {
            self.twist();
            self.taken = 0;
        }
        let word = tempered(self.words[self.taken]);
        self.taken += 1;
        word
    }

    /// The next [`unit`](Self::unit)s, made several at a time.
    pub fn units<const N: usize>(&mut self) -> [f64; N] {
        let mut draws = [[0; 2]; N];
        let mut rest = draws.as_flattened_mut();
        while !rest.is_empty() {
            if self.taken >= WORDS {
                self.twist();
                self.taken = 0;
            }
            let count = rest.len().min(WORDS - self.taken);
            let (now, later) = rest.split_at_mut(count);
            vectorised(Temper(now, &self.words[self.taken..]));
            self.taken += count;
            rest = later;
        }
        vectorised(Join(&draws))
    }

    /// Passes over so many draws of 32 bits.
    pub fn skip(&mut self, draws: usize) {
        self.taken += draws;
        while self.taken > WORDS {
            self.twist();
            self.taken -= WORDS;
        }
    }

    /// A number in `[0, 1)` with 53 random bits, from two draws.
    pub fn unit(&mut self) -> f64 {
        joined([self.next_u32(), self.next_u32()])
    }

    /// A whole number in `[0, bound)`: draws are cut to as many bits as the largest one has, until one fits. A bound of 0 or 1
    /// gives 0 and draws nothing.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let mask = u32::MAX >> (bound - 1).leading_zeros();
        loop {
            let draw = self.next_u32() & mask;
            if draw < bound {
                return draw;
            }
        }
    }

    fn twist(&mut self) {
        vectorised(Twist(&mut self.words));
    }
}

/// Makes the next words of the present ones.
struct Twist<'a>(&'a mut [u32; WORDS]);

impl NullaryFnOnce for Twist<'_> {
    type Output = ();

    /// Three parts, so that no index wraps around within a loop and each can be done several words at a time.
    #[inline(always)]
    fn call(self) {
        let Self(words) = self;
        for i in 0..WORDS - AHEAD {
            words[i] = words[i + AHEAD] ^ mixed(words[i], words[i + 1]);
        }
        for i in WORDS - AHEAD..WORDS - 1 {
            words[i] = words[i + AHEAD - WORDS] ^ mixed(words[i], words[i + 1]);
        }
        words[WORDS - 1] = words[AHEAD - 1] ^ mixed(words[WORDS - 1], words[0]);
    }
}

/// Gives words out.
struct Temper<'a>(&'a mut [u32], &'a [u32]);

impl NullaryFnOnce for Temper<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (draw, &word) in self.0.iter_mut().zip(self.1) {
            *draw = tempered(word);
        }
    }
}

/// Joins draws.
struct Join<'a, const N: usize>(&'a [[u32; 2]; N]);

impl<const N: usize> NullaryFnOnce for Join<'_, N> {
    type Output = [f64; N];

    #[inline(always)]
    fn call(self) -> [f64; N] {
        let mut units = [0.0; N];
        for (unit, &draw) in units.iter_mut().zip(self.0) {
            *unit = joined(draw);
        }
        units
    }
}

/// A word as it is given out.
#[inline(always)]
fn tempered(word: u32) -> u32 {
    let word = word ^ word >> 11;
    let word = word ^ word << 7 & 0x9d2c_5680;
    let word = word ^ word << 15 & 0xefc6_0000;
    word ^ word >> 18
}

/// A number in `[0, 1)` from two draws.
#[inline(always)]
fn joined([high, low]: [u32; 2]) -> f64 {
    // The draws fit into 31 bits now, and signed numbers become doubles faster.
    let [high, low] = [high >> 5, low >> 6].map(|draw| f64::from(draw.cast_signed()));
    (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
}

/// The top bit of one word and the rest of the next, halved.
#[inline(always)]
fn mixed(word: u32, next: u32) -> u32 {
    let joined = word & 0x8000_0000 | next & 0x7fff_ffff;
    joined >> 1 ^ (joined & 1).wrapping_neg() & 0x9908_b0df
}

impl std::fmt::Debug for Generator {
    /// 624 words say nothing to a reader; the next one tells streams apart.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Generator({:#010x}, {} taken)", self.words[0], self.taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_numpy() {
        // numpy.random.RandomState(0).randint(0, 2**32, 3, dtype=numpy.uint32)
        let mut random = Generator::new(0);
        assert_eq!([(); 3].map(|()| random.next_u32()), [2_357_136_044, 2_546_248_239, 3_071_714_933]);
        // numpy.random.RandomState(0).uniform()
        assert_eq!(Generator::new(0).unit(), 0.548_813_503_927_324_8);
        // numpy.random.RandomState(1256191933).randint(0, 4, 12)
        let mut random = Generator::new(1_256_191_933);
        assert_eq!([(); 12].map(|()| random.below(4)), [1, 2, 1, 0, 3, 0, 2, 1, 0, 0, 2, 1]);
    }

    #[test]
    fn numbers_that_are_passed_over_are_those_that_would_have_come() {
        for draws in [0, 1, 623, 624, 625, 1248, 6174] {
            let (mut drawn, mut skipped) = (Generator::new(5), Generator::new(5));
            for _ in 0..7 + draws {
                drawn.next_u32();
            }
            (0..7).for_each(|_| _ = skipped.next_u32());
            skipped.skip(draws);
            assert_eq!(drawn, skipped, "{draws} draws");
        }
    }

    #[test]
    fn many_numbers_at_a_time_are_those_one_by_one() {
        let (mut single, mut many) = (Generator::new(9), Generator::new(9));
        assert_eq!(single.next_u32(), many.next_u32());
        let units: [f64; 1000] = many.units();
        assert!(units.iter().all(|&unit| unit == single.unit()));
        assert_eq!(single, many);
    }

    #[test]
    fn one_choice_draws_nothing() {
        let mut random = Generator::new(5);
        let before = random.clone();
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        assert_eq!(random, before);
    }
}
