//! Reading a value that is written as a bare name where nothing else is to be said of it, and as a table otherwise.
//!
//! Unlike an untagged enumeration this keeps the message about an unknown key of the table.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// What can be written either way.
pub(super) trait Short: Sized {
    /// What it is, for messages.
    const WHAT: &'static str;

    /// The value of which only the name is given.
    fn named(name: &str) -> Result<Self, String>;

    /// The value that is written out.
    fn table<'de, D: Deserializer<'de>>(table: D) -> Result<Self, D::Error>;
}

pub(super) fn short<'de, T: Short, D: Deserializer<'de>>(written: D) -> Result<T, D::Error> {
    struct Either<T>(PhantomData<T>);
    impl<'de, T: Short> Visitor<'de> for Either<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}: its name, or a table", T::WHAT)
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
            T::named(name).map_err(E::custom)
        }

        fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<T, A::Error> {
            T::table(MapAccessDeserializer::new(table))
        }
    }
    written.deserialize_any(Either(PhantomData))
}
