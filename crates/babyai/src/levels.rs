//! BabyAI as the command line knows it: levels to choose from, pictures and keys.

use std::fmt::Write;

use counsel_decision::Action;
use counsel_world::{Control, Effect, Levels, Listed, Shown, Sight};
use serde_json::json;

use crate::{Act, World, levels};

/// The world of BabyAI, where its types are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BabyAi;

impl Levels for BabyAi {
    fn levels(&self) -> Vec<Listed> {
        let about = |level: &crate::Level| format!("{} x {} cells", level.width(), level.height());
        levels().iter().map(|level| Listed { id: level.id, about: about(level) }).collect()
    }

    fn open(&self, id: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>, String> {
        let world = match max_steps {
            Some(max_steps) => World::with_max_steps(id, max_steps),
            None => World::new(id),
        };
        world.map(|world| Box::new(world) as Box<dyn Shown>).map_err(|error| error.to_string())
    }
}

impl Shown for World {
    fn controls(&self) -> Vec<Control> {
        Control::each("lrfpdtx", Act::ALL.map(Act::name))
    }

    /// The seed is the original's: the episode is the one that it would show.
    fn begin(&mut self, seed: Option<u64>) {
        self.reset(seed);
    }

    fn act(&mut self, action: Action) -> Effect {
        self.step(Act::try_from(action.index()).unwrap_or(Act::Done))
    }

    /// The agent's view beside the whole grid.
    fn picture(&self) -> String {
        let mut text = format!("{} (step {} of {})\n", self.mission(), self.state().steps(), self.max_steps());
        let (view, grid) = (self.view_text(), self.grid_text());
        let (view, grid): (Vec<&str>, Vec<&str>) = (view.lines().collect(), grid.lines().collect());
        for row in 0..view.len().max(grid.len()) {
            let line = |lines: &[&str]| lines.get(row).map_or_else(String::new, ToString::to_string);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {:<14}    {}", line(&view), line(&grid));
        }
        if let Some(carried) = self.carried_text() {
            let _ = writeln!(text, "you carry a {carried}");
        }
        text
    }

    fn tiles(&self) -> Option<Sight> {
        Some(self.sight())
    }

    /// A step of a shortest way.
    fn advice(&self) -> Option<String> {
        let best = self.state().optimum().ok().flatten()?;
        best.acts.iter().next().map(|act| act.name().to_owned())
    }

    fn observation_json(&self) -> String {
        let observation = self.observation();
        let shown = json!({
            "image": observation.image,
            "direction": observation.direction,
            "mission": self.mission(),
            "max_steps": self.max_steps(),
        });
        shown.to_string()
    }
}
