//! `counsel advisor serve`: one process that asks for many.
//!
//! Invariants: a question that is heard or under way is not asked again, whoever puts it; what was asked is waited for and kept,
//! even where nobody listens any more; a line that is no question is answered as one, and ends nothing; and memory is bounded, since
//! lines are, and no more of them are read than wait for an answer at a time.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Write, stdin, stdout};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use clap::Args;
use counsel_advisor::AdvisorName;
use counsel_experiment::LiveModel;
use counsel_file::Printable;

use super::model::Voice;
use super::turns::Turns;
use crate::line::{Line, start};
use crate::relay::{RelayAnswer, RelayQuestion};
use crate::{interrupt, live};

/// How many lines may wait for an answer before another is read.
const MOST_OPEN: usize = 128;
/// How many advisors each of those who ask keeps open.
const MOST_ADVISORS: usize = 64;

/// Answer the questions of `counsel reproduce --relay`, which come on standard input.
///
/// A question is a line with a number, a space, and what a run put on its standard output; its answer is a line with that number, a
/// space, and what the run reads. So many runs can ask one process, which holds one budget and asks no question twice: every answer
/// is in DIR/answers before it is handed out. A line that is no question is refused under its number, or on standard error where it has
/// none. It ends with standard input.
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
    Line(io::Result<Line>),
    /// No line will come.
    End,
    /// The question of this line was answered.
    Done(String, RelayAnswer),
}

impl Serve {
    pub(crate) fn run(&self) -> Result<()> {
        self.voice.remote.require_budget("answers of")?;
        self.voice.remote.keep_ledger_in(&self.out);
        interrupt::explain("what was answered is kept; serve again to go on");
        let (report, events) = mpsc::channel();
        let (hand_out, questions) = mpsc::channel();
        let (wait, places) = mpsc::sync_channel(MOST_OPEN);
        let questions = Mutex::new(questions);
        let lines = report.clone();
        std::thread::spawn(move || read(&lines, &wait));
        std::thread::scope(|scope| {
            for _ in 0..self.turns.at_once.get() {
                scope.spawn(|| self.ask(&questions, &report));
            }
            // Those who ask end when no question can come any more.
            OpenQuestions { hand_out, waiting: BTreeMap::new(), places }.serve(&events)
        })
    }

    /// Asks, one question after the other.
    fn ask(&self, questions: &Mutex<Receiver<(String, RelayQuestion)>>, report: &Sender<Event>) {
        let mut models = Vec::new();
        loop {
            let next = questions.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((line, question)) = next else { break };
            let answer = self.answer(&mut models, question);
            // Nobody listens any more only when the command is over.
            let _ = report.send(Event::Done(line, answer));
        }
    }

    fn answer(&self, models: &mut Vec<(AdvisorName, LiveModel)>, question: RelayQuestion) -> RelayAnswer {
        let (advisor, request) = match question {
            RelayQuestion::Open(advisor) => (advisor, None),
            RelayQuestion::Ask { advisor, request } => (advisor, Some(request)),
        };
        let mut opened = match models.iter().position(|(known, _)| *known == advisor) {
            Some(at) => models.remove(at),
            None => match live::model(&self.voice, &advisor, &self.out) {
                Ok(model) => (advisor, model),
                Err(error) => return RelayAnswer::Refused(format!("{error:#}")),
            },
        };
        let answer = match request {
            None => RelayAnswer::Opened(opened.1.identity().clone()),
            Some(request) => opened.1.answer_one(&request).map_or_else(RelayAnswer::Lost, RelayAnswer::Said),
        };
        // Its answers are in its journal, so the one that was asked longest ago can be opened again.
        if models.len() >= MOST_ADVISORS {
            models.remove(0);
        }
        models.push(opened);
        answer
    }
}

/// Who asked what. What was answered is in the journals, so a question that comes again is handed out again, and answered from there.
struct OpenQuestions {
    hand_out: Sender<(String, RelayQuestion)>,
    /// Which numbers wait for the answer to a question that is under way.
    waiting: BTreeMap<String, Vec<u64>>,
    /// One for every line that was read and not answered.
    places: Receiver<()>,
}

impl OpenQuestions {
    /// Takes questions until none can come, and waits for those under way.
    fn serve(mut self, events: &Receiver<Event>) -> Result<()> {
        let (mut outcome, mut open) = (Ok(()), true);
        while open || !self.waiting.is_empty() {
            let happened = match events.recv()? {
                Event::Line(line) if open => {
                    line.context("standard input cannot be read").and_then(|line| self.take(line))
                }
                Event::Line(_) => Ok(()),
                Event::End => {
                    open = false;
                    Ok(())
                }
                Event::Done(question, answer) => self.give(&question, &answer),
            };
            if happened.is_err() {
                open = false;
                outcome = outcome.and(happened);
            }
        }
        outcome
    }

    /// Takes a line in.
    fn take(&mut self, line: Line) -> Result<()> {
        let (number, text, question) = match numbered(line) {
            Ok(numbered) => numbered,
            Err((number, reason)) => {
                let refusal = format!("{reason}; send a number, a space, and a line of `counsel reproduce --relay`");
                let Some(number) = number else {
                    // Nobody can be answered.
                    eprintln!("{}", Printable(refusal));
                    let _ = self.places.try_recv();
                    return Ok(());
                };
                return self.say(&[number], &RelayAnswer::Refused(refusal));
            }
        };
        match self.waiting.entry(text) {
            Entry::Occupied(mut under_way) => under_way.get_mut().push(number),
            Entry::Vacant(place) => {
                let text = place.key().clone();
                place.insert(vec![number]);
                self.hand_out.send((text, question))?;
            }
        }
        Ok(())
    }

    /// Hands an answer out.
    fn give(&mut self, question: &str, answer: &RelayAnswer) -> Result<()> {
        let numbers = self.waiting.remove(question).unwrap_or_default();
        self.say(&numbers, answer)
    }

    /// Writes an answer under these numbers, whose lines wait no more.
    fn say(&self, numbers: &[u64], answer: &RelayAnswer) -> Result<()> {
        let (mut out, answer) = (stdout().lock(), serde_json::to_string(answer)?);
        for number in numbers {
            let _ = self.places.try_recv();
            writeln!(out, "{number} {answer}")?;
        }
        Ok(out.flush()?)
    }
}

/// The number of a line, its question as text and as it was read; or the number, where it has one, and why it is no question.
fn numbered(line: Line) -> Result<(u64, String, RelayQuestion), (Option<u64>, String)> {
    let number = |text: &str| text.split_once(' ').and_then(|(number, _)| number.parse().ok());
    let line = match line {
        Line::Text(line) => line,
        Line::Unreadable { start, reason } => {
            return Err((number(&start), format!("`{start}` is no question: {reason}")));
        }
    };
    let found = number(&line);
    let text = line.split_once(' ').map_or("", |(_, text)| text);
    match (found, serde_json::from_str(text)) {
        (Some(number), Ok(question)) => Ok((number, text.to_owned(), question)),
        (number, Err(error)) if number.is_some() => {
            Err((number, format!("`{}` is no question: {error}", start(&line))))
        }
        _ => Err((None, format!("`{}` is no question", start(&line)))),
    }
}

/// Reads lines as they come, as long as there is a place for one more.
fn read(report: &Sender<Event>, places: &SyncSender<()>) {
    let mut input = stdin().lock();
    while places.send(()).is_ok() {
        let event = match Line::read(&mut input) {
            Ok(Some(line)) => Event::Line(Ok(line)),
            Ok(None) => Event::End,
            Err(error) => Event::Line(Err(error)),
        };
        let more = matches!(event, Event::Line(Ok(_)));
        if report.send(event).is_err() || !more {
            break;
        }
    }
}
