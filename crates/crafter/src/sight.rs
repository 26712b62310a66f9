//! A moment as a person is shown it: what the player sees, its needs, and what it carries. The whole area is not drawn: it has
//! 4,096 cells, of which 63 are seen.

use counsel_world::{Hue, Sight, Tile};

use crate::{Being, COLUMNS, Material, ROWS, State};

impl State {
    /// What a person is shown now.
    pub fn sight(&self) -> Sight {
        let tile = |column, row| {
            let Some(place) = self.seen(column, row) else { return Tile::new('?', Hue::Black) };
            self.object(place).map_or_else(|| ground(self.material(place)), |object| being(object.being))
        };
        let told = self.text();
        let words: Vec<&str> = told.lines().filter(|line| !line.starts_with("  ")).collect();
        Sight {
            world: Vec::new(),
            view: (0..ROWS).map(|row| (0..COLUMNS).map(|column| tile(column, row)).collect()).collect(),
            words: words.join("\n"),
            ..Sight::default()
        }
    }
}

fn ground(material: Material) -> Tile {
    let (mark, hue) = match material {
        Material::Water => ('~', Hue::Blue),
        Material::Grass => (' ', Hue::Green),
        Material::Stone => ('#', Hue::Grey),
        Material::Path => (' ', Hue::Plain),
        Material::Sand => (' ', Hue::Yellow),
        Material::Tree => ('T', Hue::Green),
        Material::Lava => ('!', Hue::Red),
        Material::Coal => ('c', Hue::Grey),
        Material::Iron => ('i', Hue::Grey),
        Material::Diamond => ('d', Hue::Grey),
        Material::Table => ('t', Hue::Brown),
        Material::Furnace => ('f', Hue::Grey),
    };
    Tile::new(mark, hue)
}

fn being(being: Being) -> Tile {
    let hue = match being {
        Being::Player => Hue::Red,
        Being::Cow => Hue::Brown,
        Being::Zombie { .. } | Being::Skeleton { .. } | Being::Arrow { .. } => Hue::Purple,
        Being::Plant { .. } => Hue::Green,
    };
    Tile::new(being.character(), hue)
}
