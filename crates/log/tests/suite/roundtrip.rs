//! What is written is read again, bit for bit.

use counsel_decision::{
    Action, AdviceModel, Answer, Belief, CacheStatus, CandidateOnly, ContextKey, Evidence, FallbackAfter, Forecast,
    Foretold, Gate, Informative, Lead, Likelihood, Monitored, Outcome, Override, Panel, Prospect, Radius, Record,
    Reply, ReplySource, Response, ResponseLaw, ValueBounds, ValueSamples, Verdict,
};
use counsel_log::{Decision, Hindsight, Manifest, Run, decode, encode};
use proptest::prelude::*;

use crate::play::{Chance, Episodes, key, played, rules, settings};

/// A finite number, now and then one with a corner.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e3..1e3f64,
        1 => prop::sample::select(vec![0.0, -0.0, 5e-324, -5e-324, f64::MIN_POSITIVE, 1e300, -1e300, f64::EPSILON]),
    ]
}

/// A finite number of 0 or more.
fn magnitude() -> impl Strategy<Value = f64> {
    number().prop_map(f64::abs)
}

/// Any number at all.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => number(),
        1 => prop::sample::select(vec![f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, f64::MAX, f64::MIN]),
        1 => any::<u64>().prop_map(f64::from_bits),
    ]
}

fn distribution(count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![3 => 0.0..1.0f64, 1 => Just(0.0)], count)
        .prop_map(|weights| ResponseLaw::proportional_to(&weights).as_slice().to_vec())
}

prop_compose! {
    fn advice()(actions in 1usize..5, models in 1usize..4)(
        values in prop::collection::vec(number(), models * actions),
        bounds in prop::collection::vec((number(), number()), actions),
        law in distribution(actions + 1),
        belief in distribution(models),
        likelihood in prop::collection::vec(distribution(actions + 1), models),
        base in 0..actions,
        greedy in any::<bool>(),
        informative in any::<bool>(),
        actions in Just(actions),
    ) -> AdviceModel {
        let samples = ValueSamples::new(actions, values).unwrap();
        let (lower, upper) = bounds.into_iter().map(|(a, b)| (a.min(b), a.max(b))).unzip();
        let bounds = ValueBounds::new(lower, upper).unwrap();
        let base = Action::new(base);
        if !informative {
            let law = ResponseLaw::new(actions, law).unwrap();
            return AdviceModel::CandidateOnly(CandidateOnly::new(law, samples, bounds, base).unwrap());
        }
        let after = if greedy { FallbackAfter::Greedy } else { FallbackAfter::Unchanged };
        let belief = Belief::exact(belief).unwrap();
        let likelihood = Likelihood::new(actions, likelihood.concat()).unwrap();
        AdviceModel::Informative(Box::new(Informative::new(samples, belief, likelihood, bounds, base, after).unwrap()))
    }
}

prop_compose! {
    fn evidence()(
        advice in advice(),
        context in any::<u64>(),
        radius in prop_oneof![Just(Radius::INFINITE), Just(Radius::ZERO), (0.0..1e9f64).prop_map(|radius| Radius::new(radius).unwrap())],
        price in prop_oneof![0.0..1e9f64, Just(0.0)],
        visits in any::<u64>(),
        situation in prop::sample::select(vec![Monitored::Supported, Monitored::OutsideSupport, Monitored::Shifted]),
        exact_value in prop::option::of(any_number()),
        (stalled, uses, credited) in (any::<bool>(), magnitude(), number()),
        fallback in distribution(4),
        (knows_the_fallback, lead) in (any::<bool>(), lead()),
        (forecast, foretold) in (prop::option::of((number(), magnitude())), prop::option::of((any::<u16>(), 0.0..=1.0f64, any::<u64>()))),
    ) -> Evidence {
        let law = ResponseLaw::proportional_to(&fallback[..advice.law().actions()]);
        let law = if knows_the_fallback { law.as_slice().to_vec() } else { Vec::new() };
        let evidence = Evidence::new(ContextKey(context), advice, price).unwrap();
        let evidence = evidence.with_radius(radius).with_visits(visits).with_monitored(situation).with_stalled(stalled);
        let evidence = evidence.with_expected_uses(uses).unwrap().with_credited_gain(credited).unwrap();
        let evidence = evidence.with_fallback_law(law).unwrap();
        let actions = evidence.actions();
        let foretold = foretold.map(|(action, reliability, sources)| {
            Foretold::new(Action::new(usize::from(action) % actions), reliability, sources).unwrap()
        });
        let evidence = evidence.with_foretold(foretold).unwrap().with_lead(lead);
        let forecast = forecast.map(|(value, error)| Forecast::new(value, error).unwrap());
        evidence.with_forecast(forecast).with_oracle_value(exact_value)
    }
}

fn lead() -> impl Strategy<Value = Lead> {
    prop::sample::select(vec![Lead::Controller, Lead::Agent, Lead::ControllerTried, Lead::AgentTried])
}

fn action() -> impl Strategy<Value = Action> {
    any::<u16>().prop_map(Action)
}

fn verdict() -> impl Strategy<Value = Verdict> {
    use Verdict::{Executed, Impossible, NotImproving, TooUncertain, Uncertified, Unusable};
    prop::sample::select(vec![Executed, Unusable, Uncertified, NotImproving, TooUncertain, Impossible])
}

fn cache_status() -> impl Strategy<Value = CacheStatus> {
    use CacheStatus::{
        Absent, Distrusted, Expired, Foretold, NoEffect, NotImproving, Off, PassedOver, Reused, Shifted, Superseded,
        Uncertified, Unsupported,
    };
    prop::sample::select(vec![
        Off,
        Absent,
        Superseded,
        Expired,
        Shifted,
        Unsupported,
        NoEffect,
        Distrusted,
        PassedOver,
        Uncertified,
        NotImproving,
        Reused,
        Foretold,
    ])
}

prop_compose! {
    fn answer()(
        text in prop_oneof![Just(String::new()), any::<String>(), Just("идти\nналево 🧭\0\"".to_owned()), "[a-z ]{0,40}"],
        source in prop::sample::select(vec![
            ReplySource::Simulated, ReplySource::Live, ReplySource::Replayed, ReplySource::Lost,
        ]),
        request_tokens in prop::option::of(any::<u32>()),
        response_tokens in prop::option::of(any::<u32>()),
        latency_ms in prop::option::of(any_number()),
        response in prop_oneof![Just(Response::Unusable), action().prop_map(Response::Recommends)],
        verdict in verdict(),
    ) -> Answer {
        Answer { reply: Reply { text, source, request_tokens, response_tokens, latency_ms }, response, verdict }
    }
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![Just(Outcome::Silent), Just(Outcome::Unaffordable), answer().prop_map(Outcome::Asked)]
}

prop_compose! {
    fn panel()(
        nets in prop::collection::vec(prop_oneof![Just(f64::NEG_INFINITY), -9.0..9.0], 2..5),
        in_hand in prop::option::of(0_usize..2),
    ) -> Panel {
        Panel::new(nets, in_hand).unwrap()
    }
}

prop_compose! {
    fn record()(
        (step, episode, step_in_episode, calls_left) in any::<(u64, u64, u64, u64)>(),
        (place, batch) in any::<(u64, Option<u64>)>(),
        evidence in evidence(),
        (no_query, executed, cached) in (action(), action(), prop::option::of(action())),
        cache_status in cache_status(),
        prospects in prop::collection::vec((action(), verdict()), 0..6),
        numbers in prop::array::uniform5(any_number()),
        outcome in outcome(),
        (reuse_value, bankroll) in (prop::option::of(any_number()), prop::option::of(any_number())),
        panel in prop::option::of(panel()),
        overridden in prop::option::of(("[ -~]{1,12}", action())),
    ) -> Record {
        let evidence = evidence.with_panel(panel.clone());
        let [estimate, pacing, paced_price, score, threshold] = numbers;
        // What is decided is one of the actions at hand; what was kept may come from elsewhere.
        let at_hand = |action: Action| Action::new(action.index() % evidence.actions());
        let (no_query, executed) = (at_hand(no_query), at_hand(executed));
        let prospects = prospects.into_iter().map(|(action, verdict)| Prospect { action: at_hand(action), verdict }).collect();
        let overridden =
            overridden.map(|(by, instead_of)| Override { by, action: executed, instead_of: at_hand(instead_of) });
        let mut outcome = outcome;
        if let Outcome::Asked(Answer { response: Response::Recommends(action), .. }) = &mut outcome {
            *action = at_hand(*action);
        }
        Record {
            step, place, batch, episode, step_in_episode, evidence, no_query, cached, cache_status, prospects, estimate, reuse_value,
            pacing, paced_price, score, threshold, calls_left, bankroll, panel, outcome, overridden, executed,
        }
    }
}

prop_compose! {
    fn decision()(
        record in record(),
        reward in any_number(),
        right in prop::option::of(action()),
        corrupted in prop::option::of(any::<bool>()),
        measured in prop::collection::vec(prop::option::of(any_number()), 10),
    ) -> Decision {
        let hindsight = Hindsight {
            reward,
            right,
            advice_gap: measured[0],
            corrupted,
            base_gap: measured[1],
            executed_gap: measured[2],
            exact_value: measured[3],
            proxy_value: measured[4],
            proxy_radius: measured[5],
            law_error: measured[6],
            log_score: measured[7],
            potential: measured[8],
            potential_after: measured[9],
            ..Hindsight::default()
        };
        Decision::new(record, hindsight)
    }
}

/// The bits of every number of a decision that may be any number. Everything else is told apart by its debug text, which
/// shows a finite number exactly and the sign of zero.
fn bits(decision: &Decision) -> Vec<Option<u64>> {
    let (record, hindsight) = (&decision.record, &decision.hindsight);
    [
        Some(record.estimate),
        Some(record.pacing),
        Some(record.paced_price),
        Some(record.score),
        Some(record.threshold),
        record.evidence.oracle_value(),
        record.answer().and_then(|answer| answer.reply.latency_ms),
        Some(hindsight.reward),
        hindsight.advice_gap,
        hindsight.base_gap,
        hindsight.executed_gap,
        hindsight.exact_value,
        hindsight.proxy_value,
        hindsight.proxy_radius,
        hindsight.law_error,
        hindsight.log_score,
        hindsight.potential,
        hindsight.potential_after,
    ]
    .map(|number| number.map(f64::to_bits))
    .to_vec()
}

fn identical(one: &[Decision], other: &[Decision]) -> Result<(), TestCaseError> {
    prop_assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        prop_assert_eq!(format!("{one:?}"), format!("{other:?}"));
        prop_assert_eq!(bits(one), bits(other));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_again(decisions in prop::collection::vec(decision(), 0..12)) {
        let bytes = encode(&key(), &decisions).unwrap();
        prop_assert_eq!(&encode(&key(), &decisions).unwrap(), &bytes, "the same decisions gave other bytes");
        let again = decode(&key(), bytes.clone()).unwrap();
        identical(&decisions, &again)?;
        prop_assert_eq!(encode(&key(), &again).unwrap(), bytes, "decisions that were read gave other bytes");
    }
}

#[test]
fn a_log_may_be_empty_or_long() {
    for count in [0, 1, 5_000] {
        let mut chance = Chance(count as u64);
        let settings = settings(Gate::Always, rules()[1], &mut chance);
        let (_, decisions) = played(settings, Episodes::Announced, &mut chance);
        let long: Vec<Decision> = decisions.into_iter().cycle().take(count).collect();
        let again = decode(&key(), encode(&key(), &long).unwrap()).unwrap();
        assert_eq!(again, long, "{count} rows");
    }
}

#[test]
fn a_cell_can_be_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut chance = Chance(4);
    let settings = settings(Gate::Always, rules()[0], &mut chance);
    let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
    let run = Run::at(folder.path());
    run.write(manifest.clone(), &decisions).unwrap();
    assert_eq!(run.keys().unwrap(), std::slice::from_ref(&manifest.key));
    let cell = run.cell(&manifest.key).unwrap().unwrap();
    assert_eq!(cell.decisions().unwrap(), decisions);
    assert_eq!(cell.manifest.log.rows, decisions.len() as u64);
    let unsealed = Manifest { log: manifest.log.clone(), seal: String::new(), ..cell.manifest };
    assert_eq!(unsealed, manifest);
}
