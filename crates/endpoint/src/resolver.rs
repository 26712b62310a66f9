//! From the name of a host to its addresses, with an error that can be told from a connection that failed.

use std::fmt::{self, Display, Formatter};
use std::net::ToSocketAddrs;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Asks the operating system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resolver;

/// A name that no address is known for.
#[derive(Debug)]
pub(crate) struct UnknownName {
    name: String,
    reason: String,
}

impl Display for UnknownName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the name `{}` has no address ({})", self.name, self.reason)
    }
}

impl std::error::Error for UnknownName {}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        Box::pin(async move {
            let asked = name.clone();
            // The operating system may take its time, so it is asked on a thread that may wait. The client sets the port.
            let found = tokio::task::spawn_blocking(move || (asked.as_str(), 0).to_socket_addrs()).await;
            let found = found.map_err(|error| error.to_string()).and_then(|found| found.map_err(|e| e.to_string()));
            match found {
                Ok(addresses) => Ok(Box::new(addresses) as Addrs),
                Err(reason) => Err(UnknownName { name, reason }.into()),
            }
        })
    }
}
