//! A level in the making: rooms, doors, objects and the agent, each placed by a draw.
//!
//! Every method makes the same draws in the same order as the original. A draft that cannot be finished is
//! [`Rejected`]; it is begun again from an empty maze, and the stream of random numbers goes on.

use crate::grid::{Grid, NOTHING, ObjectId, Point, WALL};
use crate::random::Generator;
use crate::room::Room;
use crate::{Colour, Kind};

/// How many places are tried for one object.
const TRIES: u32 = 1001;

/// The sign that a draft must be begun again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rejected;

/// Column and row of a room.
pub(crate) type Place = (u8, u8);

/// A level in the making.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) random: Generator,
    pub(crate) grid: Grid,
    pub(crate) room_size: u8,
    pub(crate) rows: u8,
    pub(crate) columns: u8,
    pub(crate) rooms: Vec<Room>,
    /// The keys, balls and boxes placed in rooms.
    pub(crate) placed: Vec<ObjectId>,
    pub(crate) agent: Point,
    pub(crate) direction: u8,
    /// What the agent holds when the episode starts.
    pub(crate) in_hand: ObjectId,
}

impl Draft {
    /// A draft of a maze with so many rooms, not begun yet.
    pub(crate) fn new(random: Generator, room_size: u8, rows: u8, columns: u8) -> Self {
        Self {
            random,
            grid: Grid::default(),
            room_size,
            rows,
            columns,
            rooms: Vec::new(),
            placed: Vec::new(),
            agent: (0, 0),
            direction: 0,
            in_hand: NOTHING,
        }
    }

    /// Begins: walls, and a doorway between every two neighbours. The agent stands in the middle until it is placed.
    pub(crate) fn begin(&mut self) {
        let pitch = self.room_size - 1;
        self.grid.clear(pitch * self.columns + 1, pitch * self.rows + 1);
        self.rooms.clear();
        self.placed.clear();
        self.in_hand = NOTHING;
        for j in 0..self.rows {
            for i in 0..self.columns {
                let top = (i * pitch, j * pitch);
                self.grid.enclose(top, self.room_size);
                self.rooms.push(Room { top, ..Room::default() });
            }
        }
        for j in 0..self.rows {
            for i in 0..self.columns {
                self.draw_doorways((i, j));
            }
        }
        let half = self.room_size / 2;
        self.agent = (self.columns / 2 * pitch + half, self.rows / 2 * pitch + half);
        self.direction = 0;
    }

    fn draw_doorways(&mut self, place: Place) {
        let here = self.room_index(place);
        let (left, top) = self.rooms[here].top;
        let (right, bottom) = (left + self.room_size - 1, top + self.room_size - 1);
        if let Some(beside) = self.neighbour(here, 0) {
            let doorway = Some((right, self.random.between(top + 1, bottom)));
            self.rooms[here].doorways[0] = doorway;
            self.rooms[beside].doorways[2] = doorway;
        }
        if let Some(below) = self.neighbour(here, 1) {
            let doorway = Some((self.random.between(left + 1, right), bottom));
            self.rooms[here].doorways[1] = doorway;
            self.rooms[below].doorways[3] = doorway;
        }
    }

    /// The room in this column and row.
    pub(crate) fn room_index(&self, (i, j): Place) -> usize {
        usize::from(j) * usize::from(self.columns) + usize::from(i)
    }

    /// The room on this side of a room.
    pub(crate) fn neighbour(&self, room: usize, side: usize) -> Option<usize> {
        let columns = usize::from(self.columns);
        let (i, j) = (room % columns, room / columns);
        match side {
            0 => (i + 1 < columns).then_some(room + 1),
            1 => (j + 1 < usize::from(self.rows)).then_some(room + columns),
            2 => (i > 0).then(|| room - 1),
            _ => (j > 0).then(|| room - columns),
        }
    }

    /// The room that a point belongs to.
    pub(crate) fn room_at(&self, (x, y): Point) -> usize {
        let pitch = self.room_size - 1;
        self.room_index((x / pitch, y / pitch))
    }

    /// Draws a room: column, then row.
    pub(crate) fn any_place(&mut self) -> Place {
        (self.random.between(0, self.columns), self.random.between(0, self.rows))
    }

    /// Draws a colour.
    pub(crate) fn any_colour(&mut self) -> Colour {
        self.random.element(&Colour::BY_NAME)
    }

    /// Draws empty cells of a room until one is far enough from what is to be avoided.
    fn free_cell(&mut self, place: Place, avoided: Option<Point>) -> Result<Point, Rejected> {
        let (left, top) = self.rooms[self.room_index(place)].top;
        let size = self.room_size;
        for _ in 0..TRIES {
            let at = (self.random.between(left, left + size), self.random.between(top, top + size));
            let near = |(x, y): Point| x.abs_diff(at.0) + y.abs_diff(at.1) < 2;
            if self.grid.at(self.grid.cell(at)) == NOTHING && !avoided.is_some_and(near) {
                return Ok(at);
            }
        }
        Err(Rejected)
    }

    /// Puts an object somewhere in a room, not next to the agent.
    pub(crate) fn place_in_room(&mut self, place: Place, object: ObjectId) -> Result<ObjectId, Rejected> {
        let at = self.free_cell(place, Some(self.agent))?;
        self.grid.put(self.grid.cell(at), object);
        self.placed.push(object);
        Ok(object)
    }

    /// Adds a key, ball or box to a room.
    pub(crate) fn add(&mut self, place: Place, kind: Kind, colour: Colour) -> Result<ObjectId, Rejected> {
        let object = self.grid.create_thing(kind, colour);
        self.place_in_room(place, object)
    }

    /// Adds an object of this kind and a drawn colour to a room.
    pub(crate) fn add_kind(&mut self, place: Place, kind: Kind) -> Result<ObjectId, Rejected> {
        let colour = self.any_colour();
        self.add(place, kind, colour)
    }

    /// Adds an object of drawn kind and colour to a room.
    pub(crate) fn add_any(&mut self, place: Place) -> Result<ObjectId, Rejected> {
        let kind = self.random.element(&Kind::LOOSE);
        self.add_kind(place, kind)
    }

    /// Places the agent in a drawn room.
    pub(crate) fn place_agent(&mut self) -> Result<(), Rejected> {
        let place = self.any_place();
        self.place_agent_in(place)
    }

    /// Places the agent in a room, not in front of an object.
    ///
    /// DIFFERENCE: where every free cell is shut in by objects, the original draws for ever; here the draft is rejected.
    pub(crate) fn place_agent_in(&mut self, place: Place) -> Result<(), Rejected> {
        loop {
            self.agent = self.free_cell(place, None)?;
            self.direction = self.random.between(0, 4);
            if self.looks_free(self.agent, self.direction) {
                return Ok(());
            }
            if self.is_shut(place) {
                return Err(Rejected);
            }
        }
    }

    /// Whether somebody who stands there and looks in this direction has no object in front.
    fn looks_free(&self, (x, y): Point, direction: u8) -> bool {
        let (dx, dy) = crate::view::FORWARD[usize::from(direction)];
        let front = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        self.grid.at(self.grid.cell(front)) <= WALL
    }

    /// Whether objects stand on all sides of every free cell of a room.
    fn is_shut(&self, place: Place) -> bool {
        let (left, top) = self.rooms[self.room_index(place)].top;
        let inside = |start: u8| start..start + self.room_size;
        inside(left).all(|x| {
            inside(top).all(|y| {
                let is_free = self.grid.at(self.grid.cell((x, y))) == NOTHING;
                !is_free || (0..4).all(|direction| !self.looks_free((x, y), direction))
            })
        })
    }

    /// Places the agent in a drawn room, until that is another one than this.
    pub(crate) fn place_agent_outside(&mut self, room: Option<usize>) -> Result<(), Rejected> {
        loop {
            self.place_agent()?;
            if Some(self.room_at(self.agent)) != room {
                return Ok(());
            }
        }
    }
}
