//! Asking with recall: the learned rule against a fixed one, and the closed form of the reservation value.

use counsel_controller::Seed;
use counsel_controller::route::{Next, Pattern, Recall, RecallSpec};
use rand::RngExt;

const SKILLS: [f64; 3] = [0.75, 0.75, 0.95];
const PRICES: [f64; 3] = [0.005, 0.005, 0.1];

/// The answers of three advisors; 0 is right, wrong ones are drawn from many.
fn answers(seed: Seed) -> [u64; 3] {
    let mut rng = seed.rng();
    SKILLS.map(|skill| if rng.random::<f64>() < skill { 0 } else { rng.random_range(1..50) })
}

/// The numbers of distinct answers, in the order in which they came up.
#[derive(Default)]
struct Hand(Vec<u64>);

impl Hand {
    fn number(&mut self, answer: u64) -> u8 {
        let place = self.0.iter().position(|known| *known == answer).unwrap_or_else(|| {
            self.0.push(answer);
            self.0.len() - 1
        });
        u8::try_from(place).unwrap()
    }
}

#[test]
fn the_learned_rule_is_no_worse_than_two_agree_else_the_strong_one() {
    let mut recall = Recall::new(RecallSpec::default(), &PRICES, Seed::root(1)).unwrap();
    let (mut learned, mut fixed, mut counted) = (0.0, 0.0, 0.0);
    for number in 0..6000u64 {
        let answers = answers(Seed::root(2).index(number));
        let surveys = recall.surveys();
        let (mut hand, mut pattern, mut paid) = (Hand::default(), Pattern::nobody(3), 0.0);
        let executed = loop {
            let open = (0..3).find(|advisor| !pattern.asked(*advisor));
            let next = recall.next(None, &pattern).unwrap();
            let advisor = match (next, open) {
                (_, Some(open)) if surveys => open,
                (Next::Ask { advisor, .. }, _) => advisor,
                (Next::Execute { answer, .. }, _) => break answer,
            };
            let answer = hand.number(answers[advisor]);
            recall.heard(None, &pattern, advisor, answer).unwrap();
            pattern = pattern.with(advisor, answer);
            paid += PRICES[advisor];
        };
        let right = hand.0[executed as usize] == 0;
        recall.learn(None, &pattern, executed, right);
        if number >= 3000 && !surveys {
            learned += f64::from(u8::from(right)) - paid;
            let agree = answers[0] == answers[1];
            let (answer, cost) = if agree { (answers[0], 0.01) } else { (answers[2], 0.11) };
            fixed += f64::from(u8::from(answer == 0)) - cost;
            counted += 1.0;
        }
    }
    assert!(learned / counted >= fixed / counted - 0.01, "{} against {}", learned / counted, fixed / counted);
}

#[test]
fn the_reservation_value_solves_its_equation() {
    let mut recall = Recall::new(RecallSpec::default(), &[0.0, 0.1], Seed::root(1)).unwrap();
    let nobody = Pattern::nobody(2);
    let one = nobody.with(0, 0);
    for number in 0..200u8 {
        let agrees = number % 4 > 0;
        recall.heard(None, &one, 1, u8::from(!agrees)).unwrap();
        recall.learn(None, &one.with(1, u8::from(!agrees)), 0, agrees);
    }
    let zeta = recall.reservation(None, &one, 1);
    // Agreement: 150 of 200 with prior 0.6 of weight 10; then right 150 of 150 with prior 0.7. A second answer was never judged.
    let agree = (150.0 + 6.0) / 210.0;
    let (agreed, differed) = ((150.0 + 7.0) / 160.0, 0.7);
    let excess = |value: f64| agree * (agreed - value).max(0.0) + (1.0 - agree) * (differed - value).max(0.0);
    assert!((excess(zeta) - 0.1).abs() < 1e-12, "{zeta}");
    assert!(Recall::new(RecallSpec::default(), &[-1.0], Seed::root(1)).is_err());
    assert!(Recall::new(RecallSpec { survey: 2.0, ..RecallSpec::default() }, &[1.0], Seed::root(1)).is_err());
}

/// A stream that is cut, saved and loaded asks whom the uncut one asks, surveys included.
#[test]
fn a_saved_rule_goes_on_where_it_stood() {
    let stream = |cut: Option<u64>| -> Vec<String> {
        let mut recall = Recall::new(RecallSpec::default(), &PRICES, Seed::root(1)).unwrap();
        let mut asked = Vec::new();
        for number in 0..400u64 {
            if cut == Some(number) {
                recall = Recall::load(&recall.save().unwrap()).unwrap();
            }
            let group = Some((number % 2) as usize);
            let (answers, surveys) = (answers(Seed::root(2).index(number)), recall.surveys());
            let (mut hand, mut pattern) = (Hand::default(), Pattern::nobody(3));
            let executed = loop {
                let open = (0..3).find(|advisor| surveys && !pattern.asked(*advisor));
                let next = recall.next(group, &pattern).unwrap();
                asked.push(format!("{surveys} {next:?}"));
                let advisor = match (next, open) {
                    (_, Some(open)) => open,
                    (Next::Ask { advisor, .. }, _) => advisor,
                    (Next::Execute { answer, .. }, _) => break answer,
                };
                let answer = hand.number(answers[advisor]);
                recall.heard(group, &pattern, advisor, answer).unwrap();
                pattern = pattern.with(advisor, answer);
            };
            recall.learn(group, &pattern, executed, hand.0[executed as usize] == 0);
        }
        asked
    };
    assert_eq!(stream(Some(200)), stream(None));
    let text = Recall::new(RecallSpec::default(), &PRICES, Seed::root(1)).unwrap().save().unwrap();
    let error = counsel_controller::route::Router::load(&text).unwrap_err().to_string();
    assert!(error.contains("it is a recall of format 1, wanted is a router"), "{error}");
}
