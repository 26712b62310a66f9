//! The tables: made on the first start, and refused where they are not ours.
//!
//! `counsel_layout` has one row, the version of these tables; whoever appends locks it. `counsel_journal` has the lines. Both stand in
//! the first schema of the search path, so several groups of servers may share a database.

use tokio_postgres::{Client, SimpleQueryMessage};

/// The version of the tables.
const VERSION: &str = "1";

/// The tables and their columns, as the database tells them.
const COLUMNS: &str = "counsel_journal.line bigint, counsel_journal.text text, counsel_layout.version integer";

/// Columns of our tables, in the order of their names, whatever schema of the search path they are in.
const ASK: &str = "SELECT string_agg(format('%s.%s %s', c.relname, a.attname, format_type(a.atttypid, NULL)), ', ' ORDER BY c.relname, a.attname) AS columns \
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
    WHERE c.oid IN (to_regclass('counsel_journal'), to_regclass('counsel_layout')) AND a.attnum > 0 AND NOT a.attisdropped";

/// Several servers may start at once: the lock lets one of them make the tables.
const MAKE: &str = "BEGIN; SELECT pg_advisory_xact_lock(7165180942133716);
    CREATE TABLE IF NOT EXISTS counsel_layout (version integer NOT NULL);
    INSERT INTO counsel_layout SELECT 1 WHERE NOT EXISTS (SELECT FROM counsel_layout);
    CREATE TABLE IF NOT EXISTS counsel_journal (line bigint PRIMARY KEY CHECK (line > 0), text text NOT NULL);
    COMMIT";

/// What is wrong with the tables.
#[derive(Debug)]
pub(crate) enum Flaw {
    /// The database could not say.
    Unsaid(tokio_postgres::Error),
    /// They cannot be used.
    Unfit(String),
}

impl From<tokio_postgres::Error> for Flaw {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Unsaid(error)
    }
}

/// Sees that the tables are there and ours, and makes them where there are none.
pub(crate) async fn ready(client: &Client) -> Result<(), Flaw> {
    let unfit = |reason: String| Err(Flaw::Unfit(reason));
    if let Some(encoding) = told(client, "SHOW server_encoding").await?.filter(|encoding| encoding != "UTF8") {
        return unfit(format!("its encoding is {encoding}; create a database with encoding UTF8"));
    }
    let mut columns = told(client, ASK).await?;
    if columns.is_none() {
        if let Err(error) = client.batch_execute(MAKE).await {
            let Some(refused) = error.as_db_error() else { return Err(error.into()) };
            return unfit(format!(
                "its tables cannot be made ({}); grant CREATE on the schema to this role, or name another schema with options=-csearch_path%3DNAME",
                refused.message()
            ));
        }
        columns = told(client, ASK).await?;
    }
    let columns = columns.unwrap_or_default();
    if columns != COLUMNS {
        return unfit(format!(
            "its tables counsel_journal and counsel_layout are not those of counsel serve, they have `{columns}`; name another database, or another schema with options=-csearch_path%3DNAME"
        ));
    }
    match told(client, "SELECT version FROM counsel_layout").await?.as_deref() {
        Some(VERSION) => Ok(()),
        Some(other) => unfit(format!(
            "its tables have layout {other}, and this counsel knows layout {VERSION}; go on with the counsel that made them"
        )),
        None => unfit("its table counsel_layout is empty; restore it, or name another database".into()),
    }
}

/// The only value of the only row.
async fn told(client: &Client, query: &str) -> Result<Option<String>, tokio_postgres::Error> {
    let told = client.simple_query(query).await?;
    let value = |message: &SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    };
    Ok(told.iter().find_map(value))
}
