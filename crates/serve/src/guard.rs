//! Who may speak to the server.
//!
//! On this machine: whoever names it by its own address, and no page of another site, so a page in a browser cannot reach it by a
//! name that leads here. From elsewhere: whoever has the token.

use subtle::ConstantTimeEq;

use crate::problem::{Kind, Problem};
use sha2::{Digest, Sha256};

/// What a request says of where it comes from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Credentials<'a> {
    /// `Host`.
    pub host: Option<&'a str>,
    /// `Origin`.
    pub origin: Option<&'a str>,
    /// `Sec-Fetch-Site`, which a browser says and nothing else.
    pub site: Option<&'a str>,
    /// `Authorization`.
    pub authorization: Option<&'a str>,
}

/// Who may speak to the server.
#[derive(Debug, Clone)]
pub struct Guard {
    /// The names under which the server may be spoken to; any where it listens beyond this machine.
    hosts: Option<Vec<String>>,
    /// The digest of the token.
    token: Option<[u8; 32]>,
}

impl Guard {
    /// A server on the loopback address at this port.
    pub fn loopback(port: u16) -> Self {
        Self::named(["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")).to_vec())
    }

    /// A server that may be spoken to under these names.
    pub fn named(hosts: Vec<String>) -> Self {
        Self { hosts: Some(hosts), token: None }
    }

    /// The same, which may be spoken to under this name, too.
    #[must_use]
    pub(crate) fn also(mut self, host: &str) -> Self {
        self.hosts.iter_mut().for_each(|hosts| hosts.push(host.to_owned()));
        self
    }

    /// A server that listens beyond this machine.
    pub fn anywhere(token: &str) -> Self {
        Self { hosts: None, token: Some(Sha256::digest(token).into()) }
    }

    /// The same, which wants a token, too.
    #[must_use]
    pub fn with_token(self, token: &str) -> Self {
        Self { token: Some(Sha256::digest(token).into()), ..self }
    }

    /// Refuses a request that is not for this server.
    pub fn check(&self, credentials: Credentials<'_>) -> Result<(), Problem> {
        let Credentials { host, origin, site, authorization } = credentials;
        let foreign = || {
            Problem::new(
                Kind::Foreign,
                "this server speaks to programs and pages of its own address alone; name it in Host, and send no other Origin",
            )
        };
        let own = |name: &str| self.hosts.as_ref().is_none_or(|hosts| hosts.iter().any(|own| own == name));
        let host = host.unwrap_or("");
        // Beyond this machine a proxy may stand before the server, which speaks no TLS itself.
        let schemes: &[&str] = if self.hosts.is_some() { &["http"] } else { &["http", "https"] };
        let at_home = |origin: &str| {
            origin.split_once("://").is_some_and(|(scheme, from)| schemes.contains(&scheme) && from == host)
        };
        if !own(host) || !origin.is_none_or(at_home) || !site.is_none_or(|site| matches!(site, "same-origin" | "none"))
        {
            return Err(foreign());
        }
        let Some(token) = &self.token else { return Ok(()) };
        let said = authorization.and_then(|said| said.strip_prefix("Bearer ")).unwrap_or("");
        // Digests have one length, and are compared in constant time.
        let said: [u8; 32] = Sha256::digest(said).into();
        if bool::from(said.ct_eq(token)) {
            Ok(())
        } else {
            Err(Problem::new(Kind::Token, "send `Authorization: Bearer TOKEN` with the token of this server"))
        }
    }
}
