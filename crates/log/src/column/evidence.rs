//! What was known before any answer. The audit takes it as given.

use counsel_decision::{AdviceModel, ContextKey, Evidence, Forecast, Foretold, Informative, Panel, Radius};

use super::declaration::{Field, LogColumn, Row};
use super::word::{action, count, index, name, need, place, put, truth, variant};

/// A list that is one of the parts of the advice.
macro_rules! part {
    ($part:ident, $row:ident, $list:expr) => {
        Field::Reals {
            write: |$row, list| list.extend_from_slice($list),
            read: |draft, list| put(&mut draft.advice.$part, Ok(list.to_vec())),
        }
    };
}

pub(super) const COLUMNS: &[LogColumn] = &[
    LogColumn::given(
        "context",
        "the key under which an answer may be reused (64 bits, stored as a signed integer)",
        Field::Int {
            write: |row| Some(row.record.evidence.context().0.cast_signed()),
            read: |draft, number| draft.note(count(number).map(ContextKey), Evidence::with_context),
        },
    ),
    LogColumn::given(
        "base",
        "what the fallback proposes",
        Field::Int {
            write: |row| Some(index(row.record.evidence.advice().none().base())),
            read: |draft, number| put(&mut draft.advice.base, need(number).and_then(action).map(Some)),
        },
    ),
    LogColumn::given(
        "value_samples",
        "value samples, sample by sample; for informative advice, the action values of each model",
        part!(samples, row, row.record.evidence.advice().samples().as_slice()),
    ),
    LogColumn::given(
        "lower_bounds",
        "lower bound on the optimal value of each action",
        part!(lower, row, row.record.evidence.advice().none().bounds().lower()),
    ),
    LogColumn::given(
        "upper_bounds",
        "upper bound on the optimal value of each action",
        part!(upper, row, row.record.evidence.advice().none().bounds().upper()),
    ),
    LogColumn::given(
        "response_law",
        "predicted probability of each action being advised, then of an unusable reply",
        part!(law, row, row.record.evidence.advice().law().as_slice()),
    ),
    LogColumn::given(
        "belief",
        "weight of each model; empty for candidate-only advice",
        part!(belief, row, informative(row).map_or(&[], |advice| advice.belief().weights())),
    ),
    LogColumn::given(
        "likelihood",
        "probability of each response under each model, model by model; empty for candidate-only advice",
        part!(likelihood, row, informative(row).map_or(&[], |advice| advice.likelihood().as_slice())),
    ),
    LogColumn::given(
        "fallback_after",
        "`unchanged` or `greedy`, what the fallback does after informative advice; absent for candidate-only advice",
        Field::Word {
            write: |row| informative(row).map(|advice| name(&advice.fallback_after())),
            read: |draft, word| put(&mut draft.advice.fallback_after, word.map(variant).transpose()),
        },
    ),
    LogColumn::given(
        "radius",
        "β; infinite without calibration; derived again from the scores in the manifest where it was calibrated",
        Field::Real {
            write: |row| Some(row.record.evidence.radius().value()),
            read: |draft, number| {
                draft.know(need(number), |evidence, number| Ok(evidence.with_radius(Radius::new(number)?)))
            },
        },
    ),
    LogColumn::given(
        "price",
        "κ, the price of a call, in units of return",
        Field::Real {
            write: |row| Some(row.record.evidence.price()),
            read: |draft, number| draft.know(need(number), Evidence::at_price),
        },
    ),
    LogColumn::given(
        "visits",
        "how often this context was met before in this phase",
        Field::Int {
            write: |row| Some(row.record.evidence.visits().cast_signed()),
            read: |draft, number| draft.note(count(number), Evidence::with_visits),
        },
    ),
    LogColumn::given(
        "monitored",
        "what the monitors say of the context: `supported`, `outside-support` or `shifted`",
        Field::Word {
            write: |row| Some(name(&row.record.evidence.monitored())),
            read: |draft, word| draft.note(need(word).and_then(variant), Evidence::with_monitored),
        },
    ),
    LogColumn::given(
        "stalled",
        "1 where advice leads nowhere: the step before followed it and changed nothing, or the episode keeps coming back; else 0",
        Field::Int {
            write: |row| Some(i64::from(row.record.evidence.stalled())),
            read: |draft, number| draft.note(need(number).and_then(truth), Evidence::with_stalled),
        },
    ),
    LogColumn::given(
        "expected_uses",
        "N, in how many episodes an answer bought now is expected to serve; 0 where one is held",
        Field::Real {
            write: |row| Some(row.record.evidence.expected_uses()),
            read: |draft, number| draft.know(need(number), Evidence::with_expected_uses),
        },
    ),
    LogColumn::given(
        "fallback_law",
        "probability of every proposal of the fallback in this context; empty where only the present one is known",
        Field::Reals {
            write: |row, list| list.extend_from_slice(row.record.evidence.fallback_law()),
            read: |draft, list| put(&mut draft.fallback_law, Ok(list.to_vec())),
        },
    ),
    LogColumn::given(
        "credits",
        "what the advisor's word for each action adds to its value; empty where it adds nothing",
        Field::Reals {
            write: |row, list| {
                if let AdviceModel::CandidateOnly(advice) = row.record.evidence.advice() {
                    list.extend(advice.credits());
                }
            },
            read: |draft, list| put(&mut draft.advice.credits, Ok(list.to_vec())),
        },
    ),
    LogColumn::given(
        "credited_gain",
        "what advice has gained or lost since the decision before, by the agent's own estimate",
        Field::Real {
            write: |row| Some(row.record.evidence.credited_gain()),
            read: |draft, number| draft.know(need(number), Evidence::with_credited_gain),
        },
    ),
    LogColumn::given(
        "foretold",
        "the answer that is known here without asking, by what the advisor said where it looked alike; absent where none is",
        Field::Int {
            write: |row| row.record.evidence.foretold().map(|foretold| index(foretold.action())),
            // The next two columns have its grounds.
            read: |draft, number| put(&mut draft.foretold.0, number.map(action).transpose()),
        },
    ),
    LogColumn::given(
        "foretold_reliability",
        "the probability that the advisor would say so",
        Field::Real {
            write: |row| row.record.evidence.foretold().map(Foretold::reliability),
            read: |draft, number| put(&mut draft.foretold.1, Ok(number)),
        },
    ),
    LogColumn::given(
        "foretold_sources",
        "the number of answers that speak for it",
        Field::Int {
            write: |row| row.record.evidence.foretold().map(|foretold| foretold.sources().cast_signed()),
            read: |draft, number| put(&mut draft.foretold.2, Ok(number.map(i64::cast_unsigned))),
        },
    ),
    LogColumn::given(
        "in_hand",
        "the place, from 0, of the advisor whose answer would act without a question; absent where none would",
        Field::Int {
            write: |row| row.record.evidence.panel().and_then(Panel::in_hand).map(|place| (place as u64).cast_signed()),
            read: |draft, number| put(&mut draft.in_hand, number.map(place).transpose()),
        },
    )
    .where_used(),
    LogColumn::given(
        "lead",
        "who leads: `controller` or `agent`, and in a trial of the other one `controller-tried` or `agent-tried`; where it is the agent, its proposal acts and nothing is asked",
        Field::Word {
            write: |row| Some(name(&row.record.evidence.lead())),
            read: |draft, word| draft.note(need(word).and_then(variant), Evidence::with_lead),
        },
    ),
    LogColumn::given(
        "forecast_value",
        "learned value of the query; absent where none is learned",
        Field::Real {
            write: |row| row.record.evidence.forecast().map(Forecast::value),
            // The next column has its error.
            read: |draft, number| put(&mut draft.forecast_value, Ok(number)),
        },
    ),
    LogColumn::given(
        "forecast_error",
        "its standard error",
        Field::Real {
            write: |row| row.record.evidence.forecast().map(Forecast::error),
            read: |draft, number| match (draft.forecast_value, number) {
                (Some(value), Some(error)) => draft
                    .know(Ok(value), |evidence, value| Ok(evidence.with_forecast(Some(Forecast::new(value, error)?)))),
                (None, None) => Ok(()),
                _ => Err("and forecast_value belong together; one of them is absent".into()),
            },
        },
    ),
    LogColumn::given(
        "oracle_value",
        "true value of the query as shown to a diagnostic gate; absent for all others",
        Field::Real {
            write: |row| row.record.evidence.oracle_value(),
            read: |draft, number| draft.note(Ok(number), Evidence::with_oracle_value),
        },
    ),
];

fn informative(row: Row<'_>) -> Option<&Informative> {
    match row.record.evidence.advice() {
        AdviceModel::Informative(advice) => Some(advice),
        AdviceModel::CandidateOnly(_) => None,
    }
}
