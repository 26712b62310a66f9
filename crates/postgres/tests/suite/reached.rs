//! How a database is reached, and what is said where it is not: names, never a password.

use std::fs;
use std::process::Command;

use counsel_postgres::{Address, Postgres};
use counsel_serve::SharedJournal;

use crate::cluster::Cluster;

fn reached(url: &str) -> Result<(), String> {
    let address = Address::read(url, None).map_err(|error| error.to_string())?;
    let mut journal = Postgres::new(address).map_err(|error| error.to_string())?;
    journal.read(1).map(drop).map_err(|error| error.to_string())
}

#[test]
fn what_cannot_be_reached_is_named_without_its_password() {
    let Some(cluster) = Cluster::start() else { return };
    assert_eq!(reached(&cluster.url()), Ok(()));
    assert_eq!(reached(&cluster.socket()), Ok(()));
    for (url, said) in [
        (cluster.url().replace("s3cret", "wr0ng"), "password authentication failed"),
        (format!("{}/nothing", cluster.url().trim_end_matches("/postgres")), "database \"nothing\" does not exist"),
        (cluster.url().replace(&cluster.port().to_string(), "1"), "Connection refused"),
        (format!("{}?sslmode=require", cluster.url()), "sslmode=disable"),
        (cluster.url().replace(":s3cret%40%2F%3F%23", ""), "PGPASSWORD"),
    ] {
        let refused = reached(&url).unwrap_err();
        assert!(refused.contains(said) && refused.contains("postgres://127.0.0.1:"), "{refused}");
        assert!(!refused.contains("s3cret") && !refused.contains("wr0ng"), "{refused}");
    }
}

/// An authority and a certificate of a server with this name, by the program `openssl`, which the package needs.
fn certified(data: &std::path::Path, name: &str) {
    let openssl = |arguments: &[&str]| {
        let output = Command::new("openssl").args(arguments).current_dir(data).output().expect("openssl is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"];
    openssl(
        &[&["req", "-x509", "-days", "30", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem"], &key[..]]
            .concat(),
    );
    let subject = format!("/CN={name}");
    openssl(&[&["req", "-subj", &subject, "-keyout", "server.key", "-out", "server.csr"], &key[..]].concat());
    fs::write(data.join("names"), format!("subjectAltName=DNS:{name}\nbasicConstraints=CA:FALSE\n")).unwrap();
    openssl(&[
        "x509",
        "-req",
        "-in",
        "server.csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "30",
        "-extfile",
        "names",
        "-out",
        "server.crt",
    ]);
    Command::new("chmod").args(["600", "server.key"]).current_dir(data).status().unwrap();
}

#[test]
fn tls_wants_a_certificate_for_the_name() {
    let Some(cluster) = Cluster::with(&["ssl=on"], |data| certified(data, "localhost")) else { return };
    let authority = fs::read(cluster.folder().join("data/ca.pem")).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), authority).unwrap();
    let named = cluster.url().replace("127.0.0.1", "localhost");
    let vouched = format!("sslrootcert={}", file.path().display());
    assert_eq!(reached(&format!("{named}?sslmode=verify-full&{vouched}")), Ok(()));
    assert_eq!(reached(&format!("{named}?sslmode=require&channel_binding=require&{vouched}")), Ok(()));
    for (url, said) in [
        (format!("{named}?sslmode=verify-full"), "sslrootcert=FILE"),
        (format!("{}?sslmode=verify-full&{vouched}", cluster.url()), "not valid for name"),
        (format!("{named}?sslmode=verify-full&sslrootcert=/nothing/at/all.pem"), "/nothing/at/all.pem"),
    ] {
        let refused = reached(&url).unwrap_err();
        assert!(refused.contains(said), "{refused}");
        assert!(!refused.contains("s3cret"), "{refused}");
    }
}
