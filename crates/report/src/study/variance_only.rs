//! `variance-only`: low variance as a licence to act, against the action-gap certificate.

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::measure::{acceptance, calls, mean_return, wrong_acceptance};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("return", Show::Interval(3), mean_return),
            column("calls", Show::Mean(1), calls),
            column("acceptance", Show::Mean(3), acceptance),
            column("wrong-advice acceptance", Show::Mean(3), wrong_acceptance),
        ],
        // The prevented loss is the difference in return.
        comparison: Some(Comparison { baseline: "variance-only", heading: "return", decimals: 3 }),
        claims,
    }
}

fn claims(results: &Results) -> Vec<Claim> {
    let wrong = |arm| results.mean(arm, "wrong-advice acceptance");
    vec![
        Claim::new(
            "the variance-only rule accepts every wrong response",
            wrong("variance-only").map(|share| share == 1.0),
        ),
        Claim::new(
            "the certificate accepts fewer (paired, 95 %)",
            results.clearly_above("variance-only", "certificate", "wrong-advice acceptance"),
        ),
        Claim::new(
            "the certificate prevents a loss of return against the variance-only rule (paired, 95 %)",
            results.clearly_above("certificate", "variance-only", "return"),
        ),
    ]
}
