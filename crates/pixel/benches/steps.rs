//! Steps per second on one core. The promise is 3 million without rendering.
//!
//! `cargo bench -p counsel-pixel` plays random moves, resets included, and prints the median rate of many rounds: on one
//! grid, on a grid drawn for every episode, and with what a learner reads after every step. It fails if a world without
//! observations is slower than promised.

use std::hint::black_box;

use counsel_decision::{Action, Seed};
use counsel_pixel::{Image, PixelSpec, Redraw, World};
use counsel_world::Environment;
use rand::RngExt;

const PROMISED_PER_SECOND: f64 = 3e6;

/// The median rate of playing these moves, in steps per second; `look` is called after every step.
#[expect(clippy::disallowed_types, reason = "a benchmark is about the clock")]
fn steps_per_second(spec: &PixelSpec, moves: &[Action], mut look: impl FnMut(&World)) -> f64 {
    const ROUNDS: usize = 200;
    let root = Seed::root(1);
    let mut world = World::new(spec, root).expect("a checked specification");
    let mut episode = 0;
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = std::time::Instant::now();
            for &action in moves {
                let transition = world.step(black_box(action));
                look(&world);
                if black_box(transition).end.is_some() {
                    episode += 1;
                    world.reset(root.index(episode));
                }
            }
            moves.len() as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[ROUNDS / 2]
}

fn main() {
    let mut rng = Seed::root(0).rng();
    let moves: Vec<Action> = (0..10_000).map(|_| Action(rng.random_range(0..4))).collect();
    let mut failed = false;
    let report = |name: &str, rate: f64| println!("{name:<42} {:>8.2} million steps/s", rate / 1e6);
    for (name, spec) in [("9 x 9", PixelSpec::default()), ("14 x 14", PixelSpec::large())] {
        for (when, redraw) in [("one grid", Redraw::Never), ("a grid per episode", Redraw::EachEpisode)] {
            let rate = steps_per_second(&PixelSpec { redraw, ..spec }, &moves, |_| {});
            report(&format!("{name}, {when}"), rate);
            failed |= rate < PROMISED_PER_SECOND;
        }
        let mut places = Vec::new();
        let rate = steps_per_second(&spec, &moves, |world| {
            world.active_features(&mut places);
            black_box(&places);
        });
        report(&format!("{name}, with features"), rate);
        let mut seen = World::new(&spec, Seed::root(0)).expect("a checked specification").observation();
        let mut image = Image { side_pixels: 0, shades: Vec::new() };
        let rate = steps_per_second(&spec, &moves, |world| {
            world.state().observe(&mut seen);
            seen.render(spec.cell_pixels, &mut image);
            black_box(&image);
        });
        report(&format!("{name}, with pixels"), rate);
    }
    if failed {
        eprintln!("fewer than {PROMISED_PER_SECOND} steps per second without rendering; profile `State::step`");
        std::process::exit(1);
    }
}
