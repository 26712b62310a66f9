//! `counsel advisor serve`: one process that asks for many.
//!
//! Invariants: a question that is heard or under way is not asked again, whoever puts it; what was asked is waited for and kept,
//! even where nobody listens any more.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, BufRead, Write, stdin, stdout};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use clap::Args;
use counsel_advisor::AdvisorName;
use counsel_experiment::LiveModel;

use super::model::Voice;
use super::turns::Turns;
use crate::live;
use crate::relay::{Answer, Question};

/// Answer the questions of `counsel reproduce --relay`, which come on standard input.
///
/// A question is a line with a number, a space, and what a run put on its standard output; its answer is a line with that number, a
/// space, and what the run reads. So many runs can ask one process, which holds one budget and asks no question twice: every answer
/// is in DIR/answers before it is handed out. It ends with standard input.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor serve --base-url https://api.example.com --budget 500 --ledger calls.jsonl --at-once 8 --out runs/live

`counsel.ray.reproduce(..., live=...)` in Python starts this and hands the lines on.")]
pub(crate) struct Serve {
    /// The folder of the run whose questions these are
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
    #[command(flatten)]
    turns: Turns,
    #[command(flatten)]
    voice: Voice,
}

/// What happens.
enum Event {
    /// A line came, or none can be read.
    Line(io::Result<String>),
    /// No line will come.
    End,
    /// The question of this line was answered.
    Done(String, Answer),
}

impl Serve {
    pub(crate) fn run(&self) -> Result<()> {
        self.voice.remote.require_budget("answers of")?;
        let (report, events) = mpsc::channel();
        let (hand_out, questions) = mpsc::channel();
        let questions = Mutex::new(questions);
        let lines = report.clone();
        std::thread::spawn(move || read(&lines));
        std::thread::scope(|scope| {
            for _ in 0..self.turns.at_once.get() {
                scope.spawn(|| self.ask(&questions, &report));
            }
            // Those who ask end when no question can come any more.
            Desk { hand_out, heard: BTreeMap::new(), waiting: BTreeMap::new() }.serve(&events)
        })
    }

    /// Asks, one question after the other.
    fn ask(&self, questions: &Mutex<Receiver<(String, Question)>>, report: &Sender<Event>) {
        let mut models = BTreeMap::new();
        loop {
            let next = questions.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((line, question)) = next else { break };
            let answer = self.answer(&mut models, question);
            // Nobody listens any more only when the command is over.
            let _ = report.send(Event::Done(line, answer));
        }
    }

    fn answer(&self, models: &mut BTreeMap<AdvisorName, LiveModel>, question: Question) -> Answer {
        let (advisor, request) = match question {
            Question::Open(advisor) => (advisor, None),
            Question::Ask { advisor, request } => (advisor, Some(request)),
        };
        let model = match models.entry(advisor) {
            Entry::Occupied(model) => model.into_mut(),
            Entry::Vacant(place) => match live::model(&self.voice, place.key(), &self.out) {
                Ok(model) => place.insert(model),
                Err(error) => return Answer::Refused(format!("{error:#}")),
            },
        };
        let Some(request) = request else { return Answer::Opened(model.identity().clone()) };
        model.answer_one(&request).map_or_else(Answer::Lost, Answer::Said)
    }
}

/// Who asked what.
struct Desk {
    hand_out: Sender<(String, Question)>,
    /// What was answered.
    heard: BTreeMap<String, Answer>,
    /// Which numbers wait for the answer to a question that is under way.
    waiting: BTreeMap<String, Vec<u64>>,
}

impl Desk {
    /// Takes questions until none can come, and waits for those under way.
    fn serve(mut self, events: &Receiver<Event>) -> Result<()> {
        let (mut outcome, mut open) = (Ok(()), true);
        while open || !self.waiting.is_empty() {
            let happened = match events.recv()? {
                Event::Line(line) if open => {
                    line.context("standard input cannot be read").and_then(|line| self.take(&line))
                }
                Event::Line(_) => Ok(()),
                Event::End => {
                    open = false;
                    Ok(())
                }
                Event::Done(question, answer) => self.give(question, answer),
            };
            if happened.is_err() {
                open = false;
                outcome = outcome.and(happened);
            }
        }
        outcome
    }

    /// Takes a line in.
    fn take(&mut self, line: &str) -> Result<()> {
        let numbered = line
            .split_once(' ')
            .and_then(|(number, text)| Some((number.parse().ok()?, text, serde_json::from_str(text).ok()?)));
        let Some((number, text, question)) = numbered else {
            bail!("`{line}` is no question; send a number, a space, and a line of `counsel reproduce --relay`");
        };
        if let Some(answer) = self.heard.get(text) {
            return say(&[number], answer);
        }
        match self.waiting.entry(text.to_owned()) {
            Entry::Occupied(mut under_way) => under_way.get_mut().push(number),
            Entry::Vacant(place) => {
                place.insert(vec![number]);
                self.hand_out.send((text.to_owned(), question))?;
            }
        }
        Ok(())
    }

    /// Hands an answer out. What was lost may be asked again.
    fn give(&mut self, question: String, answer: Answer) -> Result<()> {
        let numbers = self.waiting.remove(&question).unwrap_or_default();
        let said = say(&numbers, &answer);
        if matches!(answer, Answer::Opened(_) | Answer::Said(_)) {
            self.heard.insert(question, answer);
        }
        said
    }
}

/// Writes an answer under these numbers.
fn say(numbers: &[u64], answer: &Answer) -> Result<()> {
    let (mut out, answer) = (stdout().lock(), serde_json::to_string(answer)?);
    for number in numbers {
        writeln!(out, "{number} {answer}")?;
    }
    Ok(out.flush()?)
}

/// Reads lines as they come.
fn read(report: &Sender<Event>) {
    let lines = stdin().lock().lines().map(Event::Line);
    for event in lines.chain([Event::End]) {
        if report.send(event).is_err() {
            break;
        }
    }
}
