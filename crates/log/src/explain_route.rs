//! Why one advisor answered, in words and numbers.

use std::fmt::Write;

use crate::{Decision, Manifest, Routed};

fn name(manifest: &Manifest, advisor: usize) -> String {
    manifest.words.get(advisor).map_or_else(|| advisor.to_string(), Clone::clone)
}

/// Who answered, in one sentence.
pub(crate) fn route_in_short(manifest: &Manifest, route: &Routed) -> String {
    let chosen = usize::try_from(route.chosen).unwrap_or(usize::MAX);
    let probability = route.probabilities.get(chosen).copied().unwrap_or_default();
    format!("{} answered; its probability was {probability:.3}", name(manifest, chosen))
}

/// A text that explains a route to a person.
pub(crate) fn explain_route(manifest: &Manifest, decision: &Decision, route: &Routed) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        let _ = writeln!(text, "{words}");
    };
    line(format!(
        "{} · step {} (request {})",
        manifest.key,
        decision.record.step,
        decision.record.evidence.context().0
    ));
    line(String::new());
    line(format!("In short: {}", route_in_short(manifest, route)));
    line(String::new());
    line("What was known of the request".into());
    let group = route.group.map_or_else(|| "no group".into(), |group| format!("group {group}"));
    line(format!("  {group}, {} numbers, {} distinct words", route.numbers.len(), route.words.len() / 2));
    if !route.counted {
        line("  it is there to learn from and does not count in the results".into());
    }
    line(String::new());
    line("What was expected".into());
    let names: Vec<String> = (0..route.rewards.len()).map(|advisor| name(manifest, advisor)).collect();
    let width = names.iter().map(|name| name.chars().count()).chain([7]).max().unwrap_or_default();
    line(format!("  {:<width$}   reward   in hope        cost   reward less its price   probability", "advisor"));
    for (advisor, name) in names.iter().enumerate() {
        let less = route.rewards[advisor] - route.money * route.costs[advisor];
        let model = route.experts.get(advisor).map_or_else(String::new, |expert| format!(" by `{expert}`"));
        let allowed = if route.allowed[advisor] == 1 { "" } else { ", does not fit the budget" };
        line(format!(
            "  {name:<width$} {:>8.4}  {:>8.4}  {:>10.3e}   {less:>21.4}   {:>11.3}{model}{allowed}",
            route.rewards[advisor], route.hopes[advisor], route.costs[advisor], route.probabilities[advisor]
        ));
    }
    line(format!("  a unit of cost is worth {:.6} of reward", route.money));
    if let Some(account) = route.account {
        line(format!("  what asking or exploring may still lose: {account:.6}"));
    }
    if route.asked.is_empty() {
        line(format!("  the number that decided: {:.6}", route.uniform));
    } else {
        let asked = route.asked.iter().filter_map(|place| usize::try_from(*place).ok());
        let asked: Vec<String> = asked.map(|advisor| name(manifest, advisor)).collect();
        line(format!("  asked in this order: {}", asked.join(", ")));
    }
    line(String::new());
    line("What happened".into());
    let chosen = usize::try_from(route.chosen).unwrap_or(usize::MAX);
    line(format!(
        "  {} answered for {:e} and brought {}",
        name(manifest, chosen),
        route.cost,
        decision.hindsight.reward
    ));
    match (route.learned, route.learned_at) {
        (Some(learned), Some(at)) => line(format!("  the reward {learned} was learned before step {at}")),
        _ => line("  no reward was learned".into()),
    }
    let others = names.iter().zip(&route.advisor_rewards).zip(&route.advisor_costs);
    for ((name, reward), cost) in others {
        line(format!("  in hindsight {name} brought {reward} for {cost:e}"));
    }
    text
}
