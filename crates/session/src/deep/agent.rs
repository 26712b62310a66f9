//! The deep agent at work: what it knows, whom it asks, what it learns.

use counsel_advisor::Context;
use counsel_advisor::predictor::Paid;
use counsel_controller::{Books, Controller, Learning, Order, Outcome, Situation, States, likeness};
use counsel_decision::{
    Action, AdviceModel, CandidateOnly, ContextKey, Evidence, Forecast, Input, Monitored, Parser, Preview, Record,
    ResponseLaw, Seed, ValueBounds, ValueSamples,
};
use counsel_deep::{Deep, Experience, Valued, epsilon_greedy};
use counsel_log::{Hindsight, PricedAdvisor};
use counsel_world::{End, Environment, Transition};

use super::agents::Agent;
use super::cases::Cases;
use super::consultant::{Asked, Consultant};
use super::inputs::Past;
use super::regression::{Outlook, Regression};
use super::spec::{DeepStudy, Support};
use super::warm_start::{Shared, WarmStarts};
use super::world::DeepWorld;
use crate::Error;
use crate::calibrate::Labels;
use crate::scene::{Episode, Heard, Known, Label, Scene, advised};

/// A deep learner in its world, with its advisor.
#[derive(Clone)]
pub(super) struct DeepAgent<'a, W: DeepWorld> {
    pub(super) spec: &'a DeepStudy,
    warm_starts: &'a WarmStarts,
    /// What the warm-up depends on, in words.
    warm_start: String,
    /// The first advisor, whose words make the contexts.
    pub(super) consultant: Consultant<'a, W>,
    /// Those that may be asked, where others than the first are named.
    asked: Vec<Consultant<'a, W>>,
    pub(super) deep: Deep,
    /// What the predictor may look back on.
    pub(super) past: Past,
    pub(super) world: W::World,
    /// Steps of an episode at most.
    horizon: u64,
    planner: W::Planner,
    pub(super) regression: Regression,
    pub(super) cases: Cases<W>,
    episode: Episode,
    /// The seed of the episode, and how many steps it has had.
    seed: Seed,
    step: u64,
    over: bool,
    /// The places of the ones that the learner sees.
    state: Vec<usize>,
    pub(super) present: Option<(W::Situation, Action)>,
    /// Whether the warm-up is only remembered, and the learner has learned from it already.
    replays: bool,
    /// The states of the episode, where its labels will be learned from.
    pub(super) visited: Vec<W::World>,
    /// Exact values of the episode's layout under the learner as it was when they were first wanted.
    pub(super) exact: Option<W::Exact>,
    /// Optimal values of the episode's layout, where an audit wants them.
    best: Option<W::Exact>,
}

/// A decision that was met: the world, what may be described of it, and what the agent thought best.
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
        (teller, asked): (W::Teller, Vec<W::Teller>),
        warm_start: String,
        horizon: u64,
        shared: Shared<'a>,
        seed: Seed,
    ) -> Result<Self, Error> {
        if spec.predictor.is_diagnostic() && shared.library.is_live() {
            return Err(Error::Settings {
                reason: "the replay oracle reads every answer before it is paid for; replay recorded answers, without a live model",
            });
        }
        let actions = world.actions();
        let panel = spec.panel().into_iter().zip(asked);
        let asked = panel.map(|(one, teller)| Consultant::new(one.advisor, one.corruption, teller, shared.library));
        let deep = Deep::new(spec.learner.clone(), W::inputs(&world), actions, seed.stream("learner"))?;
        Ok(Self {
            spec,
            warm_starts: shared.warm_starts,
            warm_start,
            consultant: Consultant::new(spec.advisor.clone(), spec.corruption, teller, shared.library)?,
            asked: asked.collect::<Result<_, _>>()?,
            past: Past::new(actions),
            deep,
            world,
            horizon,
            planner: W::Planner::default(),
            regression: Regression::default(),
            cases: Cases::default(),
            episode: Episode::WarmUp,
            seed,
            step: 0,
            over: true,
            state: Vec::new(),
            present: None,
            replays: false,
            visited: Vec::new(),
            exact: None,
            best: None,
        })
    }

    /// What is known in the warm-up: nothing. Its actions are uniformly random and nobody is asked, so values, prompts and
    /// predictions would be computed for no one; the context alone counts, where steps are remembered.
    fn unaware(&self, controller: &Controller) -> Result<Known, Error> {
        let actions = self.world.actions();
        let zeros = || vec![0.0; actions];
        let randomness = self.seed.stream("exploration").index(self.step);
        let base = epsilon_greedy(&zeros(), self.deep.epsilon(), randomness);
        let samples = ValueSamples::new(actions, zeros())?;
        let law = ResponseLaw::uniform(actions);
        let advice = CandidateOnly::new(law, samples, ValueBounds::new(zeros(), zeros())?, base)?;
        let remembers = controller.books().remembers_steps();
        let seen = if remembers { Some(W::situation(&self.world)?) } else { None };
        let key = seen.as_ref().map_or(ContextKey(0), |seen| self.consultant.key(seen));
        let situation = Situation::with_advice(Context::new(key, Vec::new()), AdviceModel::CandidateOnly(advice));
        let situation = match &seen {
            Some(seen) => self.resembling(situation, seen),
            None => situation,
        };
        let situation = situation.with_fallback_law(vec![1.0 / actions as f64; actions]);
        Ok(Known { situation, hindsight: Hindsight::default() })
    }

    /// Whether the learner's bounds are held against optimal values, discounted as the learner discounts: where that is declared,
    /// and where every decision has an exact label, so that the layout is small enough.
    fn audits_bounds(&self) -> bool {
        let calibration = &self.spec.deployment.calibration;
        let labelled = self.spec.label_decisions && calibration.labels == Labels::Exact;
        match self.episode {
            Episode::WarmUp => false,
            Episode::Rehearsal { .. } => calibration.value_bounds.is_some(),
            Episode::Deployment { .. } => labelled || calibration.value_bounds.is_some(),
        }
    }

    /// Whether this episode's labels are learned from.
    fn learns_labels(&self) -> bool {
        self.spec.books.agent.labelled_states().is_some() && self.episode != Episode::WarmUp
    }

    /// What a regression of values looks at in a state in which the learner thinks this.
    pub(super) fn outlook(&self, world: &W::World, situation: &W::Situation, learned: &Valued) -> Outlook {
        Outlook::new(&W::surroundings(situation), self.share_to_go(world), &learned.mean)
    }

    /// Which share of an episode is still to come.
    pub(super) fn share_to_go(&self, world: &W::World) -> f64 {
        W::steps_to_go(world) as f64 / self.horizon as f64
    }

    /// What the books know a situation by.
    pub(super) fn described(&self, context: Context, situation: &W::Situation) -> Situation {
        self.resembling(Situation::in_context(context), situation)
    }

    /// The same with what surrounds the agent, where its books go by that.
    fn resembling(&self, known: Situation, situation: &W::Situation) -> Situation {
        let surroundings = (self.spec.books.states == States::Features).then(|| W::surroundings(situation));
        match surroundings.as_deref().and_then(likeness) {
            Some(likeness) => known.resembling(likeness),
            None => known,
        }
    }

    /// What is known in a state in which the learner thinks this, except its proposal. Values of labels or of experience are
    /// in the books.
    pub(super) fn situation(
        &self,
        known: Situation,
        (world, situation): (&W::World, &W::Situation),
        learned: Valued,
    ) -> Result<Situation, Error> {
        let known = match self.spec.books.agent {
            Agent::Regressed(spec) => {
                let (samples, bounds) = self.regression.values(spec, &self.outlook(world, situation, &learned))?;
                known.valued(samples, Some(bounds))
            }
            Agent::Learner => known.valued(learned.samples, Some(learned.bounds)),
            Agent::Labelled(_) | Agent::Experienced(_) => known,
        };
        let unsupported = self.spec.support == Support::TargetInView && !W::sees_target(situation);
        Ok(if unsupported { known.monitored(Monitored::OutsideSupport) } else { known })
    }
}

impl<W: DeepWorld> Scene for DeepAgent<'_, W> {
    type Moment = Option<Met<W>>;

    fn parser(&self) -> Parser {
        self.consultant.parser().clone()
    }

    fn advisors(&self) -> Vec<PricedAdvisor> {
        self.spec.priced()
    }

    fn order(&self) -> Order {
        self.spec.order()
    }

    fn books(&self) -> Result<Books, Error> {
        self.spec.books::<W>(self.world.actions())
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
        self.visited.clear();
        self.past.begin_episode();
        self.best = None;
        self.cases.begin_episode();
        Ok(())
    }

    fn know(&mut self, controller: &mut Controller, seed: Seed) -> Result<Option<Known>, Error> {
        if self.over {
            return Ok(None);
        }
        if self.episode == Episode::WarmUp {
            return self.unaware(controller).map(Some);
        }
        let situation = W::situation(&self.world)?;
        let context = self.context(controller, &situation, &self.state)?;
        let learned = self.deep.values(&self.state)?;
        let known = self.described(context, &situation);
        let proposal = self.proposal(controller, &known, (&self.world, &situation), &learned)?;
        let (base, law) = (proposal.drawn(seed.stream("exploration")), proposal.law(self.world.actions()));
        let greedy = learned.greedy();
        let known =
            self.situation(known, (&self.world, &situation), learned)?.insisting_on(base).with_fallback_law(law);
        let known = if self.spec.predictor.is_diagnostic() {
            known.expecting(self.consultant.law(&Asked { world: &self.world, situation: &situation, greedy })?)
        } else {
            known
        };
        self.present = Some((situation, greedy));
        Ok(Some(Known { situation: known, hindsight: Hindsight::default() }))
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
        self.ask_of(0, seed)
    }

    fn ask_of(&mut self, advisor: usize, seed: Seed) -> Result<Heard, Error> {
        let (situation, greedy) = self.present.as_ref().ok_or(Error::NothingPresent)?;
        let consultant = self.asked.get(advisor).unwrap_or(&self.consultant);
        consultant.ask(&Asked { world: &self.world, situation, greedy: *greedy }, seed)
    }

    fn hear(&mut self, paid: &Paid) -> Result<(), Error> {
        self.past.hear(paid.response.response());
        Ok(())
    }

    /// Only answers are judged: the optimum is dear to find.
    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
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

    fn act(&mut self, action: Action, learning: Learning, _: Seed) -> Result<Outcome, Error> {
        if self.learns_labels() && learning != Learning::Frozen {
            self.visited.push(self.world.clone());
        }
        let Transition { reward, end } = self.world.step(action);
        self.past.gain(reward);
        let mut next = Vec::with_capacity(self.state.len());
        W::active_features(&self.world, &mut next);
        let changed = next != self.state;
        if learning == Learning::Continues && !self.replays {
            self.deep.observe(Experience { state: &self.state, action, reward, next: &next, end })?;
            self.deep.learn()?;
        }
        (self.state, self.step, self.over) = (next, self.step + 1, end.is_some());
        Ok(Outcome::reward(reward).changed(changed).terminated(end == Some(End::Terminated)).truncated(self.over))
    }

    fn end(&mut self, controller: &mut Controller, seed: Seed) -> Result<u64, Error> {
        if self.learns_labels() { self.label_episode(controller, seed.stream("operational")) } else { Ok(0) }
    }

    fn review(&mut self, controller: &mut Controller, seed: Seed) -> Result<u64, Error> {
        // An agent with experience of its own credits advice by that, and needs no copy of the world for it.
        let experienced = matches!(self.spec.books.agent, Agent::Experienced(_));
        let credits = controller.engine().bankroll().is_some() && !experienced;
        if !credits && !controller.engine().gate().reads(Input::Forecast) {
            return Ok(0);
        }
        let (gained, steps) = self.value_cases(controller, seed.stream("cases"))?;
        if credits {
            controller.books_mut().credit(gained);
        }
        Ok(steps)
    }

    fn take_over(&mut self, rehearsed: Self) -> Result<(), Error> {
        if let Agent::Regressed(spec) = self.spec.books.agent {
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
    fn warmed(
        mut self,
        mut books: Books,
        warm_up: impl Fn(Self, Books) -> Result<(Self, Books), Error>,
    ) -> Result<(Self, Books), Error> {
        let (warm_starts, key) = (self.warm_starts, self.warm_start.clone());
        self.deep = warm_starts.learner(&key, || Ok(warm_up(self.clone(), books.clone())?.0.deep))?;
        if books.remembers_steps() {
            // What a context is depends on the advisor, so this is not shared; without learning it takes no time.
            books = warm_up(Self { replays: true, ..self.clone() }, books)?.1;
        }
        Ok((self, books))
    }
}
