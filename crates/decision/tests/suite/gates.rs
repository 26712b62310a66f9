//! Every policy on numbers that can be checked by hand.
//!
//! Two value samples of three actions, [0, 1, 2] and [2, 1, 0], so that every mean is 1, the variances are 1, 0 and 1, and the
//! samples disagree on the best action. Bounds are [0, 3], [0.5, 1.5] and [0, 2]. The fallback proposes action 1.

use counsel_decision::gate::disagreement::Disagreement;
use counsel_decision::gate::importance::Importance;
use counsel_decision::gate::learned::Learned;
use counsel_decision::gate::novelty::Novelty;
use counsel_decision::gate::period::Period;
use counsel_decision::gate::predictive::Predictive;
use counsel_decision::gate::rcmp::Rcmp;
use counsel_decision::gate::schedule::{Schedule, Where};
use counsel_decision::gate::uncertainty::Uncertainty;
use counsel_decision::{
    Action, AdviceModel, Budget, CandidateOnly, ContextKey, Engine, Evidence, Execution, Forecast, Foretold, Gate,
    Parser, Radius, Record, Reply, ResponseLaw, Seed, Settings, Turn, Valuation, ValueBounds, ValueSamples,
};

fn evidence(values: Vec<f64>, base: u16, law: [f64; 4]) -> Evidence {
    let advice = CandidateOnly::new(
        ResponseLaw::new(3, law.to_vec()).unwrap(),
        ValueSamples::new(3, values).unwrap(),
        ValueBounds::new(vec![0.0, 0.5, 0.0], vec![3.0, 1.5, 2.0]).unwrap(),
        Action(base),
    )
    .unwrap();
    Evidence::new(ContextKey(0), AdviceModel::CandidateOnly(advice), 0.5).unwrap().with_radius(Radius::ZERO)
}

fn split() -> Evidence {
    evidence(vec![0.0, 1.0, 2.0, 2.0, 1.0, 0.0], 1, [0.25; 4])
}

fn decide(gate: Gate, evidence: Evidence) -> Record {
    let settings = Settings::new(gate, Execution::Improving, Budget::calls(9));
    let mut engine = Engine::diagnostic(&settings, Parser::numbered(3), Seed::root(0)).unwrap();
    match engine.decide(evidence).unwrap() {
        Turn::Act(acted) => acted.record,
        Turn::Ask(question) => engine.resume(question, Reply::simulated("a0")).record,
    }
}

#[track_caller]
fn stands(gate: Gate, evidence: Evidence, score: f64, threshold: f64) {
    let record = decide(gate, evidence);
    assert!((record.score - score).abs() < 1e-12, "score {} instead of {score}", record.score);
    assert_eq!(record.threshold, threshold);
    assert_eq!(record.asked(), score >= threshold);
}

#[test]
fn uncertainty_is_the_deviation_of_the_no_query_action() {
    stands(Gate::Uncertainty(Uncertainty { threshold: 0.5 }), split(), 0.0, 0.5);
    let other = evidence(vec![0.0, 1.0, 2.0, 2.0, 1.0, 0.0], 2, [0.25; 4]);
    stands(Gate::Uncertainty(Uncertainty { threshold: 0.5 }), other, 1.0, 0.5);
}

#[test]
fn rcmp_averages_the_variance_over_actions() {
    stands(Gate::Rcmp(Rcmp { threshold: 0.7 }), split(), 2.0 / 3.0, 0.7);
}

#[test]
fn disagreement_is_the_share_of_dissenters() {
    stands(Gate::Disagreement(Disagreement { threshold: 0.5 }), split(), 0.5, 0.5);
    let agreed = evidence(vec![0.0, 1.0, 2.0, 0.0, 1.0, 2.0], 1, [0.25; 4]);
    stands(Gate::Disagreement(Disagreement { threshold: 0.5 }), agreed, 0.0, 0.5);
}

#[test]
fn novelty_falls_with_visits() {
    stands(Gate::Novelty(Novelty { threshold: 0.6 }), split().with_visits(3), 0.5, 0.6);
    stands(Gate::Novelty(Novelty { threshold: 0.6 }), split(), 1.0, 0.6);
}

#[test]
fn the_value_gate_prices_perfect_advice() {
    // Each sample's best value is 2, the no-query action is worth 1, and the price is 0.5.
    stands(Gate::Value, split(), 1.0, 0.5);
}

#[test]
fn the_epistemic_gap_is_variance_times_what_may_be_lost() {
    // The highest upper bound is 3, the lower bound of action 1 is 0.5.
    stands(Gate::EpistemicGap, split(), 2.0 / 3.0 * 2.5, 0.5);
}

#[test]
fn importance_is_the_spread_of_means() {
    let spread = || evidence(vec![0.0, 1.0, 4.0, 0.0, 1.0, 4.0], 1, [0.1, 0.7, 0.1, 0.1]);
    stands(Gate::Importance(Importance::Important { threshold: 3.0 }), spread(), 4.0, 3.0);
    stands(Gate::Importance(Importance::Early), spread(), 4.0, f64::NEG_INFINITY);
    // The likeliest answer is what would be done anyway: no mistake to correct, even at threshold 0.
    let record = decide(Gate::Importance(Importance::Mistake { threshold: 0.0 }), spread());
    assert!(!record.asked());
    let mistaken = evidence(vec![0.0, 1.0, 4.0, 0.0, 1.0, 4.0], 1, [0.1, 0.1, 0.7, 0.1]);
    stands(Gate::Importance(Importance::Mistake { threshold: 3.0 }), mistaken, 4.0, 3.0);
}

#[test]
fn the_predictive_gate_subtracts_the_radius() {
    // Action 2 is worth 4 instead of 1 and is named with probability 0.7; action 0 would be rejected.
    let known = evidence(vec![0.0, 1.0, 4.0, 0.0, 1.0, 4.0], 1, [0.1, 0.1, 0.7, 0.1]);
    let known = known.with_radius(Radius::new(0.6).unwrap());
    stands(Gate::Predictive(Predictive::default()), known.clone(), 0.7 * 3.0 - 0.6, 0.5);
    // Valued as if every answer were executed, naming action 0 costs 1.
    let raw = Gate::Predictive(Predictive { valuation: Valuation::RawAction });
    stands(raw, known.clone(), 0.7 * 3.0 - 0.1 - 0.6, 0.5);
    let silent = decide(Gate::Predictive(Predictive::default()), known.with_radius(Radius::INFINITE));
    assert!(!silent.asked() && silent.score == f64::NEG_INFINITY);
}

#[test]
fn the_oracle_needs_the_truth() {
    stands(Gate::Oracle, split().with_oracle_value(Some(0.5)), 0.5, 0.5);
    assert!(!decide(Gate::Oracle, split()).asked());
}

#[test]
fn never_always_and_every_other() {
    assert!(!decide(Gate::Never, split()).asked());
    assert!(decide(Gate::Always, split()).asked());
    let settings = Settings::new(Gate::Period(Period { every: 2 }), Execution::Improving, Budget::calls(9));
    let mut engine = Engine::new(&settings, Parser::numbered(3), Seed::root(0)).unwrap();
    let asked: Vec<bool> = (0..5).map(|_| matches!(engine.decide(split()), Ok(Turn::Ask(_)))).collect();
    assert_eq!(asked, [true, false, true, false, true]);
}

/// Advice names actions 0 and 2 alike; the fallback's action 1 is worth 1, the others 2 and 0.
fn lasting(uses: f64, fallback: Vec<f64>) -> Evidence {
    let evidence = evidence(vec![2.0, 1.0, 0.0], 1, [0.5, 0.0, 0.5, 0.0]);
    evidence.with_expected_uses(uses).unwrap().with_fallback_law(fallback).unwrap()
}

#[test]
fn an_answer_is_weighed_over_all_its_uses() {
    // Now: half a chance of 2 instead of 1. Later, against a fallback that proposes action 2 every other time: half a chance
    // of 2 instead of 1 or 0; an answer that names action 2 improves on nothing but itself.
    let later = 0.5 * (0.5 * 1.0 + 0.5 * 2.0);
    stands(Gate::Amortised, lasting(1.0, vec![0.0, 0.5, 0.5]), 0.5, 0.5);
    stands(Gate::Amortised, lasting(5.0, vec![0.0, 0.5, 0.5]), 0.5 + 4.0 * later, 0.5);
    stands(Gate::Amortised, lasting(5.0, Vec::new()), 0.5 + 4.0 * 0.5, 0.5);
}

#[test]
fn with_one_use_it_is_the_predictive_gate_and_with_none_it_is_silent() {
    let predictive =
        decide(Gate::Predictive(Predictive { valuation: Valuation::DeployedDecision }), lasting(1.0, vec![]));
    let amortised = decide(Gate::Amortised, lasting(1.0, vec![]));
    assert_eq!(amortised.score.to_bits(), predictive.score.to_bits());
    let free = lasting(0.0, vec![]).at_price(0.0).unwrap();
    assert!(!decide(Gate::Amortised, free).asked());
}

#[test]
fn the_radius_counts_at_every_use_and_an_infinite_one_silences() {
    let unsure = lasting(5.0, Vec::new()).with_radius(Radius::new(0.3).unwrap());
    stands(Gate::Amortised, unsure.clone(), 0.2 + 4.0 * 0.2, 0.5);
    assert!(!decide(Gate::Amortised, unsure.with_radius(Radius::INFINITE)).asked());
}

#[test]
fn the_word_of_a_trusted_advisor_adds_to_what_it_names() {
    let plain = lasting(1.0, vec![]);
    let AdviceModel::CandidateOnly(advice) = plain.advice().clone() else { panic!("it is candidate-only") };
    let vouched = AdviceModel::CandidateOnly(advice.vouched_for(&[0.5, 0.5, 1.5]).unwrap());
    let evidence = Evidence::new(plain.context(), vouched, plain.price()).unwrap().with_radius(plain.radius());
    // Action 0 becomes worth 2.5 and action 2, as good as 1.5, improves on the fallback's 1.
    stands(Gate::Amortised, evidence, 0.5 * 1.5 + 0.5 * 0.5, 0.5);
}

/// The learned policy once its first calls are made.
fn learned(per_episode: Option<u64>) -> Gate {
    Gate::Learned(Learned { caution: 0.5, first: 0, per_episode, ..Learned::default() })
}

fn forecast(value: f64, error: f64) -> Evidence {
    split().with_forecast(Some(Forecast::new(value, error).unwrap()))
}

#[test]
fn a_learned_value_counts_less_its_caution() {
    stands(learned(None), forecast(0.8, 0.4), 0.6, 0.5);
    stands(learned(None), forecast(0.6, 0.4), 0.4, 0.5);
    assert!(!decide(learned(None), split()).asked(), "nothing is learned yet");
    assert!(!decide(learned(Some(0)), forecast(0.8, 0.4)).asked(), "no call is left in this episode");
}

#[test]
fn the_first_calls_of_the_learned_policy_are_made_at_random() {
    let settings = Settings::new(
        Gate::Learned(Learned { first: 5, chance: 0.2, per_episode: Some(2), ..Learned::default() }),
        Execution::Improving,
        Budget::calls(900),
    );
    let mut engine = Engine::new(&settings, Parser::numbered(3), Seed::root(0)).unwrap();
    let mut most = 0;
    for _ in 0..20 {
        engine.begin_episode();
        let before = engine.calls_made();
        (0..40).for_each(|_| drop(engine.decide(forecast(-1.0, 0.0)).unwrap()));
        most = most.max(engine.calls_made() - before);
    }
    assert_eq!((engine.calls_made(), most), (5, 2), "then the forecast counts, and it is bad");
}

#[test]
fn the_learned_policy_refuses_what_makes_no_sense() {
    let settings = |learned| Settings::new(Gate::Learned(learned), Execution::Improving, Budget::calls(9));
    for wrong in [Learned { caution: -0.1, ..Learned::default() }, Learned { chance: 0.0, ..Learned::default() }] {
        assert!(Engine::new(&settings(wrong), Parser::numbered(3), Seed::root(0)).is_err());
    }
}

#[test]
fn a_schedule_can_keep_to_contexts_that_are_not_worn_out() {
    let schedule = |often| Gate::Schedule(Schedule { calls: 3, per_episode: 3, at: Where::VisitedLessThan(often) });
    let met = |visits| split().with_visits(visits);
    assert!(decide(schedule(2), met(1)).asked());
    assert!(!decide(schedule(2), met(2)).asked());
}

#[test]
fn a_schedule_can_keep_to_contexts_in_which_no_answer_is_known() {
    let schedule = |at| Gate::Schedule(Schedule { calls: 3, per_episode: 3, at });
    let uses = |uses| split().with_expected_uses(uses).unwrap();
    let foretold = || uses(2.0).with_foretold(Some(Foretold::new(Action(1), 0.9, 4).unwrap())).unwrap();
    for at in [Where::Unheld, Where::Unknown] {
        assert!(decide(schedule(at), uses(2.0)).asked());
        assert!(!decide(schedule(at), uses(0.0)).asked(), "an answer is held");
    }
    assert!(decide(schedule(Where::Unheld), foretold()).asked(), "a foretold answer is not held");
    assert!(!decide(schedule(Where::Unknown), foretold()).asked());
}
