//! One page about a table: what each policy would have returned, how many labels the router took, and which groups are worth it.

use counsel_report::{Column, Entry, Rank, Table};
use counsel_stats::mean_interval;

use super::stream::{Streamed, stream};
use super::table::RouteTable;
use super::weigh::{RouteSettings, Weighed, weigh};
use crate::Error;

/// The report on a table of outcomes.
#[derive(Debug, Clone)]
pub struct RouteReport {
    /// Advisors, policies by budget, and groups.
    pub tables: Vec<Table>,
    /// The answer in one sentence.
    pub verdict: String,
}

/// Plays every policy on the table and reports.
pub fn route_report(table: &RouteTable, settings: &RouteSettings) -> Result<RouteReport, Error> {
    let weighed = weigh(table, settings)?;
    let mut tables = vec![advisors(table)?, budgets(table, settings, &weighed)?];
    if !table.groups.is_empty() {
        tables.push(groups(table)?);
    }
    let streamed = stream(table, settings)?;
    if !streamed.is_empty() {
        tables.push(cascade(table, &streamed)?);
    }
    Ok(RouteReport { tables, verdict: verdict(&weighed) })
}

fn advisors(table: &RouteTable) -> Result<Table, Error> {
    let columns =
        [Column::left("advisor"), Column::right("reward").ranked(Rank::Main), Column::right("cost").ranked(Rank::Main)];
    let mut told = Table::new("advisors", "Each advisor alone", columns);
    let (rewards, costs) = table.means();
    for (advisor, name) in table.advisors.iter().enumerate() {
        told.push([Entry::text(name), Entry::number(rewards[advisor], 4), Entry::number(costs[advisor], 6)])?;
    }
    told.caption = format!(
        "{} requests with all outcomes; {} without one of them are left out.",
        table.rows.len(),
        table.left_out
    );
    Ok(told)
}

fn budgets(table: &RouteTable, settings: &RouteSettings, weighed: &[Weighed]) -> Result<Table, Error> {
    let columns = [
        Column::left("budget"),
        Column::left("policy"),
        Column::right("reward").ranked(Rank::Main),
        Column::right("cost").ranked(Rank::Next),
        Column::right("most over budget").ranked(Rank::Next),
    ];
    let mut told = Table::new("budgets", "What each policy would have returned", columns);
    for Weighed { budget, policy, reward, cost, worst } in weighed {
        let half = reward.half_width;
        let reward = if *policy == "hull" {
            Entry::number(reward.estimate, 4)
        } else {
            Entry::interval(reward.estimate, half, 4)
        };
        told.push([
            Entry::number(*budget, 6),
            Entry::text(*policy),
            reward,
            Entry::number(*cost, 6),
            Entry::number(*worst, 3),
        ])?;
    }
    told.caption = format!(
        "The second half of the rows in {} orders; the {} rows before it are the labels that were learned from, of the chosen answers only.",
        settings.orders,
        table.rows.len() / 2
    );
    told.notes = vec![
        "`hull` is the best mixture of advisors that looks at no request, in hindsight, over all rows: a saving that it makes too is none of a router".into(),
        "`group means` and `router` have the same pacer and ledger; the second also reads words, where there is a text".into(),
        "`most over budget` is the largest mean cost of an order as a share of the budget; intervals are over orders of these rows and do not cover the choice of rows".into(),
    ];
    Ok(told)
}

/// The gain of the dearest advisor over the first one, group by group.
fn groups(table: &RouteTable) -> Result<Table, Error> {
    let (_, costs) = table.means();
    let dearest =
        (0..costs.len()).reduce(|best, next| if costs[next] > costs[best] { next } else { best }).unwrap_or(0);
    let columns = [
        Column::left("group"),
        Column::right("requests"),
        Column::right("gain").ranked(Rank::Main),
        Column::right("extra cost").ranked(Rank::Main),
        Column::right("gain per unit of cost").ranked(Rank::Next),
    ];
    let title = format!("Where {} is worth it: its gain over {}", table.advisors[dearest], table.advisors[0]);
    let mut told = Table::new("groups", title, columns);
    let mut found = Vec::new();
    for (group, name) in table.groups.iter().enumerate() {
        let rows: Vec<_> = table.rows.iter().filter(|row| row.0.group == Some(group)).collect();
        if rows.len() < 2 {
            continue;
        }
        let gains: Vec<f64> = rows.iter().map(|row| row.1[dearest] - row.1[0]).collect();
        let extra = rows.iter().map(|row| row.2[dearest] - row.2[0]).sum::<f64>() / rows.len() as f64;
        if let Some(gain) = mean_interval(&gains, 0.95)? {
            found.push((name, rows.len(), gain, extra));
        }
    }
    found.sort_by(|one, other| other.2.estimate.total_cmp(&one.2.estimate));
    for (name, rows, gain, extra) in found {
        let per = if extra > 0.0 { Entry::number(gain.estimate / extra, 2) } else { Entry::not_applicable() };
        let half = gain.half_width;
        told.push([
            Entry::text(name),
            Entry::count(rows as u64),
            Entry::interval(gain.estimate, half, 4),
            Entry::number(extra, 6),
            per,
        ])?;
    }
    Ok(told)
}

/// A cascade at each price.
fn cascade(table: &RouteTable, streamed: &[Streamed]) -> Result<Table, Error> {
    let columns = [
        Column::left("price"),
        Column::right("never").ranked(Rank::Main),
        Column::right("always").ranked(Rank::Main),
        Column::right("cascade").ranked(Rank::Main),
        Column::right("asked").ranked(Rank::Next),
        Column::right("largest loss").ranked(Rank::Next),
        Column::right("its bound").ranked(Rank::Next),
    ];
    let title = format!("A cascade from {} to {}: net reward at a price", table.advisors[0], table.advisors[1]);
    let mut told = Table::new("cascade", title, columns);
    for one in streamed {
        told.push([
            Entry::number(one.price, 3),
            Entry::number(one.fixed[0], 4),
            Entry::number(one.fixed[1], 4),
            Entry::interval(one.net.estimate, one.net.half_width, 4),
            Entry::number(one.asked, 3),
            Entry::number(one.worst_loss, 4),
            Entry::number(one.bound, 4),
        ])?;
    }
    told.caption =
        "It begins without knowledge, meets all rows in each order, and hears of the executed answer alone.".into();
    told.notes = vec![
        "`largest loss` is that of one order against never asking, per request; below zero where every order gained"
            .into(),
        "`its bound` is what the settings allow as booked loss per request over this many rows".into(),
    ];
    Ok(told)
}

fn verdict(weighed: &[Weighed]) -> String {
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
