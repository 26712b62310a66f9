//! A grid from a drawing, for grids that are wanted as they are and not drawn by lot.

use crate::grid::number;
use crate::look::START;
use crate::{Error, Grid, Look, PixelSpec};

impl Grid {
    /// Reads a drawing with `#` for a wall, `.` for a free cell, and one `S` and one `G` for start and goal. All but the
    /// declared fraction of walls and place of the ends, which are those of the drawing, is taken from the specification.
    pub fn read(spec: &PixelSpec, drawing: &str) -> Result<Self, Error> {
        spec.check()?;
        let size = spec.size;
        let refused = |why: String| Error::Unreadable { size, why };
        let rows: Vec<&str> = drawing.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        if rows.len() != size {
            return Err(refused(format!("it has {} rows", rows.len())));
        }
        let (mut is_wall, mut starts, mut goals) = (Vec::with_capacity(spec.cells()), Vec::new(), Vec::new());
        for (y, row) in rows.iter().enumerate() {
            if row.chars().count() != size {
                return Err(refused(format!("row {y} is {row:?}")));
            }
            for character in row.chars() {
                let cell = number(is_wall.len());
                is_wall.push(character == Look::Wall.character());
                match character {
                    START => starts.push(cell),
                    _ if character == Look::Goal.character() => goals.push(cell),
                    _ if character == Look::Wall.character() || character == Look::Free.character() => {}
                    _ => return Err(refused(format!("row {y} has {character:?}"))),
                }
            }
        }
        let (&[start], &[goal]) = (&starts[..], &goals[..]) else {
            return Err(refused(format!("it has {} starts and {} goals", starts.len(), goals.len())));
        };
        Self::joined(spec, &is_wall, start, goal).ok_or_else(|| refused("no way leads to the goal".to_owned()))
    }
}
