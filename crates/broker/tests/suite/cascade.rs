//! Questions that are decided by a cascade: what it learns, what it may lose, and that its file says what it did.

use std::path::Path;

use counsel_broker::{Broker, Call, PolicyFile, QuestionSpec, Sidecar};
use serde_json::{Value, json};

use crate::model::{broker, calls, policy, post};

/// A fixed stream of numbers in [0, 1).
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn gated(price: f64, calls: u64) -> String {
    policy(calls, &[]).replace("price = 0.01", &format!("price = {price}")) + "[cascade]\n"
}

fn decide(broker: &Broker, kind: &str, key: &str) -> Value {
    let body = json!({ "policy": "p", "context": { "key": kind }, "fallback": { "action": "own" } });
    post(broker, "/v1/decisions", body, Some(key)).body
}

fn outcome(broker: &Broker, decision: &Value, reward: f64) -> Value {
    let path = format!("/v1/decisions/{}/outcome", decision.as_str().unwrap());
    post(broker, &path, json!({ "reward": reward, "final": true }), None).body
}

/// What questions of two kinds return after their price, and how many of each were asked. A kind has a chance of success by itself and with
/// advice.
fn play(broker: &Broker, price: f64, count: u32, kinds: [[f64; 2]; 2]) -> (f64, [u32; 2]) {
    let (mut draws, mut net, mut asked) = (Draws(1), 0.0, [0; 2]);
    for number in 0..count {
        let kind = usize::from(draws.next() < 0.5);
        let [own, advised] = kinds[kind].map(|chance| f64::from(u8::from(draws.next() < chance)));
        let decided = decide(broker, ["easy", "hard"][kind], &format!("k{number}"));
        let mut reward = own;
        if decided["verdict"] == "ask" {
            let path = format!("/v1/decisions/{}/resume", decided["decision"].as_str().unwrap());
            let judged =
                post(broker, &path, json!({ "permit": decided["permit"]["id"], "reply": { "text": "advice" } }), None)
                    .body;
            reward = if judged["verdict"] == "execute" { advised } else { own };
            net -= price;
            asked[kind] += 1;
        }
        assert_eq!(outcome(broker, &decided["decision"], reward)["accepted"], true);
        net += reward;
    }
    (net / f64::from(count), asked)
}

#[test]
fn it_asks_where_advice_pays_and_returns_more_than_always_and_never() {
    let dir = tempfile::tempdir().unwrap();
    let broker = broker(dir.path(), &gated(0.2, 10_000));
    let (net, asked) = play(&broker, 0.2, 600, [[0.9, 0.9], [0.3, 0.9]]);
    let (always, never) = (0.9 - 0.2, 0.6);
    assert!(net > always && net > never, "{net} per question, {asked:?} asked");
    assert!(asked[1] > 3 * asked[0], "{asked:?}");
}

#[test]
fn advice_that_does_harm_costs_no_more_than_the_bankroll() {
    let dir = tempfile::tempdir().unwrap();
    let broker = broker(dir.path(), &gated(0.05, 10_000));
    let (net, asked) = play(&broker, 0.05, 400, [[0.9, 0.4], [0.5, 0.1]]);
    // What the bankroll may lose over these questions, and chance.
    let bound = (2.0 + 0.005 * 400.0 + 2.0) / 400.0 + 0.05;
    assert!(net > 0.7 - bound && asked[0] + asked[1] < 40, "{net} per question, {asked:?} asked");
}

#[test]
fn without_outcomes_it_falls_silent() {
    let dir = tempfile::tempdir().unwrap();
    let broker = broker(dir.path(), &gated(0.05, 10_000));
    let asked = (0..200).filter(|number| decide(&broker, "k", &format!("k{number}"))["verdict"] == "ask").count();
    assert!(asked <= 5, "{asked} of 200 were asked");
    assert_eq!(decide(&broker, "k", "last")["reason"], "bankroll");
}

#[test]
fn a_budget_that_is_spent_leaves_no_trace_in_what_was_learned() {
    let dir = tempfile::tempdir().unwrap();
    let broker = broker(dir.path(), &gated(0.05, 3));
    play(&broker, 0.05, 200, [[0.1, 0.9], [0.1, 0.9]]);
    assert_eq!(calls(&broker), (3, 0));
    let lines = std::fs::read_to_string(dir.path().join("questions.jsonl")).unwrap();
    assert_eq!(lines.matches("\"asked\":true").count(), 3);
}

#[test]
fn a_key_is_decided_once_also_by_the_next_process() {
    let dir = tempfile::tempdir().unwrap();
    let text = gated(0.05, 100);
    let before = broker(dir.path(), &text);
    play(&before, 0.05, 60, [[0.1, 0.9], [0.1, 0.9]]);
    let first: Vec<Value> = (0..20).map(|number| decide(&before, "k", &format!("again{number}"))).collect();
    let [asked, silent] = ["ask", "act"].map(|verdict| first.iter().filter(|told| told["verdict"] == verdict).count());
    assert!(asked > 0 && silent > 0, "{asked} asked, {silent} silent");
    let spent = calls(&before);
    let mut held = std::fs::read(dir.path().join("questions.jsonl")).unwrap();
    drop(before);
    // A line that was torn is cut.
    held.extend_from_slice(b"{\"asked\":{\"key\":");
    std::fs::write(dir.path().join("questions.jsonl"), &held).unwrap();
    let after = broker(dir.path(), &text);
    for (number, told) in first.iter().enumerate() {
        let again = decide(&after, "k", &format!("again{number}"));
        assert_eq!((&again["decision"], &again["verdict"]), (&told["decision"], &told["verdict"]));
    }
    assert_eq!(calls(&after), spent);
    // An outcome of the first process is learned by the second, once and corrected.
    let silent = first.iter().find(|told| told["verdict"] == "act").unwrap();
    for reward in [1.0, 0.0] {
        assert_eq!(outcome(&after, &silent["decision"], reward), json!({ "accepted": true, "learned": true }));
    }
    let path = format!("/v1/decisions/{}/explain", silent["decision"].as_str().unwrap());
    let explained = after.call(&Call::get(path)).unwrap().body;
    let words = explained.as_str().unwrap();
    assert!(words.contains("was not asked") && words.contains("Its outcome was 0."), "{words}");
}

#[test]
fn a_changed_file_is_refused_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let text = gated(0.05, 100);
    let file = dir.path().join("questions.jsonl");
    play(&broker(dir.path(), &text), 0.05, 30, [[0.1, 0.9], [0.1, 0.9]]);
    let whole = std::fs::read_to_string(&file).unwrap();
    for (from, to, words) in [
        ("\"confidence\":0.5", "\"confidence\":7e400", "cannot be read"),
        ("\"asked\":false", "\"asked\":true", "is decided otherwise"),
        ("\"reward\":0.0", "\"reward\":0.5", "is decided otherwise"),
        ("\"decision\":\"q0-p\",\"reward\"", "\"decision\":\"q900-p\",\"reward\"", "is not there"),
    ] {
        assert!(whole.contains(from), "{from}");
        std::fs::write(&file, whole.replace(from, to)).unwrap();
        let error = refused(&text, &file);
        assert!(error.contains("line ") && error.contains(words), "{from}: {error}");
    }
}

fn refused(text: &str, file: &Path) -> String {
    let questions = PolicyFile::read(text, &|_| None).unwrap().questions.unwrap();
    let broker = Broker::new(Box::new(Nowhere), "n");
    broker.decide_questions("p", questions, Some(file.to_owned())).unwrap_err().to_string()
}

/// A service that nobody asks.
#[derive(Debug)]
struct Nowhere;

impl Sidecar for Nowhere {
    fn call(&self, call: &Call) -> Result<counsel_broker::Replied, counsel_broker::Error> {
        panic!("{} is called", call.path)
    }
}

#[test]
fn other_settings_begin_from_nothing_and_keep_the_keys() {
    let dir = tempfile::tempdir().unwrap();
    let before = broker(dir.path(), &gated(0.05, 100));
    play(&before, 0.05, 30, [[0.1, 0.9], [0.1, 0.9]]);
    let told = decide(&before, "k", "again");
    drop(before);
    let after = broker(dir.path(), &gated(0.3, 100));
    let again = decide(&after, "k", "again");
    assert_eq!((&again["decision"], &again["verdict"]), (&told["decision"], &told["verdict"]));
    let silent = (0..5).all(|number| decide(&after, "k", &format!("new{number}"))["verdict"] == "act");
    assert!(silent, "what the executor does by itself is learned first");
}

#[test]
fn the_service_has_the_price_0_and_settings_are_checked() {
    let file = PolicyFile::read(&gated(0.05, 5), &|_| None).unwrap();
    assert_eq!(file.questions, Some((QuestionSpec::default(), 0.05)));
    assert!(file.policy.contains("price = 0.0") && !file.policy.contains("cascade"), "{}", file.policy);
    let error = |text: &str| PolicyFile::read(text, &|_| None).unwrap_err().to_string();
    assert!(error("actions = [\"own\", \"advice\"]\n[cascade]\n").contains("needs `price`"));
    assert!(error("price = 1\n[cascade]\nsilenc = 5\n").contains("unknown field"));
    let spec = QuestionSpec { start: -1.0, ..QuestionSpec::default() };
    let broker = Broker::new(Box::new(Nowhere), "n");
    assert!(broker.decide_questions("p", (spec, 0.05), None).unwrap_err().to_string().contains("start is -1"));
}
