//! Game files of ALFWorld (`game.tw-pddl`): JSON with the rules, the words, the problem and whether it can be solved.
//!
//! Rules and words are built into this engine, so those in a file are only compared with it: by digests of the two texts of
//! alfworld 0.4.2 without their comments, word by word. Versions 0.4.0 and 0.4.1 have the same.

use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Error, Game};

const DOMAIN: &str = "861de6e6d68bb736ec8550adc2576680d5f82814889674b476cbe3f88c4bb86c";
const GRAMMAR: &str = "ae1c7a072ad0c5a17f4e09eafaf34a6b3126bd62616d2442ce94e096360cc230";

/// What stands before the task, inside the string that holds it.
const TASK: &str = "\"Your task is to: ";

/// What the text grammar takes for more than letters.
const MARKS: &str = ";|\"<>[]#{}\\";

impl Game {
    /// The game in the text of a file.
    pub fn from_json(text: &str) -> Result<Arc<Self>, Error> {
        let file: Value = serde_json::from_str(text).map_err(|error| Error::Json { reason: error.to_string() })?;
        let field = |field| file.get(field).and_then(Value::as_str).ok_or(Error::Field { field, wanted: "text" });
        let (domain, grammar, problem) = (field("pddl_domain")?, field("grammar")?, field("pddl_problem")?);
        match file.get("solvable").and_then(Value::as_bool) {
            Some(true) => {}
            Some(false) => return Err(Error::Unsolvable),
            None => return Err(Error::Field { field: "solvable", wanted: "`true`" }),
        }
        if digest(domain.lines().map(|line| line.split(';').next().unwrap_or(""))) != DOMAIN {
            return Err(Error::OtherVersion { field: "pddl_domain" });
        }
        let task = task(grammar)?;
        let game = Self::from_pddl(problem, &task)?;
        if game.start().is_beyond_reach() { Err(Error::Unreachable) } else { Ok(game) }
    }
}

/// The task that is written into the text grammar, which must otherwise be the known one.
fn task(grammar: &str) -> Result<String, Error> {
    let other = || Error::OtherVersion { field: "grammar" };
    let (before, rest) = grammar.split_once(TASK).ok_or_else(other)?;
    let (task, after) = rest.split_once(".\"").ok_or_else(other)?;
    if digest([before, TASK, ".\"", after]) != GRAMMAR {
        return Err(other());
    }
    match task.chars().find(|&c| c.is_control() || MARKS.contains(c)) {
        Some(odd) => Err(Error::OddTask { task: task.to_owned(), odd }),
        None => Ok(task.to_owned()),
    }
}

/// The digest of pieces of text with one blank after each word.
fn digest<'a>(pieces: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for word in pieces.into_iter().flat_map(str::split_ascii_whitespace) {
        hash.update(word);
        hash.update(" ");
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}
