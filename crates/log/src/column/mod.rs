//! The columns of the log, each declared once: its name, its meaning, its type, how it is written, how it is read back, and
//! what the audit does with it.
//!
//! The writer, the reader, the audit and the table in `docs/ARCHITECTURE.md` all go through these declarations, so a column
//! is added here and nowhere else. Names are plain words that no SQL dialect reserves. Enumerations are stored by the names
//! they have in specifications. Actions are indices, and an unusable response is -1.

mod answer;
mod cell;
mod computed;
mod declaration;
mod evidence;
mod hindsight;
mod route;
mod word;

pub(crate) use declaration::{Field, Read, Row, routes};
pub use declaration::{LogColumn, Origin, Presence, SECTIONS, Section, columns};
pub use hindsight::Hindsight;
pub use route::Routed;
