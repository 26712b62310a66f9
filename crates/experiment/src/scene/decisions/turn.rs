//! One advisor after the other, where any of their answers can be executed in the end.

use std::collections::BTreeMap;

use counsel_controller::route::{Next, Pattern, Recall};

use super::player::Asked;

/// In which order advisors are asked, and when to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The one with the largest reservation value, while that is above the value in hand.
    Learned,
    /// The next one, while its reservation value is above the value in hand.
    Given,
}

/// A rule of asking with recall, with the decisions whose reward has not come.
pub(super) struct InTurn {
    recall: Recall,
    order: Order,
    open: BTreeMap<u64, (Option<usize>, Pattern, u8)>,
}

/// Who was asked, in order, and whose answer is executed.
pub(super) struct Taken {
    pub(super) asked: Vec<usize>,
    pub(super) executed: usize,
    /// The reservation value of every advisor before anybody was asked.
    pub(super) reservations: Vec<f64>,
}

/// The distinct answers in hand, by their numbers in the table.
#[derive(Default)]
struct Hand(Vec<i64>);

impl Hand {
    fn number(&mut self, answer: i64) -> u8 {
        let place = self.0.iter().position(|known| *known == answer).unwrap_or_else(|| {
            self.0.push(answer);
            self.0.len() - 1
        });
        u8::try_from(place).unwrap_or(u8::MAX)
    }
}

impl InTurn {
    pub(super) fn new(recall: Recall, order: Order) -> Self {
        Self { recall, order, open: BTreeMap::new() }
    }

    /// Asks until no answer is worth its price. At a survey everybody is asked.
    pub(super) fn decide(&mut self, step: u64, asked: &Asked) -> Taken {
        let (advisors, group) = (asked.answers.len(), asked.request.group);
        let surveys = self.recall.surveys();
        let (mut hand, mut pattern) = (Hand::default(), Pattern::nobody(advisors));
        let reservations = (0..advisors).map(|advisor| self.recall.reservation(group, &pattern, advisor)).collect();
        let mut order = Vec::new();
        while let Some(advisor) = self.next(group, &pattern, surveys, advisors) {
            let answer = hand.number(asked.answers[advisor]);
            // An advisor of the panel that asks about itself is known to be one.
            let _ = self.recall.heard(group, &pattern, advisor, answer);
            pattern = pattern.with(advisor, answer);
            order.push(advisor);
        }
        let answer = self.recall.value(group, &pattern).map_or(0, |(answer, _)| answer);
        let said = hand.0.get(usize::from(answer)).copied();
        let executed = order.iter().copied().find(|advisor| Some(asked.answers[*advisor]) == said).unwrap_or(0);
        self.open.insert(step, (group, pattern, answer));
        Taken { asked: order, executed, reservations }
    }

    fn next(&self, group: Option<usize>, pattern: &Pattern, surveys: bool, advisors: usize) -> Option<usize> {
        let open = (0..advisors).find(|advisor| !pattern.asked(*advisor));
        if surveys {
            return open;
        }
        match self.order {
            Order::Learned => match self.recall.next(group, pattern)? {
                Next::Ask { advisor, .. } => Some(advisor),
                Next::Execute { .. } => None,
            },
            Order::Given => open.filter(|advisor| {
                let value = self.recall.value(group, pattern);
                value.is_none_or(|(_, value)| self.recall.reservation(group, pattern, *advisor) > value)
            }),
        }
    }

    /// Whether the executed answer was right.
    pub(super) fn learn(&mut self, step: u64, right: bool) {
        if let Some((group, pattern, answer)) = self.open.remove(&step) {
            self.recall.learn(group, &pattern, answer, right);
        }
    }
}

/// The first two advisors; where they agree their answer, otherwise that of the last.
pub(super) fn agreement_of_two(answers: &[i64]) -> Taken {
    let agree = answers[0] == answers[1];
    let last = answers.len() - 1;
    let mut asked = vec![0, 1];
    asked.extend((!agree && last > 1).then_some(last));
    Taken { asked, executed: if agree { 0 } else { last }, reservations: vec![0.0; answers.len()] }
}
