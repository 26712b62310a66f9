//! Bounds are bounds: of calls that are never made, of steps that an episode has, of rewards that were earned.

use std::fmt::Write;

use counsel_shadow::{Exact, Policy, ShadowLog, ShadowSettings, follow, policies, report};

use crate::{log_of, try_log_of};

/// Thirty episodes of four steps, each with a reward of 0.2; an answer is bought and followed in the last but one step.
fn text(header: &str) -> String {
    let mut text = format!(
        r#"{{"format":"counsel-shadow/1","words":["stay","go"],"return_range":[0,1],"answers_act_only":true{header}}}"#
    );
    for (episode, step) in (0..30).flat_map(|episode| (0..4).map(move |step| (episode, step))) {
        let asked = step == 2;
        let done = if asked { r#""answer":"go","executed":"go""# } else { r#""executed":"stay""# };
        write!(
            text,
            "\n{{\"episode\":{episode},\"step\":{step},\"base\":\"stay\",\"asked\":{asked},{done},\"reward\":0.2,\"price\":0.1,\"end\":{}}}",
            step == 3
        )
        .unwrap();
    }
    text
}

fn never(log: &ShadowLog) -> Exact {
    let policies = policies(log, &ShadowSettings::default()).unwrap();
    let shadowed = &policies.all[0];
    assert_eq!(shadowed.policy, Policy::Never);
    Exact::of(log, shadowed, &follow(log, shadowed).unwrap(), 0)
}

#[test]
fn who_never_asks_makes_no_call_whatever_follows() {
    let log = log_of(&text(r#","max_steps":50"#));
    let exact = never(&log);
    assert!(exact.prefixes.iter().all(|prefix| prefix.left.is_some()));
    assert_eq!(exact.call_bounds(log.header.max_steps), (0.0, Some(0.0)));
    assert_eq!(never(&log_of(&text(""))).call_bounds(None), (0.0, Some(0.0)));
}

#[test]
fn an_episode_longer_than_max_steps_is_refused_at_its_row() {
    let error = try_log_of("a.jsonl", &text(r#","max_steps":3"#)).unwrap_err();
    let counsel_shadow::Error::Rows { count, faults, .. } = error else { panic!("{error}") };
    assert_eq!(count, 30);
    assert!(
        faults[0].to_string().starts_with("line 5: step is 3; steps go from 0 and max_steps is 3; declare"),
        "{}",
        faults[0]
    );
    let error = try_log_of("a.jsonl", &text(r#","max_steps":0"#)).unwrap_err();
    assert!(error.to_string().contains("max_steps is 0; declare the steps of the longest episode"), "{error}");
}

#[test]
fn rewards_that_were_earned_narrow_the_bounds_where_the_range_of_a_reward_is_declared() {
    let near = |found: [f64; 2], wanted: [f64; 2]| {
        assert!(found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-9), "{found:?} {wanted:?}");
    };
    // Never asking leaves at step 2, with 0.4 earned. Of the return alone nothing follows from that.
    near(never(&log_of(&text(""))).return_bounds(), [0.0, 1.0]);
    near(never(&log_of(&text(r#","reward_range":[0,0.25]"#))).return_bounds(), [0.4, 1.0]);
    near(never(&log_of(&text(r#","reward_range":[0,0.25],"max_steps":4"#))).return_bounds(), [0.4, 0.9]);
    near(never(&log_of(&text(r#","reward_range":[0.1,0.25],"max_steps":4"#))).return_bounds(), [0.5, 0.9]);
    near(never(&log_of(&text(r#","reward_range":[-0.1,0.25],"max_steps":5"#))).return_bounds(), [0.1, 1.0]);
    // 0.2 + 0.5 * 0.2 are earned, and what follows counts a quarter, then an eighth.
    near(
        never(&log_of(&text(r#","reward_range":[0,0.25],"max_steps":4,"discount":0.5"#))).return_bounds(),
        [0.3, 0.3 + 0.25 * 0.25 + 0.125 * 0.25],
    );
    let error = try_log_of("a.jsonl", &text(r#","reward_range":[0,0.1]"#)).unwrap_err();
    let counsel_shadow::Error::Rows { faults, .. } = error else { panic!("{error}") };
    assert!(faults[0].to_string().contains("it lies outside of reward_range [0, 0.1]"), "{}", faults[0]);
}

#[test]
fn bounds_without_a_declared_range_are_not_given() {
    let log = log_of(&text("").replace(r#""return_range":[0,1],"#, ""));
    let told = report(&log, &ShadowSettings::default()).unwrap();
    let csv = counsel_report::render(&told.tables, counsel_report::Format::Csv);
    assert!(
        csv.lines()
            .any(|line| line.starts_with("bounds,never ask,0.8") && line.contains(",not logged,not logged,0.0,0.0")),
        "{csv}"
    );
}
