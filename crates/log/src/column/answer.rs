//! What was done: whether it asked, what came back, and what the agent did. The reply is given; what the engine made of it
//! is recomputed.

use counsel_decision::{Answer, Outcome, Reply, Response, Verdict};

use super::Read;
use super::declaration::{Field, LogColumn};
use super::word::{Number, action, index, name, need, number, put, response, response_index, tokens, variant};
use crate::draft::Draft;

pub(super) const COLUMNS: &[LogColumn] = &[
    LogColumn::computed(
        "outcome",
        "`silent`, `unaffordable` (wanted to ask, no call left) or `asked`",
        Field::Word {
            write: |row| {
                Some(match row.record.outcome {
                    Outcome::Silent => "silent",
                    Outcome::Unaffordable => "unaffordable",
                    Outcome::Asked(_) => "asked",
                })
            },
            read: |draft, word| put(&mut draft.record.outcome, need(word).and_then(outcome)),
        },
    ),
    LogColumn::given(
        "reply",
        "the answer's text, as it came",
        Field::Text {
            write: |row| row.record.answer().map(|answer| answer.reply.text.as_str()),
            read: |draft, text| answered(draft, Ok(text.map(str::to_owned)), |answer| &mut answer.reply.text),
        },
    ),
    LogColumn::given(
        "reply_source",
        "`simulated`, `live`, `replayed` or `lost`",
        Field::Word {
            write: |row| row.record.answer().map(|answer| name(&answer.reply.source)),
            read: |draft, word| answered(draft, word.map(variant).transpose(), |answer| &mut answer.reply.source),
        },
    ),
    LogColumn::given(
        "request_tokens",
        "tokens sent, where counted",
        Field::Int {
            write: |row| row.record.answer().and_then(|answer| answer.reply.request_tokens).map(i64::from),
            read: |draft, number| answered(draft, tokens(number).map(Some), |answer| &mut answer.reply.request_tokens),
        },
    ),
    LogColumn::given(
        "response_tokens",
        "tokens received, where counted",
        Field::Int {
            write: |row| row.record.answer().and_then(|answer| answer.reply.response_tokens).map(i64::from),
            read: |draft, number| answered(draft, tokens(number).map(Some), |answer| &mut answer.reply.response_tokens),
        },
    ),
    LogColumn::given(
        "latency_ms",
        "time to the answer, where measured",
        Field::Real {
            write: |row| row.record.answer().and_then(|answer| answer.reply.latency_ms),
            read: |draft, number| answered(draft, Ok(Some(number)), |answer| &mut answer.reply.latency_ms),
        },
    ),
    LogColumn::given(
        "heard_at",
        "the place of the answer in the sequence of all decisions and answers, from 0; absent where it was heard before the next decision",
        number!(Int, hindsight.heard_at),
    )
    .where_used(),
    LogColumn::computed(
        "response",
        "the action understood, or -1 for an unusable reply",
        Field::Int {
            write: |row| row.record.answer().map(|answer| response_index(answer.response)),
            read: |draft, number| answered(draft, number.map(response).transpose(), |answer| &mut answer.response),
        },
    ),
    LogColumn::computed(
        "certificate",
        "what became of the answer, one of the verdicts above",
        Field::Word {
            write: |row| row.record.answer().map(|answer| name(&answer.verdict)),
            read: |draft, word| answered(draft, word.map(variant).transpose(), |answer| &mut answer.verdict),
        },
    ),
    LogColumn::given(
        "override_by",
        "who set another action in the place of the controller's; absent where nobody did",
        Field::Text {
            write: |row| row.record.overridden.as_ref().map(|set| set.by.as_str()),
            read: |draft, text| put(&mut draft.overridden.0, Ok(text.map(str::to_owned))),
        },
    )
    .where_used(),
    LogColumn::given(
        "override_action",
        "the action that was set, which was executed; absent where nobody overrode the controller",
        Field::Int {
            write: |row| row.record.overridden.as_ref().map(|set| index(set.action)),
            read: |draft, number| put(&mut draft.overridden.1, number.map(action).transpose()),
        },
    )
    .where_used(),
    LogColumn::computed(
        "override_of",
        "the action that the controller would have executed; absent where nobody overrode it",
        Field::Int {
            write: |row| row.record.overridden.as_ref().map(|set| index(set.instead_of)),
            read: |draft, number| put(&mut draft.overridden.2, number.map(action).transpose()),
        },
    )
    .where_used(),
    LogColumn::computed(
        "executed",
        "what the agent did: what the controller decided, or the action that was set in its place",
        number!(Int, record.executed),
    ),
];

/// The outcome with this name; the columns that follow fill in the answer.
fn outcome(name: &str) -> Result<Outcome, String> {
    match name {
        "silent" => Ok(Outcome::Silent),
        "unaffordable" => Ok(Outcome::Unaffordable),
        "asked" => {
            let (response, verdict) = (Response::Unusable, Verdict::Unusable);
            Ok(Outcome::Asked(Answer { reply: Reply::lost(), response, verdict }))
        }
        other => Err(format!("is `{other}`, which is none of `silent`, `unaffordable` and `asked`")),
    }
}

/// Puts a part of an answer in its place, if it could be read and there is an answer.
fn answered<T>(
    draft: &mut Draft<'_>,
    value: Result<Option<T>, String>,
    place: impl FnOnce(&mut Answer) -> &mut T,
) -> Read {
    let value = value?;
    if let Outcome::Asked(answer) = &mut draft.record.outcome {
        *place(answer) = value.ok_or("is empty although it asked")?;
    }
    Ok(())
}
