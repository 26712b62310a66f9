//! A moment as a person is shown it: the grid with the window marked, and the window itself.

use counsel_world::{Hue, Sight, Tile};

use crate::{Look, State};

impl State {
    /// What a person is shown now.
    pub fn sight(&self) -> Sight {
        let (size, (column, row)) = (self.spec().size, self.place());
        let reach = self.spec().window / 2;
        let cell = |x: usize, y: usize| {
            let shown =
                if (x, y) == (column, row) { AGENT } else { tile(self.grid().look(x.cast_signed(), y.cast_signed())) };
            Tile { is_seen: x.abs_diff(column) <= reach && y.abs_diff(row) <= reach, ..shown }
        };
        let seen = self.observation();
        let middle = seen.looks().len() / 2;
        let window: Vec<Tile> =
            seen.looks().iter().enumerate().map(|(at, &look)| if at == middle { AGENT } else { tile(look) }).collect();
        Sight {
            world: (0..size).map(|y| (0..size).map(|x| cell(x, y)).collect()).collect(),
            view: window.chunks(seen.window().max(1)).map(<[Tile]>::to_vec).collect(),
            words: format!("go to the goal (step {} of {})", self.steps(), self.spec().horizon),
            ..Sight::default()
        }
    }
}

const AGENT: Tile = Tile { mark: 'A', hue: Hue::Red, is_seen: true };

fn tile(look: Look) -> Tile {
    match look {
        Look::Free => Tile::new(' ', Hue::Plain),
        Look::Wall => Tile::new('#', Hue::Grey),
        Look::Goal => Tile::new('G', Hue::Green),
        Look::Outside => Tile::new('?', Hue::Plain),
    }
}
