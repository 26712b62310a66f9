//! What is sent, in which order answers come back, word scores, and the check.

use std::thread;
use std::time::{Duration, Instant};

use counsel_advisor::{Decoding, LanguageModel, Message, Prompt, Request, Role};
use counsel_endpoint::{Endpoint, Key, Ledger, LogProbabilities, Probe};
use serde_json::json;

use crate::server::{Server, Then, answer, question, quick, reply, send};

fn scored(words: &[&str]) -> Request {
    Request { prompt: Prompt::question("which way?"), decoding: Decoding::scored(words.iter().copied()) }
}

/// A server whose first token is `left` (0.5), `right` (0.3), ` forward` (0.2).
fn listing() -> Server {
    Server::start(|received, stream| {
        if received.head.starts_with("GET /v1/models ") {
            return send(stream, &reply(200, "", br#"{"data":[{"id":"z"},{"id":"m"},{"id":"m"},{}]}"#));
        }
        let listed: Vec<_> = [("left", 0.5_f64), ("right", 0.3), (" forward", 0.2)]
            .map(|(token, p)| json!({ "token": token, "logprob": p.ln(), "bytes": null }))
            .into();
        let body = json!({ "model": "m", "choices": [{
            "message": { "content": "left" },
            "logprobs": { "content": [{ "token": "left", "logprob": 0.5_f64.ln(), "top_logprobs": listed }] },
        }] });
        send(stream, &reply(200, "", body.to_string().as_bytes()))
    })
}

#[test]
fn what_is_sent_is_what_was_asked() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut settings = quick(&server);
    settings.base_url.push_str("/v1/");
    settings.key = Some(Key::new("sk-0123456789").unwrap());
    let mut endpoint = Endpoint::new(settings, Ledger::in_memory(10)).unwrap();
    assert_eq!(endpoint.identity().model, "m");
    assert_eq!(endpoint.identity().version, format!("{}/v1", server.base_url));
    let messages = vec![Message::new(Role::System, "be brief"), Message::new(Role::User, "\"where\"?\n")];
    let decoding = Decoding::Generate { max_tokens: 7, temperature: 0.5, seed: u64::MAX };
    endpoint.answer(&[Request { prompt: Prompt::new(messages, 0), decoding }]).remove(0).unwrap();
    let received = &server.received()[0];
    assert!(received.head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{}", received.head);
    assert!(received.head.to_ascii_lowercase().contains("authorization: bearer sk-0123456789\r\n"));
    let expected = json!({
        "model": "m", "stream": false, "max_tokens": 7, "temperature": 0.5, "seed": i64::MAX,
        "messages": [{ "role": "system", "content": "be brief" }, { "role": "user", "content": "\"where\"?\n" }],
    });
    assert_eq!(received.json(), expected);
}

#[test]
fn what_cannot_be_asked_costs_nothing() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut settings = quick(&server);
    settings.log_probabilities = LogProbabilities::Absent;
    let ledger = Ledger::in_memory(10);
    let mut endpoint = Endpoint::new(settings, ledger.clone()).unwrap();
    let generate = |max_tokens, temperature| Request {
        prompt: Prompt::question("?"),
        decoding: Decoding::Generate { max_tokens, temperature, seed: 0 },
    };
    let silent = Request { prompt: Prompt::new(vec![], 0), decoding: Decoding::greedy(1) };
    let requests = [
        generate(0, 0.0),
        generate(1, f64::NAN),
        generate(1, -1.0),
        scored(&[]),
        scored(&["", "a"]),
        scored(&["a"]),
        silent,
    ];
    for (request, answer) in requests.iter().zip(endpoint.answer(&requests)) {
        assert!(answer.is_err(), "{request:?}");
    }
    assert_eq!(
        endpoint.answer(&[scored(&["a"])])[0].as_ref().unwrap_err().reason,
        "the endpoint gives no log-probabilities; use generate"
    );
    assert_eq!((server.count(), ledger.spent().unwrap()), (0, 0));
}

#[test]
fn answers_come_in_order_over_few_connections() {
    let server = Server::start(|received, stream| {
        let text = received.json()["messages"][0]["content"].as_str().unwrap().to_owned();
        // Later questions are answered sooner.
        thread::sleep(Duration::from_millis(5 * (32 - text.parse::<u64>().unwrap()) % 80));
        answer(stream, &text)
    });
    let mut settings = quick(&server);
    settings.concurrency = 4;
    let mut endpoint = Endpoint::new(settings, Ledger::in_memory(1000)).unwrap();
    let requests: Vec<_> = (0..32).map(|number| question(&number.to_string())).collect();
    for _ in 0..2 {
        let texts: Vec<_> = endpoint.answer(&requests).into_iter().map(|answer| answer.unwrap().text).collect();
        assert_eq!(texts, (0..32).map(|number| number.to_string()).collect::<Vec<_>>());
    }
    assert_eq!(server.count(), 64);
    assert!(server.connections() <= 8, "{} connections for 64 requests, 4 at once", server.connections());
}

#[test]
fn a_connection_that_the_server_closed_between_requests_does_no_harm() {
    let server = Server::start(|_, stream| {
        answer(stream, "left");
        Then::Close
    });
    let ledger = Ledger::in_memory(100);
    let mut endpoint = Endpoint::new(quick(&server), ledger.clone()).unwrap();
    for _ in 0..20 {
        assert!(endpoint.answer(&[question("?")])[0].is_ok());
    }
    assert!(server.count() as u64 <= ledger.spent().unwrap());
}

#[test]
fn a_server_without_tls_behind_https_is_an_outage() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut settings = quick(&server);
    settings.base_url = settings.base_url.replace("http:", "https:");
    settings.retries = 0;
    let outage = Endpoint::new(settings, Ledger::in_memory(9)).unwrap().answer(&[question("?")]).remove(0).unwrap_err();
    assert!(!outage.reason.contains("lost"), "{outage}");
}

#[test]
fn a_batch_runs_as_many_at_once_as_set() {
    let server = Server::start(|_, stream| {
        thread::sleep(Duration::from_millis(100));
        answer(stream, "left")
    });
    let mut settings = quick(&server);
    settings.concurrency = 16;
    let mut endpoint = Endpoint::new(settings, Ledger::in_memory(1000)).unwrap();
    let started = Instant::now();
    assert!(endpoint.answer(&vec![question("?"); 32]).iter().all(Result::is_ok));
    let took = started.elapsed();
    assert!(took >= Duration::from_millis(200) && took < Duration::from_millis(1600), "{took:?}");
    assert!(endpoint.answer(&[]).is_empty());
}

#[test]
fn words_are_scored_only_where_all_are_listed() {
    let server = listing();
    let mut endpoint = Endpoint::new(quick(&server), Ledger::in_memory(10)).unwrap();
    let answers = endpoint.answer(&[scored(&["right", "left"]), scored(&["left", "forward"])]);
    let utterance = answers[0].as_ref().unwrap();
    let scores = utterance.scores.as_ref().unwrap();
    assert_eq!((utterance.text.as_str(), scores[0].word.as_str()), ("left", "right"));
    assert!((scores[0].probability - 0.375).abs() < 1e-12 && (scores[1].probability - 0.625).abs() < 1e-12);
    let reason = &answers[1].as_ref().unwrap_err().reason;
    assert!(reason.starts_with("`forward` is not among the 3 likeliest first tokens"), "{reason}");
    let sent = server.received()[0].json();
    assert_eq!((&sent["logprobs"], &sent["top_logprobs"], &sent["max_tokens"]), (&json!(true), &json!(20), &json!(1)));
    let bare = Server::start(|_, stream| answer(stream, "left"));
    let ledger = Ledger::in_memory(10);
    let mut endpoint = Endpoint::new(quick(&bare), ledger.clone()).unwrap();
    let outage = endpoint.answer(&[scored(&["left"])]).remove(0).unwrap_err();
    assert_eq!(outage.reason, "the endpoint gives no log-probabilities; use generate");
    assert_eq!(ledger.spent().unwrap(), 1);
}

#[test]
fn the_check_tells_what_an_endpoint_can() {
    let server = listing();
    let ledger = Ledger::in_memory(1);
    let endpoint = Endpoint::new(quick(&server), ledger.clone()).unwrap();
    let check = endpoint.check();
    assert!(check.alive && check.problems.is_empty() && check.latency_ms.is_some(), "{check:?}");
    assert_eq!(
        (check.models.as_slice(), check.log_probabilities),
        (&["m".to_owned(), "z".to_owned()][..], Probe::Given)
    );
    assert_eq!(serde_json::to_value(&check).unwrap()["log_probabilities"], "given");
    assert_eq!(ledger.spent().unwrap(), 1);
    let check = endpoint.check();
    assert!(
        check.alive && check.problems == ["answer: the budget of 1 calls is spent; raise --budget to go on"],
        "{check:?}"
    );
    // Whoever refuses is alive; a port where nobody is, is not.
    let refusing = Server::start(|_, stream| send(stream, &reply(401, "", b"{}")));
    let check = Endpoint::new(quick(&refusing), Ledger::in_memory(1)).unwrap().check();
    assert!(check.alive && check.problems.len() == 2 && check.log_probabilities == Probe::Unknown, "{check:?}");
    let mut nobody = quick(&refusing);
    nobody.base_url = "http://127.0.0.1:9".into();
    let check = Endpoint::new(nobody, Ledger::in_memory(9)).unwrap().check();
    assert!(!check.alive && check.problems.len() == 2, "{check:?}");
}
