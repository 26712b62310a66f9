//! What the agent remembers of its contexts, beside what its learner has learned: labels or experience, the advisor's track
//! record, and what advice has gained.

use std::collections::{BTreeMap, BTreeSet};

use counsel_decision::{
    Action, Bankroll, CacheStatus, ContextKey, Engine, Record, Response, Seed, ValueBounds, ValueSamples, Verdict,
};
use counsel_experience::{
    Alone, Experience, Kept, LabelTable, Labels, Lived, ShiftDetector, Standing, TrackRecord, TrackRecordSpec, Vetting,
    worst_of,
};
use rand::RngExt;

use super::spec::DeepStudy;
use super::values::{Fallback, ValuesFrom};
use crate::Error;

/// The memory of one run.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    values: ValuesFrom,
    spec: Option<TrackRecordSpec>,
    actions: usize,
    labels: Labels,
    /// Every step, and what they say of acting without advice.
    experience: Option<Experience>,
    alone: Option<Alone>,
    record: Option<TrackRecord>,
    /// What the advisor said in each context, and the contexts whose answer nobody could use.
    heard: Kept,
    unusable: BTreeSet<ContextKey>,
    vetting: Option<Vetting>,
    /// What the advisor is worth by that.
    standing: Standing,
    /// The size of a new bankroll.
    bankroll: f64,
    /// Whether kept answers still deliver what they used to.
    shift: Option<ShiftDetector>,
    /// The episode so far; the last step with its fallback's law, before its reward is known.
    lived: Vec<Lived>,
    /// What advice gained in the last episode, until the engine is told.
    credited: f64,
    /// Whether the last step followed the advisor, and whether it changed nothing.
    followed: bool,
    idle: bool,
    /// How often this episode was in each context, and how often is too often.
    been: BTreeMap<ContextKey, u64>,
    patience: u64,
}

impl Memory {
    pub(super) fn new(study: &DeepStudy, actions: usize) -> Self {
        let &DeepStudy { values, track_record: spec, vetting, shift_detector, patience, .. } = study;
        let table = match values {
            ValuesFrom::Experience(table) => Some(table),
            ValuesFrom::Learner | ValuesFrom::Labels(_) | ValuesFrom::Regression(_) => None,
        };
        Self {
            values,
            spec,
            actions,
            labels: Labels::default(),
            experience: table.map(|table| Experience::new(table, actions)),
            alone: table.map(|table| Alone::new(table, actions)),
            record: spec.map(TrackRecord::new),
            heard: Kept::new(),
            unusable: BTreeSet::new(),
            vetting,
            standing: Standing::Followed,
            bankroll: study.controller.bankroll.map_or(0.0, |bankroll| bankroll.start),
            shift: shift_detector.map(ShiftDetector::new),
            lived: Vec::new(),
            credited: 0.0,
            followed: false,
            idle: false,
            been: BTreeMap::new(),
            patience,
        }
    }

    /// Whether steps are remembered.
    pub(super) fn lives(&self) -> bool {
        self.experience.is_some()
    }

    /// The values of a context; nothing where the learner's count.
    pub(super) fn values(&self, context: ContextKey) -> Result<Option<(ValueSamples, ValueBounds)>, Error> {
        Ok(match (self.values, &self.experience) {
            (ValuesFrom::Labels(table), _) => Some(self.labels.values(table, context, self.actions)?),
            (_, Some(experience)) => Some(experience.values(context)?),
            _ => None,
        })
    }

    /// What the values alone would do in a context; nothing where they do not tell actions apart.
    pub(super) fn choice(&self, context: ContextKey) -> Option<Action> {
        match (self.values, &self.experience) {
            (ValuesFrom::Labels(_), _) => self.labels.choice(context),
            (_, Some(experience)) => experience.choice(context),
            _ => None,
        }
    }

    /// What the values propose in the place of the learner; nothing where it is the learner's turn.
    pub(super) fn proposes(&self, fallback: Fallback, engine: &Engine, context: ContextKey) -> Option<Action> {
        let advised = !self.given_up(engine) && engine.cache().entry(context).is_some();
        // Where patience runs out, an answer gives way to the values, and they to the learner.
        let turn = match fallback {
            Fallback::Values => 0,
            Fallback::ValuesUnadvised => u64::from(advised),
            Fallback::Learner | Fallback::Rule | Fallback::RandomMoves => return None,
        };
        // What changed nothing is not tried again at once.
        if self.idle || self.rounds(context) != turn { None } else { self.choice(context) }
    }

    /// Whether advice is not followed: it has lost more than it may, or the advisor was turned away.
    fn given_up(&self, engine: &Engine) -> bool {
        self.standing == Standing::TurnedAway
            || engine.bankroll().is_some_and(|bankroll| bankroll.credited(self.credited).is_empty())
    }

    /// Judges the advisor by all its answers and what is known now.
    fn vet(&mut self) -> Result<(), Error> {
        let Some(vetting) = self.vetting else { return Ok(()) };
        let mut answers = Vec::with_capacity(self.heard.len());
        for (context, action) in &self.heard {
            if let Some((samples, _)) = self.values(*context)? {
                answers.push((samples.means(None), *action));
            }
        }
        self.standing = vetting.judge(&answers);
        Ok(())
    }

    /// What the advisor's word for each action adds to its value in a context where these are the values; nothing where its
    /// record is not kept.
    pub(super) fn credits(&self, context: ContextKey, values: &[f64]) -> Option<Vec<f64>> {
        if self.standing == Standing::TurnedAway {
            return Some(vec![worst_of(values); self.actions]);
        }
        let record = self.record?;
        let tries = match (self.values, &self.experience) {
            (ValuesFrom::Labels(_), _) => (0..self.actions).map(|action| self.labels.count(context, action)).collect(),
            (_, Some(experience)) => experience.tries(context),
            _ => vec![0.0; self.actions],
        };
        Some(tries.into_iter().map(|tries| record.credit(tries)).collect())
    }

    /// What advice gained since the engine was last told.
    pub(super) fn take_credited(&mut self) -> f64 {
        std::mem::take(&mut self.credited)
    }

    /// Advice gained this, by labels.
    pub(super) fn credit(&mut self, gained: f64) {
        self.credited = gained;
    }

    /// Whether advice leads nowhere: the last step followed it and changed nothing, or the episode comes back to a context
    /// again and again.
    pub(super) fn stalled(&self, context: ContextKey) -> bool {
        (self.followed && self.idle) || self.rounds(context) > 0
    }

    /// Whether the answer that is kept in a context stopped delivering.
    pub(super) fn is_shifted(&self, context: ContextKey) -> bool {
        self.shift.as_ref().is_some_and(|shift| shift.is_shifted(context))
    }

    /// How often patience ran out in a context of this episode.
    fn rounds(&self, context: ContextKey) -> u64 {
        self.been.get(&context).map_or(0, |been| been / self.patience)
    }

    /// Takes a paid answer.
    pub(super) fn hear(&mut self, context: ContextKey, response: Response) -> Result<(), Error> {
        match response {
            Response::Unusable => drop(self.unusable.insert(context)),
            Response::Recommends(action) => {
                self.heard.insert(context, action);
                if let Some(shift) = &mut self.shift {
                    shift.renew(context);
                }
            }
        }
        self.vet()
    }

    /// Takes note of a decision before it is done.
    pub(super) fn decided(&mut self, record: &Record) {
        let reused = record.cache_status == CacheStatus::Reused && !record.asked();
        self.followed = reused || record.answer().is_some_and(|answer| answer.verdict == Verdict::Executed);
    }

    /// Takes note of what a step brought.
    pub(super) fn live(&mut self, context: ContextKey, action: Action, law: Vec<f64>, reward: f64, changed: bool) {
        self.idle = !changed;
        *self.been.entry(context).or_default() += 1;
        if self.lives() || self.shift.is_some() {
            self.lived.push(Lived { context, action, reward, law, followed: self.followed });
        }
    }

    /// Takes note of what the actions are worth in a state of this context, by copies of the world.
    pub(super) fn learn(&mut self, table: LabelTable, context: ContextKey, worth: &[f64], law: &[f64]) {
        self.labels.learn(table, context, worth, law);
    }

    pub(super) fn begin_episode(&mut self) {
        self.lived.clear();
        self.been.clear();
        (self.followed, self.idle) = (false, false);
    }

    /// Learns from the episode that was just played.
    pub(super) fn end_episode(&mut self, engine: &Engine, terminated: bool, seed: Seed) -> Result<(), Error> {
        let lived = std::mem::take(&mut self.lived);
        if let Some(shift) = &mut self.shift {
            let mut draws = seed.stream("shift").rng();
            for (context, delivered) in delivered(&lived) {
                shift.observe(context, delivered, 1.0 - draws.random::<f64>());
            }
        }
        if let (Some(experience), Some(alone)) = (&mut self.experience, &mut self.alone) {
            let expected = lived.first().map(|first| alone.worth(first.context));
            // Advice is answerable for an episode in which it could be followed.
            let followed = engine.bankroll().is_some_and(|bankroll| !bankroll.is_empty());
            if let (true, Some(expected)) = (followed, expected) {
                self.credited = share_of_advice(&lived, experience.discounted(&lived) - expected);
            }
            experience.learn(&lived, terminated, |_| true);
            // Nobody asks what acting alone is worth where nothing depends on it.
            if engine.bankroll().is_some() {
                alone.learn(&lived, terminated);
            }
        }
        let kept = if self.given_up(engine) { Kept::new() } else { kept(engine) };
        if let Some(experience) = &mut self.experience {
            experience.plan(&kept, self.record.as_ref());
        }
        if let Some(spec) = self.spec {
            self.record = Some(match &self.experience {
                Some(experience) => experience.record(spec, &self.heard, self.unusable.len()),
                None => self.labels.record(spec, &self.heard, self.unusable.len()),
            });
        }
        self.vet()?;
        self.renew(engine);
        Ok(())
    }

    /// Gives an advisor whose bankroll is empty a new one, if its answers turn out to have been good.
    fn renew(&mut self, engine: &Engine) {
        let left = engine.bankroll().map(|bankroll| bankroll.credited(self.credited)).filter(Bankroll::is_empty);
        if let (Standing::Proven, Some(left)) = (self.standing, left) {
            self.credited += self.bankroll - left.left();
        }
    }
}

/// What advice gained in an episode that returned so much more than was expected: of a gain, the share of the steps that
/// followed it; a loss is its own, if it was followed at all.
fn share_of_advice(lived: &[Lived], gain: f64) -> f64 {
    let followed = lived.iter().filter(|lived| lived.followed).count();
    match followed {
        0 => 0.0,
        _ if gain < 0.0 => gain,
        _ => gain * followed as f64 / lived.len() as f64,
    }
}

/// What the episode returned after it first followed the advisor's answer in each context.
fn delivered(lived: &[Lived]) -> BTreeMap<ContextKey, f64> {
    let (mut to_come, mut delivered) = (0.0, BTreeMap::new());
    for step in lived.iter().rev() {
        to_come += step.reward;
        if step.followed {
            delivered.insert(step.context, to_come);
        }
    }
    delivered
}

/// The kept answers, by context.
fn kept(engine: &Engine) -> Kept {
    engine.cache().entries().map(|entry| (entry.context, entry.action)).collect()
}

#[cfg(test)]
mod tests {
    use counsel_decision::{
        BankrollSpec, BudgetSpec, CacheSpec, Controller, ExecutionRule, GateSpec, Parser, PriceSpec, Seed,
    };

    use super::*;

    const CONTEXT: ContextKey = ContextKey(7);

    /// An agent that learned that action 1 pays.
    fn seasoned(engine: &Engine) -> Memory {
        let study: DeepStudy = serde_json::from_value(serde_json::json!({
            "advisor": "mute", "predictor": { "predictor": "uniform" }, "gate": { "policy": "never" },
            "execution": "improving", "budget": { "per_run": 0 }, "kappa": 0.005, "values": { "experience": {} }, "vetting": {},
            "bankroll": { "start": 0.2, "most": 0.7 },
        }))
        .unwrap();
        let mut memory = Memory::new(&study, 2);
        for episode in 0..20_u16 {
            memory.begin_episode();
            memory.live(CONTEXT, Action(episode % 2), vec![0.5, 0.5], f64::from(episode % 2), true);
            memory.end_episode(engine, true, Seed::root(u64::from(episode))).unwrap();
        }
        memory.begin_episode();
        memory
    }

    fn engine() -> Engine {
        engine_with(None)
    }

    fn engine_with(bankroll: Option<BankrollSpec>) -> Engine {
        let controller = Controller {
            gate: GateSpec::Never,
            execution: ExecutionRule::Improving,
            budget: BudgetSpec::per_run(0),
            price: PriceSpec::default(),
            cache: CacheSpec::Keep(Vec::new()),
            bankroll,
        };
        Engine::new(&controller, Parser::numbered(2), Seed::root(0)).unwrap()
    }

    #[test]
    fn what_leads_nowhere_gives_way_to_the_learner() {
        let engine = engine();
        let mut memory = seasoned(&engine);
        let proposes = |memory: &Memory| memory.proposes(Fallback::Values, &engine, CONTEXT);
        for _ in 0..4 {
            assert_eq!(proposes(&memory), Some(Action(1)));
            memory.live(CONTEXT, Action(1), vec![0.0, 1.0], 0.0, true);
        }
        assert_eq!(proposes(&memory), None, "four times in one episode is too often");
        assert!(memory.stalled(CONTEXT) && !memory.stalled(ContextKey(8)));
        memory.begin_episode();
        assert_eq!(proposes(&memory), Some(Action(1)), "a new episode is a new chance");
        memory.live(CONTEXT, Action(1), vec![0.0, 1.0], 0.0, false);
        assert_eq!(proposes(&memory), None, "what changed nothing is not tried again at once");
        assert!(!memory.stalled(CONTEXT), "nobody's advice was followed");
    }

    #[test]
    fn an_advisor_that_the_agent_knows_better_than_is_turned_away() {
        let engine = engine();
        let mut memory = seasoned(&engine);
        memory.hear(CONTEXT, Response::Recommends(Action(1))).unwrap();
        assert_eq!(memory.credits(CONTEXT, &[0.2, 0.8]), None, "it says what the agent knows to be best");
        memory.hear(CONTEXT, Response::Recommends(Action(0))).unwrap();
        let credits = memory.credits(CONTEXT, &[0.2, 0.8]).unwrap();
        assert!(credits.iter().all(|credit| *credit < -0.6), "{credits:?}");
    }

    #[test]
    fn a_good_advisor_with_bad_luck_gets_a_new_bankroll_and_a_bad_one_does_not() {
        let engine = engine_with(Some(BankrollSpec { start: 0.2, most: 0.7 }));
        let left_after_a_loss = |answer| {
            let mut memory = seasoned(&engine);
            memory.hear(CONTEXT, Response::Recommends(answer)).unwrap();
            memory.followed = true;
            memory.live(CONTEXT, Action(0), vec![0.5, 0.5], 0.0, true);
            memory.end_episode(&engine, true, Seed::root(20)).unwrap();
            engine.bankroll().unwrap().credited(memory.take_credited()).left()
        };
        assert!((left_after_a_loss(Action(1)) - 0.2).abs() < 1e-12);
        assert!(left_after_a_loss(Action(0)) < 0.0);
    }

    #[test]
    fn an_answer_that_stops_delivering_is_flagged_until_another_is_heard() {
        let study: DeepStudy = serde_json::from_value(serde_json::json!({
            "advisor": "mute", "predictor": { "predictor": "uniform" }, "gate": { "policy": "never" },
            "execution": "trusting", "budget": { "per_run": 0 }, "kappa": 0.005, "cache": { "keep": ["shift"] },
            "shift_detector": {},
        }))
        .unwrap();
        let (engine, mut memory) = (engine(), Memory::new(&study, 2));
        let other = ContextKey(8);
        for episode in 0..80 {
            memory.begin_episode();
            memory.followed = true;
            memory.live(CONTEXT, Action(1), vec![0.5, 0.5], -0.01, true);
            memory.followed = false;
            let reward = if episode < 60 { 1.0 } else { -0.5 };
            memory.live(other, Action(0), vec![0.5, 0.5], reward, true);
            memory.end_episode(&engine, true, Seed::root(episode)).unwrap();
            assert!(episode >= 60 || !memory.is_shifted(CONTEXT));
        }
        assert!(memory.is_shifted(CONTEXT) && !memory.is_shifted(other), "nobody's answer was followed there");
        memory.hear(CONTEXT, Response::Unusable).unwrap();
        assert!(memory.is_shifted(CONTEXT), "nothing new is kept");
        memory.hear(CONTEXT, Response::Recommends(Action(0))).unwrap();
        assert!(!memory.is_shifted(CONTEXT));
    }

    #[test]
    fn what_an_answer_delivers_is_what_follows_its_first_use() {
        let step = |context, reward, followed| Lived { context, action: Action(0), reward, law: Vec::new(), followed };
        let other = ContextKey(8);
        let lived =
            [step(other, 0.5, false), step(CONTEXT, 0.25, true), step(other, 0.125, true), step(CONTEXT, 1.0, true)];
        assert_eq!(delivered(&lived), BTreeMap::from([(CONTEXT, 1.375), (other, 1.125)]));
    }

    #[test]
    fn a_gain_is_shared_with_the_advisor_and_a_loss_is_its_own() {
        let lived = |followed| Lived { context: CONTEXT, action: Action(0), reward: 0.0, law: Vec::new(), followed };
        let episode = [lived(true), lived(false), lived(false), lived(false)];
        assert_eq!(share_of_advice(&episode, 0.8), 0.2);
        assert_eq!(share_of_advice(&episode, -0.8), -0.8);
        assert_eq!(share_of_advice(&episode[1..], -0.8), 0.0, "nobody followed it");
    }
}
