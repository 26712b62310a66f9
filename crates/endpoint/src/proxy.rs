//! The proxies of a network. Over https they carry what they cannot read; the address of one may hold a password, so it is shown
//! without.

use std::fmt::{self, Debug, Formatter};

use reqwest::{NoProxy, Url};

use crate::Error;

/// The proxies of a network, as the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY name them. This machine is reached without one.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    /// For addresses with https.
    pub https: Option<String>,
    /// For addresses with plain http.
    pub http: Option<String>,
    /// Hosts that are reached without a proxy.
    pub except: Option<String>,
}

impl Proxies {
    /// Where the proxy for an address is, without what may be secret in it.
    pub fn shown_for(&self, base_url: &str) -> Result<Option<String>, Error> {
        let Ok(url) = Url::parse(base_url.trim()) else { return Ok(None) };
        Ok(self.for_address(&url)?.map(|proxy| shown(&proxy)))
    }

    /// The proxy for an address.
    fn for_address(&self, address: &Url) -> Result<Option<Url>, Error> {
        let (variable, named) = match address.scheme() {
            "https" => ("HTTPS_PROXY", &self.https),
            _ => ("HTTP_PROXY", &self.http),
        };
        let host = address.host_str().unwrap_or_default();
        let Some(named) = named.as_deref().filter(|_| !crate::settings::is_loopback(address) && !self.excepts(host))
        else {
            return Ok(None);
        };
        let whole = if named.contains("://") { named.trim().to_owned() } else { format!("http://{}", named.trim()) };
        match Url::parse(&whole) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(Some(url)),
            Ok(url) if url.has_host() => {
                Err(Error::Proxy { variable, reason: format!("names a proxy of kind {}", url.scheme()) })
            }
            _ => Err(Error::Proxy { variable, reason: "names no address".to_owned() }),
        }
    }

    /// Whether a host is reached without a proxy: it is named, or ends in a name, or all are.
    fn excepts(&self, host: &str) -> bool {
        let listed = self.except.iter().flat_map(|except| except.split(',')).map(str::trim);
        listed.filter(|name| !name.is_empty()).any(|name| {
            let name = name.trim_start_matches("*.").trim_start_matches('.');
            name == "*" || host == name || host.strip_suffix(name).is_some_and(|before| before.ends_with('.'))
        })
    }

    /// The proxy of a client for an address.
    pub(crate) fn proxy(&self, address: &Url) -> Result<Option<reqwest::Proxy>, Error> {
        let Some(url) = self.for_address(address)? else { return Ok(None) };
        let except = self.except.as_deref().and_then(NoProxy::from_string);
        let refuse = |_| Error::Proxy { variable: "HTTPS_PROXY", reason: "cannot be used".to_owned() };
        Ok(Some(reqwest::Proxy::all(url).map_err(refuse)?.no_proxy(except)))
    }
}

fn shown(url: &Url) -> String {
    let port = url.port_or_known_default().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or_default())
}

impl Debug for Proxies {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_serves_other_machines_and_is_shown_without_its_password() {
        let proxies = Proxies {
            https: Some("http://user:hidden@proxy.example:3128".into()),
            http: Some("proxy.example".into()),
            except: Some("localhost, .inner.example,10.0.0.1".into()),
        };
        let shown = |address: &str| proxies.shown_for(address).unwrap();
        assert_eq!(shown("https://api.example.com").as_deref(), Some("proxy.example:3128"));
        assert_eq!(shown("http://api.example.com").as_deref(), Some("proxy.example:80"));
        for near in ["http://127.0.0.1:8080", "https://localhost", "https://a.inner.example/v1", "http://10.0.0.1"] {
            assert_eq!(shown(near), None, "{near}");
        }
        assert!(!format!("{proxies:?}").contains("hidden"));
        let all = Proxies { except: Some("*".into()), ..proxies };
        assert_eq!(all.shown_for("https://api.example.com").unwrap(), None);
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_refused_by_its_variable_and_not_passed_over() {
        for (named, part) in
            [("socks5://user:hidden@h:1", "kind socks5"), ("http://", "no address"), ("", "no address")]
        {
            let proxies = Proxies { https: Some(named.into()), ..Proxies::default() };
            let message = proxies.shown_for("https://api.example.com").unwrap_err().to_string();
            assert!(message.contains("HTTPS_PROXY") && message.contains(part), "{message}");
            assert!(message.contains("NO_PROXY") && !message.contains("hidden"), "{message}");
        }
    }
}
