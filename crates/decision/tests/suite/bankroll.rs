//! The bankroll of advice: along every path it bounds what advice can lose.

use counsel_decision::{
    Action, AdviceModel, BankrollSpec, Budget, CacheSpec, CacheStatus, CandidateOnly, ContextKey, Engine, Evidence,
    Execution, Gate, Parser, Record, Reply, ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples, Verdict,
};
use proptest::prelude::*;

fn engine(start: f64, most: f64) -> Result<Engine, counsel_decision::Error> {
    let settings = Settings {
        cache: CacheSpec::Keep(vec![]),
        bankroll: Some(BankrollSpec { start, most }),
        ..Settings::new(Gate::Always, Execution::Trusting, Budget::calls(1_000))
    };
    Engine::new(&settings, Parser::numbered(2), Seed::root(0))
}

fn evidence(context: u64, price: f64, credited: f64) -> Evidence {
    let advice = CandidateOnly::new(
        ResponseLaw::uniform(2),
        ValueSamples::new(2, vec![1.0, 1.0]).unwrap(),
        ValueBounds::new(vec![0.0, 0.0], vec![2.0, 2.0]).unwrap(),
        Action(0),
    )
    .unwrap();
    let evidence = Evidence::new(ContextKey(context), AdviceModel::CandidateOnly(advice), price).unwrap();
    evidence.with_credited_gain(credited).unwrap()
}

fn decide(engine: &mut Engine, evidence: Evidence) -> Record {
    match engine.decide(evidence).unwrap() {
        Turn::Act(acted) => acted.record,
        Turn::Ask(question) => engine.resume(question, Reply::simulated("a1")).record,
    }
}

fn follows(record: &Record) -> bool {
    record.answer().map_or(record.cache_status == CacheStatus::Reused, |answer| answer.verdict == Verdict::Executed)
}

proptest! {
    /// Whatever is gained or lost at each step that follows the advisor, the net loss stays within the start and one loss.
    #[test]
    fn the_net_loss_is_bounded_along_every_path(
        start in 0.0..3.0_f64,
        room in 0.0..3.0_f64,
        steps in prop::collection::vec((0u64..6, 0.0..0.5_f64, -1.0..1.0_f64), 1..200),
    ) {
        let mut engine = engine(start, start + room).unwrap();
        let (mut paid, mut gained, mut credited, mut worst) = (0.0, 0.0, 0.0, 0.0_f64);
        for (context, price, gain) in steps {
            let record = decide(&mut engine, evidence(context, price, credited));
            if record.asked() {
                prop_assert!(record.paced_price <= record.bankroll.unwrap());
                paid += record.paced_price;
            }
            credited = if follows(&record) { gain } else { 0.0 };
            gained += credited;
            worst = worst.max(-credited);
            prop_assert!(paid - gained <= start + worst + 1e-9, "{} over {start} and {worst}", paid - gained);
        }
    }
}

#[test]
fn an_empty_bankroll_ends_asking_and_following() {
    let mut engine = engine(0.25, 1.0).unwrap();
    assert!(decide(&mut engine, evidence(1, 0.2, 0.0)).asked());
    let silent = decide(&mut engine, evidence(1, 0.2, 0.0));
    assert_eq!(
        (silent.asked(), silent.cache_status),
        (false, CacheStatus::Reused),
        "no call is covered, and none is needed"
    );
    let over = decide(&mut engine, evidence(1, 0.0, -0.1));
    assert_eq!((over.asked(), over.cache_status, over.executed), (false, CacheStatus::Distrusted, Action(0)));
    assert!(decide(&mut engine, evidence(2, 0.01, 0.2)).asked(), "what was credited late counts");
}

#[test]
fn the_ceiling_forgets_old_gains() {
    let mut rich = engine(0.5, 1.0).unwrap();
    assert_eq!(decide(&mut rich, evidence(1, 0.0, 50.0)).bankroll, Some(1.0));
    assert!(engine(2.0, 1.0).is_err(), "a start above the ceiling");
}
