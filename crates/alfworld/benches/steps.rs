//! Steps per second on one core. The promise is 500,000 in a game that is under way.
//!
//! `cargo bench -p counsel-alfworld` plays admissible commands at random; every step makes the text and the list of what is
//! admissible. It prints the median rate of many rounds: in one game, and with a game drawn for every 50 commands; and how many
//! sets of best commands the expert finds. It fails if a game under way is slower than promised.

use std::hint::black_box;

use counsel_alfworld::{AlfworldSpec, Expert, World};
use counsel_decision::{Action, Seed};
use counsel_world::Environment;
use rand::RngExt;

const PROMISED_PER_SECOND: f64 = 5e5;

/// The median rate of doing something so often per round.
#[expect(clippy::disallowed_types, reason = "a benchmark is about the clock")]
fn per_second(often: u32, mut something: impl FnMut()) -> f64 {
    const ROUNDS: usize = 40;
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = std::time::Instant::now();
            (0..often).for_each(|_| something());
            f64::from(often) / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[ROUNDS / 2]
}

/// A world that goes on for ever, unless the task is carried out.
fn world() -> World {
    let spec = AlfworldSpec { horizon: u32::MAX, ..AlfworldSpec::default() };
    World::new(spec, Seed::root(1)).expect("a checked specification")
}

fn main() {
    let draws: Vec<usize> = {
        let mut rng = Seed::root(0).rng();
        (0..10_007).map(|_| rng.random_range(0..1_000_000)).collect()
    };
    let mut draw = draws.iter().cycle();
    let mut random = move |count: usize| Action::new(draw.next().unwrap_or(&0) % count);

    let mut played = world();
    let start = played.snapshot();
    let rate = per_second(5_000, || {
        let action = random(played.actions());
        if black_box(played.step(action)).end.is_some() {
            played.restore(&start);
        }
    });
    println!("{:<42} {rate:>12.0} steps/s", "a game under way");

    let (mut steps, mut episodes) = (0, 0);
    let with_games = per_second(5_000, || {
        let action = random(played.actions());
        steps += 1;
        if black_box(played.step(action)).end.is_some() || steps % 50 == 0 {
            episodes += 1;
            played.reset(Seed::root(episodes));
        }
    });
    println!("{:<42} {with_games:>12.0} steps/s", "a game drawn for every 50 commands");

    let mut judged = world();
    let expert = Expert::of(judged.standing().state().game()).expect("drawn games have one");
    let best = per_second(500, || {
        black_box(expert.best(judged.standing().state()));
        let action = random(judged.actions());
        if judged.step(action).end.is_some() {
            judged.restore(&start);
        }
    });
    println!("{:<42} {best:>12.0} sets/s", "the expert's best commands");
    if rate < PROMISED_PER_SECOND {
        eprintln!("fewer than {PROMISED_PER_SECOND} steps per second in a game under way; profile `World::play`");
        std::process::exit(1);
    }
}
