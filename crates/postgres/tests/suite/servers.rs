//! Two servers in one process on one PostgreSQL: one budget, one memory of keys, one log.

use std::path::Path;

use counsel_log::{Run, examine};
use counsel_postgres::{Address, Postgres};
use counsel_serve::{Error, Request, Response, Service, Surroundings};
use serde_json::{Value, json};

use crate::cluster::Cluster;

const POLICY: &str = "price = 0.01\nactions = [\"left\", \"right\", \"forward\"]\n[budget]\ncalls = 100\n";

pub(crate) fn journal(url: &str) -> Box<Postgres> {
    Box::new(Postgres::new(Address::read(url, None).unwrap()).unwrap())
}

/// A server in this folder.
pub(crate) fn server(url: &str, dir: &Path) -> Result<Service, Error> {
    // The database has the clock.
    let surroundings = || Surroundings { clock: Box::new(|| 0), report: Box::new(|_| {}) };
    claimed(|| Service::open_shared(dir, journal(url), surroundings()))
}

/// A program that another test is just starting has the open files of all of them for a moment, and the claim to a folder with them.
fn claimed(open: impl Fn() -> Result<Service, Error>) -> Result<Service, Error> {
    let opened = || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        open()
    };
    let mut tried = std::iter::once_with(&open).chain(std::iter::repeat_with(opened).take(100));
    tried.find(|opened| !matches!(opened, Err(Error::Served { .. }))).unwrap()
}

pub(crate) fn value(answer: &Response) -> Value {
    serde_json::from_slice(&answer.body).unwrap_or_else(|error| panic!("{error}: {answer:?}"))
}

pub(crate) fn decide(key: &str, context: &str) -> Request {
    let body = json!({ "policy": "p", "run": "r", "context": { "key": context }, "fallback": { "action": "left" } });
    Request::new("POST", "/v1/decisions", body.to_string()).keyed(key)
}

fn calls(service: &Service) -> Value {
    value(&service.answer(&Request::new("GET", "/v1/budgets/p", "")))["calls"].clone()
}

#[test]
fn two_servers_are_one_gate() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a", "b"].map(|name| server(&cluster.url(), &folder.path().join(name)).unwrap());
    first.declare("policies", "p", POLICY.as_bytes()).unwrap();
    second.declare("policies", "p", POLICY.as_bytes()).unwrap();
    assert_eq!(value(&second.answer(&Request::new("GET", "/v1/policies/p", "")))["version"], 1);

    // A key is known everywhere: the same bytes, and no other request.
    let made = first.answer(&decide("k", "room 3"));
    assert_eq!((made.status, made.replayed), (201, false));
    let again = second.answer(&decide("k", "room 3"));
    assert_eq!((again.status, again.replayed, &again.body), (200, true, &made.body));
    assert_eq!(second.answer(&decide("k", "room 4")).status, 409);
    assert_eq!(calls(&second), json!({ "limit": 100, "spent": 0, "open": 1 }));

    // A permit of one is resumed at the other, once.
    let decision = value(&made);
    let path = format!("/v1/decisions/{}", decision["decision"].as_str().unwrap());
    let resume = |word: &str| {
        let reply = json!({ "permit": decision["permit"]["id"], "reply": { "text": word } });
        Request::new("POST", format!("{path}/resume"), reply.to_string())
    };
    let resumed = second.answer(&resume("right"));
    assert_eq!(value(&resumed)["verdict"], "execute");
    assert_eq!(first.answer(&resume("right")).body, resumed.body);
    assert_eq!(first.answer(&resume("left")).status, 409);
    assert_eq!(calls(&first), json!({ "limit": 100, "spent": 1, "open": 0 }));

    // What one of them bought serves at the other.
    let mut reused = false;
    for number in 0..20 {
        let service = if number % 2 == 0 { &first } else { &second };
        let decision = value(&service.answer(&decide(&format!("kept-{number}"), "room 3")));
        reused |= decision["reason"] == "kept-answer";
        let target = format!("/v1/decisions/{}", decision["decision"].as_str().unwrap());
        if decision["verdict"] == "ask" {
            let reply = json!({ "permit": decision["permit"]["id"], "reply": { "text": "right" } });
            assert_eq!(
                service.answer(&Request::new("POST", format!("{target}/resume"), reply.to_string())).status,
                200
            );
        }
        let outcome = Request::new("POST", format!("{target}/outcome"), json!({ "reward": 0.4 }).to_string());
        assert_eq!(value(&service.answer(&outcome))["accepted"], true);
    }
    assert!(reused, "an answer that was bought before serves");
    let explained = first.answer(&Request::new("GET", format!("{path}/explain"), ""));
    assert_eq!(second.answer(&Request::new("GET", format!("{path}/explain"), "")).body, explained.body);

    // A server that starts again has all of it.
    let before = calls(&first);
    drop(first);
    let first = server(&cluster.socket(), &folder.path().join("a")).unwrap();
    assert_eq!(calls(&first), before);
    assert_eq!(first.answer(&decide("k", "room 3")).body, made.body);
    drop((first, second));
    let [ours, theirs] = ["a", "b"].map(|name| audited(&folder.path().join(name)));
    assert!(ours == theirs && ours > 20, "{ours} and {theirs} decisions");
}

/// How many decisions the log of a server has. All of them are computed again.
fn audited(folder: &Path) -> usize {
    let run = Run::at(folder);
    let sheet = run.sheet("serve").unwrap();
    let mut decisions = 0;
    for key in run.keys().unwrap() {
        let examined = examine(&run.cell(&key).unwrap().unwrap(), Some(&sheet)).unwrap();
        assert!(examined.faults.is_empty() && examined.disagreements.is_empty(), "{:?}", examined.faults);
        decisions += examined.decisions;
    }
    decisions
}

#[test]
fn clients_of_two_servers_spend_what_there_is_and_no_more() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let servers = ["a", "b"].map(|name| server(&cluster.url(), &folder.path().join(name)).unwrap());
    servers[0].declare("policies", "p", POLICY.as_bytes()).unwrap();
    let permits: usize = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..12)
            .map(|client| {
                let service = &servers[client % 2];
                scope.spawn(move || {
                    let asks = |number: &usize| {
                        let name = format!("{client}-{number}");
                        let answer = service.answer(&decide(&name, &name));
                        assert_eq!(answer.status, 201, "{answer:?}");
                        value(&answer)["verdict"] == "ask"
                    };
                    (0..20).filter(asks).count()
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    assert_eq!(permits, 100);
    for service in &servers {
        assert_eq!(calls(service), json!({ "limit": 100, "spent": 0, "open": 100 }));
    }
}

#[test]
fn a_database_that_is_away_is_a_problem_until_it_is_back() {
    let Some(mut cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let service = server(&cluster.url(), folder.path()).unwrap();
    service.declare("policies", "p", POLICY.as_bytes()).unwrap();
    let made = service.answer(&decide("k", "room 3"));
    // A connection's own process outlives the one that is killed by -KILL for a moment, and may still answer.
    for signal in ["-QUIT", "-INT"] {
        cluster.down(signal);
        let refused = service.answer(&decide("k2", "room 4"));
        let problem = value(&refused);
        assert_eq!((refused.status, problem["type"].as_str()), (503, Some("urn:counsel:problem:journal")));
        assert!(problem["detail"].as_str().unwrap().contains("again with the same key"), "{problem}");
        assert!(!service.is_sound());
        assert_eq!(service.answer(&Request::new("GET", "/healthz", "")).status, 503);
        cluster.up();
        assert_eq!(service.answer(&decide("k", "room 3")).body, made.body, "it connects by itself");
        assert!(service.is_sound());
        assert_eq!(calls(&service)["open"], 1, "what was refused is not spent");
        // A connection that is cut between two requests is no reason to refuse.
        cluster
            .sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'counsel serve'")
            .unwrap();
        assert_eq!(service.answer(&decide("k", "room 3")).body, made.body);
    }
}

/// A server waits some twenty seconds for it.
#[cfg(feature = "long-tests")]
#[test]
fn a_database_that_stands_still_is_a_problem_until_it_goes_on() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let service = server(&cluster.url(), folder.path()).unwrap();
    service.declare("policies", "p", POLICY.as_bytes()).unwrap();
    for round in 0..3 {
        let request = decide(&format!("k{round}"), &format!("room {round}"));
        cluster.signal("-STOP");
        assert_eq!(service.answer(&request).status, 503);
        cluster.signal("-CONT");
        let answered = (0..100).map(|_| service.answer(&request)).find(|answer| answer.status != 503).unwrap();
        assert!(matches!(answered.status, 200 | 201), "{answered:?}");
        assert_eq!(calls(&service)["open"], round + 1, "it is decided once");
    }
}

/// The database waits ten seconds for it.
#[cfg(feature = "long-tests")]
#[test]
fn a_server_that_stops_in_the_middle_does_not_hold_the_others_up() {
    use counsel_serve::SharedJournal;
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let service = server(&cluster.url(), folder.path()).unwrap();
    service.declare("policies", "p", POLICY.as_bytes()).unwrap();
    let mut other = journal(&cluster.url());
    other.hold(1).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| service.answer(&decide("k", "room 3")));
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!waiting.is_finished(), "the journal is held");
        let made = waiting.join().unwrap();
        assert!(matches!(made.status, 201 | 503), "{made:?}");
    });
    assert_eq!(service.answer(&decide("k", "room 3")).status / 100, 2);
    let Err(lost) = other.append(2, &["not its turn".into()]) else { panic!("its hold ended") };
    assert!(matches!(lost, Error::Away { .. }), "{lost}");
}

#[test]
fn a_journal_of_one_server_moves_into_an_empty_store_once() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [ours, theirs] = ["a", "b"].map(|name| folder.path().join(name));
    let surroundings = || Surroundings { clock: Box::new(|| 1_000_000), report: Box::new(|error| panic!("{error}")) };
    let alone = |dir: &Path| claimed(|| Service::open(dir, surroundings()));
    let made = [&ours, &theirs].map(|dir| {
        let service = alone(dir).unwrap();
        service.declare("policies", "p", POLICY.as_bytes()).unwrap();
        service.answer(&decide("k", &format!("room of {}", dir.display())))
    });
    for _ in 0..2 {
        let service = server(&cluster.url(), &ours).unwrap();
        let again = service.answer(&decide("k", &format!("room of {}", ours.display())));
        assert_eq!((again.status, &again.body), (200, &made[0].body), "it has its history");
        // The permit ran out long before the database's time.
        assert_eq!(calls(&service), json!({ "limit": 100, "spent": 1, "open": 0 }));
    }
    let Err(refused) = alone(&ours) else { panic!("its history goes on elsewhere") };
    assert!(refused.to_string().contains("--store"), "{refused}");
    let Err(refused) = server(&cluster.url(), &theirs) else { panic!("it has another history") };
    assert!(refused.to_string().contains("another --dir"), "{refused}");
    assert_eq!(
        alone(&theirs).unwrap().answer(&decide("k", &format!("room of {}", theirs.display()))).body,
        made[1].body
    );
    // A crash before the file was renamed.
    std::fs::rename(ours.join("serve.journal.moved"), ours.join("serve.journal")).unwrap();
    drop(server(&cluster.url(), &ours).unwrap());
    assert!(!ours.join("serve.journal").exists());
}
