//! What the agent sees: the 7 x 7 cells before it, less those that walls and closed doors hide.
//!
//! View cell (vx, vy) is bit 7 vx + vy of a word; the agent stands at (3, 6) and looks towards vy = 0. Light spreads row
//! by row away from the agent: within a row from each lit clear cell to the right and then to the left, and from each
//! such cell to the next row.
//!
//! Invariant: bit for bit the mask of the original's `process_vis`.

use crate::Look;
use crate::grid::{Grid, Point};

/// How many cells the view has on each side.
pub const VIEW: usize = 7;
/// How many cells the view has.
pub(crate) const CELLS: usize = VIEW * VIEW;
/// The agent's own cell in the view.
pub(crate) const OWN: usize = 27;

/// The step ahead in each direction: right, down, left, up.
pub(crate) const FORWARD: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The view cells with vy = 0.
const ROW: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;

/// Per direction: how far the view cell moves for one step right and one step down in the grid, and the corner of the
/// view that is uppermost and leftmost in the grid, relative to the agent.
const FRAMES: [(isize, isize, isize, isize); 4] = [(-1, 7, 0, -3), (-7, -1, -3, 0), (1, -7, -6, -3), (7, 1, -3, -6)];

/// What is before the agent, seen or not.
pub(crate) struct Before {
    /// How the cells look. Outside of the grid there are walls.
    pub(crate) looks: [Look; CELLS],
    /// The cells that the agent could see past, one bit each.
    pub(crate) clear: u64,
}

/// What is before an agent that stands here and looks there.
pub(crate) fn before_agent(grid: &Grid, (x, y): Point, direction: u8) -> Before {
    let mut looks = [Look::WALL; CELLS];
    let mut clear = 0;
    let (per_x, per_y, left, top) = FRAMES[usize::from(direction & 3)];
    let (x, y) = (isize::from(x), isize::from(y));
    let columns = (x + left).max(0)..(x + left + 7).min(isize::from(grid.width));
    let rows = (y + top).max(0)..(y + top + 7).min(isize::from(grid.height));
    let first = 27 + (columns.start - x) * per_x;
    for row in rows {
        let base = row * isize::from(grid.width);
        let cells = &grid.cells[(base + columns.start).cast_unsigned()..(base + columns.end).cast_unsigned()];
        let mut view = first + (row - y) * per_y;
        for &object in cells {
            let look = grid.look(object);
            looks[view.cast_unsigned()] = look;
            clear |= u64::from(look.is_clear()) << view;
            view += per_x;
        }
    }
    Before { looks, clear }
}

/// The cell of the view in which an agent that stands here and looks there has a cell of the grid; nothing where that is not
/// before it.
pub(crate) fn view_cell((x, y): Point, direction: u8, (column, row): (usize, usize)) -> Option<usize> {
    let (per_x, per_y, left, top) = FRAMES[usize::from(direction & 3)];
    let (right, down) = (column.cast_signed() - isize::from(x), row.cast_signed() - isize::from(y));
    let before = (left..left + 7).contains(&right) && (top..top + 7).contains(&down);
    before.then(|| (27 + right * per_x + down * per_y).cast_unsigned())
}

/// The cells that the agent sees, one bit each, given those that it could see past.
pub(crate) fn lit(clear: u64) -> u64 {
    let mut lit = 1_u64 << OWN;
    for row in (0..VIEW).rev().map(|vy| ROW << vy) {
        let open = clear & row;
        let spread = rightwards(lit & open, open) & !(0x7f << 42);
        lit |= spread << 7 | ahead(spread | spread << 7, row);
        let spread = leftwards(lit & open, open) & !0x7f;
        lit |= spread >> 7 | ahead(spread | spread >> 7, row);
    }
    lit
}

/// The same cells in the next row away from the agent, if there is one.
fn ahead(cells: u64, row: u64) -> u64 {
    if row == ROW { 0 } else { cells >> 1 }
}

fn rightwards(mut lit: u64, mut open: u64) -> u64 {
    for shift in [7, 14, 28] {
        lit |= open & lit << shift;
        open &= open << shift;
    }
    lit
}

fn leftwards(mut lit: u64, mut open: u64) -> u64 {
    for shift in [7, 14, 28] {
        lit |= open & lit >> shift;
        open &= open >> shift;
    }
    lit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;

    /// The rule of the original, cell by cell.
    fn lit_slowly(clear: u64) -> u64 {
        let mut lit = [[false; VIEW]; VIEW];
        lit[3][6] = true;
        for j in (0..VIEW).rev() {
            for (i, next) in (0..6).map(|i| (i, i + 1)).chain((1..7).rev().map(|i| (i, i - 1))) {
                if lit[i][j] && clear >> (7 * i + j) & 1 == 1 {
                    lit[next][j] = true;
                    if j > 0 {
                        lit[next][j - 1] = true;
                        lit[i][j - 1] = true;
                    }
                }
            }
        }
        (0..CELLS).fold(0, |bits, k| bits | u64::from(lit[k / 7][k % 7]) << k)
    }

    #[test]
    fn light_spreads_as_in_the_original() {
        let mut random = Generator::new(3);
        for round in 0..20_000 {
            let walls = 1 + round % 9;
            let clear = (0..CELLS).fold(0, |bits, i| bits | u64::from(random.below(10) >= walls) << i);
            assert_eq!(lit(clear), lit_slowly(clear), "{clear:b}");
        }
    }
}
