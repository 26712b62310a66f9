//! The line to an endpoint: reserve, send, settle, and again within the deadline where that may help.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use counsel_advisor::{Decoding, Digest, Identity, Outage, Request, Utterance};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reqwest::{Client, Url};
use serde_json::Value;
use tokio::time::{Duration, Instant, sleep_until, timeout_at};

use crate::cancel::{Cancel, cancelled};
use crate::chat::{self, Reply};
use crate::exchange::{self, Failure, Letter, Next, Received};
use crate::score::{likeliest, scores};
use crate::{Charge, Ending, Error, Ledger, Note, Reservation, Settings, Settlement, Tokens, pause};

/// How long past the deadline the last line of the ledger may be waited for.
const GRACE: Duration = Duration::from_secs(1);
/// How long the ledger is waited for at a time.
const SLICE: Duration = Duration::from_millis(50);

/// What the tasks share.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) identity: Identity,
    pub(crate) settings: Settings,
    pub(crate) client: Client,
    pub(crate) chat: Url,
    pub(crate) models: Url,
    pub(crate) ledger: Ledger,
    /// Whose turn it is to write into the ledger, among the requests of this endpoint.
    turn: Arc<tokio::sync::Mutex<()>>,
    pub(crate) cancel: Cancel,
    /// How many requests came before: which stream of pauses a request draws from.
    requests: AtomicU64,
}

impl Line {
    pub(crate) fn new(settings: Settings, ledger: Ledger) -> Result<Self, Error> {
        settings.check()?;
        let address = settings.address()?;
        let under = |path: &str| {
            let mut url = address.clone();
            url.set_path(&format!("{}{path}", address.path()));
            url
        };
        let identity = Identity {
            model: settings.model.clone(),
            version: address.to_string(),
            engine: "openai-compatible endpoint".to_owned(),
        };
        Ok(Self {
            identity,
            client: exchange::client()?,
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
        let judge = |reply: Reply| {
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
        self.converse(number, request.prompt.digest(), &body, judge).await
    }

    /// Sends a body until it is answered as `judge` likes, or nothing more may be done.
    pub(crate) async fn converse<T>(
        &self,
        number: u64,
        prompt: Digest,
        body: &Value,
        judge: impl Fn(Reply) -> Result<T, Outage>,
    ) -> Result<T, Outage> {
        let deadline = Instant::now() + self.settings.deadline;
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.jitter_seed);
        rng.set_stream(number);
        let bytes = body.to_string().into_bytes();
        // A token sent is a byte of the body at least, and no more are received than it asks for.
        let response = body["max_tokens"].as_u64().unwrap_or(u64::MAX);
        let most = Tokens { request: bytes.len() as u64, response };
        let mut attempt = 1;
        let mut before = String::new();
        loop {
            if self.cancel.is_cancelled() {
                return Err(stopped());
            }
            let price = self.settings.price.as_ref();
            let worst = price.map(|price| Charge { money_nano: price.of(most), currency: price.currency.clone() });
            let note = Note { model: self.settings.model.clone(), prompt, attempt, worst };
            let reserved = self.reserve(&note, deadline).await;
            // Why a retry is needed is worth as much as why there is none.
            let reservation = reserved.map_err(|outage| Outage { reason: outage.reason + &before, ..outage })?;
            let sent = Instant::now();
            let replied = self.exchange(bytes.clone(), deadline).await;
            let latency_ms = milliseconds(sent.elapsed());
            let (mut settlement, judged) = self.judge(replied, &judge, latency_ms);
            settlement.cost = price.and_then(|price| counted(&settlement, most).map(|tokens| price.of(tokens)));
            self.settle(reservation, settlement, deadline).await?;
            let failure = match judged {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let Next::Retry { after } = failure.next else {
                return Err(failure.outage);
            };
            let but = |then: &str| Outage { reason: format!("{}{then}", failure.outage), ..failure.outage };
            if attempt > self.settings.retries {
                return Err(but(&if attempt == 1 { String::new() } else { format!(" ({attempt} attempts)") }));
            }
            let wait = pause::drawn(&self.settings, attempt, &mut rng).max(after.unwrap_or_default());
            match Instant::now().checked_add(wait).filter(|next| *next < deadline) {
                Some(next) => self.wait(next).await,
                None => return Err(but("; another attempt would come after the deadline")),
            }
            attempt += 1;
            before = format!("; the attempt before: {}", failure.outage);
        }
    }

    /// What came of an attempt, for the ledger and for the caller.
    fn judge<T>(
        &self,
        replied: Result<Received, Failure>,
        judge: impl Fn(Reply) -> Result<T, Outage>,
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
        let (ending, reason, status) = match &judged {
            Ok(_) => (Ending::Answered, None, answered_status),
            Err(failure) => (Ending::Outage, Some(failure.outage.reason.clone()), failure.status),
        };
        (Settlement { ending, reason, status, request_tokens, response_tokens, latency_ms, cost: None }, judged)
    }

    /// One attempt within its time-out.
    async fn exchange(&self, body: Vec<u8>, deadline: Instant) -> Result<Received, Failure> {
        let until = deadline.min(Instant::now() + self.settings.time_out);
        let letter = Letter {
            client: &self.client,
            key: self.settings.key.as_ref(),
            url: &self.chat,
            body: Some(body),
            max_body_bytes: self.settings.max_body_bytes,
        };
        self.within(until, letter).await
    }

    /// What a letter brings until then, unless the endpoint is stopped before.
    pub(crate) async fn within(&self, until: Instant, letter: Letter<'_>) -> Result<Received, Failure> {
        if Instant::now() >= until {
            return Err(Failure::stop(None, Outage::new("the deadline passed before it could be sent")));
        }
        let mut watch = self.cancel.watch();
        tokio::select! {
            biased;
            () = cancelled(&mut watch) => Err(Failure::stop(None, stopped())),
            replied = timeout_at(until, letter.send()) => replied.unwrap_or_else(|_| {
                // What is set, not what was measured, so that the same fault has the same reason.
                Err(Failure::retry(None, format!("no whole reply within {:?} or the deadline", self.settings.time_out)))
            }),
        }
    }

    async fn wait(&self, until: Instant) {
        let mut watch = self.cancel.watch();
        tokio::select! {
            () = cancelled(&mut watch) => {}
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
                outcome => return outcome.map_err(|error| unbooked(&error)),
            }
        }
    }

    /// Writes down how an attempt ended. An answer that cannot be written down is not given.
    async fn settle(&self, reservation: Reservation, settlement: Settlement, deadline: Instant) -> Result<(), Outage> {
        let now = Instant::now();
        let until = if self.cancel.is_cancelled() { now } else { deadline.max(now) } + GRACE;
        let settled = self.book(until, move |ledger| ledger.settle(reservation, &settlement, until.into_std())).await;
        settled.map_err(|error| unbooked(&error))
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
fn unbooked(error: &Error) -> Outage {
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
