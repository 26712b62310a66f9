//! Many environments side by side, one hard budget. All places are decided before the first question is answered, and the
//! questions of a batch are resumed together, in the order of places; the log says so, and the audit follows it.

use std::sync::{Arc, Mutex};

use counsel_advisor::Context;
use counsel_decision::{Acted, Error, PaidResponse, Question, Reply, Turn};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::act::{locked, reply};
use crate::array::{Argument, one_each, place};
use crate::batch::Batch;
use crate::circumstances::Circumstances;
use crate::desk::{Desk, Given, Setup};
use crate::error::{refuse, state};
use crate::gate::identity;
use crate::log::{Known, Log, Settles};
use crate::predictor::Predictor;
use crate::process::{Home, no_copy};

const VALUES: Argument<3> = Argument::new("values", ["environments", "samples", "actions"]);
const BASE: Argument<1> = Argument::new("base", ["environments"]);
const CONTEXTS: Argument<1> = Argument::new("contexts", ["environments"]);
const FEATURES: Argument<2> = Argument::new("features", ["environments", "features"]);
const MASK: Argument<1> = Argument::new("mask", ["environments"]);
const REWARD: Argument<1> = Argument::new("reward", ["environments"]);

/// More places than anybody has environments.
const MOST: usize = 1 << 20;

/// One decision of an open batch.
enum Seat {
    Acted(Box<Acted>),
    Open(Box<Question>, Context),
}

/// A desk that serves several places.
struct Places {
    desk: Desk,
    /// Whether an episode of a place is to begin before its next decision. It begins with the batch, as in the audit.
    due: Vec<bool>,
    batches: u64,
    open: Vec<(usize, Seat)>,
    /// Where in the log the last decision of each place is.
    last: Vec<Option<usize>>,
}

/// The numbers of a batch, one of each per place.
struct Decided {
    actions: Vec<i64>,
    asks: Vec<i64>,
    estimate: Vec<f64>,
    score: Vec<f64>,
    threshold: Vec<f64>,
    number: u64,
}

impl Places {
    /// Decides at these places, by what is known of each. All of that was checked: a batch is decided as a whole or not at all.
    fn decide(&mut self, here: &[usize], known: impl Fn(usize) -> Given, base: Vec<i64>) -> Result<Decided, Error> {
        self.settle();
        let blank = vec![f64::NAN; base.len()];
        let mut decided = Decided {
            actions: base,
            asks: Vec::new(),
            estimate: blank.clone(),
            score: blank.clone(),
            threshold: blank,
            number: self.batches,
        };
        if here.is_empty() {
            return Ok(decided);
        }
        self.batches += 1;
        for &place in here {
            if std::mem::take(&mut self.due[place]) {
                self.desk.engine.turn_to(place);
                self.desk.engine.begin_episode();
            }
        }
        self.desk.engine.begin_batch();
        for &place in here {
            self.desk.engine.turn_to(place);
            let seat = match self.desk.decide(known(place))? {
                (Turn::Act(acted), _) => {
                    decided.actions[place] = i64::from(acted.action.0);
                    decided.estimate[place] = acted.record.estimate;
                    decided.score[place] = acted.record.score;
                    decided.threshold[place] = acted.record.threshold;
                    Seat::Acted(acted)
                }
                (Turn::Ask(question), context) => {
                    decided.asks.push(i64::try_from(place).unwrap_or(i64::MAX));
                    let standing = question.standing();
                    decided.estimate[place] = question.estimate();
                    (decided.score[place], decided.threshold[place]) = (standing.score, standing.threshold);
                    Seat::Open(question, context)
                }
            };
            // A decision that nobody asks about again is kept for the log alone.
            if self.desk.log.is_some() || matches!(seat, Seat::Open(..)) {
                self.open.push((place, seat));
            }
        }
        if decided.asks.is_empty() {
            self.close(&mut Vec::new().into_iter());
        }
        Ok(decided)
    }

    /// Resumes the open questions in the order of places, writes the batch down, and says what the asking places do.
    fn close(&mut self, replies: &mut dyn Iterator<Item = Reply>) -> Vec<(usize, i64)> {
        let mut taught: Vec<(Context, PaidResponse)> = Vec::new();
        let mut done = Vec::new();
        for (place, seat) in std::mem::take(&mut self.open) {
            let acted = match seat {
                Seat::Acted(acted) => *acted,
                Seat::Open(question, context) => {
                    let acted = self.desk.resume(*question, replies.next().unwrap_or_else(Reply::lost));
                    taught.extend(acted.paid.map(|paid| (context, paid)));
                    done.push((place, i64::from(acted.action.0)));
                    acted
                }
            };
            if let Some(log) = &self.desk.log {
                self.last[place] = Some(log.get().rows());
            }
            self.desk.note(&acted);
        }
        self.desk.learn(&taught);
        done
    }

    fn is_open(&self) -> bool {
        self.open.iter().any(|(_, seat)| matches!(seat, Seat::Open(..)))
    }
}

impl Settles for Places {
    /// Questions that were not resumed count as lost. They were paid for, so they must be in the log.
    fn settle(&mut self) {
        self.close(&mut Vec::new().into_iter());
    }
}

/// One engine for environments side by side: one hard budget, one price, one cache; each has episodes of its own.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct VectorController {
    places: Arc<Mutex<Places>>,
    log: Option<Py<Log>>,
    count: usize,
    identity: u64,
    home: Home,
}

#[pymethods]
impl VectorController {
    #[new]
    #[pyo3(signature = (settings, words, num_envs, *, kappa, radius = None, bounds = None, predictor = None, log = None, seed = 0, form = "word"))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        settings: &Bound<'_, PyAny>,
        words: &Bound<'_, PyAny>,
        num_envs: usize,
        kappa: f64,
        radius: Option<&Bound<'_, PyAny>>,
        bounds: Option<&Bound<'_, PyAny>>,
        predictor: Option<Py<Predictor>>,
        log: Option<Py<Log>>,
        seed: u64,
        form: &str,
    ) -> PyResult<Self> {
        if num_envs == 0 || num_envs > MOST {
            return Err(refuse(format!("num_envs is {num_envs}; pass how many environments there are, 1 to {MOST}")));
        }
        let kept = log.as_ref().map(|log| log.clone_ref(py));
        let (desk, head) = Desk::new(Setup { settings, words, kappa, radius, bounds, predictor, log, seed, form })?;
        let (due, last) = (vec![true; num_envs], vec![None; num_envs]);
        let places = Arc::new(Mutex::new(Places { desk, due, batches: 0, open: Vec::new(), last }));
        if let Some(log) = &kept {
            log.get().bind(head, places.clone())?;
        }
        Ok(Self { places, log: kept, count: num_envs, identity: identity(), home: Home::here() })
    }

    /// Lets the episodes of these places begin with their next decision.
    fn begin_episodes(&self, mask: &Bound<'_, PyAny>) -> PyResult<()> {
        self.home.check("controller")?;
        let mask = MASK.flags(mask)?;
        one_each("mask", mask.len(), self.count)?;
        let mut places = locked(&self.places);
        places.due.iter_mut().zip(mask).for_each(|(due, begins)| *due |= begins);
        Ok(())
    }

    /// Decides at all places, or at those of the mask, before any answer exists. A batch that was not resumed counts as lost.
    ///
    /// `circumstances` say what else is known of each place: `visits`, `monitored`, `stalled`, `expected_uses`, `fallback_law`,
    /// `credited_gain` and `forecast`, by their names in the log.
    #[pyo3(signature = (values, base, *, contexts = None, features = None, mask = None, **circumstances))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn decide(
        &self,
        py: Python<'_>,
        values: &Bound<'_, PyAny>,
        base: &Bound<'_, PyAny>,
        contexts: Option<&Bound<'_, PyAny>>,
        features: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
        circumstances: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Batch> {
        self.home.check("controller")?;
        let values = VALUES.reals(values)?;
        let [environments, samples, actions] = values.shape;
        let base = BASE.integers(base)?.1;
        let contexts = contexts.map_or_else(|| Ok(vec![0; environments]), |contexts| CONTEXTS.keys(contexts))?;
        let features = features.map(|features| FEATURES.reals(features)).transpose()?;
        let mask = mask.map_or_else(|| Ok(vec![true; environments]), |mask| MASK.flags(mask))?;
        one_each("values", environments, self.count)?;
        one_each("base", base.len(), self.count)?;
        one_each("contexts", contexts.len(), self.count)?;
        one_each("mask", mask.len(), self.count)?;
        if let Some(features) = &features {
            one_each("features", features.shape[0], self.count)?;
        }
        let circumstances = Circumstances::of_each(circumstances, actions, environments)?;
        let width = samples * actions;
        let known = |at: usize| Given {
            actions,
            samples: values.numbers[at * width..(at + 1) * width].to_vec(),
            base: place(base[at]),
            context: contexts[at],
            features: features.as_ref().map_or_else(Vec::new, |features| {
                let wide = features.shape[1];
                features.numbers[at * wide..(at + 1) * wide].to_vec()
            }),
            circumstances: circumstances.get(at).cloned().unwrap_or_default(),
        };
        let here: Vec<usize> = (0..environments).filter(|at| mask[*at]).collect();
        for &at in &here {
            check(&values.numbers[at * width..(at + 1) * width], actions, base[at], at)?;
        }
        let decided = py.detach(|| locked(&self.places).decide(&here, known, base.clone()));
        let Decided { actions, asks, estimate, score, threshold, number } = decided.map_err(refuse)?;
        Ok(Batch {
            actions: actions.into_pyarray(py).unbind(),
            asks: asks.into_pyarray(py).unbind(),
            estimate: estimate.into_pyarray(py).unbind(),
            score: score.into_pyarray(py).unbind(),
            threshold: threshold.into_pyarray(py).unbind(),
            number,
            of: self.identity,
        })
    }

    /// Takes one reply per open question, in the order of `batch.asks`, and says what every place must do.
    fn resume<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, Batch>,
        replies: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.home.check("controller")?;
        let said = replies.try_iter()?.map(|said| reply(Some(&said?))).collect::<PyResult<Vec<Reply>>>()?;
        let batch = batch.get();
        let mut actions = BASE.integers(batch.actions.bind(py))?.1;
        let open = batch.asks.bind(py).len()?;
        if said.len() != open {
            let came = said.len();
            let text = format!(
                "{came} replies came for {open} open questions; pass one for each of `batch.asks`, None for a lost one"
            );
            return Err(refuse(text));
        }
        let number = batch.number;
        if batch.of != self.identity {
            return Err(state(format!("batch {number} is one of another controller; resume it where it was decided")));
        }
        if open == 0 {
            return Ok(actions.into_pyarray(py));
        }
        let done = py.detach(|| {
            let mut places = locked(&self.places);
            let current = places.batches.checked_sub(1) == Some(number);
            (current && places.is_open()).then(|| places.close(&mut said.into_iter()))
        });
        let done = done.ok_or_else(|| {
            state(format!(
                "batch {number} was resumed already, or given up as lost by a later one; decide again to ask another"
            ))
        })?;
        done.into_iter().for_each(|(place, action)| actions[place] = action);
        Ok(actions.into_pyarray(py))
    }

    /// Completes the last decision of every place in the log by the reward that followed.
    fn outcome(&self, reward: &Bound<'_, PyAny>) -> PyResult<()> {
        self.home.check("controller")?;
        let reward = REWARD.reals(reward)?.numbers;
        one_each("reward", reward.len(), self.count)?;
        let mut places = locked(&self.places);
        if places.is_open() {
            return Err(state("questions are open; resume the batch before its outcome is known"));
        }
        if let Some(log) = &self.log {
            for (row, reward) in places.last.iter_mut().zip(reward) {
                if let Some(row) = row.take() {
                    log.get().know(row, Known { reward, label: None, monte_carlo: None });
                }
            }
        }
        Ok(())
    }

    /// How many environments there are.
    #[getter]
    fn num_envs(&self) -> usize {
        self.count
    }

    /// How many actions there are.
    #[getter]
    fn actions(&self) -> usize {
        locked(&self.places).desk.actions()
    }

    /// How many calls were made, at all places together.
    #[getter]
    fn calls(&self) -> u64 {
        locked(&self.places).desk.engine.calls_made()
    }

    /// What advice may still lose, at all places together, where that is limited.
    #[getter]
    fn bankroll(&self) -> Option<f64> {
        locked(&self.places).desk.engine.bankroll().map(|bankroll| bankroll.left())
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.count;
        Err(no_copy("controller"))
    }
}

/// Refuses what no decision could be made from, before any is made: a batch is decided as a whole or not at all.
fn check(samples: &[f64], actions: usize, base: i64, at: usize) -> PyResult<()> {
    if let Some(value) = samples.iter().find(|value| !value.is_finite()) {
        return Err(refuse(format!(
            "a value sample of environment {at} is {value}; pass finite values, or leave it out by the mask"
        )));
    }
    if samples.is_empty() || place(base) >= actions {
        return Err(refuse(format!(
            "the base action of environment {at} is {base}; pass one of the {actions} actions"
        )));
    }
    Ok(())
}
