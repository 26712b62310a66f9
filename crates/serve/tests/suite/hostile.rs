//! Guests that mean harm, or know no better: honest ones are served beside them.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::contract::alone;
use crate::socket::{Server, exchange, read};

fn honest(server: &Server, number: usize) {
    let head = format!("POST /v1/decisions\nIdempotency-Key: honest-{number}");
    let began = Instant::now();
    let answer = server.send(&head, &alone(&format!("honest {number}")).to_string());
    assert_eq!(answer.status, 201, "{}", answer.body);
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn pages_of_other_sites_and_other_hosts_are_refused() {
    let server = Server::start();
    let port = server.address.rsplit(':').next().unwrap();
    for headers in [
        "Host: example.com".to_owned(),
        format!("Host: example.com:{port}"),
        "Host: ".to_owned(),
        "Origin: http://example.com".to_owned(),
        "Origin: null".to_owned(),
        format!("Origin: http://localhost:{port}"),
        "Sec-Fetch-Site: cross-site".to_owned(),
        "Sec-Fetch-Site: same-site".to_owned(),
    ] {
        let answer = server.send(&format!("GET /v1/budgets/p\n{headers}"), "");
        assert_eq!(answer.status, 403, "{headers}");
    }
    for headers in
        [format!("Host: localhost:{port}"), format!("Origin: http://{}", server.address), "Sec-Fetch-Site: none".into()]
    {
        assert_eq!(server.send(&format!("GET /v1/budgets/p\n{headers}"), "").status, 200, "{headers}");
    }
}

#[test]
fn bodies_that_are_huge_deep_or_broken_are_refused() {
    let server = Server::start();
    let mut stream = server.connect();
    let head = format!(
        "POST /v1/decisions HTTP/1.1\r\nHost: {}\r\nIdempotency-Key: big\r\nContent-Length: 99999999999\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    assert_eq!(read(&mut stream).status, 413);
    // A body in parts that never ends.
    let mut stream = server.connect();
    let head = format!(
        "POST /v1/decisions HTTP/1.1\r\nHost: {}\r\nIdempotency-Key: big\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let part = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    for _ in 0..6 {
        if stream.write_all(part.as_bytes()).is_err() {
            break;
        }
    }
    let mut answer = [0; 12];
    if stream.read_exact(&mut answer).is_ok() {
        assert_eq!(&answer, b"HTTP/1.1 413");
    }
    for body in [
        "",
        "{",
        "[[[[",
        "null",
        "\u{0}",
        "{\"policy\": 1e999}",
        &"[".repeat(100_000),
        &format!("{{\"policy\": \"{}\"}}", "x".repeat(200_000)),
    ] {
        let answer = server.send("POST /v1/decisions\nIdempotency-Key: broken", body);
        assert_eq!(answer.status, 400, "{}", answer.body);
    }
    let twice = server.send("POST /v1/decisions\nIdempotency-Key: a\nIdempotency-Key: b", &alone("x").to_string());
    assert_eq!(twice.status, 422);
    let long =
        server.send(&format!("POST /v1/decisions\nIdempotency-Key: {}", "k".repeat(300)), &alone("x").to_string());
    assert_eq!(long.status, 422);
    honest(&server, 0);
}

#[test]
fn heads_that_are_no_heads_harm_nobody() {
    let server = Server::start();
    for head in
        ["\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}", "GET / HTTP/9.9\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
    {
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).unwrap();
    }
    let mut stream = server.connect();
    let head = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", server.address, "y".repeat(1 << 20));
    // It may be cut off before it is sent.
    let _ = stream.write_all(head.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
    honest(&server, 1);
}

#[test]
fn a_slow_body_is_not_waited_for_and_idle_connections_are_borne() {
    let server = Server::start();
    let idle: Vec<_> = (0..2000).map(|_| server.connect()).collect();
    let mut slow = server.connect();
    let head = format!(
        "POST /v1/decisions HTTP/1.1\r\nHost: {}\r\nIdempotency-Key: slow\r\nContent-Length: 50\r\n\r\n",
        server.address
    );
    slow.write_all(head.as_bytes()).unwrap();
    (0..50).for_each(|number| honest(&server, number));
    let began = Instant::now();
    assert_eq!(read(&mut slow).status, 408);
    assert!(began.elapsed() < Duration::from_secs(15));
    // One that was idle is served once it speaks.
    let mut one = idle.into_iter().next().unwrap();
    assert_eq!(exchange(&mut one, &server.address, "GET /v1/budgets/p", "").value()["calls"]["limit"], json!(100));
}
