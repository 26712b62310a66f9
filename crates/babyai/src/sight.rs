//! A moment as a person is shown it: the whole grid with what the agent sees of it, and the agent's own view.

use counsel_world::{Hue, Sight, Tile};

use crate::observation::view_looks;
use crate::view::{OWN, VIEW, view_cell};
use crate::{Colour, Kind, Latch, Look, World};

const AGENT: [char; 4] = ['>', 'v', '<', '^'];

impl World {
    /// What a person is shown now.
    pub fn sight(&self) -> Sight {
        let state = self.state();
        let looks = view_looks(state);
        let own = usize::from(state.grid.cell(state.agent));
        let width = usize::from(state.grid.width);
        let tile = |cell: usize, object| {
            let place = (cell % width, cell / width);
            let is_seen = view_cell(state.agent, state.direction, place).is_some_and(|at| looks[at] != Look::UNSEEN);
            let shown = if cell == own { agent(state.direction) } else { tile(state.grid.look(object)) };
            Tile { is_seen: is_seen || cell == own, ..shown }
        };
        let cells: Vec<Tile> = state.grid.cells.iter().enumerate().map(|(cell, &object)| tile(cell, object)).collect();
        let view = |vx: usize, vy: usize| match 7 * vx + vy {
            OWN => agent(3),
            cell => self::tile(looks[cell]),
        };
        let carried = self.carried_text().map_or_else(String::new, |carried| format!("\nit carries a {carried}"));
        Sight {
            world: cells.chunks(width).map(<[Tile]>::to_vec).collect(),
            view: (0..VIEW).map(|vy| (0..VIEW).map(|vx| view(vx, vy)).collect()).collect(),
            words: format!("{} (step {} of {}){carried}", self.mission(), state.steps(), self.max_steps()),
            ..Sight::default()
        }
    }
}

fn agent(direction: u8) -> Tile {
    Tile::new(AGENT[usize::from(direction & 3)], Hue::Red)
}

fn tile(look: Look) -> Tile {
    let mark = match (look.kind(), look.latch()) {
        (None, _) if look == Look::EMPTY => return Tile::new(' ', Hue::Plain),
        (None, _) => return Tile { is_seen: false, ..Tile::new('?', Hue::Plain) },
        (_, Some(Latch::Open)) => '_',
        (_, Some(Latch::Closed)) => 'D',
        (_, Some(Latch::Locked)) => 'L',
        (Some(Kind::Wall), _) => '#',
        (Some(Kind::Key), _) => 'K',
        (Some(Kind::Ball), _) => 'O',
        (Some(Kind::Box | Kind::Door), _) => 'B',
    };
    let hue = match look.colour() {
        Colour::Red => Hue::Red,
        Colour::Green => Hue::Green,
        Colour::Blue => Hue::Blue,
        Colour::Purple => Hue::Purple,
        Colour::Yellow => Hue::Yellow,
        Colour::Grey => Hue::Grey,
    };
    Tile::new(mark, hue)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cell of the grid that is marked as seen holds what the view shows there.
    #[test]
    fn what_is_marked_as_seen_is_what_the_view_shows() {
        let mut world = World::new("BabyAI-GoToObjMaze-v0").unwrap();
        let mut random = crate::random::Generator::new(5);
        let mut seen = 0;
        for seed in 0..20 {
            world.reset(Some(seed));
            for _ in 0..30 {
                world.step(crate::Act::try_from(random.below(3) as usize).unwrap());
                let (sight, state) = (world.sight(), world.state());
                for (y, row) in sight.world.iter().enumerate() {
                    for (x, tile) in row.iter().enumerate() {
                        let Some(at) = view_cell(state.agent, state.direction, (x, y)) else {
                            assert!(!tile.is_seen);
                            continue;
                        };
                        let viewed = sight.view[at % VIEW][at / VIEW];
                        assert_eq!(tile.is_seen, viewed.is_seen);
                        if tile.is_seen && at != OWN {
                            assert_eq!((tile.mark, tile.hue), (viewed.mark, viewed.hue));
                            seen += 1;
                        }
                    }
                }
            }
        }
        assert!(seen > 5_000, "{seen}");
    }
}
