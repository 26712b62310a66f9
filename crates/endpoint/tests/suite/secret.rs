//! The key leaves the process in one header, and shows nowhere else, whatever the other side does with it.

use counsel_advisor::LanguageModel;
use counsel_endpoint::{Endpoint, Key, Ledger};
use serde_json::json;
use std::num::NonZeroU32;

use crate::server::{Received, Server, completion, question, quick, reply, send};

const KEY: &str = "sk-test-4f9a77c1d2e3b4a5";

/// The key as the server got it.
fn received_key(received: &Received) -> String {
    let line = received.head.lines().find(|line| line.to_ascii_lowercase().starts_with("authorization:"));
    line.unwrap().rsplit(' ').next().unwrap().to_owned()
}

#[test]
fn an_echo_of_the_key_goes_nowhere() {
    let server = Server::start(|received, stream| {
        let key = received_key(received);
        assert_eq!(key, KEY);
        let error =
            |status, text: String| reply(status, "", json!({ "error": { "message": text } }).to_string().as_bytes());
        let escaped = key.chars().map(|c| format!("\\u{:04x}", c as u32)).collect::<Vec<_>>().concat();
        let bytes = match received.number {
            1 => error(401, format!("bad key {key}")),
            2 => error(403, format!("bad key {}...{}", &key[..9], &key[17..])),
            3 => error(400, key.repeat(2000)),
            4 => reply(400, "", format!("{{\"error\":\"{escaped}\"}}").as_bytes()),
            5 => reply(400, &format!("X-Key: {key}\r\n"), format!("<html>{key}").as_bytes()),
            6 => reply(307, &format!("Location: http://{key}.example/{key}?k={key}\r\n"), b""),
            7 => reply(200, "", json!({ "model": key, "choices": [] }).to_string().as_bytes()),
            8 => reply(200, "", json!({ "error": key }).to_string().as_bytes()),
            9 => reply(200, "", format!("{{\"choices\": {key}").as_bytes()),
            10 => format!("HTTP/1.1 2{key}\r\n\r\n").into_bytes(),
            _ => reply(200, "", &completion(&format!("left {key} right"))),
        };
        send(stream, &bytes)
    });
    let mut settings = quick(&server);
    (settings.retries, settings.stop_after) = (0, NonZeroU32::MAX);
    settings.key = Some(Key::new(KEY).unwrap());
    let shown = format!("{settings:?}");
    let ledger = Ledger::in_memory(100);
    let mut endpoint = Endpoint::new(settings, ledger.clone()).unwrap();
    let mut all = vec![shown, format!("{endpoint:?}"), format!("{:?}", endpoint.cancel())];
    for number in 1..=11 {
        let answer = endpoint.answer(&[question("?")]).remove(0);
        assert_eq!(answer.is_ok(), number == 11, "{number}: {answer:?}");
        all.push(format!("{answer:?}"));
    }
    assert!(all.last().unwrap().contains("left *** right"), "{all:?}");
    all.extend(ledger.lines().unwrap());
    for text in &all {
        for piece in [KEY, &KEY[..8], "4f9a77c1", "d2e3b4a5"] {
            assert!(!text.to_ascii_lowercase().contains(piece), "{text}");
        }
    }
    assert_eq!(server.count(), 11);
}

#[test]
fn redirects_are_not_followed() {
    let other = Server::start(|_, stream| send(stream, &reply(200, "", &completion("left"))));
    let target = other.base_url.clone();
    let server = Server::start(move |received, stream| {
        let status = [301, 302, 303, 307, 308][received.number - 1];
        send(stream, &reply(status, &format!("Location: {target}/v1/chat/completions\r\n"), b""))
    });
    let mut settings = quick(&server);
    settings.key = Some(Key::new(KEY).unwrap());
    let mut endpoint = Endpoint::new(settings, Ledger::in_memory(100)).unwrap();
    for _ in 0..5 {
        let outage = endpoint.answer(&[question("?")]).remove(0).unwrap_err();
        assert!(outage.reason.contains("a redirect to `127.0.0.1` that is not followed"), "{outage}");
    }
    assert_eq!((server.count(), other.count()), (5, 0));
}

#[test]
fn a_check_does_not_show_the_key_either() {
    let server = Server::start(|received, stream| {
        let key = received_key(received);
        let body = json!({ "data": [{ "id": key }], "error": key });
        send(stream, &reply(200, "", body.to_string().as_bytes()))
    });
    let mut settings = quick(&server);
    settings.key = Some(Key::new(KEY).unwrap());
    let check = Endpoint::new(settings, Ledger::in_memory(100)).unwrap().check();
    let shown = format!("{check:?} {}", serde_json::to_string(&check).unwrap());
    assert!(check.alive && !shown.contains(&KEY[..8]), "{shown}");
}
