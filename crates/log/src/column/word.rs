//! Actions, responses, counts and enumerations as the log spells them.

use counsel_decision::{Action, Response};
use serde::Serialize;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_variant::to_variant_name;

use super::Read;

/// Puts a value in its place, if it could be read.
pub(super) fn put<T>(place: &mut T, value: Result<T, String>) -> Read {
    *place = value?;
    Ok(())
}

/// A value that no row may lack.
pub(super) fn need<T>(value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| "is empty".into())
}

/// What a column holds as one number, which is absent where there is none.
pub(super) trait Number<N>: Sized {
    fn number(&self) -> Option<N>;

    fn read(number: Option<N>) -> Result<Self, String>;
}

impl Number<f64> for f64 {
    fn number(&self) -> Option<f64> {
        Some(*self)
    }

    fn read(number: Option<f64>) -> Result<Self, String> {
        need(number)
    }
}

impl Number<i64> for u64 {
    fn number(&self) -> Option<i64> {
        Some(self.cast_signed())
    }

    fn read(number: Option<i64>) -> Result<Self, String> {
        count(number)
    }
}

impl Number<i64> for Action {
    fn number(&self) -> Option<i64> {
        Some(index(*self))
    }

    fn read(number: Option<i64>) -> Result<Self, String> {
        need(number).and_then(action)
    }
}

impl Number<i64> for bool {
    fn number(&self) -> Option<i64> {
        Some((*self).into())
    }

    fn read(number: Option<i64>) -> Result<Self, String> {
        need(number).map(|flag| flag != 0)
    }
}

impl<N, T: Number<N>> Number<N> for Option<T> {
    fn number(&self) -> Option<N> {
        self.as_ref().and_then(T::number)
    }

    fn read(number: Option<N>) -> Result<Self, String> {
        number.map(|number| T::read(Some(number))).transpose()
    }
}

/// A column that is a field of the record or of hindsight as it stands.
macro_rules! number {
    ($kind:ident, $of:ident.$field:ident) => {
        Field::$kind {
            write: |row| row.$of.$field.number(),
            read: |draft, number| put(&mut draft.$of.$field, Number::read(number)),
        }
    };
}
pub(super) use number;

/// A count, stored by its 64 bits.
pub(super) fn count(number: Option<i64>) -> Result<u64, String> {
    need(number).map(i64::cast_unsigned)
}

/// A count that must fit into 32 bits, where it is there.
pub(super) fn tokens(number: Option<i64>) -> Result<Option<u32>, String> {
    let fits = |number| u32::try_from(number).map_err(|_| format!("is {number}, which is no count of tokens"));
    number.map(fits).transpose()
}

pub(super) fn index(action: Action) -> i64 {
    i64::from(action.0)
}

pub(super) fn action(number: i64) -> Result<Action, String> {
    u16::try_from(number).map(Action).map_err(|_| format!("is {number}, which is no action"))
}

/// A place in a list, from 0.
pub(super) fn place(number: i64) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| format!("is {number}, which is no place in a list"))
}

pub(super) fn response_index(response: Response) -> i64 {
    match response {
        Response::Recommends(recommended) => index(recommended),
        Response::Unusable => -1,
    }
}

pub(super) fn response(number: i64) -> Result<Response, String> {
    if number == -1 { Ok(Response::Unusable) } else { action(number).map(Response::Recommends) }
}

/// The name of an enumeration's variant, as specifications write it.
pub(super) fn name(variant: &impl Serialize) -> &'static str {
    to_variant_name(variant).expect("only variants of enumerations are named")
}

/// The variant with this name.
pub(super) fn variant<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    let name: StrDeserializer<'_, Error> = name.into_deserializer();
    T::deserialize(name).map_err(|error| format!("cannot be read: {error}"))
}

/// Yes or no, stored as 1 or 0.
pub(super) fn truth(number: i64) -> Result<bool, String> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(format!("holds {other}, which is neither 0 nor 1")),
    }
}
