//! The decision service with a voice: it asks for its callers, where the policy's endpoints are known.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use counsel_serve::{Kind, Problem};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::ask::{ask, seat};
use crate::door;
use crate::endpoints::Endpoints;
use crate::memory::{Advice, Replies};
use crate::question::Question;
use crate::sidecar::{Call, Replied, Sidecar, Verb};
use crate::{Denial, Error};

/// A sidecar that also answers `POST /v1/ask`, `POST /v1/chat/completions` and `GET /v1/models`. Everything else passes through.
#[derive(Debug)]
pub struct Broker {
    sidecar: Box<dyn Sidecar>,
    endpoints: Mutex<BTreeMap<String, Arc<Endpoints>>>,
    replies: Replies,
    advice: Advice,
    /// Begins the keys of requests that have none.
    nonce: String,
    requests: AtomicU64,
}

impl Broker {
    /// A broker before this service. The nonce is new for every process.
    pub fn new(sidecar: Box<dyn Sidecar>, nonce: impl Into<String>) -> Self {
        Self {
            sidecar,
            endpoints: Mutex::default(),
            replies: Replies::default(),
            advice: Advice::default(),
            nonce: nonce.into(),
            requests: AtomicU64::new(0),
        }
    }

    /// Declares the endpoints of a policy.
    pub fn declare(&self, policy: &str, endpoints: Endpoints) {
        let mut declared = self.endpoints.lock().unwrap_or_else(PoisonError::into_inner);
        declared.insert(policy.to_owned(), Arc::new(endpoints));
    }

    pub(crate) fn endpoints(&self, policy: &str) -> Option<Arc<Endpoints>> {
        self.endpoints.lock().unwrap_or_else(PoisonError::into_inner).get(policy).cloned()
    }

    /// The policies of which a cheap and a strong model are known.
    pub(crate) fn doors(&self) -> Vec<String> {
        let declared = self.endpoints.lock().unwrap_or_else(PoisonError::into_inner);
        let open = declared.iter().filter(|(_, endpoints)| endpoints.cheap().is_some() && endpoints.has_advisors());
        open.map(|(policy, _)| policy.clone()).collect()
    }

    pub(crate) fn sidecar(&self) -> &dyn Sidecar {
        &*self.sidecar
    }

    /// Whether it answers this path itself.
    pub fn answers(path: &str) -> bool {
        matches!(path.split('?').next(), Some("/v1/ask" | "/v1/chat/completions" | "/v1/models"))
    }

    /// The reply to a request under its key; what has none is a request of its own.
    fn keyed(&self, call: &Call, make: impl FnOnce(&str) -> Replied) -> Replied {
        let Some(key) = &call.key else {
            let number = self.requests.fetch_add(1, Ordering::Relaxed);
            return make(&format!("{}-{number}", self.nonce));
        };
        let digest: [u8; 32] = Sha256::digest(format!("{}\n{}", call.path, call.body)).into();
        self.replies.once(key, digest, || make(key)).unwrap_or_else(|| {
            refused(&Problem::new(
                Kind::KeyReused,
                "the key was sent with another request; take a new key for a new question",
            ))
        })
    }

    fn ask(&self, call: &Call) -> Replied {
        let Value::Object(mut body) = call.body.clone() else {
            return refused(&Problem::new(
                Kind::Body,
                "the body is no object; send {\"policy\": ..., \"question\": ...}",
            ));
        };
        let (seat, question) = match seat(&mut body).and_then(|seat| Ok((seat, read(&body)?))) {
            Ok(read) => read,
            Err(problem) => return refused(&problem),
        };
        let Some(endpoints) = self.endpoints(&seat.policy).filter(|endpoints| endpoints.has_advisors()) else {
            return no_endpoint(&seat.policy);
        };
        self.keyed(call, |key| match ask(&*self.sidecar, &endpoints, &self.advice, (&seat, key), &question) {
            Ok(told) => Replied { status: 200, body: told, replayed: false },
            Err(error) => failed(error),
        })
    }
}

impl Sidecar for Broker {
    fn call(&self, call: &Call) -> Result<Replied, Error> {
        match (call.verb, call.path.as_str()) {
            (Verb::Post, "/v1/ask") => Ok(self.ask(call)),
            (Verb::Post, "/v1/chat/completions") => {
                door::refusal(&call.body).map_or_else(|| Ok(self.keyed(call, |key| door::answer(self, call, key))), Ok)
            }
            (Verb::Get, "/v1/models") => Ok(door::models(&self.doors())),
            _ => self.sidecar.call(call),
        }
    }
}

fn read(body: &Map<String, Value>) -> Result<Question, Problem> {
    Question::read(body).map_err(Problem::value)
}

/// A problem, as a reply.
pub(crate) fn refused(problem: &Problem) -> Replied {
    let response = problem.response();
    let body = serde_json::from_slice(&response.body).unwrap_or_default();
    Replied { status: response.status, body, replayed: false }
}

/// What went wrong on the way, as a reply.
pub(crate) fn failed(error: Error) -> Replied {
    match error {
        Error::Refused(Denial { status, body }) => Replied { status, body, replayed: false },
        Error::Question(fault) => refused(&Problem::value(fault)),
        other => refused(&Problem::new(Kind::Fault, other)),
    }
}

fn no_endpoint(policy: &str) -> Replied {
    let detail = format!(
        "the policy `{policy}` names no endpoint here; start the server with a policy file that has [endpoints.advisor], or ask yourself \
         by POST /v1/decisions"
    );
    let mut replied = refused(&Problem::value(detail));
    replied.body["type"] = "urn:counsel:problem:no-endpoint".into();
    replied.body["title"] = "No endpoint is known".into();
    replied
}
