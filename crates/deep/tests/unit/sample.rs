//! Numbers for tests that a Python script can make too.

/// A linear congruential generator.
pub(crate) struct Numbers(u32);

impl Numbers {
    pub(crate) fn new(seed: u32) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 >> 8
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    /// Numbers in [-bound, bound), single precision throughout.
    pub(crate) fn take(&mut self, count: usize, bound: f32) -> Vec<f32> {
        (0..count).map(|_| (self.next() as f32 / 8_388_608.0 - 1.0) * bound).collect()
    }
}
