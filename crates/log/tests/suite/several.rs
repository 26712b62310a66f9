//! Decisions among several advisors: the log says who was considered, and an altered choice or score is found.

use counsel_decision::{
    Act, Action, AdviceModel, Budget, CacheSpec, CandidateOnly, ContextKey, Engine, Evidence, Execution, Gate, Panel,
    Parser, Radius, Reply, ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
};
use counsel_log::{Decision, Hindsight, Manifest, PricedAdvisor, decode, encode, explain, explain_json, recompute};

use crate::play::{key, manifest};

const WORDS: [&str; 2] = ["left", "right"];

fn evidence(context: u64, nets: Vec<f64>, in_hand: Option<usize>) -> Evidence {
    let law = ResponseLaw::new(2, vec![0.5, 0.5, 0.0]).unwrap();
    let samples = ValueSamples::new(2, vec![0.25, 0.5]).unwrap();
    let bounds = ValueBounds::new(vec![0.0; 2], vec![1.0; 2]).unwrap();
    let advice = CandidateOnly::new(law, samples, bounds, Action(0)).unwrap();
    let evidence = Evidence::new(ContextKey(context), AdviceModel::CandidateOnly(advice), 0.0625).unwrap();
    evidence.with_radius(Radius::ZERO).with_panel(Some(Panel::new(nets, in_hand).unwrap()))
}

/// Two decisions in one context: the second advisor is asked, then its answer is in hand.
fn played() -> (Manifest, Vec<Decision>) {
    let settings = Settings {
        cache: CacheSpec::Keep(vec![]),
        ..Settings::new(Gate::Amortised, Execution::Improving, Budget::calls(9))
    };
    let mut engine = Engine::new(&settings, Parser::new(WORDS).unwrap(), Seed::root(1)).unwrap();
    // Half of the answers gain 0.25, and the price is half of that.
    let first = evidence(7, vec![f64::NEG_INFINITY, 0.0625], None);
    let second = evidence(7, vec![-0.0625, -0.0625], Some(1)).with_expected_uses(0.0).unwrap();
    let mut decide = |evidence: Evidence| {
        let Act { record, .. } = match engine.decide(evidence).unwrap() {
            Turn::Act(act) => act,
            Turn::Ask(ask) => {
                assert_eq!(ask.advisor(), 1);
                engine.resume(ask, Reply::live("right"))
            }
        };
        Decision { record, hindsight: Hindsight::default(), route: None }
    };
    let decisions = vec![decide(first), decide(second)];
    let named = |advisor: &str, price| PricedAdvisor { advisor: advisor.into(), price };
    let words = WORDS.map(String::from).to_vec();
    let manifest = manifest(settings, words, Seed::root(1), &decisions);
    (Manifest { advisors: vec![named("small", 0.03125), named("large", 0.0625)], ..manifest }, decisions)
}

#[test]
fn what_was_considered_is_read_back_and_computed_again() {
    let (manifest, decisions) = played();
    let logged = decode(&key(), encode(&key(), &decisions).unwrap()).unwrap();
    assert_eq!(logged, decisions);
    assert_eq!(recompute(&manifest, &logged).unwrap(), []);
    assert_eq!(decisions[1].record.executed, Action(1), "the answer of the second advisor is kept under its own key");
}

#[test]
fn an_altered_score_is_found() {
    let (manifest, mut decisions) = played();
    let altered = Panel::new(vec![f64::NEG_INFINITY, 0.5], None).unwrap();
    decisions[0].record.panel = Some(altered);
    let logged = decode(&key(), encode(&key(), &decisions).unwrap()).unwrap();
    let found = recompute(&manifest, &logged).unwrap();
    assert_eq!((found.len(), found[0].step, found[0].column), (1, 0, "advisor_scores"));
}

#[test]
fn a_person_and_a_program_are_told_whom_it_asked() {
    let (manifest, decisions) = played();
    let text = explain(&manifest, &decisions[0]);
    assert!(text.contains("asking small (price 0.03125) is not considered"), "{text}");
    assert!(text.contains("it asked large (price 0.0625); the reply was \"right\""), "{text}");
    assert!(explain(&manifest, &decisions[1]).contains("about large (price 0.0625), whose answer is in hand"));
    let document = explain_json(&manifest, &decisions[0]);
    assert!(document.contains("\"advisor\": 1") && document.contains("\"-inf\""), "{document}");
}
