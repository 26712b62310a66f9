//! A row as it is written, whatever the file's kind. Nothing is checked here but the kind of each value.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::RowFault;

/// A number or a word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Word {
    Number(i64),
    Text(String),
}

/// Values of the actions, or samples of them, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RawValues {
    Means(Vec<f64>),
    Samples(Vec<Vec<f64>>),
}

/// A count from 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Count(pub(crate) u64);

/// A yes or no, also as 1 or 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flag(pub(crate) bool);

/// How an episode's last row says so.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    Flag(bool),
    Word(String),
}

/// A whole number that was written as a real one, as pandas writes a column of whole numbers with gaps.
fn whole(number: f64) -> Option<i64> {
    const MOST: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number that a float holds exactly")]
    (number.fract() == 0.0 && number.abs() <= MOST).then_some(number as i64)
}

/// Yes or no, as a number.
fn flag(number: i128) -> Result<bool, &'static str> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err("neither 0 nor 1"),
    }
}

// Serde's own way to read one of several kinds keeps a copy of each value first, which takes most of the time of a large log.
macro_rules! reads {
    ($name:ident, $expected:literal, whole: $read:expr, { $($visit:item)* }) => {
        reads!($name, $expected, {
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<$name, E> {
                $read(i128::from(number)).map_err(E::custom)
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<$name, E> {
                $read(i128::from(number)).map_err(E::custom)
            }
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<$name, E> {
                self.visit_i64(whole(number).ok_or_else(|| E::custom("no whole number"))?)
            }
            $($visit)*
        });
    };
    ($name:ident, $expected:literal, { $($visit:item)* }) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl<'de> Visitor<'de> for Reader {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    $($visit)*
                }
                deserializer.deserialize_any(Reader)
            }
        }
    };
}

reads!(Word, "a word or a whole number", whole: |number| i64::try_from(number).map(Word::Number), {
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Word, E> {
        Ok(Word::Text(text.to_owned()))
    }
});

reads!(Count, "a whole number, from 0", whole: |number| u64::try_from(number).map(Count), {});

reads!(Flag, "true or false", whole: |number| flag(number).map(Flag), {
    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Flag, E> {
        Ok(Flag(flag))
    }
});

reads!(Ending, "true, false or a word", whole: |number| flag(number).map(Ending::Flag), {
    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Ending, E> {
        Ok(Ending::Flag(flag))
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Ending, E> {
        Ok(Ending::Word(text.to_owned()))
    }
});

reads!(RawValues, "a list of numbers, or a list of such lists", {
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawValues, A::Error> {
        let (mut means, mut samples) = (Vec::new(), Vec::new());
        while let Some(value) = list.next_element::<RawValue>()? {
            match value {
                RawValue::Number(number) => means.push(number),
                RawValue::List(sample) => samples.push(sample),
            }
        }
        match (means.is_empty(), samples.is_empty()) {
            (_, true) => Ok(RawValues::Means(means)),
            (true, false) => Ok(RawValues::Samples(samples)),
            (false, false) => Err(de::Error::custom("numbers beside lists")),
        }
    }
});

/// A value of one action, or one sample of all.
enum RawValue {
    Number(f64),
    List(Vec<f64>),
}

reads!(RawValue, "a number or a list of numbers", {
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<RawValue, E> {
        Ok(RawValue::Number(number))
    }
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<RawValue, E> {
        Ok(RawValue::Number(number as f64))
    }
    fn visit_u64<E: de::Error>(self, number: u64) -> Result<RawValue, E> {
        Ok(RawValue::Number(number as f64))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawValue, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = list.next_element()? {
            numbers.push(number);
        }
        Ok(RawValue::List(numbers))
    }
});

/// A row.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub(crate) struct RawRow {
    pub(crate) episode: Option<Word>,
    pub(crate) step: Option<Count>,
    pub(crate) base: Option<Word>,
    pub(crate) asked: Option<Flag>,
    pub(crate) answer: Option<Word>,
    pub(crate) executed: Option<Word>,
    pub(crate) reward: Option<f64>,
    pub(crate) price: Option<f64>,
    pub(crate) end: Option<Ending>,
    pub(crate) values: Option<RawValues>,
    pub(crate) law: Option<Vec<f64>>,
    pub(crate) lower: Option<Vec<f64>>,
    pub(crate) upper: Option<Vec<f64>>,
    pub(crate) p_ask: Option<f64>,
}

/// The columns that every row must have.
pub(crate) const NEEDED: [&str; 7] = ["episode", "step", "base", "asked", "executed", "reward", "price"];

/// The columns that are read. Others are left alone.
pub(crate) const COLUMNS: [&str; 14] = [
    "episode", "step", "base", "asked", "answer", "executed", "reward", "price", "end", "values", "law", "lower",
    "upper", "p_ask",
];

impl RawRow {
    /// Takes the value of a column; an error names what stands there and what to write.
    pub(crate) fn set(&mut self, line: usize, name: &str, value: Value) -> Result<(), RowFault> {
        fn read<T: for<'a> Deserialize<'a>>(
            line: usize,
            column: &'static str,
            value: Value,
            remedy: &str,
        ) -> Result<Option<T>, RowFault> {
            let found = value.to_string();
            serde_json::from_value(value).map(Some).map_err(|_| RowFault::new(line, column, found, remedy))
        }
        if value.is_null() {
            return Ok(());
        }
        let (number, list, word) = ("write a number", "write a list of numbers", "write a word or a whole number");
        let flag = "write true or false";
        match name {
            "episode" => self.episode = read(line, "episode", value, word)?,
            "step" => self.step = read(line, "step", value, "write a whole number, from 0")?,
            "base" => self.base = read(line, "base", value, word)?,
            "asked" => self.asked = read(line, "asked", value, flag)?,
            "answer" => self.answer = read(line, "answer", value, word)?,
            "executed" => self.executed = read(line, "executed", value, word)?,
            "reward" => self.reward = read(line, "reward", value, number)?,
            "price" => self.price = read(line, "price", value, number)?,
            "end" => self.end = read(line, "end", value, flag)?,
            "values" => self.values = read(line, "values", value, list)?,
            "law" => self.law = read(line, "law", value, list)?,
            "lower" => self.lower = read(line, "lower", value, list)?,
            "upper" => self.upper = read(line, "upper", value, list)?,
            "p_ask" => self.p_ask = read(line, "p_ask", value, number)?,
            _ => {}
        }
        Ok(())
    }
}
