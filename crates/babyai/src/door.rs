//! Doors: adding one, taking a wall away, and connecting all rooms.

use crate::draft::{Draft, Place, Rejected};
use crate::grid::{NOTHING, ObjectId};
use crate::room::Passage;
use crate::{Colour, Latch, Look};

/// How many doors are tried to connect a maze.
const CONNECTIONS: u32 = 5001;

impl Draft {
    /// Draws a side of a room that has a neighbour and no door yet.
    pub(crate) fn any_side(&mut self, place: Place) -> usize {
        let room = self.room_index(place);
        loop {
            let side = self.random.index(4);
            if self.neighbour(room, side).is_some() && self.rooms[room].passages[side] == Passage::None {
                return side;
            }
        }
    }

    /// Adds a door. A side without a neighbour cannot have one, so the draft is rejected.
    pub(crate) fn add_door(
        &mut self,
        place: Place,
        side: usize,
        colour: Colour,
        latch: Latch,
    ) -> Result<ObjectId, Rejected> {
        let room = self.room_index(place);
        let (Some(at), Some(beyond)) = (self.rooms[room].doorways[side], self.neighbour(room, side)) else {
            return Err(Rejected);
        };
        self.rooms[room].locked = latch == Latch::Locked;
        let door = self.grid.create(Look::door(colour, latch));
        self.grid.put(self.grid.cell(at), door);
        self.rooms[room].passages[side] = Passage::Door(door);
        self.rooms[beyond].passages[(side + 2) % 4] = Passage::Door(door);
        Ok(door)
    }

    /// Adds a door on a drawn side, in a drawn colour; without a latch, that is drawn as well.
    pub(crate) fn add_any_door(&mut self, place: Place, latch: Option<Latch>) -> Result<ObjectId, Rejected> {
        let side = self.any_side(place);
        let colour = self.any_colour();
        let latch = match latch {
            Some(latch) => latch,
            None if self.random.coin() => Latch::Locked,
            None => Latch::Closed,
        };
        self.add_door(place, side, colour, latch)
    }

    /// Takes away the wall between a room and its neighbour on one side.
    pub(crate) fn remove_wall(&mut self, place: Place, side: usize) {
        let room = self.room_index(place);
        let (left, top) = self.rooms[room].top;
        let far = self.room_size - 1;
        for i in 1..far {
            let at = [(left + far, top + i), (left + i, top + far), (left, top + i), (left + i, top)][side];
            self.grid.put(self.grid.cell(at), NOTHING);
        }
        self.rooms[room].passages[side] = Passage::Gap;
        if let Some(beyond) = self.neighbour(room, side) {
            self.rooms[beyond].passages[(side + 2) % 4] = Passage::Gap;
        }
    }

    /// Adds unlocked doors at drawn places until the agent can reach every room.
    pub(crate) fn connect_all(&mut self, colours: &[Colour]) -> Result<(), Rejected> {
        for _ in 0..CONNECTIONS {
            if self.reaches_all_rooms() {
                return Ok(());
            }
            let place = self.any_place();
            let side = self.random.index(4);
            let room = self.room_index(place);
            let Some(beyond) = self.neighbour(room, side) else { continue };
            let taken = self.rooms[room].passages[side] != Passage::None;
            if taken || self.rooms[room].locked || self.rooms[beyond].locked {
                continue;
            }
            let colour = self.random.element(colours);
            self.add_door(place, side, colour, Latch::Closed)?;
        }
        Err(Rejected)
    }

    fn reaches_all_rooms(&self) -> bool {
        let mut reached = 1_u32 << self.room_at(self.agent);
        loop {
            let before = reached;
            for (i, room) in self.rooms.iter().enumerate().filter(|(i, _)| before >> i & 1 == 1) {
                for (side, passage) in room.passages.iter().enumerate() {
                    if let (true, Some(beyond)) = (*passage != Passage::None, self.neighbour(i, side)) {
                        reached |= 1 << beyond;
                    }
                }
            }
            if reached == before {
                return reached.count_ones() as usize == self.rooms.len();
            }
        }
    }
}
