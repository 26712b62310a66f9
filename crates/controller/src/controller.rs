//! The engine with its books: one type for a study, a Rust program, Python and every later front end.
//!
//! ```text
//! decide(situation) ─┬─ Act                    ─── outcome(reward)
//!                    └─ Ask ── resume(reply) ── Act ─┘
//! ```
//!
//! The engine decides from evidence; the controller turns a context, a proposal and, afterwards, a reward into evidence.
//! Invariant: the books change only by paid answers and by outcomes, so a decision that is computed again from its record
//! comes out the same without them.

use std::collections::{BTreeMap, BTreeSet};

use counsel_advisor::{Context, PredictorSpec};
use counsel_calibration::CalibratedRadius;
use counsel_decision::refusal::{at_least, in_range};
use counsel_decision::{
    Act, Action, AdviceModel, Ask, CandidateOnly, Completion, ContextKey, Engine, Evidence, Foretold, Input, Lead,
    Monitored, PaidResponse, Parser, Preview, Record, Reply, Response, ResponseLaw, Seed, Settings, Turn, ValueSamples,
};
use serde::{Deserialize, Serialize};

use crate::consideration::{Considered, is_in_parts};
use crate::diagnosis::{Counts, Diagnosis};
use crate::dossier::Source;
use crate::episode::EpisodeNotes;
use crate::error::is_sane;
use crate::guard::Finished;
use crate::situation::{Ended, Handed};
use crate::vetting::worst_of;
use crate::{Books, Error, Guard, Order, Outcome, RadiusInForce, Reason, Recurrence, Situation, Spread, Stretch};

/// What goes on learning.
///
/// ```
/// use counsel_controller::{Budget, Controller, Learning};
///
/// let controller = Controller::recommended(0.01, Budget::calls(500), &["left", "right"])?;
/// let evaluated = controller.with_learning(Learning::Frozen);
/// assert_eq!(evaluated.learning(), Learning::Frozen);
/// # Ok::<(), counsel_controller::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Learning {
    /// The books learn from every outcome and every paid answer.
    #[default]
    Continues,
    /// They learn from paid answers alone.
    PredictorOnly,
    /// They stay as they are, so that calibration and evaluation opportunities are exchangeable.
    Frozen,
}

/// What is remembered of an open question.
#[derive(Debug)]
pub(crate) struct Open {
    features: Vec<f64>,
    state: ContextKey,
    /// The caller's own prediction of the answer.
    law: Option<ResponseLaw>,
    /// What the fallback would have proposed, where another advisor's answer stands in for it.
    fallback_law: Option<Vec<f64>>,
}

/// An engine with its books. Start with [`Controller::recommended`]; [`Controller::save`] writes it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Controller {
    pub(crate) settings: Settings,
    pub(crate) engine: Engine,
    /// The price of a call to each advisor.
    pub(crate) prices: Vec<f64>,
    /// The names of several advisors, and the order in which they are asked.
    pub(crate) names: Vec<String>,
    pub(crate) order: Order,
    pub(crate) books: Books,
    pub(crate) bounds: Spread,
    pub(crate) radius: RadiusInForce,
    #[serde(default, skip_serializing_if = "Stretch::is_none")]
    pub(crate) stretch: Stretch,
    pub(crate) learning: Learning,
    /// A predictor that is built when the first features are seen.
    pub(crate) predictor: Option<PredictorSpec>,
    pub(crate) features: Option<usize>,
    /// Whether the number of actions may differ from decision to decision.
    pub(crate) varies: bool,
    pub(crate) seed: Seed,
    pub(crate) place: usize,
    pub(crate) episodes: Vec<EpisodeNotes>,
    /// The number of times each context was met in this deployment.
    pub(crate) visits: BTreeMap<ContextKey, u64>,
    pub(crate) recurrence: Recurrence,
    /// Who leads in this deployment; the controller alone where nothing guards the agent.
    pub(crate) guard: Option<Guard>,
    /// The keys of the answers that could not be read.
    pub(crate) unusable: BTreeSet<ContextKey>,
    /// The open questions, by the number of the call.
    #[serde(skip)]
    pub(crate) open: BTreeMap<u64, Open>,
    pub(crate) counts: Counts,
}

impl Controller {
    /// A controller with these settings and books. A gate that reads true values is refused.
    pub fn new(settings: &Settings, parser: Parser, price: f64, books: Books, seed: Seed) -> Result<Self, Error> {
        Self::around(settings, Engine::new(settings, parser, seed)?, price, books, seed)
    }

    /// A controller for experiments, where gates may read true values.
    pub fn diagnostic(
        settings: &Settings,
        parser: Parser,
        price: f64,
        books: Books,
        seed: Seed,
    ) -> Result<Self, Error> {
        Self::around(settings, Engine::diagnostic(settings, parser, seed)?, price, books, seed)
    }

    fn around(settings: &Settings, engine: Engine, price: f64, books: Books, seed: Seed) -> Result<Self, Error> {
        check_price(price)?;
        Ok(Self {
            settings: settings.clone(),
            engine,
            prices: vec![price],
            names: Vec::new(),
            order: Order::default(),
            guard: books.spec().guard.map(Guard::new),
            books,
            bounds: Spread::default(),
            radius: RadiusInForce::Silent,
            stretch: Stretch::default(),
            learning: Learning::Continues,
            predictor: None,
            features: None,
            varies: false,
            seed,
            place: 0,
            episodes: vec![EpisodeNotes::default()],
            visits: BTreeMap::new(),
            recurrence: Recurrence::open_ended(),
            unusable: BTreeSet::new(),
            open: BTreeMap::new(),
            counts: Counts::default(),
        })
    }

    /// The same controller with this radius.
    #[must_use]
    pub fn with_radius(self, radius: RadiusInForce) -> Self {
        Self { radius, ..self }
    }

    /// The same controller with bounds that follow from value samples in this way, where none are handed in.
    pub fn with_bounds(self, bounds: Spread) -> Result<Self, Error> {
        bounds.check()?;
        Ok(Self { bounds, ..self })
    }

    /// The same controller with a predictor over this number of features; where it is not known, the first situation says it.
    /// A predictor that the books have already goes on learning.
    #[must_use]
    pub fn with_predictor(self, predictor: PredictorSpec, features: Option<usize>) -> Self {
        Self { predictor: Some(predictor), features, ..self }
    }

    /// The same controller with the books of an earlier deployment, for as many actions and advisors.
    #[must_use]
    pub fn with_books(self, books: Books) -> Self {
        Self { guard: books.spec().guard.map(Guard::new), books, ..self }
    }

    /// The predictor that is built when the first features are seen.
    pub fn declared_predictor(&self) -> Option<PredictorSpec> {
        self.predictor
    }

    /// The same controller, which learns as said.
    #[must_use]
    pub fn with_learning(self, learning: Learning) -> Self {
        Self { learning, ..self }
    }

    /// Learns as said from here on.
    pub fn set_learning(&mut self, learning: Learning) {
        self.learning = learning;
    }

    /// The same controller for a run of this many episodes. Without it, a run is expected to go on as long as it has lasted.
    #[must_use]
    pub fn over_episodes(mut self, episodes: u64) -> Self {
        self.expect_episodes(episodes);
        self
    }

    /// Begins a run of this many episodes: contexts are counted from here on.
    pub fn expect_episodes(&mut self, episodes: u64) {
        self.recurrence = Recurrence::new(episodes);
    }

    /// The same controller for actions whose number differs from decision to decision, up to the words of its parser.
    #[must_use]
    pub fn with_varying_actions(self) -> Self {
        Self { varies: true, ..self }
    }

    /// The same controller, asking this version of the advisor: answers kept from another version no longer serve.
    #[must_use]
    pub fn advised_by(mut self, advisor: impl Into<String>) -> Self {
        self.engine = self.engine.advised_by(advisor);
        self
    }

    /// The same controller with these advisors, each with its name and the price of a call. Of several nothing is known yet, unless
    /// the books are of as many advisors already.
    pub fn among(mut self, advisors: Vec<(String, f64)>) -> Result<Self, Error> {
        at_least("advisors", advisors.len(), 1, "name who can be asked, each with the price of a call")?;
        advisors.iter().try_for_each(|(_, price)| check_price(*price))?;
        let gate = self.engine.gate();
        if advisors.len() > 1 && (gate.reads(Input::Forecast) || gate.is_diagnostic()) {
            return Err(Error::Several { gate: gate.name() });
        }
        if self.books.advisors() != advisors.len() {
            self.books = self.books.of_advisors(advisors.len());
        }
        let version: Vec<&str> = advisors.iter().map(|(name, _)| name.as_str()).collect();
        self.engine = self.engine.advised_by(version.join(", "));
        (self.names, self.prices) = advisors.into_iter().unzip();
        Ok(self)
    }

    /// The same controller, which asks several advisors in this order.
    #[must_use]
    pub fn in_order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Starts the next episode at the present place, and learns from the one before.
    pub fn begin_episode(&mut self) -> Result<(), Error> {
        let seed = self.seed.stream("episode").index(self.recurrence.begun());
        self.begin_episode_from(seed)
    }

    /// The same, with randomness of its own.
    pub fn begin_episode_from(&mut self, seed: Seed) -> Result<(), Error> {
        self.end_episode()?;
        self.engine.begin_episode();
        let number = self.recurrence.begin_episode();
        let lead = self.guard_at_work().map_or(Lead::Controller, Guard::begin);
        self.episodes[self.place] = EpisodeNotes::begun(number, seed, lead);
        Ok(())
    }

    /// Learns from the episode at the present place, if one runs. The next `begin_episode` or `decide` does it by itself.
    pub fn end_episode(&mut self) -> Result<(), Error> {
        let notes = std::mem::take(&mut self.episodes[self.place]);
        let (true, Some(seed)) = (notes.running, notes.seed) else { return Ok(()) };
        if let Some(guard) = self.guard_at_work() {
            // An episode in which somebody else had the last word says nothing of who should lead.
            let finished = if notes.overrides > 0 { Finished::default() } else { notes.so_far };
            guard.end(notes.began, finished, notes.lead != notes.began);
        }
        let terminated = notes.ended == Some(Ended::Terminated);
        self.books.end_episode(&self.engine, &notes.steps, terminated, seed)
    }

    /// Who leads now at the present place.
    pub fn lead(&self) -> Lead {
        self.episodes[self.place].lead
    }

    /// The guard, where there is one and the agent learns: it tells leaders apart by what comes of learning.
    fn guard_at_work(&mut self) -> Option<&mut Guard> {
        self.guard.as_mut().filter(|_| self.learning == Learning::Continues)
    }

    /// Whether no episode runs at the present place, so that its next decision begins one.
    pub fn is_between_episodes(&self) -> bool {
        let notes = &self.episodes[self.place];
        !notes.running || notes.ended.is_some()
    }

    /// Goes on at another place: one of several environments that share the budget, the books and the held answers.
    pub fn turn_to(&mut self, place: usize) {
        self.engine.turn_to(place);
        self.place = place;
        if self.episodes.len() <= place {
            self.episodes.resize_with(place + 1, EpisodeNotes::default);
        }
    }

    /// Says that the next decisions are made side by side; see [`Engine::begin_batch`].
    pub fn begin_batch(&mut self) {
        self.engine.begin_batch();
    }

    /// Decides whether to act or to ask, before any answer exists. A question is paid for when it is handed out; several may
    /// be open at once.
    pub fn decide(&mut self, situation: Situation) -> Result<Turn, Error> {
        self.decide_with(situation, |_, _| Ok(Completion::default()))
    }

    /// Decides as `decide` does. `complete` sees what is weighed, and may add what a study knows of it.
    pub fn decide_with<E: From<Error> + From<counsel_decision::Error>>(
        &mut self,
        mut situation: Situation,
        complete: impl FnOnce(&Preview, &Evidence) -> Result<Completion, E>,
    ) -> Result<Turn, E> {
        self.check(&situation)?;
        if self.is_between_episodes() {
            self.begin_episode()?;
        }
        let state = self.state(&situation);
        let alone = self.prices.len() == 1;
        let samples = if alone { situation.take_samples() } else { None };
        let Considered { evidence, fallback_law } = self.evidence(&situation, state, samples)?;
        let law = situation.own_law().cloned();
        let Situation { context: Context { key, features }, visits, expected_uses, credited_gain, .. } = situation;
        let met = self.visits.entry(key).or_default();
        let evidence = evidence.with_visits(visits.unwrap_or(*met));
        *met += 1;
        // Among several advisors the uses are a part of what was considered.
        let uses = match evidence.panel() {
            Some(_) => evidence.expected_uses(),
            None => expected_uses.unwrap_or_else(|| self.uses(0, key, state, evidence.foretold())),
        };
        let episode = self.episodes[self.place].number;
        [key, state].into_iter().for_each(|met| self.recurrence.meet(met, episode));
        let credited = self.books.take_credited() + credited_gain.unwrap_or(0.0);
        let evidence = evidence.with_expected_uses(uses).and_then(|evidence| evidence.with_credited_gain(credited));
        let (radius, stretch) = (&self.radius, self.stretch);
        let turn = self.engine.decide_with(evidence?, |preview, evidence| {
            let mut completion = complete(preview, evidence)?;
            let known = completion.radius.unwrap_or_else(|| radius.at(evidence, preview.estimate));
            completion.radius = Some(stretch.of(known)?);
            Ok::<_, E>(completion)
        })?;
        let open = Open { features, state, law, fallback_law };
        match turn {
            Turn::Act(act) => {
                self.finish(&act, open);
                Ok(Turn::Act(act))
            }
            Turn::Ask(ask) => {
                self.open.insert(ask.serial(), open);
                Ok(Turn::Ask(ask))
            }
        }
    }

    /// What `decide` would weigh in a situation; it changes nothing.
    pub fn preview(&self, situation: &Situation) -> Result<(Evidence, Preview), Error> {
        let Considered { evidence, .. } = self.evidence(situation, self.state(situation), None)?;
        let preview = self.engine.preview(&evidence);
        Ok((evidence, preview))
    }

    /// Takes the reply to a question and acts. The books learn from the answer.
    pub fn resume(&mut self, ask: Ask, reply: Reply) -> Result<Act, Error> {
        let (act, (context, paid), asked) = self.answer(ask, reply)?;
        if self.learning != Learning::Frozen {
            self.books.hear_all(&[(context, paid)], &[asked])?;
        }
        Ok(act)
    }

    /// Takes the replies to questions that were asked side by side, in their order: each predictor is fitted once.
    pub fn resume_all(&mut self, answered: Vec<(Ask, Reply)>) -> Result<Vec<Act>, Error> {
        let mut acts = Vec::with_capacity(answered.len());
        let (mut heard, mut of) = (Vec::with_capacity(answered.len()), Vec::with_capacity(answered.len()));
        for (ask, reply) in answered {
            let (act, paid, asked) = self.answer(ask, reply)?;
            acts.push(act);
            heard.push(paid);
            of.push(asked);
        }
        if self.learning != Learning::Frozen {
            self.books.hear_all(&heard, &of)?;
        }
        Ok(acts)
    }

    fn answer(&mut self, ask: Ask, reply: Reply) -> Result<Answered, Error> {
        let (serial, advisor) = (ask.serial(), ask.advisor());
        let mut open = self.open.remove(&serial).ok_or(Error::NotOpen { serial })?;
        let context = Context::new(ask.evidence().context(), std::mem::take(&mut open.features));
        let act = self.engine.resume(ask, reply);
        let paid = act.paid.ok_or(Error::NotOpen { serial })?;
        if paid.response() == Response::Unusable {
            self.unusable.insert(context.key.answered_by(advisor));
        }
        let source = Source { advisor, state: open.state, law: open.law.take() };
        self.finish(&act, open);
        Ok((act, (context, paid), source))
    }

    fn finish(&mut self, act: &Act, open: Open) {
        let place = usize::try_from(act.record.place).unwrap_or(self.place);
        self.episodes[place].decided(&act.record, open.state, open.fallback_law);
        let turned_away = self.books.advisor(act.record.evidence.advisor()).is_turned_away();
        self.counts.count(&act.record, self.engine.gate(), turned_away);
    }

    /// Says what came of the last decision at the present place.
    pub fn outcome(&mut self, outcome: Outcome) -> Result<(), Error> {
        if !is_sane(outcome.reward) {
            return Err(Error::Reward { reward: outcome.reward });
        }
        let (learns, wanted) = (self.learning == Learning::Continues, self.books.wants_steps());
        if !self.episodes[self.place].came_of_it(outcome, learns, wanted) {
            return Err(Error::NoDecision);
        }
        let EpisodeNotes { lead, so_far, ended, overrides, .. } = &mut self.episodes[self.place];
        // A trial that is lost is finished by the leader.
        let going = lead.is_trial() && ended.is_none() && *overrides == 0;
        if let Some(guard) = self.guard.as_ref().filter(|guard| going && guard.is_lost(*so_far)) {
            *lead = guard.leader();
        }
        Ok(())
    }

    /// Adds to the reward of an earlier step of the episode that runs at the present place, counted from 0: of an outcome that is
    /// known late, or was corrected. Says whether the step is one of those that will be learned from.
    pub fn correct(&mut self, step: usize, by: f64) -> Result<bool, Error> {
        if !by.is_finite() {
            return Err(Error::Reward { reward: by });
        }
        Ok(self.episodes[self.place].correct(step, by))
    }

    /// Why a complete decision did not ask, or why its bought answer changed nothing; none where it changed the action.
    pub fn reason(&self, record: &Record) -> Option<Reason> {
        let turned_away = self.books.advisor(record.evidence.advisor()).is_turned_away();
        Reason::of(record, self.engine.gate(), turned_away)
    }

    /// The number of episodes in which an answer that is bought of this advisor now would serve: this one alone where none is kept, none where
    /// one is held, or was bought and could not be read. Where answers are foretold, it serves in its whole state; where this
    /// one is, it serves in its own context.
    pub(crate) fn uses(
        &self,
        advisor: usize,
        context: ContextKey,
        state: ContextKey,
        foretold: Option<Foretold>,
    ) -> f64 {
        if !self.engine.cache().keeps() {
            1.0
        } else if self.was_asked(advisor, context) {
            0.0
        } else {
            let expected = |met| self.recurrence.expected(met, self.episodes[self.place].number);
            let serves_its_state = foretold.is_none() && self.books.spec().foretelling.is_some();
            expected(if serves_its_state { state } else { context })
        }
    }

    /// Whether an advisor is neither asked nor followed at this moment: it was turned away, or rests.
    pub(crate) fn is_silenced(&self, advisor: usize) -> bool {
        let (dossier, notes) = (self.books.advisor(advisor), &self.episodes[self.place]);
        dossier.is_turned_away() || dossier.rests(self.books.spec(), notes.circles)
    }

    /// Whether an advisor's answer in a context is held, or was bought and could not be read.
    fn was_asked(&self, advisor: usize, context: ContextKey) -> bool {
        let key = context.answered_by(advisor);
        self.engine.cache().entry(key).is_some() || self.unusable.contains(&key)
    }

    /// Refuses a situation about other actions than the controller's, or with features that nobody can learn from.
    fn check(&mut self, situation: &Situation) -> Result<(), Error> {
        let actions = self.actions();
        let same = |what, got: usize| {
            let fits = got == actions || (self.varies && got < actions);
            if fits { Ok(()) } else { Err(Error::Actions { what, got, actions }) }
        };
        situation.actions.map_or(Ok(()), |actions| same("the situation", actions))?;
        match &situation.handed {
            Handed::Whole(advice) => same("the advice", advice.law().actions())?,
            Handed::Parts { samples, bounds, law } => {
                samples.iter().try_for_each(|samples| same("the table of values", samples.actions()))?;
                bounds.iter().try_for_each(|bounds| same("the table of bounds", bounds.actions()))?;
                law.iter().try_for_each(|law| same("the response law", law.actions()))?;
            }
        }
        if !situation.fallback_law.is_empty() {
            same("the law of the fallback", situation.fallback_law.len())?;
        }
        let features = &situation.context.features;
        if let Some((place, &value)) = features.iter().enumerate().find(|(_, value)| !is_sane(**value)) {
            return Err(Error::Feature { place, value });
        }
        if let Some(predictor) = &self.predictor {
            let expected = *self.features.get_or_insert(features.len());
            if expected != features.len() {
                return Err(Error::Features { got: features.len(), expected });
            }
            if self.books.predictor().is_none() {
                let books = self.books.clone();
                self.books = books.predicting(*predictor, expected)?;
            }
        }
        Ok(())
    }

    /// What is known in a situation, as the engine wants it. Samples that were taken out of it need not be copied.
    fn evidence(
        &self,
        situation: &Situation,
        state: ContextKey,
        taken: Option<ValueSamples>,
    ) -> Result<Considered, Error> {
        if self.prices.len() > 1 && is_in_parts(situation) {
            return self.considered(situation, state);
        }
        Ok(Considered { evidence: self.evidence_of(0, situation, state, taken)?, fallback_law: None })
    }

    /// The same about one advisor, as if there were no other.
    pub(crate) fn evidence_of(
        &self,
        advisor: usize,
        situation: &Situation,
        state: ContextKey,
        taken: Option<ValueSamples>,
    ) -> Result<Evidence, Error> {
        let (context, dossier) = (&situation.context, self.books.advisor(advisor));
        let notes = &self.episodes[self.place];
        let patience = self.books.spec().patience;
        let mut fallback_law = situation.fallback_law.clone();
        let advice = match &situation.handed {
            Handed::Whole(advice) => (**advice).clone(),
            Handed::Parts { samples, bounds, law } => {
                let actions = situation.actions.unwrap_or_else(|| self.actions());
                let proposes = if situation.insists { None } else { self.proposes(situation, state, actions)? };
                if let Some(action) = proposes {
                    fallback_law = vec![0.0; actions];
                    fallback_law[action.index()] = 1.0;
                }
                let base = proposes.or(situation.proposal).ok_or(Error::NoProposal)?;
                let (samples, bounds) = match taken.or_else(|| samples.clone()) {
                    Some(samples) => (samples, bounds.clone()),
                    None => {
                        let (samples, bounds) = self.books.values(state, actions)?.ok_or(Error::NoValues)?;
                        (samples, Some(bounds))
                    }
                };
                let law = law.clone().unwrap_or_else(|| dossier.law(context, samples.actions()));
                let mut advice = match bounds {
                    Some(bounds) => CandidateOnly::new(law, samples, bounds, base)?,
                    None => CandidateOnly::spread(law, samples, base, |m, v| self.bounds.around(m, v))?,
                };
                let credits = if self.is_silenced(advisor) {
                    Some(vec![worst_of(advice.means()); advice.means().len()])
                } else {
                    self.books.credits(advisor, state, advice.means())
                };
                if let Some(mut credits) = credits {
                    credits.iter_mut().for_each(|credit| *credit *= self.stretch.trust);
                    advice = advice.vouched_for(&credits)?;
                }
                AdviceModel::CandidateOnly(advice)
            }
        };
        let shifted = self.books.is_shifted(state);
        let foretold = self.foretold(advisor, situation, state, || advice.law().clone())?;
        Ok(Evidence::new(context.key, advice, self.prices[advisor] * self.stretch.price)?
            .with_fallback_law(fallback_law)?
            .with_foretold(foretold)?
            .with_lead(notes.lead)
            .with_stalled(situation.stalled.unwrap_or_else(|| notes.is_stalled(state, patience)))
            .with_monitored(if shifted { Monitored::Shifted } else { situation.monitored }))
    }

    /// The number of actions: the words of the parser.
    pub fn actions(&self) -> usize {
        self.engine.parser().words().len()
    }

    /// The engine: the held answers, the budget and the bankroll.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What is declared.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The seed of the engine, for the manifest of a log.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The books.
    pub fn books(&self) -> &Books {
        &self.books
    }

    /// The books, to be taught what only a study knows: labels, an oracle's laws.
    pub fn books_mut(&mut self) -> &mut Books {
        &mut self.books
    }

    /// The books, for the next deployment.
    pub fn into_books(self) -> Books {
        self.books
    }

    /// What goes on learning.
    pub fn learning(&self) -> Learning {
        self.learning
    }

    /// The state by which the books know a situation.
    pub fn state(&self, situation: &Situation) -> ContextKey {
        situation.state(self.books.spec().states)
    }

    /// What the values propose in a situation at this moment of the episode, in the place of the agent; none where it is the
    /// agent's turn.
    pub fn proposal(&self, situation: &Situation) -> Result<Option<Action>, Error> {
        let actions = situation.actions.unwrap_or_else(|| self.actions());
        self.proposes(situation, self.state(situation), actions)
    }

    fn proposes(&self, situation: &Situation, state: ContextKey, actions: usize) -> Result<Option<Action>, Error> {
        let context = &situation.context;
        let notes = &self.episodes[self.place];
        if notes.lead.is_agent() {
            return Ok(None);
        }
        let rounds = notes.rounds(state, self.books.spec().patience);
        let mut answered = false;
        for place in 0..self.prices.len() {
            let advisor = self.books.advisor(place);
            let held = self.engine.cache().entry(context.key.answered_by(place)).is_some();
            let law = || situation.own_law().cloned().unwrap_or_else(|| advisor.law(context, actions));
            let known = held || self.foretold(place, situation, state, law)?.is_some();
            answered |= known && !self.is_silenced(place);
        }
        Ok(self.books.proposes(&self.engine, (state, actions), answered, rounds, notes.idle))
    }

    /// An advisor's answer that is known without asking; none where one is held, could not be read, or nobody can tell.
    fn foretold(
        &self,
        advisor: usize,
        situation: &Situation,
        state: ContextKey,
        law: impl FnOnce() -> ResponseLaw,
    ) -> Result<Option<Foretold>, Error> {
        let context = &situation.context;
        if self.was_asked(advisor, context.key) || self.is_silenced(advisor) {
            return Ok(None);
        }
        // Without features every context would be predicted alike, unless the caller predicts the answer himself.
        let law = (!context.features.is_empty() || situation.own_law().is_some()).then_some(law);
        self.books.advisor(advisor).foretold(state, law)
    }

    /// The price of a call; of several advisors, of one to the first.
    pub fn price(&self) -> f64 {
        self.prices[0]
    }

    /// The advisors by name, each with the price of a call; empty where they were given no names.
    pub fn advisors(&self) -> impl Iterator<Item = (&str, f64)> {
        self.names.iter().map(String::as_str).zip(self.prices.iter().copied())
    }

    /// The radius in force.
    pub fn radius(&self) -> &RadiusInForce {
        &self.radius
    }

    /// Another radius from the next decision on.
    pub fn set_radius(&mut self, radius: RadiusInForce) {
        self.radius = radius;
    }

    /// The calibrated radius that every labelled decision adds its score to, where one is in force.
    pub fn online_radius(&mut self) -> Option<&mut CalibratedRadius> {
        match &mut self.radius {
            RadiusInForce::Online(radius) => Some(radius),
            _ => None,
        }
    }

    /// Why it did not ask, and why answers did not act: counts, in plain words, each with a remedy.
    pub fn diagnose(&self) -> Diagnosis {
        self.counts.diagnosis(&self.engine, self.guard.as_ref())
    }
}

/// An act, what was paid for in which context, and where it came from.
type Answered = (Act, (Context, PaidResponse), Source);

fn check_price(price: f64) -> Result<(), Error> {
    let remedy = "pass the cost of one call";
    Ok(in_range(price >= 0.0 && price.is_finite(), "price", price, "[0, infinity)", remedy)?)
}
