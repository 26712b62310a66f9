//! The values that a GGUF header gives to its keys.

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Truth(bool),
    Text(String),
    Texts(Vec<String>),
    /// A list of numbers of any kind.
    Numbers(Vec<f64>),
}

impl Value {
    /// A whole number of at least zero, in whatever width it was written.
    pub(crate) fn unsigned(&self) -> Option<u64> {
        match self {
            Self::Unsigned(number) => Some(*number),
            Self::Signed(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Any number.
    pub(crate) fn float(&self) -> Option<f64> {
        match self {
            Self::Unsigned(number) => Some(*number as f64),
            Self::Signed(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Truth(truth) => Some(f64::from(u8::from(*truth))),
            _ => None,
        }
    }

    /// A text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A list of texts.
    pub(crate) fn texts(&self) -> Option<&[String]> {
        match self {
            Self::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    /// A list of numbers.
    pub(crate) fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// A truth value.
    pub(crate) fn truth(&self) -> Option<bool> {
        match self {
            Self::Truth(truth) => Some(*truth),
            _ => None,
        }
    }
}
