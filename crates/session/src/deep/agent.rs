//! The deep agent at work: what it knows, whom it asks, what it learns.

use counsel_advisor::predictor::Paid;
use counsel_advisor::{AnyPredictor, Context, Predictor};
use counsel_decision::{
    Action, AdviceModel, CandidateOnly, ContextKey, End, Engine, Environment, Evidence, Forecast, Input, Monitored,
    Parser, Preview, Record, ResponseLaw, Seed, Transition, ValueBounds, ValueSamples,
};
use counsel_deep::{Deep, Experience, Valued, epsilon_greedy};
use counsel_log::Hindsight;

use super::cases::Cases;
use super::consultant::{Asked, Consultant};
use super::inputs::Past;
use super::memory::Memory;
use super::regression::{Outlook, Regression};
use super::spec::{DeepStudy, Support};
use super::values::{Credit, ValuesFrom};
use super::warm_start::WarmStarts;
use super::world::DeepWorld;
use crate::calibrate::Labels;
use crate::scene::{Episode, Heard, Known, Label, Learning, Scene, advised};
use crate::{Error, Library};

/// A deep learner in its world, with its advisor.
pub(super) struct DeepAgent<'a, W: DeepWorld> {
    pub(super) spec: &'a DeepStudy,
    warm_starts: &'a WarmStarts,
    /// What the warm-up depends on, in words.
    warm_start: String,
    pub(super) consultant: Consultant<'a, W>,
    pub(super) deep: Deep,
    predictor: AnyPredictor,
    /// What the predictor may look back on.
    pub(super) past: Past,
    pub(super) world: W::World,
    /// Steps of an episode at most.
    horizon: u64,
    planner: W::Planner,
    pub(super) memory: Memory,
    pub(super) regression: Regression,
    pub(super) cases: Cases<W>,
    episode: Episode,
    /// The seed of the episode, and how many steps it has had.
    seed: Seed,
    step: u64,
    over: bool,
    terminated: bool,
    /// The places of the ones that the learner sees.
    state: Vec<usize>,
    pub(super) present: Option<(W::Situation, Action)>,
    /// The context of the present decision, and the law of the fallback's proposals in it.
    proposed: Option<(ContextKey, Vec<f64>)>,
    /// Whether the warm-up is only remembered, and the learner has learned from it already.
    replays: bool,
    /// The states of the episode, where its labels will be learned from.
    pub(super) visited: Vec<W::World>,
    /// Exact values of the episode's layout under the learner as it was when they were first wanted.
    pub(super) exact: Option<W::Exact>,
    /// Optimal values of the episode's layout, where an audit wants them.
    best: Option<W::Exact>,
}

// Derived, it would ask that `W` itself can be cloned, which only stands for a world.
impl<W: DeepWorld> Clone for DeepAgent<'_, W> {
    fn clone(&self) -> Self {
        Self {
            warm_start: self.warm_start.clone(),
            consultant: self.consultant.clone(),
            deep: self.deep.clone(),
            predictor: self.predictor.clone(),
            past: self.past.clone(),
            world: self.world.clone(),
            planner: self.planner.clone(),
            memory: self.memory.clone(),
            regression: self.regression.clone(),
            cases: self.cases.clone(),
            state: self.state.clone(),
            present: self.present.clone(),
            proposed: self.proposed.clone(),
            visited: self.visited.clone(),
            exact: self.exact.clone(),
            best: self.best.clone(),
            ..*self
        }
    }
}

/// A decision that was met: the world, what may be told of it, and what the agent thought best.
pub(super) struct Met<W: DeepWorld> {
    pub(super) world: W::World,
    pub(super) situation: W::Situation,
    pub(super) greedy: Action,
}

impl<W: DeepWorld> Met<W> {
    /// The question about it.
    pub(super) fn asked(&self) -> Asked<'_, W> {
        Asked { world: &self.world, situation: &self.situation, greedy: self.greedy }
    }
}

impl<'a, W: DeepWorld> DeepAgent<'a, W> {
    pub(super) fn new(
        spec: &'a DeepStudy,
        world: W::World,
        teller: W::Teller,
        warm_start: String,
        horizon: u64,
        (library, warm_starts): (&'a Library, &'a WarmStarts),
        seed: Seed,
    ) -> Result<Self, Error> {
        let actions = world.actions();
        let deep = Deep::new(spec.learner.clone(), W::inputs(&world), actions, seed.stream("learner"))?;
        Ok(Self {
            spec,
            warm_starts,
            warm_start,
            consultant: Consultant::new(&spec.advisor, spec.corruption, teller, library)?,
            predictor: spec
                .predictor
                .build(actions, spec.predictor_inputs().width::<W>(actions, spec.learner.feature))?,
            past: Past::new(actions),
            deep,
            world,
            horizon,
            planner: W::Planner::default(),
            memory: Memory::new(spec, actions),
            regression: Regression::default(),
            cases: Cases::default(),
            episode: Episode::WarmUp,
            seed,
            step: 0,
            over: true,
            terminated: false,
            state: Vec::new(),
            present: None,
            proposed: None,
            replays: false,
            visited: Vec::new(),
            exact: None,
            best: None,
        })
    }

    /// What is known in the warm-up: nothing. Its actions are uniformly random and nobody is asked, so values, prompts and
    /// predictions would be computed for no one.
    fn unaware(&self) -> Result<Known, Error> {
        let zeros = || vec![0.0; self.world.actions()];
        let luck = self.seed.stream("exploration").index(self.step);
        let base = epsilon_greedy(&zeros(), self.deep.epsilon(), luck);
        let samples = ValueSamples::new(zeros().len(), zeros())?;
        let law = ResponseLaw::uniform(zeros().len());
        let advice = CandidateOnly::new(law, samples, ValueBounds::new(zeros(), zeros())?, base)?;
        let context = Context::new(ContextKey(0), Vec::new());
        let evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), self.spec.kappa)?;
        Ok(Known { context, evidence, hindsight: Hindsight::default() })
    }

    /// Whether the learner's bounds are held against optimal values, discounted as the learner discounts: where every
    /// decision has an exact label, the layout is small enough.
    fn audits_bounds(&self) -> bool {
        let exact = self.spec.calibration.labels == Labels::Exact;
        self.spec.label_decisions && exact && matches!(self.episode, Episode::Deployment { .. })
    }

    /// Whether this episode's labels are learned from.
    fn learns_labels(&self) -> bool {
        matches!(self.spec.values, ValuesFrom::Labels(_) | ValuesFrom::Regression(_)) && self.episode != Episode::WarmUp
    }

    /// What a regression of values looks at in a state in which the learner thinks this.
    pub(super) fn outlook(&self, world: &W::World, situation: &W::Situation, learned: &Valued) -> Outlook {
        Outlook::new(&W::surroundings(situation), self.share_to_go(world), &learned.mean)
    }

    /// Which share of an episode is still to come.
    pub(super) fn share_to_go(&self, world: &W::World) -> f64 {
        W::steps_to_go(world) as f64 / self.horizon as f64
    }

    /// The values by which advice is judged in a state in which the learner thinks this.
    pub(super) fn judging(
        &self,
        learned: Valued,
        context: ContextKey,
        (world, situation): (&W::World, &W::Situation),
    ) -> Result<Valued, Error> {
        let values = match self.spec.values {
            ValuesFrom::Regression(spec) => {
                Some(self.regression.values(spec, &self.outlook(world, situation, &learned))?)
            }
            _ => self.memory.values(context)?,
        };
        Ok(values.map_or(learned, |(samples, bounds)| {
            let mean = samples.means(None);
            Valued { samples, bounds, mean }
        }))
    }

    pub(super) fn evidence(
        &self,
        situation: &W::Situation,
        context: &Context,
        valued: Valued,
        base: Action,
    ) -> Result<Evidence, Error> {
        let law = self.predictor.law(context);
        let mut advice = CandidateOnly::new(law, valued.samples, valued.bounds, base)?;
        if let Some(credits) = self.memory.credits(context.key, &valued.mean) {
            advice = advice.vouched_for(&credits)?;
        }
        let mut evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), self.spec.kappa)?;
        if self.spec.support == Support::TargetInView && !W::sees_target(situation) {
            evidence.monitored = Monitored::OutsideSupport;
        }
        if self.memory.is_shifted(context.key) {
            evidence.monitored = Monitored::Shifted;
        }
        Ok(evidence)
    }
}

impl<W: DeepWorld> Scene for DeepAgent<'_, W> {
    type Moment = Option<Met<W>>;

    fn parser(&self) -> Parser {
        self.consultant.parser().clone()
    }

    fn advisor(&self) -> String {
        self.consultant.name()
    }

    fn begin(&mut self, episode: Episode, seed: Seed) -> Result<(), Error> {
        self.deep.begin_episode(self.spec.exploration(episode))?;
        if let Episode::Deployment { number } = episode {
            W::enter(&mut self.world, number);
        }
        self.world.reset(seed.stream("environment"));
        W::active_features(&self.world, &mut self.state);
        (self.episode, self.seed, self.step, self.over) = (episode, seed, 0, false);
        (self.present, self.exact) = (None, None);
        self.proposed = None;
        self.visited.clear();
        self.memory.begin_episode();
        self.past.begin_episode();
        self.best = None;
        self.cases.begin_episode();
        Ok(())
    }

    fn know(&mut self, engine: &Engine, seed: Seed) -> Result<Option<Known>, Error> {
        if self.over {
            return Ok(None);
        }
        if self.episode == Episode::WarmUp {
            if self.memory.lives() {
                let actions = self.world.actions();
                let context = self.consultant.key(&W::situation(&self.world)?);
                self.proposed = Some((context, vec![1.0 / actions as f64; actions]));
            }
            return self.unaware().map(Some);
        }
        let situation = W::situation(&self.world)?;
        let context = self.context(engine, &situation, &self.state)?;
        let learned = self.deep.values(&self.state)?;
        let proposal = self.proposal(engine, (&self.world, &situation), &learned)?;
        let (base, law) = (proposal.drawn(seed.stream("exploration")), proposal.law(self.world.actions()));
        let greedy = learned.greedy();
        let valued = self.judging(learned, context.key, (&self.world, &situation))?;
        let mut evidence = self.evidence(&situation, &context, valued, base)?;
        evidence.fallback.clone_from(&law);
        (evidence.stalled, evidence.credited) = (self.memory.stalled(context.key), self.memory.take_credited());
        (self.present, self.proposed) = (Some((situation, greedy)), Some((context.key, law)));
        Ok(Some(Known { context, evidence, hindsight: Hindsight::default() }))
    }

    fn forecast(&self, preview: &Preview, evidence: &Evidence) -> Result<Option<Forecast>, Error> {
        self.forecast_at(preview, evidence)
    }

    fn moment(&self) -> Option<Met<W>> {
        let (situation, greedy) = self.present.clone()?;
        Some(Met { world: self.world.clone(), situation, greedy })
    }

    fn label(&mut self, moment: &Option<Met<W>>, preview: &Preview, seed: Seed) -> Result<Label, Error> {
        moment.as_ref().map_or(Ok(Label::default()), |met| self.label_of(met, preview, seed.stream("label")))
    }

    fn ask(&mut self, seed: Seed) -> Result<Heard, Error> {
        let (situation, greedy) = self.present.as_ref().ok_or(Error::NothingPresent)?;
        self.consultant.ask(&Asked { world: &self.world, situation, greedy: *greedy }, seed)
    }

    fn hear(&mut self, paid: &Paid) -> Result<(), Error> {
        self.predictor.observe(&paid.context, paid.response);
        self.past.hear(paid.response.response());
        self.memory.hear(paid.context.key, paid.response.response())
    }

    /// Only answers are judged: the optimum is dear to find.
    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        self.memory.decided(record);
        if record.asked() {
            if let Some((situation, _)) = &self.present {
                self.cases.add(&self.world, situation, record);
            }
            W::judge(&self.world, &mut self.planner, advised(record), hindsight)?;
        }
        if self.audits_bounds() {
            let best = match self.best.take() {
                Some(best) => best,
                None => W::best_values(&self.world, self.spec.learner.discount)?,
            };
            hindsight.optimal_values = W::action_values(&best, &self.world).unwrap_or_default();
            self.best = Some(best);
        }
        Ok(())
    }

    fn act(&mut self, action: Action, learning: Learning, _: Seed) -> Result<f64, Error> {
        if self.learns_labels() && learning != Learning::Frozen {
            self.visited.push(self.world.clone());
        }
        let Transition { reward, end } = self.world.step(action);
        self.past.gain(reward);
        let mut next = Vec::with_capacity(self.state.len());
        W::active_features(&self.world, &mut next);
        if let (Learning::Continues, Some((context, law))) = (learning, self.proposed.take()) {
            self.memory.live(context, action, law, reward, next != self.state);
        }
        if learning == Learning::Continues && !self.replays {
            self.deep.observe(Experience { state: &self.state, action, reward, next: &next, end })?;
            self.deep.learn()?;
        }
        (self.state, self.step, self.over) = (next, self.step + 1, end.is_some());
        self.terminated = end == Some(End::Terminated);
        Ok(reward)
    }

    fn end(&mut self, engine: &Engine, seed: Seed) -> Result<u64, Error> {
        let mut steps = if self.learns_labels() { self.label_episode(engine, seed.stream("operational"))? } else { 0 };
        self.memory.end_episode(engine, self.terminated, seed)?;
        let credits = self.spec.credit == Credit::Labels && engine.bankroll().is_some();
        if credits || engine.gate().reads(Input::Forecast) {
            let (gained, simulated) = self.review(engine, seed.stream("cases"))?;
            steps += simulated;
            if credits {
                self.memory.credit(gained);
            }
        }
        Ok(steps)
    }

    fn predictor(&mut self) -> Option<&mut AnyPredictor> {
        Some(&mut self.predictor)
    }

    fn take_over(&mut self, rehearsed: Self) -> Result<(), Error> {
        if let ValuesFrom::Regression(spec) = self.spec.values {
            self.regression = rehearsed.regression.settled(spec)?;
        }
        Ok(())
    }

    /// Arms that match one controller differ in nothing but how its calls are placed, so it is played once for all of them.
    fn calls_to_match(&self, play: impl Fn() -> Result<Vec<u64>, Error>) -> Result<Vec<u64>, Error> {
        let matched = DeepStudy { matched: None, ..self.spec.clone() };
        let key = serde_json::to_string(&(&self.warm_start, matched))
            .map_err(|error| Error::Derivation { reason: error.to_string() })?;
        self.warm_starts.calls(key, play)
    }

    /// Arms that differ only in how they ask begin alike, so the warm-up is played once for all of them.
    fn warmed(mut self, warm_up: impl Fn(Self) -> Result<Self, Error>) -> Result<Self, Error> {
        let (warm_starts, key) = (self.warm_starts, self.warm_start.clone());
        self.deep = warm_starts.learner(&key, || Ok(warm_up(self.clone())?.deep))?;
        if self.memory.lives() {
            // What a context is depends on the advisor, so this is not shared; without learning it takes no time.
            self.memory = warm_up(Self { replays: true, ..self.clone() })?.memory;
        }
        Ok(self)
    }
}
