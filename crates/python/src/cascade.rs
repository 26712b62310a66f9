//! The cascade for Python: a cheap answer in hand, and a strong one that can be bought.

use std::path::PathBuf;

use counsel_controller::route::{self, CascadeSpec, Happening, Heard, Layout, Lesson};
use counsel_controller::{Error, Seed};
use counsel_decision::refusal::in_range;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::{Answer, answered, or_lost};
use crate::consultation::Consultation;
use crate::error::{misset, refuse, state};
use crate::holding::{Core, Holding, changed, unheard};
use crate::process::no_copy;
use crate::request::{Reading, Told};
use crate::shown::html;
use crate::whole;

impl Core for route::Cascade {
    fn reading((spec, seed): &(CascadeSpec, Seed), layout: Layout) -> (CascadeSpec, Seed) {
        let book = route::BookSpec { layout, ..spec.book };
        (CascadeSpec { book, ..*spec }, *seed)
    }

    fn declared(&self) -> (CascadeSpec, Seed) {
        (*self.spec(), Seed::root(0))
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

/// Decides, request by request, whether a strong model replaces the answer of a cheap one. What asking can lose against never asking is
/// bounded by the settings; see `loss_bound`.
///
/// Parameters
/// ----------
/// cheap, strong : callable, optional
///     Your models: each takes a question and returns an answer. Without them, call `decide` in a loop of your own.
/// price : float
///     What a strong answer costs, in units of the score: 0.05 means that it has to be right 5 times more often in 100.
/// budget : int, optional
///     The most strong answers. Without it nothing limits their number but their worth.
/// describe : callable, optional
///     `describe(question, answer)` returns what is known once the cheap answer is there, as a dictionary with `text`, `group` or
///     `numbers`, such as the cheap model's confidence. Without it, a question that is a str is its own text.
/// groups : sequence of str, or int, optional
///     The names of the groups of questions, or their number. Groups are the strongest feature if you know them.
/// words : int
///     The buckets that words are hashed to, a power of two up to 2048; 0 ignores texts. Without a text no words are read.
/// knots : int
///     A number counts by a curve with this many bends between 0 and 1, if there are 16 numbers or fewer; 0 makes straight lines.
/// seed : int
///     The randomness of the control group and of the optimist's coin.
/// log : path, optional
///     A file for every decision, with all that it was computed from, and for every score, as they come. `counsel.audit(log)` decides all of
///     it again.
/// **settings
///     `silence`, `optimism`, `coin`, `exploring`, `control`, `control_record`, `start`, `most`, `inflow`, `reckoning`, `missing`, `one_right` and
///     `book`, as docs/CASCADE.md lists them. The defaults need no change.
///
/// Scores lie in [0, 1]. The first request settles what is read: whether there are words, and how many numbers.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Cascade {
    held: Holding<route::Cascade>,
    /// What a strong answer costs, in units of the score.
    #[pyo3(get)]
    price: f64,
    models: Option<(Py<PyAny>, Py<PyAny>)>,
    describe: Option<Py<PyAny>>,
}

#[pymethods]
impl Cascade {
    #[new]
    #[pyo3(signature = (cheap = None, strong = None, *, price, budget = None, describe = None, groups = None, words = 512, knots = 4, seed = 0, log = None, **settings))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        cheap: Option<Py<PyAny>>,
        strong: Option<Py<PyAny>>,
        price: f64,
        budget: Option<&Bound<'_, PyAny>>,
        describe: Option<Py<PyAny>>,
        groups: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole::words)] words: usize,
        #[pyo3(from_py_with = whole::knots)] knots: usize,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        log: Option<PathBuf>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let spec: CascadeSpec = changed(&CascadeSpec::recommended(), settings, "counsel.Cascade")?;
        let spec = CascadeSpec { budget: most(budget)?, ..spec };
        let (price, models) = (checked(price)?, both(cheap, strong)?);
        let held = Holding::open((spec, Seed::root(seed)), Reading::of(groups, words, knots)?, log)?;
        Ok(Self { held, price, models, describe })
    }

    /// The cascade that was saved at this path, by Python or by Rust. It goes on where the saved one stood, open decisions included.
    /// Load a checkpoint once: its bankroll is spent again by every copy. A checkpoint of Rust has no price and no
    /// names of groups, so pass `price`, and `groups` if you have any, in their order. With `log`, the log that was written before goes on:
    /// what came after the checkpoint is cut.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The checkpoint.
    /// cheap, strong, price, describe, groups
    ///     As when it was made; models and functions are not saved.
    /// log : path, optional
    ///     Its log.
    #[staticmethod]
    #[pyo3(signature = (path, cheap = None, strong = None, *, price = None, describe = None, groups = None, log = None))]
    fn load(
        path: PathBuf,
        cheap: Option<Py<PyAny>>,
        strong: Option<Py<PyAny>>,
        price: Option<f64>,
        describe: Option<Py<PyAny>>,
        groups: Option<&Bound<'_, PyAny>>,
        log: Option<PathBuf>,
    ) -> PyResult<Self> {
        let models = both(cheap, strong)?;
        let (held, said) = Holding::load(&path, groups, log)?;
        let price = checked(price.or(said).ok_or_else(|| misset("the checkpoint holds no price; pass `price`"))?)?;
        Ok(Self { held, price, models, describe })
    }

    /// Writes everything that later decisions depend on to the file at `path`, whole or not at all. Models are not saved.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.held.save(py, &path, Some(self.price))
    }

    /// Answers a question: asks the cheap model, decides, and asks the strong one where it pays. If the strong model raises, its answer
    /// counts as lost and paid for, and the exception goes on.
    #[pyo3(signature = (question, /, *, group = None, numbers = None))]
    fn __call__(
        &self,
        py: Python<'_>,
        question: Bound<'_, PyAny>,
        group: Option<Bound<'_, PyAny>>,
        numbers: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let (cheap, strong) = self.models(py)?;
        let hand = answered(cheap.call1((&question,))?)?;
        let decision = self.consult_about(&question, &hand, group, numbers)?;
        if !decision.0.asked {
            return self.executed(py, decision.0, hand, None);
        }
        let value = strong.call1((question,)).and_then(answered);
        let value = or_lost(value, || self.hear(decision.0.step, None, None))?;
        self.executed(py, decision.0, hand, Some(value))
    }

    /// The same as a coroutine: `await cascade.acall(question)`. Each model may be an `async def` or an ordinary callable. A task that is
    /// cancelled while it waits for the strong model has lost its answer, which was paid for. `group` and `numbers` are those of `decide`.
    #[pyo3(signature = (question, /, *, group = None, numbers = None))]
    fn acall<'py>(
        this: &Bound<'py, Self>,
        question: Bound<'py, PyAny>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        let (cheap, strong) = this.get().models(py)?;
        py.import("counsel.coroutine")?.getattr("cascaded")?.call1((this, cheap, strong, question, group, numbers))
    }

    /// The decision about a question to which the cheap answer is there.
    fn _consult<'py>(
        &self,
        question: Bound<'py, PyAny>,
        hand: Bound<'py, PyAny>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Consultation> {
        self.consult_about(&question, &hand, group, numbers)
    }

    /// The answer to a question, once the models that were asked have answered.
    fn _executed<'py>(
        &self,
        py: Python<'py>,
        decision: &Bound<'py, Consultation>,
        hand: Bound<'py, PyAny>,
        value: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Answer> {
        self.executed(py, decision.get().0.clone(), hand, value)
    }

    /// Decides whether the strong model is asked, for those who ask by themselves.
    ///
    /// Parameters
    /// ----------
    /// text : str, optional
    ///     The text of the question.
    /// group : str or int, optional
    ///     Its group, one of those declared.
    /// numbers : array of shape (numbers,), optional
    ///     What else is known, on the scale of one, such as the cheap model's confidence; the same ones every time.
    /// price : float, optional
    ///     What the strong answer costs here, where it is not the usual price.
    #[pyo3(signature = (text = None, group = None, numbers = None, *, price = None))]
    fn decide<'py>(
        &self,
        text: Option<Bound<'py, PyAny>>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
        price: Option<f64>,
    ) -> PyResult<Consultation> {
        self.consult(&Told { text, group, numbers }, price)
    }

    /// Says what the executed answer was worth, in [0, 1]: at once, later, in any order, or `None` if nobody will ever say. Without
    /// feedback a decision holds a part of the bankroll back.
    ///
    /// Parameters
    /// ----------
    /// id : int
    ///     The `id` of the decision or the answer.
    /// score : float or None
    ///     1 for right, 0 for wrong.
    /// agreed : bool, optional
    ///     Whether both answers were the same, where both were seen. It is evidence with `one_right=True`, and a cascade with models sees
    ///     it by itself.
    #[pyo3(signature = (id, score, *, agreed = None))]
    fn feedback(
        &self,
        #[pyo3(from_py_with = whole::id)] id: u64,
        score: Option<f64>,
        agreed: Option<bool>,
    ) -> PyResult<()> {
        self.hear(id, score, agreed)
    }

    /// Replaces the score that was given for the decision `id` by `score`. The last 1,024 can be replaced.
    fn correct(&self, #[pyo3(from_py_with = whole::id)] id: u64, score: f64) -> PyResult<()> {
        self.held.correct(id, score)
    }

    /// What asking can lose against never asking over this number of requests, in units of the score: `start`, the inflow, and one
    /// question's stake. Reckoned as the settings say: by the book, or without bias in expectation.
    fn loss_bound(&self, #[pyo3(from_py_with = whole::requests)] requests: u64) -> f64 {
        self.spec().loss_bound(requests)
    }

    /// What asking may still lose before it is given up.
    #[getter]
    fn bankroll(&self) -> f64 {
        self.held.look(route::Cascade::bank).unwrap_or(self.spec().start)
    }

    /// The number of strong answers that were asked for.
    #[getter]
    fn calls(&self) -> u64 {
        self.held.look(route::Cascade::calls).unwrap_or(0)
    }

    /// The number of strong answers that the budget still allows; None without a budget.
    #[getter]
    fn calls_left(&self) -> Option<u64> {
        Some(self.spec().budget?.saturating_sub(self.calls()))
    }

    fn __repr__(&self) -> String {
        let (price, bankroll) = (self.price, self.bankroll());
        format!("Cascade(price={price:?}, bankroll={bankroll:.3})")
    }

    fn _repr_html_(&self) -> String {
        let left = self.calls_left().map_or_else(|| "no limit".to_owned(), |left| left.to_string());
        let decisions = self.held.look(route::Cascade::decisions).unwrap_or(0);
        let lines = [("price", format!("{:?}", self.price)), ("decisions", decisions.to_string())];
        let lines = lines.into_iter().chain([("strong answers", self.calls().to_string()), ("left", left)]);
        html("Cascade", &lines.chain([("bankroll", format!("{:.3}", self.bankroll()))]).collect::<Vec<_>>())
    }

    /// The models may be methods of an object that holds the cascade.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let (cheap, strong) = self.models.as_ref().map_or((None, None), |(cheap, strong)| (Some(cheap), Some(strong)));
        [cheap, strong, self.describe.as_ref()].into_iter().flatten().try_for_each(|held| visit.call(held))
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.price;
        Err(no_copy("cascade"))
    }
}

impl Cascade {
    fn spec(&self) -> &CascadeSpec {
        &self.held.declared().0
    }

    /// What is called.
    fn models<'py>(&self, py: Python<'py>) -> PyResult<(&Bound<'py, PyAny>, &Bound<'py, PyAny>)> {
        let (cheap, strong) = self.models.as_ref().ok_or_else(|| {
            state("this cascade has no models; pass `cheap` and `strong` when you make or load it, or call `decide`")
        })?;
        Ok((cheap.bind(py), strong.bind(py)))
    }

    fn consult(&self, told: &Told<'_>, price: Option<f64>) -> PyResult<Consultation> {
        let price = price.map_or(Ok(self.price), checked)?;
        let decided = |request, decision: &_| Happening::decided(request, Some(price), decision);
        self.held.on(told, |cascade, request| cascade.decide(request, price), decided).map(Consultation)
    }

    fn consult_about<'py>(
        &self,
        question: &Bound<'py, PyAny>,
        hand: &Bound<'py, PyAny>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Consultation> {
        self.consult(&Told::described(question, Some(hand), self.describe.as_ref(), group, numbers)?, None)
    }

    /// The answer that is executed: the strong one if it came, otherwise that in hand.
    fn executed(
        &self,
        py: Python<'_>,
        decision: route::Consultation,
        hand: Bound<'_, PyAny>,
        value: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let id = decision.step;
        // Answers that cannot be compared are no evidence.
        if let Some(value) = &value
            && self.spec().one_right
            && let Ok(agreed) = hand.eq(value)
        {
            self.held.note_agreement(id, agreed);
        }
        let advisor = if value.is_some() { "strong" } else { "cheap" }.to_owned();
        let decision = Py::new(py, Consultation(decision))?.into_any();
        Ok(Answer { value: value.unwrap_or(hand).unbind(), id, advisor, decision })
    }

    fn hear(&self, id: u64, score: Option<f64>, agreed: Option<bool>) -> PyResult<()> {
        self.held.hear(id, |cascade, seen, happened| {
            let heard = score.map(|reward| Heard { reward, agreed: agreed.or(seen) });
            let lesson = cascade.learn(id, heard).map_err(unheard)?;
            let agreed = heard.and_then(|heard| heard.agreed);
            happened.push(Happening::Heard { step: id, reward: score, agreed });
            Ok(lesson)
        })
    }
}

fn checked(price: f64) -> PyResult<f64> {
    let remedy = "pass what a strong answer costs, in units of the score";
    in_range(price >= 0.0 && price.is_finite(), "price", price, "[0, infinity)", remedy).map_err(refuse)?;
    Ok(price)
}

/// The most questions.
fn most(budget: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let wrong = |budget: &Bound<'_, PyAny>| {
        misset(format!(
            "`budget` is {budget}; pass the most strong answers, a whole number of at least 0, or None for no limit"
        ))
    };
    budget.map(|budget| budget.extract::<u64>().map_err(|_| wrong(budget))).transpose()
}

fn both(cheap: Option<Py<PyAny>>, strong: Option<Py<PyAny>>) -> PyResult<Option<(Py<PyAny>, Py<PyAny>)>> {
    match (cheap, strong) {
        (Some(cheap), Some(strong)) => Ok(Some((cheap, strong))),
        (None, None) => Ok(None),
        _ => Err(misset("a cascade with one model has nothing to decide; pass `cheap` and `strong`, or neither")),
    }
}
