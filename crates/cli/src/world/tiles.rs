//! Tiles in the terminal: two characters for each, in the colour of the tile where colours are shown.
//!
//! The second character is the letter of the colour, `E` for grey and `G` for green, so nothing rests on colour alone. What the agent does not
//! see is faint, and its letter is small.

use counsel_world::{Hue, Sight, Tile};

/// Whether colours are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Coloured,
    Plain,
}

impl Paint {
    /// As the terminal and the environment (`NO_COLOR`) ask for it.
    pub(super) fn of_terminal() -> Self {
        if console::colors_enabled() { Self::Coloured } else { Self::Plain }
    }
}

/// What the agent sees, and beside it the whole world; then the words.
pub(super) fn picture(sight: &Sight, paint: Paint) -> String {
    let (view, world) = (rows(&sight.view, paint), rows(&sight.world, paint));
    let blank = " ".repeat(2 * sight.view.first().map_or(0, Vec::len));
    let mut text = format!("{}\n", sight.words);
    for row in 0..view.len().max(world.len()) {
        let beside = view.get(row).unwrap_or(&blank);
        let line = format!("  {beside}    {}", world.get(row).map_or("", String::as_str));
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn rows(tiles: &[Vec<Tile>], paint: Paint) -> Vec<String> {
    let letters = Sight::rows(tiles);
    let drawn = |(row, line): (&Vec<Tile>, &str)| -> String {
        let pairs: Vec<char> = line.chars().collect();
        row.iter().zip(pairs.chunks(2)).map(|(tile, pair)| drawn(*tile, pair, paint)).collect()
    };
    tiles.iter().zip(letters.lines()).map(drawn).collect()
}

fn drawn(tile: Tile, pair: &[char], paint: Paint) -> String {
    // Ground has no letter, and neither has what has the colour of the page.
    let is_bare = tile.mark == ' ' || tile.hue == Hue::Plain;
    let words: String = if is_bare { format!("{} ", tile.mark) } else { pair.iter().collect() };
    if paint == Paint::Plain || tile.mark == ' ' {
        return words;
    }
    let faint = if tile.is_seen { "" } else { "2;" };
    format!("\u{1b}[{faint}{}m{words}\u{1b}[0m", code(tile.hue))
}

/// The number of a colour in the 256 that terminals know: light enough for a dark page, and dark enough for a light one.
fn code(hue: Hue) -> &'static str {
    match hue {
        Hue::Plain => "39",
        Hue::Grey => "38;5;246",
        Hue::Red => "1;38;5;203",
        Hue::Green => "1;38;5;35",
        Hue::Blue => "1;38;5;69",
        Hue::Purple => "1;38;5;134",
        Hue::Yellow => "1;38;5;178",
        Hue::Brown => "38;5;137",
        Hue::Black => "38;5;240",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_balls() -> Sight {
        let hidden = Tile { is_seen: false, ..Tile::new('#', Hue::Grey) };
        let row = vec![Tile::new('O', Hue::Grey), Tile::new('O', Hue::Green), Tile::new(' ', Hue::Plain), hidden];
        Sight { world: vec![row], words: "go to the green ball".into(), ..Sight::default() }
    }

    #[test]
    fn grey_and_green_are_told_apart_with_colour_and_without() {
        assert_eq!(picture(&two_balls(), Paint::Plain), "go to the green ball\n      OEOG  #e\n");
        let coloured = picture(&two_balls(), Paint::Coloured);
        assert!(coloured.contains("\u{1b}[38;5;246mOE\u{1b}[0m\u{1b}[1;38;5;35mOG\u{1b}[0m"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[2;38;5;246m#e"), "what is not seen is faint: {coloured:?}");
    }
}
