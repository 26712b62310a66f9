//! A change that makes no sense is refused before anything runs, with words that name it.

use counsel_experiment::{Catalogue, Change, Plan, SeedRange};

/// Refuses each of these changes to a study, and finds those that are accepted or refused without the words that name them.
/// All of them, so that one fault does not hide another.
#[track_caller]
fn assert_refused(study: &str, changes: &[(&str, &str)]) {
    let study = Catalogue::embedded().unwrap().select(&[study.into()]).unwrap().remove(0);
    let mut faults = Vec::new();
    for (change, words) in changes {
        let plan = change.parse::<Change>().and_then(|change| Plan::new(&study, Some(&SeedRange(0..=0)), &[change]));
        match plan {
            Ok(_) => faults.push(format!("--set {change} was accepted")),
            Err(error) if !error.to_string().contains(words) => {
                faults.push(format!("--set {change} does not say {words:?}: {error}"));
            }
            Err(_) => {}
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", study.id, faults.join("\n"));
}

#[test]
fn seeds_that_are_no_range() {
    for seeds in ["5..4", "x", "7", "3..1", "0..", "..4", "0..x", "-1..2", "0...4", "0..1..2", "", "1e3..2e3"] {
        let text = seeds.parse::<SeedRange>().unwrap_err().to_string();
        assert!(text.contains(&format!("`{seeds}` is not a range of seeds; write A..B with A <= B")), "{text}");
    }
}

#[test]
fn changes_that_are_no_change() {
    for change in ["foo", "", "=1", ".=1", "a..b=1", "price.=1"] {
        let text = change.parse::<Change>().unwrap_err().to_string();
        assert!(text.contains(&format!("`--set {change}` is not of the form key=value")), "{text}");
    }
}

#[test]
fn unknown_keys_are_named() {
    let named = "nonsense`";
    assert_refused(
        "informative",
        &[
            ("nonsense=1", "unknown field `nonsense`, expected one of `world`"),
            ("world.nonsense=1", named),
            ("gate.nonsense=1", named),
            ("budget.nonsense=1", named),
            ("arms.no-query.nonsense=1", named),
            ("arms.no-query.gate.nonsense=1", named),
            ("arms.no-query={nonsense=1}", "`arms`"),
            ("arms=1", "`arms`"),
        ],
    );
}

#[test]
fn unknown_keys_are_named_in_a_placement_study() {
    let named = "nonsense`";
    assert_refused("predictor", &[("world.nonsense=1", named), ("arms.uniform.predictor.nonsense=1", named)]);
}

#[test]
fn an_oracle_of_several_advisors_is_refused() {
    let words = "the replay oracle knows the answers of one advisor; leave `others` out";
    assert_refused("several-advisors", &[("predictor={ predictor = \"replay\" }", words)]);
}

#[test]
fn unknown_arms_are_named() {
    let nearest = "it has no arm `no-querry` (did you mean `no-query`?)";
    assert_refused(
        "informative",
        &[("arms.no-querry.price=1", nearest), ("arms.xyzzy.price=1", "it has no arm `xyzzy`")],
    );
}

#[test]
fn values_of_the_wrong_type_are_named() {
    assert_refused(
        "informative",
        &[
            ("episodes=many", "\"many\", expected u64 in `episodes`"),
            ("episodes=1.5", "`1.5`, expected u64 in `episodes`"),
            ("episodes=-1", "`-1`, expected u64 in `episodes`"),
            ("price=cheap", "\"cheap\", expected f64 in `price`"),
            ("price=[1]", "in `price`"),
            ("world=4", "in `world`"),
            ("gate=sometimes", "in `gate`"),
            ("gate={policy='sometimes'}", "`sometimes`, expected one of `never`"),
            ("budget.per_episode=-3", "in `budget.per_episode`"),
            ("arms.no-query.estimator=guess", "`guess`, expected one of"),
        ],
    );
}

#[test]
fn values_out_of_range_are_named() {
    assert_refused(
        "informative",
        &[
            ("price=-1", "price is -1"),
            ("price=nan", "price` is NaN"),
            ("price=inf", "price` is inf"),
            ("episodes=0", "episodes is 0"),
            ("world.length=0", " 0"),
            ("world.accuracy=1.5", "1.5"),
        ],
    );
}

#[test]
fn values_out_of_range_are_named_in_a_controlled_study() {
    assert_refused(
        "limits",
        &[
            ("price=-1", "price is -1"),
            ("episodes=0", "episodes is 0"),
            ("calibration.calibrate=-1", "in `calibration.calibrate`"),
            ("calibration.labels={paired={blocks=0,replicates=3}}", "at least one block"),
            ("calibration.labels={paired={blocks=2,replicates=0}}", "one replicate"),
            (
                "calibration={labels={paired={blocks=2,replicates=2}},monte_carlo={method='hoeffding',range=-1,delta_mc=0.1}}",
                "-1",
            ),
            ("calibration.radius={method='bonferroni',delta_conf=0.1,evaluations=0}", "evaluations is 0"),
            ("calibration.radius.alpha=0", "alpha is 0"),
            ("calibration.radius.alpha=1", "alpha is 1"),
            ("calibration.radius.alpha=2", "alpha is 2, which is outside (0, 1)"),
            ("execution={certified={tolerance=-1}}", "tolerance is -1"),
            ("execution={certified={tolerance=nan}}", "tolerance` is NaN"),
            ("pacing={factor=-2}", "pacing.factor is -2"),
            ("learner.samples=0", "samples is 0"),
            ("learner.epsilon=1.5", "epsilon is 1.5"),
            ("learner.bounds.scale=-1", "-1"),
            ("advisor.parse_failure=2", " 2"),
            ("predictor.strength=-1", "strength is -1"),
            ("world.states=0", "number of states"),
            ("world.horizon=0", " 0"),
            ("cache={keep=[{time-to-live=0}]}", "time-to-live is 0"),
            ("budget={token_bucket={capacity=3,refill_every=0}}", "refill_every is 0"),
            ("budget={per_run=3,reserve={fraction=1.5,after_step=3}}", "fraction is 1.5"),
            ("gate={policy='period',every=0}", "period is 0"),
        ],
    );
}

#[test]
fn values_out_of_range_are_named_in_a_placement_study() {
    assert_refused("predictor", &[("world.contexts=0", " 0"), ("world.reliability_high=1.5", "1.5")]);
}
