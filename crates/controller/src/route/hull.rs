//! What no look at a request is needed for: the best mixture of advisors at a mean cost. A saving that it makes as well is none of a
//! router.

/// The mixture of advisors with the highest mean reward at this mean cost: a weight for each of them.
///
/// It lies on the upper hull of the points (cost, reward), so two advisors are enough.
pub fn hull(rewards: &[f64], costs: &[f64], per_request: f64) -> Vec<f64> {
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
}
