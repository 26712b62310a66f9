//! Files as this program reads and writes them.
//!
//! Only a regular file of sane size is read: a pipe would keep the program waiting, a device would fill the memory. A file is
//! written whole or not at all.

mod error;
mod read;
mod write;

pub use error::Error;
pub use read::{Expected, check, open, read, read_text, unreadable};
pub use write::write_whole;
