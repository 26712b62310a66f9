//! The onlooker: takes up what happened without waiting, and hands it over from a thread of its own.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver as Queue, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use counsel_serve::{Onlooker, Origin, SeenModel, SeenRequest, TraceContext};
use serde_json::{Value, json};

use crate::TelemetrySpec;
use crate::decisions::{Decisions, Told};
use crate::measured::{Measured, route};
use crate::place::Places;
use crate::post::Receiver;
use crate::span::{Attributes, Span, Work};

/// What waits to be taken up.
const QUEUE: usize = 8192;
/// The bytes of bodies that wait.
const QUEUE_BYTES: u64 = 32 << 20;
/// Spans that wait to be sent; beyond that they are sent at once.
const BATCH: usize = 512;
/// Spans that wait at most, where the receiver takes nothing.
const MOST_SPANS: usize = 8192;
/// How long nothing is sent after the receiver took nothing.
const PAUSE: Duration = Duration::from_secs(5);
/// How long the last delivery may take: the process is about to end.
const LAST: Duration = Duration::from_secs(2);

/// The answer of the server to `GET` of this path, where there is one. `GET /metrics` is a text.
pub type Inquiry = Box<dyn Fn(&str) -> Option<Value> + Send>;

enum Happened {
    Seen(Box<SeenRequest>),
    Heard(SeenModel),
}

#[derive(Debug, Default)]
struct Counts {
    waiting_bytes: AtomicU64,
    spans: AtomicU64,
    dropped: AtomicU64,
    failures: AtomicU64,
}

/// The onlooker of a server. Dropping it sends what it still has.
pub struct Telemetry {
    places: Places,
    queue: Mutex<Option<SyncSender<Happened>>>,
    counts: Arc<Counts>,
    thread: Mutex<Option<JoinHandle<()>>>,
    has_ended: Arc<AtomicBool>,
}

impl fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Telemetry").field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl Telemetry {
    /// Begins to send. The nonce is new for every process; `report` hears why a receiver takes nothing, once until it takes again.
    pub fn begin(
        spec: TelemetrySpec,
        nonce: impl Into<String>,
        inquire: Inquiry,
        report: Box<dyn Fn(&str) + Send>,
    ) -> Self {
        let (queue, waiting) = sync_channel(QUEUE);
        let (counts, has_ended) = (Arc::new(Counts::default()), Arc::new(AtomicBool::new(false)));
        let mut sending = Sending {
            receiver: Receiver::new(&spec),
            spec,
            inquire,
            report,
            counts: Arc::clone(&counts),
            decisions: Decisions::default(),
            measured: Measured::since(SystemTime::now()),
            spans: Vec::new(),
            has_reported: false,
            has_ended: Arc::clone(&has_ended),
        };
        let thread = std::thread::spawn(move || sending.run(&waiting));
        Self {
            places: Places::new(nonce.into()),
            queue: Mutex::new(Some(queue)),
            counts,
            thread: Mutex::new(Some(thread)),
            has_ended,
        }
    }

    /// Sends what is left, and waits until it is sent or lost. Nothing is taken up afterwards.
    pub fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // What it could not send, it has counted.
            let _ = thread.join();
        }
    }

    fn take_up(&self, happened: Happened, bytes: usize) {
        let bytes = bytes as u64;
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(queue) = queue.as_ref() else { return };
        let fits = self.counts.waiting_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes <= QUEUE_BYTES;
        if !fits || queue.try_send(happened).is_err() {
            self.counts.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.counts.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        self.end();
    }
}

impl Onlooker for Telemetry {
    fn begin(&self, traceparent: Option<&str>) -> Option<TraceContext> {
        self.places.begin(traceparent)
    }

    fn within(&self, whole: &TraceContext) -> TraceContext {
        self.places.within(whole)
    }

    fn saw(&self, seen: SeenRequest) {
        let bytes = size(&seen);
        self.take_up(Happened::Seen(Box::new(seen)), bytes);
    }

    fn heard(&self, spoken: SeenModel) {
        self.take_up(Happened::Heard(spoken), 0);
    }

    fn counts(&self) -> String {
        let Counts { spans, dropped, failures, .. } = &*self.counts;
        let told = [
            ("spans_sent", "Spans that the receiver of telemetry took.", spans),
            ("dropped", "What was not sent: the queue was full, or the receiver took nothing.", dropped),
            ("failures", "Attempts that the receiver of telemetry did not take.", failures),
        ];
        let lines = told.map(|(name, help, count)| {
            let (name, count) = (format!("counsel_telemetry_{name}_total"), count.load(Ordering::Relaxed));
            format!("# HELP {name} {help}\n# TYPE {name} counter\n{name} {count}\n")
        });
        lines.concat()
    }
}

fn size(seen: &SeenRequest) -> usize {
    seen.request.body.len() + seen.response.body.len()
}

/// What the thread holds.
struct Sending {
    receiver: Receiver,
    spec: TelemetrySpec,
    inquire: Inquiry,
    report: Box<dyn Fn(&str) + Send>,
    counts: Arc<Counts>,
    decisions: Decisions,
    measured: Measured,
    /// Spans beside the policy whose decisions they are.
    spans: Vec<(Option<String>, Span)>,
    has_reported: bool,
    /// Whether the process is about to end: then nothing is sent but once more.
    has_ended: Arc<AtomicBool>,
}

impl Sending {
    fn run(&mut self, queue: &Queue<Happened>) {
        let (mut traces_at, mut metrics_at) =
            (Instant::now() + self.spec.traces_every, Instant::now() + self.spec.metrics_every);
        let mut rests_until = Instant::now();
        loop {
            let next = traces_at.min(metrics_at).max(rests_until).saturating_duration_since(Instant::now());
            match queue.recv_timeout(next) {
                Ok(happened) => self.take(happened),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.has_ended.load(Ordering::Relaxed) || Instant::now() < rests_until {
                continue;
            }
            let now = Instant::now();
            let mut is_taken = true;
            if now >= traces_at || self.spans.len() >= BATCH {
                is_taken &= self.send_traces();
                traces_at = Instant::now() + self.spec.traces_every;
            }
            if now >= metrics_at {
                is_taken &= self.send_metrics();
                metrics_at = Instant::now() + self.spec.metrics_every;
            }
            if !is_taken {
                rests_until = Instant::now() + PAUSE;
            }
        }
        let rest = self.decisions.rest();
        self.keep(rest);
        self.receiver = Receiver::new(&TelemetrySpec { time_out: self.spec.time_out.min(LAST), ..self.spec.clone() });
        self.send_traces();
        let lost = std::mem::take(&mut self.spans).len() as u64;
        self.counts.dropped.fetch_add(lost, Ordering::Relaxed);
        self.send_metrics();
    }

    fn take(&mut self, happened: Happened) {
        match happened {
            Happened::Seen(seen) => {
                self.counts.waiting_bytes.fetch_sub(size(&seen) as u64, Ordering::Relaxed);
                let shape = route(seen.request.path());
                if seen.origin == Origin::Client && shape != "other" {
                    self.measured.saw(&seen);
                }
                self.spans.extend(work(&seen, &shape).map(|span| (None, span)));
                let told = self.decisions.saw(&seen, &self.inquire);
                self.keep(told);
            }
            Happened::Heard(spoken) => {
                self.measured.heard(&spoken);
                let told = self.decisions.heard(&spoken);
                self.keep(told);
            }
        }
    }

    fn keep(&mut self, told: impl IntoIterator<Item = Told>) {
        for Told { policy, spans } in told {
            self.spans.extend(spans.into_iter().map(|span| (policy.clone(), span)));
        }
        let many = self.spans.len().saturating_sub(MOST_SPANS);
        self.spans.drain(..many);
        self.counts.dropped.fetch_add(many as u64, Ordering::Relaxed);
    }

    fn resource(&self, header: Option<String>) -> Value {
        let mut attributes = Attributes::default()
            .with("service.name", self.spec.service.as_str())
            .with("service.version", env!("CARGO_PKG_VERSION"))
            .with("telemetry.sdk.name", "counsel")
            .with("telemetry.sdk.language", "rust")
            .with("telemetry.sdk.version", env!("CARGO_PKG_VERSION"));
        for (name, value) in &self.spec.resource {
            attributes.put(name, value.as_str());
        }
        attributes.put("counsel.shadow", header);
        json!({ "attributes": attributes.json() })
    }

    /// Hands the spans over; what is not taken stays, to be sent later. Whether all was taken.
    fn send_traces(&mut self) -> bool {
        let Some(address) = self.spec.traces.clone() else {
            self.spans.clear();
            return true;
        };
        if self.spans.is_empty() {
            return true;
        }
        let mut by_policy: BTreeMap<Option<&str>, Vec<Value>> = BTreeMap::new();
        for (policy, span) in &self.spans {
            by_policy.entry(policy.as_deref()).or_default().push(span.json());
        }
        let scope = json!({ "name": "counsel", "version": env!("CARGO_PKG_VERSION") });
        let resources = by_policy.into_iter().map(|(policy, spans)| {
            let header = policy.and_then(|policy| self.decisions.header(policy));
            json!({ "resource": self.resource(header), "scopeSpans": [{ "scope": scope, "spans": spans }] })
        });
        let document = json!({ "resourceSpans": resources.collect::<Vec<_>>() });
        let is_taken = self.hand_over(&address, &document.to_string());
        if is_taken {
            self.counts.spans.fetch_add(self.spans.len() as u64, Ordering::Relaxed);
            self.spans.clear();
        }
        is_taken
    }

    fn send_metrics(&mut self) -> bool {
        let Some(address) = self.spec.metrics.clone() else { return true };
        let counts = (self.inquire)("/metrics").and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default();
        let metrics = self.measured.json(SystemTime::now(), &counts);
        let scope = json!({ "name": "counsel", "version": env!("CARGO_PKG_VERSION") });
        let document = json!({ "resourceMetrics": [{ "resource": self.resource(None),
            "scopeMetrics": [{ "scope": scope, "metrics": metrics }] }] });
        // The next ones are cumulative: nothing is lost with these.
        self.hand_over(&address, &document.to_string())
    }

    fn hand_over(&mut self, address: &str, document: &str) -> bool {
        let Err(reason) = self.receiver.post(address, document) else {
            self.has_reported = false;
            return true;
        };
        self.counts.failures.fetch_add(1, Ordering::Relaxed);
        if !std::mem::replace(&mut self.has_reported, true) {
            (self.report)(&reason);
        }
        false
    }
}

/// The span of a client's request, or of a tool. What happens within another request has the span of its decision alone.
fn work(seen: &SeenRequest, shape: &str) -> Option<Span> {
    let (name, work, attributes) = match (seen.origin, shape) {
        (Origin::Within, _) | (Origin::Client, "other") => return None,
        (Origin::Client, _) => {
            let attributes = Attributes::default()
                .with("http.request.method", seen.request.method.as_str())
                .with("http.route", shape)
                .with("http.response.status_code", seen.response.status)
                .with("counsel.replayed", seen.response.replayed);
            (format!("{} {shape}", seen.request.method), Work::Server, attributes)
        }
        (Origin::Tool, _) => {
            let tool = match shape {
                "/v1/ask" => "ask_advisor",
                "/v1/decisions/{name}/outcome" => "report_outcome",
                "/v1/budgets/{name}" => "advice_budget",
                _ => return None,
            };
            let attributes =
                Attributes::default().with("gen_ai.operation.name", "execute_tool").with("gen_ai.tool.name", tool);
            (format!("execute_tool {tool}"), Work::Internal, attributes)
        }
    };
    let (began, took, has_failed) = (seen.began, seen.took, seen.response.status >= 500);
    Some(Span { place: seen.request.trace?, name, work, began, took, attributes, events: Vec::new(), has_failed })
}
