//! Policies at a price: whom to ask where an answer of the dearest advisor is worth so much reward.
//!
//! The requests are cut into three parts by their place. In turn one part teaches a book, one calibrates the radius and the threshold,
//! and one is judged, so that no request is judged by what it taught. The price of an advisor is that of the dearest one, times its
//! share of the extra cost.

use counsel_controller::route::{BookSpec, Expert, GainBook, Layout, Request, Shrinkage, hull};
use counsel_stats::Interval;

use super::judge::{Judge, Outcome};
use super::table::RouteTable;
use super::weigh::RouteSettings;
use crate::Error;
use crate::off_policy::interval;

/// How many parts there are: to learn, to calibrate, to be judged.
const PARTS: usize = 3;
/// Groups of like requests in which the expected gain is held against the observed one.
const BANDS: usize = 10;
/// Bands of a number: a confidence is read in steps as well as on a line.
const STEPS: usize = 10;

/// A policy at a price.
#[derive(Debug, Clone)]
pub struct Priced {
    /// The price of an answer of the dearest advisor, in units of reward.
    pub price: f64,
    /// The policy.
    pub policy: String,
    /// The share of requests that another than the first advisor answers.
    pub asked: f64,
    /// What a request costs.
    pub money: Interval,
    /// What a request brings.
    pub quality: Interval,
    /// What it brings less the price.
    pub net: Interval,
    /// By how much it nets more than the better of never and always asking, request by request.
    pub over: Interval,
    /// Why there is no number, if there is none.
    pub refused: Option<String>,
}

/// Like requests: the gain that was expected of them, and the one that was observed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// How many requests.
    pub requests: usize,
    /// The mean gain that was expected.
    pub expected: f64,
    /// The gain that was observed.
    pub observed: Interval,
}

/// All that was found at prices.
#[derive(Debug, Clone)]
pub struct AtPrices {
    /// Every policy at every price; the first one is that of the verdict.
    pub policies: Vec<Priced>,
    /// The expected gain of the dearest advisor against the observed one, from the least to the most, where both have numbers.
    pub bands: Vec<Band>,
    /// By how much the gain of like requests differs from what is expected, in nine of ten bands.
    pub radius: f64,
    /// Why there is no number, if there is none.
    pub refused: Option<String>,
}

/// The name of the policy that asks where the expected gain exceeds the price.
pub(super) const GAIN: &str = "expected gain";

/// What a table's requests are read as, and what its books know beforehand.
pub(super) struct Reader<'a> {
    table: &'a RouteTable,
    pub(super) spec: BookSpec,
    /// Where the steps of each number begin.
    steps: Vec<Vec<f64>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(table: &'a RouteTable, settings: &RouteSettings) -> Self {
        let steps: Vec<Vec<f64>> = (0..table.numbers.len()).map(|place| steps(table, place)).collect();
        let numbers = table.numbers.len() + steps.iter().map(Vec::len).sum::<usize>();
        let layout = Layout { numbers, ..table.layout(true, settings) };
        let known: Vec<f64> = table.rows.iter().flat_map(|row| row.rewards.iter().flatten().copied()).collect();
        let count = known.len().max(1) as f64;
        let reward = known.iter().sum::<f64>() / count;
        let variance = (known.iter().map(|one| (one - reward).powi(2)).sum::<f64>() / count).max(1e-6);
        let words = if table.groups.is_empty() { 10.0 } else { 20.0 };
        let shrinkage = Shrinkage { words, ..Shrinkage::default() };
        let spec = BookSpec { layout, shrinkage, reward, variance, expert: Expert::Evidence, ..BookSpec::default() };
        Self { table, spec, steps }
    }

    /// A request with its numbers in steps.
    fn request(&self, row: usize) -> Request {
        let request = &self.table.rows[row].request;
        let mut numbers = request.numbers.clone();
        for (number, steps) in request.numbers.iter().zip(&self.steps) {
            let step = steps.partition_point(|from| from <= number);
            numbers.extend((1..=steps.len()).map(|other| f64::from(u8::from(other == step))));
        }
        Request { numbers, ..request.clone() }
    }

    /// Teaches a book what is known of a request.
    pub(super) fn teach(&self, book: &mut GainBook, row: usize) -> Result<(), Error> {
        let phi = book.encode(&self.request(row))?;
        for (advisor, reward) in self.table.rows[row].rewards.iter().enumerate() {
            if let Some(reward) = reward {
                book.learn(advisor, &phi, *reward, None)?;
            }
        }
        Ok(())
    }

    /// What a book expects of every advisor.
    pub(super) fn expects(&self, book: &GainBook, row: usize) -> Result<Vec<f64>, Error> {
        let phi = book.encode(&self.request(row))?;
        Ok((0..book.advisors()).map(|advisor| book.predict(advisor, &phi).reward).collect())
    }
}

/// Where the tenths of a number begin, but for the first.
fn steps(table: &RouteTable, place: usize) -> Vec<f64> {
    let mut sorted: Vec<f64> = table.rows.iter().map(|row| row.request.numbers[place]).collect();
    sorted.sort_by(f64::total_cmp);
    let mut steps: Vec<f64> = (1..STEPS).map(|step| sorted[step * sorted.len() / STEPS]).collect();
    steps.dedup();
    steps.retain(|step| *step > sorted[0]);
    steps
}

/// What every advisor is charged at a price of the dearest one.
pub(super) fn charges(table: &RouteTable, price: f64) -> Vec<f64> {
    let costs: Vec<f64> = (0..table.advisors.len()).map(|advisor| table.mean_cost(advisor)).collect();
    let extra = costs[table.dearest()] - costs[0];
    costs.iter().map(|cost| if extra > 0.0 { price * (cost - costs[0]) / extra } else { 0.0 }).collect()
}

/// The advisor with the most expected reward less its charge; the first of equals.
pub(super) fn best(expected: &[f64], charges: &[f64]) -> usize {
    let net = |advisor: usize| expected[advisor] - charges[advisor];
    (0..expected.len()).reduce(|best, next| if net(next) > net(best) { next } else { best }).unwrap_or(0)
}

/// The requests in thirds.
fn parts(table: &RouteTable) -> [Vec<usize>; PARTS] {
    [0, 1, 2].map(|part: usize| (part..table.rows.len()).step_by(PARTS).collect())
}

/// Judges never and always asking, a coin, a threshold of the first number, group means and the expected gain, at every price.
pub(super) fn at_prices(table: &RouteTable, settings: &RouteSettings) -> Result<AtPrices, Error> {
    let reader = Reader::new(table, settings);
    let parts = parts(table);
    let advisors = table.advisors.len();
    // What is expected of a request by a book that is taught the part two places before its own; by means of groups alone as well.
    let mut expected = vec![vec![0.0; advisors]; table.rows.len()];
    let mut by_group = expected.clone();
    let mut calibrating = expected.clone();
    let by_groups = BookSpec { expert: Expert::Group, ..reader.spec };
    for part in 0..PARTS {
        let (next, last) = ((part + 1) % PARTS, (part + 2) % PARTS);
        let (mut book, mut means) = (GainBook::new(reader.spec, advisors)?, GainBook::new(by_groups, advisors)?);
        for row in &parts[part] {
            reader.teach(&mut book, *row)?;
            reader.teach(&mut means, *row)?;
        }
        for row in &parts[next] {
            calibrating[*row] = reader.expects(&book, *row)?;
        }
        for row in &parts[last] {
            expected[*row] = reader.expects(&book, *row)?;
            by_group[*row] = reader.expects(&means, *row)?;
        }
    }
    let dearest = table.dearest();
    let calibrator = Judge::new(table, &calibrating);
    let radii: Vec<f64> = (0..PARTS)
        .map(|part| bands(&calibrator, &calibrating, &parts[part], dearest).map(|bands| radius(&bands)))
        .collect::<Result<_, _>>()?;
    let judge = Judge::new(table, &expected);
    let all: Vec<usize> = (0..table.rows.len()).collect();
    let mut policies = Vec::new();
    let mut refused = None;
    for price in settings.prices() {
        let charges = charges(table, price);
        let gain: Vec<usize> = all.iter().map(|row| best(&expected[*row], &charges)).collect();
        // What calibrates a row is the part before its own.
        let careful = |row: &usize| {
            let radius = radii[(row + PARTS - 1) % PARTS];
            let least: Vec<f64> = expected[*row]
                .iter()
                .enumerate()
                .map(|(k, reward)| if k == 0 { *reward } else { reward - radius })
                .collect();
            best(&least, &charges)
        };
        let mut told = vec![(GAIN.to_owned(), gain.clone())];
        told.push(("expected gain less the radius".into(), all.iter().map(careful).collect()));
        if !table.groups.is_empty() {
            told.push(("group means".into(), all.iter().map(|row| best(&by_group[*row], &charges)).collect()));
        }
        if let Some((name, ..)) = table.numbers.first() {
            let choices = threshold(table, &calibrator, &parts, &charges, dearest);
            told.push((format!("threshold of {name}"), choices));
        }
        for (advisor, name) in table.advisors.iter().enumerate() {
            let policy = match advisor {
                0 => format!("never asking: {name}"),
                _ if advisors == 2 => format!("always asking: {name}"),
                _ => format!("always {name}"),
            };
            told.push((policy, vec![advisor; all.len()]));
        }
        let net = |choices: &[usize]| -> Vec<f64> {
            let rewards = judge.each(&all, choices, Outcome::Reward);
            rewards.iter().zip(choices).map(|(reward, choice)| reward - charges[*choice]).collect()
        };
        let fixed: Vec<Vec<f64>> = (0..advisors).map(|advisor| net(&vec![advisor; all.len()])).collect();
        let mean = |each: &[f64]| each.iter().sum::<f64>() / each.len() as f64;
        let simple = (0..advisors)
            .reduce(|best, next| if mean(&fixed[next]) > mean(&fixed[best]) { next } else { best })
            .unwrap_or(0);
        let mut gains = None;
        for (policy, choices) in told {
            let nets = net(&choices);
            let over: Vec<f64> = nets.iter().zip(&fixed[simple]).map(|(one, other)| one - other).collect();
            let priced = Priced {
                price,
                policy,
                asked: choices.iter().filter(|choice| **choice != 0).count() as f64 / all.len() as f64,
                money: interval(&judge.each(&all, &choices, Outcome::Cost))?,
                quality: interval(&judge.each(&all, &choices, Outcome::Reward))?,
                net: interval(&nets)?,
                over: interval(&over)?,
                refused: judge.refuses(&all, &choices)?,
            };
            // What is compared with everything must have a number; a rival without one is left out alone.
            let is_needed = priced.policy == GAIN || choices.iter().all(|choice| *choice == choices[0]);
            refused = refused.or_else(|| priced.refused.clone().filter(|_| is_needed));
            gains.get_or_insert_with(|| priced.clone());
            policies.push(priced);
        }
        if let Some(gains) = gains {
            policies.push(coin(&judge, &all, &charges, price, gains.money.estimate)?);
        }
    }
    let bands = if refused.is_some() { Vec::new() } else { bands(&judge, &expected, &all, dearest)? };
    let radius = radius(&bands);
    Ok(AtPrices { policies, bands, radius, refused })
}

/// The best mixture of advisors by a coin that costs as much as the policy: a saving that it makes too is none of a look.
fn coin(judge: &Judge<'_>, all: &[usize], charges: &[f64], price: f64, money: f64) -> Result<Priced, Error> {
    let each = |outcome: Outcome| -> Vec<Vec<f64>> {
        (0..charges.len()).map(|advisor| judge.each(all, &vec![advisor; all.len()], outcome)).collect()
    };
    let (rewards, costs) = (each(Outcome::Reward), each(Outcome::Cost));
    let mean = |each: &Vec<f64>| each.iter().sum::<f64>() / each.len() as f64;
    let means = |of: &[Vec<f64>]| of.iter().map(mean).collect::<Vec<f64>>();
    let weights = hull(&means(&rewards), &means(&costs), money);
    let mixed = |of: &[Vec<f64>]| -> Vec<f64> {
        let at = |row: usize| weights.iter().zip(of).map(|(weight, each)| weight * each[row]).sum();
        (0..all.len()).map(at).collect()
    };
    let quality = mixed(&rewards);
    let charge: f64 = weights.iter().zip(charges).map(|(weight, charge)| weight * charge).sum();
    let nets: Vec<f64> = quality.iter().map(|reward| reward - charge).collect();
    let simple = (0..charges.len()).map(|advisor| mean(&rewards[advisor]) - charges[advisor]).fold(f64::MIN, f64::max);
    let over = interval(&nets)?.estimate - simple;
    Ok(Priced {
        price,
        policy: "a coin at that cost".into(),
        asked: 1.0 - weights[0],
        money: interval(&mixed(&costs))?,
        quality: interval(&quality)?,
        net: interval(&nets)?,
        over: Interval { estimate: over, half_width: 0.0, low: over, high: over },
        refused: None,
    })
}

/// The dearest advisor on one side of a threshold of the first number, which was the best in the part that calibrates.
fn threshold(
    table: &RouteTable,
    judge: &Judge<'_>,
    parts: &[Vec<usize>; PARTS],
    charges: &[f64],
    dearest: usize,
) -> Vec<usize> {
    let mut choices = vec![0; table.rows.len()];
    for part in 0..PARTS {
        let rows = &parts[part];
        let gains = judge.each(rows, &vec![dearest; rows.len()], Outcome::Reward);
        let hands = judge.each(rows, &vec![0; rows.len()], Outcome::Reward);
        let number = |row: usize| table.rows[row].request.numbers[0];
        let mut sorted: Vec<(f64, f64)> = rows
            .iter()
            .zip(gains.iter().zip(&hands))
            .map(|(row, (strong, hand))| (number(*row), strong - hand - charges[dearest]))
            .collect();
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let total: f64 = sorted.iter().map(|one| one.1).sum();
        // Below the threshold is asked, or from it on.
        let (mut below, mut best) = (0.0, (0.0_f64, f64::NEG_INFINITY, true));
        for equal in sorted.chunk_by(|one, next| one.0 == next.0) {
            if total - below > best.0 {
                best = (total - below, equal[0].0, false);
            }
            below += equal.iter().map(|one| one.1).sum::<f64>();
            if below > best.0 {
                best = (below, equal[0].0, true);
            }
        }
        let (_, cut, asks_below) = best;
        for row in &parts[(part + 1) % PARTS] {
            let asks = if asks_below { number(*row) <= cut } else { number(*row) >= cut };
            choices[*row] = if asks { dearest } else { 0 };
        }
    }
    choices
}

/// Like requests, in ten bands of the expected gain of one advisor over the first.
fn bands(judge: &Judge<'_>, expected: &[Vec<f64>], rows: &[usize], advisor: usize) -> Result<Vec<Band>, Error> {
    let mut sorted: Vec<(f64, usize)> =
        rows.iter().map(|row| (expected[*row][advisor] - expected[*row][0], *row)).collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let size = sorted.len().div_ceil(BANDS).max(2);
    let band = |band: &[(f64, usize)]| -> Result<Band, Error> {
        let rows: Vec<usize> = band.iter().map(|(_, row)| *row).collect();
        let of = |advisor: usize| judge.each(&rows, &vec![advisor; rows.len()], Outcome::Reward);
        let gains: Vec<f64> = of(advisor).iter().zip(of(0)).map(|(one, other)| one - other).collect();
        let expected = band.iter().map(|(gain, _)| gain).sum::<f64>() / band.len() as f64;
        Ok(Band { requests: band.len(), expected, observed: interval(&gains)? })
    };
    sorted.chunks(size).filter(|chunk| chunk.len() > 1).map(band).collect()
}

/// The conformal quantile of what bands miss: a new band misses by no more in nine of ten cases. Infinite where there are too few.
fn radius(bands: &[Band]) -> f64 {
    let mut missed: Vec<f64> = bands.iter().map(|band| (band.observed.estimate - band.expected).abs()).collect();
    missed.sort_by(f64::total_cmp);
    let rank = ((missed.len() + 1) * 9).div_ceil(10);
    missed.get(rank - 1).copied().unwrap_or(f64::INFINITY)
}
