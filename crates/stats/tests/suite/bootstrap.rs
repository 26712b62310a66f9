//! What every bootstrap interval and paired comparison must satisfy.

use counsel_stats::{Bootstrap, Error, PairedComparison, bca_interval, mean_interval};
use proptest::prelude::*;

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn short(seed: u64) -> Bootstrap {
    Bootstrap { resamples: 200, ..Bootstrap::seeded(seed) }
}

/// The resampling stream is part of the contract: published intervals must not move when a dependency does. If this
/// fails after a deliberate change of the generator, print the new replicates, put them here and say so in the
/// changelog.
#[test]
fn the_stream_of_a_seed_is_fixed() {
    let bootstrap = Bootstrap { resamples: 6, ..Bootstrap::seeded(2024) };
    let replicates = bootstrap.replicates(&[1.0, 2.0, 4.0, 8.0, 16.0], |values| values.iter().sum()).unwrap();
    assert_eq!(replicates, [49.0, 38.0, 26.0, 32.0, 36.0, 36.0]);
}

#[test]
fn degenerate_corrections_are_none() {
    let sample = [0.0, 1.0, 1.0];
    // All replicates on one side of the estimate: the bias is infinite.
    assert_eq!(bca_interval(&sample, mean, &[2.0, 3.0], 0.95), Ok(None));
    // Leaving out any one observation keeps the largest: the acceleration is 0/0.
    assert_eq!(bca_interval(&sample, largest, &[0.0, 1.0, 1.0], 0.95), Ok(None));
    // A statistic that never moves has an interval of width zero.
    assert_eq!(short(0).bca(&sample, |_| 1.0).unwrap().map(|interval| interval.half_width), Some(0.0));
}

#[test]
fn a_single_observation_has_no_interval() {
    assert_eq!(short(0).bca(&[1.0], mean), Ok(None));
}

#[test]
fn bad_arguments_are_refused() {
    assert!(matches!(short(0).bca(&[], mean), Err(Error::Empty { .. })));
    assert!(matches!(short(0).bca(&[1.0, f64::NAN], mean), Err(Error::NotFinite { index: 1, .. })));
    assert!(matches!(short(0).bca(&[1.0, 2.0], |_| f64::NAN), Err(Error::NotFinite { .. })));
    assert_eq!(Bootstrap { resamples: 0, ..short(0) }.bca(&[1.0, 2.0], mean), Err(Error::NoResamples));
    assert_eq!(Bootstrap { level: 95.0, ..short(0) }.bca(&[1.0, 2.0], mean), Err(Error::Level { value: 95.0 }));
}

/// The Student interval of a Gaussian sample is exact, so its coverage is binomial: 4,000 intervals at 90 % cover
/// 3,600 times give or take 19, and five deviations are 95.
#[test]
fn student_interval_covers_as_often_as_it_says() {
    let uniforms = Bootstrap { resamples: 4_000 * 6, ..Bootstrap::seeded(11) };
    let grid: Vec<f64> = (0..48).map(|i| f64::from(i) - 23.5).collect();
    // The mean of 48 draws from a uniform grid is Gaussian to far better than the tolerance.
    let gaussians = uniforms.replicates(&grid, mean).unwrap();
    let covered =
        gaussians.chunks(6).filter(|sample| !mean_interval(sample, 0.9).unwrap().unwrap().excludes(0.0)).count();
    assert!(covered.abs_diff(3_600) <= 95, "covered {covered} of 4000");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn intervals_are_ordered_and_inside_the_data(sample in prop::collection::vec(-1e3..1e3f64, 2..25), seed: u64) {
        let low = -largest(&sample.iter().map(|x| -x).collect::<Vec<_>>());
        let high = largest(&sample);
        let bootstrap = short(seed);
        if let Some(interval) = bootstrap.bca(&sample, mean).unwrap() {
            prop_assert!(interval.low <= interval.high);
            prop_assert!(low - 1e-9 <= interval.low && interval.high <= high + 1e-9);
        }
    }

    #[test]
    fn equal_seeds_give_equal_bytes(sample in prop::collection::vec(-1e3..1e3f64, 1..25), seed: u64) {
        let compare = || PairedComparison::from_differences(&sample, &short(seed)).unwrap();
        prop_assert_eq!(format!("{:?}", compare()), format!("{:?}", compare()));
    }

    #[test]
    fn shifting_the_treatment_shifts_the_intervals(
        sample in prop::collection::vec(-100..100_i32, 2..25), shift in -100..100_i32, seed: u64,
    ) {
        let differences: Vec<f64> = sample.iter().map(|&x| f64::from(x)).collect();
        let shifted: Vec<f64> = sample.iter().map(|&x| f64::from(x + shift)).collect();
        let raw = PairedComparison::from_differences(&differences, &short(seed)).unwrap();
        let moved = PairedComparison::from_differences(&shifted, &short(seed)).unwrap();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        prop_assert!(close(raw.mean_difference + f64::from(shift), moved.mean_difference));
        prop_assert!(close(raw.half_width().unwrap(), moved.half_width().unwrap()));
        prop_assert!(close(raw.t_interval.unwrap().low + f64::from(shift), moved.t_interval.unwrap().low));
    }

    #[test]
    fn the_p_value_and_the_interval_agree_about_zero(sample in prop::collection::vec(-3.0..5.0f64, 2..25)) {
        let comparison = PairedComparison::from_differences(&sample, &short(0)).unwrap();
        let p = comparison.p_value.unwrap();
        prop_assume!((p - 0.05).abs() > 1e-9);
        prop_assert_eq!(p < 0.05, comparison.t_interval.unwrap().excludes(0.0));
    }
}
