//! The observation and the instruction as ones in a row of zeros, for a learner.
//!
//! | Ones | Of | Meaning |
//! |---|---|---|
//! | 147 | 49 x 17 | per view cell: kind (8), colour (6), state (3) |
//! | 1 | 4 | direction |
//! | 1 | 3 | one part; the first part before, or after, the second |
//! | 4, 7 | 4 x 38 | per clause: verb (4), and per description: kind (5), colour (7), location (5), 0 for any |

use crate::instruction::{Clause, Description, Instruction};
use crate::{Kind, World};

const CELL: usize = 8 + 6 + 3;
const VIEW: usize = 49 * CELL;
const JOINT: usize = VIEW + 4;
const CLAUSES: usize = JOINT + 3;
const DESCRIPTION: usize = 5 + 7 + 5;
const CLAUSE: usize = 4 + 2 * DESCRIPTION;

/// How long the row is.
pub const FEATURES: usize = CLAUSES + 4 * CLAUSE;

impl World {
    /// Writes the places of the ones, in ascending order within each group of the table.
    pub fn active_features(&self, places: &mut Vec<usize>) {
        places.clear();
        let observation = self.observation();
        for (i, &[kind, colour, state]) in observation.image.as_flattened().iter().enumerate() {
            let base = i * CELL;
            places.extend([base + usize::from(kind), base + 8 + usize::from(colour), base + 14 + usize::from(state)]);
        }
        places.push(VIEW + usize::from(observation.direction));
        places.push(match self.instruction() {
            Instruction::Simple(_) => JOINT,
            Instruction::Before(..) => JOINT + 1,
            Instruction::After(..) => JOINT + 2,
        });
        for (i, clause) in self.instruction().clauses().enumerate() {
            let base = CLAUSES + i * CLAUSE;
            let (verb, first, second) = match clause {
                Clause::GoTo(object) => (0, object, None),
                Clause::Open(door, _) => (1, door, None),
                Clause::Pickup(object, _) => (2, object, None),
                Clause::PutNext(moved, fixed) => (3, moved, Some(fixed)),
            };
            places.push(base + verb);
            places.extend(described(first, base + 4));
            places.extend(second.into_iter().flat_map(|fixed| described(fixed, base + 4 + DESCRIPTION)));
        }
    }
}

fn described(description: &Description, base: usize) -> [usize; 3] {
    let kind = match description.kind {
        None | Some(Kind::Wall) => 0,
        Some(kind) => kind as usize - Kind::Door as usize + 1,
    };
    let colour = description.colour.map_or(0, |colour| 1 + colour as usize);
    let location = description.location.map_or(0, |location| 1 + location as usize);
    [base + kind, base + 5 + colour, base + 12 + location]
}
