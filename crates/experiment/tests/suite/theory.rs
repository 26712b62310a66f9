//! Theorem `thm:reg` on wrapped runs: regret is at most what the fallback loses on the histories that advice made, the tolerances of
//! the executed answers, and `δ T H`.
//!
//! Three things are held against each other, on worlds whose optimal values are known: the gaps along the run, what the episodes
//! returned, and the right-hand side. The coverage event is looked at on every run, not assumed.

use counsel_experiment::{Catalogue, Fate, Library, Observer, Plan, PlannedCell, Runner};
use counsel_log::{CellKey, Decision, Run};
use counsel_transcript::Shelf;

const SEEDS: u64 = 24;
const EPISODES: usize = 20;
/// δ, the probability with which some bound of a run may fail.
const FAILURE: f64 = 0.1;

const STUDY: &str = r#"
id = "wrapped"
seeds = 24
scenario = "controlled"

[shared]
world = { kind = "chain", length = 4, horizon = 6 }
learner = { kind = "optimistic", bounds = { scale = 0.71, steps = 120, failure = 0.1 } }
advisor = { kind = "simulated", reliability = { constant = 0.5 } }
predictor = { predictor = "feature" }
gate = { policy = "always" }
execution = { certified = { tolerance = 4.0 } }
budget = { per_run = 120 }
price = 0.05
episodes = 20
calibration = { radius = { method = "zero" } }

[[arms]]
name = "chain"

[[arms]]
name = "chain-psrl"
set = { learner = { kind = "psrl", bounds = { scale = 0.71, steps = 120, failure = 0.1 } } }

[[arms]]
name = "lock"
set = { world = { kind = "lock", length = 3, actions = 3, horizon = 6 }, execution = { certified = { tolerance = 0.1 } }, learner = { kind = "optimistic", bounds = { kind = "deterministic" } } }

[[arms]]
name = "lock-trusting"
set = { world = { kind = "lock", length = 3, actions = 3, horizon = 6 }, execution = "trusting", learner = { kind = "optimistic", bounds = { kind = "deterministic" } } }
"#;

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

fn play() -> (tempfile::TempDir, Run) {
    let study = Catalogue::parse(STUDY).unwrap();
    let cells = Plan::new(&study, None, &[]).unwrap().into_cells();
    let (folder, library) = (tempfile::tempdir().unwrap(), Library::recorded(Shelf::embedded()));
    let run = Run::at(folder.path());
    Runner::new(run.clone(), &library, 2).run(&cells, &Silent).unwrap();
    (folder, run)
}

/// What one run adds to the two sides of the inequality.
#[derive(Debug, Clone, Copy, Default)]
struct Sides {
    /// What the episodes fell short of the optimal value of their first state.
    regret: f64,
    /// The gaps of all executed actions.
    gaps: f64,
    /// The gaps of the fallback's proposals where no advice was executed.
    fallback: f64,
    /// The widths of the same proposals.
    widths: f64,
    /// The gaps of the executed answers, how many there are, and how many of them were not the best action.
    advised: f64,
    executed: f64,
    worse: f64,
    /// Whether every optimal value lay within its bounds.
    covered: bool,
}

fn sides(decisions: &[Decision]) -> Sides {
    let mut sides = Sides { covered: true, ..Sides::default() };
    for Decision { record, hindsight, .. } in decisions {
        let (gap, optimal) = (hindsight.executed_gap.unwrap(), &hindsight.optimal_values);
        let bounds = record.evidence.advice().none().bounds();
        let pairs = optimal.iter().zip(bounds.lower().iter().zip(bounds.upper()));
        sides.covered &= pairs.into_iter().all(|(value, (low, high))| (low - 1e-9..=high + 1e-9).contains(value));
        if record.step_in_episode == 0 {
            sides.regret += optimal.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        }
        sides.regret -= hindsight.reward;
        sides.gaps += gap;
        if record.answer().is_some_and(|answer| answer.verdict == counsel_decision::Verdict::Executed) {
            sides.advised += gap;
            sides.executed += 1.0;
            sides.worse += f64::from(u8::from(gap > 1e-9));
        } else {
            sides.fallback += hindsight.base_gap.unwrap();
            sides.widths += bounds.width(record.evidence.advice().none().base());
        }
    }
    sides
}

fn all(run: &Run, arm: &str) -> Vec<Sides> {
    let cell = |seed| run.cell(&CellKey { study: "wrapped".into(), arm: arm.into(), seed }).unwrap().unwrap();
    (0..SEEDS).map(|seed| sides(&cell(seed).decisions().unwrap())).collect()
}

fn mean(sides: &[Sides], of: impl Fn(&Sides) -> f64) -> f64 {
    sides.iter().map(of).sum::<f64>() / sides.len() as f64
}

#[test]
fn regret_of_wrapped_runs_is_within_the_theorem() {
    let (_folder, run) = play();
    for (arm, tolerance, horizon) in [("chain", 4.0, 6.0), ("chain-psrl", 4.0, 6.0), ("lock", 0.1, 1.0)] {
        let sides = all(&run, arm);
        for (seed, side) in sides.iter().enumerate().filter(|(_, side)| side.covered) {
            assert!(side.advised <= tolerance * side.executed + 1e-9, "{arm} {seed}: {side:?}");
            assert!(side.gaps <= side.fallback + tolerance * side.executed + 1e-9, "{arm} {seed}: {side:?}");
            assert!(arm == "chain-psrl" || side.fallback <= side.widths + 1e-9, "{arm} {seed}: {side:?}");
        }
        let failed = sides.iter().filter(|side| !side.covered).count() as f64 / SEEDS as f64;
        assert!(failed <= FAILURE + 0.15, "{arm}: the bounds fail on {failed} of the runs");
        let steps = (EPISODES * 6) as f64;
        let limit = mean(&sides, |side| side.fallback + tolerance * side.executed) + FAILURE * steps * horizon;
        assert!(mean(&sides, |side| side.regret) <= limit, "{arm}: {limit}");
        // The performance-difference identity, on which the proof rests: regret is the sum of the gaps in expectation.
        let difference = |side: &Sides| side.regret - side.gaps;
        let spread = mean(&sides, |side| difference(side).powi(2)).sqrt() / (SEEDS as f64).sqrt();
        assert!(mean(&sides, difference).abs() <= 4.0 * spread + 1e-9, "{arm}: {}", mean(&sides, difference));
        assert!(sides.iter().any(|side| side.executed > 0.0), "{arm}: advice was executed");
    }
    let wrong = |arm: &str| mean(&all(&run, arm), |side| side.worse / side.executed.max(1.0));
    assert!(wrong("chain") > 0.1, "some of it was not the best action, within the tolerance");
    // Without the certificate an executed answer may cost more: a wrong turn of the lock costs a sixth.
    assert!(all(&run, "lock-trusting").iter().any(|side| side.worse > 0.0 && side.advised > 0.1 * side.worse));
}
