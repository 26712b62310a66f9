//! What is known of a request before anybody is paid, as a sparse vector: a constant, the group, numbers, their curves, hashed words.
//!
//! φ = [1 | one-hot group | numbers | hats of each number | ln(1 + count) of each bucket, divided by the Euclidean length]. A hat is
//! max(0, 1 - |x - knot| / gap), with knots evenly from 0 to 1: beside the number itself, hats make a line with a bend at every knot.
//! Places ascend, so the entries of the first blocks are a prefix.

use counsel_decision::refusal::{Refusal, in_range};
use serde::{Deserialize, Serialize};

use super::words::counted_words;
use crate::Error;
use crate::error::is_sane;

/// What is known of a request.
///
/// ```
/// use counsel_controller::route::{Layout, Request};
///
/// let layout = Layout { groups: 2, buckets: 512, ..Layout::default() };
/// let vector = layout.encode(&Request::text("What is 2 + 2?").in_group(1))?;
/// assert_eq!(vector.places()[..2], [0, 2]);
/// # Ok::<(), counsel_controller::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Request {
    /// The number of its group; none where it is unknown.
    pub group: Option<usize>,
    /// Numbers, on the scale of one.
    pub numbers: Vec<f64>,
    /// The words: buckets of a large table with their counts.
    pub words: Vec<(u32, u32)>,
}

/// The buckets into which [`Request::text`] hashes. A layout with fewer folds them.
const BUCKETS: u32 = 4096;

impl Request {
    /// A request of which the text is known.
    pub fn text(text: &str) -> Self {
        Self { words: counted_words(text, BUCKETS), ..Self::default() }
    }

    /// The same request, known to be of this group.
    #[must_use]
    pub fn in_group(self, group: usize) -> Self {
        Self { group: Some(group), ..self }
    }

    /// The same request with numbers.
    #[must_use]
    pub fn with_numbers(self, numbers: &[f64]) -> Self {
        Self { numbers: numbers.to_vec(), ..self }
    }
}

/// How a request becomes a vector.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `groups` | 0 | the number of groups; 0: no group is known |
/// | `numbers` | 0 | the number of numbers |
/// | `knots` | 0 | the bends of the curve of a number, 2 to 64; 0: a number counts as a straight line |
/// | `buckets` | 0 | a power of two, at most 4096; 0: words are not read |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Layout {
    /// Groups.
    pub groups: usize,
    /// Numbers.
    pub numbers: usize,
    /// The bends of their curves.
    #[serde(skip_serializing_if = "is_none")]
    pub knots: usize,
    /// Buckets of words.
    pub buckets: usize,
}

impl Layout {
    /// Refuses a layout that cannot be encoded.
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { groups, numbers, knots, buckets } = *self;
        let fits = buckets == 0 || (buckets.is_power_of_two() && buckets <= BUCKETS as usize);
        in_range(fits, "buckets", buckets as f64, "powers of two up to 4096, or 0", "512 is a good choice")?;
        let remedy = "name at most a thousand groups and numbers";
        in_range(groups <= 1000, "groups", groups as f64, "[0, 1000]", remedy)?;
        in_range(numbers <= 1000, "numbers", numbers as f64, "[0, 1000]", remedy)?;
        let fits = knots == 0 || (2..=64).contains(&knots);
        in_range(fits, "knots", knots as f64, "[2, 64], or 0", "4 is a good choice; 0 makes lines")
    }

    /// The length of the vectors.
    pub fn size(&self) -> usize {
        self.lines() + self.numbers * self.knots + self.buckets
    }

    /// The length of the blocks before curves and words.
    pub(super) fn lines(&self) -> usize {
        1 + self.groups + self.numbers
    }

    /// The vector of a request. A group past the last is unknown: only the level, numbers and words speak for it.
    pub fn encode(&self, request: &Request) -> Result<Sparse, Error> {
        if request.numbers.len() != self.numbers {
            return Err(Error::Features { got: request.numbers.len(), expected: self.numbers });
        }
        if let Some(place) = request.numbers.iter().position(|number| !is_sane(*number)) {
            return Err(Error::Feature { place, value: request.numbers[place] });
        }
        let mut sparse = Sparse { places: vec![0], values: vec![1.0] };
        if let Some(group) = request.group.filter(|group| *group < self.groups) {
            sparse.push(1 + group, 1.0);
        }
        let numbers = 1 + self.groups;
        for (place, number) in request.numbers.iter().enumerate().filter(|(_, number)| **number != 0.0) {
            sparse.push(numbers + place, *number);
        }
        for (place, number) in request.numbers.iter().enumerate().filter(|_| self.knots > 0) {
            self.add_hats(*number, self.lines() + place * self.knots, &mut sparse);
        }
        if self.buckets > 0 {
            self.add_words(&request.words, self.lines() + self.numbers * self.knots, &mut sparse);
        }
        Ok(sparse)
    }

    /// The two hats that a number is under. Past the ends the curve goes on as the line alone.
    fn add_hats(&self, number: f64, from: usize, sparse: &mut Sparse) {
        let along = number.clamp(0.0, 1.0) * (self.knots - 1) as f64;
        let left = (0..self.knots - 1).rev().find(|knot| along >= *knot as f64).unwrap_or(0);
        let share = along - left as f64;
        for (place, height) in [(left, 1.0 - share), (left + 1, share)].into_iter().filter(|(_, height)| *height > 0.0)
        {
            sparse.push(from + place, height);
        }
    }

    fn add_words(&self, words: &[(u32, u32)], from: usize, sparse: &mut Sparse) {
        let mut folded: Vec<(usize, u32)> =
            words.iter().map(|(bucket, count)| (*bucket as usize % self.buckets, *count)).collect();
        folded.sort_unstable();
        let start = sparse.values.len();
        for bucket in folded.chunk_by(|one, next| one.0 == next.0) {
            let count: f64 = bucket.iter().map(|(_, count)| f64::from(*count)).sum();
            sparse.push(from + bucket[0].0, count.ln_1p());
        }
        let length = sparse.values[start..].iter().map(|value| value * value).sum::<f64>().sqrt().max(1e-12);
        sparse.values[start..].iter_mut().for_each(|value| *value /= length);
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over by reference")]
fn is_none(knots: &usize) -> bool {
    *knots == 0
}

/// A vector of which most entries are zero. The first entry is the constant.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Sparse {
    places: Vec<u32>,
    values: Vec<f64>,
}

impl Sparse {
    fn push(&mut self, place: usize, value: f64) {
        // A layout has fewer places than 32 bits can name.
        self.places.push(u32::try_from(place).unwrap_or(u32::MAX));
        self.values.push(value);
    }

    /// Where its entries are, ascending.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// Its entries.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Its entries in the first places, each with its place.
    pub(super) fn up_to(&self, size: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let entries = self.places.partition_point(|place| (*place as usize) < size);
        self.places[..entries].iter().map(|place| *place as usize).zip(self.values[..entries].iter().copied())
    }
}
