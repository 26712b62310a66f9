//! Log = behaviour: what is written is read again bit for bit, an engine's decisions can be computed again from their log,
//! and a decision that was altered cannot.

mod play;

use counsel_decision::{
    Action, AdviceModel, Answer, Belief, CacheStatus, CandidateOnly, ContextKey, Evidence, FallbackAfter, Form,
    GateSpec, Informative, Likelihood, Monitored, Outcome, Prospect, Radius, Record, Reply, ReplySource, Response,
    ResponseLaw, ValueBounds, ValueSamples, Verdict,
};
use counsel_log::{Decision, Disagreement, Hindsight, Manifest, Run, decode, encode, recompute};
use play::{Chance, Episodes, gates, key, played, played_in, rules, settings};
use proptest::prelude::*;

/// A finite number, now and then one with a corner.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e3..1e3f64,
        1 => prop::sample::select(vec![0.0, -0.0, 5e-324, -5e-324, f64::MIN_POSITIVE, 1e300, -1e300, f64::EPSILON]),
    ]
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
        radius in prop_oneof![Just(Radius::Infinite), Just(Radius::ZERO), (0.0..1e9f64).prop_map(Radius::Finite)],
        kappa in prop_oneof![0.0..1e9f64, Just(0.0)],
        visits in any::<u64>(),
        situation in prop::sample::select(vec![Monitored::Supported, Monitored::OutsideSupport, Monitored::Shifted]),
        exact_value in prop::option::of(any_number()),
    ) -> Evidence {
        let mut evidence = Evidence::new(ContextKey(context), advice, kappa).unwrap();
        evidence.radius = radius;
        evidence.visits = visits;
        evidence.monitored = situation;
        evidence.oracle_value = exact_value;
        evidence
    }
}

fn action() -> impl Strategy<Value = Action> {
    any::<u16>().prop_map(Action)
}

fn verdict() -> impl Strategy<Value = Verdict> {
    use Verdict::{Executed, Impossible, NotImproving, TooUncertain, Uncertified, Unusable};
    prop::sample::select(vec![Executed, Unusable, Uncertified, NotImproving, TooUncertain, Impossible])
}

fn cache_status() -> impl Strategy<Value = CacheStatus> {
    use CacheStatus::{Absent, Expired, NotImproving, Off, Reused, Shifted, Superseded, Uncertified, Unsupported};
    prop::sample::select(vec![
        Off,
        Absent,
        Superseded,
        Expired,
        Shifted,
        Unsupported,
        Uncertified,
        NotImproving,
        Reused,
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
    fn record()(
        (step, episode, step_in_episode, calls_left) in any::<(u64, u64, u64, u64)>(),
        evidence in evidence(),
        (no_query, executed, cached) in (action(), action(), prop::option::of(action())),
        cache_status in cache_status(),
        prospects in prop::collection::vec((action(), verdict()), 0..6),
        numbers in prop::array::uniform5(any_number()),
        outcome in outcome(),
    ) -> Record {
        let [estimate, lambda, price, score, threshold] = numbers;
        let prospects = prospects.into_iter().map(|(action, verdict)| Prospect { action, verdict }).collect();
        Record {
            step, episode, step_in_episode, evidence, no_query, cached, cache_status, prospects, estimate, lambda,
            price, score, threshold, calls_left, outcome, executed,
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
        };
        Decision { record, hindsight }
    }
}

/// The bits of every number of a decision that may be any number. Everything else is told apart by its debug text, which
/// shows a finite number exactly and the sign of zero.
fn bits(decision: &Decision) -> Vec<Option<u64>> {
    let (record, hindsight) = (&decision.record, &decision.hindsight);
    [
        Some(record.estimate),
        Some(record.lambda),
        Some(record.price),
        Some(record.score),
        Some(record.threshold),
        record.evidence.oracle_value,
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
        let settings = settings(GateSpec::Always, rules()[1], &mut chance);
        let (_, decisions) = played(settings, Episodes::Announced, &mut chance);
        let long: Vec<Decision> = decisions.into_iter().cycle().take(count).collect();
        let again = decode(&key(), encode(&key(), &long).unwrap()).unwrap();
        assert_eq!(again, long, "{count} rows");
    }
}

/// What the audit says about these decisions once they have been in a log.
fn audited(manifest: &Manifest, decisions: &[Decision]) -> Vec<Disagreement> {
    let logged = decode(&key(), encode(&key(), decisions).unwrap()).unwrap();
    recompute(manifest, &logged).unwrap()
}

#[track_caller]
fn assert_agrees(manifest: &Manifest, decisions: &[Decision], what: &str) {
    let found = audited(manifest, decisions);
    assert!(found.is_empty(), "{what}: {} of {} disagree, first {}", found.len(), decisions.len(), found[0]);
}

/// Every gate with every execution rule, on budgets, caches, prices and situations nobody chose.
#[test]
fn what_an_engine_did_can_be_computed_again() {
    let mut chance = Chance(1);
    let (mut asked, mut unaffordable, mut statuses) = (0, 0, std::collections::BTreeSet::new());
    for gate in gates() {
        for rule in rules() {
            for _ in 0..8 {
                let settings = settings(gate.clone(), rule, &mut chance);
                let what = format!("{settings:?}");
                let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
                assert_agrees(&manifest, &decisions, &what);
                for Decision { record, .. } in &decisions {
                    asked += usize::from(record.asked());
                    unaffordable += usize::from(record.outcome == Outcome::Unaffordable);
                    statuses.insert(format!("{:?}", record.cache_status));
                }
            }
        }
    }
    assert!(asked > 1_000 && unaffordable > 1_000, "the runs exercise too little: {asked} asked, {unaffordable} not");
    assert!(statuses.len() >= 8, "the runs exercise only the cache statuses {statuses:?}");
}

#[test]
fn the_first_episode_may_start_by_itself() {
    let mut chance = Chance(2);
    for gate in gates() {
        let settings = settings(gate, rules()[0], &mut chance);
        let what = format!("{settings:?}");
        let (manifest, decisions) = played(settings, Episodes::FirstByItself, &mut chance);
        assert_agrees(&manifest, &decisions, &what);
    }
}

#[test]
fn an_episode_may_be_empty() {
    let mut chance = Chance(3);
    for gate in gates() {
        let settings = settings(gate, rules()[0], &mut chance);
        let what = format!("{settings:?}");
        let (manifest, decisions) = played(settings, Episodes::SomeEmpty, &mut chance);
        assert_agrees(&manifest, &decisions, &what);
    }
}

#[test]
fn a_cell_can_be_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut chance = Chance(4);
    let settings = settings(GateSpec::Always, rules()[0], &mut chance);
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

/// Answers in JSON come out again as logged, and only because the manifest says that they are in JSON.
#[test]
fn the_form_of_answers_is_part_of_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let mut chance = Chance(9);
    let settings = settings(GateSpec::Always, rules()[0], &mut chance);
    let (manifest, decisions) = played_in(Form::Json, settings, Episodes::Announced, &mut chance);
    let run = Run::at(folder.path());
    run.write(manifest.clone(), &decisions).unwrap();
    let read = run.cell(&manifest.key).unwrap().unwrap().manifest;
    assert_eq!(read.form, Form::Json);
    assert_agrees(&read, &decisions, "answers in JSON");
    let named = |decision: &&Decision| matches!(&decision.record.outcome, Outcome::Asked(answer) if answer.response != Response::Unusable);
    assert!(decisions.iter().filter(named).count() > 3, "the run exercises too little");
    let without = Manifest { form: Form::Word, ..read };
    assert!(!audited(&without, &decisions).is_empty(), "the form makes no difference");
    let written = |manifest: &Manifest| serde_json::to_value(manifest).unwrap().get("form").cloned();
    assert_eq!((written(&manifest), written(&without)), (Some("json".into()), None));
}

type Alteration = (&'static str, fn(&mut Decision) -> bool);

fn nudge(number: &mut f64) -> bool {
    let before = number.to_bits();
    *number = f64::from_bits(before ^ 1);
    number.to_bits() != before && !number.is_nan()
}

fn flip_zero(number: &mut f64) -> bool {
    let is_zero = *number == 0.0;
    if is_zero {
        *number = -*number;
    }
    is_zero
}

fn other(action: &mut Action) -> bool {
    action.0 ^= 1;
    true
}

fn answer_of(decision: &mut Decision) -> Option<&mut Answer> {
    match &mut decision.record.outcome {
        Outcome::Asked(answer) => Some(answer),
        _ => None,
    }
}

/// Alterations of what was computed or done. Each says whether it applies to a decision.
const COMPUTED: [Alteration; 28] = [
    ("step", |d| {
        d.record.step += 1;
        true
    }),
    ("episode", |d| {
        d.record.episode += 1;
        true
    }),
    ("step_in_episode", |d| {
        d.record.step_in_episode += 1;
        true
    }),
    ("no_query", |d| other(&mut d.record.no_query)),
    ("cached", |d| {
        d.record.cached = if d.record.cached.is_some() { None } else { Some(Action(0)) };
        true
    }),
    ("cached action", |d| d.record.cached.as_mut().is_some_and(other)),
    ("cache_status", |d| {
        let status = &mut d.record.cache_status;
        *status = if *status == CacheStatus::Absent { CacheStatus::Off } else { CacheStatus::Absent };
        true
    }),
    ("a prospect's action", |d| other(&mut d.record.prospects[0].action)),
    ("a prospect's verdict", |d| {
        let verdict = &mut d.record.prospects[0].verdict;
        *verdict = if *verdict == Verdict::Executed { Verdict::Unusable } else { Verdict::Executed };
        true
    }),
    ("a prospect that is gone", |d| d.record.prospects.pop().is_some()),
    ("estimate", |d| nudge(&mut d.record.estimate)),
    ("price_multiplier", |d| nudge(&mut d.record.lambda)),
    ("price", |d| nudge(&mut d.record.price)),
    ("score", |d| d.record.score.is_finite() && nudge(&mut d.record.score)),
    ("threshold", |d| d.record.threshold.is_finite() && nudge(&mut d.record.threshold)),
    ("the sign of estimate", |d| flip_zero(&mut d.record.estimate)),
    ("the sign of lambda", |d| flip_zero(&mut d.record.lambda)),
    ("the sign of price", |d| flip_zero(&mut d.record.price)),
    ("the sign of score", |d| flip_zero(&mut d.record.score)),
    ("not a number", |d| {
        d.record.estimate = f64::NAN;
        true
    }),
    ("calls_left", |d| {
        d.record.calls_left += 1;
        true
    }),
    ("a concealed call", |d| std::mem::replace(&mut d.record.outcome, Outcome::Silent) != Outcome::Silent),
    ("an invented wish", |d| {
        let silent = d.record.outcome == Outcome::Silent;
        d.record.outcome = if silent { Outcome::Unaffordable } else { Outcome::Silent };
        true
    }),
    ("an invented call", |d| {
        let answer = Answer { reply: Reply::lost(), response: Response::Unusable, verdict: Verdict::Unusable };
        let applies = !d.record.asked();
        d.record.outcome = Outcome::Asked(answer);
        applies
    }),
    ("response", |d| {
        answer_of(d).is_some_and(|answer| {
            answer.response = match answer.response {
                Response::Unusable => Response::Recommends(Action(0)),
                Response::Recommends(_) => Response::Unusable,
            };
            true
        })
    }),
    ("certificate", |d| {
        answer_of(d).is_some_and(|answer| {
            answer.verdict =
                if answer.verdict == Verdict::Executed { Verdict::NotImproving } else { Verdict::Executed };
            true
        })
    }),
    ("a reply that says something else", |d| {
        answer_of(d).is_some_and(|answer| {
            let usable = matches!(answer.response, Response::Recommends(_));
            answer.reply.text = if usable { "no idea".into() } else { answer.reply.text.clone() };
            usable
        })
    }),
    ("executed", |d| other(&mut d.record.executed)),
];

#[test]
fn an_alteration_of_what_was_computed_is_found() {
    let mut chance = Chance(5);
    let mut applied = vec![0; COMPUTED.len()];
    let mut missed = std::collections::BTreeSet::new();
    for gate in gates() {
        for rule in rules() {
            let settings = settings(gate.clone(), rule, &mut chance);
            let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
            for (number, (name, alter)) in COMPUTED.iter().enumerate() {
                for _ in 0..4 {
                    let place = chance.below(decisions.len());
                    let mut altered = decisions.clone();
                    if !alter(&mut altered[place]) {
                        continue;
                    }
                    applied[number] += 1;
                    let found = recompute(&manifest, &altered).unwrap();
                    let step = decisions[place].record.step;
                    if !found.iter().any(|found| found.step == step) {
                        missed.insert(*name);
                    }
                }
            }
        }
    }
    let untried: Vec<_> = COMPUTED.iter().zip(&applied).filter(|(_, count)| **count == 0).map(|(c, _)| c.0).collect();
    assert!(untried.is_empty(), "these alterations never applied: {untried:?}");
    assert!(missed.is_empty(), "not found: {missed:#?}");
}

/// A disagreement names the column that was altered, not one that merely follows from it. An altered episode is replayed as
/// the start of another one, so other columns may come first.
#[test]
fn a_disagreement_names_its_column() {
    let mut chance = Chance(6);
    let settings = settings(GateSpec::Value, rules()[1], &mut chance);
    let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
    for (name, alter) in
        COMPUTED.iter().filter(|(name, _)| !name.contains(' ') && !matches!(*name, "cached" | "episode"))
    {
        let mut altered = decisions.clone();
        let Some(place) = (0..altered.len()).rev().find(|place| alter(&mut altered[*place])) else { continue };
        let mut altered = decisions.clone();
        alter(&mut altered[place]);
        let found = recompute(&manifest, &altered).unwrap();
        let first = found.iter().find(|found| found.step == decisions[place].record.step).unwrap();
        assert_eq!(first.column, *name, "{first}");
        assert!(first.logged != first.computed, "{first}");
        let text = first.to_string();
        assert!(text.contains(&format!("step {}: {name} is logged as", first.step)), "{text}");
    }
}

fn rebuilt(decision: &mut Decision, change: impl Fn(&mut Parts)) {
    let AdviceModel::CandidateOnly(_) = &decision.record.evidence.advice else { return };
    let advice = &decision.record.evidence.advice;
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
    decision.record.evidence.advice = AdviceModel::CandidateOnly(advice);
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
    let alterations: [Alteration; 7] = [
        ("values", |d| {
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
        ("lower", |d| {
            rebuilt(d, |parts| parts.lower.iter_mut().for_each(|low| *low -= 10.0));
            true
        }),
        ("upper", |d| {
            rebuilt(d, |parts| parts.upper[0] += 10.0);
            true
        }),
        ("radius", |d| {
            d.record.evidence.radius = Radius::Finite(d.record.evidence.radius.value().min(1.0) + 0.5);
            true
        }),
        ("kappa", |d| {
            d.record.evidence.kappa += 0.5;
            true
        }),
    ];
    let mut chance = Chance(7);
    let mut found = [0; 7];
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
        d.record.evidence.visits += 1;
        true
    }),
    ("oracle_value, to a gate that may not read it", |d| {
        d.record.evidence.oracle_value = Some(123.0);
        true
    }),
    ("situation, without a cache", |d| {
        d.record.evidence.monitored = Monitored::Shifted;
        true
    }),
    ("context, without a cache", |d| {
        d.record.evidence.context.0 += 1;
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
    ("right", |d| d.hindsight.right.replace(Action(9)).is_none()),
    ("exact_value", |d| d.hindsight.exact_value.replace(9.0).is_none()),
    ("executed_gap", |d| d.hindsight.executed_gap.replace(9.0).is_none()),
    ("potential", |d| d.hindsight.potential.replace(9.0).is_none()),
];

#[test]
fn what_no_decision_follows_from_is_taken_as_given() {
    let mut chance = Chance(8);
    let mut applied = vec![0; EVIDENCE.len()];
    for gate in [GateSpec::Value, GateSpec::EpistemicGap, GateSpec::Always] {
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
