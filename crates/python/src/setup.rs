//! How a controller is set up from Python: by settings, as recommended, or from a checkpoint.

use std::path::Path;

use counsel_calibration::Derivation;
use counsel_controller::{Books, BooksSpec, Budget, Controller, Radius, RadiusInForce, Seed, Spread};
use counsel_file::Expected;
use counsel_log::{Before, Calibration, Deployed};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::calibration::CalibratedRadius;
use crate::deployment::Shared;
use crate::error::{damaged, failed, misset, refuse};
use crate::log::Log;
use crate::predictor::Predictor;
use crate::settings::{Settings, parser, read};

/// A controller with what its log says of it beside what it says itself.
pub(crate) struct Setup {
    controller: Controller,
    seed: u64,
    bounds: Spread,
    predictor: Value,
    calibration: Option<Calibration>,
}

/// The optional choices of a controller that is built from settings.
pub(crate) struct Choices<'a, 'py> {
    pub(crate) price: f64,
    pub(crate) radius: Option<&'a Bound<'py, PyAny>>,
    pub(crate) bounds: Option<&'a Bound<'py, PyAny>>,
    pub(crate) predictor: Option<Py<Predictor>>,
    pub(crate) seed: u64,
    pub(crate) form: &'a str,
}

impl Setup {
    /// A controller that takes the values and keeps no books except visits, uses and the predictor.
    pub(crate) fn of(
        settings: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyAny>,
        choices: Choices<'_, '_>,
    ) -> PyResult<Self> {
        let Settings { advisor, settings } = Settings::of(settings)?;
        let Choices { price, radius, bounds, predictor, seed, form } = choices;
        let parser = parser(actions, form)?;
        let (bounds, radius) = (spread(bounds)?, self::radius(radius)?);
        let fixed = if let RadiusInForce::Fixed(radius) = &radius { Some(radius.derivation()) } else { None };
        let calibration = fixed.map(calibration);
        let actions = parser.words().len();
        let mut books = Books::new(BooksSpec::default(), actions).map_err(failed)?;
        if let Some(predictor) = &predictor {
            books = predictor.get().taught(books, actions)?;
        }
        let controller = Controller::new(&settings, parser, price, books, Seed::root(seed)).map_err(failed)?;
        let mut controller = controller.with_radius(radius).with_bounds(bounds).map_err(failed)?.advised_by(advisor);
        if let Some(predictor) = &predictor {
            let (spec, features) = predictor.get().declared();
            controller = controller.with_predictor(spec, features);
        }
        let predictor = predictor.map_or(Value::Null, |predictor| predictor.get().json());
        Ok(Self { controller, seed, bounds, predictor, calibration })
    }

    /// The controller that the studies recommend.
    pub(crate) fn recommended(
        price: f64,
        budget: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyAny>,
        episodes: Option<u64>,
        advisor: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let (budget, parser) = (self::budget(budget)?, parser(actions, "word")?);
        let controller = Controller::recommended_from(price, budget, parser, Seed::root(seed)).map_err(failed)?;
        let controller = controller.advised_by(advisor);
        let controller = if let Some(most) = episodes { controller.over_episodes(most) } else { controller };
        Ok(Self { controller, seed, bounds: Spread::default(), predictor: Value::Null, calibration: None })
    }

    /// A controller that threads share, with its log.
    pub(crate) fn deployed(self, log: Option<&Py<Log>>) -> PyResult<Shared> {
        let Self { controller, seed, bounds, predictor, calibration } = self;
        let Some(log) = log else { return Ok(Shared::new(controller, None)) };
        let engine = controller.engine();
        let (settings, books) = (engine.settings(), controller.books().spec());
        let spec = json!({
            "settings": settings, "price": controller.price(), "bounds": bounds, "predictor": predictor, "books": books,
        });
        let deployed = self::deployed(&controller, Seed::root(seed), calibration);
        logged(controller, log, &(deployed, spec))
    }
}

/// A controller with its log.
fn logged(controller: Controller, log: &Py<Log>, head: &(Deployed, Value)) -> PyResult<Shared> {
    let next = controller.engine().decided();
    let shared = Shared::new(controller, Some(log.get().rows()));
    log.get().bind(head, next, &shared.deployment)?;
    Ok(shared)
}

/// What a manifest says of a controller.
fn deployed(controller: &Controller, engine_seed: Seed, calibration: Option<Calibration>) -> Deployed {
    let engine = controller.engine();
    Deployed {
        settings: engine.settings(),
        advisor: engine.cache().advisor().to_owned(),
        advisors: Vec::new(),
        words: engine.parser().words().to_vec(),
        form: engine.parser().form(),
        engine_seed,
        calibration,
        before: Before::default(),
    }
}

/// What a manifest says of a calibrated radius.
fn calibration(derivation: &Derivation) -> Calibration {
    let scores: Vec<f64> = derivation.groups.iter().flat_map(|group| group.scores.iter().copied()).collect();
    let finite: Vec<f64> = scores.iter().copied().filter(|score| score.is_finite()).collect();
    Calibration {
        opportunities: scores.len() as u64,
        mean_residual: finite.iter().sum::<f64>() / finite.len().max(1) as f64,
        derivation: serde_json::to_value(derivation).unwrap_or_default(),
        screen: None,
        bounds: None,
    }
}

/// The controller that was saved in a file. Its log is one that was begun before, whose head stands.
pub(crate) fn load(path: &Path, log: Option<&Py<Log>>) -> PyResult<Shared> {
    let expected = Expected { what: "a checkpoint", most_bytes: 1 << 32 };
    let text = counsel_file::read_text(path, expected).map_err(damaged)?;
    let controller = Controller::load(&text).map_err(failed)?;
    let Some(log) = log else { return Ok(Shared::new(controller, None)) };
    let head = (deployed(&controller, controller.seed(), None), Value::Null);
    logged(controller, log, &head)
}

/// Writes the controller to a file, whole or not at all.
pub(crate) fn save(py: Python<'_>, shared: &Shared, path: &Path) -> PyResult<()> {
    let text = shared.with_detached(py, |deployment| deployment.controller.save())?;
    py.detach(|| counsel_file::write_whole(path, text.as_bytes())).map_err(damaged)
}

/// A number of calls, or a `counsel.Budget`.
fn budget(budget: &Bound<'_, PyAny>) -> PyResult<Budget> {
    if let Ok(calls) = budget.extract::<u64>() {
        return Ok(Budget::calls(calls));
    }
    let written = budget.call_method0("_json");
    let written = written.map_err(|_| {
        misset(format!("the budget is {budget}; pass the number of calls of the whole run, or a counsel.Budget"))
    })?;
    read(&written.extract::<String>()?, "the budget", "counsel.Budget")
}

/// The spread of a `counsel.Spread`; one standard deviation where none is given.
fn spread(bounds: Option<&Bound<'_, PyAny>>) -> PyResult<Spread> {
    let Some(bounds) = bounds.filter(|bounds| !bounds.is_none()) else { return Ok(Spread::default()) };
    let wrong = |_| refuse(format!("`bounds` is {bounds}; pass a counsel.Spread"));
    let end = |name: &str| bounds.getattr(name)?.extract::<Option<f64>>();
    let (low, high) = (end("low").map_err(wrong)?, end("high").map_err(wrong)?);
    let scale = bounds.getattr("scale").and_then(|scale| scale.extract::<f64>()).map_err(wrong)?;
    Ok(Spread { scale, low, high })
}

/// The radius as it comes from Python: none is infinite, a number is declared, a `CalibratedRadius` was calibrated.
pub(crate) fn radius(radius: Option<&Bound<'_, PyAny>>) -> PyResult<RadiusInForce> {
    let Some(radius) = radius.filter(|radius| !radius.is_none()) else { return Ok(RadiusInForce::Silent) };
    if let Ok(calibrated) = radius.cast::<CalibratedRadius>() {
        return Ok(RadiusInForce::Fixed(calibrated.get().0.clone()));
    }
    let what = radius.get_type();
    let number = radius.extract::<f64>();
    let number = number.map_err(|_| {
        refuse(format!("`radius` is {what}; pass a CalibratedRadius, a number, or None for a silent gate"))
    })?;
    Ok(RadiusInForce::Declared(Radius::new(number).map_err(refuse)?))
}

/// A radius as it goes back to Python.
pub(crate) fn shown(py: Python<'_>, radius: RadiusInForce) -> PyResult<Bound<'_, PyAny>> {
    Ok(match radius {
        RadiusInForce::Silent => py.None().into_bound(py),
        RadiusInForce::Declared(radius) => radius.value().into_pyobject(py)?.into_any(),
        RadiusInForce::Fixed(radius) | RadiusInForce::Online(radius) => {
            Bound::new(py, CalibratedRadius(radius))?.into_any()
        }
    })
}
