//! `counsel serve --store`: three servers on one real PostgreSQL, servers and database killed in turn while clients retry.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::serve::{SMALLEST, Served, body, connect, exchange, policy};
use crate::support::{counsel, path};

/// How many groups of servers live, one after the other, and how often something is killed in the life of one.
#[cfg(not(feature = "long-tests"))]
const GROUPS: u64 = 1;
#[cfg(feature = "long-tests")]
const GROUPS: u64 = 20;
#[cfg(not(feature = "long-tests"))]
const KILLS: u64 = 10;
#[cfg(feature = "long-tests")]
const KILLS: u64 = 50;
const SERVERS: usize = 3;
const CLIENTS: u64 = 5;

/// An answer that a client heard: the first line of its request, the body, and what came.
type Heard = (String, Value, String);

/// What clients share.
struct Group {
    addresses: [Mutex<String>; SERVERS],
    stops: AtomicBool,
    keys: AtomicU64,
    /// By key, and by permit.
    decided: Mutex<BTreeMap<String, Heard>>,
    resumed: Mutex<BTreeMap<String, Heard>>,
    /// Permits, and the keys that they were given for.
    permits: Mutex<BTreeMap<String, String>>,
}

impl Group {
    /// Sends a request to one server after another until one acknowledges it; none if the group ends first.
    fn send(&self, mut at: u64, head: &str, body: &Value) -> Option<(u16, String)> {
        while !self.stops.load(Ordering::SeqCst) {
            at += 1;
            let address = self.addresses[usize::try_from(at).unwrap() % SERVERS].lock().unwrap().clone();
            let sent =
                connect(&address).and_then(|mut stream| exchange(&mut stream, &address, head, &body.to_string()));
            match sent {
                Ok((503, problem)) => assert!(problem.contains("urn:counsel:problem:journal"), "{problem}"),
                Ok(answered) => return Some(answered),
                Err(_) => {}
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }

    /// A client that decides and resumes until the group ends.
    fn work(&self, client: u64) {
        while !self.stops.load(Ordering::SeqCst) {
            let number = self.keys.fetch_add(1, Ordering::SeqCst);
            let key = format!("k{number}");
            let body = body(&format!("room {}", number % 40), &format!("e{client}"));
            let head = format!("POST /v1/decisions\nIdempotency-Key: {key}");
            let Some((status, answer)) = self.send(number, &head, &body) else { return };
            assert!(matches!(status, 200 | 201), "{answer}");
            let decision: Value = serde_json::from_str(&answer).unwrap();
            self.decided.lock().unwrap().insert(key.clone(), (head.clone(), body.clone(), answer.clone()));
            if number.is_multiple_of(5) {
                let Some(again) = self.send(number + 1, &head, &body) else { return };
                assert_eq!(again, (200, answer), "{key} was decided again");
            }
            let Some(permit) = decision["permit"]["id"].as_str() else { continue };
            let before = self.permits.lock().unwrap().insert(permit.to_owned(), key);
            assert_eq!(before, None, "{permit} was handed out twice");
            if number.is_multiple_of(4) {
                continue;
            }
            let head = format!("POST /v1/decisions/{}/resume", decision["decision"].as_str().unwrap());
            let word = ["left", "right", "?"][usize::try_from(number % 3).unwrap()];
            let reply = json!({ "permit": permit, "reply": { "text": word } });
            let Some((status, answer)) = self.send(number, &head, &reply) else { return };
            match status {
                200 => {
                    self.resumed.lock().unwrap().insert(permit.to_owned(), (head, reply, answer));
                }
                // It ran out while everything was down.
                410 => {}
                _ => panic!("{status}: {answer}"),
            }
        }
    }
}

fn start(url: &str, dir: &Path, policy: &str) -> Served {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counsel"));
    command.args(["serve", "--dir", path(dir), "--policy", policy, "--store", "env:GATE_URL"]).env("GATE_URL", url);
    Served::by(command.stderr(std::process::Stdio::null()))
}

#[test]
fn what_was_acknowledged_survives_kills_of_servers_and_database() {
    let Some(mut cluster) = Cluster::start() else { return };
    let mut killed = [0; 2];
    for group in 0..GROUPS {
        let [servers, databases] = killed_in_turn(&mut cluster, group);
        killed = [killed[0] + servers, killed[1] + databases];
    }
    println!("{} kills of a server, {} of the database", killed[0], killed[1]);
}

fn killed_in_turn(cluster: &mut Cluster, number: u64) -> [u64; 2] {
    let folder = tempfile::tempdir().unwrap();
    let limit = KILLS * 6;
    let text = SMALLEST.replace("[budget]\ncalls = 100", &format!("expires_s = 4\n[budget]\ncalls = {limit}"));
    let policy = policy(folder.path(), &text);
    cluster.sql(&format!("CREATE SCHEMA group{number}")).unwrap();
    let url = format!("{}?options=-csearch_path%3Dgroup{number}", cluster.url());
    let dirs = ["a", "b", "c"].map(|name| folder.path().join(name));
    let start = |at: usize| start(&url, &dirs[at], &policy);
    let mut servers = [0, 1, 2].map(|at| Some(start(at)));
    let group = Group {
        addresses: [0, 1, 2].map(|at| Mutex::new(servers[at].as_ref().unwrap().address.clone())),
        stops: AtomicBool::new(false),
        keys: AtomicU64::new(0),
        decided: Mutex::default(),
        resumed: Mutex::default(),
        permits: Mutex::default(),
    };
    let mut killed = [0; 2];
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                scope.spawn({
                    let group = &group;
                    move || group.work(client)
                })
            })
            .collect();
        for kill in 0..KILLS {
            let chance = (number * KILLS + kill) * 7919;
            std::thread::sleep(Duration::from_millis(40 + chance % 97));
            let at = usize::try_from(chance % 3).unwrap();
            let database = kill % 4 == 3;
            if database {
                cluster.down(if kill % 8 == 3 { "-KILL" } else { "-QUIT" });
                killed[1] += 1;
                std::thread::sleep(Duration::from_millis(chance % 53));
            }
            // Now and then a server goes while its database is down.
            if !database || kill % 3 == 0 {
                servers[at].take().unwrap().kill();
                killed[0] += 1;
            }
            if database {
                cluster.up();
            }
            if servers[at].is_none() {
                let again = start(at);
                group.addresses[at].lock().unwrap().clone_from(&again.address);
                servers[at] = Some(again);
            }
            assert!(clients.iter().all(|client| !client.is_finished()), "a client found a fault");
        }
        group.stops.store(true, Ordering::SeqCst);
    });
    let servers = servers.map(Option::unwrap);
    let (decided, resumed, permits) =
        (group.decided.into_inner().unwrap(), group.resumed.into_inner().unwrap(), group.permits.into_inner().unwrap());
    assert!(decided.len() as u64 > KILLS && resumed.len() as u64 > KILLS / 2, "{} decisions", decided.len());
    let mut of_keys: BTreeMap<String, &String> = BTreeMap::new();
    for (at, (key, (head, body, answer))) in decided.iter().enumerate() {
        let again = servers[at % SERVERS].send(head, body);
        assert_eq!(again, (200, answer.clone()), "{key} was decided again, or is lost");
        let decision: Value = serde_json::from_str(answer).unwrap();
        let before = of_keys.insert(decision["decision"].as_str().unwrap().to_owned(), key);
        assert_eq!(before, None, "one decision for two keys");
    }
    for (at, (permit, (head, body, answer))) in resumed.iter().enumerate() {
        assert_eq!(
            servers[at % SERVERS].send(head, body),
            (200, answer.clone()),
            "{permit} was resumed again, or is lost"
        );
    }
    for server in &servers {
        let calls = &server.get("/v1/budgets/p")["calls"];
        let counted = calls["spent"].as_u64().unwrap() + calls["open"].as_u64().unwrap();
        assert!(counted <= limit && counted >= permits.len() as u64, "{calls}, {} permits", permits.len());
    }
    let sql = |query: &str| cluster.sql(&query.replace("JOURNAL", &format!("group{number}.counsel_journal"))).unwrap();
    assert_eq!(sql("SELECT count(*) = max(line) FROM JOURNAL"), "t", "a line is missing");
    let twice = "SELECT count(key) - count(DISTINCT key) FROM (SELECT split_part(text, E'\\t', 1)::json -> 'key' ->> 'key' AS key FROM JOURNAL) AS keys";
    assert_eq!(sql(twice), "0", "a key stands in two lines");
    for client in 0..CLIENTS {
        let (status, told) = servers[0].send(&format!("POST /v1/episodes/e{client}/end"), &json!({}));
        assert!(status == 200 || status == 404, "{told}");
    }
    // Every server has the same log.
    let mut audited = dirs.map(|dir| agrees(&dir));
    audited.sort();
    assert_eq!(audited[0], audited[2]);
    servers.into_iter().for_each(Served::kill);
    killed
}

/// What the audit says of the log of a server, once it has followed.
fn agrees(dir: &Path) -> String {
    let mut said = String::new();
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(100));
        if !dir.join("serve").exists() {
            continue;
        }
        let before = std::mem::replace(&mut said, counsel(&["audit", path(dir)]).expect_success());
        // It no longer grows.
        if before == said && said.contains("(100.0000 %)") {
            std::thread::sleep(Duration::from_millis(2500));
            let last = counsel(&["audit", path(dir)]).expect_success();
            if last == said {
                return said.lines().find(|line| line.contains('%')).unwrap().to_owned();
            }
        }
    }
    panic!("{said}");
}

#[test]
fn a_store_that_cannot_be_used_is_named_without_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("gate");
    for (store, said) in [
        ("gate", "postgres://USER@HOST/DATABASE"),
        ("env:COUNSEL_NO_SUCH_STORE", "COUNSEL_NO_SUCH_STORE"),
        ("postgres://u:s3cret@127.0.0.1:1/gate", "postgres://127.0.0.1:1/gate cannot be reached"),
        ("postgres://u:s3cret@127.0.0.1:1/gate?sslmode=prefer", "verify-full"),
        ("postgres://u:s3cret@s3cret@127.0.0.1:1/gate", "%40"),
    ] {
        let complaint = counsel(&["serve", "--dir", path(&dir), "--store", store]).expect_failure();
        assert!(complaint.contains(said), "{complaint}");
        assert!(!complaint.contains("s3cret"), "{complaint}");
    }
}
