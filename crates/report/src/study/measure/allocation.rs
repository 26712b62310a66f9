//! Where calls were placed, held against what they were worth: the paper's allocation quality ("Metrics and statistical
//! protocol"), and the queries of which Theorem `thm:allocation` promises that there are none.

use super::log::CellLog;

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

#[cfg(test)]
mod tests {
    use counsel_log::Decision;

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
    fn what_has_no_label_is_not_counted() {
        let unlabelled = cell(&[asked(Advice::default())]);
        assert_eq!((negative_net(&unlabelled.log()), top_precision(&unlabelled.log())), (None, None));
        let silent = cell(&episode(0, 2, 1.0));
        assert_eq!((negative_net(&silent.log()), top_precision(&silent.log())), (Some(0.0), None));
    }
}
