//! Where something lies in the agent's view.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::Error;

/// A cell of the view other than the agent's own, in steps from the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Steps")]
pub struct Place {
    ahead: u8,
    aside: i8,
}

/// A place as it is written down, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Steps {
    ahead: u8,
    aside: i8,
}

impl TryFrom<Steps> for Place {
    type Error = Error;

    fn try_from(Steps { ahead, aside }: Steps) -> Result<Self, Error> {
        Self::new(ahead, aside).ok_or(Error::Place { ahead, aside })
    }
}

impl Place {
    /// How far ahead the view reaches.
    pub const FARTHEST_AHEAD: u8 = 6;
    /// How far to each side the view reaches.
    pub const FARTHEST_ASIDE: i8 = 3;

    /// So many steps ahead, and to the right; to the left if `aside` is negative. None outside of the view and for the
    /// agent's own cell.
    pub fn new(ahead: u8, aside: i8) -> Option<Self> {
        let within = ahead <= Self::FARTHEST_AHEAD && aside.unsigned_abs() <= Self::FARTHEST_ASIDE.unsigned_abs();
        (within && (ahead, aside) != (0, 0)).then_some(Self { ahead, aside })
    }

    /// The steps ahead.
    pub fn ahead(self) -> u8 {
        self.ahead
    }

    /// The steps to the right; negative to the left.
    pub fn aside(self) -> i8 {
        self.aside
    }

    /// Every place, nearest first by steps; of equally near ones the one further ahead first, then the left one.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
    }
}

static ALL: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let asides = -Place::FARTHEST_ASIDE..=Place::FARTHEST_ASIDE;
    let cells = (0..=Place::FARTHEST_AHEAD).flat_map(|ahead| asides.clone().map(move |aside| (ahead, aside)));
    let mut places: Vec<Place> = cells.filter_map(|(ahead, aside)| Place::new(ahead, aside)).collect();
    places.sort_by_key(|place| {
        (place.ahead + place.aside.unsigned_abs(), Place::FARTHEST_AHEAD - place.ahead, place.aside)
    });
    places
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VIEW;

    #[test]
    fn the_places_are_the_view_without_the_agent() {
        assert_eq!(usize::from(Place::FARTHEST_AHEAD) + 1, VIEW);
        assert_eq!(2 * usize::from(Place::FARTHEST_ASIDE.unsigned_abs()) + 1, VIEW);
        let places: Vec<Place> = Place::all().collect();
        assert_eq!(places.len(), VIEW * VIEW - 1);
        let first: Vec<(u8, i8)> = places.iter().take(5).map(|place| (place.ahead(), place.aside())).collect();
        assert_eq!(first, [(1, 0), (0, -1), (0, 1), (2, 0), (1, -1)]);
        assert_eq!([Place::new(0, 0), Place::new(7, 0), Place::new(1, -4), Place::new(1, i8::MIN)], [None; 4]);
    }
}
