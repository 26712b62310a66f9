//! A model checker over the core: random clients, retries, time-outs, restarts and crashes that tear the journal anywhere.
//!
//! What clients were acknowledged holds, and what is read back from the journal is what wrote it.

use std::path::Path;

use counsel_serve::{Core, Kept, Request};

use crate::clients::{Clients, Permit, Told, play_all};

#[cfg(not(feature = "long-tests"))]
const CASES: u64 = 10_000;
#[cfg(feature = "long-tests")]
const CASES: u64 = 1_000_000;
/// What happens in one case.
const STEPS: usize = 24;

struct World {
    clients: Clients,
    core: Core,
    now: u64,
    disk: Vec<u8>,
    /// How many bytes of the disk are certain to survive.
    safe: usize,
    /// Answers that have not left yet, with the end of their line.
    waiting: Vec<(Told, usize, Kept)>,
}

impl World {
    fn new(seed: u64) -> Self {
        let (core, disk) = Core::begin();
        let clients = Clients::new(seed);
        let mut world = Self { clients, core, now: 0, safe: disk.len(), disk, waiting: Vec::new() };
        for request in world.clients.declarations(seed) {
            world.send(request);
        }
        world.sync();
        world
    }

    /// Sends a request. Its answer waits for the disk.
    fn send(&mut self, request: Request) {
        let handled = self.core.handle(self.now, &request);
        assert!(handled.response.status != 500, "{}", String::from_utf8_lossy(&handled.response.body));
        self.disk.extend(handled.line.iter().flatten());
        let told = Told { request, status: handled.response.status, body: handled.response.body };
        self.waiting.push((told, self.disk.len(), handled.kept));
        assert!(self.core.budgets_hold());
    }

    /// The journal is on the disk, and every answer leaves.
    fn sync(&mut self) {
        self.safe = self.disk.len();
        for (told, _, _) in std::mem::take(&mut self.waiting) {
            self.clients.acknowledge(&told);
        }
        for name in ["p", "team"] {
            let answer = self.core.handle(self.now, &Request::new("GET", format!("/v1/budgets/{name}"), ""));
            self.clients.check_budget(name, &answer.response.body);
        }
    }

    /// The process dies. Some prefix of what was written survives, at least what was acknowledged; the last line may be torn.
    fn crash(&mut self) {
        let unsafe_bytes = (self.disk.len() - self.safe) as u64;
        let survived = self.safe + usize::try_from(self.clients.draws.below(unsafe_bytes + 1)).unwrap();
        let whole_journal = survived == self.disk.len();
        let (core, whole) = Core::read(&mut &self.disk[..survived], Path::new("journal")).unwrap();
        let before = std::mem::replace(&mut self.core, core);
        let whole = usize::try_from(whole).unwrap();
        assert!(whole >= self.safe);
        if whole_journal {
            let mut before = before;
            before.pass(self.now);
            self.core.pass(self.now);
            assert_eq!(self.core.snapshot(), before.snapshot(), "what was read back is not what wrote it");
        }
        self.disk.truncate(whole);
        self.safe = whole;
        // Nobody hears what did not leave.
        self.waiting.clear();
        let keys: Vec<String> = self.clients.told.keys().cloned().collect();
        for key in keys {
            self.send(self.clients.told[&key].request.clone());
        }
        self.sync();
        let told: Vec<Permit> = self.clients.permits.values().cloned().collect();
        for permit in told {
            let path = format!("/v1/decisions/{}", permit.decision);
            let answer = self.core.handle(self.now, &Request::new("GET", path, "")).response;
            assert_eq!(answer.status, 200, "an acknowledged decision is lost");
        }
    }

    fn step(&mut self) {
        match self.clients.draws.below(16) {
            0..=11 => {
                if let Some(request) = self.clients.request() {
                    self.send(request);
                }
            }
            12 => self.now += self.clients.draws.below(4000),
            13 => self.crash(),
            _ => self.sync(),
        }
    }
}

#[test]
fn no_interleaving_overspends_decides_twice_or_forgets() {
    play_all(CASES, |seed| {
        let mut world = World::new(seed);
        (0..STEPS).for_each(|_| world.step());
        world.crash();
    });
}
