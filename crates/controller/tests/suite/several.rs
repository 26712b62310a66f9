//! Several advisors with prices and one budget: whom to ask, in which order, and when to stop.

use counsel_controller::{Action, Budget, Controller, Error, Order, Outcome, Reply, Situation, Turn};
use counsel_decision::Record;

const ACTIONS: [&str; 2] = ["left", "right"];

/// One step that is an episode of its own, in one of three contexts: `right` is rewarded. The advisors say these if asked.
fn step(controller: &mut Controller, number: u64, says: &[&str]) -> (Record, Option<usize>) {
    let context = number % 3;
    let situation = Situation::of(context).proposing(Action(0)).described_by(vec![context as f64]);
    let (act, asked) = match controller.decide(situation.with_fallback_law(vec![0.5, 0.5])).unwrap() {
        Turn::Act(act) => (act, None),
        Turn::Ask(ask) => {
            let advisor = ask.advisor();
            (controller.resume(ask, Reply::live(says[advisor])).unwrap(), Some(advisor))
        }
    };
    controller.outcome(Outcome::reward(f64::from(act.action.0)).terminated(true)).unwrap();
    (act.record, asked)
}

fn among(advisors: &[(&str, f64)]) -> Controller {
    Controller::recommended_among(advisors, Budget::calls(40), &ACTIONS).unwrap().over_episodes(200)
}

/// Plays these steps and counts the calls to each advisor.
fn calls(controller: &mut Controller, steps: u64, says: &[&str]) -> Vec<u64> {
    let mut calls = vec![0; says.len()];
    for number in 0..steps {
        if let (_, Some(advisor)) = step(controller, number, says) {
            calls[advisor] += 1;
        }
    }
    calls
}

#[test]
fn of_advisors_of_whom_nothing_is_known_the_cheapest_is_asked_and_its_good_answers_end_the_search() {
    let mut controller = among(&[("large", 0.05), ("small", 0.01)]);
    assert_eq!(step(&mut controller, 0, &["right", "right"]).1, Some(1));
    let made = calls(&mut controller, 60, &["right", "right"]);
    assert!(made.iter().all(|made| *made <= 3), "{made:?}: no more than once in each context");
    assert_eq!(calls(&mut controller, 60, &["right", "right"]), [0, 0]);
}

#[test]
fn where_the_cheap_one_is_wrong_the_dear_one_is_asked() {
    let mut controller = among(&[("small", 0.01), ("large", 0.02)]);
    let made = calls(&mut controller, 60, &["left", "right"]);
    assert!(made[0] >= 1 && made[1] >= 3, "{made:?}");
    let (record, asked) = step(&mut controller, 60, &["left", "right"]);
    assert_eq!((record.executed, asked), (Action(1), None), "the good answer is kept");
}

#[test]
fn the_record_names_the_advisor_that_the_scores_choose() {
    let mut controller = among(&[("small", 0.01), ("large", 0.02), ("mute", 0.0)]);
    for number in 0..60 {
        let (record, asked) = step(&mut controller, number, &["left", "right", "?"]);
        let panel = record.panel.as_ref().unwrap();
        assert_eq!(Some(panel), record.evidence.panel(), "the engine finds the same scores");
        assert_eq!(panel.nets()[panel.advisor()], record.score - record.threshold);
        assert_eq!(asked, record.asked().then_some(panel.advisor()));
        assert_eq!(record.evidence.price(), [0.01, 0.02, 0.0][panel.advisor()]);
    }
}

#[test]
fn all_share_one_budget() {
    let advisors = [("a", 0.0), ("b", 0.0), ("c", 0.0)];
    let mut controller = Controller::recommended_among(&advisors, Budget::calls(2), &ACTIONS).unwrap();
    let made = calls(&mut controller, 90, &["left", "?", "right"]);
    assert_eq!(made.iter().sum::<u64>(), 2, "{made:?}");
}

/// With a list of one everything is as without a list.
#[test]
fn one_advisor_in_a_list_is_one_advisor() {
    let mut listed = Controller::recommended_among(&[("one", 0.01)], Budget::calls(40), &ACTIONS).unwrap();
    let mut alone = Controller::recommended(0.01, Budget::calls(40), &ACTIONS).unwrap();
    for number in 0..60 {
        let says = [ACTIONS[usize::from(number % 4 > 0)]];
        let (one, other) = (step(&mut listed, number, &says), step(&mut alone, number, &says));
        assert_eq!(one, other);
        assert_eq!(one.0.panel, None);
    }
}

#[test]
fn as_listed_the_next_one_is_asked_where_the_answer_is_not_followed() {
    let ordered = |says: &[&str]| {
        let mut controller = among(&[("first", 0.01), ("next", 0.01)]).in_order(Order::AsListed);
        calls(&mut controller, 60, says)
    };
    assert_eq!(ordered(&["right", "right"])[1], 0, "good answers are followed");
    assert!(ordered(&["?", "right"])[1] > 0, "nothing to follow");
}

#[test]
fn a_checkpoint_goes_on_with_the_same_advisors() {
    let says = ["left", "right", "?"];
    let mut controller = among(&[("small", 0.01), ("large", 0.02), ("mute", 0.0)]);
    calls(&mut controller, 25, &says);
    let saved = controller.save().unwrap();
    let mut loaded = Controller::load(&saved).unwrap();
    assert_eq!(loaded.save().unwrap(), saved);
    assert!(loaded.advisors().eq([("small", 0.01), ("large", 0.02), ("mute", 0.0)]));
    for number in 25..80 {
        assert_eq!(step(&mut controller, number, &says), step(&mut loaded, number, &says));
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let nobody: [(&str, f64); 0] = [];
    let refused = |advisors: &[(&str, f64)]| {
        Controller::recommended_among(advisors, Budget::calls(1), &ACTIONS).err().map(|error: Error| error.to_string())
    };
    assert!(refused(&nobody).unwrap().contains("advisors is 0"));
    assert!(refused(&[("a", 0.1), ("b", -1.0)]).unwrap().contains("price is -1"));
}
