//! `lock-tolerance`: what the certificate admits as its tolerance grows.

use counsel_decision::ExecutionRule;

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::measure::{CellLog, acceptance, calls_per_episode, mean_return, share};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("right action certified", Show::Mean(3), right_certified),
            column("certified where range > tolerance", Show::Mean(3), certified_in_range),
            column("return", Show::Interval(3), mean_return),
            column("calls per episode", Show::Mean(2), calls_per_episode),
            column("acceptance", Show::Mean(3), acceptance),
        ],
        comparison: Some(Comparison { baseline: "never", heading: "return", decimals: 4 }),
        claims,
    }
}

/// The share of decisions at which the certificate would admit the right action.
fn right_certified(log: &CellLog<'_>) -> Option<f64> {
    certified_among(log, |_, _| true)
}

/// The same share, over decisions at which more value is left to win than the tolerance: elsewhere any bounds certify.
fn certified_in_range(log: &CellLog<'_>) -> Option<f64> {
    let horizon = log.setting(&["world", "horizon"])?;
    certified_among(log, |stage, tolerance| (horizon - stage) / horizon > tolerance + 1e-9)
}

fn certified_among(log: &CellLog<'_>, counts: impl Fn(f64, f64) -> bool) -> Option<f64> {
    let ExecutionRule::Certified { tolerance } = log.manifest.controller.execution else { return None };
    let among = log.decisions.iter().filter(|d| counts(d.record.step_in_episode as f64, tolerance));
    share(among, |decision| {
        let bounds = decision.record.evidence.advice.none().bounds();
        decision.hindsight.right.is_some_and(|right| bounds.lower()[right.index()] >= bounds.ceiling() - tolerance)
    })
}

fn claims(results: &Results) -> Vec<Claim> {
    const BELOW: [&str; 3] = ["visit-count-0.25", "visit-count-0.5", "visit-count-0.9"];
    let all = |truths: &mut dyn Iterator<Item = Option<bool>>| {
        truths.collect::<Option<Vec<bool>>>().map(|t| t.iter().all(|x| *x))
    };
    let certified = |arm: &str, heading| results.mean(arm, heading);
    let in_range = "certified where range > tolerance";
    let no_gain = |arm: &str| results.paired(arm, "never", "return")?.t_interval.map(|gain| !gain.excludes(0.0));
    vec![
        Claim::new(
            "at tolerance = V_max everything is certified",
            certified("visit-count-1.0", "right action certified").map(|share| share == 1.0),
        ),
        Claim::new(
            "below it, visit-count bounds certify nothing where more than the tolerance is left to win",
            all(&mut BELOW.iter().map(|arm| certified(arm, in_range).map(|share| share == 0.0))),
        ),
        Claim::new(
            "below it, the gain over never-query does not differ from zero (95 %)",
            all(&mut BELOW.iter().map(|arm| no_gain(arm))),
        ),
        Claim::new(
            "bounds that use the lock's determinism certify there, so the certificate becomes a graded filter",
            all(&mut ["deterministic-0.25", "deterministic-0.5", "deterministic-0.9"]
                .iter()
                .map(|arm| certified(arm, in_range).map(|share| share > 0.0))),
        ),
    ]
}
