//! One page about a table: the answer, then what each policy would have returned and cost, how many labels that takes, which groups
//! are worth it, and how far the expected gain can be trusted.

use counsel_report::{Column, Entry, Rank, Table};
use counsel_stats::Interval;

use super::judge::{Judge, Outcome};
use super::labels::{Labelled, labelled};
use super::priced::{AtPrices, Band, Priced, at_prices};
use super::stream::{Streamed, stream};
use super::table::{Basis, RouteTable};
use super::verdict;
use super::weigh::{RouteSettings, Weighed, weigh};
use crate::Error;
use crate::off_policy::interval;

/// The report on a table of outcomes.
#[derive(Debug, Clone)]
pub struct RouteReport {
    /// Prices, advisors, labels, groups and trust; budgets and the cascade where all outcomes are there.
    pub tables: Vec<Table>,
    /// The answer in a few sentences.
    pub verdict: String,
    /// All that was found at prices.
    pub prices: AtPrices,
    /// What each number of labels is good for.
    pub labels: Vec<Labelled>,
}

/// Plays and judges every policy on the table and reports.
pub fn route_report(table: &RouteTable, settings: &RouteSettings) -> Result<RouteReport, Error> {
    settings.check()?;
    let prices = at_prices(table, settings)?;
    let labels = if prices.refused.is_none() { labelled(table, settings, settings.price())? } else { Vec::new() };
    let mut verdict = verdict::at_price(table, &prices, settings.price(), &labels);
    let mut tables = vec![frontier(table, &prices)?, advisors(table)?];
    if !labels.is_empty() {
        tables.push(learning(&labels, settings)?);
    }
    if !table.groups.is_empty() {
        tables.push(groups(table, settings)?);
    }
    if !prices.bands.is_empty() {
        tables.push(trust(table, &prices.bands, prices.radius)?);
    }
    if table.basis == Basis::Observed {
        let weighed = weigh(table, settings)?;
        verdict = format!("{verdict} {}", verdict::at_budgets(&weighed));
        tables.push(budgets(table, settings, &weighed)?);
        let streamed = stream(table, settings)?;
        if !streamed.is_empty() {
            tables.push(cascade(table, &streamed)?);
        }
    }
    Ok(RouteReport { tables, verdict, prices, labels })
}

fn entry(interval: &Interval, decimals: usize) -> Entry {
    Entry::interval(interval.estimate, interval.half_width, decimals)
}

/// Price against quality, policy by policy.
fn frontier(table: &RouteTable, at: &AtPrices) -> Result<Table, Error> {
    let columns = [
        Column::left("price"),
        Column::left("policy"),
        Column::right("asked").ranked(Rank::Next),
        Column::right("cost").ranked(Rank::Next),
        Column::right("reward").ranked(Rank::Main),
        Column::right("net").ranked(Rank::Main),
        Column::right("over never and always").ranked(Rank::Next),
    ];
    let strong = &table.advisors[table.dearest()];
    let mut told = Table::new("prices", format!("Price against quality: what an answer of {strong} may cost"), columns);
    for Priced { price, policy, asked, money, quality, net, over, refused } in &at.policies {
        let head = [Entry::number(*price, 3), Entry::text(policy), Entry::number(*asked, 3)];
        let numbers = if refused.is_some() || at.refused.is_some() {
            [(); 4].map(|()| Entry::not_applicable())
        } else {
            [entry(money, 6), entry(quality, 4), entry(net, 4), entry(over, 4)]
        };
        told.push(head.into_iter().chain(numbers).collect::<Vec<_>>())?;
    }
    told.caption = format!("It rests on {}.", verdict::basis(table));
    told.notes = vec![
        "a price is in units of reward; other advisors are charged by their share of the extra cost; `net` is the reward less the price".into(),
        "a third of the rows teaches, a third calibrates, and a third is judged, in turn; intervals are over requests".into(),
        "`a coin at that cost` is the best mixture of advisors that costs what the expected gain costs: a saving that it makes too is none of a look".into(),
    ];
    told.notes.extend(at.refused.clone());
    Ok(told)
}

fn advisors(table: &RouteTable) -> Result<Table, Error> {
    let columns = [
        Column::left("advisor"),
        Column::right("outcomes"),
        Column::right("reward").ranked(Rank::Main),
        Column::right("cost").ranked(Rank::Main),
    ];
    let title = if table.basis == Basis::Observed { "Each advisor alone" } else { "What is known of each advisor" };
    let mut told = Table::new("advisors", title, columns);
    let (rewards, costs) = table.means();
    for (advisor, name) in table.advisors.iter().enumerate() {
        told.push([
            Entry::text(name),
            Entry::count(table.known(advisor).count() as u64),
            Entry::number(rewards[advisor], 4),
            Entry::number(costs[advisor], 6),
        ])?;
    }
    told.caption = format!("{} requests; {} without all outcomes are left out.", table.rows.len(), table.left_out);
    if table.basis != Basis::Observed {
        told.notes =
            vec!["means of the outcomes that are known, as they stand; what each would bring alone is above".into()];
    }
    Ok(told)
}

/// What labels are good for.
fn learning(labels: &[Labelled], settings: &RouteSettings) -> Result<Table, Error> {
    let columns = [
        Column::right("labels"),
        Column::right("net").ranked(Rank::Main),
        Column::right("over never and always").ranked(Rank::Main),
    ];
    let mut told =
        Table::new("labels", format!("How many labels it takes, at a price of {}", settings.price()), columns);
    for Labelled { labels, net, over } in labels {
        told.push([Entry::count(*labels as u64), entry(net, 4), entry(over, 4)])?;
    }
    told.caption = format!(
        "A label is a request whose outcomes are learned; a third of the requests, drawn {} times, is judged. The better of never and always asking is that of hindsight.",
        settings.orders
    );
    told.notes = vec!["intervals are over draws of these requests and do not cover the choice of requests".into()];
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
    let mut told =
        Table::new("budgets", "What each policy would have returned at a budget, request by request", columns);
    for Weighed { budget, policy, reward, cost, worst } in weighed {
        let reward = if *policy == "hull" { Entry::number(reward.estimate, 4) } else { entry(reward, 4) };
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
fn groups(table: &RouteTable, settings: &RouteSettings) -> Result<Table, Error> {
    let dearest = table.dearest();
    let columns = [
        Column::left("group"),
        Column::right("requests"),
        Column::right("gain").ranked(Rank::Main),
        Column::left("worth it").ranked(Rank::Main),
        Column::right("extra cost").ranked(Rank::Next),
        Column::right("gain per unit of cost").ranked(Rank::Next),
    ];
    let title = format!("Where {} is worth it: its gain over {}", table.advisors[dearest], table.advisors[0]);
    let mut told = Table::new("groups", title, columns);
    let (rewards, costs) = table.means();
    let expected = vec![rewards; table.rows.len()];
    let judge = Judge::new(table, &expected);
    let extra = costs[dearest] - costs[0];
    let (mut found, mut silent) = (Vec::new(), 0);
    for (group, name) in table.groups.iter().enumerate() {
        let rows: Vec<usize> =
            (0..table.rows.len()).filter(|row| table.rows[*row].request.group == Some(group)).collect();
        if rows.len() < 2 {
            continue;
        }
        let choices = |advisor: usize| vec![advisor; rows.len()];
        if judge.refuses(&rows, &choices(dearest))?.or(judge.refuses(&rows, &choices(0))?).is_some() {
            silent += 1;
            continue;
        }
        let of = |advisor: usize| judge.each(&rows, &choices(advisor), Outcome::Reward);
        let gains: Vec<f64> = of(dearest).iter().zip(of(0)).map(|(strong, hand)| strong - hand).collect();
        found.push((name, rows.len(), interval(&gains)?));
    }
    found.sort_by(|one, other| other.2.estimate.total_cmp(&one.2.estimate));
    for (name, rows, gain) in found {
        let per = if extra > 0.0 { Entry::number(gain.estimate / extra, 2) } else { Entry::not_applicable() };
        let worth = match settings.price() {
            price if gain.low > price => "yes",
            price if gain.high < price => "no",
            _ => "cannot be told",
        };
        told.push([
            Entry::text(name),
            Entry::count(rows as u64),
            entry(&gain, 4),
            Entry::text(worth),
            Entry::number(extra, 6),
            per,
        ])?;
    }
    told.caption = format!("`worth it`: whether the gain of a request exceeds a price of {}.", settings.price());
    if silent > 0 {
        told.notes = vec![format!("{silent} groups have too few outcomes for a number")];
    }
    Ok(told)
}

/// How far the expected gain can be trusted.
fn trust(table: &RouteTable, bands: &[Band], radius: f64) -> Result<Table, Error> {
    let columns = [
        Column::right("requests"),
        Column::right("expected gain").ranked(Rank::Main),
        Column::right("observed gain").ranked(Rank::Main),
        Column::right("missed by").ranked(Rank::Main),
    ];
    let strong = &table.advisors[table.dearest()];
    let mut told = Table::new("trust", format!("How far the expected gain of {strong} can be trusted"), columns);
    for Band { requests, expected, observed } in bands {
        told.push([
            Entry::count(*requests as u64),
            Entry::number(*expected, 4),
            entry(observed, 4),
            Entry::number((observed.estimate - expected).abs(), 4),
        ])?;
    }
    told.caption = if radius.is_finite() {
        format!("The radius is {radius:.4}: in nine of ten bands the observed gain misses the expected one by no more.")
    } else {
        "There are too few requests for a radius.".into()
    };
    told.notes = vec!["bands of like requests, by the expected gain; no request taught the book that judges it; the radius holds the noise of a band as well".into()];
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
            entry(&one.net, 4),
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
