//! The shape k of a generalised Pareto law in the upper tail of weights, by the estimator of Zhang and Stephens, as Pareto
//! smoothed importance sampling uses it. A k above 0.7 says that a mean of such weights cannot be trusted.

/// The shape of the upper tail: of the largest min(n / 5, 3 √n) weights above the next one. Where they do not rise above it,
/// as with weights of one size, the tail is bounded and 0 is given.
pub fn pareto_k(weights: &[f64]) -> f64 {
    let mut sorted = weights.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count below n")]
    let tail = (n as f64 / 5.0).min(3.0 * (n as f64).sqrt()) as usize;
    let Some(cut) = n.checked_sub(tail + 1).map(|at| sorted[at]) else { return f64::INFINITY };
    let above: Vec<f64> = sorted[n - tail..].iter().map(|weight| weight - cut).filter(|excess| *excess > 0.0).collect();
    // Below 0 the tail is bounded as well.
    if above.len() < 5 { 0.0 } else { shape(&above).max(0.0) }
}

/// The shape of exceedances, ascending and above zero.
fn shape(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let last = x[x.len() - 1];
    // The first quartile, as in the original.
    let quartile = x[(x.len() + 2) / 4 - 1].max(f64::MIN_POSITIVE);
    let m = 30.0 + n.sqrt().floor();
    let mean_log = |b: f64| x.iter().map(|value| (-b * value).ln_1p()).sum::<f64>() / n;
    let mut grid: Vec<(f64, f64)> = Vec::new();
    let mut j = 1.0;
    while j <= m {
        let b = 1.0 / last + (1.0 - (m / (j - 0.5)).sqrt()) / (3.0 * quartile);
        let k = mean_log(b);
        let likelihood = n * ((-b / k).ln() - k - 1.0);
        if likelihood.is_finite() {
            grid.push((b, likelihood));
        }
        j += 1.0;
    }
    let (mut sum, mut weighted) = (0.0, 0.0);
    let best = grid.iter().map(|(_, likelihood)| *likelihood).fold(f64::NEG_INFINITY, f64::max);
    for (b, likelihood) in &grid {
        let weight = (likelihood - best).exp();
        sum += weight;
        weighted += weight * b;
    }
    if sum == 0.0 {
        return f64::INFINITY;
    }
    // Ten observations of shape 0.5 stand against the data, as in the original.
    (n * mean_log(weighted / sum) + 5.0) / (n + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles of a law whose tail has this shape.
    fn weights(k: f64) -> Vec<f64> {
        (1..2000).map(|i| (1.0 - f64::from(i) / 2000.0).powf(-k)).collect()
    }

    #[test]
    fn a_known_shape_is_found() {
        for k in [0.1, 0.3, 0.5, 0.7, 1.0] {
            let found = pareto_k(&weights(k));
            assert!((found - k).abs() < 0.12, "{k} was found as {found}");
        }
    }

    #[test]
    fn weights_of_one_size_have_a_bounded_tail() {
        assert_eq!(pareto_k(&[2.0; 100]), 0.0);
        let coin: Vec<f64> = (0..100).map(|i| f64::from(i % 2) * 2.0).collect();
        assert_eq!(pareto_k(&coin), 0.0);
        assert_eq!(pareto_k(&[1.0; 3]), 0.0);
        assert_eq!(pareto_k(&[]), f64::INFINITY);
    }
}
