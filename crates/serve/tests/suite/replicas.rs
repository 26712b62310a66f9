//! A model checker over several servers that share a journal: connections break before and after an append, appends land late,
//! servers are killed, clients retry at another server.
//!
//! What clients were acknowledged holds, and every server has the same state.

use std::sync::{Arc, Mutex};

use counsel_serve::{Error, Page, Replica, Request, SharedJournal};

use crate::clients::{Clients, Draws, Permit, Told, play_all};

#[cfg(not(feature = "long-tests"))]
const CASES: u64 = 2_000;
#[cfg(feature = "long-tests")]
const CASES: u64 = 1_000_000;
/// What happens in one case.
const STEPS: usize = 24;
const SERVERS: usize = 3;
/// The lines of a page.
const PAGE: usize = 4;

/// A journal in memory, and all connections to it.
struct Kept {
    lines: Vec<String>,
    now: u64,
    /// The connection that holds it.
    held_by: Option<u64>,
    /// An append whose connection broke before it was confirmed.
    under_way: Option<Vec<String>>,
    /// One call out of this many breaks its connection; 0 for none.
    breaks: u64,
    draws: Draws,
    connections: u64,
}

impl Kept {
    /// An append that is under way lands, or never happened.
    fn settle(&mut self) {
        if let Some(lines) = self.under_way.take()
            && self.draws.one_in(2)
        {
            self.lines.extend(lines);
        }
    }

    fn breaks(&mut self) -> bool {
        self.breaks > 0 && self.draws.one_in(self.breaks)
    }

    fn page(&self, from: u64) -> Page {
        let from = usize::try_from(from - 1).unwrap().min(self.lines.len());
        let end = self.lines.len().min(from + PAGE);
        Page { now: self.now, lines: self.lines[from..end].to_vec(), more: end < self.lines.len() }
    }
}

/// What one server has of it.
struct Connection {
    kept: Arc<Mutex<Kept>>,
    number: u64,
}

fn away() -> Error {
    Error::Away { place: "memory".into(), reason: "the connection broke".into() }
}

impl Connection {
    fn to(kept: &Arc<Mutex<Kept>>) -> Box<dyn SharedJournal> {
        let number = {
            let mut kept = kept.lock().unwrap();
            kept.connections += 1;
            kept.connections
        };
        Box::new(Self { kept: Arc::clone(kept), number })
    }
}

impl SharedJournal for Connection {
    fn place(&self) -> String {
        "memory".into()
    }

    fn read(&mut self, from: u64) -> Result<Page, Error> {
        let mut kept = self.kept.lock().unwrap();
        if kept.breaks() {
            kept.held_by.take_if(|holder| *holder == self.number);
            return Err(away());
        }
        if kept.draws.one_in(4) {
            kept.settle();
        }
        Ok(kept.page(from))
    }

    fn hold(&mut self, from: u64) -> Result<Page, Error> {
        let mut kept = self.kept.lock().unwrap();
        assert_eq!(kept.held_by, None, "whoever is done lets go");
        kept.settle();
        if kept.breaks() {
            return Err(away());
        }
        kept.held_by = Some(self.number);
        Ok(kept.page(from))
    }

    fn append(&mut self, first: u64, lines: &[String]) -> Result<(), Error> {
        let mut kept = self.kept.lock().unwrap();
        if lines.is_empty() && kept.held_by != Some(self.number) {
            return Ok(());
        }
        assert_eq!(kept.held_by.take(), Some(self.number), "who appends holds the journal");
        assert!(lines.is_empty() || first == kept.lines.len() as u64 + 1, "{first} after {}", kept.lines.len());
        if !kept.breaks() {
            kept.lines.extend_from_slice(lines);
            return Ok(());
        }
        match kept.draws.below(3) {
            0 => {}
            1 => kept.lines.extend_from_slice(lines),
            _ => kept.under_way = Some(lines.to_vec()),
        }
        Err(away())
    }
}

struct World {
    clients: Clients,
    kept: Arc<Mutex<Kept>>,
    servers: Vec<Option<Replica>>,
}

impl World {
    fn new(seed: u64) -> Self {
        let draws = Draws::new(!seed);
        let kept = Kept { lines: Vec::new(), now: 0, held_by: None, under_way: None, breaks: 0, draws, connections: 0 };
        let servers = (0..SERVERS).map(|_| None).collect();
        let mut world = Self { clients: Clients::new(seed), kept: Arc::new(Mutex::new(kept)), servers };
        let declarations = world.clients.declarations(seed);
        world.send(0, declarations.to_vec());
        let breaks = [0, 3, 8, 20][world.clients.draws.place(4)];
        world.kept.lock().unwrap().breaks = breaks;
        world
    }

    /// A server, which joins if it does not run; none if it cannot.
    fn server(&mut self, at: usize) -> Option<&mut Replica> {
        if self.servers[at].is_none() {
            match Replica::join(Connection::to(&self.kept)) {
                Ok(joined) => self.servers[at] = Some(joined),
                Err(Error::Away { .. }) => {
                    // Its process ends, and its connections with it.
                    self.kept.lock().unwrap().held_by = None;
                    return None;
                }
                Err(other) => panic!("{other}"),
            }
        }
        self.servers[at].as_mut()
    }

    /// Sends requests to a server, which answers them together or not at all.
    fn send(&mut self, at: usize, requests: Vec<Request>) -> bool {
        let Some(server) = self.server(at) else { return false };
        match server.answer(&requests) {
            Ok(all) => {
                assert!(server.budgets_hold());
                for (request, handled) in requests.into_iter().zip(all) {
                    let (status, body) = (handled.response.status, handled.response.body);
                    assert!(status != 500, "{}", String::from_utf8_lossy(&body));
                    if let Some(name) = request.path().strip_prefix("/v1/budgets/").filter(|_| request.method == "GET")
                    {
                        self.clients.check_budget(name, &body);
                        continue;
                    }
                    self.clients.acknowledge(&Told { request, status, body });
                }
                true
            }
            Err(Error::Away { .. }) => false,
            Err(other) => panic!("{other}"),
        }
    }

    fn step(&mut self) {
        let at = self.clients.draws.place(SERVERS);
        match self.clients.draws.below(16) {
            0..=9 => {
                let count = 1 + self.clients.draws.below(4);
                let requests: Vec<Request> = (0..count).filter_map(|_| self.clients.request()).collect();
                if !self.send(at, requests.clone()) && self.clients.draws.one_in(2) {
                    // Nobody heard: some try it elsewhere.
                    self.send((at + 1) % SERVERS, requests);
                }
            }
            10 => {
                let budgets = ["p", "team"].map(|name| Request::new("GET", format!("/v1/budgets/{name}"), ""));
                self.send(at, budgets.to_vec());
            }
            11 => self.kept.lock().unwrap().now += self.clients.draws.below(4000),
            12 => self.servers[at] = None,
            // A clock that is set back.
            13 => {
                let mut kept = self.kept.lock().unwrap();
                kept.now = kept.now.saturating_sub(self.clients.draws.below(50));
            }
            _ => {
                self.send(at, Vec::new());
            }
        }
    }

    /// Nothing breaks any more: every server tells what was acknowledged, and all have one state.
    fn end(&mut self) {
        self.kept.lock().unwrap().breaks = 0;
        let at = self.clients.draws.place(SERVERS);
        let keys: Vec<String> = self.clients.told.keys().cloned().collect();
        for key in keys {
            let request = self.clients.told[&key].request.clone();
            assert!(self.send(at, vec![request]));
        }
        let permits: Vec<Permit> = self.clients.permits.values().cloned().collect();
        for permit in permits {
            let request = Request::new("GET", format!("/v1/decisions/{}", permit.decision), "");
            let answer = self.server(at).unwrap().answer(&[request]).unwrap().pop().unwrap();
            assert_eq!(answer.response.status, 200, "an acknowledged decision is lost");
        }
        // The first of them lets time pass for all.
        (0..SERVERS).for_each(|at| self.server(at).unwrap().refresh().unwrap());
        let afresh = Replica::join(Connection::to(&self.kept)).unwrap().snapshot();
        for server in self.servers.iter().flatten() {
            assert_eq!(server.snapshot(), afresh, "a server has a state of its own");
        }
    }
}

#[test]
fn no_interleaving_of_servers_overspends_decides_twice_or_forgets() {
    play_all(CASES, |seed| {
        let mut world = World::new(seed);
        (0..STEPS).for_each(|_| world.step());
        world.end();
    });
}

#[test]
fn a_journal_that_was_set_back_is_noticed() {
    let mut world = World::new(1);
    for _ in 0..20 {
        world.step();
    }
    world.kept.lock().unwrap().breaks = 0;
    assert!(world.send(0, Vec::new()));
    world.kept.lock().unwrap().lines.pop();
    for _ in 0..2 {
        let refused = world.server(0).unwrap().answer(&[]).unwrap_err();
        assert!(matches!(&refused, Error::Unfit { reason, .. } if reason.contains("set back")), "{refused}");
    }
    assert_eq!(world.kept.lock().unwrap().held_by, None, "others may go on");
}
