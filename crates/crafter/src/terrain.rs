//! How an area comes about: the ground from noise, then who lives on it.

use crate::area::Area;
use crate::noise::Noise;
use crate::object::Being;
use crate::place::{CELLS, SIDE};
use crate::random::Generator;
use crate::{Material, Place};

/// Where an episode begins: the middle of the area.
pub(crate) const START: Place = Place { x: 32, y: 32 };

/// The area of a stream of random numbers.
pub(crate) fn generate(random: &mut Generator) -> Area {
    let mut area = Area::new(START);
    let noise = Noise::new(random.below((1 << 31) - 1));
    let mut is_tunnel = [false; CELLS];
    for place in places() {
        let (material, tunnel) = ground(place, &noise, random);
        area.lay(place, material);
        is_tunnel[place.index()] = tunnel;
    }
    for place in places() {
        if let Some(being) = inhabitant(place, area.material(place), is_tunnel[place.index()], random) {
            area.add(being, place);
        }
    }
    area
}

fn places() -> impl Iterator<Item = Place> {
    let range = || (0..SIDE).filter_map(|at| u8::try_from(at).ok());
    range().flat_map(move |x| range().map(move |y| Place { x, y }))
}

/// The material of a cell, and whether it is a tunnel.
fn ground(place: Place, noise: &Noise, random: &mut Generator) -> (Material, bool) {
    let (x, y) = (f64::from(place.x), f64::from(place.y));
    let at = |z: f64, size: f64| noise.at(x / size, y / size, z);
    let start = 4.0 - from_start(place) + 2.0 * at(8.0, 3.0);
    let start = 1.0 / (1.0 + libm::exp(-start));
    let water = at(3.0, 15.0) + 0.15 * at(3.0, 5.0) + 0.1 - 2.0 * start;
    let mountain = (at(0.0, 15.0) + 0.3 * at(0.0, 5.0)) / 1.3 - (4.0 * start + 0.3 * water);
    let tunnel = |x: f64, y: f64| noise.at(x / 3.0, y / 3.0, 7.0) > 0.4;
    // The order of the questions is the original's: some of them draw a number.
    let material = if start > 0.5 {
        Material::Grass
    } else if mountain > 0.15 {
        if at(6.0, 7.0) > 0.15 && mountain > 0.3 {
            Material::Path
        } else if tunnel(2.0 * x, y / 5.0) || tunnel(x / 5.0, 2.0 * y) {
            return (Material::Path, true);
        } else if at(1.0, 8.0) > 0.0 && random.unit() > 0.85 {
            Material::Coal
        } else if at(2.0, 6.0) > 0.4 && random.unit() > 0.75 {
            Material::Iron
        } else if mountain > 0.18 && random.unit() > 0.994 {
            Material::Diamond
        } else if mountain > 0.3 && at(6.0, 5.0) > 0.35 {
            Material::Lava
        } else {
            Material::Stone
        }
    } else if water > 0.25 && water <= 0.35 && at(4.0, 9.0) > -0.2 {
        Material::Sand
    } else if water > 0.3 {
        Material::Water
    } else if at(5.0, 7.0) > 0.0 && random.unit() > 0.8 {
        Material::Tree
    } else {
        Material::Grass
    };
    (material, false)
}

/// Who lives on a cell at the beginning, if anybody.
fn inhabitant(place: Place, material: Material, is_tunnel: bool, random: &mut Generator) -> Option<Being> {
    let distance = from_start(place);
    if !material.is_walkable() {
        None
    } else if distance > 3.0 && material == Material::Grass && random.unit() > 0.985 {
        Some(Being::Cow)
    } else if distance > 10.0 && random.unit() > 0.993 {
        Some(Being::Zombie { cooldown: 0 })
    } else if material == Material::Path && is_tunnel && random.unit() > 0.95 {
        Some(Being::Skeleton { reload: 0 })
    } else {
        None
    }
}

/// The length of the straight line from where an episode begins.
fn from_start(place: Place) -> f64 {
    let (across, along) = (f64::from(place.x.abs_diff(START.x)), f64::from(place.y.abs_diff(START.y)));
    (across * across + along * along).sqrt()
}
