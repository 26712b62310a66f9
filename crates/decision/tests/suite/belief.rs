//! The belief update against closed forms: two tasks, prior 1/2, an advisor that is right with probability 0.8.

use counsel_decision::{
    Action, AdviceModel, Belief, Branch, CacheStatus, Execution, FallbackAfter, Informative, Likelihood, NoQuery,
    Response, Valuation, ValueBounds, ValueSamples, Verdict, estimate, prospects,
};

fn likelihood() -> Likelihood {
    Likelihood::new(2, vec![0.8, 0.2, 0.0, 0.2, 0.8, 0.0]).unwrap()
}

fn advice(after: FallbackAfter) -> AdviceModel {
    let informative = Informative::new(
        ValueSamples::new(2, vec![1.0, 0.0, 0.0, 1.0]).unwrap(),
        Belief::exact(vec![0.5, 0.5]).unwrap(),
        likelihood(),
        ValueBounds::new(vec![0.0, 0.0], vec![1.0, 1.0]).unwrap(),
        Action(0),
        after,
    )
    .unwrap();
    AdviceModel::Informative(Box::new(informative))
}

#[test]
fn the_posterior_is_bayes_rule() {
    let belief = Belief::exact(vec![0.5, 0.5]).unwrap();
    let posterior = belief.given(&likelihood(), Response::Recommends(Action(1))).unwrap();
    assert!((posterior.belief().weights()[1] - 0.8).abs() < 1e-15);
    assert!((posterior.effective_sample_size() - 1.0 / 0.68).abs() < 1e-12);
    let twice = posterior.into_belief().given(&likelihood(), Response::Recommends(Action(1))).unwrap();
    assert!((twice.belief().weights()[1] - 0.64 / 0.68).abs() < 1e-15);
    assert!(belief.given(&likelihood(), Response::Unusable).is_none(), "no model gives an unusable reply");
}

#[test]
fn an_answer_is_worth_three_tenths() {
    for after in [FallbackAfter::Unchanged, FallbackAfter::Greedy] {
        let advice = advice(after);
        let prospects = prospects(Execution::Improving, &advice);
        let no_query = NoQuery { action: Action(0), cached: None, status: CacheStatus::Absent };
        let value = estimate(&advice, &prospects, &no_query, None, Valuation::DeployedDecision);
        assert!((value - 0.3).abs() < 1e-15, "{value}");
    }
}

#[test]
fn the_fallback_follows_the_belief_only_where_that_is_declared() {
    let heard = Response::Recommends(Action(1));
    assert_eq!(advice(FallbackAfter::Unchanged).given(heard).map(Branch::base), Some(Action(0)));
    assert_eq!(advice(FallbackAfter::Greedy).given(heard).map(Branch::base), Some(Action(1)));
}

#[test]
fn an_impossible_answer_changes_nothing() {
    let advice = advice(FallbackAfter::Greedy);
    let prospect = prospects(Execution::Improving, &advice)[2];
    assert_eq!((prospect.action, prospect.verdict), (Action(0), Verdict::Impossible));
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    assert!(Likelihood::new(2, vec![0.8, 0.1, 0.0]).is_err(), "a row must add up to 1");
    assert!(Likelihood::new(2, vec![0.8, 0.2]).is_err(), "a row needs three responses");
    assert!(Belief::exact(vec![0.5, 0.6]).is_err());
    assert!(Belief::drawn(3).predict(&likelihood()).is_err(), "three models, two rows");
}
