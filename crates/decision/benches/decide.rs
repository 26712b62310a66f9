//! The cost of one decision: 8 value samples, 7 actions, 8 responses. The promise is under 2 microseconds.
//!
//! `cargo bench -p counsel-decision` prints the time of one decision from raw numbers to record (checks, means, prospective
//! decisions, estimate, gate, budget, cache), and as the physical limit a bare pass over the same 56 value samples.

use std::hint::black_box;

use counsel_decision::gate::predictive::Predictive;
use counsel_decision::{
    Action, AdviceModel, BudgetSpec, CacheSpec, CandidateOnly, ContextKey, Engine, Evidence, ExecutionRule, GateSpec,
    Parser, PriceSpec, Radius, Reply, ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rand::RngExt;

const ACTIONS: usize = 7;
const SAMPLES: usize = 8;

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
    let mut evidence = Evidence::new(ContextKey(raw.context), advice, 0.005).expect("a cost");
    evidence.radius = Radius::Finite(0.01);
    evidence
}

fn engine(gate: GateSpec) -> Engine {
    let settings = Settings {
        gate,
        execution: ExecutionRule::Certified { tolerance: 0.25 },
        budget: BudgetSpec::per_run(u64::MAX),
        price: PriceSpec::default(),
        cache: CacheSpec::Keep(vec![]),
        advisor: "bench".into(),
    };
    Engine::new(&settings, Parser::numbered(ACTIONS), Seed::root(0)).expect("valid settings")
}

fn decide(engine: &mut Engine, raw: Raw) -> Action {
    match engine.decide(evidence(raw)) {
        Turn::Act(acted) => acted.action,
        Turn::Ask(question) => engine.resume(*question, Reply::simulated("a3")).action,
    }
}

fn benchmarks(criterion: &mut Criterion) {
    let pool: Vec<Raw> = (0..256).map(raw).collect();
    for (name, gate) in [
        ("silent or asking, predictive gate", GateSpec::Predictive(Predictive::default())),
        ("asking every time", GateSpec::Always),
    ] {
        let mut engine = engine(gate);
        let mut next = 0;
        criterion.bench_function(name, |bencher| {
            bencher.iter_batched(
                || {
                    next = (next + 1) % pool.len();
                    pool[next].clone()
                },
                |raw| black_box(decide(&mut engine, raw)),
                BatchSize::LargeInput,
            );
        });
    }
    let mut next = 0;
    criterion.bench_function("bare pass over the value samples", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % pool.len();
            black_box(pool[next].values.iter().sum::<f64>())
        });
    });
}

criterion_group!(benches, benchmarks);
criterion_main!(benches);
