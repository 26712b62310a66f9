//! How long planning takes. Printed with `--release -- --nocapture`; only a gross slowdown fails.

use std::sync::Arc;
use std::time::Instant;

use counsel_decision::Seed;
use counsel_env::ComponentMdp;
use counsel_learner::{BoundsKind, Fallback, LearnerKind};

use crate::play;

#[test]
fn planning_is_quick() {
    let mdp = Arc::new(ComponentMdp { horizon: 16, ..ComponentMdp::default() }.build(Seed::root(0)).unwrap());
    for kind in [LearnerKind::Optimistic, LearnerKind::Psrl] {
        let mut learner = play::learner(&play::spec(kind, BoundsKind::VisitCount), &mdp);
        play::episodes(&mut learner, &mdp, 50, 0.1, Seed::root(1));
        let started = Instant::now();
        let plans = 200_u32;
        for episode in 0..plans {
            learner.begin_episode(Seed::root(2).index(u64::from(episode)));
        }
        let each = started.elapsed() / plans;
        println!("{kind:?}: {each:?} per plan (S 10, A 4, H 16, K 8)");
        assert!(each.as_millis() < 50, "{each:?}");
    }
}
