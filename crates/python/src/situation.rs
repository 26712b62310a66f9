//! A situation as it comes from Python: a context, a proposal, and whatever else a caller knows. What monitors and books of
//! the caller's own say are the circumstances; each is a keyword of `decide`, by its name in the log.

use counsel_controller::{Action, Context, Controller, Monitored, ResponseLaw, Situation, ValueBounds, ValueSamples};
use counsel_decision::refusal::in_range;
use counsel_decision::{Evidence, Forecast, Gate};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::act::named;
use crate::array::{Argument, one_each};
use crate::deployment::Given;
use crate::error::refuse;
use crate::key::key;

const VALUES: Argument<2> = Argument::new("values", ["samples", "actions"]);
const LOWER: Argument<1> = Argument::new("lower bounds", ["actions"]);
const UPPER: Argument<1> = Argument::new("upper bounds", ["actions"]);
const LAW: Argument<1> = Argument::new("law", ["actions + 1"]);
const FEATURES: Argument<1> = Argument::new("features", ["features"]);

const FALLBACK: Argument<1> = Argument::new("fallback_law", ["actions"]);

/// How far probabilities may be from adding up to 1.
const ROUNDING: f64 = 1e-6;

/// A situation in words of Python.
pub(crate) struct Told<'a, 'py> {
    pub(crate) context: Option<&'a Bound<'py, PyAny>>,
    pub(crate) base: i64,
    pub(crate) values: Option<&'a Bound<'py, PyAny>>,
    pub(crate) bounds: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    pub(crate) law: Option<&'a Bound<'py, PyAny>>,
    pub(crate) features: Option<&'a Bound<'py, PyAny>>,
    pub(crate) circumstances: Option<&'a Bound<'py, PyDict>>,
}

impl Told<'_, '_> {
    /// The situation for a controller of this number of actions; `keyed` says that it cannot do without a context.
    pub(crate) fn given(self, actions: usize, keyed: bool) -> PyResult<Given> {
        let context = self.context.map(key).transpose()?;
        if keyed && context.is_none() {
            return Err(unkeyed("context"));
        }
        let features = self.features.map(|features| FEATURES.reals(features)).transpose()?;
        let context = Context::new(
            context.unwrap_or(counsel_controller::ContextKey(0)),
            features.map_or_else(Vec::new, |features| features.numbers),
        );
        let mut situation = Situation::in_context(context).proposing(base(self.base, actions)?);
        if let Some(values) = self.values {
            let values = VALUES.reals(values)?;
            let bounds = self.bounds.map(|(lower, upper)| {
                ValueBounds::new(LOWER.reals(&lower)?.numbers, UPPER.reals(&upper)?.numbers).map_err(refuse)
            });
            let samples = ValueSamples::new(values.shape[1], values.numbers).map_err(refuse)?;
            situation = situation.valued(samples, bounds.transpose()?);
        } else if self.bounds.is_some() {
            return Err(refuse("`bounds` came without `values`; pass both, or neither"));
        }
        if let Some(law) = self.law {
            let law = LAW.reals(law)?.numbers;
            situation = situation.expecting(ResponseLaw::new(law.len().saturating_sub(1), law).map_err(refuse)?);
        }
        Ok(Circumstances::of(self.circumstances, actions)?.told(situation))
    }
}

/// Whether a controller needs to know contexts apart: it keeps answers or learns values by context.
pub(crate) fn is_keyed(controller: &Controller) -> bool {
    controller.engine().cache().keeps() || controller.books().remembers_steps()
}

/// Whether a controller learns values from the steps of the agent, by context.
pub(crate) fn learns(controller: &Controller) -> bool {
    controller.books().remembers_steps()
}

/// Whether anything reads contexts: books, kept answers, a predictor, or a gate that counts visits.
pub(crate) fn reads_contexts(controller: &Controller) -> bool {
    let counts = matches!(controller.settings().gate, Gate::Novelty(_) | Gate::Schedule(_) | Gate::Amortised);
    is_keyed(controller) || counts || controller.books().predictor().is_some()
}

/// The refusal of a decision without a context.
pub(crate) fn unkeyed(name: &str) -> PyErr {
    refuse(format!(
        "no `{name}` came, but this controller keeps answers or values by context, so all situations would be one; pass what tells \
         situations apart"
    ))
}

/// The action that the agent proposes.
pub(crate) fn base(number: i64, actions: usize) -> PyResult<Action> {
    action("base", "the number of the action that your agent proposes", number, actions)
}

/// The action with this number, which was passed under this name.
pub(crate) fn action(name: &str, wanted: &str, number: i64, actions: usize) -> PyResult<Action> {
    match usize::try_from(number) {
        Ok(index) if index < actions => Ok(Action::new(index)),
        _ => {
            let last = actions.saturating_sub(1);
            Err(refuse(format!(
                "`{name}` is {number}, but there are only {actions} actions (0 to {last}); pass {wanted}"
            )))
        }
    }
}

/// What is known beside the values. What is not said is as in [`Evidence::new`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Circumstances {
    visits: Option<u64>,
    monitored: Option<Monitored>,
    stalled: Option<bool>,
    uses: Option<f64>,
    fallback: Option<Vec<f64>>,
    credited: Option<f64>,
    forecast: Option<Forecast>,
}

impl Circumstances {
    /// Those of one decision among this number of actions.
    pub(crate) fn of(named: Option<&Bound<'_, PyDict>>, actions: usize) -> PyResult<Self> {
        let mut circumstances = Self::default();
        for (name, value) in named.into_iter().flatten() {
            circumstances.take(&name.extract::<String>()?, &value, actions)?;
        }
        Ok(circumstances)
    }

    /// Those of decisions side by side: each keyword has an entry per place. None where nothing is said.
    pub(crate) fn of_each(named: Option<&Bound<'_, PyDict>>, actions: usize, places: usize) -> PyResult<Vec<Self>> {
        let Some(named) = named else { return Ok(Vec::new()) };
        let mut each = vec![Self::default(); places];
        for (name, values) in named {
            let name = name.extract::<String>()?;
            let values = values.try_iter()?.collect::<PyResult<Vec<_>>>()?;
            one_each(&name, values.len(), places)?;
            for (circumstances, value) in each.iter_mut().zip(values) {
                circumstances.take(&name, &value, actions)?;
            }
        }
        Ok(each)
    }

    /// The situation with what was said.
    pub(crate) fn told(self, situation: Situation) -> Given {
        let Self { visits, monitored, stalled, uses, fallback, credited, forecast } = self;
        let situation = also(situation, visits, Situation::with_visits);
        let situation = also(situation, monitored, Situation::monitored);
        let situation = also(situation, stalled, Situation::with_stalled);
        let situation = also(situation, uses, Situation::with_expected_uses);
        let situation = also(situation, credited, Situation::with_credited_gain);
        (situation.with_fallback_law(fallback.unwrap_or_default()), forecast)
    }

    /// The evidence with what was said.
    pub(crate) fn shown(self, evidence: Evidence) -> Result<Evidence, counsel_decision::Error> {
        let Self { visits, monitored, stalled, uses, fallback, credited, forecast } = self;
        evidence
            .with_visits(visits.unwrap_or_default())
            .with_monitored(monitored.unwrap_or_default())
            .with_stalled(stalled.unwrap_or_default())
            .with_forecast(forecast)
            .with_expected_uses(uses.unwrap_or(1.0))?
            .with_fallback_law(fallback.unwrap_or_default())?
            .with_credited_gain(credited.unwrap_or_default())
    }

    /// Takes what stands under a name; None says nothing.
    fn take(&mut self, name: &str, value: &Bound<'_, PyAny>, actions: usize) -> PyResult<()> {
        if value.is_none() {
            return Ok(());
        }
        match name {
            "visits" => self.visits = Some(extracted(name, value, "how often the context was met before, 0 or more")?),
            "monitored" => self.monitored = Some(monitored(value)?),
            "stalled" => self.stalled = Some(extracted(name, value, "True or False")?),
            "expected_uses" => self.uses = Some(uses(value)?),
            "fallback_law" => self.fallback = Some(fallback(value, actions)?),
            "credited_gain" => self.credited = Some(credited(value)?),
            "forecast" => self.forecast = Some(forecast(value)?),
            other => {
                let known = "visits, monitored, stalled, expected_uses, fallback_law, credited_gain or forecast";
                return Err(refuse(format!("`decide` knows nothing of `{other}`; pass {known}")));
            }
        }
        Ok(())
    }
}

/// The situation with something more, where it was said.
fn also<T>(situation: Situation, said: Option<T>, with: fn(Situation, T) -> Situation) -> Situation {
    if let Some(said) = said { with(situation, said) } else { situation }
}

fn monitored(value: &Bound<'_, PyAny>) -> PyResult<Monitored> {
    let known = "supported, outside-support or shifted";
    let word: String = extracted("monitored", value, known)?;
    named(&word).ok_or_else(|| refuse(format!("`monitored` is `{word}`; choose {known}")))
}

fn uses(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let uses = extracted("expected_uses", value, "in how many episodes an answer serves")?;
    not_negative(
        "expected_uses",
        uses,
        "pass in how many episodes an answer that is bought now serves, 0 where one is held",
    )
}

fn credited(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let gain = extracted("credited_gain", value, "what advice gained")?;
    finite("credited_gain", gain, "pass what advice gained or lost since the decision before")
}

fn forecast(value: &Bound<'_, PyAny>) -> PyResult<Forecast> {
    let [value, error] = extracted("forecast", value, "the value of the query and its standard error")?;
    let remedy = "pass the value of the query and its standard error";
    let (value, error) = (finite("forecast[0]", value, remedy)?, not_negative("forecast[1]", error, remedy)?);
    Forecast::new(value, error).map_err(refuse)
}

fn fallback(value: &Bound<'_, PyAny>, actions: usize) -> PyResult<Vec<f64>> {
    let shares = FALLBACK.reals(value)?.numbers;
    let remedy = "pass the probability of every proposal of the fallback";
    for &share in &shares {
        in_range(share >= 0.0, "a probability of `fallback_law`", share, "[0, 1]", remedy).map_err(refuse)?;
    }
    let (sum, came) = (shares.iter().sum::<f64>(), shares.len());
    if came != actions || (sum - 1.0).abs() > ROUNDING {
        return Err(refuse(format!(
            "`fallback_law` has {came} entries that add up to {sum}; pass one for each of the {actions} actions, which add up to 1"
        )));
    }
    Ok(shares)
}

fn finite(what: &'static str, value: f64, remedy: &'static str) -> PyResult<f64> {
    in_range(value.is_finite(), what, value, "the finite numbers", remedy).map_err(refuse)?;
    Ok(value)
}

fn not_negative(what: &'static str, value: f64, remedy: &'static str) -> PyResult<f64> {
    in_range(value >= 0.0 && value.is_finite(), what, value, "[0, infinity)", remedy).map_err(refuse)?;
    Ok(value)
}

fn extracted<'py, T: for<'a> FromPyObject<'a, 'py>>(
    name: &str,
    value: &Bound<'py, PyAny>,
    wanted: &str,
) -> PyResult<T> {
    value.extract().map_err(|_| refuse(format!("`{name}` is {value}; pass {wanted}")))
}
