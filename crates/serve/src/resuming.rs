//! A permit is resumed once: with a reply, or by running out.
//!
//! Invariant: what a permit reserved is spent when it is settled, whatever became of the question; only the endpoint's own count can
//! make it less, and only in the resume that settles it.

use counsel_controller::{Act, Action, Reply};
use counsel_decision::{Response, Verdict};
use serde_json::json;

use crate::body::{ResumeBody, UsageBody};
use crate::deciding::{code, fault, told_amount};
use crate::decision::{Answer, Decision, OpenQuestion, Settled};
use crate::deployment::{Terms, situation};
use crate::event::{Decide, Resume};
use crate::policy::{Retain, hex};
use crate::problem::{Kind, Problem};
use crate::state::State;
use sha2::{Digest, Sha256};

/// What a resume comes to before anything is changed.
pub(crate) enum Resumed {
    /// It is to be done.
    Now(Box<Resume>),
    /// It was done by the same request: its answer again.
    Before(Answer),
}

/// The longest name of a model.
const LONGEST_MODEL: usize = 200;

impl State {
    /// Checks a reply. `request` is the digest by which the same request is known again.
    pub(crate) fn check_resume(&self, number: u64, body: ResumeBody, request: String) -> Result<Resumed, Problem> {
        let decision = self.known(number)?;
        let unknown = || {
            Problem::new(
                Kind::Unknown,
                "the decision has no such permit; send the `id` of the permit it was answered with",
            )
        };
        let permit: u64 = body.permit.strip_prefix('p').and_then(|id| id.parse().ok()).ok_or_else(unknown)?;
        if let Some(settled) = decision.settled.iter().find(|settled| settled.permit == permit) {
            return match &settled.request {
                Some(before) if *before == request => Ok(Resumed::Before(settled.answer.clone())),
                Some(_) => Err(Problem::new(
                    Kind::AlreadyResumed,
                    format!("p{permit} was resumed with another reply; a permit is used once"),
                )),
                None => {
                    let told = serde_json::from_str(&settled.answer.body).ok();
                    let detail = format!(
                        "p{permit} ran out before its reply came; it stays spent, and the settled result stands"
                    );
                    Err(Problem { settled: told, ..Problem::new(Kind::Expired, detail) })
                }
            };
        }
        let open = decision.question.as_ref().filter(|open| open.permit == permit).ok_or_else(unknown)?;
        let deployment = self.deployments.get(&decision.arm).ok_or_else(unknown)?;
        let ResumeBody { reply, usage, model, latency_ms, .. } = body;
        let text = match (reply.text, reply.lost.unwrap_or(false)) {
            (Some(text), false) => Some(text),
            (None, true) => None,
            _ => {
                return Err(Problem::value(
                    "`reply` is neither a text nor lost; send {\"text\": ...} or {\"lost\": true}",
                ));
            }
        };
        if let Some(latency) = latency_ms.filter(|latency| *latency < 0.0) {
            return Err(Problem::value(format!("`latency_ms` is {latency}; send 0 or more")));
        }
        if let Some(length) = model.as_ref().map(String::len).filter(|length| *length > LONGEST_MODEL) {
            return Err(Problem::value(format!("`model` has {length} bytes; send at most {LONGEST_MODEL}")));
        }
        let parser = deployment.controller.engine().parser();
        let reply_sha256 = text.as_ref().map(|text| hex(&Sha256::digest(text), 32));
        let kept = text.map(|text| match deployment.spec.retain {
            Retain::Texts => text,
            // The word of the action reads as the reply does; nothing reads as one that cannot be read.
            Retain::Digests => match parser.read(&text) {
                Response::Recommends(action) => parser.spoken(action),
                Response::Unusable => String::new(),
            },
        });
        let UsageBody { input_tokens, output_tokens } =
            usage.unwrap_or(UsageBody { input_tokens: None, output_tokens: None });
        Ok(Resumed::Now(Box::new(Resume {
            decision: number,
            permit: open.permit,
            request,
            reply: kept,
            reply_sha256,
            input_tokens,
            output_tokens,
            model,
            latency_ms,
        })))
    }

    /// A decision that is remembered.
    pub(crate) fn known(&self, number: u64) -> Result<&Decision, Problem> {
        let unknown = || {
            Problem::new(
                Kind::Unknown,
                "there is no decision of this number, or it was forgotten; send the `decision` of an answer",
            )
        };
        self.decisions.get(&number).ok_or_else(unknown)
    }

    pub(crate) fn resume(&mut self, resume: &Resume) -> Answer {
        let tokens = |count: Option<u64>| count.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let reply = match &resume.reply {
            None => Reply::lost(),
            Some(text) => Reply {
                request_tokens: tokens(resume.input_tokens),
                response_tokens: tokens(resume.output_tokens),
                latency_ms: resume.latency_ms,
                ..Reply::live(text.clone())
            },
        };
        let usage = match (resume.reply.is_some(), resume.input_tokens, resume.output_tokens) {
            (true, Some(input), Some(output)) => Some((input, output)),
            _ => None,
        };
        self.settle(resume.decision, reply, usage, Some(resume.request.clone())).unwrap_or_else(fault)
    }

    /// A permit that nobody will resume any more: its reply is lost, and it stays spent.
    pub(crate) fn lose(&mut self, number: u64) {
        self.settle(number, Reply::lost(), None, None);
    }

    /// Whether another of several advisors is worth asking now.
    fn would_ask(&self, decision: &Decision, decide: &Decide) -> bool {
        let Some(deployment) = self.deployments.get(&decision.arm) else { return false };
        let previewed = deployment.controller.preview(&situation(decide, Terms::Free));
        let net = |panel: &counsel_decision::Panel| panel.nets().get(panel.advisor()).copied();
        previewed.is_ok_and(|(evidence, _)| evidence.panel().and_then(net).is_some_and(|net| net >= 0.0))
    }

    fn settle(
        &mut self,
        number: u64,
        reply: Reply,
        usage: Option<(u64, u64)>,
        request: Option<String>,
    ) -> Option<Answer> {
        let id = self.decisions.get(&number).filter(|decision| decision.question.is_some())?.episode.clone();
        self.step_ends(&id);
        let mut decision = self.decisions.remove(&number)?;
        let answer = self.settled(number, &mut decision, (reply, usage), request);
        let open = decision.question.is_some();
        if let Some(episode) = self.episodes.get_mut(&id).filter(|_| !open) {
            episode.open.remove(&number);
            if decision.step.is_some() {
                episode.waiting = Some(number);
            }
        }
        self.decisions.insert(number, decision);
        answer
    }

    fn settled(
        &mut self,
        number: u64,
        decision: &mut Decision,
        (reply, usage): (Reply, Option<(u64, u64)>),
        request: Option<String>,
    ) -> Option<Answer> {
        let OpenQuestion { permit, ask, asked_at, reserved, expires_at, decide } = *decision.question.take()?;
        self.permits_due.remove(&(expires_at, number));
        let place = self.episodes.get(&decision.episode)?.place;
        let deployment = self.deployments.get_mut(&decision.arm)?;
        let advisor = deployment.advisors.get(ask.advisor())?.clone();
        let actual = usage.map_or(reserved, |(input, output)| advisor.actual(input, output));
        self.budgets.settle(&decision.path, reserved, actual);
        let lost = reply.source == counsel_decision::ReplySource::Lost;
        let resumed = deployment.resume(place, (ask, asked_at), reply);
        let record = self.advisors.entry(advisor.name).or_default();
        record.spent = record.spent.plus(actual);
        *(if lost { &mut record.lost } else { &mut record.answered }) += 1;
        let (act, heard_at) = resumed.ok()?;
        let (verdict, reason, because) = judged(&act);
        if verdict == "execute" {
            record.followed += 1;
        }
        let why = deployment.controller.reason(&act.record);
        let reason = why.map_or(reason.to_owned(), code);
        let because = why.map_or(because, counsel_controller::Reason::words);
        let word = deployment.word(act.action).to_owned();
        let several = deployment.advisors.len();
        self.log(&decision.arm, &act.record, heard_at);
        self.count(&decision.policy, verdict, &reason);
        decision.action = Some(word.clone());
        decision.verdict = verdict;
        decision.step = Some(act.record.step);
        let mut told = json!({
            "decision": format!("d{number}"), "verdict": verdict, "action": word, "reason": reason, "because": because,
            "settled": told_amount(actual),
        });
        // Another advisor may be worth asking where this one is not followed.
        if verdict == "reject" && request.is_some() && decision.asked < several && self.would_ask(decision, &decide) {
            let before = (decision.action.clone(), decision.step);
            if let Some(next) = self.put(number, decision, &decide) {
                if decision.question.is_some() {
                    (decision.action, decision.step) = before;
                }
                let verdict = if decision.question.is_some() { "ask" } else { verdict };
                decision.verdict = verdict;
                told["verdict"] = verdict.into();
                for name in ["action", "permit", "value", "reason", "because"] {
                    if let Some(said) = next.get(name) {
                        told[name] = said.clone();
                    }
                }
            }
        }
        let answer = Answer { status: 200, body: told.to_string().into() };
        decision.settled.push(Settled { permit, request, answer: answer.clone() });
        Some(answer)
    }
}

/// What became of an answer: the verdict, and the reason in one word and in words.
fn judged(act: &Act) -> (&'static str, &'static str, &'static str) {
    match act.record.answer().map(|answer| answer.verdict) {
        Some(Verdict::Executed) => ("execute", "followed", "the answer acts"),
        _ => ("reject", "not-followed", "the answer does not act"),
    }
}

/// The word of an action, in the form that a parser reads.
trait Spoken {
    fn spoken(&self, action: Action) -> String;
}

impl Spoken for counsel_controller::Parser {
    fn spoken(&self, action: Action) -> String {
        let word = self.words().get(action.index()).map_or("", String::as_str);
        match self.form() {
            counsel_decision::Form::Word => word.to_owned(),
            counsel_decision::Form::Json => json!({ "action": word }).to_string(),
        }
    }
}
