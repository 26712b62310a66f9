//! An MCP server whose tool is the gate: an executor may call `ask_advisor` as often as it likes, and money flows only where advice is
//! worth it.
//!
//! | part | what it holds |
//! |---|---|
//! | [`McpServer`] | the protocol, from a message to its answer, without input or output |
//! | [`serve_lines`] | standard input and output |
//! | [`McpServer::post`] | one POST of the streamable HTTP transport |
//!
//! Both eras of the protocol are spoken: 2026-07-28, where every request describes itself, and the versions with a handshake before it.
//! The server decides nothing and keeps nothing. It speaks to a [`Sidecar`](counsel_broker::Sidecar), in this process or behind a URL.

mod era;
mod http;
mod lines;
mod message;
mod person;
mod server;
mod tools;

pub use http::{PostHeaders, PostReply};
pub use lines::{LONGEST_LINE, serve_lines};
pub use message::{RpcError, RpcMessage};
pub use server::McpServer;
