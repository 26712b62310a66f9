//! Alterations of what was computed or done. Each says whether it applies to a decision.

use counsel_decision::{Action, Answer, CacheStatus, Outcome, Reply, Response, Verdict};
use counsel_log::Decision;

pub(crate) type Alteration = (&'static str, fn(&mut Decision) -> bool);

fn nudge(number: &mut f64) -> bool {
    let before = number.to_bits();
    *number = f64::from_bits(before ^ 1);
    number.to_bits() != before && !number.is_nan()
}

fn flip_zero(number: &mut f64) -> bool {
    let is_zero = *number == 0.0;
    if is_zero {
        *number = -*number;
    }
    is_zero
}

fn other(action: &mut Action) -> bool {
    action.0 ^= 1;
    true
}

pub(crate) fn answer_of(decision: &mut Decision) -> Option<&mut Answer> {
    match &mut decision.record.outcome {
        Outcome::Asked(answer) => Some(answer),
        _ => None,
    }
}

pub(crate) const COMPUTED: [Alteration; 30] = [
    ("step", |d| {
        d.record.step += 1;
        true
    }),
    ("episode", |d| {
        d.record.episode += 1;
        true
    }),
    ("step_in_episode", |d| {
        d.record.step_in_episode += 1;
        true
    }),
    ("no_query", |d| other(&mut d.record.no_query)),
    ("cached", |d| {
        d.record.cached = if d.record.cached.is_some() { None } else { Some(Action(0)) };
        true
    }),
    ("cached action", |d| d.record.cached.as_mut().is_some_and(other)),
    ("cache_status", |d| {
        let status = &mut d.record.cache_status;
        *status = if *status == CacheStatus::Absent { CacheStatus::Off } else { CacheStatus::Absent };
        true
    }),
    ("a prospect's action", |d| other(&mut d.record.prospects[0].action)),
    ("a prospect's verdict", |d| {
        let verdict = &mut d.record.prospects[0].verdict;
        *verdict = if *verdict == Verdict::Executed { Verdict::Unusable } else { Verdict::Executed };
        true
    }),
    ("a prospect that is gone", |d| d.record.prospects.pop().is_some()),
    ("estimate", |d| nudge(&mut d.record.estimate)),
    ("reuse_value", |d| d.record.reuse_value.as_mut().is_some_and(nudge)),
    ("bankroll", |d| d.record.bankroll.as_mut().is_some_and(nudge)),
    ("pacing", |d| nudge(&mut d.record.pacing)),
    ("paced_price", |d| nudge(&mut d.record.paced_price)),
    ("score", |d| d.record.score.is_finite() && nudge(&mut d.record.score)),
    ("threshold", |d| d.record.threshold.is_finite() && nudge(&mut d.record.threshold)),
    ("the sign of estimate", |d| flip_zero(&mut d.record.estimate)),
    ("the sign of pacing", |d| flip_zero(&mut d.record.pacing)),
    ("the sign of paced_price", |d| flip_zero(&mut d.record.paced_price)),
    ("the sign of score", |d| flip_zero(&mut d.record.score)),
    ("not a number", |d| {
        d.record.estimate = f64::NAN;
        true
    }),
    ("calls_left", |d| {
        d.record.calls_left += 1;
        true
    }),
    ("a concealed call", |d| std::mem::replace(&mut d.record.outcome, Outcome::Silent) != Outcome::Silent),
    ("an invented wish", |d| {
        let silent = d.record.outcome == Outcome::Silent;
        d.record.outcome = if silent { Outcome::Unaffordable } else { Outcome::Silent };
        true
    }),
    ("an invented call", |d| {
        let answer = Answer { reply: Reply::lost(), response: Response::Unusable, verdict: Verdict::Unusable };
        let applies = !d.record.asked();
        d.record.outcome = Outcome::Asked(answer);
        applies
    }),
    ("response", |d| {
        answer_of(d).is_some_and(|answer| {
            answer.response = match answer.response {
                Response::Unusable => Response::Recommends(Action(0)),
                Response::Recommends(_) => Response::Unusable,
            };
            true
        })
    }),
    ("certificate", |d| {
        answer_of(d).is_some_and(|answer| {
            answer.verdict =
                if answer.verdict == Verdict::Executed { Verdict::NotImproving } else { Verdict::Executed };
            true
        })
    }),
    ("a reply that says something else", |d| {
        answer_of(d).is_some_and(|answer| {
            let usable = matches!(answer.response, Response::Recommends(_));
            answer.reply.text = if usable { "no idea".into() } else { answer.reply.text.clone() };
            usable
        })
    }),
    ("executed", |d| other(&mut d.record.executed)),
];
