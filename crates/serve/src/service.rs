//! The service: the core with its journal on the disk or shared with other servers, its log behind it, and a clock.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use counsel_file::Expected;
use counsel_log::{Run, explain};

use crate::batching::{Batching, Said};
use crate::committing::{Journal, held};
use crate::core::{Core, Handled, Kept};
use crate::following::Follower;
use crate::journal::JOURNAL;
use crate::moving::{check_own, move_into};
use crate::problem::{Kind, Problem};
use crate::replica::Replica;
use crate::shared::SharedJournal;
use crate::state::State;
use crate::{Error, Request, Response};

/// The journal as a file.
pub(crate) const FILE: Expected = Expected { what: "the journal of a server", most_bytes: u64::MAX };
/// How often the log catches up with the journal at most.
const CATCHES_UP: Duration = Duration::from_secs(1);
/// The share of the time that catching up may take: one of so many parts.
const SHARE: u32 = 20;

/// What a service needs from outside.
pub struct Surroundings {
    /// The time, in milliseconds since 1970.
    pub clock: Box<dyn Fn() -> u64 + Send + Sync>,
    /// Hears of faults of the log, which stop nothing: it is made again from the journal. Also that a shared journal cannot be reached.
    pub report: Box<dyn Fn(&Error) + Send + Sync>,
}

/// Who keeps the journal.
enum Keeper {
    /// This server alone, in its folder.
    Alone { core: Box<Mutex<Core>>, journal: Journal },
    /// Several servers together.
    Shared(Batching),
}

struct Inner {
    keeper: Keeper,
    follower: Mutex<Follower>,
    surroundings: Arc<Surroundings>,
    /// Whether the service is to end, and who is told so.
    ends: (Mutex<bool>, Condvar),
}

/// What answers requests. It is shared by all connections; dropping the last one writes the log to its end.
pub struct Service {
    inner: Arc<Inner>,
    thread: Option<JoinHandle<()>>,
}

/// An answer that may not leave yet.
#[must_use = "the answer may leave once it is kept"]
pub struct Pending<'a> {
    service: &'a Service,
    awaited: Awaited<'a>,
}

/// What an answer waits for.
enum Awaited<'a> {
    /// It is made, and its line is to be kept.
    Line { journal: &'a Journal, response: Response, line: u64, kept: Kept },
    /// It is made under a shared journal.
    Turn(Said),
}

impl Pending<'_> {
    /// The answer, once what it says is kept.
    pub async fn kept(self) -> Response {
        match self.awaited {
            Awaited::Line { journal, response, line, kept } => {
                if journal.kept(line, kept).await {
                    response
                } else {
                    unwritable()
                }
            }
            Awaited::Turn(said) => self.service.said(said.await.ok()),
        }
    }

    /// The same, without a runtime.
    pub fn wait(self) -> Response {
        match self.awaited {
            Awaited::Line { journal, response, line, kept } => {
                if journal.wait(line, kept) {
                    response
                } else {
                    unwritable()
                }
            }
            Awaited::Turn(said) => self.service.said(said.blocking_recv().ok()),
        }
    }
}

fn unwritable() -> Response {
    Problem::new(Kind::Journal, "nothing is acknowledged any more; make room on the disk and start the server again")
        .response()
}

fn unreachable() -> Response {
    Problem::new(
        Kind::Journal,
        "the journal of this server cannot be reached, so nothing is acknowledged; send the request again with the same key",
    )
    .response()
}

/// A folder for the log of one process.
fn claimed(dir: &Path) -> Result<Follower, Error> {
    let run = Run::at(dir);
    let claim = run.claim().map_err(|error| match error {
        counsel_log::Error::Claimed { path } => Error::Served { path },
        error => error.into(),
    })?;
    Ok(Follower::new(run, claim))
}

impl Service {
    /// Opens the folder of a server, for one process. What its journal tells of is taken up; a line that a crash tore is cut.
    pub fn open(dir: &Path, surroundings: Surroundings) -> Result<Self, Error> {
        let mut follower = claimed(dir)?;
        check_own(dir)?;
        let path = dir.join(JOURNAL);
        let mut file = counsel_file::open_kept(&path, FILE, OpenOptions::new().read(true).write(true))?;
        let core = {
            let mut look = |state: &mut State| follower.follow(state);
            let core = Core::follow(&mut BufReader::with_capacity(1 << 16, &file), &path, &mut look)?;
            mend(&mut file, &path, dir, core)?
        };
        follower.publish()?;
        let keeper = Keeper::Alone { core: Box::new(Mutex::new(core)), journal: Journal::new(file) };
        Ok(Self::start(keeper, follower, Arc::new(surroundings)))
    }

    /// Opens the folder of a server that shares its journal with others. The folder has the log alone, and the journal has a clock. A
    /// journal that is in the folder is moved into an empty one.
    pub fn open_shared(
        dir: &Path,
        mut journal: Box<dyn SharedJournal>,
        surroundings: Surroundings,
    ) -> Result<Self, Error> {
        let mut follower = claimed(dir)?;
        move_into(dir, journal.as_mut())?;
        let replica = Replica::join_with(journal, |state| follower.follow(state))?;
        follower.publish()?;
        let surroundings = Arc::new(surroundings);
        let keeper = Keeper::Shared(Batching::new(replica, Arc::clone(&surroundings)));
        Ok(Self::start(keeper, follower, surroundings))
    }

    fn start(keeper: Keeper, follower: Follower, surroundings: Arc<Surroundings>) -> Self {
        let inner = Arc::new(Inner { keeper, follower: Mutex::new(follower), surroundings, ends: Default::default() });
        let theirs = Arc::clone(&inner);
        let thread = std::thread::spawn(move || theirs.catch_up());
        Self { inner, thread: Some(thread) }
    }

    /// Begins to answer a request. The answer may leave once it is kept.
    pub fn begin(&self, request: &Request) -> Pending<'_> {
        let inner = &self.inner;
        let (core, journal) = match &inner.keeper {
            Keeper::Alone { core, journal } => (core, journal),
            Keeper::Shared(batching) => {
                return Pending { service: self, awaited: Awaited::Turn(batching.ask(request.clone())) };
            }
        };
        let mut core = held(core);
        let Handled { response, line, kept, explain } = core.handle((inner.surroundings.clock)(), request);
        // Lines are appended in the order in which the core made them.
        let line = line.map_or_else(|| journal.appended(), |line| journal.append(&line));
        drop(core);
        let response = match explain {
            Some((arm, step)) => self.explained(&arm, step),
            None => response,
        };
        Pending { service: self, awaited: Awaited::Line { journal, response, line, kept } }
    }

    /// The answer to a request under a shared journal; `None` stands for a journal that could not be reached.
    fn said(&self, handled: Option<Handled>) -> Response {
        match handled {
            Some(Handled { explain: Some((arm, step)), .. }) => self.explained(&arm, step),
            Some(Handled { response, .. }) => response,
            None => unreachable(),
        }
    }

    /// Answers one request. It returns when the answer may leave.
    pub fn answer(&self, request: &Request) -> Response {
        self.begin(request).wait()
    }

    /// Declares a policy that was handed over at the start.
    pub fn declare(&self, what: &str, name: &str, text: &[u8]) -> Result<(), Error> {
        let response = self.answer(&Request::new("PUT", format!("/v1/{what}/{name}"), text));
        if response.status < 400 {
            return Ok(());
        }
        let problem: serde_json::Value = serde_json::from_slice(&response.body).unwrap_or_default();
        let detail = problem["detail"].as_str().unwrap_or("it cannot be declared");
        Err(Error::declared(name, Problem::value(detail)))
    }

    /// Whether the journal can be written.
    pub fn is_sound(&self) -> bool {
        match &self.inner.keeper {
            Keeper::Alone { journal, .. } => !journal.has_failed(),
            Keeper::Shared(batching) => !batching.is_away(),
        }
    }

    fn explained(&self, arm: &str, step: u64) -> Response {
        let row = || {
            self.inner.catch_up_once(false)?;
            held(&self.inner.follower).row(arm, step)
        };
        match row() {
            Ok(Some((manifest, decision))) => Response::text(200, explain(&manifest, &decision)),
            Ok(None) => Problem::new(Kind::Unknown, "the log does not have this decision").response(),
            Err(error) => {
                (self.inner.surroundings.report)(&error);
                Problem::new(Kind::Fault, "the log cannot be read; look at what the server says").response()
            }
        }
    }

    /// Lets readers see all that happened so far in the log.
    pub fn publish(&self) -> Result<(), Error> {
        self.inner.catch_up_once(true)
    }
}

/// Cuts what a crash tore, and begins a journal that is new.
fn mend(file: &mut File, path: &Path, dir: &Path, core: Core) -> Result<Core, Error> {
    let whole = core.journal.bytes;
    let io = |action: &'static str| move |cause| counsel_file::Error::Io { action, path: path.into(), cause };
    file.set_len(whole).map_err(io("cut"))?;
    file.seek(SeekFrom::End(0)).map_err(io("read"))?;
    let core = if whole == 0 {
        let (core, heading) = Core::begin();
        file.write_all(&heading).map_err(io("write"))?;
        core
    } else {
        core
    };
    file.sync_all().map_err(io("flush"))?;
    // The name survives a power cut, too.
    #[cfg(unix)]
    File::open(dir).and_then(|folder| folder.sync_all()).map_err(io("flush the folder of"))?;
    #[cfg(not(unix))]
    let _ = dir;
    Ok(core)
}

impl Inner {
    /// Brings the log up to the state.
    fn catch_up_once(&self, publish: bool) -> Result<(), Error> {
        let mut follower = held(&self.follower);
        let taken = match &self.keeper {
            Keeper::Alone { core, .. } => {
                let mut core = held(core);
                core.pass((self.surroundings.clock)());
                Some(follower.take(&mut core.state)?)
            }
            Keeper::Shared(batching) => batching.tell(|state| follower.take(state))?,
        };
        let Some(taken) = taken else { return Ok(()) };
        follower.put(taken)?;
        if publish { follower.publish() } else { Ok(()) }
    }

    /// Lets time pass and the log catch up, until the service ends.
    fn catch_up(&self) {
        let mut pause = CATCHES_UP;
        loop {
            let ended = {
                let (ends, told) = &self.ends;
                let guard = held(ends);
                let waited = told.wait_timeout_while(guard, pause, |ends| !*ends);
                *waited.unwrap_or_else(PoisonError::into_inner).0
            };
            let began = Instant::now();
            if let Err(error) = self.catch_up_once(true) {
                (self.surroundings.report)(&error);
            }
            if ended {
                return;
            }
            pause = CATCHES_UP.max(began.elapsed() * SHARE);
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        *held(&self.inner.ends.0) = true;
        self.inner.ends.1.notify_all();
        if let Some(thread) = self.thread.take() {
            // What it could not write, it has reported; the journal has all.
            let _ = thread.join();
        }
    }
}
