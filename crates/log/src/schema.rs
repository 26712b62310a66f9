//! The columns of the log, and how a decision is laid out in them.
//!
//! Numbers that an engine computed are stored next to the numbers it computed them from. Enumerations are stored by the
//! names they have in specifications. An unusable response is -1.

use counsel_decision::{
    Action, AdviceModel, Answer, Belief, CandidateOnly, ContextKey, Evidence, Informative, Likelihood, Outcome,
    Prospect, Radius, Record, Reply, Response, ResponseLaw, ValueBounds, ValueSamples,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_variant::to_variant_name;

use crate::column::{Columns, Field, to_parquet};
use crate::{Decision, Hindsight};

/// The columns, in order.
const COLUMNS: &[(&str, Field<Decision>)] = &[
    ("step", Field::Int(|d| Some(d.record.step.cast_signed()))),
    ("episode", Field::Int(|d| Some(d.record.episode.cast_signed()))),
    ("step_in_episode", Field::Int(|d| Some(d.record.step_in_episode.cast_signed()))),
    ("context", Field::Int(|d| Some(d.record.evidence.context.0.cast_signed()))),
    ("base", Field::Int(|d| Some(action(d.record.evidence.advice.none().base())))),
    ("values", Field::Reals(|d, list| list.extend_from_slice(d.record.evidence.advice.samples().as_slice()))),
    ("lower", Field::Reals(|d, list| list.extend_from_slice(d.record.evidence.advice.none().bounds().lower()))),
    ("upper", Field::Reals(|d, list| list.extend_from_slice(d.record.evidence.advice.none().bounds().upper()))),
    ("response_law", Field::Reals(|d, list| list.extend_from_slice(d.record.evidence.advice.law().as_slice()))),
    ("belief", Field::Reals(|d, list| list.extend_from_slice(informative(d).map_or(&[], |i| i.belief().weights())))),
    (
        "likelihood",
        Field::Reals(|d, list| list.extend_from_slice(informative(d).map_or(&[], |i| i.likelihood().as_slice()))),
    ),
    ("fallback_after", Field::Name(|d| informative(d).map(|i| name(&i.fallback_after())))),
    ("radius", Field::Real(|d| Some(d.record.evidence.radius.value()))),
    ("kappa", Field::Real(|d| Some(d.record.evidence.kappa))),
    ("visits", Field::Int(|d| Some(d.record.evidence.visits.cast_signed()))),
    ("monitored", Field::Name(|d| Some(name(&d.record.evidence.monitored)))),
    ("oracle_value", Field::Real(|d| d.record.evidence.oracle_value)),
    ("no_query", Field::Int(|d| Some(action(d.record.no_query)))),
    ("cached", Field::Int(|d| d.record.cached.map(action))),
    ("cache_status", Field::Name(|d| Some(name(&d.record.cache_status)))),
    ("prospects", Field::Ints(|d, list| list.extend(d.record.prospects.iter().map(|p| action(p.action))))),
    ("prospect_verdicts", Field::Names(|d, list| list.extend(d.record.prospects.iter().map(|p| name(&p.verdict))))),
    ("estimate", Field::Real(|d| Some(d.record.estimate))),
    ("lambda", Field::Real(|d| Some(d.record.lambda))),
    ("price", Field::Real(|d| Some(d.record.price))),
    ("score", Field::Real(|d| Some(d.record.score))),
    ("threshold", Field::Real(|d| Some(d.record.threshold))),
    ("calls_left", Field::Int(|d| Some(d.record.calls_left.cast_signed()))),
    ("outcome", Field::Name(|d| Some(outcome(&d.record.outcome)))),
    ("reply", Field::Text(|d| d.record.answer().map(|a| a.reply.text.as_str()))),
    ("reply_source", Field::Name(|d| d.record.answer().map(|a| name(&a.reply.source)))),
    ("request_tokens", Field::Int(|d| d.record.answer().and_then(|a| a.reply.request_tokens).map(i64::from))),
    ("response_tokens", Field::Int(|d| d.record.answer().and_then(|a| a.reply.response_tokens).map(i64::from))),
    ("latency_ms", Field::Real(|d| d.record.answer().and_then(|a| a.reply.latency_ms))),
    ("response", Field::Int(|d| d.record.answer().map(|a| response(a.response)))),
    ("certificate", Field::Name(|d| d.record.answer().map(|a| name(&a.verdict)))),
    ("executed", Field::Int(|d| Some(action(d.record.executed)))),
    ("reward", Field::Real(|d| Some(d.hindsight.reward))),
    ("right", Field::Int(|d| d.hindsight.right.map(action))),
    ("advice_gap", Field::Real(|d| d.hindsight.advice_gap)),
    ("corrupted", Field::Int(|d| d.hindsight.corrupted.map(i64::from))),
    ("base_gap", Field::Real(|d| d.hindsight.base_gap)),
    ("executed_gap", Field::Real(|d| d.hindsight.executed_gap)),
    ("exact_value", Field::Real(|d| d.hindsight.exact_value)),
    ("proxy_value", Field::Real(|d| d.hindsight.proxy_value)),
    ("proxy_radius", Field::Real(|d| d.hindsight.proxy_radius)),
    ("law_error", Field::Real(|d| d.hindsight.law_error)),
    ("log_score", Field::Real(|d| d.hindsight.log_score)),
    ("potential", Field::Real(|d| d.hindsight.potential)),
    ("potential_after", Field::Real(|d| d.hindsight.potential_after)),
];

/// The decisions as the bytes of a Parquet file.
pub fn encode(decisions: &[Decision]) -> Result<Vec<u8>, String> {
    to_parquet(COLUMNS, decisions).map_err(text)
}

/// The decisions in the bytes of a Parquet file.
pub fn decode(bytes: Vec<u8>) -> Result<Vec<Decision>, String> {
    // The Parquet reader may panic on bytes that no writer makes; to us they are only a log that cannot be read.
    let read = std::panic::catch_unwind(|| Columns::from_parquet(bytes));
    let mut columns = read.map_err(|_| "its bytes are not Parquet".to_owned())?.map_err(text)?;
    let mut known = columns.evidence()?;
    let mut computed = columns.computed()?;
    let mut hindsight = columns.hindsight()?;
    (0..columns.rows)
        .map(|row| {
            let evidence = known(row).map_err(|reason| format!("row {row}: {reason}"))?;
            let record = computed(row, evidence).map_err(|reason| format!("row {row}: {reason}"))?;
            Ok(Decision { record, hindsight: hindsight(row)? })
        })
        .collect()
}

type Build<'a, T> = Box<dyn FnMut(usize) -> Result<T, String> + 'a>;
type BuildRecord<'a> = Box<dyn FnMut(usize, Evidence) -> Result<Record, String> + 'a>;

impl Columns {
    /// What was known, row by row.
    fn evidence(&mut self) -> Result<Build<'static, Evidence>, String> {
        let (context, base, visits) = (self.int("context")?, self.int("base")?, self.int("visits")?);
        let (mut values, mut law) = (self.reals("values")?, self.reals("response_law")?);
        let (mut lower, mut upper) = (self.reals("lower")?, self.reals("upper")?);
        let (mut belief, mut likelihood) = (self.reals("belief")?, self.reals("likelihood")?);
        let fallback_after = self.text("fallback_after")?;
        let (radius, kappa, oracle) = (self.real("radius")?, self.real("kappa")?, self.real("oracle_value")?);
        let situation = self.text("monitored")?;
        Ok(Box::new(move |row| {
            let take = |column: &mut Vec<Vec<f64>>| std::mem::take(&mut column[row]);
            let bounds = ValueBounds::new(take(&mut lower), take(&mut upper)).map_err(text)?;
            let actions = bounds.actions();
            let samples = ValueSamples::new(actions, take(&mut values)).map_err(text)?;
            let base = to_action(need(&base, row, "base")?)?;
            let advice = match &fallback_after[row] {
                None => {
                    let law = ResponseLaw::new(actions, take(&mut law)).map_err(text)?;
                    AdviceModel::CandidateOnly(CandidateOnly::new(law, samples, bounds, base).map_err(text)?)
                }
                Some(after) => {
                    let belief = Belief::exact(take(&mut belief)).map_err(text)?;
                    let likelihood = Likelihood::new(actions, take(&mut likelihood)).map_err(text)?;
                    let after = from_name(after)?;
                    let advice = Informative::new(samples, belief, likelihood, bounds, base, after).map_err(text)?;
                    let advice = AdviceModel::Informative(Box::new(advice));
                    let (derived, logged) = (advice.law().as_slice(), take(&mut law));
                    if !derived.iter().map(|p| p.to_bits()).eq(logged.iter().map(|p| p.to_bits())) {
                        return Err("response_law does not follow from belief and likelihood".into());
                    }
                    advice
                }
            };
            let context = ContextKey(need(&context, row, "context")?.cast_unsigned());
            let mut evidence = Evidence::new(context, advice, need(&kappa, row, "kappa")?).map_err(text)?;
            evidence.radius = Radius::new(need(&radius, row, "radius")?).map_err(text)?;
            evidence.visits = need(&visits, row, "visits")?.cast_unsigned();
            evidence.monitored = from_name(&need(&situation, row, "monitored")?)?;
            evidence.oracle_value = oracle[row];
            Ok(evidence)
        }))
    }

    /// What was computed and done, row by row.
    fn computed(&mut self) -> Result<BuildRecord<'static>, String> {
        let (step, episode, in_episode) = (self.int("step")?, self.int("episode")?, self.int("step_in_episode")?);
        let (no_query, cached, executed) = (self.int("no_query")?, self.int("cached")?, self.int("executed")?);
        let (cache_status, calls_left) = (self.text("cache_status")?, self.int("calls_left")?);
        let (prospects, verdicts) = (self.ints("prospects")?, self.texts("prospect_verdicts")?);
        let (estimate, lambda, price) = (self.real("estimate")?, self.real("lambda")?, self.real("price")?);
        let (score, threshold) = (self.real("score")?, self.real("threshold")?);
        let mut outcome = self.outcome()?;
        Ok(Box::new(move |row, evidence| {
            let count = |column: &[Option<i64>], name| need(column, row, name).map(i64::cast_unsigned);
            if prospects[row].len() != verdicts[row].len() {
                return Err("prospects and prospect_verdicts differ in length".into());
            }
            let prospects = prospects[row]
                .iter()
                .zip(&verdicts[row])
                .map(|(action, verdict)| Ok(Prospect { action: to_action(*action)?, verdict: from_name(verdict)? }))
                .collect::<Result<_, String>>()?;
            Ok(Record {
                step: count(&step, "step")?,
                episode: count(&episode, "episode")?,
                step_in_episode: count(&in_episode, "step_in_episode")?,
                evidence,
                no_query: to_action(need(&no_query, row, "no_query")?)?,
                cached: cached[row].map(to_action).transpose()?,
                cache_status: from_name(&need(&cache_status, row, "cache_status")?)?,
                prospects,
                estimate: need(&estimate, row, "estimate")?,
                lambda: need(&lambda, row, "lambda")?,
                price: need(&price, row, "price")?,
                score: need(&score, row, "score")?,
                threshold: need(&threshold, row, "threshold")?,
                calls_left: count(&calls_left, "calls_left")?,
                outcome: outcome(row)?,
                executed: to_action(need(&executed, row, "executed")?)?,
            })
        }))
    }

    /// What the acquisition side did, row by row.
    fn outcome(&mut self) -> Result<Build<'static, Outcome>, String> {
        let (outcome, reply, source) = (self.text("outcome")?, self.text("reply")?, self.text("reply_source")?);
        let (sent, received) = (self.int("request_tokens")?, self.int("response_tokens")?);
        let (latency, response, certificate) =
            (self.real("latency_ms")?, self.int("response")?, self.text("certificate")?);
        Ok(Box::new(move |row| {
            let tokens = |count: Option<i64>| count.map(|c| u32::try_from(c).map_err(text)).transpose();
            Ok(match need(&outcome, row, "outcome")?.as_str() {
                "silent" => Outcome::Silent,
                "unaffordable" => Outcome::Unaffordable,
                "asked" => Outcome::Asked(Answer {
                    reply: Reply {
                        text: need(&reply, row, "reply")?,
                        source: from_name(&need(&source, row, "reply_source")?)?,
                        request_tokens: tokens(sent[row])?,
                        response_tokens: tokens(received[row])?,
                        latency_ms: latency[row],
                    },
                    response: to_response(need(&response, row, "response")?)?,
                    verdict: from_name(&need(&certificate, row, "certificate")?)?,
                }),
                other => return Err(format!("outcome {other:?} is unknown")),
            })
        }))
    }

    /// What became known afterwards, row by row.
    fn hindsight(&mut self) -> Result<Build<'static, Hindsight>, String> {
        let (reward, right) = (self.real("reward")?, self.int("right")?);
        let (advice_gap, base_gap, executed_gap) =
            (self.real("advice_gap")?, self.real("base_gap")?, self.real("executed_gap")?);
        let (exact_value, proxy_value, proxy_radius) =
            (self.real("exact_value")?, self.real("proxy_value")?, self.real("proxy_radius")?);
        let corrupted = self.int("corrupted")?;
        let (law_error, log_score) = (self.real("law_error")?, self.real("log_score")?);
        let (potential, potential_after) = (self.real("potential")?, self.real("potential_after")?);
        Ok(Box::new(move |row| {
            Ok(Hindsight {
                reward: need(&reward, row, "reward")?,
                right: right[row].map(to_action).transpose()?,
                advice_gap: advice_gap[row],
                corrupted: corrupted[row].map(|flag| flag != 0),
                base_gap: base_gap[row],
                executed_gap: executed_gap[row],
                exact_value: exact_value[row],
                proxy_value: proxy_value[row],
                proxy_radius: proxy_radius[row],
                law_error: law_error[row],
                log_score: log_score[row],
                potential: potential[row],
                potential_after: potential_after[row],
                simulated_steps: None,
            })
        }))
    }
}

fn informative(decision: &Decision) -> Option<&Informative> {
    match &decision.record.evidence.advice {
        AdviceModel::Informative(advice) => Some(advice),
        AdviceModel::CandidateOnly(_) => None,
    }
}

fn outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Silent => "silent",
        Outcome::Unaffordable => "unaffordable",
        Outcome::Asked(_) => "asked",
    }
}

fn action(action: Action) -> i64 {
    i64::from(action.0)
}

fn to_action(number: i64) -> Result<Action, String> {
    u16::try_from(number).map(Action).map_err(|_| format!("action {number} is out of range"))
}

fn response(response: Response) -> i64 {
    match response {
        Response::Recommends(recommended) => action(recommended),
        Response::Unusable => -1,
    }
}

fn to_response(number: i64) -> Result<Response, String> {
    if number == -1 { Ok(Response::Unusable) } else { to_action(number).map(Response::Recommends) }
}

/// The name of an enumeration's variant, as specifications write it.
fn name(variant: &impl Serialize) -> &'static str {
    to_variant_name(variant).expect("only variants of enumerations are named")
}

fn from_name<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    serde_json::from_value(Value::String(name.into())).map_err(text)
}

fn need<T: Clone>(column: &[Option<T>], row: usize, name: &str) -> Result<T, String> {
    column.get(row).cloned().flatten().ok_or_else(|| format!("column {name} is empty"))
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
