//! What the engine computed before it asked or kept silent. The audit recomputes it.

use super::declaration::{Field, LogColumn};
use super::word::{action, count, index, name, need, put, variant};

pub(super) const COLUMNS: &[LogColumn] = &[
    LogColumn::computed(
        "no_query",
        "a⁰, the action without a query",
        Field::Int {
            write: |row| Some(index(row.record.no_query)),
            read: |draft, number| put(&mut draft.no_query, need(number).and_then(action)),
        },
    ),
    LogColumn::computed(
        "cached",
        "the cached candidate, used or not",
        Field::Int {
            write: |row| row.record.cached.map(index),
            read: |draft, number| put(&mut draft.cached, number.map(action).transpose()),
        },
    ),
    LogColumn::computed(
        "cache_status",
        "`off`, `absent`, `superseded`, `expired`, `shifted`, `unsupported`, `no-effect`, `distrusted`, `uncertified`, `not-improving` or `reused`",
        Field::Word {
            write: |row| Some(name(&row.record.cache_status)),
            read: |draft, word| put(&mut draft.cache_status, need(word).and_then(variant)),
        },
    ),
    LogColumn::computed(
        "prospects",
        "d(y) for each response, in the order of `response_law`",
        Field::Ints {
            write: |row, list| list.extend(row.record.prospects.iter().map(|prospect| index(prospect.action))),
            read: |draft, list| put(&mut draft.prospects, list.iter().map(|number| action(*number)).collect()),
        },
    ),
    LogColumn::computed(
        "prospect_verdicts",
        "why, for each response: `executed`, `unusable`, `uncertified`, `not-improving`, `too-uncertain` or `impossible`",
        Field::Words {
            write: |row, list| list.extend(row.record.prospects.iter().map(|prospect| name(&prospect.verdict))),
            read: |draft, list| put(&mut draft.verdicts, list.iter().map(|word| variant(word)).collect()),
        },
    ),
    LogColumn::computed(
        "estimate",
        "Δ̂, the estimated value of the query",
        Field::Real {
            write: |row| Some(row.record.estimate),
            read: |draft, number| put(&mut draft.estimate, need(number)),
        },
    ),
    LogColumn::computed(
        "reuse_value",
        "Δ̄, the estimated value of each later use of an answer; absent where the gate does not read it",
        Field::Real {
            write: |row| row.record.reuse_value,
            read: |draft, number| put(&mut draft.reuse_value, Ok(number)),
        },
    ),
    LogColumn::computed(
        "price_multiplier",
        "λ before this decision",
        Field::Real {
            write: |row| Some(row.record.lambda),
            read: |draft, number| put(&mut draft.lambda, need(number)),
        },
    ),
    LogColumn::computed(
        "price",
        "c = λ κ, the price of a call at this decision",
        Field::Real { write: |row| Some(row.record.price), read: |draft, number| put(&mut draft.price, need(number)) },
    ),
    LogColumn::computed(
        "score",
        "how much speaks for asking",
        Field::Real { write: |row| Some(row.record.score), read: |draft, number| put(&mut draft.score, need(number)) },
    ),
    LogColumn::computed(
        "threshold",
        "how much is needed",
        Field::Real {
            write: |row| Some(row.record.threshold),
            read: |draft, number| put(&mut draft.threshold, need(number)),
        },
    ),
    LogColumn::computed(
        "calls_left",
        "how many calls could be made before this decision",
        Field::Int {
            write: |row| Some(row.record.calls_left.cast_signed()),
            read: |draft, number| put(&mut draft.calls_left, count(number)),
        },
    ),
    LogColumn::computed(
        "bankroll",
        "W, what advice may still lose, before this decision; absent without a bankroll",
        Field::Real { write: |row| row.record.bankroll, read: |draft, number| put(&mut draft.bankroll, Ok(number)) },
    ),
];
