//! The three estimates and their intervals, from weighted episodes.
//!
//! With ρ_t the product of the ratios up to step t, γ the discount, q(a) what a regression expects of the return to go and v
//! that of the policy's own choice:
//! importance sampling is the mean of Σ γ^t ρ_t r_t; self-normalised divides the weights of each step by their mean; doubly
//! robust is the mean of V_0 with V_t = v_t + ratio_t (r_t + γ V_(t+1) - q_t), the form of Jiang and Li. For episodes of one
//! step they are the estimators of bandits.
//!
//! An interval is Student's, widened for skewness: weights are skewed, and so are outcomes of which one kind is rare.

use counsel_stats::{Interval, Moments, mean_interval};

use super::{Refused, Weights};
use crate::Error;

/// One decision of an episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// The reward that followed.
    pub reward: f64,
    /// The probability of the choice under the policy over that under the log.
    pub ratio: f64,
    /// The return to go that a regression expects of the choice that was made.
    pub expected: f64,
    /// The return to go that it expects of the policy's own choice.
    pub value: f64,
}

/// What a policy would have returned per episode, with 95 % intervals over episodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimates {
    /// By importance sampling.
    pub importance: Interval,
    /// Self-normalised.
    pub self_normalised: Interval,
    /// Doubly robust.
    pub doubly_robust: Interval,
    /// How the weights lie.
    pub weights: Weights,
}

impl Estimates {
    pub(crate) fn of(episodes: &[Vec<Visit>], discount: f64, weights: Weights) -> Result<Self, Error> {
        Ok(Self {
            importance: interval(&importance(episodes, discount))?,
            self_normalised: interval(&self_normalised(episodes, discount))?,
            doubly_robust: interval(&doubly_robust(episodes, discount))?,
            weights,
        })
    }

    /// Whether the three can be estimates of one number.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        let all = [
            ("importance sampling", self.importance),
            ("self-normalised", self.self_normalised),
            ("doubly robust", self.doubly_robust),
        ];
        for (place, (one, of_one)) in all.iter().enumerate() {
            for (other, of_other) in &all[place + 1..] {
                if of_one.low > of_other.high || of_other.low > of_one.high {
                    let means = [of_one.estimate, of_other.estimate];
                    return Err(Refused::Disjoint { names: [one, other], means });
                }
            }
        }
        Ok(())
    }
}

/// The interval of the mean of these contributions.
pub(crate) fn interval(contributions: &[f64]) -> Result<Interval, Error> {
    let reason = || Error::Asked { reason: "there is one episode only; log more".into() };
    Ok(widened(mean_interval(contributions, 0.95)?.ok_or_else(reason)?, contributions))
}

/// The Student interval of a mean, widened for the skewness g of its sample of n: by the Edgeworth expansion of the t statistic
/// one end moves outwards by g (1 + 2 t²) s / 6n (Johnson, 1978). It is added to both, so that the estimate stays in the middle.
fn widened(interval: Interval, sample: &[f64]) -> Interval {
    let Ok(Moments { n, mean, standard_deviation: Some(deviation) }) = Moments::of(sample) else { return interval };
    if deviation == 0.0 {
        return interval;
    }
    let n = n as f64;
    let skewness = sample.iter().map(|value| ((value - mean) / deviation).powi(3)).sum::<f64>() / n;
    let squared = (interval.half_width / deviation).powi(2) * n;
    let half_width = interval.half_width + skewness.abs() * (1.0 + 2.0 * squared) * deviation / (6.0 * n);
    Interval { low: mean - half_width, high: mean + half_width, half_width, ..interval }
}

/// Σ γ^t ρ_t r_t of every episode; the estimate is their mean.
pub fn importance(episodes: &[Vec<Visit>], discount: f64) -> Vec<f64> {
    let of = |episode: &Vec<Visit>| {
        let (mut weight, mut sum) = (1.0, 0.0);
        for visit in episode {
            weight *= visit.ratio;
            sum += weight * visit.reward;
            weight *= discount;
        }
        sum
    };
    episodes.iter().map(of).collect()
}

/// The self-normalised estimate, as contributions of episodes whose mean it is and whose spread is its error: each step's
/// weights are divided by their mean, and an episode differs from the estimate by what it adds to the ratio of the means.
pub fn self_normalised(episodes: &[Vec<Visit>], discount: f64) -> Vec<f64> {
    let count = episodes.len() as f64;
    let steps = episodes.iter().map(Vec::len).max().unwrap_or(0);
    let mut weights = vec![1.0; episodes.len()];
    let mut contributions = vec![0.0; episodes.len()];
    let (mut estimate, mut factor) = (0.0, 1.0);
    for step in 0..steps {
        let mut rewards = vec![0.0; episodes.len()];
        for ((episode, weight), reward) in episodes.iter().zip(&mut weights).zip(&mut rewards) {
            // An episode that is over keeps its weight and earns nothing.
            if let Some(visit) = episode.get(step) {
                *weight *= visit.ratio;
                *reward = visit.reward;
            }
        }
        let mean = weights.iter().sum::<f64>() / count;
        if mean == 0.0 {
            break;
        }
        let weighted = weights.iter().zip(&rewards).map(|(weight, reward)| weight * reward).sum::<f64>() / count;
        let value = weighted / mean;
        estimate += factor * value;
        for ((contribution, weight), reward) in contributions.iter_mut().zip(&weights).zip(&rewards) {
            *contribution += factor * weight * (reward - value) / mean;
        }
        factor *= discount;
    }
    contributions.iter().map(|contribution| estimate + contribution).collect()
}

/// The doubly robust value of every episode; the estimate is their mean.
pub fn doubly_robust(episodes: &[Vec<Visit>], discount: f64) -> Vec<f64> {
    // V_t = v_t + ratio_t (r_t + γ V_(t+1) - q_t), from the end of the episode to its beginning.
    let of = |episode: &Vec<Visit>| {
        episode
            .iter()
            .rev()
            .fold(0.0, |after, visit| visit.value + visit.ratio * (visit.reward + discount * after - visit.expected))
    };
    episodes.iter().map(of).collect()
}
