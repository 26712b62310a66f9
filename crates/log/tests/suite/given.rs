//! What the audit takes as given: evidence, replies and hindsight. What follows from them is still found.

use counsel_decision::{
    Action, AdviceModel, CandidateOnly, ContextKey, Evidence, Gate, Lead, Monitored, Radius, ReplySource, ResponseLaw,
    ValueBounds, ValueSamples,
};
use counsel_log::{Decision, recompute};

use crate::alteration::{Alteration, answer_of};
use crate::play::{Chance, Episodes, assert_agrees, gates, played, rules, settings};

fn rebuilt(decision: &mut Decision, change: impl Fn(&mut Parts)) {
    let AdviceModel::CandidateOnly(_) = decision.record.evidence.advice() else { return };
    let advice = decision.record.evidence.advice();
    let mut parts = Parts {
        values: advice.samples().as_slice().to_vec(),
        lower: advice.none().bounds().lower().to_vec(),
        upper: advice.none().bounds().upper().to_vec(),
        law: advice.law().as_slice().to_vec(),
        base: advice.none().base(),
    };
    change(&mut parts);
    let actions = parts.lower.len();
    let samples = ValueSamples::new(actions, parts.values).unwrap();
    let bounds = ValueBounds::new(parts.lower, parts.upper).unwrap();
    let law = ResponseLaw::proportional_to(&parts.law);
    let advice = CandidateOnly::new(law, samples, bounds, parts.base).unwrap();
    let context = decision.record.evidence.context();
    decision.record.evidence = moved(&decision.record.evidence, context, AdviceModel::CandidateOnly(advice));
}

/// The evidence with another context and other advice, and all else as it was.
fn moved(old: &Evidence, context: ContextKey, advice: AdviceModel) -> Evidence {
    let evidence = Evidence::new(context, advice, old.price()).unwrap();
    let evidence = evidence.with_radius(old.radius()).with_visits(old.visits()).with_monitored(old.monitored());
    let evidence = evidence.with_stalled(old.stalled()).with_expected_uses(old.expected_uses()).unwrap();
    let evidence = evidence.with_fallback_law(old.fallback_law().to_vec()).unwrap();
    let evidence = evidence.with_credited_gain(old.credited_gain()).unwrap();
    let evidence = evidence.with_lead(old.lead());
    evidence.with_forecast(old.forecast()).with_oracle_value(old.oracle_value())
}

/// What candidate-only advice is made of.
struct Parts {
    values: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    law: Vec<f64>,
    base: Action,
}

/// Evidence is taken as given, but what was computed from it is not: altered evidence that bears on the decision is found
/// by the number that no longer follows from it.
#[test]
fn altered_evidence_that_matters_is_found() {
    let alterations: [Alteration; 8] = [
        ("value_samples", |d| {
            rebuilt(d, |parts| parts.values.iter_mut().enumerate().for_each(|(k, v)| *v += 0.1 * (k + 1) as f64));
            true
        }),
        ("response_law", |d| {
            rebuilt(d, |parts| parts.law.iter_mut().enumerate().for_each(|(k, p)| *p += 0.3 * (k + 1) as f64));
            true
        }),
        ("base", |d| {
            rebuilt(d, |parts| parts.base = Action::new((parts.base.index() + 1) % parts.lower.len()));
            true
        }),
        ("lower_bounds", |d| {
            rebuilt(d, |parts| parts.lower.iter_mut().for_each(|low| *low -= 10.0));
            true
        }),
        ("upper_bounds", |d| {
            rebuilt(d, |parts| parts.upper[0] += 10.0);
            true
        }),
        ("radius", |d| {
            let wider = Radius::new(d.record.evidence.radius().value().min(1.0) + 0.5).unwrap();
            d.record.evidence = d.record.evidence.clone().with_radius(wider);
            true
        }),
        ("lead", |d| {
            let other = if d.record.evidence.lead().is_agent() { Lead::Controller } else { Lead::Agent };
            d.record.evidence = d.record.evidence.clone().with_lead(other);
            true
        }),
        ("price", |d| {
            let dearer = d.record.evidence.price() + 0.5;
            d.record.evidence = d.record.evidence.clone().at_price(dearer).unwrap();
            true
        }),
    ];
    let mut chance = Chance(7);
    let mut found = [0; 8];
    for _ in 0..40 {
        let gate = gates().into_iter().find(|gate| gate.name() == "predictive").unwrap();
        let settings = settings(gate, rules()[0], &mut chance);
        let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
        for (number, (_, alter)) in alterations.iter().enumerate() {
            let mut altered = decisions.clone();
            alter(&mut altered[chance.below(decisions.len())]);
            found[number] += usize::from(!recompute(&manifest, &altered).unwrap().is_empty());
        }
    }
    for ((name, _), count) in alterations.iter().zip(found) {
        assert!(count > 0, "an altered {name} was never found");
    }
}

/// What the audit takes as given because no decision follows from it here: evidence that this gate does not read, how a
/// reply came and what it cost, white space in a reply, and everything that was learned afterwards.
const EVIDENCE: [Alteration; 14] = [
    ("visits, to a gate that does not count them", |d| {
        let visits = d.record.evidence.visits() + 1;
        d.record.evidence = d.record.evidence.clone().with_visits(visits);
        true
    }),
    ("oracle_value, to a gate that may not read it", |d| {
        d.record.evidence = d.record.evidence.clone().with_oracle_value(Some(123.0));
        true
    }),
    ("monitored, without a cache", |d| {
        d.record.evidence = d.record.evidence.clone().with_monitored(Monitored::Shifted);
        true
    }),
    ("context, without a cache", |d| {
        let (old, elsewhere) = (&d.record.evidence, ContextKey(d.record.evidence.context().0 + 1));
        d.record.evidence = moved(old, elsewhere, old.advice().clone());
        true
    }),
    ("reply, in another spelling", |d| {
        answer_of(d).is_some_and(|answer| {
            answer.reply.text = format!("  {} ", answer.reply.text.to_uppercase());
            true
        })
    }),
    ("reply_source", |d| {
        answer_of(d).is_some_and(|answer| {
            let lost = answer.reply.source == ReplySource::Lost;
            answer.reply.source = if lost { ReplySource::Lost } else { ReplySource::Live };
            !lost
        })
    }),
    ("request_tokens", |d| answer_of(d).is_some_and(|answer| answer.reply.request_tokens.replace(9) != Some(9))),
    ("response_tokens", |d| answer_of(d).is_some_and(|answer| answer.reply.response_tokens.replace(9) != Some(9))),
    ("latency_ms", |d| answer_of(d).is_some_and(|answer| answer.reply.latency_ms.replace(9.0) != Some(9.0))),
    ("reward", |d| {
        d.hindsight.reward += 1.0;
        true
    }),
    ("right_action", |d| d.hindsight.right.replace(Action(9)).is_none()),
    ("exact_value", |d| d.hindsight.exact_value.replace(9.0).is_none()),
    ("executed_gap", |d| d.hindsight.executed_gap.replace(9.0).is_none()),
    ("potential", |d| d.hindsight.potential.replace(9.0).is_none()),
];

#[test]
fn what_no_decision_follows_from_is_taken_as_given() {
    let mut chance = Chance(8);
    let mut applied = vec![0; EVIDENCE.len()];
    for gate in [Gate::Value, Gate::EpistemicGap, Gate::Always] {
        let mut settings = settings(gate, rules()[1], &mut chance);
        settings.cache = counsel_decision::CacheSpec::Off;
        let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
        for (number, (name, alter)) in EVIDENCE.iter().enumerate() {
            let mut altered = decisions.clone();
            applied[number] += altered.iter_mut().map(|decision| usize::from(alter(decision))).sum::<usize>();
            assert_agrees(&manifest, &altered, name);
        }
    }
    assert!(applied.iter().all(|count| *count > 0), "{applied:?}");
}
