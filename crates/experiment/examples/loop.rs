//! How fast whole runs are, on one thread, and what the gate and its log add to them. Prints one JSON object.
//!
//! `fixtures/deep/loop.py` runs it beside a loop in PyTorch and minigrid. `loop [block] [seeds] [rounds]`, by default
//! obj-05-plain of `babyai-main`, the seeds 300..301 (both ends included) and 20 rounds. A figure is the interquartile mean over
//! seeds and rounds; a share is taken within a round, where one side runs right after the other, so that a machine that is slow for a
//! while is slow for both, and comes with its standard error.
//!
//! `learner` is the environment and the learner alone on the very steps of an arm: it values every state and explores, and
//! then does what the arm's log says, so steps, updates and rewards are the same, which is checked. What the arm takes beyond
//! it, calibration apart, is the cost of the gate and its log: context, response law, prospective decisions, estimate, answer,
//! the predictor refitted, record, and the log encoded, digested, written and flushed. `beta-form` calibrates as `beta-conf`
//! does and then does what `never` does, so the two tell what calibration takes. `always` has no gate that could spare it anything:
//! it tells what it takes to learn from an answer at every step.

use counsel_audit::{Decision, Run, encode};
use counsel_babyai::{Act, FEATURES, World};
use counsel_decision::{Environment, Seed};
use counsel_deep::{Deep, DeepSpec, Episode, Experience};
use counsel_experiment::{Catalogue, Library, Observer, Outcome, Plan, PlannedCell, Runner, SeedRange};

type Failure = Box<dyn std::error::Error>;

const STUDY: &str = "babyai-main";
const ARMS: [&str; 4] = ["never", "beta-form", "beta-conf", "always"];
const EPISODES: usize = 60;
const STEPS: u32 = 64;

/// Environment and learner alone, doing what `log` says; the number of steps of the warm-up, and the sum of rewards after it.
fn learner(level: &str, seed: Seed, log: &[Decision]) -> Result<(u64, f64), Failure> {
    let mut world = World::with_max_steps(level, STEPS)?;
    let spec = DeepSpec::paper();
    let warm_up = spec.exploration.warm_up_episodes;
    let mut deep = Deep::new(spec, FEATURES, Act::ALL.len(), seed.stream("learner"))?;
    let (mut state, mut next) = (Vec::new(), Vec::new());
    let (mut steps, mut reward, mut log) = (0, 0.0, log.iter());
    for number in 0..warm_up + EPISODES {
        let run = number.checked_sub(warm_up);
        let seed = match run {
            None => seed.stream("warm-up").index(number as u64),
            Some(index) => seed.stream("deployment").index(index as u64),
        };
        deep.begin_episode(run.map_or(Episode::WarmUp, |index| Episode::Run { index, of: EPISODES }))?;
        Environment::reset(&mut world, seed.stream("environment"));
        world.active_features(&mut state);
        for step in 0.. {
            let action = if run.is_some() {
                let decision = log.next().ok_or("the log ends before the episodes do")?;
                let valued = deep.values(&state)?;
                let base = deep.base_action(&valued, seed.stream("step").index(step).stream("exploration"));
                if base != decision.record.evidence.advice.none().base() {
                    return Err("the learner alone explores otherwise than in its cell".into());
                }
                decision.record.executed
            } else {
                let luck = seed.stream("exploration").index(step);
                counsel_deep::epsilon_greedy(&[0.0; Act::ALL.len()], 1.0, luck)
            };
            let outcome = Environment::step(&mut world, action);
            world.active_features(&mut next);
            deep.observe(Experience { state: &state, action, reward: outcome.reward, next: &next, end: outcome.end })?;
            deep.learn()?;
            std::mem::swap(&mut state, &mut next);
            match run {
                None => steps += 1,
                Some(_) => reward += outcome.reward,
            }
            if outcome.end.is_some() {
                break;
            }
        }
    }
    Ok((steps, reward))
}

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Outcome) {}
}

/// A cell with everything that belongs to it, as `counsel reproduce` runs it.
fn run(cell: &PlannedCell, library: &Library, folder: &std::path::Path) -> Result<(), Failure> {
    Ok(Runner::new(Run::at(folder), library, 1).run(std::slice::from_ref(cell), &Silent)?)
}

/// The seconds that a call takes.
#[expect(clippy::disallowed_types, reason = "this is about the clock")]
fn seconds<T>(call: impl FnOnce() -> Result<T, Failure>) -> Result<(f64, T), Failure> {
    let start = std::time::Instant::now();
    let outcome = call()?;
    Ok((start.elapsed().as_secs_f64(), outcome))
}

/// One arm with one seed, once; times in seconds.
#[derive(Debug, Clone, Copy)]
struct Measured {
    cell: f64,
    learner: f64,
    encode: f64,
    warm_up: u64,
    steps: u64,
    calls: u64,
    radius: f64,
}

fn measure(cell: &PlannedCell, library: &Library) -> Result<Measured, Failure> {
    let folder = tempfile::tempdir()?;
    let (took, ()) = seconds(|| run(cell, library, folder.path()))?;
    let found = Run::at(folder.path()).cell(&cell.key)?.ok_or(format!("{} was not written", cell.key))?;
    let (decisions, totals) = (found.decisions()?, found.manifest.totals);
    let level = if cell.key.arm.starts_with("local") { "BabyAI-GoToLocal-v0" } else { "BabyAI-GoToObj-v0" };
    let seed = Seed::root(cell.key.seed).stream(STUDY);
    let (alone, (warm_up, reward)) = seconds(|| learner(level, seed, &decisions))?;
    if reward.to_bits() != totals.reward.to_bits() {
        return Err(format!("{}: the learner alone earned {reward}, not {}", cell.key, totals.reward).into());
    }
    let (encode, _) = seconds(|| Ok(encode(&decisions)?))?;
    Ok(Measured {
        cell: took,
        learner: alone,
        encode,
        warm_up,
        steps: totals.decisions,
        calls: totals.calls,
        radius: decisions.first().map_or(0.0, |first| first.record.evidence.radius.value()),
    })
}

/// All arms with one seed, once.
type Round = [Measured; ARMS.len()];

/// Every seed in every round.
fn measurements(seeds: &SeedRange, block: &str, rounds: usize) -> Result<Vec<Round>, Failure> {
    let catalogue = Catalogue::embedded()?;
    let study = catalogue.select(&[STUDY.to_owned()])?[0];
    let cells = Plan::new(study, Some(seeds), &[])?.into_cells();
    let library = Library::recorded(counsel_recorded::shelf());
    let one = |seed: u64, arm: &str| {
        let arm = format!("{block}.{arm}");
        let cell = cells.iter().find(|cell| cell.key.seed == seed && cell.key.arm == arm);
        measure(cell.ok_or(format!("there is no arm {arm}"))?, &library)
    };
    let seeds = (0..rounds).flat_map(|_| seeds.0.clone());
    let round = |seed| Ok([one(seed, ARMS[0])?, one(seed, ARMS[1])?, one(seed, ARMS[2])?, one(seed, ARMS[3])?]);
    seeds.map(round).collect()
}

/// The mean of the middle half, and its standard error.
fn middle(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let quarter = values.len() / 4;
    let half = &values[quarter..values.len() - quarter];
    let mean = half.iter().sum::<f64>() / half.len() as f64;
    // The variance of a trimmed mean comes from the values drawn in to the ends of what is kept.
    let drawn_in: Vec<f64> = values.iter().map(|value| value.clamp(half[0], half[half.len() - 1])).collect();
    let centre = drawn_in.iter().sum::<f64>() / drawn_in.len() as f64;
    let squares = drawn_in.iter().map(|value| (value - centre).powi(2)).sum::<f64>();
    let spread = (squares / (drawn_in.len().max(2) - 1) as f64).sqrt();
    let kept = half.len() as f64 / values.len() as f64;
    (mean, spread / kept / (values.len() as f64).sqrt())
}

/// One arm; what its calibration takes is the difference between `beta-form` and `never`.
fn describe(all: &[Round], arm: usize, calibrates: bool) -> serde_json::Value {
    let mean = |of: &dyn Fn(&Round) -> f64| middle(all.iter().map(of)).0;
    let calibration = mean(&|round| if calibrates { round[1].cell - round[0].cell } else { 0.0 });
    let share = |round: &Round| (round[arm].cell - calibration - round[arm].learner) / round[arm].learner;
    let (added, error) = middle(all.iter().map(share));
    let steps = |round: &Round| (round[arm].warm_up + round[arm].steps) as f64;
    serde_json::json!({
        "calls": mean(&|round| round[arm].calls as f64),
        "radius": mean(&|round| round[arm].radius),
        "seconds": mean(&|round| round[arm].cell),
        "learner_seconds": mean(&|round| round[arm].learner),
        "calibration_seconds": calibration,
        "steps_per_s": mean(&|round| steps(round) / round[arm].cell),
        "encode_us_per_decision": mean(&|round| round[arm].encode * 1e6 / round[arm].steps as f64),
        "gate_and_log": added,
        "gate_and_log_error": error,
    })
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let block = arguments.next().unwrap_or_else(|| "obj-05-plain".to_owned());
    let seeds: SeedRange = arguments.next().unwrap_or_else(|| "300..301".to_owned()).parse()?;
    let rounds: usize = arguments.next().unwrap_or_else(|| "20".to_owned()).parse()?;
    if rounds == 0 {
        return Err("there are 0 rounds; ask for at least one".into());
    }
    let all = measurements(&seeds, &block, rounds)?;
    println!(
        "{}",
        serde_json::json!({
            "block": block,
            "seeds": seeds.0.clone().count(),
            "rounds": rounds,
            "never": describe(&all, 0, false),
            "beta_conf": describe(&all, 2, true),
            "always": describe(&all, 3, false),
        })
    );
    Ok(())
}
