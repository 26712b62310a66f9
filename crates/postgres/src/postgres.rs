//! A journal in PostgreSQL.
//!
//! To hold it is to lock the row of `counsel_layout` in a transaction, so lines get their numbers without gaps, in the order of the
//! commits. A connection that breaks takes its lock and its lines with it, unless the database had committed already; the next one who
//! holds the journal sees which. A server that stops in the middle loses its lock after [`IDLE`].

use std::time::Duration;

use counsel_serve::{Error as Fault, Page, SharedJournal};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::config::SslMode;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::words;
use crate::layout::{Flaw, ready};
use crate::tls::tls;
use crate::{Address, Error};

/// The most lines of a page.
const PAGE: usize = 1000;
/// How long the database may take over one call, and over each line that is appended.
const PATIENCE: Duration = Duration::from_secs(15);
const A_LINE: Duration = Duration::from_millis(1);
/// After how long the database lets go of a journal whose holder is silent, and how long it lets another one wait.
const IDLE: Duration = Duration::from_secs(10);

/// Appends lines, numbered from a first one.
const INSERT: &str = "INSERT INTO counsel_journal (line, text) \
    SELECT $1 + place - 1, text FROM unnest($2::text[]) WITH ORDINALITY AS appended (text, place)";

/// A connection that works, and the task that carries it.
struct Connection {
    client: Client,
    task: JoinHandle<()>,
}

/// A journal in PostgreSQL. It connects when it is first used, and again whenever that is needed.
pub struct Postgres {
    address: Address,
    tls: MakeRustlsConnect,
    runtime: Runtime,
    connection: Option<Connection>,
    /// Whether the journal is held by this connection.
    holds: bool,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Postgres({})", self.address.place)
    }
}

impl Postgres {
    /// A journal at this address. Nothing is sent yet.
    pub fn new(address: Address) -> Result<Self, Error> {
        let tls = tls(&address)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self { address, tls, runtime, connection: None, holds: false })
    }

    fn away(&self, reason: impl Into<String>) -> Fault {
        Fault::Away { place: self.address.place.clone(), reason: reason.into() }
    }

    /// Closes the connection; what it was about to do is undone, unless it is done already.
    fn close(&mut self) {
        self.holds = false;
        if let Some(Connection { client, task }) = self.connection.take() {
            drop(client);
            task.abort();
            // The socket is closed when the task has ended.
            let _ = self.runtime.block_on(task);
        }
    }

    fn connect(&mut self) -> Result<(), Fault> {
        if self.connection.as_ref().is_some_and(|connection| !connection.client.is_closed()) {
            return Ok(());
        }
        let held = self.holds;
        self.close();
        if held {
            return Err(self.away("the connection broke"));
        }
        let (config, tls) = (&self.address.config, &self.tls);
        let connecting = async {
            let connection = match config.get_ssl_mode() {
                SslMode::Disable => {
                    let (client, socket) = config.connect(NoTls).await?;
                    Connection { client, task: tokio::spawn(async { drop(socket.await) }) }
                }
                _ => {
                    let (client, socket) = config.connect(tls.clone()).await?;
                    Connection { client, task: tokio::spawn(async { drop(socket.await) }) }
                }
            };
            let fit = ready(&connection.client).await;
            fit.map(|()| connection)
        };
        let hosts = u32::try_from(config.get_hosts().len()).unwrap_or(1);
        let patience = config.get_connect_timeout().map_or(PATIENCE, |each| *each * hosts);
        match self.runtime.block_on(async { tokio::time::timeout(patience, connecting).await }) {
            Ok(Ok(connection)) => {
                self.connection = Some(connection);
                Ok(())
            }
            Ok(Err(Flaw::Unsaid(error))) => Err(self.away(advised(&words(&error)))),
            Ok(Err(Flaw::Unfit(reason))) => Err(Fault::Unfit { place: self.address.place.clone(), reason }),
            Err(_) => Err(self.away(late(patience))),
        }
    }

    /// Lets the database do something. After an error the connection is closed.
    fn call<T>(&mut self, work: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>) -> Result<T, Fault> {
        self.call_within(PATIENCE, work)
    }

    fn call_within<T>(
        &mut self,
        patience: Duration,
        work: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, Fault> {
        self.connect()?;
        let Some(Connection { client, .. }) = &self.connection else { return Err(self.away("the connection broke")) };
        let called = self.runtime.block_on(async { tokio::time::timeout(patience, work(client)).await });
        let reason = match called {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(error)) => words(&error),
            Err(_) => late(patience),
        };
        self.close();
        Err(self.away(reason))
    }

    fn page(&mut self, told: &[SimpleQueryMessage]) -> Result<Page, Fault> {
        let mut page = Page::default();
        for message in told {
            let SimpleQueryMessage::Row(row) = message else { continue };
            match row.columns().first().map(tokio_postgres::SimpleColumn::name) {
                Some("text") => page.lines.extend(row.get(0).map(str::to_owned)),
                Some("now") => page.now = row.get(0).and_then(|now| now.parse().ok()).unwrap_or(0),
                _ => {}
            }
        }
        if page.now == 0 {
            self.close();
            return Err(self.away("it does not say what time it is"));
        }
        page.more = page.lines.len() > PAGE;
        page.lines.truncate(PAGE);
        Ok(page)
    }
}

fn late(patience: Duration) -> String {
    format!("it does not answer within {} seconds", patience.as_secs())
}

/// What would help against a fault of connecting.
fn advised(reason: &str) -> String {
    let remedy = if reason.contains("UnknownIssuer") || reason.contains("CaUsedAsEndEntity") {
        "; pass sslrootcert=FILE with the certificate that vouches for it"
    } else if reason.contains("server does not support TLS") {
        "; turn on TLS there, or pass sslmode=disable where the network is yours"
    } else if reason.contains("password") {
        "; put the password into the URL or into PGPASSWORD"
    } else {
        ""
    };
    format!("{reason}{remedy}")
}

/// The lines from this one on, and the time after they were read.
fn lines(from: u64) -> String {
    format!(
        "SELECT text FROM counsel_journal WHERE line >= {from} ORDER BY line LIMIT {}; \
        SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
        PAGE + 1
    )
}

impl SharedJournal for Postgres {
    fn place(&self) -> String {
        self.address.place.clone()
    }

    fn read(&mut self, from: u64) -> Result<Page, Fault> {
        let told = self.call(async |client| client.simple_query(&lines(from)).await)?;
        self.page(&told)
    }

    fn hold(&mut self, from: u64) -> Result<Page, Fault> {
        let idle = IDLE.as_millis();
        // What is acknowledged is on the database's disk. A transaction that could not say so is not begun.
        let begin = format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = {idle}; \
            SET LOCAL idle_in_transaction_session_timeout = {idle}; \
            SELECT set_config('synchronous_commit', 'on', true) AS set WHERE current_setting('synchronous_commit') = 'off'; \
            SELECT version FROM counsel_layout FOR UPDATE; {}",
            lines(from)
        );
        let told = self.call(async |client| client.simple_query(&begin).await)?;
        self.holds = true;
        self.page(&told)
    }

    fn append(&mut self, first: u64, lines: &[String]) -> Result<(), Fault> {
        if !self.holds {
            return if lines.is_empty() { Ok(()) } else { Err(self.away("the connection broke")) };
        }
        if lines.is_empty() {
            let let_go = self.call(async |client| client.batch_execute("ROLLBACK").await);
            self.holds = false;
            return let_go;
        }
        let first = i64::try_from(first).unwrap_or(i64::MAX);
        let patience = PATIENCE + A_LINE * u32::try_from(lines.len()).unwrap_or(u32::MAX);
        let inserted = self.call_within(patience, async |client| {
            let values: [(&(dyn ToSql + Sync), Type); 2] = [(&first, Type::INT8), (&lines, Type::TEXT_ARRAY)];
            // One after the other on the wire, without waiting in between. After a failed insert the database rolls back.
            let (inserted, committed) =
                tokio::join!(client.execute_typed(INSERT, &values), client.batch_execute("COMMIT"));
            committed?;
            inserted
        });
        self.holds = false;
        match inserted? {
            count if count == lines.len() as u64 => Ok(()),
            count => Err(self.away(format!("it took {count} of {} lines", lines.len()))),
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.close();
    }
}
