//! The grid and the view as text, two characters per cell.
//!
//! `WG` wall, `D` closed door, `L` locked door, `__` open door, `K` key, `A` ball, `B` box, each with the initial of its
//! colour; the agent is `>>`, `VV`, `<<` or `^^`. Invariant: the grid reads as the original's `pprint_grid`.

use crate::observation::view_looks;
use crate::view::{OWN, VIEW};
use crate::{Kind, Latch, Look, World};

const AGENT: [&str; 4] = [">>", "VV", "<<", "^^"];

impl World {
    /// The whole grid, row by row.
    pub fn grid_text(&self) -> String {
        let state = self.state();
        let own = usize::from(state.grid.cell(state.agent));
        let mut text = String::new();
        for (cell, &object) in state.grid.cells.iter().enumerate() {
            if cell > 0 && cell % usize::from(state.grid.width) == 0 {
                text.push('\n');
            }
            if cell == own {
                text.push_str(AGENT[usize::from(state.direction & 3)]);
            } else {
                push(&mut text, state.grid.look(object));
            }
        }
        text
    }

    /// The agent's view, row by row, with the agent at the bottom looking up and `??` for what it does not see.
    pub fn view_text(&self) -> String {
        let looks = view_looks(self.state());
        let mut text = String::new();
        for vy in 0..VIEW {
            if vy > 0 {
                text.push('\n');
            }
            for vx in 0..VIEW {
                match 7 * vx + vy {
                    OWN => text.push_str(AGENT[3]),
                    cell => push(&mut text, looks[cell]),
                }
            }
        }
        text
    }

    /// What the agent carries, in words.
    pub fn carried_text(&self) -> Option<String> {
        let look = self.state().grid.look(self.state().hand);
        look.kind().map(|kind| format!("{} {}", look.colour().name(), kind.name()))
    }
}

fn push(text: &mut String, look: Look) {
    let letter = match (look.kind(), look.latch()) {
        (None, _) => return text.push_str(if look == Look::EMPTY { "  " } else { "??" }),
        (_, Some(Latch::Open)) => return text.push_str("__"),
        (_, Some(Latch::Closed)) => 'D',
        (_, Some(Latch::Locked)) => 'L',
        (Some(Kind::Wall), _) => 'W',
        (Some(Kind::Key), _) => 'K',
        (Some(Kind::Ball), _) => 'A',
        (Some(Kind::Box | Kind::Door), _) => 'B',
    };
    text.push(letter);
    text.push(look.colour().initial());
}
