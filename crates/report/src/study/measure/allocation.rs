//! Where calls were placed, held against what they were worth: the paper's allocation quality ("Metrics and statistical
//! protocol"), and the queries of which Theorem `thm:allocation` promises that there are none.

use super::log::{CellLog, mean};

/// The label of every decision: its exact value, or the one by simulation.
fn labels(log: &CellLog<'_>) -> Vec<Option<f64>> {
    let (exact, proxy) = (log.frame.reals("exact_value"), log.frame.reals("proxy_value"));
    exact.iter().zip(proxy).map(|(exact, proxy)| exact.or(*proxy)).collect()
}

/// How many calls were worth less than their price; `None` if the label of one is missing.
pub(super) fn negative_net(log: &CellLog<'_>) -> Option<f64> {
    let (labels, price) = (labels(log), log.full("paced_price"));
    let losses = log.answers().rows.into_iter().map(|row| labels[row].map(|label| u32::from(label < price[row])));
    losses.sum::<Option<u32>>().map(f64::from)
}

/// Of the B decisions with the highest labels, B being the number of calls, the share with a call. Decisions that tie for the
/// last places share them. Nothing without a call, or where a label is missing.
pub(super) fn top_precision(log: &CellLog<'_>) -> Option<f64> {
    let asked = log.asked();
    let calls = asked.iter().filter(|asked| **asked).count();
    let labels = labels(log).into_iter().collect::<Option<Vec<f64>>>()?;
    let mut sorted = labels.clone();
    sorted.sort_by(|one, other| other.total_cmp(one));
    let last = *sorted.get(calls.checked_sub(1)?)?;
    let count = |among: &dyn Fn(usize) -> bool| (0..labels.len()).filter(|row| among(*row)).count() as f64;
    let above = count(&|row| labels[row] > last);
    let asked_above = count(&|row| labels[row] > last && asked[row]);
    let (ties, asked_ties) = (count(&|row| labels[row] == last), count(&|row| labels[row] == last && asked[row]));
    Some((asked_above + (calls as f64 - above) * asked_ties / ties) / calls as f64)
}

/// The offline frontier of Proposition `prop:frontier`: the most that 0, 1, 2, ... calls of a fixed set of opportunities can be
/// worth beyond their price. Calls are taken by falling net value, and none below zero.
fn frontier(net_values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut worth: Vec<f64> = net_values.into_iter().map(|net| net.max(0.0)).collect();
    worth.sort_by(|one, other| other.total_cmp(one));
    let sums = worth.into_iter().scan(0.0, |sum, net| {
        *sum += net;
        Some(*sum)
    });
    [0.0].into_iter().chain(sums).collect()
}

/// What the calls were worth beyond their price, as a share of the frontier at as many calls. Nothing without a call, where a
/// label is missing, or where no call could be worth its price.
pub(super) fn frontier_share(log: &CellLog<'_>) -> Option<f64> {
    let (asked, price) = (log.asked(), log.full("paced_price"));
    let labels = labels(log).into_iter().collect::<Option<Vec<f64>>>()?;
    let net: Vec<f64> = labels.iter().zip(price).map(|(label, price)| label - price).collect();
    let made: Vec<usize> = (0..net.len()).filter(|row| asked[*row]).collect();
    let best = frontier(net.iter().copied())[made.len()];
    (!made.is_empty() && best > 0.0).then(|| made.iter().map(|row| net[*row]).sum::<f64>() / best)
}

/// The mean label of the calls; `None` if the label of one is missing.
pub(super) fn call_label(log: &CellLog<'_>) -> Option<f64> {
    let labels = labels(log);
    let of_calls = log.answers().rows.into_iter().map(|row| labels[row]).collect::<Option<Vec<f64>>>()?;
    mean(of_calls.into_iter().map(Some))
}

/// The mean gain of the executed action over the action without a query, in optimal values, over the calls at which these are
/// known.
pub(super) fn realized_per_call(log: &CellLog<'_>) -> Option<f64> {
    let (executed, no_query) = (log.frame.ints("executed"), log.frame.ints("no_query"));
    let optimal = log.frame.real_lists("optimal_values");
    let value = |row: usize, action: Option<i64>| optimal.row(row).get(usize::try_from(action?).ok()?).copied();
    let gain = |row: usize| Some(value(row, executed[row])? - value(row, no_query[row])?);
    mean(log.answers().rows.into_iter().map(gain))
}

#[cfg(test)]
mod tests {
    use counsel_log::Decision;
    use proptest::prelude::*;

    use super::super::specimen::{Advice, asked, cell, episode, labelled};
    use super::*;

    /// A decision with this label, with a call or without; a call costs 0.01.
    fn decision(label: f64, call: bool) -> Decision {
        if !call {
            return labelled(0, 0, 0.0, label);
        }
        let mut decision = asked(Advice::default());
        decision.hindsight.proxy_value = Some(label);
        decision
    }

    #[test]
    fn a_call_below_its_price_is_a_loss() {
        let cell = cell(&[decision(0.3, true), decision(0.01, true), decision(0.0, true), decision(-1.0, false)]);
        assert_eq!(negative_net(&cell.log()), Some(1.0));
    }

    #[test]
    fn precision_is_counted_among_as_many_decisions_as_there_were_calls() {
        // Three calls; the three highest labels are 0.9, 0.5 and one of the two that tie at 0.1, of which one was asked.
        let labels = [(0.9, true), (0.5, false), (0.1, true), (0.1, false), (0.0, true)];
        let cell = cell(&labels.map(|(label, call)| decision(label, call)));
        assert_eq!(top_precision(&cell.log()), Some((1.0 + 0.5) / 3.0));
    }

    #[test]
    fn calls_are_held_against_the_best_ones_that_could_have_been_made() {
        // Two calls, net 0.29 and -0.01; the best two are 0.89 and 0.29.
        let cell = cell(&[decision(0.3, true), decision(0.0, true), decision(0.9, false), decision(-1.0, false)]);
        assert!((frontier_share(&cell.log()).unwrap() - 0.28 / 1.18).abs() < 1e-12);
        assert_eq!(call_label(&cell.log()), Some(0.15));
    }

    #[test]
    fn what_a_call_brought_is_the_difference_of_two_optimal_values() {
        let mut bought = decision(0.3, true);
        bought.record.executed = counsel_decision::Action(1);
        bought.hindsight.optimal_values = vec![0.25, 1.0];
        let cell = cell(&[bought, decision(0.9, false), decision(0.1, true)]);
        assert_eq!(realized_per_call(&cell.log()), Some(0.75), "the other call has no optimal values");
    }

    proptest! {
        /// Proposition `prop:frontier`: non-decreasing, concave, and no choice of as many calls is worth more.
        #[test]
        fn the_frontier_is_concave_and_out_of_reach(
            net in prop::collection::vec((-1.0..1.0, any::<bool>()), 0..40),
        ) {
            let frontier = frontier(net.iter().map(|(net, _)| *net));
            prop_assert_eq!(frontier.len(), net.len() + 1);
            let steps: Vec<f64> = frontier.windows(2).map(|pair| pair[1] - pair[0]).collect();
            prop_assert!(steps.iter().all(|step| *step >= 0.0), "{:?}", frontier);
            prop_assert!(steps.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12), "{:?}", frontier);
            let chosen: Vec<f64> = net.iter().filter(|(_, chosen)| *chosen).map(|(net, _)| *net).collect();
            prop_assert!(chosen.iter().sum::<f64>() <= frontier[chosen.len()] + 1e-12);
        }
    }

    #[test]
    fn what_has_no_label_is_not_counted() {
        let unlabelled = cell(&[asked(Advice::default())]);
        assert_eq!((negative_net(&unlabelled.log()), top_precision(&unlabelled.log())), (None, None));
        let silent = cell(&episode(0, 2, 1.0));
        assert_eq!((negative_net(&silent.log()), top_precision(&silent.log())), (Some(0.0), None));
    }
}
