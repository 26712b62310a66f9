//! Proposition `prop:positive`: in a context that comes round `m` times whatever is done, one query lowers decision regret, net of
//! its price `c`, by at least `η m (g - ε) - c`, where it succeeds with probability `η` and replaces a gap `g` by one of `ε`.
//!
//! The engine plays the contexts with and without a query at the first occurrence; predicted and realised are compared over a grid
//! of all five quantities.

use counsel_decision::{
    Action, AdviceModel, Budget, CacheSpec, CandidateOnly, ContextKey, Engine, Evidence, Execution, Gate, Parser,
    Reply, ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
};
use rand::RngExt;

/// How often each setting is played.
const TRIALS: u64 = 400;
/// The best value there is.
const BEST: f64 = 1.0;

/// One setting of the proposition.
#[derive(Debug, Clone, Copy)]
struct Setting {
    /// η
    success: f64,
    /// m
    occurrences: u64,
    /// g
    fallback_gap: f64,
    /// ε
    certified_gap: f64,
    /// c
    price: f64,
}

impl Setting {
    fn predicted(self) -> f64 {
        self.success * self.occurrences as f64 * (self.fallback_gap - self.certified_gap) - self.price
    }

    /// Action 0 is best and nobody names it, action 1 is the advised one, action 2 the fallback's.
    fn values(self) -> [f64; 3] {
        [BEST, BEST - self.certified_gap, BEST - self.fallback_gap]
    }

    /// Values are known up to a hair, so that the certificate at the tolerance ε admits the advised action and no worse one.
    fn evidence(self, context: u64) -> Evidence {
        let (values, hair) = (self.values(), 1e-9);
        let bounds = ValueBounds::new(values.map(|v| v - hair).to_vec(), values.map(|v| v + hair).to_vec()).unwrap();
        let samples = ValueSamples::new(3, values.to_vec()).unwrap();
        let advice = CandidateOnly::new(ResponseLaw::uniform(3), samples, bounds, Action(2)).unwrap();
        Evidence::new(ContextKey(context), AdviceModel::CandidateOnly(advice), self.price).unwrap()
    }

    /// The regret of all occurrences of one context, and what was paid, under this gate.
    fn played(self, gate: Gate, context: u64, succeeds: bool) -> (f64, f64) {
        let settings = Settings {
            cache: CacheSpec::Keep(Vec::new()),
            ..Settings::new(gate, Execution::Certified { tolerance: self.certified_gap + 4e-9 }, Budget::calls(1))
        };
        let mut engine = Engine::new(&settings, Parser::numbered(3), Seed::root(context)).unwrap();
        let (mut regret, mut paid) = (0.0, 0.0);
        for _ in 0..self.occurrences {
            let act = match engine.decide(self.evidence(context)).unwrap() {
                Turn::Act(act) => act,
                Turn::Ask(ask) => {
                    paid += self.price;
                    engine.resume(ask, Reply::simulated(if succeeds { "a1" } else { "no idea" }))
                }
            };
            regret += BEST - self.values()[act.action.index()];
        }
        (regret, paid)
    }

    /// The mean of what the query saved, net of its price, with its standard error.
    fn realised(self, seed: Seed) -> (f64, f64) {
        let mut rng = seed.rng();
        let mut saved = Vec::new();
        for context in 0..TRIALS {
            let succeeds = rng.random::<f64>() < self.success;
            let (without, _) = self.played(Gate::Never, context, succeeds);
            let (with, paid) = self.played(Gate::Always, context, succeeds);
            saved.push(without - with - paid);
        }
        let mean = saved.iter().sum::<f64>() / TRIALS as f64;
        let squares: f64 = saved.iter().map(|value| (value - mean).powi(2)).sum();
        (mean, (squares / (TRIALS - 1) as f64 / TRIALS as f64).sqrt())
    }
}

#[test]
fn one_query_saves_what_the_proposition_predicts() {
    let (mut gains, mut losses) = (0, 0);
    let mut number = 0;
    for success in [0.0, 0.3, 0.9, 1.0] {
        for occurrences in [1, 4, 12] {
            for (fallback_gap, certified_gap) in [(0.5, 0.0), (0.5, 0.2), (0.1, 0.05)] {
                for price in [0.05, 1.0] {
                    let setting = Setting { success, occurrences, fallback_gap, certified_gap, price };
                    let (predicted, (realised, error)) = (setting.predicted(), setting.realised(Seed::root(number)));
                    number += 1;
                    assert!(
                        (realised - predicted).abs() <= 4.0 * error + 1e-6,
                        "{setting:?}: {realised} for {predicted}"
                    );
                    gains += u32::from(predicted > 0.0 && realised > 0.0);
                    losses += u32::from(predicted < 0.0 && realised < 0.0);
                }
            }
        }
    }
    assert!(gains >= 20 && losses >= 20, "the grid has both sides: {gains}, {losses}");
}

/// Without the assumptions the promise is gone: an answer that is not kept serves one occurrence, not all of them.
#[test]
fn an_answer_that_is_not_reused_saves_its_own_occurrence_only() {
    let setting = Setting { success: 1.0, occurrences: 8, fallback_gap: 0.5, certified_gap: 0.0, price: 0.05 };
    let settings = Settings::new(Gate::Always, Execution::Certified { tolerance: 0.25 }, Budget::calls(1));
    let mut engine = Engine::new(&settings, Parser::numbered(3), Seed::root(0)).unwrap();
    let mut saved = 0.0;
    for _ in 0..setting.occurrences {
        let act = match engine.decide(setting.evidence(0)).unwrap() {
            Turn::Act(act) => act,
            Turn::Ask(ask) => engine.resume(ask, Reply::simulated("a1")),
        };
        saved += setting.values()[act.action.index()] - setting.values()[2];
    }
    assert!((saved - 0.5).abs() < 1e-9 && setting.predicted() > 3.9, "{saved}");
}

/// The certificate is what bounds ε: an answer beyond the tolerance is not executed, and the query is lost.
#[test]
fn an_answer_beyond_the_tolerance_saves_nothing() {
    let setting = Setting { success: 1.0, occurrences: 8, fallback_gap: 0.5, certified_gap: 0.2, price: 0.05 };
    let settings = Settings {
        cache: CacheSpec::Keep(Vec::new()),
        ..Settings::new(Gate::Always, Execution::Certified { tolerance: 0.1 }, Budget::calls(1))
    };
    let mut engine = Engine::new(&settings, Parser::numbered(3), Seed::root(0)).unwrap();
    for _ in 0..setting.occurrences {
        let act = match engine.decide(setting.evidence(0)).unwrap() {
            Turn::Act(act) => act,
            Turn::Ask(ask) => engine.resume(ask, Reply::simulated("a1")),
        };
        assert_eq!(act.action, Action(2));
    }
}
