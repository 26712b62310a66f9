//! Somebody has the last word: the controller learns from what was executed, and advice answers for none of it.

use counsel_controller::{
    Action, Books, BooksSpec, Budget, Controller, Error, GuardSpec, Lead, Outcome, Parser, Radius, RadiusInForce,
    Reply, Seed, Situation, Turn, by_context, recommended,
};

const WORDS: [&str; 2] = ["a", "b"];

fn here() -> Situation {
    Situation::of("here").proposing(Action(0)).with_fallback_law(vec![1.0, 0.0])
}

/// An episode of one step, which pays 1 for action 1. The advisor is right; `set` is what somebody executes in the place of what was
/// decided.
fn day(controller: &mut Controller, set: Option<Action>) -> (Action, bool) {
    controller.begin_episode().unwrap();
    let mut act = match controller.decide(here()).unwrap() {
        Turn::Act(act) => act,
        Turn::Ask(ask) => controller.resume(ask, Reply::live("b")).unwrap(),
    };
    if let Some(action) = set {
        act.record.set_override(controller.override_with(action, "operator").unwrap());
    }
    let executed = act.record.executed;
    controller.outcome(Outcome::reward(f64::from(executed.0)).terminated(true)).unwrap();
    (executed, act.record.asked())
}

fn with_a_bankroll() -> Controller {
    let (settings, books) = (by_context(Budget::calls(100)), Books::new(BooksSpec::by_context(), 2).unwrap());
    let controller = Controller::new(&settings, Parser::new(WORDS).unwrap(), 0.01, books, Seed::root(0)).unwrap();
    controller.with_radius(RadiusInForce::Declared(Radius::ZERO))
}

#[test]
fn values_are_learned_from_what_was_executed() {
    let mut controller = Controller::recommended(0.01, Budget::calls(0), &WORDS).unwrap();
    for _ in 0..30 {
        assert_eq!(day(&mut controller, Some(Action(1))), (Action(1), false));
    }
    let (evidence, _) = controller.preview(&here()).unwrap();
    let means = evidence.advice().none().means();
    assert!(means[1] > 0.6 && means[1] > means[0], "{means:?}");
    assert_eq!(controller.diagnose().overridden, 30);
    assert!(
        controller
            .diagnose()
            .to_string()
            .starts_with("30 decisions, 0 calls, 0 answers that changed the action, 30 actions overridden")
    );
}

#[test]
fn advice_is_neither_credited_with_what_somebody_else_won_nor_charged_with_what_he_lost() {
    let left = |controller: &Controller| {
        let bankroll = controller.engine().bankroll().unwrap();
        (bankroll.left() * 1e6).round() / 1e6
    };
    let mut advised = with_a_bankroll();
    let start = left(&advised);
    for _ in 0..12 {
        day(&mut advised, None);
    }
    assert!(left(&advised) > start, "advice that pays earns");
    for set in [Action(1), Action(0)] {
        let mut overridden = with_a_bankroll();
        for _ in 0..12 {
            day(&mut overridden, Some(set));
        }
        let calls = overridden.engine().calls_made();
        assert!(calls > 0);
        assert_eq!(left(&overridden), ((start - 0.01 * calls as f64) * 1e6).round() / 1e6, "{set:?}");
    }
}

#[test]
fn an_episode_with_an_override_is_no_trial_of_who_leads() {
    let spec = BooksSpec { guard: Some(GuardSpec { first: 8, ..GuardSpec::default() }), ..BooksSpec::recommended() };
    let books = Books::new(spec, 2).unwrap();
    let settings = recommended(Budget::calls(100));
    let controller = Controller::new(&settings, Parser::new(WORDS).unwrap(), 0.01, books, Seed::root(0)).unwrap();
    let mut controller = controller.with_radius(RadiusInForce::Declared(Radius::ZERO));
    for _ in 0..7 {
        day(&mut controller, None);
    }
    for _ in 0..3 {
        controller.begin_episode().unwrap();
        assert_eq!(controller.lead(), Lead::AgentTried, "the trial waits for an episode of its own");
        drop(controller.decide(here()).unwrap());
        controller.override_with(Action(1), "operator").unwrap();
        controller.outcome(Outcome::reward(1.0).terminated(true)).unwrap();
    }
    controller.end_episode().unwrap();
    assert_eq!(controller.diagnose().guard.map(|guard| guard.trials()), Some((1, 0)));
    day(&mut controller, None);
    controller.end_episode().unwrap();
    assert_eq!(controller.diagnose().guard.map(|guard| guard.trials()), Some((1, 1)));
}

#[test]
fn the_last_word_counts_and_what_it_replaced_is_the_controllers() {
    let mut controller = Controller::recommended(0.0, Budget::calls(0), &["a", "b", "c"]).unwrap();
    drop(controller.decide(Situation::of("here").proposing(Action(0))).unwrap());
    assert_eq!(controller.waiting(), Some(0));
    let first = controller.override_with(Action(1), "operator").unwrap();
    // What waits survives a checkpoint.
    let mut controller = Controller::load(&controller.save().unwrap()).unwrap();
    let second = controller.override_with(Action(2), "supervisor").unwrap();
    assert_eq!((first.instead_of, second.instead_of), (Action(0), Action(0)));
    assert_eq!((second.by.as_str(), second.action), ("supervisor", Action(2)));
    assert_eq!(controller.diagnose().overridden, 1);
    controller.outcome(Outcome::reward(0.0)).unwrap();
    assert_eq!(controller.waiting(), None);
}

#[test]
fn an_override_that_comes_too_late_or_names_nothing_is_refused() {
    let mut controller = Controller::recommended(0.0, Budget::calls(0), &WORDS).unwrap();
    assert!(matches!(controller.override_with(Action(0), "operator"), Err(Error::NoDecision)));
    drop(controller.decide(here()).unwrap());
    let refused = controller.override_with(Action(2), "operator").unwrap_err().to_string();
    assert_eq!(refused, "the override names action 2, but there are only 2; pass a number from 0 to 1");
    for by in ["", "a\nb", &"x".repeat(65)] {
        assert!(matches!(controller.override_with(Action(1), by), Err(Error::Overrider { .. })), "{by:?}");
    }
    assert_eq!(controller.diagnose().overridden, 0);
    controller.outcome(Outcome::reward(0.0)).unwrap();
    assert!(matches!(controller.override_with(Action(1), "operator"), Err(Error::NoDecision)));
}
