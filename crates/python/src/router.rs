//! The router for Python: which of several advisors answers, at a price of money or within a budget.

use std::path::PathBuf;

use counsel_controller::route::{self, Layout, Lesson, Offer, RouterSpec, Spending};
use counsel_controller::{Error, Seed};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::Answer;
use crate::error::{failed, misset, refuse, state};
use crate::holding::{Core, Holding, changed, unheard};
use crate::offers::{Models, offers};
use crate::process::no_copy;
use crate::request::{Reading, Told};
use crate::routed::Route;

impl Core for route::Router {
    const NAME: &'static str = "router";
    type Declared = (RouterSpec, Vec<Offer>, Seed);

    fn make((spec, offers, seed): &Self::Declared, layout: Layout) -> Result<Self, Error> {
        let book = route::BookSpec { layout, ..spec.book };
        Self::new(RouterSpec { book, ..*spec }, offers, *seed)
    }

    fn declared(&self) -> Self::Declared {
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
        words = 512, seed = 0, **settings
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        advisors: &Bound<'_, PyAny>,
        price: Option<f64>,
        per_request: Option<f64>,
        requests: Option<u64>,
        worst: Option<&Bound<'_, PyAny>>,
        cost: Option<Py<PyAny>>,
        describe: Option<Py<PyAny>>,
        groups: Option<&Bound<'_, PyAny>>,
        words: usize,
        seed: u64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (offers, models) = offers(advisors, worst)?;
        let settings: RouterSpec = changed(&RouterSpec::default(), settings, "counsel.Router")?;
        let spending = spending(price, per_request, requests)?;
        let spec = RouterSpec { spending: spending.unwrap_or(settings.spending), ..settings };
        let held = Holding::open((spec, offers, Seed::root(seed)), Reading::of(groups, words, 0)?)?;
        Ok(Self { held, models, cost, describe })
    }

    /// The router that was saved at this path, by Python or by Rust. It goes on where the saved one stood, open decisions included. Load a
    /// checkpoint once: its budget is spent again by every copy. `models` are the callables by the names of the advisors.
    /// A checkpoint of Rust, such as the policy of `counsel route`, has no names of groups; pass `groups` in their order.
    #[staticmethod]
    #[pyo3(signature = (path, models = None, *, cost = None, describe = None, groups = None))]
    fn load(
        path: PathBuf,
        models: Option<&Bound<'_, PyAny>>,
        cost: Option<Py<PyAny>>,
        describe: Option<Py<PyAny>>,
        groups: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (held, _) = Holding::<route::Router>::load(&path, groups)?;
        let models = models.map(|models| Models::named(models, &held.declared().1)).transpose()?;
        Ok(Self { held, models, cost, describe })
    }

    /// Writes everything that later decisions depend on to a file, whole or not at all. Models are not saved.
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
        let models = self.models.as_ref().ok_or_else(|| {
            state(
                "this router has no models; pass (callable, price) for each advisor when you make it, or call `decide`",
            )
        })?;
        let route = self.choose(&Told::described(&question, None, self.describe.as_ref(), group, numbers)?)?;
        let (id, chosen) = (route.route.step, route.route.chosen);
        let Offer { name, list_price, .. } = self.offers()[chosen].clone();
        let decision = Py::new(py, route)?.into_any();
        let answered = models.of(py, chosen).call1((question,)).and_then(|value| {
            let cost = self.cost.as_ref().map(|cost| cost.bind(py).call1((&value,))?.extract::<f64>());
            self.pay(id, cost.unwrap_or(Ok(list_price))?)?;
            Ok(value)
        });
        match answered {
            Ok(value) => Ok(Answer { value: value.unbind(), id, advisor: name, decision }),
            Err(error) => {
                self.hear(id, None, None)?;
                Err(error)
            }
        }
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

    /// Says what an answer has cost. Until then its worst case is reserved.
    fn settle(&self, id: u64, cost: f64) -> PyResult<()> {
        self.pay(id, cost)
    }

    /// Says what the executed answer was worth: at once, later, in any order, or `None` if nobody will ever say. It closes the decision;
    /// a cost that is neither settled nor given here counts as its worst case.
    #[pyo3(signature = (id, score, *, cost = None))]
    fn feedback(&self, id: u64, score: Option<f64>, cost: Option<f64>) -> PyResult<()> {
        self.hear(id, score, cost)
    }

    /// Replaces a score that was given. The last 1,024 can be replaced.
    fn correct(&self, id: u64, score: f64) -> PyResult<()> {
        self.held.correct(id, score)
    }

    /// Learns what an answer was worth and cost that was not routed here: a warm start.
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
        self.held.on(&told, |router, request| router.teach(request, place, score, cost))
    }

    /// Begins a period with this budget; what was learned stays.
    fn begin_period(&self, per_request: f64, requests: u64) -> PyResult<()> {
        self.held.with(|work| work.begun()?.begin_period(per_request, requests).map_err(failed))
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

    fn choose(&self, told: &Told<'_>) -> PyResult<Route> {
        let route = self.held.on(told, route::Router::decide)?;
        Ok(Route { route, advisors: self.advisors() })
    }

    fn pay(&self, id: u64, cost: f64) -> PyResult<()> {
        self.held.with(|work| work.begun()?.settle(id, cost).map_err(unheard))
    }

    fn hear(&self, id: u64, score: Option<f64>, cost: Option<f64>) -> PyResult<()> {
        self.held.hear(id, |router, _| {
            if let Some(reward) = score.filter(|score| !score.is_finite()) {
                // Before anything is settled, so that a refusal leaves all as it was.
                return Err(failed(Error::Reward { reward }));
            }
            if let Some(cost) = cost {
                router.settle(id, cost).map_err(unheard)?;
            }
            router.learn(id, score).map_err(unheard)
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
