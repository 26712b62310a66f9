//! Numbers on the command line that take threads or memory: within bounds, and refused with them otherwise.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

/// More threads than any machine of today has cores help nobody, and each takes memory.
const THREADS: RangeInclusive<usize> = 1..=512;
/// More moments or questions tell nothing more, and take days.
const MANY: RangeInclusive<usize> = 1..=1_000_000;

/// A number of threads as it is written.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    within(text, "threads", &THREADS)
}

/// A number of moments or questions as it is written.
pub(crate) fn many(text: &str) -> Result<NonZeroUsize, String> {
    within(text, "them", &MANY)
}

/// A range of episodes as it is written, both ends included.
pub(crate) fn episodes(text: &str) -> Result<RangeInclusive<u64>, String> {
    let ends = text.split_once("..").and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)));
    let range = ends.map(|(from, to): (u64, u64)| from..=to).filter(|range| !range.is_empty());
    range.ok_or_else(|| "pass the first and the last episode, as in 0..4".to_owned())
}

fn within(text: &str, what: &str, range: &RangeInclusive<usize>) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number| range.contains(number)).and_then(NonZeroUsize::new);
    number.ok_or_else(|| format!("pass a number of {what} from {} to {}", range.start(), range.end()))
}
