//! Decisions without a world: what the answers brought and cost, and how well expected gains rank requests.

use super::log::{CellLog, mean, share};

/// The rows that count.
fn counted(log: &CellLog<'_>) -> Vec<usize> {
    let counted = log.frame.ints("route_counted");
    (0..log.frame.rows()).filter(|row| counted[*row] == Some(1)).collect()
}

fn mean_of(log: &CellLog<'_>, column: &'static str) -> Option<f64> {
    let values = log.frame.reals(column);
    mean(counted(log).into_iter().map(|row| values[row]))
}

pub(super) fn reward(log: &CellLog<'_>) -> Option<f64> {
    mean_of(log, "reward")
}

pub(super) fn cost(log: &CellLog<'_>) -> Option<f64> {
    mean_of(log, "route_cost")
}

pub(super) fn cost_over_budget(log: &CellLog<'_>) -> Option<f64> {
    Some(cost(log)? / log.setting("protocol.period.per_request")?)
}

pub(super) fn net_reward(log: &CellLog<'_>) -> Option<f64> {
    Some(reward(log)? - cost(log)?)
}

pub(super) fn over_published(log: &CellLog<'_>) -> Option<f64> {
    Some(reward(log)? - mean_of(log, "route_published")?)
}

pub(super) fn loss_to_never(log: &CellLog<'_>) -> Option<f64> {
    let rewards = log.frame.real_lists("route_advisor_rewards");
    let never = mean(counted(log).into_iter().map(|row| rewards.row(row).first().copied()))?;
    Some(1.0 - net_reward(log)? / never)
}

pub(super) fn strong_share(log: &CellLog<'_>) -> Option<f64> {
    let chosen = log.frame.ints("route_chosen");
    share(counted(log).into_iter(), |row| chosen[row].is_some_and(|chosen| chosen > 0))
}

/// The reward at growing shares of strong answers, those with the largest expected gain first.
pub(super) struct Frontier {
    /// The share of strong answers, and the share of the way to the strong advisor's reward.
    points: Vec<(f64, f64)>,
    /// The area below, over the range of shares.
    pub(super) recovered: f64,
}

/// The quantiles of the score at which RouteLLM evaluates a router.
const QUANTILES: usize = 10;

pub(super) fn frontier(log: &CellLog<'_>) -> Option<Frontier> {
    let (expected, true_rewards) =
        (log.frame.real_lists("route_rewards"), log.frame.real_lists("route_advisor_rewards"));
    let pair = |values: &[f64]| (values.len() == 2).then(|| (values[0], values[1]));
    let row = |row: usize| {
        let ((weak_score, strong_score), rewards) = (pair(expected.row(row))?, pair(true_rewards.row(row))?);
        Some((strong_score - weak_score, rewards))
    };
    let mut rows: Vec<(f64, (f64, f64))> = counted(log).into_iter().map(row).collect::<Option<_>>()?;
    // Who scores nothing ranks nothing.
    if rows.iter().all(|(score, _)| *score == rows[0].0) {
        return None;
    }
    // Equal scores stay in the order of the log, which is one of chance.
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    Frontier::of(&rows.into_iter().map(|(_, rewards)| rewards).collect::<Vec<_>>())
}

impl Frontier {
    /// From the rewards of the weak and the strong advisor, the largest expected gain first.
    fn of(rows: &[(f64, f64)]) -> Option<Self> {
        let count = rows.len() as f64;
        let (weak, strong) = rows.iter().fold((0.0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
        let way = strong - weak;
        if rows.is_empty() || way <= 0.0 {
            return None;
        }
        let point = |quantile: usize| {
            // As many as NumPy's linear quantile leaves at or above it.
            let below = (quantile * (rows.len() - 1)).div_ceil(QUANTILES);
            let chosen = if quantile == QUANTILES { 0 } else { rows.len() - below };
            let gained: f64 = rows[..chosen].iter().map(|(weak, strong)| strong - weak).sum();
            (chosen as f64 / count, gained / way)
        };
        let points: Vec<(f64, f64)> = (0..=QUANTILES).rev().map(point).collect();
        let area = |pair: &[(f64, f64)]| (pair[1].0 - pair[0].0) * f64::midpoint(pair[0].1, pair[1].1);
        let range = points[QUANTILES].0 - points[0].0;
        let recovered = points.windows(2).map(area).sum::<f64>() / range;
        Some(Self { points, recovered })
    }

    /// The smallest share of strong answers at which this share of the way is recovered.
    pub(super) fn calls_to(&self, wanted: f64) -> Option<f64> {
        self.points.windows(2).find(|pair| pair[0].1 < wanted && pair[1].1 >= wanted).map(|pair| {
            let part = (wanted - pair[0].1) / (pair[1].1 - pair[0].1);
            pair[0].0 + part * (pair[1].0 - pair[0].0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_order_recovers_more_than_chance_and_a_reversed_one_less() {
        // One in five gains, the rest is equal.
        let best: Vec<(f64, f64)> = (0..1000).map(|row| if row < 200 { (0.0, 1.0) } else { (1.0, 1.0) }).collect();
        let worst: Vec<(f64, f64)> = best.iter().rev().copied().collect();
        let mixed: Vec<(f64, f64)> = (0..1000).map(|row| best[(row * 137) % 1000]).collect();
        let area = |rows: &[(f64, f64)]| Frontier::of(rows).unwrap().recovered;
        assert!((area(&best) - 0.9).abs() < 1e-3 && (area(&worst) - 0.1).abs() < 1e-3);
        assert!((area(&mixed) - 0.5).abs() < 0.02);
        let half = Frontier::of(&best).unwrap().calls_to(0.5).unwrap();
        assert!((half - 0.1).abs() < 1e-3, "{half}");
        assert!(Frontier::of(&[(1.0, 0.0)]).is_none(), "the strong advisor is worse");
    }
}
