//! An executor that calls `ask_advisor` at every step of BabyAI, with a recorded language model behind the endpoint.
//!
//! The executor by itself moves at random; that is `never`. `always` asks the advisor at every step and follows it. The net return is the
//! mean return of an episode, less what its calls cost.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use counsel_advisor::{AdvisorName, Phrasing, Request, Teller};
use counsel_babyai::words::{Briefing, Place, Situation, Square, Task};
use counsel_babyai::{Act, World};
use counsel_decision::Seed;
use counsel_stats::{Bootstrap, PairedComparison};
use counsel_transcript::{Answers, Shelf};
use counsel_world::Environment;
use serde_json::{Value, json};

use crate::server::{Server, completion, reply, send};
use crate::support::tools::Client;
use crate::support::{Chance, path};

#[cfg(not(feature = "long-tests"))]
const SEEDS: u64 = 5;
#[cfg(feature = "long-tests")]
const SEEDS: u64 = 20;
const EPISODES: u64 = 60;
const HORIZON: u32 = 64;
const PRICE: f64 = 0.005;
const CALLS: u64 = 60;
const MOVES: [&str; 3] = ["left", "right", "forward"];

/// The recorded advisor, and what it was asked in words.
struct Recorded {
    answers: Answers,
    briefing: Briefing,
    /// Answers by question, for the endpoint.
    said: Arc<Mutex<BTreeMap<String, String>>>,
    endpoint: Server,
}

impl Recorded {
    fn named(name: &str) -> Self {
        let name: AdvisorName = name.parse().unwrap();
        let briefing = Briefing::find(&name.template, Task::GoToObj).unwrap();
        let answers = Shelf::embedded().open(&name).unwrap();
        let said: Arc<Mutex<BTreeMap<String, String>>> = Arc::default();
        let known = Arc::clone(&said);
        let endpoint = Server::start(move |received, stream| {
            let asked = received.json()["messages"][1]["content"].as_str().unwrap().to_owned();
            let question = asked.split("\n\nAnswer with one of these options").next().unwrap();
            let answer = known.lock().unwrap()[question].clone();
            send(stream, &reply(200, "", &completion(&answer)))
        });
        Self { answers, briefing, said, endpoint }
    }

    /// The question in a situation, what is recorded for it, and the name of its context.
    fn question(&self, situation: &Situation) -> (String, String, String) {
        let prompt = self.briefing.prompt(situation);
        let (question, context) = (prompt.messages()[1].content.clone(), prompt.digest().to_string());
        let request = Request { prompt, decoding: self.briefing.decoding("scored").unwrap() };
        let answer =
            self.answers.get(&request).expect("every prompt of this template is recorded").utterance.text.clone();
        (question, answer, context)
    }
}

/// What tells situations apart, as numbers: where the object lies, and whether something stands ahead.
fn features(situation: &Situation) -> Vec<f64> {
    let flag = |yes: bool| f64::from(u8::from(yes));
    let place = situation.place().map(|place| (f64::from(place.ahead()), f64::from(place.aside())));
    let (ahead, aside) = place.unwrap_or_default();
    let blocked = Place::new(1, 0).is_some_and(|ahead| matches!(situation.view().at(ahead), Square::Holds(_)));
    vec![flag(place.is_some()), ahead, aside, flag(blocked)]
}

/// Who chooses.
enum Executor<'a> {
    Never,
    Always(&'a Recorded),
    Gated(&'a Recorded, Client),
}

/// The net return of a seed, and its calls.
fn play(seed: u64, mut executor: Executor<'_>) -> (f64, u64) {
    let mut world = World::with_max_steps(Task::GoToObj.level(), HORIZON).unwrap();
    let mut own = Chance(seed + 1);
    let (mut returned, mut calls) = (0.0, 0);
    for episode in 0..EPISODES {
        Environment::reset(&mut world, Seed::root(seed).stream("babyai over MCP").index(episode));
        let mut last = Value::Null;
        loop {
            let situation = Situation::of(&world).unwrap();
            // The own choice is drawn at every step, so that all see the same ones.
            let proposed = MOVES[own.below(3)];
            let chosen = match &mut executor {
                Executor::Never => proposed.to_owned(),
                Executor::Always(advisor) => {
                    calls += 1;
                    advisor.question(&situation).1
                }
                Executor::Gated(advisor, client) => {
                    let (question, answer, context) = advisor.question(&situation);
                    advisor.said.lock().unwrap().insert(question.clone(), answer);
                    let others = MOVES.into_iter().filter(|word| *word != proposed);
                    let options: Vec<&str> = std::iter::once(proposed).chain(others).collect();
                    let told = client.call(
                        "ask_advisor",
                        &json!({ "question": question, "options": options, "context": context,
                        "features": features(&situation), "episode": format!("e{episode}") }),
                    );
                    calls += u64::from(told["asked"] == true);
                    last = told["decision_id"].clone();
                    told["proceed_with"].as_str().unwrap_or_else(|| panic!("{told}")).to_owned()
                }
            };
            let place = MOVES.iter().position(|word| *word == chosen.to_lowercase());
            let effect = world.step(Act::try_from(place.unwrap_or(6)).unwrap());
            returned += effect.reward;
            if effect.terminated || effect.truncated {
                if let Executor::Gated(_, client) = &mut executor {
                    let outcome = json!({ "decision_id": last, "success": effect.reward > 0.0 });
                    assert_eq!(client.call("report_outcome", &outcome)["accepted"], true);
                }
                break;
            }
        }
    }
    if let Executor::Gated(_, mut client) = executor {
        let budget = client.call("advice_budget", &json!({}))["calls"].clone();
        assert_eq!(budget, json!({ "limit": CALLS, "spent": calls, "open": 0 }));
        client.end();
    }
    ((returned - PRICE * calls as f64) / EPISODES as f64, calls)
}

/// The gate before this advisor, in a process of its own.
fn gated<'a>(advisor: &'a Recorded, folder: &Path) -> Executor<'a> {
    let file = folder.join("policy.toml");
    let policy = format!(
        "price = {PRICE}\nactions = [\"left\", \"right\", \"forward\"]\n[budget]\ncalls = {CALLS}\n\
         [endpoints.advisor]\nbase_url = \"{}\"\nmodel = \"m\"\n",
        advisor.endpoint.base_url
    );
    std::fs::write(&file, policy).unwrap();
    let policy = format!("maze={}", path(&file));
    Executor::Gated(advisor, Client::start(&["--dir", path(&folder.join("gate")), "--policy", &policy]))
}

/// Net returns and calls of all seeds, for each of the three.
fn all(name: &str) -> [Vec<(f64, u64)>; 3] {
    let advisor = Recorded::named(name);
    let mut results = [Vec::new(), Vec::new(), Vec::new()];
    for seed in 0..SEEDS {
        let folder = tempfile::tempdir().unwrap();
        results[0].push(play(seed, gated(&advisor, folder.path())));
        results[1].push(play(seed, Executor::Never));
        results[2].push(play(seed, Executor::Always(&advisor)));
    }
    for (who, of) in ["gated", "never", "always"].into_iter().zip(&results) {
        let count = of.len() as f64;
        let net: f64 = of.iter().map(|(net, _)| net).sum::<f64>() / count;
        println!(
            "{name} {who}: net return {net:.3}, {:.1} calls",
            of.iter().map(|(_, calls)| *calls as f64).sum::<f64>() / count
        );
    }
    results
}

/// What one gains over the other, with its interval of 95 %.
fn gain(of: &[(f64, u64)], over: &[(f64, u64)]) -> PairedComparison {
    let net = |results: &[(f64, u64)]| results.iter().map(|(net, _)| *net).collect::<Vec<_>>();
    let gain = PairedComparison::new(&net(of), &net(over), &Bootstrap::seeded(0)).unwrap();
    println!("by {:.3} ± {:.3}", gain.mean_difference, gain.half_width().unwrap());
    gain
}

#[test]
fn a_gated_executor_returns_more_than_never_and_always_within_the_budget() {
    let [gated, never, always] = all("qwen2.5-coder-1.5b/abstract/scored");
    for other in [&never, &always] {
        let gain = gain(&gated, other);
        assert!(gain.mean_difference - gain.half_width().unwrap() > 0.0, "the gate does not pay: {gain:?}");
    }
    assert!(gated.iter().all(|(_, calls)| (1..=CALLS).contains(calls)), "{gated:?}");
}

#[test]
fn a_useless_advisor_is_given_up() {
    let [gated, never, always] = all("smollm2-135m/abstract/scored");
    for other in [&never, &always] {
        let gain = gain(&gated, other);
        assert!(gain.mean_difference + gain.half_width().unwrap() >= 0.0, "the gate loses by it: {gain:?}");
    }
    let spent: u64 = gated.iter().map(|(_, calls)| calls).sum();
    assert!(spent <= SEEDS * CALLS / 2, "{spent} calls on an advisor of no worth");
}
