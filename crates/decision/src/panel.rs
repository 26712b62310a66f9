//! Several advisors at one decision: what asking each of them is worth, and which one the decision is about.
//!
//! At most one of them is asked. It is the one whose worth, less its price, is largest, if that reaches zero. If nobody is worth
//! its price, the decision is about the advisor whose answer is in hand. So an audit finds the choice again from the list.

use crate::refusal::{Refusal, at_least, below, in_range};

/// The advisors that were considered for a decision, by their places from 0.
///
/// ```
/// use counsel_decision::Panel;
///
/// // The third is worth the most after its price; nobody considers the second.
/// let panel = Panel::new(vec![-0.01, f64::NEG_INFINITY, 0.03], Some(0))?;
/// assert_eq!((panel.advisor(), panel.stands_in()), (2, Some(0)));
/// // If no question is worth its price, the answer in hand acts.
/// assert_eq!(Panel::new(vec![-0.01, -0.02], Some(1))?.advisor(), 1);
/// # Ok::<(), counsel_decision::refusal::Refusal>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    nets: Vec<f64>,
    in_hand: Option<usize>,
    advisor: usize,
}

impl Panel {
    /// The score of asking each advisor less its threshold, minus infinity for one that is not considered, and the place of the
    /// advisor whose answer, held or foretold, would act without a question.
    pub fn new(nets: Vec<f64>, in_hand: Option<usize>) -> Result<Self, Refusal> {
        at_least("advisors", nets.len(), 2, "leave the panel out where there is one advisor")?;
        if let Some(&net) = nets.iter().find(|net| net.is_nan() || **net == f64::INFINITY) {
            in_range(false, "advisor_scores", net, "[-infinity, infinity)", "pass the score less its threshold")?;
        }
        in_hand.map_or(Ok(()), |place| below("in_hand", place, nets.len()))?;
        let advisor = chosen(&nets, in_hand);
        Ok(Self { nets, in_hand, advisor })
    }

    /// The place of the advisor that the decision is about.
    pub fn advisor(&self) -> usize {
        self.advisor
    }

    /// The score of asking each advisor less its threshold.
    pub fn nets(&self) -> &[f64] {
        &self.nets
    }

    /// The place of the advisor whose answer would act without a question.
    pub fn in_hand(&self) -> Option<usize> {
        self.in_hand
    }

    /// The same, where it is another one than the decision is about: its answer then stands as the fallback's proposal.
    pub fn stands_in(&self) -> Option<usize> {
        self.in_hand.filter(|place| *place != self.advisor)
    }

    /// The same with what the engine found for the advisor that the decision is about.
    pub(crate) fn confirmed(&self, net: f64) -> Self {
        let mut nets = self.nets.clone();
        nets[self.advisor] = net;
        let advisor = chosen(&nets, self.in_hand);
        Self { nets, in_hand: self.in_hand, advisor }
    }
}

/// The first of the largest if it is worth its price; else whose answer is in hand.
fn chosen(nets: &[f64], in_hand: Option<usize>) -> usize {
    let best = (1..nets.len()).fold(0, |best, place| if nets[place] > nets[best] { place } else { best });
    if nets[best] >= 0.0 { best } else { in_hand.unwrap_or(best) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_advisors_the_first_is_asked() {
        assert_eq!(Panel::new(vec![0.2, 0.2], None).unwrap().advisor(), 0);
    }

    #[test]
    fn a_number_that_the_engine_finds_otherwise_changes_the_choice() {
        let panel = Panel::new(vec![0.2, 0.1], None).unwrap();
        assert_eq!(panel.confirmed(0.2), panel);
        assert_eq!(panel.confirmed(0.05).advisor(), 1);
    }

    #[test]
    fn what_is_no_panel_is_refused() {
        assert!(Panel::new(vec![0.1], None).is_err());
        assert!(Panel::new(vec![0.1, f64::NAN], None).is_err());
        assert!(Panel::new(vec![0.1, 0.2], Some(2)).is_err());
    }
}
