//! The recommended controller, held from outside, decides as the arm of the study does, to the bit.
//!
//! The arm `babyai-deploy/counsel` is played without its warm-up, which a user does not have. Then its log is walked again: the
//! world gives contexts, features and ends, the log gives what the learner proposed and what the advisor said, and
//! `Controller::recommended` must make every decision of the log. The same steps are a fixture of the Python package.

use counsel_advisor::Teller;
use counsel_controller::{Budget, Controller, Outcome, Situation, Turn};
use counsel_decision::Reply;
use counsel_log::Decision;
use counsel_session::{DeepWorld, Library, Shared, WarmStarts};
use counsel_transcript::Shelf;
use counsel_world::{End, Environment};
use serde_json::{Value, json};

use super::BabyAi;
use crate::replay::seed_of;
use crate::scene::deep::{DeepScenario, Learned};
use crate::{Catalogue, Change, Plan, SeedRange};

const EPISODES: u64 = 20;
const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../python/tests/recommended_trace.json");

/// The walk of one cell: its steps as a caller of the controller sees them.
fn walk(seed: u64) -> Value {
    let study = Catalogue::embedded().unwrap().select(&["babyai-deploy".into()]).unwrap().remove(0);
    let changes = [format!("episodes={EPISODES}"), "learner.exploration.warm_up_episodes=0".into()];
    let changes: Vec<Change> = changes.iter().map(|change| change.parse().unwrap()).collect();
    let seeds: SeedRange = format!("{seed}..{seed}").parse().unwrap();
    let cells = Plan::new(&study, Some(&seeds), &changes).unwrap().into_cells();
    let cell = cells.into_iter().find(|cell| cell.key.arm == "obj-05-abstract.counsel").unwrap();
    let scenario: Learned<BabyAi> = serde_json::from_value(cell.scenario.spec().clone()).unwrap();
    let (library, warm_starts) = (Library::recorded(Shelf::embedded()), WarmStarts::default());
    let shared = Shared { library: &library, warm_starts: &warm_starts, fork: None };
    let played = cell.scenario.run(&cell.key, shared).unwrap();
    assert!(played.decisions.iter().any(|decision| decision.record.asked()), "it asks");

    let seed = seed_of(&cell.key);
    let mut world = scenario.world.world(seed.stream("world")).unwrap();
    let teller = scenario.world.teller(scenario.study.advisor.template("abstract")).unwrap();
    let words = played.deployed.words;
    let mut controller =
        Controller::recommended(0.005, Budget::calls_per_episode(60), &words).unwrap().over_episodes(EPISODES);
    let mut steps = Vec::new();
    for Decision { record, hindsight, .. } in played.decisions {
        if record.step_in_episode == 0 {
            Environment::reset(&mut world, seed.stream("deployment").index(record.episode).stream("environment"));
            controller.begin_episode().unwrap();
        }
        let situation = BabyAi::situation(&world).unwrap();
        let (context, features) = (teller.context(&situation), BabyAi::surroundings(&situation));
        let (base, law) = (record.evidence.advice().none().base(), record.evidence.fallback_law().to_vec());
        let known =
            Situation::of(context).described_by(features.clone()).proposing(base).with_fallback_law(law.clone());
        let reply = record.answer().map(|answer| answer.reply.clone());
        let act = match controller.decide(known).unwrap() {
            Turn::Act(act) => act,
            Turn::Ask(ask) => controller.resume(ask, reply.clone().unwrap_or_else(Reply::lost)).unwrap(),
        };
        assert_eq!(act.record, record, "decision {}", record.step);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        BabyAi::active_features(&world, &mut before);
        let transition = Environment::step(&mut world, act.action);
        BabyAi::active_features(&world, &mut after);
        assert_eq!(transition.reward.to_bits(), hindsight.reward.to_bits());
        let (terminated, truncated) = (transition.end == Some(End::Terminated), transition.end == Some(End::Truncated));
        let outcome = Outcome::reward(transition.reward).changed(before != after);
        controller.outcome(outcome.terminated(terminated).truncated(truncated)).unwrap();
        steps.push(json!({
            "context": context.0, "features": features, "base": base.0, "fallback_law": law,
            "reply": reply.map(|reply| reply.text), "asked": record.asked(), "executed": record.executed.0,
            "score": record.score, "reward": transition.reward, "changed": before != after,
            "terminated": terminated, "truncated": truncated,
        }));
    }
    json!({ "actions": words, "price": 0.005, "calls_per_episode": 60, "episodes": EPISODES, "steps": steps })
}

#[test]
fn the_recommended_controller_decides_as_the_arm_of_the_study() {
    for seed in [1, 5000, 90_210] {
        walk(seed);
    }
}

#[test]
fn the_fixture_of_the_python_package_is_the_walk_of_seed_0() {
    let trace = serde_json::to_string(&walk(0)).unwrap() + "\n";
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(FIXTURE, &trace).unwrap();
    }
    let committed = std::fs::read_to_string(FIXTURE).unwrap_or_default();
    let remedy = "run UPDATE_FIXTURES=1 cargo test -p counsel-experiment --lib recommended";
    assert!(committed == trace, "the trace of the Python tests is stale; {remedy}");
}
