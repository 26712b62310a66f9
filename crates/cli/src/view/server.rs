//! The server below `counsel view`: it bears any number of guests, and none of them for ever.
//!
//! Invariants. A connection carries one request. Until its head is there it waits for [`HEAD`] at most; if [`WAITING`] wait, the
//! oldest is closed, so whoever sends nothing makes room for whoever does. At most [`ACTIVE`] requests are answered at a time, and
//! others hear so at once. What was made is sent within [`SENDING`] or dropped. So neither memory nor files run out.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::AbortHandle;

/// Connections that have not said yet what they want.
const WAITING: usize = 256;
/// Requests that are answered at a time.
const ACTIVE: usize = 32;
/// How long a head may take. It comes from this machine.
const HEAD: Duration = Duration::from_secs(5);
/// The longest head that is read.
const HEAD_BYTES: usize = 16 << 10;
/// How long an answer may take on its way once it was made.
const SENDING: Duration = Duration::from_secs(20);
/// How long to wait when no connection can be taken.
const RETRY: Duration = Duration::from_millis(10);

/// The connections that wait, oldest first.
#[derive(Default)]
struct Waiting(Mutex<(u64, BTreeMap<u64, AbortHandle>)>);

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, (u64, BTreeMap<u64, AbortHandle>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets one in, and the oldest go where there are too many.
    fn admit(&self, attended: impl FnOnce(u64) -> AbortHandle) {
        let mut waiting = self.lock();
        waiting.0 += 1;
        let number = waiting.0;
        waiting.1.insert(number, attended(number));
        if waiting.1.len() > WAITING {
            close_oldest(&mut waiting.1);
        }
    }

    /// This one waits no longer.
    fn leave(&self, number: u64) {
        self.lock().1.remove(&number);
    }
}

fn close_oldest(waiting: &mut BTreeMap<u64, AbortHandle>) {
    if let Some((_, oldest)) = waiting.pop_first() {
        oldest.abort();
    }
}

/// Serves until the process ends.
pub(super) async fn serve(listener: TcpListener, router: Router) -> Infallible {
    let (waiting, active) = (Arc::new(Waiting::default()), Arc::new(Semaphore::new(ACTIVE)));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // No file is left for another connection.
            close_oldest(&mut waiting.lock().1);
            tokio::time::sleep(RETRY).await;
            continue;
        };
        let (router, active) = (router.clone(), Arc::clone(&active));
        waiting
            .admit(|number| tokio::spawn(attend(stream, router, active, Arc::clone(&waiting), number)).abort_handle());
    }
}

/// One connection, from its first byte to its last.
async fn attend(stream: TcpStream, router: Router, active: Arc<Semaphore>, waiting: Arc<Waiting>, number: u64) {
    let (made, was_made) = oneshot::channel();
    let made = Mutex::new(Some(made));
    let answer = service_fn(|request: Request<Incoming>| {
        waiting.leave(number);
        let made = made.lock().unwrap_or_else(PoisonError::into_inner).take();
        let permit = Arc::clone(&active).try_acquire_owned().ok();
        let router = TowerToHyperService::new(router.clone());
        async move {
            let response = match permit {
                Some(_) => router.call(request).await?,
                None => busy(),
            };
            made.and_then(|made| made.send(permit).ok());
            Ok::<Response, Infallible>(response)
        }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES).keep_alive(false);
    tokio::select! {
        _ = server.serve_connection(TokioIo::new(stream), answer) => {}
        () = sent_too_slowly(was_made) => {}
    }
    waiting.leave(number);
}

/// Ends when an answer has been on its way for too long. Until then it counts as active.
async fn sent_too_slowly(was_made: oneshot::Receiver<Option<OwnedSemaphorePermit>>) {
    let Ok(_permit) = was_made.await else { return std::future::pending().await };
    tokio::time::sleep(SENDING).await;
}

/// What is answered when there is too much to do.
pub(super) fn busy() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "too many requests at a time; try again\n").into_response()
}
