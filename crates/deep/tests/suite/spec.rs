//! What a spec may say, and how the rest is refused.

use counsel_decision::{Action, Seed};
use counsel_deep::{Deep, DeepSpec, DropoutSpec, Episode, Experience, Exploration, LastLayerSpec, Spread};

fn refusal(change: impl FnOnce(&mut DeepSpec)) -> String {
    let mut spec = DeepSpec::paper();
    change(&mut spec);
    let message = spec.check().unwrap_err().to_string();
    assert_eq!(Deep::new(spec, 10, 2, Seed::root(0)).unwrap_err().to_string(), message);
    message
}

#[test]
fn the_shipped_configurations_are_those_of_the_paper_and_of_the_readings() {
    let paper = DeepSpec::paper();
    assert_eq!(DeepSpec::default(), paper);
    assert_eq!((paper.hidden, paper.feature, paper.heads, paper.replay, paper.batch), (128, 64, 8, 20_000, 64));
    assert_eq!((paper.learning_rate, paper.discount, paper.polyak, paper.bound_scale), (1e-3, 0.97, 0.01, 1.0));
    assert_eq!(paper.exploration, Exploration { warm_up_episodes: 20, start: 1.0, end: 0.05, share: 0.7 });
    let competent = DeepSpec::competent();
    assert_eq!((competent.discount, competent.polyak, competent.updates_per_step), (0.9, 0.05, 2));
    assert!(competent.output_scale < 1.0);
    assert!(paper.check().is_ok() && competent.check().is_ok());
}

#[test]
fn a_spec_is_read_from_json_and_unknown_keys_are_refused() {
    let read = |text: &str| serde_json::from_str::<DeepSpec>(text);
    assert_eq!(read("{}").unwrap(), DeepSpec::paper());
    let spec = read(r#"{"heads": 1, "posterior": {"kind": "dropout", "probability": 0.2}}"#).unwrap();
    assert_eq!(spec.posterior, Spread::Dropout(DropoutSpec { probability: 0.2, passes: 8 }));
    assert!(read(r#"{"head": 1}"#).unwrap_err().to_string().contains("unknown field `head`"));
    let wrong = r#"{"posterior": {"kind": "last-layer", "prior": 2}}"#;
    assert!(read(wrong).unwrap_err().to_string().contains("unknown field `prior`"));
    assert!(read(r#"{"exploration": {"from": 1}}"#).unwrap_err().to_string().contains("unknown field `from`"));
    let layer = LastLayerSpec { noise: 0.123_456_789, ..LastLayerSpec::default() };
    for posterior in [Spread::Heads, Spread::LastLayer(layer), Spread::Dropout(DropoutSpec::default())] {
        let spec = DeepSpec { posterior, ..DeepSpec::competent() };
        assert_eq!(read(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
    }
}

#[test]
fn what_is_out_of_range_is_refused_with_its_value() {
    assert_eq!(refusal(|s| s.heads = 0), "heads is 0, which is outside 1 to 64; choose a number within");
    assert_eq!(refusal(|s| s.discount = 1.0), "discount is 1, which is outside [0, 1); use the paper's 0.97");
    assert_eq!(
        refusal(|s| s.replay = 63),
        "replay is 63, but at least 64 is needed; keep at least one batch of transitions"
    );
    assert_eq!(
        refusal(|s| (s.prior_scale, s.posterior) = (0.5, Spread::Dropout(DropoutSpec::default()))),
        "prior_scale is 0.5 with the posterior `dropout`; random priors need the posterior `heads`: set prior_scale to 0"
    );
    let layer = |change: fn(&mut LastLayerSpec)| {
        let mut layer = LastLayerSpec::default();
        change(&mut layer);
        refusal(|spec| spec.posterior = Spread::LastLayer(layer))
    };
    for message in [
        refusal(|s| s.hidden = 5_000),
        refusal(|s| s.feature = 0),
        refusal(|s| s.batch = 0),
        refusal(|s| s.learning_rate = f64::NAN),
        refusal(|s| s.learning_rate = 0.0),
        refusal(|s| s.polyak = 1.5),
        refusal(|s| s.updates_per_step = 65),
        refusal(|s| s.mask_probability = 0.0),
        refusal(|s| s.output_scale = -1.0),
        refusal(|s| s.prior_scale = f64::INFINITY),
        refusal(|s| s.bound_scale = f64::NAN),
        refusal(|s| s.exploration.start = 1.5),
        refusal(|s| s.exploration.end = -0.1),
        refusal(|s| s.exploration.share = 0.0),
        refusal(|s| s.posterior = Spread::Dropout(DropoutSpec { probability: 1.0, passes: 8 })),
        refusal(|s| s.posterior = Spread::Dropout(DropoutSpec { probability: 0.1, passes: 0 })),
        layer(|l| l.prior_precision = 0.0),
        layer(|l| l.noise = 0.0),
        layer(|l| l.refit_every = 0),
        layer(|l| l.window = 0),
        layer(|l| l.samples = 0),
    ] {
        assert!(message.contains("which is outside"), "{message}");
    }
}

#[test]
fn sizes_that_make_no_learner_are_refused() {
    let new = |inputs, actions| Deep::new(DeepSpec::paper(), inputs, actions, Seed::root(0)).unwrap_err().to_string();
    assert!(new(0, 2).starts_with("the number of inputs is 0"));
    assert!(new(70_000, 2).starts_with("the number of inputs is 70000"));
    assert!(new(10, 0).starts_with("the number of actions is 0"));
    assert!(new(10, 2_000).starts_with("the number of actions is 2000"));
    let large = DeepSpec { hidden: 4_096, ..DeepSpec::paper() };
    assert!(
        Deep::new(large, 65_536, 2, Seed::root(0)).unwrap_err().to_string().starts_with("the hidden layer would have")
    );
}

#[test]
fn what_cannot_be_learnt_from_is_refused_and_leaves_the_learner_as_it_was() {
    let mut deep = Deep::new(DeepSpec::paper(), 10, 2, Seed::root(0)).unwrap();
    let before = deep.snapshot();
    let good = Experience { state: &[1, 4], action: Action(1), reward: 0.0, next: &[0], end: None };
    let mut refuse = |experience| deep.observe(experience).unwrap_err().to_string();
    assert_eq!(
        refuse(Experience { state: &[4, 4], ..good }),
        "the active features of the state name 4 after 4; name each active feature once, in ascending order"
    );
    assert_eq!(
        refuse(Experience { next: &[3, 10], ..good }),
        "an active feature is 10, but there are only 10; pass an index below 10"
    );
    assert!(refuse(Experience { action: Action(2), ..good }).starts_with("the action is 2"));
    assert!(refuse(Experience { reward: f64::NAN, ..good }).starts_with("the reward is NaN"));
    assert!(refuse(Experience { reward: 1e300, ..good }).contains("single-precision"));
    assert!(deep.values(&[12]).is_err() && deep.values(&[3, 1]).is_err());
    assert!(deep.begin_episode(Episode::Run { index: 0, of: 0 }).is_err());
    assert!(deep.snapshot() == before);
    assert!(deep.values(&[]).is_ok());
}

#[test]
fn a_learner_that_diverges_says_so() {
    let spec = DeepSpec { learning_rate: 1.0, discount: 0.99, polyak: 1.0, batch: 1, ..DeepSpec::paper() };
    let mut deep = Deep::new(spec, 4, 2, Seed::root(0)).unwrap();
    let failed = (0..3_000).find_map(|i| {
        let reward = if i % 2 == 0 { 1e30 } else { -1e30 };
        deep.observe(Experience { state: &[i % 4], action: Action(0), reward, next: &[0], end: None }).unwrap();
        deep.learn().err()
    });
    let message = failed.expect("errors of 1e30, squared, are not finite").to_string();
    assert!(message.contains("no longer finite"), "{message}");
}
