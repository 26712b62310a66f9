//! An empirical model over contexts: how often each action was tried there, what it brought, and where it led.
//!
//! The agent's own behaviour, kept answers included, is valued in this model by sweeps over the contexts that were met. An
//! action that was tried little is pulled towards what the fallback is worth there. No copy of the world is needed, and
//! every step of the agent counts, whoever chose it.

use std::collections::BTreeMap;

use counsel_decision::refusal::{Refusal, in_range};
use counsel_decision::{Action, ContextKey, Error, ValueBounds, ValueSamples};
use serde::{Deserialize, Serialize};

use crate::tally::{Tally, choice, spread};
use crate::track_record::{TrackRecord, TrackRecordSpec, Tried};

/// How experience becomes values.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `discount` | 0.97 | of what comes a step later, above 0, at most 1 |
/// | `prior_tries` | 10 | tries that the fallback's value counts for, above 0 |
/// | `memory` | 1000 | steps that the fallback's law in a context remembers, 1 or more |
/// | `prior_deviation` | 0.5 | the deviation of a single outcome before any is known, above 0 |
/// | `bound_scale` | 1 | standard errors from the mean to a bound, 0 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExperienceTable {
    /// Of what comes a step later.
    pub discount: f64,
    /// Tries that the fallback's value counts for.
    pub prior_tries: f64,
    /// Steps that the fallback's law in a context remembers.
    pub memory: f64,
    /// The deviation of a single outcome before any is known.
    pub prior_deviation: f64,
    /// Standard errors from the mean to a bound.
    pub bound_scale: f64,
}

impl Default for ExperienceTable {
    fn default() -> Self {
        Self { discount: 0.97, prior_tries: 10.0, memory: 1000.0, prior_deviation: 0.5, bound_scale: 1.0 }
    }
}

impl ExperienceTable {
    /// Refuses a table that cannot be kept.
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { discount, prior_tries, memory, prior_deviation, bound_scale } = *self;
        let remedy = "the defaults are 0.97, 10, 1000, 0.5 and 1";
        in_range(discount > 0.0 && discount <= 1.0, "values.experience.discount", discount, "(0, 1]", remedy)?;
        let many = memory >= 1.0 && memory.is_finite();
        in_range(many, "values.experience.memory", memory, "[1, infinity)", remedy)?;
        let positive =
            [("values.experience.prior_tries", prior_tries), ("values.experience.prior_deviation", prior_deviation)];
        for (what, value) in positive {
            in_range(value > 0.0 && value.is_finite(), what, value, "(0, infinity)", remedy)?;
        }
        let wide = bound_scale >= 0.0 && bound_scale.is_finite();
        in_range(wide, "values.experience.bound_scale", bound_scale, "[0, infinity)", remedy)
    }
}

/// The kept answers, by context.
pub type Kept = BTreeMap<ContextKey, Action>;

/// A step that was experienced.
#[derive(Debug, Clone, PartialEq)]
pub struct Lived {
    /// Where.
    pub context: ContextKey,
    /// What was done.
    pub action: Action,
    /// What it brought.
    pub reward: f64,
    /// The probability of every proposal of the fallback there.
    pub law: Vec<f64>,
    /// Whether it followed the advisor.
    pub followed: bool,
}

/// What an action led to.
#[derive(Debug, Clone, Default)]
struct Led {
    count: f64,
    reward: f64,
    squares: f64,
    /// The contexts that followed, by place, and how often.
    next: BTreeMap<usize, f64>,
}

/// What is known of one context.
#[derive(Debug, Clone)]
struct Page {
    led: Vec<Led>,
    law: Vec<f64>,
    /// How many steps the law remembers.
    steps: f64,
    worth: Worth,
}

/// What a context is worth: when the fallback acts there once, and when the agent goes on as it does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Worth {
    own: f64,
    acting: f64,
}

/// Sweeps over the model at most, and the change below which they end.
const SWEEPS: usize = 120;
const SETTLED: f64 = 1e-6;

/// The empirical model.
#[derive(Debug, Clone)]
pub struct Experience {
    table: ExperienceTable,
    actions: usize,
    places: BTreeMap<ContextKey, usize>,
    pages: Vec<Page>,
}

impl Experience {
    /// A model of nothing.
    pub fn new(table: ExperienceTable, actions: usize) -> Self {
        Self { table, actions, places: BTreeMap::new(), pages: Vec::new() }
    }

    /// Takes note of the steps of an episode that count. Where it ran out of time, nobody knows what its last step led to.
    pub fn learn(&mut self, episode: &[Lived], terminated: bool, counts: impl Fn(&Lived) -> bool) {
        for (step, lived) in episode.iter().enumerate().filter(|(_, lived)| counts(lived)) {
            let next = episode.get(step + 1).map(|next| self.place(next.context));
            if next.is_none() && !terminated {
                continue;
            }
            let place = self.place(lived.context);
            let Page { led, law, steps, .. } = &mut self.pages[place];
            let led = &mut led[lived.action.index()];
            led.count += 1.0;
            led.reward += lived.reward;
            led.squares += lived.reward * lived.reward;
            if let Some(next) = next {
                *led.next.entry(next).or_default() += 1.0;
            }
            *steps = (*steps + 1.0).min(self.table.memory);
            law.iter_mut().zip(&lived.law).for_each(|(mean, chance)| *mean += (chance - *mean) / *steps);
        }
    }

    fn place(&mut self, context: ContextKey) -> usize {
        let new = self.pages.len();
        let place = *self.places.entry(context).or_insert(new);
        if place == new {
            let (led, law) = (vec![Led::default(); self.actions], vec![0.0; self.actions]);
            self.pages.push(Page { led, law, steps: 0.0, worth: Worth::default() });
        }
        place
    }

    /// Values the agent's behaviour: the fallback's proposals, and kept answers where they are no worse.
    pub fn plan(&mut self, kept: &Kept, record: Option<&TrackRecord>) {
        let mut answers = vec![None; self.pages.len()];
        for (context, action) in kept {
            if let Some(&place) = self.places.get(context) {
                answers[place] = Some(action.index());
            }
        }
        let settled = self.settle(|place, page, worth, _, own| match answers[place] {
            None => own,
            Some(kept) => {
                let credit = record.map_or(0.0, |record| record.credit(page.led[kept].count));
                let (mine, credited) = (worth[kept], worth[kept] + credit);
                let acts = |(chance, other): (&f64, &f64)| chance * if credited >= *other { mine } else { *other };
                page.law.iter().zip(worth).map(acts).sum()
            }
        });
        self.pages.iter_mut().zip(settled).for_each(|(page, worth)| page.worth = worth);
    }

    /// What each context would be worth if the choices of another model were followed from there on.
    pub(crate) fn worth_of(&self, other: &Self) -> BTreeMap<ContextKey, f64> {
        let mut choices = vec![None; self.pages.len()];
        for (context, &place) in &self.places {
            choices[place] = other.choice(*context);
        }
        let settled = self.settle(|place, _, _, seen, own| choices[place].map_or(own, |action| seen[action.index()]));
        self.places.iter().map(|(context, &place)| (*context, settled[place].acting)).collect()
    }

    /// Sweeps until the values settle; `acting` says what a context is worth when its actions are worth this.
    fn settle(&self, acting: impl Fn(usize, &Page, &[f64], &[f64], f64) -> f64) -> Vec<Worth> {
        let mut values: Vec<Worth> = self.pages.iter().map(|page| page.worth).collect();
        let (mut worth, mut seen) = (vec![0.0; self.actions], vec![0.0; self.actions]);
        for _ in 0..SWEEPS {
            let mut moved: f64 = 0.0;
            for (place, page) in self.pages.iter().enumerate() {
                let before = values[place];
                for ((worth, seen), led) in worth.iter_mut().zip(&mut seen).zip(&page.led) {
                    let (gained, prior) = (self.gained(led, &values), self.table.prior_tries);
                    *worth = (gained + prior * before.own) / (led.count + prior);
                    *seen = if led.count > 0.0 { gained / led.count } else { before.own };
                }
                let own = page.law.iter().zip(&worth).map(|(chance, worth)| chance * worth).sum();
                let after = Worth { own, acting: acting(place, page, &worth, &seen, own) };
                moved = moved.max((before.own - after.own).abs()).max((before.acting - after.acting).abs());
                values[place] = after;
            }
            if moved < SETTLED {
                break;
            }
        }
        values
    }

    /// What all tries of an action brought together, when each context is worth this.
    fn gained(&self, led: &Led, values: &[Worth]) -> f64 {
        let future: f64 = led.next.iter().map(|(next, count)| count * values[*next].acting).sum();
        led.reward + self.table.discount * future
    }

    /// What was seen of an action, by the values of the last plan.
    fn tally(&self, led: &Led) -> Tally {
        if led.count == 0.0 {
            return Tally::default();
        }
        let values = |place: usize| self.table.discount * self.pages[place].worth.acting;
        let future: f64 = led.next.iter().map(|(next, count)| count * values(*next)).sum();
        let mean = (led.reward + future) / led.count;
        let squares: f64 = led.next.iter().map(|(next, count)| count * values(*next).powi(2)).sum();
        Tally { count: led.count, mean, spread: (led.squares + squares - led.count * mean * mean).max(0.0) }
    }

    fn page(&self, context: ContextKey) -> Option<&Page> {
        self.places.get(&context).map(|&place| &self.pages[place])
    }

    /// The mean value of every action in a context, pulled towards the fallback's, and its standard error.
    fn means(&self, context: ContextKey) -> (Vec<f64>, Vec<f64>) {
        let Some(page) = self.page(context) else {
            let unknown = Tally::default().error(self.table.prior_deviation);
            return (vec![0.0; self.actions], vec![unknown; self.actions]);
        };
        let prior = self.table.prior_tries;
        page.led
            .iter()
            .map(|led| {
                let tally = self.tally(led);
                let mean = (tally.count * tally.mean + prior * page.worth.own) / (tally.count + prior);
                (mean, tally.error(self.table.prior_deviation))
            })
            .unzip()
    }

    /// The values of a context: samples spread by the standard error, and bounds.
    pub fn values(&self, context: ContextKey) -> Result<(ValueSamples, ValueBounds), Error> {
        let (means, errors) = self.means(context);
        spread(&means, &errors, self.table.bound_scale)
    }

    /// What this model alone would do in a context; nothing where it does not tell actions apart.
    pub fn choice(&self, context: ContextKey) -> Option<Action> {
        let (means, _) = self.page(context).map(|_| self.means(context))?;
        choice(&means)
    }

    /// What an episode returned, by the discount of this model.
    pub fn discounted(&self, episode: &[Lived]) -> f64 {
        episode.iter().rev().fold(0.0, |later, lived| lived.reward + self.table.discount * later)
    }

    /// How often each action was tried in a context.
    pub fn tries(&self, context: ContextKey) -> Vec<f64> {
        self.page(context)
            .map_or_else(|| vec![0.0; self.actions], |page| page.led.iter().map(|led| led.count).collect())
    }

    /// The record of an advisor whose kept answers are these, and so many of whose answers were unusable.
    pub fn record(&self, spec: TrackRecordSpec, kept: &Kept, unusable: usize) -> TrackRecord {
        let mut answers = vec![Tried::UNUSABLE; unusable];
        for (context, action) in kept {
            let Some(page) = self.page(*context) else { continue };
            let tally = self.tally(&page.led[action.index()]);
            if tally.count > 0.0 {
                answers.push(Tried { count: tally.count, gain: tally.mean - page.worth.own });
            }
        }
        TrackRecord::of(spec, &answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Action 1 leads from context 0 to context 1 and from there to a reward of 1; action 0 stays where it is.
    fn walked(episodes: usize) -> Experience {
        let mut experience = Experience::new(ExperienceTable::default(), 2);
        let lived = |context, action, reward| Lived {
            context: ContextKey(context),
            action: Action(action),
            reward,
            law: vec![0.5, 0.5],
            followed: false,
        };
        for _ in 0..episodes {
            let episode = [lived(0, 0, 0.0), lived(0, 1, 0.0), lived(1, 0, 0.0), lived(1, 1, 1.0)];
            experience.learn(&episode, true, |_| true);
        }
        experience
    }

    #[test]
    fn values_approach_those_of_the_markov_chain_that_was_walked() {
        let mut experience = walked(2_000);
        experience.plan(&Kept::new(), None);
        // The fallback moves half of the time: w1 = (1 + 0.97 w1) / 2, w0 = 0.97 (w0 + w1) / 2.
        let second = 0.5 / (1.0 - 0.485);
        let first = 0.485 * second / (1.0 - 0.485);
        let (samples, _) = experience.values(ContextKey(0)).unwrap();
        let means = samples.means(None);
        assert!((means[0] - 0.97 * first).abs() < 5e-3 && (means[1] - 0.97 * second).abs() < 5e-3, "{means:?}");
        assert!((experience.worth_of(&experience)[&ContextKey(0)] - 0.97).abs() < 5e-3);
        assert_eq!(experience.choice(ContextKey(0)), Some(Action(1)));
    }

    #[test]
    fn an_answer_that_helps_has_a_record_that_says_so() {
        let mut experience = walked(50);
        for (action, helps) in [(Action(1), true), (Action(0), false)] {
            let kept = Kept::from([(ContextKey(0), action), (ContextKey(1), action)]);
            experience.plan(&kept, None);
            let spec = TrackRecordSpec { prior_gain: 0.0, caution: 0.0, ..TrackRecordSpec::default() };
            let trust = experience.record(spec, &kept, 0);
            assert_eq!(trust.trust() > 0.0, helps, "{trust:?}");
        }
    }

    #[test]
    fn nothing_is_told_apart_where_nothing_was_met() {
        let experience = walked(3);
        assert_eq!(experience.choice(ContextKey(9)), None);
        let (samples, bounds) = experience.values(ContextKey(9)).unwrap();
        assert!(samples.means(None)[0].abs() < 1e-12);
        assert_eq!((bounds.lower()[0], bounds.upper()[0]), (-0.5, 0.5));
    }
}
