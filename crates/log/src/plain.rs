//! One decision in plain sentences: what was expected, what asking was worth, what was said, and what became of it.
//!
//! Invariant: every word follows from the record alone; nothing that became known afterwards is in it.

use counsel_decision::{Answer, CacheStatus, Gate, Outcome, Record, ReplySource, Response, Verdict};
use counsel_file::Printable;

use crate::explain::{advisor_name, lead_words, verdict_words, word};
use crate::explain_route::route_in_short;
use crate::{Decision, Manifest};

/// The decision in a few sentences for somebody who knows neither the log nor the paper.
pub fn in_words(manifest: &Manifest, decision: &Decision) -> String {
    if let Some(route) = &decision.route {
        return format!("{}.", route_in_short(manifest, route));
    }
    let record = &decision.record;
    let what_followed = followed(manifest, record);
    if record.evidence.lead().is_agent() {
        let lead = lead_words(record.evidence.lead()).unwrap_or_default();
        return format!("Nobody was asked: {lead}. {what_followed}");
    }
    if manifest.settings.gate == Gate::Never {
        return format!("It never asks. {what_followed}");
    }
    format!("{} {} {what_followed}", expected(manifest, record), worth(manifest, record))
}

fn quoted(manifest: &Manifest, action: counsel_decision::Action) -> String {
    format!("`{}`", word(manifest, action))
}

/// The answer that is likeliest by the predicted law.
fn expected(manifest: &Manifest, record: &Record) -> String {
    let law = record.evidence.advice().law();
    let mode = law.mode();
    let said = match mode {
        Response::Recommends(action) => quoted(manifest, action),
        Response::Unusable => "no usable answer".into(),
    };
    let whom = record.panel.as_ref().map(|panel| advisor_name(manifest, panel.advisor()));
    let of_whom = whom.map_or_else(String::new, |name| format!(" of {name}"));
    format!("It expected {said}{of_whom} with {:.0} %.", law.probability(mode) * 100.0)
}

/// What speaks for asking, against what is needed.
fn worth(manifest: &Manifest, record: &Record) -> String {
    let gate = &manifest.settings.gate;
    let uses = record.evidence.expected_uses();
    let served = if record.score >= record.threshold { "because" } else { "even though" };
    let reason = match gate {
        Gate::Always => return "It asks wherever a call is left.".into(),
        Gate::Amortised if uses < 1.0 => return "An answer is held already, so another one was worth nothing.".into(),
        Gate::Predictive(_) | Gate::Amortised if record.evidence.radius().finite().is_none() => {
            return "Nothing is calibrated, so asking counts as worth nothing.".into();
        }
        Gate::Amortised if uses > 1.0 => format!(", {served} the answer serves {} episodes", short(uses)),
        Gate::Predictive(_) if record.evidence.radius().value() > 0.0 => {
            format!(", its margin of error of {} taken off", short(record.evidence.radius().value()))
        }
        Gate::Predictive(_) | Gate::Amortised | Gate::Learned(_) | Gate::Value | Gate::Oracle => String::new(),
        _ => {
            let (score, threshold) = apart(record.score, record.threshold);
            return format!("Its gate `{}` stood at {score}; it asks from {threshold} on.", gate.name());
        }
    };
    let (score, price) = apart(record.score, record.paced_price);
    let rationed = record.threshold > record.paced_price.max(f64::MIN_POSITIVE);
    let spared = if rationed {
        format!(" Calls are rationed: it asks from {} on.", short(record.threshold))
    } else {
        String::new()
    };
    format!("Asking was worth {score} for {price}{reason}.{spared}")
}

/// What was said, and what was done.
fn followed(manifest: &Manifest, record: &Record) -> String {
    let did = quoted(manifest, record.executed);
    if let Some(set) = &record.overridden {
        let heard = match &record.outcome {
            Outcome::Asked(answer) if answer.reply.source == ReplySource::Lost => "The answer was lost. ".into(),
            Outcome::Asked(Answer { response: Response::Unusable, .. }) => "The answer named no action. ".into(),
            Outcome::Asked(Answer { response: Response::Recommends(said), .. }) => {
                format!("It said {}. ", quoted(manifest, *said))
            }
            Outcome::Silent | Outcome::Unaffordable => String::new(),
        };
        let (by, instead_of) = (Printable(&set.by), quoted(manifest, set.instead_of));
        return format!("{heard}It would have done {instead_of}, but {by} had the last word, so it did {did}.");
    }
    let Outcome::Asked(answer) = &record.outcome else {
        let kept = match record.cache_status {
            CacheStatus::Reused => ", an answer that it had kept",
            CacheStatus::Foretold => ", the answer that it foretold",
            _ => "",
        };
        let why = match record.bankroll {
            // It was said already why nobody was asked.
            _ if manifest.settings.gate == Gate::Never || record.evidence.lead().is_agent() => {
                return format!("It did {did}{kept}.");
            }
            _ if record.outcome == Outcome::Silent => return format!("It did not ask, and did {did}{kept}."),
            Some(left) if record.calls_left > 0 => format!("Advice may lose only {} more", short(left)),
            _ => "No call was left".into(),
        };
        return format!("{why}, so it did {did}{kept}.");
    };
    match answer.response {
        _ if answer.reply.source == ReplySource::Lost => format!("The answer was lost, so it did {did}."),
        Response::Unusable => format!("The answer named no action, so it did {did}."),
        Response::Recommends(said) => {
            let said = format!("It said {}", quoted(manifest, said));
            match answer.verdict {
                Verdict::Executed if record.executed == record.no_query => {
                    format!("{said}, which it would have done anyway.")
                }
                Verdict::Executed => {
                    format!("{said}, and it did so instead of {}.", quoted(manifest, record.no_query))
                }
                verdict => format!("{said}. The answer {}, so it did {did}.", verdict_words(verdict, manifest)),
            }
        }
    }
}

/// Two numbers in short, or with six decimals where they would look the same and are not.
fn apart(one: f64, other: f64) -> (String, String) {
    match (short(one), short(other)) {
        (same, too) if same == too && one != other => (format!("{one:.6}"), format!("{other:.6}")),
        shown => shown,
    }
}

/// Three digits that count, without zeros at the end; at most six decimals.
pub(crate) fn short(number: f64) -> String {
    if !number.is_finite() {
        return if number > 0.0 { "infinitely much" } else { "nothing" }.into();
    }
    let before = number.abs().max(1e-300).log10().floor();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 6")]
    let decimals = (2.0 - before).clamp(0.0, 6.0) as usize;
    let text = format!("{number:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_that_count() {
        let told = [1.8234, 0.005, 30.0, 0.0, 1234.5, 0.000_012, -0.25, 1e-9, -1e-9].map(short);
        assert_eq!(told, ["1.82", "0.005", "30", "0", "1234", "0.000012", "-0.25", "0", "0"]);
        assert_eq!(apart(0.300_01, 0.3), ("0.300010".into(), "0.300000".into()));
    }
}
