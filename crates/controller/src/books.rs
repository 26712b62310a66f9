//! The books of a controller: what the agent knows of its contexts from its own runs, and what each advisor is worth by that.
//!
//! Books outlive a deployment: a copy of them serves a rehearsal, and the next deployment goes on with them. What belongs to
//! one deployment alone (how often contexts were met, open questions, the engine) is the controller's.

use std::collections::{BTreeMap, BTreeSet};

use counsel_advisor::{AnyPredictor, Context, Predictor, PredictorSpec};
use counsel_decision::{
    Action, Bankroll, ContextKey, Engine, PaidResponse, Response, ResponseLaw, Seed, ValueBounds, ValueSamples,
};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::dossier::{Dossier, Source, by_state};
use crate::empirical_mdp::{EmpiricalMdp, HeldAnswers, Step};
use crate::labels::LabelTable;
use crate::shift::ShiftDetector;
use crate::spec::{BooksSpec, Values};
use crate::statistics::ValueTable;
use crate::track_record::TrackRecord;
use crate::unadvised::Unadvised;
use crate::vetting::Standing;

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
    table: Option<Table>,
    /// What is known of each advisor; at least one.
    advisors: Vec<Dossier>,
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
            table: Table::new(spec.values, actions),
            advisors: vec![Dossier::new(&spec)],
            shift: spec.shift_detector.map(ShiftDetector::new),
            credited: 0.0,
            spec,
        })
    }

    /// The same for this many advisors, at least one, of whom nothing is known yet.
    #[must_use]
    pub fn of_advisors(mut self, advisors: usize) -> Self {
        self.advisors = vec![Dossier::new(&self.spec); advisors.max(1)];
        self
    }

    /// The same with a predictor of each advisor's answers over contexts with this number of features. Without one, every answer
    /// is equally likely.
    pub fn predicting(mut self, predictor: PredictorSpec, features: usize) -> Result<Self, Error> {
        for advisor in &mut self.advisors {
            advisor.predictor = Some(predictor.build(self.actions, features)?);
        }
        Ok(self)
    }

    /// What is kept.
    pub fn spec(&self) -> &BooksSpec {
        &self.spec
    }

    /// The number of advisors.
    pub fn advisors(&self) -> usize {
        self.advisors.len()
    }

    /// What is known of an advisor; of the last one, where there are fewer.
    pub(crate) fn advisor(&self, place: usize) -> &Dossier {
        &self.advisors[place.min(self.advisors.len() - 1)]
    }

    /// What the first advisor is expected to say, where that is learned.
    pub fn predictor(&self) -> Option<&AnyPredictor> {
        self.advisors[0].predictor.as_ref()
    }

    /// The predictor of the first advisor itself, to be fitted or to reveal an oracle's laws.
    pub fn predictor_mut(&mut self) -> Option<&mut AnyPredictor> {
        self.advisors[0].predictor.as_mut()
    }

    /// The predicted law of the first advisor's answer in a context.
    pub fn law(&self, context: &Context, actions: usize) -> ResponseLaw {
        self.advisors[0].law(context, actions)
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

    /// Whether advice is no longer followed: it has lost more than it may, or every advisor was turned away.
    fn has_given_up(&self, engine: &Engine) -> bool {
        self.advisors.iter().all(Dossier::is_turned_away)
            || engine.bankroll().is_some_and(|bankroll| bankroll.credited(self.credited).is_empty())
    }

    /// What an advisor's word for each action adds to its value in a state with these values; none where no record is kept.
    pub(crate) fn credits(&self, advisor: usize, state: ContextKey, values: &[f64]) -> Option<Vec<f64>> {
        self.advisor(advisor).credits(self.table(), state, values)
    }

    /// What advice gained since the engine was last given it; it is still to be given.
    pub(crate) fn credited(&self) -> f64 {
        self.credited
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

    /// Learns from paid answers, each with where it came from: one fit of each predictor, in their order.
    pub(crate) fn hear_all(&mut self, paid: &[(Context, PaidResponse)], heard: &[Source]) -> Result<(), Error> {
        for ((context, paid), source) in paid.iter().zip(heard) {
            self.note(source, context, paid.response());
        }
        for (place, dossier) in self.advisors.iter_mut().enumerate() {
            let own = paid.iter().zip(heard).filter(|(_, source)| source.advisor == place);
            let own: Vec<(Context, PaidResponse)> = own.map(|(paid, _)| paid.clone()).collect();
            if let Some(predictor) = dossier.predictor.as_mut().filter(|_| !own.is_empty()) {
                predictor.observe_all(&own);
            }
        }
        self.each_advisor(|dossier, spec, table| dossier.vet(spec, table))
    }

    /// Takes down what an advisor said, before its predictor learns from it.
    fn note(&mut self, source: &Source, context: &Context, response: Response) {
        if let (Some(shift), Response::Recommends(_)) = (&mut self.shift, response) {
            shift.renew(source.state);
        }
        let place = source.advisor.min(self.advisors.len() - 1);
        self.advisors[place].hear(context, source, response, self.actions);
    }

    /// Does this with what is known of each advisor, by the values that all of them share.
    fn each_advisor(
        &mut self,
        mut work: impl FnMut(&mut Dossier, &BooksSpec, Option<&dyn ValueTable>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut advisors = std::mem::take(&mut self.advisors);
        let done = advisors.iter_mut().try_for_each(|dossier| work(dossier, &self.spec, self.table()));
        self.advisors = advisors;
        done
    }

    /// Learns what the actions are worth in a state, by copies of the world.
    pub fn learn_label(&mut self, state: ContextKey, values: &[f64], fallback_law: &[f64]) {
        if let Some(Table::Labels(labels)) = &mut self.table {
            labels.learn(state, values, fallback_law);
            self.advisors.iter_mut().for_each(Dossier::values_changed);
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
            // Advice is answerable for an episode in which it could be followed, and that nobody else had a hand in.
            let followed = engine.bankroll().is_some_and(|bankroll| !bankroll.is_empty());
            let own = steps.iter().all(|step| !step.overridden);
            if let (true, true, Some(expected)) = (followed, own, expected) {
                self.credited += share_of_advice(steps, mdp.discounted(steps) - expected);
            }
            mdp.learn(steps, terminated, |_| true);
            // Only a bankroll depends on the value of acting alone, and that value is dear to find.
            if engine.bankroll().is_some() {
                unadvised.learn(steps, terminated);
            }
        }
        let held = if self.has_given_up(engine) { Vec::new() } else { self.held(engine) };
        if let Some(Table::Experience(mdp, _)) = &mut self.table {
            mdp.evaluate_among(&held);
        }
        self.each_advisor(|dossier, spec, table| {
            dossier.values_changed();
            dossier.review(spec, table);
            dossier.vet(spec, table)
        })?;
        self.renew_bankroll(engine);
        Ok(())
    }

    /// The answers that are held of each advisor that is followed, by state, with its record; where answers are foretold, they
    /// act in all of it.
    fn held(&self, engine: &Engine) -> Vec<(HeldAnswers, Option<TrackRecord>)> {
        let kept = |place: usize, context: &ContextKey| engine.cache().entry(context.answered_by(place));
        let mut theirs = BTreeSet::new();
        let mut held = Vec::with_capacity(self.advisors.len());
        for (place, dossier) in self.advisors.iter().enumerate().skip(1) {
            let answers = dossier.heard.iter().filter_map(|(context, (state, _))| {
                let entry = kept(place, context)?;
                theirs.insert(entry.context);
                Some((*state, entry.action))
            });
            let answers: Vec<_> = answers.collect();
            if !dossier.is_turned_away() {
                held.push((by_state(answers.into_iter()), dossier.record));
            }
        }
        let first = &self.advisors[0];
        if !first.is_turned_away() {
            let state = |context: ContextKey| first.heard.get(&context).map_or(context, |(state, _)| *state);
            let own = engine.cache().entries().filter(|entry| !theirs.contains(&entry.context));
            held.insert(0, (by_state(own.map(|entry| (state(entry.context), entry.action))), first.record));
        }
        held
    }

    /// Gives an advisor whose bankroll is empty a new one, if its answers turn out to have been good: chance can ruin a good
    /// advisor.
    fn renew_bankroll(&mut self, engine: &Engine) {
        let left = engine.bankroll().map(|bankroll| bankroll.credited(self.credited)).filter(Bankroll::is_empty);
        let proven = self.advisors.iter().any(|dossier| dossier.standing == Standing::Proven);
        if let (true, Some(left)) = (proven, left) {
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

/// The return of the episode after it first followed the advisor's answer in each context. What came before an override says nothing of
/// the answer.
fn delivered(steps: &[Step]) -> BTreeMap<ContextKey, f64> {
    let (mut to_come, mut delivered) = (0.0, BTreeMap::new());
    for step in steps.iter().rev().take_while(|step| !step.overridden) {
        to_come += step.reward;
        if step.followed {
            delivered.insert(step.context, to_come);
        }
    }
    delivered
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: ContextKey = ContextKey(7);

    fn step(context: ContextKey, reward: f64, followed: bool) -> Step {
        Step { context, action: Action(0), reward, fallback_law: Vec::new(), followed, overridden: false }
    }

    #[test]
    fn an_answer_delivers_what_follows_its_first_use() {
        let other = ContextKey(8);
        let steps =
            [step(other, 0.5, false), step(CONTEXT, 0.25, true), step(other, 0.125, true), step(CONTEXT, 1.0, true)];
        assert_eq!(delivered(&steps), BTreeMap::from([(CONTEXT, 1.375), (other, 1.125)]));
    }

    #[test]
    fn an_answer_delivers_nothing_where_somebody_had_the_last_word_later() {
        let other = ContextKey(8);
        let mut steps = [step(CONTEXT, 0.25, true), step(CONTEXT, 0.5, false), step(other, 0.125, true)];
        steps[1].overridden = true;
        assert_eq!(delivered(&steps), BTreeMap::from([(other, 0.125)]));
    }

    #[test]
    fn a_gain_is_shared_with_the_advisor_and_a_loss_is_its_own() {
        let episode = [true, false, false, false].map(|followed| step(CONTEXT, 0.0, followed));
        assert_eq!(share_of_advice(&episode, 0.8), 0.2);
        assert_eq!(share_of_advice(&episode, -0.8), -0.8);
        assert_eq!(share_of_advice(&episode[1..], -0.8), 0.0, "nobody followed it");
    }
}
