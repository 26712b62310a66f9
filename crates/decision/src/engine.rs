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
//! One engine may serve several places, environments that are played side by side. Budget, price, cache and bankroll are
//! theirs together; what is counted by the episode is counted at each place ([`Engine::turn_to`]).

use std::convert::Infallible;

use crate::cache::Confidence;
use crate::estimate::{prospect, reuse_value};
use crate::gate::{Progress, Standing};
use crate::{
    Action, Answer, Bankroll, Budget, Cache, CacheEntry, CacheStatus, Controller, Error, Evidence, ExecutionRule, Gate,
    GateSpec, Input, NoQuery, Outcome, Parser, Permit, Price, Prospect, Record, Reply, Response, Seed, Signals,
    estimate, no_query, prospects,
};

/// What to do now.
#[derive(Debug)]
pub enum Turn {
    /// Act; the decision is complete.
    Act(Box<Acted>),
    /// Send the question to the advisor and `resume` with its reply.
    Ask(Box<Question>),
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

/// A paid question. It cannot be copied, and only `resume` turns it into an action.
#[derive(Debug)]
#[must_use = "the call is paid for: send it, and resume with the reply or with Reply::lost()"]
pub struct Question {
    permit: Permit,
    record: Record,
}

impl Question {
    /// The number of this call in its run, from 1.
    pub fn serial(&self) -> u64 {
        self.permit.serial()
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
pub struct Acted {
    /// What the agent must do.
    pub action: Action,
    /// The response that was paid for, if one was.
    pub paid: Option<PaidResponse>,
    /// The decision's record, for the log.
    pub record: Record,
}

/// The controller of one run.
#[derive(Debug)]
pub struct Engine {
    rule: ExecutionRule,
    gate: Gate,
    budget: Budget,
    bankroll: Option<Bankroll>,
    price: Price,
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
#[derive(Debug, Clone, Copy, Default)]
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
    pub fn new(controller: &Controller, parser: Parser, seed: Seed) -> Result<Self, Error> {
        if controller.gate.is_diagnostic() {
            return Err(Error::DiagnosticGate { gate: controller.gate.name() });
        }
        Self::diagnostic(controller, parser, seed)
    }

    /// A controller for experiments, where gates may read true values.
    pub fn diagnostic(controller: &Controller, parser: Parser, seed: Seed) -> Result<Self, Error> {
        controller.execution.check()?;
        controller.cache.check()?;
        Ok(Self {
            rule: controller.execution,
            gate: Gate::new(&controller.gate, seed)?,
            budget: Budget::new(controller.budget.clone())?,
            bankroll: controller.bankroll.map(Bankroll::new).transpose()?,
            price: Price::new(controller.price)?,
            cache: Cache::new(controller.cache.clone()),
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

    /// Starts the next episode of the present place. The first one starts by itself.
    pub fn begin_episode(&mut self) {
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
        if no_query.status == CacheStatus::Reused
            && self.bankroll_at(evidence).is_some_and(|bankroll| bankroll.is_empty())
        {
            no_query = NoQuery { action: evidence.advice.none().base(), status: CacheStatus::Distrusted, ..no_query };
        }
        let (rule, advice) = (self.rule.anticipated(), &evidence.advice);
        let prospects = prospects(rule, advice);
        let estimate = estimate(advice, &prospects, &no_query, self.gate.spec().valuation());
        let amortised = self.gate.spec().reads(Input::Reuse);
        let reuse_value = amortised.then(|| reuse_value(rule, advice, &evidence.fallback));
        Preview { no_query, prospects, estimate, reuse_value }
    }

    /// The bankroll once this evidence's gains are credited.
    fn bankroll_at(&self, evidence: &Evidence) -> Option<Bankroll> {
        self.bankroll.map(|bankroll| bankroll.credited(evidence.credited))
    }

    /// Decides whether to act or to ask. Nothing a reply could say has any influence here.
    pub fn decide(&mut self, evidence: Evidence) -> Turn {
        let Ok(turn) = self.decide_with(evidence, |_, _| Ok::<(), Infallible>(()));
        turn
    }

    /// Decides as `decide` does. The radius and a diagnostic gate's true value may depend on what is weighed: `complete`
    /// sees it and puts them into the evidence, so that nothing is computed twice.
    pub fn decide_with<E>(
        &mut self,
        mut evidence: Evidence,
        complete: impl FnOnce(&Preview, &mut Evidence) -> Result<(), E>,
    ) -> Result<Turn, E> {
        if self.episode.begun == 0 {
            self.begin_episode();
        }
        let preview = self.preview(&evidence);
        complete(&preview, &mut evidence)?;
        let Preview { no_query, prospects, estimate, reuse_value } = preview;
        self.bankroll = self.bankroll_at(&evidence);
        self.budget.begin_decision();
        self.cache.settle(evidence.context, no_query.status);
        let (lambda, price) = (self.price.lambda(), self.price.of(evidence.kappa));
        let calls_left = self.budget.calls_left();
        let Standing { score, threshold } = self.gate.weigh(&Signals {
            evidence: &evidence,
            no_query: no_query.action,
            estimate,
            reuse_value: reuse_value.unwrap_or(0.0),
            price,
            calls_left,
            step: self.step,
        });
        let wants = score >= threshold;
        let bankroll = self.bankroll.map(|bankroll| bankroll.left());
        let covered = self.bankroll.is_none_or(|bankroll| bankroll.covers(price));
        let permit = if wants && covered { self.budget.permit() } else { None };
        if let (Some(bankroll), true) = (&mut self.bankroll, permit.is_some()) {
            bankroll.pay(price);
        }
        self.price.settle(permit.is_some());
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
            lambda,
            price,
            score,
            threshold,
            calls_left,
            bankroll,
            outcome: if wants { Outcome::Unaffordable } else { Outcome::Silent },
            executed: no_query.action,
            evidence,
        };
        self.step += 1;
        self.episode.steps += 1;
        Ok(match permit {
            Some(permit) => Turn::Ask(Box::new(Question { permit, record })),
            None => Turn::Act(Box::new(Acted { action: record.executed, paid: None, record })),
        })
    }

    /// Takes the reply to a question, keeps it if it is usable, and acts on d(y).
    pub fn resume(&mut self, question: Question, reply: Reply) -> Acted {
        let Question { mut record, .. } = question;
        let advice = &record.evidence.advice;
        let response = match self.parser.parse(&reply) {
            Response::Recommends(action) if action.index() >= record.evidence.actions() => Response::Unusable,
            response => response,
        };
        let prospect = prospect(self.rule, advice, response);
        if let Response::Recommends(action) = response {
            let branch = advice.given(response).unwrap_or(advice.none());
            self.cache.keep(record.evidence.context, action, record.step, Confidence::of(branch, action));
        }
        record.executed = prospect.action;
        record.outcome = Outcome::Asked(Answer { reply, response, verdict: prospect.verdict });
        Acted { action: prospect.action, paid: Some(PaidResponse(response)), record }
    }

    /// Takes over answers that were kept in an earlier run. Those of another version of the advisor no longer serve. An
    /// audit of the run has to take over the same answers first.
    pub fn take_over(&mut self, entries: impl IntoIterator<Item = CacheEntry>) {
        self.cache.take_over(entries);
    }

    /// When it asks.
    pub fn gate(&self) -> &GateSpec {
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

    /// How many calls could be made now, at the present place.
    pub fn calls_left(&self) -> u64 {
        self.budget.calls_left()
    }

    /// How many calls were made.
    pub fn calls_made(&self) -> u64 {
        self.budget.spent()
    }
}
