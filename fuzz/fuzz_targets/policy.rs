//! Any bytes as a policy file, and as the body of `PUT /v1/policies/NAME`: what is accepted reads back as the same policy and decides
//! within its budget; an error holds no key, and none of an error over HTTP repeats a text of the body.
#![no_main]

mod gate;

use counsel_broker::{Error, PolicyFile};
use counsel_serve::{Core, PolicySpec, Request};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

use crate::gate::{Gate, KEY, MARK, holds_key};

/// The core took a policy: a decision on it is made, and its budget holds.
fn decide(core: &mut Core, spec: &PolicySpec) {
    let body = json!({ "policy": "p", "context": { "key": "x" }, "fallback": { "action": spec.actions[0] } });
    for key in ["a", "b"] {
        let decided = core.handle(8, &Request::new("POST", "/v1/decisions", body.to_string()).keyed(key));
        assert_eq!(decided.response.status, 201);
        assert!(core.budgets_hold());
    }
}

fn put(bytes: &[u8]) {
    let (mut core, _) = Core::begin();
    let response = core.handle(7, &Request::new("PUT", "/v1/policies/p", bytes)).response;
    assert_ne!(response.status, 500);
    let text = String::from_utf8(response.body).unwrap();
    match PolicySpec::read(bytes) {
        Ok(spec) => {
            // A parent that nobody declared is refused by the tree alone.
            if response.status < 400 {
                let again = PolicySpec::read(serde_json::to_string(&spec).unwrap().as_bytes()).unwrap();
                assert_eq!((again.digest(), &again), (spec.digest(), &spec));
                decide(&mut core, &spec);
            }
        }
        Err(_) => assert!(response.status >= 400, "{text}"),
    }
    // What was read may be named; what could not be read may not.
    assert!(response.status != 400 || !text.contains(MARK), "the body stands in {text}");
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    if holds_key(text) {
        return;
    }
    // Where a text of the file says MARK, it is a text that nobody else says.
    let text = String::from_utf8_lossy(text).replace("MARK", MARK);
    put(text.as_bytes());
    let variable = |name: &str| (first % 2 == 0 || name == "K").then(|| KEY.to_owned());
    match PolicyFile::read(&text, &variable) {
        Err(error) => assert!(!error.to_string().contains(KEY), "{error}"),
        Ok(PolicyFile { policy, endpoints, questions }) => {
            assert!(!format!("{endpoints:?}").contains(KEY), "a key is shown");
            put(policy.as_bytes());
            let Ok(spec) = PolicySpec::read(policy.as_bytes()) else { return };
            if let Some(questions) = questions {
                assert!(spec.price == Some(0.0) || spec.price == Some(questions.1) && questions.0.keep);
                match Gate::begin().decide_questions(questions) {
                    Ok(()) | Err(Error::Policy { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
});
