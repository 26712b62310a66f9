//! Bounds on the optimal value, scaled on held-out opportunities so that they hold as often as declared.
//!
//! With centre c and half width h of an action's bounds, the score of an opportunity is |Q* - c| / h: of the action that is worst
//! off, or of one that is drawn. The conformal quantile q of the scores makes the bounds c ± q h. On an opportunity that is
//! exchangeable with the held-out ones they hold for all actions at once ([`Promise::Simultaneous`]), or for an action that is
//! drawn ([`Promise::Marginal`]), with probability 1 - α at least. Invariant: the first promise implies the second. With too few
//! scores there is no factor.

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

/// A factor for half widths, and the scores that it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundFactor {
    /// How often the bounds may fail.
    pub alpha: Alpha,
    /// For which actions they are to hold.
    pub promise: Promise,
    /// One score per opportunity, smallest first.
    pub scores: Vec<f64>,
    /// The factor; nothing where the scores are too few.
    pub factor: Option<f64>,
}

impl Promise {
    /// The score of an opportunity whose optimal values are known. `draw` in [0, 1) chooses the action where one is drawn.
    pub fn score(self, bounds: &ValueBounds, optimal: &[f64], draw: f64) -> f64 {
        let scores: Vec<f64> = optimal.iter().zip(halves(bounds)).map(|(q, (c, h))| (q - c).abs() / h).collect();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number of actions")]
        let drawn = (draw * scores.len() as f64) as usize;
        match self {
            Self::Simultaneous => scores.into_iter().fold(0.0, f64::max),
            Self::Marginal => scores.get(drawn).copied().unwrap_or_default(),
        }
    }
}

impl BoundFactor {
    /// The factor that these scores support.
    pub fn new(alpha: Alpha, promise: Promise, mut scores: Vec<f64>) -> Result<Self, Error> {
        for &score in &scores {
            let ok = score.is_finite() && score >= 0.0;
            in_range(ok, "the score of a bound", score, "the finite numbers from 0 on", "pass finite bounds and values")?;
        }
        scores.sort_by(f64::total_cmp);
        let factor = scores.get(conformal_rank(scores.len(), alpha) - 1).copied();
        Ok(Self { alpha, promise, scores, factor })
    }

    /// The bounds with their half widths scaled. Without a factor they stay as they are.
    pub fn scale(&self, bounds: &ValueBounds) -> Result<ValueBounds, Error> {
        let factor = self.factor.unwrap_or(1.0);
        let (lower, upper) = halves(bounds).map(|(c, h)| (c - factor * h, c + factor * h)).unzip();
        Ok(ValueBounds::new(lower, upper)?)
    }

    /// Computes the factor again and refuses a log that says something else.
    pub fn verify(&self) -> Result<(), Error> {
        let again = Self::new(self.alpha, self.promise, self.scores.clone())?;
        if again == *self {
            return Ok(());
        }
        Err(Error::FactorMismatch { logged: self.factor, recomputed: again.factor })
    }
}

/// Centre and half width of every action's bounds.
fn halves(bounds: &ValueBounds) -> impl Iterator<Item = (f64, f64)> {
    let pairs = bounds.lower().iter().zip(bounds.upper());
    pairs.map(|(low, high)| (f64::midpoint(*low, *high), 0.5 * (high - low) + POINT))
}

#[cfg(test)]
mod tests {
    use counsel_decision::Seed;
    use proptest::prelude::*;
    use rand::{Rng, RngExt};

    use super::*;

    fn alpha() -> Alpha {
        Alpha::new(0.1).unwrap()
    }

    fn bounds(pairs: &[(f64, f64)]) -> ValueBounds {
        let (lower, upper) = pairs.iter().copied().unzip();
        ValueBounds::new(lower, upper).unwrap()
    }

    fn hold(bounds: &ValueBounds, optimal: &[f64]) -> Vec<bool> {
        let pairs = bounds.lower().iter().zip(bounds.upper());
        optimal.iter().zip(pairs).map(|(q, (low, high))| (*low..=*high).contains(q)).collect()
    }

    #[test]
    fn a_score_is_the_distance_from_the_centre_in_half_widths() {
        let of = bounds(&[(0.0, 1.0), (0.0, 0.2)]);
        let score = |promise: Promise, draw| promise.score(&of, &[0.75, 0.3], draw);
        assert!((score(Promise::Simultaneous, 0.0) - 2.0).abs() < 1e-6);
        assert!((score(Promise::Marginal, 0.2) - 0.5).abs() < 1e-6);
        assert!((score(Promise::Marginal, 0.7) - 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_factor_widens_and_narrows_around_the_centre() {
        let factor = |q: f64| BoundFactor::new(alpha(), Promise::Simultaneous, vec![q; 9]).unwrap();
        let wide = factor(3.0).scale(&bounds(&[(0.4, 0.6)])).unwrap();
        assert!((wide.lower()[0] - 0.2).abs() < 1e-8 && (wide.upper()[0] - 0.8).abs() < 1e-8);
        assert!((factor(0.5).scale(&bounds(&[(0.4, 0.6)])).unwrap().width(counsel_decision::Action(0)) - 0.1).abs() < 1e-8);
        let few = BoundFactor::new(alpha(), Promise::Simultaneous, vec![3.0; 8]).unwrap();
        assert_eq!(few.factor, None, "nine scores are needed at a tenth");
        assert!(BoundFactor::new(alpha(), Promise::Marginal, vec![f64::NAN]).is_err());
    }

    #[test]
    fn an_altered_factor_is_noticed() {
        let honest = BoundFactor::new(alpha(), Promise::Marginal, (0..20).map(f64::from).collect()).unwrap();
        assert!(honest.verify().is_ok());
        assert!(BoundFactor { factor: Some(3.0), ..honest }.verify().is_err());
    }

    /// Bounds that are much too narrow, for three actions that are wrong together, come to hold as often as declared; and the
    /// marginal factor is the smaller one.
    #[test]
    fn scaled_bounds_hold_as_often_as_declared() {
        let mut rng = Seed::root(31).rng();
        let met = |rng: &mut dyn Rng| {
            let (shared, scale) = (rng.random::<f64>() - 0.5, rng.random::<f64>() + 0.1);
            let optimal: Vec<f64> = (0..3).map(|_| scale * (shared + 0.5 * (rng.random::<f64>() - 0.5))).collect();
            (bounds(&[(-0.05 * scale, 0.05 * scale); 3]), optimal)
        };
        let mut covered = [0_u32; 2];
        let mut wider = 0_u32;
        for _ in 0..2_000 {
            let held_out: Vec<_> = (0..49).map(|_| (met(&mut rng), rng.random::<f64>())).collect();
            let factor = |promise: Promise| {
                let scores = held_out.iter().map(|((bounds, optimal), draw)| promise.score(bounds, optimal, *draw));
                BoundFactor::new(alpha(), promise, scores.collect()).unwrap()
            };
            let (all, one) = (factor(Promise::Simultaneous), factor(Promise::Marginal));
            let (fresh, optimal) = met(&mut rng);
            covered[0] += u32::from(hold(&all.scale(&fresh).unwrap(), &optimal).iter().all(|holds| *holds));
            covered[1] += u32::from(hold(&one.scale(&fresh).unwrap(), &optimal)[rng.random_range(0..3)]);
            wider += u32::from(all.factor > one.factor);
        }
        // 45 of 50 in expectation: 1,800, with a standard deviation of 13.4.
        for covered in covered {
            assert!((1_750..1_850).contains(&covered), "{covered}");
        }
        assert!(wider > 1_900, "{wider}");
    }

    proptest! {
        /// The score is the least factor under which the bounds hold.
        #[test]
        fn the_score_is_the_least_factor_that_holds(
            actions in prop::collection::vec((-1.0..1.0, 0.01..1.0, -3.0..3.0), 1..6),
        ) {
            let of = bounds(&actions.iter().map(|(c, h, _)| (c - h, c + h)).collect::<Vec<_>>());
            let optimal: Vec<f64> = actions.iter().map(|(_, _, q)| *q).collect();
            let score = Promise::Simultaneous.score(&of, &optimal, 0.0);
            let scaled = |q: f64| BoundFactor { alpha: alpha(), promise: Promise::Simultaneous, scores: Vec::new(), factor: Some(q) };
            let all = |q: f64| hold(&scaled(q).scale(&of).unwrap(), &optimal).iter().all(|holds| *holds);
            prop_assert!(all(score * (1.0 + 1e-9) + 1e-9));
            prop_assert!(!all(score * (1.0 - 1e-6) - 1e-6) || score < 2e-6);
        }
    }
}
