//! Whether an advisor is worth following, by what the agent knows itself: its skill is how far its answers go from an action
//! taken at random to the best one.
//!
//! skill = (δ + Σ (Q(x, y) - mean Q(x, ·))) / (δ + Σ (max Q(x, ·) - mean Q(x, ·))), over the contexts x and their answers y. The
//! doubt δ counts as an answer that is right, so nobody is turned away where values tell little apart. With `answers` it counts as
//! that many more, each with as much at stake as the others on average. Judging costs neither calls nor steps, and an advisor
//! that was turned away is judged again as the values change. So is one that used up its bankroll: an unlucky episode can do that
//! to a good advisor. It gets a new one when its answers turn out to be good although the doubt counts as an answer at random.
//!
//! Values tell nothing apart before something was gained, and who advises badly in every episode until then keeps the agent from
//! the very rewards that would find it out. So one that has the benefit of the doubt alone rests for what is left of an episode,
//! neither asked nor followed, once `circles` steps since the last reward followed advice in a context and state where the
//! episode had been before.
//!
//! **Bound.** Between two rewards of an episode, one that is not proven leads it at most `circles` times on from where it had
//! been before.

use counsel_decision::Action;
use counsel_decision::refusal::{Refusal, at_least, in_range};
use serde::{Deserialize, Serialize};

/// How an advisor is judged.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `least_skill` | 0.5 | the skill below which its answers are neither followed nor bought, at most 1 |
/// | `doubt` | 0.05 | what counts in its favour before any answer, in units of return, above 0 |
/// | `answers` | 0 | answers that the doubt counts for beside that: with few answers, a wrong one says little; 0 or more |
/// | `circles` | none | steps without a reward on advice where the episode had been before, after which one who is not proven rests; 1 or more |
///
/// ```
/// use counsel_controller::{BooksSpec, ByContext, Values, Vetting};
///
/// let vetting = Some(Vetting { least_skill: 0.2, ..Vetting::default() });
/// let patient = Values::Experience(ByContext { vetting, ..ByContext::default() });
/// assert!(BooksSpec { values: patient, ..BooksSpec::recommended() }.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Vetting {
    /// The skill that an advisor needs.
    pub least_skill: f64,
    /// What counts in its favour before any answer.
    pub doubt: f64,
    /// Answers of the usual stake that the doubt counts for as well.
    #[serde(skip_serializing_if = "is_none")]
    pub answers: f64,
    /// How many steps without a reward may follow an advisor that has not proved itself where the episode had been before; any
    /// number where none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub circles: Option<u64>,
}

impl Default for Vetting {
    fn default() -> Self {
        Self { least_skill: 0.5, doubt: 0.05, answers: 0.0, circles: None }
    }
}

impl Vetting {
    /// Refuses settings by which nobody can be judged.
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { least_skill, doubt, answers, circles } = *self;
        let remedy = "the defaults are 0.5, 0.05 and 0";
        let within = least_skill.is_finite() && least_skill <= 1.0;
        in_range(within, "vetting.least_skill", least_skill, "(-infinity, 1]", remedy)?;
        in_range(doubt > 0.0 && doubt.is_finite(), "vetting.doubt", doubt, "(0, infinity)", remedy)?;
        in_range(answers >= 0.0 && answers.is_finite(), "vetting.answers", answers, "[0, infinity)", remedy)?;
        let circles = circles.map_or(usize::MAX, |circles| usize::try_from(circles).unwrap_or(usize::MAX));
        at_least("vetting.circles", circles, 1, "pass at least one step, or leave it out")
    }

    /// The skill of answers with these merits.
    fn skill(&self, doubt: Doubt, answers: impl Iterator<Item = Merit> + Clone) -> f64 {
        let doubted = self.doubt + self.answers * usual_stake(answers.clone());
        let (mut gained, mut possible) = (0.0, doubted);
        if doubt == Doubt::InFavour {
            gained = doubted;
        }
        for merit in answers {
            gained += merit.gained;
            possible += merit.possible;
        }
        gained / possible
    }

    /// Whether an advisor of this standing rests after this number of steps that followed advice where the episode had been before.
    pub(crate) fn rests(&self, standing: Standing, circles: u64) -> bool {
        standing == Standing::Followed && self.circles.is_some_and(|most| circles >= most)
    }

    /// What an advisor with these answers is worth.
    pub fn judge(&self, answers: &(impl Iterator<Item = Merit> + Clone)) -> Standing {
        let reaches = |doubt| self.skill(doubt, answers.clone()) >= self.least_skill;
        match (reaches(Doubt::AtRandom), reaches(Doubt::InFavour)) {
            (true, _) => Standing::Proven,
            (false, true) => Standing::Followed,
            (false, false) => Standing::TurnedAway,
        }
    }
}

/// What the best action would have gained at one of these answers, on average.
fn usual_stake(answers: impl Iterator<Item = Merit>) -> f64 {
    let (count, possible) = answers.fold((0.0, 0.0), |(count, sum), merit| (count + 1.0, sum + merit.possible));
    if count > 0.0 { possible / count } else { 0.0 }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over by reference")]
fn is_none(answers: &f64) -> bool {
    *answers == 0.0
}

/// What an answer gained over an action taken at random, by the values of all actions, and what the best one would have gained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merit {
    gained: f64,
    possible: f64,
}

impl Merit {
    /// The merit of this answer among actions with these values.
    pub fn of(values: &[f64], answer: Action) -> Self {
        let random = values.iter().sum::<f64>() / values.len() as f64;
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { gained: values[answer.index()] - random, possible: best - random }
    }
}

/// What an advisor is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// Its answers are good even if the doubt counts as one at random.
    Proven,
    /// It has the benefit of the doubt.
    Followed,
    /// Its answers are neither followed nor bought.
    TurnedAway,
}

/// What kind of answer the doubt counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// A right one.
    InFavour,
    /// One at random.
    AtRandom,
}

/// What an answer counts for where its advisor is turned away: less than any other action, whatever the values.
pub fn worst_of(values: &[f64]) -> f64 {
    let (low, high) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
    low - high - 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [f64; 4] = [0.0, 0.0, 0.2, 0.6];

    #[test]
    fn skill_is_the_way_from_a_random_action_to_the_best() {
        let vetting = Vetting { doubt: 0.1, ..Vetting::default() };
        let of = |action| vetting.skill(Doubt::InFavour, std::iter::once(Merit::of(&VALUES, Action(action))));
        // The mean is 0.2, the best 0.6.
        assert!((of(3) - 1.0).abs() < 1e-12);
        assert!((of(2) - 0.1 / 0.5).abs() < 1e-12);
        assert!((of(0) + 0.1 / 0.5).abs() < 1e-12);
    }

    #[test]
    fn nobody_is_turned_away_or_proven_before_the_values_tell_actions_apart() {
        let judged = |values: [f64; 4], answer, times| {
            Vetting::default().judge(&std::iter::repeat_n(Merit::of(&values, Action(answer)), times))
        };
        assert_eq!(judged(VALUES, 3, 0), Standing::Followed);
        assert_eq!(judged([0.0; 4], 1, 30), Standing::Followed);
        assert_eq!(judged(VALUES, 0, 3), Standing::TurnedAway);
        assert_eq!(judged(VALUES, 2, 3), Standing::TurnedAway);
        assert_eq!(judged(VALUES, 3, 3), Standing::Proven);
    }

    #[test]
    fn with_doubt_worth_some_answers_one_wrong_answer_turns_nobody_away() {
        let judged = |answers, wrong, right| {
            let merits = [(0, wrong), (3, right)].map(|(a, n)| std::iter::repeat_n(Merit::of(&VALUES, Action(a)), n));
            Vetting { answers, ..Vetting::default() }.judge(&merits.into_iter().flatten())
        };
        assert_eq!(judged(0.0, 1, 0), Standing::TurnedAway);
        assert_eq!(judged(4.0, 1, 0), Standing::Followed);
        assert_eq!(judged(4.0, 6, 0), Standing::TurnedAway, "one that is always wrong is found out all the same");
        assert_eq!(judged(4.0, 4, 16), Standing::Proven, "four of five are right");
    }

    #[test]
    fn the_word_of_one_who_was_turned_away_lifts_no_action_above_another() {
        for values in [VALUES.to_vec(), vec![0.0; 4], vec![-1.0, 5.0]] {
            let worst = worst_of(&values);
            assert!(values.iter().all(|advised| values.iter().all(|other| advised + worst < *other)));
        }
    }
}
