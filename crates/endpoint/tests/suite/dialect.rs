//! What endpoints want differently: the name of a limit, the name of a model, a proxy in between, and no system message of another
//! maker. And when they are asked no more.

use std::thread;
use std::time::{Duration, Instant};

use counsel_advisor::{Decoding, Fault, LanguageModel, Message, Prompt, Request, Role};
use counsel_endpoint::{Endpoint, Ledger, Parameter, Proxies, TokenLimit};
use serde_json::{Value, json};

use crate::server::{Server, Then, answer, completion, entries, question, quick, reply, send};

const REFUSAL: &str =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";

/// One of OpenAI's newer models.
fn newer() -> Server {
    Server::start(|received, stream| match received.json().get("max_tokens") {
        Some(_) => {
            let error = json!({ "error": { "message": REFUSAL, "param": "max_tokens" } });
            send(stream, &reply(400, "", error.to_string().as_bytes()))
        }
        None => answer(stream, "left"),
    })
}

#[test]
fn the_name_of_the_limit_is_learned_from_the_first_refusal_and_every_attempt_is_reserved() {
    let server = newer();
    let mut settings = quick(&server);
    settings.retries = 0;
    let ledger = Ledger::in_memory(4);
    let mut endpoint = Endpoint::new(settings, ledger.clone()).unwrap();
    for _ in 0..3 {
        assert_eq!(endpoint.answer_one(&question("?")).unwrap().text, "left");
    }
    let limits: Vec<Value> =
        server.received().iter().map(|received| received.json()["max_completion_tokens"].clone()).collect();
    assert_eq!(limits, [Value::Null, 4.into(), 4.into(), 4.into()], "learned once");
    let reserved = entries(&ledger.lines().unwrap()).iter().filter(|line| line.get("reserved").is_some()).count();
    assert_eq!((reserved, server.count()), (4, 4));
    let outage = endpoint.answer_one(&question("?")).unwrap_err();
    assert_eq!((outage.fault, server.count()), (Fault::Spent, 4));
}

#[test]
fn a_budget_of_one_call_is_not_stretched_by_what_is_learned() {
    let server = newer();
    let mut endpoint = Endpoint::new(quick(&server), Ledger::in_memory(1)).unwrap();
    let outage = endpoint.answer_one(&question("?")).unwrap_err();
    assert!(outage.fault == Fault::Spent && outage.reason.contains("max_completion_tokens"), "{outage}");
    assert_eq!(server.count(), 1);
}

#[test]
fn a_declared_name_is_kept_and_the_refusal_names_the_option() {
    let server = newer();
    let mut settings = quick(&server);
    settings.dialect.token_limit = TokenLimit::MaxTokens;
    let outage = Endpoint::new(settings, Ledger::in_memory(9)).unwrap().answer_one(&question("?")).unwrap_err();
    assert!(outage.reason.ends_with("--token-limit max_completion_tokens sends that"), "{outage}");
    let mut settings = quick(&server);
    settings.dialect.token_limit = TokenLimit::MaxCompletionTokens;
    settings.dialect.left_out = [Parameter::Temperature, Parameter::Seed].into();
    settings.dialect.reasoning_tokens = 100;
    let mut endpoint = Endpoint::new(settings, Ledger::in_memory(9)).unwrap();
    assert!(endpoint.answer_one(&question("?")).is_ok());
    let body = server.received()[1].json();
    assert_eq!((&body["max_completion_tokens"], body.get("temperature"), body.get("seed")), (&104.into(), None, None));
    assert!(endpoint.identity().engine.ends_with("no temperature, no seed, 100 reasoning tokens"));
}

#[test]
fn a_temperature_that_is_refused_names_the_option_that_leaves_it_out() {
    let server = Server::start(|_, stream| {
        let error =
            json!({ "error": { "message": "Unsupported value: 'temperature' does not support 0 with this model." } });
        send(stream, &reply(400, "", error.to_string().as_bytes()))
    });
    let outage = Endpoint::new(quick(&server), Ledger::in_memory(9)).unwrap().answer_one(&question("?")).unwrap_err();
    assert!(outage.reason.contains("--leave-out temperature"), "{outage}");
    assert_eq!(server.count(), 1);
}

#[test]
fn no_model_is_told_that_it_is_qwen_and_a_scene_of_the_callers_own_is_kept() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut endpoint = Endpoint::new(quick(&server), Ledger::in_memory(9)).unwrap();
    let user = Message::new(Role::User, "Which way?");
    let qwen = Message::new(Role::System, "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.");
    let own = Message::new(Role::System, "You are a guide.");
    for (messages, sent) in [(vec![qwen, user.clone()], 1), (vec![own, user], 2)] {
        let request = Request { prompt: Prompt::new(messages, 0), decoding: Decoding::greedy(4) };
        endpoint.answer_one(&request).unwrap();
        let body = server.received().last().unwrap().body.clone();
        assert!(!body.contains("Qwen") && !body.contains("Alibaba"), "{body}");
        assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["messages"].as_array().unwrap().len(), sent);
    }
    assert!(endpoint.identity().engine.contains("no system message of our own"), "part of the identity");
}

#[test]
fn an_answer_under_the_dated_name_of_the_model_is_taken_and_the_check_says_so() {
    let server = Server::start(|received, stream| {
        if received.head.starts_with("GET") {
            return send(stream, &reply(200, "", br#"{"data":[{"id":"m-2024-08-06"}]}"#));
        }
        let dated = String::from_utf8(completion("left")).unwrap().replace("\"m\"", "\"m-2024-08-06\"");
        send(stream, &reply(200, "", dated.as_bytes()))
    });
    let mut endpoint = Endpoint::new(quick(&server), Ledger::in_memory(9)).unwrap();
    assert_eq!(endpoint.answer_one(&question("?")).unwrap().text, "left");
    let check = endpoint.check();
    assert_eq!((check.answered_as.as_deref(), check.problems.len()), (Some("m-2024-08-06"), 0), "{check:?}");
}

#[test]
fn a_proxy_carries_what_is_for_other_machines_and_is_named_when_it_fails() {
    let proxy = Server::start(|_, stream| send(stream, &reply(502, "", b"")));
    let proxies = Proxies { https: Some(proxy.base_url.clone()), http: Some(proxy.base_url.clone()), except: None };
    let mut settings = quick(&proxy);
    (settings.base_url, settings.proxies, settings.retries) =
        ("https://api.example.invalid".into(), proxies.clone(), 0);
    let outage = Endpoint::new(settings, Ledger::in_memory(9)).unwrap().answer_one(&question("?")).unwrap_err();
    assert!(proxy.received()[0].head.starts_with("CONNECT api.example.invalid:443 "), "{:?}", proxy.received());
    assert!(outage.reason.contains("through the proxy 127.0.0.1:"), "{outage}");
    let here = Server::start(|_, stream| answer(stream, "left"));
    let mut settings = quick(&here);
    settings.proxies = proxies;
    assert!(Endpoint::new(settings, Ledger::in_memory(9)).unwrap().answer_one(&question("?")).is_ok());
    assert_eq!((proxy.count(), here.count()), (1, 1), "this machine is reached without a proxy");
}

#[test]
fn an_endpoint_that_fails_is_not_asked_for_ever() {
    let server = Server::start(|_, stream| send(stream, &reply(200, "", b"garbage")));
    let mut settings = quick(&server);
    (settings.stop_after, settings.concurrency) = (3.try_into().unwrap(), 1);
    let mut endpoint = Endpoint::new(settings, Ledger::in_memory(1000)).unwrap();
    let outages: Vec<_> = (0..50).map(|_| endpoint.answer_one(&question("?")).unwrap_err()).collect();
    assert_eq!(server.count(), 3);
    assert_eq!(outages[2].fault, Fault::Passing);
    let last = &outages[49];
    assert_eq!(last.fault, Fault::Systematic);
    for part in ["3 questions in a row got no answer", "nothing more is sent", "no JSON", "run again", "--stop-after"] {
        assert!(last.reason.contains(part), "{part}: {last}");
    }
}

#[test]
fn winding_down_keeps_the_answer_under_way_and_sends_nothing_more() {
    let server = Server::start(|received, stream| match received.number {
        1 => {
            thread::sleep(Duration::from_millis(300));
            answer(stream, "left")
        }
        2 => send(stream, &reply(429, "Retry-After: 2\r\n", b"")),
        _ => Then::Close,
    });
    for (number, text) in [(1, Some("left")), (2, None)] {
        let mut endpoint = Endpoint::new(quick(&server), Ledger::in_memory(9)).unwrap();
        let cancel = endpoint.cancel();
        let asking = thread::spawn(move || (endpoint.answer_one(&question("?")), endpoint));
        while server.count() < number {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(100));
        let started = Instant::now();
        cancel.wind_down();
        let (said, mut endpoint) = asking.join().unwrap();
        assert!(started.elapsed() < Duration::from_millis(1500), "a pause is not sat out");
        assert_eq!(said.ok().map(|said| said.text).as_deref(), text);
        assert_eq!(endpoint.answer_one(&question("?")).unwrap_err().reason, "cancelled");
        assert_eq!(server.count(), number);
    }
}

#[test]
fn an_endpoint_that_refuses_is_not_silent() {
    let server = Server::start(|received, stream| {
        if received.head.starts_with("GET") {
            return Then::Close;
        }
        send(stream, &reply(400, "", br#"{"error":{"message":"no such model"}}"#))
    });
    let check = Endpoint::new(quick(&server), Ledger::in_memory(9)).unwrap().check();
    assert!(check.alive, "{check:?}");
    assert!(check.problems.iter().any(|problem| problem.contains("no such model")), "{check:?}");
}
