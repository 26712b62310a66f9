//! One question from the decision to what the executor may do, over any [`Sidecar`].
//!
//! [`Consultation::begin`] decides. Where asking is worth its price the permit is paid and the question is [`Step::Open`]: whoever holds it
//! asks, once, and [`Consultation::finish`] takes what came back. That settles the question, or opens it to a further advisor. An open
//! question may cross processes as text, because the sidecar knows its permit.

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
    /// The episode that the question is a step of. Without one the question is an episode of its own.
    pub episode: Option<String>,
}

/// What an advisor brought.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// An answer, and what it took.
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

/// A paid question that waits for its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Paid {
    /// The decision.
    pub decision: String,
    /// The permit: one answer may come under it.
    pub permit: String,
    /// Who is to be asked.
    pub advisor: String,
    /// Whether the permit was handed out before, to a request with the same key whose end nobody knows.
    pub replayed: bool,
}

/// How far a question is.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// What the executor may do.
    Settled(Value),
    /// It is paid for, and somebody is to be asked.
    Open(Paid),
}

/// A question beside the policy that decides it.
#[derive(Debug, Clone)]
pub struct Consultation<'a> {
    sidecar: &'a dyn Sidecar,
    question: &'a Question,
    meeting: Meeting,
}

impl<'a> Consultation<'a> {
    /// The question beside this policy.
    pub fn new(sidecar: &'a dyn Sidecar, policy: &str, question: &'a Question) -> Result<Self, Error> {
        let meeting = question.meet(&actions(sidecar, policy)?).map_err(Error::Question)?;
        Ok(Self { sidecar, question, meeting })
    }

    /// Among what the advisor chooses; empty for free words.
    pub fn options(&self) -> &[String] {
        &self.meeting.options
    }

    /// Whether the policy decides between the executor's own choice and advice.
    pub(crate) fn is_about_advice(&self) -> bool {
        self.meeting.is_own_or_advice
    }

    /// Decides whether asking is worth its price. The same key decides once. `earlier` is advice that this context got before.
    pub fn begin(&self, seat: &Seat, key: &str, earlier: Option<&str>) -> Result<Step, Error> {
        let mut body = self.question.decision(&self.meeting.own);
        body["policy"] = json!(seat.policy);
        body["run"] = json!(seat.run);
        if let Some(episode) = &seat.episode {
            body["episode"] = json!(episode);
        }
        let replied = self.sidecar.call(&Call::post("/v1/decisions", body).keyed(key))?;
        let replayed = replied.replayed;
        let decided = replied.success()?;
        let decision = named(&decided, "decision")?;
        if decided["verdict"] == "ask" {
            return Ok(Step::Open(paid(&decided, decision, replayed)?));
        }
        let action = named(&decided, "action")?;
        let mut told = json!({
            "asked": false, "may_act": false, "verdict": "act", "reason": reason(&decided), "decision_id": decision,
            "proceed_with": self.meeting.in_executor_words(&action, earlier),
        });
        if let Some(earlier) = earlier.filter(|_| action != self.meeting.own) {
            told["advice"] = json!(earlier);
            told["may_act"] = json!(true);
        }
        Ok(Step::Settled(told))
    }

    /// Hands in what came back.
    pub fn finish(&self, paid: &Paid, heard: &Heard) -> Result<Step, Error> {
        let (said, reply, usage) = match heard {
            Heard::Said { text, usage } => (Some(text.as_str()), self.reply(text), usage.clone()),
            Heard::Lost { .. } => (None, json!({ "lost": true }), Value::Null),
        };
        let mut body = json!({ "permit": paid.permit, "reply": reply });
        if !usage.is_null() {
            body["usage"] = usage;
        }
        let path = format!("/v1/decisions/{}/resume", paid.decision);
        // The permit is its key.
        let call = Call::post(path, body);
        let (judged, heard) = match self.sidecar.call(&call)?.success() {
            Ok(judged) => (judged, Some(heard)),
            // The question was settled by somebody else, or by the clock.
            Err(denial) if denial.is("already-resumed") || denial.is("expired") => {
                (self.settled(&paid.decision)?.ok_or(Error::Refused(denial))?, None)
            }
            Err(denial) => return Err(denial.into()),
        };
        if judged["verdict"] == "ask" {
            return Ok(Step::Open(self::paid(&judged, paid.decision.clone(), false)?));
        }
        let action = named(&judged, "action")?;
        let mut told = json!({
            "asked": true, "may_act": judged["verdict"] == "execute", "verdict": judged["verdict"], "reason": reason(&judged),
            "decision_id": paid.decision, "proceed_with": self.meeting.in_executor_words(&action, said),
        });
        match heard {
            Some(Heard::Said { text, .. }) => told["advice"] = json!(text),
            Some(Heard::Lost { reason }) => told["lost"] = json!(reason),
            None => told["lost"] = json!("the question was settled before this answer came"),
        }
        Ok(Step::Settled(told))
    }

    /// How a decision was settled, where it was.
    fn settled(&self, decision: &str) -> Result<Option<Value>, Error> {
        let known = self.sidecar.call(&Call::get(format!("/v1/decisions/{decision}")))?.success()?;
        Ok(known["settled"].as_array().and_then(|settled| settled.last()).cloned())
    }

    /// What the advisor said, as the sidecar reads it.
    fn reply(&self, said: &str) -> Value {
        // What came and names none of the options was paid for all the same.
        json!({ "text": self.meeting.in_policy_words(said).unwrap_or_default() })
    }
}

fn paid(body: &Value, decision: String, replayed: bool) -> Result<Paid, Error> {
    let permit = &body["permit"];
    let advisor = permit["advisor"].as_str().unwrap_or("advisor").to_owned();
    Ok(Paid { decision, permit: named(permit, "id")?, advisor, replayed })
}

/// Why, in words where there are any.
fn reason(judged: &Value) -> &Value {
    if judged["because"].is_string() { &judged["because"] } else { &judged["reason"] }
}

/// The actions that a policy decides among.
fn actions(sidecar: &dyn Sidecar, policy: &str) -> Result<Vec<String>, Error> {
    let described = sidecar.call(&Call::get(format!("/v1/policies/{policy}")))?.success()?;
    let listed = described["spec"]["actions"].as_array().ok_or(Error::Missing { field: "actions" })?;
    Ok(listed.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// A text that the sidecar must give.
fn named(body: &Value, field: &'static str) -> Result<String, Error> {
    body[field].as_str().map(str::to_owned).ok_or(Error::Missing { field })
}
