//! The ledger of paid calls, shared by processes, for advisors that are written in Python.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use counsel_advisor::Digest;
use counsel_ledger::{self as ledger, Ending, Note, Settlement};
use pyo3::prelude::*;

use crate::act::locked;
use crate::error::{refuse, state, unbooked};
use crate::process::{Home, no_copy};
use crate::shown::html;
use crate::whole;

/// A hard budget of calls in a file, over processes and crashes.
///
/// Parameters
/// ----------
/// path : path
///     The file; it is begun if it is not there.
/// limit : int
///     The most calls of all processes that name the file. A larger one lets them go on.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Ledger {
    book: ledger::Ledger,
    path: PathBuf,
    home: Home,
}

#[pymethods]
impl Ledger {
    #[new]
    #[pyo3(signature = (path, *, limit))]
    fn new(path: PathBuf, #[pyo3(from_py_with = whole::limit)] limit: u64) -> PyResult<Self> {
        let book = ledger::Ledger::open(path.clone(), limit).map_err(unbooked)?;
        Ok(Self { book, path, home: Home::here() })
    }

    /// The right to one call, written down for good before it returns.
    ///
    /// Parameters
    /// ----------
    /// model, prompt : str
    ///     Who is asked, and what; of a prompt the ledger keeps a digest.
    /// timeout_s : float
    ///     How many seconds to wait for other processes.
    #[pyo3(signature = (*, model = "", prompt = "", timeout_s = 10.0))]
    fn reserve(&self, py: Python<'_>, model: &str, prompt: &str, timeout_s: f64) -> PyResult<Reservation> {
        self.home.check("ledger")?;
        let wait = Duration::try_from_secs_f64(timeout_s)
            .map_err(|_| refuse(format!("`timeout_s` is {timeout_s}; pass seconds, 0 or more")))?;
        let note = Note { model: model.to_owned(), prompt: Digest::of(prompt.as_bytes()), attempt: 1, worst: None };
        let reserved = py.detach(|| self.book.reserve(&note, Instant::now() + wait)).map_err(unbooked)?;
        Ok(Reservation {
            number: reserved.number(),
            held: Mutex::new(Some(reserved)),
            ledger: self.book.clone(),
            home: self.home,
            began: Instant::now(),
        })
    }

    /// How many calls are spent, by all processes together.
    #[getter]
    fn spent(&self, py: Python<'_>) -> PyResult<u64> {
        self.home.check("ledger")?;
        py.detach(|| self.book.spent()).map_err(unbooked)
    }

    /// How many calls may be made in all.
    #[getter]
    fn limit(&self) -> u64 {
        self.book.limit()
    }

    fn __repr__(&self) -> String {
        let (path, limit) = (self.path.display(), self.book.limit());
        format!("Ledger('{path}', limit={limit})")
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let (file, spent, limit) = (self.path.display().to_string(), self.spent(py)?, self.limit());
        Ok(html("Ledger", &[("file", file), ("spent", spent.to_string()), ("limit", limit.to_string())]))
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.home;
        Err(no_copy("ledger"))
    }
}

/// The right to make one call. It is spent whether it is settled or not; as a context manager it settles itself.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Reservation {
    /// Which call of the ledger it is, from 1.
    #[pyo3(get)]
    number: u64,
    held: Mutex<Option<ledger::Reservation>>,
    ledger: ledger::Ledger,
    home: Home,
    began: Instant,
}

#[pymethods]
impl Reservation {
    /// Writes down how the call ended.
    ///
    /// Parameters
    /// ----------
    /// reason : str, optional
    ///     Why no answer came, where none came.
    /// request_tokens, response_tokens : int, optional
    ///     What was counted.
    #[pyo3(signature = (*, reason = None, request_tokens = None, response_tokens = None))]
    fn settle(
        &self,
        py: Python<'_>,
        reason: Option<String>,
        #[pyo3(from_py_with = whole::request_tokens)] request_tokens: Option<u32>,
        #[pyo3(from_py_with = whole::response_tokens)] response_tokens: Option<u32>,
    ) -> PyResult<()> {
        self.home.check("reservation")?;
        let number = self.number;
        let held = locked(&self.held).take();
        let held = held.ok_or_else(|| state(format!("call {number} was settled already; reserve another one")))?;
        let settlement = Settlement {
            ending: if reason.is_none() { Ending::Answered } else { Ending::Outage },
            reason,
            status: None,
            request_tokens,
            response_tokens,
            latency_ms: self.began.elapsed().as_secs_f64() * 1e3,
            cost: None,
        };
        py.detach(|| self.ledger.settle(held, &settlement, Instant::now() + Duration::from_secs(10))).map_err(unbooked)
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    /// Settles the call, unless that was done inside: as answered, or as lost if an exception came.
    #[pyo3(signature = (kind, error, trace, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: Option<&Bound<'_, PyAny>>,
        error: Option<&Bound<'_, PyAny>>,
        trace: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let _ = (kind, trace);
        if locked(&self.held).is_some() {
            let reason = error.map(ToString::to_string);
            self.settle(py, reason, None, None)?;
        }
        Ok(false)
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.number;
        Err(no_copy("reservation"))
    }
}
