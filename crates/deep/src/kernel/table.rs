//! Numbers that begin at a cache line, so that no vector of them lies across two.
//!
//! Where they lie changes nothing but the time it takes to read them.

use std::ops::{Deref, DerefMut};

/// The size of a cache line, in bytes.
const LINE: usize = 64;

/// A list of numbers that begins at a cache line.
#[derive(Default)]
pub(crate) struct Table {
    store: Vec<f32>,
    from: usize,
    len: usize,
}

impl Table {
    pub(crate) fn zeros(len: usize) -> Self {
        let store = vec![0.0_f32; len + LINE / size_of::<f32>()];
        let from = store.as_ptr().align_offset(LINE).min(LINE / size_of::<f32>());
        Self { store, from, len }
    }

    /// Makes it this long. What it held is lost when it grows.
    pub(crate) fn set_len(&mut self, len: usize) {
        if self.from + len > self.store.len() {
            *self = Self::zeros(len);
        }
        self.len = len;
    }
}

impl Deref for Table {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.store[self.from..self.from + self.len]
    }
}

impl DerefMut for Table {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.store[self.from..self.from + self.len]
    }
}

impl Clone for Table {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl FromIterator<f32> for Table {
    fn from_iter<I: IntoIterator<Item = f32>>(numbers: I) -> Self {
        let numbers: Vec<f32> = numbers.into_iter().collect();
        let mut table = Self::zeros(numbers.len());
        table.copy_from_slice(&numbers);
        table
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_begin_at_a_cache_line_and_keep_their_numbers() {
        for len in [0, 1, 16, 1_000] {
            let table: Table = (0_u16..len).map(f32::from).collect();
            let copy = table.clone();
            assert_eq!(table, copy);
            assert!([&table, &copy].iter().all(|table| table.as_ptr().align_offset(LINE) == 0));
            assert_eq!(copy.len(), usize::from(len));
        }
        let mut table: Table = [1.0, 2.0].into_iter().collect();
        table.set_len(1);
        assert_eq!(*table, [1.0]);
        table.set_len(100);
        assert_eq!((table.len(), table.as_ptr().align_offset(LINE)), (100, 0));
    }
}
