//! Committed digests of what episodes show: grids, windows, features, pixels and rewards, byte for byte.
//!
//! A failure means that the same seed no longer gives the same world. If that is intended, every number of the pixel
//! studies changes: copy the digests of the failure into `GOLDEN` and run the studies again.

use counsel_decision::{Action, Seed};
use counsel_pixel::{Ends, PixelSpec, Redraw, World};
use counsel_world::Environment;
use rand::RngExt;

/// FNV-1a with 64 bits.
struct Digest(u64);

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn played(spec: &PixelSpec) -> u64 {
    let root = Seed::root(2024);
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    let mut places = Vec::new();
    for number in 0..5 {
        let mut world = World::new(spec, root.index(number)).unwrap();
        for episode in 0..3 {
            let seed = root.stream("episode").index(episode);
            world.reset(seed);
            digest.add(world.state().grid().text().as_bytes());
            let mut rng = seed.stream("moves").rng();
            while world.state().end().is_none() {
                let transition = world.step(Action(rng.random_range(0..4)));
                digest.add(&transition.reward.to_le_bytes());
                digest.add(world.observation().text().as_bytes());
                digest.add(&world.observation().image(spec.cell_pixels).shades);
                world.active_features(&mut places);
                places.iter().for_each(|place| digest.add(&(*place as u64).to_le_bytes()));
            }
            digest.add(world.state().text().as_bytes());
        }
    }
    digest.0
}

const GOLDEN: [u64; 3] = [15_607_090_250_281_781_072, 16_612_413_963_044_585_510, 14_140_404_233_631_448_664];

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let anywhere = PixelSpec { ends: Ends::Anywhere, redraw: Redraw::EachEpisode, ..PixelSpec::default() };
    let digests = [PixelSpec::default(), PixelSpec::large(), anywhere].map(|spec| played(&spec));
    assert_eq!(digests, GOLDEN, "see the head of this file");
}

#[test]
fn a_grid_stays_as_it_was_drawn() {
    let world = World::new(&PixelSpec::default(), Seed::root(0)).unwrap();
    let rows = [
        "A..#.#.#.",
        "#........",
        "....#.#.#",
        "#.###.#..",
        "......#.#",
        "..#..#...",
        ".........",
        ".........",
        "........G",
    ];
    assert_eq!(world.state().text(), rows.join("\n"));
}
