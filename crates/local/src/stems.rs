//! What was read of the beginnings that prompts share, kept for the next prompt.

use std::sync::Arc;

use crate::memory::Memory;

/// So many stems are kept; an advisor uses one, its variants a few more.
const KEPT: usize = 16;

/// So many contexts are kept at most, counted in tokens.
pub(crate) const CONTEXTS: usize = 2;

/// The stems that were used last, the latest first.
#[derive(Debug, Default)]
pub(crate) struct Stems {
    kept: Vec<(Vec<u32>, Arc<Memory>)>,
}

impl Stems {
    /// The memory of a stem: kept, or made now.
    pub(crate) fn get<E>(
        &mut self,
        tokens: &[u32],
        context: usize,
        make: impl FnOnce() -> Result<Memory, E>,
    ) -> Result<Arc<Memory>, E> {
        let found = self.kept.iter().position(|(kept, _)| kept == tokens);
        let entry = match found {
            Some(at) => self.kept.remove(at),
            None => (tokens.to_vec(), Arc::new(make()?)),
        };
        let memory = Arc::clone(&entry.1);
        self.kept.insert(0, entry);
        self.kept.truncate(KEPT);
        let mut kept = 0;
        self.kept.retain(|(tokens, _)| {
            kept += tokens.len();
            kept <= CONTEXTS * context
        });
        Ok(memory)
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stem_that_was_used_longest_ago_goes_first() {
        let mut stems = Stems::default();
        let mut made = 0;
        let mut get = |token| {
            let memory = || {
                made += 1;
                Ok::<_, ()>(Memory::empty(1, 1))
            };
            stems.get(&[token], 100, memory).unwrap();
            made
        };
        let kept = u32::try_from(KEPT).unwrap();
        for token in 0..kept {
            get(token);
        }
        assert_eq!(get(0), KEPT);
        assert_eq!(get(kept), KEPT + 1);
        assert_eq!(get(0), KEPT + 1);
        assert_eq!(get(1), KEPT + 2);
        let mut stems = Stems::default();
        for token in 0..kept {
            stems.get(&[token; 3], 5, || Ok::<_, ()>(Memory::empty(1, 1))).unwrap();
        }
        assert_eq!(stems.kept.len(), 3);
    }
}
