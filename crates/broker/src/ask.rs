//! `POST /v1/ask`: one call that decides, asks, and says what the executor may do.
//!
//! Invariant: one paid permit is one attempt at an endpoint. A repeated request under the same key gets the same reply; where that reply
//! is not known any more, because the server was started again between, the question counts as lost and is not sent a second time.

use counsel_serve::{Kind, Problem};
use serde_json::{Map, Value};

use crate::Error;
use crate::broker::Broker;
use crate::consultation::{Consultation, Heard, Seat, Step};
use crate::endpoints::Endpoints;
use crate::memory::Advice;
use crate::prompt::prompt;
use crate::question::Question;
use crate::sidecar::Call;

/// Advisors that one question may go through.
const MOST_STEPS: usize = 16;
/// Why a question that was cut off has no answer.
const CUT_OFF: &str = "an earlier request with this key was cut off; it stays paid, and is not asked again";

/// Takes the fields of the seat out of a body. What is left is the question.
pub(crate) fn seat(body: &mut Map<String, Value>) -> Result<Seat, Problem> {
    let mut taken = |name: &str| match body.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if is_name(&text) => Ok(Some(text)),
        Some(_) => Err(Problem::value(format!("`{name}` is no name; send 1 to 128 letters, digits, -, _ and ."))),
    };
    let policy = taken("policy")?
        .ok_or_else(|| Problem::new(Kind::Body, "`policy` is missing; name the policy that decides"))?;
    Ok(Seat { policy, run: taken("run")?.unwrap_or_else(|| "ask".to_owned()), episode: taken("episode")? })
}

/// Whether a text may stand in a path.
pub(crate) fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=128).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(plain)
}

/// Decides, asks the advisors in the order that the policy says, and judges.
pub(crate) fn ask(
    (broker, call): (&Broker, &Call),
    endpoints: &Endpoints,
    advice: &Advice,
    (seat, key): (&Seat, &str),
    question: &Question,
) -> Result<Value, Error> {
    let watched = broker.within(call);
    let consultation = Consultation::new(&watched, &seat.policy, question)?;
    let earlier = advice.get(&seat.policy, &question.context);
    let mut step = consultation.begin(seat, key, earlier.as_deref())?;
    for _ in 0..MOST_STEPS {
        let paid = match step {
            Step::Settled(told) => return Ok(told),
            Step::Open(paid) => paid,
        };
        let heard = if paid.replayed {
            Heard::Lost { reason: CUT_OFF.to_owned() }
        } else {
            match endpoints.advisor(&paid.advisor) {
                Some(voice) => {
                    let asked = prompt(voice.spec.system.as_deref(), &question.text, consultation.options());
                    let (heard, asked) = voice.hear(asked);
                    broker.tell(call, Some(&paid.decision), &asked);
                    heard
                }
                None => {
                    Heard::Lost { reason: format!("the policy names no endpoint for its advisor `{}`", paid.advisor) }
                }
            }
        };
        step = consultation.finish(&paid, &heard)?;
        if let (Heard::Said { text, .. }, Step::Settled(told)) = (&heard, &step)
            && told["may_act"] == true
        {
            advice.put(&seat.policy, &question.context, text);
        }
    }
    Err(Error::Question(format!("the policy asks more than {MOST_STEPS} advisors; name fewer")))
}
