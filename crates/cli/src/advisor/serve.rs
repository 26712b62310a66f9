//! `counsel advisor serve`: one process that asks for many.

use std::collections::BTreeMap;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};

use anyhow::{Context, Result};
use clap::Args;
use counsel_advisor::{AdvisorName, Request};
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

/// A question, and the number that its answer gets.
struct Numbered {
    number: u64,
    question: Question,
}

impl Serve {
    pub(crate) fn run(&self) -> Result<()> {
        self.voice.remote.require_budget("answers of")?;
        let (at_once, lines) = (self.turns.at_once.get(), incoming());
        let mut models = BTreeMap::new();
        while let Ok(first) = lines.recv() {
            // What came meanwhile is asked along with it.
            let turn = std::iter::once(first).chain(lines.try_iter()).take(at_once);
            let turn: Vec<Numbered> = turn.collect::<Result<_>>()?;
            let mut out = stdout().lock();
            for (number, answer) in self.answer(&mut models, turn) {
                writeln!(out, "{number} {}", serde_json::to_string(&answer)?)?;
            }
            out.flush()?;
        }
        Ok(())
    }

    /// The answers to the questions of one turn, those of each model together.
    fn answer(&self, models: &mut BTreeMap<AdvisorName, LiveModel>, turn: Vec<Numbered>) -> Vec<(u64, Answer)> {
        let mut answers = Vec::new();
        let mut asked: BTreeMap<AdvisorName, (Vec<u64>, Vec<Request>)> = BTreeMap::new();
        for Numbered { number, question } in turn {
            match question {
                Question::Open(advisor) => answers.push((
                    number,
                    match self.model(models, &advisor) {
                        Ok(model) => Answer::Opened(model.identity().clone()),
                        Err(reason) => Answer::Refused(reason),
                    },
                )),
                Question::Ask { advisor, request } => {
                    let (numbers, requests) = asked.entry(advisor).or_default();
                    numbers.push(number);
                    requests.push(request);
                }
            }
        }
        for (advisor, (numbers, requests)) in asked {
            match self.model(models, &advisor) {
                Ok(model) => {
                    let said =
                        model.answer(&requests).into_iter().map(|said| said.map_or_else(Answer::Lost, Answer::Said));
                    answers.extend(numbers.into_iter().zip(said));
                }
                Err(reason) => {
                    answers.extend(numbers.into_iter().map(|number| (number, Answer::Refused(reason.clone()))));
                }
            }
        }
        answers
    }

    /// The model of an advisor, opened when it is first wanted.
    fn model<'a>(
        &self,
        models: &'a mut BTreeMap<AdvisorName, LiveModel>,
        advisor: &AdvisorName,
    ) -> Result<&'a mut LiveModel, String> {
        if !models.contains_key(advisor) {
            let model = live::model(&self.voice, advisor, &self.out, self.turns.at_once.get());
            models.insert(advisor.clone(), model.map_err(|error| format!("{error:#}"))?);
        }
        models.get_mut(advisor).ok_or_else(|| format!("{advisor} is not there"))
    }
}

/// The questions, as they come. A thread of its own reads them, so that none waits for the turn before.
fn incoming() -> Receiver<Result<Numbered>> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        for line in stdin().lock().lines() {
            let numbered = line.context("standard input cannot be read").and_then(|line| numbered(&line));
            let last = numbered.is_err();
            // Nobody listens any more only when the command is over.
            if send.send(numbered).is_err() || last {
                break;
            }
        }
    });
    receive
}

fn numbered(line: &str) -> Result<Numbered> {
    let wrong =
        || format!("`{line}` is no question; send a number, a space, and a line of `counsel reproduce --relay`");
    let (number, question) = line.split_once(' ').with_context(wrong)?;
    Ok(Numbered {
        number: number.parse().with_context(wrong)?,
        question: serde_json::from_str(question).with_context(wrong)?,
    })
}
