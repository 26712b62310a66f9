//! The guards of the controller: what leads nowhere gives way, what loses is given up, what stops delivering is dropped.

use counsel_controller::{
    Action, Books, BooksSpec, Budget, ByContext, CacheSpec, Controller, Execution, Gate, Outcome, Parser, Radius,
    RadiusInForce, Reply, Seed, Settings, ShiftSpec, Situation, Turn, ValueSamples, Values, Vetting, recommended,
};
use counsel_decision::{BankrollSpec, CacheStatus, Invalidation, Record, Verdict};

use crate::advised::{ACTIONS, Corridor, Walker};

/// A controller over two actions whose books are those of the recommended one without a track record.
fn seasoned(gate: Gate, bankroll: Option<BankrollSpec>) -> Controller {
    let values = ByContext { acts: true, vetting: Some(Vetting::default()), ..ByContext::default() };
    let spec = BooksSpec { values: Values::Experience(values), patience: Some(4), ..BooksSpec::default() };
    let settings = Settings {
        bankroll,
        cache: CacheSpec::Keep(vec![Invalidation::NoEffect]),
        ..Settings::new(gate, Execution::Improving, Budget::calls(100))
    };
    let books = Books::new(spec, 2).unwrap();
    let mut controller =
        Controller::new(&settings, Parser::new(["a", "b"]).unwrap(), 0.0, books, Seed::root(0)).unwrap();
    // Action 1 pays.
    for number in 0..20_u16 {
        controller.begin_episode().unwrap();
        let (_, record) = decide(&mut controller, Situation::of(7).insisting_on(Action(number % 2)), "");
        controller.outcome(Outcome::reward(f64::from(record.executed.0)).terminated(true)).unwrap();
    }
    controller.begin_episode().unwrap();
    controller
}

fn decide(controller: &mut Controller, situation: Situation, says: &str) -> (Action, Record) {
    let act = match controller.decide(situation).unwrap() {
        Turn::Act(act) => act,
        Turn::Ask(ask) => controller.resume(ask, Reply::live(says)).unwrap(),
    };
    (act.action, act.record)
}

fn by_itself(controller: &mut Controller) -> Action {
    decide(controller, Situation::of(7).proposing(Action(0)), "").0
}

#[test]
fn what_leads_nowhere_gives_way_to_the_agent() {
    let mut controller = seasoned(Gate::Never, None);
    for _ in 0..4 {
        assert_eq!(by_itself(&mut controller), Action(1), "the values propose what pays");
        controller.outcome(Outcome::reward(0.0)).unwrap();
    }
    assert_eq!(by_itself(&mut controller), Action(0), "four times in one episode is too often");
    controller.outcome(Outcome::reward(0.0)).unwrap();
    controller.begin_episode().unwrap();
    assert_eq!(by_itself(&mut controller), Action(1), "a new episode is a new chance");
    controller.outcome(Outcome::reward(0.0).changed(false)).unwrap();
    assert_eq!(by_itself(&mut controller), Action(0), "what changed nothing is not tried again at once");
}

#[test]
fn an_advisor_that_the_agent_knows_better_than_is_turned_away() {
    let mut good = seasoned(Gate::Always, None);
    let (_, record) = decide(&mut good, Situation::of(7).insisting_on(Action(0)), "b");
    assert!(!record.evidence.advice().has_credits());
    good.outcome(Outcome::reward(1.0)).unwrap();
    assert!(!decide(&mut good, Situation::of(7).insisting_on(Action(0)), "b").1.evidence.advice().has_credits());
    let mut bad = seasoned(Gate::Always, None);
    decide(&mut bad, Situation::of(7).insisting_on(Action(0)), "a");
    bad.outcome(Outcome::reward(0.0)).unwrap();
    let (_, record) = decide(&mut bad, Situation::of(7).insisting_on(Action(1)), "a");
    assert!(record.evidence.advice().has_credits(), "its word counts less than any action");
    assert_eq!(record.executed, Action(1));
}

/// The recommended controller with this limit on circles.
fn limited(circles: Option<u64>) -> Controller {
    let mut spec = BooksSpec::recommended();
    if let Values::Experience(ByContext { vetting: Some(vetting), .. }) = &mut spec.values {
        vetting.circles = circles;
    }
    let books = Books::new(spec, ACTIONS.len()).unwrap();
    let settings = recommended(Budget::calls(100));
    let controller = Controller::new(&settings, Parser::new(ACTIONS).unwrap(), 0.01, books, Seed::root(0)).unwrap();
    controller.with_radius(RadiusInForce::Declared(Radius::ZERO))
}

/// The most steps of an episode that followed advice into a state where the episode had been, up to the first reward, when the advisor
/// says this in each cell of a corridor.
fn circles(controller: &mut Controller, says: &[usize]) -> usize {
    let (mut walker, mut most) = (Walker::new(), 0);
    for _ in 0..6 {
        let (mut world, mut seen, mut circles) = (Corridor::new(), Vec::new(), 0);
        controller.begin_episode().unwrap();
        loop {
            let cell = world.cell;
            let situation = Situation::of([cell]).proposing(walker.proposes()).with_fallback_law(vec![1.0 / 3.0; 3]);
            let (_, record) = decide(controller, situation, ACTIONS[says[usize::try_from(cell).unwrap()]]);
            let bought = record.answer().is_some_and(|answer| answer.verdict == Verdict::Executed);
            let held = !record.asked() && record.cache_status.acts();
            // Where the agent proposes the same, nobody is led.
            let led = record.executed != record.evidence.advice().none().base();
            circles += usize::from(led && (bought || held) && seen.contains(&cell));
            seen.push(cell);
            let outcome = world.step(record.executed);
            controller.outcome(outcome).unwrap();
            if outcome.is_last() {
                break;
            }
        }
        most = most.max(circles);
        if world.cell == 5 {
            break;
        }
    }
    most
}

#[test]
fn who_has_not_proved_itself_leads_an_episode_in_circles_no_further_than_it_may() {
    let (mut limited_most, mut unlimited_most) = (0, 0);
    for number in 0..3_usize.pow(5) {
        let says: Vec<usize> = (0..5).map(|cell| number / 3_usize.pow(cell) % 3).collect();
        limited_most = limited_most.max(circles(&mut limited(Some(2)), &says));
        unlimited_most = unlimited_most.max(circles(&mut limited(None), &says));
    }
    assert!(limited_most == 2 && unlimited_most > 2, "{limited_most}, and {unlimited_most} without a limit");
}

#[test]
fn a_good_advisor_after_a_loss_gets_a_new_bankroll_and_a_bad_one_does_not() {
    let bankroll = BankrollSpec { start: 0.2, most: 0.7 };
    let left_after_a_loss = |says: &str| {
        let mut controller = seasoned(Gate::Always, Some(bankroll));
        decide(&mut controller, Situation::of(7).insisting_on(Action(0)), says);
        controller.outcome(Outcome::reward(0.0).terminated(true)).unwrap();
        controller.begin_episode().unwrap();
        let (_, record) = decide(&mut controller, Situation::of(7).insisting_on(Action(1)), says);
        record.bankroll.unwrap()
    };
    assert!((left_after_a_loss("b") - 0.2).abs() < 1e-12);
    assert!(left_after_a_loss("a") < 0.2);
}

#[test]
fn an_answer_that_stops_delivering_is_dropped_until_another_is_heard() {
    let settings = Settings {
        cache: CacheSpec::Keep(vec![Invalidation::Shift]),
        ..Settings::new(Gate::Amortised, Execution::Trusting, Budget::calls(100))
    };
    let spec = BooksSpec { shift_detector: Some(ShiftSpec::default()), ..BooksSpec::default() };
    let books = Books::new(spec, 2).unwrap();
    let parser = Parser::new(["a", "b"]).unwrap();
    let controller = Controller::new(&settings, parser, 0.0, books, Seed::root(3)).unwrap();
    let mut controller =
        controller.with_radius(counsel_controller::RadiusInForce::Declared(counsel_controller::Radius::ZERO));
    let values = || ValueSamples::new(2, vec![0.0, 1.0]).unwrap();
    let mut shifted_at = None;
    for number in 0..80 {
        controller.begin_episode().unwrap();
        let (_, record) = decide(&mut controller, Situation::of(7).proposing(Action(0)).valued(values(), None), "b");
        if record.cache_status == CacheStatus::Shifted {
            shifted_at.get_or_insert(number);
        }
        let reward = if number < 60 { 1.0 } else { -0.5 };
        controller.outcome(Outcome::reward(reward).terminated(true)).unwrap();
    }
    assert!(shifted_at.is_some_and(|number| number > 60), "{shifted_at:?}");
    assert!(controller.engine().calls_made() >= 2, "the dropped answer was bought again");
}
