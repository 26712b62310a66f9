//! The orders in which a published study visited its rows: those of NumPy's `default_rng(seed).permutation(n)`.
//!
//! `SeedSequence` spreads the seed over the state of PCG64 (XSL-RR), and a permutation is Fisher-Yates from the end, each place
//! drawn below a mask until it fits. The first numbers are compared with NumPy 2.4 in the tests.

/// NumPy's default generator.
pub(super) struct Pcg64 {
    state: u128,
    increment: u128,
    /// The upper half of a number of which the lower one was used.
    half: Option<u32>,
}

const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
const POOL: usize = 4;

/// NumPy's `SeedSequence(seed).generate_state`: this many numbers of 32 bits.
fn seed_state(seed: u64, count: usize) -> Vec<u32> {
    const INIT_A: u32 = 0x43b0_d7e5;
    const MULT_A: u32 = 0x931e_8875;
    const INIT_B: u32 = 0x8b51_f9dd;
    const MULT_B: u32 = 0x58f3_8ded;
    const MIX_LEFT: u32 = 0xca01_f9dd;
    const MIX_RIGHT: u32 = 0x4973_f715;
    const SHIFT: u32 = 16;
    let mut constant = INIT_A;
    let mut hash = |value: u32| {
        let mut value = value ^ constant;
        constant = constant.wrapping_mul(MULT_A);
        value = value.wrapping_mul(constant);
        value ^ (value >> SHIFT)
    };
    let mix = |left: u32, right: u32| {
        let value = MIX_LEFT.wrapping_mul(left).wrapping_sub(MIX_RIGHT.wrapping_mul(right));
        value ^ (value >> SHIFT)
    };
    #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
    let entropy = [seed as u32, (seed >> 32) as u32];
    let words = if entropy[1] == 0 { 1 } else { 2 };
    let mut pool = [0; POOL];
    for (place, slot) in pool.iter_mut().enumerate() {
        *slot = hash(if place < words { entropy[place] } else { 0 });
    }
    for source in 0..POOL {
        for target in (0..POOL).filter(|target| *target != source) {
            pool[target] = mix(pool[target], hash(pool[source]));
        }
    }
    let mut constant = INIT_B;
    let draw = |place: usize| {
        let mut value = pool[place % POOL] ^ constant;
        constant = constant.wrapping_mul(MULT_B);
        value = value.wrapping_mul(constant);
        value ^ (value >> SHIFT)
    };
    (0..count).map(draw).collect()
}

impl Pcg64 {
    /// `numpy.random.default_rng(seed)`.
    pub(super) fn new(seed: u64) -> Self {
        let words = seed_state(seed, 8);
        let long = |place: usize| u128::from(words[2 * place]) | (u128::from(words[2 * place + 1]) << 32);
        let start = (long(0) << 64) | long(1);
        let increment = (((long(2) << 64) | long(3)) << 1) | 1;
        let mut generator = Self { state: 0, increment, half: None };
        generator.step();
        generator.state = generator.state.wrapping_add(start);
        generator.step();
        generator
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    #[expect(clippy::cast_possible_truncation, reason = "the output is the two halves folded")]
    fn next_u64(&mut self) -> u64 {
        self.step();
        let rotation = (self.state >> 122) as u32;
        (((self.state >> 64) as u64) ^ (self.state as u64)).rotate_right(rotation)
    }

    #[expect(clippy::cast_possible_truncation, reason = "one half after the other")]
    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let both = self.next_u64();
        self.half = Some((both >> 32) as u32);
        both as u32
    }

    /// A number up to `most`, which is included.
    fn up_to(&mut self, most: u32) -> u32 {
        let mask = most
            .checked_next_power_of_two()
            .map_or(u32::MAX, |power| if power == most { 2 * power - 1 } else { power - 1 });
        loop {
            let value = self.next_u32() & mask;
            if value <= most {
                return value;
            }
        }
    }

    /// The numbers below `count` in an order of chance.
    pub(super) fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for place in (1..count).rev() {
            let other = self.up_to(u32::try_from(place).unwrap_or(u32::MAX));
            order.swap(place, other as usize);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `r = numpy.random.default_rng(s); r.permutation(1785); r.permutation(1824)` of NumPy 2.4.6: the first and the last five.
    #[test]
    fn the_orders_are_those_of_numpy() {
        for (seed, learning, counted) in include!("numpy_orders.in") {
            let mut generator = Pcg64::new(seed);
            for (count, expected) in [(1785, learning), (1824, counted)] {
                let order = generator.permutation(count);
                assert_eq!(order[..5], expected[..5], "seed {seed}");
                assert_eq!(order[count - 5..], expected[5..], "seed {seed}");
            }
        }
    }
}
