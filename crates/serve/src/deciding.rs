//! A decision: the evidence goes to the controller of its policy, and the tree of budgets must have room before it may ask.

use counsel_controller::{Act, Action, Ask, Reason, Record, Situation, Turn};
use counsel_decision::CacheStatus;
use counsel_log::{Decision as Row, Hindsight};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::amount::{Amount, Usd};
use crate::body::{DecisionBody, free_name};
use crate::budget::NodeId;
use crate::decision::{Answer, Decision, Episode, EpisodeId, OpenQuestion};
use crate::deployment::{Deployment, Terms, situation};
use crate::event::{Decide, Event};
use crate::policy::{Mode, PolicySpec, Retain};
use crate::problem::{Kind, Problem};
use crate::state::{LogChange, State};
use crate::time::timestamp;

/// After this time, in milliseconds, an episode ends that nobody touches: a day.
const IDLE: u64 = 86_400_000;
/// How many episodes run at most; beyond that the one that would end first ends.
const MOST_EPISODES: usize = 10_000;
/// The most features of a context.
const MOST_FEATURES: usize = 4096;

impl State {
    /// Checks what is asked for.
    pub(crate) fn check_decision(&self, body: DecisionBody) -> Result<Event, Problem> {
        let DecisionBody { policy, run, episode, child, context, fallback, input_tokens } = body;
        let Some(declared) = self.policies.get(&policy) else {
            return Err(Problem::new(
                Kind::Unknown,
                "there is no policy of this name; declare it by PUT /v1/policies/NAME",
            ));
        };
        for (what, name) in [("run", &run), ("episode", &episode), ("child", &child)] {
            name.as_ref().map_or(Ok(()), |name| free_name(what, name))?;
        }
        if child.is_some() && episode.is_none() {
            return Err(Problem::value("a child belongs to an episode; send `episode`, too"));
        }
        let words = &declared.spec.actions;
        let said = fallback.action.to_lowercase();
        let Some(place) = words.iter().position(|word| *word == said) else {
            return Err(Problem::value(format!(
                "`fallback.action` is none of the actions of the policy; send one of {}",
                words.join(", ")
            )));
        };
        if context.features.len() > MOST_FEATURES {
            return Err(Problem::value(format!(
                "there are {} features; send at most {MOST_FEATURES}",
                context.features.len()
            )));
        }
        for arm in [&declared.applied, &declared.observed] {
            let known = self.deployments.get(arm).and_then(|deployment| deployment.features);
            if let Some(known) = known.filter(|known| *known != context.features.len()) {
                return Err(Problem::value(format!(
                    "there are {} features, and there were {known} before; send the same features in every context, or declare the policy under another name",
                    context.features.len()
                )));
            }
        }
        if let Some(confidence) = fallback.confidence.filter(|confidence| !(0.0..=1.0).contains(confidence)) {
            return Err(Problem::value(format!("`fallback.confidence` is {confidence}; send a probability")));
        }
        let text = (declared.spec.retain == Retain::Texts).then(|| context.key.text());
        Ok(Event::Decide(Box::new(Decide {
            policy,
            run,
            episode,
            child,
            context: context.key.key().0,
            text,
            features: context.features,
            fallback: u16::try_from(place).unwrap_or(0),
            confidence: fallback.confidence,
            input_tokens,
        })))
    }

    pub(crate) fn decide(&mut self, decide: &Decide) -> Answer {
        let number = self.latest_decision + 1;
        self.latest_decision = number;
        let Some(policy) = self.policies.get(&decide.policy) else { return fault() };
        let (spec, digest) = (policy.spec.clone(), policy.digest.clone());
        let alone = decide.episode.is_none();
        let id = EpisodeId {
            policy: decide.policy.clone(),
            run: decide.run.clone().unwrap_or_default(),
            episode: decide.episode.clone().unwrap_or_else(|| format!("\u{0}{number}")),
            child: decide.child.clone(),
        };
        let applied = is_applied(&spec, &digest, &id);
        let arm = if applied { policy.applied.clone() } else { policy.observed.clone() };
        self.enter(&id, &arm, alone);
        self.step_ends(&id);
        let path = self.path(decide, &spec);
        let mut decision = Decision {
            policy: decide.policy.clone(),
            digest,
            arm,
            applied,
            episode: id.clone(),
            at: self.now,
            made: fault(),
            action: None,
            verdict: "act",
            path,
            question: None,
            settled: Vec::new(),
            asked: 0,
            step: None,
            learned: None,
            reward: None,
            revisions: 0,
            keys: Vec::new(),
        };
        let Some(told) = self.put(number, &mut decision, decide) else { return fault() };
        decision.made = Answer { status: 201, body: told.to_string().into() };
        let answer = decision.made.clone();
        let complete = decision.question.is_none();
        if let Some(episode) = self.episodes.get_mut(&id) {
            if complete {
                episode.waiting = Some(number);
            } else {
                episode.open.insert(number);
            }
        }
        self.decisions.insert(number, decision);
        answer
    }

    /// Puts a decision to its controller, and says what is answered; none where the controller cannot decide.
    pub(crate) fn put(&mut self, number: u64, decision: &mut Decision, decide: &Decide) -> Option<Value> {
        let (now, place) = (self.now, self.episodes.get(&decision.episode)?.place);
        let deployment = self.deployments.get_mut(&decision.arm)?;
        let share = match deployment.spec.mode {
            Mode::Canary => deployment.spec.share.unwrap_or(0.0),
            _ => 1.0,
        };
        let propensity = if decision.applied || deployment.spec.mode != Mode::Canary { share } else { 1.0 - share };
        let wanted = situation(decide, if decision.applied { Terms::Free } else { Terms::Observed });
        let worst = worst(deployment, &wanted, decide.input_tokens);
        let blocked = if decision.applied { self.budgets.covers(&decision.path, worst).err() } else { None };
        let situation = if blocked.is_some() { situation(decide, Terms::Unaffordable) } else { wanted };
        let (turn, asked_at) = deployment.decide(place, situation).ok()?;
        let expires_s = deployment.spec.expires_s;
        let mut told = json!({ "decision": format!("d{number}"), "policy": { "name": decision.policy, "digest": decision.digest } });
        let (ask, asked_at) = match turn {
            Turn::Ask(ask) if decision.applied => (ask, asked_at),
            Turn::Ask(ask) => {
                let weighed = weighed_ask(&ask, propensity);
                let act = deployment.observe(place, (ask, asked_at)).ok()?;
                let reason = ("observe", "it would ask, and this decision is only observed");
                self.complete(decision, &act, reason, &mut told);
                told["value"] = weighed;
                return Some(told);
            }
            Turn::Act(act) => {
                let code = silence(&act.record, deployment.controller.reason(&act.record), blocked.is_some());
                let because = match &blocked {
                    Some(blocked) if code == "budget" => {
                        format!(
                            "no {} are left in {}; the decision is to act, and nothing is asked until there is room",
                            blocked.unit,
                            named(&blocked.node)
                        )
                    }
                    _ => because(&code, deployment.controller.reason(&act.record)),
                };
                told["value"] = weighed(&act.record, propensity);
                self.complete(decision, &act, (&code, &because), &mut told);
                return Some(told);
            }
        };
        let advisor = deployment.advisors.get(ask.advisor())?.clone();
        let fallback = deployment.word(Action(decide.fallback)).to_owned();
        let reserved = advisor.worst(decide.input_tokens);
        let permit = self.latest_permit + 1;
        self.latest_permit = permit;
        let expires_at = now.saturating_add(expires_s.saturating_mul(1000));
        self.budgets.reserve(&decision.path, reserved);
        self.permits_due.insert((expires_at, number));
        let record = self.advisors.entry(advisor.name.clone()).or_default();
        record.asked += 1;
        told["verdict"] = "ask".into();
        told["action"] = fallback.into();
        told["permit"] = json!({
            "id": format!("p{permit}"), "advisor": advisor.name, "reserved": told_amount(reserved), "expires_at": timestamp(expires_at),
        });
        told["value"] = weighed_ask(&ask, propensity);
        told["reason"] = "worth-asking".into();
        told["because"] = "an answer is expected to gain more than its price".into();
        decision.verdict = "ask";
        decision.asked += 1;
        decision.question = Some(Box::new(OpenQuestion {
            permit,
            ask,
            asked_at,
            reserved,
            expires_at,
            decide: Box::new(decide.clone()),
        }));
        self.count(&decision.policy, "ask", "worth-asking");
        Some(told)
    }

    /// Notes a complete decision that asks nobody.
    fn complete(&mut self, decision: &mut Decision, act: &Act, (code, because): (&str, &str), told: &mut Value) {
        let word = self.deployments.get(&decision.arm).map_or("", |deployment| deployment.word(act.action)).to_owned();
        told["verdict"] = "act".into();
        told["action"] = word.clone().into();
        told["reason"] = code.into();
        told["because"] = because.into();
        decision.action = Some(word);
        decision.verdict = "act";
        decision.step = Some(act.record.step);
        self.log(&decision.arm, &act.record, None);
        self.count(&decision.policy, "act", code);
    }

    pub(crate) fn log(&mut self, arm: &str, record: &Record, heard_at: Option<u64>) {
        let row = Row::new(record.clone(), Hindsight { heard_at, ..Hindsight::default() });
        self.changes.push(LogChange::Row { arm: arm.to_owned(), row: Box::new(row) });
    }

    /// Goes on with an episode under this arm, or begins it. One that began under another version of the policy ends.
    fn enter(&mut self, id: &EpisodeId, arm: &str, alone: bool) {
        let ends_at = self.now.saturating_add(IDLE);
        if self.episodes.get(id).is_some_and(|episode| episode.arm != arm) {
            self.end_episode(id, None, true);
        }
        if let Some(episode) = self.episodes.get_mut(id) {
            self.episodes_due.remove(&(episode.ends_at, id.clone()));
            episode.ends_at = ends_at;
            self.episodes_due.insert((ends_at, id.clone()));
            return;
        }
        while self.episodes.len() >= MOST_EPISODES {
            let Some((_, first)) = self.episodes_due.first().cloned() else { break };
            self.end_episode(&first, None, true);
        }
        let place = self.deployments.get_mut(arm).map_or(0, Deployment::take_place);
        self.episodes_due.insert((ends_at, id.clone()));
        let (arm, open) = (arm.to_owned(), [].into());
        let episode = Episode { arm, place, alone, waiting: None, learned: 0, returned: 0.0, open, ends_at };
        self.episodes.insert(id.clone(), episode);
    }

    /// The nodes that pay for a question, those of the episode first.
    fn path(&mut self, decide: &Decide, spec: &PolicySpec) -> Vec<NodeId> {
        let policy = decide.policy.clone();
        let run = decide.run.clone().unwrap_or_default();
        let episode = decide.episode.clone();
        let mut path = Vec::new();
        let mut limited = |id: NodeId, limits: crate::amount::Limits| {
            if !limits.is_empty() {
                self.budgets.limit(&id, limits);
                path.push(id);
            }
        };
        if let (Some(episode), Some(child)) = (&episode, &decide.child) {
            limited(NodeId::Child(policy.clone(), run.clone(), episode.clone(), child.clone()), spec.budget.child);
        }
        if let Some(episode) = &episode {
            limited(NodeId::Episode(policy.clone(), run.clone(), episode.clone()), spec.budget.episode);
        }
        limited(NodeId::Run(policy.clone(), run), spec.budget.run);
        path.extend(self.budgets.upwards(&policy).into_iter().map(NodeId::Named));
        path
    }
}

/// Whether permits are handed out in an episode. An episode is on one side from its beginning to its end.
fn is_applied(spec: &PolicySpec, digest: &str, id: &EpisodeId) -> bool {
    match spec.mode {
        Mode::Apply => true,
        Mode::Observe => false,
        Mode::Canary => {
            let name = format!("{}\n{digest}\n{}\n{}\n{}", spec.seed, id.policy, id.run, id.episode);
            let hash = Sha256::digest(name);
            let mut first = [0; 8];
            first.copy_from_slice(&hash[..8]);
            // 53 bits, as many as a number between 0 and 1 has.
            let draw = (u64::from_le_bytes(first) >> 11) as f64 / (1_u64 << 53) as f64;
            draw < spec.share.unwrap_or(0.0)
        }
    }
}

/// The worst case of the question that would be asked here.
fn worst(deployment: &Deployment, situation: &Situation, input_tokens: Option<u64>) -> Amount {
    let place = match deployment.advisors.len() {
        1 => 0,
        _ => deployment.controller.preview(situation).map_or(0, |(evidence, _)| evidence.advisor()),
    };
    deployment.advisors.get(place).map_or_else(Amount::default, |advisor| advisor.worst(input_tokens))
}

/// Why nobody was asked, in one word.
fn silence(record: &Record, reason: Option<Reason>, blocked: bool) -> String {
    match (record.cache_status, reason) {
        (CacheStatus::Reused, _) => "kept-answer".into(),
        (CacheStatus::Foretold, _) => "foretold-answer".into(),
        (_, Some(Reason::BudgetSpent)) => "budget".into(),
        _ if blocked => "budget".into(),
        (_, Some(reason)) => code(reason),
        (_, None) => "below-price".into(),
    }
}

/// The same in words.
fn because(code: &str, reason: Option<Reason>) -> String {
    match code {
        "kept-answer" => "an answer that was bought before serves here".into(),
        "foretold-answer" => "the answer is known from situations that look alike".into(),
        _ => reason.map_or("", Reason::words).into(),
    }
}

/// The word of a reason.
pub(crate) fn code(reason: Reason) -> String {
    serde_json::to_value(reason).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

fn named(node: &NodeId) -> String {
    match node {
        NodeId::Named(name) => format!("the budget `{name}`"),
        NodeId::Run(..) => "the budget of the run".into(),
        NodeId::Episode(..) => "the budget of the episode".into(),
        NodeId::Child(..) => "the budget of the child".into(),
    }
}

fn weighed(record: &Record, propensity: f64) -> Value {
    json!({ "estimate": record.score, "price": record.evidence.price(), "threshold": record.threshold, "propensity": propensity })
}

fn weighed_ask(ask: &Ask, propensity: f64) -> Value {
    let standing = ask.standing();
    json!({ "estimate": standing.score, "price": ask.evidence().price(), "threshold": standing.threshold, "propensity": propensity })
}

/// An amount as answers have it: calls, and what else is counted.
pub(crate) fn told_amount(amount: Amount) -> Value {
    let mut told = json!({ "calls": amount.calls });
    if amount.tokens > 0 {
        told["tokens"] = amount.tokens.into();
    }
    if amount.usd.nano() > 0 {
        told["usd"] = Usd(amount.usd).number().into();
    }
    told
}

/// What is answered where something happened that cannot: it is in the journal, and the same whenever it is read.
pub(crate) fn fault() -> Answer {
    let problem = Problem::new(
        Kind::Fault,
        "the controller could not decide; act by yourself, and look at the log of the server",
    );
    let response = problem.response();
    Answer { status: response.status, body: String::from_utf8(response.body).unwrap_or_default().into() }
}
