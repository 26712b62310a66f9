//! The parameters of a world, as written in a study.
//!
//! A step that does not reach the goal pays minus the step cost; the step onto the goal pays the goal reward. With the
//! defaults an episode without success returns -0.81 (81 steps at 0.01) and the shortest way from corner to corner 0.85
//! (1 after 15 steps at 0.01). These are the lowest and highest returns of the paper's pilot (tab:deep-pilot,
//! tab:shift-pilot), and 14 x 14 gives the 0.75 of tab:hard-pilot.
//!
//! DIFFERENCE: the paper prints neither its costs nor its 9 x 9 horizon; the defaults are read off its returns.

use counsel_decision::refusal::{at_least, in_range};
use serde::{Deserialize, Serialize};

use crate::Error;

/// Where the start and the goal lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// The start in the north-west corner and the goal in the south-east one.
    #[default]
    Corners,
    /// Both drawn with the grid, at different cells.
    Anywhere,
}

/// When a world draws a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Redraw {
    /// Once, when the world is made: all its episodes are played on that grid.
    #[default]
    Never,
    /// At every reset, from the seed of the episode.
    EachEpisode,
}

/// The parameters of a pixel world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `size` | 9 | 5 to 64 |
/// | `walls` | 0.2 | [0, 0.4] |
/// | `window` | 5 | odd, 3 to `size` |
/// | `horizon` | 81 | 1 or more; with `corners` 2 (`size` - 1) or more |
/// | `step_cost` | 0.01 | [0, 1] |
/// | `goal_reward` | 1 | (0, 1000] |
/// | `cell_pixels` | 4 | 1 to 32 |
/// | `ends` | `corners` | `corners`, `anywhere` |
/// | `redraw` | `never` | `never`, `each-episode` |
/// | `goal_moves_after` | none | 1 or more; with `corners` and `never` |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PixelSpec {
    /// How many cells the grid has on a side.
    pub size: usize,
    /// The fraction of cells that are walls.
    pub walls: f64,
    /// How many cells the window has on a side.
    pub window: usize,
    /// How many steps an episode has at most.
    pub horizon: u32,
    /// What a step costs that does not reach the goal.
    pub step_cost: f64,
    /// What the step onto the goal pays.
    pub goal_reward: f64,
    /// How many pixels a cell has on a side in pictures.
    pub cell_pixels: usize,
    /// Where the start and the goal lie.
    pub ends: Ends,
    /// When a grid is drawn.
    pub redraw: Redraw,
    /// After how many episodes of a run the goal is elsewhere; never where none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal_moves_after: Option<u64>,
}

impl Default for PixelSpec {
    fn default() -> Self {
        Self {
            size: 9,
            walls: 0.2,
            window: 5,
            horizon: 81,
            step_cost: 0.01,
            goal_reward: 1.0,
            cell_pixels: 4,
            ends: Ends::Corners,
            redraw: Redraw::Never,
            goal_moves_after: None,
        }
    }
}

impl PixelSpec {
    /// The larger grid of the paper (tab:hard-pilot): 14 x 14, walls 0.25, window 5, horizon 160.
    pub fn large() -> Self {
        Self { size: 14, walls: 0.25, window: 5, horizon: 160, ..Self::default() }
    }

    /// Refuses what no grid can be drawn from.
    pub fn check(&self) -> Result<(), Error> {
        let &Self { size, walls, window, horizon, step_cost, goal_reward, cell_pixels, .. } = self;
        within("the size of the grid", size, 5, 64, "give its cells on a side")?;
        within("the window", window, 3, size, "let the agent see its neighbours, and no more than the grid")?;
        if window.is_multiple_of(2) {
            return Err(Error::EvenWindow { window });
        }
        // Beyond 0.4 the free cells of a large grid fall apart into islands and few drawings join start and goal.
        let ok = (0.0..=0.4).contains(&walls);
        in_range(ok, "the fraction of walls", walls, "[0, 0.4]", "leave a way to the goal")?;
        at_least("the horizon", horizon as usize, 1, "let an episode have a step")?;
        let least = 2 * (size - 1);
        if self.ends == Ends::Corners && (horizon as usize) < least {
            return Err(Error::ShortHorizon { horizon, least });
        }
        let ok = (0.0..=1.0).contains(&step_cost);
        in_range(ok, "the step cost", step_cost, "[0, 1]", "give what a step takes away")?;
        let ok = goal_reward > 0.0 && goal_reward <= 1000.0;
        in_range(ok, "the goal reward", goal_reward, "(0, 1000]", "let the goal pay")?;
        if let Some(episodes) = self.goal_moves_after {
            let remedy = "let the goal be somewhere first";
            in_range(episodes > 0, "goal_moves_after", episodes as f64, "[1, infinity)", remedy)?;
            if self.ends != Ends::Corners || self.redraw != Redraw::Never {
                return Err(Error::NoSecondPlace { episodes });
            }
        }
        within("the pixels of a cell", cell_pixels, 1, 32, "give the pixels on a side")
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.size * self.size
    }

    /// The number of cells that are walls.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a fraction of at most 4096 cells")]
    pub fn wall_cells(&self) -> usize {
        (self.walls * self.cells() as f64).round() as usize
    }
}

fn within(what: &'static str, value: usize, least: usize, most: usize, remedy: &'static str) -> Result<(), Error> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(Error::Count { what, value, least, most, remedy }) }
}
