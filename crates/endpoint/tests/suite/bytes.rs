//! Any bytes as a reply: an answer or an outage, no panic, no hang.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use counsel_advisor::{Decoding, LanguageModel, Prompt, Request};
use counsel_endpoint::{Endpoint, Ledger};
use proptest::prelude::*;

use crate::server::{Server, Then, question, quick, reply, send};

/// Bytes that look like a completion to some depth.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("-1e999".to_owned()),
        Just("18446744073709551616".to_owned()),
        Just("\"left\"".to_owned()),
        Just("\"\\ud800\"".to_owned()),
        Just("-0.5".to_owned()),
        any::<f64>().prop_map(|number| number.to_string()),
    ];
    let names =
        ["choices", "message", "content", "logprobs", "top_logprobs", "token", "logprob", "usage", "model", "error"];
    let tree = leaf.prop_recursive(8, 64, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            proptest::collection::vec((proptest::sample::select(names.to_vec()), inner), 0..4).prop_map(|items| {
                let items: Vec<_> = items.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", items.join(","))
            }),
        ]
    });
    let candidate = tree.clone().prop_map(|tree| {
        format!(
            "{{\"choices\":[{{\"message\":{{\"content\":\"x\"}},\"logprobs\":{{\"content\":[{{\"token\":\"left\",\
             \"logprob\":-1,\"top_logprobs\":[{tree}]}}]}}}}],\"usage\":{tree}}}"
        )
    });
    prop_oneof![tree, candidate].prop_map(String::into_bytes)
}

fn bytes() -> impl Strategy<Value = (bool, Vec<u8>)> {
    prop_oneof![
        (any::<bool>(), proptest::collection::vec(any::<u8>(), 0..300)),
        nearly().prop_map(|bytes| (true, bytes)),
    ]
}

#[test]
fn any_bytes_are_an_answer_or_an_outage() {
    let next: Arc<Mutex<Vec<u8>>> = Arc::default();
    let served = Arc::clone(&next);
    let server = Server::start(move |_, stream| {
        send(stream, &served.lock().unwrap());
        Then::Close
    });
    let mut settings = quick(&server);
    (settings.retries, settings.stop_after) = (0, NonZeroU32::MAX);
    let ledger = Ledger::in_memory(u64::MAX);
    let endpoint = Mutex::new(Endpoint::new(settings, ledger.clone()).unwrap());
    let scored = Request { prompt: Prompt::question("?"), decoding: Decoding::scored(["left", "x"]) };
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((as_body, bytes) in bytes())| {
        // Either the body of a reply that is fine otherwise, or all that comes.
        *next.lock().unwrap() = if as_body { reply(200, "", &bytes) } else { bytes };
        let started = Instant::now();
        let answers = endpoint.lock().unwrap().answer(&[question("?"), scored.clone()]);
        prop_assert!(started.elapsed() < Duration::from_secs(3));
        for answer in answers {
            match answer {
                Ok(utterance) => {
                    if let Some(scores) = utterance.scores {
                        let total: f64 = scores.iter().map(|score| score.probability).sum();
                        prop_assert!((total - 1.0).abs() < 1e-9, "{:?}", scores);
                    }
                }
                Err(outage) => {
                    prop_assert!(!outage.reason.contains("lost"), "{}", outage);
                    prop_assert!(!outage.reason.contains('\n'));
                }
            }
        }
    });
    assert_eq!((ledger.spent().unwrap(), ledger.lines().unwrap().len()), (2 * 400, 1 + 2 * 2 * 400));
}
