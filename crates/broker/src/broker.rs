//! The decision service with a voice: it asks for its callers, where the policy's endpoints are known.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use counsel_serve::{Kind, Onlooker, Problem, SeenModel};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::ask::{ask, seat};
use crate::cascade::{QuestionSpec, Questions, Weighed, told};
use crate::door;
use crate::endpoints::{Attempt, Endpoints};
use crate::memory::{Advice, Replies};
use crate::openapi::{OPERATIONS, document};
use crate::question::Question;
use crate::sidecar::{Call, Replied, Sidecar, Verb};
use crate::watched::{Caller, Watched};
use crate::{Denial, Error};

/// The path of the document that describes the interface.
const DOCUMENT: &str = "/openapi.json";

/// A sidecar that also answers `POST /v1/ask`, `POST /v1/chat/completions` and `GET /v1/models`. Everything else passes through.
#[derive(Debug)]
pub struct Broker {
    sidecar: Box<dyn Sidecar>,
    endpoints: Mutex<BTreeMap<String, Arc<Endpoints>>>,
    questions: Mutex<BTreeMap<String, Questions>>,
    replies: Replies,
    advice: Advice,
    /// Begins the keys of requests that have none.
    nonce: String,
    requests: AtomicU64,
    onlooker: Option<Arc<dyn Onlooker>>,
}

impl Broker {
    /// A broker before this service. The nonce is new for every process.
    pub fn new(sidecar: Box<dyn Sidecar>, nonce: impl Into<String>) -> Self {
        Self {
            sidecar,
            endpoints: Mutex::default(),
            questions: Mutex::default(),
            replies: Replies::default(),
            advice: Advice::default(),
            nonce: nonce.into(),
            requests: AtomicU64::new(0),
            onlooker: None,
        }
    }

    /// The same under the eyes of somebody.
    #[must_use]
    pub fn watched_by(self, onlooker: Option<Arc<dyn Onlooker>>) -> Self {
        Self { onlooker, ..self }
    }

    /// Itself, as the work of this call sees it.
    pub(crate) fn within(&self, call: &Call) -> Watched<'_> {
        let onlooker = self.onlooker.as_ref().filter(|_| call.trace.is_some());
        Watched::new(self, onlooker, Caller::Within(call.trace.unwrap_or_default()))
    }

    /// Tells the onlooker of a model that was asked within a call.
    pub(crate) fn tell(&self, call: &Call, decision: Option<&str>, asked: &Attempt) {
        let (Some(onlooker), Some(within)) = (&self.onlooker, call.trace) else { return };
        let ((began, took), tokens) = (asked.watch.stop(), asked.tokens.map(|of| of.map(u64::from)));
        let (decision, model) = (decision.map(str::to_owned), asked.model.clone());
        let has_answered = asked.has_answered;
        onlooker.heard(SeenModel { within, decision, model, began, took, tokens, has_answered });
    }

    /// Declares the endpoints of a policy.
    pub fn declare(&self, policy: &str, endpoints: Endpoints) {
        let mut declared = self.endpoints.lock().unwrap_or_else(PoisonError::into_inner);
        declared.insert(policy.to_owned(), Arc::new(endpoints));
    }

    /// Decides the questions of a policy by a cascade, at this price of a call. The file keeps what it learned.
    pub fn decide_questions(
        &self,
        policy: &str,
        (spec, price): (QuestionSpec, f64),
        file: Option<PathBuf>,
    ) -> Result<(), Error> {
        let questions = Questions::open(policy, spec, price, file)?;
        self.questions.lock().unwrap_or_else(PoisonError::into_inner).insert(policy.to_owned(), questions);
        Ok(())
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

    /// Whether it answers this request itself. What it does not answer goes to the service as it came.
    pub fn answers(&self, path: &str, body: &[u8]) -> bool {
        let path = path.split('?').next().unwrap_or("");
        if path == DOCUMENT || OPERATIONS.iter().any(|operation| operation.fits(path)) {
            return true;
        }
        let Some(rest) = path.strip_prefix("/v1/decisions") else { return false };
        let all = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let decision = rest.trim_start_matches('/').split('/').next().unwrap_or("");
        if !decision.is_empty() {
            let is_outcome = rest.ends_with("/outcome");
            return all
                .values()
                .any(|known| if is_outcome { known.knows(decision) } else { known.is_silent(decision) });
        }
        let policy = || serde_json::from_slice::<Value>(body).ok()?["policy"].as_str().map(str::to_owned);
        !all.is_empty() && policy().is_some_and(|policy| all.contains_key(&policy))
    }

    /// A decision on a question, where the policy is decided by a cascade.
    fn decide(&self, call: &Call) -> Result<Option<Replied>, Error> {
        let policy = call.body["policy"].as_str().unwrap_or("");
        let mut all = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let (Some(questions), Some(key)) = (all.get_mut(policy), &call.key) else { return Ok(None) };
        let kind = match &call.body["context"]["key"] {
            Value::String(kind) => kind.clone(),
            other => other.to_string(),
        };
        let confidence =
            call.body["fallback"]["confidence"].as_f64().filter(|confidence| (0.0..=1.0).contains(confidence));
        // The service must not take one question for another, nor an answer for that to another question.
        let mut forwarded = call.clone();
        if !questions.spec().keep {
            forwarded.body["context"] = serde_json::json!({ "key": format!("question {key}") });
        }
        let weighed = match questions.weigh(key, &kind, confidence)? {
            Weighed::SilentBefore(decision) => {
                return Ok(Some(Replied { status: 200, body: told(&decision, policy, None), replayed: true }));
            }
            Weighed::AskedBefore => return self.sidecar.call(&forwarded).map(Some),
            Weighed::Now(weighed) => weighed,
        };
        if !weighed.asked {
            let decision = questions.name(&weighed);
            questions.note(key, &kind, confidence, &weighed, &decision)?;
            return Ok(Some(Replied {
                status: 201,
                body: told(&decision, policy, Some((&weighed, questions.spec()))),
                replayed: false,
            }));
        }
        let replied = self.sidecar.call(&forwarded);
        match &replied {
            Ok(Replied { status: 200 | 201, body, .. }) if body["verdict"] == "ask" => {
                questions.note(key, &kind, confidence, &weighed, body["decision"].as_str().unwrap_or(""))?;
            }
            _ => questions.take_back(),
        }
        replied.map(Some)
    }

    /// What is known of a question that was not asked; a text where it is to be explained.
    fn explained(&self, path: &str) -> Option<Replied> {
        let (decision, explains) = path.strip_suffix("/explain").map_or((path, false), |decision| (decision, true));
        let all = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let (policy, questions) = all.iter().find(|(_, questions)| questions.is_silent(decision))?;
        let body = if explains { questions.explain(decision)?.into() } else { told(decision, policy, None) };
        Some(Replied { status: 200, body, replayed: false })
    }

    /// Learns from an outcome; the answer where the question is not one of the service.
    fn learn(&self, decision: &str, body: &Value) -> Result<Option<Replied>, Error> {
        let mut all = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let success = body["success"].as_bool().map(|success| f64::from(u8::from(success)));
        let reward = body["reward"].as_f64().or(success).filter(|reward| (0.0..=1.0).contains(reward));
        for questions in all.values_mut() {
            if questions.is_silent(decision) && reward.is_none() {
                let fault = "the outcome of a question is `reward`, from 0 to 1, or `success`; send one of them";
                return Ok(Some(refused(&Problem::value(fault))));
            }
            if let Some(reward) = reward
                && questions.learn(decision, reward)?
                && questions.is_silent(decision)
            {
                let body = serde_json::json!({ "accepted": true, "learned": true });
                return Ok(Some(Replied { status: 200, body, replayed: false }));
            }
        }
        Ok(None)
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
        self.keyed(call, |key| match ask((self, call), &endpoints, &self.advice, (&seat, key), &question) {
            Ok(told) => Replied { status: 200, body: told, replayed: false },
            Err(error) => failed(error),
        })
    }
}

impl Sidecar for Broker {
    fn call(&self, call: &Call) -> Result<Replied, Error> {
        if let Some(operation) = OPERATIONS.iter().find(|operation| operation.fits(&call.path))
            && operation.method != call.verb.method()
        {
            let detail = format!("this resource bears {}", operation.method);
            return Ok(refused(&Problem::new(Kind::Method, detail)));
        }
        match (call.verb, call.path.as_str()) {
            (Verb::Post, "/v1/ask") => Ok(self.ask(call)),
            (Verb::Post, "/v1/chat/completions") => {
                door::refusal(&call.body).map_or_else(|| Ok(self.keyed(call, |key| door::answer(self, call, key))), Ok)
            }
            (Verb::Get, "/v1/models") => Ok(door::models(&self.doors())),
            (Verb::Post, "/v1/decisions") => match self.decide(call)? {
                Some(replied) => Ok(replied),
                None => self.sidecar.call(call),
            },
            (Verb::Post, path) => {
                match path.strip_prefix("/v1/decisions/").and_then(|rest| rest.strip_suffix("/outcome")) {
                    Some(decision) => match self.learn(decision, &call.body)? {
                        Some(replied) => Ok(replied),
                        None => self.sidecar.call(call),
                    },
                    None => self.sidecar.call(call),
                }
            }
            (Verb::Get, DOCUMENT) => {
                let replied = self.sidecar.call(call)?;
                Ok(Replied { body: document(replied.body), ..replied })
            }
            (Verb::Get, path) => match path.strip_prefix("/v1/decisions/").and_then(|rest| self.explained(rest)) {
                Some(replied) => Ok(replied),
                None => self.sidecar.call(call),
            },
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
