//! The conformal score r = (|Δ̂ - Δ̃| + ρ) / s(x), Eq. `eq:beta-score`.

use counsel_decision::refusal::in_range;

use crate::{Error, Opportunity};

/// The score of an opportunity whose error is expected to be of size `scale`.
pub fn score(opportunity: &Opportunity, scale: f64) -> Result<f64, Error> {
    opportunity.check()?;
    in_range(scale > 0.0 && scale.is_finite(), "a scale", scale, "(0, infinity)", "pass 1 for an unscaled score")?;
    Ok(opportunity.error() / scale)
}

/// How far the estimate of an opportunity may lie above its true value: the one-sided score. An estimate that is too low
/// has score 0.
pub fn excess(opportunity: &Opportunity) -> Result<f64, Error> {
    opportunity.check()?;
    Ok((opportunity.estimate - opportunity.label + opportunity.monte_carlo).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_monte_carlo_term_is_added_before_scaling() {
        let opportunity = Opportunity {
            estimate: 0.25,
            label: 1.0,
            monte_carlo: 0.5,
            features: vec![],
            group: 0,
            trajectory: 0,
            step: 0,
        };
        assert_eq!(score(&opportunity, 2.0), Ok(0.625));
        assert!(score(&opportunity, 0.0).is_err());
        assert!(score(&Opportunity { label: f64::NAN, ..opportunity }, 1.0).is_err());
    }
}
