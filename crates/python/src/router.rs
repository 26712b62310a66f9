//! The router for Python: which of several advisors answers, at a price of money or within a budget.

use std::path::PathBuf;

use counsel_controller::route::{self, Happening, Layout, Lesson, Offer, RouterSpec, Spending};
use counsel_controller::{Error, Seed};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::{Answer, answered, or_lost};
use crate::error::{failed, misset, refuse, state};
use crate::holding::{Core, Holding, changed, unheard};
use crate::offers::{Models, offers};
use crate::process::no_copy;
use crate::request::{Reading, Told};
use crate::routed::Route;
use crate::whole;

impl Core for route::Router {
    fn reading(
        (spec, offers, seed): &(RouterSpec, Vec<Offer>, Seed),
        layout: Layout,
    ) -> (RouterSpec, Vec<Offer>, Seed) {
        let book = route::BookSpec { layout, ..spec.book };
        (RouterSpec { book, ..*spec }, offers.clone(), *seed)
    }

    fn declared(&self) -> (RouterSpec, Vec<Offer>, Seed) {
        (*self.spec(), self.offers().to_vec(), Seed::root(0))
    }

    fn layout(&self) -> Layout {
        self.book().spec().layout
    }

    fn text(&self) -> Result<String, Error> {
        self.save()
    }

    fn of_text(text: &str) -> Result<Self, Error> {
        Self::load(text)
    }

    fn correct(&mut self, lesson: Lesson, reward: f64) -> Result<Lesson, Error> {
        self.correct(lesson, reward)
    }
}

/// Decides, request by request, which of several advisors answers: the one with the best predicted score less the price of its predicted
/// cost.
///
/// Parameters
/// ----------
/// advisors : mapping of str to float, or to (callable, float)
///     What an answer of each advisor costs by the price list; with a callable that takes a question and returns an answer, the router
///     asks by itself.
/// price : float, optional
///     The score that a unit of cost is worth, where there is no budget; 1 if nothing is said.
/// per_request, requests : float and int, optional
///     A hard budget: what a request may cost on average, and the requests of the period.
/// worst : mapping of str to float, optional
///     What an answer can cost at worst, where that is more than the list price. It is reserved before the question is sent.
/// cost : callable, optional
///     What an answer of your callables has cost, `cost(answer)`. Without it, the list price.
/// describe : callable, optional
///     `describe(question)` returns what is known of it, as a dictionary with `text`, `group` or `numbers`. Without it, a question that is
///     a str is its own text.
/// groups : sequence of str, or int, optional
///     The names of the groups of questions, or their number.
/// words : int
///     The buckets that words are hashed to, a power of two up to 2048; 0 ignores texts. Without a text no words are read.
/// seed : int
///     The randomness of exploring.
/// log : path, optional
///     A file for every decision, with all that it was computed from, and for every cost and score, as they come. `counsel.audit(log)`
///     decides all of it again.
/// **settings
///     `optimism`, `coin`, `account`, `floor`, `window`, `every` and `book`, as docs/CASCADE.md lists them. The defaults need no change.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Router {
    held: Holding<route::Router>,
    models: Option<Models>,
    cost: Option<Py<PyAny>>,
    describe: Option<Py<PyAny>>,
}

#[pymethods]
impl Router {
    #[new]
    #[pyo3(signature = (
        advisors, *, price = None, per_request = None, requests = None, worst = None, cost = None, describe = None, groups = None,
        words = 512, seed = 0, log = None, **settings
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        advisors: &Bound<'_, PyAny>,
        price: Option<f64>,
        per_request: Option<f64>,
        #[pyo3(from_py_with = whole::requests)] requests: Option<u64>,
        worst: Option<&Bound<'_, PyAny>>,
        cost: Option<Py<PyAny>>,
        describe: Option<Py<PyAny>>,
        groups: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole::words)] words: usize,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        log: Option<PathBuf>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (offers, models) = offers(advisors, worst)?;
        let settings: RouterSpec = changed(&RouterSpec::default(), settings, "counsel.Router")?;
        let spending = spending(price, per_request, requests)?;
        let spec = RouterSpec { spending: spending.unwrap_or(settings.spending), ..settings };
        let held = Holding::open((spec, offers, Seed::root(seed)), Reading::of(groups, words, 0)?, log)?;
        Ok(Self { held, models, cost, describe })
    }

    /// The router that was saved at this path, by Python or by Rust. It goes on where the saved one stood, open decisions included. Load a
    /// checkpoint once: its budget is spent again by every copy. `models` are the callables by the names of the advisors.
    /// A checkpoint of Rust, such as the policy of `counsel route`, has no names of groups; pass `groups` in their order. With `log`, the log
    /// that was written before goes on: what came after the checkpoint is cut.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The checkpoint.
    /// models : mapping of str to callable, optional
    ///     What is called for each advisor.
    /// cost, describe, groups
    ///     As when it was made; functions are not saved.
    /// log : path, optional
    ///     Its log.
    #[staticmethod]
    #[pyo3(signature = (path, models = None, *, cost = None, describe = None, groups = None, log = None))]
    fn load(
        path: PathBuf,
        models: Option<&Bound<'_, PyAny>>,
        cost: Option<Py<PyAny>>,
        describe: Option<Py<PyAny>>,
        groups: Option<&Bound<'_, PyAny>>,
        log: Option<PathBuf>,
    ) -> PyResult<Self> {
        let (held, _) = Holding::<route::Router>::load(&path, groups, log)?;
        let models = models.map(|models| Models::named(models, &held.declared().1)).transpose()?;
        Ok(Self { held, models, cost, describe })
    }

    /// Writes everything that later decisions depend on to the file at `path`, whole or not at all. Models are not saved.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.held.save(py, &path, None)
    }

    /// Answers a question: decides who answers, asks, and settles what it cost. If the model raises, its worst case is paid, and the
    /// exception goes on.
    #[pyo3(signature = (question, /, *, group = None, numbers = None))]
    fn __call__(
        &self,
        py: Python<'_>,
        question: Bound<'_, PyAny>,
        group: Option<Bound<'_, PyAny>>,
        numbers: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let route = self.choose_for(&question, group, numbers)?;
        let (id, chosen) = (route.route.step, route.route.chosen);
        let value = self.models()?.of(py, chosen).call1((question,)).and_then(answered);
        let value = or_lost(value, || self.hear(id, None, None))?;
        self.executed(py, route, value)
    }

    /// The same as a coroutine: `await router.acall(question)`. Each model may be an `async def` or an ordinary callable. A task that is
    /// cancelled while it waits has lost its answer, which was paid for at its worst case. `group` and `numbers` are those of `decide`.
    #[pyo3(signature = (question, /, *, group = None, numbers = None))]
    fn acall<'py>(
        this: &Bound<'py, Self>,
        question: Bound<'py, PyAny>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        this.get().models()?;
        this.py().import("counsel.coroutine")?.getattr("routed")?.call1((this, question, group, numbers))
    }

    /// Who answers a question, and the model that is called.
    fn _choose<'py>(
        &self,
        py: Python<'py>,
        question: Bound<'py, PyAny>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Route, Bound<'py, PyAny>)> {
        let route = self.choose_for(&question, group, numbers)?;
        let model = self.models()?.of(py, route.route.chosen).clone();
        Ok((route, model))
    }

    /// The answer of the model that was called.
    fn _executed<'py>(&self, py: Python<'py>, route: &Bound<'py, Route>, value: Bound<'py, PyAny>) -> PyResult<Answer> {
        let Route { route, advisors } = route.get();
        self.executed(py, Route { route: route.clone(), advisors: advisors.clone() }, value)
    }

    /// Decides who answers, for those who ask by themselves. The answer is paid for from now on.
    ///
    /// Parameters
    /// ----------
    /// text : str, optional
    ///     The text of the question.
    /// group : str or int, optional
    ///     Its group, one of those declared.
    /// numbers : array of shape (numbers,), optional
    ///     What else is known, on the scale of one; the same ones every time.
    #[pyo3(signature = (text = None, group = None, numbers = None))]
    fn decide<'py>(
        &self,
        text: Option<Bound<'py, PyAny>>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Route> {
        self.choose(&Told { text, group, numbers })
    }

    /// Says what the answer to the decision `id` has cost: `cost`, in the units of the prices. Until then its worst case is reserved.
    fn settle(&self, #[pyo3(from_py_with = whole::id)] id: u64, cost: f64) -> PyResult<()> {
        self.pay(id, cost)
    }

    /// Says what the executed answer was worth: at once, later, in any order, or `None` if nobody will ever say. It closes the decision;
    /// a cost that is neither settled nor given here counts as its worst case.
    ///
    /// Parameters
    /// ----------
    /// id : int
    ///     The `id` of the decision or the answer.
    /// score : float or None
    ///     What the answer was worth.
    /// cost : float, optional
    ///     What it has cost, where that was not settled before.
    #[pyo3(signature = (id, score, *, cost = None))]
    fn feedback(
        &self,
        #[pyo3(from_py_with = whole::id)] id: u64,
        score: Option<f64>,
        cost: Option<f64>,
    ) -> PyResult<()> {
        self.hear(id, score, cost)
    }

    /// Replaces the score that was given for the decision `id` by `score`. The last 1,024 can be replaced.
    fn correct(&self, #[pyo3(from_py_with = whole::id)] id: u64, score: f64) -> PyResult<()> {
        self.held.correct(id, score)
    }

    /// Learns what an answer was worth and cost that was not routed here: a warm start.
    ///
    /// Parameters
    /// ----------
    /// advisor : str
    ///     Who answered.
    /// score, cost : float
    ///     What the answer was worth, and what it cost.
    /// text, group, numbers
    ///     What was known of the question, as for `decide`.
    #[pyo3(signature = (advisor, score, cost, text = None, group = None, numbers = None))]
    fn teach<'py>(
        &self,
        advisor: &str,
        score: f64,
        cost: f64,
        text: Option<Bound<'py, PyAny>>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let place = self.offers().iter().position(|offer| offer.name == advisor).ok_or_else(|| {
            let names: Vec<&str> = self.offers().iter().map(|offer| offer.name.as_str()).collect();
            refuse(format!("the advisor {advisor} is unknown; choose one of {}", names.join(", ")))
        })?;
        let told = Told { text, group, numbers };
        let taught = |request, (): &()| Happening::Taught { request, advisor: place, reward: score, cost };
        self.held.on(&told, |router, request| router.teach(request, place, score, cost), taught)
    }

    /// Begins a period with this budget; what was learned stays.
    ///
    /// Parameters
    /// ----------
    /// per_request : float
    ///     What a request may cost on average.
    /// requests : int
    ///     The requests of the period.
    fn begin_period(&self, per_request: f64, #[pyo3(from_py_with = whole::requests)] requests: u64) -> PyResult<()> {
        self.held.with(|work| {
            work.begun()?.begin_period(per_request, requests).map_err(failed)?;
            work.note(&Happening::Period { per_request, requests });
            Ok(())
        })
    }

    /// The names of the advisors.
    #[getter]
    fn advisors(&self) -> Vec<String> {
        self.offers().iter().map(|offer| offer.name.clone()).collect()
    }

    /// What the period has cost so far; None where there is no budget.
    #[getter]
    fn spent(&self) -> Option<f64> {
        let spent = self.held.look(|router| router.ledger().map(route::Ledger::spent));
        spent.unwrap_or_else(|| matches!(self.spec().spending, Spending::Budget { .. }).then_some(0.0))
    }

    /// What the period may cost; None where there is no budget.
    #[getter]
    fn budget(&self) -> Option<f64> {
        let budget = self.held.look(|router| router.ledger().map(route::Ledger::budget));
        budget.unwrap_or(match self.spec().spending {
            Spending::Price(_) => None,
            Spending::Budget { per_request, requests } => Some(per_request * requests as f64),
        })
    }

    fn __repr__(&self) -> String {
        let advisors = self.advisors().join("', '");
        let shown = |number: Option<f64>| number.map_or_else(|| "None".to_owned(), |number| format!("{number:.6}"));
        format!("Router(advisors=['{advisors}'], spent={}, budget={})", shown(self.spent()), shown(self.budget()))
    }

    /// The models may be methods of an object that holds the router.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let models = self.models.iter().flat_map(Models::all);
        models.chain(&self.cost).chain(&self.describe).try_for_each(|held| visit.call(held))
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = &self.cost;
        Err(no_copy("router"))
    }
}

impl Router {
    fn spec(&self) -> &RouterSpec {
        &self.held.declared().0
    }

    fn offers(&self) -> &[Offer] {
        &self.held.declared().1
    }

    fn models(&self) -> PyResult<&Models> {
        self.models.as_ref().ok_or_else(|| {
            state(
                "this router has no models; pass (callable, price) for each advisor when you make it, or call `decide`",
            )
        })
    }

    fn choose(&self, told: &Told<'_>) -> PyResult<Route> {
        let decided = |request, route: &_| Happening::decided(request, None, route);
        let route = self.held.on(told, route::Router::decide, decided)?;
        Ok(Route { route, advisors: self.advisors() })
    }

    fn choose_for<'py>(
        &self,
        question: &Bound<'py, PyAny>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Route> {
        self.models()?;
        self.choose(&Told::described(question, None, self.describe.as_ref(), group, numbers)?)
    }

    /// The answer that is executed, once its cost is settled. Where that fails, its worst case is paid.
    fn executed(&self, py: Python<'_>, route: Route, value: Bound<'_, PyAny>) -> PyResult<Answer> {
        let (id, chosen) = (route.route.step, route.route.chosen);
        let Offer { name, list_price, .. } = self.offers()[chosen].clone();
        let decision = Py::new(py, route)?.into_any();
        let cost = self.cost.as_ref().map(|cost| cost.bind(py).call1((&value,))?.extract::<f64>());
        let paid = cost.unwrap_or(Ok(list_price)).and_then(|cost| self.pay(id, cost));
        or_lost(paid, || self.hear(id, None, None))?;
        Ok(Answer { value: value.unbind(), id, advisor: name, decision })
    }

    fn pay(&self, id: u64, cost: f64) -> PyResult<()> {
        self.held.with(|work| {
            work.begun()?.settle(id, cost).map_err(unheard)?;
            work.note(&Happening::Settled { step: id, cost });
            Ok(())
        })
    }

    fn hear(&self, id: u64, score: Option<f64>, cost: Option<f64>) -> PyResult<()> {
        self.held.hear(id, |router, _, happened| {
            if let Some(reward) = score.filter(|score| !score.is_finite()) {
                // Before anything is settled, so that a refusal leaves all as it was.
                return Err(failed(Error::Reward { reward }));
            }
            if let Some(cost) = cost {
                router.settle(id, cost).map_err(unheard)?;
                happened.push(Happening::Settled { step: id, cost });
            }
            let lesson = router.learn(id, score).map_err(unheard)?;
            happened.push(Happening::Heard { step: id, reward: score, agreed: None });
            Ok(lesson)
        })
    }
}

fn spending(price: Option<f64>, per_request: Option<f64>, requests: Option<u64>) -> PyResult<Option<Spending>> {
    match (price, per_request, requests) {
        (None, None, None) => Ok(None),
        (Some(price), None, None) => Ok(Some(Spending::Price(price))),
        (None, Some(per_request), Some(requests)) => Ok(Some(Spending::Budget { per_request, requests })),
        _ => Err(misset("a router has a price, or a budget; pass `price`, or `per_request` and `requests`")),
    }
}
