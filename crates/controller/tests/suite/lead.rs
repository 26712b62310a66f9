//! Who leads: an agent that is better than the controller's values takes over, one that is worse costs no more than the bound.

use counsel_controller::{
    Action, Books, BooksSpec, Budget, Controller, FeatureSpec, GuardSpec, Lead, Learning, Outcome, Parser,
    PredictorSpec, Radius, RadiusInForce, Reason, Record, Reply, Seed, Situation, Turn, recommended,
};

use crate::advised::{Walker, episode};

fn guarded(guard: GuardSpec) -> Controller {
    guarded_among(guard, &["a", "b"])
}

fn guarded_among(guard: GuardSpec, words: &[&str]) -> Controller {
    let spec = BooksSpec { guard: Some(guard), ..BooksSpec::recommended() };
    let (settings, books) = (recommended(Budget::calls(100)), Books::new(spec, words.len()).unwrap());
    let parser = Parser::new(words.iter().copied()).unwrap();
    let controller = Controller::new(&settings, parser, 0.01, books, Seed::root(0)).unwrap();
    let controller = controller.with_radius(RadiusInForce::Declared(Radius::ZERO));
    controller.with_predictor(PredictorSpec::Feature(FeatureSpec::default()), None)
}

/// One decision in the only context that the controller can tell; it pays 1 to take the action that is right today.
fn day(controller: &mut Controller, proposal: Action, right: Action) -> (Record, f64) {
    controller.begin_episode().unwrap();
    let act = match controller.decide(Situation::of("here").proposing(proposal)).unwrap() {
        Turn::Act(act) => act,
        Turn::Ask(ask) => controller.resume(ask, Reply::live("a")).unwrap(),
    };
    let reward = f64::from(u8::from(act.action == right));
    controller.outcome(Outcome::reward(reward).terminated(true)).unwrap();
    (act.record, reward)
}

/// The action that is right on a day, by a fixed sequence of numbers.
fn right_on(day: u64) -> Action {
    Action((day.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99) >> 41 & 1) as u16)
}

#[test]
fn an_agent_that_sees_more_than_the_controller_takes_over() {
    let mut controller = guarded(GuardSpec { first: 8, ..GuardSpec::default() });
    let mut played = Vec::new();
    for number in 0..80 {
        // The agent sees what is right today; the controller's one context does not tell days apart.
        played.push(day(&mut controller, right_on(number), right_on(number)));
    }
    let lead = |number: usize| played[number].0.evidence.lead();
    assert!((0..7).all(|number| lead(number) == Lead::Controller));
    let first = played.iter().position(|(record, _)| record.evidence.lead() == Lead::Agent).unwrap();
    assert!(first < 24 && lead(first - 1) == Lead::AgentTried, "{first}");
    let agent_led = (first..80).filter(|number| lead(*number) == Lead::Agent).count();
    assert!(agent_led >= 50, "{agent_led}");
    let late = played[30..].iter().map(|(_, reward)| reward).sum::<f64>() / 50.0;
    assert!(late > 0.9, "{late}");
    for (record, _) in played.iter().filter(|(record, _)| record.evidence.lead().is_agent()) {
        assert!(!record.asked() && record.executed == record.evidence.advice().none().base());
    }
    let diagnosis = controller.diagnose();
    assert!(diagnosis.reasons.iter().any(|(reason, count)| *reason == Reason::AgentLeads && *count >= 50));
    assert!(diagnosis.to_string().contains("the agent leads"), "{diagnosis}");
}

#[test]
fn a_worse_agent_is_tried_at_doubling_distances_and_never_leads() {
    let mut controller = guarded(GuardSpec { first: 8, ..GuardSpec::default() });
    let tried: Vec<u64> = (1..=100)
        .filter(|_| day(&mut controller, Action(1), Action(0)).0.evidence.lead() == Lead::AgentTried)
        .collect();
    assert_eq!(tried, [8, 16, 32, 64], "each trial ends with its first episode");
    assert_eq!(controller.diagnose().guard.map(|guard| (guard.leader(), guard.changes())), Some((Lead::Controller, 0)));
}

#[test]
fn the_episodes_of_trials_are_bounded_whatever_is_returned() {
    for number in 0..30_usize {
        let (seed, episodes) = (number as u64, 1 + number % 5);
        let spec = GuardSpec { first: 2 + seed % 9, episodes, recent: 1 + number % 7, ..GuardSpec::default() };
        let (mut controller, mut tried, mut draws) = (guarded(spec), 0, seed);
        for number in 1..=600 {
            draws = draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Either one is the better one for a time.
            let proposal = Action((draws >> 40 & 1) as u16);
            let right = if (number / 50) % 2 == 0 { proposal } else { Action((draws >> 41 & 1) as u16) };
            tried += u64::from(day(&mut controller, proposal, right).0.evidence.lead().is_trial());
            let most = spec.most_trials(number) * episodes as u64 + number / 4;
            assert!(tried <= most, "{spec:?}: {tried} in {number}");
        }
        assert!(tried > 0);
    }
    assert_eq!([63, 64, 127, 128, 400].map(|n| GuardSpec::default().most_trials(n)), [0, 1, 1, 2, 3]);
}

#[test]
fn the_leader_finishes_a_trial_that_is_lost() {
    let mut controller = guarded_among(GuardSpec { first: 32, ..GuardSpec::default() }, &["left", "right", "stay"]);
    let mut walker = Walker::new();
    for _ in 0..31 {
        episode(&mut controller, &mut walker, |_| Reply::live("right"));
    }
    controller.begin_episode().unwrap();
    let mut leads = Vec::new();
    for step in 0..20 {
        // The agent stays where it is; an episode of the controller takes five steps.
        let situation = Situation::of([0]).proposing(Action(2)).with_fallback_law(vec![0.0, 0.0, 1.0]);
        assert!(matches!(controller.decide(situation).unwrap(), Turn::Act(_)));
        leads.push(controller.lead());
        controller.outcome(Outcome::reward(0.0).truncated(step == 19)).unwrap();
    }
    let lost = leads.iter().position(|lead| *lead == Lead::Controller).unwrap();
    assert!((7..=11).contains(&lost), "{leads:?}");
    assert!(leads[..lost].iter().all(|lead| *lead == Lead::AgentTried));
    assert!(leads[lost..].iter().all(|lead| *lead == Lead::Controller));
}

#[test]
fn of_episodes_side_by_side_one_is_a_trial() {
    let mut controller = guarded(GuardSpec { first: 4, ..GuardSpec::default() });
    for _ in 0..3 {
        day(&mut controller, Action(1), Action(0));
    }
    let mut leads = Vec::new();
    for place in 0..3 {
        controller.turn_to(place);
        controller.begin_episode().unwrap();
        leads.push(controller.lead());
    }
    assert_eq!(leads, [Lead::AgentTried, Lead::Controller, Lead::Controller]);
    // An episode without a step is no trial: the next one is.
    controller.turn_to(0);
    controller.begin_episode().unwrap();
    assert_eq!(controller.lead(), Lead::AgentTried);
}

#[test]
fn a_controller_that_does_not_learn_leads_always() {
    let mut controller = guarded(GuardSpec { first: 2, ..GuardSpec::default() }).with_learning(Learning::Frozen);
    assert!((0..20).all(|_| day(&mut controller, Action(1), Action(0)).0.evidence.lead() == Lead::Controller));
}

#[test]
fn trials_that_cannot_be_held_are_refused() {
    for guard in [
        GuardSpec { first: 1, ..GuardSpec::default() },
        GuardSpec { episodes: 0, ..GuardSpec::default() },
        GuardSpec { recent: 0, ..GuardSpec::default() },
    ] {
        let spec = BooksSpec { guard: Some(guard), ..BooksSpec::default() };
        let refused = Books::new(spec, 2).unwrap_err().to_string();
        assert!(refused.contains("guard."), "{refused}");
    }
}

/// What trials return less than the leader would stays within the bound, for challengers that are worse by any measure.
#[test]
fn the_cost_of_trials_is_bounded() {
    for (episodes, worse) in [(100_u32, 1.0), (100, 0.3), (400, 1.0), (400, 0.08), (400, 0.02)] {
        let spec = GuardSpec::default();
        let mut controller = guarded(spec);
        let mut lost = 0.0;
        for number in 0..episodes {
            controller.begin_episode().unwrap();
            // Every tenth episode returns 0 whoever leads, so that returns have a range of 1.
            let act = controller.decide(Situation::of("here").insisting_on(Action(0))).unwrap();
            let led = match act {
                Turn::Act(act) => act.record.evidence.lead(),
                Turn::Ask(ask) => controller.resume(ask, Reply::live("a")).unwrap().record.evidence.lead(),
            };
            let shortfall = if led.is_agent() { worse } else { 0.0 };
            let reward = if number % 10 == 0 { 0.0 } else { 1.0 - shortfall };
            lost += if number % 10 == 0 { 0.0 } else { shortfall };
            controller.outcome(Outcome::reward(reward).terminated(true)).unwrap();
        }
        let (cost, most) = (lost / f64::from(episodes), spec.most_cost(episodes.into()));
        assert!(cost > 0.0 && cost <= most, "{episodes} episodes, worse by {worse}: {cost} > {most}");
    }
}
