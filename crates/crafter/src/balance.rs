//! Every tenth step creatures come to life or disappear, so that each chunk keeps about as many as its ground and the light allow.

use crate::chunk::{Chunk, Kind};
use crate::{Place, State};

/// How many creatures of a kind a chunk should have, and how it gets there.
struct Target {
    kind: Kind,
    least: u8,
    most: u8,
    /// As near to the player none comes to life.
    birth_distance: u8,
    /// As near to the player none disappears.
    death_distance: u8,
    birth_chance: f64,
    death_chance: f64,
}

impl State {
    pub(crate) fn balance(&mut self) {
        let light = self.daylight();
        let zombies = whole(3.5 - 3.0 * light);
        for nth in 0.. {
            let Some(chunk) = self.area.chunks().visited(nth) else { return };
            let room = |kind| self.area.chunks().room(chunk, kind);
            let targets = [
                Target {
                    kind: Kind::Zombie,
                    least: if room(Kind::Zombie) < 50 { 0 } else { zombies },
                    most: zombies,
                    birth_distance: 6,
                    death_distance: 0,
                    birth_chance: 0.3,
                    death_chance: 0.4,
                },
                Target {
                    kind: Kind::Skeleton,
                    least: u8::from(room(Kind::Skeleton) >= 6),
                    most: 2,
                    birth_distance: 7,
                    death_distance: 7,
                    birth_chance: 0.1,
                    death_chance: 0.1,
                },
                Target {
                    kind: Kind::Cow,
                    least: u8::from(room(Kind::Cow) >= 30),
                    most: whole(1.5 + light),
                    birth_distance: 5,
                    death_distance: 5,
                    birth_chance: 0.01,
                    death_chance: 0.1,
                },
            ];
            for target in targets {
                self.approach(chunk, &target);
            }
        }
    }

    fn approach(&mut self, chunk: Chunk, target: &Target) {
        let count = self.area.chunks().creatures(chunk, target.kind);
        if count < target.least && self.random.unit() < target.birth_chance {
            let room = self.area.chunks().room(chunk, target.kind);
            let drawn = self.random.below(u32::from(room)) as usize;
            let is_ground = |&place: &Place| self.area.material(place) == target.kind.ground();
            let Some(place) = chunk.places().filter(is_ground).nth(drawn) else { return };
            if self.area.occupant(place).is_none() && self.place().distance(place) >= target.birth_distance {
                self.area.add(target.kind.born(), place);
            }
        } else if count > target.most && self.random.unit() < target.death_chance {
            let drawn = self.random.below(u32::from(count)) as usize;
            let Some(number) = self.nth_creature(chunk, target.kind, drawn) else { return };
            if self.place().distance(self.area.object(number).place) >= target.death_distance {
                self.area.remove(number);
            }
        }
    }

    /// The creature of a kind that came as the n-th into a chunk, of those that are still there.
    fn nth_creature(&self, chunk: Chunk, kind: Kind, nth: usize) -> Option<usize> {
        let objects = self.area.objects().iter().enumerate();
        let mut creatures: Vec<(u32, usize)> = objects
            .filter(|(_, object)| !object.is_removed)
            .filter(|(_, object)| Kind::of(object.being) == Some(kind) && Chunk::of(object.place) == chunk)
            .map(|(number, object)| (object.entered, number))
            .collect();
        creatures.sort_unstable();
        creatures.get(nth).map(|&(_, number)| number)
    }
}

/// The whole part of a small number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 3")]
fn whole(number: f64) -> u8 {
    number as u8
}
