//! The recommended controller at work: it asks, follows, keeps answers, and leaves a bad advisor.

use counsel_controller::{Action, Budget, Controller, Learning, Outcome, Reply, Situation, Turn};

/// A corridor of five cells: `right` leads on and out to a reward of 1, `left` back, `stay` nowhere. Twenty steps an episode.
pub(crate) struct Corridor {
    pub(crate) cell: i64,
    steps: u64,
}

pub(crate) const ACTIONS: [&str; 3] = ["left", "right", "stay"];

impl Corridor {
    pub(crate) fn new() -> Self {
        Self { cell: 0, steps: 0 }
    }

    pub(crate) fn step(&mut self, action: Action) -> Outcome {
        let before = self.cell;
        self.cell = (self.cell + [-1, 1, 0][action.index()]).max(0);
        self.steps += 1;
        let out = self.cell == 5;
        let outcome = Outcome::reward(f64::from(u8::from(out))).changed(self.cell != before);
        outcome.terminated(out).truncated(self.steps == 20)
    }
}

/// An agent that walks at random, by a fixed sequence of numbers.
pub(crate) struct Walker(u64);

impl Walker {
    pub(crate) fn new() -> Self {
        Self(1)
    }

    pub(crate) fn proposes(&mut self) -> Action {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Action::new((self.0 >> 33) as usize % 3)
    }
}

/// Plays an episode and returns what it did, step by step, and its return.
pub(crate) fn episode(
    controller: &mut Controller,
    walker: &mut Walker,
    advisor: impl Fn(i64) -> Reply,
) -> (Vec<Action>, f64) {
    let (mut world, mut acts, mut total) = (Corridor::new(), Vec::new(), 0.0);
    controller.begin_episode().unwrap();
    loop {
        let situation = Situation::of([world.cell]).proposing(walker.proposes()).with_fallback_law(vec![1.0 / 3.0; 3]);
        let act = match controller.decide(situation).unwrap() {
            Turn::Act(act) => act,
            Turn::Ask(ask) => controller.resume(ask, advisor(world.cell)).unwrap(),
        };
        let outcome = world.step(act.action);
        controller.outcome(outcome).unwrap();
        acts.push(act.action);
        total += outcome.value();
        if outcome.is_last() {
            return (acts, total);
        }
    }
}

pub(crate) fn recommended() -> Controller {
    Controller::recommended(0.01, Budget::calls(100), &ACTIONS).unwrap()
}

fn last_ten(advisor: impl Fn(i64) -> Reply + Copy) -> (f64, u64) {
    let (mut controller, mut walker) = (recommended(), Walker::new());
    let returns: Vec<f64> = (0..60).map(|_| episode(&mut controller, &mut walker, advisor).1).collect();
    (returns[50..].iter().sum::<f64>() / 10.0, controller.engine().calls_made())
}

#[test]
fn it_asks_once_in_a_context_and_follows_a_good_advisor() {
    let (mut controller, mut walker) = (recommended(), Walker::new());
    let (acts, gained) = episode(&mut controller, &mut walker, |_| Reply::live("right"));
    assert_eq!((acts, gained), (vec![Action(1); 5], 1.0), "five cells, five answers, five steps");
    assert_eq!(controller.engine().calls_made(), 5);
    for _ in 0..20 {
        assert_eq!(episode(&mut controller, &mut walker, |_| Reply::live("left")).1, 1.0, "answers are kept");
    }
    assert_eq!(controller.engine().calls_made(), 5);
}

#[test]
fn an_advisor_that_leads_nowhere_is_left() {
    let (alone, _) = last_ten(|_| Reply::lost());
    let (misled, calls) = last_ten(|_| Reply::live("left"));
    assert!(misled >= alone - 0.2, "{misled} with a bad advisor, {alone} without one");
    assert!(calls <= 25, "{calls} calls to a bad advisor");
}

#[test]
fn several_questions_may_be_open_and_are_answered_in_any_order() {
    let mut controller = recommended();
    let mut asked = Vec::new();
    for place in 0..4 {
        controller.turn_to(place);
        match controller.decide(Situation::of(place as u64).proposing(Action(0))).unwrap() {
            Turn::Ask(ask) => asked.push((place, ask)),
            Turn::Act(act) => panic!("a new context is worth a question: {act:?}"),
        }
    }
    assert_eq!(controller.engine().calls_made(), 4);
    for (place, ask) in asked.into_iter().rev() {
        assert_eq!(controller.resume(ask, Reply::live("right")).unwrap().action, Action(1));
        controller.turn_to(place);
        controller.outcome(Outcome::reward(1.0).terminated(true)).unwrap();
    }
}

#[test]
fn frozen_books_learn_nothing() {
    let mut controller = recommended().with_learning(Learning::Frozen);
    let mut walker = Walker::new();
    for _ in 0..5 {
        episode(&mut controller, &mut walker, |_| Reply::live("right"));
    }
    let before = serde_json::to_value(Controller::recommended(0.01, Budget::calls(100), &ACTIONS).unwrap().books());
    let (mut now, mut before) = (serde_json::to_value(controller.books()).unwrap(), before.unwrap());
    // The predictor is built when the first features are seen; the value of acting alone counts episodes.
    for books in [&mut now, &mut before] {
        books["advisors"][0]["predictor"] = serde_json::Value::Null;
        books["table"]["Experience"][1] = serde_json::Value::Null;
    }
    assert_eq!(now, before);
}
