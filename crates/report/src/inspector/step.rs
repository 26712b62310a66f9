//! One decision as the inspector shows it. Field names are short: there is one of each per decision.

use counsel_decision::{CacheStatus, Outcome, Record, Response, Verdict};
use counsel_file::Printable;
use counsel_log::{Decision, Manifest, Routed, Worth, explain, hindsight_facts, inequalities, named_worths};
use counsel_world::Sight;
use serde::Serialize;
use serde_json::Value;

use super::phrases::Phrases;

/// The most sample dots drawn per action.
const DOTS: usize = 32;
/// The places of a dot between the ends of its axis; the digits of a mark.
pub(super) const PLACES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The line of the explanation behind which the actions stand.
const ACTIONS_BELOW: &str = "  action ";

/// A decision.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    /// Its number in the run and in its episode.
    n: u64,
    j: u64,
    /// What was done: `s`ilent, `u`naffordable, `f`ollowed or `r`ejected.
    c: char,
    /// The explanation: the patterns of its lines, its numbers, and the place of the first number of the actions. Each action
    /// has four: mean, lower and upper bound, predicted share.
    l: Vec<usize>,
    x: String,
    z: usize,
    /// The ends of the axis, and the samples of every action as places on it, ascending, with a blank between actions.
    ax: [f64; 2],
    d: String,
    /// For every action whose value an answer changes that names it: the value then, and the credit in it. Left out where
    /// answers change none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    k: Vec<Option<[f64; 2]>>,
    /// The fallback's proposal, a⁰, the kept, the advised and the executed action; -1 is an answer without an action.
    b: usize,
    o: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    h: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<i64>,
    m: usize,
    /// d(y) for every response, and the first letter of its verdict.
    pa: Vec<usize>,
    pv: String,
    /// Estimate, radius, score, threshold and price; a word where infinite.
    g: [Value; 5],
    /// Calls left, as text: there may be more than a number can hold.
    q: String,
    r: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<BoughtAnswer>,
    /// Of every advisor, where one of them answers: the expected reward, the one in the optimist's eyes, the cost, and the probability.
    /// Then whoever answered is the executed action.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    e: Vec<[f64; 4]>,
    /// What the answer of a route cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    co: Option<f64>,
    /// What the actions of this step are called, where each step has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    nm: Option<Vec<String>>,
    /// What became known afterwards.
    hs: Vec<(&'static str, String)>,
    /// The world and the view; a picture that is that of the step before is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    w: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    t: String,
}

/// A bought answer.
#[derive(Debug, Serialize)]
struct BoughtAnswer {
    /// What was said to the advisor, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
    reply: String,
    source: String,
    /// Tokens sent and received, and the time in milliseconds, where they were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<[Option<u32>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
    cert: Vec<String>,
}

/// The outcome of a decision as one letter.
pub(super) fn outcome(record: &Record) -> char {
    match &record.outcome {
        Outcome::Silent => 's',
        Outcome::Unaffordable => 'u',
        Outcome::Asked(answer) if answer.verdict == Verdict::Executed && record.overridden.is_none() => 'f',
        Outcome::Asked(_) => 'r',
    }
}

fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Executed => 'e',
        Verdict::Unusable => 'u',
        Verdict::Uncertified => 'c',
        Verdict::NotImproving => 'n',
        Verdict::TooUncertain => 'v',
        Verdict::Impossible => 'i',
    }
}

impl Step {
    pub(super) fn of(
        manifest: &Manifest,
        decision: &Decision,
        (sight, before): (Option<&Sight>, Option<&Sight>),
        phrases: &mut Phrases,
    ) -> Self {
        let record = &decision.record;
        let said = Printable(explain(manifest, decision)).to_string();
        let phrased = phrases.take(&said);
        let ahead = said.lines().position(|line| line.starts_with(ACTIONS_BELOW)).map_or(0, |line| line + 1);
        let gaps = |line: &usize| phrases.patterns()[*line].matches(super::phrases::GAP).count();
        let z = phrased.lines.iter().take(ahead).map(gaps).sum();
        let (ax, d) = samples(record);
        let told_number =
            |number: f64| if number.is_finite() { rounded(number).into() } else { Value::from(number.to_string()) };
        let picture = |of: fn(&Sight) -> String| {
            let (now, before) = (sight.map(of), before.map(of));
            now.filter(|now| before.as_ref() != Some(now))
        };
        Self {
            n: record.step,
            j: record.step_in_episode,
            c: outcome(record),
            l: phrased.lines,
            x: phrased.numbers.join(" "),
            z,
            ax,
            d,
            k: changed_by_name(record),
            b: record.evidence.advice().none().base().index(),
            o: record.no_query.index(),
            h: (record.cache_status != CacheStatus::Off)
                .then_some(record.cached)
                .flatten()
                .map(counsel_decision::Action::index),
            y: record.answer().map(|answer| match answer.response {
                Response::Recommends(action) => i64::try_from(action.index()).unwrap_or(-1),
                Response::Unusable => -1,
            }),
            m: decision
                .route
                .as_ref()
                .map_or(record.executed.index(), |route| usize::try_from(route.chosen).unwrap_or(0)),
            pa: record.prospects.iter().map(|prospect| prospect.action.index()).collect(),
            pv: record.prospects.iter().map(|prospect| letter(prospect.verdict)).collect(),
            g: [record.estimate, record.evidence.radius().value(), record.score, record.threshold, record.paced_price]
                .map(told_number),
            q: record.calls_left.to_string(),
            r: decision.hindsight.reward,
            a: record.answer().map(|answer| BoughtAnswer {
                prompt: sight.and_then(|sight| sight.prompt.clone()),
                reply: answer.reply.text.clone(),
                source: format!("{:?}", answer.reply.source).to_lowercase(),
                tokens: Some([answer.reply.request_tokens, answer.reply.response_tokens])
                    .filter(|tokens| tokens.iter().any(Option::is_some)),
                ms: answer.reply.latency_ms,
                cert: inequalities(manifest, decision),
            }),
            e: decision.route.as_deref().map(advisors).unwrap_or_default(),
            co: decision.route.as_ref().map(|route| route.cost),
            nm: sight.map(|sight| sight.actions.clone()).filter(|names| !names.is_empty()),
            hs: hindsight_facts(manifest, decision).into_iter().map(|(name, value)| (name, told(&value))).collect(),
            w: picture(|sight| Sight::rows(&sight.world)),
            v: picture(|sight| Sight::rows(&sight.view)),
            t: sight.map_or_else(String::new, |sight| sight.words.clone()),
        }
    }
}

/// What is known of every advisor of a route.
fn advisors(route: &Routed) -> Vec<[f64; 4]> {
    let lists = [&route.rewards, &route.hopes, &route.costs, &route.probabilities];
    let at = |advisor: usize| lists.map(|list| list.get(advisor).copied().unwrap_or_default());
    // A cost may be far below a millionth.
    (0..route.rewards.len()).map(at).collect()
}

/// What an answer makes of the value of the action that it names, where that is another one; empty where it never is.
fn changed_by_name(record: &Record) -> Vec<Option<[f64; 2]>> {
    let changed = |worth: &Worth| worth.before != worth.after;
    let worths = named_worths(record).into_iter().map(|worth| worth.filter(changed));
    let told: Vec<_> = worths.map(|worth| worth.map(|worth| [rounded(worth.after), rounded(worth.credit)])).collect();
    if told.iter().all(Option::is_none) { Vec::new() } else { told }
}

/// Six decimals, as the explanation has.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn told(value: &Value) -> String {
    match value {
        Value::Array(list) => list.iter().map(told).collect::<Vec<_>>().join(", "),
        Value::Number(number) if number.is_f64() => rounded(number.as_f64().unwrap_or(0.0)).to_string(),
        Value::String(word) => word.clone(),
        other => other.to_string(),
    }
}

/// The ends of the axis on which samples, means and bounds lie, and where the samples lie on it.
fn samples(record: &Record) -> ([f64; 2], String) {
    let advice = record.evidence.advice();
    let (samples, bounds) = (advice.samples(), advice.none().bounds());
    let all = || samples.as_slice().iter().chain(bounds.lower()).chain(bounds.upper()).copied();
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let range = if high > low { high - low } else { 1.0 };
    let place = |value: f64| {
        // Within 0 to 63 by the choice of the ends.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 63, rounded")]
        let at = ((value - low) / range * 63.0).round() as usize;
        char::from(PLACES[at.min(63)])
    };
    let drawn = |action: usize| -> String {
        let mut values: Vec<f64> = samples.rows().map(|row| row[action]).collect();
        values.sort_by(f64::total_cmp);
        let count = values.len().min(DOTS);
        (0..count).map(|dot| place(values[dot * values.len() / count])).collect()
    };
    let dots: Vec<String> = (0..samples.actions()).map(drawn).collect();
    ([rounded(low), rounded(low + range)], dots.join(" "))
}
