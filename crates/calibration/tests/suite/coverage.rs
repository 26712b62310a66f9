//! The coverage audit on hand-made opportunities, and the bound of Theorem `thm:allocation`.

use counsel_calibration::{Audited, CoverageAudit, Share};
use counsel_decision::Radius;
use proptest::prelude::*;

fn audited(estimate: f64, radius: f64, truth: f64, group: u32, trajectory: u64) -> Audited {
    let radius = Radius::new(radius).unwrap();
    Audited { estimate, radius, truth, monte_carlo: 0.0, group, trajectory, price: 0.1 }
}

#[test]
fn every_share_has_its_own_denominator() {
    let items = [
        audited(0.5, 0.25, 0.5, 0, 0),
        audited(0.5, 0.45, 0.75, 0, 0),
        audited(0.0, 0.0, 0.5, 1, 1),
        audited(-0.1, 0.05, -0.1, 1, 2),
        audited(0.25, f64::INFINITY, 9.0, 2, 2),
    ];
    let audit = CoverageAudit::new(&items);
    assert_eq!(audit.marginal, Share { count: 4, of: 5 });
    assert_eq!(audit.decision_relevant, Share { count: 3, of: 3 });
    assert_eq!(audit.by_group[&1], Share { count: 1, of: 2 });
    assert_eq!(audit.worst_group, Some((1, Share { count: 1, of: 2 })));
    assert_eq!(audit.trajectory, Share { count: 2, of: 3 });
    assert_eq!(audit.median_radius, Some(Radius::new(0.25).unwrap()));
    assert_eq!(audit.mean_radius, Some(Radius::INFINITE));
    assert_eq!(audit.abstained, Share { count: 2, of: 5 });
    assert_eq!(audit.negative_net_queries, Share { count: 0, of: 1 });
    let missed = (0.75 - 0.1) + (0.5 - 0.1) + (9.0 - 0.1);
    assert!((audit.surrogate_loss.unwrap() - missed).abs() < 1e-12);
    assert_eq!(serde_json::from_str::<CoverageAudit>(&serde_json::to_string(&audit).unwrap()).unwrap(), audit);
}

#[test]
fn nothing_audited_is_nothing_known() {
    let audit = CoverageAudit::new(&[]);
    assert_eq!(audit.marginal.rate(), None);
    assert_eq!((audit.worst_group, audit.median_radius, audit.surrogate_loss), (None, None, None));
}

#[test]
fn the_noise_of_the_label_counts_against_the_radius() {
    let exact = audited(0.0, 0.3, 0.2, 0, 0);
    assert!(exact.covered());
    assert!(!Audited { monte_carlo: 0.2, ..exact }.covered());
}

proptest! {
    #[test]
    fn where_the_radius_covers_the_theorem_holds(
        items in prop::collection::vec((-1.0..1.0_f64, 0.0..0.5_f64, -1.0..1.0_f64), 0..40)
    ) {
        let items: Vec<Audited> = items
            .into_iter()
            .map(|(estimate, radius, error)| audited(estimate, radius, estimate + error * radius * 0.999, 0, 0))
            .collect();
        let audit = CoverageAudit::new(&items);
        prop_assert_eq!(audit.marginal.count, items.len());
        prop_assert_eq!(audit.negative_net_queries.count, 0);
        let bound: f64 = items.iter().map(|item| 2.0 * item.radius.value()).sum();
        prop_assert!(audit.surrogate_loss.unwrap_or(0.0) <= bound + 1e-12);
    }
}
