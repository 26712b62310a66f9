//! `counsel view`: the decision inspector of a run, served to this machine's browser alone.
//!
//! Only the loopback address is listened on, and a request must name it exactly in `Host`, and in `Origin` where it has one.
//! A browser says in `Sec-Fetch-Site` whose page is asking: any other than this server's own gets 403, on every path. An episode is
//! sent when it is looked at. Nothing is written, and between requests only sums of finished cells are kept. The pages that lead to
//! the cells ask again every second, so a run that goes on is seen as it comes.

mod known;
mod player;
mod server;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use clap::Args;
use counsel_log::{CellKey, Run};
use counsel_report::{
    Inspected, Judging, inspector_policy, overview_policy, page_policy, served_at, served_book, served_episode,
    served_find, served_index, served_inspector, study_chapters,
};
use counsel_serve::{Credentials, Guard};
use tokio::sync::Semaphore;

use crate::advisor::Recorded;
use crate::cell;
use crate::inspect::inspect;
use known::Known;
use player::Player;

/// Look at the decisions of a run in a browser, one episode at a time.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel view runs
  counsel view runs --port 8123

Prints the address and serves until it is interrupted, to this machine alone. The first page has every study as a matrix of arms
and seeds; while the run goes on it fills without being loaded again. The page of a cell is that of `counsel report --cell`, with
every episode; /STUDY/ARM+OTHER/SEED has two arms of one seed side by side, and /find/STUDY what matters in a study. Where a
what-if leaves the log, the world is played on from there with the recorded advisor, beside the real episode.")]
pub(crate) struct View {
    /// The folder that `counsel reproduce` wrote
    dir: PathBuf,
    /// The port [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    #[command(flatten)]
    recorded: Recorded,
}

/// What every request needs.
struct Served {
    dir: PathBuf,
    /// Who may speak to this server.
    guard: Guard,
    /// The right to read logs for a request. It is held until they are read, even where nobody waits for that any more.
    reading: Arc<Semaphore>,
    /// What is remembered of finished cells.
    known: Known,
    /// Who plays runs on.
    player: Player,
}

/// Pages that may be in the making, of which [`READERS`] are.
const READING: usize = 8;
/// Threads that read logs. Each may take the memory of two cells.
const READERS: usize = 2;
/// Arms that are shown side by side.
const MOST_ARMS: usize = 2;

/// What a request says of where it comes from.
fn credentials(headers: &HeaderMap) -> Credentials<'_> {
    // What is no text is nobody's name.
    let said = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    Credentials { host: said("host"), origin: said("origin"), site: said("sec-fetch-site"), authorization: None }
}

impl View {
    pub(crate) fn run(&self) -> Result<()> {
        // A folder in which nothing is and nothing is on its way is refused before anything is served.
        let run = Run::at(&self.dir);
        if run.announced().is_empty() {
            run.keys()?;
        }
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_io().enable_time().max_blocking_threads(READERS).build()?;
        runtime.block_on(self.serve())
    }

    async fn serve(&self) -> Result<()> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let taken = || format!("cannot listen on {address}; choose another --port, or leave it out");
        let listener = tokio::net::TcpListener::bind(address).await.with_context(taken)?;
        let port = listener.local_addr()?.port();
        let own = Guard::named(vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")]);
        writeln!(std::io::stdout().lock(), "http://127.0.0.1:{port}/")?;
        let reading = Arc::new(Semaphore::new(READING));
        let player = Player::new(&self.recorded, &self.dir);
        let served = Arc::new(Served { dir: self.dir.clone(), guard: own, reading, known: Known::default(), player });
        let router = Router::new()
            .route("/", get(index))
            .route("/report/{study}", get(report))
            .route("/find/{study}", get(find))
            .route("/episode/{study}/{arm}/{seed}/{episode}", get(episode))
            .route("/book/{study}/{arm}/{seed}", get(book))
            .route("/fork/{study}/{arm}/{seed}/{step}/{change}", get(fork))
            .route("/{study}/{arms}/{seed}", get(page))
            .layer(middleware::from_fn_with_state(served.clone(), guard))
            .with_state(served);
        match server::serve(listener, router).await {}
    }
}

/// Lets requests through that use this server's own name, and says to the browser what the page may do.
async fn guard(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response {
    if served.guard.check(credentials(request.headers())).is_err() {
        return (StatusCode::FORBIDDEN, "this server speaks to pages of its own address alone\n").into_response();
    }
    let mut response = next.run(request).await;
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ] {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

async fn index(State(served): State<Arc<Served>>) -> Response {
    let reading = Arc::clone(&served.reading);
    answer(reading, move || {
        let studies = served.known.studies(&Run::at(&served.dir), None)?;
        Ok(Sent::Overview(served_index(&served.dir.display().to_string(), &studies)))
    })
    .await
}

/// What matters in one study.
async fn find(State(served): State<Arc<Served>>, Path(study): Path<String>) -> Response {
    answer(Arc::clone(&served.reading), move || {
        let studies = served.known.studies(&Run::at(&served.dir), Some(&study))?;
        let seen = studies.first().context("the study has no cells")?;
        Ok(Sent::Overview(served_find(&served.dir.display().to_string(), seen)))
    })
    .await
}

/// The report of one study, with links to every cell.
async fn report(State(served): State<Arc<Served>>, Path(study): Path<String>) -> Response {
    answer(Arc::clone(&served.reading), move || {
        let chapters = study_chapters(&Run::at(&served.dir), Some(&[study]), Judging::AsItStands, &|_| {})?;
        let link = |cell: &CellKey| Some(served_at(cell));
        let page = counsel_report::page(&served.dir.display().to_string(), &chapters, &link);
        // A report is a file of its own; here there is a way back from it.
        Ok(Sent::Report(page.replacen("<body>", "<body><nav><a href=\"/\">All cells</a></nav>", 1)))
    })
    .await
}

async fn page(
    State(served): State<Arc<Served>>,
    Path((study, arms, seed)): Path<(String, String, String)>,
) -> Response {
    answer(Arc::clone(&served.reading), move || {
        if arms.split('+').count() > MOST_ARMS {
            bail!("at most {MOST_ARMS} arms are shown side by side; name one, or two with + between them");
        }
        let run = Run::at(&served.dir);
        let inspected = |arm: &str| inspect(&cell::find(&run, &format!("{study}/{arm}/{seed}"))?, None);
        let cells: Vec<Inspected> = arms.split('+').map(inspected).collect::<Result<_>>()?;
        Ok(Sent::Page(served_inspector(&served.dir.display().to_string(), &cells)))
    })
    .await
}

async fn episode(
    State(served): State<Arc<Served>>,
    Path((study, arm, seed, number)): Path<(String, String, String, u64)>,
) -> Response {
    answer(Arc::clone(&served.reading), move || {
        let found = cell::find(&Run::at(&served.dir), &format!("{study}/{arm}/{seed}"))?;
        let cell = inspect(&found, Some(&(number..=number)))?;
        let episode = cell.episodes.first().context("the episode has no decisions")?;
        Ok(Sent::Data(served_episode(&cell, episode)))
    })
    .await
}

/// What a what-if needs of a cell.
async fn book(State(served): State<Arc<Served>>, Path((study, arm, seed)): Path<(String, String, String)>) -> Response {
    answer(Arc::clone(&served.reading), move || {
        let found = cell::find(&Run::at(&served.dir), &format!("{study}/{arm}/{seed}"))?;
        let book = counsel_log::book(&found.manifest, &found.decisions()?).map_err(anyhow::Error::msg)?;
        Ok(Sent::Data(served_book(&book)))
    })
    .await
}

/// The episode in which a run goes another way, played on from a decision under another setting.
async fn fork(
    State(served): State<Arc<Served>>,
    Path((study, arm, seed, step, change)): Path<(String, String, String, u64, String)>,
) -> Response {
    answer(Arc::clone(&served.reading), move || {
        let found = cell::find(&Run::at(&served.dir), &format!("{study}/{arm}/{seed}"))?;
        Ok(Sent::Data(served.player.play_on(&found, step, &change)?))
    })
    .await
}

/// What is sent.
enum Sent {
    /// A page with the inspector's script and style.
    Page(String),
    /// A page that leads to cells, with a script of its own.
    Overview(String),
    /// A page that asks for nothing.
    Report(String),
    Data(String),
}

/// Reads logs beside the server's own thread. What cannot be shown is said.
async fn answer(reading: Arc<Semaphore>, work: impl FnOnce() -> Result<Sent> + Send + 'static) -> Response {
    let Ok(permit) = reading.try_acquire_owned() else { return server::busy() };
    let work = move || {
        let _permit = permit;
        work()
    };
    let (html, plain) = ("text/html; charset=utf-8", "text/plain; charset=utf-8");
    let kind = |kind: &'static str| [(header::CONTENT_TYPE, kind)];
    let allowed = |policy: String| [(header::CONTENT_SECURITY_POLICY, policy)];
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(Sent::Page(text))) => (kind(html), allowed(inspector_policy(true)), text).into_response(),
        Ok(Ok(Sent::Overview(text))) => (kind(html), allowed(overview_policy()), text).into_response(),
        Ok(Ok(Sent::Report(text))) => {
            (kind(html), allowed(format!("{}; frame-ancestors 'none'", page_policy())), text).into_response()
        }
        Ok(Ok(Sent::Data(text))) => (kind(plain), text).into_response(),
        Ok(Err(error)) => (StatusCode::NOT_FOUND, kind(plain), format!("{error}\n")).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "the page could not be made\n").into_response(),
    }
}
