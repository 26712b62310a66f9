//! How fast the learner is, on one core: updates, single values, values of many states. Prints one JSON object.
//!
//! `fixtures/deep/bench.py` runs it beside PyTorch doing the same updates. The replay holds uniformly random play of
//! BabyAI-GoToObj-v0 with 64 steps per episode.

use counsel_babyai::{Act, FEATURES, World};
use counsel_decision::{Action, Seed};
use counsel_deep::{Deep, DeepSpec, Experience};
use counsel_world::Environment;
use rand::RngExt;

const TRANSITIONS: usize = 5_000;

/// The time of one call, in microseconds: the tenth percentile of many short rounds of `calls` calls, so that other work on
/// the machine does not count.
#[expect(clippy::disallowed_types, reason = "this is about the clock")]
fn microseconds(rounds: usize, calls: usize, mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = std::time::Instant::now();
            (0..calls).for_each(|_| call());
            start.elapsed().as_secs_f64() * 1e6 / calls as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 10]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::with_max_steps("BabyAI-GoToObj-v0", 64)?;
    let mut deep = Deep::new(DeepSpec::paper(), FEATURES, Act::ALL.len(), Seed::root(0))?;
    let mut rng = Seed::root(1).rng();
    let (mut state, mut next, mut states) = (Vec::new(), Vec::new(), Vec::new());
    world.active_features(&mut state);
    for _ in 0..TRANSITIONS {
        let action = Action::new(rng.random_range(0..Act::ALL.len()));
        let outcome = Environment::step(&mut world, action);
        world.active_features(&mut next);
        deep.observe(Experience { state: &state, action, reward: outcome.reward, next: &next, end: outcome.end })?;
        states.push(state.clone());
        if outcome.end.is_some() {
            world.reset(None);
            world.active_features(&mut next);
        }
        std::mem::swap(&mut state, &mut next);
    }
    // Until every input that occurs at all has been seen.
    for _ in 0..500 {
        deep.learn()?;
    }
    let update = microseconds(600, 5, || assert!(deep.learn().is_ok()));
    let mut at = 0;
    let value = microseconds(200, 100, || {
        at = (at + 1) % states.len();
        assert!(deep.values(&states[at]).is_ok());
    });
    let crowd = microseconds(15, 1, || assert!(deep.values_of(&states).is_ok())) / states.len() as f64;
    let greedy = microseconds(15, 1, || assert!(deep.critic().greedy_of(&states).is_ok())) / states.len() as f64;
    let snapshot = deep.snapshot();
    let (write, read) = (
        microseconds(15, 1, || drop(deep.snapshot())),
        microseconds(15, 1, || assert!(Deep::restore(&snapshot).is_ok())),
    );
    let active = states.iter().map(Vec::len).sum::<usize>() as f64 / states.len() as f64;
    println!(
        "{{\"inputs\": {FEATURES}, \"active\": {active:.1}, \"update_us\": {update:.2}, \"updates_per_s\": {:.0}, \
         \"value_us\": {value:.2}, \"value_of_many_us\": {crowd:.2}, \"greedy_of_many_us\": {greedy:.2}, \
         \"snapshot_bytes\": {}, \"snapshot_us\": {write:.0}, \"restore_us\": {read:.0}}}",
        1e6 / update,
        snapshot.len()
    );
    Ok(())
}
