//! `POST /v1/ask`.

use counsel_broker::{Broker, Call, Replied, Sidecar};
use serde_json::{Value, json};

use crate::model::{Model, broker, calls, policy, post};

fn ask(broker: &Broker, question: &str, key: Option<&str>) -> Replied {
    post(broker, "/v1/ask", json!({ "policy": "p", "question": question, "options": ["left", "right"] }), key)
}

/// Asks new questions until one is paid for.
fn paid(broker: &Broker) -> Value {
    let mut answers = (0..50).map(|number| ask(broker, &format!("question {number}"), None).body);
    answers.find(|told| told["asked"] == true).expect("a question is worth its price")
}

#[test]
fn a_question_that_is_worth_it_is_asked_once_and_settled() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("Right."));
    let broker = broker(dir.path(), &policy(5, &[("advisor", &model)]));
    let told = paid(&broker);
    assert_eq!(told["advice"], "Right.");
    let proceed = if told["may_act"] == true { "right" } else { "left" };
    assert_eq!(told["proceed_with"], proceed, "{told}");
    assert_eq!((calls(&broker), model.count()), ((1, 0), 1));
}

#[test]
fn the_budget_is_a_verdict_and_is_never_exceeded() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("right"));
    let broker = broker(dir.path(), &policy(3, &[("advisor", &model)]));
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let broker = &broker;
            scope.spawn(move || {
                for number in 0..10 {
                    let replied = ask(broker, &format!("question {thread} {number}"), None);
                    assert_eq!(replied.status, 200, "{}", replied.body);
                    let decision = replied.body["decision_id"].as_str().unwrap().to_owned();
                    let outcome =
                        json!({ "reward": f64::from(u8::from(replied.body["may_act"] == true)), "final": true });
                    post(broker, &format!("/v1/decisions/{decision}/outcome"), outcome, None);
                }
            });
        }
    });
    let (spent, open) = calls(&broker);
    assert!(spent <= 3 && open == 0 && spent == model.count() as u64, "{spent} spent, {} at the model", model.count());
}

#[test]
fn the_same_key_is_one_question_and_another_body_is_refused() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("right"));
    let broker = broker(dir.path(), &policy(5, &[("advisor", &model)]));
    let first = ask(&broker, "which?", Some("k"));
    let again = ask(&broker, "which?", Some("k"));
    assert_eq!((first.body, first.replayed, again.replayed), (again.body, false, true));
    assert!(model.count() <= 1);
    let other = ask(&broker, "which one?", Some("k"));
    assert_eq!((other.status, other.body["type"].as_str()), (409, Some("urn:counsel:problem:key-reused")));
}

#[test]
fn a_server_that_was_started_again_does_not_ask_twice() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("right"));
    let text = policy(5, &[("advisor", &model)]);
    let before = broker(dir.path(), &text);
    let first = ask(&before, "which?", Some("k")).body;
    assert_eq!(first["asked"], true, "the first question is worth its price");
    drop(before);
    let after = broker(dir.path(), &text);
    let again = ask(&after, "which?", Some("k")).body;
    // What was said is not kept, but whether it acts is.
    assert_eq!(
        (&again["asked"], &again["verdict"], &again["may_act"]),
        (&json!(true), &first["verdict"], &first["may_act"]),
        "{again}"
    );
    assert_eq!(again["proceed_with"], "the advice that this context got before");
    assert_eq!((model.count(), calls(&after)), (1, (1, 0)));
}

#[test]
fn a_question_that_a_crash_cut_off_is_lost_and_not_sent_again() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("right"));
    let text = policy(5, &[("advisor", &model)]);
    let before = broker(dir.path(), &text);
    // The permit is paid, and the process ends before anybody is asked.
    let body = json!({ "policy": "p", "run": "ask", "context": { "key": "c" }, "fallback": { "action": "own" } });
    let decided = before.call(&Call::post("/v1/decisions", body).keyed("k")).unwrap().body;
    assert_eq!(decided["verdict"], "ask", "{decided}");
    drop(before);
    let after = broker(dir.path(), &text);
    let asked = json!({ "policy": "p", "question": "which?", "options": ["left", "right"], "context": "c" });
    let told = post(&after, "/v1/ask", asked, Some("k")).body;
    assert!(told["lost"].as_str().unwrap().contains("cut off"), "{told}");
    assert_eq!((told["may_act"].clone(), told["proceed_with"].clone()), (json!(false), json!("left")));
    assert_eq!((model.count(), calls(&after)), (0, (1, 0)));
}

#[test]
fn an_advisor_that_fails_is_paid_and_its_reason_told() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying(""));
    let broker = broker(dir.path(), &policy(5, &[("advisor", &model)]));
    let told = paid(&broker);
    assert_eq!((&told["may_act"], &told["proceed_with"]), (&json!(false), &json!("left")));
    assert!(told["lost"].as_str().unwrap().contains("500"), "{told}");
    assert_eq!(model.count() as u64, calls(&broker).0, "a failure is not tried again");
}

#[test]
fn an_answer_that_names_no_option_does_not_act() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("It depends."));
    let broker = broker(dir.path(), &policy(5, &[("advisor", &model)]));
    let told = paid(&broker);
    assert_eq!(
        (&told["may_act"], &told["proceed_with"], &told["advice"]),
        (&json!(false), &json!("left"), &json!("It depends."))
    );
}

#[test]
fn what_cannot_be_asked_is_refused_by_name_and_costs_nothing() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("right"));
    let with = broker(dir.path(), &policy(5, &[("cheap", &model)]));
    for (body, status, kind) in [
        (json!({ "policy": "p", "question": "q" }), 422, "no-endpoint"),
        (json!({ "policy": "nobody", "question": "q" }), 422, "no-endpoint"),
        (json!({ "question": "q" }), 400, "body"),
        (json!({ "policy": "../p", "question": "q" }), 422, "value"),
        (json!({ "policy": "p" }), 422, "value"),
        (json!([]), 400, "body"),
    ] {
        let replied = post(&with, "/v1/ask", body.clone(), None);
        let expected = (status, Some(format!("urn:counsel:problem:{kind}")));
        assert_eq!(
            (replied.status, replied.body["type"].as_str().map(str::to_owned)),
            expected,
            "{body}: {}",
            replied.body
        );
    }
    assert_eq!((calls(&with), model.count()), ((0, 0), 0));
}

/// What questions return that come once each, after their price, and how many in a hundred were asked: the executor by itself succeeds
/// in this share of them, and with advice in that one. Means over several streams of chance.
fn unlike_questions(price: f64, [own, advised]: [f64; 2]) -> (f64, f64) {
    const STREAMS: u64 = 4;
    const COUNT: u32 = 300;
    let (mut net, mut asked) = (0.0, 0);
    for stream in 0..STREAMS {
        let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("right"));
        let text = policy(10_000, &[("advisor", &model)]).replace("price = 0.01", &format!("price = {price}"));
        let (broker, mut draws) = (broker(dir.path(), &text), crate::cascade::Draws(stream));
        for number in 0..COUNT {
            let told = ask(&broker, &format!("question {number}"), None).body;
            let [own, advised] = [own, advised].map(|chance| draws.next() < chance);
            let success = if told["may_act"] == true { advised } else { own };
            net += f64::from(u8::from(success)) - if told["asked"] == true { price } else { 0.0 };
            let decision = told["decision_id"].as_str().unwrap();
            let outcome = json!({ "success": success, "final": true });
            assert_eq!(
                post(&broker, &format!("/v1/decisions/{decision}/outcome"), outcome, None).body["accepted"],
                true
            );
        }
        asked += model.count();
    }
    let count = f64::from(COUNT) * STREAMS as f64;
    (net / count, asked as f64 * 100.0 / count)
}

#[test]
fn a_useless_advisor_is_given_up_though_no_question_comes_twice() {
    let (net, asked) = unlike_questions(0.01, [0.6, 0.3]);
    println!("useless advisor: {net:.3}, {asked:.1} % asked; never 0.60, always 0.29");
    assert!(net > 0.54 && asked < 20.0, "{net}, {asked} % asked");
}

#[test]
fn most_of_what_a_good_advisor_brings_is_kept_though_no_question_comes_twice() {
    let (net, asked) = unlike_questions(0.01, [0.3, 0.9]);
    println!("good advisor: {net:.3}, {asked:.1} % asked; never 0.30, always 0.89");
    assert!(net > 0.65 && asked > 60.0, "{net}, {asked} % asked");
}
