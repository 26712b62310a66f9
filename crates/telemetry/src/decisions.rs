//! A span for each decision, from the request that made it to its outcome: what `counsel shadow` reads.
//!
//! Invariant: a decision's span is made once. Its outcome is waited for, among at most [`MOST_OPEN`] decisions; beyond that the oldest is
//! told without one.

use std::collections::{BTreeMap, VecDeque};
use std::time::SystemTime;

use counsel_controller::{Parser, Reply};
use counsel_decision::{Form, Response};
use counsel_serve::{Origin, SeenModel, SeenRequest, TraceContext};
use serde_json::{Value, json};

use crate::measured::asked;
use crate::span::{Attributes, Span, Work, moment};
use crate::telemetry::Inquiry;

/// Decisions that wait for their outcome.
const MOST_OPEN: usize = 4096;
/// Episodes whose steps are counted.
const MOST_EPISODES: usize = 4096;
/// Policies that are remembered.
const MOST_POLICIES: usize = 256;

/// What the spans need to know of a policy.
#[derive(Debug, Clone, Default)]
struct Known {
    digest: String,
    words: Vec<String>,
    form: Form,
    keeps_texts: bool,
}

/// A decision whose outcome is not known.
#[derive(Debug)]
struct Open {
    policy: String,
    is_alone: bool,
    attributes: Attributes,
    place: TraceContext,
    began: SystemTime,
    ended: SystemTime,
    has_asked: bool,
    executed: Option<String>,
    answer: Option<String>,
    advisor: Option<String>,
    has_told_model: bool,
    /// Models that were asked for it.
    models: Vec<Span>,
}

/// The decisions that are under way.
#[derive(Default)]
pub(crate) struct Decisions {
    policies: BTreeMap<String, Known>,
    open: BTreeMap<String, Open>,
    order: VecDeque<String>,
    steps: BTreeMap<String, u64>,
    episodes: VecDeque<String>,
}

/// Spans of one policy.
pub(crate) struct Told {
    pub(crate) policy: Option<String>,
    pub(crate) spans: Vec<Span>,
}

impl Decisions {
    /// The header of a log with this policy's decisions: its actions.
    pub(crate) fn header(&self, policy: &str) -> Option<String> {
        let known = self.policies.get(policy).filter(|known| !known.words.is_empty())?;
        Some(json!({ "format": "counsel-shadow/1", "words": known.words }).to_string())
    }

    /// Takes up a request that was answered; the spans that became whole by it.
    pub(crate) fn saw(&mut self, seen: &SeenRequest, inquire: &Inquiry) -> Vec<Told> {
        let (path, status) = (seen.request.path(), seen.response.status);
        if seen.request.method != "POST" || status >= 400 || seen.response.replayed {
            return Vec::new();
        }
        let body = || serde_json::from_slice::<Value>(&seen.request.body).unwrap_or_default();
        let told = || serde_json::from_slice::<Value>(&seen.response.body).unwrap_or_default();
        if path == "/v1/decisions" {
            return self.decided(seen, &body(), &told(), inquire).into_iter().collect();
        }
        let Some((decision, verb)) = path.strip_prefix("/v1/decisions/").and_then(|rest| rest.split_once('/')) else {
            return Vec::new();
        };
        match verb {
            "resume" => {
                self.resumed(decision, seen, &body(), &told());
                Vec::new()
            }
            "outcome" if told()["accepted"] == true => self.ended(decision, &body()).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// A model was asked.
    pub(crate) fn heard(&mut self, spoken: &SeenModel) -> Option<Told> {
        let span = chat(spoken, spoken.within.span);
        match spoken.decision.as_deref().and_then(|decision| self.open.get_mut(decision)) {
            Some(open) => {
                let within = open.place.span;
                open.models.push(Span { place: TraceContext { parent: Some(within), ..span.place }, ..span });
                open.has_told_model = true;
                None
            }
            None => Some(Told { policy: None, spans: vec![span] }),
        }
    }

    /// All that is left, without outcomes.
    pub(crate) fn rest(&mut self) -> Vec<Told> {
        let waiting: Vec<String> = self.order.drain(..).collect();
        waiting.iter().filter_map(|decision| Some(told(self.open.remove(decision)?, decision, None))).collect()
    }

    fn decided(&mut self, seen: &SeenRequest, body: &Value, said: &Value, inquire: &Inquiry) -> Option<Told> {
        let (decision, policy) = (said["decision"].as_str()?, body["policy"].as_str()?);
        let known = self.known(policy, said["policy"]["digest"].as_str().unwrap_or(""), inquire);
        let (run, child) = (body["run"].as_str(), body["child"].as_str());
        let is_alone = !body["episode"].is_string();
        let named = [run, body["episode"].as_str(), child].into_iter().flatten().collect::<Vec<_>>().join("/");
        let episode = if is_alone { decision.to_owned() } else { named };
        let step = self.step(&format!("{policy}/{episode}"));
        let value = &said["value"];
        let base = body["fallback"]["action"].as_str().unwrap_or("").to_lowercase();
        let mut attributes = Attributes::default()
            .with("counsel.policy", policy)
            .with("counsel.policy.digest", said["policy"]["digest"].clone())
            .with("counsel.run", run)
            .with("counsel.decision.id", decision)
            .with("counsel.episode", episode.as_str())
            .with("gen_ai.conversation.id", if is_alone { Value::Null } else { episode.as_str().into() })
            .with("counsel.step", step)
            .with("counsel.decision.base", base)
            .with("counsel.decision.confidence", body["fallback"]["confidence"].clone())
            .with("counsel.decision.verdict", said["verdict"].clone())
            .with("counsel.decision.reason", said["reason"].clone())
            .with("counsel.decision.propensity", value["propensity"].clone())
            .with("counsel.value.estimate", value["estimate"].clone())
            .with("counsel.value.price", value["price"].clone());
        if known.keeps_texts {
            attributes.put("counsel.context", body["context"]["key"].clone());
        }
        let has_asked = said["verdict"] == "ask";
        let ended = seen.began + seen.took;
        let place = seen.request.trace.map(|within| match seen.origin {
            // The request that it is a part of has the span above it.
            Origin::Within => within,
            _ => TraceContext { span: within.span.map(|byte| byte ^ 0x5a), parent: Some(within.span), ..within },
        });
        let open = Open {
            policy: policy.to_owned(),
            is_alone,
            attributes,
            place: place?,
            began: seen.began,
            ended,
            has_asked,
            executed: (!has_asked).then(|| said["action"].as_str().unwrap_or("").to_owned()),
            answer: None,
            advisor: said["permit"]["advisor"].as_str().map(str::to_owned),
            has_told_model: false,
            models: Vec::new(),
        };
        self.order.push_back(decision.to_owned());
        self.open.insert(decision.to_owned(), open);
        let oldest = if self.order.len() > MOST_OPEN { self.order.pop_front() } else { None };
        oldest.and_then(|oldest| Some(told(self.open.remove(&oldest)?, &oldest, None)))
    }

    fn resumed(&mut self, decision: &str, seen: &SeenRequest, body: &Value, said: &Value) {
        let Some(open) = self.open.get_mut(decision) else { return };
        let known = self.policies.get(&open.policy).cloned().unwrap_or_default();
        let text = body["reply"]["text"].as_str();
        if !open.has_told_model {
            // The client asked by itself, between the two requests.
            let count = |name: &str| body["usage"][name].as_u64();
            let model = body["model"].as_str().or(open.advisor.as_deref()).unwrap_or("advisor").to_owned();
            let spoken = SeenModel {
                within: open.place,
                decision: None,
                model,
                began: open.ended,
                took: seen.began.duration_since(open.ended).unwrap_or_default(),
                tokens: [count("input_tokens"), count("output_tokens")],
                has_answered: text.is_some(),
            };
            open.models.push(chat(&spoken, open.place.span));
        }
        open.has_told_model = false;
        open.ended = seen.began + seen.took;
        open.answer = text.and_then(|text| read(&known, text));
        if let Some(text) = text.filter(|_| known.keeps_texts) {
            open.attributes.put("counsel.decision.reply", text);
        }
        if said["verdict"] == "ask" {
            open.advisor = said["permit"]["advisor"].as_str().map(str::to_owned);
            return;
        }
        open.executed = said["action"].as_str().map(str::to_owned);
        open.attributes.put("counsel.decision.resumed", said["verdict"].clone());
        open.attributes.put("counsel.decision.resumed_reason", said["reason"].clone());
    }

    fn ended(&mut self, decision: &str, body: &Value) -> Option<Told> {
        let open = self.open.remove(decision)?;
        self.order.retain(|waiting| waiting != decision);
        let success = body["success"].as_bool().map(|success| f64::from(u8::from(success)));
        let reward = body["reward"].as_f64().or(success);
        let is_last = open.is_alone || body["final"] == true || body["truncated"] == true;
        Some(told(open, decision, Some((reward, is_last))))
    }

    /// What is known of a policy in the version of a decision.
    fn known(&mut self, policy: &str, digest: &str, inquire: &Inquiry) -> Known {
        let is_current = |known: &&Known| known.digest == digest || digest.is_empty();
        if let Some(known) = self.policies.get(policy).filter(is_current) {
            return known.clone();
        }
        let described = inquire(&format!("/v1/policies/{policy}")).unwrap_or_default();
        let spec = &described["spec"];
        let words = spec["actions"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        let known = Known {
            digest: digest.to_owned(),
            words: words.collect(),
            form: serde_json::from_value(spec["form"].clone()).unwrap_or_default(),
            keeps_texts: spec["retain"] == "texts",
        };
        if self.policies.len() >= MOST_POLICIES {
            self.policies.pop_first();
        }
        self.policies.insert(policy.to_owned(), known.clone());
        known
    }

    /// The place of a decision among those of its episode.
    fn step(&mut self, episode: &str) -> u64 {
        if !self.steps.contains_key(episode) {
            self.episodes.push_back(episode.to_owned());
            if self.episodes.len() > MOST_EPISODES
                && let Some(oldest) = self.episodes.pop_front()
            {
                self.steps.remove(&oldest);
            }
        }
        let next = self.steps.entry(episode.to_owned()).or_insert(0);
        *next += 1;
        *next - 1
    }
}

/// The action that a reply names, as the server reads it.
fn read(known: &Known, text: &str) -> Option<String> {
    let parser = Parser::new(known.words.iter().cloned()).ok()?.in_form(known.form);
    match parser.parse(&Reply::live(text)) {
        Response::Recommends(action) => known.words.get(action.index()).cloned(),
        Response::Unusable => None,
    }
}

/// The span of a question to a model.
fn chat(spoken: &SeenModel, parent: [u8; 8]) -> Span {
    let [input, output] = spoken.tokens;
    let attributes = asked(&spoken.model, "chat")
        .with("gen_ai.usage.input_tokens", input)
        .with("gen_ai.usage.output_tokens", output)
        .with("error.type", if spoken.has_answered { Value::Null } else { "no answer".into() });
    let mut span = spoken.within.span.map(|byte| byte ^ 0xa5);
    // Several models may be asked within one piece of work.
    for (at, byte) in moment(spoken.began).bytes().rev().enumerate() {
        span[at % 8] = span[at % 8].rotate_left(3) ^ byte;
    }
    Span {
        place: TraceContext { span, parent: Some(parent), ..spoken.within },
        name: format!("chat {}", spoken.model),
        work: Work::Client,
        began: spoken.began,
        took: spoken.took,
        attributes,
        events: Vec::new(),
        has_failed: !spoken.has_answered,
    }
}

/// The spans of a decision, with its outcome and whether it was the last of its episode, where that is known.
fn told(open: Open, decision: &str, outcome: Option<(Option<f64>, bool)>) -> Told {
    let Open { policy, mut attributes, place, began, ended, has_asked, executed, answer, advisor, models, .. } = open;
    attributes.put("counsel.decision.asked", has_asked);
    attributes.put("counsel.decision.executed", executed);
    attributes.put("counsel.decision.answer", answer);
    attributes.put("counsel.advisor", advisor);
    let mut events = Vec::new();
    if let Some((reward, is_last)) = outcome {
        attributes.put("counsel.outcome.reward", reward);
        attributes.put("counsel.episode.end", is_last);
        if let Some(reward) = reward {
            let judged = Attributes::default()
                .with("gen_ai.evaluation.name", "counsel.outcome")
                .with("gen_ai.evaluation.score.value", reward)
                .with("gen_ai.response.id", decision);
            let event = json!({ "name": "gen_ai.evaluation.result", "timeUnixNano": moment(SystemTime::now()), "attributes": judged.json() });
            events.push(event);
        }
    }
    let name = format!("counsel.decision {policy}");
    let took = ended.duration_since(began).unwrap_or_default();
    let mut spans =
        vec![Span { place, name, work: Work::Internal, began, took, attributes, events, has_failed: false }];
    spans.extend(models);
    Told { policy: Some(policy), spans }
}
