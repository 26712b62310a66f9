//! Pictures in the terminal, one character per cell; the characters are those of [`Look`](crate::Look).

use crate::look::{AGENT, START};
use crate::{Grid, Observation, State};

impl Grid {
    /// The grid with its start, row by row. [`Grid::read`] reads it back.
    pub fn text(&self) -> String {
        self.text_with(self.start(), START)
    }

    fn text_with(&self, (column, row): (usize, usize), mark: char) -> String {
        let size = self.spec().size;
        let look = |x: usize, y: usize| self.look(x.cast_signed(), y.cast_signed()).character();
        rows(size, |x, y| if (x, y) == (column, row) { mark } else { look(x, y) })
    }
}

impl State {
    /// The whole grid with the agent, row by row.
    pub fn text(&self) -> String {
        self.grid().text_with(self.place(), AGENT)
    }
}

impl Observation {
    /// The window with the agent, row by row.
    pub fn text(&self) -> String {
        let (window, agent) = (self.window(), self.window() / 2);
        let look = |x: usize, y: usize| self.looks()[y * window + x].character();
        rows(window, |x, y| if (x, y) == (agent, agent) { AGENT } else { look(x, y) })
    }
}

fn rows(side: usize, character: impl Fn(usize, usize) -> char) -> String {
    let rows: Vec<String> = (0..side).map(|y| (0..side).map(|x| character(x, y)).collect()).collect();
    rows.join("\n")
}
