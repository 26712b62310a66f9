//! What no policy can exceed: the choices of one who knows every reward, at the price that keeps the budget.

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
    fn the_oracle_keeps_its_budget() {
        let rows: Vec<(Vec<f64>, Vec<f64>)> =
            (0..100).map(|number| (vec![0.0, f64::from(number) / 100.0], vec![0.0, 1.0])).collect();
        let price = oracle_price(&rows, 0.25);
        let asked = rows.iter().filter(|(rewards, costs)| best(rewards, costs, price) == 1).count();
        assert_eq!(asked, 25);
        assert_eq!(oracle_price(&rows, 1.0), 0.0);
    }
}
