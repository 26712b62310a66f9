//! What the engine computed before it asked or kept silent. The audit recomputes it.

use counsel_decision::{Prospect, Verdict};

use super::declaration::{Field, LogColumn};
use super::word::{action, count, index, name, need, put, variant};

pub(super) const COLUMNS: &[LogColumn] = &[
    LogColumn::computed(
        "no_query",
        "a⁰, the action without a query",
        Field::Int {
            write: |row| Some(index(row.record.no_query)),
            read: |draft, number| put(&mut draft.record.no_query, need(number).and_then(action)),
        },
    ),
    LogColumn::computed(
        "cached",
        "the cached candidate, used or not",
        Field::Int {
            write: |row| row.record.cached.map(index),
            read: |draft, number| put(&mut draft.record.cached, number.map(action).transpose()),
        },
    ),
    LogColumn::computed(
        "cache_status",
        "`off`, `absent`, `superseded`, `expired`, `shifted`, `unsupported`, `no-effect`, `distrusted`, `uncertified`, `not-improving` or `reused`",
        Field::Word {
            write: |row| Some(name(&row.record.cache_status)),
            read: |draft, word| put(&mut draft.record.cache_status, need(word).and_then(variant)),
        },
    ),
    LogColumn::computed(
        "prospects",
        "d(y) for each response, in the order of `response_law`",
        Field::Ints {
            write: |row, list| list.extend(row.record.prospects.iter().map(|prospect| index(prospect.action))),
            read: |draft, list| {
                // The next column says why.
                let prospect = |number: &i64| Ok(Prospect { action: action(*number)?, verdict: Verdict::Unusable });
                put(&mut draft.record.prospects, list.iter().map(prospect).collect())
            },
        },
    ),
    LogColumn::computed(
        "prospect_verdicts",
        "why, for each response: `executed`, `unusable`, `uncertified`, `not-improving`, `too-uncertain` or `impossible`",
        Field::Words {
            write: |row, list| list.extend(row.record.prospects.iter().map(|prospect| name(&prospect.verdict))),
            read: |draft, list| {
                let prospects = &mut draft.record.prospects;
                if prospects.len() != list.len() {
                    return Err("and prospects differ in length".into());
                }
                prospects
                    .iter_mut()
                    .zip(list)
                    .try_for_each(|(prospect, word)| put(&mut prospect.verdict, variant(word)))
            },
        },
    ),
    LogColumn::computed(
        "estimate",
        "Δ̂, the estimated value of the query",
        Field::Real {
            write: |row| Some(row.record.estimate),
            read: |draft, number| put(&mut draft.record.estimate, need(number)),
        },
    ),
    LogColumn::computed(
        "reuse_value",
        "Δ̄, the estimated value of each later use of an answer; absent where the gate does not read it",
        Field::Real {
            write: |row| row.record.reuse_value,
            read: |draft, number| put(&mut draft.record.reuse_value, Ok(number)),
        },
    ),
    LogColumn::computed(
        "pacing",
        "λ before this decision",
        Field::Real {
            write: |row| Some(row.record.pacing),
            read: |draft, number| put(&mut draft.record.pacing, need(number)),
        },
    ),
    LogColumn::computed(
        "paced_price",
        "c = λ κ, the price of a call at this decision after pacing",
        Field::Real {
            write: |row| Some(row.record.paced_price),
            read: |draft, number| put(&mut draft.record.paced_price, need(number)),
        },
    ),
    LogColumn::computed(
        "score",
        "how much speaks for asking",
        Field::Real {
            write: |row| Some(row.record.score),
            read: |draft, number| put(&mut draft.record.score, need(number)),
        },
    ),
    LogColumn::computed(
        "threshold",
        "how much is needed",
        Field::Real {
            write: |row| Some(row.record.threshold),
            read: |draft, number| put(&mut draft.record.threshold, need(number)),
        },
    ),
    LogColumn::computed(
        "calls_left",
        "how many calls could be made before this decision",
        Field::Int {
            write: |row| Some(row.record.calls_left.cast_signed()),
            read: |draft, number| put(&mut draft.record.calls_left, count(number)),
        },
    ),
    LogColumn::computed(
        "bankroll",
        "W, what advice may still lose, before this decision; absent without a bankroll",
        Field::Real {
            write: |row| row.record.bankroll,
            read: |draft, number| put(&mut draft.record.bankroll, Ok(number)),
        },
    ),
];
