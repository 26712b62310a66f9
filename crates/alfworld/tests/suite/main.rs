//! The tests of the crate, in one program.

mod conformance;
mod expert;
mod files;
mod golden;
mod household;
mod player;
mod playthrough;
mod recipes;
mod refusals;

use counsel_alfworld::{Family, Recipe, Task};
use counsel_decision::Seed;

/// Games of both tasks and families in turn.
fn recipes(count: u64) -> impl Iterator<Item = Recipe> {
    (0..count).map(|number| {
        let task = Task::ALL[usize::from(number % 2 == 1)];
        let family = if number / 2 % 2 == 0 { Family::Training } else { Family::Evaluation };
        Recipe::draw(task, family, Seed::root(number))
    })
}
