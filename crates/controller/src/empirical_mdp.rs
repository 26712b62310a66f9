//! An empirical MDP over contexts: state-action statistics from the agent's own steps, and values by value iteration.
//!
//! A state is a context. The agent's own behaviour, held answers included, is evaluated in the model; the value of an action
//! that was tried little is shrunken towards the fallback's. No copy of the world is needed, and every step counts, whoever
//! chose it.

use std::collections::BTreeMap;

use counsel_decision::refusal::{Refusal, in_range};
use counsel_decision::{Action, ContextKey, Error, ValueBounds, ValueSamples};
use serde::{Deserialize, Serialize};

use crate::statistics::{RunningMean, ValueTable, choice, spread};
use crate::track_record::{TrackRecord, TrackRecordSpec, Tried};

/// How experience becomes values.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `discount` | 0.97 | the discount per step, above 0, at most 1 |
/// | `prior_tries` | 10 | tries that the fallback's value counts for, above 0 |
/// | `memory` | 1000 | steps that the fallback's law in a context averages, 1 or more |
/// | `prior_deviation` | 0.5 | the deviation of a single outcome before any is known, above 0 |
/// | `bound_scale` | 1 | standard errors from the mean to a bound, 0 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExperienceSpec {
    /// The discount per step.
    pub discount: f64,
    /// Tries that the fallback's value counts for.
    pub prior_tries: f64,
    /// Steps that the fallback's law in a context averages.
    pub memory: f64,
    /// The deviation of a single outcome before any is known.
    pub prior_deviation: f64,
    /// Standard errors from the mean to a bound.
    pub bound_scale: f64,
}

impl Default for ExperienceSpec {
    fn default() -> Self {
        Self { discount: 0.97, prior_tries: 10.0, memory: 1000.0, prior_deviation: 0.5, bound_scale: 1.0 }
    }
}

impl ExperienceSpec {
    /// Refuses a table that cannot be kept.
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { discount, prior_tries, memory, prior_deviation, bound_scale } = *self;
        let remedy = "the defaults are 0.97, 10, 1000, 0.5 and 1";
        in_range(discount > 0.0 && discount <= 1.0, "values.discount", discount, "(0, 1]", remedy)?;
        let many = memory >= 1.0 && memory.is_finite();
        in_range(many, "values.memory", memory, "[1, infinity)", remedy)?;
        let positive = [("values.prior_tries", prior_tries), ("values.prior_deviation", prior_deviation)];
        for (what, value) in positive {
            in_range(value > 0.0 && value.is_finite(), what, value, "(0, infinity)", remedy)?;
        }
        let wide = bound_scale >= 0.0 && bound_scale.is_finite();
        in_range(wide, "values.bound_scale", bound_scale, "[0, infinity)", remedy)
    }
}

/// The answers that are held, by context.
pub type HeldAnswers = BTreeMap<ContextKey, Action>;

/// One step of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The context in which it was taken.
    pub context: ContextKey,
    /// The action.
    pub action: Action,
    /// Its reward.
    pub reward: f64,
    /// The probability of every proposal of the fallback there.
    pub fallback_law: Vec<f64>,
    /// Whether the action was the advisor's.
    pub followed: bool,
    /// Whether somebody set the action in the place of the controller's, which then followed nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overridden: bool,
}

impl Step {
    /// Whether the agent took it by itself.
    pub(crate) fn is_own(&self) -> bool {
        !self.followed && !self.overridden
    }
}

/// State-action statistics: the transitions that were seen after one action.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct ActionStats {
    count: f64,
    /// The sum of rewards, and of their squares.
    reward: f64,
    squares: f64,
    /// The number of transitions into each successor.
    next: BTreeMap<usize, f64>,
}

/// One state of the model: a context.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StateStats {
    actions: Vec<ActionStats>,
    /// The mean law of the fallback's proposals, and the number of steps that it averages.
    fallback_law: Vec<f64>,
    steps: f64,
    value: StateValue,
}

/// Two values of one state: of one action of the fallback, and of the agent's own behaviour, held answers included.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct StateValue {
    fallback: f64,
    agent: f64,
}

/// The values of the actions of a state in one sweep.
struct Backup<'a> {
    state: &'a StateStats,
    /// Shrunken towards the fallback's value, by the prior tries.
    shrunken: &'a [f64],
    /// As they were seen; the fallback's value where an action was never tried.
    seen: &'a [f64],
    /// The fallback's value.
    fallback: f64,
}

/// The transitions of all actions, one behind the other, so that a sweep reads them in one go.
struct Successors {
    /// Where those of each action begin, state by state; the end of the last ones.
    begins: Vec<usize>,
    /// Each successor and how often it was seen.
    seen: Vec<(usize, f64)>,
}

impl Successors {
    fn of(states: &[StateStats]) -> Self {
        let (mut begins, mut seen) = (vec![0], Vec::new());
        for stats in states.iter().flat_map(|state| &state.actions) {
            seen.extend(stats.next.iter().map(|(next, count)| (*next, *count)));
            begins.push(seen.len());
        }
        Self { begins, seen }
    }

    /// The sum over all tries of the action at this place of the value of the successor.
    fn future(&self, place: usize, values: &[StateValue]) -> f64 {
        self.seen[self.begins[place]..self.begins[place + 1]]
            .iter()
            .map(|(next, count)| count * values[*next].agent)
            .sum()
    }
}

/// The most sweeps of value iteration, and the change below which it has converged. The limit keeps the cost of an
/// episode bounded: with a discount of 0.97 what is left after it is below 3 % of the first change.
const SWEEPS: usize = 120;
const CONVERGED: f64 = 1e-6;

/// The empirical MDP over contexts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EmpiricalMdp {
    spec: ExperienceSpec,
    actions: usize,
    index: BTreeMap<ContextKey, usize>,
    states: Vec<StateStats>,
}

impl EmpiricalMdp {
    /// A model without transitions.
    pub fn new(spec: ExperienceSpec, actions: usize) -> Self {
        Self { spec, actions, index: BTreeMap::new(), states: Vec::new() }
    }

    /// Adds the transitions of an episode that count. The last step of a truncated episode has no known successor and is
    /// left out: counted as terminal, it would teach that time running out is worth nothing.
    pub fn learn(&mut self, episode: &[Step], terminated: bool, counts: impl Fn(&Step) -> bool) {
        for (place, step) in episode.iter().enumerate().filter(|(_, step)| counts(step)) {
            let next = episode.get(place + 1).map(|next| self.number(next));
            if next.is_none() && !terminated {
                continue;
            }
            let number = self.number(step);
            let StateStats { actions, fallback_law, steps, .. } = &mut self.states[number];
            let stats = &mut actions[step.action.index()];
            stats.count += 1.0;
            stats.reward += step.reward;
            stats.squares += step.reward * step.reward;
            if let Some(next) = next {
                *stats.next.entry(next).or_default() += 1.0;
            }
            *steps = (*steps + 1.0).min(self.spec.memory);
            let laws = fallback_law.iter_mut().zip(&step.fallback_law);
            laws.for_each(|(mean, chance)| *mean += (chance - *mean) / *steps);
        }
    }

    /// The number of the state of a step, which is added where it is new. It has the actions of the law of its steps.
    fn number(&mut self, Step { context, fallback_law, .. }: &Step) -> usize {
        let new = self.states.len();
        let number = *self.index.entry(*context).or_insert(new);
        if number == new {
            let (actions, fallback_law) = (Vec::new(), Vec::new());
            self.states.push(StateStats { actions, fallback_law, steps: 0.0, value: StateValue::default() });
        }
        let state = &mut self.states[number];
        let width = fallback_law.len().max(state.actions.len());
        state.actions.resize_with(width, ActionStats::default);
        state.fallback_law.resize(width, 0.0);
        number
    }

    /// Evaluates the agent's own behaviour: the fallback's proposals, and held answers where their credited value is no
    /// worse. The credit decides whether an answer acts; what it then brings is valued without it.
    pub fn evaluate(&mut self, held: &HeldAnswers, record: Option<&TrackRecord>) {
        self.evaluate_among(&[(held.clone(), record.copied())]);
    }

    /// The same with the held answers of several advisors, each with its record: of those in a state, the one with the largest
    /// credited value may act.
    pub(crate) fn evaluate_among(&mut self, held: &[(HeldAnswers, Option<TrackRecord>)]) {
        let mut answers = vec![Vec::new(); self.states.len()];
        for (held, record) in held {
            for (context, action) in held {
                if let Some(&number) = self.index.get(context) {
                    answers[number].push((action.index(), record.as_ref()));
                }
            }
        }
        let values = self.value_iteration(|number, Backup { state, shrunken, fallback, .. }| {
            let credited = answers[number].iter().map(|(held, record)| {
                let tries = state.actions.get(*held).map_or(0.0, |stats| stats.count);
                let credit = record.map_or(0.0, |record| record.credit(tries));
                (shrunken[*held], shrunken[*held] + credit)
            });
            // Of equals the first advisor.
            let best = credited.reduce(|best, other| if other.1 > best.1 { other } else { best });
            let Some((value, credited)) = best else { return fallback };
            let acts = |(chance, other): (&f64, &f64)| chance * if credited >= *other { value } else { *other };
            state.fallback_law.iter().zip(shrunken).map(acts).sum()
        });
        self.states.iter_mut().zip(values).for_each(|(state, value)| state.value = value);
    }

    /// The value of each context under the greedy choices of another model. Values are those that were seen, not the
    /// shrunken ones: the choices come from other data, so nothing flatters them.
    pub(crate) fn value_of_choices(&self, other: &Self) -> BTreeMap<ContextKey, f64> {
        let mut choices = vec![None; self.states.len()];
        for (context, &number) in &self.index {
            choices[number] = other.choice(*context, other.width(*context));
        }
        let values = self.value_iteration(|number, Backup { seen, fallback, .. }| {
            choices[number].map_or(fallback, |action| seen[action.index()])
        });
        self.index.iter().map(|(context, &number)| (*context, values[number].agent)).collect()
    }

    /// Value iteration from the values of the last evaluation; `agent` is the value of a state under the behaviour that is
    /// evaluated. States are swept in the order in which they were met, in place, so the result is the same on every machine.
    fn value_iteration(&self, agent: impl Fn(usize, Backup<'_>) -> f64) -> Vec<StateValue> {
        let mut values: Vec<StateValue> = self.states.iter().map(|state| state.value).collect();
        let successors = Successors::of(&self.states);
        let (mut shrunken, mut seen) = (vec![0.0; self.actions], vec![0.0; self.actions]);
        for _ in 0..SWEEPS {
            let mut moved: f64 = 0.0;
            let mut first = 0;
            for (number, state) in self.states.iter().enumerate() {
                let before = values[number];
                // What a state has no action for was never tried there.
                shrunken.fill(before.fallback);
                seen.fill(before.fallback);
                let actions = state.actions.iter().enumerate();
                for ((shrunken, seen), (action, stats)) in shrunken.iter_mut().zip(&mut seen).zip(actions) {
                    let future = successors.future(first + action, &values);
                    let (total, prior) = (stats.reward + self.spec.discount * future, self.spec.prior_tries);
                    *shrunken = (total + prior * before.fallback) / (stats.count + prior);
                    *seen = if stats.count > 0.0 { total / stats.count } else { before.fallback };
                }
                first += state.actions.len();
                let fallback = state.fallback_law.iter().zip(&shrunken).map(|(chance, value)| chance * value).sum();
                let backup = Backup { state, shrunken: &shrunken, seen: &seen, fallback };
                let after = StateValue { fallback, agent: agent(number, backup) };
                moved = moved.max((before.fallback - after.fallback).abs()).max((before.agent - after.agent).abs());
                values[number] = after;
            }
            if moved < CONVERGED {
                break;
            }
        }
        values
    }

    /// The mean and the spread of an action's outcomes, by the values of the last evaluation.
    fn outcomes(&self, stats: &ActionStats) -> RunningMean {
        if stats.count == 0.0 {
            return RunningMean::default();
        }
        let value = |number: usize| self.spec.discount * self.states[number].value.agent;
        let future: f64 = stats.next.iter().map(|(next, count)| count * value(*next)).sum();
        let mean = (stats.reward + future) / stats.count;
        let squares: f64 = stats.next.iter().map(|(next, count)| count * value(*next).powi(2)).sum();
        RunningMean { count: stats.count, mean, spread: (stats.squares + squares - stats.count * mean * mean).max(0.0) }
    }

    fn state(&self, context: ContextKey) -> Option<&StateStats> {
        self.index.get(&context).map(|&number| &self.states[number])
    }

    /// The mean value of this many actions in a context, shrunken towards the fallback's, and its standard error.
    fn means(&self, context: ContextKey, actions: usize) -> (Vec<f64>, Vec<f64>) {
        let Some(state) = self.state(context) else {
            let unknown = RunningMean::default().error(self.spec.prior_deviation);
            return (vec![0.0; actions], vec![unknown; actions]);
        };
        let untried = ActionStats::default();
        let prior = self.spec.prior_tries;
        let of = |stats: &ActionStats| {
            let outcomes = self.outcomes(stats);
            let mean = (outcomes.count * outcomes.mean + prior * state.value.fallback) / (outcomes.count + prior);
            (mean, outcomes.error(self.spec.prior_deviation))
        };
        (0..actions).map(|action| of(state.actions.get(action).unwrap_or(&untried))).unzip()
    }

    /// The discounted return of an episode.
    pub fn discounted(&self, episode: &[Step]) -> f64 {
        episode.iter().rev().fold(0.0, |later, step| step.reward + self.spec.discount * later)
    }
}

impl ValueTable for EmpiricalMdp {
    fn width(&self, context: ContextKey) -> usize {
        self.state(context).map_or(self.actions, |state| state.actions.len())
    }

    fn values(&self, context: ContextKey, actions: usize) -> Result<(ValueSamples, ValueBounds), Error> {
        let (means, errors) = self.means(context, actions);
        spread(&means, &errors, self.spec.bound_scale)
    }

    fn choice(&self, context: ContextKey, actions: usize) -> Option<Action> {
        let (means, _) = self.state(context).map(|_| self.means(context, actions))?;
        choice(&means)
    }

    fn tries(&self, context: ContextKey, actions: usize) -> Vec<f64> {
        let mut tries = self
            .state(context)
            .map_or_else(Vec::new, |state| state.actions.iter().take(actions).map(|stats| stats.count).collect());
        tries.resize(actions, 0.0);
        tries
    }

    fn record(&self, spec: TrackRecordSpec, answers: &HeldAnswers, unusable: usize) -> TrackRecord {
        let mut tried = vec![Tried::UNUSABLE; unusable];
        for (context, action) in answers {
            let Some(state) = self.state(*context) else { continue };
            let Some(stats) = state.actions.get(action.index()) else { continue };
            let outcomes = self.outcomes(stats);
            let others = state.actions.iter().map(|stats| stats.count).sum::<f64>() - outcomes.count;
            let count = spec.weight.unwrap_or_default().of(outcomes.count, others);
            if count > 0.0 {
                tried.push(Tried { count, gain: outcomes.mean - state.value.fallback });
            }
        }
        TrackRecord::of(spec, &tried)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Action 1 leads from context 0 to context 1 and from there to a reward of 1; action 0 stays where it is.
    fn walked(episodes: usize) -> EmpiricalMdp {
        let mut experience = EmpiricalMdp::new(ExperienceSpec::default(), 2);
        let step = |context, action, reward| Step {
            context: ContextKey(context),
            action: Action(action),
            reward,
            fallback_law: vec![0.5, 0.5],
            followed: false,
            overridden: false,
        };
        for _ in 0..episodes {
            let episode = [step(0, 0, 0.0), step(0, 1, 0.0), step(1, 0, 0.0), step(1, 1, 1.0)];
            experience.learn(&episode, true, |_| true);
        }
        experience
    }

    #[test]
    fn values_approach_those_of_the_markov_chain_that_was_walked() {
        let mut experience = walked(2_000);
        experience.evaluate(&HeldAnswers::new(), None);
        // The fallback moves half of the time: w1 = (1 + 0.97 w1) / 2, w0 = 0.97 (w0 + w1) / 2.
        let second = 0.5 / (1.0 - 0.485);
        let first = 0.485 * second / (1.0 - 0.485);
        let (samples, _) = experience.values(ContextKey(0), 2).unwrap();
        let means = samples.means(None);
        assert!((means[0] - 0.97 * first).abs() < 5e-3 && (means[1] - 0.97 * second).abs() < 5e-3, "{means:?}");
        assert!((experience.value_of_choices(&experience)[&ContextKey(0)] - 0.97).abs() < 5e-3);
        assert_eq!(experience.choice(ContextKey(0), 2), Some(Action(1)));
    }

    #[test]
    fn an_answer_that_helps_has_a_record_that_says_so() {
        let mut experience = walked(50);
        for (action, helps) in [(Action(1), true), (Action(0), false)] {
            let kept = HeldAnswers::from([(ContextKey(0), action), (ContextKey(1), action)]);
            experience.evaluate(&kept, None);
            let spec = TrackRecordSpec { prior_gain: 0.0, caution: 0.0, ..TrackRecordSpec::default() };
            let trust = experience.record(spec, &kept, 0);
            assert_eq!(trust.trust() > 0.0, helps, "{trust:?}");
        }
    }

    #[test]
    fn nothing_is_told_apart_where_nothing_was_met() {
        let experience = walked(3);
        assert_eq!(experience.choice(ContextKey(9), 2), None);
        let (samples, bounds) = experience.values(ContextKey(9), 2).unwrap();
        assert!(samples.means(None)[0].abs() < 1e-12);
        assert_eq!((bounds.lower()[0], bounds.upper()[0]), (-0.5, 0.5));
    }
}
