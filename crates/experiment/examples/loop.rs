//! How fast whole runs are, on one thread, and what the gate and its log add to them. Prints one JSON object.
//!
//! `fixtures/deep/loop.py` runs it beside a loop in PyTorch and minigrid. `loop [block] [seeds] [rounds]`, by default
//! obj-05-plain of `babyai-main`, the seeds 300..301 (both ends included) and 8 rounds; a time is the least of the rounds, so that
//! other work on the machine does not count, added up over the seeds.
//!
//! `learner` is the environment and the learner alone on the very steps of an arm: it values every state and explores, and
//! then does what the arm's log says, so steps, updates and rewards are the same, which is checked. What the arm takes beyond
//! it, calibration apart, is the cost of the gate and its log: context, response law, prospective decisions, estimate, answer,
//! the predictor refitted, record, and the log encoded, digested, written and flushed. `beta-form` calibrates as `beta-conf`
//! does and then does what `never` does, so the two tell what calibration takes.

use counsel_audit::{Decision, Run, encode};
use counsel_babyai::{Act, FEATURES, World};
use counsel_decision::{Environment, Seed};
use counsel_deep::{Deep, DeepSpec, Episode, Experience};
use counsel_experiment::{Catalogue, Library, Observer, Outcome, Plan, PlannedCell, Runner, SeedRange};

type Failure = Box<dyn std::error::Error>;

const STUDY: &str = "babyai-main";
const ARMS: [&str; 3] = ["never", "beta-form", "beta-conf"];
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

/// What one arm took with one seed, at the least.
#[derive(Debug, Clone, Copy)]
struct Times {
    cell: f64,
    learner: f64,
    encode: f64,
}

/// One arm with one seed.
#[derive(Debug, Clone, Copy)]
struct Measured {
    times: Times,
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
        times: Times { cell: took, learner: alone, encode },
        warm_up,
        steps: totals.decisions,
        calls: totals.calls,
        radius: decisions.first().map_or(0.0, |first| first.record.evidence.radius.value()),
    })
}

/// All arms with one seed.
fn arms(cells: &[PlannedCell], block: &str, rounds: usize, library: &Library) -> Result<Vec<Measured>, Failure> {
    let mut best: Vec<Measured> = Vec::new();
    for _ in 0..rounds {
        for (place, arm) in ARMS.iter().enumerate() {
            let arm = format!("{block}.{arm}");
            let cell = cells.iter().find(|cell| cell.key.arm == arm).ok_or(format!("there is no arm {arm}"))?;
            let measured = measure(cell, library)?;
            if let Some(Measured { times, .. }) = best.get_mut(place) {
                *times = Times {
                    cell: times.cell.min(measured.times.cell),
                    learner: times.learner.min(measured.times.learner),
                    encode: times.encode.min(measured.times.encode),
                };
            } else {
                best.push(measured);
            }
        }
    }
    Ok(best)
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let block = arguments.next().unwrap_or_else(|| "obj-05-plain".to_owned());
    let seeds: SeedRange = arguments.next().unwrap_or_else(|| "300..301".to_owned()).parse()?;
    let rounds: usize = arguments.next().unwrap_or_else(|| "8".to_owned()).parse()?;
    if rounds == 0 {
        return Err("there are 0 rounds; ask for at least one".into());
    }
    let catalogue = Catalogue::embedded()?;
    let study = catalogue.select(&[STUDY.to_owned()])?[0];
    let library = Library::recorded(counsel_recorded::shelf());
    let mut measured = Vec::new();
    for seed in seeds.0 {
        let cells = Plan::new(study, Some(&SeedRange(seed..=seed)), &[])?.into_cells();
        measured.push(arms(&cells, &block, rounds, &library)?);
    }
    let sum = |arm: usize, pick: fn(&Measured) -> f64| measured.iter().map(|seed| pick(&seed[arm])).sum::<f64>();
    let calibration = sum(1, |one| one.times.cell) - sum(0, |one| one.times.cell);
    let describe = |arm: usize, calibration: f64| {
        let (cell, alone) = (sum(arm, |one| one.times.cell), sum(arm, |one| one.times.learner));
        let (warm_up, steps) = (sum(arm, |one| one.warm_up as f64), sum(arm, |one| one.steps as f64));
        serde_json::json!({
            "warm_up_steps": warm_up,
            "steps": steps,
            "calls": sum(arm, |one| one.calls as f64),
            "radius": sum(arm, |one| one.radius) / measured.len() as f64,
            "seconds": cell,
            "learner_seconds": alone,
            "calibration_seconds": calibration,
            "steps_per_s": (warm_up + steps) / cell,
            "encode_us_per_decision": sum(arm, |one| one.times.encode) * 1e6 / steps,
            "gate_and_log": (cell - calibration - alone) / alone,
        })
    };
    println!(
        "{}",
        serde_json::json!({
            "block": block,
            "runs": measured.len(),
            "never": describe(0, 0.0),
            "beta_conf": describe(2, calibration),
        })
    );
    Ok(())
}
