//! What the engine computed before it asked or kept silent. The audit recomputes it.

use counsel_decision::{Panel, Prospect, Verdict};

use super::declaration::{Field, LogColumn};
use super::word::{Number, action, index, name, need, number, place, put, variant};

pub(super) const COLUMNS: &[LogColumn] = &[
    LogColumn::computed("no_query", "a⁰, the action without a query", number!(Int, record.no_query)),
    LogColumn::computed("cached", "the cached or foretold candidate, used or not", number!(Int, record.cached)),
    LogColumn::computed(
        "cache_status",
        "`off`, `absent`, `superseded`, `expired`, `shifted`, `unsupported`, `no-effect`, `distrusted`, `uncertified`, `not-improving`, `reused` or `foretold`",
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
    LogColumn::computed("estimate", "Δ̂, the estimated value of the query", number!(Real, record.estimate)),
    LogColumn::computed(
        "reuse_value",
        "Δ̄, the estimated value of each later use of an answer; absent where the gate does not read it",
        number!(Real, record.reuse_value),
    ),
    LogColumn::computed("pacing", "λ before this decision", number!(Real, record.pacing)),
    LogColumn::computed(
        "paced_price",
        "c = λ κ, the price of a call at this decision after pacing",
        number!(Real, record.paced_price),
    ),
    LogColumn::computed("score", "how much speaks for asking", number!(Real, record.score)),
    LogColumn::computed("threshold", "how much is needed", number!(Real, record.threshold)),
    LogColumn::computed(
        "calls_left",
        "how many calls could be made before this decision",
        number!(Int, record.calls_left),
    ),
    LogColumn::computed(
        "bankroll",
        "W, what advice may still lose, before this decision; absent without a bankroll",
        number!(Real, record.bankroll),
    ),
    LogColumn::computed(
        "advisor",
        "the place, from 0, of the one of several advisors that the decision is about; absent where there is one",
        Field::Int {
            write: |row| row.record.panel.as_ref().map(|panel| (panel.advisor() as u64).cast_signed()),
            read: |draft, number| put(&mut draft.advisor, number.map(place).transpose()),
        },
    )
    .where_used(),
    LogColumn::computed(
        "advisor_scores",
        "for each of several advisors, how much speaks for asking it less how much is needed; minus infinity for one that is not considered",
        Field::Reals {
            write: |row, list| list.extend(row.record.panel.iter().flat_map(Panel::nets)),
            read: |draft, list| put(&mut draft.advisor_scores, Ok(list.to_vec())),
        },
    )
    .where_used(),
];
