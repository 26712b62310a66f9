//! A row as it is written, whatever the file's kind. Nothing is checked here but the kind of each value.

use serde::Deserialize;
use serde_json::Value;

use crate::Fault;

/// A number or a word.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Word {
    Number(i64),
    Text(String),
}

/// Values of the actions, or samples of them, row by row.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Values {
    Means(Vec<f64>),
    Samples(Vec<Vec<f64>>),
}

/// A yes or no, also as 1 or 0.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Flag {
    Bool(bool),
    Number(u8),
}

/// How an episode's last row says so.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Ending {
    Flag(Flag),
    Word(String),
}

/// A row.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub(crate) struct RawRow {
    pub(crate) episode: Option<Word>,
    pub(crate) step: Option<u64>,
    pub(crate) base: Option<Word>,
    pub(crate) asked: Option<Flag>,
    pub(crate) answer: Option<Word>,
    pub(crate) executed: Option<Word>,
    pub(crate) reward: Option<f64>,
    pub(crate) price: Option<f64>,
    pub(crate) end: Option<Ending>,
    pub(crate) values: Option<Values>,
    pub(crate) law: Option<Vec<f64>>,
    pub(crate) kappa: Option<f64>,
    pub(crate) lower: Option<Vec<f64>>,
    pub(crate) upper: Option<Vec<f64>>,
    pub(crate) p_ask: Option<f64>,
}

/// The columns that are read. Others are left alone.
pub(crate) const COLUMNS: [&str; 15] = [
    "episode", "step", "base", "asked", "answer", "executed", "reward", "price", "end", "values", "law",
    "kappa", "lower", "upper", "p_ask",
];

impl RawRow {
    /// Takes the value of a column; an error names what stands there and what to write.
    pub(crate) fn set(&mut self, line: usize, name: &str, value: Value) -> Result<(), Fault> {
        fn read<T: for<'a> Deserialize<'a>>(line: usize, column: &'static str, value: Value, remedy: &str) -> Result<Option<T>, Fault> {
            let found = value.to_string();
            serde_json::from_value(value).map(Some).map_err(|_| Fault::new(line, column, found, remedy))
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
            "kappa" => self.kappa = read(line, "kappa", value, number)?,
            "lower" => self.lower = read(line, "lower", value, list)?,
            "upper" => self.upper = read(line, "upper", value, list)?,
            "p_ask" => self.p_ask = read(line, "p_ask", value, number)?,
            _ => {}
        }
        Ok(())
    }
}
