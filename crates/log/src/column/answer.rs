//! What was done: whether it asked, what came back, and what the agent did. The reply is given; what the engine made of it
//! is recomputed.

use counsel_decision::Outcome;

use super::declaration::{Field, LogColumn};
use super::word::{action, index, name, need, put, response, response_index, tokens, variant};

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
            read: |draft, word| put(&mut draft.outcome, need(word).and_then(variant)),
        },
    ),
    LogColumn::given(
        "reply",
        "the answer's text, as it came",
        Field::Text {
            write: |row| row.record.answer().map(|answer| answer.reply.text.as_str()),
            read: |draft, text| put(&mut draft.reply, Ok(text.map(str::to_owned))),
        },
    ),
    LogColumn::given(
        "reply_source",
        "`simulated`, `live`, `replayed` or `lost`",
        Field::Word {
            write: |row| row.record.answer().map(|answer| name(&answer.reply.source)),
            read: |draft, word| put(&mut draft.reply_source, word.map(variant).transpose()),
        },
    ),
    LogColumn::given(
        "request_tokens",
        "tokens sent, where counted",
        Field::Int {
            write: |row| row.record.answer().and_then(|answer| answer.reply.request_tokens).map(i64::from),
            read: |draft, number| put(&mut draft.request_tokens, tokens(number)),
        },
    ),
    LogColumn::given(
        "response_tokens",
        "tokens received, where counted",
        Field::Int {
            write: |row| row.record.answer().and_then(|answer| answer.reply.response_tokens).map(i64::from),
            read: |draft, number| put(&mut draft.response_tokens, tokens(number)),
        },
    ),
    LogColumn::given(
        "latency_ms",
        "time to the answer, where measured",
        Field::Real {
            write: |row| row.record.answer().and_then(|answer| answer.reply.latency_ms),
            read: |draft, number| put(&mut draft.latency_ms, Ok(number)),
        },
    ),
    LogColumn::computed(
        "response",
        "the action understood, or -1 for an unusable reply",
        Field::Int {
            write: |row| row.record.answer().map(|answer| response_index(answer.response)),
            read: |draft, number| put(&mut draft.response, number.map(response).transpose()),
        },
    ),
    LogColumn::computed(
        "certificate",
        "what became of the answer, one of the verdicts above",
        Field::Word {
            write: |row| row.record.answer().map(|answer| name(&answer.verdict)),
            read: |draft, word| put(&mut draft.verdict, word.map(variant).transpose()),
        },
    ),
    LogColumn::computed(
        "executed",
        "what the agent did",
        Field::Int {
            write: |row| Some(index(row.record.executed)),
            read: |draft, number| put(&mut draft.executed, need(number).and_then(action)),
        },
    ),
];
