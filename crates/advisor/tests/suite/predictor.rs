//! Predictors learn from paid responses. An engine that always asks provides them, as nothing else can.

use counsel_advisor::predictor::{Chosen, Feature, FeatureSpec, ForestSpec, Oracle, Paid};
use counsel_advisor::{
    AdvisorSpec, AnyPredictor, Context, Predictor, PredictorSpec, Reliability, SimulatedAdvisor, Simulation, Truth,
};
use counsel_decision::{
    Action, AdviceModel, Budget, CandidateOnly, ContextKey, Engine, Evidence, Execution, Gate, PaidResponse, Parser,
    Response, ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
};
use proptest::prelude::*;

const ACTIONS: usize = 3;
const FEATURES: usize = 2;

fn engine() -> Engine {
    let settings = Settings::new(Gate::Always, Execution::Trusting, Budget::calls(1_000_000));
    let mut engine = Engine::new(&settings, Parser::numbered(ACTIONS), Seed::root(0)).unwrap();
    engine.begin_episode();
    engine
}

/// Pays for one response.
fn buy(
    engine: &mut Engine,
    advisor: &mut SimulatedAdvisor,
    context: &Context,
    truth: Truth,
    seed: Seed,
) -> PaidResponse {
    let advice = CandidateOnly::new(
        ResponseLaw::uniform(ACTIONS),
        ValueSamples::new(ACTIONS, vec![0.0; ACTIONS]).unwrap(),
        ValueBounds::new(vec![0.0; ACTIONS], vec![1.0; ACTIONS]).unwrap(),
        Action(0),
    )
    .unwrap();
    let evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), 0.0).unwrap();
    let Turn::Ask(question) = engine.decide(evidence).unwrap() else { panic!("the gate always asks") };
    let reply = advisor.reply(context, truth, seed);
    engine.resume(question, reply).paid.unwrap()
}

/// Contexts of two kinds, told apart by their first feature; the second one says nothing. The right action of even
/// contexts is 0, of odd ones 2.
fn situation(key: u64) -> (Context, Truth) {
    let kind = if key.is_multiple_of(2) { -1.0 } else { 1.0 };
    let noise = ((key * 37) % 11) as f64 / 11.0 - 0.5;
    let right = if key.is_multiple_of(2) { Action(0) } else { Action(2) };
    (Context::new(ContextKey(key), vec![kind, noise]), Truth { right })
}

fn advisor() -> SimulatedAdvisor {
    AdvisorSpec::Simulated { reliability: Reliability::Constant(0.8), parse_failure: 0.1 }
        .build(ACTIONS, Seed::root(0))
        .unwrap()
}

fn purchases(calls: u64, contexts: u64, stream: &str) -> Vec<Paid> {
    let (mut engine, mut advisor) = (engine(), advisor());
    (0..calls)
        .map(|call| {
            let (context, truth) = situation(call % contexts);
            let seed = Seed::root(3).stream(stream).index(call);
            let response = buy(&mut engine, &mut advisor, &context, truth, seed);
            Paid { context, response }
        })
        .collect()
}

fn trained(spec: PredictorSpec, paid: &[Paid]) -> AnyPredictor {
    let mut predictor = spec.build(ACTIONS, FEATURES).unwrap();
    paid.iter().for_each(|paid| predictor.observe(&paid.context, paid.response));
    predictor
}

/// The mean absolute error of the predicted law over these contexts.
fn error(predictor: &impl Predictor, keys: std::ops::Range<u64>) -> f64 {
    let count = (keys.end - keys.start) as f64 * (ACTIONS + 1) as f64;
    let gap = |key| {
        let (context, truth) = situation(key);
        let (law, exact) = (predictor.law(&context), advisor().law(&context, truth));
        law.as_slice().iter().zip(exact.as_slice()).map(|(p, q)| (p - q).abs()).sum::<f64>()
    };
    keys.map(gap).sum::<f64>() / count
}

#[test]
fn predictors_that_look_at_the_context_converge() {
    let paid = purchases(4000, 10, "fit");
    let uniform = error(&trained(PredictorSpec::Uniform, &paid), 0..10);
    let frequency = error(&trained(PredictorSpec::Frequency { strength: 1.0 }, &paid), 0..10);
    let per_context = error(&trained(PredictorSpec::PerContext { strength: 1.0 }, &paid), 0..10);
    let feature = error(
        &trained(PredictorSpec::Feature(FeatureSpec { memory: 4000, ..FeatureSpec::default() }), &paid[..1000]),
        0..10,
    );
    assert!(frequency < uniform, "{frequency} {uniform}");
    assert!(per_context < 0.02, "{per_context}");
    assert!(feature < 0.02, "{feature}");
    assert!(frequency > 0.15, "the mixture of two kinds is neither: {frequency}");
}

#[test]
fn the_global_frequency_converges_to_the_mixture() {
    let predictor = trained(PredictorSpec::Frequency { strength: 1.0 }, &purchases(4000, 10, "fit"));
    let law = predictor.law(&situation(0).0);
    for (p, exact) in law.as_slice().iter().zip([0.405, 0.09, 0.405, 0.1]) {
        assert!((p - exact).abs() < 0.03, "{law:?}");
    }
}

#[test]
fn features_transfer_to_unseen_contexts_and_keys_do_not() {
    let paid = purchases(400, 10, "fit");
    let feature = trained(PredictorSpec::Feature(FeatureSpec::default()), &paid);
    let per_context = trained(PredictorSpec::PerContext { strength: 1.0 }, &paid);
    assert!(error(&feature, 100..120) < 0.05, "{}", error(&feature, 100..120));
    assert_eq!(per_context.law(&situation(101).0), ResponseLaw::uniform(ACTIONS));
    assert!(error(&per_context, 100..120) > 0.2);
}

#[test]
fn a_forest_transfers_to_unseen_contexts() {
    let forest =
        trained(PredictorSpec::Forest(ForestSpec { leaf: 8, ..ForestSpec::default() }), &purchases(400, 10, "fit"));
    assert!(error(&forest, 100..120) < 0.06, "{}", error(&forest, 100..120));
}

/// The right action depends on whether the two features agree: no weighted sum of them says that.
fn crossed(key: u64) -> (Context, Truth) {
    let sign = |bit: u64| if bit.is_multiple_of(2) { -1.0 } else { 1.0 };
    let (one, other) = (sign(key), sign(key / 2));
    let right = if one == other { Action(0) } else { Action(2) };
    (Context::new(ContextKey(key), vec![one, other]), Truth { right })
}

#[test]
fn the_predictor_that_foretold_paid_answers_better_is_chosen() {
    for (situation, wins) in [(situation as fn(u64) -> (Context, Truth), "the line"), (crossed, "the forest")] {
        let mut chosen = Chosen::new(ACTIONS, FEATURES).unwrap();
        let (mut engine, mut advisor) = (engine(), advisor());
        for call in 0..200 {
            let (context, truth) = situation(call % 12);
            let paid = buy(&mut engine, &mut advisor, &context, truth, Seed::root(3).stream("chosen").index(call));
            chosen.observe(&context, paid);
        }
        let forest = matches!(chosen.best(), AnyPredictor::Forest(_));
        assert_eq!(forest, wins == "the forest", "{wins} predicts better");
        let (context, truth) = situation(101);
        assert!(chosen.law(&context).probability(Response::Recommends(truth.right)) > 0.5, "{wins}");
    }
}

#[test]
fn a_long_history_costs_no_more_than_the_memory() {
    let paid = purchases(2000, 10, "fit");
    let small = FeatureSpec { memory: 64, steps: 2, ..FeatureSpec::default() };
    let predictor = trained(PredictorSpec::Feature(small), &paid);
    assert!(error(&predictor, 0..10) < 0.08, "{}", error(&predictor, 0..10));
}

#[test]
fn temperature_scaling_lowers_the_loss_on_the_prefix() {
    // Six responses and hardly a penalty: overconfident.
    let mut predictor =
        Feature::new(ACTIONS, FEATURES, FeatureSpec { penalty: 1e-3, steps: 200, ..FeatureSpec::default() }).unwrap();
    for paid in purchases(6, 6, "fit") {
        predictor.observe(&paid.context, paid.response);
    }
    let prefix = purchases(300, 10, "calibration");
    let before = predictor.negative_log_likelihood(&prefix, 1.0);
    let temperature = predictor.calibrate_temperature(&prefix);
    let after = predictor.negative_log_likelihood(&prefix, temperature);
    assert!(temperature > 1.2 && after < before - 0.05, "T {temperature}: {before} -> {after}");
    let (context, _) = situation(0);
    let direct = -predictor.law(&context).probability(Response::Recommends(Action(0))).ln();
    let one = prefix
        .iter()
        .find(|p| p.context.key == ContextKey(0) && p.response.response() == Response::Recommends(Action(0)));
    let of_one = predictor.negative_log_likelihood(std::slice::from_ref(one.unwrap()), temperature);
    assert!((direct - of_one).abs() < 1e-12, "the law uses the temperature");
    assert_eq!(predictor.calibrate_temperature(&[]), 1.0, "an empty prefix says nothing");
}

#[test]
fn the_replay_oracle_is_exact_and_says_what_it_is() {
    let mut oracle = Oracle::new(ACTIONS);
    for key in 0..10 {
        let (context, truth) = situation(key);
        oracle.reveal(context.key, advisor().law(&context, truth));
    }
    assert_eq!(error(&oracle, 0..10), 0.0);
    assert!(oracle.is_diagnostic() && PredictorSpec::Oracle.is_diagnostic());
    assert!(!trained(PredictorSpec::Uniform, &[]).is_diagnostic());
}

#[test]
fn declarations_are_read_strictly() {
    let read = |text: &str| serde_json::from_str::<PredictorSpec>(text);
    assert_eq!(read(r#"{"predictor": "feature"}"#).unwrap(), PredictorSpec::Feature(FeatureSpec::default()));
    assert_eq!(
        read(r#"{"predictor": "per-context", "strength": 2}"#).unwrap(),
        PredictorSpec::PerContext { strength: 2.0 }
    );
    assert!(read(r#"{"predictor": "feature", "rate": 0.1}"#).is_err());
    assert!(PredictorSpec::Frequency { strength: 0.0 }.build(ACTIONS, 0).is_err());
    assert!(PredictorSpec::Feature(FeatureSpec { steps: 0, ..FeatureSpec::default() }).build(ACTIONS, 0).is_err());
}

/// The law of the feature predictor after these responses, by its formula, one number at a time.
fn by_formula(spec: FeatureSpec, features: usize, paid: &[Paid], context: &Context) -> Vec<f64> {
    let inputs = |context: &Context| -> Vec<f64> { std::iter::once(1.0).chain(context.features.clone()).collect() };
    let law = |weights: &[Vec<f64>], x: &[f64]| -> Vec<f64> {
        let score = |row: &Vec<f64>| row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
        let scores: Vec<f64> = weights.iter().map(score).collect();
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
        powers.iter().map(|power| power / powers.iter().sum::<f64>()).collect()
    };
    let mut weights = vec![vec![0.0; features + 1]; ACTIONS + 1];
    for known in (1..=paid.len()).map(|count| &paid[..count]) {
        let count = known.len().min(spec.memory);
        let chosen: Vec<&Paid> = (0..count).map(|pick| &known[pick * known.len() / count]).collect();
        for _ in 0..spec.steps {
            let before = weights.clone();
            for (response, row) in weights.iter_mut().enumerate() {
                for (input, weight) in row.iter_mut().enumerate() {
                    let (mut slope, mut bound) = (spec.penalty * *weight, spec.penalty);
                    for paid in &chosen {
                        let x = inputs(&paid.context);
                        let said = paid.response.response().index(ACTIONS) == response;
                        slope += (law(&before, &x)[response] - f64::from(u8::from(said))) * x[input];
                        bound += 0.5 * x[input].abs() * x.iter().map(|x| x.abs()).sum::<f64>();
                    }
                    *weight -= slope / bound;
                }
            }
        }
    }
    law(&weights, &inputs(context))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_feature_predictor_follows_its_formula_to_the_bit(
        calls in 1..24u64,
        contexts in 1..12u64,
        steps in 1..4usize,
        memory in 1..30usize,
        zeros in any::<bool>(),
    ) {
        let mut paid = purchases(calls, contexts, "formula");
        if zeros {
            paid.iter_mut().for_each(|paid| paid.context.features[1] = paid.context.features[1].max(0.0));
        }
        let spec = FeatureSpec { steps, memory, ..FeatureSpec::default() };
        let mut predictor = Feature::new(ACTIONS, FEATURES, spec).unwrap();
        paid.iter().for_each(|paid| predictor.observe(&paid.context, paid.response));
        let (context, _) = situation(contexts);
        let expected = ResponseLaw::proportional_to(&by_formula(spec, FEATURES, &paid, &context));
        let law = predictor.law(&context);
        let bits = |law: &ResponseLaw| law.as_slice().iter().map(|p| p.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&law), bits(&expected));
    }

    #[test]
    fn predictions_are_laws_and_deterministic(
        calls in 0_u64..40,
        features in prop::collection::vec(prop_oneof![-1e6..1e6_f64, Just(f64::NAN)], 0..5),
        kind in 0..6_usize,
    ) {
        let spec = [
            PredictorSpec::Uniform,
            PredictorSpec::Frequency { strength: 0.5 },
            PredictorSpec::PerContext { strength: 0.5 },
            PredictorSpec::Feature(FeatureSpec::default()),
            PredictorSpec::Forest(ForestSpec { trees: 5, ..ForestSpec::default() }),
            PredictorSpec::Chosen,
        ][kind];
        let paid = purchases(calls, 7, "fit");
        let predictor = trained(spec, &paid);
        prop_assert_eq!(&trained(spec, &paid), &predictor);
        let law = predictor.law(&Context::new(ContextKey(1), features));
        prop_assert!(ResponseLaw::new(ACTIONS, law.as_slice().to_vec()).is_ok(), "{:?}", law);
    }
}
