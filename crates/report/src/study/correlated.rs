//! `correlated`: an advisor that repeats its errors, with the certificate on and off.

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::measure::{acceptance, calls, mean_return, right_rejection, unsafe_acceptance, unusable};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("return", Show::Interval(3), mean_return),
            column("calls", Show::Mean(1), calls),
            column("accept rate", Show::Mean(3), acceptance),
            column("unsafe accept", Show::Interval(3), unsafe_acceptance),
            column("correct reject", Show::Mean(3), right_rejection),
            column("unusable", Show::Mean(3), unusable),
        ],
        // The prevented loss is the difference in return.
        comparison: Some(Comparison { baseline: "certificate-off", heading: "return", decimals: 3 }),
        claims,
    }
}

fn claims(results: &Results) -> Vec<Claim> {
    vec![Claim::new(
        "unsafe acceptance is lower with the certificate (paired, 95 %)",
        results.clearly_above("certificate-off", "certificate-on", "unsafe accept"),
    )]
}
