//! Where several servers keep one journal: a URL, given as it is or in a variable, where no list of processes shows its password.

use anyhow::{Context, Result, bail};
use counsel_postgres::{Address, Postgres};

use crate::mcp::variable;

/// The journal of a store.
pub(super) fn journal(store: &str) -> Result<Postgres> {
    let url = match store.strip_prefix("env:") {
        Some(name) => variable(name).with_context(|| {
            format!("the variable {name} holds no URL; set it to postgres://USER:PASSWORD@HOST/DATABASE")
        })?,
        None => store.to_owned(),
    };
    if !Address::is_url(&url) {
        bail!(
            "--store names no database; pass postgres://USER@HOST/DATABASE, or env:NAME with a variable that holds it"
        );
    }
    Ok(Postgres::new(Address::read(&url, variable("PGPASSWORD").as_deref())?)?)
}
