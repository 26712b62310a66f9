//! The connection to an endpoint: reserve, send, settle, and again within the deadline where that may help.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use counsel_advisor::{Decoding, Digest, Identity, Outage, Request, Utterance};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reqwest::{Client, Url};
use serde_json::Value;
use tokio::time::{Duration, Instant, sleep_until, timeout_at};

use crate::breaker::Breaker;
use crate::cancel::{self, Cancel};
use crate::chat::{self, Completion};
use crate::dialect::LearnedLimit;
use crate::exchange::{self, Failure, HttpRequest, Next, Received};
use crate::score::{likeliest, scores};
use crate::{Charge, Ending, EndpointSettings, Error, Ledger, Note, Reservation, Settlement, Tokens, pause};

/// How long past the deadline the last line of the ledger may be waited for.
const GRACE: Duration = Duration::from_secs(1);
/// How long the ledger is waited for at a time.
const SLICE: Duration = Duration::from_millis(50);

/// One endpoint, as the requests that run side by side share it.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) identity: Identity,
    pub(crate) settings: EndpointSettings,
    pub(crate) client: Client,
    pub(crate) chat: Url,
    pub(crate) models: Url,
    pub(crate) ledger: Ledger,
    /// Whose turn it is to write into the ledger, among the requests of this endpoint.
    turn: Arc<tokio::sync::Mutex<()>>,
    pub(crate) cancel: Cancel,
    /// The name of the limit of tokens, as the endpoint's refusals teach it.
    learned: LearnedLimit,
    /// The proxy that it is reached through, as it may be shown.
    via: Option<String>,
    /// Whether a reply with a status ever came.
    pub(crate) replied: AtomicBool,
    /// When to stop asking; closed for good with the reason.
    breaker: Mutex<Breaker>,
    /// How many requests came before: which stream of pauses a request draws from.
    requests: AtomicU64,
}

impl Connection {
    pub(crate) fn new(settings: EndpointSettings, ledger: Ledger) -> Result<Self, Error> {
        settings.check()?;
        let address = settings.address()?;
        let under = |path: &str| {
            let mut url = address.clone();
            url.set_path(&format!("{}{path}", address.path()));
            url
        };
        let identity =
            Identity { model: settings.model.clone(), version: address.to_string(), engine: settings.dialect.engine() };
        Ok(Self {
            identity,
            client: exchange::client(settings.proxies.proxy(&address)?)?,
            via: settings.proxies.shown_for(address.as_str())?,
            breaker: Mutex::new(Breaker::new(settings.stop_after)),
            learned: LearnedLimit::default(),
            replied: AtomicBool::new(false),
            chat: under("/chat/completions"),
            models: under("/models"),
            settings,
            ledger,
            turn: Arc::default(),
            cancel: Cancel::new(),
            requests: AtomicU64::new(0),
        })
    }

    /// A number that no other request of this endpoint has.
    pub(crate) fn number(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed)
    }

    /// The answer to a request.
    pub(crate) async fn ask(&self, number: u64, request: &Request) -> Result<Utterance, Outage> {
        let started = Instant::now();
        let body = chat::body(&self.settings, request)?;
        let judge = |reply: Completion| {
            let (text, scores) = match &request.decoding {
                Decoding::Generate { .. } if reply.text.is_empty() => return Err(Outage::new("the reply is empty")),
                Decoding::Generate { .. } => (reply.text, None),
                Decoding::Scored { words } => {
                    let scores = scores(words, &reply.candidates)?;
                    (likeliest(&scores), Some(scores))
                }
            };
            let latency_ms = Some(milliseconds(started.elapsed()));
            let (request_tokens, response_tokens) = (reply.request_tokens, reply.response_tokens);
            Ok(Utterance { text, scores, request_tokens, response_tokens, latency_ms })
        };
        if let Some(closed) = self.breaker().closed() {
            return Err(closed);
        }
        let answer = self.converse(number, request.prompt.digest(), &body, judge).await;
        // Who stops an endpoint says nothing of it.
        if !self.cancel.is_cancelled() {
            self.breaker().hear(answer.as_ref().err());
        }
        answer
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        // A breaker is consistent after every step, so one that a panic left behind can be used.
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a body until it is answered as `judge` likes, or nothing more may be done.
    pub(crate) async fn converse<T>(
        &self,
        number: u64,
        prompt: Digest,
        body: &Value,
        judge: impl Fn(Completion) -> Result<T, Outage>,
    ) -> Result<T, Outage> {
        let deadline = Instant::now() + self.settings.deadline;
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.jitter_seed);
        rng.set_stream(number);
        let (mut attempt, mut retried) = (1, 0);
        let mut before = String::new();
        loop {
            if self.cancel.is_cancelled() {
                return Err(stopped());
            }
            let (spoken, response) = self.settings.dialect.spoken(body, &self.learned);
            let bytes = spoken.to_string().into_bytes();
            // A token sent is a byte of the body at least, and no more are received than it asks for.
            let most = Tokens { request: bytes.len() as u64, response };
            let price = self.settings.price.as_ref();
            let worst = price.map(|price| Charge { money_nano: price.of(most), currency: price.currency.clone() });
            let note = Note { model: self.settings.model.clone(), prompt, attempt, worst };
            let reserved = self.reserve(&note, deadline).await;
            // Why a retry is needed is worth as much as why there is none.
            let reservation = reserved.map_err(|outage| Outage { reason: outage.reason + &before, ..outage })?;
            let sent = Instant::now();
            let replied = self.exchange(bytes, deadline).await;
            let latency_ms = milliseconds(sent.elapsed());
            let (mut settlement, judged) = self.judge(replied, &judge, latency_ms);
            settlement.cost = price.and_then(|price| counted(&settlement, most).map(|tokens| price.of(tokens)));
            self.settle(reservation, settlement, deadline).await?;
            let failure = match judged {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            attempt += 1;
            before = format!("; the attempt before: {}", failure.outage);
            // The other name is no retry: it is learned once, and reserved as every attempt is.
            if self.learned.learns(self.settings.dialect.token_limit, &spoken, &failure.complaint) {
                continue;
            }
            let Next::Retry { after } = failure.next else {
                return Err(failure.outage);
            };
            retried += 1;
            let but = |then: &str| Outage { reason: format!("{}{then}", failure.outage), ..failure.outage };
            if retried > self.settings.retries {
                return Err(but(&if retried == 1 { String::new() } else { format!(" ({retried} attempts)") }));
            }
            let wait = pause::drawn(&self.settings, retried, &mut rng).max(after.unwrap_or_default());
            match Instant::now().checked_add(wait).filter(|next| *next < deadline) {
                Some(next) => self.wait(next).await,
                None => return Err(but("; another attempt would come after the deadline")),
            }
        }
    }

    /// What came of an attempt, for the ledger and for the caller.
    fn judge<T>(
        &self,
        replied: Result<Received, Failure>,
        judge: impl Fn(Completion) -> Result<T, Outage>,
        latency_ms: f64,
    ) -> (Settlement, Result<T, Failure>) {
        let (mut request_tokens, mut response_tokens, mut answered_status) = (None, None, None);
        let judged = replied.and_then(|Received { status, body }| {
            answered_status = Some(status);
            let stop = |outage| Failure::stop(Some(status), outage);
            let reply = chat::read(&body, &self.settings).map_err(stop)?;
            (request_tokens, response_tokens) = (reply.request_tokens, reply.response_tokens);
            judge(reply).map_err(stop)
        });
        let status_came = answered_status.is_some() || judged.as_ref().is_err_and(|failure| failure.status.is_some());
        self.replied.fetch_or(status_came, Ordering::Relaxed);
        let (ending, reason, status) = match &judged {
            Ok(_) => (Ending::Answered, None, answered_status),
            Err(failure) => (Ending::Outage, Some(failure.outage.reason.clone()), failure.status),
        };
        (Settlement { ending, reason, status, request_tokens, response_tokens, latency_ms, cost: None }, judged)
    }

    /// One attempt within its time-out.
    async fn exchange(&self, body: Vec<u8>, deadline: Instant) -> Result<Received, Failure> {
        let until = deadline.min(Instant::now() + self.settings.time_out);
        let request = HttpRequest {
            client: &self.client,
            key: self.settings.key.as_ref(),
            url: &self.chat,
            body: Some(body),
            max_body_bytes: self.settings.max_body_bytes,
        };
        self.within(until, request).await
    }

    /// What a request brings until then, unless the endpoint is stopped before.
    pub(crate) async fn within(&self, until: Instant, request: HttpRequest<'_>) -> Result<Received, Failure> {
        if Instant::now() >= until {
            return Err(Failure::stop(None, Outage::new("the deadline passed before it could be sent")));
        }
        let replied = tokio::select! {
            biased;
            () = cancel::stopped(self.cancel.watch()) => return Err(Failure::stop(None, stopped())),
            replied = timeout_at(until, request.send()) => replied.unwrap_or_else(|_| {
                // What is set, not what was measured, so that the same fault has the same reason.
                Err(Failure::retry(None, format!("no whole reply within {:?} or the deadline", self.settings.time_out)))
            }),
        };
        replied.map_err(|mut failure| {
            if let (Some(proxy), None) = (&self.via, failure.status) {
                failure.outage.reason = format!("{} (through the proxy {proxy})", failure.outage.reason);
            }
            failure
        })
    }

    async fn wait(&self, until: Instant) {
        tokio::select! {
            () = cancel::closing(self.cancel.watch()) => {}
            () = sleep_until(until) => {}
        }
    }

    /// The right to send one attempt; waits for others in slices, so that it can be stopped in between.
    async fn reserve(&self, note: &Note, deadline: Instant) -> Result<Reservation, Outage> {
        loop {
            let (note, until) = (note.clone(), deadline.min(Instant::now() + SLICE));
            match self.book(until, move |ledger| ledger.reserve(&note, until.into_std())).await {
                Err(Error::Ledger(counsel_ledger::Error::Locked { .. }) | Error::Busy)
                    if self.cancel.is_cancelled() =>
                {
                    return Err(stopped());
                }
                Err(Error::Ledger(counsel_ledger::Error::Locked { .. }) | Error::Busy) if Instant::now() < deadline => {
                }
                // What the others settle may be enough, so a budget that is merely reserved stops nobody too early.
                Err(Error::Ledger(counsel_ledger::Error::Money(shortfall)))
                    if shortfall.under_way > 0 && Instant::now() < deadline =>
                {
                    if self.cancel.is_cancelled() {
                        return Err(stopped());
                    }
                    self.wait(deadline.min(Instant::now() + SLICE)).await;
                }
                outcome => return outcome.map_err(|error| outage_of(&error)),
            }
        }
    }

    /// Writes down how an attempt ended. An answer that cannot be written down is not given.
    async fn settle(&self, reservation: Reservation, settlement: Settlement, deadline: Instant) -> Result<(), Outage> {
        let now = Instant::now();
        let until = if self.cancel.is_cancelled() { now } else { deadline.max(now) } + GRACE;
        let settled = self.book(until, move |ledger| ledger.settle(reservation, &settlement, until.into_std())).await;
        settled.map_err(|error| outage_of(&error))
    }

    /// Acts on the ledger, in turn, on a thread that may wait for the disk.
    async fn book<T: Send + 'static>(
        &self,
        until: Instant,
        act: impl FnOnce(&Ledger) -> Result<T, counsel_ledger::Error> + Send + 'static,
    ) -> Result<T, Error> {
        let turn = timeout_at(until, Arc::clone(&self.turn).lock_owned()).await.map_err(|_| Error::Busy)?;
        let ledger = self.ledger.clone();
        let done = tokio::task::spawn_blocking(move || {
            let done = act(&ledger);
            drop(turn);
            done
        });
        let early = |_| Error::Client { reason: "the ledger's thread ended early".to_owned() };
        Ok(done.await.map_err(early)??)
    }
}

/// The tokens that an endpoint counted, the most possible where it counted one way only; none where it counted nothing.
fn counted(settlement: &Settlement, most: Tokens) -> Option<Tokens> {
    let Settlement { request_tokens: request, response_tokens: response, .. } = settlement;
    request.or(*response)?;
    Some(Tokens {
        request: request.map_or(most.request, u64::from),
        response: response.map_or(most.response, u64::from),
    })
}

/// The outage of an endpoint that was stopped, which is for good.
fn stopped() -> Outage {
    Outage::systematic("cancelled")
}

/// The outage of an attempt that the ledger does not allow, or cannot hold.
fn outage_of(error: &Error) -> Outage {
    let reason = error.to_string();
    match error {
        Error::Ledger(counsel_ledger::Error::Spent { .. } | counsel_ledger::Error::Money(_)) => Outage::spent(reason),
        // Others may let go of it.
        Error::Ledger(counsel_ledger::Error::Locked { .. }) | Error::Busy => Outage::new(reason),
        _ => Outage::systematic(reason),
    }
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
