//! Whole runs on a BabyAI level without advice: the two shipped configurations and a uniformly random policy.
//!
//! `cargo run --release -p counsel-deep --example runs -- [level] [seeds] [spec ...]`, by default BabyAI-GoToObj-v0 and
//! the seeds 0..10; a spec is JSON, such as '{"discount": 0.9}', and takes the place of the shipped ones. Each run has 20 warm-up
//! episodes and 60 episodes of 64 steps; the return is the mean over the 60, and over the last 15 of them.

use std::ops::Range;

use counsel_babyai::{Act, FEATURES, World};
use counsel_decision::{Action, Seed};
use counsel_deep::{Deep, DeepSpec, Episode, Experience};
use counsel_world::Environment;
use rand::RngExt;

type Failure = Box<dyn std::error::Error>;

const EPISODES: usize = 60;
const STEPS: u32 = 64;

/// The return of each of the run's episodes.
fn run(spec: &DeepSpec, level: &str, seed: Seed) -> Result<Vec<f64>, Failure> {
    let mut world = World::with_max_steps(level, STEPS)?;
    let mut deep = Deep::new(spec.clone(), FEATURES, Act::ALL.len(), seed.stream("learner"))?;
    let (mut state, mut next) = (Vec::new(), Vec::new());
    let (mut steps, mut returns) = (0, vec![0.0; EPISODES]);
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
            if let Some(index) = number.checked_sub(warm_up) {
                returns[index] += outcome.reward;
            }
            if outcome.end.is_some() {
                break;
            }
        }
    }
    Ok(returns)
}

/// The same episodes, played at random.
fn random(level: &str, seed: Seed) -> Result<Vec<f64>, Failure> {
    let mut world = World::with_max_steps(level, STEPS)?;
    let mut rng = seed.stream("random").rng();
    let mut returns = vec![0.0; EPISODES];
    for (number, total) in returns.iter_mut().enumerate() {
        Environment::reset(&mut world, seed.stream("environment").index(20 + number as u64));
        loop {
            let outcome = Environment::step(&mut world, Action::new(rng.random_range(0..Act::ALL.len())));
            *total += outcome.reward;
            if outcome.end.is_some() {
                break;
            }
        }
    }
    Ok(returns)
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[expect(clippy::disallowed_types, reason = "the time of a run is of interest")]
fn report(name: &str, seeds: &Range<u64>, run: impl Fn(Seed) -> Result<Vec<f64>, Failure>) -> Result<(), Failure> {
    let start = std::time::Instant::now();
    let runs = seeds.clone().map(|seed| run(Seed::root(seed))).collect::<Result<Vec<_>, Failure>>()?;
    let count = runs.len().max(1) as f64;
    let seconds = start.elapsed().as_secs_f64() / count;
    let returns: Vec<f64> = runs.iter().map(|run| mean(run)).collect();
    let last = runs.iter().map(|run| mean(&run[EPISODES - 15..])).sum::<f64>() / count;
    let all = mean(&returns);
    let spread = returns.iter().map(|x| (x - all) * (x - all)).sum::<f64>() / (count - 1.0).max(1.0);
    let error = (spread / count).sqrt();
    println!("{name}: return {all:.3} (standard error {error:.3}), at the end {last:.3}, {seconds:.2} s per run");
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let level = arguments.next().unwrap_or_else(|| "BabyAI-GoToObj-v0".to_owned());
    let seeds = arguments.next().unwrap_or_else(|| "0..10".to_owned());
    let (from, to) = seeds.split_once("..").ok_or("give the seeds as a range, such as 0..10")?;
    let seeds = from.parse()?..to.parse()?;
    let mut specs = vec![];
    for text in arguments {
        specs.push((text.clone(), serde_json::from_str(&text)?));
    }
    if specs.is_empty() {
        report("random", &seeds, |seed| random(&level, seed))?;
        specs = vec![("paper".to_owned(), DeepSpec::paper()), ("competent".to_owned(), DeepSpec::competent())];
    }
    specs.iter().try_for_each(|(name, spec)| report(name, &seeds, |seed| run(spec, &level, seed)))
}
