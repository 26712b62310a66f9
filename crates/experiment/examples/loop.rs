//! How fast whole runs are, on one thread, and what the gate and its log add to them. Prints one JSON object.
//!
//! `fixtures/deep/loop.py` runs it beside a loop in PyTorch and minigrid. `loop [block] [seeds] [rounds]`, by default
//! obj-05-plain of `babyai-main`, the seeds 300..301 (both ends included) and 20 rounds. The rounds are dealt out to four batches.
//! In a batch a time is the lowest of its rounds, since whatever else a machine does only adds; a figure is the mean over batches and
//! seeds, and a share comes with its standard error over the batches.
//!
//! `learner` is the environment and the learner alone on the very steps of an arm: it values every state and explores, and
//! then does what the arm's log says, so steps, updates and rewards are the same, which is checked. What the arm takes beyond
//! it, calibration apart, is the cost of the gate and its log: context, response law, prospective decisions, estimate, answer,
//! the predictor refitted, record, and the log encoded, digested, written and flushed. What calibration takes is told by cells of a
//! single episode, the shorter the better: `beta-form` calibrates as `beta-conf` does and then does what `never` does. `always` has no
//! gate that could spare it anything: it tells what it takes to learn from an answer at every step.

use counsel_babyai::{Act, FEATURES, World};
use counsel_decision::Seed;
use counsel_deep::{Deep, DeepSpec, Episode, Experience};
use counsel_experiment::{Catalogue, Change, Fate, Library, Observer, Plan, PlannedCell, Runner, SeedRange};
use counsel_log::{Decision, Run, encode};
use counsel_transcript::Shelf;
use counsel_world::Environment;
use tempfile::TempDir;

type Failure = Box<dyn std::error::Error>;

const STUDY: &str = "babyai-main";
const ARMS: [&str; 3] = ["never", "beta-conf", "always"];
const EPISODES: usize = 60;
const STEPS: u32 = 64;
const BATCHES: usize = 4;

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
                if base != decision.record.evidence.advice().none().base() {
                    return Err("the learner alone explores otherwise than in its cell".into());
                }
                decision.record.executed
            } else {
                let randomness = seed.stream("exploration").index(step);
                counsel_deep::epsilon_greedy(&[0.0; Act::ALL.len()], 1.0, randomness)
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
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

/// The seconds of a cell with everything that belongs to it, as `counsel reproduce` runs it, and its folder.
fn run(cell: &PlannedCell, library: &Library) -> Result<(f64, TempDir), Failure> {
    let folder = tempfile::tempdir()?;
    let cell = std::slice::from_ref(cell);
    let (took, ()) = seconds(|| Ok(Runner::new(Run::at(folder.path()), library, 1).run(cell, &Silent)?))?;
    Ok((took, folder))
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
    let (took, folder) = run(cell, library)?;
    let found = Run::at(folder.path()).cell(&cell.key)?.ok_or(format!("{} was not written", cell.key))?;
    let (decisions, totals) = (found.decisions()?, found.manifest.totals);
    let level = if cell.key.arm.starts_with("local") { "BabyAI-GoToLocal-v0" } else { "BabyAI-GoToObj-v0" };
    let seed = Seed::root(cell.key.seed).stream(STUDY);
    let (alone, (warm_up, reward)) = seconds(|| learner(level, seed, &decisions))?;
    if reward.to_bits() != totals.reward.to_bits() {
        return Err(format!("{}: the learner alone earned {reward}, not {}", cell.key, totals.reward).into());
    }
    let (encode, _) = seconds(|| Ok(encode(&cell.key, &decisions)?))?;
    Ok(Measured {
        cell: took,
        learner: alone,
        encode,
        warm_up,
        steps: totals.decisions,
        calls: totals.calls,
        radius: decisions.first().map_or(0.0, |first| first.record.evidence.radius().value()),
    })
}

/// Everything with one seed.
#[derive(Debug, Clone, Copy)]
struct Round {
    arms: [Measured; ARMS.len()],
    /// The seconds of one episode after a calibration, and without one.
    calibrated: f64,
    uncalibrated: f64,
}

impl Round {
    /// The lower of the times of either.
    fn lower(self, other: Self) -> Self {
        let lower = |a: Measured, b: Measured| Measured {
            cell: a.cell.min(b.cell),
            learner: a.learner.min(b.learner),
            encode: a.encode.min(b.encode),
            ..a
        };
        Self {
            arms: std::array::from_fn(|arm| lower(self.arms[arm], other.arms[arm])),
            calibrated: self.calibrated.min(other.calibrated),
            uncalibrated: self.uncalibrated.min(other.uncalibrated),
        }
    }
}

fn find<'a>(cells: &'a [PlannedCell], seed: u64, block: &str, arm: &str) -> Result<&'a PlannedCell, String> {
    let arm = format!("{block}.{arm}");
    let cell = cells.iter().find(|cell| cell.key.seed == seed && cell.key.arm == arm);
    cell.ok_or(format!("there is no arm {arm}"))
}

/// For every batch of rounds the lowest times with each seed.
fn measurements(seeds: &SeedRange, block: &str, rounds: usize) -> Result<Vec<Vec<Round>>, Failure> {
    let catalogue = Catalogue::embedded()?;
    let study = &catalogue.select(&[STUDY.to_owned()])?[0];
    let library = Library::recorded(Shelf::embedded());
    let cells = |changes: &[Change]| Ok::<_, Failure>(Plan::new(study, Some(seeds), changes)?.into_cells());
    let whole = cells(&[])?;
    let short = cells(&["episodes=1".parse()?, format!("exploration_episodes={EPISODES}").parse()?])?;
    let whole = |seed, arm| measure(find(&whole, seed, block, arm)?, &library);
    let short = |seed, arm| Ok::<_, Failure>(run(find(&short, seed, block, arm)?, &library)?.0);
    let round = |seed| {
        Ok(Round {
            arms: [whole(seed, ARMS[0])?, whole(seed, ARMS[1])?, whole(seed, ARMS[2])?],
            calibrated: short(seed, "beta-form")?,
            uncalibrated: short(seed, "never")?,
        })
    };
    let mut batches: Vec<Vec<Round>> = Vec::new();
    for number in 0..rounds {
        let measured = seeds.0.clone().map(round).collect::<Result<Vec<_>, Failure>>()?;
        match batches.get_mut(number % BATCHES) {
            Some(batch) => batch.iter_mut().zip(measured).for_each(|(best, round)| *best = best.lower(round)),
            None => batches.push(measured),
        }
    }
    Ok(batches)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

/// One arm.
fn describe(batches: &[Vec<Round>], arm: usize, calibrates: bool) -> serde_json::Value {
    let over_seeds = |of: &dyn Fn(&Round) -> f64, batch: &[Round]| mean(batch.iter().map(of));
    let over_all = |of: &dyn Fn(&Round) -> f64| mean(batches.iter().map(|batch| over_seeds(of, batch)));
    let calibration = |round: &Round| if calibrates { round.calibrated - round.uncalibrated } else { 0.0 };
    let share = |round: &Round| {
        let Measured { cell, learner, .. } = round.arms[arm];
        (cell - calibration(round) - learner) / learner
    };
    let added = over_all(&share);
    let squares: f64 = batches.iter().map(|batch| (over_seeds(&share, batch) - added).powi(2)).sum();
    let error = (squares / (batches.len() * (batches.len() - 1)) as f64).sqrt();
    let steps = |round: &Round| (round.arms[arm].warm_up + round.arms[arm].steps) as f64;
    serde_json::json!({
        "calls": over_all(&|round| round.arms[arm].calls as f64),
        "radius": over_all(&|round| round.arms[arm].radius),
        "seconds": over_all(&|round| round.arms[arm].cell),
        "learner_seconds": over_all(&|round| round.arms[arm].learner),
        "calibration_seconds": over_all(&calibration),
        "steps_per_s": over_all(&|round| steps(round) / round.arms[arm].cell),
        "encode_us_per_decision": over_all(&|round| round.arms[arm].encode * 1e6 / round.arms[arm].steps as f64),
        "gate_and_log": added,
        "gate_and_log_error": error,
    })
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let block = arguments.next().unwrap_or_else(|| "obj-05-plain".to_owned());
    let seeds: SeedRange = arguments.next().unwrap_or_else(|| "300..301".to_owned()).parse()?;
    let rounds: usize = arguments.next().unwrap_or_else(|| "20".to_owned()).parse()?;
    if rounds < 2 {
        return Err(format!("{rounds} rounds tell no error; ask for at least 2").into());
    }
    let batches = measurements(&seeds, &block, rounds)?;
    println!(
        "{}",
        serde_json::json!({
            "block": block,
            "seeds": seeds.0.clone().count(),
            "rounds": rounds,
            "never": describe(&batches, 0, false),
            "beta_conf": describe(&batches, 1, true),
            "always": describe(&batches, 2, false),
        })
    );
    Ok(())
}
