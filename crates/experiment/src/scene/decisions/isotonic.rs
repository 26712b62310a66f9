//! A score made into a reward that never falls as the score rises: pool adjacent violators.

/// A step function of a score.
#[derive(Debug, Clone)]
pub(super) struct Isotonic {
    /// Where each block begins, and its mean.
    blocks: Vec<(f64, f64)>,
}

impl Isotonic {
    /// Fits rewards to scores.
    pub(super) fn fit(mut points: Vec<(f64, f64)>) -> Self {
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut pools: Vec<(f64, f64, f64)> = Vec::new();
        for (score, reward) in points {
            pools.push((score, reward, 1.0));
            while let [.., one, other] = pools.as_slice()
                && one.1 / one.2 >= other.1 / other.2
            {
                let merged = (one.0, one.1 + other.1, one.2 + other.2);
                pools.truncate(pools.len() - 2);
                pools.push(merged);
            }
        }
        Self { blocks: pools.into_iter().map(|(from, sum, count)| (from, sum / count)).collect() }
    }

    /// The reward of a score.
    pub(super) fn reward(&self, score: f64) -> f64 {
        let place = self.blocks.partition_point(|(from, _)| *from <= score).saturating_sub(1);
        self.blocks.get(place).map_or(0.0, |(_, reward)| *reward)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violators_are_pooled() {
        let fitted = Isotonic::fit(vec![(3.0, 1.0), (1.0, 0.0), (2.0, 0.8), (2.5, 0.4)]);
        let rewards = [0.5, 1.0, 2.0, 2.7, 3.0, 9.0].map(|score| fitted.reward(score));
        let expected = [0.0, 0.0, 0.6, 0.6, 1.0, 1.0];
        assert!(rewards.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{rewards:?}");
    }
}
