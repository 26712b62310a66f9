//! The promises of the decision crate, on inputs nobody chose.

use counsel_decision::Monitored;
use counsel_decision::gate::schedule::{Schedule, Where};
use counsel_decision::gate::{
    predictive::Predictive,
    random::Random,
    random_exact::{Deficit, RandomExact},
};
use counsel_decision::{
    Act, Action, AdviceModel, Ask, Belief, Budget, CacheSpec, CandidateOnly, ContextKey, Engine, Error, Evidence,
    Execution, FallbackAfter, Gate, Informative, Likelihood, Parser, Radius, Reply, Reserve, Response, ResponseLaw,
    Seed, Settings, TokenBucket, Turn, ValueBounds, ValueSamples, Verdict,
};
use proptest::prelude::*;

/// A random decision problem with its true optimal values.
#[derive(Debug, Clone)]
struct Problem {
    evidence: Evidence,
    optimal: Vec<f64>,
}

prop_compose! {
    fn problem()(actions in 1usize..6, samples in 1usize..9)(
        values in prop::collection::vec(-1.0..1.0f64, samples * actions),
        optimal in prop::collection::vec(0.0..1.0f64, actions),
        below in prop::collection::vec(0.0..0.5f64, actions),
        above in prop::collection::vec(0.0..0.5f64, actions),
        weights in prop::collection::vec(0.01..1.0f64, actions + 1),
        base in 0..actions,
        context in 0u64..4,
        radius in 0.0..0.3f64,
        price in 0.0..0.3f64,
        actions in Just(actions),
    ) -> Problem {
        let lower = optimal.iter().zip(&below).map(|(q, d)| q - d).collect();
        let upper = optimal.iter().zip(&above).map(|(q, d)| q + d).collect();
        let advice = CandidateOnly::new(
            ResponseLaw::proportional_to(&weights),
            ValueSamples::new(actions, values).unwrap(),
            ValueBounds::new(lower, upper).unwrap(),
            Action::new(base),
        ).unwrap();
        let evidence = Evidence::new(ContextKey(context), AdviceModel::CandidateOnly(advice), price).unwrap();
        let evidence = evidence.with_radius(Radius::new(radius).unwrap());
        Problem { evidence, optimal }
    }
}

fn settings(gate: Gate, execution: Execution, budget: Budget) -> Settings {
    Settings { cache: CacheSpec::Keep(vec![]), ..Settings::new(gate, execution, budget) }
}

fn engine(gate: Gate, execution: Execution, budget: Budget) -> Engine {
    Engine::new(&settings(gate, execution, budget), Parser::numbered(6), Seed::root(1)).unwrap()
}

fn predictive() -> Gate {
    Gate::Predictive(Predictive::default())
}

fn asks(evidence: Evidence) -> bool {
    let mut engine = engine(predictive(), Execution::Improving, Budget::calls(1));
    matches!(engine.decide(evidence), Ok(Turn::Ask(_)))
}

fn complete(engine: &mut Engine, evidence: Evidence, text: &str) -> Act {
    match engine.decide(evidence).unwrap() {
        Turn::Act(acted) => acted,
        Turn::Ask(question) => engine.resume(question, Reply::simulated(text)),
    }
}

proptest! {
    #[test]
    fn asking_is_monotone_in_price_and_radius(problem in problem(), more in 0.0..0.5f64) {
        let evidence = problem.evidence;
        let dearer = evidence.clone().at_price(evidence.price() + more).unwrap();
        let wider = evidence.clone().with_radius(Radius::new(evidence.radius().value() + more).unwrap());
        let unknown = evidence.clone().with_radius(Radius::default());
        let now = asks(evidence);
        prop_assert!(now || !asks(dearer), "a dearer call was bought");
        prop_assert!(now || !asks(wider), "a wider radius led to a call");
        prop_assert!(!asks(unknown), "an uncalibrated gate asked");
    }

    /// Lemma `lem:certified`.
    #[test]
    fn certified_actions_lose_at_most_the_tolerance(problem in problem(), tolerance in 0.0..1.0f64) {
        let best = problem.optimal.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let rule = Execution::Certified { tolerance };
        for response in Response::all(problem.optimal.len()) {
            let Response::Recommends(action) = response else { continue };
            let mut engine = engine(Gate::Always, rule, Budget::calls(1));
            let acted = complete(&mut engine, problem.evidence.clone(), &format!("a{action}"));
            if acted.record.answer().unwrap().verdict == Verdict::Executed {
                prop_assert!(best - problem.optimal[acted.action.index()] <= tolerance + 1e-12);
            }
        }
    }

    /// Theorem `thm:allocation`: no negative-net query, and surrogate loss at most twice the sum of radii.
    #[test]
    fn surrogate_loss_is_within_twice_the_radii(problems in prop::collection::vec((problem(), -1.0..=1.0f64), 1..30)) {
        let mut engine = engine(predictive(), Execution::Improving, Budget::calls(1000));
        let (mut loss, mut radii) = (0.0, 0.0);
        for (problem, error) in problems {
            let record = complete(&mut engine, problem.evidence, "a0").record;
            let radius = record.evidence.radius().value();
            // Any true value within the radius of the estimate, the covered event of the theorem.
            let truth = record.estimate + error * radius;
            let net = truth - record.paced_price;
            prop_assert!(!record.asked() || net >= -1e-12, "a negative-net-value query was issued: {net}");
            loss += net.max(0.0) - if record.asked() { net } else { 0.0 };
            radii += radius;
        }
        prop_assert!(loss <= 2.0 * radii + 1e-9, "loss {loss} > 2 * {radii}");
    }

    #[test]
    fn the_prospective_decision_is_what_resume_executes(problem in problem(), tolerance in 0.0..1.5f64, rule in 0..4) {
        let rule = match rule {
            0 => Execution::Certified { tolerance },
            1 => Execution::Improving,
            2 => Execution::Trusting,
            _ => Execution::LowVariance { max_variance: tolerance },
        };
        let actions = problem.optimal.len();
        for response in Response::all(actions) {
            let mut engine = engine(Gate::Always, rule, Budget::calls(1));
            let text = match response {
                Response::Recommends(action) => format!("a{action}"),
                Response::Unusable => "no idea".into(),
            };
            let acted = complete(&mut engine, problem.evidence.clone(), &text);
            let prospect = acted.record.prospects[response.index(actions)];
            prop_assert_eq!(acted.action, prospect.action);
            prop_assert_eq!(acted.record.answer().unwrap().verdict, prospect.verdict);
            prop_assert_eq!(acted.paid.unwrap().response(), response);
        }
    }

    /// Under any interleaving of decisions, replies, losses, episodes and abandoned questions.
    #[test]
    fn the_budget_is_never_exceeded(
        problem in problem(),
        per_run in prop::option::of(0u64..8),
        per_episode in prop::option::of(0u64..4),
        bucket in prop::option::of((0u64..3, 1u64..5)),
        fraction in prop::option::of(0.0..=1.0f64),
        (after_step, after_episode) in (0u64..30, 0u64..3).prop_filter("a reserve", |(step, episode)| step + episode > 0),
        events in prop::collection::vec(0..6, 1..80),
    ) {
        prop_assume!(per_run.is_some() || per_episode.is_some() || bucket.is_some());
        let budget = Budget {
            per_run,
            per_episode,
            token_bucket: bucket.map(|(capacity, refill_every)| TokenBucket { capacity, refill_every }),
            reserve: fraction.filter(|_| per_run.is_some()).map(|fraction| Reserve { fraction, after_step, after_episode }),
        };
        let mut engine = engine(Gate::Always, Execution::Trusting, budget);
        let mut open: Vec<Ask> = Vec::new();
        // The first episode begins with the first decision, or with the first event that begins one.
        let (mut asked, mut asked_in_episode, mut decisions, mut episodes) = (0u64, 0u64, 0u64, 0u64);
        for event in events {
            match event {
                0..=2 => {
                    (decisions, episodes) = (decisions + 1, episodes.max(1));
                    match engine.decide(problem.evidence.clone()).unwrap() {
                        Turn::Ask(question) => {
                            asked += 1;
                            asked_in_episode += 1;
                            prop_assert_eq!(question.serial(), asked);
                            open.push(question);
                        }
                        Turn::Act(acted) => prop_assert_eq!(acted.record.calls_left, 0),
                    }
                }
                3 => drop(open.pop()),
                4 => if let Some(question) = open.pop() {
                    let lost = engine.resume(question, Reply::lost());
                    prop_assert_eq!(lost.paid.unwrap().response(), Response::Unusable);
                },
                _ => {
                    engine.begin_episode();
                    (episodes, asked_in_episode) = (episodes + 1, 0);
                }
            }
            prop_assert_eq!(engine.calls_made(), asked);
            prop_assert!(per_run.is_none_or(|limit| asked <= limit));
            prop_assert!(per_episode.is_none_or(|limit| asked_in_episode <= limit));
            prop_assert!(bucket.is_none_or(|(capacity, every)| asked <= capacity + decisions / every));
            if let (Some(limit), Some(fraction)) = (per_run, fraction) {
                let kept = (limit as f64 * fraction).ceil();
                let released = decisions > after_step && episodes > after_episode;
                prop_assert!(released || asked as f64 <= limit as f64 - kept);
            }
        }
    }

    #[test]
    fn random_gates_spend_exactly_what_was_declared(calls in 0u64..20, extra in 0u64..30, seed: u64, problem in problem()) {
        let decisions = calls + extra;
        let gate = Gate::Random(Random { calls, decisions });
        let settings = settings(gate, Execution::Improving, Budget::calls(1000));
        let mut engine = Engine::new(&settings, Parser::numbered(6), Seed::root(seed)).unwrap();
        for _ in 0..decisions {
            complete(&mut engine, problem.evidence.clone(), "a0");
        }
        prop_assert_eq!(engine.calls_made(), calls);
    }

    #[test]
    fn random_exact_carries_deficits_forward(
        episodes in prop::collection::vec((0u64..5, 1u64..8), 1..12), seed: u64, problem in problem()
    ) {
        let gate = Gate::RandomExact(RandomExact {
            calls_per_episode: episodes.iter().map(|(calls, _)| *calls).collect(),
            decisions_per_episode: 7,
            deficit: Deficit::Carried,
        });
        let settings = settings(gate, Execution::Improving, Budget::calls(1000));
        let mut engine = Engine::new(&settings, Parser::numbered(6), Seed::root(seed)).unwrap();
        let mut due = 0;
        for (calls, length) in episodes {
            due += calls;
            engine.begin_episode();
            let before = engine.calls_made();
            for _ in 0..length {
                complete(&mut engine, problem.evidence.clone(), "a0");
            }
            let made = engine.calls_made() - before;
            prop_assert!(before + made <= due);
            prop_assert!(length < 7 || made == (due - before).min(length), "a full episode pays what it has room for");
        }
    }

    #[test]
    fn a_certificate_that_is_switched_off_leaves_the_gate_as_it_is(tolerance in 0.0..2.0f64, problem in problem()) {
        let limit = || Budget::calls(1000);
        let mut on = engine(Gate::Always, Execution::Certified { tolerance }, limit());
        let mut off = engine(Gate::Always, Execution::Unscreened { tolerance }, limit());
        prop_assert_eq!(on.preview(&problem.evidence), off.preview(&problem.evidence));
        let screened = complete(&mut on, problem.evidence.clone(), "a0");
        let followed = complete(&mut off, problem.evidence, "a0");
        prop_assert_eq!(screened.record.estimate, followed.record.estimate);
        prop_assert_eq!(followed.action, Action(0));
    }

    #[test]
    fn a_schedule_can_keep_to_supported_contexts(calls in 1u64..5, problem in problem()) {
        let gate = Gate::Schedule(Schedule { calls, per_episode: calls, at: Where::Supported });
        let mut engine = engine(gate, Execution::Improving, Budget::calls(1000));
        for step in 0..10u64 {
            let situation = if step % 2 == 0 { Monitored::OutsideSupport } else { Monitored::Supported };
            let evidence = problem.evidence.clone().with_monitored(situation);
            let asked = complete(&mut engine, evidence, "a0").record.asked();
            prop_assert_eq!(asked, step % 2 == 1 && step / 2 < calls);
        }
    }

    #[test]
    fn dropped_deficits_are_never_made_up_for(
        episodes in prop::collection::vec((0u64..5, 1u64..8), 1..12), seed: u64, problem in problem()
    ) {
        let gate = Gate::RandomExact(RandomExact {
            calls_per_episode: episodes.iter().map(|(calls, _)| *calls).collect(),
            decisions_per_episode: 7,
            deficit: Deficit::Dropped,
        });
        let settings = settings(gate, Execution::Improving, Budget::calls(1000));
        let mut engine = Engine::new(&settings, Parser::numbered(6), Seed::root(seed)).unwrap();
        for (calls, length) in episodes {
            engine.begin_episode();
            let before = engine.calls_made();
            for _ in 0..length {
                complete(&mut engine, problem.evidence.clone(), "a0");
            }
            let made = engine.calls_made() - before;
            prop_assert!(made <= calls);
            prop_assert!(length < 7 || made == calls, "a full episode makes all of its calls");
        }
    }

    #[test]
    fn schedules_are_early_and_capped(calls in 0u64..10, per_episode in 1u64..4, problem in problem()) {
        let gate = Gate::Schedule(Schedule { calls, per_episode, at: Where::Anywhere });
        let mut engine = engine(gate, Execution::Improving, Budget::calls(1000));
        for episode in 0..12u64 {
            engine.begin_episode();
            for step in 0..5u64 {
                let asked = complete(&mut engine, problem.evidence.clone(), "a0").record.asked();
                prop_assert_eq!(asked, step < per_episode && episode * per_episode + step < calls);
            }
        }
    }

    /// Enumerated models and models drawn in exactly those proportions give the same posterior and estimate.
    #[test]
    fn importance_weights_agree_with_the_exact_posterior(
        counts in prop::collection::vec(1usize..4, 2..4),
        values in prop::collection::vec(0.0..1.0f64, 12),
        rows in prop::collection::vec(0.05..1.0f64, 16),
    ) {
        let (actions, models) = (3, counts.len());
        let total: usize = counts.iter().sum();
        let law = |m: usize| ResponseLaw::proportional_to(&rows[m * 4..m * 4 + 4]).as_slice().to_vec();
        let build = |rows: &[usize], belief: Belief| {
            Informative::new(
                ValueSamples::new(actions, rows.iter().flat_map(|&m| values[m * 3..m * 3 + 3].to_vec()).collect()).unwrap(),
                belief,
                Likelihood::new(actions, rows.iter().flat_map(|&m| law(m)).collect()).unwrap(),
                ValueBounds::new(vec![0.0; 3], vec![1.0; 3]).unwrap(),
                Action(0),
                FallbackAfter::Greedy,
            ).unwrap()
        };
        let each: Vec<usize> = (0..models).collect();
        let drawn: Vec<usize> = each.iter().flat_map(|&m| vec![m; counts[m]]).collect();
        let exact = Belief::exact(counts.iter().map(|&c| c as f64 / total as f64).collect()).unwrap();
        let decide = |advice: Informative| {
            let evidence = Evidence::new(ContextKey(0), AdviceModel::Informative(Box::new(advice)), 0.0).unwrap();
            let mut engine = engine(Gate::Never, Execution::Improving, Budget::calls(1));
            complete(&mut engine, evidence, "").record.estimate
        };
        let (a, b) = (decide(build(&each, exact)), decide(build(&drawn, Belief::drawn(total))));
        prop_assert!((a - b).abs() < 1e-12, "{} against {}", a, b);
        prop_assert!(a >= -1e-12, "information cannot hurt a decision that improves on the fallback: {}", a);
    }
}

#[test]
fn the_oracle_cannot_be_deployed_by_accident() {
    let settings = settings(Gate::Oracle, Execution::Improving, Budget::calls(1));
    let error = Engine::new(&settings, Parser::numbered(2), Seed::root(0)).unwrap_err();
    assert_eq!(error, Error::DiagnosticGate { gate: "oracle" });
    assert!(Engine::diagnostic(&settings, Parser::numbered(2), Seed::root(0)).is_ok());
}

#[test]
fn a_budget_must_limit_something() {
    let open = settings(Gate::Always, Execution::Improving, Budget::default());
    assert_eq!(Engine::new(&open, Parser::numbered(2), Seed::root(0)).unwrap_err(), Error::UnlimitedBudget);
}
