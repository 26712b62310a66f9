//! What a game asks for, as its words say it: all that a player knows of the goal.

use crate::Task;

/// A task, read from its words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Errand {
    /// The kind of task.
    pub task: Task,
    /// The class of the object.
    pub object: String,
    /// The class of the place where it has to go, or of the lamp.
    pub target: String,
}

impl Errand {
    /// The errand in these words; none where they are not one of the four ways in which ALFWorld says such a task.
    pub fn read(words: &str) -> Option<Self> {
        let words: Vec<&str> = words.split(' ').collect();
        let (task, object, target) = match words[..] {
            ["put", "a" | "some", object, "in" | "on", target] => (Task::PickAndPlace, object, target),
            ["look", "at", object, "under", "the", target] | ["examine", "the", object, "with", "the", target] => {
                (Task::LookAtObject, object, target)
            }
            _ => return None,
        };
        Some(Self { task, object: object.to_owned(), target: target.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, Goal};

    #[test]
    fn every_wording_of_every_goal_is_read() {
        for task in Task::ALL {
            for goal in [Family::Training, Family::Evaluation].iter().flat_map(|&family| Goal::all(task, family)) {
                let expected = Errand { task, object: goal.object.clone(), target: goal.target.clone() };
                for words in goal.wordings() {
                    assert_eq!(Errand::read(&words), Some(expected.clone()), "{words}");
                }
            }
        }
        assert_eq!(Errand::read("put a clean mug in desk"), None);
    }
}
