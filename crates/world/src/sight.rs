//! A moment of an episode as a person is shown it: what there is, what the agent sees of it, and a few words.
//!
//! A picture is rows of tiles, each a mark and a hue, so that whoever draws it needs to know no world. Marks with a shape of
//! their own are a wall `#`, a key `K`, a ball `O`, a box `B`, a door that is closed `D`, locked `L` or open `_`, an agent that
//! looks right, down, left or up `>` `v` `<` `^`, and what is not seen `?`; any other mark is a letter on its ground.

/// The colour of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hue {
    /// The colour of the page.
    #[default]
    Plain,
    /// Grey.
    Grey,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Purple.
    Purple,
    /// Yellow.
    Yellow,
    /// Brown.
    Brown,
    /// Black.
    Black,
}

impl Hue {
    fn letter(self) -> char {
        match self {
            Self::Plain => 'w',
            Self::Grey => 'e',
            Self::Red => 'r',
            Self::Green => 'g',
            Self::Blue => 'b',
            Self::Purple => 'p',
            Self::Yellow => 'y',
            Self::Brown => 'n',
            Self::Black => 'k',
        }
    }
}

/// One cell of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// What is there.
    pub mark: char,
    /// Its colour.
    pub hue: Hue,
    /// Whether the agent sees the cell.
    pub is_seen: bool,
}

impl Tile {
    /// A tile that the agent sees.
    pub fn new(mark: char, hue: Hue) -> Self {
        Self { mark, hue, is_seen: true }
    }
}

/// What a person is shown of a moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sight {
    /// The whole world, row by row; empty where it is not drawn.
    pub world: Vec<Vec<Tile>>,
    /// What the agent sees, row by row; empty where that is not drawn.
    pub view: Vec<Vec<Tile>>,
    /// The task, and what no picture shows.
    pub words: String,
    /// What the advisor would be told, turn by turn; nothing where it is shown a number.
    pub prompt: Option<String>,
    /// What the actions of this moment are called, where each moment has its own; empty where a log has their names.
    pub actions: Vec<String>,
}

impl Sight {
    /// Rows of tiles as text: two characters for each, its mark and the letter of its hue, which is a capital where the agent
    /// sees the cell.
    pub fn rows(tiles: &[Vec<Tile>]) -> String {
        let tile = |tile: &Tile| {
            let letter = tile.hue.letter();
            [tile.mark, if tile.is_seen { letter.to_ascii_uppercase() } else { letter }]
        };
        tiles.iter().map(|row| row.iter().flat_map(tile).collect::<String>()).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_a_mark_and_a_hue() {
        let hidden = Tile { is_seen: false, ..Tile::new('K', Hue::Yellow) };
        let rows = [vec![Tile::new('>', Hue::Red), hidden], vec![Tile::new(' ', Hue::Plain)]];
        assert_eq!(Sight::rows(&rows), ">RKy\n W");
    }
}
