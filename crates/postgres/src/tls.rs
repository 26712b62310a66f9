//! TLS to a database: the server has to show a certificate for its name, vouched for by the system or by a given file.

use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{Address, Error};

pub(crate) fn tls(address: &Address) -> Result<MakeRustlsConnect, Error> {
    let roots = address.certificates.as_deref().map_or_else(|| Ok(of_the_system()), of_file)?;
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Address { reason: error.to_string() })?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn of_the_system() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

fn of_file(path: &Path) -> Result<RootCertStore, Error> {
    let refuse = |reason: String| Error::Certificates { path: path.into(), reason };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| refuse(error.to_string()))? {
        let certificate = certificate.map_err(|error| refuse(error.to_string()))?;
        roots.add(certificate).map_err(|error| refuse(error.to_string()))?;
    }
    if roots.is_empty() { Err(refuse("it has no certificate".into())) } else { Ok(roots) }
}
