//! A screen against wrong advice: how good an answer must seem before it may act.
//!
//! The score of an answer says how good it seems, as by its lead over every other action. The threshold is the conformal quantile of
//! the scores of wrong answers alone, so a wrong answer that is exchangeable with them passes, its score above the threshold, with
//! probability at most α (class-conditional conformal acceptance), however good or bad the scores are. Bad scores cost right
//! answers, not wrong ones. Invariant: with too few wrong answers to learn from there is no threshold, and nothing passes.

use counsel_decision::refusal::in_range;
use serde::{Deserialize, Serialize};

use crate::{Alpha, Error, conformal_rank};

/// A threshold, and the wrong answers that it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// How many of the wrong answers may pass.
    pub alpha: Alpha,
    /// Their scores, smallest first; one of each episode, so that they are exchangeable.
    pub scores: Vec<f64>,
    /// What a score must exceed; nothing where no score passes.
    pub threshold: Option<f64>,
}

impl Screen {
    /// The screen that these scores of wrong answers support.
    pub fn new(alpha: Alpha, mut scores: Vec<f64>) -> Result<Self, Error> {
        for &score in &scores {
            in_range(score.is_finite(), "the score of an answer", score, "the finite numbers", "pass finite values")?;
        }
        scores.sort_by(f64::total_cmp);
        let threshold = scores.get(conformal_rank(scores.len(), alpha) - 1).copied();
        Ok(Self { alpha, scores, threshold })
    }

    /// Computes the threshold again and refuses a log that says something else.
    pub fn verify(&self) -> Result<(), Error> {
        let again = Self::new(self.alpha, self.scores.clone())?;
        if again == *self {
            return Ok(());
        }
        Err(Error::ScreenMismatch { logged: self.threshold, recomputed: again.threshold })
    }
}

#[cfg(test)]
mod tests {
    use counsel_decision::Seed;
    use rand::RngExt;

    use super::*;

    fn alpha() -> Alpha {
        Alpha::new(0.1).unwrap()
    }

    #[test]
    fn nine_wrong_answers_are_needed_at_a_tenth() {
        let scores = [0.3, -0.2, 0.1, 0.0, 0.2, -0.1, 0.4, 0.5, -0.3];
        assert_eq!(Screen::new(alpha(), scores.to_vec()).unwrap().threshold, Some(0.5));
        assert_eq!(Screen::new(alpha(), scores[1..].to_vec()).unwrap().threshold, None);
        assert!(Screen::new(alpha(), vec![f64::NAN]).is_err());
    }

    #[test]
    fn an_altered_threshold_is_noticed() {
        let honest = Screen::new(alpha(), (0..20).map(f64::from).collect()).unwrap();
        assert!(honest.verify().is_ok());
        assert!(Screen { threshold: Some(3.0), ..honest }.verify().is_err());
    }

    /// Wrong answers pass at most at the declared rate even where scores have nothing to do with being right.
    #[test]
    fn a_wrong_answer_passes_with_probability_alpha_at_most() {
        let mut rng = Seed::root(14).rng();
        let mut passed = 0_u32;
        for _ in 0..4_000 {
            let screen = Screen::new(alpha(), (0..24).map(|_| rng.random::<f64>().powi(5)).collect()).unwrap();
            passed += u32::from(screen.threshold.is_some_and(|threshold| rng.random::<f64>().powi(5) > threshold));
        }
        // 400 are expected at most; three standard deviations are 57.
        assert!(passed <= 457, "{passed}");
        assert!(passed >= 200, "a screen that lets nothing through would pass, too: {passed}");
    }
}
