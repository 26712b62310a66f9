//! Whatever an endpoint does, a request ends within its deadline, in an answer or one line of reason, with every attempt in
//! the ledger.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use counsel_advisor::{LanguageModel, Outage, Utterance};
use counsel_endpoint::{Endpoint, EndpointSettings, Ledger, OtherModel};

use crate::server::{Received, Server, Then, answer, completion, entries, question, quick, reply, send};

/// One request to a server that behaves so, and what was seen.
struct Seen {
    answer: Result<Utterance, Outage>,
    attempts: usize,
    took: Duration,
    reasons: Vec<String>,
}

fn ask(behave: impl Fn(&Received, &mut TcpStream) -> Then + Send + Sync + 'static) -> Seen {
    ask_with(behave, |_| {})
}

fn ask_with(
    behave: impl Fn(&Received, &mut TcpStream) -> Then + Send + Sync + 'static,
    change: impl FnOnce(&mut EndpointSettings),
) -> Seen {
    let server = Server::start(behave);
    let mut settings = quick(&server);
    change(&mut settings);
    let deadline = settings.deadline;
    let ledger = Ledger::in_memory(100);
    let mut endpoint = Endpoint::new(settings, ledger.clone()).unwrap();
    let started = Instant::now();
    let answer = endpoint.answer(&[question("which way?")]).remove(0);
    let took = started.elapsed();
    assert!(took < deadline + Duration::from_millis(500), "{took:?} is past the deadline of {deadline:?}");
    let entries = entries(&ledger.lines().unwrap());
    let attempts = server.count();
    let reserved = entries.iter().filter(|entry| entry["reserved"].is_u64()).count();
    let settled: Vec<_> = entries.iter().filter(|entry| entry["settled"].is_u64()).collect();
    assert_eq!((reserved, settled.len()), (attempts, attempts), "every attempt is reserved and settled");
    let reasons = settled.iter().filter_map(|entry| entry["reason"].as_str()).map(str::to_owned).collect();
    if let Err(Outage { reason, .. }) = &answer {
        assert!(!reason.is_empty() && !reason.contains('\n') && reason.len() < 400, "{reason:?}");
    }
    Seen { answer, attempts, took, reasons }
}

#[track_caller]
fn assert_outage(seen: &Seen, attempts: usize, reason: &str) {
    let outage = seen.answer.as_ref().unwrap_err();
    assert!(outage.reason.contains(reason), "{outage}");
    assert_eq!(seen.attempts, attempts, "{outage}");
    assert_eq!(seen.reasons.len(), attempts);
}

#[test]
fn a_good_answer_is_taken_as_it_is() {
    let seen = ask(|_, stream| answer(stream, " forward\n"));
    let utterance = seen.answer.unwrap();
    assert_eq!(utterance.text, " forward\n");
    assert_eq!((utterance.request_tokens, utterance.response_tokens), (Some(11), Some(2)));
    assert!((0.0..2500.0).contains(&utterance.latency_ms.unwrap()));
    assert_eq!((seen.attempts, utterance.scores), (1, None));
}

#[test]
fn a_server_that_says_nothing_is_left_after_each_time_out() {
    let seen = ask(|_, _| {
        thread::sleep(Duration::from_secs(5));
        Then::Close
    });
    assert_outage(&seen, 3, "no whole reply within 500ms");
    assert!(seen.took > Duration::from_millis(1500));
}

#[test]
fn the_deadline_cuts_the_last_attempt_short() {
    let silent = |_: &Received, _: &mut TcpStream| {
        thread::sleep(Duration::from_secs(5));
        Then::Close
    };
    let seen = ask_with(silent, |settings| settings.deadline = Duration::from_millis(750));
    assert_outage(&seen, 2, "after the deadline");
    assert!(seen.took < Duration::from_millis(1200), "{:?}", seen.took);
}

#[test]
fn a_dripping_head_or_body_is_left_after_the_time_out() {
    fn drip(stream: &mut TcpStream, bytes: &[u8]) -> Then {
        for byte in bytes {
            if stream.write_all(&[*byte]).is_err() {
                break;
            }
            thread::sleep(Duration::from_millis(20));
        }
        Then::Close
    }
    assert_outage(&ask(|_, stream| drip(stream, &reply(200, "", &completion("left")))), 3, "no whole reply");
    let body = |_: &Received, stream: &mut TcpStream| {
        let whole = reply(200, "", &completion("left"));
        send(stream, &whole[..90]);
        drip(stream, &whole[90..])
    };
    assert_outage(&ask(body), 3, "no whole reply");
}

#[test]
fn a_connection_that_is_cut_is_tried_again() {
    assert_outage(&ask(|_, _| Then::Close), 3, "the connection broke");
    let middle = |_: &Received, stream: &mut TcpStream| {
        let whole = reply(200, "", &completion("left"));
        send(stream, &whole[..whole.len() - 40]);
        Then::Close
    };
    assert_outage(&ask(middle), 3, "the connection broke");
    let once = move |received: &Received, stream: &mut TcpStream| {
        if received.number == 1 { middle(received, stream) } else { answer(stream, "left") }
    };
    let seen = ask(once);
    assert_eq!((seen.answer.unwrap().text.as_str(), seen.attempts, seen.reasons.len()), ("left", 2, 1));
}

#[test]
fn nobody_listening_is_an_outage() {
    let mut settings = EndpointSettings::new("http://127.0.0.1:9", "m");
    settings.first_pause = Duration::from_millis(5);
    settings.retries = 1;
    let ledger = Ledger::in_memory(100);
    let mut endpoint = Endpoint::new(settings, ledger.clone()).unwrap();
    let outage = endpoint.answer(&[question("?")]).remove(0).unwrap_err();
    assert!(outage.reason.starts_with("cannot connect to the endpoint: Connection refused"), "{outage}");
    assert!(outage.reason.ends_with("(2 attempts)"), "{outage}");
    assert_eq!(ledger.spent().unwrap(), 2);
}

#[test]
fn busy_and_broken_servers_are_tried_again() {
    for status in [408, 409, 425, 429, 500, 502, 503, 504, 529] {
        let seen = ask(move |received, stream| match received.number {
            1 | 2 => send(stream, &reply(status, "", br#"{"error":{"message":"slow down"}}"#)),
            _ => answer(stream, "left"),
        });
        assert_eq!((seen.answer.unwrap().text.as_str(), seen.attempts), ("left", 3));
        assert_eq!(seen.reasons[0], format!("the endpoint answers with status {status}: slow down"));
    }
    let seen = ask(|_, stream| send(stream, &reply(503, "", b"<html>")));
    assert_outage(&seen, 3, "the endpoint answers with status 503 (3 attempts)");
}

#[test]
fn other_refusals_are_final() {
    for status in [400, 401, 403, 404, 413, 422] {
        let seen = ask(move |_, stream| send(stream, &reply(status, "", br#"{"error":"no such\nmodel"}"#)));
        assert_outage(&seen, 1, &format!("the endpoint answers with status {status}: no such model"));
    }
}

#[test]
fn retry_after_is_waited_for_if_the_deadline_allows() {
    let after = |header: String| {
        ask(move |received, stream| match received.number {
            1 => send(stream, &reply(429, &format!("Retry-After: {header}\r\n"), b"{}")),
            _ => answer(stream, "left"),
        })
    };
    let seen = after("1".into());
    assert!(seen.answer.is_ok() && seen.took >= Duration::from_secs(1), "{:?}", seen.took);
    // A date has whole seconds: two seconds ahead is between one and two.
    let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(2));
    let seen = ask_with(
        move |received, stream| match received.number {
            1 => send(stream, &reply(429, &format!("Retry-After: {date}\r\n"), b"{}")),
            _ => answer(stream, "left"),
        },
        |settings| settings.deadline = Duration::from_secs(4),
    );
    assert!(seen.answer.is_ok() && seen.took >= Duration::from_millis(800), "{:?}", seen.took);
    for absurd in ["3600", "99999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"] {
        let seen = after(absurd.into());
        assert_outage(&seen, 1, "another attempt would come after the deadline");
        assert!(seen.took < Duration::from_secs(1), "{:?}", seen.took);
    }
    for senseless in ["-1", "soon", "", "Mon, 01 Jan 1990 00:00:00 GMT", "\u{1}"] {
        let seen = after(senseless.into());
        assert!(seen.answer.is_ok() || senseless == "\u{1}", "{senseless}");
        assert!(seen.took < Duration::from_secs(1), "{:?}", seen.took);
    }
}

#[test]
fn replies_that_make_no_sense_are_final() {
    let cases: [(&[u8], &str); 12] = [
        (b"", "the reply has no body"),
        (b"{\"choices\":[", "the reply is no JSON"),
        (b"<html>hello</html>", "the reply is no JSON"),
        (b"\xff\xfe\xfd", "the reply is no JSON"),
        (b"{\"choices\":[{\"message\":{\"content\":\"\xc3\x28\"}}]}", "the reply is no JSON"),
        (b"null", "the reply has no choices"),
        (b"{}", "the reply has no choices"),
        (br#"{"error":{"message":"over\nloaded"}}"#, "the endpoint says: over loaded"),
        (br#"{"choices":[]}"#, "an empty list of choices"),
        (br#"{"choices":[{"message":{"content":""}}]}"#, "the reply is empty"),
        (br#"{"choices":[{"message":{"content":null}}]}"#, "the reply is empty"),
        (br#"{"choices":[{"message":{"content":[1]}}]}"#, "a choice without text"),
    ];
    for (body, reason) in cases {
        assert_outage(&ask(move |_, stream| send(stream, &reply(200, "", body))), 1, reason);
    }
    let deep = [b"[".repeat(200_000), b"]".repeat(200_000)].concat();
    assert_outage(&ask(move |_, stream| send(stream, &reply(200, "", &deep))), 1, "the reply is no JSON");
    assert_outage(&ask(|_, stream| send(stream, b"SSH-2.0-OpenSSH_9.2\r\n\r\n\r\n")), 3, "the connection broke");
}

#[test]
fn another_model_is_refused_or_accepted_as_set() {
    let other = |_: &Received, stream: &mut TcpStream| {
        let body = br#"{"model":"other","choices":[{"message":{"content":"left"}}],"usage":{"prompt_tokens":-1}}"#;
        send(stream, &reply(200, "", body))
    };
    assert_outage(&ask(other), 1, "the reply is of model `other`, `m` was asked for");
    let seen = ask_with(other, |settings| settings.other_model = OtherModel::Accepted);
    let utterance = seen.answer.unwrap();
    assert_eq!((utterance.text.as_str(), utterance.request_tokens), ("left", None));
}

#[test]
fn an_endless_body_is_given_up_at_the_limit() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    let endless = move |_: &Received, stream: &mut TcpStream| {
        send(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        let chunk = [b"10000\r\n".as_slice(), &b"x".repeat(0x10000), b"\r\n"].concat();
        for _ in 0..65536 {
            if stream.write_all(&chunk).is_err() {
                break;
            }
            counted.fetch_add(0x10000, Ordering::SeqCst);
        }
        Then::Close
    };
    let seen = ask_with(endless, |settings| settings.time_out = Duration::from_millis(2400));
    assert_outage(&seen, 1, "the reply is longer than 1048576 bytes");
    // The rest is what the sockets on the way hold.
    assert!(sent.load(Ordering::SeqCst) < 32 << 20, "{} bytes were taken", sent.load(Ordering::SeqCst));
    // One that says beforehand how long it is, is not read at all; nor is an endless refusal.
    let said = |_: &Received, stream: &mut TcpStream| {
        send(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{");
        thread::sleep(Duration::from_secs(2));
        Then::Close
    };
    let seen = ask(said);
    assert_outage(&seen, 1, "the reply is longer than 1048576 bytes");
    assert!(seen.took < Duration::from_millis(450), "{:?}", seen.took);
    let refusal = |_: &Received, stream: &mut TcpStream| {
        send(stream, b"HTTP/1.1 400 X\r\n\r\n");
        while send(stream, &[b'x'; 4096]) == Then::Keep {}
        Then::Close
    };
    assert_outage(&ask(refusal), 1, "the endpoint answers with status 400");
    let headers = |_: &Received, stream: &mut TcpStream| {
        send(stream, b"HTTP/1.1 200 OK\r\n");
        while send(stream, b"X-More: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n") == Then::Keep {}
        Then::Close
    };
    assert_outage(&ask(headers), 3, "the connection broke");
}

#[test]
fn an_old_server_that_closes_each_connection_will_do() {
    let seen = ask(|_, stream| {
        send(stream, b"HTTP/1.0 200 OK\r\n\r\n");
        send(stream, &completion("left"));
        Then::Close
    });
    assert_eq!(seen.answer.unwrap().text, "left");
}

#[test]
fn a_cancelled_endpoint_stops_at_once_and_for_good() {
    let server = Server::start(|_, _| {
        thread::sleep(Duration::from_secs(5));
        Then::Close
    });
    let mut settings = quick(&server);
    (settings.time_out, settings.deadline) = (Duration::from_secs(20), Duration::from_secs(20));
    settings.concurrency = 4;
    let ledger = Ledger::in_memory(100);
    let mut endpoint = Endpoint::new(settings, ledger.clone()).unwrap();
    let cancel = endpoint.cancel();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        cancel.cancel();
    });
    let started = Instant::now();
    let answers = endpoint.answer(&vec![question("?"); 9]);
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap_err().reason == "cancelled"));
    // Four were sent, and are in the ledger with how they ended; the others were not.
    let entries = entries(&ledger.lines().unwrap());
    assert_eq!((server.count(), ledger.spent().unwrap(), entries.len()), (4, 4, 8));
    assert_eq!(endpoint.answer(&[question("?")])[0].as_ref().unwrap_err().reason, "cancelled");
    assert_eq!(ledger.spent().unwrap(), 4);
}

#[test]
fn an_endpoint_can_be_used_and_dropped_inside_another_runtime() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let text = runtime.block_on(async {
        let mut endpoint = Endpoint::new(quick(&server), Ledger::in_memory(1)).unwrap();
        endpoint.answer(&[question("?")]).remove(0).unwrap().text
    });
    assert_eq!(text, "left");
}
