//! HTTP over the service: it bears any number of guests, and none of them for ever.
//!
//! Invariants. At most [`CONNECTIONS`] are open; one more closes the one that has waited longest without a request. A head takes at
//! most [`HEAD`], and so does the pause between requests; a body takes at most [`BODY`] and [`MOST_BODY`] bytes, and all bodies that are
//! on their way take [`MOST_BODIES`] together, beyond which only small ones are read. So neither memory nor files run out.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::task::AbortHandle;

use crate::guard::{Credentials, Guard};
use crate::problem::{Kind, Problem};
use crate::{Error, Front, Fronted, Onlooker, Origin, Request, Response, SeenRequest, Service, Stopwatch};

/// Connections that are open at a time.
const CONNECTIONS: usize = 8192;
/// How long a head may take, and the pause before it.
const HEAD: Duration = Duration::from_secs(30);
/// The longest head.
const HEAD_BYTES: usize = 16 << 10;
/// How long a body may take.
const BODY: Duration = Duration::from_secs(10);
/// The largest body.
const MOST_BODY: usize = 256 << 10;
/// What all bodies may take that are on their way.
const MOST_BODIES: usize = 64 << 20;
/// A body that is read even then.
const SMALL: usize = 16 << 10;
/// How long to wait when no connection can be taken.
const RETRY: Duration = Duration::from_millis(10);

/// Where a server listens.
#[derive(Debug)]
pub enum Listener {
    /// At an address.
    Tcp(TcpListener),
    /// At a path, for this machine alone.
    #[cfg(unix)]
    Unix(UnixListener, PathBuf),
}

/// A stream of either kind.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

impl Listener {
    /// Listens at `ADDRESS:PORT`, or at `unix:PATH`. Beyond this machine only with a token.
    pub async fn bind(address: &str, has_token: bool) -> Result<Self, Error> {
        let refuse = |reason: String| Error::Listen { address: address.to_owned(), reason };
        if let Some(path) = address.strip_prefix("unix:") {
            return Self::at_path(path.into()).map_err(refuse);
        }
        let parsed: std::net::SocketAddr = address
            .parse()
            .map_err(|_| refuse("it is no ADDRESS:PORT and no unix:PATH; pass one like 127.0.0.1:8787".into()))?;
        if !parsed.ip().is_loopback() && !has_token {
            return Err(refuse("it can be reached from other machines; pass --token-env NAME with the name of the variable that holds a token".into()));
        }
        let taken = |cause: std::io::Error| refuse(format!("{cause}; choose another port, or 0 for any that is free"));
        Ok(Self::Tcp(TcpListener::bind(parsed).await.map_err(taken)?))
    }

    #[cfg(unix)]
    fn at_path(path: PathBuf) -> Result<Self, String> {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt};
        // A socket that a killed server left is in the way; one that answers is another server's.
        if std::fs::symlink_metadata(&path).is_ok_and(|found| found.file_type().is_socket()) {
            if std::os::unix::net::UnixStream::connect(&path).is_ok() {
                return Err("another server listens there; stop it, or pass another path".into());
            }
            std::fs::remove_file(&path).map_err(|cause| cause.to_string())?;
        }
        let listener = UnixListener::bind(&path).map_err(|cause| cause.to_string())?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).map_err(|cause| cause.to_string())?;
        Ok(Self::Unix(listener, path))
    }

    #[cfg(not(unix))]
    fn at_path(_path: PathBuf) -> Result<Self, String> {
        Err("this system has no Unix sockets; pass ADDRESS:PORT".into())
    }

    /// Where clients find it.
    pub fn url(&self) -> String {
        match self {
            Self::Tcp(listener) => {
                listener.local_addr().map_or_else(|_| "http://".into(), |address| format!("http://{address}"))
            }
            #[cfg(unix)]
            Self::Unix(_, path) => format!("unix:{}", path.display()),
        }
    }

    /// Who may speak to it.
    pub fn guard(&self, token: Option<&str>) -> Guard {
        let guard = match self {
            Self::Tcp(listener) => match listener.local_addr() {
                Ok(address) if address.ip().is_loopback() => Guard::loopback(address.port()).also(&address.to_string()),
                // The token, which such a listener has, says who may.
                _ => return Guard::anywhere(token.unwrap_or_default()),
            },
            #[cfg(unix)]
            Self::Unix(..) => Guard::named(vec!["localhost".into()]),
        };
        token.map_or(guard.clone(), |token| guard.with_token(token))
    }

    async fn accept(&self) -> std::io::Result<Box<dyn Stream>> {
        Ok(match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Answers are small, and nothing is gained by waiting for more.
                let _ = stream.set_nodelay(true);
                Box::new(stream)
            }
            #[cfg(unix)]
            Self::Unix(listener, _) => Box::new(listener.accept().await?.0),
        })
    }
}

/// The open connections, and those that wait for a request, longest first.
#[derive(Default)]
struct Connections(Mutex<Register>);

#[derive(Default)]
struct Register {
    latest: u64,
    open: BTreeMap<u64, (AbortHandle, u64)>,
    /// By when they began to wait.
    waiting: BTreeMap<u64, u64>,
    moments: u64,
}

impl Connections {
    fn held(&self) -> MutexGuard<'_, Register> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn admit(&self, attended: impl FnOnce(u64) -> AbortHandle) {
        let mut register = self.held();
        register.latest += 1;
        register.moments += 1;
        let (number, moment) = (register.latest, register.moments);
        register.open.insert(number, (attended(number), moment));
        register.waiting.insert(moment, number);
        if register.open.len() > CONNECTIONS {
            register.close_longest();
        }
    }

    /// A request has come.
    fn works(&self, number: u64) {
        let mut register = self.held();
        if let Some((_, moment)) = register.open.get(&number).map(|(handle, moment)| (handle.clone(), *moment)) {
            register.waiting.remove(&moment);
        }
    }

    /// Its answer was made.
    fn waits(&self, number: u64) {
        let mut register = self.held();
        register.moments += 1;
        let moment = register.moments;
        if let Some((_, of)) = register.open.get_mut(&number) {
            *of = moment;
            register.waiting.insert(moment, number);
        }
    }

    fn leave(&self, number: u64) {
        let mut register = self.held();
        if let Some((_, moment)) = register.open.remove(&number) {
            register.waiting.remove(&moment);
        }
    }

    fn make_room(&self) {
        self.held().close_longest();
    }
}

impl Register {
    fn close_longest(&mut self) {
        if let Some((_, number)) = self.waiting.pop_first()
            && let Some((handle, _)) = self.open.remove(&number)
        {
            handle.abort();
        }
    }
}

/// What every connection needs.
struct Served {
    service: Arc<Service>,
    front: Option<Arc<dyn Front>>,
    guard: Guard,
    connections: Connections,
    /// The bytes of bodies that are on their way.
    bodies: AtomicUsize,
}

/// Serves until the process ends.
pub async fn serve(listener: Listener, guard: Guard, service: Arc<Service>) -> Infallible {
    serve_behind(None, listener, guard, service).await
}

/// The same behind a front.
pub async fn serve_behind(
    front: Option<Arc<dyn Front>>,
    listener: Listener,
    guard: Guard,
    service: Arc<Service>,
) -> Infallible {
    let served =
        Arc::new(Served { service, front, guard, connections: Connections::default(), bodies: AtomicUsize::new(0) });
    loop {
        let Ok(stream) = listener.accept().await else {
            // No file is left for another connection.
            served.connections.make_room();
            tokio::time::sleep(RETRY).await;
            continue;
        };
        let theirs = Arc::clone(&served);
        served.connections.admit(|number| tokio::spawn(attend(stream, theirs, number)).abort_handle());
    }
}

/// One connection, from its first byte to its last.
async fn attend(stream: Box<dyn Stream>, served: Arc<Served>, number: u64) {
    let answer = service_fn(|request: hyper::Request<Incoming>| {
        let served = Arc::clone(&served);
        async move {
            served.connections.works(number);
            let response = respond(&served, request).await;
            served.connections.waits(number);
            Ok::<_, Infallible>(response)
        }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES);
    // A connection that breaks has nobody to tell.
    let _ = server.serve_connection(TokioIo::new(stream), answer).await;
    served.connections.leave(number);
}

async fn respond(served: &Served, request: hyper::Request<Incoming>) -> hyper::Response<Full<Bytes>> {
    let onlooker = served.front.as_ref().and_then(|front| front.onlooker());
    let traceparent = onlooker.and_then(|_| said(request.headers(), "traceparent")).map(str::to_owned);
    let watch = Stopwatch::start();
    match read(served, request).await {
        Ok(mut request) => {
            request.trace = onlooker.and_then(|onlooker| onlooker.begin(traceparent.as_deref()));
            answered(served, onlooker, request, watch).await
        }
        // What is left of a body that was not read is not waited for.
        Err(problem) => sent(problem.response(), true),
    }
}

/// The answer to a request, which an onlooker sees once it is made.
async fn answered(
    served: &Served,
    onlooker: Option<&Arc<dyn Onlooker>>,
    request: Request,
    watch: Stopwatch,
) -> hyper::Response<Full<Bytes>> {
    let shown = onlooker.filter(|_| request.trace.is_some()).map(|onlooker| (onlooker, request.clone()));
    let is_counted = request.path() == "/metrics";
    let Fronted { mut response, headers } = fronted(served, request).await;
    if let Some((onlooker, request)) = shown {
        let (began, took) = watch.stop();
        onlooker.saw(SeenRequest { request, response: response.clone(), began, took, origin: Origin::Client });
    }
    if let Some(onlooker) = onlooker.filter(|_| is_counted && response.status == 200) {
        response.body.extend_from_slice(onlooker.counts().as_bytes());
    }
    let mut response = sent(response, false);
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

/// The answer of the front or of the service.
async fn fronted(served: &Served, request: Request) -> Fronted {
    let Some(front) = served.front.as_ref().filter(|front| front.answers(&request)) else {
        return Fronted { response: served.service.begin(&request).kept().await, headers: Vec::new() };
    };
    // It answers beside the threads that speak to clients: it may wait for an advisor.
    let front = Arc::clone(front);
    let answered = tokio::task::spawn_blocking(move || front.answer(&request)).await;
    answered.unwrap_or_else(|_| {
        let response = Problem::new(Kind::Fault, "the answer could not be made; try again").response();
        Fronted { response, headers: Vec::new() }
    })
}

fn said(headers: &HeaderMap, name: impl header::AsHeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}"))
}

/// A request, if it may be answered.
async fn read(served: &Served, request: hyper::Request<Incoming>) -> Result<Request, Problem> {
    let (parts, body) = request.into_parts();
    let headers = &parts.headers;
    let host = said(headers, header::HOST).or_else(|| parts.uri.authority().map(hyper::http::uri::Authority::as_str));
    served.guard.check(Credentials {
        host,
        origin: said(headers, header::ORIGIN),
        site: said(headers, "sec-fetch-site"),
        authorization: said(headers, header::AUTHORIZATION),
    })?;
    let mut keys = headers.get_all("idempotency-key").iter();
    let idempotency_key = keys.next().map(|key| key.to_str().unwrap_or("").to_owned());
    if keys.next().is_some() {
        return Err(Problem::value("there are two Idempotency-Keys; send one"));
    }
    let slow = || Problem::new(Kind::TooSlow, format!("send the whole body within {} seconds", BODY.as_secs()));
    let body = tokio::time::timeout(BODY, collected(served, body)).await.map_err(|_| slow())??;
    let target = parts.uri.path_and_query().map_or("/", hyper::http::uri::PathAndQuery::as_str).to_owned();
    let mcp = ["mcp-protocol-version", "mcp-method"].map(|name| said(headers, name).map(str::to_owned));
    Ok(Request { method: parts.method.as_str().to_owned(), target, idempotency_key, mcp, trace: None, body })
}

/// The bytes of a body that are counted as long as it is read.
struct Counted<'a>(&'a AtomicUsize, usize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Relaxed);
    }
}

async fn collected(served: &Served, mut body: Incoming) -> Result<Vec<u8>, Problem> {
    let too_large = || Problem::new(Kind::TooLarge, format!("send at most {MOST_BODY} bytes"));
    if body.size_hint().lower() > MOST_BODY as u64 {
        return Err(too_large());
    }
    let mut counted = Counted(&served.bodies, 0);
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let broken = |_| Problem::new(Kind::Body, "the body broke off; send it whole");
        let Ok(part) = frame.map_err(broken)?.into_data() else { continue };
        if bytes.len() + part.len() > MOST_BODY {
            return Err(too_large());
        }
        let all = counted.0.fetch_add(part.len(), Ordering::Relaxed) + part.len();
        counted.1 += part.len();
        if all > MOST_BODIES && counted.1 > SMALL {
            return Err(Problem::new(Kind::Busy, "too many large bodies are on their way; try again"));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

fn sent(response: Response, closes: bool) -> hyper::Response<Full<Bytes>> {
    let Response { status, content_type, replayed, body } = response;
    let mut sent = hyper::Response::new(Full::new(Bytes::from(body)));
    *sent.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
    let headers = sent.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if replayed {
        headers.insert(HeaderName::from_static("idempotent-replayed"), HeaderValue::from_static("true"));
    }
    if closes {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    if status == 401 {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    sent
}
