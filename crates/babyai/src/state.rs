//! The whole state of an episode, in few bytes: what a planner copies, compares and keeps in tables.
//!
//! Invariant: two worlds of one level and one limit of steps whose states are equal behave the same for ever, resets
//! included.

use counsel_world::End;

use crate::grid::{Grid, NOTHING, NOWHERE, ObjectId, Point};
use crate::instruction::{Description, Instruction};
use crate::random::Generator;
use crate::verify::{Progress, Scene, Status};
use crate::view::FORWARD;
use crate::{Act, Look};

/// A complete copy of a world, random numbers included.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) grid: Grid,
    pub(crate) agent: Point,
    pub(crate) direction: u8,
    pub(crate) hand: ObjectId,
    pub(crate) steps: u32,
    pub(crate) max_steps: u32,
    pub(crate) instruction: Instruction,
    pub(crate) progress: Progress,
    /// Whether the instruction has been carried out, or failed.
    pub(crate) over: bool,
    pub(crate) random: Generator,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { grid: self.grid.clone(), ..*self }
    }

    /// Copies into the memory that is there already.
    fn clone_from(&mut self, source: &Self) {
        let mut grid = std::mem::take(&mut self.grid);
        grid.clone_from(&source.grid);
        *self = Self { grid, ..*source };
    }
}

impl State {
    /// How many bytes the state takes, those it points to included.
    pub fn size_in_bytes(&self) -> usize {
        size_of::<Self>() + self.grid.cells.len() + size_of_val(self.grid.objects.as_slice())
    }

    /// The agent's column and row.
    pub fn agent(&self) -> (u8, u8) {
        self.agent
    }

    /// Where the agent looks: 0 right, 1 down, 2 left, 3 up.
    pub fn direction(&self) -> u8 {
        self.direction
    }

    /// How many columns and rows the grid has.
    pub fn size_in_cells(&self) -> (u8, u8) {
        (self.grid.width, self.grid.height)
    }

    /// How a cell looks; outside of the grid there are walls.
    pub fn look(&self, (x, y): (u8, u8)) -> Look {
        let inside = x < self.grid.width && y < self.grid.height;
        if inside { self.grid.look_at(self.grid.cell((x, y))) } else { Look::WALL }
    }

    /// What the agent carries.
    pub fn carried(&self) -> Option<Look> {
        (self.hand != NOTHING).then(|| self.grid.look(self.hand))
    }

    /// The cells where the objects of a description lay when the verifier last looked: at the start, and whenever the
    /// agent drops something. These are the cells that count for going to them.
    pub fn cells_of(&self, description: &Description) -> impl Iterator<Item = (u8, u8)> {
        let objects = (0_u8..).zip(&self.grid.objects).filter(|(id, _)| description.fits(*id));
        objects.filter(|(_, object)| object.seen != NOWHERE).map(|(_, object)| self.grid.point(object.seen))
    }

    /// How many steps have been made.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Whether, and why, the episode is over.
    pub fn end(&self) -> Option<End> {
        let expired = (self.steps >= self.max_steps).then_some(End::Truncated);
        if self.over { Some(End::Terminated) } else { expired }
    }

    /// Where the object in the agent's hand lay, if it was given it at the start and has not made a step.
    pub(crate) fn not_yet_in_hand(&self) -> Option<(u16, ObjectId)> {
        let cell = self.grid.objects[usize::from(self.hand)].seen;
        (self.steps == 0 && self.hand != NOTHING).then_some((cell, self.hand))
    }

    /// The cell ahead of the agent. The agent is never at the border, so there is one.
    pub(crate) fn front(&self) -> u16 {
        let (dx, dy) = FORWARD[usize::from(self.direction & 3)];
        self.grid.cell((self.agent.0.wrapping_add_signed(dx), self.agent.1.wrapping_add_signed(dy)))
    }

    /// Does something, and looks at what that means for the instruction.
    pub(crate) fn act(&mut self, act: Act) -> Status {
        self.steps += 1;
        let ahead = self.front();
        let object = self.grid.at(ahead);
        match act {
            Act::Left => self.direction = (self.direction + 3) & 3,
            Act::Right => self.direction = (self.direction + 1) & 3,
            Act::Forward => {
                if self.grid.look(object).is_free() {
                    self.agent = self.grid.point(ahead);
                }
            }
            Act::Pickup => {
                if self.hand == NOTHING && self.grid.look(object).is_loose() {
                    self.hand = object;
                    self.grid.put(ahead, NOTHING);
                }
            }
            Act::Drop => {
                if object == NOTHING && self.hand != NOTHING {
                    self.grid.put(ahead, std::mem::replace(&mut self.hand, NOTHING));
                }
                self.grid.take_note();
            }
            Act::Toggle => self.grid.toggle(ahead, self.hand),
            Act::Done => {}
        }
        let scene = Scene { grid: &self.grid, act, front: self.front(), hand: self.hand };
        self.progress.verify(&self.instruction, scene)
    }
}
