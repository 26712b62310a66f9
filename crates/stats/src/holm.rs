//! Holm's step-down correction of a declared family of tests.
//!
//! With `p_(1) <= ... <= p_(m)` the adjusted values are `max_{j <= i} min(1, (m - j + 1) p_(j))`, returned in the order
//! of the input. Invariant: adjusted values are at least the raw ones, at most 1, and ordered as the raw ones are.
//! Rejecting every adjusted value at most `alpha` keeps the chance of any false rejection at most `alpha`.

use crate::Error;

/// Adjusted p values, in input order, of plain or optional p values; a missing or impossible one refuses the family.
pub fn holm<P: Copy + Into<Option<f64>>>(p_values: &[P]) -> Result<Vec<f64>, Error> {
    let mut ranked = Vec::with_capacity(p_values.len());
    for (index, &p) in p_values.iter().enumerate() {
        let value = p.into().ok_or(Error::MissingPValue { index })?;
        if !(0.0..=1.0).contains(&value) {
            return Err(Error::NotAProbability { what: "a p value", index, value });
        }
        ranked.push((index, value));
    }
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut adjusted = vec![0.0; ranked.len()];
    let mut floor: f64 = 0.0;
    for (rank, &(index, value)) in ranked.iter().enumerate() {
        floor = floor.max(value * (ranked.len() - rank) as f64).min(1.0);
        adjusted[index] = floor;
    }
    Ok(adjusted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn textbook_family() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]).unwrap();
        for (got, want) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got - want).abs() < 1e-15);
        }
    }

    #[test]
    fn empty_and_single_families() {
        assert_eq!(holm::<f64>(&[]), Ok(vec![]));
        assert_eq!(holm(&[0.2]), Ok(vec![0.2]));
    }

    #[test]
    fn missing_and_impossible_values_are_refused() {
        assert_eq!(holm(&[Some(0.2), None]), Err(Error::MissingPValue { index: 1 }));
        assert!(matches!(holm(&[0.2, f64::NAN]), Err(Error::NotAProbability { index: 1, .. })));
        let message = holm(&[1.5]).unwrap_err().to_string();
        assert_eq!(message, "a p value lies between 0 and 1: value 0 is 1.5; check how it was computed");
    }

    proptest! {
        #[test]
        fn at_least_raw_at_most_one_and_in_raw_order(p in prop::collection::vec(0.0..=1.0f64, 1..30)) {
            let adjusted = holm(&p).unwrap();
            for i in 0..p.len() {
                prop_assert!(p[i] <= adjusted[i] && adjusted[i] <= 1.0);
                for j in 0..p.len() {
                    prop_assert!(p[i] > p[j] || adjusted[i] <= adjusted[j]);
                }
            }
        }

        #[test]
        fn between_raw_and_bonferroni(p in prop::collection::vec(0.0..=1.0f64, 1..30)) {
            let adjusted = holm(&p).unwrap();
            for (raw, got) in p.iter().zip(adjusted) {
                prop_assert!(got <= raw * p.len() as f64);
            }
            let smallest = p.iter().copied().fold(1.0, f64::min);
            let least = holm(&p).unwrap().into_iter().fold(1.0, f64::min);
            prop_assert_eq!(least, (smallest * p.len() as f64).min(1.0));
        }
    }
}
