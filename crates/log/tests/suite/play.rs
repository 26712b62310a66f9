//! Decisions that a real engine made on situations nobody chose, and the manifest that belongs to them.

use counsel_decision::gate::{
    disagreement::Disagreement,
    importance::Importance,
    learned::Learned,
    novelty::Novelty,
    period::Period,
    predictive::Predictive,
    random::Random,
    random_exact::{Deficit, RandomExact},
    rcmp::Rcmp,
    schedule::{Schedule, Where},
    uncertainty::Uncertainty,
};
use counsel_decision::{
    Action, AdviceModel, BankrollSpec, Belief, Budget, CacheSpec, CandidateOnly, ContextKey, DualUpdate, Engine,
    Evidence, Execution, FallbackAfter, Forecast, Foretold, Form, Gate, Informative, Invalidation, Lead, Likelihood,
    Monitored, Pacing, Parser, Radius, Rationing, Reply, ReplySource, Reserve, ResponseLaw, Seed, Settings, StepSize,
    TokenBucket, Turn, Valuation, ValueBounds, ValueSamples,
};
use counsel_log::{
    Before, CellKey, Decision, Hindsight, LogFile, Manifest, Totals, Versions, decode, encode, recompute,
};

/// Numbers without a pattern that are the same for the same start (SplitMix64).
#[derive(Debug)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, but not with, `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    /// A number in [0, 1).
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    fn shares(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.share()).collect()
    }

    /// Probabilities, now and then with zeros among them.
    pub(crate) fn distribution(&mut self, count: usize) -> Vec<f64> {
        let weights: Vec<f64> = (0..count).map(|_| if self.below(4) == 0 { 0.0 } else { self.share() }).collect();
        ResponseLaw::proportional_to(&weights).as_slice().to_vec()
    }
}

/// Every policy, with the settings that have a variant of their own.
pub(crate) fn gates() -> Vec<Gate> {
    let predictive = |valuation| Gate::Predictive(Predictive { valuation });
    vec![
        Gate::Never,
        Gate::Always,
        Gate::Period(Period { every: 3 }),
        Gate::Random(Random { calls: 9, decisions: 40 }),
        Gate::RandomExact(RandomExact {
            calls_per_episode: vec![2, 0, 3, 1],
            decisions_per_episode: 6,
            deficit: Deficit::Carried,
        }),
        Gate::Schedule(Schedule { calls: 7, per_episode: 2, at: Where::Anywhere }),
        Gate::Schedule(Schedule { calls: 7, per_episode: 3, at: Where::Unheld }),
        Gate::Schedule(Schedule { calls: 7, per_episode: 3, at: Where::VisitedLessThan(2) }),
        Gate::Uncertainty(Uncertainty { threshold: 0.25 }),
        Gate::Disagreement(Disagreement { threshold: 0.4 }),
        Gate::Novelty(Novelty { threshold: 0.6 }),
        Gate::Value,
        Gate::Rcmp(Rcmp { threshold: 0.07 }),
        Gate::Importance(Importance::Early),
        Gate::Importance(Importance::Important { threshold: 0.3 }),
        Gate::Importance(Importance::Mistake { threshold: 0.3 }),
        Gate::EpistemicGap,
        predictive(Valuation::DeployedDecision),
        predictive(Valuation::RawAction),
        Gate::Amortised,
        Gate::Learned(Learned { first: 2, chance: 0.4, per_episode: Some(3), ..Learned::default() }),
        Gate::Oracle,
    ]
}

pub(crate) fn rules() -> [Execution; 4] {
    [
        Execution::Certified { tolerance: 0.9 },
        Execution::Improving,
        Execution::Trusting,
        Execution::LowVariance { max_variance: 0.08 },
    ]
}

fn budgets() -> [Budget; 6] {
    let bucket = Some(TokenBucket { capacity: 2, refill_every: 4 });
    let reserved = |reserve| Budget { reserve: Some(reserve), ..Budget::calls(12) };
    [
        Budget::calls(11),
        Budget::calls_per_episode(2),
        Budget { token_bucket: bucket, ..Budget::default() },
        reserved(Reserve { fraction: 0.5, after_step: 20, after_episode: 0 }),
        reserved(Reserve { fraction: 0.5, after_step: 0, after_episode: 2 }),
        Budget { per_run: Some(15), per_episode: Some(4), token_bucket: bucket, reserve: None },
    ]
}

fn caches() -> [CacheSpec; 4] {
    use Invalidation::{NoEffect, Shift, Support, TimeToLive};
    [
        CacheSpec::Off,
        CacheSpec::Keep(vec![]),
        CacheSpec::Keep(vec![TimeToLive(5), NoEffect]),
        CacheSpec::Keep(vec![Support, Shift, TimeToLive(12)]),
    ]
}

fn pacings() -> [Pacing; 3] {
    let dual = |step_size| Some(DualUpdate { step_size, target_rate: 0.2 });
    [
        Pacing::default(),
        Pacing { factor: 0.5, dual: dual(StepSize::Constant(0.3)), rationing: None },
        Pacing { factor: 2.0, dual: dual(StepSize::InverseSqrt(0.7)), rationing: Some(Rationing { window: 16 }) },
    ]
}

/// Settings nobody chose, around a gate and an execution rule.
pub(crate) fn settings(gate: Gate, execution: Execution, chance: &mut Chance) -> Settings {
    Settings {
        gate,
        execution,
        budget: chance.pick(&budgets()).clone(),
        pacing: *chance.pick(&pacings()),
        cache: chance.pick(&caches()).clone(),
        bankroll: (chance.below(2) == 0).then(|| BankrollSpec { start: chance.share(), most: 1.0 + chance.share() }),
    }
}

/// Evidence nobody chose, over this many actions.
pub(crate) fn evidence(actions: usize, chance: &mut Chance) -> Evidence {
    let models = 1 + chance.below(4);
    let samples = ValueSamples::new(actions, chance.shares(models * actions)).unwrap();
    let lower = chance.shares(actions);
    let upper = lower.iter().map(|low| low + chance.share()).collect();
    let bounds = ValueBounds::new(lower, upper).unwrap();
    let base = Action::new(chance.below(actions));
    let advice = if chance.below(2) == 0 {
        let law = ResponseLaw::new(actions, chance.distribution(actions + 1)).unwrap();
        let advice = CandidateOnly::new(law, samples, bounds, base).unwrap();
        let trusted = chance.below(2) == 0;
        let credits: Vec<f64> = chance.shares(actions).iter().map(|share| 0.4 * share - 0.1).collect();
        AdviceModel::CandidateOnly(if trusted { advice.vouched_for(&credits).unwrap() } else { advice })
    } else {
        let belief = Belief::exact(chance.distribution(models)).unwrap();
        let likelihood = (0..models).flat_map(|_| chance.distribution(actions + 1)).collect();
        let likelihood = Likelihood::new(actions, likelihood).unwrap();
        let after = *chance.pick(&[FallbackAfter::Unchanged, FallbackAfter::Greedy]);
        AdviceModel::Informative(Box::new(Informative::new(samples, belief, likelihood, bounds, base, after).unwrap()))
    };
    let mut evidence = Evidence::new(ContextKey(chance.next() % 5), advice, 0.2 * chance.share()).unwrap();
    evidence = evidence.with_radius(match chance.below(4) {
        0 => Radius::INFINITE,
        1 => Radius::ZERO,
        _ => Radius::new(0.2 * chance.share()).unwrap(),
    });
    evidence = evidence.with_visits(chance.next() % 6);
    let monitored = [Monitored::Supported, Monitored::Supported, Monitored::OutsideSupport, Monitored::Shifted];
    evidence = evidence.with_monitored(*chance.pick(&monitored));
    evidence = evidence.with_stalled(chance.below(3) == 0);
    let many = 1.0 + 9.0 * chance.share();
    evidence = evidence.with_expected_uses(*chance.pick(&[0.0, 1.0, many])).unwrap();
    evidence = evidence
        .with_fallback_law(if chance.below(2) == 0 { chance.distribution(actions) } else { Vec::new() })
        .unwrap();
    evidence = evidence.with_credited_gain(if chance.below(3) == 0 { chance.share() - 0.6 } else { 0.0 }).unwrap();
    let forecast = |chance: &mut Chance| Forecast::new(chance.share() - 0.3, 0.4 * chance.share()).unwrap();
    evidence = evidence.with_forecast((chance.below(4) > 0).then(|| forecast(chance)));
    evidence = evidence.with_oracle_value((chance.below(3) > 0).then(|| chance.share() - 0.5));
    let foretold = |chance: &mut Chance| Foretold::new(Action::new(chance.below(actions)), chance.share(), 3).unwrap();
    evidence = evidence.with_foretold((chance.below(3) == 0).then(|| foretold(chance))).unwrap();
    evidence.with_lead(if chance.below(6) == 0 { Lead::AgentTried } else { Lead::Controller })
}

/// A reply nobody chose: mostly usable, now and then foreign, out of range, lost, or from a language model.
pub(crate) fn reply(actions: usize, chance: &mut Chance) -> Reply {
    match chance.below(8) {
        0 => Reply::lost(),
        1 => Reply::simulated(*chance.pick(&["", "no idea", "a9", "a0 a1", "идти налево 🧭"])),
        2 => Reply {
            source: *chance.pick(&[ReplySource::Live, ReplySource::Replayed]),
            request_tokens: Some(117),
            response_tokens: Some(3),
            latency_ms: Some(41.5),
            ..Reply::simulated(format!(" \"A{}\". ", chance.below(actions)))
        },
        _ => Reply::simulated(format!("a{}", chance.below(actions))),
    }
}

/// The reply, put into this form.
fn in_form(form: Form, reply: Reply) -> Reply {
    match form {
        Form::Word => reply,
        Form::Json => Reply { text: serde_json::json!({ "action": reply.text }).to_string(), ..reply },
    }
}

/// How an engine is told of episodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Episodes {
    /// Before each one.
    Announced,
    /// The first one starts by itself.
    FirstByItself,
    /// Now and then one has no decision at all.
    SomeEmpty,
}

/// The decisions of an engine with these settings, and its manifest.
pub(crate) fn played(settings: Settings, episodes: Episodes, chance: &mut Chance) -> (Manifest, Vec<Decision>) {
    played_in(Form::Word, settings, episodes, chance)
}

/// The same with answers in this form.
pub(crate) fn played_in(
    form: Form,
    settings: Settings,
    episodes: Episodes,
    chance: &mut Chance,
) -> (Manifest, Vec<Decision>) {
    let (actions, seed) = (1 + chance.below(4), Seed::root(chance.next()));
    let parser = Parser::numbered(actions).in_form(form);
    let words = parser.words().to_vec();
    let mut engine = Engine::diagnostic(&settings, parser, seed).unwrap();
    let mut decisions = Vec::new();
    for episode in 0..6 {
        if episode > 0 || episodes != Episodes::FirstByItself {
            engine.begin_episode();
        }
        if episodes == Episodes::SomeEmpty && episode % 2 == 1 {
            continue;
        }
        for _ in 0..=chance.below(9) {
            let acted = match engine.decide(evidence(actions, chance)).unwrap() {
                Turn::Act(acted) => acted,
                Turn::Ask(question) => engine.resume(question, in_form(form, reply(actions, chance))),
            };
            let hindsight = Hindsight { reward: chance.share(), ..Hindsight::default() };
            decisions.push(Decision::new(acted.record, hindsight));
        }
    }
    (Manifest { form, ..manifest(settings, words, seed, &decisions) }, decisions)
}

/// The decisions of an engine that serves several places, in batches from which places are now and then missing.
pub(crate) fn played_side_by_side(settings: Settings, chance: &mut Chance) -> (Manifest, Vec<Decision>) {
    let (actions, places, seed) = (1 + chance.below(4), 2 + chance.below(4), Seed::root(chance.next()));
    let parser = Parser::numbered(actions);
    let words = parser.words().to_vec();
    let mut engine = Engine::diagnostic(&settings, parser, seed).unwrap();
    let mut begun = std::collections::BTreeSet::new();
    let mut decisions = Vec::new();
    for _ in 0..12 {
        let present: Vec<usize> = (0..places).filter(|_| chance.below(5) > 0).collect();
        for &place in &present {
            if begun.insert(place) || chance.below(4) == 0 {
                engine.turn_to(place);
                engine.begin_episode();
            }
        }
        engine.begin_batch();
        let decide = |place: &usize| {
            engine.turn_to(*place);
            engine.decide(evidence(actions, chance)).unwrap()
        };
        let turns: Vec<Turn> = present.iter().map(decide).collect();
        for turn in turns {
            let acted = match turn {
                Turn::Act(acted) => acted,
                Turn::Ask(question) => engine.resume(question, reply(actions, chance)),
            };
            decisions.push(Decision::new(acted.record, Hindsight::default()));
        }
    }
    (manifest(settings, words, seed, &decisions), decisions)
}

/// The cell of everything that is played here.
pub(crate) fn key() -> CellKey {
    CellKey { study: "study".into(), arm: "arm".into(), seed: 7 }
}

pub(crate) fn manifest(settings: Settings, words: Vec<String>, seed: Seed, decisions: &[Decision]) -> Manifest {
    Manifest {
        key: key(),
        arm_order: 0,
        spec: serde_json::json!({ "price": 0.25, "episodes": 6, "ratio": 1e-7 }),
        versions: Versions { counsel: "0.1.0".into(), log_format: Manifest::FORMAT },
        settings,
        advisor: "test".into(),
        advisors: Vec::new(),
        answers: counsel_log::AnswersFrom::Recorded,
        words,
        form: Form::Word,
        engine_seed: seed,
        calibration: None,
        totals: Totals::of(decisions, Before::default()),
        log: LogFile { file: String::new(), rows: 0, sha256: String::new() },
        pieces: Vec::new(),
        seal: String::new(),
    }
}

/// What the audit says about these decisions once they have been in a log.
pub(crate) fn audited(manifest: &Manifest, decisions: &[Decision]) -> Vec<counsel_log::Disagreement> {
    let logged = decode(&key(), encode(&key(), decisions).unwrap()).unwrap();
    recompute(manifest, &logged).unwrap()
}

#[track_caller]
pub(crate) fn assert_agrees(manifest: &Manifest, decisions: &[Decision], what: &str) {
    let found = audited(manifest, decisions);
    assert!(found.is_empty(), "{what}: {} of {} disagree, first {}", found.len(), decisions.len(), found[0]);
}
