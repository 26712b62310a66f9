//! A situation tells what is there and is seen, and nothing else.

use counsel_babyai::words::{Place, Situation, Square, TEMPLATES, Task};
use counsel_babyai::{Act, Image, Observation, World, levels, random::Generator};
use proptest::prelude::*;

/// The cell of the grid at a place, counted from the agent's own cell and direction.
fn cell(world: &World, place: Place) -> (u8, u8) {
    let state = world.state();
    let (x, y) = (i16::from(state.agent().0), i16::from(state.agent().1));
    let (ahead, aside) = (i16::from(place.ahead()), i16::from(place.aside()));
    let (dx, dy) = [(1, 0), (0, 1), (-1, 0), (0, -1)][usize::from(state.direction())];
    let at = |base: i16, forward: i16, right: i16| base + forward * ahead + right * aside;
    (u8::try_from(at(x, dx, -dy)).unwrap(), u8::try_from(at(y, dy, dx)).unwrap())
}

#[test]
fn the_place_is_where_the_nearest_seen_object_lies() {
    for task in Task::ALL {
        let mut world = World::new(task.level()).unwrap();
        let mut random = Generator::new(9);
        let (mut seen, mut unseen) = (0, 0);
        for seed in 0..60 {
            world.reset(Some(seed));
            for _ in 0..40 {
                let situation = Situation::of(&world).unwrap();
                let object = situation.object();
                let fits = |at: (u8, u8)| {
                    let look = world.state().look(at);
                    look.kind() == object.kind && Some(look.colour()) == object.colour
                };
                let steps = |place: Place| place.ahead() + place.aside().unsigned_abs();
                match situation.place() {
                    Some(place) => {
                        assert!(fits(cell(&world, place)), "{task:?} {seed}");
                        seen += 1;
                        let visible = |other: &Place| situation.view().at(*other) != Square::Hidden;
                        let nearer = Place::all().filter(|other| steps(*other) < steps(place)).filter(visible);
                        assert!(nearer.into_iter().all(|other| !fits(cell(&world, other))), "{task:?} {seed}");
                    }
                    None => {
                        unseen += 1;
                        let visible = Place::all().filter(|place| situation.view().at(*place) != Square::Hidden);
                        let inside = visible.filter(|place| !matches!(situation.view().at(*place), Square::Holds(thing) if thing.to_string() == "wall"));
                        assert!(inside.into_iter().all(|place| !fits(cell(&world, place))), "{task:?} {seed}");
                    }
                }
                world.step(Act::ALL[random.below(7) as usize]);
            }
        }
        assert!(seen > 100 && unseen > 100, "{task:?}: {seen} seen, {unseen} unseen");
    }
}

#[test]
fn every_level_is_told_or_refused() {
    let mut told = 0;
    for level in levels() {
        let mut world = World::new(level.id).unwrap();
        for seed in 0..3 {
            world.reset(Some(seed));
            if let Ok(situation) = Situation::of(&world) {
                told += 1;
                for template in TEMPLATES.all() {
                    let prompt = template.words.prompt(&situation);
                    assert!(
                        prompt
                            .messages()
                            .iter()
                            .all(|message| !message.content.contains(['{', '}']) || template.name() == "plain-json")
                    );
                }
            }
        }
    }
    assert!(told > 100, "only {told}");
}

proptest! {
    /// Numbers that no observation has are as good as hidden.
    #[test]
    fn any_image_is_told(numbers in prop::collection::vec(0_u8..9, 147), wild in any::<u8>(), at in 0_usize..147, task in 0_usize..5) {
        let mut image = Image::default();
        let pixels = image.as_flattened_mut().as_flattened_mut();
        pixels.copy_from_slice(&numbers);
        pixels[at] = wild;
        let world = World::new(Task::ALL[task].level()).unwrap();
        let situation = Situation::new(&Observation { image, direction: wild }, world.instruction()).unwrap();
        for template in TEMPLATES.all() {
            let prompt = template.words.prompt(&situation);
            prop_assert_eq!(prompt.digest(), template.words.prompt(&situation).digest());
            prop_assert!(prompt.messages().iter().all(|message| !message.content.is_empty()));
        }
        if let Some(place) = situation.place() {
            prop_assert!(matches!(situation.view().at(place), Square::Holds(thing) if situation.object().fits(thing)));
        }
    }
}
