//! What every crate refuses in the same words: a number out of range, a table of the wrong size, too few of something,
//! an index past the end.
//!
//! Invariant: a message names what was handed in, the offending value, what is allowed, and the remedy.

/// An input that cannot be used, whichever crate it was handed to.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// A number outside its range.
    #[error("{what} is {value}, which is outside {range}; {remedy}")]
    Range {
        /// What was handed in.
        what: &'static str,
        /// The number.
        value: f64,
        /// The allowed range, in words.
        range: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A table or list of the wrong size.
    #[error("{what} has {got} entries where {expected} are needed; pass one entry per {per}")]
    Shape {
        /// What was handed in.
        what: &'static str,
        /// How many entries it has.
        got: usize,
        /// How many are needed.
        expected: usize,
        /// What each entry stands for.
        per: &'static str,
    },
    /// A count that is too small.
    #[error("{what} is {got}, but at least {least} is needed; {remedy}")]
    TooFew {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        got: usize,
        /// How many are needed.
        least: usize,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A table that is larger than any sensible one.
    #[error("{what} would have {size:e} entries, but at most {most:e} are allowed; {remedy}")]
    TooLarge {
        /// What would have been made.
        what: &'static str,
        /// How many entries it would have.
        size: f64,
        /// How many are allowed.
        most: f64,
        /// What to do about it.
        remedy: &'static str,
    },
    /// An index past the end.
    #[error("{what} is {index}, but there are only {count}; pass an index below {count}")]
    NoSuch {
        /// What the index was meant for.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
}

/// Refuses a number outside `range`; `ok` says whether it is inside.
pub fn in_range(
    ok: bool,
    what: &'static str,
    value: f64,
    range: &'static str,
    remedy: &'static str,
) -> Result<(), Refusal> {
    if ok { Ok(()) } else { Err(Refusal::Range { what, value, range, remedy }) }
}

/// Refuses anything but a probability.
pub fn probability(what: &'static str, value: f64) -> Result<(), Refusal> {
    in_range((0.0..=1.0).contains(&value), what, value, "[0, 1]", "pass a probability")
}

/// Refuses a table or list of the wrong size.
pub fn shape(what: &'static str, got: usize, expected: usize, per: &'static str) -> Result<(), Refusal> {
    if got == expected { Ok(()) } else { Err(Refusal::Shape { what, got, expected, per }) }
}

/// Refuses a count below `least`.
pub fn at_least(what: &'static str, got: usize, least: usize, remedy: &'static str) -> Result<(), Refusal> {
    if got >= least { Ok(()) } else { Err(Refusal::TooFew { what, got, least, remedy }) }
}

/// Refuses a table with more than ten million entries before any memory is taken for it; its size is the product of
/// `factors`.
pub fn fits(what: &'static str, factors: &[usize], remedy: &'static str) -> Result<(), Refusal> {
    fits_in(1e7, what, factors, remedy)
}

/// Refuses more decisions than are kept in memory until they are written: a million. One takes about two kilobytes.
pub fn decisions_fit(factors: &[usize], remedy: &'static str) -> Result<(), Refusal> {
    fits_in(1e6, "a cell", factors, remedy)
}

fn fits_in(most: f64, what: &'static str, factors: &[usize], remedy: &'static str) -> Result<(), Refusal> {
    let size = factors.iter().map(|&factor| factor as f64).product::<f64>();
    if size <= most { Ok(()) } else { Err(Refusal::TooLarge { what, size, most, remedy }) }
}

/// Refuses an index past the end.
pub fn below(what: &'static str, index: usize, count: usize) -> Result<(), Refusal> {
    if index < count { Ok(()) } else { Err(Refusal::NoSuch { what, index, count }) }
}

/// ` (did you mean `x`?)` for the nearest of the known names, or nothing where none is near.
///
/// Nearness is the Damerau-Levenshtein distance without regard to case, at most half the length of the known name (and
/// one letter for the shortest names). Among equally near names the first in the alphabet is taken, so that a message
/// does not depend on the order in which names are listed.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, &candidate.to_lowercase()), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(3) / 2)
        .map_or_else(String::new, |(_, candidate)| format!(" (did you mean `{candidate}`?)"))
}

/// A name that is none of the known ones, shown with the hint of [`nearest`]. The error that holds it says what was meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}`{nearest}")]
pub struct UnknownName {
    /// What was asked for.
    pub name: String,
    /// A hint with the nearest name, or nothing.
    pub nearest: String,
    /// All known names.
    pub known: Vec<String>,
}

impl UnknownName {
    /// A name that is none of these.
    pub fn among<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        Self { name: name.to_owned(), nearest: nearest(name, known.iter().map(String::as_str)), known }
    }
}

/// What has this name; of several, the first.
///
/// ```
/// use counsel_decision::refusal::find_named;
///
/// let levels = [("easy", 1), ("hard", 2)];
/// assert_eq!(find_named("hard", levels), Ok(2));
/// assert_eq!(find_named("hrad", levels).unwrap_err().to_string(), "`hrad` (did you mean `hard`?)");
/// ```
pub fn find_named<'a, T>(name: &str, all: impl IntoIterator<Item = (&'a str, T)>) -> Result<T, UnknownName> {
    let mut known = Vec::new();
    for (other, found) in all {
        if other == name {
            return Ok(found);
        }
        known.push(other);
    }
    Err(UnknownName::among(name, known))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_offered_whatever_its_case() {
        let known = ["never", "always", "GoToObj"];
        assert_eq!(nearest("nevr", known), " (did you mean `never`?)");
        assert_eq!(nearest("gotoobj", known), " (did you mean `GoToObj`?)");
        assert_eq!(nearest("alwyas", known), " (did you mean `always`?)");
    }

    #[test]
    fn a_name_unlike_all_others_gets_no_hint() {
        assert_eq!(nearest("banana", ["never", "ask"]), "");
        assert_eq!(nearest("never", []), "");
    }

    #[test]
    fn equally_near_names_are_settled_by_the_alphabet() {
        assert_eq!(nearest("k00", ["k005", "k002"]), " (did you mean `k002`?)");
    }
}
