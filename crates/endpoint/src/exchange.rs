//! One exchange over HTTP: a request is sent, and a status and a bounded body come back, or a failure.
//!
//! The body is counted while it arrives, and given up as soon as it is too long. Redirects are not followed, nothing is
//! unpacked, and no attempt is repeated by the client itself.

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use counsel_advisor::Outage;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{Client, Method, Response, StatusCode, Url, redirect, retry};
use rustls::crypto::ring;
use rustls::{CertificateError, ClientConfig, RootCertStore};

use crate::chat::complaint_of;
use crate::dialect::remedy;
use crate::key::quote;
use crate::resolver::{Resolver, UnknownName};
use crate::{Error, Key, pause};

/// As much of a refusal is read as its message may need.
const REFUSAL_BYTES: usize = 16 << 10;

/// A reply that came whole.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// Why an exchange gave no body.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The status, where one came.
    pub(crate) status: Option<u16>,
    /// The reason, and what it says of the questions that follow.
    pub(crate) outage: Outage,
    /// Whether it may be tried again.
    pub(crate) next: Next,
    /// What the endpoint says, where it refuses what was sent. Not to be quoted: it may repeat the key.
    pub(crate) complaint: String,
}

/// What may follow a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing: another attempt would end the same way.
    Stop,
    /// Another attempt, after the time that the server asks for.
    Retry {
        /// What Retry-After says.
        after: Option<Duration>,
    },
}

impl Failure {
    pub(crate) fn stop(status: Option<u16>, outage: Outage) -> Self {
        Self { status, outage, next: Next::Stop, complaint: String::new() }
    }

    pub(crate) fn retry(status: Option<u16>, reason: impl Into<String>) -> Self {
        let next = Next::Retry { after: None };
        Self { status, outage: Outage::new(reason), next, complaint: String::new() }
    }
}

/// The client: one pool of connections, certificates of the system and those that browsers trust.
pub(crate) fn client(proxy: Option<reqwest::Proxy>) -> Result<Client, Error> {
    let refuse = |reason: String| Error::Client { reason };
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| refuse(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .dns_resolver(Resolver)
        .no_proxy()
        .http1_only()
        .user_agent(concat!("counsel/", env!("CARGO_PKG_VERSION")));
    let client = match proxy {
        Some(proxy) => client.proxy(proxy),
        None => client,
    };
    client.build().map_err(|error| refuse(error.without_url().to_string()))
}

/// What is sent.
pub(crate) struct HttpRequest<'a> {
    pub(crate) client: &'a Client,
    pub(crate) key: Option<&'a Key>,
    pub(crate) url: &'a Url,
    /// JSON to post; without it the address is fetched.
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) max_body_bytes: usize,
}

impl HttpRequest<'_> {
    /// Sends it. Dropping the future closes the connection.
    pub(crate) async fn send(self) -> Result<Received, Failure> {
        let method = if self.body.is_some() { Method::POST } else { Method::GET };
        let mut request = self.client.request(method, self.url.clone());
        if let Some(key) = self.key {
            let header = key.header().map_err(|error| Failure::stop(None, Outage::systematic(error.to_string())))?;
            request = request.header(AUTHORIZATION, header);
        }
        if let Some(body) = self.body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        let mut response = request.send().await.map_err(|error| broken(None, self.key, error))?;
        let status = response.status();
        if !status.is_success() {
            return Err(refused(&mut response, self.key).await);
        }
        match read(&mut response, self.max_body_bytes).await {
            Ok(Body::Whole(body)) => Ok(Received { status: status.as_u16(), body }),
            Ok(Body::Cut(_)) => {
                let reason = format!("the reply is longer than {} bytes", self.max_body_bytes);
                Err(Failure::stop(Some(status.as_u16()), Outage::new(reason)))
            }
            Err(error) => Err(broken(Some(status.as_u16()), self.key, error)),
        }
    }
}

enum Body {
    Whole(Vec<u8>),
    /// The beginning of one that is too long.
    Cut(Vec<u8>),
}

async fn read(response: &mut Response, limit: usize) -> Result<Body, reqwest::Error> {
    let mut bytes = Vec::new();
    if response.content_length().is_some_and(|length| length > limit as u64) {
        return Ok(Body::Cut(bytes));
    }
    while let Some(chunk) = response.chunk().await? {
        if bytes.len() + chunk.len() > limit {
            return Ok(Body::Cut(bytes));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Body::Whole(bytes))
}

/// What a status other than success means.
async fn refused(response: &mut Response, key: Option<&Key>) -> Failure {
    let status = response.status();
    let mut reason = format!("the endpoint answers with status {}", status.as_u16());
    if status.is_redirection() {
        let host = location_host(response.headers()).map(|host| format!(" to `{}`", quote(key, &host)));
        let host = host.unwrap_or_default();
        reason = format!("{reason}, a redirect{host} that is not followed; set the base address to where it leads");
        return Failure::stop(Some(status.as_u16()), Outage::systematic(reason));
    }
    let asked = response.headers().get(RETRY_AFTER).and_then(|header| header.to_str().ok());
    let after = asked.and_then(|header| pause::asked(header, SystemTime::now()));
    // A refusal whose message does not come whole is a refusal all the same.
    let mut complaint = String::new();
    if let Ok(Body::Whole(bytes) | Body::Cut(bytes)) = read(response, REFUSAL_BYTES).await
        && let Some(message) = complaint_of(&bytes)
    {
        let is_form = matches!(status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY);
        let remedy = if is_form { remedy(&message) } else { "" };
        reason = format!("{reason}: {}{remedy}", quote(key, &message));
        complaint = message;
    }
    let number = Some(status.as_u16());
    if is_passing(status) {
        Failure { status: number, outage: Outage::new(reason), next: Next::Retry { after }, complaint }
    } else {
        Failure { complaint, ..Failure::stop(number, Outage::systematic(reason)) }
    }
}

/// Whether a refusal is about this moment, not about address, key, model or the form of what is sent.
fn is_passing(status: StatusCode) -> bool {
    let moment =
        [StatusCode::REQUEST_TIMEOUT, StatusCode::CONFLICT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    status.is_server_error() || moment.contains(&status)
}

fn location_host(headers: &HeaderMap) -> Option<String> {
    let url = Url::parse(headers.get(LOCATION)?.to_str().ok()?).ok()?;
    url.host_str().map(str::to_owned)
}

/// A connection that could not be made or did not last.
fn broken(status: Option<u16>, key: Option<&Key>, error: reqwest::Error) -> Failure {
    let error = error.without_url();
    let what = if error.is_connect() { "cannot connect to the endpoint" } else { "the connection broke" };
    // The innermost cause is the one that says something.
    let chain: Vec<&(dyn StdError + 'static)> =
        std::iter::successors(Some(&error as &(dyn StdError + 'static)), |&cause| cause.source()).collect();
    let cause = chain.last().map(ToString::to_string).unwrap_or_default();
    let said = quote(key, &cause);
    let tls = chain.iter().find_map(|cause| tls_fault(*cause)).filter(|_| error.is_connect());
    let outage = if let Some(fault) = tls {
        Outage::systematic(format!("{what} by TLS: {fault}; check the address and the server's certificate"))
    } else if chain.iter().any(|cause| cause.is::<UnknownName>()) {
        Outage::systematic(format!("{what}: {said}; check the address"))
    } else if error.is_builder() {
        Outage::systematic(format!("{what}: {said}"))
    } else {
        return Failure::retry(status, format!("{what}: {said}"));
    };
    Failure::stop(status, outage)
}

/// What is wrong with TLS where that is why no connection was made: a certificate that is not trusted, or a server that does
/// not speak it, which says something else or hangs up.
fn tls_fault(cause: &(dyn StdError + 'static)) -> Option<&'static str> {
    if let Some(error) = cause.downcast_ref::<std::io::Error>() {
        // An error of the operating system is made of another one that is not among its sources.
        let hung_up = error.kind() == std::io::ErrorKind::UnexpectedEof;
        let hung_up = hung_up.then_some("the server hung up while hands were shaken; perhaps it does not speak TLS");
        return hung_up.or_else(|| tls_fault(error.get_ref()?));
    }
    Some(match cause.downcast_ref::<rustls::Error>()? {
        rustls::Error::InvalidCertificate(fault) => match fault {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "the server's certificate has expired"
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "the server's certificate is not valid yet"
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the server's certificate is for another name"
            }
            _ => "the server's certificate is not trusted on this system",
        },
        rustls::Error::InvalidMessage(_) => "the server does not speak TLS",
        _ => "the server and we cannot agree on how to speak TLS",
    })
}
