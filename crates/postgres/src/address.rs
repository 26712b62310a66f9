//! Where a database is: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE`.
//!
//! Beyond this machine, and beyond its own sockets, it is reached by TLS with a certificate that is checked, or after `sslmode=disable`.

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use crate::Error;

/// How long a connection may take to come up.
const CONNECT: Duration = Duration::from_secs(5);
/// After how long a silent connection is probed, and how long data may stay unconfirmed.
const PROBED: Duration = Duration::from_secs(15);
/// The schemes of a URL.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Where a database is. What is shown of it has no user and no password.
#[derive(Clone)]
pub struct Address {
    pub(crate) config: Config,
    pub(crate) place: String,
    /// The file of certificates that may vouch for the server; those of the system where there is none.
    pub(crate) certificates: Option<PathBuf>,
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Address({})", self.place)
    }
}

impl Address {
    /// Whether a text is meant as such a URL.
    pub fn is_url(text: &str) -> bool {
        SCHEMES.iter().any(|scheme| text.starts_with(scheme))
    }

    /// Reads a URL. The password serves where the URL has none.
    pub fn read(url: &str, password: Option<&str>) -> Result<Self, Error> {
        let refuse = |reason: &str| Error::Address { reason: reason.to_owned() };
        let rest = SCHEMES.iter().find_map(|scheme| url.strip_prefix(scheme));
        let rest = rest.ok_or_else(|| refuse("it does not begin with postgres://; pass postgres://HOST/DATABASE"))?;
        let (credentials, located) = match rest.split_once('@') {
            Some((credentials, located)) => (format!("{credentials}@"), located),
            None => (String::new(), rest),
        };
        // What stands behind an `@` is shown. It must not be the end of a password.
        let escapes = "escape what a user or password has of / ? # @ as %2F %3F %23 %40";
        if located.contains('@') || credentials.contains(['/', '?', '#']) {
            return Err(refuse(&format!("it cannot be told apart; {escapes}")));
        }
        let (located, query) = located.split_once('?').unwrap_or((located, ""));
        let (mut mode, mut certificates, mut options) = (None, None, Vec::new());
        for option in query.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value.to_owned()),
                Some(("sslrootcert", "system")) => certificates = None,
                Some(("sslrootcert", value)) => {
                    let file = percent_decode_str(value).decode_utf8().map_err(|_| refuse("sslrootcert is no text"))?;
                    certificates = Some(PathBuf::from(&*file));
                }
                _ => options.push(option),
            }
        }
        let plain = format!("postgres://{credentials}{located}?{}", options.join("&"));
        let mut config: Config = plain.parse().map_err(|error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            refuse(&format!("it cannot be read ({cause}); pass postgres://USER@HOST:PORT/DATABASE, and {escapes}"))
        })?;
        if config.get_password().is_none()
            && let Some(password) = password
        {
            config.password(password);
        }
        let place = place(&config).ok_or_else(|| {
            refuse("it names no host; pass postgres://HOST/DATABASE, or postgres:///DATABASE?host=/var/run/postgresql for a Unix socket")
        })?;
        let sound = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/,[]%".contains(&byte);
        if !place.bytes().all(sound) {
            return Err(refuse(&format!("its host or database has characters that no name has; {escapes}")));
        }
        config.ssl_mode(match mode.as_deref() {
            Some("disable") => SslMode::Disable,
            None if config.get_hosts().iter().all(is_local) => SslMode::Disable,
            None | Some("require" | "verify-full") => SslMode::Require,
            Some(other) => {
                return Err(refuse(&format!(
                    "sslmode={other} does not say who the server is; pass verify-full, or disable where the network is yours"
                )));
            }
        });
        if config.get_application_name().is_none() {
            config.application_name("counsel serve");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(PROBED);
        }
        config.keepalives_idle(PROBED.min(config.get_keepalives_idle()));
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        Ok(Self { config, place, certificates })
    }

    /// Where it is, for messages.
    pub fn place(&self) -> &str {
        &self.place
    }
}

/// What is shown of a database; none where no host is named.
fn place(config: &Config) -> Option<String> {
    let ports = config.get_ports();
    let port = |at: usize| ports.get(at).or(ports.last()).copied().unwrap_or(5432);
    let host = |(at, host): (usize, &Host)| match host {
        Host::Tcp(name) => format!("{name}:{}", port(at)),
        #[cfg(unix)]
        Host::Unix(path) => format!("{}:{}", path.display(), port(at)),
    };
    let hosts: Vec<String> = config.get_hosts().iter().enumerate().map(host).collect();
    let database = config.get_dbname().or(config.get_user()).unwrap_or("");
    (!hosts.is_empty()).then(|| format!("postgres://{}/{database}", hosts.join(",")))
}

/// Whether a host is this machine.
fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, SslMode};

    fn shown(url: &str) -> String {
        Address::read(url, None).map_or_else(|error| error.to_string(), |address| address.place)
    }

    #[test]
    fn a_place_has_no_secret() {
        for (url, place) in [
            ("postgres://u:s3cret@db.example.com/gate", "postgres://db.example.com:5432/gate"),
            ("postgresql://u:s3cret%40%2F@10.0.0.7:6000/gate?connect_timeout=3", "postgres://10.0.0.7:6000/gate"),
            ("postgres://u:s3cret@a:1,b:2/gate", "postgres://a:1,b:2/gate"),
            ("postgres://u@/gate?host=/run/pg&password=s3cret", "postgres:///run/pg:5432/gate"),
        ] {
            assert_eq!(shown(url), place);
        }
        for url in [
            "postgres://u:s3cr@s3cret@host/gate",
            "postgres://u:s3cret/s3cret@host/gate",
            "postgres://u:s3cret?s3cret@host/gate",
            "postgres://host/gate?password=x@s3cret",
            "postgres://u:s3cret@/gate",
            "postgres://u:s3cret@host:port/gate",
            "postgres://u:s3cret@host/gate?colour=s3cret",
            "postgres://u:s3cret@host/gate?sslmode=prefer",
            "postgres://u:s3cret@host/gate?sslmode=",
            "http://u:s3cret@host",
        ] {
            let refused = Address::read(url, None).unwrap_err();
            assert!(!format!("{refused} {refused:?}").contains("s3cret"), "{refused}");
            assert!(refused.to_string().contains("pass") || refused.to_string().contains("escape"), "{refused}");
        }
        let address = Address::read("postgres://u:s3cret@host/gate", Some("other")).unwrap();
        assert!(!format!("{address:?} {:?}", address.config).contains("s3cret"));
        assert_eq!(address.config.get_password(), Some(&b"s3cret"[..]));
        let address = Address::read("postgres://u@host/gate", Some("other")).unwrap();
        assert_eq!(address.config.get_password(), Some(&b"other"[..]));
    }

    #[test]
    fn beyond_this_machine_it_takes_tls() {
        for (url, mode) in [
            ("postgres://localhost/gate", SslMode::Disable),
            ("postgres://[::1]:7/gate", SslMode::Disable),
            ("postgres:///gate?host=/run/pg", SslMode::Disable),
            ("postgres://localhost/gate?sslmode=verify-full", SslMode::Require),
            ("postgres://db.example.com/gate", SslMode::Require),
            ("postgres://localhost,db.example.com/gate", SslMode::Require),
            ("postgres://db.example.com/gate?sslmode=disable", SslMode::Disable),
        ] {
            assert_eq!(Address::read(url, None).unwrap().config.get_ssl_mode(), mode, "{url}");
        }
        let address = Address::read("postgres://h/gate?sslrootcert=/etc/ca%20one.pem", None).unwrap();
        assert_eq!(address.certificates, Some("/etc/ca one.pem".into()));
    }
}
