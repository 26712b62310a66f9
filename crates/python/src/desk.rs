//! Where a decision is prepared: samples become bounds, the predictor gives the law, the radius and the price are at hand. What a
//! [`Controller`](crate::controller::Controller) and a [`VectorController`](crate::vector::VectorController) share.

use std::collections::BTreeMap;

use counsel_advisor::{Context, Predictor as _};
use counsel_calibration::CalibratedRadius;
use counsel_decision::gate::schedule::Where;
use counsel_decision::refusal::in_range;
use counsel_decision::{
    Acted, Action, AdviceModel, CandidateOnly, ContextKey, Engine, Error, Evidence, GateSpec, PaidResponse, Question,
    Radius, Reply, ResponseLaw, Turn, ValueBounds, ValueSamples,
};
use counsel_log::{Decision, Hindsight};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::act::locked;
use crate::calibration;
use crate::circumstances::Circumstances;
use crate::error::refuse;
use crate::log::{Head, Log};
use crate::predictor::Predictor;
use crate::settings::{Settings, parser};

/// Bounds from samples: mean ± scale × standard deviation, within the range of values.
#[derive(Debug, Clone, Copy)]
struct Spread {
    scale: f64,
    low: f64,
    high: f64,
}

impl Spread {
    /// The spread of a `counsel.Spread`; one standard deviation where none is given.
    fn of(bounds: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(bounds) = bounds.filter(|bounds| !bounds.is_none()) else {
            return Ok(Self { scale: 1.0, low: f64::NEG_INFINITY, high: f64::INFINITY });
        };
        let end = |name, missing| Ok::<_, PyErr>(bounds.getattr(name)?.extract::<Option<f64>>()?.unwrap_or(missing));
        let spread = Self {
            scale: bounds.getattr("scale")?.extract()?,
            low: end("low", f64::NEG_INFINITY)?,
            high: end("high", f64::INFINITY)?,
        };
        let Self { scale, low, high } = spread;
        let ok = scale >= 0.0 && scale.is_finite();
        in_range(ok, "bounds.scale", scale, "[0, infinity)", "pass standard deviations").map_err(refuse)?;
        in_range(low <= high, "bounds.low", low, "(-infinity, high]", "pass the range of values").map_err(refuse)?;
        Ok(spread)
    }

    fn around(self, means: &[f64], variances: &[f64]) -> Result<ValueBounds, Error> {
        let at = |sign: f64| {
            let moved = means.iter().zip(variances).map(|(mean, variance)| mean + sign * self.scale * variance.sqrt());
            moved.map(|bound| bound.clamp(self.low, self.high)).collect()
        };
        ValueBounds::new(at(-1.0), at(1.0))
    }

    fn json(self) -> Value {
        let finite = |end: f64| end.is_finite().then_some(end);
        json!({ "scale": self.scale, "low": finite(self.low), "high": finite(self.high) })
    }
}

/// β, as far as it is known.
#[derive(Debug, Clone)]
enum Calibrated {
    Declared(Radius),
    Derived(Box<CalibratedRadius>),
}

/// What a caller knows of one decision.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) actions: usize,
    pub(crate) samples: Vec<f64>,
    pub(crate) base: usize,
    pub(crate) context: u64,
    pub(crate) features: Vec<f64>,
    pub(crate) circumstances: Circumstances,
}

/// How a controller is set up, as it comes from Python.
pub(crate) struct Setup<'a, 'py> {
    pub(crate) settings: &'a Bound<'py, PyAny>,
    pub(crate) words: &'a Bound<'py, PyAny>,
    pub(crate) kappa: f64,
    pub(crate) radius: Option<&'a Bound<'py, PyAny>>,
    pub(crate) bounds: Option<&'a Bound<'py, PyAny>>,
    pub(crate) predictor: Option<Py<Predictor>>,
    pub(crate) log: Option<Py<Log>>,
    pub(crate) seed: u64,
    pub(crate) form: &'a str,
}

/// An engine with all that stands around it.
pub(crate) struct Desk {
    pub(crate) engine: Engine,
    pub(crate) log: Option<Py<Log>>,
    bounds: Spread,
    predictor: Option<Py<Predictor>>,
    radius: Calibrated,
    kappa: f64,
    actions: usize,
    /// How often each context was met, where the gate reads it.
    visits: Option<BTreeMap<u64, u64>>,
}

impl Desk {
    pub(crate) fn new(setup: Setup<'_, '_>) -> PyResult<(Self, Head)> {
        let settings = Settings::of(setup.settings)?;
        let parser = parser(setup.words, setup.form)?;
        let (words, form) = (parser.words().to_vec(), parser.form());
        let kappa = setup.kappa;
        let ok = kappa >= 0.0 && kappa.is_finite();
        in_range(ok, "kappa", kappa, "[0, infinity)", "pass the cost of one call").map_err(refuse)?;
        if let Some(predictor) = &setup.predictor {
            predictor.get().check(words.len())?;
        }
        let (bounds, radius) = (Spread::of(setup.bounds)?, radius(setup.radius)?);
        let derivation = match &radius {
            Calibrated::Declared(_) => None,
            Calibrated::Derived(radius) => Some(radius.derivation().clone()),
        };
        let predictor = setup.predictor.as_ref().map_or(Value::Null, |predictor| predictor.get().json());
        let spec = json!({ "controller": settings.controller, "kappa": kappa, "bounds": bounds.json(), "predictor": predictor });
        let counts = matches!(&settings.controller.gate, GateSpec::Novelty(_))
            || matches!(&settings.controller.gate, GateSpec::Schedule(schedule) if matches!(schedule.at, Where::VisitedLessThan(_)));
        let desk = Self {
            engine: settings.engine(parser, setup.seed)?,
            log: setup.log,
            bounds,
            predictor: setup.predictor,
            radius,
            kappa,
            actions: words.len(),
            visits: counts.then(BTreeMap::new),
        };
        Ok((desk, Head { settings, words, form, seed: setup.seed, spec, derivation }))
    }

    /// Decides, before any answer exists. The context goes with the question, for the predictor to learn from.
    pub(crate) fn decide(&mut self, given: Given) -> Result<(Turn, Context), Error> {
        let Given { actions, samples, base, context, features, circumstances } = given;
        let samples = ValueSamples::new(actions, samples)?;
        let context = Context::new(ContextKey(context), features);
        let law = self
            .predictor
            .as_ref()
            .map_or_else(|| ResponseLaw::uniform(actions), |predictor| locked(&predictor.get().inner).law(&context));
        let advice = CandidateOnly::spread(law, samples, Action::new(base), |m, v| self.bounds.around(m, v))?;
        let mut evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), self.kappa)?;
        if let Some(visits) = &mut self.visits {
            let met = visits.entry(context.key.0).or_default();
            evidence.visits = *met;
            *met += 1;
        }
        circumstances.tell(&mut evidence);
        let turn = match &self.radius {
            Calibrated::Declared(radius) => {
                evidence.radius = *radius;
                self.engine.decide(evidence)
            }
            Calibrated::Derived(radius) => {
                let complete = |preview: &counsel_decision::Preview, evidence: &mut Evidence| {
                    evidence.radius = radius.of(evidence, preview.estimate);
                    Ok::<(), Error>(())
                };
                self.engine.decide_with(evidence, complete)?
            }
        };
        Ok((turn, context))
    }

    /// Takes the reply to a question; the predictor learns from it by [`Desk::learn`].
    pub(crate) fn resume(&mut self, question: Question, reply: Reply) -> Acted {
        self.engine.resume(question, reply)
    }

    /// What was paid for teaches the predictor.
    pub(crate) fn learn(&self, paid: &[(Context, PaidResponse)]) {
        if let Some(predictor) = &self.predictor {
            locked(&predictor.get().inner).observe_all(paid);
        }
    }

    /// Writes a complete decision down, if there is a log.
    pub(crate) fn note(&self, acted: &Acted) {
        if let Some(log) = &self.log {
            log.get().push(Decision { record: acted.record.clone(), hindsight: Hindsight::default() });
        }
    }

    /// How many actions there are.
    pub(crate) fn actions(&self) -> usize {
        self.actions
    }
}

/// The radius as it comes from Python: nothing is infinite, a number is declared, a `Radius` was calibrated.
fn radius(radius: Option<&Bound<'_, PyAny>>) -> PyResult<Calibrated> {
    let Some(radius) = radius.filter(|radius| !radius.is_none()) else {
        return Ok(Calibrated::Declared(Radius::Infinite));
    };
    if let Ok(calibrated) = radius.cast::<calibration::Radius>() {
        return Ok(Calibrated::Derived(Box::new(calibrated.get().0.clone())));
    }
    let what = radius.get_type();
    let number = radius.extract::<f64>();
    let number =
        number.map_err(|_| refuse(format!("`radius` is {what}; pass a Radius, a number, or None to be silent")))?;
    Ok(Calibrated::Declared(Radius::new(number).map_err(refuse)?))
}
