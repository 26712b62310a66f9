//! The four tiers as tables, each by itself, with what each rests on.

use counsel_report::{Column, Entry, Figure, FigureKind, Point, Rank, Series, Table};
use counsel_stats::{Interval, reliability};

use crate::advise::advise;
use crate::modelled::Borne;
use crate::off_policy::{Estimates, Limits, off_policy};
use crate::policy::{Policies, Policy, policies};
use crate::{Error, Exact, Followed, LogLevel, Modelled, ShadowLog, ShadowSettings, Shadowed, follow};

/// The report on a log.
#[derive(Debug, Clone)]
pub struct ShadowReport {
    /// The log, and the four tiers.
    pub tables: Vec<Table>,
    /// How far the log bears out the answers that it expects.
    pub figures: Vec<Figure>,
    /// What to log next.
    pub next: Vec<String>,
}

/// A policy and what it would do.
struct Case {
    shadowed: Shadowed,
    followed: Followed,
}

/// Follows every policy of the plan and reports the four tiers.
pub fn report(log: &ShadowLog, plan: &ShadowSettings) -> Result<ShadowReport, Error> {
    let policies = policies(log, plan)?;
    let cases: Vec<Case> = policies
        .all
        .iter()
        .map(|shadowed| Ok(Case { shadowed: shadowed.clone(), followed: follow(log, shadowed)? }))
        .collect::<Result<_, Error>>()?;
    let from = policies.calibration_episodes;
    let (modelled, figures) = modelled(log, &cases, from)?;
    let tables = vec![
        about(log, &policies)?,
        exact(log, &cases, from)?,
        bounds(log, &cases, from)?,
        modelled,
        weighted(log, &cases, from)?,
    ];
    Ok(ShadowReport { tables, figures, next: advise(log) })
}

/// Whether there are enough episodes for more than counts.
fn enough(log: &ShadowLog, from: usize) -> Result<(), String> {
    let count = log.episodes.len() - from;
    if count >= Limits::EPISODES {
        return Ok(());
    }
    Err(format!("No number: {count} episodes are evaluated, and below {} only counts are given.", Limits::EPISODES))
}

fn about(log: &ShadowLog, policies: &Policies) -> Result<Table, Error> {
    let mut table = Table::new("log", "The log", [Column::left("what"), Column::right("count")]);
    let from = policies.calibration_episodes;
    let first = log.episodes.get(from).map_or(log.rows(), |episode| episode.rows.start);
    let finished = log.episodes.last().map_or(0, |episode| episode.rows.end);
    let calls = |rows: std::ops::Range<usize>| log.asked[rows].iter().filter(|asked| **asked).count() as u64;
    let idle = (0..finished).filter(|&row| log.asked[row] && log.executed[row] == log.base[row]).count() as u64;
    let mut row = |what: &str, entry: Entry| table.push([Entry::text(what), entry]);
    row("episodes", Entry::count(log.episodes.len() as u64))?;
    row("decisions", Entry::count(finished as u64))?;
    row("calls", Entry::count(calls(0..finished)))?;
    row("calls that changed no action", Entry::fraction(idle, calls(0..finished)))?;
    row("episodes kept for calibration", Entry::count(from as u64))?;
    row("calls in them, all of which count as made", Entry::count(calls(0..first)))?;
    row("decisions of an unfinished episode, left out", Entry::count(log.unfinished as u64))?;
    table.caption = format!("{}.", log.level());
    if log.level() > LogLevel::Done && !log.is_own() {
        let radius = policies.all.last().map_or(f64::INFINITY, |shadowed| shadowed.radius.value());
        table.notes.push(if radius.is_finite() {
            format!(
                "The gate's radius is {radius:.6}: how far the estimate of a call lay from what its answer was worth by the log's own values, in {} \
                 calls of the episodes kept for calibration. It covers the prediction of answers, not errors of the values, and no outcome enters it.",
                policies.scores
            )
        } else {
            format!(
                "The gate is silent: {} calls in the episodes kept for calibration are too few for a radius.",
                policies.scores
            )
        });
    }
    Ok(table)
}

fn exact(log: &ShadowLog, cases: &[Case], from: usize) -> Result<Table, Error> {
    let columns = [
        Column::left("policy"),
        Column::right("episodes followed to the end"),
        Column::right("decisions followed"),
        Column::right("calls of the log in them"),
        Column::right("calls of the policy in them"),
        Column::right("left out, in hindsight"),
    ];
    let mut table = Table::new("exact", "Tier 1, exact: until the policy first does something else", columns);
    if !log.header.answers_act_only {
        table.caption =
            "No number: the log does not declare that an answer affects the agent through the action alone.".into();
        return Ok(table);
    }
    table.caption =
        "As far as a policy does what was done, what would have happened is what happened. What came after is not observed."
            .into();
    table.notes.push(
        "Calls left out are counted in hindsight, in the decisions where the policy happened to do what was done: they are no policy's saving.".into(),
    );
    if cases.iter().any(|case| case.shadowed.expects_what_was_learned(log)) {
        table.notes.push(
            "The log does not declare predictor_frozen, so after the first call that the gate leaves out its expected answers are not known.".into(),
        );
    }
    for Case { shadowed, followed } in cases {
        let exact = Exact::of(log, shadowed, followed, from);
        let (same, steps) = exact.coverage();
        let (logged, own) = (exact.logged_calls(), exact.calls(followed, log));
        let saved = i64::try_from(logged).unwrap_or(i64::MAX) - i64::try_from(own).unwrap_or(i64::MAX);
        table.push([
            Entry::text(shadowed.name()),
            Entry::fraction(exact.whole() as u64, exact.prefixes.len() as u64),
            Entry::fraction(same as u64, steps as u64),
            Entry::count(logged),
            Entry::count(own),
            Entry::text(saved.to_string()),
        ])?;
    }
    Ok(table)
}

fn bounds(log: &ShadowLog, cases: &[Case], from: usize) -> Result<Table, Error> {
    let columns = [
        Column::left("policy"),
        Column::right("return of the log"),
        Column::right("return at least"),
        Column::right("return at most").joined(),
        Column::right("calls at least"),
        Column::right("calls at most").joined(),
    ];
    let mut table =
        Table::new("bounds", "Tier 2, bounds: the rest of an episode by the declared range of its return", columns);
    if !log.header.answers_act_only {
        table.caption = "No number: see tier 1.".into();
        return Ok(table);
    }
    if let Err(reason) = enough(log, from) {
        table.caption = reason;
        return Ok(table);
    }
    table.caption =
        "Means per episode, of these episodes and not of future ones. Where a policy leaves the log, nothing but the declared ranges is assumed.".into();
    for Case { shadowed, followed } in cases {
        let exact = Exact::of(log, shadowed, followed, from);
        let logged =
            exact.prefixes.iter().map(|prefix| prefix.logged_return).sum::<f64>() / exact.prefixes.len() as f64;
        let number = |value: Option<f64>| {
            value.filter(|value| value.is_finite()).map_or_else(Entry::not_logged, |value| Entry::number(value, 4))
        };
        let [least, most] = exact.return_bounds();
        let (low, high) = exact.call_bounds(log.header.max_steps);
        table.push([
            Entry::text(shadowed.name()),
            Entry::number(logged, 4),
            number(Some(least)),
            number(Some(most)),
            Entry::number(low, 4),
            number(high),
        ])?;
    }
    Ok(table)
}

fn modelled(log: &ShadowLog, cases: &[Case], from: usize) -> Result<(Table, Vec<Figure>), Error> {
    let columns = ["policy", "calls", "answered", "expected of these", "worth of the answers", "their price", "net"];
    let columns = columns.map(|name| if name == "policy" { Column::left(name) } else { Column::right(name) });
    let mut table = Table::new("modelled", "Tier 3, modelled: if your values are right", columns);
    let gates: Vec<&Case> = cases.iter().filter(|case| case.shadowed.policy == Policy::Gate).collect();
    let Some(first) = gates.first() else {
        table.caption = "No number: the log has no values.".into();
        return Ok((table, Vec::new()));
    };
    if let Err(reason) = enough(log, from) {
        table.caption = reason;
        return Ok((table, Vec::new()));
    }
    let start = log.episodes.get(from).map_or(log.rows(), |episode| episode.rows.start);
    let mut push = |name: String, Modelled { calls, answered, expected, worth, price }| {
        let numbers = [expected, worth, price, worth - price].map(|number| Entry::number(number, 4));
        let counts = [calls, answered].map(Entry::count);
        table.push(std::iter::once(Entry::text(name)).chain(counts).chain(numbers).collect::<Vec<_>>())
    };
    push("the log".into(), Modelled::of(log, None, &first.followed, start, |row| log.asked[row]))?;
    let mut surprising = false;
    for Case { shadowed, followed } in &gates {
        let modelled = Modelled::of(log, shadowed.price, followed, start, |row| followed.rows[row].asks);
        surprising |= (modelled.worth - modelled.expected).abs() > 1e-9 * modelled.expected.abs();
        push(shadowed.name(), modelled)?;
    }
    if !surprising {
        table.notes.push(
            "Every answer was worth what was expected of it, so the gate's calls are scored by what it chose them for, and its net cannot be negative: it \
             is no evidence. The off-policy tier is."
                .into(),
        );
    }
    let borne = Borne::of(log, &first.shadowed, from)?;
    table.caption =
        "Sums over the evaluated decisions, as they were met. Worth, price and net are of calls whose answer the log has; the log's calls cost what it paid. \
         Values are the log's own: this holds if they are right."
            .into();
    if let Some(error) = borne.answer_error {
        table.notes.push(format!("Expected calibration error of the answers: {error:.4} over ten bins (0 where what was expected came as often)."));
    }
    if let Some(surprise) = borne.surprise {
        let Interval { estimate: mean, half_width, low, high, .. } = surprise;
        let than = if mean < 0.0 { "less" } else { "more" };
        let so = if low > 0.0 || high < 0.0 { "the log refutes its values" } else { "0 where values are right" };
        table.notes.push(format!(
            "Episodes returned {:.4} ± {half_width:.4} {than} than their first action was said to be worth: {so}.",
            mean.abs()
        ));
    }
    Ok((table, calibration_plot(&borne)?.into_iter().collect()))
}

/// How often answers came against how often they were expected.
fn calibration_plot(borne: &Borne) -> Result<Option<Figure>, Error> {
    if borne.came.is_empty() {
        return Ok(None);
    }
    let (x, y) = ("probability that was given to an answer", "share that came");
    let mut figure = Figure::new("answers", "How far the log bears out the expected answers", FigureKind::Line, x, y)?;
    figure.push(Series::new("as expected", [0.0, 1.0].map(|place| Point::new(place, place))))?;
    let bins = reliability(&borne.stated, &borne.came, 10)?;
    figure.push(Series::new(
        "log",
        bins.iter().map(|bin| Point::new(bin.mean_forecast, bin.frequency)).collect::<Vec<_>>(),
    ))?;
    figure.caption = "One point per bin of width 0.1, over every possible answer to every call.".into();
    Ok(Some(figure))
}

fn weighted(log: &ShadowLog, cases: &[Case], from: usize) -> Result<Table, Error> {
    let columns = [
        Column::left("policy"),
        Column::right("doubly robust").ranked(Rank::Main),
        Column::right("importance sampling"),
        Column::right("self-normalised"),
        Column::right("effective episodes"),
        Column::right("mean weight"),
        Column::right("largest share"),
        Column::right("Pareto k"),
    ];
    let mut table = Table::new("off-policy", "Tier 4, off-policy: by the logged probability of asking", columns);
    if !log.has_probabilities() {
        table.caption = "No number: the log has no p_ask.".into();
        return Ok(table);
    }
    if let Err(reason) = enough(log, from) {
        table.caption = reason;
        return Ok(table);
    }
    table.caption = "Return per episode with 95 % intervals over episodes. Below the limits there is no number.".into();
    table.notes.push(
        "It rests on p_ask and on the declaration that it was drawn. p_ask was held against the calls by everything that the log says of a decision; \
         what led to a call and is not in the log (a person's impression, a field that was left out) no test can see, and it would put these numbers \
         in the wrong place."
            .into(),
    );
    for Case { shadowed, followed } in cases {
        let name = shadowed.name();
        match off_policy(log, shadowed, followed, from)? {
            Err(refused) => {
                // A reason is longer than a column.
                table.notes.push(format!("{name}: {refused}."));
                let none = std::iter::repeat_with(Entry::not_applicable).take(7);
                table.push(std::iter::once(Entry::text(name)).chain(none).collect::<Vec<_>>())?;
            }
            Ok(Estimates { importance, self_normalised, doubly_robust, weights }) => {
                let interval = |of: Interval| Entry::interval(of.estimate, of.half_width, 4);
                table.push([
                    Entry::text(name),
                    interval(doubly_robust),
                    interval(importance),
                    interval(self_normalised),
                    Entry::number(weights.effective, 1),
                    Entry::number(weights.mean[0], 3),
                    Entry::number(weights.share, 3),
                    Entry::number(weights.k, 2),
                ])?;
            }
        }
    }
    Ok(table)
}
