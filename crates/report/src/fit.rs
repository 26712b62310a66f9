//! Which columns of a table a width has room for.
//!
//! If not all of them fit with their headings on one line, headings are broken into a few lines. If that is not enough, the
//! leading keys move to a line above the rows that share them, and the other columns are taken by rank, in their order, until the
//! line is full; columns that belong together are taken together. Only if nothing else helps are words folded, or cut where they
//! are one.
//! Invariants: no line is longer than the width as long as words can be cut to 8 characters; a wider line holds every column that
//! a narrower one holds; numbers are never cut, and columns that were chosen by name are never left out.

use unicode_width::UnicodeWidthStr;

use crate::text::wrap;
use crate::{Align, Rank};

/// Between two columns.
pub(crate) const GAP: &str = "  ";
/// The most lines that a heading is broken into.
const HEADING_LINES: usize = 3;
/// Words are not shortened below this.
const LEAST: usize = 8;

/// A table as words: one string per entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextTable {
    pub(crate) header: Vec<String>,
    pub(crate) aligns: Vec<Align>,
    pub(crate) ranks: Vec<Rank>,
    /// Whether a column is shown only together with the one before it.
    pub(crate) joined: Vec<bool>,
    pub(crate) rows: Vec<Vec<String>>,
    /// A column that was asked for, and so is never left out.
    pub(crate) wanted: Option<usize>,
}

/// What of a grid is drawn. Columns are named by their places in the grid.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Fitted {
    /// From left to right, with their widths.
    pub(crate) columns: Vec<(usize, usize)>,
    /// The keys that are shown above the rows that share them.
    pub(crate) shared: Vec<usize>,
    /// What finds no room.
    pub(crate) left_out: Vec<usize>,
}

impl TextTable {
    /// Every column, as wide as it needs.
    pub(crate) fn whole(&self) -> Fitted {
        Fitted { columns: self.widened(0..self.header.len()), ..Fitted::default() }
    }

    /// As many columns as fit.
    pub(crate) fn fitted(&self, width: usize) -> Fitted {
        if total(&self.narrowed(0..self.header.len())) <= width {
            return self.squeezed_whole(width);
        }
        let keys: Vec<usize> = (0..self.header.len()).filter(|at| self.ranks[*at] == Rank::Key).collect();
        let shared = shared(&keys, &self.rows);
        let mut chosen: Vec<usize> =
            keys.iter().copied().filter(|at| !shared.contains(at)).chain(self.wanted).collect();
        let others = self.together(|at| !keys.contains(&at) && self.wanted != Some(at));
        let mut left_out = Vec::new();
        for (place, columns) in others.iter().enumerate() {
            let with: Vec<usize> = chosen.iter().chain(columns).copied().collect();
            // The first number is worth more than the ends of long names.
            if place == 0 || total(&self.narrowed(with.iter().copied())) <= width {
                chosen = with;
            } else {
                left_out = others[place..].concat();
                break;
            }
        }
        chosen.sort_unstable();
        left_out.sort_unstable();
        Fitted { columns: self.squeezed(&chosen, width), shared, left_out }
    }

    /// These columns by rank, those that belong together in one group.
    fn together(&self, is_one: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for at in (0..self.header.len()).filter(|at| is_one(*at)) {
            match groups.last_mut() {
                Some(group) if self.joined[at] && group.last() == Some(&(at - 1)) => group.push(at),
                _ => groups.push(vec![at]),
            }
        }
        groups.sort_by_key(|group| (self.ranks[group[0]], group[0]));
        groups
    }

    /// Every column, with broken headings and shortened words where the width asks for it.
    pub(crate) fn squeezed_whole(&self, width: usize) -> Fitted {
        let all: Vec<usize> = (0..self.header.len()).collect();
        Fitted { columns: self.squeezed(&all, width), ..Fitted::default() }
    }

    /// These columns within the width, as far as words can be shortened.
    fn squeezed(&self, chosen: &[usize], width: usize) -> Vec<(usize, usize)> {
        let wide = self.widened(chosen.iter().copied());
        if total(&wide) <= width {
            return wide;
        }
        let mut columns = self.narrowed(chosen.iter().copied());
        while total(&columns) > width {
            let words = columns.iter_mut().filter(|(at, wide)| self.aligns[*at] == Align::Left && *wide > LEAST);
            // Of equals the last one: the first columns distinguish rows.
            let Some((_, widest)) = words.max_by_key(|(_, wide)| *wide) else { break };
            *widest -= 1;
        }
        columns
    }

    /// Columns as wide as their entries and their headings on one line.
    fn widened(&self, places: impl IntoIterator<Item = usize>) -> Vec<(usize, usize)> {
        places.into_iter().map(|at| (at, self.entries(at).max(length(&self.header[at])))).collect()
    }

    /// Columns as wide as their entries and their broken headings.
    fn narrowed(&self, places: impl IntoIterator<Item = usize>) -> Vec<(usize, usize)> {
        let broken = |at: usize| {
            let longest = self.header[at].split(' ').map(length).max().unwrap_or(0);
            let mut widths = longest.max(self.entries(at))..;
            widths.find(|wide| wrap(&self.header[at], *wide, "", "").len() <= HEADING_LINES).unwrap_or(longest)
        };
        places.into_iter().map(|at| (at, broken(at))).collect()
    }

    /// The longest entry of a column.
    fn entries(&self, at: usize) -> usize {
        self.rows.iter().map(|row| length(&row[at])).max().unwrap_or(0)
    }
}

/// The leading keys, if rows share them.
pub(crate) fn shared(keys: &[usize], rows: &[Vec<String>]) -> Vec<usize> {
    let Some((_, leading)) = keys.split_last() else { return Vec::new() };
    let groups = 1 + rows.windows(2).filter(|pair| leading.iter().any(|at| pair[0][*at] != pair[1][*at])).count();
    if groups < rows.len() { leading.to_vec() } else { Vec::new() }
}

/// How long a line with these columns is.
pub(crate) fn total(columns: &[(usize, usize)]) -> usize {
    columns.iter().map(|(_, width)| width).sum::<usize>() + GAP.len() * columns.len().saturating_sub(1)
}

/// How many columns of a terminal these words take; some characters take two.
pub(crate) fn length(words: &str) -> usize {
    words.width()
}

/// The longest beginning of some words that takes at most `most` columns, and the rest.
pub(crate) fn split_within(words: &str, most: usize) -> (&str, &str) {
    let ends = words.char_indices().map(|(at, character)| at + character.len_utf8());
    let end = ends.take_while(|end| length(&words[..*end]) <= most).last().unwrap_or(0);
    words.split_at(end)
}

/// Words within `most` columns, with an ellipsis at the end if there were more.
pub(crate) fn shortened(words: &str, most: usize) -> String {
    if length(words) <= most {
        return words.to_owned();
    }
    split_within(words, most.saturating_sub(1)).0.to_owned() + "…"
}

/// Words with spaces up to this width, before numbers and after words.
pub(crate) fn padded(words: &str, width: usize, align: Align) -> String {
    let spaces = " ".repeat(width.saturating_sub(length(words)));
    match align {
        Align::Left => words.to_owned() + &spaces,
        Align::Right => spaces + words,
    }
}
