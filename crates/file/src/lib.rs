//! Files as this program reads and writes them.
//!
//! Only a regular file of sane size is read: a pipe would keep the program waiting, a device would fill the memory. A file is
//! written whole or not at all, and never through a link. What a file or a reply says is shown by [`Printable`], which a terminal cannot obey.

mod error;
mod kept;
mod printable;
mod read;
mod write;

pub use error::Error;
pub use kept::open_kept;
pub use printable::Printable;
pub use read::{Expected, check, listed, open, read, read_text, unreadable};
pub use write::{io, is_part_of, write_whole};
