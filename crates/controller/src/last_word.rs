//! Somebody has the last word: a person, or the program that uses the controller, sets another action than the one that was decided.
//!
//! Invariants: an override stands between a decision and its outcome; the books learn from what was executed, and neither credit nor
//! charge advice for it, nor count the episode for or against who leads.

use counsel_decision::{Action, Override};

use crate::{Controller, Error};

/// The longest name of who decides.
const LONGEST: usize = 64;

impl Controller {
    /// Says that `action` is executed in the place of the last decision's at the present place, and who decided that: the role of a
    /// person, or the name of a program. It is said before the outcome; the last word counts. What it returns completes the record of
    /// the decision, for the log.
    ///
    /// ```
    /// use counsel_controller::{Action, Budget, Controller, Outcome, Situation, Turn};
    ///
    /// let mut controller = Controller::recommended(0.01, Budget::calls(0), &["brake", "go"])?;
    /// let Turn::Act(mut act) = controller.decide(Situation::of("a crossing").proposing(Action(1)))? else { unreachable!() };
    /// act.record.set_override(controller.override_with(Action(0), "operator")?);
    /// controller.outcome(Outcome::reward(0.0))?;
    /// assert_eq!((act.record.executed, act.record.decided()), (Action(0), Action(1)));
    /// assert_eq!(controller.diagnose().overridden, 1);
    /// # Ok::<(), counsel_controller::Error>(())
    /// ```
    pub fn override_with(&mut self, action: Action, by: impl Into<String>) -> Result<Override, Error> {
        let by = by.into();
        let notes = &mut self.episodes[self.place];
        let actions = notes.waiting().ok_or(Error::NoDecision)?.fallback_law.len();
        if action.index() >= actions {
            return Err(Error::Override { action: action.index(), actions });
        }
        if by.is_empty() || by.chars().count() > LONGEST || by.chars().any(char::is_control) {
            return Err(Error::Overrider { by });
        }
        let was_counted = notes.waiting().is_some_and(|step| step.overridden);
        let instead_of = notes.set(action).ok_or(Error::NoDecision)?;
        if !was_counted {
            self.counts.count_override();
        }
        Ok(Override { by, action, instead_of })
    }

    /// The step of the last decision at the present place, while it waits for its outcome.
    pub fn waiting(&self) -> Option<u64> {
        let notes = &self.episodes[self.place];
        notes.waiting().map(|_| notes.number_of_last)
    }
}
