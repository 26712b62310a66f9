//! The controller says why it is silent.

use counsel_controller::{
    Action, Books, BooksSpec, Budget, Controller, Execution, Gate, Parser, Radius, RadiusInForce, Reason, Reply, Seed,
    Settings, Situation, Turn, ValueSamples,
};
use counsel_decision::gate::predictive::Predictive;

use crate::advised::{ACTIONS, Walker, episode, recommended};

/// A gate on values that are handed in, as in the paper.
fn predictive(radius: RadiusInForce) -> Controller {
    let settings = Settings::new(Gate::Predictive(Predictive::default()), Execution::Improving, Budget::calls(3));
    let books = Books::new(BooksSpec::default(), 3).unwrap();
    Controller::new(&settings, Parser::new(ACTIONS).unwrap(), 1e-9, books, Seed::root(0)).unwrap().with_radius(radius)
}

fn most_frequent(controller: &Controller) -> Reason {
    controller.diagnose().reasons[0].0
}

fn decide(controller: &mut Controller, base: Action) -> bool {
    let values = ValueSamples::new(3, vec![0.1, 0.9, 0.2, 0.3, 0.5, 0.1]).unwrap();
    match controller.decide(Situation::of("here").proposing(base).valued(values, None)).unwrap() {
        Turn::Act(_) => false,
        Turn::Ask(ask) => {
            controller.resume(ask, Reply::live("I would go right.")).unwrap();
            true
        }
    }
}

#[test]
fn a_greedy_fallback_without_credit_is_named_with_its_remedy() {
    let mut controller = predictive(RadiusInForce::Declared(Radius::ZERO));
    assert!((0..10).all(|_| !decide(&mut controller, Action(1))), "the best action is proposed: nothing to gain");
    assert_eq!(most_frequent(&controller), Reason::GreedyFallback);
    let said = controller.diagnose().to_string();
    assert!(said.contains("your fallback is greedy and answers carry no credit"), "{said}");
    assert!(said.contains("Controller::recommended"), "{said}");
}

#[test]
fn a_missing_radius_a_spent_budget_and_unreadable_answers_are_told_apart() {
    let mut controller = predictive(RadiusInForce::Silent);
    assert!(!decide(&mut controller, Action(0)));
    assert_eq!(most_frequent(&controller), Reason::NoRadius);
    let mut controller = predictive(RadiusInForce::Declared(Radius::ZERO));
    assert_eq!((0..8).filter(|_| decide(&mut controller, Action(0))).count(), 3);
    let diagnosis = controller.diagnose();
    assert_eq!(diagnosis.reasons, [(Reason::BudgetSpent, 5), (Reason::Unreadable, 3)]);
    assert_eq!((diagnosis.decisions, diagnosis.calls, diagnosis.changed), (8, 3, 0));
}

#[test]
fn kept_answers_are_the_reason_of_a_controller_that_has_asked_enough() {
    let (mut controller, mut walker) = (recommended(), Walker::new());
    for _ in 0..10 {
        episode(&mut controller, &mut walker, |_| Reply::live("right"));
    }
    assert_eq!(most_frequent(&controller), Reason::AnswerHeld);
}
