//! Random clients, and a model of what they were acknowledged.
//!
//! Against it are held: no budget of the tree is exceeded by acknowledged permits, no key is decided twice, no permit is used with two
//! replies, and no acknowledged answer changes or is lost.

use std::collections::BTreeMap;

use counsel_serve::Request;
use serde_json::{Value, json};

/// Numbers that follow from a seed (SplitMix64).
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    pub(crate) fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }

    pub(crate) fn one_in(&mut self, most: u64) -> bool {
        self.below(most) == 0
    }
}

/// A request that was acknowledged, and its answer.
#[derive(Clone)]
pub(crate) struct Told {
    pub(crate) request: Request,
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// A permit that a client holds.
#[derive(Clone)]
pub(crate) struct Permit {
    pub(crate) decision: String,
    id: String,
    run: String,
    /// The reply that was acknowledged.
    used: Option<Vec<u8>>,
}

#[derive(Clone, Copy)]
struct Limits {
    calls: u64,
    team: u64,
    run: u64,
}

fn policy(limits: Limits, variant: u64) -> Request {
    let advisors = if variant.is_multiple_of(3) {
        ""
    } else {
        "advisors = [{ name = \"a\", price = 0.01 }, { name = \"b\", price = 0.02 }]\n"
    };
    let price = if advisors.is_empty() { "price = 0.01\n" } else { "" };
    let Limits { calls, run, .. } = limits;
    let text = format!(
        "{price}actions = [\"l\", \"r\"]\nexpires_s = 3\n{advisors}[budget]\nparent = \"team\"\ncalls = {calls}\nrun = {{ calls = {run} }}\n"
    );
    Request::new("PUT", "/v1/policies/p", text)
}

/// All clients, and what they know.
pub(crate) struct Clients {
    pub(crate) draws: Draws,
    /// Acknowledged requests with a key, by it.
    pub(crate) told: BTreeMap<String, Told>,
    pub(crate) permits: BTreeMap<String, Permit>,
    decisions: Vec<String>,
    keys: u64,
    limits: Limits,
}

impl Clients {
    pub(crate) fn new(seed: u64) -> Self {
        let mut draws = Draws::new(seed);
        let limits = Limits { calls: 1 + draws.below(5), team: 1 + draws.below(6), run: 1 + draws.below(3) };
        Self { draws, told: BTreeMap::new(), permits: BTreeMap::new(), decisions: Vec::new(), keys: 0, limits }
    }

    /// The budget of the team, and the policy below it.
    pub(crate) fn declarations(&self, seed: u64) -> [Request; 2] {
        let team = json!({ "calls": self.limits.team }).to_string();
        [Request::new("PUT", "/v1/budgets/team", team), policy(self.limits, seed)]
    }

    pub(crate) fn acknowledge(&mut self, told: &Told) {
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
        let Limits { calls, team, run } = self.limits;
        let permits = self.permits.len() as u64;
        assert!(permits <= calls && permits <= team, "{permits} permits, limits {calls} and {team}");
        let mut of_runs: BTreeMap<&str, u64> = BTreeMap::new();
        self.permits.values().for_each(|permit| *of_runs.entry(&permit.run).or_default() += 1);
        assert!(of_runs.values().all(|permits| *permits <= run), "{of_runs:?}, limit {run}");
    }

    /// Every acknowledged permit counts in what a server says of a budget.
    pub(crate) fn check_budget(&self, name: &str, told: &[u8]) {
        let told: Value = serde_json::from_slice(told).unwrap();
        let counted = told["calls"]["spent"].as_u64().unwrap() + told["calls"]["open"].as_u64().unwrap();
        let permits = self.permits.len() as u64;
        assert!(counted >= permits, "{name} counts {counted} of {permits} acknowledged permits");
    }

    fn decide(&mut self) -> Request {
        self.keys += 1;
        let key = format!("k{}", if self.draws.one_in(12) { 1 + self.draws.below(self.keys) } else { self.keys });
        let body = json!({
            "policy": "p", "run": format!("r{}", self.draws.below(2)), "episode": format!("e{}", self.draws.below(3)),
            "context": { "key": self.draws.below(6), "features": [self.draws.below(4)] }, "fallback": { "action": "l" },
        });
        Request::new("POST", "/v1/decisions", body.to_string()).keyed(key)
    }

    fn resume(&mut self) -> Option<Request> {
        if self.permits.is_empty() {
            return None;
        }
        let permit = self.permits.values().nth(self.draws.place(self.permits.len()))?.clone();
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
        Some(if keyed { request.keyed(format!("r{}", self.keys)) } else { request })
    }

    /// The next request of one of them, if it has one.
    pub(crate) fn request(&mut self) -> Option<Request> {
        match self.draws.below(12) {
            0..=4 => Some(self.decide()),
            5..=7 => self.resume(),
            8 if !self.told.is_empty() => {
                // A client that did not hear, or does not remember, sends it again.
                let at = self.draws.place(self.told.len());
                self.told.values().nth(at).map(|told| told.request.clone())
            }
            9 if !self.decisions.is_empty() => {
                let at = self.draws.place(self.decisions.len());
                let path = format!("/v1/decisions/{}/outcome", self.decisions[at]);
                let outcome = json!({ "reward": self.draws.below(3), "final": self.draws.one_in(3) });
                Some(Request::new("POST", path, outcome.to_string()))
            }
            10 => Some(Request::new("POST", format!("/v1/episodes/e{}/end", self.draws.below(3)), "{}")),
            11 if self.draws.one_in(3) => Some(policy(self.limits, self.draws.below(6))),
            _ => None,
        }
    }
}

/// The cases to play: all of them, or those that were asked for, as `17` or `0..1000`.
fn seeds(asked: Option<&str>, cases: u64) -> std::ops::Range<u64> {
    let number = |text: &str| text.parse().expect("COUNSEL_SEEDS is a number or a range");
    match asked.map(|asked| asked.split_once("..").map_or((asked, None), |(first, end)| (first, Some(end)))) {
        None => 0..cases,
        Some((only, None)) => number(only)..number(only) + 1,
        Some((first, Some(end))) => number(first)..number(end),
    }
}

/// Plays all cases, side by side.
pub(crate) fn play_all(cases: u64, play: impl Fn(u64) + Sync + std::panic::RefUnwindSafe) {
    let seeds = seeds(std::env::var_os("COUNSEL_SEEDS").and_then(|asked| asked.into_string().ok()).as_deref(), cases);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (seeds, play) = (seeds.clone(), &play);
            scope.spawn(move || {
                for seed in seeds.filter(|seed| seed % threads == thread) {
                    if let Err(fault) = std::panic::catch_unwind(|| play(seed)) {
                        eprintln!("COUNSEL_SEEDS={seed} plays it again");
                        std::panic::resume_unwind(fault);
                    }
                }
            });
        }
    });
}
