//! Which command the advisor will name: a conditional logit over the rows of the admissible commands.
//!
//! p(a) is proportional to exp(w·x_a), x_a being the ones of the command's row; w follows the gradient of the likelihood of the
//! paid answers. The probability of an answer that nobody understands is their share so far. Nothing here is known only after
//! the query.

use std::sync::Arc;

use counsel_alfworld::{PLACES, Row};
use counsel_decision::{Response, ResponseLaw};

/// The size of a step along the gradient, and how many answers each new one is learned along with.
const RATE: f64 = 0.1;
const TOGETHER: usize = 32;

/// What is expected of the advisor.
#[derive(Debug, Clone)]
pub(super) struct Chooser {
    weights: Vec<f64>,
    named: Vec<(Arc<[Row]>, usize)>,
    unusable: f64,
}

impl Chooser {
    /// Before any answer every command is equally likely.
    pub(super) fn new() -> Self {
        Self { weights: vec![0.0; PLACES], named: Vec::new(), unusable: 0.0 }
    }

    /// The predicted law of the answer among these commands.
    pub(super) fn law(&self, rows: &[Row]) -> ResponseLaw {
        let unusable = (self.unusable + 0.1) / (self.unusable + self.named.len() as f64 + 1.0);
        let mut law: Vec<f64> = self.chances(rows).into_iter().map(|chance| chance * (1.0 - unusable)).collect();
        law.push(unusable);
        ResponseLaw::proportional_to(&law)
    }

    fn chances(&self, rows: &[Row]) -> Vec<f64> {
        let score = |row: &Row| row.iter().map(|&place| self.weights[usize::from(place)]).sum::<f64>();
        let mut chances: Vec<f64> = rows.iter().map(score).collect();
        let largest = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        chances.iter_mut().for_each(|chance| *chance = (*chance - largest).exp());
        let sum: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        chances
    }

    /// Learns from a paid answer, along with an even selection of those before.
    pub(super) fn observe(&mut self, rows: &[Row], response: Response) {
        match response {
            Response::Recommends(action) if action.index() < rows.len() => {
                self.named.push((rows.into(), action.index()));
            }
            _ => {
                self.unusable += 1.0;
                return;
            }
        }
        let earlier = self.named.len() - 1;
        let others = earlier.min(TOGETHER);
        for pick in (0..others).map(|pick| pick * earlier / others).chain([earlier]) {
            let (rows, named) = self.named[pick].clone();
            let chances = self.chances(&rows);
            for (command, (row, chance)) in rows.iter().zip(chances).enumerate() {
                let surprise = f64::from(u8::from(command == named)) - chance;
                row.iter().for_each(|&place| self.weights[usize::from(place)] += RATE * surprise / row.len() as f64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use counsel_decision::Action;

    use super::*;

    #[test]
    fn what_is_named_again_and_again_is_expected_wherever_it_stands() {
        let row = |number: u16| -> Row { std::array::from_fn(|place| number * 20 + u16::try_from(place).unwrap()) };
        let mut chooser = Chooser::new();
        assert!((chooser.law(&[row(0), row(1)]).as_slice()[0] - 0.45).abs() < 1e-9);
        for _ in 0..40 {
            chooser.observe(&[row(0), row(1), row(2)], Response::Recommends(Action(1)));
        }
        let law = chooser.law(&[row(3), row(4), row(1), row(0)]);
        assert!(law.as_slice()[2] > 0.8 && law.as_slice()[4] < 0.01, "{law:?}");
    }
}
