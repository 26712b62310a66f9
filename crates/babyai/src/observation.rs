//! What an agent is given after every step: an image of 7 x 7 x 3 numbers, its direction, and the mission.

use crate::Look;
use crate::state::State;
use crate::view::{self, CELLS, OWN, VIEW};

/// The image: kind, colour and state of view cell (vx, vy), at `image[vx][vy]`. The agent stands at (3, 6) and looks
/// towards vy = 0; in its own cell is what it carries.
pub type Image = [[[u8; 3]; VIEW]; VIEW];

/// What the agent sees and knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Observation {
    /// What it sees.
    pub image: Image,
    /// Where it looks: 0 right, 1 down, 2 left, 3 up.
    pub direction: u8,
}

impl Observation {
    /// The image as one row of 147 bytes.
    pub fn bytes(&self) -> &[u8] {
        self.image.as_flattened().as_flattened()
    }
}

impl State {
    /// What the agent sees.
    pub fn observation(&self) -> Observation {
        observe(self)
    }
}

/// What is before the agent, and which cells of it the agent sees, one bit each. Its own cell is always seen.
fn seen(state: &State) -> ([Look; CELLS], u64) {
    let (before, own) = match state.not_yet_in_hand() {
        None => (view::before_agent(&state.grid, state.agent, state.direction), state.grid.look(state.hand)),
        Some((cell, object)) => {
            // The first look at a level where the agent starts with something in its hand shows it still lying there.
            let mut grid = state.grid.clone();
            grid.put(cell, object);
            (view::before_agent(&grid, state.agent, state.direction), Look::EMPTY)
        }
    };
    let mut looks = before.looks;
    looks[OWN] = own;
    (looks, view::lit(before.clear))
}

/// The looks of the view, [`Look::UNSEEN`] where the agent does not see.
pub(crate) fn view_looks(state: &State) -> [Look; CELLS] {
    let (looks, lit) = seen(state);
    std::array::from_fn(|i| if lit >> i & 1 == 1 { looks[i] } else { Look::UNSEEN })
}

/// Looks around.
pub(crate) fn observe(state: &State) -> Observation {
    let (looks, mut lit) = seen(state);
    let mut image = Image::default();
    let pixels = image.as_flattened_mut();
    while lit != 0 {
        let i = lit.trailing_zeros() as usize;
        pixels[i] = looks[i].channels();
        lit &= lit - 1;
    }
    Observation { image, direction: state.direction }
}
