//! A checksum of everything an episode showed: the CRC-32 of zlib, so that the original can be asked for the same.
//!
//! A reset adds image, direction, mission, `max_steps` (4 bytes), the whole grid column by column, and the agent's
//! column and row. A step adds image, direction, reward (8 bytes), `terminated` and `truncated`. Numbers are
//! little-endian. The example `digest` takes the same checksum.

use counsel_babyai::World;
use counsel_world::Effect;

/// The checksum so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Checksum(u32);

impl Default for Checksum {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Checksum {
    /// Adds what a reset showed, and the whole grid.
    pub(crate) fn add_reset(&mut self, world: &World) {
        self.add_view(world);
        self.add(world.mission().as_bytes());
        self.add(&world.max_steps().to_le_bytes());
        self.add_grid(world);
    }

    /// Adds what a step showed.
    pub(crate) fn add_step(&mut self, world: &World, effect: Effect) {
        self.add_view(world);
        self.add(&effect.reward.to_le_bytes());
        self.add(&[u8::from(effect.terminated), u8::from(effect.truncated)]);
    }

    /// Adds the whole grid, and where the agent is.
    pub(crate) fn add_grid(&mut self, world: &World) {
        let state = world.state();
        let (width, height) = state.size_in_cells();
        for x in 0..width {
            for y in 0..height {
                self.add(&state.look((x, y)).channels());
            }
        }
        self.add(&<[u8; 2]>::from(state.agent()));
    }

    /// The checksum.
    pub(crate) fn value(self) -> u32 {
        !self.0
    }

    fn add_view(&mut self, world: &World) {
        self.add(world.observation().bytes());
        self.add(&[world.observation().direction]);
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 ^= u32::from(byte);
            for _ in 0..8 {
                self.0 = self.0 >> 1 ^ 0xedb8_8320 & (self.0 & 1).wrapping_neg();
            }
        }
    }
}

#[test]
fn the_checksum_is_that_of_zlib() {
    let mut checksum = Checksum::default();
    checksum.add(b"123456789");
    assert_eq!(checksum.value(), 0xcbf4_3926);
}
