//! An answer that was heard where it looked alike acts without a call, is marked in the record, and is corrected by a
//! contradiction.

use counsel_controller::{Action, Budget, Controller, Outcome, Reply, ResponseLaw, Situation, Turn};
use counsel_decision::{CacheStatus, Record};

const ACTIONS: [&str; 2] = ["left", "right"];

/// One step in a context of its own; the advisor says this if it is asked.
fn step(controller: &mut Controller, context: u64, features: &[f64], says: &str, reward: f64) -> Record {
    let situation = Situation::of(context).proposing(Action(0)).described_by(features.to_vec());
    let act = match controller.decide(situation).unwrap() {
        Turn::Act(act) => act,
        Turn::Ask(ask) => controller.resume(ask, Reply::live(says)).unwrap(),
    };
    controller.outcome(Outcome::reward(reward * f64::from(act.action.0)).terminated(true)).unwrap();
    act.record
}

fn controller() -> Controller {
    Controller::recommended(0.01, Budget::calls(500), &ACTIONS).unwrap().over_episodes(400)
}

/// The advisor is always right, and no context comes back.
#[test]
fn like_states_need_few_calls_although_no_context_comes_back() {
    let (mut foretelling, mut without_features) = (controller(), controller());
    let mut foretold = 0;
    for context in 0..200 {
        let record = step(&mut foretelling, context, &[(context % 2) as f64], "right", 1.0);
        foretold += u32::from(record.cache_status == CacheStatus::Foretold && record.executed == Action(1));
        step(&mut without_features, context, &[], "right", 1.0);
    }
    let (few, many) = (foretelling.engine().calls_made(), without_features.engine().calls_made());
    assert!(few < 150 && many > 190, "{few} and {many} calls");
    assert!(foretold > 40, "{foretold}");
}

#[test]
fn a_foretold_answer_names_its_grounds_and_gives_way_to_a_held_one() {
    let mut controller = controller();
    assert_eq!(step(&mut controller, 0, &[1.0], "right", 1.0).evidence.foretold(), None, "nothing was heard");
    let record = step(&mut controller, 1, &[1.0], "right", 1.0);
    let foretold = record.evidence.foretold().unwrap();
    assert_eq!((foretold.action(), foretold.sources(), foretold.reliability()), (Action(1), 1, 0.5));
    assert!(record.asked(), "one in two is too much of a doubt");
    assert_eq!(step(&mut controller, 1, &[1.0], "right", 1.0).evidence.foretold(), None, "it is held");
    assert_eq!(step(&mut controller, 2, &[0.0], "right", 1.0).evidence.foretold(), None, "it looks otherwise");
    (3..60).for_each(|context| drop(step(&mut controller, context, &[1.0], "right", 1.0)));
    let elsewhere = step(&mut controller, 99, &[0.5], "right", 1.0).evidence.foretold().unwrap();
    assert!(elsewhere.action() == Action(1) && elsewhere.sources() >= 20, "{elsewhere:?}: all answers predict it");
}

/// Contexts without features stand for themselves: what was said in others says nothing of a new one.
#[test]
fn without_features_nothing_is_foretold_of_a_new_context() {
    let mut controller = controller();
    for context in 0..60 {
        assert_eq!(step(&mut controller, context, &[], "right", 1.0).evidence.foretold(), None, "context {context}");
    }
}

/// Where the caller predicts the answer himself, a new context without features is foretold by that, as reliably as his predictions
/// of bought answers were.
#[test]
fn the_callers_own_prediction_foretells_without_features() {
    let foretold = |predicted: Vec<f64>, says: &str| {
        let mut controller = controller();
        let mut last = None;
        for context in 0..60_u64 {
            let law = ResponseLaw::new(2, predicted.clone()).unwrap();
            let situation = Situation::of(context).proposing(Action(0)).expecting(law);
            let act = match controller.decide(situation).unwrap() {
                Turn::Act(act) => act,
                Turn::Ask(ask) => controller.resume(ask, Reply::live(says)).unwrap(),
            };
            controller.outcome(Outcome::reward(f64::from(act.action.0)).terminated(true)).unwrap();
            last = act.record.evidence.foretold();
        }
        last
    };
    let known = foretold(vec![0.2, 0.75, 0.05], "right").unwrap();
    assert!(known.action() == Action(1) && known.reliability() > 0.9, "{known:?}");
    assert_eq!(foretold(vec![0.75, 0.2, 0.05], "right"), None, "these predictions were always wrong");
}

/// Where the advisor contradicts itself in a state, its answer stays in doubt, and is bought again and again.
#[test]
fn contradictions_are_asked_about() {
    let mut controller = controller();
    let mut asked = 0;
    for context in 0..60 {
        let says = ACTIONS[usize::from(context % 2 == 0)];
        asked += u32::from(step(&mut controller, context, &[1.0], says, 0.0).asked());
    }
    assert!(asked > 30, "{asked} asked");
}

#[test]
fn a_checkpoint_foretells_the_same() {
    let mut controller = controller();
    (0..30).for_each(|context| drop(step(&mut controller, context, &[(context % 3) as f64], "right", 1.0)));
    let mut loaded = Controller::load(&controller.save().unwrap()).unwrap();
    for context in 30..60 {
        let features = [(context % 3) as f64];
        assert_eq!(
            step(&mut controller, context, &features, "right", 1.0),
            step(&mut loaded, context, &features, "right", 1.0)
        );
    }
}
