//! How many out of how many.

/// How many out of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// Those that did.
    pub hits: usize,
    /// All of them.
    pub total: usize,
}

impl Share {
    /// Counts one more.
    pub(crate) fn count(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.total += 1;
    }

    /// The two together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { hits: self.hits + other.hits, total: self.total + other.total }
    }

    /// The share as a number; none of nothing.
    pub fn rate(self) -> Option<f64> {
        (self.total > 0).then(|| self.hits as f64 / self.total as f64)
    }
}
