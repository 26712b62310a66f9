//! The protocol: a message and its answer.

use std::sync::atomic::{AtomicU64, Ordering};

use counsel_broker::{Call, Consultation, Error, Paid, Question, Seat, Sidecar, Step};
use serde_json::{Map, Value, json};

use crate::era::{Era, HANDSHAKE, MODERN, server_info};
use crate::message::{INVALID_PARAMS, METHOD_NOT_FOUND, RpcError};
use crate::person::{self, Person, is_token};
use crate::tools;

/// The server: a sidecar, and for whom it decides.
#[derive(Debug)]
pub struct McpServer {
    sidecar: Box<dyn Sidecar>,
    seat: Seat,
    /// Begins the keys of this server's decisions, so that no other server's are the same.
    nonce: String,
    calls: AtomicU64,
}

/// What a tool brought.
enum Brought {
    /// Its result, for a model and for programs.
    Result(Value),
    /// A fault that the model can mend, in words.
    Fault(String),
    /// The answer that asks for a person.
    Required(Value),
}

impl McpServer {
    /// A server that decides for `seat`. The nonce is new for every process.
    pub fn new(sidecar: Box<dyn Sidecar>, seat: Seat, nonce: impl Into<String>) -> Self {
        Self { sidecar, seat, nonce: nonce.into(), calls: AtomicU64::new(0) }
    }

    /// The answer to a request. `person` says how a person is reached where the request itself does not.
    pub(crate) fn serve(
        &self,
        method: &str,
        params: &Map<String, Value>,
        person: &Person<'_>,
    ) -> Result<Value, RpcError> {
        let era = Era::of(params)?;
        match (method, era) {
            ("initialize", Era::Handshake) => Ok(initialize(params)),
            ("server/discover", Era::Modern { .. }) => Ok(era.dress_kept(json!({
                "supportedVersions": [MODERN], "capabilities": { "tools": {} }, "instructions": tools::INSTRUCTIONS,
            }))),
            ("ping", Era::Handshake) => Ok(json!({})),
            ("tools/list", _) => match params.get("cursor") {
                None | Some(Value::Null) => Ok(era.dress_kept(json!({ "tools": tools::listed() }))),
                Some(_) => Err(RpcError::new(INVALID_PARAMS, "there is one page of tools; leave `cursor` out")),
            },
            ("tools/call", Era::Handshake) => self.call(params, person).map(|result| era.dress(result)),
            ("tools/call", Era::Modern { asks_a_person }) => {
                let person = if asks_a_person { Person::InRounds } else { Person::Absent };
                self.call(params, &person).map(|result| era.dress(result))
            }
            _ => {
                let message = format!("there is no method `{}` here; this server has tools only", shortened(method));
                Err(RpcError::new(METHOD_NOT_FOUND, message))
            }
        }
    }

    fn call(&self, params: &Map<String, Value>, person: &Person<'_>) -> Result<Value, RpcError> {
        let name = params.get("name").and_then(Value::as_str).unwrap_or("");
        let empty = Map::new();
        let arguments = match params.get("arguments") {
            None | Some(Value::Null) => &empty,
            Some(Value::Object(arguments)) => arguments,
            Some(_) => return Err(RpcError::new(INVALID_PARAMS, "`arguments` is no object; pass arguments by name")),
        };
        let brought = match name {
            tools::ASK => self.ask(arguments, params, person)?,
            tools::REPORT => self.report(arguments),
            tools::BUDGET => self.budget(arguments),
            _ => {
                let known = [tools::ASK, tools::REPORT, tools::BUDGET].join(", ");
                let message = format!("there is no tool `{}`; call one of {known}", shortened(name));
                return Err(RpcError::new(INVALID_PARAMS, message));
            }
        };
        Ok(match brought {
            Brought::Result(told) => json!({
                "content": [{ "type": "text", "text": told.to_string() }], "structuredContent": told, "isError": false,
            }),
            Brought::Fault(words) => json!({ "content": [{ "type": "text", "text": words }], "isError": true }),
            Brought::Required(required) => required,
        })
    }

    /// `ask_advisor`. The model behind the policy's endpoint is asked by the sidecar; without one, a person; without a person, nobody.
    fn ask(
        &self,
        arguments: &Map<String, Value>,
        params: &Map<String, Value>,
        person: &Person<'_>,
    ) -> Result<Brought, RpcError> {
        let mut arguments = arguments.clone();
        let episode = match arguments.remove("episode") {
            None | Some(Value::Null) => self.seat.episode.clone(),
            Some(Value::String(name)) if is_token(&name) => Some(name),
            Some(_) => {
                let fault = "`episode` is no name; pass 1 to 128 letters, digits, -, _ and ., or leave it out";
                return Ok(Brought::Fault(fault.into()));
            }
        };
        let seat = Seat { episode, ..self.seat.clone() };
        let question = match Question::read(&arguments) {
            Ok(question) => question,
            Err(fault) => return Ok(Brought::Fault(fault)),
        };
        if let Some(state) = params.get("requestState").filter(|state| !state.is_null()) {
            let paid = person::continued(state)?;
            let response = params.get("inputResponses").and_then(person::response);
            return Ok(self.continue_with(&question, &paid, response).unwrap_or_else(Into::into));
        }
        let key = format!("{}-{}", self.nonce, self.calls.fetch_add(1, Ordering::Relaxed));
        let asked = self.ask_endpoint(&seat, arguments, &key);
        Ok(match (asked, person) {
            (Err(Error::Refused(problem)), Person::Absent) if problem.is("no-endpoint") => Brought::Result(json!({
                "asked": false, "may_act": false, "verdict": "act", "proceed_with": "your own plan",
                "reason": format!("no advisor is configured: the policy `{}` names no endpoint, and this client shows no forms \
                    to a person. Nothing was spent; go on with your own plan", self.seat.policy),
            })),
            (Err(Error::Refused(problem)), _) if problem.is("no-endpoint") => {
                self.ask_person(&seat, &question, &key, person).unwrap_or_else(Into::into)
            }
            (asked, _) => asked.into(),
        })
    }

    /// The sidecar decides, asks the policy's endpoint, and judges.
    fn ask_endpoint(&self, seat: &Seat, arguments: Map<String, Value>, key: &str) -> Result<Value, Error> {
        let mut body = Value::Object(arguments);
        body["policy"] = json!(seat.policy);
        body["run"] = json!(seat.run);
        if let Some(episode) = &seat.episode {
            body["episode"] = json!(episode);
        }
        Ok(self.sidecar.call(&Call::post("/v1/ask", body).keyed(key))?.success()?)
    }

    fn ask_person(&self, seat: &Seat, question: &Question, key: &str, person: &Person<'_>) -> Result<Brought, Error> {
        let consultation = self.consultation(question)?;
        let first = consultation.begin(seat, key, None)?;
        Self::go_on(question, &consultation, first, person)
    }

    /// The repeated call of a client that asked the person meanwhile.
    fn continue_with(&self, question: &Question, paid: &Paid, response: Option<&Value>) -> Result<Brought, Error> {
        let consultation = self.consultation(question)?;
        let next = consultation.finish(paid, &person::heard(response))?;
        Self::go_on(question, &consultation, next, &Person::InRounds)
    }

    /// Asks the person as long as the policy wants another answer, or asks the client to.
    fn go_on(
        question: &Question,
        consultation: &Consultation<'_>,
        mut step: Step,
        person: &Person<'_>,
    ) -> Result<Brought, Error> {
        loop {
            let paid = match step {
                Step::Settled(told) => return Ok(Brought::Result(told)),
                Step::Open(paid) => paid,
            };
            let form = person::form(&question.text, consultation.options());
            let heard = match person {
                Person::InRounds => return Ok(Brought::Required(person::required(&form, &paid))),
                Person::Waiting(shown) => person::heard(shown(&form).as_ref()),
                Person::Absent => person::heard(None),
            };
            step = consultation.finish(&paid, &heard)?;
        }
    }

    fn consultation<'a>(&'a self, question: &'a Question) -> Result<Consultation<'a>, Error> {
        Consultation::new(&*self.sidecar, &self.seat.policy, question)
    }

    fn report(&self, arguments: &Map<String, Value>) -> Brought {
        if let Some(name) = arguments.keys().find(|name| !matches!(name.as_str(), "decision_id" | "success")) {
            return Brought::Fault(format!("`{}` is not known; pass decision_id and success", shortened(name)));
        }
        let id = arguments.get("decision_id").and_then(Value::as_str).unwrap_or("");
        if !is_token(id) {
            return Brought::Fault(
                "`decision_id` is missing or none; pass the decision_id of ask_advisor's result".into(),
            );
        }
        let Some(success) = arguments.get("success").and_then(Value::as_bool) else {
            return Brought::Fault("`success` is missing; pass true or false".into());
        };
        let body = json!({ "reward": if success { 1.0 } else { 0.0 }, "final": true });
        let call = Call::post(format!("/v1/decisions/{id}/outcome"), body);
        self.sidecar.call(&call).and_then(|replied| Ok(replied.success()?)).into()
    }

    fn budget(&self, arguments: &Map<String, Value>) -> Brought {
        if let Some(name) = arguments.keys().next() {
            return Brought::Fault(format!("`{}` is not known; advice_budget takes no arguments", shortened(name)));
        }
        let call = Call::get(format!("/v1/budgets/{}", self.seat.policy));
        self.sidecar.call(&call).and_then(|replied| Ok(replied.success()?)).into()
    }
}

impl From<Error> for Brought {
    fn from(error: Error) -> Self {
        Self::Fault(error.to_string())
    }
}

impl From<Result<Value, Error>> for Brought {
    fn from(asked: Result<Value, Error>) -> Self {
        match asked {
            Ok(told) => Self::Result(told),
            Err(error) => error.into(),
        }
    }
}

fn initialize(params: &Map<String, Value>) -> Value {
    let wanted = params.get("protocolVersion").and_then(Value::as_str).unwrap_or("");
    let version = HANDSHAKE.iter().find(|known| **known == wanted).unwrap_or(&HANDSHAKE[0]);
    json!({
        "protocolVersion": version, "capabilities": { "tools": { "listChanged": false } }, "serverInfo": server_info(),
        "instructions": tools::INSTRUCTIONS,
    })
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
