//! The observation as ones in a row of zeros, for a learner.
//!
//! | Ones | Of | Meaning |
//! |---|---|---|
//! | 63 | 63 x 20 | per cell that is seen: outside, 12 materials, 6 beings, a ripe plant |
//! | 16 | 16 x 10 | per item, the four needs first: from 0 to 9 of it |
//! | 1 | 4 | where the player looks |
//! | 1 | 2 | awake, asleep |
//! | 1 | 2 | day, night |
//! | 0 to 22 | 22 | per achievement: whether the episode has it |

use crate::observation::SEEN;
use crate::{Achievement, Item, MOST, Observation, Sight};

const AMOUNTS: usize = MOST as usize + 1;
const ITEMS: usize = SEEN * Sight::COUNT;
const FACING: usize = ITEMS + Item::ALL.len() * AMOUNTS;
const SLEEP: usize = FACING + 4;
const LIGHT: usize = SLEEP + 2;
const ACHIEVED: usize = LIGHT + 2;

/// How long the row is.
pub const FEATURES: usize = ACHIEVED + Achievement::ALL.len();

impl Observation {
    /// Writes the places of the ones, in ascending order.
    pub fn active_features(&self, places: &mut Vec<usize>) {
        places.clear();
        let sights = self.sights().iter().enumerate();
        places.extend(sights.map(|(cell, sight)| cell * Sight::COUNT + usize::from(sight.number())));
        let items = self.inventory.iter();
        places.extend(items.map(|(item, amount)| ITEMS + item as usize * AMOUNTS + usize::from(amount.min(MOST))));
        places.push(FACING + self.facing as usize);
        places.push(SLEEP + usize::from(self.is_asleep));
        places.push(LIGHT + usize::from(self.is_dark));
        let achieved = Achievement::ALL.into_iter().filter(|&achievement| self.has_achieved(achievement));
        places.extend(achieved.map(|achievement| ACHIEVED + achievement as usize));
    }
}
