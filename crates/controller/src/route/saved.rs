//! A controller without a world as text, and back. Another format is refused.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Error;

/// The version of the format.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Saved<T> {
    format: u32,
    kind: String,
    state: T,
}

/// Everything that later decisions depend on, as JSON text.
pub(super) fn save<T: Serialize>(kind: &str, state: &T) -> Result<String, Error> {
    serde_json::to_string(&Saved { format: FORMAT, kind: kind.into(), state }).map_err(|error| unreadable(&error))
}

/// The state of a saved text.
pub(super) fn load<T: DeserializeOwned>(kind: &str, text: &str) -> Result<T, Error> {
    #[derive(Deserialize)]
    struct Heading {
        format: u32,
        kind: String,
    }
    let heading: Heading = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
    if heading.format != FORMAT || heading.kind != kind {
        let Heading { format, kind: found } = heading;
        let reason = format!("it is a {found} of format {format}, wanted is a {kind} of format {FORMAT}");
        return Err(Error::Checkpoint { reason });
    }
    let saved: Saved<T> = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
    Ok(saved.state)
}

fn unreadable(error: &serde_json::Error) -> Error {
    Error::Checkpoint { reason: error.to_string() }
}
