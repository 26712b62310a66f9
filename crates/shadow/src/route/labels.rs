//! How many labels it takes: a book that is taught more and more requests, judged at a price on requests that it never sees.

use counsel_controller::Seed;
use counsel_controller::route::GainBook;
use counsel_stats::{Interval, mean_interval};
use rand::seq::SliceRandom;

use super::judge::{Judge, Outcome};
use super::priced::{Reader, best, charges};
use super::table::RouteTable;
use super::weigh::RouteSettings;
use crate::Error;

/// The fewest labels that are tried; then twice as many, and so on.
const FIRST: usize = 50;
/// The most.
const MOST: usize = 25_600;

/// What a number of labels is good for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labelled {
    /// Requests whose outcomes were learned, as far as they are known.
    pub labels: usize,
    /// What the policy nets on other requests, over draws of the labels.
    pub net: Interval,
    /// By how much that is more than the better of never and always asking nets on the same requests.
    pub over: Interval,
}

/// Labels at a price, from few to as many as there are.
pub(super) fn labelled(table: &RouteTable, settings: &RouteSettings, price: f64) -> Result<Vec<Labelled>, Error> {
    let reader = Reader::new(table, settings);
    let (charges, advisors) = (charges(table, price), table.advisors.len());
    let kept = table.rows.len() / 3;
    let most = (table.rows.len() - kept).min(MOST);
    let sizes: Vec<usize> = std::iter::successors(Some(FIRST), |size| Some(size * 2))
        .take_while(|size| *size < most)
        .chain([most])
        .collect();
    let mut found: Vec<Vec<(f64, f64)>> = vec![Vec::new(); sizes.len()];
    for number in 0..settings.orders {
        let mut order: Vec<usize> = (0..table.rows.len()).collect();
        order.shuffle(&mut Seed::root(settings.seed).stream("labels").index(number).rng());
        let (taught, judged) = order.split_at(table.rows.len() - kept);
        let mut book = GainBook::new(reader.spec, advisors)?;
        let mut known = 0;
        for (place, size) in sizes.iter().enumerate() {
            for row in &taught[known..*size] {
                reader.teach(&mut book, *row)?;
            }
            known = *size;
            let mut expected = vec![vec![0.0; advisors]; table.rows.len()];
            for row in judged {
                expected[*row] = reader.expects(&book, *row)?;
            }
            let judge = Judge::new(table, &expected);
            let net = |choices: &[usize]| {
                let rewards = judge.each(judged, choices, Outcome::Reward);
                let sum: f64 = rewards.iter().zip(choices).map(|(reward, choice)| reward - charges[*choice]).sum();
                sum / judged.len() as f64
            };
            let choices: Vec<usize> = judged.iter().map(|row| best(&expected[*row], &charges)).collect();
            let simple = (0..advisors).map(|advisor| net(&vec![advisor; judged.len()])).fold(f64::MIN, f64::max);
            let nets = net(&choices);
            found[place].push((nets, nets - simple));
        }
    }
    let interval = |values: Vec<f64>| -> Result<Interval, Error> {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let exact = Interval { estimate: mean, half_width: 0.0, low: mean, high: mean };
        Ok(mean_interval(&values, 0.95)?.unwrap_or(exact))
    };
    let labelled = |(labels, draws): (usize, Vec<(f64, f64)>)| {
        let (nets, over): (Vec<f64>, Vec<f64>) = draws.into_iter().unzip();
        Ok(Labelled { labels, net: interval(nets)?, over: interval(over)? })
    };
    sizes.into_iter().zip(found).map(labelled).collect()
}

/// The fewest labels from which on the policy nets more than never and always asking, if there are some.
pub(super) fn enough(labelled: &[Labelled]) -> Option<usize> {
    let short = labelled.iter().rposition(|one| one.over.low <= 0.0);
    labelled.get(short.map_or(0, |place| place + 1)).map(|one| one.labels)
}
