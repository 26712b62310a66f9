//! Algorithm 1 on one screen, without input or output.
//!
//! ```text
//! decide(evidence) ─┬─ Act(action)                       the gate is silent, or no call is left
//!                   └─ Ask(question) ── resume(reply) ── Act(action)
//! ```
//!
//! Everything the gate uses is fixed in `decide`, before a reply can exist. Several questions may be open at once; each
//! has been paid for when it is handed out. An audit replays a log one decision at a time, or batch by batch where
//! [`Engine::begin_batch`] says so: all of a batch are decided, then resumed in their order. With the cache on, a run in which
//! questions overlap in another way is not auditable.
//!
//! One engine may serve several places, environments that are played side by side. Budget, pacing, cache and bankroll are
//! shared; what is counted by the episode is counted at each place ([`Engine::turn_to`]).

use serde::{Deserialize, Serialize};

use crate::budget::{BudgetAccount, Permit};
use crate::cache::Confidence;
use crate::estimate::{prospect, reuse_value};
use crate::gate::{GateAtWork, Progress, Signals, Standing};
use crate::pacing::PacingAtWork;
use crate::{
    Action, Answer, Bankroll, Cache, CacheEntry, CacheStatus, Completion, Error, Evidence, Execution, Gate, Input,
    NoQuery, Outcome, Parser, Prospect, Record, Reply, Response, Seed, Settings, estimate, no_query, prospects,
};

/// What to do now.
#[derive(Debug)]
pub enum Turn {
    /// Act; the decision is complete.
    Act(Act),
    /// Send the question to the advisor and `resume` with its reply.
    Ask(Ask),
}

/// What a decision would weigh, computed without deciding.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// a⁰, and what the cache contributed to it.
    pub no_query: NoQuery,
    /// d(y) for every response.
    pub prospects: Vec<Prospect>,
    /// Δ̂.
    pub estimate: f64,
    /// Δ̄, where the gate reads it.
    pub reuse_value: Option<f64>,
}

impl Preview {
    /// d(y) alone, for every response.
    pub fn decisions(&self) -> Vec<Action> {
        self.prospects.iter().map(|prospect| prospect.action).collect()
    }
}

/// A paid question. Only `resume` turns it into an action, and it does so once:
///
/// ```
/// # use counsel_decision::{Act, Ask, Engine, Reply};
/// fn answered(engine: &mut Engine, question: Ask) -> Act {
///     engine.resume(question, Reply::live("left"))
/// }
/// ```
///
/// It cannot be copied:
///
/// ```compile_fail
/// # use counsel_decision::{Act, Ask, Engine, Reply};
/// fn answered(engine: &mut Engine, question: Ask) -> Act {
///     engine.resume(question.clone(), Reply::live("left"))
/// }
/// ```
#[derive(Debug)]
#[must_use = "the call is paid for: send it, and resume with the reply or with Reply::lost()"]
pub struct Ask {
    permit: Permit,
    record: Record,
}

impl Ask {
    /// The number of this call in its run, from 1.
    pub fn serial(&self) -> u64 {
        self.permit.serial()
    }

    /// Whom to ask: the place of the advisor among several, from 0.
    pub fn advisor(&self) -> usize {
        self.record.evidence.advisor()
    }

    /// What was weighed before it was asked.
    pub fn preview(&self) -> Preview {
        self.record.preview()
    }

    /// Δ̂.
    pub fn estimate(&self) -> f64 {
        self.record.estimate
    }

    /// How much spoke for asking, and how much was needed.
    pub fn standing(&self) -> Standing {
        Standing { score: self.record.score, threshold: self.record.threshold }
    }

    /// The evidence the question was asked on.
    pub fn evidence(&self) -> &Evidence {
        &self.record.evidence
    }
}

/// A response that was paid for. Predictors learn from nothing else, and only the engine makes one:
///
/// ```compile_fail
/// let free = counsel_decision::PaidResponse(counsel_decision::Response::Unusable);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaidResponse(Response);

impl PaidResponse {
    /// The response.
    pub fn response(self) -> Response {
        self.0
    }
}

/// A complete decision.
#[derive(Debug)]
pub struct Act {
    /// What the agent must do.
    pub action: Action,
    /// The response that was paid for, if one was.
    pub paid: Option<PaidResponse>,
    /// The decision's record, for the log.
    pub record: Record,
}

/// The machine that decides from evidence, for one run. It can be written down and read back, but not cloned: a clone would
/// spend the same budget twice.
///
/// ```
/// use counsel_decision::{
///     Action, AdviceModel, Budget, CandidateOnly, ContextKey, Engine, Evidence, Execution, Gate, Parser, Reply,
///     ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
/// };
///
/// let settings = Settings::new(Gate::Always, Execution::Improving, Budget::calls(1));
/// let mut engine = Engine::new(&settings, Parser::new(["left", "right"])?, Seed::root(0))?;
/// let samples = ValueSamples::new(2, vec![0.2, 0.6])?;
/// let bounds = ValueBounds::new(vec![0.0; 2], vec![1.0; 2])?;
/// let advice = CandidateOnly::new(ResponseLaw::uniform(2), samples, bounds, Action(0))?;
/// let act = match engine.decide(Evidence::new(ContextKey(0), AdviceModel::CandidateOnly(advice), 0.01)?)? {
///     Turn::Act(act) => act,
///     Turn::Ask(ask) => engine.resume(ask, Reply::live("right")),
/// };
/// assert_eq!((act.action, act.record.asked(), engine.calls_made()), (Action(1), true, 1));
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Serialize, Deserialize)]
pub struct Engine {
    rule: Execution,
    gate: GateAtWork,
    budget: BudgetAccount,
    bankroll: Option<Bankroll>,
    pacing: PacingAtWork,
    cache: Cache,
    parser: Parser,
    step: u64,
    batch: Option<u64>,
    place: usize,
    episode: Episode,
    /// The episodes of all places; that of the present one is stale.
    episodes: Vec<Episode>,
}

/// What is counted by the episode, at one place.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Episode {
    begun: u64,
    steps: u64,
    /// Held by the budget while its place is the present one.
    spent: u64,
    /// Held by the gate while its place is the present one.
    progress: Progress,
}

impl Engine {
    /// A controller for deployment. A gate that reads true values is refused.
    pub fn new(settings: &Settings, parser: Parser, seed: Seed) -> Result<Self, Error> {
        if settings.gate.is_diagnostic() {
            return Err(Error::DiagnosticGate { gate: settings.gate.name() });
        }
        Self::diagnostic(settings, parser, seed)
    }

    /// A controller for experiments, where gates may read true values.
    pub fn diagnostic(settings: &Settings, parser: Parser, seed: Seed) -> Result<Self, Error> {
        settings.execution.check()?;
        settings.cache.check()?;
        Ok(Self {
            rule: settings.execution,
            gate: GateAtWork::new(&settings.gate, seed)?,
            budget: BudgetAccount::new(settings.budget.clone())?,
            bankroll: settings.bankroll.map(Bankroll::new).transpose()?,
            pacing: PacingAtWork::new(settings.pacing)?,
            cache: Cache::new(settings.cache.clone()),
            parser,
            step: 0,
            batch: None,
            place: 0,
            episode: Episode::default(),
            episodes: Vec::new(),
        })
    }

    /// The same controller, asking this version of the advisor: answers kept from another version no longer serve.
    #[must_use]
    pub fn advised_by(mut self, advisor: impl Into<String>) -> Self {
        self.cache.serve(advisor.into());
        self
    }

    /// From the next decision on the tolerance, the limits of calls and what advice may lose are those of these settings. What was
    /// spent stays spent: a limit below it allows no further call. Everything else stays as it was built.
    ///
    /// ```
    /// # use counsel_decision::{Budget, Engine, Execution, Gate, Parser, Seed, Settings};
    /// let mut settings = Settings::new(Gate::Always, Execution::Improving, Budget::calls(9));
    /// let mut engine = Engine::new(&settings, Parser::new(["left", "right"])?, Seed::root(0))?;
    /// settings.budget = Budget::calls(1);
    /// engine.retune(&settings)?;
    /// assert_eq!(engine.calls_left(), 1);
    /// # Ok::<(), counsel_decision::Error>(())
    /// ```
    pub fn retune(&mut self, settings: &Settings) -> Result<(), Error> {
        settings.execution.check()?;
        let bankroll = self.bankroll.zip(settings.bankroll).map(|(now, spec)| now.retuned(spec)).transpose()?;
        self.budget.retune(settings.budget.clone())?;
        (self.rule, self.bankroll) = (settings.execution, bankroll.or(self.bankroll));
        Ok(())
    }

    /// Starts the next episode of the present place. The first one starts by itself.
    pub fn begin_episode(&mut self) {
        self.pacing.end_episode(self.episode.steps);
        self.budget.begin_episode();
        self.gate.begin_episode();
        self.episode.begun += 1;
        self.episode.steps = 0;
    }

    /// Goes on at another place, where its episode stands. An engine begins at place 0, and most stay there.
    pub fn turn_to(&mut self, place: usize) {
        if place == self.place {
            return;
        }
        let most = place.max(self.place);
        if self.episodes.len() <= most {
            self.episodes.resize(most + 1, Episode::default());
        }
        let next = self.episodes[place];
        self.episode.spent = self.budget.exchange_episode(next.spent);
        self.episode.progress = self.gate.exchange_episode(next.progress);
        self.episodes[self.place] = self.episode;
        (self.place, self.episode) = (place, next);
    }

    /// Says that the next decisions are made side by side, up to the next batch: all are decided before the first is resumed,
    /// and they are resumed in their order. For an audit, the episodes of all its places have begun before its first decision.
    pub fn begin_batch(&mut self) {
        self.batch = Some(self.batch.map_or(0, |batch| batch + 1));
    }

    /// What `decide` would weigh on this evidence; it changes nothing.
    pub fn preview(&self, evidence: &Evidence) -> Preview {
        let mut no_query = no_query(self.rule, &self.cache, evidence, self.step);
        if no_query.status.acts() {
            let spent = || self.bankroll_at(evidence).is_some_and(|bankroll| bankroll.is_empty());
            let ignored = if evidence.lead.is_agent() {
                Some(CacheStatus::PassedOver)
            } else {
                spent().then_some(CacheStatus::Distrusted)
            };
            let base = evidence.advice.none().base();
            no_query = ignored.map_or(no_query, |status| NoQuery { action: base, status, ..no_query });
        }
        let (rule, advice) = (self.rule.anticipated(), &evidence.advice);
        let prospects = prospects(rule, advice);
        let foretold = evidence.foretold.filter(|_| no_query.status == CacheStatus::Foretold);
        let estimate = estimate(advice, &prospects, &no_query, foretold, self.gate.spec().valuation());
        let amortised = self.gate.spec().reads(Input::Reuse);
        // Where the answer is foretold, buying it adds at each later use what the doubt is worth.
        let doubt = foretold.map_or(1.0, |foretold| 1.0 - foretold.reliability());
        let reuse_value = amortised.then(|| doubt * reuse_value(rule, advice, &evidence.fallback_law));
        Preview { no_query, prospects, estimate, reuse_value }
    }

    /// Where the gate would stand on this evidence, which weighs so much; it changes nothing.
    pub fn standing(&self, evidence: &Evidence, preview: &Preview) -> Standing {
        let paced_price = self.pacing.of(evidence.price);
        self.gate.clone().weigh(&self.signals(evidence, preview, paced_price))
    }

    /// What the gate looks at.
    fn signals<'a>(&self, evidence: &'a Evidence, preview: &Preview, paced_price: f64) -> Signals<'a> {
        Signals {
            evidence,
            no_query: preview.no_query.action,
            estimate: preview.estimate,
            reuse_value: preview.reuse_value.unwrap_or(0.0),
            paced_price,
            step: self.step,
        }
    }

    /// The bankroll once this evidence's gains are credited.
    fn bankroll_at(&self, evidence: &Evidence) -> Option<Bankroll> {
        self.bankroll.map(|bankroll| bankroll.credited(evidence.credited_gain))
    }

    /// Decides whether to act or to ask. Nothing a reply could say has any influence here.
    pub fn decide(&mut self, evidence: Evidence) -> Result<Turn, Error> {
        self.decide_with(evidence, |_, _| Ok(Completion::default()))
    }

    /// Decides as `decide` does. The radius, a learned value and a diagnostic gate's true value may depend on what is weighed:
    /// `complete` sees it and returns them, so that nothing is computed twice.
    ///
    /// ```
    /// # use counsel_decision::{Completion, Engine, Error, Evidence, Radius, Turn};
    /// fn protected(engine: &mut Engine, evidence: Evidence) -> Result<Turn, Error> {
    ///     engine.decide_with(evidence, |preview, _| {
    ///         Ok(Completion { radius: Some(Radius::new(preview.estimate.abs())?), ..Completion::default() })
    ///     })
    /// }
    /// ```
    ///
    /// Nothing else can be changed once it is known what is weighed, neither by what is returned
    ///
    /// ```compile_fail
    /// # use counsel_decision::{Completion, Engine, Error, Evidence, Turn};
    /// fn cheaper(engine: &mut Engine, evidence: Evidence) -> Result<Turn, Error> {
    ///     engine.decide_with(evidence, |_, _| Ok(Completion { price: Some(0.0), ..Completion::default() }))
    /// }
    /// ```
    ///
    /// nor in the evidence itself:
    ///
    /// ```compile_fail
    /// # use counsel_decision::{Completion, Engine, Error, Evidence, Turn};
    /// fn cheaper(engine: &mut Engine, evidence: Evidence) -> Result<Turn, Error> {
    ///     engine.decide_with(evidence, |_, evidence| {
    ///         *evidence = evidence.clone().at_price(0.0)?;
    ///         Ok(Completion::default())
    ///     })
    /// }
    /// ```
    pub fn decide_with<E: From<Error>>(
        &mut self,
        evidence: Evidence,
        complete: impl FnOnce(&Preview, &Evidence) -> Result<Completion, E>,
    ) -> Result<Turn, E> {
        let (actions, words) = (evidence.actions(), self.parser.words().len());
        if actions > words {
            return Err(Error::NamelessActions { actions, words }.into());
        }
        if self.episode.begun == 0 {
            self.begin_episode();
        }
        let preview = self.preview(&evidence);
        let completion = complete(&preview, &evidence)?;
        let evidence = evidence.completed(completion);
        self.bankroll = self.bankroll_at(&evidence);
        self.budget.begin_decision();
        self.cache.settle(evidence.kept_under(), preview.no_query.status);
        let (pacing, paced_price) = (self.pacing.factor(), self.pacing.of(evidence.price));
        let calls_left = self.budget.calls_left();
        let signals = self.signals(&evidence, &preview, paced_price);
        let Standing { score, threshold } = self.gate.weigh(&signals);
        let panel = evidence.panel.as_ref().map(|panel| panel.confirmed(score - threshold));
        let Preview { no_query, prospects, estimate, reuse_value } = preview;
        let threshold = threshold.max(self.pacing.least_score(calls_left, self.episode.steps));
        let wants = score >= threshold && !evidence.lead.is_agent();
        let bankroll = self.bankroll.map(|bankroll| bankroll.left());
        let covered = self.bankroll.is_none_or(|bankroll| bankroll.covers(paced_price));
        let permit = if wants && covered { self.budget.permit() } else { None };
        if let (Some(bankroll), true) = (&mut self.bankroll, permit.is_some()) {
            bankroll.pay(paced_price);
        }
        self.pacing.settle(score, permit.is_some());
        self.gate.settle(permit.is_some());
        let record = Record {
            step: self.step,
            place: self.place as u64,
            batch: self.batch,
            episode: self.episode.begun - 1,
            step_in_episode: self.episode.steps,
            no_query: no_query.action,
            cached: no_query.cached,
            cache_status: no_query.status,
            prospects,
            estimate,
            reuse_value,
            pacing,
            paced_price,
            score,
            threshold,
            calls_left,
            bankroll,
            panel,
            outcome: if wants { Outcome::Unaffordable } else { Outcome::Silent },
            overridden: None,
            executed: no_query.action,
            evidence,
        };
        self.step += 1;
        self.episode.steps += 1;
        Ok(match permit {
            Some(permit) => Turn::Ask(Ask { permit, record }),
            None => Turn::Act(Act { action: record.executed, paid: None, record }),
        })
    }

    /// Takes the reply to a question, keeps it if it is usable, and acts on d(y).
    pub fn resume(&mut self, question: Ask, reply: Reply) -> Act {
        let Ask { mut record, .. } = question;
        let advice = &record.evidence.advice;
        let response = self.parser.parse_among(&reply, record.evidence.actions());
        let prospect = prospect(self.rule, advice, response);
        if let Response::Recommends(action) = response {
            let branch = advice.given(response).unwrap_or(advice.none());
            self.cache.keep(record.evidence.kept_under(), action, record.step, Confidence::of(branch, action));
        }
        record.executed = prospect.action;
        record.outcome = Outcome::Asked(Answer { reply, response, verdict: prospect.verdict });
        Act { action: prospect.action, paid: Some(PaidResponse(response)), record }
    }

    /// Takes over answers that were kept in an earlier run. Those of another version of the advisor no longer serve. An
    /// audit of the run has to take over the same answers first.
    pub fn take_over(&mut self, entries: impl IntoIterator<Item = CacheEntry>) {
        self.cache.take_over(entries);
    }

    /// What reads the answers.
    pub fn parser(&self) -> &Parser {
        &self.parser
    }

    /// What was declared of it.
    pub fn settings(&self) -> Settings {
        Settings {
            gate: self.gate().clone(),
            execution: self.rule,
            budget: self.budget.spec().clone(),
            pacing: self.pacing.spec(),
            cache: self.cache.spec().clone(),
            bankroll: self.bankroll.map(|bankroll| bankroll.spec()),
        }
    }

    /// When it asks.
    pub fn gate(&self) -> &Gate {
        self.gate.spec()
    }

    /// The kept answers.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// What advice may still lose, where that is limited.
    pub fn bankroll(&self) -> Option<Bankroll> {
        self.bankroll
    }

    /// The number of decisions so far, which is the step of the next one.
    pub fn decided(&self) -> u64 {
        self.step
    }

    /// How many calls could be made now, at the present place.
    pub fn calls_left(&self) -> u64 {
        self.budget.calls_left()
    }

    /// How many calls were made.
    pub fn calls_made(&self) -> u64 {
        self.budget.spent()
    }
}
