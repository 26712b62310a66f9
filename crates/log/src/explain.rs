//! Why one decision was made, in words and numbers.

use std::fmt::Write;

use counsel_decision::{
    Action, AdviceModel, CacheStatus, Execution, Gate, Lead, Outcome, Record, Response, Valuation, Verdict,
};
use counsel_file::Printable;
use serde_variant::to_variant_name;

use crate::explain_route::{explain_route, route_in_short};
use crate::plain::in_words;
use crate::{Decision, Manifest, PricedAdvisor, Worth, named_worths};

/// The answer that names no action.
const UNUSABLE: &str = "(unusable)";

/// A text that explains a decision to a person.
pub fn explain(manifest: &Manifest, decision: &Decision) -> String {
    if let Some(route) = &decision.route {
        return explain_route(manifest, decision, route);
    }
    let record = &decision.record;
    let mut text = String::new();
    let mut line = |words: String| {
        let _ = writeln!(text, "{words}");
    };
    line(format!(
        "{} · step {} (episode {}, step {} of it)",
        manifest.key, record.step, record.episode, record.step_in_episode
    ));
    line(String::new());
    line(in_words(manifest, decision));
    line(String::new());
    line(format!("In short: {}", in_short(manifest, decision)));
    line(String::new());
    line("What was known before any answer".into());
    let branch = record.evidence.advice().none();
    line(format!("  the fallback proposes {}", word(manifest, branch.base())));
    lead_words(record.evidence.lead()).into_iter().for_each(|words| line(format!("  {words}")));
    let names = || (0..record.evidence.actions()).map(|action| word(manifest, Action::new(action)));
    let width = names().map(|name| name.chars().count()).chain([UNUSABLE.len(), 12]).max().unwrap_or_default();
    line(format!("  {:<width$} {:>11}   bounds on the optimal value   predicted answer", "action", "mean value"));
    let law = record.evidence.advice().law().as_slice();
    for (index, ((mean, probability), name)) in branch.means().iter().zip(law).zip(names()).enumerate() {
        let bounds = branch.bounds();
        line(format!(
            "  {name:<width$} {mean:>11.4}   [{:>9.4}, {:>9.4}]        {:>6.1} %",
            bounds.lower()[index],
            bounds.upper()[index],
            probability * 100.0
        ));
    }
    let unusable = record.evidence.advice().law().probability(Response::Unusable);
    line(format!("  {UNUSABLE:<width$} {:>11}   {:>22}        {:>6.1} %", "", "", unusable * 100.0));
    if let AdviceModel::Informative(advice) = record.evidence.advice() {
        line(format!(
            "  an answer is evidence about {} models; the belief is conditioned on it",
            advice.belief().weights().len()
        ));
    }
    line(String::new());
    line("Without a query".into());
    let advice = record.evidence.advice();
    let possible = record.cached.filter(|action| action.index() < record.evidence.actions());
    let kept = possible.map(|action| Worth::within(advice, advice.kept(action), action));
    let kept = kept.filter(|worth| !worth.is_unchanged()).map_or_else(String::new, |worth| format!(", valued {worth}"));
    line(format!("  {}{kept}; the action would be {}", cache_words(record, manifest), word(manifest, record.no_query)));
    line(String::new());
    line("What each answer would lead to".into());
    let worths = named_worths(record);
    for (response, prospect) in Response::all(record.evidence.actions()).zip(&record.prospects) {
        let (said, worth) = match response {
            Response::Recommends(action) => (word(manifest, action), worths[action.index()]),
            Response::Unusable => (UNUSABLE.into(), None),
        };
        let changed = worth.filter(|worth| !worth.is_unchanged());
        let valued = changed.map_or_else(String::new, |worth| format!("; its value is {worth}"));
        line(format!(
            "  {said:<width$} → {:<width$} {}{valued}",
            word(manifest, prospect.action),
            verdict_words(prospect.verdict, manifest)
        ));
    }
    line(String::new());
    advisors_words(record, manifest).into_iter().for_each(&mut line);
    line("The gate".into());
    gate_words(record, manifest).into_iter().for_each(|words| line(format!("  {words}")));
    line(format!("  calls left before this decision: {}", record.calls_left));
    line(String::new());
    line("What happened".into());
    match &record.outcome {
        Outcome::Asked(answer) => {
            let whom = record.panel.as_ref().map(|panel| advisor_name(manifest, panel.advisor()));
            let whom = whom.map_or_else(String::new, |name| format!(" {name}"));
            line(format!("  it asked{whom}; the reply was {:?} ({:?})", answer.reply.text, answer.reply.source));
            line(format!("  the answer {}", verdict_words(answer.verdict, manifest)));
        }
        Outcome::Silent => line("  it did not ask".into()),
        Outcome::Unaffordable => line("  it wanted to ask, but no call was left".into()),
    }
    if let Some(set) = &record.overridden {
        line(format!(
            "  it would have executed {}, but {} had the last word",
            word(manifest, set.instead_of),
            Printable(&set.by)
        ));
    }
    line(format!("  it executed {} and received {}", word(manifest, record.executed), decision.hindsight.reward));
    hindsight_words(decision, manifest).into_iter().for_each(|words| line(format!("  {words}")));
    text
}

/// Who leads, where that is worth a word.
pub(crate) fn lead_words(lead: Lead) -> Option<&'static str> {
    match lead {
        Lead::Controller => None,
        Lead::Agent => Some("the agent leads this episode: its own proposals returned more than the controller"),
        Lead::ControllerTried => Some("the controller is on trial in this episode, otherwise the agent leads"),
        Lead::AgentTried => Some("the agent is on trial in this episode: its own proposals act"),
    }
}

/// What was done, in one sentence.
pub(crate) fn in_short(manifest: &Manifest, decision: &Decision) -> String {
    let record = &decision.record;
    if let Some(route) = &decision.route {
        return route_in_short(manifest, route);
    }
    let comparison = if record.score >= record.threshold { ">=" } else { "<" };
    let numbers = format!("score {:.6} {comparison} threshold {:.6}", record.score, record.threshold);
    let decided = match &record.outcome {
        Outcome::Asked(answer) if answer.verdict == Verdict::Executed && record.overridden.is_none() => {
            format!("it asked ({numbers}) and followed the answer")
        }
        Outcome::Asked(answer) if answer.verdict == Verdict::Executed => {
            format!("it asked ({numbers}) and would have followed the answer")
        }
        Outcome::Asked(_) => format!("it asked ({numbers}) and did not follow the answer"),
        Outcome::Silent => match lead_words(record.evidence.lead()) {
            Some(lead) if record.evidence.lead().is_agent() => format!("it did not ask: {lead}"),
            _ => format!("it did not ask ({numbers})"),
        },
        Outcome::Unaffordable => format!("it would have asked ({numbers}), but the budget was empty"),
    };
    match &record.overridden {
        Some(set) => format!("{decided}; {} set {} in its place", Printable(&set.by), word(manifest, set.action)),
        None => decided,
    }
}

/// Who was considered, where there are several advisors.
fn advisors_words(record: &Record, manifest: &Manifest) -> Vec<String> {
    let Some(panel) = &record.panel else { return Vec::new() };
    let mut words = vec!["Whom to ask".into()];
    for (place, net) in panel.nets().iter().enumerate() {
        let said = match *net {
            f64::NEG_INFINITY => "is not considered".into(),
            net if net >= 0.0 => format!("would be worth {net:.6} more than is needed"),
            net => format!("would be worth {:.6} less than is needed", -net),
        };
        words.push(format!("  asking {} {said}", advisor_name(manifest, place)));
    }
    let about = advisor_name(manifest, panel.advisor());
    words.push(match (panel.in_hand(), panel.stands_in()) {
        (_, Some(other)) => format!(
            "  the decision is about {about}; the answer of {} is in hand and stands as the fallback's proposal",
            advisor_name(manifest, other)
        ),
        (Some(_), None) => format!("  the decision is about {about}, whose answer is in hand"),
        (None, None) => format!("  the decision is about {about}; no answer is in hand"),
    });
    words.push(String::new());
    words
}

/// One of several advisors: its name and its price, or its place where the manifest has none.
pub(crate) fn advisor_name(manifest: &Manifest, place: usize) -> String {
    let named = |known: &PricedAdvisor| format!("{} (price {})", known.advisor, known.price);
    manifest.advisors.get(place).map_or_else(|| format!("advisor {place}"), named)
}

fn gate_words(record: &Record, manifest: &Manifest) -> Vec<String> {
    let gate = &manifest.settings.gate;
    let mut words = vec![format!("policy `{}`: asks when its score reaches its threshold", gate.name())];
    if let Gate::Predictive(predictive) = gate {
        let valued = match predictive.valuation {
            Valuation::DeployedDecision => "valuing the decision that would follow each answer",
            Valuation::RawAction => "valuing the raw advised action",
        };
        let radius = match record.evidence.radius().finite() {
            Some(radius) => format!("{radius:.6}"),
            None => "infinite (nothing is calibrated, so it stays silent)".into(),
        };
        words.push(format!("estimated value of the query {:.6}, {valued}", record.estimate));
        words.push(format!("minus the radius {radius}"));
    }
    if let Some(reuse_value) = record.reuse_value {
        words.push(format!(
            "estimated value of the query {:.6}, and {reuse_value:.6} at each later use",
            record.estimate
        ));
        words.push(format!("expected to serve in {:.2} episodes, this one included", record.evidence.expected_uses()));
    }
    if let Some(forecast) = record.evidence.forecast() {
        let (value, error) = (forecast.value(), forecast.error());
        words.push(format!("learned value of the query {value:.6}, standard error {error:.6}"));
    }
    if let Some(bankroll) = record.bankroll {
        words.push(format!("advice may still lose {bankroll:.6}"));
    }
    words.push(format!("score {:.6}, threshold {:.6}", record.score, record.threshold));
    words.push(format!(
        "paced price {:.6} = pacing {:.6} × price {:.6}",
        record.paced_price,
        record.pacing,
        record.evidence.price()
    ));
    words
}

fn hindsight_words(decision: &Decision, manifest: &Manifest) -> Vec<String> {
    let hindsight = &decision.hindsight;
    let mut words = Vec::new();
    if let Some(right) = hindsight.right {
        words.push(format!("in hindsight the best action was {}", word(manifest, right)));
    }
    if let Some(value) = hindsight.exact_value {
        words.push(format!(
            "in hindsight the query was worth {value:.6}, against a price of {:.6}",
            decision.record.paced_price
        ));
    }
    if let Some(gap) = hindsight.executed_gap {
        words.push(format!("in hindsight the executed action gave up {gap:.6}"));
    }
    words
}

fn cache_words(record: &Record, manifest: &Manifest) -> String {
    let cached = record.cached.map_or_else(String::new, |action| word(manifest, action));
    if let Some(foretold) = record.evidence.foretold().filter(|_| record.cache_status != CacheStatus::Reused) {
        let grounds = format!(
            "the answer {cached} is foretold by {} heard where it looks alike, reliable by {:.1} %",
            foretold.sources(),
            foretold.reliability() * 100.0
        );
        return match record.cache_status {
            CacheStatus::Foretold => format!("{grounds}; it is certified and no worse than the fallback"),
            status => format!("{grounds}; it does not act: {}", to_variant_name(&status).unwrap_or_default()),
        };
    }
    match record.cache_status {
        CacheStatus::Off => "answers are not kept".into(),
        CacheStatus::Absent => "no answer is kept for this context".into(),
        CacheStatus::Superseded => format!("the kept answer {cached} came from another advisor and was dropped"),
        CacheStatus::Expired => format!("the kept answer {cached} was too old and was dropped"),
        CacheStatus::Shifted => format!("the kept answer {cached} was dropped because a shift was detected"),
        CacheStatus::Unsupported => format!("the kept answer {cached} is not used outside the calibrated support"),
        CacheStatus::NoEffect => format!("the kept answer {cached} lapses for now: it leads nowhere in this episode"),
        CacheStatus::Distrusted => format!("the kept answer {cached} is not used: advice has used up its bankroll"),
        CacheStatus::PassedOver => format!("the kept answer {cached} is passed over: the agent leads"),
        CacheStatus::Uncertified => format!("the kept answer {cached} is not certified now"),
        CacheStatus::NotImproving => format!("the kept answer {cached} is worse than the fallback"),
        CacheStatus::Reused | CacheStatus::Foretold => {
            format!("the kept answer {cached} is certified and no worse than the fallback")
        }
    }
}

pub(crate) fn verdict_words(verdict: Verdict, manifest: &Manifest) -> String {
    match (verdict, manifest.settings.execution) {
        (Verdict::Executed, Execution::Certified { .. }) => "is certified, no worse than the fallback, and acts".into(),
        (Verdict::Executed, _) => "acts".into(),
        (Verdict::Unusable, _) => "names no admissible action".into(),
        (Verdict::Uncertified, Execution::Certified { tolerance }) => {
            format!("is rejected: its lower bound is more than {tolerance} below the best upper bound")
        }
        (Verdict::Uncertified, Execution::Screened { threshold: Some(threshold), .. }) => {
            format!(
                "is rejected: its lead over the other actions is not above {threshold:.6}, as few wrong answers' are"
            )
        }
        (Verdict::Uncertified, Execution::Screened { threshold: None, .. }) => {
            "is rejected: too few wrong answers were met to screen by, so nothing passes".into()
        }
        (Verdict::Uncertified, _) => "is rejected by the certificate".into(),
        (Verdict::NotImproving, _) => "is rejected: the fallback's own action is valued higher".into(),
        (Verdict::TooUncertain, _) => "is rejected: the state's variance is too high".into(),
        (Verdict::Impossible, _) => "is ignored: no believed model could have given it".into(),
    }
}

pub(crate) fn word(manifest: &Manifest, action: Action) -> String {
    manifest.words.get(action.index()).map_or_else(|| action.to_string(), Clone::clone)
}
