//! A model checker over the core: random clients, retries, time-outs, restarts and crashes that tear the journal anywhere.
//!
//! The model knows only what clients were acknowledged. Against it are held: no budget of the tree is exceeded by acknowledged
//! permits, no key is decided twice, no permit is used with two replies, no acknowledged answer changes or is lost, and what is
//! read back from the journal is what wrote it.

use std::collections::BTreeMap;
use std::path::Path;

use counsel_serve::{Core, Kept, Request};
use serde_json::{Value, json};

#[cfg(not(feature = "long-tests"))]
const CASES: u64 = 10_000;
#[cfg(feature = "long-tests")]
const CASES: u64 = 1_000_000;
/// What happens in one case.
const STEPS: usize = 24;

/// Numbers that follow from a seed (SplitMix64).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    fn one_in(&mut self, most: u64) -> bool {
        self.below(most) == 0
    }
}

/// A request that was acknowledged, and its answer.
#[derive(Clone)]
struct Told {
    request: Request,
    status: u16,
    body: Vec<u8>,
}

/// A permit that a client holds.
#[derive(Clone)]
struct Permit {
    decision: String,
    id: String,
    run: String,
    /// The reply that was acknowledged.
    used: Option<Vec<u8>>,
}

struct World {
    draws: Draws,
    core: Core,
    now: u64,
    disk: Vec<u8>,
    /// How many bytes of the disk are certain to survive.
    safe: usize,
    /// Answers that have not left yet, with the end of their line.
    waiting: Vec<(Told, usize, Kept)>,
    told: BTreeMap<String, Told>,
    permits: BTreeMap<String, Permit>,
    decisions: Vec<String>,
    keys: u64,
    limits: Limits,
}

#[derive(Clone, Copy)]
struct Limits {
    calls: u64,
    team: u64,
    run: u64,
}

fn policy(limits: Limits, variant: u64) -> String {
    let advisors = if variant.is_multiple_of(3) {
        ""
    } else {
        "advisors = [{ name = \"a\", price = 0.01 }, { name = \"b\", price = 0.02 }]\n"
    };
    let price = if advisors.is_empty() { "price = 0.01\n" } else { "" };
    let Limits { calls, run, .. } = limits;
    format!(
        "{price}actions = [\"l\", \"r\"]\nexpires_s = 3\n{advisors}[budget]\nparent = \"team\"\ncalls = {calls}\nrun = {{ calls = {run} }}\n"
    )
}

impl World {
    fn new(seed: u64) -> Self {
        let mut draws = Draws(seed);
        let limits = Limits { calls: 1 + draws.below(5), team: 1 + draws.below(6), run: 1 + draws.below(3) };
        let (core, disk) = Core::begin();
        let mut world = Self {
            draws,
            core,
            now: 0,
            safe: disk.len(),
            disk,
            waiting: Vec::new(),
            told: BTreeMap::new(),
            permits: BTreeMap::new(),
            decisions: Vec::new(),
            keys: 0,
            limits,
        };
        world.send(Request::new("PUT", "/v1/budgets/team", json!({ "calls": limits.team }).to_string()));
        world.send(Request::new("PUT", "/v1/policies/p", policy(limits, seed)));
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
            self.acknowledge(&told);
        }
    }

    fn acknowledge(&mut self, told: &Told) {
        if let Some(key) = told.request.idempotency_key.clone() {
            match self.told.get(&key) {
                Some(before) if before.request == told.request => {
                    assert_eq!(before.body, told.body, "a retry got another answer");
                    assert!(told.status == 200, "a retry is a replay");
                    return;
                }
                Some(_) => {
                    assert_eq!(told.status, 409, "a key served two requests");
                    return;
                }
                None => {}
            }
            if told.status < 300 {
                self.told.insert(key, told.clone());
            }
        }
        if told.status >= 300 {
            return;
        }
        let body: Value = serde_json::from_slice(&told.body).unwrap();
        let sent: Value = serde_json::from_slice(&told.request.body).unwrap_or_default();
        let path = told.request.path().to_owned();
        if path.ends_with("/resume") {
            let id = sent["permit"].as_str().unwrap();
            let permit = self.permits.get_mut(id).expect("only acknowledged permits are resumed");
            match &permit.used {
                Some(before) => assert_eq!(before, &told.body, "a permit was used twice"),
                None => permit.used = Some(told.body.clone()),
            }
        }
        if let Some(id) = body["permit"]["id"].as_str() {
            let decision = body["decision"].as_str().unwrap().to_owned();
            let run = match path.as_str() {
                "/v1/decisions" => sent["run"].as_str().unwrap_or("").to_owned(),
                _ => self.permits[sent["permit"].as_str().unwrap()].run.clone(),
            };
            let known =
                self.permits.values().filter(|permit| permit.id == id).all(|permit| permit.decision == decision);
            assert!(known, "a permit was handed out twice");
            self.permits.entry(id.to_owned()).or_insert(Permit { decision, id: id.to_owned(), run, used: None });
        }
        if path == "/v1/decisions" {
            self.decisions.push(body["decision"].as_str().unwrap().to_owned());
        }
        self.check_budgets();
    }

    /// Acknowledged permits never exceed a limit, and the server counts every one of them.
    fn check_budgets(&mut self) {
        let Limits { calls, team, run } = self.limits;
        let permits = self.permits.len() as u64;
        assert!(permits <= calls && permits <= team, "{permits} permits, limits {calls} and {team}");
        let mut of_runs: BTreeMap<&str, u64> = BTreeMap::new();
        self.permits.values().for_each(|permit| *of_runs.entry(&permit.run).or_default() += 1);
        assert!(of_runs.values().all(|permits| *permits <= run), "{of_runs:?}, limit {run}");
        for name in ["p", "team"] {
            let answer = self.core.handle(self.now, &Request::new("GET", format!("/v1/budgets/{name}"), ""));
            let told: Value = serde_json::from_slice(&answer.response.body).unwrap();
            let counted = told["calls"]["spent"].as_u64().unwrap() + told["calls"]["open"].as_u64().unwrap();
            assert!(counted >= permits, "{name} counts {counted} of {permits} acknowledged permits");
        }
    }

    /// The process dies. Some prefix of what was written survives, at least what was acknowledged; the last line may be torn.
    fn crash(&mut self) {
        let unsafe_bytes = (self.disk.len() - self.safe) as u64;
        let survived = self.safe + usize::try_from(self.draws.below(unsafe_bytes + 1)).unwrap();
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
        let keys: Vec<String> = self.told.keys().cloned().collect();
        for key in keys {
            self.send(self.told[&key].request.clone());
        }
        self.sync();
        let told: Vec<Permit> = self.permits.values().cloned().collect();
        for permit in told {
            let path = format!("/v1/decisions/{}", permit.decision);
            let answer = self.core.handle(self.now, &Request::new("GET", path, "")).response;
            assert_eq!(answer.status, 200, "an acknowledged decision is lost");
        }
    }

    fn decide(&mut self) {
        self.keys += 1;
        let key = format!("k{}", if self.draws.one_in(12) { 1 + self.draws.below(self.keys) } else { self.keys });
        let body = json!({
            "policy": "p", "run": format!("r{}", self.draws.below(2)), "episode": format!("e{}", self.draws.below(3)),
            "context": { "key": self.draws.below(6), "features": [self.draws.below(4)] }, "fallback": { "action": "l" },
        });
        self.send(Request::new("POST", "/v1/decisions", body.to_string()).keyed(key));
    }

    fn resume(&mut self) {
        let permits: Vec<&Permit> = self.permits.values().collect();
        if permits.is_empty() {
            return;
        }
        let permit = permits[usize::try_from(self.draws.next()).unwrap_or(0) % permits.len()].clone();
        let reply = match self.draws.below(3) {
            0 => json!({ "lost": true }),
            1 => json!({ "text": "r" }),
            _ => json!({ "text": "l" }),
        };
        let request = Request::new(
            "POST",
            format!("/v1/decisions/{}/resume", permit.decision),
            json!({ "permit": permit.id, "reply": reply }).to_string(),
        );
        let keyed = self.draws.one_in(2);
        self.keys += 1;
        self.send(if keyed { request.keyed(format!("r{}", self.keys)) } else { request });
    }

    fn step(&mut self) {
        match self.draws.below(16) {
            0..=4 => self.decide(),
            5..=7 => self.resume(),
            8 if !self.told.is_empty() => {
                // A client that did not hear, or does not remember, sends it again.
                let at = usize::try_from(self.draws.next()).unwrap_or(0) % self.told.len();
                let request = self.told.values().nth(at).unwrap().request.clone();
                self.send(request);
            }
            9 if !self.decisions.is_empty() => {
                let at = usize::try_from(self.draws.next()).unwrap_or(0) % self.decisions.len();
                let path = format!("/v1/decisions/{}/outcome", self.decisions[at]);
                let outcome = json!({ "reward": self.draws.below(3), "final": self.draws.one_in(3) });
                self.send(Request::new("POST", path, outcome.to_string()));
            }
            10 => {
                let path = format!("/v1/episodes/e{}/end", self.draws.below(3));
                self.send(Request::new("POST", path, "{}"));
            }
            11 => self.now += self.draws.below(4000),
            12 => self.crash(),
            13 if self.draws.one_in(3) => {
                let variant = self.draws.below(6);
                self.send(Request::new("PUT", "/v1/policies/p", policy(self.limits, variant)));
            }
            _ => self.sync(),
        }
    }
}

/// The cases to play: all of them, or those that were asked for, as `17` or `0..1000`.
fn seeds(asked: Option<&str>) -> std::ops::Range<u64> {
    let number = |text: &str| text.parse().expect("COUNSEL_SEEDS is a number or a range");
    match asked.map(|asked| asked.split_once("..").map_or((asked, None), |(first, end)| (first, Some(end)))) {
        None => 0..CASES,
        Some((only, None)) => number(only)..number(only) + 1,
        Some((first, Some(end))) => number(first)..number(end),
    }
}

#[test]
fn no_interleaving_overspends_decides_twice_or_forgets() {
    let seeds = seeds(std::env::var_os("COUNSEL_SEEDS").and_then(|asked| asked.into_string().ok()).as_deref());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let seeds = seeds.clone();
            scope.spawn(move || {
                for seed in seeds.filter(|seed| seed % threads == thread) {
                    let played = std::panic::catch_unwind(|| {
                        let mut world = World::new(seed);
                        (0..STEPS).for_each(|_| world.step());
                        world.crash();
                    });
                    if let Err(fault) = played {
                        eprintln!("COUNSEL_SEEDS={seed} plays it again");
                        std::panic::resume_unwind(fault);
                    }
                }
            });
        }
    });
}
