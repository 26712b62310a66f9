//! The cost of one decision: 8 value samples, 7 actions, 8 responses. The promise is under 2 microseconds.
//!
//! `cargo bench -p counsel-decision` prints the median time of one decision from raw numbers to record (checks, means,
//! prospective decisions, estimate, gate, budget, cache) and its ratio to a bare pass over the same 56 value samples, the
//! physical limit. It fails if the promise is broken.

use std::hint::black_box;

use counsel_decision::gate::predictive::Predictive;
use counsel_decision::{
    Action, AdviceModel, Budget, CacheSpec, CandidateOnly, ContextKey, Engine, Evidence, Execution, Gate, Parser,
    Radius, Reply, ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
};
use rand::RngExt;

const ACTIONS: usize = 7;
const SAMPLES: usize = 8;
const LIMIT_NANOSECONDS: f64 = 2_000.0;

/// The numbers a learner and a predictor hand over at one decision.
#[derive(Clone)]
struct Raw {
    context: u64,
    values: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    law: Vec<f64>,
}

fn raw(number: u64) -> Raw {
    let mut rng = Seed::root(number).rng();
    let values: Vec<f64> = (0..SAMPLES * ACTIONS).map(|_| rng.random()).collect();
    let lower: Vec<f64> = (0..ACTIONS).map(|_| rng.random::<f64>() * 0.5).collect();
    let upper = lower.iter().map(|low| low + 0.3).collect();
    let law = ResponseLaw::proportional_to(&(0..=ACTIONS).map(|_| rng.random()).collect::<Vec<f64>>());
    Raw { context: number % 50, values, lower, upper, law: law.as_slice().to_vec() }
}

fn evidence(raw: Raw) -> Evidence {
    let law = ResponseLaw::new(ACTIONS, raw.law).expect("a distribution");
    let samples = ValueSamples::new(ACTIONS, raw.values).expect("finite");
    let bounds = ValueBounds::new(raw.lower, raw.upper).expect("ordered");
    let advice = CandidateOnly::new(law, samples, bounds, Action(2)).expect("same shape");
    let advice = AdviceModel::CandidateOnly(advice);
    let evidence = Evidence::new(ContextKey(raw.context), advice, 0.005).expect("a price");
    evidence.with_radius(Radius::new(0.01).expect("a radius"))
}

fn engine(gate: Gate) -> Engine {
    let settings = Settings {
        cache: CacheSpec::Keep(vec![]),
        ..Settings::new(gate, Execution::Certified { tolerance: 0.25 }, Budget::calls(u64::MAX))
    };
    Engine::new(&settings, Parser::numbered(ACTIONS), Seed::root(0)).expect("valid settings")
}

fn decide(engine: &mut Engine, raw: Raw) -> Action {
    match engine.decide(evidence(raw)).expect("a word per action") {
        Turn::Act(acted) => acted.action,
        Turn::Ask(question) => engine.resume(question, Reply::simulated("a3")).action,
    }
}

/// The median time of one call in nanoseconds, over many rounds of one call per raw decision. The inputs of a round are
/// copied before its clock starts.
#[expect(clippy::disallowed_types, reason = "a benchmark is about the clock")]
fn nanoseconds(pool: &[Raw], mut call: impl FnMut(Raw)) -> f64 {
    const ROUNDS: usize = 4_000;
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let inputs: Vec<Raw> = pool.to_vec();
            let start = std::time::Instant::now();
            inputs.into_iter().for_each(&mut call);
            start.elapsed().as_secs_f64() * 1e9 / pool.len() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

fn main() {
    let pool: Vec<Raw> = (0..256).map(raw).collect();
    let bare = nanoseconds(&pool, |raw| {
        black_box(raw.values.iter().sum::<f64>());
    });
    println!("{:<42} {bare:>8.1} ns", "bare pass over the 56 value samples");
    let mut failed = false;
    for (name, gate) in [
        ("one decision, predictive gate", Gate::Predictive(Predictive::default())),
        ("one decision, asking every time", Gate::Always),
    ] {
        let mut engine = engine(gate);
        let time = nanoseconds(&pool, |raw| {
            black_box(decide(&mut engine, raw));
        });
        println!("{name:<42} {time:>8.1} ns   {:>6.1} bare passes", time / bare);
        failed |= time >= LIMIT_NANOSECONDS;
    }
    if failed {
        eprintln!("a decision took {LIMIT_NANOSECONDS} ns or more; profile it before anything else");
        std::process::exit(1);
    }
}
