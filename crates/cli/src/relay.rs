//! Questions and answers as lines, where another process asks the models: `counsel reproduce --relay` puts each question on its
//! standard output and reads the answer from its standard input, and `counsel advisor serve` answers. Who stands between them hands
//! lines on, and need not understand them.

use std::io::{Write, stdin, stdout};

use anyhow::{Result, bail};
use counsel_advisor::{AdvisorName, Identity, LanguageModel, Outage, Request, Utterance};
use counsel_experiment::{Library, LiveModel};
use counsel_transcript::Shelf;
use serde::{Deserialize, Serialize};

use crate::advisor::Remote;
use crate::line::{Line, start};

/// What is asked.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum RelayQuestion {
    /// Who answers under this name.
    Open(AdvisorName),
    /// What it answers.
    Ask { advisor: AdvisorName, request: Request },
}

/// What comes back.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum RelayAnswer {
    /// This model does.
    Opened(Identity),
    /// It cannot be asked at all.
    Refused(String),
    /// It says this.
    Said(Utterance),
    /// No answer came.
    Lost(Outage),
}

/// Advisors that another process asks.
pub(crate) fn library(remote: &Remote, recorded: Shelf) -> Library {
    let open = |name: &AdvisorName| -> Result<LiveModel, String> {
        match exchange(&RelayQuestion::Open(name.clone())).map_err(|error| format!("{error:#}"))? {
            RelayAnswer::Opened(identity) => Ok(Box::new(Relayed { advisor: name.clone(), identity })),
            RelayAnswer::Refused(reason) => Err(reason),
            other => Err(unexpected(&other)),
        }
    };
    Library::live(recorded, Box::new(open), remote.patience())
}

/// A model that another process asks.
struct Relayed {
    advisor: AdvisorName,
    identity: Identity,
}

impl LanguageModel for Relayed {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        let answer = |request: &Request| {
            let question = RelayQuestion::Ask { advisor: self.advisor.clone(), request: request.clone() };
            match exchange(&question) {
                Ok(RelayAnswer::Said(utterance)) => Ok(utterance),
                Ok(RelayAnswer::Lost(outage)) => Err(outage),
                Ok(other) => Err(Outage::systematic(unexpected(&other))),
                Err(error) => Err(Outage::systematic(format!("{error:#}"))),
            }
        };
        requests.iter().map(answer).collect()
    }
}

/// Puts a question and waits for its answer. Whoever holds standard output has the line to themselves.
fn exchange(question: &RelayQuestion) -> Result<RelayAnswer> {
    let mut out = stdout().lock();
    serde_json::to_writer(&mut out, question)?;
    writeln!(out)?;
    out.flush()?;
    let (line, wrong) = match Line::read(&mut stdin().lock())? {
        None => bail!(
            "standard input ended before an answer came; --relay needs a program that answers, see `counsel advisor serve`"
        ),
        Some(Line::Text(line)) => match serde_json::from_str(&line) {
            Ok(answer) => return Ok(answer),
            Err(error) => (start(&line), error.to_string()),
        },
        Some(Line::Unreadable { start, reason }) => (start, reason.to_owned()),
    };
    bail!("the line `{line}` is no answer: {wrong}; --relay needs a program that answers")
}

fn unexpected(answer: &RelayAnswer) -> String {
    format!("{answer:?} is no answer to this question; use the same version of counsel at both ends")
}
