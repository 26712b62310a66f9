//! The area: what every cell is made of, and what stands on it.
//!
//! Invariant: a cell that says which object stands on it and that object's place agree, and the counts of the chunks are those
//! of the cells and objects. Between ticks no object is marked as gone. The player is object 0.

use crate::chunk::{Chunk, Chunks};
use crate::object::{Being, Object};
use crate::place::CELLS;
use crate::{Material, Place};

/// Says that nothing stands on a cell.
const NOTHING: u16 = u16::MAX;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Area {
    materials: [Material; CELLS],
    occupants: [u16; CELLS],
    objects: Vec<Object>,
    chunks: Chunks,
}

impl Area {
    /// Grass, with nothing on it but the player.
    pub(crate) fn new(player: Place) -> Self {
        let mut area = Self {
            materials: [Material::Grass; CELLS],
            occupants: [NOTHING; CELLS],
            objects: Vec::with_capacity(128),
            chunks: Chunks::new(),
        };
        area.add(Being::Player, player);
        area
    }

    pub(crate) fn material(&self, place: Place) -> Material {
        self.materials[place.index()]
    }

    /// Lays the first ground of a cell.
    pub(crate) fn lay(&mut self, place: Place, material: Material) {
        self.materials[place.index()] = material;
        self.chunks.reground(Chunk::of(place), None, material);
    }

    /// Replaces the ground of a cell.
    pub(crate) fn set(&mut self, place: Place, material: Material) {
        let before = std::mem::replace(&mut self.materials[place.index()], material);
        self.chunks.reground(Chunk::of(place), Some(before), material);
    }

    /// The number of what stands on a cell.
    pub(crate) fn occupant(&self, place: Place) -> Option<usize> {
        let occupant = self.occupants[place.index()];
        (occupant != NOTHING).then_some(usize::from(occupant))
    }

    pub(crate) fn materials(&self) -> &[Material; CELLS] {
        &self.materials
    }

    pub(crate) fn chunks(&self) -> &Chunks {
        &self.chunks
    }

    pub(crate) fn objects(&self) -> &[Object] {
        &self.objects
    }

    pub(crate) fn object(&self, number: usize) -> &Object {
        &self.objects[number]
    }

    pub(crate) fn object_mut(&mut self, number: usize) -> &mut Object {
        &mut self.objects[number]
    }

    /// Puts something on a free cell.
    pub(crate) fn add(&mut self, being: Being, place: Place) {
        let number = number(self.objects.len());
        let entered = self.chunks.enter(Chunk::of(place), being);
        self.objects.push(Object { entered, ..Object::new(being, place) });
        self.occupants[place.index()] = number;
    }

    /// Takes something off its cell. Its number stays until [`tidy`](Self::tidy).
    pub(crate) fn remove(&mut self, number: usize) {
        let object = &mut self.objects[number];
        if !object.is_removed {
            object.is_removed = true;
            self.occupants[object.place.index()] = NOTHING;
            self.chunks.leave(Chunk::of(object.place), object.being);
        }
    }

    /// Moves something to a free cell. What is gone stays where it was.
    pub(crate) fn shift(&mut self, number: usize, to: Place) {
        let object = &mut self.objects[number];
        if object.is_removed {
            return;
        }
        let from = std::mem::replace(&mut object.place, to);
        self.occupants[to.index()] = self.occupants[from.index()];
        self.occupants[from.index()] = NOTHING;
        let (old, new) = (Chunk::of(from), Chunk::of(to));
        if old != new {
            self.chunks.leave(old, object.being);
            object.entered = self.chunks.enter(new, object.being);
        }
    }

    /// Forgets what is gone; the others move up and keep their order.
    pub(crate) fn tidy(&mut self) {
        let Some(first) = self.objects.iter().position(|object| object.is_removed) else { return };
        self.objects.retain(|object| !object.is_removed);
        for (at, object) in self.objects.iter().enumerate().skip(first) {
            self.occupants[object.place.index()] = number(at);
        }
    }
}

/// An object's number. There are fewer than cells.
fn number(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(NOTHING)
}
