//! What the engine never decides on: numbers out of range, actions without a word, and more actions than can be numbered.

use counsel_decision::{
    Action, AdviceModel, Budget, CandidateOnly, Completion, ContextKey, Engine, Error, Evidence, Execution, Forecast,
    Gate, Parser, Radius, Reply, ReplySource, Response, ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
};

fn advice(actions: usize) -> AdviceModel {
    let samples = ValueSamples::new(actions, vec![0.5; actions]).unwrap();
    let bounds = ValueBounds::new(vec![0.0; actions], vec![1.0; actions]).unwrap();
    let law = ResponseLaw::uniform(actions);
    AdviceModel::CandidateOnly(CandidateOnly::new(law, samples, bounds, Action(0)).unwrap())
}

fn evidence(actions: usize) -> Evidence {
    Evidence::new(ContextKey(0), advice(actions), 0.1).unwrap()
}

fn engine(words: usize) -> Engine {
    let settings = Settings::new(Gate::Always, Execution::Trusting, Budget::calls(9));
    Engine::new(&settings, Parser::numbered(words), Seed::root(0)).unwrap()
}

#[track_caller]
fn assert_names<T: std::fmt::Debug>(outcome: Result<T, Error>, what: &str, value: f64) {
    let message = outcome.unwrap_err().to_string();
    assert!(message.starts_with(&format!("{what} is {value}, which is outside ")), "{message}");
}

#[test]
fn a_price_is_finite_and_not_negative() {
    for price in [f64::NAN, f64::INFINITY, -0.01] {
        assert_names(Evidence::new(ContextKey(0), advice(2), price), "price", price);
        assert_names(evidence(2).at_price(price), "price", price);
    }
    assert_eq!(evidence(2).at_price(0.0).unwrap().price(), 0.0);
}

#[test]
fn what_is_expected_and_credited_is_finite() {
    for uses in [f64::NAN, f64::INFINITY, -1.0] {
        assert_names(evidence(2).with_expected_uses(uses), "expected_uses", uses);
    }
    for gain in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_names(evidence(2).with_credited_gain(gain), "credited_gain", gain);
    }
    assert_eq!(
        evidence(2).with_credited_gain(-3.0).unwrap().credited_gain(),
        -3.0,
        "a loss is a number like any other"
    );
}

#[test]
fn the_law_of_the_fallback_is_a_distribution_over_the_actions() {
    let refused = |law: Vec<f64>| evidence(2).with_fallback_law(law).unwrap_err().to_string();
    assert!(refused(vec![1.0]).starts_with("fallback_law has 1 entries where 2 are needed"));
    assert!(refused(vec![0.5, 0.4]).starts_with("the probabilities of fallback_law add up to 0.9"));
    assert!(refused(vec![f64::NAN, 1.0]).starts_with("a probability is NaN"));
    assert!(refused(vec![1.5, -0.5]).starts_with("a probability is 1.5"));
    for law in [vec![], vec![0.25, 0.75]] {
        assert_eq!(evidence(2).with_fallback_law(law.clone()).unwrap().fallback_law(), law);
    }
}

#[test]
fn a_radius_is_not_negative() {
    for radius in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        assert_names(Radius::new(radius), "a radius", radius);
    }
    assert_eq!(Radius::new(f64::INFINITY), Ok(Radius::INFINITE));
    assert_eq!((Radius::ZERO.finite(), Radius::INFINITE.finite()), (Some(0.0), None));
}

#[test]
fn a_radius_that_is_read_is_checked_like_one_that_is_made() {
    let read = |text: &str| serde_json::from_str::<Radius>(text);
    assert!(read(r#"{"Finite": -1.0}"#).unwrap_err().to_string().starts_with("a radius is -1, which is outside "));
    for radius in [Radius::ZERO, Radius::new(0.25).unwrap(), Radius::INFINITE] {
        assert_eq!(read(&serde_json::to_string(&radius).unwrap()).unwrap(), radius);
    }
}

#[test]
fn a_forecast_has_a_finite_value_and_an_error_that_is_not_negative() {
    for value in [f64::NAN, f64::INFINITY] {
        assert_names(Forecast::new(value, 0.1), "the value of a forecast", value);
    }
    for error in [f64::NAN, f64::INFINITY, -0.1] {
        assert_names(Forecast::new(0.5, error), "the error of a forecast", error);
    }
}

#[test]
fn every_action_needs_a_word() {
    let mut engine = engine(2);
    assert_eq!(engine.decide(evidence(3)).unwrap_err(), Error::NamelessActions { actions: 3, words: 2 });
    assert_eq!((engine.calls_made(), engine.calls_left()), (0, 9), "what is refused costs nothing");
    let Turn::Ask(question) = engine.decide(evidence(2)).unwrap() else { panic!("the gate always asks") };
    assert_eq!(engine.resume(question, Reply::lost()).record.step, 0, "and is no decision");
    assert!(engine.decide(evidence(1)).is_ok(), "a word may be left over");
}

#[test]
fn more_actions_than_can_be_numbered_are_refused() {
    const MANY: usize = 70_000;
    let words = (0..MANY).map(|word| format!("w{word}"));
    assert_eq!(Parser::new(words), Err(Error::TooManyActions { actions: MANY }));
    assert_eq!(ValueSamples::new(MANY, vec![0.0; MANY]), Err(Error::TooManyActions { actions: MANY }));
}

#[test]
fn a_decision_that_cannot_be_completed_is_not_made() {
    let mut engine = engine(2);
    let failed = engine.decide_with(evidence(2), |_, _| Err(Error::TooManyActions { actions: 1 }));
    assert_eq!(failed.unwrap_err(), Error::TooManyActions { actions: 1 });
    assert_eq!((engine.calls_made(), engine.calls_left()), (0, 9));
}

#[test]
fn a_decision_is_completed_with_a_radius_a_forecast_and_a_true_value() {
    let forecast = Forecast::new(0.5, 0.1).unwrap();
    let known = evidence(2).with_radius(Radius::ZERO).with_forecast(Some(forecast)).with_oracle_value(Some(0.25));
    let weighed = |completion: Completion| {
        let turn = engine(2).decide_with(known.clone(), |preview, evidence| {
            assert_eq!((preview.estimate, evidence), (0.0, &known));
            Ok::<_, Error>(completion)
        });
        let Ok(Turn::Ask(question)) = turn else { panic!("the gate always asks") };
        question.evidence().clone()
    };
    assert_eq!(weighed(Completion::default()), known, "what is not completed stays as it was");
    let completion =
        Completion { radius: Some(Radius::INFINITE), forecast: Forecast::new(1.0, 0.0).ok(), oracle_value: Some(2.0) };
    let expected = known.clone().with_radius(Radius::INFINITE);
    let expected = expected.with_forecast(completion.forecast).with_oracle_value(completion.oracle_value);
    assert_eq!(weighed(completion), expected);
}

#[test]
fn a_reply_says_who_gave_it() {
    let sources = [Reply::live("a1"), Reply::simulated("a1"), Reply::lost()].map(|reply| reply.source);
    assert_eq!(sources, [ReplySource::Live, ReplySource::Simulated, ReplySource::Lost]);
    let mut engine = engine(2);
    let Turn::Ask(question) = engine.decide(evidence(2)).unwrap() else { panic!("the gate always asks") };
    let acted = engine.resume(question, Reply::live("a1"));
    assert_eq!((acted.action, acted.paid.unwrap().response()), (Action(1), Response::Recommends(Action(1))));
    assert_eq!(acted.record.answer().unwrap().reply.source, ReplySource::Live);
}
