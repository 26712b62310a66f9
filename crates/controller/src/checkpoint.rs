//! A controller as text: saved, loaded, and then the same decisions follow.
//!
//! Open questions are not saved: they belong to whoever waits for the answer. A question that is open when a checkpoint is
//! loaded was paid for and is lost.

use serde::{Deserialize, Serialize};

use crate::{Controller, Error};

/// The version of the format; a checkpoint of another one is refused.
const FORMAT: u32 = 2;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint<C> {
    format: u32,
    controller: C,
}

impl Controller {
    /// Everything that later decisions depend on, as JSON text.
    ///
    /// ```
    /// use counsel_controller::{Budget, Controller};
    ///
    /// let controller = Controller::recommended(0.01, Budget::calls(500), &["left", "right"])?;
    /// let text = controller.save()?;
    /// let loaded = Controller::load(&text)?;
    /// assert_eq!(loaded.save()?, text);
    /// # Ok::<(), counsel_controller::Error>(())
    /// ```
    pub fn save(&self) -> Result<String, Error> {
        serde_json::to_string(&Checkpoint { format: FORMAT, controller: self }).map_err(|error| unreadable(&error))
    }

    /// The controller of a saved text. It goes on where the saved one stood.
    pub fn load(text: &str) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let Version { format } = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        if format != FORMAT {
            let reason = format!("it has format {format}, this program reads format {FORMAT}");
            return Err(Error::Checkpoint { reason });
        }
        let saved: Checkpoint<Self> = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        let (place, places) = (saved.controller.place, saved.controller.episodes.len());
        if place >= places {
            return Err(Error::Checkpoint { reason: format!("it stands at place {place} of {places}") });
        }
        Ok(saved.controller)
    }
}

fn unreadable(error: &serde_json::Error) -> Error {
    Error::Checkpoint { reason: error.to_string() }
}
