//! What the state says of itself: policies, budgets, decisions, advisors, and counts for Prometheus.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::amount::Usd;
use crate::budget::NodeId;
use crate::core::Handled;
use crate::declaring::told;
use crate::openapi::document;
use crate::problem::{Kind, Problem};
use crate::route::Action;
use crate::state::State;
use crate::time::timestamp;
use crate::{Request, Response};

/// A report that needs no log.
pub(crate) fn report(
    state: &State,
    action: Action,
    name: &str,
    request: &Request,
    replays: u64,
) -> Result<Response, Problem> {
    match action {
        Action::GetPolicy => policy(state, name),
        Action::GetBudget => budget(state, name, request),
        Action::GetDecision => decision(state, name),
        Action::Advisor => advisor(state, name),
        Action::Metrics => Ok(Response::text(200, metrics(state, replays))),
        Action::Health => {
            Ok(Response::json(200, json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }).to_string()))
        }
        Action::OpenApi => Ok(Response::json(200, document().to_string())),
        _ => Err(Problem::new(Kind::Fault, "this request changes something; it is no report")),
    }
}

/// The version of a policy that is in force.
pub(crate) fn policy(state: &State, name: &str) -> Result<Response, Problem> {
    let unknown =
        || Problem::new(Kind::Unknown, "there is no policy of this name; declare it by PUT /v1/policies/NAME");
    state.policies.get(name).map(|policy| Response::json(200, told(name, policy))).ok_or_else(unknown)
}

fn budget(state: &State, name: &str, request: &Request) -> Result<Response, Problem> {
    let [run, episode, child] = ["run", "episode", "child"].map(|part| request.parameter(part));
    let policy = name.to_owned();
    let id = match (run, episode, child) {
        (None, None, None) => NodeId::Named(policy),
        (run, Some(episode), Some(child)) => NodeId::Child(policy, run.unwrap_or_default(), episode, child),
        (run, Some(episode), None) => NodeId::Episode(policy, run.unwrap_or_default(), episode),
        (run, None, _) => NodeId::Run(policy, run.unwrap_or_default()),
    };
    let unknown = || Problem::new(Kind::Unknown, "there is no budget of this name, or nothing was decided under it");
    let node = state.budgets.get(&id).ok_or_else(unknown)?;
    Ok(Response::json(200, node.told(name).to_string()))
}

fn number(name: &str) -> u64 {
    name.strip_prefix('d').and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

fn decision(state: &State, name: &str) -> Result<Response, Problem> {
    let number = number(name);
    let decision = state.known(number)?;
    let episode = (!decision.episode.episode.starts_with('\u{0}')).then_some(&decision.episode.episode);
    let open = decision
        .question
        .as_ref()
        .map(|open| json!({ "id": format!("p{}", open.permit), "expires_at": timestamp(open.expires_at) }));
    let settled: Vec<Value> =
        decision.settled.iter().filter_map(|settled| serde_json::from_str(&settled.answer.body).ok()).collect();
    let told = json!({
        "decision": format!("d{number}"), "policy": { "name": decision.policy, "digest": decision.digest },
        "at": timestamp(decision.at), "run": decision.episode.run, "episode": episode, "child": decision.episode.child,
        "verdict": decision.verdict, "action": decision.action, "open": open, "settled": settled,
        "reward": decision.reward, "revisions": decision.revisions,
        "log": { "cell": format!("serve/{}/0", decision.arm), "step": decision.step },
    });
    Ok(Response::json(200, told.to_string()))
}

/// The row of the log that explains a decision.
pub(crate) fn explained(state: &State, number: u64) -> Result<Handled, Problem> {
    let decision = state.known(number)?;
    let Some(step) = decision.step else {
        return Err(Problem::new(Kind::Open, "the decision waits for its reply; it is explained once it is complete"));
    };
    Ok(Handled { explain: Some((decision.arm.clone(), step)), ..Response::text(200, Vec::new()).into() })
}

fn advisor(state: &State, name: &str) -> Result<Response, Problem> {
    let unknown = || Problem::new(Kind::Unknown, "no advisor of this name was asked");
    let record = state.advisors.get(name).ok_or_else(unknown)?;
    let told = json!({
        "advisor": name, "asked": record.asked, "open": record.asked - record.answered - record.lost, "answered": record.answered,
        "lost": record.lost, "followed": record.followed, "tokens": record.spent.tokens, "usd": Usd(record.spent.usd).number(),
    });
    Ok(Response::json(200, told.to_string()))
}

/// A label's value, as the text format wants it. Names were checked, and hold no line ends.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Counts in the text format of Prometheus.
fn metrics(state: &State, replays: u64) -> String {
    let mut text = String::new();
    let head = |text: &mut String, name: &str, kind: &str, help: &str| {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    };
    head(&mut text, "counsel_verdicts_total", "counter", "Verdicts of decisions and resumes.");
    for ((policy, verdict, reason), count) in &state.counts {
        let _ = writeln!(
            text,
            "counsel_verdicts_total{{policy=\"{}\",verdict=\"{verdict}\",reason=\"{reason}\"}} {count}",
            label(policy)
        );
    }
    head(&mut text, "counsel_replays_total", "counter", "Requests that were answered by an earlier answer.");
    let _ = writeln!(text, "counsel_replays_total {replays}");
    for (what, help) in
        [("limit", "What may be spent."), ("spent", "What is spent."), ("open", "What open permits hold.")]
    {
        let name = format!("counsel_budget_{what}");
        head(&mut text, &name, "gauge", help);
        for (budget, node) in state.budgets.all_named() {
            let amounts = match what {
                "limit" => [
                    node.limits.calls.map(|calls| calls.to_string()),
                    node.limits.tokens.map(|tokens| tokens.to_string()),
                    node.limits.usd.map(|usd| usd.0.to_string()),
                ],
                _ => {
                    let amount = if what == "spent" { node.spent } else { node.open };
                    [amount.calls.to_string(), amount.tokens.to_string(), amount.usd.to_string()].map(Some)
                }
            };
            for (unit, amount) in ["calls", "tokens", "usd"].into_iter().zip(amounts) {
                if let Some(amount) = amount {
                    let _ = writeln!(text, "{name}{{budget=\"{}\",unit=\"{unit}\"}} {amount}", label(budget));
                }
            }
        }
    }
    for (what, help) in [
        ("asked", "Questions asked."),
        ("answered", "Replies."),
        ("lost", "Questions without a reply."),
        ("followed", "Replies that acted."),
    ] {
        let name = format!("counsel_advisor_{what}_total");
        head(&mut text, &name, "counter", help);
        for (advisor, record) in &state.advisors {
            let count = match what {
                "asked" => record.asked,
                "answered" => record.answered,
                "lost" => record.lost,
                _ => record.followed,
            };
            let _ = writeln!(text, "{name}{{advisor=\"{}\"}} {count}", label(advisor));
        }
    }
    head(&mut text, "counsel_episodes", "gauge", "Episodes that run.");
    let _ = writeln!(text, "counsel_episodes {}", state.episodes.len());
    head(&mut text, "counsel_permits_open", "gauge", "Questions that wait for their reply.");
    let open: usize = state.episodes.values().map(|episode| episode.open.len()).sum();
    let _ = writeln!(text, "counsel_permits_open {open}");
    text
}
