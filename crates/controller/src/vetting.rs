//! Whether an advisor is worth following, by what the agent knows itself: its skill is how far its answers go from an action
//! taken at random to the best one.
//!
//! skill = (δ + Σ (Q(x, y) - mean Q(x, ·))) / (δ + Σ (max Q(x, ·) - mean Q(x, ·))), over the contexts x and their answers y. The
//! doubt δ counts as an answer that is right, so nobody is turned away where values tell little apart. The answers of one episode
//! share its fate: where states hardly come back, all of them look bad after a loss and good after a gain, however many they are.
//! With `evidence = "episodes"` they count together as one answer, their mean. Judging costs neither calls nor steps, and an advisor
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

use std::collections::BTreeMap;

use counsel_decision::Action;
use counsel_decision::refusal::{Refusal, at_least, in_range};
use serde::{Deserialize, Serialize};

/// How an advisor is judged.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `least_skill` | 0.5 | the skill below which its answers are neither followed nor bought, at most 1 |
/// | `doubt` | 0.05 | what counts in its favour before any answer, in units of return, above 0 |
/// | `evidence` | `answers` | `answers`, `episodes`: what counts as one piece of evidence |
/// | `circles` | none | steps without a reward on advice where the episode had been before, after which one who is not proven rests; 1 or more |
///
/// ```
/// use counsel_controller::{BooksSpec, ByContext, Values, Vetting};
///
/// let vetting = Some(Vetting { least_skill: 0.2, ..Vetting::default() });
/// let lenient = Values::Experience(ByContext { vetting, ..ByContext::default() });
/// assert!(BooksSpec { values: lenient, ..BooksSpec::recommended() }.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Vetting {
    /// The skill that an advisor needs.
    pub least_skill: f64,
    /// What counts in its favour before any answer.
    pub doubt: f64,
    /// What counts as one piece of evidence; each answer where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// How many steps without a reward may follow an advisor that has not proved itself where the episode had been before; any
    /// number where none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub circles: Option<u64>,
}

/// What counts as one piece of evidence on an advisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Each answer.
    #[default]
    Answers,
    /// The answers of an episode together, by their mean.
    Episodes,
}

impl Default for Vetting {
    fn default() -> Self {
        Self { least_skill: 0.5, doubt: 0.05, evidence: None, circles: None }
    }
}

impl Vetting {
    /// Refuses settings by which nobody can be judged.
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { least_skill, doubt, circles, .. } = *self;
        let remedy = "the defaults are 0.5 and 0.05";
        let within = least_skill.is_finite() && least_skill <= 1.0;
        in_range(within, "vetting.least_skill", least_skill, "(-infinity, 1]", remedy)?;
        in_range(doubt > 0.0 && doubt.is_finite(), "vetting.doubt", doubt, "(0, infinity)", remedy)?;
        let circles = circles.map_or(usize::MAX, |circles| usize::try_from(circles).unwrap_or(usize::MAX));
        at_least("vetting.circles", circles, 1, "pass at least one step, or leave it out")
    }

    /// The skill of answers with these merits.
    fn skill(&self, doubt: Doubt, merits: &[Merit]) -> f64 {
        let (mut gained, mut possible) = (0.0, self.doubt);
        if doubt == Doubt::InFavour {
            gained = self.doubt;
        }
        for merit in merits {
            gained += merit.gained;
            possible += merit.possible;
        }
        gained / possible
    }

    /// Whether an advisor of this standing rests after this number of steps that followed advice where the episode had been before.
    pub(crate) fn rests(&self, standing: Standing, circles: u64) -> bool {
        standing == Standing::Followed && self.circles.is_some_and(|most| circles >= most)
    }

    /// What an advisor is worth with the merits of these answers, each with the episode in which it was heard.
    pub fn judge(&self, answers: impl Iterator<Item = (u64, Merit)>) -> Standing {
        let merits: Vec<Merit> = match self.evidence.unwrap_or_default() {
            Evidence::Answers => answers.map(|(_, merit)| merit).collect(),
            Evidence::Episodes => {
                let mut episodes: BTreeMap<u64, Vec<Merit>> = BTreeMap::new();
                answers.for_each(|(episode, merit)| episodes.entry(episode).or_default().push(merit));
                episodes.values().map(|merits| Merit::mean(merits)).collect()
            }
        };
        let reaches = |doubt| self.skill(doubt, &merits) >= self.least_skill;
        match (reaches(Doubt::AtRandom), reaches(Doubt::InFavour)) {
            (true, _) => Standing::Proven,
            (false, true) => Standing::Followed,
            (false, false) => Standing::TurnedAway,
        }
    }
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

    /// The mean of some merits, at least one.
    fn mean(merits: &[Self]) -> Self {
        let mean = |part: fn(&Self) -> f64| merits.iter().map(part).sum::<f64>() / merits.len() as f64;
        Self { gained: mean(|merit| merit.gained), possible: mean(|merit| merit.possible) }
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
        let of = |action| vetting.skill(Doubt::InFavour, &[Merit::of(&VALUES, Action(action))]);
        // The mean is 0.2, the best 0.6.
        assert!((of(3) - 1.0).abs() < 1e-12);
        assert!((of(2) - 0.1 / 0.5).abs() < 1e-12);
        assert!((of(0) + 0.1 / 0.5).abs() < 1e-12);
    }

    #[test]
    fn nobody_is_turned_away_or_proven_before_the_values_tell_actions_apart() {
        let judged = |values: [f64; 4], answer, times| {
            Vetting::default().judge(std::iter::repeat_n((0, Merit::of(&values, Action(answer))), times))
        };
        assert_eq!(judged(VALUES, 3, 0), Standing::Followed);
        assert_eq!(judged([0.0; 4], 1, 30), Standing::Followed);
        assert_eq!(judged(VALUES, 0, 3), Standing::TurnedAway);
        assert_eq!(judged(VALUES, 2, 3), Standing::TurnedAway);
        assert_eq!(judged(VALUES, 3, 3), Standing::Proven);
    }

    #[test]
    fn the_answers_of_an_episode_count_as_one_where_episodes_are_the_evidence() {
        // One episode was lost with seven answers, and each of three others was won with one.
        let merit = |action| Merit::of(&VALUES, Action(action));
        let answers = || std::iter::repeat_n((0, merit(0)), 7).chain([(1, merit(3)), (2, merit(3)), (3, merit(3))]);
        let judged = |evidence| Vetting { evidence, ..Vetting::default() }.judge(answers());
        assert_eq!(judged(None), Standing::TurnedAway);
        assert_eq!(judged(Some(Evidence::Answers)), Standing::TurnedAway);
        assert_eq!(judged(Some(Evidence::Episodes)), Standing::Proven);
        let lost = (0..4).map(|episode| (episode, merit(0)));
        let by_episode = Vetting { evidence: Some(Evidence::Episodes), ..Vetting::default() };
        assert_eq!(by_episode.judge(lost), Standing::TurnedAway, "one that is wrong in every episode is found out");
    }

    #[test]
    fn the_word_of_one_who_was_turned_away_lifts_no_action_above_another() {
        for values in [VALUES.to_vec(), vec![0.0; 4], vec![-1.0, 5.0]] {
            let worst = worst_of(&values);
            assert!(values.iter().all(|advised| values.iter().all(|other| advised + worst < *other)));
        }
    }
}
