//! The world: a signal box. Trains come in on eight tracks, and each is sent out by one of three exits. From every track one
//! exit is usually free and the others are usually not; which one it is must be found out.
//!
//! Where a train goes does not change which one comes next, so an action is worth the reward that it brings.

use counsel_decision::Seed;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The tracks on which trains come in.
pub(crate) const TRACKS: usize = 8;
/// The exits by which they leave.
pub(crate) const EXITS: usize = 3;
/// The trains of an episode.
pub(crate) const TRAINS_PER_DAY: u64 = 10;

/// A signal box, and the train that waits before it.
#[derive(Debug, Clone)]
pub(crate) struct SignalBox {
    free: [usize; TRACKS],
    waiting: Option<usize>,
    trains_left: u64,
    rng: ChaCha8Rng,
}

impl SignalBox {
    /// A signal box whose free exits come from this seed. No train waits yet.
    pub(crate) fn new(seed: Seed) -> Self {
        let mut rng = seed.rng();
        Self { free: std::array::from_fn(|_| rng.random_range(0..EXITS)), waiting: None, trains_left: 0, rng }
    }

    /// Begins a day; all its trains and delays come from this seed.
    pub(crate) fn begin_day(&mut self, seed: Seed) {
        self.rng = seed.rng();
        self.trains_left = TRAINS_PER_DAY;
        self.next();
    }

    fn next(&mut self) {
        self.waiting = (self.trains_left > 0).then(|| self.rng.random_range(0..TRACKS));
        self.trains_left = self.trains_left.saturating_sub(1);
    }

    /// The track of the waiting train; none when the day is over.
    pub(crate) fn waiting(&self) -> Option<usize> {
        self.waiting
    }

    /// The exit that is usually free from a track.
    pub(crate) fn free(&self, track: usize) -> usize {
        self.free[track]
    }

    /// The chance that a train from a track leaves on time, for each exit.
    pub(crate) fn chances(&self, track: usize) -> [f64; EXITS] {
        std::array::from_fn(|exit| if exit == self.free[track] { 0.9 } else { 0.4 })
    }

    /// Sends the waiting train out by an exit: 1 if it is on time, 0 if not.
    pub(crate) fn send(&mut self, track: usize, exit: usize) -> f64 {
        let on_time = self.rng.random_bool(self.chances(track)[exit]);
        self.next();
        f64::from(u8::from(on_time))
    }
}
