//! A drawn game as a problem in PDDL, which the original plays too.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::Recipe;
use crate::house::HOUSES;

/// Classes that actions name, so that the planner must know them in every game.
const NAMED_OBJECTS: [&str; 2] = ["knife", "butterknife"];
const NAMED_PLACES: [&str; 3] = ["sinkbasin", "microwave", "fridge"];

impl Recipe {
    /// The problem.
    pub fn problem(&self) -> String {
        let places: Vec<String> = (1..).zip(&self.places).map(|(number, class)| place_id(class, number)).collect();
        let objects: Vec<String> =
            (1..).zip(&self.objects).map(|(number, (class, _))| format!("{class}_bar_{number}")).collect();
        let classes = |used: Vec<&str>, named: &[&'static str]| -> BTreeSet<String> {
            used.into_iter().chain(named.iter().copied()).map(str::to_owned).collect()
        };
        let object_classes = classes(self.objects.iter().map(|(class, _)| class.as_str()).collect(), &NAMED_OBJECTS);
        let place_classes = classes(self.places.iter().map(String::as_str).collect(), &NAMED_PLACES);

        let mut text = String::from(
            "(define (problem drawn)\n(:domain alfred)\n(:objects\nagent1 - agent\nloc_bar_0 - location\n",
        );
        // Writing to a string cannot fail.
        let mut line = |words: std::fmt::Arguments<'_>| {
            let _ = writeln!(text, "{words}");
        };
        object_classes.iter().for_each(|class| line(format_args!("{class}Type - otype")));
        place_classes.iter().for_each(|class| line(format_args!("{class}Type - rtype")));
        objects.iter().for_each(|id| line(format_args!("{id} - object")));
        for (number, id) in (1..).zip(&places) {
            line(format_args!("{id} - receptacle loc_bar_{number} - location"));
        }
        line(format_args!(")\n(:init\n(atLocation agent1 loc_bar_0)"));
        for (number, (id, class)) in (1..).zip(places.iter().zip(&self.places)) {
            line(format_args!("(receptacleType {id} {class}Type) (receptacleAtLocation {id} loc_bar_{number})"));
            if HOUSES.is_openable(class) {
                line(format_args!("(openable {id})"));
            }
        }
        for place in &place_classes {
            for object in object_classes.iter().filter(|object| HOUSES.found(object, place) > 0) {
                line(format_args!("(canContain {place}Type {object}Type)"));
            }
        }
        for (id, (class, at)) in objects.iter().zip(&self.objects) {
            let (place, location) = (&places[*at], at + 1);
            line(format_args!("(objectType {id} {class}Type) (inReceptacle {id} {place})"));
            line(format_args!("(objectAtLocation {id} loc_bar_{location})"));
            let traits = HOUSES.object.get(class).map(|habit| &habit.traits[..]).unwrap_or_default();
            traits.iter().for_each(|name| line(format_args!("({name} {id})")));
            if !traits.iter().any(|name| name == "toggleable") {
                line(format_args!("(pickupable {id})"));
            }
        }
        line(format_args!(")\n(:goal {}))", self.goal.pddl()));
        text
    }
}

/// Basins are written as parts of what they are in.
fn place_id(class: &str, number: usize) -> String {
    match class.strip_suffix("basin") {
        Some(whole) => format!("{whole}_bar_{number}_bar_{class}"),
        None => format!("{class}_bar_{number}"),
    }
}
