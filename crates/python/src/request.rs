//! What is known of a request before anybody is paid, as it comes from Python.
//!
//! Invariant: the first request settles what a book reads. Words are read if it has a text, and later requests have as many numbers as
//! it has; what could not be read is refused, never left out in silence.

use counsel_controller::route::{Layout, Request};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::{Deserialize, Serialize};

use crate::array::Argument;
use crate::error::refuse;

/// As many numbers get curves of their own: more describe a request together, as an embedding does, and one of them alone says little.
const CURVED: usize = 16;

const NUMBERS: Argument<1> = Argument::new("numbers", ["numbers"]);

/// What a request is described by.
#[derive(Clone, Default)]
pub(crate) struct Told<'py> {
    pub(crate) text: Option<Bound<'py, PyAny>>,
    pub(crate) group: Option<Bound<'py, PyAny>>,
    pub(crate) numbers: Option<Bound<'py, PyAny>>,
}

impl<'py> Told<'py> {
    /// A question with the answer in hand, if there is one: as `describe` says, and otherwise by its text, if it is one.
    fn of(question: &Bound<'py, PyAny>, describe: Option<Bound<'py, PyAny>>) -> PyResult<Self> {
        let text = question.is_instance_of::<PyString>().then(|| question.clone());
        let mut told = Self { text, ..Self::default() };
        let Some(described) = describe else { return Ok(told) };
        let wrong = || {
            refuse(format!("`describe` returned {described}; return a dictionary with `text`, `group` or `numbers`"))
        };
        for (name, value) in described.cast::<PyDict>().map_err(|_| wrong())? {
            let value = Some(value).filter(|value| !value.is_none());
            match name.extract::<&str>().map_err(|_| wrong())? {
                "text" => told.text = value,
                "group" => told.group = value,
                "numbers" => told.numbers = value,
                _ => return Err(wrong()),
            }
        }
        Ok(told)
    }

    /// A question as it comes to a controller with models: described, with the answer in hand if there is one, and with what was said
    /// beside it.
    pub(crate) fn described(
        question: &Bound<'py, PyAny>,
        hand: Option<&Bound<'py, PyAny>>,
        describe: Option<&Py<PyAny>>,
        group: Option<Bound<'py, PyAny>>,
        numbers: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let described = describe.map(|describe| match hand {
            Some(hand) => describe.bind(question.py()).call1((question, hand)),
            None => describe.bind(question.py()).call1((question,)),
        });
        Ok(Self::of(question, described.transpose()?)?.with(group, numbers))
    }

    /// The same with what was said beside the question.
    fn with(self, group: Option<Bound<'py, PyAny>>, numbers: Option<Bound<'py, PyAny>>) -> Self {
        Self { group: group.or(self.group), numbers: numbers.or(self.numbers), ..self }
    }
}

/// What can be read of requests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reading {
    /// The names of the groups, in the order of their numbers.
    pub(crate) groups: Vec<String>,
    /// The buckets of words, where the first request has a text.
    pub(crate) words: usize,
    /// The bends of the curves of numbers, where there are few of them.
    #[serde(default)]
    pub(crate) knots: usize,
}

/// A request with what a book of it would read if it were the first.
pub(crate) type Read = (Request, Layout);

impl Reading {
    /// Groups by their names, or by their number.
    pub(crate) fn of(groups: Option<&Bound<'_, PyAny>>, words: usize, knots: usize) -> PyResult<Self> {
        Layout { buckets: words, knots, ..Layout::default() }.check().map_err(refuse)?;
        let Some(groups) = groups else { return Ok(Self { groups: Vec::new(), words, knots }) };
        let wrong = || refuse(format!("`groups` is {groups}; pass the names of at most 1000 groups, or their number"));
        let names = if let Ok(count) = groups.extract::<usize>() {
            Self::numbered(count.min(1001))
        } else if groups.is_instance_of::<PyString>() {
            return Err(wrong());
        } else {
            groups.extract::<Vec<String>>().map_err(|_| wrong())?
        };
        let twice = names.iter().enumerate().any(|(place, name)| names[..place].contains(name));
        if names.len() > 1000 || twice {
            return Err(wrong());
        }
        Ok(Self { groups: names, words, knots })
    }

    /// What a book reads where all that is declared is known, but no number.
    pub(crate) fn declared(&self) -> Layout {
        Layout { groups: self.groups.len(), buckets: self.words, ..Layout::default() }
    }

    /// The names of groups that have none.
    pub(crate) fn numbered(count: usize) -> Vec<String> {
        (0..count).map(|number| number.to_string()).collect()
    }

    /// The request. No Python code must run afterwards under a lock, so that all of it is read here.
    pub(crate) fn read(&self, told: &Told<'_>) -> PyResult<Read> {
        let mut request = match &told.text {
            Some(text) => {
                let text = text.cast::<PyString>().map_err(|_| {
                    let what = text.get_type();
                    refuse(format!("`text` is {what}; pass a str, or None where there is no text"))
                })?;
                Request::text(&text.to_cow()?)
            }
            None => Request::default(),
        };
        if let Some(group) = &told.group {
            request = request.in_group(self.group(group)?);
        }
        if let Some(numbers) = &told.numbers {
            request = request.with_numbers(&NUMBERS.reals(numbers)?.numbers);
        }
        let buckets = if told.text.is_some() { self.words } else { 0 };
        let numbers = request.numbers.len();
        let knots = if numbers <= CURVED { self.knots } else { 0 };
        let layout = Layout { groups: self.groups.len(), numbers, knots, buckets };
        Ok((request, layout))
    }

    fn group(&self, group: &Bound<'_, PyAny>) -> PyResult<usize> {
        let known = self.groups.len();
        let place = match group.extract::<usize>() {
            Ok(number) => Some(number).filter(|number| *number < known),
            Err(_) => {
                let name = group.extract::<String>().ok();
                name.and_then(|name| self.groups.iter().position(|group| *group == name))
            }
        };
        place.ok_or_else(|| {
            let known = if known == 0 { "none".to_owned() } else { self.groups.join(", ") };
            refuse(format!(
                "the group {group} is not among those that were declared ({known}); name it in `groups`, or pass None where it is unknown"
            ))
        })
    }
}

/// Refuses a text that a book does not read, because the first request had none.
pub(crate) fn check_text(layout: Layout, first: Layout) -> PyResult<()> {
    if layout.buckets == 0 || first.buckets > 0 {
        return Ok(());
    }
    Err(refuse(
        "this request has a text, but the first one had none, so words are not read; pass a text from the first request on, or never",
    ))
}
