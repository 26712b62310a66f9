//! What is made of a user's log once it is read, for the targets of the three readers: every row is followed and every tier told or
//! refused, and bounds are in order.

use std::path::Path;

use counsel_shadow::{Error, Exact, ShadowSettings, follow, parse, policies, report};

pub fn read(name: &str, bytes: &[u8]) {
    let Ok(mut log) = parse(Path::new(name), bytes.to_vec()) else { return };
    // Tier 4 is reached whatever a log declares.
    log.header.p_ask_drawn = true;
    let finished = log.rows() - log.unfinished;
    assert_eq!(log.episodes.iter().map(|episode| episode.rows.len()).sum::<usize>(), finished);
    let plan = ShadowSettings { prices: vec![0.0, 0.1], ..ShadowSettings::default() };
    let policies = match policies(&log, &plan) {
        Ok(policies) => policies,
        Err(Error::Asked { .. } | Error::Statistics(_)) => return,
        Err(error) => panic!("{error}"),
    };
    for shadowed in &policies.all {
        let exact = Exact::of(&log, shadowed, &follow(&log, shadowed).unwrap(), policies.calibration_episodes);
        for prefix in &exact.prefixes {
            assert!(prefix.same <= prefix.known && prefix.known <= prefix.steps, "{prefix:?}");
            assert!(prefix.bounds[0] <= prefix.bounds[1], "{prefix:?}");
        }
    }
    let _ = report(&log, &plan);
}
