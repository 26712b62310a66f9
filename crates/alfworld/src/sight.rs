//! A moment as a person is shown it: what the player was told last, and what can be done.

use counsel_world::Sight;

use crate::World;

impl World {
    /// What a person is shown now.
    pub fn sight(&self) -> Sight {
        let standing = self.standing();
        let commands: Vec<&str> = standing.commands().collect();
        let step = format!("step {} of {}", standing.steps(), self.spec().horizon);
        Sight { words: format!("{}\n\n({step})\n{}", standing.told(), commands.join("\n")), ..Sight::default() }
    }
}
