//! One question from the decision to what the executor may do, over any [`Sidecar`].
//!
//! [`Consultation::begin`] decides. Where asking is worth its price the permit is paid and the question is [`Begun::Open`]: whoever holds
//! it asks, once, and [`Consultation::finish`] says what came back. An open question may cross a process as text ([`Paid`]), because the
//! sidecar knows its permit.

use serde_json::{Value, json};

use crate::Error;
use crate::question::{Meeting, Question};
use crate::sidecar::{Call, Sidecar};

/// For whom it is decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Seat {
    /// The policy that decides.
    pub policy: String,
    /// The run whose budget pays.
    pub run: String,
    /// The episode: one task of the executor.
    pub episode: String,
}

/// What an advisor brought.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// An answer, and what it took where that is known.
    Said {
        /// The answer.
        text: String,
        /// Tokens, as the sidecar takes them; null if unknown.
        usage: Value,
    },
    /// No answer, and why.
    Lost {
        /// The reason, in words.
        reason: String,
    },
}

/// A question that is decided, beside the policy that decided it.
#[derive(Debug, Clone)]
pub struct Consultation<'a> {
    sidecar: &'a dyn Sidecar,
    question: &'a Question,
    meeting: Meeting,
}

/// A paid question that waits for its answer. It can be written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Paid {
    /// The decision.
    pub decision: String,
    /// The permit: one answer may come under it.
    pub permit: String,
}

/// How a question begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Begun {
    /// It is answered: nobody is asked.
    Settled(Value),
    /// It is paid for, and somebody is to be asked.
    Open(Paid),
}

impl<'a> Consultation<'a> {
    /// The question beside this policy.
    pub fn new(sidecar: &'a dyn Sidecar, policy: &str, question: &'a Question) -> Result<Self, Error> {
        let actions = actions(sidecar, policy)?;
        let meeting = question.meet(&actions).map_err(Error::Question)?;
        Ok(Self { sidecar, question, meeting })
    }

    /// Among what the advisor chooses; empty for free words.
    pub fn options(&self) -> &[String] {
        &self.meeting.options
    }

    /// Decides whether asking is worth its price. The same key decides once.
    pub fn begin(&self, seat: &Seat, key: &str) -> Result<Begun, Error> {
        let mut body = self.question.decision(&self.meeting.own);
        body["policy"] = json!(seat.policy);
        body["run"] = json!(seat.run);
        body["episode"] = json!(seat.episode);
        let decided = self.sidecar.call(&Call::post("/v1/decisions", body).keyed(key))?.success()?;
        let decision = named(&decided, "decision")?;
        if decided["verdict"] == "ask" {
            let permit = named(&decided["permit"], "id")?;
            return Ok(Begun::Open(Paid { decision, permit }));
        }
        let action = named(&decided, "action")?;
        let proceed = self.meeting.in_executor_words(&action, None);
        let told = json!({
            "asked": false, "may_act": false, "verdict": "act", "proceed_with": proceed, "reason": decided["reason"],
            "decision_id": decision,
        });
        Ok(Begun::Settled(told))
    }

    /// Hands in what came back, and says what the executor may do.
    pub fn finish(&self, paid: &Paid, heard: &Heard) -> Result<Value, Error> {
        let (said, reply, usage) = match heard {
            Heard::Said { text, usage } => (Some(text.as_str()), self.reply(text), usage.clone()),
            Heard::Lost { .. } => (None, json!({ "lost": true }), Value::Null),
        };
        let mut body = json!({ "permit": paid.permit, "reply": reply });
        if !usage.is_null() {
            body["usage"] = usage;
        }
        let path = format!("/v1/decisions/{}/resume", paid.decision);
        let key = format!("{}-resume", paid.permit);
        let judged = self.sidecar.call(&Call::post(path, body).keyed(key))?.success()?;
        let action = named(&judged, "action")?;
        let mut told = json!({
            "asked": true, "may_act": judged["verdict"] == "execute", "verdict": judged["verdict"],
            "proceed_with": self.meeting.in_executor_words(&action, said), "reason": judged["reason"],
            "decision_id": paid.decision,
        });
        match heard {
            Heard::Said { text, .. } => told["advice"] = json!(text),
            Heard::Lost { reason } => told["lost"] = json!(reason),
        }
        Ok(told)
    }

    /// What the advisor said, as the sidecar reads it.
    fn reply(&self, said: &str) -> Value {
        match self.meeting.in_policy_words(said) {
            Some(words) => json!({ "text": words }),
            // It came and was paid for, and names none of the options.
            None => json!({ "text": "" }),
        }
    }
}

/// The actions that a policy decides among.
fn actions(sidecar: &dyn Sidecar, policy: &str) -> Result<Vec<String>, Error> {
    let described = sidecar.call(&Call::get(format!("/v1/policies/{policy}")))?.success()?;
    let listed = described["actions"].as_array().ok_or(Error::Missing { field: "actions" })?;
    Ok(listed.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// A text that the sidecar must give.
fn named(body: &Value, field: &'static str) -> Result<String, Error> {
    body[field].as_str().map(str::to_owned).ok_or(Error::Missing { field })
}
