//! Who looks on: what was asked and answered is handed over after the answer was made, and nobody waits for it.

use std::time::{Duration, SystemTime};

use crate::{Request, Response};

/// Where a piece of work stands in a trace, as W3C Trace Context has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TraceContext {
    /// The trace.
    pub trace: [u8; 16],
    /// This piece of work.
    pub span: [u8; 8],
    /// The one that it is a part of.
    pub parent: Option<[u8; 8]>,
}

/// Measures a piece of work, for those who look on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopwatch(SystemTime);

impl Stopwatch {
    /// The work begins.
    pub fn start() -> Self {
        Self(SystemTime::now())
    }

    /// When it began, and how long it took up to now.
    pub fn stop(&self) -> (SystemTime, Duration) {
        (self.0, self.0.elapsed().unwrap_or_default())
    }
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A client, over HTTP.
    Client,
    /// A tool of an agent, over MCP.
    Tool,
    /// Another request that was under way.
    Within,
}

/// A request that was answered.
#[derive(Debug, Clone)]
pub struct SeenRequest {
    /// What was asked for; its [`Request::trace`] is set.
    pub request: Request,
    /// What was answered.
    pub response: Response,
    /// When it came.
    pub began: SystemTime,
    /// How long the answer took.
    pub took: Duration,
    /// Where it comes from.
    pub origin: Origin,
}

/// A model that was asked for a decision.
#[derive(Debug, Clone)]
pub struct SeenModel {
    /// The work that it is a part of.
    pub within: TraceContext,
    /// The decision, where it is known.
    pub decision: Option<String>,
    /// The model that was asked for.
    pub model: String,
    /// When it was asked.
    pub began: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// Tokens of the request and of the answer, where they were counted.
    pub tokens: [Option<u64>; 2],
    /// Whether an answer came.
    pub has_answered: bool,
}

/// Looks on. Every call returns at once: what cannot be taken up is dropped and counted.
pub trait Onlooker: std::fmt::Debug + Send + Sync {
    /// The place in a trace of work that begins with this `traceparent`; none where it is not to be recorded.
    fn begin(&self, traceparent: Option<&str>) -> Option<TraceContext>;

    /// The place of a part of this work.
    fn within(&self, whole: &TraceContext) -> TraceContext;

    /// A request was answered.
    fn saw(&self, seen: SeenRequest);

    /// A model was asked.
    fn heard(&self, spoken: SeenModel);

    /// Its own counts, in the text format of Prometheus.
    fn counts(&self) -> String;
}
