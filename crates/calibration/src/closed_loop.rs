//! The closed-loop score of an episode: the least radius at which the gate, let loose on that episode, stays clean.
//!
//! An episode is clean at a radius if every query that the gate issues in it is worth its price. What a gate meets depends on what
//! it asked before, so each radius of a grid β_1 > ... > β_G is tried on the same episode, from the largest on. The score is the
//! last radius before the first that is not clean, so all larger ones are clean, too; it is infinite where not even the
//! largest is. The conformal quantile of such scores is a radius at which the next exchangeable episode of the same frozen agent
//! has a query below its price with probability at most α: no union over decisions, and nothing is assumed of the estimate.

use counsel_decision::refusal::{Refusal, at_least, in_range};

/// The score of one episode; `is_clean` plays it at a radius. Radii below the first that is not clean are not tried.
pub fn least_clean<E>(grid: &[f64], mut is_clean: impl FnMut(f64) -> Result<bool, E>) -> Result<f64, E> {
    let mut least = f64::INFINITY;
    for &radius in grid {
        if !is_clean(radius)? {
            break;
        }
        least = radius;
    }
    Ok(least)
}

/// Refuses a grid that is not a falling list of radii.
pub(crate) fn check_grid(grid: &[f64]) -> Result<(), Refusal> {
    at_least("the number of radii in the grid", grid.len(), 1, "list the radii to try, the largest first")?;
    let remedy = "list finite radii of 0 or more, each below the one before";
    for (place, &radius) in grid.iter().enumerate() {
        let falls = place == 0 || radius < grid[place - 1];
        in_range(
            falls && radius >= 0.0 && radius.is_finite(),
            "a radius of the grid",
            radius,
            "a falling list",
            remedy,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn score(grid: &[f64], clean: &[f64]) -> f64 {
        least_clean(grid, |radius| Ok::<_, Infallible>(clean.contains(&radius))).unwrap()
    }

    #[test]
    fn all_larger_radii_are_clean_too() {
        let grid = [0.4, 0.2, 0.1, 0.0];
        assert_eq!(score(&grid, &grid), 0.0);
        assert_eq!(score(&grid, &[0.4, 0.2, 0.0]), 0.2, "0 is clean by luck: 0.1 is not");
        assert_eq!(score(&grid, &[0.2, 0.1, 0.0]), f64::INFINITY);
    }

    #[test]
    fn a_grid_falls() {
        assert!(check_grid(&[0.4, 0.0]).is_ok());
        for wrong in [&[][..], &[0.1, 0.1], &[0.1, 0.2], &[f64::INFINITY], &[-0.1]] {
            assert!(check_grid(wrong).is_err(), "{wrong:?}");
        }
    }
}
