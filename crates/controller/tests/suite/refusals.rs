//! What a controller refuses, and that a refusal costs nothing.

use counsel_controller::{
    Action, Books, BooksSpec, Budget, Controller, Error, Execution, Gate, Outcome, Parser, Reply, Seed, Settings,
    Situation, Turn, ValueSamples,
};

use crate::advised::{ACTIONS, recommended};

fn here() -> Situation {
    Situation::of("here").proposing(Action(0))
}

#[test]
fn values_features_and_laws_of_another_size_are_refused() {
    let mut controller = recommended();
    let values = ValueSamples::new(5, vec![0.0; 10]).unwrap();
    let refused = controller.decide(here().valued(values, None)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the table of values is about 5 actions, but the controller knows 3; pass one entry per action"
    );
    assert!(matches!(controller.decide(here().with_fallback_law(vec![1.0])), Err(Error::Actions { .. })));
    assert!(matches!(controller.decide(here().described_by(vec![f64::NAN])), Err(Error::Feature { .. })));
    drop(controller.decide(here().described_by(vec![1.0, 2.0])).unwrap());
    assert!(matches!(controller.decide(here().described_by(vec![1.0])), Err(Error::Features { got: 1, expected: 2 })));
    assert!(matches!(controller.decide(Situation::of("there").described_by(vec![0.0; 2])), Err(Error::NoProposal)));
}

#[test]
fn rewards_without_a_decision_or_without_a_number_are_refused() {
    let mut controller = recommended();
    assert!(matches!(controller.outcome(Outcome::reward(1.0)), Err(Error::NoDecision)));
    let Turn::Ask(ask) = controller.decide(here()).unwrap() else { panic!("a new context is worth a question") };
    controller.resume(ask, Reply::lost()).unwrap();
    for reward in [f64::NAN, f64::INFINITY] {
        assert!(matches!(controller.outcome(Outcome::reward(reward)), Err(Error::Reward { .. })));
    }
    controller.outcome(Outcome::reward(1.0)).unwrap();
}

#[test]
fn a_question_is_answered_by_who_asked_it() {
    let (mut one, mut other) = (recommended(), recommended());
    let Turn::Ask(ask) = one.decide(here()).unwrap() else { panic!("a new context is worth a question") };
    assert!(matches!(other.resume(ask, Reply::live("left")), Err(Error::NotOpen { serial: 1 })));
}

#[test]
fn a_controller_without_values_or_with_a_bad_price_says_so() {
    let settings = Settings::new(Gate::Always, Execution::Trusting, Budget::calls(1));
    let new = |price| {
        let books = Books::new(BooksSpec::default(), 3).unwrap();
        Controller::new(&settings, Parser::new(ACTIONS).unwrap(), price, books, Seed::root(0))
    };
    assert!(matches!(new(0.0).unwrap().decide(here()), Err(Error::NoValues)));
    for price in [f64::NAN, -1.0, f64::INFINITY] {
        assert!(new(price).unwrap_err().to_string().contains("price"));
    }
}
