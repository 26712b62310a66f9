//! How fast whole runs are, on one thread, and what the gate and its log add to them. Prints one JSON object.
//!
//! `fixtures/deep/loop.py` runs it beside a loop in PyTorch and minigrid. `loop [block] [seeds] [rounds]`, by default
//! obj-05-plain of `babyai-main`, the seeds 300..303 (both ends included) and 3 rounds; a time is the least of the rounds,
//! added up over the seeds.
//!
//! `learner` is the environment and the learner alone, played with the seeds of the arm `never`: the same steps, the same
//! updates and the same rewards, which is checked. What `never` takes beyond it is the cost of the gate and its log: context,
//! response law, prospective decisions, estimate, record, and the log encoded, digested, written and flushed. `beta-form`
//! calibrates and then does what `never` does, so it tells calibration apart from the gate of `beta-conf`.

use std::ops::RangeInclusive;

use counsel_audit::{CellKey, Run, Totals, encode};
use counsel_babyai::{Act, FEATURES, World};
use counsel_decision::{Environment, Seed};
use counsel_deep::{Deep, DeepSpec, Episode, Experience};
use counsel_experiment::{Catalogue, Library, Observer, Outcome, Plan, PlannedCell, Runner, SeedRange, Study};

type Failure = Box<dyn std::error::Error>;

const STUDY: &str = "babyai-main";
const ARMS: [&str; 3] = ["never", "beta-form", "beta-conf"];
const EPISODES: usize = 60;
const STEPS: u32 = 64;

/// What was played.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Loop {
    warm_up: u64,
    steps: u64,
    reward: f64,
}

/// Environment and learner alone.
fn learner(level: &str, seed: Seed) -> Result<Loop, Failure> {
    let mut world = World::with_max_steps(level, STEPS)?;
    let spec = DeepSpec::paper();
    let warm_up = spec.exploration.warm_up_episodes;
    let mut deep = Deep::new(spec, FEATURES, Act::ALL.len(), seed.stream("learner"))?;
    let (mut state, mut next, mut played) = (Vec::new(), Vec::new(), Loop::default());
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
                let valued = deep.values(&state)?;
                deep.base_action(&valued, seed.stream("step").index(step).stream("exploration"))
            } else {
                let luck = seed.stream("exploration").index(step);
                counsel_deep::epsilon_greedy(&[0.0; Act::ALL.len()], 1.0, luck)
            };
            let outcome = Environment::step(&mut world, action);
            world.active_features(&mut next);
            deep.observe(Experience { state: &state, action, reward: outcome.reward, next: &next, end: outcome.end })?;
            deep.learn()?;
            std::mem::swap(&mut state, &mut next);
            if run.is_some() {
                played.steps += 1;
                played.reward += outcome.reward;
            } else {
                played.warm_up += 1;
            }
            if outcome.end.is_some() {
                break;
            }
        }
    }
    Ok(played)
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

/// The least times of one seed.
struct Times {
    learner: f64,
    arms: [f64; ARMS.len()],
    encode: f64,
}

struct Measured {
    times: Times,
    played: Loop,
    totals: Vec<Totals>,
    radius: f64,
}

fn measure(study: &Study, block: &str, seed: u64, rounds: usize, library: &Library) -> Result<Measured, Failure> {
    let cells = Plan::new(study, Some(&SeedRange(RangeInclusive::new(seed, seed))), &[])?.into_cells();
    let level = if block.starts_with("local") { "BabyAI-GoToLocal-v0" } else { "BabyAI-GoToObj-v0" };
    let mut times = Times { learner: f64::INFINITY, arms: [f64::INFINITY; ARMS.len()], encode: f64::INFINITY };
    let (mut played, mut totals, mut radius) = (Loop::default(), Vec::new(), 0.0);
    for _ in 0..rounds {
        let (took, alone) = seconds(|| learner(level, Seed::root(seed).stream(STUDY)))?;
        times.learner = times.learner.min(took);
        played = alone;
        totals.clear();
        for (arm, least) in ARMS.iter().zip(&mut times.arms) {
            let key = CellKey { study: STUDY.to_owned(), arm: format!("{block}.{arm}"), seed };
            let cell = cells.iter().find(|cell| cell.key == key).ok_or(format!("there is no cell {key}"))?;
            let folder = tempfile::tempdir()?;
            let (took, ()) = seconds(|| run(cell, library, folder.path()))?;
            *least = least.min(took);
            let found = Run::at(folder.path()).cell(&key)?.ok_or(format!("{key} was not written"))?;
            let decisions = found.decisions()?;
            radius = decisions.first().map_or(0.0, |first| first.record.evidence.radius.value());
            if *arm == "never" {
                times.encode = times.encode.min(seconds(|| Ok(encode(&decisions)?))?.0);
            }
            totals.push(found.manifest.totals);
        }
    }
    if (totals[0].decisions, totals[0].reward) != (played.steps, played.reward) {
        return Err(format!("seed {seed}: the learner alone did something else than the arm `never`").into());
    }
    Ok(Measured { times, played, totals, radius })
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let block = arguments.next().unwrap_or_else(|| "obj-05-plain".to_owned());
    let seeds: SeedRange = arguments.next().unwrap_or_else(|| "300..303".to_owned()).parse()?;
    let rounds: usize = arguments.next().unwrap_or_else(|| "3".to_owned()).parse()?;
    if rounds == 0 {
        return Err("there are 0 rounds; ask for at least one".into());
    }
    let catalogue = Catalogue::embedded()?;
    let study = catalogue.select(&[STUDY.to_owned()])?[0];
    let library = Library::recorded(counsel_recorded::shelf());
    let measured =
        seeds.0.map(|seed| measure(study, &block, seed, rounds, &library)).collect::<Result<Vec<_>, Failure>>()?;
    let sum = |pick: &dyn Fn(&Measured) -> f64| measured.iter().map(pick).sum::<f64>();
    let warm_up = sum(&|one| one.played.warm_up as f64);
    let alone = sum(&|one| one.times.learner);
    let steps: Vec<f64> = (0..ARMS.len()).map(|arm| sum(&|one| one.totals[arm].decisions as f64)).collect();
    let took: Vec<f64> = (0..ARMS.len()).map(|arm| sum(&|one| one.times.arms[arm])).collect();
    let calls = sum(&|one| one.totals[2].calls as f64);
    let calibration = took[1] - took[0];
    // The steps of beta-conf are not quite as many as those of the learner alone.
    let expected = alone * (warm_up + steps[2]) / (warm_up + steps[0]);
    println!(
        "{}",
        serde_json::json!({
            "block": block,
            "runs": measured.len(),
            "steps": { "warm_up": warm_up, "never": steps[0], "beta_conf": steps[2] },
            "calls": calls,
            "radius": sum(&|one| one.radius) / measured.len() as f64,
            "seconds": { "learner": alone, "never": took[0], "beta_form": took[1], "beta_conf": took[2] },
            "steps_per_s": {
                "learner": (warm_up + steps[0]) / alone,
                "never": (warm_up + steps[0]) / took[0],
                "beta_conf": (warm_up + steps[2]) / took[2],
            },
            "calibration_s": calibration,
            "encode_us_per_decision": sum(&|one| one.times.encode) * 1e6 / steps[0],
            "gate_and_log": {
                "never": (took[0] - alone) / alone,
                "beta_conf": (took[2] - calibration - expected) / expected,
            },
        })
    );
    Ok(())
}
