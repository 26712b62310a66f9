//! Whole runs on a BabyAI level without advice: the two shipped configurations and a uniformly random policy.
//!
//! `cargo run --release -p counsel-deep --example runs -- [level] [seeds]`, by default BabyAI-GoToObj-v0 and 10 seeds. Each
//! run has 20 warm-up episodes and 60 episodes of 64 steps; the return is the mean over the 60.

use counsel_babyai::{Act, FEATURES, World};
use counsel_decision::{Action, Environment, Seed};
use counsel_deep::{Deep, DeepSpec, Episode, Experience};
use rand::RngExt;

type Failure = Box<dyn std::error::Error>;

const EPISODES: usize = 60;
const STEPS: u32 = 64;

/// The mean return of the run's episodes.
fn run(spec: &DeepSpec, level: &str, seed: Seed) -> Result<f64, Failure> {
    let mut world = World::with_max_steps(level, STEPS)?;
    let mut deep = Deep::new(spec.clone(), FEATURES, Act::ALL.len(), seed.stream("learner"))?;
    let (mut state, mut next) = (Vec::new(), Vec::new());
    let (mut steps, mut total) = (0, 0.0);
    let warm_up = spec.exploration.warm_up_episodes;
    for number in 0..warm_up + EPISODES {
        let run = number.checked_sub(warm_up).map(|index| Episode::Run { index, of: EPISODES });
        deep.begin_episode(run.unwrap_or(Episode::WarmUp))?;
        Environment::reset(&mut world, seed.stream("environment").index(number as u64));
        world.active_features(&mut state);
        loop {
            let valued = deep.values(&state)?;
            let action = deep.base_action(&valued, seed.stream("exploration").index(steps));
            let outcome = Environment::step(&mut world, action);
            world.active_features(&mut next);
            deep.observe(Experience { state: &state, action, reward: outcome.reward, next: &next, end: outcome.end })?;
            deep.learn()?;
            std::mem::swap(&mut state, &mut next);
            steps += 1;
            if run.is_some() {
                total += outcome.reward;
            }
            if outcome.end.is_some() {
                break;
            }
        }
    }
    Ok(total / EPISODES as f64)
}

/// The same episodes, played at random.
fn random(level: &str, seed: Seed) -> Result<f64, Failure> {
    let mut world = World::with_max_steps(level, STEPS)?;
    let mut rng = seed.stream("random").rng();
    let mut total = 0.0;
    for number in 20..20 + EPISODES {
        Environment::reset(&mut world, seed.stream("environment").index(number as u64));
        loop {
            let outcome = Environment::step(&mut world, Action::new(rng.random_range(0..Act::ALL.len())));
            total += outcome.reward;
            if outcome.end.is_some() {
                break;
            }
        }
    }
    Ok(total / EPISODES as f64)
}

#[expect(clippy::disallowed_types, reason = "the time of a run is of interest")]
fn report(name: &str, seeds: u64, run: impl Fn(Seed) -> Result<f64, Failure>) -> Result<(), Failure> {
    let start = std::time::Instant::now();
    let returns = (0..seeds).map(|seed| run(Seed::root(seed))).collect::<Result<Vec<f64>, Failure>>()?;
    let seconds = start.elapsed().as_secs_f64() / seeds as f64;
    let mean = returns.iter().sum::<f64>() / seeds as f64;
    let spread = returns.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (seeds.max(2) - 1) as f64;
    let error = (spread / seeds as f64).sqrt();
    println!("{name:10} return {mean:.3} (standard error {error:.3})  {seconds:.2} s per run");
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let level = arguments.next().unwrap_or_else(|| "BabyAI-GoToObj-v0".to_owned());
    let seeds = arguments.next().map_or(Ok(10), |count| count.parse())?;
    report("random", seeds, |seed| random(&level, seed))?;
    report("paper", seeds, |seed| run(&DeepSpec::paper(), &level, seed))?;
    report("competent", seeds, |seed| run(&DeepSpec::competent(), &level, seed))
}
