//! The answer first: what asking costs and brings at one price, and what that rests on.

use counsel_stats::Interval;

use super::labels::{Labelled, enough};
use super::priced::{AtPrices, GAIN, Priced};
use super::table::{Basis, RouteTable};
use super::weigh::Weighed;

/// What a number rests on, in words.
pub(super) fn basis(table: &RouteTable) -> String {
    let rows = table.rows.len();
    let known = table.rows.iter().filter(|row| row.rewards.iter().any(Option::is_some)).count();
    match table.basis {
        Basis::Observed => format!("the outcomes of all advisors in all of {rows} requests"),
        Basis::Weighed => {
            format!(
                "the outcomes of all advisors in {known} of {rows} requests, weighed by the probability that they became known"
            )
        }
        Basis::OffPolicy => {
            format!(
                "the outcomes of {known} of {rows} choices, weighed by the probability of the choice and of its outcome"
            )
        }
    }
}

/// The answer at the price of the verdict.
pub(super) fn at_price(table: &RouteTable, at: &AtPrices, price: f64, labelled: &[Labelled]) -> String {
    let rests = basis(table);
    if let Some(refused) = &at.refused {
        return format!("At a price of {price}: {refused}. The log rests on {rests}.");
    }
    let here = |policy: &str| at.policies.iter().find(|one| one.price == price && one.policy == policy);
    let Some(gain) = here(GAIN) else { return String::new() };
    let Priced { asked, money, quality, net, over, .. } = gain;
    let strong = &table.advisors[table.dearest()];
    let simple = if over.low > 0.0 {
        format!("that is {} more than the better of never and always asking: a look at requests pays", plus(over))
    } else if over.high < 0.0 {
        format!(
            "that is {} less than the better of never and always asking: do not look, do that",
            plus(&negated(over))
        )
    } else {
        format!("whether that is more than the better of never and always asking cannot be told ({})", plus(over))
    };
    let labels = match enough(labelled) {
        Some(count) if over.low > 0.0 => format!(" It takes about {count} labels."),
        _ => String::new(),
    };
    format!(
        "At a price of {price} for an answer of {strong}, asking where the expected gain is higher asks at {:.1} % of the requests, costs {} and brings {} a request, {} after the price; {simple}. \
         This rests on {rests}.{labels}",
        asked * 100.0,
        of(money, 6),
        of(quality, 4),
        of(net, 4)
    )
}

/// The answer at budgets, where all outcomes are there.
pub(super) fn at_budgets(weighed: &[Weighed]) -> String {
    let hulls: Vec<&Weighed> = weighed.iter().filter(|one| one.policy == "hull").collect();
    let better = |policy: &str| {
        let of = weighed.iter().filter(|one| one.policy == policy);
        of.zip(&hulls).filter(|(one, hull)| one.reward.low > hull.reward.estimate).count()
    };
    let (router, groups) = (better("router"), better("group means"));
    let has_groups = weighed.iter().any(|one| one.policy == "group means");
    let beside = if has_groups { format!("; group means alone at {groups}") } else { String::new() };
    let advice = if router == 0 && groups == 0 {
        " It is not shown that a look at requests pays here; a mixture at random is the simpler choice."
    } else {
        ""
    };
    format!(
        "The router returns more than the best mixture without a look at requests at {router} of {} budgets{beside}.{advice}",
        hulls.len()
    )
}

fn of(interval: &Interval, decimals: usize) -> String {
    format!("{:.decimals$} ± {:.decimals$}", interval.estimate, interval.half_width)
}

fn plus(interval: &Interval) -> String {
    of(interval, 4)
}

fn negated(interval: &Interval) -> Interval {
    let Interval { estimate, low, high, .. } = *interval;
    Interval { estimate: -estimate, low: -high, high: -low, ..*interval }
}
