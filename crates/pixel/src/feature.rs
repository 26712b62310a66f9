//! The window as ones in a row of zeros, for a learner.
//!
//! | Ones | Of | Meaning |
//! |---|---|---|
//! | window² | 4 window² | per cell of the window: free, wall, goal, outside |
//! | 1 | 9 | the goal's direction: the eight winds row by row, or in their middle "not in the window" |

use crate::{Look, PixelSpec, State};

/// The directions the goal can lie in, the lack of one included.
const DIRECTIONS: usize = 9;

impl PixelSpec {
    /// How long the row is.
    pub fn feature_count(&self) -> usize {
        self.window * self.window * Look::COUNT + DIRECTIONS
    }
}

impl State {
    /// Writes the places of the ones, in ascending order.
    pub fn active_features(&self, places: &mut Vec<usize>) {
        places.clear();
        let window = self.spec().window;
        let middle = window / 2;
        let mut direction = DIRECTIONS / 2;
        for (cell, look) in self.looks().enumerate() {
            places.push(cell * Look::COUNT + look as usize);
            if look == Look::Goal {
                direction = 3 * side(cell / window, middle) + side(cell % window, middle);
            }
        }
        places.push(window * window * Look::COUNT + direction);
    }
}

/// 0 before the middle, 1 in it, 2 after it.
fn side(place: usize, middle: usize) -> usize {
    match place.cmp(&middle) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    }
}
