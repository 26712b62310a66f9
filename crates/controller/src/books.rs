//! The books of a controller: what the agent knows of its contexts from its own runs, and what the advisor is worth by that.
//!
//! Books outlive a deployment: a copy of them serves a rehearsal, and the next deployment goes on with them. What belongs to
//! one deployment alone (how often contexts were met, open questions, the engine) is the controller's.

use std::collections::{BTreeMap, BTreeSet};

use counsel_advisor::{AnyPredictor, Context, Predictor, PredictorSpec};
use counsel_decision::{
    Action, Bankroll, ContextKey, Engine, Foretold, PaidResponse, Response, ResponseLaw, Seed, ValueBounds,
    ValueSamples,
};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::empirical_mdp::{EmpiricalMdp, HeldAnswers, Step};
use crate::foretelling::{Counts, Foretelling, most_frequent};
use crate::labels::LabelTable;
use crate::shift::ShiftDetector;
use crate::spec::{BooksSpec, Values};
use crate::statistics::ValueTable;
use crate::track_record::TrackRecord;
use crate::unadvised::Unadvised;
use crate::vetting::{Standing, worst_of};

/// The values that are kept by context.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Table {
    Labels(LabelTable),
    /// Every step, and what the unadvised ones say of acting alone.
    Experience(EmpiricalMdp, Box<Unadvised>),
}

impl Table {
    /// An empty table; none where values are handed in.
    fn new(values: Values, actions: usize) -> Option<Self> {
        match values {
            Values::HandedIn => None,
            Values::Labels(of) => Some(Self::Labels(LabelTable::new(of.values, actions))),
            Values::Experience(of) => {
                let unadvised = Box::new(Unadvised::new(of.values, actions));
                Some(Self::Experience(EmpiricalMdp::new(of.values, actions), unadvised))
            }
        }
    }
}

/// The books of one agent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Books {
    spec: BooksSpec,
    actions: usize,
    predictor: Option<AnyPredictor>,
    table: Option<Table>,
    record: Option<TrackRecord>,
    /// Every answer with its state by context, and the contexts whose answer could not be read.
    heard: BTreeMap<ContextKey, (ContextKey, Action)>,
    unusable: BTreeSet<ContextKey>,
    foretelling: Option<Foretelling>,
    standing: Standing,
    shift: Option<ShiftDetector>,
    /// What advice gained in the last episode, until the engine is given it.
    credited: f64,
}

impl Books {
    /// Empty books.
    pub fn new(spec: BooksSpec, actions: usize) -> Result<Self, Error> {
        spec.check()?;
        Ok(Self {
            actions,
            predictor: None,
            table: Table::new(spec.values, actions),
            record: spec.values.made().track_record.map(TrackRecord::new),
            heard: BTreeMap::new(),
            unusable: BTreeSet::new(),
            foretelling: spec.foretelling.map(Foretelling::new),
            standing: Standing::Followed,
            shift: spec.shift_detector.map(ShiftDetector::new),
            credited: 0.0,
            spec,
        })
    }

    /// The same with a predictor of answers over contexts with this number of features. Without one, every answer is equally
    /// likely.
    pub fn predicting(mut self, predictor: PredictorSpec, features: usize) -> Result<Self, Error> {
        self.predictor = Some(predictor.build(self.actions, features)?);
        Ok(self)
    }

    /// What is kept.
    pub fn spec(&self) -> &BooksSpec {
        &self.spec
    }

    /// What the advisor is expected to say, where that is learned.
    pub fn predictor(&self) -> Option<&AnyPredictor> {
        self.predictor.as_ref()
    }

    /// The predictor itself, to be fitted or to reveal an oracle's laws.
    pub fn predictor_mut(&mut self) -> Option<&mut AnyPredictor> {
        self.predictor.as_mut()
    }

    /// The predicted law of the answer in a context.
    pub fn law(&self, context: &Context, actions: usize) -> ResponseLaw {
        self.predictor.as_ref().map_or_else(|| ResponseLaw::uniform(actions), |predictor| predictor.law(context))
    }

    /// The values that are kept; none where they are handed in.
    fn table(&self) -> Option<&dyn ValueTable> {
        match self.table.as_ref()? {
            Table::Labels(labels) => Some(labels),
            Table::Experience(mdp, _) => Some(mdp),
        }
    }

    /// Whether steps are remembered.
    pub fn remembers_steps(&self) -> bool {
        matches!(self.table, Some(Table::Experience(..)))
    }

    /// What the advisor would say in a state in which its answer is predicted by this law; none where nobody can tell, or where
    /// its answers are not followed.
    pub(crate) fn foretold(
        &self,
        state: ContextKey,
        law: impl FnOnce() -> ResponseLaw,
    ) -> Result<Option<Foretold>, Error> {
        let foretelling = self.foretelling.as_ref().filter(|_| !self.is_turned_away());
        Ok(foretelling.map(|foretelling| foretelling.foretold(state, law)).transpose()?.flatten())
    }

    /// The values of this many actions in a state; none where they are handed in.
    pub(crate) fn values(
        &self,
        state: ContextKey,
        actions: usize,
    ) -> Result<Option<(ValueSamples, ValueBounds)>, Error> {
        Ok(self.table().map(|table| table.values(state, actions)).transpose()?)
    }

    /// Which of this many actions the values propose in the place of the agent in a state; none where it is the agent's turn. `answered` says that
    /// an answer of the advisor is held or foretold, `rounds` is the number of times that patience ran out in this state, and
    /// `idle` says that the last step changed nothing.
    pub(crate) fn proposes(
        &self,
        engine: &Engine,
        (state, actions): (ContextKey, usize),
        answered: bool,
        rounds: u64,
        idle: bool,
    ) -> Option<Action> {
        let table = self.table().filter(|_| self.spec.values.made().acts)?;
        let advised = answered && !self.has_given_up(engine);
        // Where patience runs out, a held answer gives way to the values, and they to the agent. A step that changed nothing is
        // not tried again at once.
        if idle || rounds != u64::from(advised) { None } else { table.choice(state, actions) }
    }

    /// Whether advice is no longer followed: it has lost more than it may, or the advisor was turned away.
    fn has_given_up(&self, engine: &Engine) -> bool {
        self.is_turned_away() || engine.bankroll().is_some_and(|bankroll| bankroll.credited(self.credited).is_empty())
    }

    /// Whether the advisor's answers are neither bought nor followed.
    pub(crate) fn is_turned_away(&self) -> bool {
        self.standing == Standing::TurnedAway
    }

    /// Judges the advisor by all its answers and the present values.
    fn vet(&mut self) -> Result<(), Error> {
        let (Some(vetting), Some(table)) = (self.spec.values.made().vetting, self.table()) else { return Ok(()) };
        let mut answers = Vec::with_capacity(self.heard.len());
        for (state, action) in self.heard.values() {
            // An answer counts by the actions that were known where it was heard.
            let actions = table.width(*state).max(action.index() + 1);
            answers.push((table.values(*state, actions)?.0.means(None), *action));
        }
        self.standing = vetting.judge(&answers);
        Ok(())
    }

    /// What the advisor's word for each action adds to its value in a state with these values; none where no record is
    /// kept.
    pub(crate) fn credits(&self, state: ContextKey, values: &[f64]) -> Option<Vec<f64>> {
        if self.is_turned_away() {
            return Some(vec![worst_of(values); values.len()]);
        }
        let (record, table) = (self.record?, self.table()?);
        Some(table.tries(state, values.len()).into_iter().map(|tries| record.credit(tries)).collect())
    }

    /// What advice gained since the engine was last given it.
    pub(crate) fn take_credited(&mut self) -> f64 {
        std::mem::take(&mut self.credited)
    }

    /// Credits advice with this gain in the place of what experience says.
    pub fn credit(&mut self, gain: f64) {
        self.credited = gain;
    }

    /// Whether the answer that is held in a state stopped delivering.
    pub(crate) fn is_shifted(&self, state: ContextKey) -> bool {
        self.shift.as_ref().is_some_and(|shift| shift.is_shifted(state))
    }

    /// Whether the steps of an episode are wanted at its end.
    pub(crate) fn wants_steps(&self) -> bool {
        self.remembers_steps() || self.shift.is_some()
    }

    /// Learns from a paid answer in a state.
    pub(crate) fn hear(&mut self, context: &Context, state: ContextKey, paid: PaidResponse) -> Result<(), Error> {
        if let Some(predictor) = &mut self.predictor {
            predictor.observe(context, paid);
        }
        if let Some(foretelling) = &mut self.foretelling {
            foretelling.hear(state, paid.response());
        }
        match paid.response() {
            Response::Unusable => drop(self.unusable.insert(context.key)),
            Response::Recommends(action) => {
                self.heard.insert(context.key, (state, action));
                if let Some(shift) = &mut self.shift {
                    shift.renew(state);
                }
            }
        }
        self.vet()
    }

    /// Learns from several paid answers at once: one fit of the predictor, in their order.
    pub(crate) fn hear_all(&mut self, paid: &[(Context, PaidResponse)], states: &[ContextKey]) -> Result<(), Error> {
        let predictor = self.predictor.take();
        for ((context, paid), state) in paid.iter().zip(states) {
            self.hear(context, *state, *paid)?;
        }
        self.predictor = predictor;
        if let Some(predictor) = &mut self.predictor {
            predictor.observe_all(paid);
        }
        Ok(())
    }

    /// Learns what the actions are worth in a state, by copies of the world.
    pub fn learn_label(&mut self, state: ContextKey, values: &[f64], fallback_law: &[f64]) {
        if let Some(Table::Labels(labels)) = &mut self.table {
            labels.learn(state, values, fallback_law);
        }
    }

    /// Learns from an episode, and judges the advisor by all that is known then.
    pub(crate) fn end_episode(
        &mut self,
        engine: &Engine,
        steps: &[Step],
        terminated: bool,
        seed: Seed,
    ) -> Result<(), Error> {
        if let Some(shift) = &mut self.shift {
            let mut draws = seed.stream("shift").rng();
            for (context, delivered) in delivered(steps) {
                shift.observe(context, delivered, 1.0 - draws.random::<f64>());
            }
        }
        if let Some(Table::Experience(mdp, unadvised)) = &mut self.table {
            let expected = steps.first().map(|first| unadvised.value(first.context));
            // Advice is answerable for an episode in which it could be followed.
            let followed = engine.bankroll().is_some_and(|bankroll| !bankroll.is_empty());
            if let (true, Some(expected)) = (followed, expected) {
                self.credited += share_of_advice(steps, mdp.discounted(steps) - expected);
            }
            mdp.learn(steps, terminated, |_| true);
            // Only a bankroll depends on the value of acting alone, and that value is dear to find.
            if engine.bankroll().is_some() {
                unadvised.learn(steps, terminated);
            }
        }
        let held = if self.has_given_up(engine) { HeldAnswers::new() } else { self.held(engine) };
        if let Some(Table::Experience(mdp, _)) = &mut self.table {
            mdp.evaluate(&held, self.record.as_ref());
        }
        if let (Some(spec), Some(table)) = (self.spec.values.made().track_record, self.table()) {
            self.record = Some(table.record(spec, &by_state(self.heard.values().copied()), self.unusable.len()));
        }
        self.vet()?;
        self.renew_bankroll(engine);
        Ok(())
    }

    /// The answers that are held, by state; where answers are foretold, they act in all of it.
    fn held(&self, engine: &Engine) -> HeldAnswers {
        let state = |context: ContextKey| self.heard.get(&context).map_or(context, |(state, _)| *state);
        by_state(engine.cache().entries().map(|entry| (state(entry.context), entry.action)))
    }

    /// Gives an advisor whose bankroll is empty a new one, if its answers turn out to have been good: chance can ruin a good
    /// advisor.
    fn renew_bankroll(&mut self, engine: &Engine) {
        let left = engine.bankroll().map(|bankroll| bankroll.credited(self.credited)).filter(Bankroll::is_empty);
        if let (Standing::Proven, Some(left)) = (self.standing, left) {
            self.credited += left.start() - left.left();
        }
    }
}

/// The part of an episode's gain that advice is credited with: of a gain, the share of the steps that followed it; a loss is
/// its own, if it was followed at all.
fn share_of_advice(steps: &[Step], gain: f64) -> f64 {
    let followed = steps.iter().filter(|step| step.followed).count();
    match followed {
        0 => 0.0,
        _ if gain < 0.0 => gain,
        _ => gain * followed as f64 / steps.len() as f64,
    }
}

/// The return of the episode after it first followed the advisor's answer in each context.
fn delivered(steps: &[Step]) -> BTreeMap<ContextKey, f64> {
    let (mut to_come, mut delivered) = (0.0, BTreeMap::new());
    for step in steps.iter().rev() {
        to_come += step.reward;
        if step.followed {
            delivered.insert(step.context, to_come);
        }
    }
    delivered
}

/// One answer for each state: the one that was given most often, and of several the first.
fn by_state(answers: impl Iterator<Item = (ContextKey, Action)>) -> HeldAnswers {
    let mut counts: BTreeMap<ContextKey, Counts> = BTreeMap::new();
    for (state, action) in answers {
        *counts.entry(state).or_default().entry(action).or_default() += 1;
    }
    counts.iter().filter_map(|(state, counts)| Some((*state, most_frequent(counts)?.0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: ContextKey = ContextKey(7);

    fn step(context: ContextKey, reward: f64, followed: bool) -> Step {
        Step { context, action: Action(0), reward, fallback_law: Vec::new(), followed }
    }

    #[test]
    fn an_answer_delivers_what_follows_its_first_use() {
        let other = ContextKey(8);
        let steps =
            [step(other, 0.5, false), step(CONTEXT, 0.25, true), step(other, 0.125, true), step(CONTEXT, 1.0, true)];
        assert_eq!(delivered(&steps), BTreeMap::from([(CONTEXT, 1.375), (other, 1.125)]));
    }

    #[test]
    fn a_gain_is_shared_with_the_advisor_and_a_loss_is_its_own() {
        let episode = [true, false, false, false].map(|followed| step(CONTEXT, 0.0, followed));
        assert_eq!(share_of_advice(&episode, 0.8), 0.2);
        assert_eq!(share_of_advice(&episode, -0.8), -0.8);
        assert_eq!(share_of_advice(&episode[1..], -0.8), 0.0, "nobody followed it");
    }
}
