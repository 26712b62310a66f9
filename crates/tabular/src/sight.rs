//! A moment as a person is shown it: the states in a row, with the agent in one of them.

use counsel_world::{Hue, Sight, Tile};

use crate::{Dynamics, LatentWorld, TabularWorld};

impl TabularWorld {
    /// What a person is shown now.
    pub fn sight(&self) -> Sight {
        let mdp = self.mdp();
        let state =
            |state: usize| if mdp.is_final(state) { Tile::new('E', Hue::Green) } else { Tile::new(' ', Hue::Plain) };
        let words = format!("state {} of {} (step {} of {})", self.state(), mdp.states(), self.stage(), mdp.horizon());
        Sight { world: vec![row(mdp.states(), self.state(), state)], words, ..Sight::default() }
    }
}

impl LatentWorld {
    /// What a person is shown now; the hidden task is not.
    pub fn sight(&self) -> Sight {
        let words = format!("a hidden task, step {} of {}", self.stage(), self.length());
        let world = vec![row(self.length(), self.stage(), |_| Tile::new(' ', Hue::Plain))];
        Sight { world, words, ..Sight::default() }
    }
}

fn row(count: usize, own: usize, tile: impl Fn(usize) -> Tile) -> Vec<Tile> {
    (0..count)
        .map(|at| if at == own { Tile::new('A', Hue::Red) } else { Tile { is_seen: false, ..tile(at) } })
        .collect()
}
