//! What creatures, arrows and plants do in a tick.
//!
//! The random numbers are drawn in the original's order, and what is removed at the beginning of its tick still acts in it: it
//! draws, bites and shoots, but does not move.

use crate::object::Being;
use crate::place::Axis;
use crate::{Direction, Material, Place, State};

/// Who is this far from the player or farther does nothing.
pub(crate) const REACH: u8 = 18;

impl State {
    /// One tick of an object that is not the player.
    pub(crate) fn update(&mut self, number: usize) {
        match self.area.object(number).being {
            Being::Player => {}
            Being::Cow => self.update_cow(number),
            Being::Zombie { cooldown } => self.update_zombie(number, cooldown),
            Being::Skeleton { reload } => self.update_skeleton(number, reload.saturating_sub(1)),
            Being::Arrow { facing } => self.update_arrow(number, facing),
            Being::Plant { grown } => self.update_plant(number, grown.saturating_add(1)),
        }
    }

    fn update_cow(&mut self, number: usize) {
        self.remove_if_dead(number);
        if self.random.unit() < 0.5 {
            self.stroll(number);
        }
    }

    fn update_zombie(&mut self, number: usize, cooldown: u8) {
        self.remove_if_dead(number);
        let player = self.place();
        let here = self.area.object(number).place;
        if here.distance(player) <= 8 && self.random.unit() < 0.9 {
            let axis = Axis::drawn(self.random.unit() < 0.8);
            self.walk(number, here.toward(player, axis));
        } else {
            self.stroll(number);
        }
        if self.area.object(number).place.distance(player) <= 1 {
            let cooldown = if cooldown > 0 {
                cooldown - 1
            } else {
                self.player.hurt(if self.player.is_asleep { 7 } else { 2 });
                5
            };
            self.area.object_mut(number).being = Being::Zombie { cooldown };
        }
    }

    fn update_skeleton(&mut self, number: usize, reload: u8) {
        self.remove_if_dead(number);
        self.area.object_mut(number).being = Being::Skeleton { reload };
        let player = self.place();
        let here = self.area.object(number).place;
        let distance = here.distance(player);
        if distance <= 3 {
            let axis = Axis::drawn(self.random.unit() < 0.6);
            if self.walk(number, here.toward(player, axis).map(Direction::opposite)) {
                return;
            }
        }
        if distance <= 5 && self.random.unit() < 0.5 {
            if reload == 0 {
                self.shoot(number, here.toward(player, Axis::Long));
            }
        } else if distance <= 8 && self.random.unit() < 0.3 {
            let axis = Axis::drawn(self.random.unit() < 0.6);
            self.walk(number, here.toward(player, axis));
        } else if self.random.unit() < 0.2 {
            self.stroll(number);
        }
    }

    fn shoot(&mut self, number: usize, facing: Option<Direction>) {
        let here = self.area.object(number).place;
        let Some((facing, to)) = facing.and_then(|facing| Some((facing, here.next(facing)?))) else { return };
        if self.is_free_for(Being::Arrow { facing }, to) {
            self.area.add(Being::Arrow { facing }, to);
            self.area.object_mut(number).being = Being::Skeleton { reload: 4 };
        }
    }

    fn update_arrow(&mut self, number: usize, facing: Direction) {
        let Some(to) = self.area.object(number).place.next(facing) else { return self.area.remove(number) };
        if let Some(hit) = self.area.occupant(to) {
            match self.area.object_mut(hit) {
                object if object.being == Being::Player => self.player.hurt(2),
                object => object.health = object.health.saturating_sub(2),
            }
            self.area.remove(number);
        } else if self.is_free_for(Being::Arrow { facing }, to) {
            self.area.shift(number, to);
        } else {
            self.area.remove(number);
            if matches!(self.area.material(to), Material::Table | Material::Furnace) {
                self.area.set(to, Material::Path);
            }
        }
    }

    fn update_plant(&mut self, number: usize, grown: u32) {
        let object = self.area.object_mut(number);
        object.being = Being::Plant { grown };
        let here = object.place;
        let is_creature = |place: Place| {
            let occupant = self.area.occupant(place);
            occupant.is_some_and(|occupant| self.area.object(occupant).being.is_creature())
        };
        let is_trampled = Direction::ALL.into_iter().filter_map(|way| here.next(way)).any(is_creature);
        let object = self.area.object_mut(number);
        object.health -= u8::from(is_trampled && object.health > 0);
        self.remove_if_dead(number);
    }

    fn remove_if_dead(&mut self, number: usize) {
        if self.area.object(number).health == 0 {
            self.area.remove(number);
        }
    }

    /// A step in a drawn direction, if the way is free.
    fn stroll(&mut self, number: usize) {
        let direction = Direction::ALL[self.random.below(4) as usize];
        self.walk(number, Some(direction));
    }

    /// A step, if the way is free, and whether it was. No direction leads to the cell itself, which is free for who is gone.
    fn walk(&mut self, number: usize, direction: Option<Direction>) -> bool {
        let object = *self.area.object(number);
        let to = direction.map_or(Some(object.place), |direction| object.place.next(direction));
        let Some(to) = to.filter(|&to| self.is_free_for(object.being, to)) else { return false };
        self.area.shift(number, to);
        true
    }

    fn is_free_for(&self, being: Being, place: Place) -> bool {
        let ground = self.area.material(place);
        let is_flown_over = matches!(ground, Material::Water | Material::Lava);
        let is_passable = ground.is_walkable() || is_flown_over && matches!(being, Being::Arrow { .. });
        is_passable && self.area.occupant(place).is_none()
    }
}
