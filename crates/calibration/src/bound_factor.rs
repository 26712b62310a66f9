//! Bounds on the optimal value, scaled on held-out opportunities so that they hold as often as declared.
//!
//! With centre c and half width h of an action's bounds, an opportunity has two scores: how far an optimal value lies below c and how
//! far above it, in half widths, of the action that is worst off or of one that is drawn. Every other opportunity gives the upper
//! factor, the quantile of the scores above at 1 - α/4. The rest give the lower one: the conformal quantile of the scores below at 1 - α,
//! where an opportunity that the upper factor misses counts as infinite. So the bounds [c - q₁ h, c + q₂ h] fail with probability α,
//! whichever side fails, and a side that is tight as it is (an optimum at the highest value that there can be) takes nothing of α. Where
//! the upper factor misses so many that the lower quantile is infinite, both factors are the largest scores that were met.
//!
//! On an opportunity that is exchangeable with the held-out ones the bounds hold for all actions at once ([`Promise::Simultaneous`]), or
//! for an action that is drawn ([`Promise::Marginal`]), with probability 1 - α at least; more often where the same score comes up again and
//! again. With too few scores there are no factors.

use counsel_decision::ValueBounds;
use counsel_decision::refusal::in_range;
use serde::{Deserialize, Serialize};

use crate::{Alpha, Error, conformal_rank};

/// Added to every half width, so that bounds that are a point can be widened, too.
const POINT: f64 = 1e-9;

/// For which actions of an opportunity the bounds are to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Promise {
    /// For all of them at once: the premise of the certificate.
    #[default]
    Simultaneous,
    /// For one that is drawn at random.
    Marginal,
}

/// Factors for the half widths, and the scores that they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundFactor {
    /// How often the bounds may fail.
    pub alpha: Alpha,
    /// For which actions they are to hold.
    pub promise: Promise,
    /// The scores below and above of every opportunity, in the order in which they were drawn.
    pub scores: Vec<[f64; 2]>,
    /// The factor below the centre; nothing where the scores are too few. Below zero the bound lies above the centre.
    pub lower: Option<f64>,
    /// The factor above the centre.
    pub upper: Option<f64>,
}

impl Promise {
    /// The scores of an opportunity whose optimal values are known: below the centre and above it. `draw` in [0, 1) chooses the action
    /// where one is drawn.
    pub fn score(self, bounds: &ValueBounds, optimal: &[f64], draw: f64) -> [f64; 2] {
        let above: Vec<f64> = optimal.iter().zip(halves(bounds)).map(|(q, (c, h))| (q - c) / h).collect();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number of actions")]
        let drawn = (draw * above.len() as f64) as usize;
        match self {
            Self::Simultaneous => {
                let most = |scores: &mut dyn Iterator<Item = f64>| scores.fold(f64::NEG_INFINITY, f64::max);
                [most(&mut above.iter().map(|score| -score)), most(&mut above.iter().copied())]
            }
            Self::Marginal => above.get(drawn).map_or([0.0; 2], |score| [-score, *score]),
        }
    }
}

impl BoundFactor {
    /// The factors that these scores support.
    pub fn new(alpha: Alpha, promise: Promise, scores: Vec<[f64; 2]>) -> Result<Self, Error> {
        for &score in scores.iter().flatten() {
            in_range(
                score.is_finite(),
                "the score of a bound",
                score,
                "the finite numbers",
                "pass finite bounds and values",
            )?;
        }
        let every_other = |first: usize| scores.iter().skip(first).step_by(2);
        let most = |side: usize| scores.iter().map(|score| score[side]).reduce(f64::max);
        let above: Vec<f64> = every_other(0).map(|[_, above]| *above).collect();
        // Few scores have no quantile at α/4; the largest of them serves, since the lower side makes up for what it misses.
        let largest = above.iter().copied().reduce(f64::max);
        let upper = quantile(above, Alpha::new(0.25 * alpha.value())?).or(largest);
        let below = every_other(1).map(|[below, above]| {
            let is_missed = upper.is_none_or(|upper| *above > upper);
            if is_missed { f64::INFINITY } else { *below }
        });
        let (lower, upper) = match quantile(below.collect(), alpha) {
            Some(lower) if lower.is_finite() => (Some(lower), upper),
            Some(_) => (most(0), most(1)),
            None => (None, None),
        };
        // An interval has two ends in order.
        let lower = lower.zip(upper).map(|(lower, upper)| lower.max(-upper));
        Ok(Self { alpha, promise, scores, lower, upper })
    }

    /// The bounds with their half widths scaled. Without factors they stay as they are.
    pub fn scale(&self, bounds: &ValueBounds) -> Result<ValueBounds, Error> {
        let (below, above) = self.lower.zip(self.upper).unwrap_or((1.0, 1.0));
        let (lower, upper) = halves(bounds).map(|(c, h)| (c - below * h, (c + above * h).max(c - below * h))).unzip();
        Ok(ValueBounds::new(lower, upper)?)
    }

    /// Computes the factors again and refuses a log that says something else.
    pub fn verify(&self) -> Result<(), Error> {
        let again = Self::new(self.alpha, self.promise, self.scores.clone())?;
        if again == *self {
            return Ok(());
        }
        Err(Error::FactorMismatch { logged: [self.lower, self.upper], recomputed: [again.lower, again.upper] })
    }
}

/// The conformal quantile of scores, the infinite ones last; nothing where they are too few.
fn quantile(mut scores: Vec<f64>, alpha: Alpha) -> Option<f64> {
    scores.sort_by(f64::total_cmp);
    scores.get(conformal_rank(scores.len(), alpha) - 1).copied()
}

/// Centre and half width of every action's bounds.
fn halves(bounds: &ValueBounds) -> impl Iterator<Item = (f64, f64)> {
    let pairs = bounds.lower().iter().zip(bounds.upper());
    pairs.map(|(low, high)| (f64::midpoint(*low, *high), 0.5 * (high - low) + POINT))
}

#[cfg(test)]
mod tests {
    use counsel_decision::{Action, Seed};
    use proptest::prelude::*;
    use rand::{Rng, RngExt};

    use super::*;

    /// What draws an opportunity: its bounds and its optimal values.
    type World<'a> = &'a dyn Fn(&mut dyn Rng) -> (ValueBounds, Vec<f64>);

    fn alpha() -> Alpha {
        Alpha::new(0.1).unwrap()
    }

    fn bounds(pairs: &[(f64, f64)]) -> ValueBounds {
        let (lower, upper) = pairs.iter().copied().unzip();
        ValueBounds::new(lower, upper).unwrap()
    }

    fn hold(bounds: &ValueBounds, optimal: &[f64]) -> Vec<bool> {
        let pairs = bounds.lower().iter().zip(bounds.upper());
        optimal.iter().zip(pairs).map(|(q, (low, high))| (*low - 1e-12..=*high + 1e-12).contains(q)).collect()
    }

    fn factors(scores: Vec<[f64; 2]>) -> BoundFactor {
        BoundFactor::new(alpha(), Promise::Simultaneous, scores).unwrap()
    }

    #[test]
    fn scores_are_distances_from_the_centre_in_half_widths() {
        let of = bounds(&[(0.0, 1.0), (0.0, 0.2)]);
        let score = |promise: Promise, draw| promise.score(&of, &[0.25, 0.3], draw);
        let is = |[below, above]: [f64; 2], want: [f64; 2]| (below - want[0]).abs() + (above - want[1]).abs() < 1e-6;
        assert!(is(score(Promise::Simultaneous, 0.0), [0.5, 2.0]));
        assert!(is(score(Promise::Marginal, 0.2), [0.5, -0.5]));
        assert!(is(score(Promise::Marginal, 0.7), [-2.0, 2.0]));
    }

    #[test]
    fn each_side_has_a_factor_of_its_own() {
        let wide = factors(vec![[3.0, 0.5]; 40]).scale(&bounds(&[(0.4, 0.6)])).unwrap();
        assert!((wide.lower()[0] - 0.2).abs() < 1e-8 && (wide.upper()[0] - 0.55).abs() < 1e-8, "{wide:?}");
        // Values that always lie near the top: the lower bound rises above the centre.
        let high = factors(vec![[-0.8, 1.0]; 40]).scale(&bounds(&[(0.0, 1.0)])).unwrap();
        assert!((high.lower()[0] - 0.9).abs() < 1e-8 && (high.upper()[0] - 1.0).abs() < 1e-8, "{high:?}");
        assert!(high.width(Action(0)) < 0.11);
        let few = factors(vec![[1.0, 1.0]; 17]);
        assert_eq!(
            (few.lower, few.upper),
            (None, None),
            "nine are needed for the lower side, and as many for the other"
        );
        assert!(BoundFactor::new(alpha(), Promise::Marginal, vec![[f64::NAN, 0.0]]).is_err());
    }

    #[test]
    fn an_altered_factor_is_noticed() {
        let honest = factors((0..40).map(|n| [f64::from(n), 1.0]).collect());
        assert!(honest.verify().is_ok());
        assert!(BoundFactor { lower: Some(3.0), ..honest }.verify().is_err());
    }

    /// Three actions that are wrong together come to hold as often as declared; where the upper side is tight as it is, too.
    #[test]
    fn scaled_bounds_hold_as_often_as_declared() {
        let mut rng = Seed::root(31).rng();
        let wrong = |rng: &mut dyn Rng| {
            let (shared, scale) = (rng.random::<f64>() - 0.5, rng.random::<f64>() + 0.1);
            let optimal: Vec<f64> = (0..3).map(|_| scale * (shared + 0.5 * (rng.random::<f64>() - 0.5))).collect();
            (bounds(&[(-0.05 * scale, 0.05 * scale); 3]), optimal)
        };
        let tight = |rng: &mut dyn Rng| {
            let optimal: Vec<f64> = (0..3).map(|action| if action == 0 { 1.0 } else { rng.random() }).collect();
            (bounds(&[(0.0, 1.0); 3]), optimal)
        };
        let worlds: [World<'_>; 2] = [&wrong, &tight];
        for (number, met) in worlds.into_iter().enumerate() {
            let mut covered = [0_u32; 2];
            for _ in 0..2_000 {
                let held_out: Vec<_> = (0..198).map(|_| (met(&mut rng), rng.random::<f64>())).collect();
                let factor = |promise: Promise| {
                    let scores = held_out.iter().map(|((bounds, optimal), draw)| promise.score(bounds, optimal, *draw));
                    BoundFactor::new(alpha(), promise, scores.collect()).unwrap()
                };
                let (all, one) = (factor(Promise::Simultaneous), factor(Promise::Marginal));
                let (fresh, optimal) = met(&mut rng);
                covered[0] += u32::from(hold(&all.scale(&fresh).unwrap(), &optimal).iter().all(|holds| *holds));
                covered[1] += u32::from(hold(&one.scale(&fresh).unwrap(), &optimal)[rng.random_range(0..3)]);
            }
            // 90 of 100 in expectation: 1,800, with a standard deviation of 13.4; ranks are whole numbers, so a little more.
            for covered in covered {
                assert!((1_745..1_860).contains(&covered), "{number}: {covered}");
            }
        }
    }

    proptest! {
        /// The scores are the least factors under which the bounds hold.
        #[test]
        fn the_scores_are_the_least_factors_that_hold(
            actions in prop::collection::vec((-1.0..1.0, 0.01..1.0, -3.0..3.0), 1..6),
        ) {
            let of = bounds(&actions.iter().map(|(c, h, _)| (c - h, c + h)).collect::<Vec<_>>());
            let optimal: Vec<f64> = actions.iter().map(|(_, _, q)| *q).collect();
            let [below, above] = Promise::Simultaneous.score(&of, &optimal, 0.0);
            let scaled = |lower: f64, upper: f64| BoundFactor {
                alpha: alpha(), promise: Promise::Simultaneous, scores: Vec::new(), lower: Some(lower), upper: Some(upper),
            };
            let all = |lower, upper| hold(&scaled(lower, upper).scale(&of).unwrap(), &optimal).iter().all(|holds| *holds);
            prop_assert!(all(below + 1e-6, above + 1e-6));
            prop_assert!(!all(below - 1e-6, above + 1e-6) && !all(below + 1e-6, above - 1e-6));
        }
    }
}
