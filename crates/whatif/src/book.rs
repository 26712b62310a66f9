//! A cell as a what-if needs it, and what its decisions come to under another setting.
//!
//! Invariants: without a change nothing flips, as long as the log is what the engine makes. Every decision is made where the run
//! really was: what a flip would have led to is not followed, and a question that was never asked has no answer here.

use counsel_decision::{Engine, Error, Evidence, Form, Parser, Record, Reply, Seed, Settings};
use serde::{Deserialize, Serialize};

use crate::{Change, Given, Logged, Moment, again};

/// What a what-if needs of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Book {
    /// The controller, as it was deployed.
    pub settings: Settings,
    /// The words of the parser, one per action.
    pub words: Vec<String>,
    /// The form in which the parser wants an answer.
    #[serde(default)]
    pub form: Form,
    /// The controller's seed.
    pub seed: Seed,
    /// Its decisions, from the first on.
    pub given: Vec<Given>,
}

/// A decision that comes out otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flip {
    /// Its number in the run.
    pub step: u64,
    /// What became of it.
    pub was: Logged,
    /// What becomes of it.
    pub now: Logged,
    /// What was done.
    pub did: usize,
    /// What is done; absent if that rests on an answer that was never heard.
    pub does: Option<usize>,
}

/// What a run comes to.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Sums {
    /// How often it asks.
    pub calls: u64,
    /// What that costs, in units of return, before pacing.
    pub cost: f64,
}

/// What would be different.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The decisions that come out otherwise, in their order.
    pub flips: Vec<Flip>,
    /// As it was.
    pub before: Sums,
    /// As it would be.
    pub after: Sums,
    /// The first step that does something else or hears something new: from there on the run would have gone another way.
    pub leaves: Option<u64>,
}

/// A decision with its evidence, ready to be made again.
struct Ready<'a> {
    given: &'a Given,
    evidence: Evidence,
}

impl Moment for Ready<'_> {
    fn place(&self) -> usize {
        self.given.place
    }

    fn batch(&self) -> Option<u64> {
        self.given.batch
    }

    fn episode(&self) -> u64 {
        self.given.episode
    }

    fn evidence(&self) -> Result<Evidence, Error> {
        Ok(self.evidence.clone())
    }

    fn reply(&self) -> Reply {
        self.given.answered()
    }
}

impl Book {
    /// The decisions that come out otherwise under this change; an error says why that cannot be reckoned.
    pub fn under(&self, change: &Change) -> Result<Answer, String> {
        let ready = |given: &Given| change.given(given.clone()).evidence();
        let evidence = self.given.iter().map(ready).collect::<Result<Vec<_>, _>>()?;
        let moments: Vec<Ready<'_>> =
            self.given.iter().zip(evidence).map(|(given, evidence)| Ready { given, evidence }).collect();
        let parser = Parser::new(self.words.iter().cloned()).map_err(text)?.in_form(self.form);
        let settings = change.settings(self.settings.clone());
        let mut engine = Engine::diagnostic(&settings, parser, self.seed).map_err(text)?;
        let mut answer = Answer { flips: Vec::new(), before: Sums::default(), after: Sums::default(), leaves: None };
        again(&mut engine, &moments, |moment, record| answer.note(moment.given, &record)).map_err(text)?;
        Ok(answer)
    }
}

impl Sums {
    fn note(&mut self, asks: bool, price: f64) {
        if asks {
            (self.calls, self.cost) = (self.calls + 1, self.cost + price);
        }
    }
}

impl Answer {
    fn note(&mut self, given: &Given, record: &Record) {
        let is_heard = given.reply.is_some() || !record.asked();
        let now = if is_heard { Logged::of(record) } else { Logged::Unheard };
        let does = is_heard.then(|| record.executed.index());
        self.before.note(given.logged.asks(), given.price);
        self.after.note(now.asks(), record.evidence.price());
        if now != given.logged || does != Some(given.executed) {
            let flip = Flip { step: given.step, was: given.logged, now, did: given.executed, does };
            if does != Some(given.executed) {
                self.leaves.get_or_insert(given.step);
            }
            self.flips.push(flip);
        }
    }
}

/// The answer to a question as text: a line with the change, then the book. What cannot be read or reckoned is an error in words.
pub fn answer(question: &str) -> Result<String, String> {
    let (change, book) = question.split_once('\n').ok_or("a question is a line with a change, then a book")?;
    let change: Change = serde_json::from_str(change).map_err(text)?;
    let book: Book = serde_json::from_str(book).map_err(text)?;
    serde_json::to_string(&book.under(&change)?).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
