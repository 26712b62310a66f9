//! A wager against the claim that a gate gains nothing: it is deployed only where the wager is won.
//!
//! U_i is what one episode brings with the gate minus without it, the price of its calls taken off; `worst` is how much an episode
//! can lose at most. From a stake of 1, the share λ_i of the wealth that is put on U_i depends on earlier episodes alone, so the
//! wealth Π (1 + λ_i U_i) is a supermartingale if E[U] <= 0, and reaches 1/δ with probability at most δ (Ville): a gate without
//! net value is deployed with at most that probability, whatever the law of U. The share is Kelly's for the mean and the
//! variance seen so far, shrunk by one imagined episode that brings nothing.

use counsel_decision::Radius;
use counsel_decision::refusal::{Refusal, in_range};
use serde::{Deserialize, Serialize};

use crate::Error;

/// The largest share of the wealth that is ever at risk.
const BOLDEST: f64 = 0.9;

/// A gate with a radius that was chosen on other episodes, and what it gained on these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wager {
    /// The radius that the gate was tried with; nothing where no radius seemed to pay, and none was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<f64>,
    /// What each radius of the grid gained on the episodes on which one was chosen, on average.
    pub tuned: Vec<f64>,
    /// U, episode by episode.
    pub gains: Vec<f64>,
    /// The largest wealth that was reached.
    pub wealth: f64,
}

impl Wager {
    /// The wager on a radius, of which it is known what it gained on fresh episodes.
    pub fn new(chosen: Option<f64>, tuned: Vec<f64>, gains: Vec<f64>, worst: f64) -> Result<Self, Error> {
        let wealth = largest_wealth(&gains, worst)?;
        Ok(Self { chosen, tuned, gains, wealth })
    }

    /// The place in the grid of the radius that gained most on average, the largest of several; nothing where none gained.
    pub fn choice(tuned: &[f64]) -> Option<usize> {
        let better = |best: Option<usize>, (place, gain): (usize, &f64)| {
            if *gain > best.map_or(0.0, |best| tuned[best]) { Some(place) } else { best }
        };
        tuned.iter().enumerate().fold(None, better)
    }

    /// The radius in force: the chosen one where the wager is won, else an infinite one.
    pub fn radius(&self, delta: f64) -> Radius {
        match self.chosen {
            Some(radius) if self.wealth * delta >= 1.0 => Radius::new(radius).unwrap_or(Radius::INFINITE),
            _ => Radius::INFINITE,
        }
    }

    /// Computes choice and wealth again and refuses a log that says something else.
    pub(crate) fn verify(&self, grid: &[f64], worst: f64) -> Result<(), Error> {
        let chosen = Self::choice(&self.tuned).and_then(|place| grid.get(place).copied());
        let wealth = largest_wealth(&self.gains, worst)?;
        if chosen == self.chosen && wealth.to_bits() == self.wealth.to_bits() {
            return Ok(());
        }
        Err(Error::WagerMismatch { logged: (self.chosen, self.wealth), recomputed: (chosen, wealth) })
    }
}

/// Refuses a probability of failure or a largest loss that is none.
pub(crate) fn check(delta: f64, worst: f64) -> Result<(), Refusal> {
    in_range(delta > 0.0 && delta < 1.0, "delta", delta, "(0, 1)", "pass a failure probability, such as 0.05")?;
    let remedy = "pass the largest loss of an episode: its largest return plus the price of all its calls";
    in_range(worst > 0.0 && worst.is_finite(), "worst", worst, "(0, infinity)", remedy)
}

fn largest_wealth(gains: &[f64], worst: f64) -> Result<f64, Error> {
    let (mut wealth, mut largest) = (1.0_f64, 1.0_f64);
    let (mut seen, mut sum, mut squares) = (1.0, 0.0, worst * worst);
    for &gain in gains {
        let remedy = "declare a larger `worst`: no episode may lose more";
        in_range(gain >= -worst && gain.is_finite(), "the gain of an episode", gain, "[-worst, infinity)", remedy)?;
        let mean: f64 = sum / seen;
        let share = (mean / (squares / seen)).clamp(0.0, BOLDEST / worst);
        wealth *= 1.0 + share * gain;
        largest = largest.max(wealth);
        (seen, sum, squares) = (seen + 1.0, sum + gain, squares + gain * gain);
    }
    Ok(largest)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn a_hand_computed_wager() {
        // Nothing is staked on the first episode; on the second mean 1/2 over a second moment (1 + 1)/2 is a share of 1/2.
        let wager = Wager::new(Some(0.1), vec![0.2], vec![1.0, 0.5], 1.0).unwrap();
        assert_eq!(wager.wealth, 1.25);
        assert_eq!((wager.radius(0.8), wager.radius(0.79)), (Radius::new(0.1).unwrap(), Radius::INFINITE));
        assert!(Wager::new(None, vec![], vec![-1.5], 1.0).is_err(), "no episode may lose more than was declared");
    }

    #[test]
    fn the_largest_of_equally_good_radii_is_chosen_and_none_that_loses() {
        assert_eq!(Wager::choice(&[0.1, 0.3, 0.3]), Some(1));
        assert_eq!(Wager::choice(&[-0.1, 0.0]), None);
        assert_eq!(Wager::choice(&[]), None);
    }

    #[test]
    fn an_altered_wager_is_noticed() {
        let honest = Wager::new(Some(0.2), vec![0.1, 0.3], vec![0.5, 0.5], 1.0).unwrap();
        assert!(honest.verify(&[0.4, 0.2], 1.0).is_ok());
        assert!(Wager { wealth: 99.0, ..honest.clone() }.verify(&[0.4, 0.2], 1.0).is_err());
        assert!(Wager { chosen: Some(0.4), ..honest }.verify(&[0.4, 0.2], 1.0).is_err());
    }

    /// How many of a thousand wagers on 60 episodes are won at δ = 0.1.
    fn won(gain: impl Fn(&mut ChaCha8Rng) -> f64) -> usize {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut is_won = || {
            let gains: Vec<f64> = (0..60).map(|_| gain(&mut rng)).collect();
            largest_wealth(&gains, 1.3).unwrap() >= 10.0
        };
        (0..1_000).filter(|_| is_won()).count()
    }

    #[test]
    fn a_gate_without_net_value_is_deployed_with_probability_delta_at_most() {
        // Three laws of mean zero: a coin, rare large gains, rare large losses. 100 are allowed; three deviations are 28.
        assert!(won(|rng| if rng.random::<f64>() < 0.5 { 0.5 } else { -0.5 }) <= 128);
        assert!(won(|rng| if rng.random::<f64>() < 0.1 { 0.9 } else { -0.1 }) <= 128);
        assert!(won(|rng| if rng.random::<f64>() < 0.1 { -0.9 } else { 0.1 }) <= 128);
    }

    #[test]
    fn a_gate_that_pays_is_deployed() {
        assert!(won(|rng| if rng.random::<f64>() < 0.4 { 0.8 } else { -0.05 }) >= 990);
        assert_eq!(won(|_| -0.05), 0);
    }
}
