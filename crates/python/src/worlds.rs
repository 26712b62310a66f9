//! Worlds of counsel as rows of arrays: any number of places of one level, stepped in one call without Python in between; they can be
//! copied, and pickled as what happened since a seed.
//!
//! A level of a picture world shows an image and, in BabyAI, a direction and a mission; a level of a text world shows text, and
//! its actions are the places of what is admissible now.

use std::sync::Mutex;

use counsel_alfworld::Alfworld;
use counsel_babyai::{BabyAi, World};
use counsel_crafter::{Crafter, PIXELS};
use counsel_decision::Action;
use counsel_pixel::{Image, Observation, Pixel};
use counsel_world::{Effect, Levels, Shown};
use numpy::{IntoPyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArrayDyn};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::act::{locked, named};
use crate::error::{damaged, refuse, state};
use crate::whole;

/// One place of a level.
trait Stage: Send {
    /// The same place once more, with an episode of its own.
    fn boxed(&self) -> Box<dyn Stage>;
    /// The episode that is played here.
    fn episode(&mut self) -> &mut dyn Shown;
    /// Writes what the agent sees, and says where it looks; 0 where that means nothing.
    fn see(&mut self, image: &mut [u8]) -> i64;
    /// The mission, or what the agent was told; empty in a world without words.
    fn text(&self) -> String {
        String::new()
    }
    /// Whether the text changes within an episode.
    fn tells(&self) -> bool {
        false
    }
    /// The words of the actions, as far as they have any now.
    fn words(&mut self) -> Vec<String> {
        self.episode().controls().iter().map(|control| control.name.to_owned()).collect()
    }
}

impl Stage for World {
    fn boxed(&self) -> Box<dyn Stage> {
        Box::new(self.clone())
    }

    fn episode(&mut self) -> &mut dyn Shown {
        self
    }

    fn see(&mut self, image: &mut [u8]) -> i64 {
        let observation = self.observation();
        image.copy_from_slice(observation.bytes());
        i64::from(observation.direction)
    }

    fn text(&self) -> String {
        self.mission().to_owned()
    }
}

impl Stage for counsel_crafter::Episode {
    fn boxed(&self) -> Box<dyn Stage> {
        Box::new(self.clone())
    }

    fn episode(&mut self) -> &mut dyn Shown {
        self
    }

    fn see(&mut self, image: &mut [u8]) -> i64 {
        image.copy_from_slice(self.shown().bytes());
        0
    }
}

/// A pixel episode, and what its picture is drawn into.
#[derive(Clone)]
struct Drawn {
    episode: counsel_pixel::Episode,
    seen: Observation,
    image: Image,
}

impl Stage for Drawn {
    fn boxed(&self) -> Box<dyn Stage> {
        Box::new(self.clone())
    }

    fn episode(&mut self) -> &mut dyn Shown {
        &mut self.episode
    }

    fn see(&mut self, image: &mut [u8]) -> i64 {
        let state = self.episode.state();
        state.observe(&mut self.seen);
        self.seen.render(state.spec().cell_pixels, &mut self.image);
        image.copy_from_slice(&self.image.shades);
        0
    }
}

impl Stage for counsel_alfworld::Episode {
    fn boxed(&self) -> Box<dyn Stage> {
        Box::new(self.clone())
    }

    fn episode(&mut self) -> &mut dyn Shown {
        self
    }

    fn see(&mut self, _image: &mut [u8]) -> i64 {
        0
    }

    fn text(&self) -> String {
        self.standing().told().to_owned()
    }

    fn tells(&self) -> bool {
        true
    }

    fn words(&mut self) -> Vec<String> {
        self.standing().commands().map(str::to_owned).collect()
    }
}

/// Opens a level; the shape of its image goes with it, without a pixel where it has none.
fn open(id: &str, max_steps: Option<u32>) -> Result<(Box<dyn Stage>, Vec<usize>), String> {
    fn told(error: impl ToString) -> String {
        error.to_string()
    }
    let has = |world: &dyn Levels| world.levels().iter().any(|level| level.id == id);
    if has(&Crafter) {
        let episode = counsel_crafter::Episode::open(max_steps.unwrap_or(counsel_crafter::MAX_STEPS)).map_err(told)?;
        return Ok((Box::new(episode), vec![PIXELS, PIXELS, 3]));
    }
    if has(&Pixel) {
        let level = counsel_pixel::Level::find(id).map_err(told)?;
        let episode = counsel_pixel::Episode::open(level, max_steps).map_err(told)?;
        let (seen, spec) = (episode.state().observation(), level.spec());
        let image = seen.image(spec.cell_pixels);
        let side = image.side_pixels;
        return Ok((Box::new(Drawn { episode, seen, image }), vec![side, side, 1]));
    }
    if has(&Alfworld) {
        return Ok((Box::new(counsel_alfworld::Episode::open(id, max_steps).map_err(told)?), vec![0]));
    }
    let world = max_steps.map_or_else(|| World::new(id), |most| World::with_max_steps(id, most)).map_err(told)?;
    Ok((Box::new(world), vec![counsel_babyai::VIEW, counsel_babyai::VIEW, 3]))
}

/// The ids of all levels that can be played, world by world.
#[pyfunction]
pub(crate) fn levels() -> Vec<(&'static str, Vec<&'static str>)> {
    let ids = |world: &dyn Levels| world.levels().into_iter().map(|level| level.id).collect();
    vec![("babyai", ids(&BabyAi)), ("pixel", ids(&Pixel)), ("crafter", ids(&Crafter)), ("alfworld", ids(&Alfworld))]
}

/// The most events that a place keeps to be pickled: what a seed began is played again from them.
const MOST_EVENTS: usize = 1 << 20;
/// The event of an episode that begins without a seed.
const NEXT: u16 = u16::MAX;

/// What happened at a place since a seed was given: actions, and episodes that began.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Past {
    seed: Option<u64>,
    events: Vec<u16>,
    is_cut: bool,
}

impl Past {
    fn note(&mut self, event: u16) {
        if self.events.len() < MOST_EVENTS {
            self.events.push(event);
        } else {
            (self.events, self.is_cut) = (Vec::new(), true);
        }
    }
}

/// One place with whether its episode is over.
struct Place {
    stage: Box<dyn Stage>,
    over: bool,
    past: Past,
}

impl Place {
    fn of(stage: Box<dyn Stage>) -> Self {
        Self { stage, over: false, past: Past::default() }
    }

    /// Begins the episode of a seed, or the next one.
    fn begin(&mut self, seed: Option<u64>) {
        match seed {
            Some(_) => self.past = Past { seed, ..Past::default() },
            None => self.past.note(NEXT),
        }
        self.stage.episode().begin(seed);
        self.over = false;
    }

    fn act(&mut self, action: i64) -> Effect {
        self.past.note(u16::try_from(action).unwrap_or(NEXT - 1).min(NEXT - 1));
        let effect = self.stage.episode().act(Action::new(usize::try_from(action).unwrap_or(usize::MAX)));
        self.over = effect.terminated || effect.truncated;
        effect
    }

    /// Plays again what happened.
    fn replay(&mut self, past: Past, is_over: bool) {
        if past.seed.is_some() {
            self.begin(past.seed);
        }
        for event in &past.events {
            if *event == NEXT {
                self.begin(None);
            } else {
                self.act(i64::from(*event));
            }
        }
        self.over = is_over;
    }
}

/// When an episode that is over begins again, in the words of Gymnasium.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Autoreset {
    NextStep,
    SameStep,
    Disabled,
}

/// What the agents see, row by row.
struct Rows<'a> {
    image: &'a mut [u8],
    direction: &'a mut [i64],
}

impl<'a> Rows<'a> {
    fn of(image: &'a mut PyReadwriteArrayDyn<'_, u8>, direction: &'a mut PyReadwriteArray1<'_, i64>) -> PyResult<Self> {
        Ok(Self { image: writable(image.as_slice_mut())?, direction: writable(direction.as_slice_mut())? })
    }

    /// Refuses arrays that have not one row, with an image of this size, for each place.
    fn check(&self, count: usize, bytes: usize) -> PyResult<()> {
        fits(&[self.direction.len()], count)?;
        fits(&[self.image.len()], count * bytes)
    }

    fn see(&mut self, at: usize, bytes: usize, stage: &mut dyn Stage) {
        self.direction[at] = stage.see(&mut self.image[at * bytes..(at + 1) * bytes]);
    }
}

/// Places of one level, side by side.
#[pyclass(frozen, module = "counsel._counsel")]
pub(crate) struct Worlds {
    places: Mutex<Vec<Place>>,
    /// The shape of an image, which has no pixel in a text world.
    #[pyo3(get)]
    image_shape: Vec<usize>,
    /// Whether the text changes within an episode, and with it the admissible commands.
    #[pyo3(get)]
    tells: bool,
    /// The words of the actions; empty in a text world.
    #[pyo3(get)]
    words: Vec<String>,
    level: String,
    max_steps: Option<u32>,
}

#[pymethods]
impl Worlds {
    #[new]
    #[pyo3(signature = (level, count, *, max_steps = None))]
    fn new(
        level: &str,
        #[pyo3(from_py_with = whole::num_envs)] count: usize,
        #[pyo3(from_py_with = whole::max_steps)] max_steps: Option<u32>,
    ) -> PyResult<Self> {
        if count == 0 {
            return Err(refuse("num_envs is 0; pass how many environments there are"));
        }
        let mut opened = (0..count).map(|_| open(level, max_steps)).collect::<Result<Vec<_>, _>>().map_err(refuse)?;
        let (first, image_shape) = &mut opened[0];
        let (tells, image_shape) = (first.tells(), image_shape.clone());
        let words = if tells { Vec::new() } else { first.words() };
        let places = opened.into_iter().map(|(stage, _)| Place::of(stage)).collect();
        let level = level.to_owned();
        Ok(Self { places: Mutex::new(places), image_shape, tells, words, level, max_steps })
    }

    /// The mission of a place, or what was told there last.
    fn text(&self, place: usize) -> PyResult<String> {
        locked(&self.places).get(place).map(|place| place.stage.text()).ok_or_else(|| past(place))
    }

    /// What is admissible at a place now, in words.
    fn commands(&self, place: usize) -> PyResult<Vec<String>> {
        locked(&self.places).get_mut(place).map(|place| place.stage.words()).ok_or_else(|| past(place))
    }

    /// Begins episodes: that of the seed where one is given, else the next, at the places of the mask.
    fn reset(
        &self,
        #[pyo3(from_py_with = whole::seeds)] seeds: Vec<Option<u64>>,
        mask: Vec<bool>,
        mut image: PyReadwriteArrayDyn<'_, u8>,
        mut direction: PyReadwriteArray1<'_, i64>,
    ) -> PyResult<()> {
        let mut places = locked(&self.places);
        let bytes = self.image_shape.iter().product();
        let mut rows = Rows::of(&mut image, &mut direction)?;
        fits(&[seeds.len(), mask.len()], places.len())?;
        rows.check(places.len(), bytes)?;
        for (at, place) in places.iter_mut().enumerate() {
            if mask[at] {
                place.begin(seeds[at]);
            }
            rows.see(at, bytes, &mut *place.stage);
        }
        Ok(())
    }

    /// Performs one action at every place and writes what follows. Returns the places where an episode began or, with autoreset
    /// in the same step, ended, and the last texts of those that ended.
    #[expect(clippy::too_many_arguments, reason = "they are the arrays of a step, filled here")]
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        autoreset: &str,
        mut image: PyReadwriteArrayDyn<'_, u8>,
        mut direction: PyReadwriteArray1<'_, i64>,
        mut reward: PyReadwriteArray1<'_, f64>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        mut final_image: PyReadwriteArrayDyn<'_, u8>,
        mut final_direction: PyReadwriteArray1<'_, i64>,
    ) -> PyResult<(Vec<usize>, Vec<String>)> {
        let autoreset = named(autoreset).unwrap_or(Autoreset::Disabled);
        let actions = actions.as_slice().map_err(|error| refuse(error.to_string()))?;
        let mut rows = Rows::of(&mut image, &mut direction)?;
        let mut last_rows = Rows::of(&mut final_image, &mut final_direction)?;
        let (reward, terminated) = (writable(reward.as_slice_mut())?, writable(terminated.as_slice_mut())?);
        let truncated = writable(truncated.as_slice_mut())?;
        let (count, known) = (actions.len(), self.words.len());
        fits(&[reward.len(), terminated.len(), truncated.len(), locked(&self.places).len()], count)?;
        let bytes = self.image_shape.iter().product();
        rows.check(count, bytes)?;
        if autoreset == Autoreset::SameStep {
            last_rows.check(count, bytes)?;
        }
        if let Some(at) = actions.iter().position(|action| self.is_wrong(*action)) {
            let action = actions[at];
            return Err(refuse(format!(
                "the action of environment {at} is {action}; pass one of 0 to {}",
                known.max(1) - 1
            )));
        }
        Ok(py.detach(|| {
            let mut places = locked(&self.places);
            let (mut begun, mut last) = (Vec::new(), Vec::new());
            for (at, place) in places.iter_mut().enumerate() {
                if place.over && autoreset == Autoreset::NextStep {
                    place.begin(None);
                    (reward[at], terminated[at], truncated[at]) = (0.0, false, false);
                    begun.push(at);
                } else {
                    let effect = place.act(actions[at]);
                    (reward[at], terminated[at], truncated[at]) = (effect.reward, effect.terminated, effect.truncated);
                    if place.over && autoreset == Autoreset::SameStep {
                        last_rows.see(at, bytes, &mut *place.stage);
                        last.push(place.stage.text());
                        place.begin(None);
                        begun.push(at);
                    }
                }
                rows.see(at, bytes, &mut *place.stage);
            }
            (begun, last)
        }))
    }

    /// Performs an action at the first place, and returns image, direction, reward, and whether the episode was terminated and truncated:
    /// a step of an environment alone, which does not begin again by itself.
    #[expect(clippy::type_complexity, reason = "it is what a step of Gymnasium returns")]
    fn step_alone<'py>(
        &self,
        py: Python<'py>,
        action: i64,
    ) -> PyResult<(Bound<'py, PyArrayDyn<u8>>, i64, f64, bool, bool)> {
        if self.is_wrong(action) {
            let last = self.words.len().max(1) - 1;
            return Err(refuse(format!("the action is {action}; pass one of 0 to {last}")));
        }
        let mut image = vec![0; self.image_shape.iter().product()];
        let (direction, effect) = {
            let mut places = locked(&self.places);
            let place = places.first_mut().ok_or_else(|| past(0))?;
            let effect = place.act(action);
            (place.stage.see(&mut image), effect)
        };
        let image = image.into_pyarray(py).reshape(self.image_shape.clone())?;
        Ok((image, direction, effect.reward, effect.terminated, effect.truncated))
    }

    /// The task, the clock and a picture of a place, as lines of text.
    fn picture(&self, place: usize) -> PyResult<String> {
        let mut places = locked(&self.places);
        places.get_mut(place).map(|place| place.stage.episode().picture()).ok_or_else(|| past(place))
    }

    /// The same places once more, with episodes of their own that go on alike.
    fn __copy__(&self) -> Self {
        let copied = |place: &Place| Place { stage: place.stage.boxed(), over: place.over, past: place.past.clone() };
        Self {
            places: Mutex::new(locked(&self.places).iter().map(copied).collect()),
            image_shape: self.image_shape.clone(),
            tells: self.tells,
            words: self.words.clone(),
            level: self.level.clone(),
            max_steps: self.max_steps,
        }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    /// A pickle holds what happened since the last seed, and is played again.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let own = this.get();
        let places = locked(&own.places);
        if let Some(at) = places.iter().position(|place| place.past.is_cut) {
            return Err(state(format!(
                "environment {at} took more than {MOST_EVENTS} steps since it was reset with a seed, too many to be pickled; reset it with a \
                 seed before, or take copy.deepcopy, which has no limit"
            )));
        }
        let pasts: Vec<(&Past, bool)> = places.iter().map(|place| (&place.past, place.over)).collect();
        let text = serde_json::to_string(&(&own.level, own.max_steps, pasts)).map_err(damaged)?;
        drop(places);
        Ok((this.get_type().getattr("_restore")?, (text,)))
    }

    /// The places of a pickle.
    #[staticmethod]
    fn _restore(text: &str) -> PyResult<Self> {
        let (level, max_steps, pasts): (String, Option<u32>, Vec<(Past, bool)>) =
            serde_json::from_str(text).map_err(|error| {
                damaged(format!("the pickled environment cannot be read: {error}; pickle it again with this version"))
            })?;
        let worlds = Self::new(&level, pasts.len(), max_steps)?;
        for (place, (past, is_over)) in locked(&worlds.places).iter_mut().zip(pasts) {
            place.replay(past, is_over);
        }
        Ok(worlds)
    }
}

impl Worlds {
    fn is_wrong(&self, action: i64) -> bool {
        !usize::try_from(action).is_ok_and(|action| self.tells || action < self.words.len())
    }
}

fn past(place: usize) -> PyErr {
    refuse(format!("there is no environment {place}; pass one of them, from 0"))
}

fn writable<T>(slice: Result<T, impl ToString>) -> PyResult<T> {
    slice.map_err(|error| refuse(format!("an array cannot be written: {}; pass contiguous arrays", error.to_string())))
}

fn fits(lengths: &[usize], count: usize) -> PyResult<()> {
    lengths.iter().find(|length| **length != count).map_or(Ok(()), |length| {
        Err(refuse(format!("an array has {length} entries where {count} are needed; pass one per environment")))
    })
}
