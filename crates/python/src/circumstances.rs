//! What a caller may say of a decision beside its values: what monitors and books of their own tell. Each is a keyword of `decide`, by its name in the log.

use counsel_decision::refusal::{Refusal, in_range};
use counsel_decision::{Evidence, Forecast, Monitored};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::array::{Argument, one_each};
use crate::error::refuse;

const FALLBACK: Argument<1> = Argument::new("fallback_law", ["actions"]);

/// How far probabilities may be from adding up to 1.
const ROUNDING: f64 = 1e-6;

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
    /// Those of one decision among so many actions.
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

    /// Puts them into the evidence.
    pub(crate) fn tell(self, evidence: &mut Evidence) {
        let Self { visits, monitored, stalled, uses, fallback, credited, forecast } = self;
        evidence.visits = visits.unwrap_or(evidence.visits);
        evidence.monitored = monitored.unwrap_or(evidence.monitored);
        evidence.stalled = stalled.unwrap_or(evidence.stalled);
        evidence.uses = uses.unwrap_or(evidence.uses);
        evidence.fallback = fallback.unwrap_or_default();
        evidence.credited = credited.unwrap_or(evidence.credited);
        evidence.forecast = forecast;
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

fn monitored(value: &Bound<'_, PyAny>) -> PyResult<Monitored> {
    let known = "supported, outside-support or shifted";
    match extracted::<String>("monitored", value, known)?.as_str() {
        "supported" => Ok(Monitored::Supported),
        "outside-support" => Ok(Monitored::OutsideSupport),
        "shifted" => Ok(Monitored::Shifted),
        other => Err(refuse(format!("`monitored` is `{other}`; choose {known}"))),
    }
}

fn uses(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let uses: f64 = extracted("expected_uses", value, "in how many episodes an answer serves")?;
    let remedy = "pass in how many episodes an answer that is bought now serves, 0 where one is held";
    checked(in_range(uses >= 0.0 && uses.is_finite(), "expected_uses", uses, "[0, infinity)", remedy), uses)
}

fn credited(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let gain: f64 = extracted("credited_gain", value, "what advice gained")?;
    let remedy = "pass what advice gained or lost since the decision before";
    checked(in_range(gain.is_finite(), "credited_gain", gain, "the finite numbers", remedy), gain)
}

fn forecast(value: &Bound<'_, PyAny>) -> PyResult<Forecast> {
    let [value, error] = extracted::<[f64; 2]>("forecast", value, "the value of the query and its standard error")?;
    let remedy = "pass the value of the query and its standard error";
    let value = checked(in_range(value.is_finite(), "forecast[0]", value, "the finite numbers", remedy), value)?;
    let ok = error >= 0.0 && error.is_finite();
    let error = checked(in_range(ok, "forecast[1]", error, "[0, infinity)", remedy), error)?;
    Ok(Forecast { value, error })
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

fn checked(check: Result<(), Refusal>, value: f64) -> PyResult<f64> {
    check.map(|()| value).map_err(refuse)
}

fn extracted<'py, T: for<'a> FromPyObject<'a, 'py>>(
    name: &str,
    value: &Bound<'py, PyAny>,
    wanted: &str,
) -> PyResult<T> {
    value.extract().map_err(|_| refuse(format!("`{name}` is {value}; pass {wanted}")))
}
