//! Steps per second of a random policy on one core, with observations and resets.
//!
//! `cargo run --release -p counsel-babyai --example speed -- BabyAI-GoToObj-v0 [STEPS]`

#![expect(clippy::disallowed_types, reason = "a measurement looks at the clock")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use counsel_babyai::random::Generator;
use counsel_babyai::{Act, World};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let id = arguments.next().ok_or("name a level, for example BabyAI-GoToObj-v0")?;
    let steps: u64 = arguments.next().map_or(Ok(5_000_000), |steps| steps.parse())?;
    let mut world = World::new(&id)?;
    let mut random = Generator::new(1);
    let mut resets = 0_u64;
    let start = Instant::now();
    for _ in 0..steps {
        let outcome = world.step(random.element(&Act::ALL));
        black_box(world.observation());
        if outcome.terminated || outcome.truncated {
            world.reset(Some(resets));
            black_box((world.observation(), world.mission()));
            resets += 1;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = steps as f64 / seconds;
    let bytes = world.state().size_in_bytes();
    println!("{id}: {rate:.0} steps/s ({steps} steps, {resets} resets, {seconds:.2} s, state of {bytes} bytes)");
    Ok(())
}
