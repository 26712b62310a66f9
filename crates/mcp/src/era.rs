//! Which protocol a request speaks.
//!
//! Since 2026-07-28 every request says so itself, in `params._meta`, and an answer that needs a person comes back as `input_required`.
//! Before, a handshake said it for a connection, and the server sent requests of its own. A request without the envelope is of the older
//! era.

use serde_json::{Map, Value, json};

use crate::message::{INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION};

/// The version whose requests describe themselves.
pub(crate) const MODERN: &str = "2026-07-28";
/// The versions with a handshake, newest first.
pub(crate) const HANDSHAKE: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// Which protocol a request speaks, and what its client can do where the request says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// A handshake came before, or should have.
    Handshake,
    /// The request describes itself.
    Modern {
        /// Whether the client can put a form before a person.
        asks_a_person: bool,
    },
}

impl Era {
    /// The era of a request.
    pub(crate) fn of(params: &Map<String, Value>) -> Result<Self, RpcError> {
        let Some(meta) = params.get("_meta").and_then(Value::as_object) else { return Ok(Self::Handshake) };
        let Some(version) = meta.get(VERSION_KEY) else { return Ok(Self::Handshake) };
        let Some(version) = version.as_str() else {
            return Err(RpcError::new(INVALID_PARAMS, format!("`{VERSION_KEY}` is no text; send \"{MODERN}\"")));
        };
        if version != MODERN {
            let message =
                format!("the version `{version}` is not spoken here; speak {MODERN}, or begin with initialize");
            let data = Some(json!({ "supported": [MODERN], "requested": version }));
            return Err(RpcError { code: UNSUPPORTED_VERSION, message, data });
        }
        let Some(capabilities) = meta.get(CAPABILITIES_KEY) else {
            let message = format!("`_meta` has no `{CAPABILITIES_KEY}`; say what the client can do, if only {{}}");
            return Err(RpcError::new(INVALID_PARAMS, message));
        };
        Ok(Self::Modern { asks_a_person: has_forms(capabilities) })
    }

    /// A result as this era wants it.
    pub(crate) fn dress(self, mut result: Value) -> Value {
        if matches!(self, Self::Modern { .. }) {
            if result["resultType"].is_null() {
                result["resultType"] = "complete".into();
            }
            result["_meta"] = json!({ SERVER_KEY: server_info() });
        }
        result
    }

    /// A result that may be kept, as this era wants it: it is the same until the server is replaced.
    pub(crate) fn dress_kept(self, mut result: Value) -> Value {
        if matches!(self, Self::Modern { .. }) {
            result["ttlMs"] = 0.into();
            result["cacheScope"] = "private".into();
        }
        self.dress(result)
    }
}

/// Whether a client with these capabilities can put a form before a person. Before forms had a name, an empty object said so.
pub(crate) fn has_forms(capabilities: &Value) -> bool {
    capabilities["elicitation"].as_object().is_some_and(|modes| modes.is_empty() || modes.contains_key("form"))
}

/// Who answers.
pub(crate) fn server_info() -> Value {
    json!({ "name": "counsel", "title": "counsel: advice where it is worth its price", "version": env!("CARGO_PKG_VERSION") })
}
