//! What no policy that looks at requests is needed for, and what none can exceed: the hull of mixtures, and the oracle's price.

/// The mixture of advisors with the highest mean reward at this mean cost: a weight for each of them.
///
/// It lies on the upper hull of the points (cost, reward), so two advisors are enough.
pub(super) fn hull(rewards: &[f64], costs: &[f64], per_request: f64) -> Vec<f64> {
    let advisors = rewards.len();
    let mut best = (f64::NEG_INFINITY, vec![0.0; advisors]);
    let mut offer = |reward: f64, weights: Vec<f64>| {
        if reward > best.0 {
            best = (reward, weights);
        }
    };
    for one in 0..advisors {
        let mut alone = vec![0.0; advisors];
        alone[one] = 1.0;
        if costs[one] <= per_request {
            offer(rewards[one], alone.clone());
        }
        for other in (0..advisors).filter(|other| costs[one] <= per_request && costs[*other] > per_request) {
            let share = (per_request - costs[one]) / (costs[other] - costs[one]);
            let mut weights = alone.clone();
            weights[one] = 1.0 - share;
            weights[other] = share;
            offer((1.0 - share) * rewards[one] + share * rewards[other], weights);
        }
    }
    if best.0 == f64::NEG_INFINITY {
        // Nobody is cheap enough: the cheapest answers.
        let cheapest = (0..advisors).reduce(|best, next| if costs[next] < costs[best] { next } else { best });
        best.1[cheapest.unwrap_or(0)] = 1.0;
    }
    best.1
}

/// The lowest price at which the best choices, known in hindsight, cost no more than this on average.
pub(super) fn oracle_price(rows: &[(Vec<f64>, Vec<f64>)], per_request: f64) -> f64 {
    let most = per_request * rows.len() as f64;
    let spent = |price: f64| rows.iter().map(|(rewards, costs)| costs[best(rewards, costs, price)]).sum::<f64>();
    if spent(0.0) <= most {
        return 0.0;
    }
    let (mut low, mut high) = (-6.0, 9.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if spent(10f64.powf(middle)) <= most {
            high = middle;
        } else {
            low = middle;
        }
    }
    10f64.powf(high)
}

/// The advisor with the highest reward less the price of its cost; among equals the cheapest.
pub(super) fn best(rewards: &[f64], costs: &[f64], price: f64) -> usize {
    let value = |advisor: usize| rewards[advisor] - price * costs[advisor];
    let better = |one: usize, other: usize| {
        value(other) > value(one) || (value(other) == value(one) && costs[other] < costs[one])
    };
    (0..rewards.len()).reduce(|best, next| if better(best, next) { next } else { best }).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_mixes_the_two_that_matter() {
        let (rewards, costs) = ([0.5, 0.55, 0.9], [1.0, 2.0, 3.0]);
        let weights = hull(&rewards, &costs, 2.0);
        assert_eq!(weights, [0.5, 0.0, 0.5], "the middle one lies below the line");
        assert_eq!(hull(&rewards, &costs, 9.0), [0.0, 0.0, 1.0]);
        assert_eq!(hull(&rewards, &costs, 0.1), [1.0, 0.0, 0.0], "the cheapest, where nothing fits");
    }

    #[test]
    fn the_oracle_keeps_its_budget() {
        let rows: Vec<(Vec<f64>, Vec<f64>)> =
            (0..100).map(|number| (vec![0.0, f64::from(number) / 100.0], vec![0.0, 1.0])).collect();
        let price = oracle_price(&rows, 0.25);
        let asked = rows.iter().filter(|(rewards, costs)| best(rewards, costs, price) == 1).count();
        assert_eq!(asked, 25);
        assert_eq!(oracle_price(&rows, 1.0), 0.0);
    }
}
