//! The grid: one byte per cell, which names the object in it.
//!
//! Objects 0 and 1 stand for an empty cell and a wall, so the byte of a cell finds its looks without a question.
//!
//! Invariant: an object lies in at most one cell; while it lies in one, [`Object::cell`] is that cell, and else
//! [`NOWHERE`].

use crate::{Colour, Kind, Latch, Look};

/// The number of an object in its grid.
pub(crate) type ObjectId = u8;

/// The object of an empty cell, and of an empty hand.
pub(crate) const NOTHING: ObjectId = 0;
/// The object of every wall cell.
pub(crate) const WALL: ObjectId = 1;
/// The cell of an object that is carried, boxed or gone.
pub(crate) const NOWHERE: u16 = u16::MAX;

/// A cell by column and row, from the upper left corner.
pub(crate) type Point = (u8, u8);

/// One thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Object {
    /// How it looks.
    pub(crate) look: Look,
    /// What is in it.
    pub(crate) holds: ObjectId,
    /// Where it lies.
    pub(crate) cell: u16,
    /// Where it lay when the verifier last looked.
    pub(crate) seen: u16,
}

/// Cells and the objects in them.
#[derive(Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Grid {
    pub(crate) width: u8,
    pub(crate) height: u8,
    pub(crate) cells: Vec<ObjectId>,
    pub(crate) objects: Vec<Object>,
}

impl Clone for Grid {
    fn clone(&self) -> Self {
        Self { width: self.width, height: self.height, cells: self.cells.clone(), objects: self.objects.clone() }
    }

    /// Copies into the memory that is there already.
    fn clone_from(&mut self, source: &Self) {
        (self.width, self.height) = (source.width, source.height);
        self.cells.clone_from(&source.cells);
        self.objects.clone_from(&source.objects);
    }
}

impl Grid {
    /// Makes it an empty grid of this size.
    pub(crate) fn clear(&mut self, width: u8, height: u8) {
        (self.width, self.height) = (width, height);
        self.cells.clear();
        self.cells.resize(usize::from(width) * usize::from(height), NOTHING);
        self.objects.clear();
        for look in [Look::EMPTY, Look::WALL] {
            self.objects.push(Object { look, holds: NOTHING, cell: NOWHERE, seen: NOWHERE });
        }
    }

    /// Walls around a square.
    pub(crate) fn enclose(&mut self, (left, top): Point, size: u8) {
        for i in 0..size {
            for at in [(left + i, top), (left + i, top + size - 1), (left, top + i), (left + size - 1, top + i)] {
                let cell = self.cell(at);
                self.cells[usize::from(cell)] = WALL;
            }
        }
    }

    /// The number of a cell, row by row.
    pub(crate) fn cell(&self, (x, y): Point) -> u16 {
        u16::from(y) * u16::from(self.width) + u16::from(x)
    }

    /// Column and row of a cell.
    pub(crate) fn point(&self, cell: u16) -> Point {
        let (x, y) = (cell % u16::from(self.width), cell / u16::from(self.width));
        (u8::try_from(x).unwrap_or(u8::MAX), u8::try_from(y).unwrap_or(u8::MAX))
    }

    /// What lies in a cell.
    pub(crate) fn at(&self, cell: u16) -> ObjectId {
        self.cells[usize::from(cell)]
    }

    /// How an object looks.
    pub(crate) fn look(&self, object: ObjectId) -> Look {
        self.objects[usize::from(object)].look
    }

    /// How a cell looks.
    pub(crate) fn look_at(&self, cell: u16) -> Look {
        self.look(self.at(cell))
    }

    /// A new object that lies nowhere yet.
    pub(crate) fn create(&mut self, look: Look) -> ObjectId {
        let id = ObjectId::try_from(self.objects.len()).unwrap_or(ObjectId::MAX);
        self.objects.push(Object { look, holds: NOTHING, cell: NOWHERE, seen: NOWHERE });
        id
    }

    /// A new key, ball or box that lies nowhere yet.
    pub(crate) fn create_thing(&mut self, kind: Kind, colour: Colour) -> ObjectId {
        self.create(Look::thing(kind, colour))
    }

    /// Puts an object, or [`NOTHING`], in place of what lies in a cell.
    pub(crate) fn put(&mut self, cell: u16, object: ObjectId) {
        let before = std::mem::replace(&mut self.cells[usize::from(cell)], object);
        if before > WALL {
            self.objects[usize::from(before)].cell = NOWHERE;
        }
        if object > WALL {
            self.objects[usize::from(object)].cell = cell;
        }
    }

    /// Toggles what lies in a cell, for someone who carries `hand`: doors open and close, boxes give way to what they
    /// hold.
    pub(crate) fn toggle(&mut self, cell: u16, hand: ObjectId) {
        let id = self.at(cell);
        let Object { look, holds, .. } = self.objects[usize::from(id)];
        let latch = match (look.kind(), look.latch()) {
            (Some(Kind::Box), _) => return self.put(cell, holds),
            (_, None) => return,
            (_, Some(Latch::Open)) => Latch::Closed,
            (_, Some(Latch::Closed)) => Latch::Open,
            (_, Some(Latch::Locked)) if self.look(hand) == Look::thing(Kind::Key, look.colour()) => Latch::Open,
            (_, Some(Latch::Locked)) => Latch::Locked,
        };
        self.objects[usize::from(id)].look = Look::door(look.colour(), latch);
    }

    /// Lets the verifier take note of where everything lies.
    pub(crate) fn take_note(&mut self) {
        for object in &mut self.objects {
            object.seen = object.cell;
        }
    }

    /// Whether the verifier has taken note of where everything lies.
    pub(crate) fn is_noted(&self) -> bool {
        self.objects.iter().all(|object| object.seen == object.cell)
    }
}
