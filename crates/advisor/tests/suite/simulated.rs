//! Simulated advisors do what their laws say.

use counsel_advisor::{
    AdvisorSpec, Context, Corruption, Error, Reliability, SimulatedAdvisor, Simulation, Spoken, Truth,
};
use counsel_decision::refusal::Refusal;
use counsel_decision::{Action, ContextKey, Parser, Response, ResponseLaw, Seed};
use proptest::prelude::*;
use rand::RngExt;

const ACTIONS: usize = 4;

fn context(key: u64) -> Context {
    Context::new(ContextKey(key), vec![])
}

fn truth(right: u16) -> Truth {
    Truth { right: Action(right) }
}

fn build(text: &str) -> SimulatedAdvisor {
    serde_json::from_str::<AdvisorSpec>(text).unwrap().build(ACTIONS, Seed::root(1)).unwrap()
}

/// The law that the parser sees when each call has a context of its own, or always the same.
fn frequencies(advisor: &mut SimulatedAdvisor, calls: u64, key: impl Fn(u64) -> u64) -> ResponseLaw {
    let parser = Parser::numbered(ACTIONS);
    let mut counts = vec![0.0; ACTIONS + 1];
    for call in 0..calls {
        let reply = advisor.reply(&context(key(call)), truth(2), Seed::root(9).index(call));
        counts[parser.parse(&reply).index(ACTIONS)] += 1.0;
    }
    ResponseLaw::proportional_to(&counts)
}

fn distance(left: &ResponseLaw, right: &ResponseLaw) -> f64 {
    left.as_slice().iter().zip(right.as_slice()).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max)
}

const SIMULATED: &str = r#"{"kind": "simulated", "reliability": {"constant": 0.6}, "parse_failure": 0.1}"#;
const CORRUPTED: &str = r#"{"kind": "corrupted", "rate": 0.5, "advisor":
    {"kind": "simulated", "reliability": {"constant": 0.9}, "parse_failure": 0.2}}"#;
const CORRELATED: &str = r#"{"kind": "correlated", "reliability": {"constant": 0.6}, "parse_failure": 0.1,
    "persistence": 0.7}"#;

#[test]
fn the_parsed_replies_follow_the_law() {
    for text in [SIMULATED, CORRUPTED, CORRELATED] {
        let mut advisor = build(text);
        let law = advisor.law(&context(0), truth(2));
        let seen = frequencies(&mut advisor, 20_000, |call| call);
        assert!(distance(&law, &seen) < 0.015, "{text}: {law:?} but {seen:?}");
    }
}

#[test]
fn a_settled_context_follows_its_conditional_law() {
    for key in 0..20 {
        let mut advisor = build(CORRELATED);
        advisor.respond(&context(key), truth(2), Seed::root(0));
        let law = advisor.law(&context(key), truth(2));
        let seen = frequencies(&mut advisor, 10_000, |_| key);
        assert!(distance(&law, &seen) < 0.02, "{law:?} but {seen:?}");
        assert_eq!(
            law.as_slice()[..ACTIONS].iter().filter(|&&p| p > 0.0).count(),
            2,
            "right, or always the same wrong"
        );
    }
}

#[test]
fn persistence_is_the_correlation_of_the_first_call_with_a_later_one() {
    let spec = r#"{"kind": "correlated", "reliability": {"constant": 0.5}, "persistence": 0.7}"#;
    let mut advisor = build(spec);
    let contexts = 20_000_u32;
    let mut agree = 0_u32;
    for key in 0..u64::from(contexts) {
        let mut ask = |call| {
            advisor.respond(&context(key), truth(2), Seed::root(key).index(call)).response
                == Response::Recommends(Action(2))
        };
        agree += u32::from(ask(0) == ask(1));
    }
    // At reliability 1/2 two calls agree with probability p + (1 - p)/2.
    let measured = 2.0 * f64::from(agree) / f64::from(contexts) - 1.0;
    assert!((measured - 0.7).abs() < 0.02, "{measured}");
}

#[test]
fn full_persistence_repeats_and_none_is_independent() {
    let answers = |persistence: f64| {
        let spec = AdvisorSpec::Correlated { reliability: Reliability::Constant(0.5), parse_failure: 0.0, persistence };
        let mut advisor = spec.build(ACTIONS, Seed::root(1)).unwrap();
        (0..200)
            .map(|call| advisor.respond(&context(3), truth(2), Seed::root(5).index(call)).response)
            .collect::<Vec<_>>()
    };
    assert!(answers(1.0).windows(2).all(|pair| pair[0] == pair[1]));
    assert!(answers(0.0).windows(2).any(|pair| pair[0] != pair[1]));
}

#[test]
fn other_contexts_leave_a_correlated_context_alone() {
    let mut alone = build(CORRELATED);
    let mut busy = build(CORRELATED);
    for key in 0..50 {
        busy.respond(&context(key + 100), truth(1), Seed::root(key));
    }
    for call in 0..50 {
        let seed = Seed::root(call);
        assert_eq!(alone.respond(&context(3), truth(2), seed), busy.respond(&context(3), truth(2), seed));
    }
}

#[test]
fn corruption_strikes_at_its_rate_and_leaves_a_flag() {
    let corruption = Corruption::new(ACTIONS, 0.3).unwrap();
    let mut struck = 0_u32;
    for call in 0..20_000 {
        let spoken = corruption.apply(Response::Recommends(Action(2)), truth(2), Seed::root(call));
        assert_eq!(spoken.corrupted, spoken.response != Response::Recommends(Action(2)));
        struck += u32::from(spoken.corrupted);
        assert!(!corruption.apply(Response::Unusable, truth(2), Seed::root(call)).corrupted);
    }
    assert!((f64::from(struck) / 20_000.0 - 0.3).abs() < 0.015, "{struck}");
}

#[test]
fn reliability_may_differ_between_contexts() {
    let advisor = build(
        r#"{"kind": "simulated", "reliability": {"per-context": {"known": [[7, 0.1], [3, 0.9]], "otherwise": 0.5}}}"#,
    );
    let right = |key| advisor.law(&context(key), truth(0)).probability(Response::Recommends(Action(0)));
    for (key, reliability) in [(3, 0.9), (7, 0.1), (8, 0.5)] {
        assert!((right(key) - reliability).abs() < 1e-12, "context {key}: {}", right(key));
    }
}

#[test]
fn impossible_declarations_are_refused() {
    let constant =
        |reliability| AdvisorSpec::Simulated { reliability, parse_failure: 0.0 }.build(ACTIONS, Seed::root(0));
    assert!(matches!(constant(Reliability::Constant(1.1)), Err(Error::Refused(Refusal::Range { value: 1.1, .. }))));
    let known = vec![(ContextKey(4), 0.5), (ContextKey(4), 0.6)];
    assert_eq!(constant(Reliability::PerContext { known, otherwise: 0.5 }), Err(Error::RepeatedContext { key: 4 }));
    assert!(matches!(Corruption::new(1, 0.5), Err(Error::Refused(Refusal::TooFew { got: 1, .. }))));
    assert!(serde_json::from_str::<AdvisorSpec>(&SIMULATED.replace("parse_failure", "parse_failures")).is_err());
}

proptest! {
    #[test]
    fn laws_are_laws_and_replies_are_deterministic(
        reliability in 0.0..=1.0_f64,
        parse_failure in 0.0..=1.0_f64,
        persistence in 0.0..=1.0_f64,
        rate in 0.0..=1.0_f64,
        actions in 2_usize..9,
        right in 0_usize..9,
        calls in 0_u64..4,
        seed in any::<u64>(),
    ) {
        let truth = Truth { right: Action::new(right % actions) };
        let inner = AdvisorSpec::Correlated { reliability: Reliability::Constant(reliability), parse_failure, persistence };
        let spec = AdvisorSpec::Corrupted { rate, advisor: Box::new(inner) };
        let mut advisor = spec.build(actions, Seed::root(seed)).unwrap();
        let mut twin = advisor.clone();
        for call in 0..=calls {
            let law = advisor.law(&context(1), truth);
            prop_assert!(ResponseLaw::new(actions, law.as_slice().to_vec()).is_ok(), "{:?}", law);
            let spoken = advisor.respond(&context(1), truth, Seed::root(seed).index(call));
            prop_assert!(law.probability(spoken.response) > 0.0, "{:?} under {:?}", spoken, law);
            prop_assert_eq!(spoken, twin.respond(&context(1), truth, Seed::root(seed).index(call)));
            prop_assert_eq!(Parser::numbered(actions).parse(&spoken.reply()), spoken.response);
        }
    }
}

/// The draws are fixed: studies of tampering with language models were run with them.
#[test]
fn a_strike_names_another_move_than_the_advised_one_in_the_declared_draws() {
    let corruption = Corruption::new(3, 0.4).unwrap();
    let mut counts = [0_u32; 7];
    for call in 0..9000 {
        let advised = Action::new(call % 7);
        let spoken = corruption.strike(Response::Recommends(advised), &mut Seed::root(call as u64).rng());
        let mut randomness = Seed::root(call as u64).rng();
        let (strikes, other) = (randomness.random::<f64>() < 0.4, randomness.random_range(0..3_u16));
        let others: Vec<u16> = (0..3).filter(|&other| other != advised.0).collect();
        let wrong = Action(others[usize::from(other) % others.len()]);
        let expected = Response::Recommends(if strikes { wrong } else { advised });
        assert_eq!(spoken, Spoken { response: expected, corrupted: strikes });
        if let Response::Recommends(action) = spoken.response {
            counts[action.index()] += 1;
        }
        assert!(!corruption.strike(Response::Unusable, &mut Seed::root(call as u64).rng()).corrupted);
    }
    assert!(counts[..3].iter().all(|&count| count > counts[6]), "{counts:?}");
}

#[test]
fn the_law_after_a_strike_spreads_over_the_other_moves() {
    let corruption = Corruption::new(3, 0.4).unwrap();
    let law = |response| corruption.law_after(response, 7).unwrap().as_slice().to_vec();
    assert_eq!(law(Response::Recommends(Action(1))), [0.2, 0.6, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let third = 0.4 / 3.0;
    assert_eq!(law(Response::Recommends(Action(5))), [third, third, third, 0.0, 0.0, 0.6, 0.0, 0.0]);
    assert_eq!(law(Response::Unusable), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
}
