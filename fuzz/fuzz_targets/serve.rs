//! Any bytes as the body of any request to a server with a past: it answers, no budget is exceeded, and its journal gives the same
//! state. The first byte chooses the request.
#![no_main]

use std::path::Path;

use counsel_serve::{Core, Request};
use libfuzzer_sys::fuzz_target;

const POLICY: &str = "price = 0.01\nactions = [\"left\", \"right\"]\n[budget]\ncalls = 3\n";
const DECISION: &str = r#"{"policy":"p","episode":"e","context":{"key":"x"},"fallback":{"action":"left"}}"#;

fuzz_target!(|bytes: &[u8]| {
    let (mut core, mut journal) = Core::begin();
    let Some((first, body)) = bytes.split_first() else { return };
    let (method, target) = match first % 8 {
        0 => ("PUT", "/v1/policies/p"),
        1 => ("PUT", "/v1/budgets/team"),
        2 => ("POST", "/v1/decisions"),
        3 => ("POST", "/v1/decisions/d1/resume"),
        4 => ("POST", "/v1/decisions/d1/outcome"),
        5 => ("POST", "/v1/episodes/e/end"),
        6 => ("PUT", "/v1/policies/q"),
        _ => ("GET", ""),
    };
    let target = if target.is_empty() { String::from_utf8_lossy(body).into_owned() } else { target.to_owned() };
    let requests = [
        Request::new("PUT", "/v1/policies/p", POLICY),
        Request::new("POST", "/v1/decisions", DECISION).keyed("a"),
        Request::new(method, target, body).keyed("b"),
        Request::new("POST", "/v1/decisions", DECISION.replace('x', "y")).keyed("c"),
    ];
    for request in &requests {
        let handled = core.handle(7, request);
        assert!(handled.response.status != 500 && !handled.response.body.is_empty());
        journal.extend(handled.line.iter().flatten());
        assert!(core.budgets_hold());
    }
    let (again, whole) = Core::read(&mut &journal[..], Path::new("journal")).unwrap();
    assert_eq!(whole, journal.len() as u64);
    assert_eq!(again.snapshot(), core.snapshot());
});
