//! What an outage says of the questions that follow: nothing, that they would meet it too, or that they may not be asked.
//! What every question would meet is not tried again.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use counsel_advisor::{Decoding, Fault, LanguageModel, Outage, Request};
use counsel_endpoint::{Endpoint, EndpointSettings, Ledger};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection};

use crate::server::{Received, Server, Then, answer, question, quick, reply, send};

/// The outage of one question, and how many attempts it took.
fn outage(settings: EndpointSettings, request: &Request) -> (Outage, u64) {
    let ledger = Ledger::in_memory(100);
    let mut endpoint = Endpoint::new(settings, ledger.clone()).unwrap();
    let outage = endpoint.answer(std::slice::from_ref(request)).remove(0).unwrap_err();
    (outage, ledger.spent().unwrap())
}

fn met(behave: impl Fn(&Received, &mut TcpStream) -> Then + Send + Sync + 'static) -> (Outage, u64) {
    outage(quick(&Server::start(behave)), &question("?"))
}

#[test]
fn statuses_about_the_request_are_systematic_and_those_about_the_moment_pass() {
    for status in [301, 307, 400, 401, 402, 403, 404, 405, 410, 413, 422] {
        let (outage, attempts) = met(move |_, stream| send(stream, &reply(status, "", b"{}")));
        assert_eq!((outage.fault, attempts), (Fault::Systematic, 1), "{status}: {outage}");
    }
    for status in [408, 409, 425, 429, 500, 502, 503] {
        let (outage, attempts) = met(move |_, stream| send(stream, &reply(status, "", b"{}")));
        assert_eq!((outage.fault, attempts), (Fault::Passing, 3), "{status}: {outage}");
    }
}

#[test]
fn a_model_that_names_itself_differently_is_systematic_and_the_flag_is_named() {
    let (outage, attempts) = met(|_, stream| {
        let body = br#"{"model":"m-2026","choices":[{"message":{"content":"left"}}]}"#;
        send(stream, &reply(200, "", body))
    });
    assert_eq!((outage.fault, attempts), (Fault::Systematic, 1));
    for part in ["`m-2026`", "`m`", "--any-model"] {
        assert!(outage.reason.contains(part), "{part}: {outage}");
    }
}

/// A server that treats its connections so: its address for TLS, and how many there were.
fn listen(behave: impl Fn(TcpStream) + Send + 'static) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("https://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            counted.fetch_add(1, Ordering::SeqCst);
            behave(stream);
        }
    });
    (base_url, connections)
}

#[test]
fn a_server_that_does_not_speak_tls_is_systematic_and_met_once() {
    for says in [&b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"[..], b""] {
        let (base_url, connections) = listen(move |mut stream| {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(says);
        });
        let (outage, attempts) = outage(EndpointSettings::new(base_url, "m"), &question("?"));
        assert_eq!((outage.fault, attempts), (Fault::Systematic, 1), "{outage}");
        assert!(outage.reason.starts_with("cannot connect to the endpoint by TLS: the server "), "{outage}");
        assert_eq!(connections.load(Ordering::SeqCst), 1);
    }
}

/// A server with a certificate that nobody trusts.
fn untrusted() -> (String, Arc<AtomicUsize>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/endpoint/self-signed.pem");
    let certificate = CertificateDer::from_pem_file(&file).unwrap();
    let key = PrivateKeyDer::from_pem_file(&file).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let config = Arc::new(config);
    listen(move |mut stream| {
        let mut tls = ServerConnection::new(Arc::clone(&config)).unwrap();
        while tls.is_handshaking() && tls.complete_io(&mut stream).is_ok() {}
    })
}

#[test]
fn a_certificate_that_is_not_trusted_is_systematic_and_met_once() {
    let (base_url, connections) = untrusted();
    let (outage, attempts) = outage(EndpointSettings::new(base_url, "m"), &question("?"));
    assert_eq!((outage.fault, attempts), (Fault::Systematic, 1), "{outage}");
    assert!(outage.reason.contains("certificate"), "{outage}");
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[test]
fn a_name_without_an_address_is_systematic_and_named() {
    let (outage, attempts) = outage(EndpointSettings::new("http://no-such-host.invalid:9", "m"), &question("?"));
    assert_eq!((outage.fault, attempts), (Fault::Systematic, 1), "{outage}");
    assert!(outage.reason.contains("`no-such-host.invalid` has no address"), "{outage}");
}

#[test]
fn a_name_with_an_address_is_reached() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut settings = quick(&server);
    settings.base_url = server.base_url.replace("127.0.0.1", "localhost");
    let mut endpoint = Endpoint::new(settings, Ledger::in_memory(3)).unwrap();
    assert_eq!(endpoint.answer(&[question("?")]).remove(0).unwrap().text, "left");
}

#[test]
fn what_may_be_otherwise_next_time_passes() {
    let mut refused = EndpointSettings::new("http://127.0.0.1:9", "m");
    (refused.retries, refused.first_pause) = (1, Duration::from_millis(5));
    assert_eq!(outage(refused, &question("?")).0.fault, Fault::Passing);
    assert_eq!(met(|_, _| Then::Close).0.fault, Fault::Passing);
    for body in [&b"<html>"[..], b"", b"{}", br#"{"choices":[{"message":{"content":""}}]}"#] {
        let (outage, attempts) = met(move |_, stream| send(stream, &reply(200, "", body)));
        assert_eq!((outage.fault, attempts), (Fault::Passing, 1), "{outage}");
    }
    let (outage, _) = met(|_, stream| send(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n{"));
    assert_eq!(outage.fault, Fault::Passing, "{outage}");
}

#[test]
fn an_endpoint_without_log_probabilities_is_systematic_for_scored_words() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let request = Request { decoding: Decoding::scored(["left", "right"]), ..question("?") };
    assert_eq!(outage(quick(&server), &request).0.fault, Fault::Systematic);
}

#[test]
fn a_spent_budget_says_that_nothing_more_may_be_asked() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut endpoint = Endpoint::new(quick(&server), Ledger::in_memory(1)).unwrap();
    let answers = [endpoint.answer(&[question("1")]), endpoint.answer(&[question("2")])].concat();
    assert!(answers[0].is_ok());
    let spent = "the budget of 1 calls is spent; raise --budget to go on";
    assert_eq!(answers[1].as_ref().unwrap_err(), &Outage::spent(spent));
    let server = Server::start(|_, stream| send(stream, &reply(500, "", b"{}")));
    let mut endpoint = Endpoint::new(quick(&server), Ledger::in_memory(1)).unwrap();
    let outage = endpoint.answer(&[question("1")]).remove(0).unwrap_err();
    let retried = format!("{spent}; the attempt before: the endpoint answers with status 500");
    assert_eq!(outage, Outage::spent(retried), "a retry is not paid either");
}
