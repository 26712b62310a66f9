//! The core: requests in, answers and lines of the journal out. No clock, no file, no socket, so a model checker can drive it.

use std::io::BufRead;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::body::{OutcomeBody, parsed};
use crate::decision::Answer;
use crate::event::{Event, KeyUse};
use crate::journal::{self, Extent, Line, answered};
use crate::policy::{PolicySpec, hex};
use crate::problem::{Kind, Problem};
use crate::resuming::Resumed;
use crate::route::{Action, Route};
use crate::state::State;
use crate::{BudgetSpec, Error, Request, Response, reports};

/// What must have happened before an answer leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// All that came before is on the disk, and survives a power cut.
    Synced,
    /// All that came before is written, and survives a kill of the process: nothing is paid for on the strength of it.
    Written,
}

/// What a request came to.
#[derive(Debug)]
pub struct Handled {
    /// What is answered.
    pub response: Response,
    /// The line that the journal must have before the answer leaves; none where nothing changed.
    pub line: Option<Vec<u8>>,
    /// When the answer may leave.
    pub kept: Kept,
    /// The row of the log that is to be explained, in the place of the response.
    pub(crate) explain: Option<(String, u64)>,
}

impl From<Response> for Handled {
    fn from(response: Response) -> Self {
        Self { response, line: None, kept: Kept::Synced, explain: None }
    }
}

/// The state of a server and the end of its journal.
#[derive(Debug, Default)]
pub struct Core {
    pub(crate) state: State,
    /// The journal that it is the fold of.
    pub(crate) journal: Extent,
    /// How many requests were answered by an earlier answer.
    pub(crate) replays: u64,
}

impl Core {
    /// A core without a past, and the first line of its journal.
    pub fn begin() -> (Self, Vec<u8>) {
        let mut core = Self::default();
        let heading = journal::heading(&mut core.journal);
        (core, heading)
    }

    /// The core that a journal tells of, and how many bytes of it are whole lines; the rest was torn by a crash, and has to be cut.
    /// The path is for messages.
    pub fn read(source: &mut impl BufRead, path: &Path) -> Result<(Self, u64), Error> {
        let core = Self::follow(source, path, |_| Ok(()))?;
        let whole = core.journal.bytes;
        Ok((core, whole))
    }

    /// The same, with a look at the changes of the log now and then.
    pub(crate) fn follow(
        source: &mut impl BufRead,
        path: &Path,
        mut look: impl FnMut(&mut State) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut core = Self::default();
        journal::read(source, path, |line| {
            core.take(line)?;
            if core.journal.lines.is_multiple_of(1000) { look(&mut core.state) } else { Ok(()) }
        })?;
        look(&mut core.state)?;
        Ok(core)
    }

    /// Takes the next line of the journal, without its end.
    pub(crate) fn take(&mut self, line: &[u8]) -> Result<(), Error> {
        let Some(Line { at, key, event, answer }) = self.journal.take(line)? else { return Ok(()) };
        let number = self.journal.lines;
        let refuse = |reason: String| Error::Line { number, reason };
        if at < self.state.now {
            return Err(refuse(format!("it happened at {at}, before the line above it")));
        }
        let again = self.state.apply(at, key.as_ref(), &event);
        if answered(&again.body) != answer {
            return Err(refuse(
                "this program answers it otherwise than the one that wrote it; go on with that version of counsel"
                    .into(),
            ));
        }
        Ok(())
    }

    /// Answers a request at this time, in milliseconds since 1970. A time before the latest one counts as that.
    pub fn handle(&mut self, now: u64, request: &Request) -> Handled {
        self.state.pass(now);
        let handled = self.route(request);
        handled.unwrap_or_else(|problem| problem.response().into())
    }

    /// Answers a request as of the last line of the journal.
    pub(crate) fn peek(&mut self, request: &Request) -> Handled {
        self.handle(self.state.now, request)
    }

    /// The same at this time, by which nothing more is due. Time stands still where nothing changes, as it does for whoever reads the
    /// journal.
    pub(crate) fn handle_between(&mut self, now: u64, request: &Request) -> Handled {
        let before = self.state.now;
        let handled = self.handle(now, request);
        if handled.line.is_none() {
            self.state.now = before;
        }
        handled
    }

    /// Lets time pass by a line of the journal, if something runs out by it.
    pub(crate) fn tick(&mut self, now: u64) -> Option<Vec<u8>> {
        if !self.state.is_due(now) {
            return None;
        }
        self.state.pass(now);
        self.change(None, Event::Passed).line
    }

    /// Lets time pass.
    pub fn pass(&mut self, now: u64) {
        self.state.pass(now);
    }

    /// All that later answers depend on, as text: two cores with the same one answer alike.
    pub fn snapshot(&self) -> String {
        self.state.snapshot()
    }

    /// Whether every budget of the tree keeps within its limits.
    pub fn budgets_hold(&self) -> bool {
        self.state.budgets.holds()
    }

    fn route(&mut self, request: &Request) -> Result<Handled, Problem> {
        let (action, name) = Route::of(&request.method, request.path())?;
        let digest = hex(
            &Sha256::new()
                .chain_update(&request.method)
                .chain_update("\n")
                .chain_update(request.path())
                .chain_update("\n")
                .chain_update(&request.body)
                .finalize(),
            16,
        );
        let key = match &request.idempotency_key {
            Some(key) if action.changes() => Some(checked_key(key, digest.clone())?),
            _ => None,
        };
        if let Some(KeyUse { key, request: digest }) = &key
            && let Some(kept) = self.state.keys.get(key).cloned()
        {
            if kept.request != *digest {
                return Err(Problem::new(
                    Kind::KeyReused,
                    "this key was used for another request; use a new key for a new request",
                ));
            }
            return Ok(self.again(&kept.answer));
        }
        let event = match action {
            Action::PutPolicy => {
                crate::body::plain_name("the policy", &name)?;
                match self.state.check_policy(&name, PolicySpec::read(&request.body)?)? {
                    Some(event) => event,
                    None => return reports::policy(&self.state, &name).map(Handled::from),
                }
            }
            Action::PutBudget => {
                crate::body::plain_name("the budget", &name)?;
                let spec: BudgetSpec = parsed(&request.body, "the budget")?;
                self.state.check_budget(&name, spec)?
            }
            Action::Decide => {
                if key.is_none() {
                    return Err(Problem::new(
                        Kind::KeyMissing,
                        "send an Idempotency-Key, one for each decision: a retry with the same key gets the same answer and spends nothing",
                    ));
                }
                self.state.check_decision(parsed(&request.body, "the decision")?)?
            }
            Action::Resume => {
                let body = parsed(&request.body, "the reply")?;
                match self.state.check_resume(number(&name)?, body, digest)? {
                    Resumed::Now(resume) => Event::Resume(*resume),
                    Resumed::Before(answer) => return Ok(self.again(&answer)),
                }
            }
            Action::Outcome => {
                let body: OutcomeBody = parsed(&request.body, "the outcome")?;
                match self.state.check_outcome(number(&name)?, &body)? {
                    Some(event) => event,
                    None => return Ok(Response::json(200, r#"{"accepted":false,"learned":false}"#).into()),
                }
            }
            Action::End => {
                let body = if request.body.is_empty() { b"{}" } else { request.body.as_slice() };
                self.state.check_end(&name, parsed(body, "the end")?)?
            }
            Action::Explain => return reports::explained(&self.state, number(&name)?),
            read => return reports::report(&self.state, read, &name, request, self.replays).map(Handled::from),
        };
        Ok(self.change(key, event))
    }

    /// An earlier answer, sent again.
    fn again(&mut self, answer: &Answer) -> Handled {
        self.replays += 1;
        let status = if answer.status == 201 { 200 } else { answer.status };
        let response = Response { replayed: true, ..Response::json(status, answer.body.as_bytes()) };
        response.into()
    }

    /// Makes a change, and the line that tells of it.
    fn change(&mut self, key: Option<KeyUse>, event: Event) -> Handled {
        let at = self.state.now;
        let answer = self.state.apply(at, key.as_ref(), &event);
        let observed = match &event {
            Event::Decide(_) => {
                self.state.decisions.get(&self.state.latest_decision).is_some_and(|decision| !decision.applied)
            }
            _ => false,
        };
        let line = Line { at, key, event, answer: answered(&answer.body) };
        let text = serde_json::to_string(&line).unwrap_or_default();
        Handled {
            response: Response::json(answer.status, answer.body.as_bytes()),
            line: Some(self.journal.seal(&text)),
            kept: if observed { Kept::Written } else { Kept::Synced },
            explain: None,
        }
    }
}

/// The number of a decision in a path.
fn number(name: &str) -> Result<u64, Problem> {
    let unknown =
        || Problem::new(Kind::Unknown, "there is no such decision; send the `decision` of an answer, as in d12");
    name.strip_prefix('d')
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(unknown)
}

fn checked_key(key: &str, request: String) -> Result<KeyUse, Problem> {
    let visible = key.bytes().all(|byte| (0x21..=0x7e).contains(&byte));
    if key.is_empty() || key.len() > 255 || !visible {
        return Err(Problem::value(format!(
            "the Idempotency-Key has {} bytes; send 1 to 255 visible ASCII characters",
            key.len()
        )));
    }
    Ok(KeyUse { key: key.to_owned(), request })
}
