//! What `counsel serve` answers beside decisions: questions that it puts to an endpoint, chat completions, and MCP over HTTP.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use counsel_broker::{Broker, Call, Caller, LocalSidecar, PolicyFile, Replied, Seat, Sidecar, Verb, Watched};
use counsel_mcp::{McpServer, PostHeaders};
use counsel_serve::{
    Described, Front, Fronted, Keyed, Kind, Onlooker, Problem, Request, Response, Service, extended, object,
};
use serde_json::{Value, json};

use crate::mcp::{nonce, questions_of, variable};

/// Where MCP is spoken: this and the name of a policy.
const MCP: &str = "/mcp/";
/// The path of the document that describes the interface.
const DOCUMENT: &str = "/openapi.json";

/// MCP over HTTP, as the document describes it.
const DESCRIBED: Described = Described {
    method: "POST",
    path: "/mcp/{name}",
    id: "Mcp",
    summary: "One message of the Model Context Protocol, to the tools of a policy that was given by --policy; no sessions, no streams",
    body: Some("RpcMessage"),
    answer: "RpcAnswer",
    statuses: &[200, 202],
    keyed: Keyed::Never,
    query: &[],
    refusal: Some("RpcAnswer"),
};

/// The forms of its messages.
fn schemas() -> Value {
    let id = json!({ "type": ["string", "integer", "null"] });
    let error = object(
        &["code", "message"],
        json!({ "code": { "type": "integer" }, "message": { "type": "string" }, "data": { "type": "object" } }),
    );
    let version = json!({ "enum": ["2.0"] });
    json!({
        "RpcMessage": object(&["jsonrpc"], json!({
            "jsonrpc": version, "id": { "type": ["string", "integer"] }, "method": { "type": "string" }, "params": { "type": "object" },
            "result": { "type": "object" }, "error": error,
        })),
        "RpcAnswer": object(&["jsonrpc", "id"], json!({
            "jsonrpc": version, "id": id, "result": { "type": "object" }, "error": error,
        })),
    })
}

/// The broker of all policies, and an MCP server for each that was declared at the start.
pub(super) struct Gate {
    broker: Arc<Broker>,
    servers: BTreeMap<String, McpServer>,
    onlooker: Option<Arc<dyn Onlooker>>,
}

impl Gate {
    /// A gate before this service.
    pub(super) fn new(service: &Arc<Service>, onlooker: Option<Arc<dyn Onlooker>>) -> Self {
        let local = Box::new(LocalSidecar(Arc::clone(service)));
        let broker = Broker::new(local, nonce()).watched_by(onlooker.clone());
        Self { broker: Arc::new(broker), servers: BTreeMap::new(), onlooker }
    }

    /// Takes the endpoints out of a policy file, and gives back what is left of it for the service.
    pub(super) fn declare(&mut self, dir: &Path, name: &str, policy: &[u8]) -> anyhow::Result<Vec<u8>> {
        // What is no text is refused by the service, in its own words.
        let Ok(text) = std::str::from_utf8(policy) else { return Ok(policy.to_owned()) };
        let PolicyFile { policy, endpoints, questions } = PolicyFile::read(text, &variable)?;
        self.broker.declare(name, endpoints);
        if let Some(questions) = questions {
            self.broker.decide_questions(name, questions, Some(questions_of(dir, name)))?;
        }
        let seat = Seat { policy: name.to_owned(), run: "mcp".to_owned(), episode: None };
        let shared = Shared { broker: Arc::clone(&self.broker), onlooker: self.onlooker.clone() };
        let server = McpServer::new(Box::new(shared), seat, nonce());
        self.servers.insert(name.to_owned(), server);
        Ok(policy.into_bytes())
    }

    fn mcp(&self, request: &Request) -> Response {
        let name = request.path().strip_prefix(MCP).unwrap_or("");
        let Some(server) = self.servers.get(name) else {
            let detail = "there is no MCP server of this name; name a policy that was given by --policy";
            return Problem::new(Kind::Unknown, detail).response();
        };
        if request.method != "POST" {
            return Problem::new(Kind::Method, "this resource bears POST; there are no streams and no sessions")
                .response();
        }
        let [version, method] = request.mcp.clone();
        let reply = server.post(&PostHeaders { version, method }, &request.body);
        Response::json(reply.status, reply.body.map(|body| body.to_string()).unwrap_or_default())
    }

    fn brokered(&self, request: &Request) -> Fronted {
        let verb = match request.method.as_str() {
            "GET" => Verb::Get,
            "POST" => Verb::Post,
            _ => return plain(Problem::new(Kind::Method, "this resource bears GET or POST").response()),
        };
        let body = match (verb, serde_json::from_slice(&request.body)) {
            (Verb::Get, _) => Value::Null,
            (Verb::Post, Ok(body)) => body,
            (Verb::Post, Err(_)) => {
                return plain(Problem::new(Kind::Body, "the body is no JSON; send an object").response());
            }
        };
        let key = request.idempotency_key.clone();
        match self.broker.call(&Call { verb, path: request.path().to_owned(), key, body, trace: request.trace }) {
            Ok(replied) if request.path() == DOCUMENT && replied.status == 200 => {
                fronted(Replied { body: extended(replied.body, &[DESCRIBED], &schemas()), ..replied })
            }
            Ok(replied) => fronted(replied),
            Err(error) => plain(Problem::new(Kind::Fault, error).response()),
        }
    }
}

impl Front for Gate {
    fn answers(&self, request: &Request) -> bool {
        let path = request.path();
        path.starts_with(MCP) || self.broker.answers(path, &request.body)
    }

    fn answer(&self, request: &Request) -> Fronted {
        if request.path().starts_with(MCP) { plain(self.mcp(request)) } else { self.brokered(request) }
    }

    fn onlooker(&self) -> Option<&Arc<dyn Onlooker>> {
        self.onlooker.as_ref()
    }
}

/// The broker, as a sidecar that several servers share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) broker: Arc<Broker>,
    pub(crate) onlooker: Option<Arc<dyn Onlooker>>,
}

impl Sidecar for Shared {
    fn call(&self, call: &Call) -> Result<Replied, counsel_broker::Error> {
        Watched::new(&*self.broker, self.onlooker.as_ref(), Caller::Tool).call(call)
    }
}

fn plain(response: Response) -> Fronted {
    Fronted { response, headers: Vec::new() }
}

/// A reply as it is sent. What was done stands in headers, too, for clients that see nothing else.
fn fronted(replied: Replied) -> Fronted {
    let done = &replied.body["counsel"];
    let named = [
        ("counsel-answered-by", &done["answered_by"]),
        ("counsel-decision", &done["decision_id"]),
        ("counsel-verdict", &done["verdict"]),
    ];
    let headers = named.into_iter().filter_map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect();
    let content_type = if replied.body["type"].is_string() { "application/problem+json" } else { "application/json" };
    if let Value::String(text) = replied.body {
        return plain(Response::text(replied.status, text));
    }
    let body = replied.body.to_string().into_bytes();
    let response = Response { status: replied.status, content_type, replayed: replied.replayed, body };
    Fronted { response, headers }
}
