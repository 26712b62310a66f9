//! Kept answers, and each reason for which one stops serving.

use counsel_decision::{
    Action, AdviceModel, Budget, CacheEntry, CacheSpec, CacheStatus, CandidateOnly, Confidence, ContextKey, Engine,
    Evidence, Execution, Foretold, Gate, Invalidation, Monitored, Parser, Record, Reply, Response, ResponseLaw, Seed,
    Settings, Turn, ValueBounds, ValueSamples,
    gate::schedule::{Schedule, Where},
};

/// Action 1 is worth `value`, the fallback's action 0 is worth 1, and action 1 is bounded below by `lower`.
fn evidence(value: f64, lower: f64) -> Evidence {
    let advice = CandidateOnly::new(
        ResponseLaw::uniform(2),
        ValueSamples::new(2, vec![1.0, value]).unwrap(),
        ValueBounds::new(vec![0.0, lower], vec![2.0, 2.0]).unwrap(),
        Action(0),
    )
    .unwrap();
    Evidence::new(ContextKey(7), AdviceModel::CandidateOnly(advice), 0.0).unwrap()
}

/// A controller that buys one answer at its first decision and then lives on what it kept.
fn engine(cache: CacheSpec) -> Engine {
    let settings = Settings {
        cache,
        ..Settings::new(
            Gate::Schedule(Schedule { calls: 1, per_episode: 1, at: Where::Anywhere }),
            Execution::Certified { tolerance: 0.5 },
            Budget::calls(1),
        )
    };
    Engine::new(&settings, Parser::numbered(2), Seed::root(0)).unwrap().advised_by("v1")
}

fn bought(cache: CacheSpec) -> Engine {
    let mut engine = engine(cache);
    let Turn::Ask(question) = engine.decide(evidence(1.5, 1.8)).unwrap() else { panic!("the first decision asks") };
    engine.resume(question, Reply::simulated("a1"));
    engine
}

fn decide(engine: &mut Engine, evidence: Evidence) -> Record {
    let Turn::Act(acted) = engine.decide(evidence).unwrap() else { panic!("one call was allowed") };
    acted.record
}

fn keep(reasons: &[Invalidation]) -> CacheSpec {
    CacheSpec::Keep(reasons.to_vec())
}

/// Where the answer is foretold, asking is worth what the doubt is worth: the advisor's word, times the chance that it would say
/// something else.
#[test]
fn a_foretold_answer_leaves_the_value_of_its_doubt() {
    let vouched = || {
        let advice = CandidateOnly::new(
            ResponseLaw::new(2, vec![0.1, 0.9, 0.0]).unwrap(),
            ValueSamples::new(2, vec![1.0, 1.0]).unwrap(),
            ValueBounds::new(vec![0.0, 0.0], vec![2.0, 2.0]).unwrap(),
            Action(0),
        );
        let advice = AdviceModel::CandidateOnly(advice.unwrap().vouched_for(&[0.5, 0.5]).unwrap());
        Evidence::new(ContextKey(8), advice, 0.0).unwrap()
    };
    let settings =
        Settings { cache: keep(&[]), ..Settings::new(Gate::Amortised, Execution::Improving, Budget::calls(0)) };
    let engine = Engine::new(&settings, Parser::numbered(2), Seed::root(0)).unwrap();
    let unforetold = engine.preview(&vouched());
    for reliability in [0.0, 0.4, 1.0] {
        let foretold = Some(Foretold::new(Action(1), reliability, 3).unwrap());
        let preview = engine.preview(&vouched().with_foretold(foretold).unwrap());
        assert!((preview.estimate - 0.5 * (1.0 - reliability)).abs() < 1e-12, "{preview:?}");
        let reuse = unforetold.reuse_value.unwrap() * (1.0 - reliability);
        assert!((preview.reuse_value.unwrap() - reuse).abs() < 1e-12, "{preview:?}");
    }
}

#[test]
fn a_foretold_answer_acts_as_a_kept_one_would_and_gives_way_to_it() {
    let foretold = |evidence: Evidence| {
        evidence.with_foretold(Some(Foretold::new(Action(1), 0.9, 2).unwrap())).unwrap().with_context(ContextKey(8))
    };
    let silent = |cache: CacheSpec| {
        let settings = Settings { cache, ..engine(keep(&[])).settings() };
        Engine::new(&Settings { gate: Gate::Never, ..settings }, Parser::numbered(2), Seed::root(0)).unwrap()
    };
    let of = |engine: &mut Engine, evidence| {
        let record = decide(engine, evidence);
        (record.cache_status, record.cached, record.executed)
    };
    let mut engine = silent(keep(&[Invalidation::NoEffect]));
    let (advised, own) = (Action(1), Action(0));
    assert_eq!(of(&mut engine, foretold(evidence(1.5, 1.8))), (CacheStatus::Foretold, Some(advised), advised));
    assert_eq!(of(&mut engine, foretold(evidence(1.5, 0.2))), (CacheStatus::Uncertified, Some(advised), own));
    assert_eq!(of(&mut engine, foretold(evidence(0.5, 1.8))), (CacheStatus::NotImproving, Some(advised), own));
    let stalled = foretold(evidence(1.5, 1.8)).with_stalled(true);
    assert_eq!(of(&mut engine, stalled), (CacheStatus::NoEffect, Some(advised), own));
    assert_eq!(of(&mut silent(CacheSpec::Off), foretold(evidence(1.5, 1.8))), (CacheStatus::Off, None, own));
    let held = foretold(evidence(1.5, 1.8)).with_context(ContextKey(7));
    assert_eq!(of(&mut bought(keep(&[])), held).0, CacheStatus::Reused);
    assert!(evidence(1.5, 1.8).with_foretold(Some(Foretold::new(Action(2), 0.9, 2).unwrap())).is_err());
}

#[test]
fn a_certified_improving_answer_is_reused() {
    let mut engine = bought(keep(&[]));
    let record = decide(&mut engine, evidence(1.5, 1.8));
    assert_eq!(
        (record.cache_status, record.cached, record.executed),
        (CacheStatus::Reused, Some(Action(1)), Action(1))
    );
    let entry = engine.cache().entry(ContextKey(7)).unwrap();
    assert_eq!((entry.inserted_at, entry.advisor.as_str()), (0, "v1"));
    assert_eq!(entry.confidence, Confidence { mean: 1.5, lower: 1.8, upper: 2.0 });
}

#[test]
fn the_certificate_and_the_improvement_are_asked_every_time() {
    let mut engine = bought(keep(&[]));
    let loose = decide(&mut engine, evidence(1.5, 0.0));
    assert_eq!((loose.cache_status, loose.executed), (CacheStatus::Uncertified, Action(0)));
    let worse = decide(&mut engine, evidence(0.5, 1.8));
    assert_eq!((worse.cache_status, worse.executed), (CacheStatus::NotImproving, Action(0)));
    assert_eq!(decide(&mut engine, evidence(1.5, 1.8)).cache_status, CacheStatus::Reused, "neither reason is for good");
}

#[test]
fn outside_the_support_an_answer_is_ignored_but_kept() {
    let outside = || evidence(1.5, 1.8).with_monitored(Monitored::OutsideSupport);
    let mut watched = bought(keep(&[Invalidation::Support]));
    assert_eq!(decide(&mut watched, outside()).cache_status, CacheStatus::Unsupported);
    assert_eq!(decide(&mut watched, evidence(1.5, 1.8)).cache_status, CacheStatus::Reused);
    let mut unwatched = bought(keep(&[]));
    assert_eq!(decide(&mut unwatched, outside()).cache_status, CacheStatus::Reused);
}

#[test]
fn a_detected_shift_drops_the_answer() {
    let shifted = || evidence(1.5, 1.8).with_monitored(Monitored::Shifted);
    let mut watched = bought(keep(&[Invalidation::Shift]));
    assert_eq!(decide(&mut watched, shifted()).cache_status, CacheStatus::Shifted);
    assert_eq!(decide(&mut watched, evidence(1.5, 1.8)).cache_status, CacheStatus::Absent);
    assert!(watched.cache().is_empty());
}

#[test]
fn an_answer_lives_as_long_as_declared() {
    let mut engine = bought(keep(&[Invalidation::TimeToLive(2)]));
    let statuses: Vec<CacheStatus> = (0..4).map(|_| decide(&mut engine, evidence(1.5, 1.8)).cache_status).collect();
    assert_eq!(statuses, [CacheStatus::Reused, CacheStatus::Reused, CacheStatus::Expired, CacheStatus::Absent]);
}

#[test]
fn nothing_is_kept_when_the_cache_is_off() {
    let mut engine = bought(CacheSpec::Off);
    assert_eq!(decide(&mut engine, evidence(1.5, 1.8)).cache_status, CacheStatus::Off);
    assert!(engine.cache().is_empty());
}

#[test]
fn answers_of_another_advisor_are_superseded() {
    let entry = |advisor: &str| CacheEntry {
        response: Response::Recommends(Action(1)),
        action: Action(1),
        context: ContextKey(7),
        inserted_at: 0,
        confidence: Confidence { mean: 1.5, lower: 1.8, upper: 2.0 },
        advisor: advisor.into(),
    };
    for (advisor, status) in [("v1", CacheStatus::Reused), ("v0", CacheStatus::Superseded)] {
        let mut engine = engine(keep(&[]));
        engine.take_over([entry(advisor)]);
        let Turn::Ask(question) = engine.decide(evidence(1.5, 1.8)).unwrap() else { panic!("the first decision asks") };
        let record = engine.resume(question, Reply::lost()).record;
        assert_eq!(record.cache_status, status);
        assert_eq!(engine.cache().len(), usize::from(status == CacheStatus::Reused));
    }
}

#[test]
fn an_answer_that_changed_nothing_lapses_for_one_decision() {
    let stalled = || evidence(1.5, 1.8).with_stalled(true);
    let mut watched = bought(CacheSpec::Keep(vec![Invalidation::NoEffect]));
    let lapsed = decide(&mut watched, stalled());
    assert_eq!((lapsed.cache_status, lapsed.executed), (CacheStatus::NoEffect, Action(0)));
    assert_eq!(decide(&mut watched, evidence(1.5, 1.8)).cache_status, CacheStatus::Reused);
    assert_eq!(decide(&mut bought(CacheSpec::Keep(vec![])), stalled()).cache_status, CacheStatus::Reused);
}
