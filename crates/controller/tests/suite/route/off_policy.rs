//! What a log with probabilities says of policies that were not followed. The truth is known: the table has every answer.

use std::collections::BTreeMap;

use counsel_controller::Seed;
use counsel_controller::route::{BookSpec, Layout, Offer, Request, Router, RouterSpec, Spending};
use rand::RngExt;

use super::golden::{ADVISORS, Row, rows};

const LOGS: u64 = 200;
const REQUESTS: usize = 1500;

/// The doubly robust estimate of a policy's mean reward with its standard error: what was expected of its choice, and what the answer
/// brought beyond that, weighted by one over its probability.
fn estimate(terms: &[f64]) -> (f64, f64) {
    let count = terms.len() as f64;
    let mean = terms.iter().sum::<f64>() / count;
    let variance = terms.iter().map(|term| (term - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// Requests are drawn from the table, routed with a floor, and three other policies are estimated from the log. The intervals are
/// to hold in 95 of 100 logs, and do in 93 at least.
#[test]
fn estimates_from_logged_probabilities_cover_the_truth() {
    let table: BTreeMap<String, Row> = rows();
    let all: Vec<&Row> = table.values().collect();
    let mut groups: Vec<&str> = all.iter().map(|row| row.group.as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    let group_of = |row: &Row| groups.iter().position(|group| *group == row.group).unwrap();
    let policies: [&dyn Fn(&Row) -> usize; 3] = [&|_| 1, &|_| 2, &|row| if group_of(row) % 2 == 0 { 2 } else { 0 }];
    let truth = policies.map(|policy| all.iter().map(|row| row.rewards[policy(row)]).sum::<f64>() / all.len() as f64);
    let spec = RouterSpec {
        book: BookSpec { layout: Layout { groups: groups.len(), ..Layout::default() }, ..BookSpec::default() },
        spending: Spending::Price(5.0),
        floor: 0.05,
        ..RouterSpec::default()
    };
    let offers = [Offer::at(ADVISORS[0], 3e-5), Offer::at(ADVISORS[1], 5e-4), Offer::at(ADVISORS[2], 1.5e-2)];
    let mut covered = [0u64; 3];
    for log in 0..LOGS {
        let mut router = Router::new(spec, &offers, Seed::root(log)).unwrap();
        let mut rng = Seed::root(log).stream("requests").rng();
        let mut terms: [Vec<f64>; 3] = Default::default();
        for _ in 0..REQUESTS {
            let row = all[rng.random_range(0..all.len())];
            let route = router.decide(&Request::default().in_group(group_of(row))).unwrap();
            assert!(route.probabilities.iter().all(|probability| *probability >= 0.05 - 1e-12), "full support");
            let reward = row.rewards[route.chosen];
            for (policy, terms) in policies.iter().zip(&mut terms) {
                let target = policy(row);
                let surprise = if target == route.chosen { reward - route.rewards[target] } else { 0.0 };
                terms.push(route.rewards[target] + surprise / route.probabilities[target]);
            }
            router.settle(route.step, row.costs[route.chosen]).unwrap();
            router.learn(route.step, Some(reward)).unwrap();
        }
        for ((terms, truth), covered) in terms.iter().zip(truth).zip(&mut covered) {
            let (mean, error) = estimate(terms);
            *covered += u64::from((mean - truth).abs() <= 1.96 * error);
        }
    }
    assert!(covered.iter().all(|covered| *covered * 100 >= 93 * LOGS), "{covered:?} of {LOGS}");
}
